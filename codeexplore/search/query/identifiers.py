"""Names in a question: words that are written as code.

A name is recognised by a form that prose does not have: backticks, the parentheses of a call, ``::``, dots,
underscores, inner capitals. Names are returned as written, without backticks and parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from codeexplore.languages.base import words

Known: TypeAlias = Callable[[str], bool]
"""Function of a word that returns True for the exact name of a symbol in the workspace."""


class Mention(NamedTuple):
    """A name in a question: its characters from `start` to `end`, and the reason why it counts as a name."""

    name: str
    start: int
    end: int
    why: str


_WORD = r"[^\W\d]\w*"
_NOT_INSIDE = r"(?<![\w`.:#/>\\-])"

_CHAIN = r"(?:\.|::|->|#)"
_ARGUMENTS = r"\((?!(?:e?s|ies|ed)\))[^()\n]{0,80}\)"

_SHAPES: Final = (
    ("in backticks", re.compile(r"(?<!`)`{1,3}([^`\s][^`\n]{0,200})`")),
    ("a place in a file", re.compile(r"(?<![\w/\\.-])((?:[\w.-]+[/\\])*[\w-]+(?:\.[\w-]+)*\.\w{1,8}:\d+)\b")),
    ("a call", re.compile(rf"{_NOT_INSIDE}((?:{_WORD}{_CHAIN})*{_WORD}[!?]?)({_ARGUMENTS})")),
    (
        "a qualified name",
        re.compile(rf"{_NOT_INSIDE}((?:::)?{_WORD}(?:(?:{_CHAIN}|(?<=\w):(?=\w)){_WORD})+[!?]?(?:/\d+)?)"),
    ),
    ("a path of names", re.compile(rf"{_NOT_INSIDE}((?:{_WORD}/)+{_WORD}(?:\.{_WORD})+)")),
)
"""Shapes of more than one word, most explicit first; a match of a later one never overlaps that of an earlier one."""

_ABBREVIATIONS: Final = frozenset({"e.g", "i.e", "a.k.a", "p.s", "vs", "etc", "u.s", "w.r.t", "a.m", "p.m"})
_FILE_ENDINGS: Final = words(
    "py pyi js jsx mjs cjs ts tsx go rs java kt kts scala swift c h cc cpp hpp cxx cs rb php lua sh bash ex exs hs zig "
    "md rst txt json toml yaml yml xml html css ini cfg lock ipynb sql"
)
_PROSE_CAPITALS: Final = words(
    "GitHub GitLab JavaScript TypeScript CoffeeScript OAuth OAuth2 PostgreSQL MySQL SQLite NoSQL GraphQL iOS macOS "
    "iPhone iPad YouTube LaTeX DevOps PyPI NumPy SciPy PyTorch TensorFlow FreeBSD OpenSSL LinkedIn WhatsApp McDonald "
    "tRPC gRPC npm eBPF"
)
"""Names of products that are written with inner capitals in prose."""

_WORDS = re.compile(r"\$?[^\W\d][\w$]*")
_INNER_CAPITAL = re.compile(r"[^\W\d_A-Z][A-Z]|[A-Z]{2,}[^\W\d_A-Z]|[a-z]\d+[A-Z]|[A-Z]\d+[A-Z][a-z]")
_PLURAL_ACRONYM = re.compile(r"^[A-Z]{2,}[sx]$|^[A-Z]{2,}'?s$")


def _inner_capitals(word: str) -> bool:
    return bool(_INNER_CAPITAL.search(word)) and not _PLURAL_ACRONYM.match(word) and word not in _PROSE_CAPITALS


def _underscored(word: str) -> bool:
    return "_" in word.strip("_") or (word.startswith("_") and len(word.strip("_")) > 1)


_WORD_SHAPES: Final[tuple[tuple[str, Callable[[str], bool]], ...]] = (
    ("ALL_CAPS", lambda word: word.isupper() and _underscored(word)),
    ("snake_case", _underscored),
    ("a word with a $", lambda word: "$" in word),
    ("camelCase", _inner_capitals),
)


def word_shape(word: str) -> str:
    """Return the reason why a single word looks like code ("snake_case", "camelCase" …); "" if it does not."""
    return next((why for why, test in _WORD_SHAPES if test(word)), "")


def mentions(text: str, known: Known | None = None) -> tuple[Mention, ...]:
    """Return the names that are written as code in `text`, in the order of their places, without overlaps.

    With `known`, a capitalised word inside a sentence counts if a symbol has exactly this name ("how Validated
    accumulates errors").
    """
    found: list[Mention] = []
    taken = bytearray(len(text))
    for why, pattern in _SHAPES:
        for match in pattern.finditer(text):
            start, end = match.span()
            name = match[1].strip().removesuffix("()")
            if why == "a call" and known is not None and match[2] != "()" and known(name + match[2]):
                name, end = name + match[2], match.end(2)  # types choose an overload
            if name[-1:] in ("?", "!") and why != "in backticks" and not (known(name) if known else text[end:].strip()):
                name, end = name[:-1], end - 1  # the mark is of the sentence, not of the name as in Ruby
            if not any(taken[start:end]) and _acceptable(name, why, known):
                taken[start:end] = b"\x01" * (end - start)
                found.append(Mention(name, start, end, why))
    first = True
    for match in _WORDS.finditer(text):
        start, end = match.span()
        shape = word_shape(match[0])
        if not (shape or first or known is None) and len(match[0]) > 2 and match[0].istitle() and known(match[0]):
            shape = "capitalised, and a symbol's name"
        if shape and not any(taken[start:end]):
            found.append(Mention(match[0], start, end, shape))
        first = False
    return tuple(sorted(found, key=lambda mention: mention.start))


def _acceptable(name: str, why: str, known: Known | None) -> bool:
    if why == "in backticks":
        return bool(_WORDS.search(name))
    if why == "a qualified name":
        if known is not None and known(name):
            return True
        return name.lower().rstrip(".") not in _ABBREVIATIONS and name.rpartition(".")[2].lower() not in _FILE_ENDINGS
    if why == "a call":  # "file(s)" and "option (or options)" are prose
        return not name.isdigit() and len(name) > 1
    return True
