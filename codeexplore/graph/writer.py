"""Where edges are written: from a family's own symbol numbers to the rows of the whole repository."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from codeexplore.graph.edge_table import EdgeTable
from codeexplore.graph.gathered import link_to, source_of
from codeexplore.graph.leftover_tables import ExternalTable, UnresolvedTable
from codeexplore.graph.rules import RULES
from codeexplore.languages.paths import is_test_path
from codeexplore.languages.resolution.entities import OUTSIDE
from codeexplore.languages.resolution.program import Program
from codeexplore.types import EdgeKind


class Telling(NamedTuple):
    """What one value tells of every place where it is used in the same way."""

    links: Sequence[int]
    outside: Sequence[tuple[str, bool]]  # names outside the repository, and whether they are called
    found: bool = True  # whether it can be called


class Noted(NamedTuple):
    """The same while it is being found out."""

    links: list[int]
    outside: list[tuple[str, bool]]

    def kept(self, found: bool = True) -> Telling:
        """What was noted, to be told many times."""
        return Telling(tuple(self.links), tuple(self.outside), found)


class EdgeWriter:
    """Writes one family's findings into the tables of the repository.

    Parameters
    ----------
    program
        The family.
    numbers
        The repository's number of each of the family's files.
    rows
        Symbol id → row.
    """

    def __init__(
        self,
        program: Program,
        numbers: Sequence[int],
        rows: Mapping[str, int],
        tables: tuple[EdgeTable, UnresolvedTable, ExternalTable],
    ) -> None:
        self._numbers = numbers
        self._edges, self._unresolved, self._externals = tables
        self._row = row = [rows[symbol.id] for symbol in program.symbols]
        self._charged = row if program.rules.lambdas_apart else [row[program.charged(each)] for each in range(len(row))]
        tests = [is_test_path(facts.path) for facts in program.files]
        sources = zip(self._charged, program.file_of, strict=True)
        self._sources = array("q", [source_of(charged, tests[file]) for charged, file in sources])
        self._gather = self._edges.gathered.add
        self._noting: Noted | None = None
        self._ways: dict[tuple[str, str, str], int] = {}  # kind, manner and rule of an edge → its way

    def site(self, file: int, line: int) -> int:
        """A line of a file as the tables write it."""
        return self._numbers[file] << 32 | line

    def edge(self, source: int, target: int, kind: EdgeKind, manner: str, rule: str, site: int) -> None:
        """One resolved or possible use."""
        way = self._ways.get((kind, manner, rule))
        if way is None:
            way = self._ways[kind, manner, rule] = self._edges.way(kind, manner, rule, RULES[rule].confidence)
        link = link_to(self._row[target], way)
        if self._noting is None:
            self._gather(self._sources[source], (link,), site)
        else:
            self._noting.links.append(link)

    def outside(self, source: int, name: str, call: bool, site: int, imported: bool = False) -> None:
        """One use of what lies outside the repository; `imported` where an import statement names it."""
        if name != OUTSIDE:
            if self._noting is None:
                self._externals.add(self._charged[source], name, call, site, imported)
            else:
                self._noting.outside.append((name, call))

    def unresolved(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        """One reference that no rule could resolve."""
        self._unresolved.add(self._charged[source], name, receiver, kind, site)

    @contextmanager
    def noting(self) -> Iterator[Noted]:
        """Note what would be written meanwhile: it is to be told, of one place or several."""
        self._noting = told = Noted([], [])
        try:
            yield told
        finally:
            self._noting = None

    def tell(self, source: int, told: Telling, site: int) -> None:
        """Write what was noted, of one place."""
        if told.links:
            self._gather(self._sources[source], told.links, site)
        for name, call in told.outside:
            self._externals.add(self._charged[source], name, call, site)
