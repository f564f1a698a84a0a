"""Whether "nobody calls this" stays plain where it is true: private functions whose mentions a script takes away.

usage: python benchmarks/deletions.py REPOSITORY … [--functions N] [--seed N] [--show]

Of each repository, which is only read, N private functions outside the tests are drawn (random, by the seed) which have
callers, and whose name no other symbol has. In a copy in a temporary folder every other mention of these names is
replaced by a name that nothing has. Then nothing can call them, and `callers` should say so without a condition: an
answer that hedges everything is never false and of no use.

Private is what the words of the definition say: ``_name`` in Python; a small letter in Go; no ``pub`` in Rust; no
``export`` in JavaScript and TypeScript, where methods are ``private`` or ``#name``; ``static`` in C; ``private`` in the
other languages.

Counted are: *plain*, a verdict of none with none of the words that leave room for others; *hedged*, the others; and
*found*, an answer with callers, which are functions that define the name inside themselves or are wrong.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from run_verdicts import HEDGES

from codeexplore import Workspace
from codeexplore.types import Symbol

CALLABLES = ("function", "method")


def is_private(symbol: Symbol, line: str) -> bool:
    """Tell whether the words of the definition hide a function."""
    words = set(re.findall(r"#?\w+", line.partition("(")[0]))
    if symbol.language == "python":
        return symbol.name.startswith("_") and not symbol.name.endswith("__")
    if symbol.language == "go":
        return symbol.name[:1].islower() and symbol.name not in ("main", "init")
    if symbol.language == "rust":
        return "pub" not in words and symbol.name != "main"
    if symbol.language in ("javascript", "typescript", "tsx"):
        free = symbol.kind == "function" and not words & {"export", "exports"}
        return free or symbol.name.startswith("#") or "private" in words
    return ("static" if symbol.language == "c" else "private") in words


def drawn(root: Path, workspace: Workspace, count: int, random: Random) -> list[Symbol]:
    """Draw private functions that have callers, and whose name is theirs alone."""
    names = Counter(symbol.name for symbol in workspace.symbols)
    lines = cache(lambda path: (root / path).read_text("utf-8", errors="replace").split("\n"))
    private = [
        symbol
        for symbol in workspace.symbols
        if symbol.kind in CALLABLES
        and names[symbol.name] == 1
        and "test" not in symbol.path.lower()
        and is_private(symbol, lines(symbol.path)[symbol.line - 1])
    ]
    random.shuffle(private)
    chosen: list[Symbol] = []
    for symbol in private:
        if len(chosen) == count:
            break
        if len(workspace.callers(symbol.id).reached):
            chosen.append(symbol)
    return chosen


def without_mentions(root: Path, symbols: Sequence[Symbol]) -> None:
    """Replace each mention of the symbols' names by a name that nothing has, but for the line of the definition."""
    homes = {symbol.name.lstrip("#"): (symbol.path, symbol.line) for symbol in symbols}
    mention = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, homes))})(?![\w$])")
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            lines = path.read_bytes().decode("utf-8").split("\n")
        except UnicodeDecodeError:
            continue
        for at, line in enumerate(lines):
            here = path.relative_to(root).as_posix(), at + 1
            pieces, end = [], 0
            for found in mention.finditer(line):
                pieces += [line[end : found.start()], found[0] if homes[found[0]] == here else "zqqzq"]
                end = found.end()
            lines[at] = "".join((*pieces, line[end:]))
        path.write_bytes("\n".join(lines).encode("utf-8"))


def measure(repository: Path, count: int, seed: int, show: bool) -> Counter[str]:
    """Count the plain, hedged and found verdicts on one repository."""
    chosen = drawn(repository, Workspace(repository, cache=False), count, Random(seed))
    said: Counter[str] = Counter()
    if not chosen:
        return said
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, repository.name)
        shutil.copytree(repository, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        without_mentions(copy, chosen)
        workspace = Workspace(copy, cache=False)
        for symbol in chosen:
            answer = workspace.callers(f"{symbol.path}:{symbol.line}")
            verdict = answer.verdict
            hedged = verdict is None or any(w in text for text in (verdict.text, *answer.notes) for w in HEDGES)
            kind = "found" if len(answer.reached) else "hedged" if hedged else "plain"
            said[kind] += 1
            if show and kind != "plain":
                print(f"  {kind}: {symbol.id}: {verdict.text if verdict else ''} | {' | '.join(answer.notes)}"[:400])
    return said


def main() -> None:
    """Print a line for each repository and one for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--functions", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print each answer that is not plain")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    for repository in arguments.repositories:
        said = measure(repository, arguments.functions, arguments.seed, arguments.show)
        total += said
        print(f"{repository}: {dict(said)}", flush=True)
    print(f"plain: {total['plain']} of {total.total()}")


if __name__ == "__main__":
    main()
