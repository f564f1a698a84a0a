"""Recall and precision of the call graph on the sample repositories' truth files, as a table.

usage: python benchmarks/truth.py [REPOSITORY …] [--verbose]

Demanded is what is decidable (see sample_repos/README.md); overrides that no object reaches are left out of precision.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.sample_truth import KINDS, REPOSITORIES, score

CONFIDENCES = (0.6, 0.8, 0.9, 1.0)


def main() -> None:
    """Print one row for each repository, kind of edge and least confidence."""
    parser = argparse.ArgumentParser(description="The call graph beside the sample repositories' truth")
    parser.add_argument("repositories", nargs="*", default=REPOSITORIES, metavar="REPOSITORY")
    parser.add_argument("-v", "--verbose", action="store_true", help="list what is missing and what is wrong")
    options = parser.parse_args()
    print(f"{'repository':12} {'edges':10} {'≥':>4} {'demanded':>9} {'found':>6} {'recall':>7} {'precision':>10}")
    for repository in options.repositories:
        for kind in KINDS:
            for confidence in CONFIDENCES if kind == "CALLS" else CONFIDENCES[:1]:
                made = score(repository, kind, confidence)
                print(
                    f"{repository:12} {kind:10} {confidence:4.1f} {len(made.demanded):9} {len(made.found):6} "
                    f"{made.recall:7.3f} {made.precision:10.3f}"
                )
                if options.verbose and confidence == CONFIDENCES[0]:
                    print("\n".join(made.report().splitlines()[1:]))


if __name__ == "__main__":
    main()
