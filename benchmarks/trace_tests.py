"""Run a repository's tests and write which functions each test ran, for `test_selection.py`.

It runs in the environment of that repository, with Python 3.12 or newer and pytest, and **executes the repository's
code**. Arguments: the file to write, the folder of the repository, then pytest's arguments.

The result has the outcome of each test function, and for each function of the repository its fingerprint, the test
functions that ran it, and whether it ran outside of all tests. The fingerprint ignores comments, layout, docstrings,
annotations (they run no other code) and functions inside it. Code outside of functions runs when a module is imported,
so it belongs to no test; only its fingerprint is written.

Calls are recorded with `sys.monitoring` (PEP 669). Each function reports once per test, so a run takes little longer
than without recording. What a fixture of a wider scope runs counts for every test that uses the fixture.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Recorder:
    """Records the code objects below a folder that start to run, by the name of the current context."""

    def __init__(self, root: Path) -> None:
        self.root = f"{root}/"
        self.ran: dict[str, set[CodeType]] = defaultdict(set)
        self.current = ""

    def start(self) -> None:
        """Start to record."""
        sys.monitoring.use_tool_id(sys.monitoring.COVERAGE_ID, "trace_tests")
        sys.monitoring.register_callback(sys.monitoring.COVERAGE_ID, sys.monitoring.events.PY_START, self._started)
        sys.monitoring.set_events(sys.monitoring.COVERAGE_ID, sys.monitoring.events.PY_START)

    def stop(self) -> None:
        """Stop recording."""
        sys.monitoring.set_events(sys.monitoring.COVERAGE_ID, 0)
        sys.monitoring.free_tool_id(sys.monitoring.COVERAGE_ID)

    def switch(self, context: str) -> None:
        """Record under another name from now on."""
        self.current = context
        sys.monitoring.restart_events()

    def _started(self, code: CodeType, _offset: int) -> object:
        if code.co_filename.startswith(self.root):
            self.ran[self.current].add(code)
        return sys.monitoring.DISABLE


class Contexts:
    """A pytest plugin: every function that runs during a test, its fixtures included, is recorded for that test."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.outcomes = recorder, dict[str, str]()
        self.users: dict[str, set[str]] = defaultdict(set)  # context of a fixture → test functions that use it

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record the calls of a test under its name."""
        self.recorder.switch(function_of(item.nodeid))
        for definitions in getattr(item, "_fixtureinfo", item).name2fixturedefs.values():
            for each in definitions:
                self.users[_context(each)].add(function_of(item.nodeid))
        result = yield
        self.recorder.switch("")
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Record the calls of a fixture with a wider scope under a name of its own."""
        if fixturedef.scope == "function":
            return (yield)
        outer = self.recorder.current
        self.recorder.switch(_context(fixturedef))
        try:
            return (yield)
        finally:
            self.recorder.switch(outer)

    def tests_of(self, context: str) -> set[str]:
        """Return the test functions to which the calls of a context belong."""
        return self.users[context] if context.startswith("fixture ") else {context}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the worst outcome of the phases of a test."""
        name = function_of(report.nodeid)
        if report.failed or name not in self.outcomes or (self.outcomes[name] == "passed" and report.skipped):
            self.outcomes[name] = report.outcome

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be collected."""
        if report.failed:
            self.outcomes[report.nodeid] = "error"


def _context(fixture: pytest.FixtureDef[Any]) -> str:
    return f"fixture {fixture.baseid} {fixture.argname}"


def function_of(node_id: str) -> str:
    """Return the test function of a pytest node id, without its parameters."""
    return node_id.partition("[")[0]


class Body:
    """A function: its fingerprint, its first line, and the lines that run when it is called."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.inner = [each for each in ast.walk(node) if isinstance(each, DEFINITIONS) and each is not node]
        self.fingerprint = fingerprint(node)
        self.first = min(row.lineno for row in (node, *getattr(node, "decorator_list", ())))  # as in co_firstlineno
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
        each = each if whole else _without_annotation(each)
        if isinstance(each, DEFINITIONS) and not top:
            if not whole:
                parts.append("def")
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            return  # a docstring
        elif whole and isinstance(each, (ast.Import, ast.ImportFrom)):
            return
        elif isinstance(each, ast.AST):
            parts.append(type(each).__name__)
            for name, value in ast.iter_fields(each):
                if whole or name not in ("annotation", "returns"):
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


def _without_annotation(node: Any) -> Any:
    """Return the assignment that an annotated one is; documentation for a declaration, which does nothing."""
    if not isinstance(node, ast.AnnAssign):
        return node
    return ast.Assign([node.target], node.value) if node.value is not None else ast.Expr(ast.Constant(""))


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


def called(bodies: dict[str, Body], code: CodeType) -> str | None:
    """Return the name of the function to which a code object belongs: a lambda belongs to the function around it."""
    first = code.co_firstlineno
    for name, body in bodies.items():
        if body.first == first and name.rpartition(".")[2].partition("#")[0] == code.co_name:
            return name
    return next((name for name, body in bodies.items() if first in body.lines), None)


def main() -> None:
    out, folder, *words = sys.argv[1:]
    root = Path(folder).resolve()
    recorder = Recorder(root)
    plugin = Contexts(recorder)
    recorder.start()
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:randomly", *words], plugins=[plugin])
    recorder.stop()
    codes: dict[str, dict[CodeType, set[str]]] = defaultdict(lambda: defaultdict(set))
    for context, ran in recorder.ran.items():
        for code in ran:
            codes[code.co_filename][code] |= plugin.tests_of(context)
    written: dict[str, Any] = {"outcomes": plugin.outcomes, "modules": {}, "functions": {}}
    for path in sorted(root.rglob("*.py")):
        try:
            text = path.read_text(encoding="utf-8")
            bodies = functions(text)
        except (SyntaxError, UnicodeDecodeError, ValueError):
            continue
        name = path.relative_to(root).as_posix()
        written["modules"][name] = fingerprint(ast.parse(text))
        tests: dict[str | None, set[str]] = defaultdict(set)
        for code, those in codes[str(path)].items():
            tests[called(bodies, code)] |= those
        written["functions"][name] = {
            key: [body.fingerprint, sorted(tests[key] - {""}), "" in tests[key]] for key, body in bodies.items()
        }
    Path(out).write_text(json.dumps(written))


if __name__ == "__main__":
    main()
