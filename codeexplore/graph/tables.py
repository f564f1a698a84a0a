"""Tables that resolution returns: edges, references without an edge, and notes on limits that were reached.

A repository has hundreds of thousands of edges and most of them are never read. A table therefore stores columns and
not records. Each text is stored once, in `Words`, and the columns contain its number.

A table is first filled and then finished; after that it is only read. Reading a row creates its record.

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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeAlias

from codeexplore.graph.build.rules import ONLY, RULES
from codeexplore.types import EDGE_KINDS, Edge, EdgeKind, Site, Unresolved

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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

OF_SITES: Final = ("site", "site_rule")
"""Columns of the table of edges with a value for each site of each row."""


def _confidence(rule: str) -> float:
    return RULES[rule].confidence if rule in RULES else 0.0


class Table:
    """Arrays of numbers, one for each column, and the texts to which some of the numbers refer."""

    TYPES: ClassVar[Mapping[str, str]]
    """Column → type code of its array."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any] | None = None) -> None:
        """Make an empty table, or the table with the columns that `columns` returned."""
        self.ids, self.paths = ids, paths
        self._arrays: dict[str, Any] = {
            name: array(code) if columns is None else columns[name] for name, code in self.TYPES.items()
        }
        self._words = Words(() if columns is None else columns["words"])
        self._site = self._arrays["site"]

    def columns(self) -> Columns:
        """Return the columns by name. After this call nothing may be added."""
        return {**self._arrays, "words": self._words.texts}

    def __len__(self) -> int:
        return len(self._arrays["source"])

    def place(self, site: int) -> Site:
        """Return a site from its number, as the columns have it: the number of the file << 32, plus the line."""
        return Site(self.paths[site >> 32], site & 0xFFFFFFFF)


class EdgeTable(Table):
    """Table of edges, both resolved and possible: one row for each source, target and kind.

    The columns have one value for each row: `source` and `target` (symbol rows), `kind` (index into EDGE_KINDS),
    `confidence`, `in_test`.
    """

    TYPES: ClassVar[Mapping[str, str]] = {
        "source": "i",
        "target": "i",
        "kind": "b",
        "confidence": "f",
        "in_test": "b",
        "manner": "h",
        "rule": "h",
        "site": "q",
        "site_rule": "h",
        "first_site": "i",  # start of each row's sites in `site`; at last the end of all sites
    }

    def __init__(self, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any] | None = None) -> None:
        super().__init__(ids, paths, columns)
        arrays = self._arrays
        self.source: array[int] = arrays["source"]
        self.target: array[int] = arrays["target"]
        self.kind: array[int] = arrays["kind"]
        self.confidence: array[float] = arrays["confidence"]
        self.in_test: array[int] = arrays["in_test"]
        self._manner: array[int] = arrays["manner"]
        self._rule: array[int] = arrays["rule"]
        self._site_rule, self._first_site = arrays["site_rule"], arrays["first_site"]
        self.gathered = EdgeAccumulator()  # uses added so far; `finish` makes edges of them
        if columns is None:
            self._first_site.append(0)

    def add(self, source: int, target: int, kind: EdgeKind, manner: str, rule: str, site: int, in_test: bool) -> None:
        """Add one use of `target` by `source`.

        Several uses of the same kind between the two symbols become one edge with several sites. The edge and each site
        get the rule with the highest confidence among their uses. `site` is the number of the file shifted left by 32,
        plus the line. `finish` must be called before edges are read.
        """
        link = pack_target(target, self.way(kind, manner, rule))
        self.gathered.add_one(source_of(source, in_test), link, site)

    def way(self, kind: EdgeKind, manner: str, rule: str) -> int:
        """Return the edge key of a kind, manner and rule, for `pack_target`."""
        return pack_kind(_KIND_CODE[kind], self._words.number(manner), self._words.number(rule))

    def finish(self) -> None:
        """Group the added uses into edges. After this call no use can be added."""
        import numpy as np

        confidence = np.array([_confidence(word) for word in self._words.texts])
        before = len(self._site)
        for name, column in self.gathered.edges(confidence, self._words.number("new")):
            values = column + before if name == "first_site" else column
            self._arrays[name].frombytes(values.astype(self.TYPES[name]).tobytes())
        if len(self):
            self._single_out()

    def _single_out(self) -> None:
        """Give calls that no other call of their target stands beside, tests apart, the rules that `ONLY` has for them.

        The wrapper of a decorator is what calls the function, so that a call by its name is none.
        """
        import numpy as np

        names = ("source", "target", "kind", "in_test", "rule", "confidence", "first_site", "site_rule")
        source, target, kind, in_test, rule, confidence, first_site, site_rule = (
            np.frombuffer(self._arrays[name], self.TYPES[name]) for name in names
        )
        known = [(self._words.known(old), new) for old, new in ONLY.items()]
        only = np.arange(len(self._words.texts), dtype=np.int16)
        for old, new in known:
            if old >= 0:
                only[old] = self._words.number(new)
        called = (kind == _KIND_CODE["CALLS"]) & (in_test == 0) & (source != target)
        called &= rule != self._words.known("decorated")
        alone = np.bincount(target[called], minlength=len(self.ids))[target] == 1
        changed = called & alone & (only[rule] != rule)
        rule[changed] = only[rule[changed]]
        confidence[changed] = [_confidence(self._words.texts[each]) for each in rule[changed]]
        sites = np.repeat(changed, np.diff(first_site))
        site_rule[sites] = only[site_rule[sites]]

    def extended(self, ids: Sequence[str]) -> EdgeTable:
        """Return a copy to which edges of further symbols can be added. `ids` must begin with the ids of this table."""
        return EdgeTable(ids, self.paths, {name: column[:] for name, column in self.columns().items()})

    def rule(self, row: int) -> str:
        return self._words.texts[self._rule[row]]

    def manner(self, row: int) -> str:
        """Return the way in which the edge's source uses its target, such as "call" or "read"."""
        return self._words.texts[self._manner[row]]

    def naming_types(self) -> list[bool]:
        """Return a mask over the rows: True for edges with the manner "type"."""
        number = self._words.known("type")
        return [each == number for each in self._manner]

    def __getitem__(self, row: int) -> Edge:
        first, end = self._first_site[row], self._first_site[row + 1]
        sites = tuple(map(self.place, self._site[first:end]))
        rules, own = self._site_rule[first:end], self._rule[row]
        edge = Edge(
            self.ids[self.source[row]],
            self.ids[self.target[row]],
            EDGE_KINDS[self.kind[row]],
            self.manner(row),
            self.rule(row),
            round(self.confidence[row], 3),
            sites,
            bool(self.in_test[row]),
        )
        return edge if rules.count(own) == len(sites) else replace(edge, parts=self._parts(edge, rules))

    def _parts(self, edge: Edge, rules: Sequence[int]) -> tuple[Edge, ...]:
        """Return an edge for each rule that found some of the sites; `rules` has the number of the rule of each."""
        found: dict[str, list[Site]] = {edge.rule: []}
        for site, rule in zip(edge.sites, rules, strict=True):
            found.setdefault(self._words.texts[rule], []).append(site)
        known = ((_confidence(rule), rule, tuple(sites)) for rule, sites in found.items())
        ordered = sorted(known, key=lambda part: -part[0])
        return tuple(replace(edge, rule=rule, confidence=sure, sites=sites) for sure, rule, sites in ordered)

    def __iter__(self) -> Iterator[Edge]:
        return (self[row] for row in range(len(self)))


class NamedTable(Table):
    """Table of references, which are found by their names."""

    def __init__(self, ids: Sequence[str], paths: Sequence[str], columns: Mapping[str, Any] | None = None) -> None:
        super().__init__(ids, paths, columns)
        self._source, self._name, self._kind = (self._arrays[name] for name in ("source", "name", "kind"))
        self._rows_known: dict[str, list[int]] | None = None  # built at the first search by name
        self._of_source: dict[int, list[int]] | None = None  # built at the first search by source

    def _rows_of(self, sources: Collection[int]) -> list[int]:
        """Return the rows of the symbols with the rows `sources`, in order."""
        if self._of_source is None:
            self._of_source = _rows_by(self._source)
        found = self._of_source
        return sorted(row for source in set(sources) for row in found.get(source, ()))

    @property
    def _rows(self) -> dict[str, list[int]]:
        """The rows of each name. The names are in the order of their first uses.

        The numbers in `_words` cannot give that order, because they depend on how tables were joined.
        """
        if self._rows_known is None:
            found = _rows_by(self._name)
            self._rows_known = {self._words.texts[number]: rows for number, rows in found.items()}
        return self._rows_known


def _rows_by(column: Iterable[int]) -> dict[int, list[int]]:
    """Return number → the rows that have it in a column, in the order of the first rows."""
    found: dict[int, list[int]] = {}
    for row, number in enumerate(column):
        found.setdefault(number, []).append(row)
    return found


class UnresolvedTable(NamedTable):
    """References that no rule could resolve, in the order of files and lines."""

    TYPES: ClassVar[Mapping[str, str]] = {"source": "i", "name": "i", "receiver": "i", "kind": "i", "site": "q"}

    def add(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        """Add a reference before the first search; `site` is encoded as in `EdgeTable.add`."""
        self._source.append(source)
        self._name.append(self._words.number(name))
        self._arrays["receiver"].append(self._words.number(receiver))
        self._kind.append(self._words.number(kind))
        self._site.append(site)

    def named(self, name: str) -> tuple[Unresolved, ...]:
        """Return the unresolved references whose last name is `name`: ``run`` in ``job.run()``."""
        return tuple(self[row] for row in self._rows.get(name, ()))

    def within(self, sources: Collection[int]) -> tuple[Unresolved, ...]:
        """Return the unresolved references in the bodies of the symbols with the rows `sources`."""
        return tuple(self[row] for row in self._rows_of(sources))

    def __getitem__(self, row: int) -> Unresolved:
        texts = self._words.texts
        return Unresolved(
            self.ids[self._source[row]],
            texts[self._name[row]],
            texts[self._arrays["receiver"][row]],
            texts[self._kind[row]],
            self.place(self._site[row]),
        )

    def __iter__(self) -> Iterator[Unresolved]:
        return (self[row] for row in range(len(self)))


class ExternalUse(NamedTuple):
    """One use of a name outside the repository.

    `source` is the row of a symbol; `site` is encoded as in `EdgeTable.add`.
    """

    source: int
    name: str
    kind: EdgeKind
    site: int


class ExternalTable(NamedTable):
    """Uses of names outside the repository, grouped by their dotted names. `kind` is an index into EDGE_KINDS."""

    TYPES: ClassVar[Mapping[str, str]] = {"source": "i", "name": "i", "kind": "b", "site": "q"}

    def add(self, source: int, name: str, kind: EdgeKind, site: int) -> None:
        """Add a use of an outside name before the first search; `site` is encoded as in `EdgeTable.add`."""
        self._name.append(self._words.number(name))
        self._source.append(source)
        self._kind.append(_KIND_CODE[kind])
        self._site.append(site)

    def names(self) -> tuple[str, ...]:
        """Return every outside name that the repository uses, most used first."""
        return tuple(sorted(self._rows, key=lambda name: (-len(self._rows[name]), name)))

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[ExternalUse]:
        """Yield every use, grouped by name. The names are in the order of their first uses."""
        for name, rows in self._rows.items():
            for row in rows:
                yield ExternalUse(self._source[row], name, EDGE_KINDS[self._kind[row]], self._site[row])

    def used_by(self, sources: Collection[int]) -> tuple[str, ...]:
        """Return the outside names that the symbols with the rows `sources` use: each name once, in source order."""
        texts = self._words.texts
        return tuple(dict.fromkeys(texts[self._name[row]] for row in self._rows_of(sources)))

    def within(self, sources: Collection[int]) -> Iterator[tuple[int, str, Site]]:
        """Yield the uses in the bodies of the symbols with the rows `sources`: row of the symbol, name and site."""
        for row in self._rows_of(sources):
            yield self._source[row], self._words.texts[self._name[row]], self.place(self._site[row])

    def users(self, name: str) -> tuple[tuple[str, str, Site], ...]:
        """Return the uses of an outside name as (symbol id, full dotted name, site).

        If no use has exactly this name, the uses of all names that end in a dot and `name` are returned.
        """
        found = [name] if name in self._rows else [full for full in self._rows if full.endswith("." + name)]
        return tuple(
            (self.ids[self._source[row]], full, self.place(self._site[row]))
            for full in found
            for row in self._rows[full]
        )


@dataclass(frozen=True, slots=True)
class Resolution:
    """Result of resolving all references of a repository: the tables, and notes on limits that were reached."""

    edges: EdgeTable
    unresolved: UnresolvedTable
    externals: ExternalTable
    notes: tuple[str, ...] = ()  # messages about limits that were reached


def cut_short(notes: Iterable[str]) -> str:
    """Return the notes that state that any edge may be missing, as one sentence; "" if there are none."""
    from codeexplore.resolution.solver import MISSING  # only an answer from a graph needs the resolver

    return "; ".join(note for note in notes if note.endswith(MISSING))


def nothing_resolved(ids: Sequence[str], paths: Sequence[str]) -> Resolution:
    edges = EdgeTable(ids, paths)
    edges.finish()
    return Resolution(edges, UnresolvedTable(ids, paths), ExternalTable(ids, paths))


WORD_BITS: Final = 10
"""Number of bits for the number of a manner or a rule."""

_WORD: Final = (1 << WORD_BITS) - 1
_KIND_BITS: Final = 3
_WAY_BITS: Final = _KIND_BITS + 2 * WORD_BITS
_ROW_BITS: Final = 32


def pack_kind(kind: int, manner: int, rule: int) -> int:
    """Return the edge key: the numbers of an edge's kind, manner and rule packed into one number.

    Raises ValueError if the number of the manner or of the rule needs more than `WORD_BITS` bits.
    """
    if max(manner, rule) > _WORD:
        raise ValueError(
            f"a table of edges has room for {_WORD + 1} manners and rules, not for number {max(manner, rule)}"
        )
    return (kind << WORD_BITS | manner) << WORD_BITS | rule


def source_of(source: int, in_test: bool) -> int:
    """Return the source of a use as one number: the row of the source symbol << 1, plus 1 in tests."""
    return source << 1 | in_test


def pack_target(target: int, way: int) -> int:
    """Return the link of a use as one number: the row of the target symbol, and the edge key `way`."""
    return target << _WAY_BITS | way


class EdgeAccumulator:
    """Collector of uses, in the order in which they are added."""

    def __init__(self) -> None:
        self._source = array("q")
        self._link = array("q")
        self._site = array("q")

    def add(self, source: int, links: Sequence[int], site: int) -> None:
        """Add the uses that one source makes at one site.

        `source` is made by `source_of` and each link by `pack_target`. `site` is the number of the file << 32, plus the
        line.
        """
        if len(links) == 1:
            self.add_one(source, links[0], site)
        else:
            self._source.extend([source] * len(links))
            self._link.extend(links)
            self._site.extend([site] * len(links))

    def add_one(self, source: int, link: int, site: int) -> None:
        self._source.append(source)
        self._link.append(link)
        self._site.append(site)

    def edges(self, confidence: NDArray[np.float64], making: int) -> Iterator[tuple[str, NDArray[Any]]]:
        """Group the collected uses into edges, and discard the uses. Yield the columns of a table with these edges.

        The edges are in the order of their first uses, and the sites of an edge in the order in which they were added.
        The column "first_site" has the end of each edge's sites.

        There is one edge for each source, target and kind. An edge has the manner and the rule of its use with the
        highest confidence, and a site the rule of its use with the highest confidence; of several such uses, the first.
        For an edge, a use in the manner `making` comes before these, because naming a type says less.
        """
        import numpy as np

        columns = self._source, self._link, self._site
        edge = _numbered(*(np.frombuffer(column, np.int64) for column in columns[:2]))
        order = np.argsort(edge, kind="stable")  # uses of one edge are adjacent
        source, link, site = (np.frombuffer(column, np.int64)[order] for column in columns)
        edge = edge[order]
        for column in columns:
            del column[:]
        starts = np.flatnonzero(np.diff(edge, prepend=-1))
        rule = (link & _WORD).astype(np.int16)
        level = np.unique(-confidence, return_inverse=True)[1].astype(np.int8)[rule]  # 0 is the surest
        links = link[np.lexsort(((link >> WORD_BITS & _WORD) != making, level, edge))[starts]]
        kept = _distinct(edge, site, level)
        yield "source", source[starts] >> 1
        yield "target", links >> _WAY_BITS
        yield "kind", links >> 2 * WORD_BITS & (1 << _KIND_BITS) - 1
        yield "confidence", confidence[links & _WORD]
        yield "in_test", source[starts] & 1
        yield "manner", links >> WORD_BITS & _WORD
        yield "rule", links & _WORD
        yield "site", site[kept]
        yield "site_rule", rule[kept]
        yield "first_site", np.cumsum(np.bincount(edge[kept], minlength=len(starts)))


def _numbered(source: NDArray[np.int64], link: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the edge number of each use. Edges are numbered in the order of their first uses.

    `numpy.unique` would give the same result but needs twice the memory, and the resolver process has its memory peak
    here.
    """
    import numpy as np

    pairs = (source >> 1) << (_ROW_BITS + _KIND_BITS) | link >> 2 * WORD_BITS
    order = np.argsort(pairs, kind="stable")
    starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    first = order[starts]
    number = np.empty(len(first), np.int32)
    number[np.argsort(first)] = np.arange(len(first))
    edge = np.empty(len(pairs), np.int32)
    edge[order] = np.repeat(number, np.diff(starts, append=len(pairs)))
    return edge


def _distinct(edge: NDArray[np.int32], site: NDArray[np.int64], level: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return a mask over the uses: True for the first of the surest uses of an edge at a site."""
    import numpy as np

    alike = np.lexsort((level, site, edge))  # uses with equal edge and site are adjacent
    again = (np.diff(edge[alike]) == 0) & (np.diff(site[alike]) == 0)
    kept = np.ones(len(edge), dtype=np.bool_)
    kept[alike[1:][again]] = False
    return kept
