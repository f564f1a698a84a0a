"""How much each re-ranking signal should count: multipliers learned from the development sets.

usage: python benchmarks/weights.py [--retrieval FOLDER] [--symbols FOLDER] [--files FOLDER] [--mixed FOLDER]
                                    [--json OUT]

A score is the sum of its contributions and adjustments. This script learns one multiplier for each signal's
adjustments: 1 leaves the signal as it is, 0 removes it. It learns from all sets given together, and the means of the
sets' measures count alike. `--files` takes the folder of *symbols* and asks for the file of the symbol.

Method: coordinate ascent on the measure itself (Metzler and Croft, Linear feature-based models for information
retrieval, Information Retrieval 10, 2007), over the first 40 hits of each question. A multiplier changes only for a
gain of more than `LEAST_GAIN`. The gain that matters is cross-validated: repositories are divided into folds, and each
question is scored with multipliers learned from the repositories of the other folds.

Signals that decide which symbol stands for a file are applied before the hits are grouped. So for answers of one hit a
file their multipliers are an approximation: change the shares in `codeexplore/search/ranking/` and measure again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from dev_sets import TIMEOUT, Asked, add_arguments, chosen_sets
from numpy.typing import NDArray

from codeexplore import Workspace
from codeexplore.answers import SearchHit
from codeexplore.search.ranking.signals import SIGNALS

FOLDS = 6
HITS = 40
LEAST_GAIN = 0.0005
MULTIPLIERS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
NAMES = tuple(dict.fromkeys(signal.name for signal in SIGNALS))


class Ranked(NamedTuple):
    """The hits of a question, the sums of their contributions, and their adjustments: shape (n_hits, n_signals)."""

    of: str  # the name of the set
    question: Asked
    hits: Sequence[SearchHit]
    fused: NDArray[np.float64]
    adjusted: NDArray[np.float64]

    def score(self, multipliers: NDArray[np.float64]) -> float:
        """Return the set's first measure for the order that the multipliers give."""
        order = np.argsort(-(self.fused + self.adjusted @ multipliers), kind="stable")[:10]
        return self.question.score([self.hits[place] for place in order.tolist()])[0]


def main() -> None:
    """Ask all questions, learn, cross-validate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    options = parser.parse_args()
    sets = chosen_sets(options)
    if not sets:
        parser.error("give the folder of at least one set")
    asked = [(each.name, each.per_file, question) for each in sets for question in each.questions]
    ranked = answers(asked)
    figures = learned(ranked)
    print_tables(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def answers(asked: Sequence[tuple[str, int | None, Asked]]) -> list[Ranked]:
    """Ask every question; each repository is loaded once, and forgotten before the next."""
    found = []
    for folder in sorted({question.folder for _, _, question in asked}):
        workspace = Workspace(folder, progress=lambda *_: None)
        for name, per_file, question in asked:
            if question.folder == folder:
                hits = workspace.search(question.query, top_k=HITS, per_file=per_file, timeout=TIMEOUT).hits
                found.append(_ranked(name, question, hits))
    return found


def _ranked(name: str, question: Asked, hits: Sequence[SearchHit]) -> Ranked:
    fused = np.array([sum(share.value for share in hit.contributions) for hit in hits])
    adjusted = np.zeros((len(hits), len(NAMES)))
    for row, hit in enumerate(hits):
        for adjustment in hit.adjustments:
            adjusted[row, NAMES.index(adjustment.signal)] += adjustment.value
    return Ranked(name, question, hits, fused, adjusted)


def learned(ranked: Sequence[Ranked]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the learned multipliers, and each set's measure before, after, and cross-validated by repository."""
    folders = sorted({each.question.folder for each in ranked}, key=lambda folder: (folder.name, folder))
    names = sorted({each.of for each in ranked})
    now = np.ones(len(NAMES))
    final = ascend(ranked, names)
    validated: dict[int, float] = {}
    for fold in range(min(FOLDS, len(folders))):
        left_out = {folder.name for folder in folders[fold::FOLDS]}  # the same repository in two sets is in one fold
        others = [each for each in ranked if each.question.folder.name not in left_out]
        multipliers = ascend(others, names) if others else now
        for number, each in enumerate(ranked):
            if each.question.folder.name in left_out:
                validated.setdefault(number, each.score(multipliers))
    figures = {}
    for name in names:
        numbers = [number for number, each in enumerate(ranked) if each.of == name]
        before = np.array([ranked[number].score(now) for number in numbers])
        after = np.array([ranked[number].score(final) for number in numbers])
        unseen = np.array([validated[number] for number in numbers])
        figures[name] = {
            "questions": float(len(numbers)),
            "before": float(before.mean()),
            "learned": float(after.mean()),
            "cross-validated": float(unseen.mean()),
            "better": float((unseen > before).sum()),
            "worse": float((unseen < before).sum()),
        }
    return {"multipliers": {"all": dict(zip(NAMES, final.tolist(), strict=True))}, "sets": figures}


def ascend(ranked: Sequence[Ranked], names: Sequence[str]) -> NDArray[np.float64]:
    """Return the multipliers that coordinate ascent finds, beginning with 1 for each."""
    multipliers = np.ones(len(NAMES))
    best = _mean(ranked, names, multipliers)
    used = [place for place in range(len(NAMES)) if any(each.adjusted[:, place].any() for each in ranked)]
    improved = True
    while improved:
        improved = False
        for place in used:
            for tried in MULTIPLIERS:
                changed = multipliers.copy()
                changed[place] = tried
                score = _mean(ranked, names, changed)
                if score > best + LEAST_GAIN:
                    best, multipliers, improved = score, changed, True
    return multipliers


def _mean(ranked: Sequence[Ranked], names: Sequence[str], multipliers: NDArray[np.float64]) -> float:
    """Return the mean of the sets' means."""
    means = []
    for name in names:
        scores = [each.score(multipliers) for each in ranked if each.of == name]
        if scores:
            means.append(sum(scores) / len(scores))
    return sum(means) / len(means)


def print_tables(figures: dict[str, dict[str, dict[str, float]]]) -> None:
    """Print both tables as Markdown."""
    print("| set | questions | before | learned | cross-validated | better | worse |")
    print("|---|---|---|---|---|---|---|")
    for name, row in figures["sets"].items():
        counts = f"{row['better']:.0f} | {row['worse']:.0f}"
        print(
            f"| {name} | {row['questions']:.0f} | {row['before']:.4f} | {row['learned']:.4f} "
            f"| {row['cross-validated']:.4f} | {counts} |"
        )
    print("\n| signal | multiplier |\n|---|---|")
    for name, value in figures["multipliers"]["all"].items():
        print(f"| {name} | {value:g} |")


if __name__ == "__main__":
    main()
