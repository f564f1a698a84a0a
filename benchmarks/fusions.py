"""How rankings are merged: every fusion with and without the re-ranking signals, and RRF with other constants.

usage: python benchmarks/fusions.py [--retrieval FOLDER] [--symbols FOLDER] [--mixed FOLDER] [--json OUT] [--short]

p is how often chance alone makes a difference to the default (RRF, 60) this large (paired randomisation test).
"""

from __future__ import annotations

import argparse

from dev_sets import add_arguments, run

from codeexplore.features.lab.evaluation import Setting
from codeexplore.search.ranking.fusion import FUSIONS

RRF_CONSTANTS = (1, 10, 30, 100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    options = parser.parse_args()
    settings = [Setting(fusion=name) for name in FUSIONS]
    settings += [Setting(rrf_k=constant) for constant in RRF_CONSTANTS]
    settings += [Setting(fusion=name, signals=False) for name in FUSIONS]
    run(settings, options)


if __name__ == "__main__":
    main()
