"""How often each rule is right: predicted calls of Python packages beside those seen while their own tests ran.

usage: python benchmarks/calibration.py FOLDER … [--halves N] [--folds N] [--json OUT]

Each FOLDER holds one folder for a package with `src` (the sources) and `edges.json`: `functions` that ran, `edges` as
[caller, callee, …] and, if known, `generators`, whose calls a trace shows late or not at all. Only predicted edges
between two functions that both ran are counted; those to a generator only if they were seen. An edge that several rules
found counts for the surest. No trace takes every way, so a share is a floor for the rule's precision.

--halves checks them on packages they were not set by: N times the packages are divided at random, each rule is put on
the level of `graph/rules.py` that is nearest to its share in one half, and the other half is counted by these. Rules
stay on their side of what counts as resolved, which is no matter of shares alone. --folds divides the packages into N
parts; each is counted by confidences set on all others, and all parts together are set beside the documented levels.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent / "adapters"))

from python_names import names
from source_graph import load

from codeexplore import settings
from codeexplore.graph.rules import RULES

LEAST_EDGES = 100
"""Packages with fewer seen edges say little."""
FEWEST = 10
"""A rule with fewer measured edges in a half keeps its confidence there."""
SURE = 0.9


class Tally(NamedTuple):
    """Predicted edges between functions that both ran, and how many of them were seen."""

    seen: int = 0
    measured: int = 0

    def __add__(self, other: object) -> Tally:
        assert isinstance(other, Tally)
        return Tally(self.seen + other.seen, self.measured + other.measured)

    @property
    def share(self) -> float:
        """The part that was seen; 0 when nothing was measured."""
        return self.seen / self.measured if self.measured else 0.0


ByRule = Mapping[str, Tally]


class Package(NamedTuple):
    """One package: recall over direct edges, and tallies by rule."""

    name: str
    direct: int
    recall: float
    rules: ByRule


def plain(name: str) -> str:
    """A name without the number of an anonymous function, which a trace can't tell."""
    return re.sub(r"<lambda\d*>", "<lambda>", name)


def measure(folder: Path) -> Package | None:
    """One package's tallies; None when its trace is too small."""
    trace = json.loads((folder / "edges.json").read_text("utf-8"))
    if len(trace["edges"]) < LEAST_EDGES:
        return None
    seen = {(plain(a), plain(b)): kind for a, b, kind, *_ in trace["edges"]}
    late = {plain(name) for name in trace.get("generators", ())}
    ran, callers = {plain(name) for name in trace["functions"]}, {caller for caller, _ in seen}
    rules: defaultdict[str, Tally] = defaultdict(Tally)
    best = predicted(folder / "src")
    for (caller, callee), (_, rule) in best.items():
        hit = (caller, callee) in seen
        if callee in ran and (caller in ran or caller in callers) and (hit or callee not in late):
            rules[rule] += Tally(hit, 1)
    direct = [pair for pair, kind in seen.items() if kind != "external"]
    return Package(folder.name, len(direct), sum(pair in best for pair in direct) / len(direct), dict(rules))


def predicted(source: Path) -> dict[tuple[str, str], tuple[float, str]]:
    """Calls between functions by name, each with its best confidence and the rule that gave it."""
    graph = load(str(source), (".py",))
    named = {key: plain(name) for facts in graph.files for key, name in names(facts).items()}
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for runner, target, edge in graph.to_functions():
        pair = named[runner.id], named[target.id]
        if pair not in best or edge.confidence > best[pair][0] + 1e-6:
            best[pair] = edge.confidence, edge.rule
    return best


def by_rule(packages: Iterable[Package]) -> dict[str, Tally]:
    """Tallies of all packages together."""
    total: defaultdict[str, Tally] = defaultdict(Tally)
    for package in packages:
        for rule, tally in package.rules.items():
            total[rule] += tally
    return dict(total)


def by_confidence(rules: ByRule, confidences: Mapping[str, float]) -> dict[float, Tally]:
    """Tallies by confidence, in rising order."""
    total: defaultdict[float, Tally] = defaultdict(Tally)
    for rule, tally in rules.items():
        total[confidences[rule]] += tally
    return dict(sorted(total.items()))


def given() -> dict[str, float]:
    """The confidences of `graph/rules.py`."""
    return {key: rule.confidence for key, rule in RULES.items()}


def learned(rules: ByRule) -> dict[str, float]:
    """Confidences set by tallies alone: the nearest level, on the side of what counts as resolved where the rule is."""
    levels = sorted({rule.confidence for rule in RULES.values() if rule.measured})
    made = given()
    for key, tally in rules.items():
        if tally.measured >= FEWEST:
            resolved = made[key] >= settings.RESOLVED_CONFIDENCE - 1e-6
            side = [each for each in levels if (each >= settings.RESOLVED_CONFIDENCE - 1e-6) == resolved]
            made[key] = min(side, key=lambda level: abs(level - tally.share))
    return made


def halves(packages: list[Package], times: int) -> None:
    """Print how confidences set on one half of the packages, and those in use, do on the other half."""
    chance = random.Random(1)
    pairs = []
    for _ in range(times):
        mixed = packages[:]
        chance.shuffle(mixed)
        middle = len(mixed) // 2
        pairs.append((by_rule(mixed[:middle]), by_rule(mixed[middle:])))
    for words, made in (("set on the one half", learned), ("as they are", lambda _: given())):
        counted = [by_confidence(other, made(one)) for one, other in pairs]
        fitted = [by_confidence(one, made(one)) for one, _ in pairs]
        print(f"\nconfidences {words}, counted on the other, {times} times")
        for level in sorted({level for each in counted for level in each}):
            shares = sorted(100 * each[level].share for each in counted if each.get(level, Tally()).measured >= FEWEST)
            total = sum((each.get(level, Tally()) for each in counted), Tally())
            low, high = shares[len(shares) // 10], shares[-1 - len(shares) // 10]
            between = [
                abs(here.get(level, Tally()).share - there.get(level, Tally()).share)
                for here, there in zip(fitted, counted, strict=True)
            ]
            print(
                f"  {level:.1f}  {100 * total.share:5.1f} %   {low:5.1f} to {high:5.1f} in eight of ten;  "
                f"halves differ by {100 * sum(between) / times:.1f} points"
            )
        print(f"  the share rises with the confidence in {sum(map(rises, counted))} of {times}")
        tops = [100 * above(each, SURE).share for each in counted]
        print(f"  at {SURE} and above: mean {sum(tops) / times:.1f} %, least {min(tops):.1f} %")


def folds(packages: list[Package], number: int) -> None:
    """Print levels on packages that they were not set by: each part's confidences are set on all other parts."""
    mixed = packages[:]
    random.Random(1).shuffle(mixed)
    parts = [mixed[place::number] for place in range(number)]
    for words, made in (("set on the other parts", learned), ("as they are", lambda _: given())):
        counted: defaultdict[float, Tally] = defaultdict(Tally)
        for place, part in enumerate(parts):
            others = [package for other, rest in enumerate(parts) if other != place for package in rest]
            for level, tally in by_confidence(by_rule(part), made(by_rule(others))).items():
                counted[level] += tally
        print(f"\n{len(packages)} packages in {number} parts, confidences {words}")
        for level, tally in sorted(counted.items()):
            away = 100 * (tally.share - level)
            print(
                f"  {level:.1f}  {tally.seen:6} of {tally.measured:6}  {100 * tally.share:5.1f} %  {away:+5.1f} points"
            )


def rises(levels: Mapping[float, Tally]) -> bool:
    """Whether every level's share is above that of the level below it, as far as there are edges enough to tell."""
    shares = [tally.share for tally in levels.values() if tally.measured >= FEWEST]
    return all(later > earlier for earlier, later in itertools.pairwise(shares))


def above(levels: Mapping[float, Tally], confidence: float) -> Tally:
    """All levels from one on."""
    return sum((tally for level, tally in levels.items() if level >= confidence), Tally())


def show(packages: list[Package]) -> None:
    """Print the tables by package, rule and confidence."""
    confidences = given()
    for package in packages:
        levels = by_confidence(package.rules, confidences)
        top, every = above(levels, SURE), above(levels, 0.0)
        print(
            f"{package.name:14} direct {package.direct:5}  recall {100 * package.recall:5.1f}  "
            f"seen {100 * every.share:5.1f}  at {SURE} {100 * top.share:5.1f}"
        )
    rules = by_rule(packages)
    print()
    for key, tally in sorted(rules.items(), key=lambda item: (-confidences[item[0]], -item[1].measured)):
        print(f"  {confidences[key]:.1f}  {key:17} {tally.seen:6} of {tally.measured:6}  {100 * tally.share:5.1f} %")
    print()
    levels = by_confidence(rules, confidences)
    for level, tally in levels.items():
        print(f"  {level:.1f}  {tally.seen:6} of {tally.measured:6}  {100 * tally.share:5.1f} %")
    print(f"  {SURE} and above: {100 * above(levels, SURE).share:.1f} %")


def main() -> None:
    """Measure every package and print."""
    parser = argparse.ArgumentParser(description="Confidences beside what packages' own tests ran")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--halves", type=int, default=0, metavar="N", help="check on packages not set by")
    parser.add_argument("--folds", type=int, default=0, metavar="N", help="check each of N parts by the others")
    parser.add_argument("--json", type=Path, help="write tallies by package and rule here")
    parser.add_argument("--from-json", action="store_true", help="FOLDER is a file that --json wrote")
    options = parser.parse_args()
    packages: list[Package] = []
    if options.from_json:
        rows = json.loads(options.folders[0].read_text("utf-8"))
        for name, direct, recall, rules in rows:
            packages += [Package(name, direct, recall, {key: Tally(*tally) for key, tally in rules.items()})]
    else:
        found = sorted(path.parent for folder in options.folders for path in folder.glob("*/edges.json"))
        packages = [package for package in map(measure, found) if package is not None]
    show(packages)
    if options.halves:
        halves(packages, options.halves)
    if options.folds:
        folds(packages, options.folds)
    if options.json is not None:
        options.json.write_text(json.dumps(packages), "utf-8")


if __name__ == "__main__":
    main()
