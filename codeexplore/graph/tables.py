"""Tables that resolution returns: edges, references without an edge, and notes on limits that were reached.

A repository has hundreds of thousands of edges and most of them are never read. A table therefore stores columns and
not records. Each text is stored once, in `Words`, and the columns contain its number.

A table is first filled and then finished; after that it is only read. It is a sequence: reading a row creates its
record.

References without an edge are in two tables: `UnresolvedTable` has references that no rule could resolve, and
`ExternalTable` has uses of names outside the repository.

Words used here:

- A *use* is one reference to a symbol at one site.
- A *site* is the number of a file << 32, plus a line.
- The *manner* of a use is the way in which the source uses the target, such as "call", "read" or "new".
- An *edge key* packs the kind, manner and rule of a use into one number.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias, overload

from codeexplore.graph.edge_builder import EdgeAccumulator, pack_kind, pack_target, source_of
from codeexplore.types import EDGE_KINDS, Edge, EdgeKind, Site, Unresolved

Columns: TypeAlias = "dict[str, array[int] | array[float] | list[str]]"
"""Columns of a table by name, in the form that is stored."""


class Words:
    """Texts that columns refer to by number. The number of a text is its index in `texts`."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self.texts: list[str] = list(texts)
        self._number: dict[str, int] = {}  # filled on first use: most stored tables are never searched by text

    def number(self, text: str) -> int:
        """Return the number of `text`. A new text gets the next number."""
        number = self._number.get(text, -1)
        if number < 0:
            number = self.known(text)
        if number < 0:
            number = self._number[text] = len(self.texts)
            self.texts.append(text)
        return number

    def known(self, text: str) -> int:
        """Return the number of `text`; -1 if it is not stored."""
        if not self._number:
            self._number = {text: number for number, text in enumerate(self.texts)}
        return self._number.get(text, -1)


_KIND_CODE: dict[str, int] = {kind: code for code, kind in enumerate(EDGE_KINDS)}

_TYPE = {
    "source": "i", "target": "i", "kind": "b", "confidence": "f", "in_test": "b", "manner": "h", "rule": "h",
    "site": "q", "first_site": "i",
}  # fmt: skip


class EdgeTable(Sequence[Edge]):
    """Table of edges, both resolved and possible: one row for each source, target and kind.

    The columns have one value for each row: `source` and `target` (symbol rows), `kind` (index into EDGE_KINDS),
    `confidence`, `in_test`.
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
        self.gathered = EdgeAccumulator()  # uses added so far; `finish` makes edges of them
        self._sure: dict[int, float] = {}  # number of a rule → confidence of the rule
        self._site = array("q")
        self._first_site = array("i", [0])  # start of each row's sites in `_site`; at last the end of all sites

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
        """Add one use of `target` by `source`.

        Several uses of the same kind between the two symbols become one edge with several sites. The edge gets the rule
        with the highest confidence. `site` is the number of the file shifted left by 32, plus the line. `finish` must
        be called before edges are read.
        """
        link = pack_target(target, self.way(kind, manner, rule, confidence))
        self.gathered.add(source_of(source, in_test), (link,), site)

    def way(self, kind: EdgeKind, manner: str, rule: str, confidence: float) -> int:
        """Return the edge key of a kind, manner and rule, for `edge_builder.pack_target`."""
        way = pack_kind(_KIND_CODE[kind], self._words.number(manner), number := self._words.number(rule))
        self._sure[number] = confidence
        return way

    def finish(self) -> None:
        """Group the added uses into edges. After this call no use can be added."""
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
        """Return the columns of this table by name. The table must be finished."""
        return {
            "source": self.source, "target": self.target, "kind": self.kind, "confidence": self.confidence,
            "in_test": self.in_test, "manner": self._manner, "rule": self._rule, "words": self._words.texts,
            "site": self._site, "first_site": self._first_site,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """Return the table with the given columns, as `columns` returned them."""
        table = cls(ids, paths)
        table.source, table.target, table.kind = columns["source"], columns["target"], columns["kind"]
        table.confidence, table.in_test = columns["confidence"], columns["in_test"]
        table._manner, table._rule, table._words = columns["manner"], columns["rule"], Words(columns["words"])
        table._site, table._first_site = columns["site"], columns["first_site"]
        return table

    def extended(self, ids: Sequence[str]) -> EdgeTable:
        """Return a copy to which edges of further symbols can be added. `ids` must begin with the ids of this table."""
        columns = {name: column[:] if isinstance(column, list) else array(_TYPE[name], column)
                   for name, column in self.columns().items()}  # fmt: skip
        return EdgeTable.of_columns(ids, self.paths, columns)

    def __len__(self) -> int:
        return len(self.source)

    def rule(self, row: int) -> str:
        """Return the key of the rule that made the edge in this row."""
        return self._words.texts[self._rule[row]]

    def manner(self, row: int) -> str:
        """Return the way in which the edge's source uses its target, such as "call" or "read"."""
        return self._words.texts[self._manner[row]]

    def with_manner(self, manner: str) -> list[bool]:
        """Return a mask over the rows: True for edges with the given manner."""
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


_IMPORT = 2


class UnresolvedTable(Sequence[Unresolved]):
    """References that no rule could resolve, in the order of files and lines."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str]) -> None:
        self.ids = ids
        self.paths = paths
        self._source = array("i")
        self._name = array("i")
        self._receiver = array("i")
        self._kind = array("i")
        self._site = array("q")
        self._words = Words()
        self._by_name_known: dict[int, list[int]] | None = None  # built at the first search by name

    def add(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        """Add one reference.

        `site` is encoded as in `EdgeTable.add`. All references must be added before the first search.
        """
        self._source.append(source)
        self._name.append(self._words.number(name))
        self._receiver.append(self._words.number(receiver))
        self._kind.append(self._words.number(kind))
        self._site.append(site)

    @property
    def _by_name(self) -> dict[int, list[int]]:
        if self._by_name_known is None:
            self._by_name_known = self._find_by_name()
        return self._by_name_known

    def _find_by_name(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row, number in enumerate(self._name):
            found.setdefault(number, []).append(row)
        return found

    def columns(self) -> Columns:
        """Return the columns of this table by name. After this call no reference may be added."""
        return {
            "source": self._source, "name": self._name, "receiver": self._receiver, "kind": self._kind,
            "site": self._site, "words": self._words.texts,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """Return the table with the given columns, as `columns` returned them."""
        table = cls(ids, paths)
        table._source, table._name, table._receiver = columns["source"], columns["name"], columns["receiver"]
        table._kind, table._site, table._words = columns["kind"], columns["site"], Words(columns["words"])
        return table

    def named(self, name: str) -> tuple[Unresolved, ...]:
        """Return the unresolved references whose last name is `name`: ``run`` in ``job.run()``."""
        return tuple(self[row] for row in self._by_name.get(self._words.known(name), ()))

    def within(self, sources: Collection[int]) -> tuple[Unresolved, ...]:
        """Return the unresolved references in the bodies of the symbols with the rows `sources`."""
        return tuple(self[row] for row, source in enumerate(self._source) if source in sources)

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
    """One use of a name outside the repository.

    `source` is the row of a symbol; `site` is encoded as in `EdgeTable.add`.
    """

    source: int
    name: str
    call: bool
    site: int
    imported: bool = False  # the use is an import statement


class ExternalTable:
    """Uses of names outside the repository, grouped by their dotted names."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str]) -> None:
        self.ids = ids
        self.paths = paths
        self._source = array("i")
        self._site = array("q")
        self._kind = array("b")  # 1 for a call, 2 for an import, else 0
        self._name = array("i")
        self._words = Words()
        self._rows_known: dict[str, list[int]] | None = None  # built at the first search by name

    def add(self, source: int, name: str, call: bool, site: int, imported: bool = False) -> None:
        """Add one use of a name outside the repository.

        `site` is encoded as in `EdgeTable.add`. All uses must be added before the first search.
        """
        self._name.append(self._words.number(name))
        self._source.append(source)
        self._kind.append(_IMPORT if imported else call)
        self._site.append(site)

    @property
    def _rows(self) -> dict[str, list[int]]:
        if self._rows_known is None:
            self._rows_known = self._find_rows()
        return self._rows_known

    def _find_rows(self) -> dict[str, list[int]]:
        """Return the rows of the uses of each name. The names are in the order of their first uses.

        The numbers in `_words` cannot give that order, because they depend on how tables were joined.
        """
        found: dict[int, list[int]] = {}
        for row, number in enumerate(self._name):
            rows = found.get(number)
            if rows is None:
                rows = found[number] = []
            rows.append(row)
        texts = self._words.texts
        return {texts[number]: rows for number, rows in found.items()}

    def columns(self) -> Columns:
        """Return the columns of this table by name. After this call no use may be added."""
        return {
            "source": self._source, "name": self._name, "kind": self._kind, "site": self._site,
            "words": self._words.texts,
        }  # fmt: skip

    @classmethod
    def of_columns(cls, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any]) -> Self:
        """Return the table with the given columns, as `columns` returned them."""
        table = cls(ids, paths)
        table._source, table._name, table._kind = columns["source"], columns["name"], columns["kind"]
        table._site, table._words = columns["site"], Words(columns["words"])
        return table

    def __len__(self) -> int:
        return len(self._source)

    def names(self) -> tuple[str, ...]:
        """Return every outside name that the repository uses, most used first."""
        return tuple(sorted(self._rows, key=lambda name: (-len(self._rows[name]), name)))

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[ExternalUse]:
        """Yield every use, grouped by name. The names are in the order of their first uses."""
        for name, rows in self._rows.items():
            for row in rows:
                kind = self._kind[row]
                yield ExternalUse(self._source[row], name, kind == 1, self._site[row], kind == _IMPORT)

    def used_by(self, sources: Collection[int]) -> tuple[str, ...]:
        """Return the outside names that the symbols with the rows `sources` use: each name once, in source order."""
        texts = self._words.texts
        rows = (row for row, source in enumerate(self._source) if source in sources)
        return tuple(dict.fromkeys(texts[self._name[row]] for row in rows))

    def users(self, name: str) -> tuple[tuple[str, str, Site], ...]:
        """Return the uses of an outside name as (symbol id, full dotted name, site).

        If no use has exactly this name, the uses of all names that end in a dot and `name` are returned.
        """
        matching = [full for full in self._rows if full == name or full.endswith("." + name)]
        exact = [name] if name in self._rows else matching
        return tuple(
            (self.ids[self._source[row]], full, Site(self.paths[self._site[row] >> 32], self._site[row] & 0xFFFFFFFF))
            for full in exact
            for row in self._rows[full]
        )


@dataclass(frozen=True, slots=True)
class Resolution:
    """Result of resolving all references of a repository: the tables, and notes on limits that were reached."""

    edges: EdgeTable
    unresolved: UnresolvedTable
    externals: ExternalTable
    notes: tuple[str, ...] = ()  # messages about limits that were reached


def nothing_resolved(ids: Sequence[str], paths: Sequence[str]) -> Resolution:
    """Return an empty resolution. `ids` are the symbol ids by row, `paths` the paths by file number."""
    edges = EdgeTable(ids, paths)
    edges.finish()
    return Resolution(edges, UnresolvedTable(ids, paths), ExternalTable(ids, paths))
