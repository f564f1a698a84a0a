"""Run a repository's tests and write which functions each test ran, for `test_selection.py`.

It runs in the environment of that repository, with coverage and pytest installed, and **executes the repository's
code**. Arguments: the file to write, the folder of the repository, then pytest's arguments.

The result has the outcome of each test function, and for each function of the repository its fingerprint, the test
functions that ran a line of it, and whether it ran outside of all tests. The fingerprint ignores comments, layout,
docstrings and functions inside it. Code outside of functions runs when a module is imported, so it belongs to no test;
only its fingerprint is written.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Contexts:
    """A pytest plugin: every line that runs during a test, its fixtures included, is recorded for that test."""

    def __init__(self, recorder: coverage.Coverage) -> None:
        self.recorder, self.outcomes = recorder, dict[str, str]()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record the lines of a test under its name."""
        self.recorder.switch_context(function_of(item.nodeid))
        yield
        self.recorder.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the worst outcome of the phases of a test."""
        name = function_of(report.nodeid)
        if report.failed or name not in self.outcomes or (self.outcomes[name] == "passed" and report.skipped):
            self.outcomes[name] = report.outcome

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be collected."""
        if report.failed:
            self.outcomes[report.nodeid] = "error"


def function_of(node_id: str) -> str:
    """Return the test function of a pytest node id, without its parameters."""
    return node_id.partition("[")[0]


class Body:
    """A function: its fingerprint, and the lines that run when it is called."""

    def __init__(self, node: ast.AST) -> None:
        self.inner = [each for each in ast.walk(node) if isinstance(each, DEFINITIONS) and each is not node]
        self.fingerprint = fingerprint(node)
        body = getattr(node, "body", [])
        hidden = {line for each in self.inner for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)}
        own = (line for row in body for line in range(row.lineno, (row.end_lineno or row.lineno) + 1))
        self.lines = frozenset(own) - hidden


def fingerprint(node: ast.AST) -> str:
    """Return a digest of the code of a node without docstrings and without the functions inside it.

    For a whole module, its functions and imports do not count at all: adding one is not a change of the rest.
    """
    parts: list[str] = []
    whole = isinstance(node, ast.Module)

    def visit(each: Any, top: bool) -> None:
        if isinstance(each, DEFINITIONS) and not top:
            if not whole:
                parts.append("def")
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            return  # a docstring
        elif whole and isinstance(each, (ast.Import, ast.ImportFrom)):
            return
        elif isinstance(each, ast.AST):
            parts.append(type(each).__name__)
            for _, value in ast.iter_fields(each):
                visit(value, False)
        elif isinstance(each, list):
            parts.append("[")
            for value in each:
                visit(value, False)
            parts.append("]")
        else:
            parts.append(repr(each))

    visit(node, True)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def functions(text: str) -> dict[str, Body]:
    """Return the functions of a module by qualified name; of several with one name, "#2" and so on is added."""
    found: dict[str, Body] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, (*DEFINITIONS, ast.ClassDef)):
                name = f"{prefix}.{child.name}".lstrip(".")
            if isinstance(child, DEFINITIONS):
                key, number = name, 1
                while key in found:
                    number += 1
                    key = f"{name}#{number}"
                found[key] = Body(child)
            visit(child, name)

    visit(ast.parse(text), "")
    return found


def _ran(lines: Iterable[set[str]]) -> tuple[list[str], bool]:
    """Return the tests that ran a function, and whether it ran outside of all tests: when modules were imported."""
    found = set[str]().union(*lines)
    return sorted(found - {""}), "" in found


def main() -> None:
    out, folder, *words = sys.argv[1:]
    root = Path(folder).resolve()
    recorder = coverage.Coverage(data_file=None, source=[str(root)], config_file=False)
    plugin = Contexts(recorder)
    recorder.start()
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:randomly", *words], plugins=[plugin])
    recorder.stop()
    data = recorder.get_data()
    written: dict[str, Any] = {"outcomes": plugin.outcomes, "modules": {}, "functions": {}}
    for path in sorted(root.rglob("*.py")):
        try:
            text = path.read_text(encoding="utf-8")
            bodies = functions(text)
        except (SyntaxError, UnicodeDecodeError, ValueError):
            continue
        name = path.relative_to(root).as_posix()
        written["modules"][name] = fingerprint(ast.parse(text))
        tests: dict[int, set[str]] = defaultdict(set)
        for line, contexts in (data.contexts_by_lineno(str(path)) or {}).items():
            tests[line].update(contexts)
        written["functions"][name] = {
            key: [body.fingerprint, *_ran(tests[line] for line in body.lines if line in tests)]
            for key, body in bodies.items()
        }
    Path(out).write_text(json.dumps(written))


if __name__ == "__main__":
    main()
