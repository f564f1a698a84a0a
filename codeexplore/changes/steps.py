"""Steps of a way that a test which runs their source often does not take.

The confidence of an edge says how likely the code contains this use, not how often the use runs. Four kinds of uses
run too seldom to make a test certain:

- one of several alternatives: a branch of a condition that has other branches, such as ``else``
- code that runs only after an error: in a handler, in a statement that raises, or a function that never returns
- a function that is passed on or returned: the function that gets it may call it, and has an edge of its own
- a type in an annotation

In the traces of seven test suites, 52 % of the tests that ran the source of a call in an ``else`` or ``elif`` ran the
target too (221 edges), 57 % in a handler or a raising statement (186), and 67 % for functions that are passed on or
returned (304). For all other calls it was 76 % or more outside of tests and 94 % in tests (5,456). A branch without
others and a loop are no such kind: tests of pluggy that were certain had fallen from 93 to 62 %.
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
        self._alternatives: dict[tuple[str, int, str], bool] = {}

    def is_sure(self, edge: Edge) -> bool:
        """Return True if running the source of an edge most likely runs the target."""
        target = self._side.catalog.symbol(edge.target)
        if edge.manner == "type" or (edge.manner in _HANDED_ON and target.kind in CALLABLE_KINDS):
            return False
        if edge.in_test or edge.kind != "CALLS":
            return True
        return not _never_returns(target) and not all(
            self._is_alternative(site.path, site.line, edge.source) for site in edge.sites
        )

    def _is_alternative(self, path: str, line: int, source: str) -> bool:
        key = path, line, source
        if key not in self._alternatives:
            if path not in self._code:
                self._code[path] = FileCode(self._side.sources[path])
            self._alternatives[key] = self._code[path].is_alternative(line, self._side.catalog.symbol(source))
        return self._alternatives[key]


def _never_returns(symbol: Symbol) -> bool:
    """Return True for a function that is declared to raise always."""
    return symbol.kind in CALLABLE_KINDS and bool(_NO_RETURN.search(symbol.signature.rpartition(")")[2]))
