"""Compare the tests that `ws.review.changes().tests()` selects with the tests that ran changed code, over real commits.

Two steps. ``trace`` checks out each commit and its parent in a work tree of its own and runs all tests with
`trace_tests.py`: **it executes the repository's code**, so give it repositories you trust. ``score`` loads each commit,
asks for the tests of the change since its parent, and compares.

::

    git clone https://github.com/hynek/structlog /tmp/structlog
    python benchmarks/test_selection.py trace /tmp/structlog /tmp/traces/structlog --python /tmp/venv/bin/python
    python benchmarks/test_selection.py score /tmp/traces/*

A *changed function* has another fingerprint than before, or exists only before or only after. A test function is
*affected* if it ran a changed function before or after the commit, or if its outcome differs. A test file is affected
if one of its test functions is.

What runs at import belongs to no test in a trace, although tests depend on it: statements outside of functions, and
functions that these call. Precision and recall are therefore also given for the commits that changed neither.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Trace = dict[str, Any]
UNSTEADY = "unsteady"  # the outcome of a test that failed, and passed when it was run again
_MOST_AGAIN = 50  # failed tests that are run again
_ABSENT = (None, (), False)  # fingerprint, tests, ran at import


class Affected(NamedTuple):
    """Truth about one commit."""

    functions: frozenset[str]
    files: frozenset[str]
    all_functions: frozenset[str]
    all_files: frozenset[str]
    traced: bool  # False if the commit changed code that runs at import, which no trace assigns to a test


class Row(NamedTuple):
    """Selection for one commit beside the truth."""

    repo: str
    commit: str
    certain: frozenset[str]
    possible: frozenset[str]
    safe_files: frozenset[str]
    truth: Affected
    seconds: float  # of ws.review.changes


# --------------------------------------------------------------------------- truth


def affected(before: Trace, after: Trace) -> Affected:
    """Return the tests that a commit affects, of those that exist after it."""
    found: set[str] = set()
    traced = all(before["modules"].get(path, code) == code for path, code in after["modules"].items())
    for path in before["functions"].keys() | after["functions"].keys():
        old, new = before["functions"].get(path, {}), after["functions"].get(path, {})
        for name in old.keys() | new.keys():
            one, other = old.get(name, _ABSENT), new.get(name, _ABSENT)
            if one[0] != other[0]:
                found.update(one[1], other[1])
                traced = traced and not (one[2] or other[2])
    first, second = before["outcomes"], after["outcomes"]
    differing = {test for test in second if first.get(test) != second[test] and (test in first or "::" not in test)}
    found |= {test for test in differing if UNSTEADY not in (first.get(test), second[test])}
    exist = frozenset(second)
    found &= exist
    return Affected(frozenset(t for t in found if "::" in t), files_of(found), exist, files_of(exist), traced)


def files_of(tests: Iterable[str]) -> frozenset[str]:
    """Return the files of test functions."""
    return frozenset(test.partition("::")[0] for test in tests)


# --------------------------------------------------------------------------- trace


def trace(options: argparse.Namespace) -> None:
    """Trace commits that have no trace yet, the newest first, until the minutes are over."""
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    pairs = _commits(options.repo, options.commits, options.newest)
    (out / "commits.json").write_text(json.dumps({"repo": str(options.repo.resolve()), "pairs": pairs}))
    end = time.monotonic() + 60 * options.minutes
    folder = out / "tree"
    if not folder.exists():
        _git(options.repo.resolve(), "worktree", "add", "--detach", "--force", str(folder), pairs[0][1])
    for sha in dict.fromkeys(sha for pair in pairs for sha in reversed(pair)):
        file = out / f"{sha}.json"
        if file.exists() or time.monotonic() > end:
            continue
        _git(folder, "checkout", "--quiet", "--force", "--detach", sha)
        _git(folder, "clean", "-qfdx")
        _run_tests(options, folder, file, options.tests)
        _note_unsteady(options, folder, file)
        made = json.loads(file.read_text()) if file.exists() else {"outcomes": {}}
        print(sha[:10], len(made["outcomes"]), "tests", flush=True)


def _note_unsteady(options: argparse.Namespace, folder: Path, file: Path) -> None:
    """Run the tests that failed again, and mark those that pass then: tests of times on a busy machine."""
    made = json.loads(file.read_text()) if file.exists() else {"outcomes": {}}
    failed = [test for test, outcome in made["outcomes"].items() if outcome == "failed"]
    again = file.with_suffix(".again")
    if failed and len(failed) < _MOST_AGAIN:
        _run_tests(options, folder, again, failed)
    if again.exists():
        passed = {test for test, outcome in json.loads(again.read_text())["outcomes"].items() if outcome == "passed"}
        made["outcomes"].update(dict.fromkeys(passed.intersection(failed), UNSTEADY))
        file.write_text(json.dumps(made))
        again.unlink()


def _run_tests(options: argparse.Namespace, folder: Path, file: Path, tests: Sequence[str]) -> None:
    """Run the tests of the checked-out commit. A run that exceeds the time limit leaves no trace."""
    script = str(Path(__file__).with_name("trace_tests.py"))
    source = os.pathsep.join(str(folder / each) for each in options.source)
    command = [options.python, script, str(file), str(folder), *tests]
    try:
        subprocess.run(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": source}, capture_output=True, timeout=options.timeout,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        print(f"{file.stem[:10]} took longer than {options.timeout} s", flush=True)


# --------------------------------------------------------------------------- score


def score(options: argparse.Namespace) -> None:
    """Select tests for each traced commit, and print the figures by repository and over all."""
    rows = read_rows(options.rows) if options.rows and options.rows.exists() else []
    for folder in options.traces:
        known = frozenset(row.commit for row in rows if row.repo == folder.name)
        for row in measured(folder, options.most, known):
            rows.append(row)
            if options.rows:
                with options.rows.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(stored(row)) + "\n")
        print(f"{folder.name}: {sum(row.repo == folder.name for row in rows)} commits", flush=True)
    if options.json:
        options.json.write_text(json.dumps([_plain(row) for row in rows], indent=1))
    print(table(rows))


def measured(folder: Path, most: int | None = None, known: frozenset[str] = frozenset()) -> Iterator[Row]:
    """Yield the selection beside the truth for each commit of a trace folder, if both its states were traced.

    Commits that change no function and no outcome are left out, and the `known` ones.
    """
    from codeexplore import Workspace

    traced = json.loads((folder / "commits.json").read_text())
    for before, after in traced["pairs"][:most]:
        files = folder / f"{before}.json", folder / f"{after}.json"
        if after in known or not all(file.exists() for file in files):
            continue
        truth = affected(*(json.loads(file.read_text()) for file in files))
        if not truth.files or not truth.all_files:
            continue
        tree = folder / "score-tree"
        if not tree.exists():
            _git(Path(traced["repo"]), "worktree", "add", "--detach", "--force", str(tree), after)
        _git(tree, "checkout", "--quiet", "--force", "--detach", after)
        workspace = Workspace(tree, cache=False, progress=lambda *_: None)
        start = time.perf_counter()
        changes = workspace.review.changes(before)
        seconds = time.perf_counter() - start
        selected, safe = changes.tests(), changes.tests(safe=True)
        by_class = {kind: frozenset(t.id for t in selected if t.certainty == kind) for kind in ("certain", "possible")}
        exist = truth.all_functions
        yield Row(
            folder.name, after, _existing(by_class["certain"], exist), _existing(by_class["possible"], exist),
            files_of(test.path for test in safe), truth, seconds,
        )  # fmt: skip


def stored(row: Row) -> dict[str, Any]:
    """Return a row as JSON values. `read_rows` makes the row again."""
    sets = {name: sorted(value) for name, value in row._asdict().items() if isinstance(value, frozenset)}
    truth = {
        name: sorted(value) if isinstance(value, frozenset) else value for name, value in row.truth._asdict().items()
    }
    return {**row._asdict(), **sets, "truth": truth}


def read_rows(file: Path) -> list[Row]:
    """Return the rows of a file that `score --rows` wrote."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        stored = _restored(json.loads(line))
        found.append(Row(**{**stored, "truth": Affected(**_restored(stored["truth"]))}))
    return found


def _restored(stored: dict[str, Any]) -> dict[str, Any]:
    return {name: frozenset(value) if isinstance(value, list) else value for name, value in stored.items()}


def _existing(ids: Iterable[str], exist: frozenset[str]) -> frozenset[str]:
    """Return the selected test functions that the runner knows; a file stands for all its tests."""
    chosen = frozenset(ids)
    return frozenset(test for test in exist if test in chosen or test.partition("::")[0] in chosen)


class Figures(NamedTuple):
    """Measures over some commits."""

    commits: int
    precision: float  # of selected test functions, over all commits together
    recall: float
    precision_possible: float  # the same with possible ones
    recall_possible: float
    complete: float  # share of commits with all affected test files among the files of safe=True
    skipped: float  # share of test files that safe=True leaves out, mean over commits
    seconds: float  # median of ws.review.changes


def figures(rows: Sequence[Row]) -> Figures:
    """Return the measures; the shares of an empty set are 0."""
    right = sum(len(row.certain & row.truth.functions) for row in rows)
    chosen = sum(len(row.certain) for row in rows)
    both = [(row.certain | row.possible, row.truth.functions) for row in rows]
    right_both = sum(len(one & true) for one, true in both)
    true = sum(len(row.truth.functions) for row in rows)
    return Figures(
        len(rows), _share(right, chosen), _share(right, true),
        _share(right_both, sum(len(one) for one, _ in both)), _share(right_both, true),
        _share(sum(row.truth.files <= row.safe_files for row in rows), len(rows)),
        _share(sum(_skipped(row) for row in rows), len(rows)),
        sorted(row.seconds for row in rows)[len(rows) // 2] if rows else 0.0,
    )  # fmt: skip


def _skipped(row: Row) -> float:
    """Return the share of test files that safe=True leaves out."""
    return 1 - len(row.safe_files & row.truth.all_files) / len(row.truth.all_files)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def table(rows: Sequence[Row]) -> str:
    """Return the figures as Markdown, by repository and over all."""
    lines = [
        "| repository | commits | precision | recall | with possible: precision | recall "
        "| safe: complete | files skipped | seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    groups = {name: [row for row in rows if row.repo == name] for name in dict.fromkeys(row.repo for row in rows)}
    groups |= {"all": list(rows), "all, traced completely": [row for row in rows if row.truth.traced]}
    for name, group in groups.items():
        found = figures(group)
        shares = " | ".join(f"{each:.1%}" for each in found[1:7])
        lines.append(f"| {name} | {found.commits} | {shares} | {found.seconds:.2f} |")
    return "\n".join(lines)


def _plain(row: Row) -> dict[str, Any]:
    truth = row.truth
    return {
        "repo": row.repo, "commit": row.commit, "missed": sorted(truth.functions - row.certain - row.possible),
        "wrong": sorted((row.certain | row.possible) - truth.functions), "affected": len(truth.functions),
        "missed_files": sorted(truth.files - row.safe_files), "safe_files": len(row.safe_files),
        "files": len(truth.all_files),
    }  # fmt: skip


def _commits(repo: Path, count: int, newest: str) -> list[list[str]]:
    """Return (parent, commit) of the newest commits with one parent that change a Python file."""
    log = _git(repo, "log", "--no-merges", "--format=%P %H", f"-{count * 4}", newest, "--", "*.py")
    pairs = [line.split() for line in log.splitlines()]
    return [pair for pair in pairs if len(pair) == 2][:count]


def _git(folder: Path, *words: str) -> str:
    command = ["git", "-c", f"core.hooksPath={os.devnull}", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    tracing = commands.add_parser("trace")
    tracing.add_argument("repo", type=Path)
    tracing.add_argument("out", type=Path)
    tracing.add_argument("--python", required=True, help="the interpreter of the environment that runs the tests")
    tracing.add_argument("--commits", type=int, default=50)
    tracing.add_argument("--newest", default="HEAD", help="where to start")
    tracing.add_argument("--source", nargs="*", default=["src", "."], help="folders for PYTHONPATH")
    tracing.add_argument("--tests", nargs="*", default=["tests"], help="arguments of pytest")
    tracing.add_argument("--minutes", type=float, default=10.0)
    tracing.add_argument("--timeout", type=float, default=240.0, help="seconds for one run of the tests")
    tracing.set_defaults(run=trace)
    scoring = commands.add_parser("score")
    scoring.add_argument("traces", type=Path, nargs="+")
    scoring.add_argument("--most", type=int, help="commits of each repository at most")
    scoring.add_argument("--rows", type=Path, help="add each scored commit to this file, and score none that is in it")
    scoring.add_argument("--json", type=Path, help="write what was missed and what was wrong for each commit")
    scoring.set_defaults(run=score)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
