"""Confidences on packages that did not set them: cross-validation over what `traced_calls.py score --json` wrote.

usage: python benchmarks/calibration.py SCORES.json … [--halves N]

Confidences are levels. For each package left out, each rule is put on the level of `graph/build/rules.py` that is
nearest to its share over all other packages, and the package's edges are counted by these levels: the first table. The
second counts all packages by the confidences in use, which were set with all of them in view. --halves divides the
packages at random N times instead and counts each half by confidences set on the other, to say how much a level varies.

Guesses are not counted, nor calls of a decorated function: the wrapper runs first, and a trace shows its call instead.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from traced_calls import ByRule, Package, Tally, above, by_confidence, by_rule, given, read_scores

from codeexplore.graph.build.rules import GUESS, RULES

FEWEST = 10
"""A rule with fewer measured edges in the packages that set confidences keeps its own."""
SURE = 0.9


def learned(rules: ByRule) -> dict[str, float]:
    """Confidences set by tallies alone: for each rule the level nearest to its share."""
    levels = sorted({RULES[key].confidence for key in RULES if is_on_level(key)})
    made = given()
    for key, tally in rules.items():
        if tally.measured >= FEWEST:
            made[key] = min(levels, key=lambda level: abs(level - tally.share))
    return made


def is_on_level(rule: str) -> bool:
    """Whether the confidence of a rule is a share that was measured."""
    return RULES[rule].measured > 0 and RULES[rule].confidence > GUESS


def on_levels(package: Package) -> Package:
    """A package without the tallies of rules that are on no level."""
    return package._replace(sites={key: tally for key, tally in package.sites.items() if is_on_level(key)})


def left_out(packages: Sequence[Package]) -> None:
    """Print the levels of packages that did not set them, and those of all packages by the confidences in use."""
    for words, made in (("set on the other packages", learned), ("as they are", lambda _: given())):
        counted: defaultdict[float, Tally] = defaultdict(Tally)
        for place, package in enumerate(packages):
            others = [*packages[:place], *packages[place + 1 :]]
            for level, tally in by_confidence(package.sites, made(by_rule(others, at_sites=True))).items():
                counted[level] += tally
        print(f"\n{len(packages)} packages, confidences {words}")
        for level, tally in sorted(counted.items()):
            away = 100 * (tally.share - level)
            print(
                f"  {level:.2f}  {tally.seen:6} of {tally.measured:6}  {100 * tally.share:5.1f} %  {away:+5.1f} points"
            )


def halves(packages: Sequence[Package], times: int) -> None:
    """Print how confidences set on one half of the packages, and those in use, do on the other half."""
    chance = random.Random(1)
    pairs = []
    for _ in range(times):
        mixed = list(packages)
        chance.shuffle(mixed)
        middle = len(mixed) // 2
        pairs.append((by_rule(mixed[:middle], at_sites=True), by_rule(mixed[middle:], at_sites=True)))
    for words, made in (("set on the one half", learned), ("as they are", lambda _: given())):
        counted = [by_confidence(other, made(one)) for one, other in pairs]
        print(f"\nconfidences {words}, counted on the other, {times} times")
        for level in sorted({level for each in counted for level in each}):
            shares = sorted(100 * each[level].share for each in counted if each.get(level, Tally()).measured >= FEWEST)
            total = sum((each.get(level, Tally()) for each in counted), Tally())
            low, high = shares[len(shares) // 10], shares[-1 - len(shares) // 10]
            print(f"  {level:.2f}  {100 * total.share:5.1f} %   {low:5.1f} to {high:5.1f} in eight of ten")
        print(f"  the share rises with the confidence in {sum(map(rises, counted))} of {times}")
        tops = [100 * above(each, SURE).share for each in counted]
        print(f"  at {SURE} and above: mean {sum(tops) / times:.1f} %, least {min(tops):.1f} %")


def rises(levels: Mapping[float, Tally]) -> bool:
    """Whether every level's share is above that of the level below it, as far as there are edges enough to tell."""
    shares = [tally.share for tally in levels.values() if tally.measured >= FEWEST]
    return all(later > earlier for earlier, later in itertools.pairwise(shares))


def main() -> None:
    """Read the packages' tallies and print."""
    parser = argparse.ArgumentParser(description="Confidences on packages that did not set them")
    parser.add_argument("scores", nargs="+", type=Path, metavar="SCORES.json")
    parser.add_argument("--halves", type=int, default=0, metavar="N", help="divide the packages N times instead")
    options = parser.parse_args()
    packages = [on_levels(package) for path in options.scores for package in read_scores(path)]
    if options.halves:
        halves(packages, options.halves)
    else:
        left_out(packages)


if __name__ == "__main__":
    main()
