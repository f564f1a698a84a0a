"""Where edges are written: from a family's own symbol numbers to the rows of the whole repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeexplore.graph.rules import RULES
from codeexplore.graph.tables import EdgeTable, ExternalTable, UnresolvedTable
from codeexplore.languages.paths import is_test_path
from codeexplore.languages.resolution.entities import OUTSIDE
from codeexplore.languages.resolution.program import Program
from codeexplore.types import EdgeKind


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
        self.program = program
        self._numbers = numbers
        self._edges, self._unresolved, self._externals = tables
        self._row = [rows[symbol.id] for symbol in program.symbols]
        self._tests = [is_test_path(facts.path) for facts in program.files]

    def site(self, file: int, line: int) -> int:
        """A line of a file as the tables write it."""
        return self._numbers[file] << 32 | line

    def edge(self, source: int, target: int, kind: EdgeKind, manner: str, rule: str, site: int) -> None:
        """One resolved or possible use."""
        source = self.program.charged(source)
        self._edges.add(
            self._row[source], self._row[target], kind, manner, rule, RULES[rule].confidence, site,
            self._tests[self.program.file_of[source]],
        )  # fmt: skip

    def outside(self, source: int, name: str, call: bool, site: int) -> None:
        """One use of what lies outside the repository."""
        if name != OUTSIDE:
            self._externals.add(self._row[self.program.charged(source)], name, call, site)

    def unresolved(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        """One reference that no rule could resolve."""
        self._unresolved.add(self._row[self.program.charged(source)], name, receiver, kind, site)
