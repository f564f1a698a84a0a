"""Measure how well co-change predicts the other files of a commit, beside association rules in the manner of ROSE.

    python benchmarks/cochange.py path/to/checkout …

The newest fifth of the commits with 2 to 30 files is the test. From each, up to three files are asked for: the files of
all earlier commits that changed together with it are ranked, and recall@10 is the share of the commit's other files
among the first ten. Files that the commit adds are neither asked for nor expected, because no history has them. ROSE
(Zimmermann et al., ICSE 2004) ranks rules file ⇒ other by confidence, then support; with one file asked for, this is
the number of shared commits. The interval is a bootstrap over commits.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from codeexplore.features.review.git_objects import GitObjects
from codeexplore.features.review.history.log import MOST_FILES, History, list_commits, read_log, shared

CUTOFF = 10
MOST_QUESTIONS = 3  # files of one commit that are asked for
TEST_SHARE = 0.2
SAMPLES = 1_000  # of the bootstrap

Rank = Callable[[Sequence[tuple[int, list[int]]]], list[int]]


class Score(NamedTuple):
    """Mean recall@10 over commits, and a 95 % interval of the mean."""

    recall: float
    low: float
    high: float


def rose(commits: Sequence[tuple[int, list[int]]]) -> list[int]:
    """Rank by support. The confidence of all rules with the same left side is in the same order."""
    return [item for item, _ in Counter(item for _, others in commits for item in others).most_common(CUTOFF)]


def ours(commits: Sequence[tuple[int, list[int]]]) -> list[int]:
    """Rank as `ws.review.together` does."""
    return list(shared(commits))[:CUTOFF]


RANKINGS: dict[str, Rank] = {"association rules": rose, "ws.review.together": ours}


def measured(history: History, seed: int = 0) -> tuple[dict[str, Score], int, int]:
    """Return name of a ranking → its score, the number of commits in the test, and of questions."""
    multiple = [row for row in range(len(history)) if 2 <= history.sizes[row] <= MOST_FILES]
    test = set(multiple[: round(len(multiple) * TEST_SHARE)])
    chance, by_file = random.Random(seed), {file: history.rows_of(file) for file in range(len(history.paths))}
    scores: dict[str, list[float]] = {name: [] for name in RANKINGS}
    questions = 0
    for row in sorted(test):
        known = [int(file) for file in history.files_of(row) if by_file[int(file)][-1] > row]  # in an older commit
        if len(known) < 2:
            continue
        asked = known if len(known) <= MOST_QUESTIONS else chance.sample(known, MOST_QUESTIONS)
        questions += len(asked)
        found: dict[str, list[float]] = {name: [] for name in RANKINGS}
        for file in asked:
            older = [int(each) for each in by_file[file] if each > row and history.sizes[each] <= MOST_FILES]
            commits = [(each, [int(other) for other in history.files_of(each) if other != file]) for each in older]
            expected = set(known) - {file}
            for name, rank in RANKINGS.items():
                found[name].append(len(expected & set(rank(commits))) / len(expected))
        for name, values in found.items():
            scores[name].append(sum(values) / len(values))
    return {name: _score(values, seed) for name, values in scores.items()}, len(scores["ws.review.together"]), questions


def _score(values: list[float], seed: int) -> Score:
    if not values:
        return Score(0.0, 0.0, 0.0)
    random_rows = np.random.default_rng(seed).integers(0, len(values), (SAMPLES, len(values)))
    low, high = np.quantile(np.array(values)[random_rows].mean(axis=1), (0.025, 0.975))
    return Score(float(np.mean(values)), float(low), float(high))


def main(arguments: list[str] | None = None) -> None:
    """Print a table with a row for each repository and ranking."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("roots", nargs="+", type=Path, metavar="FOLDER", help="checkouts with their history")
    options = parser.parse_args(arguments)
    print("| repository | commits in the test | questions | ranking | recall@10 |\n| --- | --- | --- | --- | --- |")
    for root in options.roots:
        objects = GitObjects(root.resolve())
        commits = list_commits(objects)
        history = History.of(commits, read_log(objects, commits.ids, lambda _: None))
        scores, count, questions = measured(history)
        for name, score in scores.items():
            interval = f"{score.recall:.3f} ({score.low:.3f}–{score.high:.3f})"
            print(f"| {root.name} | {count} | {questions} | {name} | {interval} |")


if __name__ == "__main__":
    main()
