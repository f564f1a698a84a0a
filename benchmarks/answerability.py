"""Answer confidence: how often questions of other repositories are told apart from those of the repository itself.

usage: python benchmarks/answerability.py [--retrieval FOLDER] [--symbols FOLDER] [--wrong N] [--seed N] [--short]

Every repository is asked its own questions of the sets (benchmarks/LABBOOK.md), and N questions of other repositories,
drawn with a seed. Names and questions about a relation are left out: their certainty is not measured by words.
Prints the shares of `weak` and `none` of both, then what the rule gives when its threshold is set without the
repository it is counted on: the 4.5 % quantile of the evidence of the other repositories' own questions.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from dev_sets import READERS

from codeexplore import Workspace, sample_repo
from codeexplore.features.lab.evaluation import find_fixtures, load_fixtures
from codeexplore.search.confidence import evidence
from codeexplore.source.samples import sample_names

ALLOWED = 0.045
"""Share of own questions that may fall below the threshold, a little under the aim of 5 %."""


class Measured(NamedTuple):
    """One question asked of one repository."""

    repository: str
    own: bool
    level: str
    evidence: float


def measured(questions: Mapping[Path, Sequence[str]], wrong: int, seed: int) -> list[Measured]:
    """Ask every repository its own questions and some of the others; only those in words are measured."""
    chance, found = random.Random(seed), []
    for folder, own in questions.items():
        workspace = Workspace(folder, progress=lambda *_: None)
        others = [query for other, asked in questions.items() if other != folder for query in asked]
        drawn = chance.sample(others, min(wrong, len(others)))
        asked = [(query, True) for query in own] + [(query, False) for query in drawn]
        for query, is_own in asked:
            answer = workspace.search(query, timeout=60.0)
            told = answer.result.confidence
            if answer.plan.kind in ("conceptual", "mixed") and told.similarity is not None:
                found.append(Measured(str(folder), is_own, answer.confidence, evidence(told) or 0.0))
    return found


def shares(found: Sequence[Measured]) -> dict[str, tuple[int, float, float]]:
    """Of own and of wrong questions: how many, the share that is weak or none, and the share that is none."""
    told = {}
    for name, is_own in (("own", True), ("wrong", False)):
        levels = [each.level for each in found if each.own == is_own]
        number = max(len(levels), 1)
        unsure = sum(level != "answered" for level in levels) / number
        told[name] = (len(levels), unsure, levels.count("none") / number)
    return told


def crossed(found: Sequence[Measured]) -> tuple[float, float]:
    """Shares below the threshold of own and of wrong questions, each repository's set by the other repositories."""
    below: dict[bool, list[bool]] = {True: [], False: []}
    for repository in sorted({each.repository for each in found}):
        told_by = [each.evidence for each in found if each.own and each.repository != repository]
        threshold = float(np.quantile(told_by, ALLOWED)) if told_by else 0.0
        for each in found:
            if each.repository == repository:
                below[each.own].append(each.evidence < threshold)
    return float(np.mean(below[True] or [0])), float(np.mean(below[False] or [0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("retrieval", "symbols"):
        parser.add_argument(f"--{name}", type=Path, metavar="FOLDER", help=f"the prepared {name} set")
    parser.add_argument("--wrong", type=int, default=60, help="questions of other repositories asked of each (60)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--short", action="store_true", help="two sample repositories only")
    options = parser.parse_args()
    sets = [READERS[name](getattr(options, name)) for name in ("retrieval", "symbols") if getattr(options, name)]
    questions: dict[Path, list[str]] = defaultdict(list)
    for dev_set in sets:
        for asked in dev_set.questions:
            questions[asked.folder].append(asked.query)
    for name in () if sets else sample_names()[: 2 if options.short else None]:
        fixtures = load_fixtures(find_fixtures(sample_repo(name)))
        questions[sample_repo(name)] += [question.query for question in fixtures.questions]
    found = measured(questions, options.wrong, options.seed)
    for name, (number, unsure, none) in shares(found).items():
        print(f"{name:6} {number:5} questions: weak or none {unsure:.1%}, none {none:.1%}")
    own, wrong = crossed(found)
    print(f"threshold set by the other repositories: own below it {own:.1%}, wrong below it {wrong:.1%}")


if __name__ == "__main__":
    main()
