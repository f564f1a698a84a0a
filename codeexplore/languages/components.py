"""Language records of single-file components. Their scripts are analysed and resolved as JavaScript or TypeScript."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from codeexplore.languages.base import Language
from codeexplore.languages.javascript.spec import JAVASCRIPT


def _component(name: str, title: str) -> Language:
    return replace(
        JAVASCRIPT,
        name=name,
        title=title,
        extensions=(f".{name}",),
        interpreters=(),
        grammar="",
        queries=(),
        pygments="html",
        extractor=None,
    )


VUE = _component("vue", "Vue")
SVELTE = _component("svelte", "Svelte")
COMPONENTS = frozenset({VUE.name, SVELTE.name})
"""Names of the languages of single-file components."""
_OPENING = re.compile(rb"<script\b([^<>]{0,500})>", re.IGNORECASE)
_CLOSING = re.compile(rb"</script\s{0,20}>", re.IGNORECASE)
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
        closing = _CLOSING.search(data, opening.end())
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
