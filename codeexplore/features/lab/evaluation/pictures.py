"""Pictures of a ranking and of an evaluation. Each has a chart, the table of its numbers, and says how it was made.

A `Sweep` draws a measure against one number of the fusion, on two halves of the questions. A value chosen on one half
is measured on the other half: what it seems to gain on its own half and does not gain on the other one is overfitting.

>>> from codeexplore import Workspace, sample_repo
>>> ws = Workspace(sample_repo("webshop"))
>>> print(term_bars(ws.search("expired session").explain(1)).title)
BM25 score of webshop.errors.SessionExpired by term
"""

from __future__ import annotations

import posixpath
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeexplore.answers.blocks import Block, Fold, Heading, Row, Table, Text
from codeexplore.answers.data import Frame, frame
from codeexplore.answers.shown import Shown
from codeexplore.answers.wording import one_line
from codeexplore.features.lab.charts import Bar, Bars, Chart, Figure, HeatMap, Lines, Point, Points, Series, chart_svg
from codeexplore.features.lab.evaluation.fixtures import Fixtures, Question
from codeexplore.features.lab.evaluation.judgements import write_text
from codeexplore.features.lab.evaluation.metrics import DEMANDED, mean
from codeexplore.features.lab.evaluation.results import FURTHER_MEASURES, MEASURES, Evaluation
from codeexplore.features.lab.evaluation.run import Comparison, evaluate
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.types import LANES, SCHEMA_VERSION, settings
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.answers import Explanation
    from codeexplore.workspace.workspace import Workspace

_MOST_BARS = 40
_MOST_WORDS = 12  # rows and columns of a heat map
_DEEPEST: Final = 100  # ranks that rank distributions and precision–recall curves look at
_MOST_POINTS = 1_500
_BINS = ((1, 1), (2, 3), (4, 10), (11, 30), (31, _DEEPEST))
_LEVELS = tuple(n / 10 for n in range(11))  # of recall, as in the curves of TREC


@dataclass(frozen=True, slots=True, repr=False)
class Picture(Shown):
    """A chart with its table. A notebook shows both, a terminal and Markdown show the table."""

    title: str
    note: str  # how to read it, and how it was made
    figure: Figure
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | int, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"schema": SCHEMA_VERSION, "kind": "picture", "title": self.title, "note": self.note, "rows": rows}

    def to_frame(self) -> Frame:
        return frame(self.columns, self.rows)

    def to_svg(self) -> str:
        return chart_svg(self.figure)

    def save(self, path: str | Path) -> Path:
        """Write the chart as an SVG file and return its path. Raises FixtureError if it can't be written."""
        return write_text(path, self.to_svg())

    def blocks(self) -> list[Block]:
        title, rows = one_line(self.title), [Row(tuple(map(_cell, row))) for row in self.rows]
        numbers = Fold("the numbers", (Table(title, self.columns, rows),))
        return [Heading(title), Chart(self.title, self.figure), Text(self.note, "dim"), numbers]


def _cell(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else one_line(str(value))


def term_bars(explanation: Explanation) -> Picture:
    """Return the terms of a hit's BM25 score as bars. The bars add up to the score of the lane.

    Raises QuestionError if BM25 did not find the hit.
    """
    lane = next((each for each in explanation.lanes if each.terms), None)
    if lane is None:
        raise QuestionError(f"BM25 did not find {explanation.hit.name!r}: its score has no terms")
    terms = sorted(lane.terms, key=lambda term: -term.score)
    bars = tuple(Bar(term.term, term.score, "bm25") for term in terms[:_MOST_BARS])
    return Picture(
        f"BM25 score of {explanation.hit.name} by term",
        f"The terms add up to {lane.score:.4f}. tf: times in the hit; df: chunks with the term; idf: higher for rare "
        "terms; times: how often it is searched, a factor of its score. A term without a bar is not in the hit.",
        Bars("share of the BM25 score", bars),
        ("term", "tf", "df", "idf", "times", "score"),
        tuple((term.term, term.tf, term.df, term.idf, term.times, term.score) for term in terms),
    )


def word_pairs(explanation: Explanation) -> Picture:
    """Return the pairs of words in a hit's cosine as a heat map: words of the question by words of the hit.

    Raises QuestionError if the embedding lane did not find the hit.
    """
    lane = next((each for each in explanation.lanes if each.pairs), None)
    if lane is None:
        raise QuestionError(f"the embedding lane did not find {explanation.hit.name!r}: it has no word pairs")
    weight: dict[str, float] = {}
    for pair in lane.pairs:
        weight[pair.chunk_word] = weight.get(pair.chunk_word, 0.0) + abs(pair.value)
    asked = tuple(dict.fromkeys(pair.query_word for pair in lane.pairs))[:_MOST_WORDS]
    held = tuple(sorted(weight, key=lambda word: -weight[word])[:_MOST_WORDS])
    value: dict[tuple[str, str], float] = {(pair.query_word, pair.chunk_word): pair.value for pair in lane.pairs}
    shown = sum(value.get((a, b), 0.0) for a in asked for b in held)
    values = tuple(tuple(value.get((a, b), 0.0) for b in held) for a in asked)
    return Picture(
        f"Cosine of the question with {explanation.hit.name} by pair of words",
        f"All pairs add up to the cosine, {lane.score:.4f}; these add up to {shown:.4f}. A column is a word of the "
        "hit, and the columns with the largest shares are shown. Blue cells are negative: words that point away from "
        "each other.",
        HeatMap(asked, held, values),
        ("question word", "hit word", "share"),
        tuple((pair.query_word, pair.chunk_word, pair.value) for pair in lane.pairs),
    )


def chunk_map(workspace: Workspace, question: str = "", *, groups: int = 8) -> Picture:
    """Return the chunks as points in a plane, near each other if their embeddings are similar, with the question.

    The plane is a projection: the two directions in which the embeddings differ most (principal components). What is
    far apart in it is far apart; what is near may still differ in the directions that are not shown. The components
    are the eigenvectors of the covariance matrix of the embeddings (Pearson 1901). Of more than 1,500 chunks, an evenly
    spread sample is drawn.

    The question is a text, which is drawn as a cross. `groups` is the number of folders or modules with a colour of
    their own; the others share one.

    Raises QuestionError if there are fewer than three chunks, or no word of the question is known to the model.
    """
    import numpy as np

    index = workspace.index
    lane, catalog = index.engine.retrievers["embedding"], index.catalog
    vectors = np.asarray(lane.embeddings, np.float64)  # type: ignore[attr-defined]
    step = -(-len(vectors) // _MOST_POINTS) or 1
    rows = np.arange(0, len(vectors), step)
    if len(rows) < 3:
        raise QuestionError(f"a map needs at least three chunks; {workspace.name!r} has {len(vectors)}")
    chosen = vectors[rows]
    centre = chosen.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov(chosen - centre, rowvar=False))  # ascending
    spread, axes = np.clip(spread[::-1], 0.0, None), axes.T[::-1]
    shares = spread / (float(spread.sum()) or 1.0)
    # the sign of a component is arbitrary: its largest part is made positive, so that every machine draws one picture
    signs = np.sign(axes[[0, 1], np.abs(axes[:2]).argmax(axis=1)])
    axes = axes[:2] * np.where(signs == 0, 1.0, signs)[:, None]
    places = (chosen - centre) @ axes.T
    chunks = [catalog.chunks[int(row)] for row in rows]
    paths = [chunk.path for chunk in chunks]
    modules = _modules(paths, groups)
    names = [chunk.path if (symbol := catalog.symbol_of(chunk)) is None else symbol.fqn for chunk in chunks]
    points = [Point(float(x), float(y), name, m) for (x, y), name, m in zip(places, names, modules, strict=True)]
    if question.strip():
        asked = np.asarray(lane.encoder.encode_text(question), np.float64)  # type: ignore[attr-defined]
        if not asked.any():
            raise QuestionError(f"the embedding model knows no word of {question!r:.80}")
        x, y = ((asked - centre) @ axes.T).tolist()
        points.append(Point(x, y, question, "question", marked=True))
    first, second = (round(100 * float(share)) for share in shares[:2])
    sample = f" {len(rows):,} of {len(vectors):,} chunks are drawn." if step > 1 else ""
    return Picture(
        f"Chunks of {workspace.name} by meaning" + (", with the question" if question.strip() else ""),
        f"A projection: the two axes have {first}% and {second}% of the variance of the embeddings, so "
        f"{100 - first - second}% of it is not visible. Nearness in it is a hint, no proof; the lane compares "
        f"all {vectors.shape[1]} dimensions.{sample}",
        Points(f"component 1 ({shares[0]:.0%})", f"component 2 ({shares[1]:.0%})", tuple(points)),
        ("name", "group", "x", "y"),
        tuple((point.label, point.group, point.x, point.y) for point in points),
    )


def precision_recall(*evaluations: Evaluation) -> Picture:
    """Return the precision at each level of recall as one curve for each evaluation, averaged over questions.

    Evaluate with a large `cutoff`, since a ranking ends there: `evaluate(ws, questions, cutoff=100)`.

    Raises QuestionError if there is no evaluation, or no question could be scored.

    Interpolated as by TREC: the precision at a level is the highest precision at this recall or a higher one; 0 for
    levels that the ranking does not reach.
    """
    if not evaluations or not all(each.scored for each in evaluations):
        raise QuestionError("precision and recall need evaluations with questions that could be scored")
    curves = {}
    for each in evaluations:
        questions = [
            _precisions(result.judged.grades, [hit.document for hit in result.ranked]) for result in each.scored
        ]
        curves[each.setting.name] = tuple(mean(list(level)) for level in zip(*questions, strict=True))
    series = tuple(Series(name, tuple(zip(_LEVELS, curve, strict=True))) for name, curve in curves.items())
    return Picture(
        "Precision at each level of recall",
        f"Mean over {len(evaluations[0].scored)} questions, of at least the first {evaluations[0].cutoff} hits. Read "
        "it from the left: how pure is the answer when this share of the expected symbols has been found?",
        Lines("recall", "precision", series),
        ("recall", *curves),
        tuple((level, *(curve[n] for curve in curves.values())) for n, level in enumerate(_LEVELS)),
    )


def question_differences(comparison: Comparison) -> Picture:
    """Return the difference of each question between two settings as bars, the largest win first.

    The mean hides whether many questions win a little or few win much; this picture shows it.
    """
    measure = next(each for each in comparison.differences if each.measure.key == comparison.measure)
    pairs = sorted(comparison.pairs, key=lambda pair: -pair.difference(comparison.measure))
    changed = [pair for pair in pairs if pair.difference(comparison.measure)]
    half = _MOST_BARS // 2
    shown = changed if len(changed) <= _MOST_BARS else [*changed[:half], *changed[-half:]]
    values = ((pair.after.question.query, pair.difference(comparison.measure)) for pair in shown)
    bars = tuple(Bar(query, value, "B wins" if value > 0 else "A wins") for query, value in values)
    label = measure.measure.titled(comparison.before.cutoff)
    cut = f" The {len(changed) - len(shown)} smallest differences are in the table only." if shown != changed else ""
    return Picture(
        f"{label} by question: B ({comparison.after_name}) minus A ({comparison.before_name})",
        f"B wins {measure.wins}, loses {measure.losses}; {measure.ties} without a difference have no bar. Mean "
        f"difference {measure.value:+.3f}, p = {measure.chance.p_value:.2g}.{cut}",
        Bars(f"difference of {label}", bars),
        ("question", "A", "B", "difference"),
        tuple(
            (
                pair.after.question.query,
                *(float(getattr(each.scores, comparison.measure)) for each in pair),
                pair.difference(comparison.measure),
            )
            for pair in pairs
        ),
    )


def rank_distributions(
    workspace: Workspace, fixtures: Fixtures | Sequence[Question], lanes: Iterable[str] = LANES
) -> Picture:
    """Return for each lane alone at which ranks it finds the expected symbols.

    Raises QuestionError if a lane does not exist, or a question cannot be asked.
    """
    settings = [Setting(lanes=(lane,), signals=False) for lane in dict.fromkeys(lanes)]
    labels = [*(f"{low}–{high}" if high > low else str(low) for low, high in _BINS), "not found"]
    counts: dict[str, list[int]] = {}
    for setting in settings:
        result = evaluate(workspace, fixtures, setting, cutoff=_DEEPEST)
        found = [0] * len(labels)
        for each in result.scored:
            ranks = {hit.document: hit.rank for hit in each.ranked}
            wanted = {t.document for t in each.judged.targets if t.grade >= DEMANDED}
            for document in wanted:
                rank = ranks.get(document)
                place = next((n for n, (_, high) in enumerate(_BINS) if rank is not None and rank <= high), len(_BINS))
                found[place] += 1
        counts[str(setting.lanes[0] if setting.lanes else "")] = found
    bars = tuple(
        Bar(f"{lane} {label}", value, lane)
        for n, label in enumerate(labels)
        for lane, value in ((lane, found[n]) for lane, found in counts.items())
    )
    return Picture(
        "Ranks at which each lane finds the expected symbols",
        f"Each lane alone, without signals, its first {_DEEPEST} hits. A lane is useful to the fusion if it finds at "
        "good ranks what the others do not find.",
        Bars("number of expected symbols", bars),
        ("ranks", *counts),
        tuple((label, *(found[n] for found in counts.values())) for n, label in enumerate(labels)),
    )


def _precisions(grades: dict[str, int], ranked: Sequence[str]) -> list[float]:
    """Return the interpolated precision of one ranking at each level of recall."""
    wanted = {document for document, grade in grades.items() if grade >= DEMANDED}
    points, found = [], 0
    for rank, document in enumerate(ranked, 1):
        if document in wanted:
            found += 1
            points.append((found / len(wanted), found / rank))
    return [max((p for r, p in points if r >= level - 1e-9), default=0.0) for level in _LEVELS]


def _modules(paths: Sequence[str], most: int) -> list[str]:
    """Return a group for each path: its folder, to the least depth that gives `most` groups, or as many as there are.

    The files of one folder are groups themselves.
    """
    folders = [posixpath.dirname(path).split("/") for path in paths]
    deepest = max(map(len, folders), default=0)
    named = list(paths)
    for depth in range(1, deepest + 1):
        found = ["/".join(folder[:depth]) or "(top)" for folder in folders]
        if len(set(found)) > 1:
            named = found
        if len(set(found)) >= most:
            break
    common = {name for name, _ in Counter(named).most_common(most)}
    return [name if name in common else "other" for name in named]


RRF_KS: Final = (1, 5, 10, 20, 40, 60, 80, 100, 150, 200)
WEIGHTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
NUMBERS: Final[Mapping[str, tuple[float, ...]]] = MappingProxyType(
    {
        "rrf_k": RRF_KS,
        "k1": (0.0, 0.5, 0.9, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0),
        "b": (0.0, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0),
        "damping": (0.5, 0.7, 0.85, 0.95),
    }
)
"""Number of a setting → the values that a sweep measures."""
PARAMETERS: Final = (*NUMBERS, *LANES)

_RESAMPLES = 2_000
_COVERED = 0.95
_LEAST = 4  # questions: two in each half


class Half(NamedTuple):
    """One half of the questions: its scores for each value of the parameter, shape (values, questions)."""

    name: str
    questions: tuple[str, ...]  # ids
    scores: tuple[tuple[float, ...], ...]

    @property
    def means(self) -> tuple[float, ...]:
        return tuple(mean(list(row)) for row in self.scores)


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Shown):
    """A measure for each value of one parameter, for a development and a test half of the questions."""

    parameter: str
    measure: str  # with its cutoff, such as nDCG@10
    values: tuple[float, ...]
    default: float
    halves: tuple[Half, Half]  # development, test
    seed: int

    @property
    def chosen(self) -> float:
        """The value with the highest mean on the development half; of equal ones, the nearest to the default."""
        means = dict(zip(self.values, self.halves[0].means, strict=True))
        best = [value for value in self.values if means[value] >= max(means.values()) - 1e-12]
        return min(best, key=lambda value: abs(value - self.default))

    @property
    def bands(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """For each half and value, the limits of the 95 % confidence band of the mean."""
        return tuple(tuple(bootstrap_band(row, self.seed) for row in half.scores) for half in self.halves)

    @property
    def label(self) -> str:
        """The parameter in displays: ``rrf_k``, or ``weight of graph``."""
        return self.parameter if self.parameter in NUMBERS else f"weight of {self.parameter}"

    def gain(self, half: int) -> float:
        """Return the mean of the chosen value minus that of the default, on half 0 (development) or 1 (test)."""
        means = self.halves[half].means
        return means[self.values.index(self.chosen)] - means[self.values.index(self.default)]

    def to_dict(self) -> dict[str, Any]:
        given = {key: getattr(self, key) for key in ("parameter", "measure", "default", "chosen")}
        gain = [self.gain(0), self.gain(1)]
        return {"schema": SCHEMA_VERSION, "kind": "sweep", **given, "gain": gain, "rows": self._rows()}

    def to_frame(self) -> Frame:
        rows = self._rows()
        return frame(tuple(rows[0]), rows)

    def _rows(self) -> list[dict[str, float]]:
        rows: list[dict[str, float]] = [{self.parameter: value} for value in self.values]
        for half, bands in zip(self.halves, self.bands, strict=True):
            for row, value, (low, high) in zip(rows, half.means, bands, strict=True):
                row |= {half.name: value, f"{half.name}_low": low, f"{half.name}_high": high}
        return rows

    def blocks(self) -> list[Block]:
        series = tuple(
            Series(half.name, tuple(zip(self.values, half.means, strict=True)), *zip(*bands, strict=True))
            for half, bands in zip(self.halves, self.bands, strict=True)
        )
        title = f"{self.measure} against {self.label}"
        sizes = " and ".join(f"{len(half.questions)} {half.name}" for half in self.halves)
        columns = [
            [f"{middle:.3f}  [{low:.3f}, {high:.3f}]" for middle, (low, high) in zip(half.means, bands, strict=True)]
            for half, bands in zip(self.halves, self.bands, strict=True)
        ]
        rows = [Row((f"{value:g}", *cells)) for value, *cells in zip(self.values, *columns, strict=True)]
        table = Table("Means with their 95 % bands", (self.label, *(h.name for h in self.halves)), rows)
        note = (
            f"{sizes} questions, drawn with seed {self.seed}. A band covers the mean in {_COVERED:.0%} of "
            f"{_RESAMPLES:,} random draws of as many questions (bootstrap). So few questions can't tell values apart "
            "whose bands overlap widely."
        )
        chart = Chart(title, Lines(self.label, self.measure, series, self.default))
        return [Heading(title), chart, Text(self._verdict()), Text(note, "dim"), table]

    def _verdict(self) -> str:
        on_development, on_test = self.gain(0), self.gain(1)
        if self.chosen == self.default:
            return f"The default, {self.default:g}, is the best value on the development half."
        gained = (
            f"On the development half {self.label} {self.chosen:g} is best: {on_development:+.3f} against the "
            f"default {self.default:g}. On the test half the same value gives {on_test:+.3f}."
        )
        if on_test < on_development / 2:
            return f"{gained} Less than half of the gain is left on questions that did not choose it: overfitting."
        return f"{gained} The gain is also there on questions that did not choose it."


def sweep(
    workspace: Workspace,
    fixtures: Fixtures | Sequence[Question],
    parameter: str = "rrf_k",
    values: Iterable[float] | None = None,
    *,
    measure: str = "ndcg",
    setting: Setting | str = "default",
    cutoff: int = settings.TOP_K,
    seed: int = 0,
) -> Sweep:
    """Measure several values of one parameter on a development and a test half of the questions.

    Raises QuestionError if the parameter, a value, the measure or the setting is wrong, or fewer than four questions
    could be scored.

    Parameters
    ----------
    parameter
        A key of `NUMBERS` ("rrf_k", "k1", "b", "damping"), or the name of a lane for its weight.
    values
        Values to measure; the default value is always among them. None takes those of `NUMBERS`, or `WEIGHTS`.
    measure
        A key of `MEASURES` or `FURTHER_MEASURES`.
    setting
        All other settings. A weight is varied over fixed lanes, those of the setting or all three, and the others have
        weight 1: the planner would choose other lanes and weights for each question.
    cutoff, seed
        The k of the measure, and a number that draws the halves.
    """
    titles = {each.key: each.titled(cutoff) for each in (*MEASURES, *FURTHER_MEASURES)}
    if measure not in titles:
        raise QuestionError(f"unknown measure {measure!r:.40}; known: {', '.join(titles)}")
    if parameter not in PARAMETERS:
        raise QuestionError(f"unknown parameter {parameter!r:.40}; known: {', '.join(PARAMETERS)}")
    base = Setting.parse(setting) if isinstance(setting, str) else setting
    if parameter not in NUMBERS:
        lanes = base.lanes or LANES
        if parameter not in lanes:
            raise QuestionError(f"the setting {base.name!r} does not search the lane {parameter}")
        base = replace(base, lanes=lanes, weights={**dict.fromkeys(lanes, 1.0), **base.weights})
    default = float(getattr(base, parameter) if parameter in NUMBERS else base.weights[parameter])
    given = NUMBERS.get(parameter, WEIGHTS) if values is None else values
    chosen = sorted({default, *map(float, given)})
    found = [evaluate(workspace, fixtures, _varied(base, parameter, value), cutoff=cutoff) for value in chosen]
    scores: dict[str, list[float]] = {result.question.id: [] for result in found[0].scored}
    for evaluation in found:
        for result in evaluation.scored:
            scores[result.question.id].append(float(getattr(result.scores, measure)))
    ids = sorted(scores)
    if len(ids) < _LEAST:
        raise QuestionError(f"two halves need at least {_LEAST} questions that can be scored, not {len(ids)}")
    random.Random(seed).shuffle(ids)
    middle = (len(ids) + 1) // 2
    halves = [
        Half(name, tuple(part), tuple(tuple(scores[each][n] for each in part) for n in range(len(chosen))))
        for name, part in (("development", ids[:middle]), ("test", ids[middle:]))
    ]
    return Sweep(parameter, titles[measure], tuple(chosen), default, (halves[0], halves[1]), seed)


def bootstrap_band(scores: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """Return the limits of the 95 % confidence band of the mean of `scores`.

    Questions are drawn with replacement, 2,000 times, and the limits are the 2.5th and the 97.5th percentile of the
    means. Raises QuestionError without scores.

    Source: Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7(1), 1979.
    """
    import numpy as np

    if not scores:
        raise QuestionError("a confidence band needs at least one score")
    drawn = np.random.default_rng(seed).integers(0, len(scores), size=(_RESAMPLES, len(scores)))
    means = np.asarray(scores, np.float64)[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - _COVERED) / 2, (1 + _COVERED) / 2])
    return float(low), float(high)


def _varied(base: Setting, parameter: str, value: float) -> Setting:
    if parameter in NUMBERS:
        number: Any = int(value) if parameter == "rrf_k" and value == int(value) else value
        return replace(base, **{parameter: number})
    return replace(base, weights={**base.weights, parameter: value})
