"""What each re-ranking signal is worth: the default without it.

usage: python benchmarks/ablation.py [--retrieval FOLDER] [--symbols FOLDER] [--mixed FOLDER] [--json OUT] [--short]

A row lower than the default's means that the signal helps. p is how often chance alone makes a difference this large
(paired randomisation test).
"""

from __future__ import annotations

import argparse

from dev_sets import add_arguments, run

from codeexplore.features.lab.evaluation import Setting
from codeexplore.search.ranking.signals import SIGNALS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    options = parser.parse_args()
    without = [Setting(without=(name,)) for name in dict.fromkeys(signal.name for signal in SIGNALS)]
    run([Setting(), *without, Setting(signals=False)], options)


if __name__ == "__main__":
    main()
