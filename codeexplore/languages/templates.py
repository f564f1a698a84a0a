"""Language records of templates, whose code is resolved as that of their language: ERB as Ruby, Blade as PHP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from codeexplore.languages.base import Language
from codeexplore.languages.declared.php import PHP
from codeexplore.languages.declared.ruby import RUBY
from codeexplore.languages.resources import HTML

_ERB = re.compile(rb"<%(?![#%])[-=]{0,2}(.*?)-?%>", re.DOTALL)
_BLADE = re.compile(
    rb"\{\{--.*?--\}\}|\{\{(?!-)(?P<field>.*?)\}\}|\{!!(?P<raw>.*?)!!\}|@php\b(?![ \t]*\()(?P<block>.*?)@endphp"
    rb"|<\?(?:php|=)(?P<tag>.*?)(?:\?>|\Z)|(?<![\w@])@(?P<name>[a-z]\w*)[ \t]*(?P<given>\()",
    re.DOTALL,
)
_LOOPS = dict.fromkeys((b"foreach", b"forelse"), b"foreach")  # a directive → the statement that has its variable
_TOKEN = re.compile(rb"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[()]", re.DOTALL)
_MOST_GIVEN = 20_000  # bytes of the arguments of a directive
_VISIBLE = re.compile(rb"[^\r\n]")


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


def _erb(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (first byte, end, code of the same length) for each tag. A semicolon parts it from the code before it."""
    for found in _ERB.finditer(data):
        if not found[1].lstrip().startswith(b"#"):
            yield found.start(1) - 1, found.end(1), b";" + found[1]


def _blade(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (first byte, end, code of the same length) for each field, directive and block of PHP.

    The arguments of a directive become a list: ``@include('row', $rows)`` is ``['row', $rows];``.
    """
    at = 0
    while (found := _BLADE.search(data, at)) is not None:
        at, group = found.end(), found.lastgroup
        start, end = found.span(group or 0)
        if group is None:  # a comment
            continue
        if group != "given":
            yield start - 1, end, b";" + data[start:end]
        elif (end := _closing(data, start)) > 0:
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
