"""Language records of templates, whose code is resolved as that of their language: ERB as Ruby, Blade as PHP.

A template whose name says what it makes is a file of that language: ``app.js.erb`` is JavaScript, `made_view` without
the tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from codeexplore.languages.base import Language
from codeexplore.languages.declared.php import PHP
from codeexplore.languages.declared.ruby import RUBY
from codeexplore.languages.resources import HTML

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
_VISIBLE = re.compile(rb"[^\r\n]")
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


def _template(language: Language, name: str, title: str, *extensions: str) -> Language:
    return replace(
        language,
        name=name,
        title=title,
        extensions=extensions,
        filenames=(),
        interpreters=(),
        grammar="",
        queries=(),
        pygments="html",
        extractor=None,
        structure=HTML.structure,
    )


ERB = _template(RUBY, "erb", "ERB template", ".erb", ".rhtml")
BLADE = _template(PHP, "blade", "Blade template", ".blade.php")
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
