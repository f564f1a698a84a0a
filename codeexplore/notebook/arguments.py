"""Parser for the line of a magic. It separates options from free text.

Quotes in the text stay in it, unlike in a shell, because questions contain apostrophes.
"""

from __future__ import annotations

import re
from argparse import Action
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from IPython.core.error import UsageError

_WORD = re.compile(r"\S+")
_OPTION = re.compile(r"--?[a-z][a-z-]*(=.*)?")
_DASHES = " Write -- before a text that begins with a dash"
_NEAR = 0.8  # minimal difflib ratio of a misspelt option to an option; "--dept" and "--depth" have 0.92
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")


class Line(NamedTuple):
    """Parsed options of a line, and the remaining text."""

    options: Any
    text: str


def parse_line(magic: Any, line: str) -> Line:
    """Separate the options of a magic's line from its text.

    Options may be anywhere in the line. The text is not changed. After ``--`` there are no more options. `magic` is a
    function decorated with IPython's ``magic_arguments``.

    Raises
    ------
    UsageError
        An option is unknown, is probably misspelt, or has no value.
    """
    actions: dict[str, Action] = magic.parser._option_string_actions
    words: list[str] = []
    kept: list[str] = []
    position, pending = 0, 0
    for match in _WORD.finditer(line):
        word = match[0]
        gap = line[position : match.start()]
        position = match.end()
        flag = word.partition("=")[0]
        if pending:
            words.append(unquoted(word))
            pending -= 1
        elif word == "--":
            kept.append(line[position:])
            break
        elif flag in actions:
            words.append(word)
            pending = int(actions[flag].nargs != 0 and "=" not in word)
        elif _OPTION.fullmatch(word) and (near := _near(flag, actions)):
            raise UsageError(f"unknown option {flag}; did you mean {near}?{_DASHES}")
        elif _OPTION.fullmatch(word) and not kept:
            raise UsageError(f"unknown option {flag}; known: {', '.join(sorted(actions))}.{_DASHES}")
        else:
            kept.append(gap + word if kept else word)
    if pending:
        raise UsageError(f"option {words[-1]} needs a value")
    return Line(magic.parser.parse_args(words), unquoted("".join(kept)))


def _near(flag: str, known: Iterable[str]) -> str:
    """Return the long option that is most similar to `flag`, if `flag` is probably misspelt; "" otherwise."""
    return next(iter(get_close_matches(flag, [each for each in known if each[:2] == "--"], 1, _NEAR)), "")


def words(text: str) -> list[str]:
    """Return the words of `text`. Quotes enclose a word that contains spaces."""
    return [unquoted(word) for word in _QUOTED.findall(text)]


def unquoted(text: str) -> str:
    """Return `text` without spaces at its ends, and without the quotes that enclose all of it, if there are any."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1]:
        return text[1:-1]
    return text
