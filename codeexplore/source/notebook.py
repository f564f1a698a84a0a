"""Jupyter notebooks: conversion from JSON to the joined text of the cells, and a map from cells to lines.

The text contains the input of the cells; outputs are left out. `python_view` replaces everything except Python by
blanks, for the parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast

from codeexplore.types import Cell

PYTHON_MAGICS = frozenset(
    {"time", "timeit", "capture", "prun", "python", "python3", "pypy3", "memit", "mprun", "lprun"}
)
"""Cell magics whose cell contains Python."""

_LANGUAGES = {"js": "javascript", "sh": "bash", "script": "", "writefile": "", "file": ""}
"""Cell magics whose name differs from the language of the cell: magic → language, "" for none."""

_IPYTHON = re.compile(r"^(ipython|i?python ?\d*(\.\d+)*)$", re.IGNORECASE)
_UNFIT = re.compile("[\0\ud800-\udfff]")


class NotebookError(Exception):
    """The file is not a notebook that can be read."""


class Notebook(NamedTuple):
    """The joined cells of a notebook.

    Each cell starts on a new line. Empty cells are left out of the text and the map.
    """

    text: str
    cells: tuple[Cell, ...]


def parse_notebook(text: str) -> Notebook:
    """Join the cells of a notebook, format versions 3 and 4.

    Raises NotebookError if the text is not JSON, or not the JSON of a notebook.
    """
    try:
        document = json.loads(text)
    except ValueError as error:  # JSONDecodeError, or a number that is too long to convert
        raise NotebookError(f"no JSON: {error}") from error
    except RecursionError as error:
        raise NotebookError("JSON nested too deeply") from error
    if not isinstance(document, dict):
        raise NotebookError("its JSON is not an object")
    language = _kernel_language(document.get("metadata"))
    parts: list[str] = []
    cells: list[Cell] = []
    line = 1
    for number, cell in enumerate(_cells(document), 1):
        kind, source = _source(cell, number)
        if not source:
            continue
        source = source if source.endswith("\n") else source + "\n"
        end = line + source.count("\n")
        own = _magic_language(source, language) if kind == "code" else ""
        cells.append(Cell(number, kind, line, end - 1, own))
        parts.append(source)
        line = end
    return Notebook("".join(parts), tuple(cells))


def _cells(document: dict[str, Any]) -> list[Any]:
    cells = document.get("cells")
    if cells is None and isinstance(document.get("worksheets"), list):  # format version 3
        cells = [
            cell
            for sheet in document["worksheets"]
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    if not isinstance(cells, list):
        raise NotebookError("its JSON has no list of cells")
    return cells


def _source(cell: object, number: int) -> tuple[Literal["code", "markdown", "raw"], str]:
    if not isinstance(cell, dict):
        raise NotebookError(f"cell {number} is not an object")
    kind = cell.get("cell_type")
    source = cell.get("source", cell.get("input", ""))  # "input" in version 3
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise NotebookError(f"the source of cell {number} is neither text nor a list of lines")
    if kind == "heading":  # version 3
        kind, source = "markdown", f"{'#' * _level(cell)} {source}"
    if kind not in ("code", "markdown", "raw"):
        kind = "raw"
    # a JSON escape can be a surrogate, which UTF-8 can't encode
    return cast(Literal["code", "markdown", "raw"], kind), _UNFIT.sub("�", source)


def _level(cell: dict[str, Any]) -> int:
    level = cell.get("level")
    return level if isinstance(level, int) and 1 <= level <= 6 else 1


def _kernel_language(metadata: object) -> str:
    """Return the language of the code cells from the notebook's metadata, in lower case; "python" if it names none."""
    if not isinstance(metadata, dict):
        return "python"
    for key, field in (("language_info", "name"), ("kernelspec", "language"), ("kernelspec", "name")):
        about = metadata.get(key)
        name = about.get(field) if isinstance(about, dict) else None
        if isinstance(name, str) and name.strip():
            return "python" if _IPYTHON.match(name.strip()) else _UNFIT.sub("�", name.strip().lower()[:50])
    return "python"


def _magic_language(source: str, kernel: str) -> str:
    first = source.lstrip()
    if not first.startswith("%%"):
        return kernel
    words = first[2:200].split("\n", 1)[0].split(None, 1)
    magic = words[0] if words else ""
    return kernel if magic in PYTHON_MAGICS else _LANGUAGES.get(magic, magic)


# --------------------------------------------------------------------------- for the parser

_TOKEN = re.compile(r"\"\"\"|'''|[\"'#\\()\[\]{}\n]")
_LINE_MAGIC = re.compile(r"([ \t]*)(?:%%?[A-Za-z_][\w.]*|!{1,2}|\?{1,2}(?=\w)|[\w.]+\?{1,2}[ \t\r]*$)")
_RUNS_PYTHON = re.compile(
    r"[ \t]*%%?(?:time|timeit|prun|memit|mprun|lprun)\b(?:[ \t]+-(?:[slTDf][ \t]+\S+|\w+(?:[ \t]+\d+)?))*"
)
_ASSIGNED = re.compile(r"[ \t]*[\w.,* \t\[\]]+=[ \t]*(?=!|%[A-Za-z_])")


def python_view(text: str, cells: Sequence[Cell]) -> str:
    """Return the text of a notebook with everything except Python replaced by blanks.

    Replaced are other cells, magics, shell escapes and help requests. The blanks have the same length in UTF-8, so line
    numbers and byte offsets do not change. Code that ``%time`` and similar magics run is kept. An assigned shell escape
    (``files = !ls``) becomes ``files = ...`` if there is enough space.
    """
    rows = text.split("\n")
    python = [False] * len(rows)
    for cell in cells:
        if cell.kind == "code" and cell.language == "python":
            for at in _statement_starts(rows, cell):
                rows[at] = _without_magic(rows[at])
            python[cell.start_line - 1 : cell.end_line] = [True] * (cell.end_line - cell.start_line + 1)
    return "\n".join(row if keep else _blank(row) for row, keep in zip(rows, python, strict=True))


def _statement_starts(rows: list[str], cell: Cell) -> list[int]:
    """Return the rows of the cell in which a statement begins, not those inside of a string or bracket."""
    starts: list[int] = []
    depth, quote, continued = 0, "", False
    for at in range(cell.start_line - 1, cell.end_line):
        row = rows[at]
        if not (depth or quote or continued):
            starts.append(at)
            if _LINE_MAGIC.match(row):
                continue  # its quotes and brackets are not Python
        depth, quote, continued = _after(row, depth, quote)
    return starts


def _after(row: str, depth: int, quote: str) -> tuple[int, str, bool]:
    """Return the state of the scanner after `row`: (bracket depth, open triple quote, True if the line continues).

    The quote is "" if no triple-quoted string is open.
    """
    at = 0
    while (found := _TOKEN.search(row, at)) is not None:
        at, mark = found.end(), found.group()
        if mark == "\\":
            if at >= len(row.rstrip("\r")):
                return depth, quote, True
            at += 1
        elif quote:
            quote = "" if mark == quote or (len(quote) == 1 and mark[0] == quote) else quote
        elif mark == "#":
            break
        elif mark[0] in "\"'":
            quote = mark
        elif mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(0, depth - 1)
    return depth, quote if len(quote) == 3 else "", False


def _without_magic(row: str) -> str:
    runs = _RUNS_PYTHON.match(row)
    if runs is not None:
        indent = len(row) - len(row.lstrip())
        return row[:indent] + _shifted(row[indent : runs.end()], row[runs.end() :])
    if _LINE_MAGIC.match(row):
        return _placeholder(row)
    assigned = _ASSIGNED.match(row)
    if assigned is not None:
        return row[: assigned.end()] + _placeholder(row[assigned.end() :])
    return row


def _shifted(magic: str, rest: str) -> str:
    """Return the row of a magic as Python that runs the rest of the row: ``%time f()`` becomes ``0    ;f()``.

    If the magic were replaced by blanks, the statement would be indented.
    """
    return "0" + " " * (len(magic) - 2) + ";" + rest if rest.strip() else "0" + " " * (len(magic) - 1) + rest


def _placeholder(row: str) -> str:
    """Return a row of blanks that begins with an expression, because an indented block or an assignment needs one."""
    indent = len(row) - len(row.lstrip())
    width = len(row.encode())
    return row[:indent] + (
        "..." + " " * (width - indent - 3) if width - indent >= 3 else "0" + " " * (width - indent - 1)
    )


def _blank(row: str) -> str:
    return " " * len(row.encode())
