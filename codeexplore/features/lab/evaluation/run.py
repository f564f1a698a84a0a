"""Runs of evaluations: every question of a fixture file is asked and its ranking measured; two of them are compared.

A comparison has wins, losses and a significance test. Its first evaluation is called `before`, the second `after`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from codeexplore.answers.blocks import Block, Heading, Piece, Row, Table, Text, Words
from codeexplore.answers.data import Frame, frame
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import one_line, plural, shorten
from codeexplore.features.lab.evaluation import metrics
from codeexplore.features.lab.evaluation.fixtures import Fixtures, Judged, Question, document_of, judge, name_of
from codeexplore.features.lab.evaluation.metrics import Chance, randomisation_test
from codeexplore.features.lab.evaluation.results import (
    FURTHER_MEASURES,
    QUERY_CHARS,
    Evaluation,
    Measure,
    QuestionResult,
    Ranked,
    Scores,
    SettingsTable,
    value_words,
    warning_blocks,
)
from codeexplore.features.lab.evaluation.setting import Setting, ablations, lane_subsets
from codeexplore.search.options import one_of
from codeexplore.text.enumeration import shortened
from codeexplore.types import SCHEMA_VERSION, settings
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
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
        chunks = [(hit, engine.catalog.chunk(hit.chunk_id)) for hit in result.hits]
        ranked = [Ranked(hit.rank, document_of(c), name_of(c, engine.catalog), hit.score) for hit, c in chunks]
        results.append(_measured(judge(question, engine.catalog), tuple(ranked), elapsed, cutoff))
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


_MOST_LISTED = 20
_LEAST_P = 0.001  # that three digits show: no test can prove a p-value of zero
_LIKELY = ((0.01, "that is hardly chance"), (0.05, "that is probably not chance"), (2.0, "that may well be chance"))


class Pair(NamedTuple):
    """The results of one question in both evaluations."""

    before: QuestionResult
    after: QuestionResult

    def difference(self, measure: str) -> float:
        """Return the score in the second evaluation minus the score in the first. 0 is a tie."""
        value: float = getattr(self.after.scores, measure) - getattr(self.before.scores, measure)
        return value


@dataclass(frozen=True, slots=True)
class Difference:
    """Comparison by one measure: means over the shared questions, wins of the second evaluation, significance test."""

    measure: Measure
    before: float
    after: float
    wins: int
    losses: int
    ties: int
    chance: Chance

    @property
    def value(self) -> float:
        return self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        means = {"before": self.before, "after": self.after, "difference": self.value}
        return {**means, "wins": self.wins, "losses": self.losses, "ties": self.ties, **self.chance._asdict()}


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Shown):
    """Comparison of two settings or models, by the questions that are scored in both evaluations."""

    before: Evaluation
    after: Evaluation
    before_name: str
    after_name: str
    measure: str  # the measure by which wins and losses are listed: a key of `measures`
    pairs: tuple[Pair, ...]
    differences: tuple[Difference, ...]  # one difference for each measure
    left_out: tuple[str, ...]  # ids of questions that are not scored in both evaluations

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that both evaluations have."""
        return min(self.before.measures, self.after.measures, key=len)

    @property
    def wins(self) -> tuple[Pair, ...]:
        """Questions that the second evaluation answers better, largest difference first."""
        return self._sorted(1)

    @property
    def losses(self) -> tuple[Pair, ...]:
        """Questions that the second evaluation answers worse, largest difference first."""
        return self._sorted(-1)

    def _sorted(self, sign: int) -> tuple[Pair, ...]:
        found = [pair for pair in self.pairs if sign * pair.difference(self.measure) > 0]
        return tuple(sorted(found, key=lambda pair: -sign * pair.difference(self.measure)))

    def to_frame(self) -> Frame:
        """Return a data frame with one row for each shared question.

        The column `question` has its text. The columns `MEASURE_before` and `MEASURE_after` have its scores. Raises
        ImportError without pandas.
        """
        columns = [f"{measure.key}_{when}" for measure in self.measures for when in ("before", "after")]
        rows = []
        for pair in self.pairs:
            scores = [float(getattr(each.scores, measure.key)) for measure in self.measures for each in pair]
            rows.append({"question": pair.after.question.query, **dict(zip(columns, scores, strict=True))})
        return frame(("question", *columns), rows)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA_VERSION,
            "kind": "comparison",
            "before": {"name": self.before_name, **self.before.to_dict()},
            "after": {"name": self.after_name, **self.after.to_dict()},
            "measures": {each.measure.key: each.to_dict() for each in self.differences},
            "questions": [
                {"id": pair.after.question.id, "difference": pair.difference(self.measure)} for pair in self.pairs
            ],
            "measure": self.measure,
            "left_out": list(self.left_out),
        }

    def blocks(self) -> list[Block]:
        cutoff = self.before.cutoff
        rows = [Row(tuple(_difference_cells(each, cutoff))) for each in self.differences]
        chosen = next(each for each in self.differences if each.measure.key == self.measure)
        label, asked = chosen.measure.titled(cutoff), f"{plural(len(self.left_out), 'question')} not scored in both"
        left_out = [one_line(f"{asked}, left out: {shortened(self.left_out, _MOST_LISTED)}")] if self.left_out else []
        return [
            Heading(Words(f"{plural(len(self.pairs), 'question')} asked twice")),
            Text(("  A  ", Piece(self.before_name, "code"))),
            Text(("  B  ", Piece(self.after_name, "code"))),
            Table("Differences", ("measure", "A", "B", "B − A", "B wins", "loses", "ties", "p"), rows),
            Text(_verdict(chosen, cutoff), apart=True),
            *_pairs(f"B wins, by {label}", self.wins, self),
            *_pairs(f"B loses, by {label}", self.losses, self),
            *warning_blocks(left_out),
        ]


def compare(
    before: Evaluation, after: Evaluation, *, measure: str = "ndcg", before_name: str = "", after_name: str = ""
) -> Comparison:
    """Compare two evaluations of the same questions with a paired randomisation test.

    Raises QuestionError if the measure is unknown, the cutoffs differ, or no question is scored in both evaluations.

    Parameters
    ----------
    before, after
        Evaluations with the same cutoff. `after` wins a question if it scores higher.
    measure
        The measure by which wins and losses are listed: a key of `MEASURES`, or of `POOL_MEASURES` if both have them.
    before_name, after_name
        Names in displays; by default the names of the settings.
    """
    measures = min(before.measures, after.measures, key=len)
    known = {each.key: each for each in measures}
    if measure not in known:
        raise QuestionError(f"unknown measure {measure!r}; known: {', '.join(known)}")
    if before.cutoff != after.cutoff:
        raise QuestionError(f"the cutoffs differ: {before.cutoff} and {after.cutoff}; evaluate both with the same")
    first = {result.question.id: result for result in before.scored}
    second = {result.question.id: result for result in after.scored}
    pairs = tuple(Pair(result, second[each]) for each, result in first.items() if each in second)
    if not pairs:
        raise QuestionError("no question is scored in both: are the fixtures the same, and do their symbols exist?")
    asked = dict.fromkeys(result.question.id for result in (*before.results, *after.results))
    names = (before_name or before.setting.name, after_name or after.setting.name)
    differences = tuple(_difference(each, pairs) for each in measures)
    left_out = tuple(each for each in asked if each not in first or each not in second)
    return Comparison(before, after, *names, measure, pairs, differences, left_out)


def measured(
    workspace: Workspace,
    fixtures: Fixtures,
    asked: Sequence[Setting | str],
    *,
    subsets: bool,
    ablate: bool,
    cutoff: int,
    measure: str = "ndcg",
) -> tuple[Evaluation | Comparison | SettingsTable, tuple[Evaluation, ...]]:
    """Return what the command ``eval`` and the magic show for their options, and the evaluations that it is made of.

    It is a table of all `subsets` of lanes, or of the default without each signal (`ablate`); else the evaluation of
    the setting that is asked, or the comparison of two of them.
    """
    if subsets or ablate:
        asked = lane_subsets() if subsets else ablations(workspace.engine)
    further = {measure} & {each.key for each in FURTHER_MEASURES}
    evaluations = evaluate_settings(workspace, fixtures, asked, cutoff=cutoff, further=further)
    if subsets or ablate:
        return SettingsTable(evaluations), evaluations
    return compare(*evaluations, measure=measure) if len(asked) == 2 else evaluations[0], evaluations


def _difference(measure: Measure, pairs: tuple[Pair, ...]) -> Difference:
    values = [pair.difference(measure.key) for pair in pairs]
    wins, losses = sum(1 for value in values if value > 0), sum(1 for value in values if value < 0)
    before, after = (
        metrics.mean([getattr(each.scores, measure.key) for each in side]) for side in zip(*pairs, strict=True)
    )
    return Difference(measure, before, after, wins, losses, len(values) - wins - losses, randomisation_test(values))


def _difference_cells(each: Difference, cutoff: int) -> list[str]:
    numbers = [str(count) for count in (each.wins, each.losses, each.ties)]
    means = [value_words(each.before), value_words(each.after), f"{each.value:+.3f}"]
    p = f"{each.chance.p_value:.3f}" if each.chance.p_value >= _LEAST_P else f"<{_LEAST_P}"
    return [each.measure.titled(cutoff), *means, *numbers, p]


def _verdict(difference: Difference, cutoff: int) -> str:
    label, chance = difference.measure.titled(cutoff), difference.chance
    if not difference.wins and not difference.losses:
        return f"A and B have the same {label} for every question."
    how = f"all {chance.trials:,}" if chance.exact else f"{chance.trials:,} random"
    better = "A and B are equal on average"
    if difference.value:
        better = f"{'B' if difference.value > 0 else 'A'} is better ({difference.value:+.3f})"
    likely = next(words for limit, words in _LIKELY if chance.p_value < limit)
    p = f"= {chance.p_value:.3f}" if chance.p_value >= _LEAST_P else f"≈ {chance.p_value:.1g}"
    return (
        f"By {label} {better}, and {likely}: were both equally good, {how} ways of swapping A and B within "
        f"questions would give a difference this large with p {p}."
    )


def _pairs(title: str, pairs: Sequence[Pair], comparison: Comparison) -> list[Block]:
    rows = []
    for pair in pairs[:_MOST_LISTED]:
        ranks = f"rank {pair.before.first_rank or '–'} → {pair.after.first_rank or '–'}"
        question = pair.after.question
        asked = f"{shorten(one_line(question.query), QUERY_CHARS)} ", Piece(question.id, "dim")
        rows.append(Row((f"{pair.difference(comparison.measure):+.3f}", ranks, asked)))
    more = [Text(f"and {len(pairs) - _MOST_LISTED} more", "dim")] if len(pairs) > _MOST_LISTED else []
    columns = ("difference", "first expected", "question")
    return [Table(title, columns, rows), *more] if rows else []
