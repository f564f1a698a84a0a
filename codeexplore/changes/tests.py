"""Selection of the tests to run for a change. Each test has a reason and a class (certain, possible, by import).

A test is selected if it was changed, or if a walk from the changed symbols reaches it (`impact`). It is also selected
if it uses a fixture that the walk reaches, or if the test or a symbol that it reaches names a changed data file.

The class "by import" contains the tests whose file imports a changed file, directly or through other files. It finds
dependencies that have no edge, but also selects many tests that are not affected. Legunsen et al. (2016) compare such a
static selection, called "firewall", with a selection by recorded runs.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from codeexplore.changes.impact import Impact, ImportedFiles
from codeexplore.changes.name_closure import NameClosure
from codeexplore.changes.records import CERTAINTIES, Certainty, Comparison, ReachedSymbol, SelectedTest
from codeexplore.changes.runners import Command, commands
from codeexplore.changes.signatures import parameters
from codeexplore.file_roles import is_test_path
from codeexplore.settings import RESOLVED_CONFIDENCE
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

_SETUP = re.compile(r"^(?:async)?(?:setup|teardown|before|after|set_up|tear_down)", re.IGNORECASE)
_TEST_NAME = re.compile(r"^(?:test|Test|Benchmark|Example|Fuzz|bench_|fuzz_)")
_TEST_MARKS = frozenset(
    {"test", "Test", "ParameterizedTest", "RepeatedTest", "Theory", "Fact", "TestFactory", "rstest"}
)
_FIXTURE_MARKS = ("fixture", "yield_fixture")
_FIXTURE_NAME = re.compile(r"\bname\s*=\s*[\"'](\w+)[\"']")
_AUTOUSE = re.compile(r"\bautouse\s*=\s*True\b")
_USED = re.compile(r"usefixtures\(([^)]*)\)")
_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_PYTHON_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests)\.py$")
_ESCAPES = (  # words that a file contains, and the pattern that decides: most files contain none of the words
    (
        "import modules by names built at run time",
        (b"import_module", b"__import__"),
        re.compile(rb"\b(?:import_module|__import__)\s*\("),
    ),
    (
        "start other processes",
        (b"subprocess", b"popen", b"child_process", b"os/exec"),
        re.compile(rb"\b(?:subprocess|popen|child_process|os/exec)\b"),
    ),
)
_MOST_MENTIONS = 200


@dataclass(frozen=True)
class Selection:
    """The tests to run, ordered by class and place, with their command lines.

    `escapes` are sentences on what may affect tests that are not selected.
    """

    tests: tuple[SelectedTest, ...]
    commands: tuple[Command, ...]
    escapes: tuple[str, ...]
    files: int  # number of test files in the repository
    safe: bool = False

    @property
    def skipped_files(self) -> int:
        """Number of test files without a selected test."""
        return self.files - len({test.path for test in self.tests})


def select(comparison: Comparison, impact: Impact, *, safe: bool = False) -> Selection:
    """Return the tests to run. With `safe`, also the test files that only import a changed file, as whole files."""
    return _Selector(comparison, impact).selection(safe)


class _Selector:
    def __init__(self, comparison: Comparison, impact: Impact) -> None:
        self._comparison, self._impact = comparison, impact
        self._new = comparison.new
        self._found: dict[str, SelectedTest] = {}
        self._fixtures: list[tuple[Symbol, Certainty, str, float]] = []  # reached ones, still to be followed
        self._followed: set[str] = set()

    def selection(self, safe: bool) -> Selection:
        for change in self._comparison.symbols:
            if change.new is not None and change.is_code:
                self._take(change.new, "certain", "changed itself" if change.kind != "added" else "is new", 1.0)
        mentions = self._mentions()
        by_import: list[ReachedSymbol] = []
        for reached in self._impact.reached(extra=tuple(mentions)):
            if reached.certainty == "by import":
                if safe and self._is_test_file(reached.symbol.path):
                    by_import.append(reached)
                continue
            named = mentions.get(reached.way[0].id) if reached.way else None
            reason = f"names {named}" if named and len(reached.way) == 1 else _reason(reached)
            self._take(reached.symbol, reached.certainty, reason, reached.confidence)
        for symbol_id, path in mentions.items():
            self._take(self._new.catalog.symbol(symbol_id), "possible", f"names {path}", 1.0)
        self._follow_fixtures()
        self._conftests(safe)
        if safe:
            self._imports(by_import)
            for path in sorted(self._impact.changed_files):
                if self._is_test_file(path) and path in self._new.sources:
                    self._add_file(path, "by import", "its own code outside of tests changed")
        tests = sorted(self._found.values(), key=lambda each: (CERTAINTIES.index(each.certainty), each.path, each.id))
        chosen = [(test, self._new.catalog.in_file(test.path)[0].language) for test in tests]
        return Selection(
            tuple(tests), commands(chosen, self._comparison.build_files), self._escapes(), self._count(), safe
        )

    def _imports(self, importers: Sequence[ReachedSymbol]) -> None:
        """Select the test files that import a changed file and mention names that lead to the change."""
        closure = NameClosure(self._comparison, ImportedFiles(self._new.graph))
        known = {test.path for test in self._found.values()}
        for reached in importers:
            path = reached.symbol.path
            if not path.endswith(".py") or path in closure.files:
                self._add_file(path, "by import", _import_reason(reached))
        for path in self._python_tests:  # names in strings, where nothing is imported
            if path in closure.files and path not in known and self._is_test_file(path):
                self._add_file(path, "by import", "mentions names that lead to the change")

    # ----------------------------------------------------------------- from symbols to tests

    def _take(self, symbol: Symbol, certainty: Certainty, reason: str, confidence: float) -> None:
        """Select the tests that depend on a reached symbol.

        If the symbol is a test, or is inside one, that test is selected. For a fixture, the tests that use it are
        selected later. For a method such as ``setUp``, all tests of its class are selected.
        """
        if not is_test_path(symbol.path) and not self._is_test(symbol):
            if self._is_fixture(symbol):
                self._fixtures.append((symbol, certainty, reason, confidence))
            return
        around: Symbol | None = symbol
        while around is not None:
            if self._is_test(around):
                for each in self._collected(around):
                    self._add(each, around, certainty, reason, confidence)
                return
            if self._is_fixture(around):
                self._fixtures.append((around, certainty, reason, confidence))
                return
            if around.kind in CALLABLE_KINDS and around.parent is not None and _SETUP.match(around.name):
                self._of_class(around, certainty, f"{around.name} {reason}", confidence)
                return
            if around.kind in ("module", "lambda") and around.language != "python" and self._is_test_file(around.path):
                self._add_file(around.path, certainty, reason)
                return
            around = None if around.parent is None else self._new.catalog.symbol(around.parent)

    def _of_class(self, method: Symbol, certainty: Certainty, reason: str, confidence: float) -> None:
        """Select all tests beside `method`: those of the same class, or of the same module for a function."""
        assert method.parent is not None
        for symbol in self._new.catalog.in_file(method.path):
            if symbol.parent == method.parent and self._is_test(symbol):
                for each in self._collected(symbol):
                    self._add(each, symbol, certainty, reason, confidence)

    def _is_test_file(self, path: str) -> bool:
        """Return True if a test runner looks for tests in the file."""
        if path.endswith(".py"):
            return bool(_PYTHON_TEST.search(path))
        return is_test_path(path) and any(
            self._is_test(s) or s.kind == "lambda" for s in self._new.catalog.in_file(path)
        )

    def _is_test(self, symbol: Symbol) -> bool:
        if symbol.kind not in ("function", "method"):
            return False
        if any(re.split(r"[.:]+", each.partition("(")[0])[-1] in _TEST_MARKS for each in symbol.decorators):
            return True
        if symbol.language == "java" or not _TEST_NAME.match(symbol.name):
            return False
        if symbol.language == "python" and not _PYTHON_TEST.search(symbol.path):
            return symbol.parent is not None and bool(self._collected(symbol))
        return is_test_path(symbol.path)

    def _is_fixture(self, symbol: Symbol) -> bool:
        return symbol.language == "python" and any(
            each.partition("(")[0].rpartition(".")[2] in _FIXTURE_MARKS for each in symbol.decorators
        )

    def _collected(self, test: Symbol) -> list[str]:
        """Return the ids of a test for its runner. A Python method has an id for each class that inherits it."""
        if test.language == "go":
            return [f"{posixpath.dirname(test.path) or '.'} {test.name}"]
        if test.language == "rust":
            return [test.fqn.partition("::")[2] or test.fqn]
        owner = None if test.parent is None else self._new.catalog.symbol(test.parent)
        if owner is None or owner.kind not in TYPE_KINDS:
            if test.language != "python":
                return [test.fqn]
            return [f"{test.path}::{test.name}"] if _PYTHON_TEST.search(test.path) else []
        if test.language != "python":
            return [f"{owner.fqn}#{test.name}"]
        return [
            f"{each.path}::{self._class_path(each)}::{test.name}"
            for each in (owner, *self._subclasses(owner))
            if _PYTHON_TEST.search(each.path) and (each.name.startswith("Test") or self._is_case(each))
        ]

    def _class_path(self, symbol: Symbol) -> str:
        names = [symbol.name]
        while symbol.parent is not None and (symbol := self._new.catalog.symbol(symbol.parent)).kind in TYPE_KINDS:
            names.append(symbol.name)
        return "::".join(reversed(names))

    def _subclasses(self, owner: Symbol) -> list[Symbol]:
        graph = self._new.graph
        found = [graph.vertex(owner.id)]
        for vertex in found:
            for row in graph.incident(vertex, "in", ("EXTENDS",), RESOLVED_CONFIDENCE):
                below = graph.edges.source[row]
                if below not in found:
                    found.append(below)
        return [graph.symbol(vertex) for vertex in found[1:]]

    def _is_case(self, owner: Symbol) -> bool:
        """Return True if a class or one of its supertypes has a base whose name ends in ``TestCase`` (unittest)."""
        graph, seen = self._new.graph, [self._new.graph.vertex(owner.id)]
        for vertex in seen:
            symbol = graph.symbol(vertex)
            facts = self._new.files.facts(symbol.path)
            if any(row.path.rpartition(".")[2].endswith("TestCase") for row in facts.bases
                   if facts.symbols[row.scope].id == symbol.id):  # fmt: skip
                return True
            for row in graph.incident(vertex, "out", ("EXTENDS",), RESOLVED_CONFIDENCE):
                above = graph.edges.target[row]
                if above not in seen:
                    seen.append(above)
        return False

    def _add(self, test_id: str, symbol: Symbol, certainty: Certainty, reason: str, confidence: float) -> None:
        path = test_id.partition("::")[0] if symbol.language == "python" else symbol.path
        known = self._found.get(test_id)
        if known is None or CERTAINTIES.index(known.certainty) > CERTAINTIES.index(certainty):
            self._found[test_id] = SelectedTest(test_id, path, certainty, reason, symbol, confidence)

    def _add_file(self, path: str, certainty: Certainty, reason: str) -> None:
        if path not in self._found:
            self._found[path] = SelectedTest(path, path, certainty, reason, None)

    # ----------------------------------------------------------------- pytest: fixtures, conftest.py

    def _follow_fixtures(self) -> None:
        """Select the tests that use a reached fixture, directly or through other fixtures."""
        while self._fixtures:
            fixture, certainty, reason, confidence = self._fixtures.pop(0)
            if fixture.id in self._followed:
                continue
            self._followed.add(fixture.id)
            head = self._head(fixture)
            named = _FIXTURE_NAME.search(head)
            name = named[1] if named else fixture.name
            automatic = bool(_AUTOUSE.search(head))
            said = f"uses the fixture {name}, which {reason}"
            for symbol in self._users(fixture, name, automatic):
                if self._is_fixture(symbol):
                    self._fixtures.append((symbol, certainty, said, confidence))
                else:
                    for each in self._collected(symbol):
                        self._add(each, symbol, certainty, said, confidence)

    def _users(self, fixture: Symbol, name: str, automatic: bool) -> Iterator[Symbol]:
        """Yield the tests and fixtures that use a fixture: by a parameter's name, ``usefixtures`` or ``autouse``."""
        folder = posixpath.dirname(fixture.path)
        own = posixpath.basename(fixture.path) != "conftest.py" and bool(_PYTHON_TEST.search(fixture.path))
        for path in self._python_tests:
            if (own and path != fixture.path) or (not own and "conftest.py" in fixture.path and folder
                                                and not path.startswith(f"{folder}/")):  # fmt: skip
                continue
            marked = self._marked_file(path)
            for symbol in self._new.catalog.in_file(path):
                if symbol.kind not in ("function", "method") or symbol.id == fixture.id:
                    continue
                if not (self._is_fixture(symbol) or self._is_test(symbol)):
                    continue
                if (
                    automatic
                    or any(each.name == name for each in parameters(symbol))
                    or name in marked.get(symbol.id, ())
                ):
                    yield symbol

    @cached_property
    def _python_tests(self) -> list[str]:
        return [
            p for p in self._new.sources if p.endswith(".py") and (_PYTHON_TEST.search(p) or p.endswith("conftest.py"))
        ]

    def _marked_file(self, path: str) -> Mapping[str, frozenset[str]]:
        """Return symbol id → names of the fixtures that ``usefixtures`` marks of it, its class or its file request."""
        text = self._new.sources[path].text
        if "usefixtures" not in text:
            return {}
        whole = {name for mark in re.findall(r"^pytestmark\b[^\n]*usefixtures\(([^)]*)\)", text, re.MULTILINE)
                 for name in _QUOTED.findall(mark)}  # fmt: skip
        found: dict[str, frozenset[str]] = {}
        for symbol in self._new.catalog.in_file(path):
            inherited = found.get(symbol.parent or "", frozenset(whole))
            own = {name for mark in _USED.findall(self._head(symbol)) for name in _QUOTED.findall(mark)}
            found[symbol.id] = inherited | own
        return found

    def _head(self, symbol: Symbol) -> str:
        """Return the decorators of a symbol as text."""
        if not symbol.decorators:
            return ""
        lines = self._new.sources[symbol.path].text.split("\n")
        return "\n".join(lines[symbol.span.start_line - 1 : symbol.line - 1])

    def _conftests(self, safe: bool) -> None:
        """With `safe`, select all test files below a ``conftest.py`` whose hooks or module-level statements changed."""
        for change in self._comparison.symbols:
            symbol = change.new
            if symbol is None or not change.is_code or posixpath.basename(symbol.path) != "conftest.py":
                continue
            if safe and (symbol.kind == "module" or symbol.name.startswith("pytest_")):
                folder = posixpath.dirname(symbol.path)
                for path in self._python_tests:
                    if _PYTHON_TEST.search(path) and (not folder or path.startswith(f"{folder}/")):
                        self._add_file(path, "by import", f"{symbol.path} changed")

    # ----------------------------------------------------------------- data files

    def _mentions(self) -> dict[str, str]:
        """Return the symbols whose source names a changed data file: id → path of the file."""
        found: dict[str, str] = {}
        for file in self._comparison.files:
            name = posixpath.basename(file.path).encode("utf-8", "surrogateescape")
            stem, dot, _ = name.rpartition(b".")
            if len(stem) < 3 or not dot:
                continue
            for path in self._new.sources:
                data = bytes(self._new.sources.data(path))
                place = data.find(name) if not path.endswith((".md", ".rst", ".txt")) else -1
                while place >= 0 and len(found) < _MOST_MENTIONS:
                    symbol = self._new.catalog.at(path, data.count(b"\n", 0, place) + 1)
                    if symbol is not None and symbol.kind != "section":
                        found.setdefault(symbol.id, file.path)
                    place = data.find(name, place + 1)
        return found

    # ----------------------------------------------------------------- limits

    def _count(self) -> int:
        return sum(1 for path in self._new.sources if is_test_path(path) and self._is_test_file(path))

    def _escapes(self) -> tuple[str, ...]:
        """Return sentences on what may affect tests that are not selected."""
        found: dict[str, list[str]] = {words: [] for words, _, _ in _ESCAPES}
        for path in self._new.sources:
            if not _is_text(path):
                data = bytes(self._new.sources.data(path))
                for words, literals, pattern in _ESCAPES:
                    if any(each in data for each in literals) and pattern.search(data):
                        found[words].append(path)
        said = []
        for words, files in found.items():
            if files:
                count = "1 file" if len(files) == 1 else f"{len(files)} files"
                said.append(f"{count} may {words} ({_some(files)}).")
        unread = [file.path for file in self._comparison.files]
        if unread:
            count = "1 changed file has" if len(unread) == 1 else f"{len(unread)} changed files have"
            rest = "tests that name them are selected, others that read them are not"
            said.append(f"{count} no symbols ({_some(unread)}); {rest}.")
        said.append("Plugins of the test runner and installed packages are not seen.")
        return tuple(said)


def _some(paths: Sequence[str]) -> str:
    return ", ".join(paths[:3]) + (" …" if len(paths) > 3 else "")


def _is_text(path: str) -> bool:
    return path.endswith((".md", ".rst", ".txt", ".ipynb"))


def _reason(reached: ReachedSymbol) -> str:
    """Return in words how a test reaches a changed symbol: "calls a.f via b.g"."""
    verb = "uses"
    if reached.edges:
        verb = {"CALLS": "calls", "EXTENDS": "extends", "IMPLEMENTS": "implements", "OVERRIDES": "overrides"}.get(
            reached.edges[-1].kind, "uses"
        )
    start = reached.way[0]
    between = [symbol.name for symbol in reached.way[1:-1]]
    via = f" via {' → '.join(reversed(between))}" if between else ""
    return f"{verb} {start.fqn}{' as it was before' if reached.before else ''}{via}"


def _import_reason(reached: ReachedSymbol) -> str:
    between = [symbol.fqn for symbol in reached.way[1:-1]]
    return f"imports {reached.way[0].fqn}{' via ' + ' → '.join(reversed(between)) if between else ''}"


def tests_of(selection: Iterable[SelectedTest]) -> list[str]:
    """Return the ids of tests."""
    return [test.id for test in selection]
