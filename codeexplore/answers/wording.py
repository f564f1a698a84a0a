"""Phrases that every display uses, and text of a repository, shortened and with invisible characters escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from wcwidth import wcswidth, wcwidth

from codeexplore.graph.build.rules import basis_of
from codeexplore.index.qualified_names import name_parts
from codeexplore.types.displayed import explain
from codeexplore.types.visible import visible

if TYPE_CHECKING:
    from codeexplore.types import Edge, Site, Symbol


_DOC_CHARS: Final = 160
_SENTENCE: Final = re.compile(  # the point of "i.e." or "e.g." does not end it, but a list does
    r"\s*(?:\d+[.)]\s+)?(?P<text>\S.*?)(?:(?<!\bi\.e)(?<!\be\.g)[.!?](?=\s|$)|:(?=\s*\n\s*[-*]\s)"
    r"|:?(?=\s*\n\s*\d+[.)]\s)|\n\s*\n|\n\W{3,}(?=\n|\Z)|\Z)",
    re.DOTALL,
)
_ASIDE: Final = re.compile(  # a line for a tool, tags that describe a part, a badge, and a line that is a tag of HTML
    r"noinspection\b|[\w-]*lint\b|(?:prettier|clang|istanbul|c8|v8|rubocop)[ -]|no(?:qa|lint)\b"
    r"|type: ?ignore|(?:en)?coding[:=]|(?:frozen_string_literal|shareable_constant_value|typed|warn_\w+):|-\*-"
    r"|!|\[!\[|\[[^\]]+\]:\s|</?\w[^>]{0,300}>\s*$|/usr/"
    r"|@(?!(?:var|brief|summary|notice|dev)\b)(?=[\w\\]*(?-i:[a-z]))[\w\\]+(?![\w\\]|[.-]\w)",  # no tag: "@SUM(1) adds"
    re.IGNORECASE,
)
_LICENCE: Final = re.compile(  # the beginning of a paragraph
    r"\W*(?:copyright\b|\(c\)\s|©|spdx-|licen[sc]ed? (?:under|to)\b|licen[sc]e:|released under|all rights reserved"
    r"|permission (?:is hereby|to use)|the above copyright|redistributions? |neither the name|use of this source code"
    r"|use, modification|you (?:may|can|should) (?:not use this|obtain a|opt to|have received|redistribute)"
    r"|unless required by|(?:the|this) (?:file|program|code|software|library|source)[\w ]{0,12} "
    r"(?:free|part of|licen[sc]ed|distributed|released|subject|provided|governed)\b)",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"@(?:var\s+\S+|(?:brief|summary|notice|dev)\b)\s*|:\s+")  # as Sphinx's ``#: text``
_ROLE: Final = re.compile(r":[a-z]+(?::[a-z]+)?:`[~!]?([^`<]+)`")  # ``:meth:`run` `` of reStructuredText
README_NAMES: Final = ("readme.md", "readme.rst", "readme", "readme.txt")
_README_CHARS: Final = 10_000
_PROSE: Final = re.compile(r"[A-Za-z*_`][^\n]{20,}")
_NO_PROSE: Final = re.compile(  # headings, with the lines below them, links to them, marks of quotations, comments
    r"^#{1,6} .*$|^(?:.+\n)?([=\-~^*+#\"'`])\1{2,}[ \t]*$"
    r"|^\[[^\]\n]{0,200}\]\(#[^)\n]{0,200}\)[ \t]*$|^> |<!--(?s:.*?)-->",
    re.MULTILINE,
)
_TITLED: Final = re.compile(_NO_PROSE.pattern.replace(r"(?:.+\n)?", ""), re.MULTILINE)  # the lines above them are prose
_DEFINITION: Final = re.compile(
    r"\W*(?!(?i:here|there|below|this|it) )(?P<name>[\w.+-]+)\W*(?:\([^)]*\))? is (?:an?|the) "
)
_ABOUT: Final = r"(?:^|(?<=[.!?] ))[\W_]*{}[\W_]*(?:\([^)]*\))? is (?:an?|the) "  # a name: also a later sentence
_LINK: Final = re.compile(  # or a tag within a sentence
    r"(?:!\[[^\]]{0,200}|\[([^\]\[]{0,200}))\](?:\([^)]{0,500}\)|\[[^\]]{0,200}\])"
    r"|</?(?:abbr|b|i|em|strong|code|span|sub|sup|kbd)(?:\s[^<>\n]{0,300})?>"
)
_TITLE: Final = re.compile(r"^#{1,2} .*|^.+(?=\n[=-]{3})", re.MULTILINE)
_BEFORE = 30  # characters kept before the first match of a long line


def one_line(text: str) -> str:
    """Return the text on one line, with runs of white space as one space and invisible characters escaped."""
    return visible(" ".join(text.split()))


def flat(text: str) -> str:
    """Return `one_line`, with the spaces at both ends kept: they separate a piece of a line from its neighbours."""
    bare = text.strip(" ")
    return text.replace(bare, one_line(bare), 1)


def code_text(text: str) -> str:
    """Return a line of source with invisible characters escaped, and spaces for tabs."""
    return visible(text).expandtabs(4)


def shorten(text: str, limit: int) -> str:
    """Return a path or name in at most `limit` characters. … replaces the middle: both ends are informative."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return text[: limit - 1 - tail] + "…" + text[len(text) - tail :]


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters of a text. If it is longer, … replaces its end."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def first_sentence(doc: str) -> str:
    """Return the first sentence of a documentation on one line, cut if it is long; "" if there is none.

    Licences, drawings made of characters, and lines for tools are not documentation.
    """
    text = _documentation(doc)
    tag = _TAG.match(text)
    match = _SENTENCE.match(text, tag.end() if tag else 0)
    return cut(one_line(_ROLE.sub(r"\1", match["text"][: 3 * _DOC_CHARS])), _DOC_CHARS) if match else ""


def _documentation(doc: str) -> str:
    """Return a documentation from the first line on that says what the code is for."""
    lines, licence = doc.splitlines(), False
    for place, line in enumerate(map(str.strip, lines)):
        licence = bool(line) and (licence or _LICENCE.match(line) is not None)
        drawn = 2 * sum(map(str.isalnum, line)) < len(line) - line.count(" ")
        if line and not licence and not drawn and not _ASIDE.match(line):
            return "\n".join(lines[place:]).lstrip()
    return ""


def readme_sentence(text: str, name: str) -> str:
    """Return the first sentence of prose in a README, or else of its title; "" if it has no text.

    "Gin is a web framework" goes before other prose, such as news, if the `name` of the repository or the text before
    the second heading has the word. Links become their text; images are left out.
    """
    headings = [match.start() for match in _TITLE.finditer(text, 0, _README_CHARS)]
    own = re.split(r"[^\w.+-]+", f"{name} {text[: [*headings, _README_CHARS][min(1, len(headings))]]}".lower())
    for left_out in (_NO_PROSE, _TITLED):
        plain = _LINK.sub(r"\1", _LINK.sub(r"\1", left_out.sub("", text[:_README_CHARS])))
        if found := [part for part in map(one_line, plain.split("\n\n")) if _PROSE.match(part)]:
            defined = (match["name"].strip("_") for match in map(_DEFINITION.match, found) if match)
            name = next((each for each in defined if each.lower() in own), "")
            about = re.compile(_ABOUT.format(re.escape(name)) if name else "")
            said = next(part[match.start() :] for part in found if (match := about.search(part)))
            return first_sentence(said).replace("**", "").rstrip(".")
    return ""


def signature_line(signature: str) -> str:
    """Return a signature on one line, without the spaces and the comma that its line breaks leave at parentheses."""
    return re.sub(r"(?<=[(\[]) | (?=[)\]])|,(?= [)\]])", "", one_line(signature))


def around(text: str, spans: Sequence[tuple[int, int]], limit: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return at most `limit` characters of a line, from shortly before the first span, and the spans in this text."""
    begin = max(0, spans[0][0] - _BEFORE) if spans and len(text) > limit and spans[0][1] > limit else 0
    shown = cut(("…" if begin else "") + text[begin:], limit)
    shift = begin - bool(begin)
    moved = ((start - shift, min(end - shift, len(shown))) for start, end in spans)
    return shown, tuple((start, end) for start, end in moved if start < end)


def cell_width(text: str) -> int:
    """Return the number of terminal columns of a text. Control characters have none."""
    return width if (width := wcswidth(text)) >= 0 else sum(max(0, wcwidth(char)) for char in text)


def pad(text: str, width: int) -> str:
    """Return the text, filled with spaces to `width` terminal columns."""
    return text + " " * max(0, width - cell_width(text))


_SAID_BY_KIND: Final = frozenset({("IMPORTS", "import"), ("OVERRIDES", "self")})
"""Edges whose kind says all that the words of the rule would."""


def edge_words(edge: Edge, near: str = "", limit: int = 4) -> str:
    """Return ``calls by import at app.py:12, 40``; with that path as `near`, ``at line 12, 40``; at most `limit` lines.

    The verb says how sure the edge is: ``likely calls by type``, ``may call through a variable or argument``. Less sure
    sites follow: ``; possible at line 51``. An explaining session gets rules: ``CALLS by flow-few (0.90)``.
    """
    words: dict[str, list[Site]] = {}
    for part in edge.by_rule:
        words.setdefault(f"{part.rule} ({part.confidence:.2f})" if explain() else part.certainty, []).extend(part.sites)
    basis = "" if (edge.kind, edge.rule) in _SAID_BY_KIND else basis_of(edge.rule)
    first = f"{edge.kind} by {next(iter(words))}" if explain() else f"{edge.verb}{basis}"
    said = zip((first, *list(words)[1:]), words.values(), strict=True)
    return "; ".join(f"{how} at {one_line(places(sites, near, limit))}" if sites else how for how, sites in said)


def whereabouts(symbol: Symbol) -> str:
    """Return ``app.py:12``, or a note that the symbol is outside the repository."""
    return f"{symbol.path}:{symbol.line}" if symbol.path else "outside"


def places(sites: Sequence[Site], near: str = "", limit: int = 4) -> str:
    """Return ``app.py:12, 40; cli.py:7``: at most `limit` lines, each once, in order, without the path `near`."""
    distinct = sorted(set(sites))
    lines: dict[str, list[str]] = {}
    for site in distinct[:limit]:
        lines.setdefault(site.path, []).append(str(site.line))
    more = f" and {len(distinct) - limit} more" if len(distinct) > limit else ""
    begins = {path: "line " if path == near else f"{path}:" for path in lines}
    return "; ".join(f"{begins[path]}{', '.join(numbers)}" for path, numbers in lines.items()) + more


def counts(numbers: Mapping[str, int]) -> str:
    """Return ``function 120, class 14``. Zeros are left out."""
    return ", ".join(f"{one_line(name)} {count:,}" for name, count in numbers.items() if count)


def plural(count: int, noun: str, ending: str = "s") -> str:
    """Return ``1 file``, ``1,204 files``."""
    return f"{count:,} {noun}{'' if count == 1 else ending}"


def member_name(symbol: Symbol) -> str:
    """Return the end of a qualified name that displays emphasise, for a member with the name of its owner."""
    owner = name_parts(symbol.fqn)[-2:-1] if symbol.kind in ("method", "field") else ()
    if owner:
        joint = symbol.fqn.rfind(owner[0], 0, len(symbol.fqn) - len(symbol.name))  # `Is.IsOn`: not within the last part
        if joint >= 0:
            return symbol.fqn[joint:]
    return symbol.name
