"""Edges and references as columns: a repository has hundreds of thousands, and most are never looked at.

Each table is a sequence whose records are made when they are asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeAlias, overload

from codeexplore.types import EDGE_KINDS, Edge, EdgeKind, Site, Unresolved

_KIND_CODE: dict[str, int] = {kind: code for code, kind in enumerate(EDGE_KINDS)}


_TYPE = {
    "source": "i", "target": "i", "kind": "b", "confidence": "f", "in_test": "b", "manner": "h", "rule": "h",
    "site": "q", "first_site": "i",
}  # fmt: skip

Columns: TypeAlias = "dict[str, array[int] | array[float] | list[str]]"
"""A table's columns by name, to be stored."""


class _Words:
    """Texts by number."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self.texts: list[str] = list(texts)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.texts)}

    def number(self, text: str) -> int:
        """The number of a text, given out when it is first seen."""
        number = self._number.get(text)
        if number is None:
            number = self._number[text] = len(self.texts)
            self.texts.append(text)
        return number

    def known(self, text: str) -> int:
        """The number of a text, -1 when no row holds it."""
        return self._number.get(text, -1)


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
        self._words = _Words()
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
        table._manner, table._rule, table._words = columns["manner"], columns["rule"], _Words(columns["words"])
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


class UnresolvedTable(Sequence[Unresolved]):
    """References no rule could resolve, in the order of files and lines."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str]) -> None:
        self.ids = ids
        self.paths = paths
        self._source = array("i")
        self._name = array("i")
        self._receiver = array("i")
        self._kind = array("i")
        self._site = array("q")
        self._words = _Words()

    def add(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        """Add one reference; `site` as in `EdgeTable.add`. All are added before any is asked for."""
        self._source.append(source)
        self._name.append(self._words.number(name))
        self._receiver.append(self._words.number(receiver))
        self._kind.append(self._words.number(kind))
        self._site.append(site)

    @cached_property
    def _by_name(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row, number in enumerate(self._name):
            found.setdefault(number, []).append(row)
        return found

    def columns(self) -> Columns:
        """The columns of a table to which nothing will be added."""
        return {
            "source": self._source, "name": self._name, "receiver": self._receiver, "kind": self._kind,
            "site": self._site, "words": self._words.texts,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """The table whose `columns` these were."""
        table = cls(ids, paths)
        table._source, table._name, table._receiver = columns["source"], columns["name"], columns["receiver"]
        table._kind, table._site, table._words = columns["kind"], columns["site"], _Words(columns["words"])
        return table

    def named(self, name: str) -> tuple[Unresolved, ...]:
        """The references that end in a name."""
        return tuple(self[row] for row in self._by_name.get(self._words.known(name), ()))

    def __len__(self) -> int:
        return len(self._source)

    @overload
    def __getitem__(self, row: int) -> Unresolved: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Unresolved, ...]: ...
    def __getitem__(self, row: int | slice) -> Unresolved | tuple[Unresolved, ...]:
        if isinstance(row, slice):
            return tuple(self[index] for index in range(*row.indices(len(self))))
        texts, site = self._words.texts, self._site[row]
        return Unresolved(
            self.ids[self._source[row]], texts[self._name[row]], texts[self._receiver[row]], texts[self._kind[row]],
            Site(self.paths[site >> 32], site & 0xFFFFFFFF),
        )  # fmt: skip


class ExternalUse(NamedTuple):
    """One use of what lies outside the repository; `source` is a symbol's row, `site` as in `EdgeTable.add`."""

    source: int
    name: str
    call: bool
    site: int


class ExternalTable:
    """Uses of what lies outside the repository, by dotted name."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str]) -> None:
        self.ids = ids
        self.paths = paths
        self._source = array("i")
        self._site = array("q")
        self._kind = array("b")  # 1 for a call
        self._name = array("i")
        self._words = _Words()

    def add(self, source: int, name: str, call: bool, site: int) -> None:
        """Add one use; `site` as in `EdgeTable.add`. All are added before any is asked for."""
        self._name.append(self._words.number(name))
        self._source.append(source)
        self._kind.append(call)
        self._site.append(site)

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {name: [] for name in self._words.texts}
        of_number = list(found.values())
        for row, number in enumerate(self._name):
            of_number[number].append(row)
        return found

    def columns(self) -> Columns:
        """The columns of a table to which nothing will be added."""
        return {
            "source": self._source, "name": self._name, "kind": self._kind, "site": self._site,
            "words": self._words.texts,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """The table whose `columns` these were."""
        table = cls(ids, paths)
        table._source, table._name, table._kind = columns["source"], columns["name"], columns["kind"]
        table._site, table._words = columns["site"], _Words(columns["words"])
        return table

    def __len__(self) -> int:
        return len(self._source)

    def names(self) -> tuple[str, ...]:
        """Every outside name that is used, most used first."""
        return tuple(sorted(self._rows, key=lambda name: (-len(self._rows[name]), name)))

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[ExternalUse]:
        """Every use, by name in the order of first appearance."""
        for name, rows in self._rows.items():
            for row in rows:
                yield ExternalUse(self._source[row], name, bool(self._kind[row]), self._site[row])

    def users(self, name: str) -> tuple[tuple[str, str, Site], ...]:
        """Who uses an outside name (or one that ends in it at a dot): symbol id, full name and site."""
        matching = [full for full in self._rows if full == name or full.endswith("." + name)]
        exact = [name] if name in self._rows else matching
        return tuple(
            (self.ids[self._source[row]], full, Site(self.paths[self._site[row] >> 32], self._site[row] & 0xFFFFFFFF))
            for full in exact
            for row in self._rows[full]
        )


@dataclass(frozen=True, slots=True)
class Resolution:
    """What the references of a repository mean."""

    edges: EdgeTable
    unresolved: UnresolvedTable
    externals: ExternalTable
    notes: tuple[str, ...] = ()  # what was cut short, in words
