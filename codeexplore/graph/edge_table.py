"""Edges as columns: a repository has hundreds of thousands, and most are never looked at.

The table is a sequence whose records are made when they are asked for. It is filled, finished, and then only read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, overload

from codeexplore.graph.columns import Columns, Words
from codeexplore.graph.gathered import Gathered, link_to, source_of, way_of
from codeexplore.types import EDGE_KINDS, Edge, EdgeKind, Site

_KIND_CODE: dict[str, int] = {kind: code for code, kind in enumerate(EDGE_KINDS)}

_TYPE = {
    "source": "i", "target": "i", "kind": "b", "confidence": "f", "in_test": "b", "manner": "h", "rule": "h",
    "site": "q", "first_site": "i",
}  # fmt: skip


class EdgeTable(Sequence[Edge]):
    """Resolved and possible edges, each pair of symbols once per kind.

    Columns by row: `source` and `target` (symbol rows), `kind` (index into EDGE_KINDS), `confidence`, `in_test`.
    """

    def __init__(self, ids: Sequence[str], paths: Sequence[str]) -> None:
        self.ids = ids
        self.paths = paths
        self.source = array("i")
        self.target = array("i")
        self.kind = array("b")
        self.confidence = array("f")
        self.in_test = array("b")
        self._manner = array("h")
        self._rule = array("h")
        self._words = Words()
        self.gathered = Gathered()  # until no more edges come
        self._sure: dict[int, float] = {}  # number of a rule → its confidence
        self._site = array("q")
        self._first_site = array("i", [0])  # where each row's sites start in `_site`, and where the last ones end

    def add(
        self,
        source: int,
        target: int,
        kind: EdgeKind,
        manner: str,
        rule: str,
        confidence: float,
        site: int,
        in_test: bool,
    ) -> None:
        """Add one use; further uses of the same kind between two symbols add their site, and the best rule stays.

        `site` is the file's number shifted left by 32, plus the line. `finish` has to follow before any is asked for.
        """
        link = link_to(target, self.way(kind, manner, rule, confidence))
        self.gathered.add(source_of(source, in_test), (link,), site)

    def way(self, kind: EdgeKind, manner: str, rule: str, confidence: float) -> int:
        """The number of a way in which uses lead to their targets; see `gathered.link_to`."""
        way = way_of(_KIND_CODE[kind], self._words.number(manner), number := self._words.number(rule))
        self._sure[number] = confidence
        return way

    def finish(self) -> None:
        """No more edges come: put together what was added."""
        import numpy as np

        confidence = np.array([self._sure.get(number, 0.0) for number in range(len(self._words.texts))])
        found = self.gathered.edges(confidence)
        ends = len(self._site) + np.cumsum(found.n_sites)
        for column, values in (
            (self.source, found.source), (self.target, found.target), (self.kind, found.kind),
            (self.confidence, confidence[found.rule].astype(np.float32)), (self.in_test, found.in_test),
            (self._manner, found.manner), (self._rule, found.rule),
            (self._site, found.site), (self._first_site, ends.astype(np.int32)),
        ):  # fmt: skip
            column.frombytes(values.tobytes())

    def columns(self) -> Columns:
        """The columns of a finished table."""
        return {
            "source": self.source, "target": self.target, "kind": self.kind, "confidence": self.confidence,
            "in_test": self.in_test, "manner": self._manner, "rule": self._rule, "words": self._words.texts,
            "site": self._site, "first_site": self._first_site,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """The table whose `columns` these were."""
        table = cls(ids, paths)
        table.source, table.target, table.kind = columns["source"], columns["target"], columns["kind"]
        table.confidence, table.in_test = columns["confidence"], columns["in_test"]
        table._manner, table._rule, table._words = columns["manner"], columns["rule"], Words(columns["words"])
        table._site, table._first_site = columns["site"], columns["first_site"]
        return table

    def extended(self, ids: Sequence[str]) -> EdgeTable:
        """A copy to which edges of further symbols can be added; `ids` begins with this table's own."""
        columns = {name: column[:] if isinstance(column, list) else array(_TYPE[name], column)
                   for name, column in self.columns().items()}  # fmt: skip
        return EdgeTable.of_columns(ids, self.paths, columns)

    def __len__(self) -> int:
        return len(self.source)

    def rule(self, row: int) -> str:
        """Key of the rule that made an edge."""
        return self._words.texts[self._rule[row]]

    def manner(self, row: int) -> str:
        """How an edge's source uses its target."""
        return self._words.texts[self._manner[row]]

    def with_manner(self, manner: str) -> list[bool]:
        """Whether each row has this manner."""
        number = self._words.known(manner)
        return [each == number for each in self._manner]

    @overload
    def __getitem__(self, row: int) -> Edge: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Edge, ...]: ...
    def __getitem__(self, row: int | slice) -> Edge | tuple[Edge, ...]:
        if isinstance(row, slice):
            return tuple(self[index] for index in range(*row.indices(len(self))))
        sites = self._site[self._first_site[row] : self._first_site[row + 1]]
        return Edge(
            self.ids[self.source[row]], self.ids[self.target[row]], EDGE_KINDS[self.kind[row]],
            self.manner(row), self.rule(row), round(self.confidence[row], 3),
            tuple(Site(self.paths[site >> 32], site & 0xFFFFFFFF) for site in sites),
            bool(self.in_test[row]),
        )  # fmt: skip

    def __iter__(self) -> Iterator[Edge]:
        return (self[row] for row in range(len(self)))
