"""Source with line numbers and highlighted syntax. Only this module uses Pygments.

The words of a question are highlighted by the rules of the tokeniser: "expiry" highlights a part of ``is_expired``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from codeexplore.answers.html import components
from codeexplore.answers.html.elements import CODE, DIM, MARK, PANEL, Html, escape, join, tag
from codeexplore.answers.wording import around, code_text, cut, plural
from codeexplore.languages.registry import by_name
from codeexplore.text.tokens import analyze, parts, tokenize
from codeexplore.types import QueryPlan
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_WORD = re.compile(r"\w+")


def sought_tokens(plan: QueryPlan) -> frozenset[str]:
    """Return the tokens to highlight.

    They come from the symbol that a question names or describes; for other questions, from the whole question.
    """
    if plan.description:
        return frozenset(tokenize(plan.description)) & frozenset(plan.tokens) or frozenset(plan.tokens)
    if plan.identifiers and plan.kind in ("identifier", "structural"):
        return frozenset(token for name in plan.identifiers for token in tokenize(name))
    return frozenset(plan.tokens)


def pieces(text: str, sought: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield (text, True if it is to be highlighted) for the pieces of `text`, in order."""
    position = 0
    for start, end in _places(text, sought):
        if start > position:
            yield text[position:start], False
        yield text[start:end], True
        position = end
    if position < len(text):
        yield text[position:], False


def _places(text: str, sought: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each match of a sought token, in order: a whole word, or else a part of a word."""
    if not sought:
        return
    for word in _WORD.finditer(text):
        tokens = analyze(word[0])
        if not any(token in sought for token in tokens):
            continue
        if tokens[0] in sought:
            yield word.span()
            continue
        position = 0
        for part in parts(word[0]):
            start = word[0].find(part, position)
            if start >= 0 and any(token in sought for token in analyze(part)):
                yield word.start() + start, word.start() + start + len(part)
                position = start + len(part)


MAX_LINES = 24
"""Lines of source in sight at once; those after them unfold."""

MAX_FOLDED = 400
"""Lines that unfold. Longer source ends with the place of the rest."""

_LINE_CHARS = 200  # a longer line is cut: minified code would fill the notebook

_CLASSES = {
    "Comment": "cc",
    "Keyword": "ck",
    "Keyword.Constant": "cm",
    "Keyword.Type": "ct",
    "Literal.Number": "cm",
    "Literal.String": "cs",
    "Name.Attribute": "cd",
    "Name.Builtin": "ct",
    "Name.Class": "cn",
    "Name.Decorator": "cd",
    "Name.Exception": "ct",
    "Name.Function": "cn",
    "Name.Function.Magic": "cn",
    "Generic.Heading": "cn",
    "Generic.Subheading": "cn",
    "Operator.Word": "ck",
}


def source_html(
    lines: Sequence[tuple[int, str]],
    language: str,
    *,
    limit: int = MAX_LINES,
    folded: int = MAX_FOLDED,
    light: bool = False,
    sought: Collection[str] = (),
    spans: Sequence[Sequence[tuple[int, int]]] = (),
) -> Html:
    """Return numbered source: `limit` lines are visible, at most `folded` more can be unfolded.

    `language` is a Language.name; a language that Pygments does not know is shown without colours. Words that match a
    token of `sought` are highlighted. With `spans`, the given columns of each line are highlighted instead, and syntax
    is not coloured. A gap in the line numbers is marked. Lines beyond both limits are counted. With `light`, the lines
    that unfold have no colours, which takes an eighth of the markup.
    """
    if spans:
        return _spanned(lines[: limit + folded], spans, limit, len(lines))
    shown = [(line, cut(code_text(text), _LINE_CHARS)) for line, text in lines[: limit + folded]]
    coloured = shown[:limit] if light else shown
    markup = [_line(styled, sought) for styled in styled_lines([text for _, text in coloured], language)]
    markup += [escape(text) for _, text in shown[len(coloured) :]]
    return _folded(_rows(shown, markup, limit if light else len(shown)), limit, len(lines))


def _spanned(
    lines: Sequence[tuple[int, str]], spans: Sequence[Sequence[tuple[int, int]]], limit: int, total: int
) -> Html:
    """Return numbered lines with highlighted columns. A long line is reduced to the part around its first highlight."""
    markup = []
    for (_, text), found in zip(lines, spans, strict=False):
        shown, moved = around(text, found, _LINE_CHARS)
        position, marked = 0, []
        for start, end in moved:
            marked += [code_text(shown[position:start]), tag("mark", code_text(shown[start:end]), style=_MARK)]
            position = end
        markup.append(join((*marked, code_text(shown[position:]))))
    return _folded(_rows(lines, markup, limit, gaps=False), limit, total)


def _folded(rows: Sequence[Html], limit: int, total: int) -> Html:
    """Return rows of which `limit` are visible and the others folded, and a count of the lines that are in neither."""
    first, rest = rows[:limit], rows[limit:]
    blocks = [components.copy_button("this code"), tag("pre", join(first, "\n"), style=_PRE)]
    left = total - len(rows)
    beyond = [components.dim(f"… {plural(left, 'more line')} in the file")] if left else []
    if rest:
        unfolded = tag("pre", join(rest, "\n"), style=_PRE)
        blocks.append(components.folded(f"… {plural(len(rest), 'more line')}", unfolded, *beyond))
        beyond = []
    return tag("div", *blocks, *beyond, class_="ce-code")


def _rows(lines: Sequence[tuple[int, str]], markup: Sequence[Html], styled: int, *, gaps: bool = True) -> list[Html]:
    """Return each line with its number, the first `styled` with inline styles. `gaps` marks where lines are missing."""
    width = max((len(str(line)) for line, _ in lines), default=1)
    rows: list[Html] = []
    previous: int | None = None
    for row, ((line, _), text) in enumerate(zip(lines, markup, strict=True)):
        style = _NUMBER if row < styled else None
        gap = f"{'⋮':>{width}}\n" if gaps and previous is not None and line != previous + 1 else ""
        previous = line
        rows.append(join((tag("span", f"{gap}{line:>{width}}  ", class_="ce-n", style=style), text)))
    return rows


_NUMBER = f"color:{DIM};user-select:none"
_PRE = (
    f"margin:4px 0;padding:6px 8px;overflow-wrap:anywhere;background:{PANEL};color:inherit;border-radius:4px;border:0;"
    "font-family:monospace;font-size:12px;line-height:1.45;white-space:pre-wrap;word-break:normal;text-align:left"
)


def styled_lines(texts: Sequence[str], language: str) -> list[list[tuple[str, str]]]:
    """Return (style, text) for the pieces of each line. The style is a class of the style sheet, or ""."""
    lexer = _lexer(language)
    if lexer is None:
        return [[("", text)] for text in texts]
    lines: list[list[tuple[str, str]]] = [[]]
    for kind, value in lexer.get_tokens("\n".join(texts)):
        style = _style(str(kind).removeprefix("Token."))
        for index, piece in enumerate(value.split("\n")):
            if index:
                lines.append([])
            if piece:
                lines[-1].append((style if piece.strip() else "", piece))
    lines += [[]] * (len(texts) - len(lines))  # the lexer drops blank lines at the end
    return lines[: len(texts)]


def _line(styled: Sequence[tuple[str, str]], sought: Collection[str]) -> Html:
    """Return the markup of one line. Adjacent pieces of the same colour are joined."""
    merged: list[tuple[str, str]] = []
    for style, text in styled:
        if merged and merged[-1][0] == style:
            merged[-1] = (style, merged[-1][1] + text)
        else:
            merged.append((style, text))
    marked = ((style, _marked(text, sought)) for style, text in merged)
    return join(
        tag("span", text, class_=style, style=f"color:{CODE[style]}") if style else text for style, text in marked
    )


def _marked(text: str, sought: Collection[str]) -> Html:
    if not sought:
        return escape(text)
    return join(tag("mark", piece, style=_MARK) if hit else piece for piece, hit in pieces(text, sought))


_MARK = f"background:{MARK};color:inherit;border-radius:2px"


def _style(kind: str) -> str:
    """Return the CSS class of a Pygments token type, or of the nearest type above it; "" if there is none."""
    while kind:
        if kind in _CLASSES:
            return _CLASSES[kind]
        kind = kind.rpartition(".")[0]
    return ""


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        alias = by_name(language).pygments
    except QuestionError:  # a record of another version, or a test's
        alias = language
    if not alias:
        return None
    options: dict[str, Any] = {"stripnl": False, "ensurenl": False}
    try:
        lexer: Lexer = get_lexer_by_name(alias, **options)
    except ClassNotFound:
        return None
    return lexer
