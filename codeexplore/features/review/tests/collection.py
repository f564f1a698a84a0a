"""The tests of a repository: functions that a runner starts, their ids, and the fixtures that pytest runs for them."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import NamedTuple

from codeexplore.features.review.impact import folders_around
from codeexplore.features.review.records import Side
from codeexplore.features.review.signatures import parameters
from codeexplore.features.review.tests.objects import body_of
from codeexplore.graph.traversal import related
from codeexplore.languages.file_roles import marks
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Direction, Symbol
from codeexplore.types.rows import grouped
from codeexplore.types.settings import RESOLVED_CONFIDENCE

SETUP = re.compile(r"^(?:async)?(?:setup|teardown|before|after|set_up|tear_down)", re.IGNORECASE)
_FIXTURE_MARKS = ("fixture", "yield_fixture")
_FIXTURE_NAME = re.compile(r"\bname\s*=\s*[\"'](\w+)[\"']")
_AUTOUSE = re.compile(r"\bautouse\s*=\s*True\b")
_USED = re.compile(r"usefixtures\(([^)]*)\)")
_ASKED = re.compile(r"\b(?:getfixturevalue|lazy_fixture|lf|fixture_ref)\b")  # functions that get a fixture by its name
COMPUTED_FIXTURE = re.compile(r"\bgetfixturevalue\s*\(\s*(?![\"'\s])")
_PROVIDER = re.compile(r"@dataProvider\s+(\w+)")  # of PHPUnit, in the documentation of a test
_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_WORD = re.compile(r"\w+")
_PYTHON_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests)\.py$")
_CRATE = re.compile(r"(?:^|/)(tests|benches|examples)/([^/]+?)(?:/main)?\.rs$")  # a file that Cargo builds by itself
_GTEST = re.compile(r"(?:TYPED_)?TEST(?:_[FP])?\((\w+),\s*(\w+)\)")


class _TestFile(NamedTuple):
    """The facts of a file about tests."""

    imported: frozenset[str]  # names at the top level that keep the name they have where they come from
    cases: frozenset[str]  # ids of classes with a base of unittest


class CollectedTests:
    """The tests of one state of a repository."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self.runs = cache(self._runs_of)
        self._file = cache(self._facts_of)
        self._inside = cache(lambda path: grouped((s.parent, s) for s in side.catalog.in_file(path)))
        self._named = cache(lambda path: grouped((s.name, s) for s in side.catalog.in_file(path)))
        self._lines = lru_cache(maxsize=64)(lambda path: side.sources[path].text.split("\n"))
        self._asks_by_text = cache(lambda path: _ASKED.search(side.sources[path].text) is not None)
        self.subclasses = cache(partial(self._related_to, direction="in"))
        self.superclasses = cache(partial(self._related_to, direction="out"))

    def is_test_file(self, path: str) -> bool:
        return self.is_pytest_file(path) if path.endswith(".py") else self._side.catalog.is_test_file(path)

    def is_pytest_file(self, path: str) -> bool:
        """Return True for a Python file in which pytest looks for tests."""
        if _PYTHON_TEST.search(path):
            return True
        named = path.endswith(".py") and self._side.catalog.roles.is_named(path)
        return named and posixpath.basename(path) not in ("conftest.py", "__init__.py")

    def is_test(self, symbol: Symbol) -> bool:
        if symbol.language == "python" and not self.is_pytest_file(symbol.path):  # a class that test files inherit
            return symbol.kind == "method" and symbol.name.startswith("test") and bool(self.ids(symbol))
        return self._side.catalog.is_test(symbol)

    def is_setup(self, symbol: Symbol) -> bool:
        """Return True for a function that runs before or after tests: by its name, its mark, or as a constructor."""
        if symbol.kind not in ("function", "method") or symbol.parent is None:
            return False
        language = record_of(symbol.language)
        if SETUP.match(symbol.name) or marks(symbol) & language.setup_decorators:
            return True
        around = self._side.catalog.symbol(symbol.parent)
        return around.kind in TYPE_KINDS and symbol.name in (*language.constructors, around.name)

    def is_started(self, symbol: Symbol) -> bool:
        """Return True for a test, and for a method such as ``setUp`` of a class with tests."""
        return self.is_test(symbol) or (self.is_setup(symbol) and next(self.prepared_by(symbol), None) is not None)

    def prepared_by(self, method: Symbol) -> Iterator[tuple[str, Symbol]]:
        """Yield the tests that a function such as ``setUp`` runs before or after, each with its id.

        These are the tests of its class and of the subclasses that do not override it, inherited ones too. For a
        function of a module, they are the tests beside it.
        """
        around = self._side.catalog.around(method)
        if around is None:
            return
        if around.kind not in TYPE_KINDS:
            yield from ((each, test) for test in self.members(around) if self.is_test(test) for each in self.ids(test))
            return
        for owner in (around, *self.subclasses(around)):
            if owner is not around and any(each.name == method.name for each in self.members(owner)):
                continue
            yield from self.tests_of(owner)

    def tests_of(self, owner: Symbol) -> Iterator[tuple[str, Symbol]]:
        """Yield the tests that run on a class, inherited ones too, each with its id."""
        for above in (owner, *self.superclasses(owner)):
            for test in filter(self.is_test, self.members(above)):
                yield from ((each, test) for each, of in self.runs(test) if of is None or of.id == owner.id)

    def definitions(self, path: str) -> dict[str, list[tuple[str, Symbol]]]:
        """Return name → tests of each definition at the top level of a Python file, each test with its id."""
        found = defaultdict[str, list[tuple[str, Symbol]]](list)
        top: dict[str, str] = {}  # id of a definition → name of the one around it at the top level
        for symbol in self._side.catalog.in_file(path):
            if symbol.kind == "module":
                continue
            top[symbol.id] = name = top.get(symbol.parent or "", symbol.name)
            if symbol.kind in TYPE_KINDS:
                found[name] += self.tests_of(symbol)
            elif symbol.name == name and self.is_test(symbol):
                found[name] += [(each, symbol) for each in self.ids(symbol)]
        return found

    def is_fixture(self, symbol: Symbol) -> bool:
        return symbol.language == "python" and not marks(symbol).isdisjoint(_FIXTURE_MARKS)

    def ids(self, test: Symbol) -> list[str]:
        return [test_id for test_id, _ in self.runs(test)]

    def _runs_of(self, test: Symbol) -> list[tuple[str, Symbol | None]]:
        """Return the ids of a test for its runner, each with the class on which it runs.

        A Python method has an id for each class that inherits it. A test also has an id for each other test file that
        imports it or its class, because pytest looks for tests among all names of a module.
        """
        if test.language == "go":
            return [(f"{posixpath.dirname(test.path) or '.'} {test.name}", None)]
        if test.language == "rust":
            return [(self._in_crate(test), None)]
        owner = self._side.catalog.around(test)
        if owner is None or owner.kind not in TYPE_KINDS:
            if test.language != "python":
                suite = _GTEST.match(test.signature)
                return [(f"{suite[1]}.{suite[2]}" if suite else test.fqn, None)]
            return [(f"{path}::{test.name}", None) for path in self._files_with(test)]
        if test.language != "python":
            return [(f"{owner.fqn}#{test.name}", owner)]
        return [
            (f"{path}::{self._class_path(each)}::{test.name}", each)
            for each in (owner, *self.subclasses(owner))
            if each.name.startswith("Test") or self._is_case(each)
            for path in self._files_with(each)
        ]

    @staticmethod
    def _in_crate(test: Symbol) -> str:
        """Return the name of a Rust test in its crate, after the target if Cargo builds its file by itself."""
        names = test.fqn.split("::")
        built = _CRATE.search(test.path)
        if built is None:
            return "::".join(names[1:]) or test.fqn
        inside = names[names.index(built[2]) + 1 :] if built[2] in names else names[-1:]
        return f"--{built[1].removesuffix('es').removesuffix('s')} {built[2]} {'::'.join(inside)}"

    def _files_with(self, symbol: Symbol) -> list[str]:
        """Return the test files that define a test or a class of tests, or import it under its own name."""
        graph, found = self._side.graph, [symbol.path]
        for user in graph.neighbours(graph.vertex(symbol.id), "in", ("IMPORTS",), RESOLVED_CONFIDENCE):
            path = graph.symbol(user).path
            if path.endswith(".py") and symbol.name in self._file(path).imported:
                found.append(path)
        return [path for path in dict.fromkeys(found) if self.is_pytest_file(path)]

    def _facts_of(self, path: str) -> _TestFile:
        facts = self._side.files.facts(path)
        cases = [row for row in facts.bases if row.path.rpartition(".")[2].endswith("TestCase")]
        return _TestFile(
            frozenset(row.name for row in facts.imports if row.scope == 0 and row.name == row.member),
            frozenset(facts.symbols[row.scope].id for row in cases),
        )

    def _class_path(self, symbol: Symbol) -> str:
        names = [symbol.name]
        while symbol.parent is not None and (symbol := self._side.catalog.symbol(symbol.parent)).kind in TYPE_KINDS:
            names.append(symbol.name)
        return "::".join(reversed(names))

    def _is_case(self, owner: Symbol) -> bool:
        """Return True if a class or one of its supertypes has a base whose name ends in ``TestCase`` (unittest)."""
        return any(each.id in self._file(each.path).cases for each in (owner, *self.superclasses(owner)))

    def _related_to(self, owner: Symbol, direction: Direction) -> Sequence[Symbol]:
        graph, every = self._side.graph, len(self._side.catalog.symbols)
        start = [graph.vertex(owner.id)]
        found = related(graph, start, direction, ("EXTENDS",), most=every, minimum=RESOLVED_CONFIDENCE)
        return [graph.symbol(vertex) for vertex in found[1:]]

    def members(self, owner: Symbol) -> list[Symbol]:
        return self._inside(owner.path).get(owner.id, [])

    def starts(self, test: Symbol, owner: Symbol | None) -> list[int]:
        """Return what runs or exists before and while a test runs."""
        vertex = self._side.graph.vertex
        inside = [test]  # and the functions in it, which its calls may run
        for around in inside:
            inside += [each for each in self.members(around) if each.kind in CALLABLE_KINDS]
        found = [vertex(each.id) for each in inside]
        if owner is not None:
            found += [vertex(owner.id), body_of(vertex(owner.id))]
            run: dict[str, int] = {}  # a method of a subclass overrides those above
            for above in (owner, *self.superclasses(owner)):
                for each in self.members(above):
                    if self.is_setup(each):
                        run.setdefault(each.name, vertex(each.id))
            found += run.values()
        fixtures = self._requested(test, owner)
        return [*found, *(vertex(each.id) for each in fixtures)]

    def _requested(self, test: Symbol, owner: Symbol | None) -> list[Symbol]:
        """Return the fixtures that a test asks for, directly or through other fixtures."""
        if test.language != "python":
            return []
        classes = () if owner is None else (owner, *self.superclasses(owner))
        folders = folders_around(test.path)
        found: dict[str, Symbol] = {}
        pending: list[Symbol] = [test]
        for symbol in pending:
            for name in self._asked(symbol):
                if name in found:
                    continue
                named = [each for above in classes for each in self.members(above) if each.name == name]
                for path in (test.path, symbol.path, *(f"{each}/conftest.py".lstrip("/") for each in folders)):
                    if path in self._side.sources:
                        named += self._named(path).get(name, [])
                fixture = next(filter(self.is_fixture, named), None)
                if fixture is not None:
                    found[name] = fixture
                    pending.append(fixture)
        return list(found.values())

    def is_local(self, symbol: Symbol) -> bool:
        return any(each.kind in CALLABLE_KINDS for each in self._side.catalog.all_around(symbol))

    def fixture_name(self, fixture: Symbol) -> tuple[str, bool]:
        """Return the name by which tests use a fixture, and True if all tests use it."""
        head = self._head(fixture)
        named = _FIXTURE_NAME.search(head)
        return named[1] if named else fixture.name, bool(_AUTOUSE.search(head))

    def users(self, fixture: Symbol, name: str, automatic: bool) -> Iterator[Symbol]:
        """Yield the tests and fixtures that use a fixture: by name, ``usefixtures`` or ``autouse``."""
        folder = posixpath.dirname(fixture.path)
        own = posixpath.basename(fixture.path) != "conftest.py" and self.is_pytest_file(fixture.path)
        for path in self.python_files:
            below = not folder or path.startswith(f"{folder}/") or "conftest.py" not in fixture.path
            if path != fixture.path if own else not below:
                continue
            marked = self._marked_file(path)
            for symbol in self._side.catalog.in_file(path):
                if symbol.kind not in ("function", "method") or symbol.id == fixture.id:
                    continue
                asks = automatic or name in self._asked(symbol) or name in marked.get(symbol.id, ())
                if asks and (self.is_fixture(symbol) or self.is_test(symbol)):
                    yield symbol

    def _asked(self, symbol: Symbol) -> frozenset[str]:
        """Return the names that a test or fixture may ask for: its parameters, and texts if it asks by text.

        ``request.getfixturevalue("name")`` has the text. A name from elsewhere may be any text of the file.
        """
        found = {each.name for each in parameters(symbol)}
        if self._asks_by_text(symbol.path):
            lines = self._lines(symbol.path)
            text = "\n".join(lines[symbol.span.start_line - 1 : symbol.span.end_line])
            if _ASKED.search(text):
                found.update(_QUOTED.findall("\n".join(lines) if COMPUTED_FIXTURE.search(text) else text))
        return frozenset(found)

    def given_to(self, symbol: Symbol) -> list[Symbol]:
        """Return the symbols of a file whose marks name a function or value of it, such as the source of test cases.

        In Python, marks are code, whose uses the graph has.
        """
        if symbol.language == "python" or self.is_local(symbol):
            return []
        names = {symbol.name, *_FIXTURE_NAME.findall(self._head(symbol))}
        return [
            each
            for each in self._side.catalog.in_file(symbol.path)
            if each.id != symbol.id
            and (names - marks(each)).intersection([*_WORD.findall(self._head(each)), *_PROVIDER.findall(each.doc)])
        ]

    @cached_property
    def python_files(self) -> list[str]:
        """The Python files that pytest reads: test files and each ``conftest.py``."""
        return [path for path in self._side.sources if self.is_pytest_file(path) or path.endswith("conftest.py")]

    def _marked_file(self, path: str) -> Mapping[str, frozenset[str]]:
        """Return symbol id → names of the fixtures that ``usefixtures`` marks of it, its class or its file request."""
        text = self._side.sources[path].text
        if "usefixtures" not in text:
            return {}
        marks = re.findall(r"^pytestmark\b[^\n]*usefixtures\(([^)]*)\)", text, re.MULTILINE)
        whole = {name for mark in marks for name in _QUOTED.findall(mark)}
        found: dict[str, frozenset[str]] = {}
        for symbol in self._side.catalog.in_file(path):
            inherited = found.get(symbol.parent or "", frozenset(whole))
            own = {name for mark in _USED.findall(self._head(symbol)) for name in _QUOTED.findall(mark)}
            found[symbol.id] = inherited | own
        return found

    def _head(self, symbol: Symbol) -> str:
        if not symbol.decorators:
            return ""
        first, *rest = self._lines(symbol.path)[symbol.span.start_line - 1 : symbol.line][::-1]
        return "\n".join([*reversed(rest), first.partition(symbol.name)[0]])
