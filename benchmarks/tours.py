"""How many of the symbols that a library's quickstart shows are in its tour, and in which order.

usage: python benchmarks/tours.py FOLDER:QUICKSTART:PACKAGE[,NAME…] … [--steps N] [--gold] [--json OUT]

FOLDER is a repository, QUICKSTART the path of the document in it, PACKAGE the name by which examples import it, with
further names that stand for it. The gold standard is read from the quickstart by rules of its own, simpler than those
of codeexplore: in the code of the document, names that follow a name known to come from the package (imported,
assigned from such a name, or a parameter annotated with one) count if a function, method or type of the source files
has the name. Classes that the document itself defines do not count. --gold prints them, to be read.

Two rows for each library:

with docs      the repository as it is: the quickstart itself is evidence for the tour, so this row is circular
without docs   without text files and folders of documentation, which leaves docstrings, tests and examples

The columns:

first ten      share of the first ten names of the quickstart that steps of the tour have
all            the same for all its names
hubs           first ten, for as many public symbols with the highest PageRank
tau            Kendall's tau between the order of the quickstart and of the tour, over the names that are in both; a
               name that several steps have counts at the first
tau hubs, tau a–z
               the same for the same names ordered by PageRank and alphabetically
n              number of names in both
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from codeexplore import Workspace
from codeexplore.languages.file_roles import path_role
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS

COLUMNS: Final = ("first ten", "all", "hubs", "tau", "tau hubs", "tau a-z", "n")
_FIRST: Final = 10
_TEXT: Final = frozenset({".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc", ".org"})
_DOCS: Final = frozenset({"doc", "docs", "documentation", "website", "site"})
_LEFT: Final = frozenset({".git", "node_modules"})

# --------------------------------------------------------------------------- the gold standard

_FENCED: Final = re.compile(r"^\s*(?:```|~~~)")
_RST_BLOCK: Final = re.compile(r"^(\s*)(?:.*::|\.\. [\w-]+::.*)\s*$")
_NAMES: Final = r"[A-Za-z_]\w*"


def code_of(text: str) -> list[str]:
    """Return the lines of code of a Markdown or reStructuredText document."""
    found, fenced, indent = list[str](), False, None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip())
        if _FENCED.match(line):
            fenced = not fenced
            continue
        if indent is not None and line.strip() and depth <= indent:
            indent = None
        if fenced or indent is not None or line.lstrip().startswith((">>>", "... ")):
            found.append(re.sub(r"^\s*(?:>>>|\.\.\.) ?", "", line))
        elif (block := _RST_BLOCK.match(line)) is not None:
            indent = len(block[1])
    return found


def shown_names(lines: Sequence[str], packages: Sequence[str], defined: frozenset[str]) -> list[str]:
    """Return the names that code takes from some packages and that are in `defined`, in the order of first use."""
    known, found = set(packages), dict[str, None]()
    own = set(re.findall(rf"^\s*class\s+({_NAMES})", "\n".join(lines), re.MULTILINE))
    for line in lines:
        bare = re.sub(r"(?:^|\s)(?:#|//) .*$", "", re.sub(r"(\"[^\"]*\"|'[^']*')", '""', line))
        comes = any(package in line for package in packages)
        if comes and (imported := re.search(r"(?:from\s+[\w.]+\s+import|import\s*\{)\s*([\w\s,*]+)", line)):
            names = [part.split(" as ")[-1].strip() for part in imported[1].split(",")]
            known.update(defined if names == ["*"] else names)
            found.update(dict.fromkeys(name for name in names if name in defined))
            continue
        if comes and (imported := re.search(rf"\bimport\s+(?:\*\s+as\s+)?(?:[\w.]+\s+as\s+)?({_NAMES})", line)):
            known.add(imported[1])
            continue
        used = [m for m in re.finditer(rf"(?<![\w.])({_NAMES})((?:\s*(?:\.|::)\s*{_NAMES})*)", bare) if m[1] in known]
        for match in used:
            found.update(dict.fromkeys(n for n in re.findall(_NAMES, match[0]) if n in defined))
        if used:
            found.update(dict.fromkeys(n for n in re.findall(rf"[)\]]\.({_NAMES})\(", bare) if n in defined))
            known.update(_bound(bare))
    return [name for name in found if name not in own]


def _bound(line: str) -> Iterator[str]:
    """Yield the names that a line with a known name binds: variables, loops, ``as``, parameters, subclasses."""
    opening = r"\s*(?:const|let|var|async with|with|for|async for)?\s*"
    if match := re.match(rf"{opening}({_NAMES})(?:,\s*{_NAMES})*\s*(?::=|=(?!=)|in\b)", line):
        yield match[1]
    yield from re.findall(rf"\bas\s+({_NAMES})", line)
    yield from re.findall(rf"[(,]\s*({_NAMES})\s*:?\s+\*?{_NAMES}[.:]", line)
    yield from re.findall(rf"\bclass\s+({_NAMES})", line)


# --------------------------------------------------------------------------- measures


class Library(NamedTuple):
    """A repository, its quickstart (a path in it), and the names by which examples import it."""

    folder: Path
    quickstart: str
    packages: tuple[str, ...]


def library_of(argument: str) -> Library:
    """Return the library that an argument of the command line names."""
    folder, quickstart, packages = argument.split(":")
    return Library(Path(folder), quickstart, tuple(packages.split(",")))


def gold_of(workspace: Workspace, library: Library) -> list[str]:
    """Return the names of the gold standard, in the order of the quickstart."""
    kinds = CALLABLE_KINDS | TYPE_KINDS
    defined = frozenset(s.name for s in workspace.symbols if s.kind in kinds and path_role(s.path) == "source")
    lines = code_of((library.folder / library.quickstart).read_text("utf-8", "replace"))
    return shown_names(lines, library.packages, defined)


def tau(order: Sequence[str], gold: Sequence[str]) -> float | None:
    """Return Kendall's tau between two orders of the same names, None for fewer than two."""
    place = {name: n for n, name in enumerate(order)}
    pairs = list(combinations(gold, 2))
    return sum(1 if place[a] < place[b] else -1 for a, b in pairs) / len(pairs) if pairs else None


def judged(workspace: Workspace, gold: Sequence[str], steps: int) -> dict[str, float]:
    """Return the measures of a workspace's tour."""
    names = list(dict.fromkeys(step.symbol.name for step in workspace.context.tour(steps=steps)))
    every = [workspace.catalog.symbol(hub.symbol_id) for hub in workspace.hubs(1_000_000)]
    hubs = list(dict.fromkeys(s.name for s in every if path_role(s.path) == "source"))
    first = gold[:_FIRST]
    both = [name for name in gold if name in names]
    place = {name: n for n, name in enumerate(hubs)}
    orders = {
        "tau": [name for name in names if name in both],
        "tau hubs": sorted(both, key=lambda name: (place.get(name, len(place)), name)),
        "tau a-z": sorted(both),
    }
    found = {
        "first ten": sum(name in names for name in first) / len(first),
        "all": len(both) / len(gold),
        "hubs": sum(name in hubs[:steps] for name in first) / len(first),
        "n": float(len(both)),
    }
    return found | {name: value for name, order in orders.items() if (value := tau(order, both)) is not None}


def without_documents(folder: Path, target: Path) -> None:
    """Copy a repository without text files and folders of documentation."""

    def left_out(_: str, names: list[str]) -> set[str]:
        return {n for n in names if Path(n).suffix.lower() in _TEXT or n.lower() in _DOCS | _LEFT or n == "README"}

    shutil.copytree(folder, target, ignore=left_out, symlinks=True)


def measured(library: Library, steps: int) -> dict[str, dict[str, float]]:
    """Return the measures of one library, with and without its documentation."""
    name = library.folder.name
    workspace = Workspace(library.folder, progress=lambda *_: None)
    gold = gold_of(workspace, library)
    if not gold:
        raise SystemExit(f"{library.quickstart} shows no symbol of {name}: are {library.packages} its names?")
    found = {f"{name}, with docs": judged(workspace, gold, steps)}
    with tempfile.TemporaryDirectory(prefix="tours-") as temporary:
        target = Path(temporary).resolve() / name
        without_documents(library.folder, target)
        bare = Workspace(target, progress=lambda *_: None)
        found[f"{name}, without docs"] = judged(bare, gold, steps)
    return found


def table(rows: Mapping[str, Mapping[str, float]]) -> str:
    """Return a line for each library and setting, and the means of both settings."""
    lines = [f"{'':32s}" + "".join(f"{column:>10s}" for column in COLUMNS)]
    shown = dict(rows)
    for setting in ("with docs", "without docs"):
        each = [row for name, row in rows.items() if name.endswith(f", {setting}")]
        columns = {c: [row[c] for row in each if c in row] for c in COLUMNS}
        shown[f"mean, {setting}"] = {c: statistics.mean(values) for c, values in columns.items() if values}
    for name, row in shown.items():
        lines.append(f"{name:32.32s}" + "".join(f"{row[c]:10.3f}" if c in row else f"{'-':>10s}" for c in COLUMNS))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", type=library_of, metavar="FOLDER:QUICKSTART:PACKAGE")
    parser.add_argument("--steps", type=int, default=15)
    parser.add_argument("--gold", action="store_true", help="print the names of the quickstarts and end")
    parser.add_argument("--json", type=Path, help="also write the measures there")
    options = parser.parse_args()
    if options.gold:
        for library in options.libraries:
            workspace = Workspace(library.folder, progress=lambda *_: None)
            print(f"{library.folder.name}: {', '.join(gold_of(workspace, library))}")
        return
    rows: dict[str, dict[str, float]] = {}
    for library in options.libraries:
        rows |= measured(library, options.steps)
        print(
            table({name: row for name, row in rows.items() if name.startswith(f"{library.folder.name},")}), flush=True
        )
    print(table(rows))
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    main()
