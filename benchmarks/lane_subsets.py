"""What each lane is worth: every lane alone, every pair, all three fused by RRF without signals, and the default.

usage: python benchmarks/lane_subsets.py [--retrieval FOLDER] [--symbols FOLDER] [--mixed FOLDER] [--json OUT] [--short]

p is how often chance alone makes a difference to the default this large (paired randomisation test).
"""

from __future__ import annotations

import argparse

from dev_sets import add_arguments, run

from codeexplore.features.lab.evaluation import Setting, lane_subsets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    options = parser.parse_args()
    settings = list(lane_subsets())
    settings[-1:-1] = [Setting(lanes=("bm25", "embedding")), Setting(signals=False)]
    run(settings, options)


if __name__ == "__main__":
    main()
