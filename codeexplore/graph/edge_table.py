"""Edges as columns: a repository has hundreds of thousands, and most are never looked at.

The table is a sequence whose records are made when they are asked for. It is filled, finished, and then only read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, TypeAlias, overload

from codeexplore.graph.columns import Columns, Words
from codeexplore.types import EDGE_KINDS, Edge, EdgeKind, Site

_KIND_CODE: dict[str, int] = {kind: code for code, kind in enumerate(EDGE_KINDS)}

_TYPE = {
    "source": "i", "target": "i", "kind": "b", "confidence": "f", "in_test": "b", "manner": "h", "rule": "h",
    "site": "q", "first_site": "i",
}  # fmt: skip

Link: TypeAlias = tuple[int, str, str, float]
"""An edge without its source and its site: target's row << 3 | kind's code, manner, rule, confidence."""


def link_to(target: int, kind: EdgeKind, manner: str, rule: str, confidence: float) -> Link:
    """The link to a symbol's row."""
    return target << 3 | _KIND_CODE[kind], manner, rule, confidence


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
        self._row: dict[int, int] = {}  # source << 35 | target << 3 | kind → row
        self._added_to = array("i")  # rows that sites were added to, until no more edges come …
        self._added = array("q")  # … and these sites: file << 32 | line
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
        self.add_links(source, (link_to(target, kind, manner, rule, confidence),), site, in_test)

    def add_links(self, source: int, links: Iterable[Link], site: int, in_test: bool) -> None:
        """Add uses that have their source and site in common."""
        rows, start = self._row, source << 35
        for link in links:
            target, manner, rule, confidence = link
            row = rows.get(start | target)
            if row is None:
                row = rows[start | target] = len(self.source)
                self.source.append(source)
                self.target.append(target >> 3)
                self.kind.append(target & 7)
                self.confidence.append(confidence)
                self.in_test.append(in_test)
                self._manner.append(self._words.number(manner))
                self._rule.append(self._words.number(rule))
            elif confidence > self.confidence[row]:
                self.confidence[row] = confidence
                self._manner[row] = self._words.number(manner)
                self._rule[row] = self._words.number(rule)
            self._added_to.append(row)
            self._added.append(site)

    def finish(self) -> None:
        """No more edges come: put the sites of each row together, and give up what only adding needs."""
        import numpy as np

        self._row.clear()
        finished = len(self._first_site) - 1
        order = np.argsort(np.asarray(self._added_to), kind="stable")
        rows, sites = np.asarray(self._added_to)[order], np.asarray(self._added)[order]
        alike = np.lexsort((sites, rows))  # equal ones stand together, in the order in which they came
        again = (np.diff(rows[alike]) == 0) & (np.diff(sites[alike]) == 0)
        kept = np.ones(len(rows), dtype=bool)
        kept[alike[1:][again]] = False
        counts = np.bincount(rows[kept] - finished, minlength=len(self.source) - finished)
        self._first_site.frombytes((len(self._site) + np.cumsum(counts)).astype(np.int32).tobytes())
        self._site.frombytes(sites[kept].tobytes())
        self._added_to, self._added = array("i"), array("q")

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
