"""Several settings over the same questions, as a table."""

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
    """One row for each evaluation, in their order."""

    evaluations: tuple[Evaluation, ...]

    def best(self, measure: str) -> float:
        """The highest mean of a measure among the rows; NaN when nothing could be scored."""
        return max((each.mean(measure) for each in self.evaluations), default=float("nan"))

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data for JSON."""
        rows = [each.to_dict() for each in self.evaluations]
        return {"schema": SCHEMA_VERSION, "kind": "settings", "evaluations": rows}

    def to_frame(self) -> pd.DataFrame:
        """One row per setting: setting, passed, scored, every measure's mean, median_ms, p95_ms. Needs pandas."""
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
        """The parts of every display."""
        from codeexplore.evaluation.report import settings_blocks

        return settings_blocks(self)
