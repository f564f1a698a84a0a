"""Pools: the hits that judges grade, gathered from several settings of the search.

Each setting answers each question, and the first hits of all answers are put together. Nobody has to judge the whole
repository, and no setting has an advantage, as long as its own hits are in the pool.

Source: Spärck Jones and van Rijsbergen, "Report on the need for and provision of an 'ideal' information retrieval test
collection", 1975; used by TREC since 1992.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeexplore.answers.source import SourceView
from codeexplore.features.lab.evaluation.fixtures import (
    Fixtures,
    Question,
    Questions,
    document_of,
    load_fixtures,
    name_of,
)
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.search.options import check_count
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Chunk
    from codeexplore.workspace.workspace import Workspace

DEPTH: Final = 10
"""Hits of each answer in a pool: as many as a reader of an answer looks at."""

_NOT_IN_IDS = re.compile(r"[^\w.]+")


@dataclass(frozen=True, slots=True)
class PooledHit:
    """One hit to judge. `document` is its id in runs and qrels, see `fixtures.document_of`."""

    document: str
    name: str
    kind: str
    source: SourceView


@dataclass(frozen=True, slots=True)
class PooledQuestion:
    """A question with its hits, in the order in which they are judged."""

    question: Question
    hits: tuple[PooledHit, ...]


@dataclass(frozen=True, slots=True)
class Pool(Questions[PooledQuestion]):
    """The hits of several settings for each question. Each hit is in it once, however many settings returned it."""

    workspace: str
    depth: int
    settings: tuple[str, ...]
    questions: tuple[PooledQuestion, ...]

    @property
    def size(self) -> int:
        """Number of hits to judge, over all questions."""
        return sum(len(each.hits) for each in self.questions)

    def hit(self, question_id: str, document: str) -> PooledHit | None:
        """Return a hit by the id of its question and its document; None if it is not in the pool."""
        found = (each for each in self.questions if each.question.id == question_id)
        return next((hit for each in found for hit in each.hits if hit.document == document), None)

    def shuffled(self, seed: str) -> Pool:
        """Return the pool with the hits of each question in another order. Equal seeds give equal orders.

        The order of the hits does not depend on the settings that found them, so it tells a judge nothing.
        """
        questions = []
        for each in self.questions:
            hits = sorted(each.hits, key=lambda hit: hit.document)
            random.Random(f"{seed}\0{each.question.id}").shuffle(hits)
            questions.append(replace(each, hits=tuple(hits)))
        return replace(self, questions=tuple(questions))


def pooled_settings(lanes: Iterable[str] = LANES, fusions: Iterable[str] = tuple(FUSIONS)) -> tuple[Setting, ...]:
    """Return the settings whose hits a pool has: each lane alone, each fusion of the lanes, and both with all signals.

    Raises QuestionError if a lane or fusion does not exist, or there is no lane.
    """
    chosen, fused = tuple(dict.fromkeys(lanes)), tuple(dict.fromkeys(fusions))
    for what, given, known in (("lane", chosen, LANES), ("fusion", fused, tuple(FUSIONS))):
        wrong = next((each for each in given if each not in known), None)
        if wrong is not None:
            raise QuestionError(f"unknown {what} {wrong!r:.80}; known: {', '.join(known)}")
    if not chosen:
        raise QuestionError(f"a pool needs at least one lane of: {', '.join(LANES)}")
    alone = [Setting(lanes=(lane,), signals=False) for lane in chosen]
    if len(chosen) == 1:
        return tuple(alone)
    together = [Setting(lanes=chosen, fusion=fusion, signals=False) for fusion in fused]
    return (*alone, *together, Setting(lanes=chosen))


def questions_of(given: Fixtures | Sequence[Question | str] | str | Path) -> tuple[Question, ...]:
    """Return questions from a fixture file, from texts, or from questions.

    The id of a text is made from its words, so that judgements of it are found again in another order of questions.

    Raises QuestionError if there is no question, one is empty, or two have the same id; FixtureError if the fixture
    file is not usable.
    """
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(".json")):
        return load_fixtures(given).questions
    listed = [given] if isinstance(given, str) else list(given)
    questions = [_asked(each) for each in listed]
    if not questions:
        raise QuestionError("there are no questions: give texts, questions or the path of a fixture file")
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise QuestionError(f"two questions have the id {question.id!r}; give each question once")
        seen.add(question.id)
    return tuple(questions)


def make_pool(
    workspace: Workspace,
    questions: Fixtures | Sequence[Question | str] | str | Path,
    depth: int = DEPTH,
    settings: Iterable[Setting | str] | None = None,
) -> Pool:
    """Ask each question in each setting, and return the pool of the first hits.

    Raises QuestionError if a setting or the depth is wrong, or a question cannot be asked; FixtureError if the fixture
    file is not usable.

    `depth` is the number of hits taken from each answer; see `pooled_settings` for the default settings.
    """
    check_count("depth", depth)
    asked = questions_of(questions)
    given = pooled_settings() if settings is None else settings
    chosen = tuple(Setting.parse(each) if isinstance(each, str) else each for each in given)
    if not chosen:
        raise QuestionError("a pool needs at least one setting")
    _ = workspace.graph  # wait for the graph, so that the graph lane answers
    engines = [(setting, setting.engine(workspace.engine)) for setting in chosen]
    catalog = engines[0][1].catalog
    pooled = []
    for question in asked:
        found: dict[str, Chunk] = {}
        for setting, engine in engines:
            result = engine.search(question.query, top_k=depth, filters=question.filters, **setting.options())
            for hit in result.hits:
                chunk = catalog.chunk(hit.chunk_id)
                found.setdefault(document_of(chunk), chunk)
        pooled.append(PooledQuestion(question, tuple(_pooled(each, workspace, catalog) for each in found.values())))
    return Pool(workspace.name, depth, tuple(setting.name for setting in chosen), tuple(pooled))


def _asked(given: object) -> Question:
    if isinstance(given, Question):
        return given
    if not isinstance(given, str) or not given.strip():
        raise QuestionError(f"a question must be a text or a Question, not {given!r:.80}")
    made = _NOT_IN_IDS.sub("-", given.strip().casefold()).strip("-") or "question"
    return Question(made, "needle", given.strip(), ())


def _pooled(chunk: Chunk, workspace: Workspace, catalog: Catalog) -> PooledHit:
    symbol = catalog.symbol_of(chunk)
    if symbol is None:
        source = SourceView(chunk.path, chunk.start_line, chunk.text, chunk.language)
    else:
        source = workspace.source(symbol).view
    kind = "" if symbol is None else symbol.kind
    return PooledHit(document_of(chunk), name_of(chunk, catalog), kind, source)
