"""How often a bug report leads to the files and functions that its fix edited, and the value of each part of a report.

usage: python benchmarks/localise.py ISSUES.jsonl [--trees FOLDER] [--repo NAME] [--limit N] [--short] [--json OUT]

ISSUES.jsonl has one object a line: id, repo, statement, gold_files (paths), gold_functions ("path:Class.method"), and
the state of the repository before the fix: mirror (a git directory) and commit, or the folder FOLDER/id. Texts of
issues are never written anywhere.

acc@k is strict: all gold within the first k. Files are those of the endings of the gold, functions are functions and
methods, and an __init__ stands for its class. MRR is that of the first gold function, s the median seconds of a report.
"without X" leaves a part of the report out; --short asks for the default alone. "chosen elsewhere" cross-validates the
weights of CHOICES by repository: each repository is asked with those that are best on all others.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeexplore import Workspace
from codeexplore.search.reports import PARTS

COLUMNS: Final = ("file@1", "file@5", "file@10", "func@5", "func@10", "MRR")
_POOL: Final = 100  # hits of an answer that are judged
_PATIENCE: Final = 60.0  # seconds a lane may take: no answer may depend on how busy the machine is

MODES: Final[Mapping[str, Mapping[str, Any]]] = {
    "default": {},
    "without the embedding lane": {"lanes": ("bm25", "graph")},
    "bm25 alone": {"lanes": ("bm25",)},
    **{f"without {part}": {"weights": {part: 0.0}} for part in PARTS},
    "without graph": {"weights": {"graph": 0.0}},
    "words alone": {"weights": {part: 0.0 for part in PARTS if part != "whole"}, "lanes": ("bm25",)},
}

CHOICES: Final[Mapping[str, Mapping[str, Any]]] = {
    "default": {},
    "without around": {"weights": {"around": 0.0}},
    "around × 0.5": {"weights": {"around": 0.5}},
    "around × 1.5": {"weights": {"around": 1.5}},
    "title × 0.5": {"weights": {"title": 0.5}},
    "body × 2": {"weights": {"body": 2.0}},
    "whole × 2": {"weights": {"whole": 2.0}},
}


class Judged(NamedTuple):
    """Measures of one answer; those of functions are missing where the fix edited none."""

    repo: str
    measures: Mapping[str, float]
    seconds: float


def judged(issue: Mapping[str, Any], hits: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """Return the measures of an answer; its hits are (path, qualified name, kind), best first."""
    endings = {Path(path).suffix for path in issue["gold_files"]}
    files = list(dict.fromkeys(path for path, _, _ in hits if Path(path).suffix in endings))
    found = {f"file@{k}": float(set(issue["gold_files"]) <= set(files[:k])) for k in (1, 5, 10)}
    gold = {name.removesuffix(".__init__") for name in issue["gold_functions"]}
    if gold:
        named = (f"{path}:{_in_file(path, name)}" for path, name, kind in hits if kind in ("function", "method"))
        functions = list(dict.fromkeys(name.removesuffix(".__init__") for name in named))
        ranks = [next((rank for rank, name in enumerate(functions, 1) if _same(name, one)), 0) for one in gold]
        found |= {f"func@{k}": float(all(0 < rank <= k for rank in ranks)) for k in (5, 10)}
        found["MRR"] = 1 / min(filter(None, ranks), default=float("inf"))
    return found


def _same(name: str, gold: str) -> bool:
    """Return True for the same name; published names have the innermost class alone before a method."""
    path, _, inside = gold.partition(":")
    return name == gold or ("." in inside and name.startswith(f"{path}:") and name.endswith(f".{inside}"))


def _in_file(path: str, name: str) -> str:
    """Return a qualified name without the module before it."""
    folders, parts = path.rpartition(".")[0].removesuffix("/__init__").split("/"), name.split(".")
    shared = (n for n in range(len(folders), 0, -1) if parts[:n] == folders[-n:] and len(parts) > n)
    return ".".join(parts[next(shared, 0) :])


def checkouts(issues: Sequence[Mapping[str, Any]], trees: Path | None) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """Iterate over issues, each with a folder that has the state before its fix."""
    if trees is not None:
        yield from ((issue, trees / issue["id"]) for issue in issues if (trees / issue["id"]).is_dir())
        return
    for issue in issues:
        with tempfile.TemporaryDirectory(prefix="localise-") as folder:
            run = ["git", "-c", "core.hooksPath=/dev/null", "--git-dir", issue["mirror"], "archive", issue["commit"]]
            archive = subprocess.run(run, capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
            yield issue, Path(folder)


def measured(
    issues: Sequence[Mapping[str, Any]], modes: Mapping[str, Mapping[str, Any]], trees: Path | None,
    tell: Callable[[str], None],
) -> dict[str, list[Judged]]:  # fmt: skip
    """Ask every issue in every mode; return the judged answers by mode."""
    found: dict[str, list[Judged]] = {mode: [] for mode in modes}
    for issue, folder in checkouts(issues, trees):
        workspace = Workspace(folder, cache=trees is not None, progress=lambda *_: None)
        workspace.search("where does it start?", timeout=_PATIENCE)  # tables that the first question makes
        for mode, options in modes.items():
            started = time.perf_counter()
            answer = workspace.localise(issue["statement"], top_k=_POOL, timeout=_PATIENCE, **options)
            seconds = time.perf_counter() - started
            hits = [(hit.path, hit.symbol.fqn, hit.symbol.kind) if hit.symbol else (hit.path, "", "") for hit in answer]
            found[mode].append(Judged(issue["repo"], judged(issue, hits), seconds))
        tell(str(issue["id"]))
    return found


def table(rows: Mapping[str, Sequence[Judged]]) -> str:
    """Return the mean of every measure, one line for each name."""
    lines = [f"{'':32s}{'n':>5s}" + "".join(f"{column:>9s}" for column in COLUMNS) + f"{'s':>8s}"]
    for name, each in rows.items():
        means = []
        for column in COLUMNS:
            values = [one.measures[column] for one in each if column in one.measures]
            means.append(f"{statistics.mean(values):9.3f}" if values else f"{'-':>9s}")
        seconds = statistics.median(one.seconds for one in each) if each else 0.0
        lines.append(f"{name:32.32s}{len(each):5d}{''.join(means)}{seconds:8.3f}")
    return "\n".join(lines)


def chosen_elsewhere(found: Mapping[str, Sequence[Judged]]) -> list[Judged]:
    """Return each repository's answers in the mode whose means have the largest sum on all other repositories.

    Modes are those of `CHOICES`, the earlier of equal ones. With one repository it is the first.
    """

    def worth(mode: str, repo: str) -> float:
        others = [one.measures for one in found[mode] if one.repo != repo]
        values = ([measures[column] for measures in others if column in measures] for column in COLUMNS)
        return sum(statistics.mean(each) for each in values if each)

    rows = []
    for repo in sorted({one.repo for each in found.values() for one in each}):
        best = max((mode for mode in CHOICES if mode in found), key=lambda mode: worth(mode, repo))
        rows += [one for one in found[best] if one.repo == repo]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("issues", type=Path)
    parser.add_argument("--trees", type=Path, help="folders named by the issues' ids, instead of mirrors")
    parser.add_argument("--repo", help="only the issues of this repository")
    parser.add_argument("--limit", type=int, help="only the first issues")
    parser.add_argument("--short", action="store_true", help="the default alone, without ablations")
    parser.add_argument("--json", type=Path, help="also write the measures of every answer there")
    options = parser.parse_args()
    issues = [json.loads(line) for line in options.issues.read_text("utf-8").splitlines() if line]
    issues = [issue for issue in issues if options.repo in (None, issue["repo"])][: options.limit]
    modes = {"default": MODES["default"]} if options.short else {**MODES, **CHOICES}
    found = measured(issues, modes, options.trees, lambda told: print(f"  {told}", flush=True))
    print(table(found if options.short else {**found, "chosen elsewhere": chosen_elsewhere(found)}))
    by_repo = {
        repo: [one for one in found["default"] if one.repo == repo] for repo in sorted({i["repo"] for i in issues})
    }
    print("\n" + table({repo: each for repo, each in by_repo.items() if each}))
    if options.json is not None:
        rows = {mode: [one._asdict() for one in each] for mode, each in found.items()}
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    main()
