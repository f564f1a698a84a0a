"""What each choice is worth: three seeds a setting, measured on the validation packages.

usage: python -m training.ablate WORK [NAME=VALUE ...]    # without settings: those of ABLATIONS

Writes ablations.tsv: means over the seeds and the standard deviation of the mean measure.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from training.config import HERE
from training.runs import Run, on_validation, run_all

SEEDS = (11, 12, 13)
SHORT = {"training.steps": 60, "batches.pairs": 1024}
"""Ablations are shorter than the model's own runs: what is compared is alike."""

ABLATIONS: dict[str, dict[str, Any]] = {
    "as configured": {},
    "groups of 8: negatives from other packages": {"batches.group": 8},
    "first sentences only": {"batches.later": 0.0, "batches.test": 0.0, "batches.type": 0.0, "batches.name": 0.0},
    "no summaries of types and files": {"batches.type": 0.0},
    "no test names": {"batches.test": 0.0},
    "no symbol names": {"batches.name": 0.0},
    "no frames, no words left out": {"batches.frame": 0.0, "batches.drop": 0.0},
    "documentation never shown with first sentences": {"batches.keep_doc": 0.0},
    "no chunks of tests as negatives": {"batches.test_negatives": 0},
    "temperature 0.05": {"training.temperature": 0.05},
    "temperature 0.2": {"training.temperature": 0.2},
    "trained without context": {"batches.context_times": 0},
    "weights kept, directions trained": {"training.weight_rate": 0.0},
}


def measure(work: Path, changes: dict[str, Any]) -> dict[str, float]:
    """Means over the seeds, and the deviation between them."""
    settings = tuple(sorted({**SHORT, **changes}.items()))
    found = [on_validation(work, vectors) for vectors in run_all([Run(work, settings, seed) for seed in SEEDS])]
    result = {name: float(np.mean([each[name] for each in found])) for name in found[0]}
    result["deviation"] = float(np.std([each["mean"] for each in found], ddof=1))
    return result


def main(work: Path, asked: list[str]) -> None:
    given = {" ".join(asked): {name: json.loads(value) for name, value in (each.split("=", 1) for each in asked)}}
    table = []
    for label, changes in (given if asked else ABLATIONS).items():
        result = measure(work, changes)
        table.append("\t".join([label, *(f"{value:.4f}" for value in result.values())]))
        if len(table) == 1:
            print("\t".join(["setting", *result]))
        print(table[-1], flush=True)
        if not asked:
            header = "\t".join(["setting", *result])
            (HERE / "ablations.tsv").write_text("\n".join([header, *table, ""]), "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
