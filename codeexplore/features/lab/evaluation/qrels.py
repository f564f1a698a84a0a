"""Relevance judgements: the symbols that the expected names of a question mean.

A name without a symbol, or with several symbols, is reported as a problem. It does not count in the measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from codeexplore.features.lab.evaluation.fixtures import Question
from codeexplore.features.lab.evaluation.metrics import DEMANDED
from codeexplore.index.catalog import Catalog
from codeexplore.search.filters import allowed_chunks
from codeexplore.text.enumeration import shortened
from codeexplore.types import Chunk, Symbol

_MOST_SHOWN = 6

ProblemKind: TypeAlias = Literal["gone", "unsearchable", "filtered", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Target:
    """One right answer: the name in the fixture file, its symbol, and the document that a ranking shows for it.

    A symbol that is too small for a chunk of its own is shown as part of the symbol around it. `document` is then the
    id of the outer symbol.
    """

    name: str
    grade: int  # 0 to 3: see `metrics`
    symbol_id: str
    document: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A name that cannot be judged, with the reason. It is reported and does not count in the measures."""

    question_id: str
    name: str
    kind: ProblemKind
    message: str
    line: int  # line of the question in its file; 0 without a file


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its targets.

    The targets with the highest grade come first; those of equal grade are in the fixture's order.
    """

    question: Question
    targets: tuple[Target, ...]
    problems: tuple[Problem, ...]

    @property
    def grades(self) -> dict[str, int]:
        """Document → grade. If several names share a document, it has the highest of their grades."""
        grades: dict[str, int] = {}
        for target in self.targets:
            grades[target.document] = max(target.grade, grades.get(target.document, 0))
        return grades

    @property
    def scorable(self) -> bool:
        """True if the needed symbols exist: the first expected symbol for a ranking, else any expected symbol."""
        demanded = [target.name for target in self.targets if target.grade >= DEMANDED]
        if self.question.type == "ranking":
            return bool(demanded) and demanded[0] == self.question.expected[0]
        return bool(demanded)


def document_of(chunk: Chunk) -> str:
    """Return the document id of a chunk for runs and qrels: the id of its symbol, or else its path and first line."""
    return chunk.symbol if chunk.symbol is not None else f"{chunk.path}:{chunk.start_line}"


def judge(question: Question, catalog: Catalog) -> Judged:
    """Return the question with the symbols that its names mean, and with the names that cannot be judged."""
    targets: list[Target] = []
    problems: list[Problem] = []
    for name, grade in question.graded:
        found = _meant(name, question, catalog)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            targets.append(Target(name, grade, *found))
    return Judged(question, tuple(targets), tuple(problems))


def _meant(name: str, question: Question, catalog: Catalog) -> tuple[str, str] | Problem:
    """Return the ids of the symbol and of its document, or the reason why there is none."""

    def problem(kind: ProblemKind, message: str) -> Problem:
        return Problem(question.id, name, kind, message, question.line)

    everywhere = catalog.meant(name)
    if not everywhere and question.grades and _is_part_of_file(name, catalog):
        return name, name
    if not everywhere:
        nearest = catalog.nearest(name)
        hint = f"; the nearest names are {', '.join(nearest)}" if nearest else ""
        return problem("gone", f"no symbol is called {name!r}{hint}")
    shown = [(symbol, chunk) for symbol in everywhere if (chunk := catalog.chunk_for(symbol.id)) is not None]
    if not shown:
        return problem(
            "unsearchable", f"{name!r} is {_listed(everywhere)}, which has no text of its own to be found by"
        )
    allowed = allowed_chunks(question.filters, catalog)
    passing = [pair for pair in shown if allowed is None or allowed[catalog.chunk_row(pair[1].id)]]
    if not passing:
        return problem("filtered", f"{name!r} is {_listed([shown[0][0]])}, which the question's own filters leave out")
    if len(passing) > 1:
        symbols = [symbol for symbol, _ in passing]
        return problem(
            "ambiguous", f"{name!r} may mean {len(symbols)} symbols; give a longer name or an id: {_listed(symbols)}"
        )
    symbol, chunk = passing[0]
    return symbol.id, document_of(chunk)


def _is_part_of_file(name: str, catalog: Catalog) -> bool:
    """Return True if `name` is the document id of a chunk without a symbol: its path and first line."""
    path, _, line = name.rpartition(":")
    if not line.isdecimal():
        return False
    return any(document_of(chunk) == name for chunk in catalog.chunks_in(path))


def _listed(symbols: Sequence[Symbol]) -> str:
    return shortened([symbol.id for symbol in symbols], _MOST_SHOWN)
