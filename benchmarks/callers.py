"""Callers that codeexplore tells in real repositories, against places found by grep and judged by reading.

    python benchmarks/callers.py draw FOLDER LANGUAGE --seed 1 --number 10   # what to judge
    python benchmarks/callers.py measure FOLDER benchmarks/callers/kotlin.txt  # once judged

`draw` chooses functions and methods outside of tests at random and lists every line on which the name of one stands,
with what the graph says of it. A judge writes down, below the function's place, the lines that call it or may call it
by dispatch; a question mark stands before what reading does not decide. `measure` compares: found (confidence ≥ 0.6),
only possible by name, missed; and the lines told that are not true. Names that stand on more than `--most` lines are
not drawn: nobody reads them. Judged so far, with the commit: see ``callers/README.md``.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from codeexplore import Workspace
from codeexplore.types import CALLABLE_KINDS, Symbol

FAMILIES = {"c": ("c", "cpp"), "cpp": ("c", "cpp")}
CONSTRUCTORS = frozenset({"__construct", "initialize", "init", "constructor"})
RESOLVED = 0.6
Line: TypeAlias = tuple[str, int, str]


class Told(NamedTuple):
    """What an answer says of one place."""

    confidence: float
    rule: str


def told_of(ws: Workspace, symbol: Symbol) -> dict[str, Told]:
    """``path:line`` → the surest call edge to a symbol that has a site there."""
    graph = ws.graph
    found: dict[str, Told] = {}
    for row in graph.incident(graph.vertex(symbol.id), "in", ["CALLS"]):
        edge = graph.edge(row)
        for site in edge.sites:
            place = f"{site.path}:{site.line}"
            if place not in found or found[place].confidence < edge.confidence:
                found[place] = Told(edge.confidence, edge.rule)
    return found


def names_of(ws: Workspace, symbol: Symbol) -> set[str]:
    """What a call of a symbol is written with: its name, for a constructor its type's too."""
    names = {symbol.name}
    if symbol.name in CONSTRUCTORS and symbol.parent is not None:
        names.add(ws.catalog.symbol(symbol.parent).name)
    return names


def grep(texts: dict[str, list[str]], names: set[str]) -> Iterator[tuple[str, int, str]]:
    """Lines on which one of the names stands as a word."""
    alternatives = "|".join(re.escape(name) for name in sorted(names))
    pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")
    for path, lines in texts.items():
        for number, line in enumerate(lines, 1):
            if pattern.search(line):
                yield path, number, line


def texts_of(ws: Workspace, language: str) -> dict[str, list[str]]:
    """Lines of every file of a language's family."""
    family = FAMILIES.get(language, (language,))
    return {path: ws.file(path).text.split("\n") for path in ws.files if ws.file(path).language in family}


def drawn(ws: Workspace, language: str, seed: int, number: int, most: int) -> list[tuple[Symbol, list[Line]]]:
    """Random functions and methods outside of tests, whose names stand somewhere else, but not everywhere."""
    texts = texts_of(ws, language)
    pool = [
        symbol
        for symbol in ws.catalog.symbols
        if symbol.kind in CALLABLE_KINDS and symbol.kind != "lambda" and symbol.language == language
        and not ws.catalog.roles.is_test(symbol.path)
    ]  # fmt: skip
    random.Random(seed).shuffle(pool)
    found: list[tuple[Symbol, list[Line]]] = []
    for symbol in pool:
        lines = list(grep(texts, names_of(ws, symbol)))
        elsewhere = [1 for path, line, _ in lines if (path, line) != (symbol.path, symbol.line)]
        if elsewhere and len(lines) <= most:
            found.append((symbol, lines))
            if len(found) == number:
                break
    return found


def draw(options: argparse.Namespace) -> None:
    """Print what is to be judged."""
    ws = Workspace(options.folder, progress=lambda *_: None, workers=0)
    for symbol, lines in drawn(ws, options.language, options.seed, options.number, options.most):
        told = told_of(ws, symbol)
        print(f"\n### {symbol.id}  {symbol.kind} line {symbol.line}: {symbol.signature[:150]}")
        named = {f"{path}:{line}" for path, line, _ in lines}
        for path, line, text in lines:
            said = told.get(f"{path}:{line}")
            mark = f"{said.confidence:.1f} {said.rule}" if said else "-"
            print(f"  {mark:<14} {path}:{line}: {text.strip()[:150]}")
        for place in sorted(set(told) - named):
            print(f"  {told[place].confidence:.1f} {told[place].rule} {place} (name not on the line)")


class Judged(NamedTuple):
    """What a judge found of one function: where it is called, and where that can't be decided by reading."""

    place: str  # path:line of its name
    true: frozenset[str]
    maybe: frozenset[str]


def judgements(path: Path) -> dict[str, list[Judged]]:
    """The judged functions by draw."""
    draws: dict[str, list[tuple[str, list[str]]]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            rows = draws.setdefault(line[2:], [])
        elif line.startswith(" "):
            rows[-1][1].append(line.strip())
        elif line:
            rows.append((line, []))
    return {
        draw: [
            Judged(
                place,
                frozenset(each for each in sites if not each.startswith("?")),
                frozenset(each[2:] for each in sites if each.startswith("?")),
            )
            for place, sites in rows
        ]
        for draw, rows in draws.items()
    }


def measure(options: argparse.Namespace) -> None:
    """Print how the answers compare with what was judged."""
    ws = Workspace(options.folder, progress=lambda *_: None, workers=0)
    named = {f"{s.path}:{s.line}": s for s in ws.catalog.symbols if s.kind in CALLABLE_KINDS and s.kind != "lambda"}
    for part, rows in judgements(options.judged).items():
        sums = dict.fromkeys(("true", "found", "possible", "missed", "wrong", "guessed"), 0)
        for judged in rows:
            told = told_of(ws, named[judged.place])
            sums["true"] += len(judged.true)
            verdicts = [(place, verdict(told.get(place), ("missed", "possible", "found"))) for place in judged.true]
            others = set(told) - judged.true - judged.maybe
            verdicts += [(place, verdict(told[place], ("", "guessed", "wrong"))) for place in others]
            for place, key in verdicts:
                sums[key] += 1
                if options.verbose and key != "found":
                    print(f"  {key}: {named[judged.place].fqn} at {place} {told.get(place, '')}")
        print(row_of(f"{options.judged.stem}, {part}", sums))


def verdict(told: Told | None, words: tuple[str, str, str]) -> str:
    """One of three words: for nothing said, for a guess, for a resolved edge."""
    return words[0] if told is None else words[2] if told.confidence >= RESOLVED - 1e-6 else words[1]


def row_of(part: str, sums: dict[str, int]) -> str:
    """One row of the table: drawn, calls, found, only by name, missed, wrong, wrong by name, precision, recall."""
    resolved = sums["found"] + sums["wrong"]
    precision = f"{100 * sums['found'] / resolved:.0f}" if resolved else "–"
    shares = (sums["found"], sums["found"] + sums["possible"])
    recall = [f"{100 * share / sums['true']:.0f}" if sums["true"] else "–" for share in shares]
    return "| " + " | ".join([part, *(str(each) for each in sums.values()), precision, *recall]) + " |"


def main() -> int:
    """Run the command that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    draws = commands.add_parser("draw")
    draws.add_argument("folder", type=Path)
    draws.add_argument("language")
    draws.add_argument("--seed", type=int, default=1)
    draws.add_argument("--number", type=int, default=10)
    draws.add_argument("--most", type=int, default=60)
    draws.set_defaults(run=draw)
    measures = commands.add_parser("measure")
    measures.add_argument("folder", type=Path)
    measures.add_argument("judged", type=Path)
    measures.add_argument("--verbose", action="store_true")
    measures.set_defaults(run=measure)
    options = parser.parse_args()
    options.run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
