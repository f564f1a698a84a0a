"""Steps of a way that a test which runs their source often does not take.

The confidence of an edge says how likely the code contains this use, not how often the use runs. Three kinds of uses
run too seldom to make a test certain:

- code that runs only after an error: in a handler, in a statement that raises, or a function that never returns
- a function that is passed on or returned: the function that gets it may call it, and has an edge of its own
- a type in an annotation

In the traces of seven test suites, 57 % of the tests that ran the source of a call in a handler or a raising statement
ran the target too (186 edges), and 67 % for functions that are passed on or returned (304 edges). For other calls it
was 76 % outside of tests (2,529 edges) and 94 % in tests (5,456). Branches and loops are no such kind: without calls
under two of them, the tests of two suites that were certain had fallen by almost half.
"""

from __future__ import annotations

import re

from codeexplore.changes.records import Side
from codeexplore.syntax.code_tokens import FileCode
from codeexplore.types import CALLABLE_KINDS, Edge, Symbol

_HANDED_ON = frozenset({"argument", "return"})
_NO_RETURN = re.compile(r"\b(?:NoReturn|Never|never)\b|->\s*!")


class Steps:
    """Decides for the edges of one state whether a test that runs the source most likely runs the target."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._code: dict[str, FileCode] = {}
        self._on_error: dict[tuple[str, int, str], bool] = {}

    def is_sure(self, edge: Edge) -> bool:
        """Return True if running the source of an edge most likely runs the target."""
        target = self._side.catalog.symbol(edge.target)
        if edge.manner == "type" or (edge.manner in _HANDED_ON and target.kind in CALLABLE_KINDS):
            return False
        if edge.in_test or edge.kind != "CALLS":
            return True
        return not _never_returns(target) and not all(
            self._only_on_error(site.path, site.line, edge.source) for site in edge.sites
        )

    def _only_on_error(self, path: str, line: int, source: str) -> bool:
        key = path, line, source
        if key not in self._on_error:
            if path not in self._code:
                self._code[path] = FileCode(self._side.sources[path])
            self._on_error[key] = self._code[path].runs_on_error(line, self._side.catalog.symbol(source))
        return self._on_error[key]


def _never_returns(symbol: Symbol) -> bool:
    """Return True for a function that is declared to raise always."""
    return symbol.kind in CALLABLE_KINDS and bool(_NO_RETURN.search(symbol.signature.rpartition(")")[2]))
