"""The place of a call in the source: its line, and the form and the name of the expression that makes the call.

An instruction has the columns of its expression (`CodeType.co_positions`). The text there is parsed, never run.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import NamedTuple, TypeAlias

from codeexplore.features.runs.records import CallSite, SiteForm

_NAME_CHARS = 100
_MOST_LINES = 60  # of one call's expression that is parsed; a longer one is a table with calls in it

_FORMS: Mapping[str, SiteForm] = MappingProxyType({
    "LOAD_ATTR": "access", "LOAD_METHOD": "access", "STORE_ATTR": "access", "DELETE_ATTR": "access",
    "LOAD_SUPER_ATTR": "access",
    "FOR_ITER": "iteration", "GET_ITER": "iteration", "UNPACK_SEQUENCE": "iteration", "UNPACK_EX": "iteration",
    "LIST_EXTEND": "iteration", "SET_UPDATE": "iteration", "GET_AITER": "iteration", "GET_ANEXT": "iteration",
    "DICT_UPDATE": "iteration", "DICT_MERGE": "iteration", "GET_YIELD_FROM_ITER": "iteration",
    "BEFORE_WITH": "with", "BEFORE_ASYNC_WITH": "with", "WITH_EXCEPT_START": "with", "LOAD_SPECIAL": "with",
    "FORMAT_VALUE": "format", "FORMAT_SIMPLE": "format", "FORMAT_WITH_SPEC": "format", "CONVERT_VALUE": "format",
    "SEND": "await", "GET_AWAITABLE": "await", "YIELD_VALUE": "await",
    "IMPORT_NAME": "import", "IMPORT_FROM": "import",
})  # fmt: skip
_OPERATORS = ("BINARY_", "COMPARE_", "CONTAINS_", "UNARY_", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "POP_JUMP")


class CallSites:
    """Finds the places of calls. It reads each file once."""

    def __init__(self) -> None:
        self._lines: dict[str, list[bytes]] = {}
        self._tables: dict[CodeType, _Instructions] = {}

    def at(self, code: CodeType, offset: int) -> CallSite:
        """Return the place of the instruction at `offset` of `code`. The line is the first line of the expression."""
        table = self._tables.get(code)
        if table is None:
            table = self._tables[code] = _Instructions.of(code)
        name, positions = table.at(offset)
        line, end_line, column, end_column = positions
        if line is None:
            return CallSite(code.co_firstlineno)
        form = _form_of(name)
        if form is not None and form != "await":
            return CallSite(line, form)
        if end_line is None or column is None or end_column is None or end_line - line > _MOST_LINES:
            return CallSite(line, form or "other")
        found, called = _callee(self._text(code.co_filename, line, end_line, column, end_column))
        return CallSite(line, form or found, called)

    def _text(self, file: str, line: int, end_line: int, column: int, end_column: int) -> str:
        lines = self._lines.get(file)
        if lines is None:
            try:
                lines = Path(file).read_bytes().splitlines()
            except (OSError, ValueError):  # it is gone, or its name is no path
                lines = []
            self._lines[file] = lines
        part = lines[line - 1 : end_line]
        if not part:
            return ""
        part[-1] = part[-1][:end_column]
        part[0] = part[0][column:]
        return b"\n".join(part).decode("utf-8", "replace")


_Positions: TypeAlias = "tuple[int | None, int | None, int | None, int | None]"


class _Instructions(NamedTuple):
    """The instructions of a code object, and the place of each pair of bytes."""

    code: bytes
    positions: Sequence[_Positions]

    @classmethod
    def of(cls, code: CodeType) -> _Instructions:
        return cls(code.co_code, list(code.co_positions()))

    def at(self, offset: int) -> tuple[str, _Positions]:
        """Return the name and the place of the instruction at `offset`, or of the one whose cache is there."""
        if not 0 <= offset < len(self.code):
            return "", (None, None, None, None)
        while offset > 0 and dis.opname[self.code[offset]] == "CACHE":
            offset -= 2
        return dis.opname[self.code[offset]], self.positions[offset // 2]


def _form_of(instruction: str) -> SiteForm | None:
    """Return the form of a use that is no call in the source; None for a call."""
    form = _FORMS.get(instruction)
    if form is None and instruction.startswith(_OPERATORS):
        return "operator"
    return form


def _callee(text: str) -> tuple[SiteForm, str]:
    """Return the form and the last name of the function in a call expression: ("attribute", "run") for ``job.run()``.

    A text without a call is the expression of a decorator, or a ``with`` statement that ends.
    """
    try:
        found: ast.expr = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the file is not the one that runs
        return "other", ""
    if isinstance(found, ast.Await):
        found = found.value
    if not isinstance(found, ast.Call):
        return ("decorator", _last_name(found)) if isinstance(found, ast.Name | ast.Attribute) else ("other", "")
    function = found.func
    if isinstance(function, ast.Name):
        return "name", function.id[:_NAME_CHARS]
    if isinstance(function, ast.Attribute):
        return "attribute", function.attr[:_NAME_CHARS]
    if isinstance(function, ast.Subscript):
        return "subscript", _last_name(function.value)
    if isinstance(function, ast.Call):
        maker = _last_name(function.func)
        return ("getattr", "getattr") if maker == "getattr" else ("result", maker)
    return "other", ""


def _last_name(found: ast.expr) -> str:
    if isinstance(found, ast.Name):
        return found.id[:_NAME_CHARS]
    return found.attr[:_NAME_CHARS] if isinstance(found, ast.Attribute) else ""
