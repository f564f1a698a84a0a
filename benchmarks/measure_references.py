"""Hold measures, kappa, significance and bands against independent implementations, on random inputs.

    pip install ir-measures scipy scikit-learn statsmodels
    python benchmarks/measure_references.py --inputs 2000

The references: ir-measures (trec_eval) for nDCG, bpref and judged, scikit-learn for Cohen's kappa, statsmodels for
Fleiss' kappa, SciPy for the randomisation test and the bootstrap. A library that is not installed is left out with a
note.
"""

from __future__ import annotations

import argparse
import importlib
import math
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from codeexplore.features.lab.evaluation import bootstrap_band, cohen_kappa, fleiss_kappa, metrics
from codeexplore.features.lab.evaluation.metrics import randomisation_test


class Check(NamedTuple):
    """One comparison: what is compared, the module it needs, the tolerance, and pairs (ours, theirs)."""

    name: str
    module: str
    tolerance: float
    pairs: Callable[[random.Random, int, Any], Iterator[tuple[float, float]]]


def ranking_pairs(measure: str) -> Callable[[random.Random, int, Any], Iterator[tuple[float, float]]]:
    """Return a function that draws rankings and grades, and yields our value and that of ir-measures."""

    def pairs(draw: random.Random, inputs: int, ir: Any) -> Iterator[tuple[float, float]]:
        for _ in range(inputs):
            documents = [f"d{number}" for number in range(30)]
            draw.shuffle(documents)
            ranked, cutoff = documents[: draw.randint(1, 25)], draw.randint(1, 25)
            grades = {each: draw.choice([0, 0, 1, 2, 3]) for each in draw.sample(documents, draw.randint(1, 20))}
            if max(grades.values()) < metrics.DEMANDED:
                continue  # ir-measures reports no value without a relevant document
            run = [ir.ScoredDoc("q", each, -float(rank)) for rank, each in enumerate(ranked)]
            qrels = [ir.Qrel("q", each, grade) for each, grade in grades.items()]
            theirs, ours = {
                "nDCG": (ir.nDCG @ cutoff, metrics.ndcg(ranked, grades, cutoff)),
                "bpref": (ir.Bpref(rel=2), metrics.bpref(ranked, grades)),
                "judged": (ir.Judged @ cutoff, metrics.judged(ranked, grades, cutoff)),
            }[measure]
            yield ours, ir.calc_aggregate([theirs], qrels, run)[theirs]

    return pairs


def cohen_pairs(weights: str) -> Callable[[random.Random, int, Any], Iterator[tuple[float, float]]]:
    """Return a function that draws the grades of two judges, and yields our kappa and that of scikit-learn."""

    def pairs(draw: random.Random, inputs: int, sklearn: Any) -> Iterator[tuple[float, float]]:
        for _ in range(inputs):
            first = [draw.randint(0, 3) for _ in range(draw.randint(2, 40))]
            second = [grade if draw.random() < 0.5 else draw.randint(0, 3) for grade in first]
            if len({*first, *second}) == 1:
                continue  # undefined
            theirs = sklearn.cohen_kappa_score(
                first, second, weights=None if weights == "none" else weights, labels=range(4)
            )
            yield cohen_kappa(first, second, weights), theirs  # type: ignore[arg-type]

    return pairs


def fleiss_pairs(draw: random.Random, inputs: int, statsmodels: Any) -> Iterator[tuple[float, float]]:
    """Draw the grades of several judges, and yield our kappa and that of statsmodels."""
    for _ in range(inputs):
        judges = draw.randint(2, 6)
        rows = [[draw.randint(0, 3) for _ in range(judges)] for _ in range(draw.randint(2, 40))]
        if len({grade for row in rows for grade in row}) == 1:
            continue  # undefined
        table, _ = statsmodels.aggregate_raters(rows)
        yield fleiss_kappa(rows), statsmodels.fleiss_kappa(table)


def randomisation_pairs(most: int) -> Callable[[random.Random, int, Any], Iterator[tuple[float, float]]]:
    """Return a function that draws differences, and yields our p-value and that of SciPy."""

    def pairs(draw: random.Random, inputs: int, stats: Any) -> Iterator[tuple[float, float]]:
        for _ in range(inputs):
            values = [draw.choice([-0.5, -0.25, 0.25, 0.37, 0.5, 1.0]) for _ in range(draw.randint(2, most))]
            theirs = stats.permutation_test(
                (values,), sum, permutation_type="samples", n_resamples=math.inf if most <= 13 else 10_000, rng=7
            )
            yield randomisation_test(values).p_value, theirs.pvalue

    return pairs


def bootstrap_pairs(draw: random.Random, inputs: int, stats: Any) -> Iterator[tuple[float, float]]:
    """Draw scores, and yield the lower limit of our band and of SciPy's percentile bootstrap."""
    import numpy as np

    for _ in range(inputs):
        scores = [draw.random() for _ in range(draw.randint(10, 40))]
        theirs = stats.bootstrap((scores,), np.mean, n_resamples=2_000, method="percentile", rng=7)
        yield bootstrap_band(scores)[0], theirs.confidence_interval.low


CHECKS = (
    *(Check(name, "ir_measures", 1e-4, ranking_pairs(name)) for name in ("nDCG", "bpref", "judged")),
    Check("Cohen's kappa", "sklearn.metrics", 1e-9, cohen_pairs("none")),
    Check("Cohen's kappa, linear weights", "sklearn.metrics", 1e-9, cohen_pairs("linear")),
    Check("Cohen's kappa, quadratic weights", "sklearn.metrics", 1e-9, cohen_pairs("quadratic")),
    Check("Fleiss' kappa", "statsmodels.stats.inter_rater", 1e-9, fleiss_pairs),
    Check("randomisation, all assignments", "scipy.stats", 1e-9, randomisation_pairs(10)),
    Check("randomisation, 10,000 random assignments", "scipy.stats", 0.05, randomisation_pairs(40)),
    Check("bootstrap band, lower limit", "scipy.stats", 0.03, bootstrap_pairs),
)  # fmt: skip
"""Every comparison. The last two are random on both sides, so their tolerance is that of the draws."""

_SLOW = 100  # inputs at most of SciPy's tests, which take milliseconds each


def run(inputs: int, seed: int = 0) -> list[tuple[str, int, float, bool]]:
    """Return (name, inputs compared, largest difference, True if within the tolerance) of each check that can run."""
    rows = []
    for check in CHECKS:
        try:
            module = importlib.import_module(check.module)
        except ImportError:
            print(f"{check.name}: {check.module} is not installed, left out")
            continue
        number = min(inputs, _SLOW) if check.module == "scipy.stats" else inputs
        pairs = list(check.pairs(random.Random(seed), number, module))
        worst = max((abs(ours - theirs) for ours, theirs in pairs), default=0.0)
        rows.append((check.name, len(pairs), worst, worst <= check.tolerance))
    return rows


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=500, help="random inputs of each check (default 500)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    rows = run(options.inputs, options.seed)
    print("| compared | inputs | largest difference | equal |\n|---|---|---|---|")
    for name, number, worst, equal in rows:
        print(f"| {name} | {number:,} | {worst:.1e} | {'yes' if equal else 'NO'} |")
    return 0 if all(equal for *_, equal in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
