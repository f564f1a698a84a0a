"""How often the body of a function that a fix edited is inside a pack for the bug report, beside other tools' contexts.

usage: python benchmarks/packs.py ISSUES.jsonl --trees FOLDER [--budgets 1000,4000,16000] [--counter NAME] [--limit N]
                                  [--aider PYTHON] [--repomix COMMAND] [--semble PYTHON] [--json OUT]
       python benchmarks/packs.py --counters FOLDER…
       python benchmarks/packs.py --maps FOLDER…

ISSUES.jsonl is that of benchmarks/localise.py; FOLDER/id has the state of the repository before the fix. --aider names
the Python of an environment with aider-chat, --repomix the command that starts repomix, --semble the Python of one with
semble and tiktoken; semble gets our bundled model. All texts are counted by the same counter (cl100k_base), and a
longer one is cut at the budget.

The columns are means over the issues:

body     share of the edited functions all of whose lines, blank ones aside, are in the text, one after the other
callers, callees, types
         share of the functions that call an edited one, of those it calls and of the types it names (resolved edges,
         up to 20 of each) whose name is a word of the text
tokens   tokens of the text
over     share of the texts that were longer than the budget, and cut
s        median seconds a text: of all budgets together, divided by their number; for codeexplore without the load, for
         the others with all they do

--counters compares our count of cl100k_base with tiktoken's, for numbered excerpts of the files below each FOLDER.

--maps checks the map of each FOLDER against its text: the share of the named dependencies whose source has, as a word,
a name that the target defines; and of those of Python files, the share whose source imports the target, directly or
through other modules, as Python's parser reads the imports.

Texts of issues and contexts are never written anywhere but in the peers' own temporary folders.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import codeexplore
from codeexplore import Workspace
from codeexplore.features.context.map.material import Material
from codeexplore.features.context.map.modules import Modules
from codeexplore.features.context.packs.tokens import Counter, cl100k, counter_of
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

Ask: TypeAlias = Callable[[Path, str, Sequence[int]], Sequence[str]]
"""Makes contexts from a folder, a report and numbers of tokens, one for each."""

BUDGETS: Final = (1_000, 4_000, 16_000)
COLUMNS: Final = ("body", "callers", "callees", "types", "tokens", "over", "s")
_NEIGHBOURS: Final = 20
_FRAME: Final = re.compile(r"^(?:\d+ |[│|]|⋮\S*)")  # what a pack or aider's map puts before a line
_EXCERPT: Final = 60  # lines


class Gold(NamedTuple):
    """An edited function: its lines without blank ones and indentation, and the names of its neighbours by relation."""

    body: tuple[str, ...]
    neighbours: Mapping[str, frozenset[str]]


class Judged(NamedTuple):
    """Measures of one text; those without a gold are missing."""

    repo: str
    measures: Mapping[str, float]


# --------------------------------------------------------------------------- what is looked for


def functions_of(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield path, first and last line of the functions named ``path:Class.method``, as Python's parser sees them."""
    for name in names:
        path, _, inside = name.partition(":")
        file = folder / path
        if file.is_file():
            tree = ast.parse(file.read_text("utf-8", "replace"))
            found = [each for each in _functions(tree, ()) if each[0] == inside or each[0].endswith(f".{inside}")]
            if found:
                _, node = found[0]
                yield path, min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.end_lineno or node.lineno


def _functions(tree: ast.AST, owners: tuple[str, ...]) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield ".".join((*owners, node.name)), node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _functions(node, (*owners, node.name))
        else:
            yield from _functions(node, owners)


def golds_of(workspace: Workspace, folder: Path, issue: Mapping[str, Any]) -> list[Gold]:
    """Return the edited functions of an issue that exist before its fix."""
    found = []
    for path, first, last in functions_of(folder, issue["gold_functions"]):
        lines = (folder / path).read_text("utf-8", "replace").split("\n")[first - 1 : last]
        symbol = workspace.symbol_at(path, min(last, first + len(lines) // 2))
        found.append(Gold(_bare(lines), _neighbours(workspace, symbol)))
    return found


def _neighbours(workspace: Workspace, symbol: Symbol) -> dict[str, frozenset[str]]:
    used = workspace.uses(symbol, direction="out").symbols
    named = {
        "callers": [s.name for s in workspace.callers(symbol).symbols],
        "callees": [s.name for s in workspace.callees(symbol).symbols if s.kind in CALLABLE_KINDS],
        "types": [s.name for s in used if s.kind in TYPE_KINDS],
    }
    return {relation: frozenset(names[:_NEIGHBOURS]) for relation, names in named.items()}


def _bare(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line.strip() for line in lines if line.strip())


def judged(text: str, golds: Sequence[Gold]) -> dict[str, float]:
    """Return the measures of a text."""
    bare = "\n".join(("", *_bare([_FRAME.sub("", line) for line in text.split("\n")]), ""))
    words = set(re.findall(r"\w+", text))
    found = {"body": statistics.mean("\n".join(("", *gold.body, "")) in bare for gold in golds)}
    for relation in ("callers", "callees", "types"):
        names = frozenset().union(*(gold.neighbours[relation] for gold in golds))
        if names:
            found[relation] = len(names & words) / len(names)
    return found


# --------------------------------------------------------------------------- contexts


def cut(text: str, budget: int, counter: Counter) -> str:
    """Return the beginning of a text, whole lines, of at most `budget` tokens."""
    lines = text.splitlines(keepends=True)
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if counter.count("".join(lines[:middle])) <= budget else (low, middle - 1)
    return "".join(lines[:low])


def aider_maps(python: str, folder: Path, report: str, budgets: Sequence[int]) -> list[str]:
    """Return aider's repository map for a report, one for each budget."""
    script = Path(__file__).parent / "peers" / "aider_map.py"
    command = [python, str(script), str(folder.resolve()), *map(str, budgets)]
    run = subprocess.run(command, input=report, capture_output=True, text=True, check=True)
    maps: list[str] = json.loads(run.stdout.splitlines()[-1])
    return maps


def semble_chunks(python: str, folder: Path, report: str, budgets: Sequence[int]) -> list[str]:
    """Return the chunks that semble finds for a report, as many as each budget holds."""
    script = Path(__file__).parent / "peers" / "semble_chunks.py"
    model = Path(codeexplore.__file__).parent / "search/lanes/bundled"
    command = [python, str(script), str(folder.resolve()), str(model), *map(str, budgets)]
    run = subprocess.run(command, input=report, capture_output=True, text=True, check=True)
    texts: list[str] = json.loads(run.stdout.splitlines()[-1])
    return texts


def repomix_text(command: str, folder: Path) -> str:
    """Return the text that repomix makes of a whole repository, with its compression."""
    with tempfile.TemporaryDirectory(prefix="repomix-") as temporary:
        out = Path(temporary) / "out.md"
        options = ["--compress", "--style", "markdown", "--no-security-check", "--quiet", "-o", str(out)]
        subprocess.run([*command.split(), str(folder), *options], capture_output=True, check=True, cwd=temporary)
        return out.read_text("utf-8")


def _packs(workspace: Workspace, counter: Counter, _: Path, report: str, budgets: Sequence[int]) -> list[str]:
    return [str(workspace.context.pack(report, budget, counter=counter.count)) for budget in budgets]


def measured(
    issues: Sequence[Mapping[str, Any]], trees: Path, budgets: Sequence[int], counter: Counter,
    peers: Mapping[str, Ask], tell: Callable[[str], None],
) -> dict[str, list[Judged]]:  # fmt: skip
    """Return the judged contexts of every issue, by tool and budget."""
    found: dict[str, list[Judged]] = defaultdict(list)
    for issue in issues:
        folder = trees / issue["id"]
        if not folder.is_dir():
            continue
        workspace = Workspace(folder, progress=lambda *_: None)
        golds = golds_of(workspace, folder, issue)
        if not golds:
            tell(f"{issue['id']}: its fix edited no function that was there")
            continue
        workspace.context.pack(issue["statement"], counter=counter.count)  # tables that the first question makes
        tools: dict[str, Ask] = {"codeexplore": partial(_packs, workspace, counter), **peers}
        for tool, ask in tools.items():
            started = time.perf_counter()
            texts = ask(folder, issue["statement"], budgets)
            seconds = (time.perf_counter() - started) / len(budgets)
            for budget, text in zip(budgets, texts, strict=True):
                shown = cut(text, budget, counter)
                measures = judged(shown, golds) | {"tokens": counter.count(shown), "over": shown != text, "s": seconds}
                found[f"{tool} {budget:,}"].append(Judged(issue["repo"], measures))
        tell(f"{issue['id']}")
    return found


def table(rows: Mapping[str, Sequence[Judged]]) -> str:
    """Return the mean of every measure, one line for each tool and budget; of seconds the median."""
    lines = [f"{'':24s}{'n':>5s}" + "".join(f"{column:>9s}" for column in COLUMNS)]
    for name, each in rows.items():
        shown = []
        for column in COLUMNS:
            values = [one.measures[column] for one in each if column in one.measures]
            mean = statistics.median if column == "s" else statistics.mean
            shown.append(f"{mean(values):9.{0 if column == 'tokens' else 3}f}" if values else f"{'-':>9s}")
        lines.append(f"{name:24.24s}{len(each):5d}{''.join(shown)}")
    return "\n".join(lines)


# --------------------------------------------------------------------------- the counter


def _length(encoding: Any, text: str) -> int:
    return len(encoding.encode(text, disallowed_special=()))


def counter_error(
    folders: Sequence[Path], exact: Callable[[str], int], files: int = 25
) -> dict[str, tuple[float, float]]:
    """Return bias and mean absolute error of our count, relative to tiktoken's, by folder."""
    found = {}
    for folder in folders:
        every = sorted(p for p in folder.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
        errors = []
        for path in random.Random(0).sample(every, min(files, len(every))):
            lines = [line for line in path.read_text("utf-8", "replace").split("\n") if line.strip()]
            for start in range(0, len(lines), _EXCERPT):
                text = "\n".join(f"{start + n} {line}" for n, line in enumerate(lines[start : start + _EXCERPT], 1))
                errors.append(cl100k(text) / exact(text) - 1)
        if errors:
            found[folder.name] = statistics.mean(errors), statistics.mean(map(abs, errors))
    return found


# --------------------------------------------------------------------------- maps


def map_check(folder: Path) -> dict[str, float]:
    """Return the number of dependencies that the map of a folder names, and the shares that its text confirms."""
    workspace = Workspace(folder, progress=lambda *_: None)
    sources = {path: workspace.file(path) for path in workspace.files}
    modules = Modules(Material(workspace.graph, UsageEvidenceTable(workspace.graph, sources=sources), sources))
    of_module: dict[str, list[str]] = defaultdict(list)
    for path in sources:
        of_module[modules.place(path)].append(path)
    words = {path: set(re.findall(r"\w+", file.text)) for path, file in sources.items()}
    names = {path: {symbol.name for symbol in workspace.catalog.in_file(path)} for path in sources}
    reached = _reached({path: file.text for path, file in sources.items() if file.language == "python"})
    named = [(of_module[module.path], of_module[to]) for module in modules.found for to, _ in module.depends]
    python = [(a, b) for a, b in named if any(path in reached for path in a)]
    in_words = [any(words[x] & names[y] for x in a for y in b) for a, b in named]
    imported = [any(y in reached.get(x, ()) for x in a for y in b) for a, b in python]
    found = {"dependencies": float(len(named)), "words": statistics.mean(in_words) if named else 0.0}
    return found | ({"imports": statistics.mean(imported)} if python else {})


def _reached(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Return for each Python file the files that its imports lead to, at any distance."""
    direct: dict[str, set[str]] = {}
    for path, text in texts.items():
        wanted = {name for node in ast.walk(ast.parse(text)) for name in _imported(node, path)}
        ends = [f"{name.replace('.', '/')}{end}" for name in wanted for end in (".py", "/__init__.py")]
        direct[path] = {p for p in texts for end in ends if p == end or p.endswith(f"/{end}")}
    found = {}
    for path in texts:
        seen, waiting = set[str](), [path]
        while waiting:
            for other in direct[waiting.pop()] - seen:
                seen.add(other)
                waiting.append(other)
        found[path] = seen
    return found


def _imported(node: ast.AST, path: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        folder = path.rpartition("/")[0].split("/")
        base = ".".join(folder[: len(folder) - node.level + 1]) if node.level else ""
        module = ".".join(part for part in (base, node.module) if part)
        yield module
        yield from (f"{module}.{alias.name}".lstrip(".") for alias in node.names)


_SUFFIXES: Final = frozenset({".py", ".go", ".ts", ".tsx", ".js", ".rs", ".java", ".md"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("issues", type=Path, nargs="?")
    parser.add_argument("--trees", type=Path, help="folders named by the issues' ids")
    parser.add_argument("--budgets", default=",".join(map(str, BUDGETS)), help="tokens, separated by commas")
    parser.add_argument("--counter", default="cl100k_base")
    parser.add_argument("--limit", type=int, help="only the first issues")
    parser.add_argument("--aider", metavar="PYTHON")
    parser.add_argument("--repomix", metavar="COMMAND")
    parser.add_argument("--semble", metavar="PYTHON")
    parser.add_argument("--json", type=Path, help="also write the measures of every answer there")
    parser.add_argument("--counters", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--maps", type=Path, nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    if options.maps:
        for folder in options.maps:
            print(f"{folder.name:20s} " + "  ".join(f"{k} {v:.3f}" for k, v in map_check(folder).items()))
        return
    counter = counter_of(options.counter)
    if options.counters:
        import tiktoken

        encoding = tiktoken.get_encoding("cl100k_base")
        exact = partial(_length, encoding)
        for name, (bias, error) in counter_error(options.counters, exact).items():
            print(f"{name:20s} bias {bias:+.3f}  mean absolute error {error:.3f}")
        return
    if options.issues is None or options.trees is None:
        parser.error("ISSUES.jsonl and --trees, or --counters, or --maps")
    issues = [json.loads(line) for line in options.issues.read_text("utf-8").splitlines() if line][: options.limit]
    peers: dict[str, Ask] = {}
    if options.aider:
        peers["aider"] = partial(aider_maps, options.aider)
    if options.repomix:
        peers["repomix"] = lambda folder, _, budgets: [repomix_text(options.repomix, folder)] * len(budgets)
    if options.semble:
        peers["semble"] = partial(semble_chunks, options.semble)
    budgets = [int(each) for each in options.budgets.split(",")]
    found = measured(issues, options.trees, budgets, counter, peers, lambda told: print(f"  {told}", flush=True))
    print(table(found))
    if options.json is not None:
        rows = {name: [one._asdict() for one in each] for name, each in found.items()}
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    main()
