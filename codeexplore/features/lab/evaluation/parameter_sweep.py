"""Sweep: a measure against one number of the fusion, on two halves of the questions.

A value chosen on one half is measured on the other half: what it seems to gain on its own half and does not gain on the
other one is overfitting.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeexplore.answers.blocks import Block, Heading, Row, Table, Text
from codeexplore.answers.data import Frame, frame
from codeexplore.answers.shown import Shown
from codeexplore.features.lab.charts import Chart, Lines, Series
from codeexplore.features.lab.evaluation.fixtures import Fixtures, Question
from codeexplore.features.lab.evaluation.metrics import mean
from codeexplore.features.lab.evaluation.results import FURTHER_MEASURES, MEASURES
from codeexplore.features.lab.evaluation.run import evaluate
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.types import LANES, SCHEMA_VERSION, settings
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

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
        """The mean score for each value."""
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
        """Return the sweep as plain data for JSON."""
        given = {key: getattr(self, key) for key in ("parameter", "measure", "default", "chosen")}
        gain = [self.gain(0), self.gain(1)]
        return {"schema": SCHEMA_VERSION, "kind": "sweep", **given, "gain": gain, "rows": self._rows()}

    def to_frame(self) -> Frame:
        """Return a data frame with one row for each value: mean and band of each half. Raises ImportError."""
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
