"""Writer of edges: translates symbol numbers of one language family into rows of the whole repository.

Every call of the same value has the same targets. The edges are therefore found once, at the first call, and recorded
(`EdgeRecorder`). At the other calls they are written again (`EdgeWriter.write`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from codeexplore.graph.build.rules import RULES
from codeexplore.graph.tables import EdgeTable, ExternalTable, UnresolvedTable, pack_target, source_of
from codeexplore.languages.file_roles import is_test_path
from codeexplore.resolution.program import Program
from codeexplore.resolution.values import OUTSIDE
from codeexplore.types import EdgeKind

MAX_TARGETS: Final = 500
"""Maximal number of targets of one reference.

It is larger than the number of subtypes that are searched (`MAX_DESCENDANTS`). In the repositories that we measured a
call has at most 119 targets: a method that all adapters of a library override."""

USES_PER_FACT: Final = 2
"""Maximal number of uses for each fact of a family. In the repositories that we measured there are at most 0.4."""

LEAST_USES: Final = 20_000
"""Number of uses that a family may have whatever its number of facts."""

_FEW: Final = 8  # maximal number of targets of one reference after the maximal number of uses


class RecordedEdges(NamedTuple):
    """Edges to the targets of one value, to be written at every place that uses the value in the same way."""

    links: Sequence[int]  # see `tables.pack_target`
    outside: Sequence[tuple[str, bool]]  # name outside the repository, True if it is called
    found: bool = True  # the value can be called
    cut: bool = False  # there were more than `MAX_TARGETS` links
    missing: bool = False  # targets may be missing; see `EdgeWriter.mark_incomplete`


class EdgeRecorder:
    """Collector of the edges to the targets of one value."""

    def __init__(self) -> None:
        self.links: list[int] = []
        self.outside: list[tuple[str, bool]] = []
        self.missing = False

    def finish(self, found: bool = True) -> RecordedEdges:
        """Return each recorded target once, at most `MAX_TARGETS`; `found` is False if the value is not callable."""
        links = tuple(self.links) if len(self.links) < 2 else tuple(dict.fromkeys(self.links))
        return RecordedEdges(links[:MAX_TARGETS], tuple(self.outside), found, len(links) > MAX_TARGETS, self.missing)


class EdgeWriter:
    """Writer of the edges and references of one language family into the tables of the repository.

    Parameters
    ----------
    program
        Facts of the family.
    numbers
        File number in the family → file number in the repository.
    rows
        Symbol id → row.
    tables
        Tables of the repository to which rows are added.
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
        self._charged = (
            row if program.rules.scopes.lambdas_apart else [row[program.charged(each)] for each in range(len(row))]
        )
        tests = [is_test_path(facts.path) for facts in program.files]
        sources = zip(self._charged, program.file_of, strict=True)
        self._sources = array("q", [source_of(charged, tests[file]) for charged, file in sources])
        self._gather = self._edges.gathered.add
        self._recorder: EdgeRecorder | None = None
        self._ways: dict[tuple[str, str, str], int] = {}  # (kind, manner, rule) → edge key
        self._work = program.work
        self._uses = 0
        self._most_uses = LEAST_USES + USES_PER_FACT * program.work.facts

    def site(self, file: int, line: int) -> int:
        """Return a site as the tables store it (file << 32 | line), from the number of a file in the family."""
        return self._numbers[file] << 32 | line

    def edge(self, source: int, target: int, kind: EdgeKind, manner: str, rule: str, site: int) -> None:
        way = self._ways.get((kind, manner, rule))
        if way is None:
            way = self._ways[kind, manner, rule] = self._edges.way(kind, manner, rule, RULES[rule].confidence)
        link = pack_target(self._row[target], way)
        if self._recorder is None:
            self._gather(self._sources[source], (link,), site)
        else:
            self._recorder.links.append(link)

    def outside(self, source: int, name: str, call: bool, site: int, imported: bool = False) -> None:
        """Write one use of `name`, a name outside the repository. `imported` is True for an import statement."""
        if name != OUTSIDE:
            if self._recorder is None:
                self._externals.add(self._charged[source], name, call, site, imported)
            else:
                self._recorder.outside.append((name, call))

    def unresolved(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        self._unresolved.add(self._charged[source], name, receiver, kind, site)

    @contextmanager
    def recording(self) -> Iterator[EdgeRecorder]:
        """Return a context in which edges are recorded, so that `write` can write them at several sites."""
        self._recorder = recorder = EdgeRecorder()
        try:
            yield recorder
        finally:
            self._recorder = None

    def mark_incomplete(self) -> None:
        """Mark the current recording as incomplete: some targets get no edge."""
        if self._recorder is not None:
            self._recorder.missing = True

    def write(self, source: int, recorded: RecordedEdges, site: int) -> bool:
        """Write recorded edges at one site; return False if some edges were left out because there were too many."""
        links, whole = recorded.links, not recorded.cut
        if links:
            self._uses += len(links)
            if len(links) > _FEW and self._uses > self._most_uses:
                links, whole = links[:_FEW], False
            self._gather(self._sources[source], links, site)
        for name, call in recorded.outside:
            self._externals.add(self._charged[source], name, call, site)
        return whole

    def note_cut(self, name: str) -> None:
        """Count a reference called `name` whose edges were left out in part, for the notes in the answer."""
        self._work.leave_out("calls with too many targets, of which only the first have edges", name)
