"""Table of several settings, evaluated with the same questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeexplore.answers.blocks import Block, Heading, Piece, Row, Table, Text
from codeexplore.answers.shown import Shown
from codeexplore.features.lab.evaluation.question_result import MEASURES, Measure, value_words
from codeexplore.features.lab.evaluation.results import Evaluation, headline, warning_blocks, warnings_of
from codeexplore.types import SCHEMA_VERSION

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class SettingsTable(Shown):
    """Table of evaluations: one row for each, in their order."""

    evaluations: tuple[Evaluation, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that all evaluations have."""
        return min((each.measures for each in self.evaluations), key=len, default=MEASURES)

    def best(self, measure: str) -> float:
        """Return the highest mean of a measure among the rows; NaN if no question could be scored."""
        return max((each.mean(measure) for each in self.evaluations), default=float("nan"))

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data for JSON."""
        rows = [each.to_dict() for each in self.evaluations]
        return {"schema": SCHEMA_VERSION, "kind": "settings", "evaluations": rows}

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with one row for each setting.

        Its columns are setting, passed, scored, the mean of every measure, median_ms and p95_ms. Raises ImportError
        without pandas.
        """
        from codeexplore.answers.data import frame

        keys = tuple(measure.key for measure in self.measures)
        columns = ("setting", "passed", "scored", *keys, "median_ms", "p95_ms")
        rows = [
            {
                "setting": each.setting.name, "passed": each.passed, "scored": len(each.scored),
                **{key: each.mean(key) for key in keys},
                "median_ms": each.median_ms, "p95_ms": each.p95_ms,
            }
            for each in self.evaluations
        ]  # fmt: skip
        return frame(columns, rows)

    def blocks(self) -> list[Block]:
        """Return the table, with the best value of each measure marked."""
        if not self.evaluations:
            return [Text("no settings")]
        first = self.evaluations[0]
        columns = (
            "setting",
            "passed",
            *(measure.titled(first.cutoff) for measure in self.measures),
            "median ms",
            "p95 ms",
        )
        rows = []
        for each in self.evaluations:
            means = [(each.mean(measure.key), self.best(measure.key)) for measure in self.measures]
            values = (_marked(value, best) for value, best in means)
            passed = f"{each.passed}/{len(each.scored)}"
            rows.append(
                Row((Piece(each.setting.name, "code"), passed, *values, f"{each.median_ms:.1f}", f"{each.p95_ms:.1f}"))
            )
        best = Piece("the best", "best")
        return [
            Heading(headline(first)),
            *warning_blocks(warnings_of(first)),
            Table("Settings", columns, rows, brief=len(rows)),
            Text((best, " of its column. A small difference may be chance: compare two settings to know."), "dim"),
        ]


def _marked(value: float, best: float) -> Piece:
    text = value_words(value)
    return Piece(text, "best") if value >= best else Piece(f"{text} ")  # a terminal's mark takes a column
