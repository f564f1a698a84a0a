"""Steps of a way that a test which runs their source often does not take.

The confidence of an edge says how likely the code contains this use, not how often the use runs. Some uses run too
seldom to make a test certain:

- one of several alternatives: a branch of a condition that has other branches, such as ``else``
- code that runs only after an error: in a handler, in a statement that raises, or a function that never returns
- a function that is passed on or returned: the function that gets it may call it, and has an edge of its own
- a call of a value that is one of a few functions
- a method that overrides another: to run it is not to run the other
- a type in an annotation

Calls that may run methods of the same name in several classes depend on the object (`Steps.needs_object`).

In the traces of seven test suites, 52 % of the tests that ran the source of a call in an ``else`` or ``elif`` ran the
target too (221 edges), 57 % in a handler or a raising statement (186), and 67 % for functions that are passed on or
returned (304). For all other calls it was 76 % or more outside of tests and 94 % in tests (5,456). In those of nine
suites, it was 48 % outside of tests and 46 % in tests if another class had a method of the same name at the same place
(170 and 812 edges), 88 % and 98 % otherwise (1,534 and 4,382). A branch without others and a loop are no such kind:
tests of pluggy that were certain had fallen from 93 to 62 %.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from codeexplore.features.review.code_tokens import FileCode
from codeexplore.features.review.records import Side
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Edge, Site, Symbol

_HANDED_ON = frozenset({"argument", "return"})
_SEVERAL = frozenset({"flow-few", "element-several"})  # a value that is one of a few functions
_NO_RETURN = re.compile(r"\b(?:NoReturn|Never|never)\b|->\s*!")


class Steps:
    """Decides for the edges of one state whether a test that runs the source most likely runs the target."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._code: dict[str, FileCode] = {}
        self._alternatives: dict[tuple[str, int, str], bool] = {}
        self._members: dict[str, Mapping[tuple[Site, str], set[str]]] = {}

    def is_sure(self, edge: Edge) -> bool:
        """Return True if running the source of an edge most likely runs the target."""
        target = self._side.catalog.symbol(edge.target)
        if edge.kind in ("OVERRIDES", "IMPLEMENTS") or edge.rule in _SEVERAL or edge.manner == "type":
            return False
        if edge.manner in _HANDED_ON and target.kind in CALLABLE_KINDS:
            return False
        if edge.in_test or edge.kind not in ("CALLS", "USES"):
            return True
        return not _never_returns(target) and not all(
            self._is_alternative(site.path, site.line, edge.source) for site in edge.sites
        )

    def needs_object(self, edge: Edge) -> bool:
        """Return True if each call of an edge may also run a member of the same name in another class.

        Then the class of the object decides which member runs.
        """
        target = self._side.catalog.symbol(edge.target)
        if edge.kind != "CALLS" or target.kind not in CALLABLE_KINDS or target.parent is None:
            return False
        if self._side.catalog.symbol(target.parent).kind not in TYPE_KINDS:
            return False
        members = self._members_called(edge.source)
        return all(len(members[site, target.name]) > 1 for site in edge.sites)

    def _members_called(self, source: str) -> Mapping[tuple[Site, str], set[str]]:
        """Return the classes whose members a symbol may call, by place and name of the member."""
        if source not in self._members:
            found = self._members[source] = defaultdict(set)
            graph = self._side.graph
            for row in graph.incident(graph.vertex(source), "out", ("CALLS",)):
                target = graph.symbol(graph.edges.target[row])
                if target.parent is not None:
                    for site in graph.edge(row).sites:
                        found[site, target.name].add(target.parent)
        return self._members[source]

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
