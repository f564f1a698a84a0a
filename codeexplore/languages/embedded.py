"""Language records of files with code of another language: components, templates and notebooks.

The scripts of single-file components are analysed and resolved as JavaScript or TypeScript, the code of templates as
that of their language: ERB as Ruby, Blade as PHP, and the code cells of notebooks as Python.

A template whose name says what it makes is a file of that language: ``app.js.erb`` is JavaScript, `made_view` without
the tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from codeexplore.languages.base import Language
from codeexplore.languages.declared.php import PHP
from codeexplore.languages.declared.ruby import RUBY
from codeexplore.languages.javascript.spec import JAVASCRIPT
from codeexplore.languages.python.spec import PYTHON
from codeexplore.languages.resources import HTML


def _holding(language: Language, name: str, title: str, *extensions: str, **changes: Any) -> Language:
    """Return the record of files with code of `language`, for which the code is cut out."""
    own: dict[str, Any] = {"extensions": extensions, "filenames": (), "interpreters": (), "pygments": "html", **changes}
    return replace(language, name=name, title=title, grammar="", queries=(), extractor=None, **own)


VUE = _holding(JAVASCRIPT, "vue", "Vue", ".vue")
SVELTE = _holding(JAVASCRIPT, "svelte", "Svelte", ".svelte")
NOTEBOOK = _holding(
    PYTHON, "notebook", "Jupyter notebook", ".ipynb", level="text", pygments=PYTHON.pygments, test_files=None
)
COMPONENTS = frozenset({VUE.name, SVELTE.name})
"""Names of the languages of single-file components."""
_OPENING = re.compile(rb"<script\b([^<>]{0,500})>", re.IGNORECASE)
_SCRIPT_END = re.compile(rb"</script\s{0,20}>", re.IGNORECASE)
_LANGUAGE = re.compile(rb"\blang\s*=\s*[\"']?(\w+)")
_DIALECTS = {b"ts": "typescript", b"typescript": "typescript", b"tsx": "tsx"}
_BLOCK = re.compile(rb"<(/?)(template|style)\b", re.IGNORECASE)
_SCRIPT = re.compile(rb"\s*</?script\b", re.IGNORECASE)
_VISIBLE = re.compile(rb"[^\r\n]")


class ScriptView(NamedTuple):
    """The scripts of a component and their language.

    In `data`, everything except the scripts is replaced by blanks of the same length.
    """

    data: bytes
    language: str


class Block(NamedTuple):
    """Consecutive lines outside of scripts (1-based). `name` is the top-level tag to which they belong."""

    first: int
    last: int
    name: str  # its tag; "markup" for lines outside of any, "" if the lines are only tags of scripts
    line: int  # its first line that is not the tag of a script; the first line if there is none


def script_view(data: bytes) -> ScriptView:
    """Return the scripts of a component. Lines and byte offsets are those of `data`. An unclosed script is left out."""
    pieces, at, language = [], 0, "javascript"
    while (opening := _OPENING.search(data, at)) is not None:
        closing = _SCRIPT_END.search(data, opening.end())
        if closing is None:
            break
        pieces += [_VISIBLE.sub(b" ", data[at : opening.end()]), data[opening.end() : closing.start()]]
        at = closing.start()
        written = _LANGUAGE.search(opening[1])
        language = _DIALECTS.get(written[1].lower(), language) if written is not None else language
    return ScriptView(b"".join([*pieces, _VISIBLE.sub(b" ", data[at:])]), language)


def blocks(data: bytes, script: bytes) -> list[Block]:
    """Return the blocks outside of the scripts: templates, styles and other markup.

    The tags of templates and styles begin lines. The line of a script's tag belongs to the block beside it. `script` is
    the text of `script_view`.
    """
    found: list[Block] = []
    name = "markup"
    has_text = True  # False while the last block consists of tags of scripts
    for number, (row, code) in enumerate(zip(data.split(b"\n"), script.split(b"\n"), strict=True), 1):
        tag = _BLOCK.match(row)
        if tag is not None and not tag[1]:
            name = tag[2].decode().lower()
        if not code.strip():
            is_script = not row.strip() or _SCRIPT.match(row) is not None
            if found and found[-1].last == number - 1 and (is_script or not has_text or found[-1].name == name):
                last = found[-1]._replace(last=number)
                found[-1] = last if is_script else last._replace(name=name, line=last.line if has_text else number)
                has_text = has_text or not is_script
            elif row.strip():
                found.append(Block(number, number, "" if is_script else name, number))
                has_text = not is_script
        if tag is not None and tag[1]:
            name = "markup"
    return found


_ERB = re.compile(rb"<%(?![#%])[-=]{0,2}")
_BLADE = re.compile(
    rb"(?P<comment>\{\{--)|(?P<field>\{\{(?!-))|(?P<raw>\{!!)|(?P<block>@php\b(?![ \t]*\())|(?P<tag><\?(?:php|=))"
    rb"|(?<![\w@])@(?P<name>[a-z]\w*)[ \t]*(?P<given>\()"
)
_ENDS = {"comment": b"--}}", "field": b"}}", "raw": b"!!}", "block": b"@endphp", "tag": b"?>"}
_LOOPS = dict.fromkeys((b"foreach", b"forelse"), b"foreach")  # a directive → the statement that has its variable
_TOKEN = re.compile(rb"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[()]", re.DOTALL)
_MOST_GIVEN = 20_000  # bytes of the arguments of a directive
_MOST_UNCLOSED = 20  # directives without an end whose arguments are searched in a template
_NO_NAME = re.compile(rb"[^\w\r\n]")
_ANGLED = re.compile(rb"<%(?P<value>=)?")
_STATEMENT = rb"[-~]?\s{0,20}(?:[#/^!>]|(?:if|else|end|range|with|define|block|template|break|continue)\b)"
_CURLED = re.compile(rb"\{[%#]|\{\{(?:(?!" + _STATEMENT + rb")(?P<value>))?")
_MOST_BESIDE = 200  # bytes before and after a tag that are searched for more of its line
_CLOSING = {b"<%": b"%>", b"{{": b"}}", b"{%": b"%}", b"{#": b"#}"}
MAKING = {
    **dict.fromkeys((".erb", ".rhtml", ".ejs", ".eex", ".heex", ".jsp"), _ANGLED),
    **dict.fromkeys((".jinja", ".jinja2", ".j2", ".njk", ".twig", ".liquid"), _CURLED),
    **dict.fromkeys((".tmpl", ".hbs", ".handlebars", ".mustache"), _CURLED),
}
"""Suffix of a template of any language → the beginnings of its tags. Those of values have a group `value`."""


ERB = _holding(RUBY, "erb", "ERB template", ".erb", ".rhtml", structure=HTML.structure)
BLADE = _holding(PHP, "blade", "Blade template", ".blade.php", structure=HTML.structure)
CODE_OF = {ERB.name: RUBY.name, BLADE.name: PHP.name}
"""Name of the language of a template → of its code."""
OPENING = {BLADE.name: b"<?php "}
"""Text that stands before the code of a template, without which it is no code."""


def template_view(language: str, data: bytes) -> bytes:
    """Return the code of a template. Everything else is replaced by blanks, so that lines and offsets are the same."""
    pieces, at = [], 0
    for start, end, code in _erb(data) if language == ERB.name else _blade(data):
        pieces += [_VISIBLE.sub(b" ", data[at:start]), code]
        at = end
    return b"".join([*pieces, _VISIBLE.sub(b" ", data[at:]), b";"])


def made_view(suffix: str, data: bytes) -> bytes:
    """Return what a template makes, without its tags; lines and offsets are the same.

    A tag is replaced by blanks. One that gives a value within a line is replaced by a name, with which the code around
    it can be parsed: ``var <%= id %> = 1;`` is ``var ____id___ = 1;``.
    """
    pieces, at, absent = list[bytes](), 0, set[bytes]()  # marks of which no end follows
    while (found := MAKING[suffix].search(data, at)) is not None:
        closing = _CLOSING[found[0][:2]]
        end = -1 if closing in absent else data.find(closing, found.end())
        if end < 0:
            absent.add(closing)
            pieces.append(data[at : found.end()])
            at = found.end()
            continue
        end += len(closing)
        tag = data[found.start() : end]
        before = data[max(found.start() - _MOST_BESIDE, 0) : found.start()].rpartition(b"\n")[2]
        within = before.strip() or data[end : end + _MOST_BESIDE].partition(b"\n")[0].strip()
        hidden = _NO_NAME.sub(b"_", tag) if within and found["value"] is not None else _VISIBLE.sub(b" ", tag)
        pieces += [data[at : found.start()], hidden]
        at = end
    return b"".join([*pieces, data[at:]])


def _erb(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (first byte, end, code of the same length) for each tag. A semicolon parts it from the code before it."""
    at = 0
    while (found := _ERB.search(data, at)) is not None and (at := data.find(b"%>", found.end())) >= 0:
        start = found.end()
        end = at - (at > start and data[at - 1 : at] == b"-")
        if not data[start:end].lstrip().startswith(b"#"):
            yield start - 1, end, b";" + data[start:end]


def _blade(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (first byte, end, code of the same length) for each field, directive and block of PHP.

    The arguments of a directive become a list: ``@include('row', $rows)`` is ``['row', $rows];``.
    """
    at, unclosed, absent = 0, 0, set[str]()  # groups of which no end follows
    while (found := _BLADE.search(data, at)) is not None:
        at = start = found.end()
        group = found.lastgroup or ""
        if group != "given":
            end = -1 if group in absent else data.find(_ENDS[group], start)
            if end < 0:
                absent.add(group)
                end = len(data) if group == "tag" else -1
            at = max(at, end)
            if end >= 0 and group != "comment":
                yield start - 1, end, b";" + data[start:end]
            continue
        start -= 1
        end = _closing(data, start) if unclosed < _MOST_UNCLOSED else -1
        unclosed += end < 0
        if end > 0:
            word = _LOOPS.get(found["name"])
            opening, closing = (b";[", b"]") if word is None else (b";" + word + b"(", b")")
            yield start + 1 - len(opening), end + 1, opening + data[start + 1 : end] + closing
            at = end + 1


def _closing(data: bytes, start: int) -> int:
    """Return the place of the parenthesis that closes the one at `start`; -1 if there is none."""
    depth = 0
    for token in _TOKEN.finditer(data, start, start + _MOST_GIVEN):
        depth += {b"(": 1, b")": -1}.get(token.group(), 0)
        if depth == 0:
            return token.start()
    return -1
