"""Table of several settings, evaluated with the same questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeexplore.evaluation.results import MEASURES, Evaluation
from codeexplore.results.blocks import Block, Shown
from codeexplore.types import SCHEMA_VERSION

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class SettingsTable(Shown):
    """Table with one row for each evaluation, in their order."""

    evaluations: tuple[Evaluation, ...]

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
        from codeexplore.results.frames import frame

        keys = tuple(measure.key for measure in MEASURES)
        columns = ("setting", "passed", "scored", *keys, "median_ms", "p95_ms")
        rows = [
            {
                "setting": each.setting.name, "passed": each.passed, "scored": len(each.scored), **each.means,
                "median_ms": each.median_ms, "p95_ms": each.p95_ms,
            }
            for each in self.evaluations
        ]  # fmt: skip
        return frame(columns, rows)

    def blocks(self) -> list[Block]:
        """Return the blocks that every display shows: terminal, Markdown and HTML."""
        from codeexplore.evaluation.report import settings_blocks

        return settings_blocks(self)
