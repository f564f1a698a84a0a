"""Run of an evaluation: it searches for every question of a fixture file and measures the rankings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from codeexplore.features.lab.evaluation import metrics
from codeexplore.features.lab.evaluation.fixtures import Fixtures, Judged, Question, document_of, judge, name_of
from codeexplore.features.lab.evaluation.results import FURTHER_MEASURES, Evaluation, QuestionResult, Ranked, Scores
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.search.options import one_of
from codeexplore.types import settings
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.search.engine import SearchEngine
    from codeexplore.types import SearchResult
    from codeexplore.workspace.workspace import Workspace


def evaluate(
    workspace: Workspace,
    fixtures: Fixtures | Sequence[Question],
    setting: Setting | str = "default",
    *,
    cutoff: int = settings.TOP_K,
    further: Collection[str] = (),
) -> Evaluation:
    """Search for each question and compare the ranking with the expected symbols.

    A time is the time of a whole search, from the question to the re-ranked hits. The first question is asked once
    before the measurement, so that no time contains one-time computations.

    `setting` says how to search: a `Setting`, or its text form as `Setting.parse` reads it. `cutoff` is the k of
    recall@k, MRR@k, nDCG@k and hit@k, 1 to 200. `further` are keys of `FURTHER_MEASURES` to show beside `MEASURES`:
    "ndcg_exp" is nDCG with the gain 2^grade − 1.

    Raises QuestionError if the setting, the cutoff or a measure is not valid, or a question cannot be asked;
    GraphUnresolved if the graph could not be built.
    """
    if not isinstance(cutoff, int) or not 1 <= cutoff <= settings.POOL:  # type: ignore[redundant-expr]
        raise QuestionError(f"the cutoff must be a whole number, 1 to {settings.POOL}, not {cutoff!r:.80}")
    if other := [each for each in fixtures if not isinstance(each, Question)]:  # type: ignore[redundant-expr]
        raise QuestionError(f"{other[0]!r:.80} is no question with known answers: load_fixtures(FILE) reads them")
    if not fixtures:
        raise QuestionError("there are no questions to ask: give one at least")
    keys = [one_of("measure", each, (each.key for each in FURTHER_MEASURES)) for each in further]
    shown = tuple(each for each in FURTHER_MEASURES if each.key in keys)
    setting = Setting.parse(setting) if isinstance(setting, str) else setting
    _ = workspace.graph  # wait for the graph, which may still be building: searches are measured with it
    engine = setting.engine(workspace.engine)
    failed: Counter[str] = Counter()
    results: list[QuestionResult] = []
    for first in list(fixtures)[:1]:
        _ask(engine, first, setting, cutoff)
    for question in fixtures:
        started = time.perf_counter()
        result = _ask(engine, question, setting, cutoff)
        elapsed = (time.perf_counter() - started) * 1e3
        failed.update(f"{r.lane} {r.status}" for r in result.rankings if r.status in ("failed", "timed out"))
        ranked = _ranked(result, engine.catalog)
        results.append(_measured(judge(question, engine.catalog), ranked, elapsed, cutoff))
    name = fixtures.name if isinstance(fixtures, Fixtures) else "questions"
    warnings = [f"{what} in {count} of {len(results)} questions" for what, count in sorted(failed.items())]
    ids = fixtures.documents if isinstance(fixtures, Fixtures) else {}
    return Evaluation(workspace.name, name, setting, cutoff, tuple(results), tuple(warnings), ids, shown)


def evaluate_settings(
    workspace: Workspace,
    fixtures: Fixtures | Sequence[Question],
    chosen: Iterable[Setting | str],
    *,
    cutoff: int = settings.TOP_K,
    further: Collection[str] = (),
) -> tuple[Evaluation, ...]:
    """Return the evaluation of each setting, in the order of `chosen`."""
    return tuple(evaluate(workspace, fixtures, setting, cutoff=cutoff, further=further) for setting in chosen)


def _ask(engine: SearchEngine, question: Question, setting: Setting, cutoff: int) -> SearchResult:
    top_k = max(cutoff, question.top_k)
    try:
        return engine.search(question.query, top_k=top_k, filters=question.filters, **setting.options())
    except QuestionError as error:
        raise QuestionError(f"question {question.id!r}: {error}") from error


def _ranked(result: SearchResult, catalog: Catalog) -> tuple[Ranked, ...]:
    chunks = [(hit, catalog.chunk(hit.chunk_id)) for hit in result.hits]
    return tuple(Ranked(hit.rank, document_of(chunk), name_of(chunk, catalog), hit.score) for hit, chunk in chunks)


def _measured(judged: Judged, ranked: tuple[Ranked, ...], elapsed: float, cutoff: int) -> QuestionResult:
    grades = judged.grades
    documents = [each.document for each in ranked]
    scores = None
    if judged.scorable:
        scores = Scores(
            hit_at_1=metrics.hit(documents, grades, 1),
            hit=metrics.hit(documents, grades, cutoff),
            mrr=metrics.reciprocal_rank(documents, grades, cutoff),
            recall=metrics.recall(documents, grades, cutoff),
            ndcg=metrics.ndcg(documents, grades, cutoff),
            bpref=metrics.bpref(documents[:cutoff], grades),
            judged=metrics.judged(documents, grades, cutoff),
            ndcg_exp=metrics.ndcg(documents, grades, cutoff, exponential=True),
        )
    first = metrics.first_rank(documents, grades)
    return QuestionResult(judged, ranked, scores, _passed(judged, documents), first, elapsed)


def _passed(judged: Judged, documents: Sequence[str]) -> bool | None:
    """Return True if the question passes by the rule of its type; None if it cannot be judged."""
    if not judged.scorable:
        return None
    question = judged.question
    shown = set(documents[: question.top_k])
    wanted = [target.document for target in judged.targets if target.grade >= metrics.DEMANDED]
    if question.type == "ranking":
        return wanted[0] in shown
    return shown.issuperset(wanted) if question.type == "expansion" else not shown.isdisjoint(wanted)
