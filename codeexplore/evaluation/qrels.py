"""Relevance judgements: from expected names to ids. Names without a symbol or with several are reported only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from codeexplore.evaluation.fixtures import Question
from codeexplore.evaluation.metrics import ACCEPTED, DEMANDED
from codeexplore.index.catalog import Catalog
from codeexplore.search.filters import allowed_chunks
from codeexplore.types import Chunk, Symbol

_MOST_SHOWN = 6

ProblemKind: TypeAlias = Literal["gone", "unsearchable", "filtered", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Target:
    """One right answer: the name in the fixture, the symbol it means, and the document a ranking shows for it.

    A symbol too small for a chunk of its own is shown as the symbol around it: `document` is that one's id.
    """

    name: str
    grade: int  # DEMANDED or ACCEPTED
    symbol_id: str
    document: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A name that can't be judged, and why. It is left out of the measures and reported."""

    question_id: str
    name: str
    kind: ProblemKind
    message: str
    line: int  # of the question in its file; 0 when it comes from none


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its targets in the fixture's order, the demanded ones first."""

    question: Question
    targets: tuple[Target, ...]
    problems: tuple[Problem, ...]

    @property
    def grades(self) -> dict[str, int]:
        """Document → grade, the highest where several names share a document."""
        grades: dict[str, int] = {}
        for target in self.targets:
            grades[target.document] = max(target.grade, grades.get(target.document, 0))
        return grades

    @property
    def scorable(self) -> bool:
        """True if the expected symbol that the question's type needs exists: any of them; for a ranking the first."""
        demanded = [target.name for target in self.targets if target.grade == DEMANDED]
        if self.question.type == "ranking":
            return bool(demanded) and demanded[0] == self.question.expected[0]
        return bool(demanded)


def document_of(chunk: Chunk) -> str:
    """Return the document id of a ranking's entry for runs and qrels: its symbol's id, else its place."""
    return chunk.symbol if chunk.symbol is not None else f"{chunk.path}:{chunk.start_line}"


def judge(question: Question, catalog: Catalog) -> Judged:
    """Look up every name of a question."""
    targets: list[Target] = []
    problems: list[Problem] = []
    for names, grade in ((question.expected, DEMANDED), (question.accepted, ACCEPTED)):
        for name in names:
            found = _meant(name, question, catalog)
            if isinstance(found, Problem):
                problems.append(found)
            else:
                targets.append(Target(name, grade, found[0].id, document_of(found[1])))
    return Judged(question, tuple(targets), tuple(problems))


def _meant(name: str, question: Question, catalog: Catalog) -> tuple[Symbol, Chunk] | Problem:
    def problem(kind: ProblemKind, message: str) -> Problem:
        return Problem(question.id, name, kind, message, question.line)

    everywhere = catalog.meant(name)
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
    return passing[0]


def _listed(symbols: Sequence[Symbol]) -> str:
    listed = ", ".join(symbol.id for symbol in symbols[:_MOST_SHOWN])
    more = f" and {len(symbols) - _MOST_SHOWN} more" if len(symbols) > _MOST_SHOWN else ""
    return listed + more
