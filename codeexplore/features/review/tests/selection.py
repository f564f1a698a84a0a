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
import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from codeexplore.features.review.impact import Impact, ImportedFiles
from codeexplore.features.review.records import CERTAINTIES, Certainty, Comparison, ReachedSymbol, SelectedTest
from codeexplore.features.review.tests.collection import PYTHON_TEST, SETUP, CollectedTests
from codeexplore.features.review.tests.name_closure import NameClosure
from codeexplore.features.review.tests.name_units import strings_of
from codeexplore.features.review.tests.objects import CERTAIN, ObjectsOfTests, Steps, only_names
from codeexplore.graph.traversal import RELATING, seeds_of
from codeexplore.languages.file_roles import is_test_path
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

_LOADING, _STARTING = (b"import_module", b"__import__"), (b"subprocess", b"popen", b"child_process", b"os/exec")
_ESCAPES = (  # words that a file contains, and the pattern that decides: most files contain none of the words
    ("import modules by names built at run time", _LOADING, re.compile(rb"\b(?:%b)\s*\(" % b"|".join(_LOADING))),
    ("start other processes", _STARTING, re.compile(rb"\b(?:%b)\b" % b"|".join(_STARTING))),
)
_PYTEST_IMPORTS = frozenset(
    ["pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli", "colorama"]
)
"""Packages that pytest itself imports: a change of one runs in every test, whatever the test names."""
_MOST_MENTIONS = 200


@dataclass(frozen=True)
class Selection:
    """The tests to run, ordered by class and place, with their command lines."""

    tests: tuple[SelectedTest, ...]
    commands: tuple[Command, ...]
    escapes: tuple[str, ...]  # sentences on what may affect tests that are not selected
    files: int  # number of test files in the repository
    safe: bool = False

    @property
    def skipped_files(self) -> int:
        return self.files - len({test.path for test in self.tests})


def select(comparison: Comparison, impact: Impact, *, safe: bool = False) -> Selection:
    """Return the tests to run. With `safe`, also the test files that only import a changed file, as whole files."""
    return _Selector(comparison, impact).selection(safe)


class _Selector:
    def __init__(self, comparison: Comparison, impact: Impact) -> None:
        self._comparison, self._impact = comparison, impact
        self._new = comparison.new
        self._steps = Steps(comparison.new), Steps(comparison.old)
        self._tests = CollectedTests(comparison.new)
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
                if safe and self._tests.is_test_file(reached.symbol.path):
                    by_import.append(reached)
                continue
            named = mentions.get(reached.way[0].id) if reached.way else None
            reason = f"names {named}" if named and len(reached.way) == 1 else _reason(reached)
            certainty = "possible" if _through_name(reached) or not self._is_sure(reached) else reached.certainty
            self._take(reached.symbol, certainty, reason, reached.confidence)
        for symbol_id, path in mentions.items():
            self._take(self._new.catalog.symbol(symbol_id), "possible", f"names {path}", 1.0)
        self._follow_fixtures()
        self._through_objects()
        self._conftests(safe)
        if safe:
            self._imports(by_import, refuting=not mentions)
            self._loaded_by_others(by_import)
            self._whole_files()
        tests = sorted(self._found.values(), key=lambda each: (CERTAINTIES.index(each.certainty), each.path, each.id))
        languages = {path: self._new.catalog.in_file(path)[0].language for path in {test.path for test in tests}}
        lines = commands([(test, languages[test.path]) for test in tests], self._comparison.build_files)
        count = sum(1 for path in self._new.sources if is_test_path(path) and self._tests.is_test_file(path))
        return Selection(tuple(tests), lines, self._escapes(), count, safe)

    def _is_sure(self, reached: ReachedSymbol) -> bool:
        """Return True if code that runs a reached symbol most likely runs the changed one."""
        steps = self._steps[reached.before]
        return all(steps.is_sure(edge) and not steps.needs_object(edge) for edge in reached.edges)

    def _imports(self, importers: Sequence[ReachedSymbol], *, refuting: bool) -> None:
        """Select the test files that import a changed file and mention names that lead to the change.

        With `refuting`, possible tests of Python files that mention no such name are left out: their edges are guesses.
        """
        closure = NameClosure(self._comparison, ImportedFiles(self._new.graph))
        known = {test.path for test in self._found.values()}
        unknown = {path for path in self._tests.python_files if path not in known and self._tests.is_test_file(path)}
        possible = {test.path for test in self._found.values() if test.certainty == "possible"} if refuting else set()
        affected = closure.affected({*(reached.symbol.path for reached in importers), *unknown, *possible})
        for reached in importers:
            path = reached.symbol.path
            if not path.endswith(".py") or path in affected:
                self._add_file(path, "by import", _import_reason(reached))
        for path in sorted(unknown & affected):  # names in strings, where nothing is imported
            self._add_file(path, "by import", "mentions names that lead to the change")
        if refuting:
            for test in list(self._found.values()):
                if test.certainty == "possible" and test.path.endswith(".py") and test.path not in affected:
                    del self._found[test.id]

    def _loaded_by_others(self, importers: Sequence[ReachedSymbol]) -> None:
        """Select test files that import nothing of the change, but have a string that names a changed package."""
        packages = {self._package(path) for path in self._impact.changed_files if path.endswith(".py")}
        known = {test.path for test in self._found.values()}
        for reached in importers:  # what conftest.py imports is there for all tests, and says nothing about one
            if not any(posixpath.basename(symbol.path) == "conftest.py" for symbol in reached.way[:-1]):
                known.add(reached.symbol.path)
        for path in filter(self._tests.is_test_file, self._tests.python_files):
            named = packages.intersection(strings_of(self._new.sources[path].text)) if path not in known else set()
            for package in sorted(named):
                self._add_file(path, "by import", f"names {package} in a string, and another program may load it")

    def _whole_files(self) -> None:
        """Select test files with changed code outside of tests, and all if pytest itself runs the changed code."""
        for path in sorted(self._impact.changed_files):
            if self._tests.is_test_file(path) and path in self._new.sources:
                self._add_file(path, "by import", "its own code outside of tests changed")
        if package := self._of_pytest:
            for path in filter(PYTHON_TEST.search, self._tests.python_files):
                self._add_file(path, "by import", f"pytest itself imports {package}")

    @cached_property
    def _of_pytest(self) -> str:
        """The changed package that pytest itself imports; "" if there is none."""
        for path in sorted(self._impact.changed_files):
            package = self._package(path) if path.endswith(".py") else ""
            if package in _PYTEST_IMPORTS and not is_test_path(path):
                return package
        return ""

    def _package(self, path: str) -> str:
        """Return the name of the outermost package around a changed Python file, or of the module."""
        side = self._new if path in self._new.sources else self._comparison.old
        return side.catalog.in_file(path)[0].fqn.partition(".")[0]

    def _take(self, symbol: Symbol, certainty: Certainty, reason: str, confidence: float) -> None:
        """Select the tests that depend on a reached symbol.

        If the symbol is a test, or is inside one, that test is selected. For a fixture, the tests that use it are
        selected later. For a method such as ``setUp``, all tests of its class are selected.
        """
        if not is_test_path(symbol.path) and not self._tests.is_test(symbol):
            if self._tests.is_fixture(symbol):
                self._fixtures.append((symbol, certainty, reason, confidence))
            return
        around: Symbol | None = symbol
        while around is not None:
            if self._tests.is_test(around):
                for each in self._tests.ids(around):
                    self._add(each, around, certainty, reason, confidence)
                return
            if self._tests.is_fixture(around):
                self._fixtures.append((around, certainty, reason, confidence))
                return
            if around.kind in CALLABLE_KINDS and around.parent is not None and SETUP.match(around.name):
                for each, test in self._tests.prepared_by(around):
                    self._add(each, test, certainty, f"{around.name} {reason}", confidence)
                return
            whole = around.kind in ("module", "lambda") and around.language != "python"
            if whole and self._tests.is_test_file(around.path):
                self._add_file(around.path, certainty, reason)
                return
            around = None if around.parent is None else self._new.catalog.symbol(around.parent)

    def _add(self, test_id: str, symbol: Symbol, certainty: Certainty, reason: str, confidence: float) -> None:
        path = test_id.partition("::")[0] if symbol.language == "python" else symbol.path
        known = self._found.get(test_id)
        if known is None or CERTAINTIES.index(known.certainty) > CERTAINTIES.index(certainty):
            self._found[test_id] = SelectedTest(test_id, path, certainty, reason, symbol, confidence)

    def _add_file(self, path: str, certainty: Certainty, reason: str) -> None:
        if path not in self._found:
            self._found[path] = SelectedTest(path, path, certainty, reason, None)

    def _through_objects(self) -> None:
        """Select the tests that reach a changed method of an object which they make."""
        graph = self._new.graph
        seeds = seeds_of(graph, self._impact.new_seeds, RELATING["impact"])
        objects = ObjectsOfTests(graph, seeds, self._steps[0], self._tests.is_started)
        starts: dict[str, list[int]] = {}
        tests: dict[str, Symbol] = {}
        for test in self._candidates(objects.vertices):
            for test_id, owner in self._tests.runs(test):
                if self._found.get(test_id) is None or self._found[test_id].certainty not in ("certain", "likely"):
                    starts[test_id], tests[test_id] = self._tests.starts(test, owner), test
        for test_id in objects.reaching(starts):
            known = self._found.get(test_id)
            reason = known.reason if known else "makes an object whose changed method other code calls"
            self._add(test_id, tests[test_id], "likely", reason, known.confidence if known else CERTAIN)

    def _candidates(self, vertices: Iterable[int]) -> list[Symbol]:
        """Return the tests at `vertices`, and those that run a fixture or a method such as ``setUp`` there."""
        found: dict[str, Symbol] = {}
        pending = [self._new.graph.symbol(vertex) for vertex in vertices]
        seen = set[str]()
        for symbol in pending:
            if symbol.id in seen:
                continue
            seen.add(symbol.id)
            if self._tests.is_test(symbol):
                found[symbol.id] = symbol
            elif self._tests.is_fixture(symbol):
                pending += self._tests.users(symbol, *self._tests.fixture_name(symbol))
            elif symbol.kind in CALLABLE_KINDS and symbol.parent is not None and SETUP.match(symbol.name):
                pending += [test for _, test in self._tests.prepared_by(symbol)]
            elif symbol.parent is not None and is_test_path(symbol.path):
                pending.append(self._new.catalog.symbol(symbol.parent))
            if symbol.kind in TYPE_KINDS and is_test_path(symbol.path):
                for each in (symbol, *self._tests.subclasses(symbol)):
                    for above in (each, *self._tests.superclasses(each)):
                        pending += self._tests.members(above)
        return list(found.values())

    def _follow_fixtures(self) -> None:
        """Select the tests that use a reached fixture, directly or through other fixtures."""
        while self._fixtures:
            fixture, certainty, reason, confidence = self._fixtures.pop(0)
            if fixture.id in self._followed:
                continue
            self._followed.add(fixture.id)
            name, automatic = self._tests.fixture_name(fixture)
            said = f"uses the fixture {name}, which {reason}"
            for symbol in self._tests.users(fixture, name, automatic):
                if self._tests.is_fixture(symbol):
                    self._fixtures.append((symbol, certainty, said, confidence))
                else:
                    for each in self._tests.ids(symbol):
                        self._add(each, symbol, certainty, said, confidence)

    def _conftests(self, safe: bool) -> None:
        """With `safe`, select all test files below a ``conftest.py`` whose hooks or module-level statements changed."""
        for change in self._comparison.symbols:
            symbol = change.new
            if symbol is None or not change.is_code or posixpath.basename(symbol.path) != "conftest.py":
                continue
            if safe and (symbol.kind == "module" or symbol.name.startswith("pytest_")):
                folder = posixpath.dirname(symbol.path)
                for path in self._tests.python_files:
                    if PYTHON_TEST.search(path) and (not folder or path.startswith(f"{folder}/")):
                        self._add_file(path, "by import", f"{symbol.path} changed")

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

    def _escapes(self) -> tuple[str, ...]:
        found: dict[str, list[str]] = {words: [] for words, _, _ in _ESCAPES}
        for path in self._new.sources:
            if not path.endswith((".md", ".rst", ".txt", ".ipynb")):
                data = bytes(self._new.sources.data(path))
                for words, literals, pattern in _ESCAPES:
                    if any(each in data for each in literals) and pattern.search(data):
                        found[words].append(path)
        said = []
        for words, files in found.items():
            if files:
                count = "1 file" if len(files) == 1 else f"{len(files)} files"
                said.append(f"{count} may {words} ({shortened(files, 3)}).")
        unread = [file.path for file in self._comparison.files]
        if unread:
            count = "1 changed file has" if len(unread) == 1 else f"{len(unread)} changed files have"
            rest = "tests that name them are selected, others that read them are not"
            said.append(f"{count} no symbols ({shortened(unread, 3)}); {rest}.")
        if self._of_pytest:
            said.append(f"pytest itself imports {self._of_pytest}, so the change may affect every test.")
        said.append("Plugins of the test runner and installed packages are not seen.")
        return tuple(said)


def _through_name(reached: ReachedSymbol) -> bool:
    """Return True if a step of the way only names an inner function."""
    steps = zip(reached.edges, reached.way, reached.way[1:], strict=False)
    return any(only_names(edge.manner, source, target) for edge, target, source in steps)


def _reason(reached: ReachedSymbol) -> str:
    """Return in words how a test reaches a changed symbol: "calls a.f via b.g"."""
    kind, start = reached.edges[-1].kind if reached.edges else "USES", reached.way[0]
    verb = kind.lower() if kind in ("CALLS", "EXTENDS", "IMPLEMENTS", "OVERRIDES") else "uses"
    between = [symbol.name for symbol in reached.way[1:-1]]
    via = f" via {' → '.join(reversed(between))}" if between else ""
    return f"{verb} {start.fqn}{' as it was before' if reached.before else ''}{via}"


def _import_reason(reached: ReachedSymbol) -> str:
    between = [symbol.fqn for symbol in reached.way[1:-1]]
    return f"imports {reached.way[0].fqn}{' via ' + ' → '.join(reversed(between)) if between else ''}"


_SCRIPTS = ("javascript", "typescript", "tsx")
_JVM = ("java", "kotlin", "scala")


class Command(NamedTuple):
    """A command line for one runner, to be run in the root of the repository."""

    runner: str
    line: str


BUILD_FILES = ("package.json", "pom.xml", "build.gradle", "build.gradle.kts")
"""Files whose presence or text chooses between the runners of a language."""


def commands(tests: Iterable[tuple[SelectedTest, str]], manifests: Mapping[str, str]) -> tuple[Command, ...]:
    """Return the command lines that run the tests, each given with its language.

    `manifests` is name → text of the build files (`BUILD_FILES`). They decide between several runners of one language.
    """
    by_language: dict[str, list[SelectedTest]] = defaultdict(list)
    for test, language in tests:
        by_language["javascript" if language in _SCRIPTS else "java" if language in _JVM else language].append(test)
    found: list[Command] = []
    for language, chosen in by_language.items():
        if language == "python":
            found.append(Command("pytest", f"pytest {_joined(_without_covered(chosen))}"))
        elif language == "go":
            found += _go(chosen)
        elif language == "javascript":
            found.append(_script(chosen, manifests))
        elif language == "rust":
            names = dict.fromkeys(test.id for test in chosen)
            found.append(Command("cargo", f"cargo test -- {_joined(names)}"))
        elif language == "java":
            found.append(_jvm(chosen, manifests))
    return tuple(found)


def _joined(words: Iterable[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


def _without_covered(tests: Sequence[SelectedTest]) -> list[str]:
    """Return the ids of the tests. If a file is selected as a whole, the ids of single tests in it are left out."""
    whole = {test.path for test in tests if test.symbol is None}
    return list(dict.fromkeys(test.id for test in tests if test.symbol is None or test.path not in whole))


def _go(tests: Sequence[SelectedTest]) -> list[Command]:
    """Return one command for each Go package, because ``-run`` applies to all packages of a command."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        by_folder[posixpath.dirname(test.path)].append("" if test.symbol is None else test.symbol.name)
    found = []
    for folder, names in by_folder.items():
        pattern = "" if "" in names else f" -run {shlex.quote('^(' + '|'.join(dict.fromkeys(names)) + ')$')}"
        found.append(Command("go test", f"go test {shlex.quote('./' + folder)}{pattern}"))
    return found


def _script(tests: Sequence[SelectedTest], manifests: Mapping[str, str]) -> Command:
    paths = list(dict.fromkeys(test.path for test in tests))
    if '"vitest"' in manifests.get("package.json", ""):
        return Command("vitest", f"npx vitest run {_joined(paths)}")
    return Command("jest", f"npx jest {_joined(paths)}")


def _jvm(tests: Sequence[SelectedTest], manifests: Mapping[str, str]) -> Command:
    by_class: dict[str, dict[str, None]] = defaultdict(dict)  # methods; "" for the whole class
    for test in tests:
        owner, _, method = test.id.partition("#")
        by_class[owner][method] = None
    whole = {owner: "" in methods for owner, methods in by_class.items()}
    if "pom.xml" not in manifests and {"build.gradle", "build.gradle.kts"} & manifests.keys():
        wanted = []
        for owner, methods in by_class.items():
            wanted += [owner] if whole[owner] else [f"{owner}.{method}" for method in methods]
        return Command("Gradle", "./gradlew test " + " ".join(f"--tests {shlex.quote(each)}" for each in wanted))
    parts = [owner if whole[owner] else f"{owner}#{'+'.join(methods)}" for owner, methods in by_class.items()]
    return Command("Maven", f"mvn test -Dtest={shlex.quote(','.join(parts))}")
