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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

from codeexplore.answers.wording import plural
from codeexplore.features.review.impact import Impact, ImportedFiles, is_through_body
from codeexplore.features.review.records import CERTAINTIES, Certainty, Comparison, ReachedSymbol, SelectedTest
from codeexplore.features.review.signatures import is_property
from codeexplore.features.review.tests.collection import COMPUTED_FIXTURE, CollectedTests
from codeexplore.features.review.tests.commands import PYTEST_FILES, Command, commands
from codeexplore.features.review.tests.name_closure import NameClosure
from codeexplore.features.review.tests.name_units import strings_of
from codeexplore.features.review.tests.objects import CERTAIN, ObjectsOfTests, Steps, only_names
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import RELATING, seeds_of
from codeexplore.graph.usage.name_uses import NameUses
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.registry import family_of, is_text, record_of, rules_of
from codeexplore.names.mentions import Mentions
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, VALUE_KINDS, PossibleUse, Symbol

_LOADING, _STARTING = (b"import_module", b"__import__"), (b"subprocess", b"popen", b"child_process", b"os/exec")
_ESCAPES = (  # words that a file contains, and the pattern that decides: most files contain none of the words
    ("import modules by names built at run time", _LOADING, re.compile(rb"\b(?:%b)\s*\(" % b"|".join(_LOADING))),
    ("get fixtures by names built at run time", (b"getfixturevalue",), re.compile(COMPUTED_FIXTURE.pattern.encode())),
    ("start other processes", _STARTING, re.compile(rb"\b(?:%b)\b" % b"|".join(_STARTING))),
)
_PYTEST_IMPORTS = frozenset(
    ["pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli", "colorama"]
)
"""Packages that pytest itself imports: a change of one runs in every test, whatever the test names."""
_PYTHON_MODULE = ("module", "python")  # its statements run at import: see `_whole_files`
_MOST_MENTIONS = 200
_MOST_VALUES = 200  # constants and fields whose readers are looked for
_MOST_TURNS = 10
_MOST_CHARS = 2_000  # of a line of a data file
_NAMED_IN_DATA = CALLABLE_KINDS | TYPE_KINDS | {"module"}
_PART = re.compile(r"[^\s\"',;=<>()\[\]{}]+")  # of a line of a data file
_SPLIT = re.compile(r"[:#\\]+")
_BY_NAME = re.compile(r"\b(?:getattr|attrgetter)\(")
_LEAST_CHARS = 3  # of a name in a data file
_DOCTEST_GLOB = re.compile(r"doctest[-_]glob[=\s]+[\"']?([^\s\"',\]]+)")
_GROUP = re.compile(r"\[project\.entry-points\.[\"']?([\w.-]+)")  # the name by which code finds these entry points


Selected: TypeAlias = tuple[tuple[SelectedTest, ...], tuple[Command, ...], tuple[str, ...], int]


class _Cause(NamedTuple):
    """Reason why a test depends on the change; see `SelectedTest`."""

    certainty: Certainty
    reason: str
    confidence: float = 1.0
    direct: bool = False


class Selector:
    def __init__(self, comparison: Comparison, impact: Impact) -> None:
        self._comparison, self._impact = comparison, impact
        self._new = comparison.new
        self._steps = Steps(comparison.new), Steps(comparison.old)
        self._tests = CollectedTests(comparison.new)
        self._found: dict[str, SelectedTest] = {}
        self._fixtures: list[tuple[Symbol, _Cause]] = []  # reached ones, still to be followed
        self._followed: set[str] = set()
        self._by_value: dict[str, str] = {}  # what reads a value without an edge: id → reason
        self._by_data: dict[str, str] = {}  # what names a data file that is affected, or depends on such code
        self._values: set[str] = set()
        self._by_literal: set[str] = set()  # what reads a changed property by a name in quotes
        self._given: set[str] = set()
        self._affected = {*impact.new_seeds, *impact.old_seeds}
        self._uses = NameUses(comparison.new.graph, Mentions(comparison.new.sources))
        self._in_tests = comparison.new.catalog.roles.is_test
        self._at = cache(comparison.new.catalog.at)
        self._import_lines = cache(lambda path: {row.line for row in comparison.new.files.facts(path).imports})
        self._near = cache(self._files_near)
        imported = ImportedFiles(comparison.new.graph)
        self._importing = cache(imported.all_importers)
        self._closure = NameClosure(comparison, imported)

    def selected(self, safe: bool) -> Selected:
        """Return the tests to run, their command lines, sentences on what they may miss, and the number of test files.

        With `safe`, the test files that only import a changed file are selected, too, as whole files.
        """
        for change in self._comparison.symbols:
            if change.new is not None and change.is_code and (change.new.kind, change.new.language) != _PYTHON_MODULE:
                certainty: Certainty = "possible" if change.runs_as_before else "certain"
                reason = "has other types" if change.runs_as_before else "changed itself"
                self._take(change.new, _Cause(certainty, reason if change.kind != "added" else "is new"))
        reached = self._reached()
        self._take_reached([each for each in reached if each.way[0].id not in self._by_data], self._by_value)
        self._drop_guesses()
        self._take_reached([each for each in reached if each.way[0].id in self._by_data], self._by_data)
        self._through_objects()
        if safe:  # only adds tests: a safe selection contains the other one
            importers = [each for each in self._impact.importers() if self._tests.is_test_file(each.symbol.path)]
            self._conftests()
            self._imports(importers)
            self._loaded_by_others(importers)
            self._whole_files()
        tests = sorted(self._found.values(), key=lambda each: (CERTAINTIES.index(each.certainty), each.path, each.id))
        languages = {path: self._new.catalog.in_file(path)[0].language for path in {test.path for test in tests}}
        languages |= dict.fromkeys(self._examples if safe else (), "python")
        lines = commands([(test, languages[test.path]) for test in tests], self._comparison.build_files)
        count = sum(1 for path in self._new.sources if self._in_tests(path) and self._tests.is_test_file(path))
        return tuple(tests), lines, self._escapes(), count

    def _take_reached(self, symbols: Iterable[ReachedSymbol], named: Mapping[str, str]) -> None:
        for reached in symbols:
            start, steps = reached.way[0], self._steps[reached.before]
            around = (start, *self._new.catalog.all_around(start)) if not reached.before else ()
            if reached.certainty == "possible" and any(map(self._tests.is_test, around)):
                continue  # shared code that calls what it is given, such as a decorator, calls it for this test
            sure = not _through_name(self._new.graph, reached)  # code that runs it most likely runs the changed one
            sure = sure and all(steps.is_sure(edge) and not steps.needs_object(edge) for edge in reached.edges)
            value = start.kind in VALUE_KINDS  # often a table, of which a test reads another entry
            direct = not value and steps.is_direct(reached.edges)
            certainty: Certainty = "likely" if sure and self._is_likely(reached) else "possible"
            if direct and certainty == "likely":
                certainty = "certain"
            cause = _Cause(certainty, _reason(reached), reached.confidence, direct)
            for symbol in self._at_sites(reached):
                take = self._take if symbol.id == reached.symbol.id else self._take_marked
                take(symbol, cause)
        for symbol_id, reason in named.items():
            certainty = "likely" if symbol_id in self._by_literal else "possible"
            self._take(self._new.catalog.symbol(symbol_id), _Cause(certainty, reason))
        self._follow_fixtures()

    def _drop_guesses(self) -> None:
        """Drop the possible tests of Python files that mention no name which leads to the change: a guess led there.

        What loads code by names that are not in the source may run any of it.
        """
        self._followed.clear()
        possible = {t.path for t in self._found.values() if t.certainty == "possible" and t.path.endswith(".py")}
        kept = self._closure.affected(possible) if possible else frozenset()
        kept |= self._closure.loading(possible - kept) if possible - kept else frozenset()
        for test in list(self._found.values()):
            if test.certainty == "possible" and test.path in possible - kept:
                del self._found[test.id]

    def _is_likely(self, reached: ReachedSymbol) -> bool:
        """Return True if each step from a symbol whose code changed is likely."""
        if reached.certainty != "possible":
            return True
        side, start = self._comparison.old if reached.before else self._new, reached.way[0].id
        if start in self._by_value or start in self._by_data or start in self._impact.of_other_types:
            return False
        through_body = is_through_body(side.graph, reached.way, reached.edges)
        return not through_body and all(map(self._steps[reached.before].is_likely, reached.edges))

    def _reached(self) -> list[ReachedSymbol]:
        """Return the symbols that edges reach, also from what reads a value, or names a data file, without an edge.

        `_by_value` and `_by_data` then have these. Their own values and files count in turn.
        """
        found = {each.symbol.id: each for each in self._impact.reached() if each.certainty != "by import"}
        changed = [change.symbol for change in self._comparison.symbols if change.is_code]
        files = {each.path: each.path for each in self._comparison.files}
        affected = [*changed, *(each.symbol for each in found.values())]
        for _ in range(_MOST_TURNS):
            self._affected.update(found)
            affected += [symbol for reached in found.values() for symbol in self._at_sites(reached)]
            files.update(self._data_with(affected))
            readers, mentions = self._readers(affected), self._mentions(files)
            named, known = {**readers, **mentions}, {*self._by_value, *self._by_data}
            new = {each: reason for each, reason in named.items() if each not in known}
            for each, reason in new.items():
                by = self._by_data if self._by_data or each in mentions else self._by_value
                by[each] = reason
            fresh = [each for each in self._impact.reached_from(tuple(new)) if each.symbol.id not in found]
            found.update((each.symbol.id, each) for each in fresh)
            affected, files = [*map(self._new.catalog.symbol, new), *(each.symbol for each in fresh)], {}
            if not new:
                break
        return list(found.values())

    def _data_with(self, affected: Iterable[Symbol]) -> dict[str, str]:
        """Return the data files that are affected, or that name an affected definition or its file: path → name.

        A name without a module or type before it may mean anything, and counts for changed definitions alone.
        """
        found: dict[str, str] = {}
        for symbol in affected:
            if is_text(symbol.language):
                found[symbol.path] = symbol.path
            elif symbol.kind in _NAMED_IN_DATA:
                around = {*name_parts(symbol.fqn)[:-1], *([""] if symbol.id in self._impact.new_seeds else [])}
                values = self._data_by_name.get(symbol.name, ())
                file = self._data_by_name.get(posixpath.basename(symbol.path), ())
                found.update((path, name) for before, path, name in values if before in around)
                found.update((path, name) for _, path, name in file)
        return found

    @cached_property
    def _data_by_name(self) -> dict[str, list[tuple[str, str, str]]]:
        """Last part of each name in a data file → (part before it, path, the name by which code finds the value)."""
        found = defaultdict[str, list[tuple[str, str, str]]](list)
        for path in self._new.sources:
            if record_of(self._new.sources.language(path)).structure is None:
                continue
            group = path
            for line in bytes(self._new.sources.data(path)).decode("utf-8", "replace").split("\n"):
                table = _GROUP.match(line)
                group = table[1] if table else path if line.startswith("[") else group
                for value in _values(line[:_MOST_CHARS]):
                    name = value if "/" in value else _SPLIT.sub(".", value)
                    before, _, last = name.rpartition("/" if "/" in value else ".")
                    if len(last) >= _LEAST_CHARS:
                        found[last].append((before.rpartition(".")[2], path, group))
        return found

    def _readers(self, affected: Iterable[Symbol]) -> dict[str, str]:
        """Return the symbols that may use others by name alone: id → reason.

        They read constants and fields with an initial value, call what has no edge in a language without types, or are
        tests to which a mark gives a changed definition.
        """
        found: dict[str, str] = {}
        for symbol in affected:
            if symbol.parent is not None and not self._new.catalog.has_symbol(symbol.parent):
                continue  # of a removed file or type: the edges of the old state lead to its users
            changed = symbol.id in self._impact.new_seeds
            if changed and record_of(symbol.language).level == "symbols":
                for call in self._new.graph.unresolved.named(symbol.name)[:_MOST_MENTIONS]:
                    found.setdefault(call.source, f"calls {call.name}, which may be {symbol.fqn}")
            value = self._is_value(symbol, changed)
            if symbol.id in self._values or not (value or (changed and symbol.kind in _NAMED_IN_DATA)):
                continue
            self._values.add(symbol.id)
            if len(self._values) > _MOST_VALUES:
                continue
            for use in self._uses.of(symbol):
                reader = self._at(use.site.path, use.site.line)
                if reader is None or family_of(reader.language) != family_of(symbol.language):
                    continue
                by_name = changed and use.form == "string" and is_property(symbol)
                if value and self._may_read(symbol, use, reader):
                    found.setdefault(reader.id, f"reads {symbol.fqn}")
                elif by_name and _BY_NAME.search(self._new.source(reader)):
                    found.setdefault(reader.id, f"reads {symbol.fqn} by its name")
                    self._by_literal.add(reader.id)
                elif not value and use.site.line < reader.line and self._tests.is_test(reader):
                    found.setdefault(reader.id, f"is given {symbol.fqn}")
        return found

    def _is_value(self, symbol: Symbol, changed: bool) -> bool:
        """Return True for a constant, or a field with an initial value, that code outside of a test may read."""
        if symbol.kind == "field" and ("=" not in symbol.signature or (self._in_tests(symbol.path) and not changed)):
            return False
        return symbol.kind in VALUE_KINDS and not self._tests.is_local(symbol)

    def _may_read(self, value: Symbol, use: PossibleUse, reader: Symbol) -> bool:
        """Return True if code sees a constant or field where its name is used, and not in an import or in texts."""
        language, rules, path = record_of(value.language), rules_of(value.language), use.site.path
        if use.form == "string" or use.text in reader.doc or use.site.line in self._import_lines(path):
            return False
        if reader.kind in TYPE_KINDS and not self._in_tests(path):
            return False  # what its body assigns has a symbol
        if value.kind == "field" and not use.receiver and not (rules and rules.scopes.members_visible):
            return False
        by_path = use.receiver and language.separator == "::"
        return language.level != "full" or by_path or path in self._near(value.path)

    def _files_near(self, path: str) -> frozenset[str]:
        """Return the files that see the names of a file: those of its module, and those that import one of these."""
        catalog = self._new.catalog if path in self._new.sources else self._comparison.old.catalog
        module = catalog.in_file(path)[0]
        inside = [each.path for each in self._new.catalog.exactly(name_parts(module.fqn)) if each.kind == "module"]
        return frozenset((path, *inside)).union(*map(self._importing, inside))

    def _at_sites(self, reached: ReachedSymbol) -> list[Symbol]:
        """Return a reached symbol; for a module or type, the values and functions at whose definition it does the use.

        A function's decorators and defaults run with the code around the function.
        """
        symbol = reached.symbol
        if symbol.kind == "lambda" and symbol.language == "python":  # it may be in a decorator
            named = (each for each in self._new.catalog.in_file(symbol.path) if each.kind != "lambda")
            return [each for each in named if symbol.line in each.span.lines][-1:]
        if symbol.kind not in ("module", *TYPE_KINDS) or not reached.edges:
            return [symbol]
        side = self._comparison.old if reached.before else self._new
        graph, found = side.graph, dict[str, Symbol]()
        for row in graph.incident(graph.vertex(reached.edges[-1].source), "out", ("CALLS", "USES")):
            edge = graph.edge(row)
            for site in edge.sites if edge.target in self._affected else ():
                inner = side.catalog.at(site.path, site.line)
                if inner is not None and self._new.catalog.has_symbol(inner.id):
                    found[inner.id] = inner
        return list(found.values()) or [symbol]

    def _imports(self, importers: Sequence[ReachedSymbol]) -> None:
        """Select test files that import a changed file; in Python, if they mention names that lead to the change."""
        known = {test.path for test in self._found.values()}
        single, read = dict[str, list[tuple[str, Symbol]]](), set[str]()
        for path in filter(self._tests.is_test_file, self._tests.python_files):
            definitions = self._tests.definitions(path) if path in known and path not in self._found else {}
            single.update((f"{path}::{name}", runs) for name, runs in definitions.items())
            read.update([] if definitions else [path])
        affected = self._closure.affected([*single, *read])
        for start in sorted(single.keys() & affected):
            for test_id, test in single[start]:
                self._add(test_id, test, _Cause("by import", "mentions names that lead to the change"))
        for reached in importers:
            path = reached.symbol.path
            if not path.endswith(".py") or path in affected:
                self._add_file(path, "by import", _import_reason(reached))
        for path in sorted(read & affected):  # names in strings, where nothing is imported
            self._add_file(path, "by import", "mentions names that lead to the change")

    def _loaded_by_others(self, importers: Sequence[ReachedSymbol]) -> None:
        """Select test files that import nothing of the change, but have a string that names a changed package."""
        packages = {self._package(path) for path in self._impact.changed_files if path.endswith(".py")}
        known = set(self._found)  # whole files
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
        if any(path.endswith(".py") and not self._in_tests(path) for path in self._impact.changed_files):
            for path in self._examples:
                self._add_file(path, "by import", "has examples that pytest runs")
        if package := self._of_pytest:
            for path in filter(self._tests.is_pytest_file, self._tests.python_files):
                self._add_file(path, "by import", f"pytest itself imports {package}")

    @cached_property
    def _examples(self) -> list[str]:
        """The texts with examples that pytest runs, by its option ``--doctest-glob``."""
        settings = self._comparison.build_files
        globs = [each for name in PYTEST_FILES for each in _DOCTEST_GLOB.findall(settings.get(name, ""))]
        named = (p for p in self._new.sources if any(fnmatchcase(posixpath.basename(p), glob) for glob in globs))
        return [path for path in named if b">>>" in bytes(self._new.sources.data(path))]

    @cached_property
    def _of_pytest(self) -> str:
        """The changed package that pytest itself imports; "" if there is none."""
        for path in sorted(self._impact.changed_files):
            package = self._package(path) if path.endswith(".py") else ""
            if package in _PYTEST_IMPORTS and not self._in_tests(path):
                return package
        return ""

    def _package(self, path: str) -> str:
        """Return the name of the outermost package around a changed Python file, or of the module."""
        side = self._new if path in self._new.sources else self._comparison.old
        return side.catalog.in_file(path)[0].fqn.partition(".")[0]

    def _take(self, symbol: Symbol, cause: _Cause) -> None:
        """Select the tests that depend on a reached symbol.

        If the symbol is a test, or is inside one, that test is selected. For a fixture, the tests that use it are
        selected later. For a method such as ``setUp``, all tests of its class are selected.
        """
        if not self._in_tests(symbol.path) and not self._tests.is_test(symbol):
            if self._tests.is_fixture(symbol):
                self._fixtures.append((symbol, cause))
            return
        for around in (symbol, *self._new.catalog.all_around(symbol)):
            if self._tests.is_test(around):
                for each in self._tests.ids(around):
                    self._add(each, around, cause)
                return
            if self._tests.is_fixture(around):
                self._fixtures.append((around, cause))
                return
            if self._tests.is_setup(around) and (prepared := list(self._tests.prepared_by(around))):
                for each, test in prepared:
                    self._add(each, test, cause._replace(reason=f"{around.name} {cause.reason}"))
                return
            if around.kind in (*CALLABLE_KINDS, *VALUE_KINDS) and (
                given := [] if around.id in self._given else self._tests.given_to(around)
            ):
                self._given.add(around.id)
                said = f"is given {around.name}, which {cause.reason}"
                for user in given:
                    self._take_marked(user, cause._replace(certainty="possible", reason=said))
                return
            whole = around.kind in ("module", "lambda") and (around is symbol or around.language != "python")
            if (whole or around.name == "pytestmark") and self._tests.is_test_file(around.path):
                certainty = "possible" if around.language == "python" else cause.certainty
                self._add_file(around.path, certainty, cause.reason)
                return

    def _take_marked(self, symbol: Symbol, cause: _Cause) -> None:
        """Select the tests that depend on the decorators of a symbol: for a class, all of its tests."""
        if symbol.kind not in TYPE_KINDS or symbol.language != "python":
            self._take(symbol, cause)
            return
        for each, test in self._tests.tests_of(symbol):
            self._add(each, test, cause)

    def _add(self, test_id: str, symbol: Symbol, cause: _Cause) -> None:
        path = test_id.partition("::")[0] if symbol.language == "python" else symbol.path
        known = self._found.get(test_id)
        if known is None or CERTAINTIES.index(known.certainty) > CERTAINTIES.index(cause.certainty):
            said, sure = (cause.certainty, cause.reason), (cause.confidence, cause.direct)
            self._found[test_id] = SelectedTest(test_id, path, *said, symbol, *sure)

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
            cause = _Cause("likely", "makes an object whose changed method other code calls", CERTAIN)
            if known := self._found.get(test_id):
                cause = _Cause("certain" if known.direct else "likely", known.reason, known.confidence, known.direct)
            self._add(test_id, tests[test_id], cause)

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
            elif self._tests.is_setup(symbol):
                pending += [test for _, test in self._tests.prepared_by(symbol)]
            elif symbol.parent is not None and self._in_tests(symbol.path):
                pending.append(self._new.catalog.symbol(symbol.parent))
            if symbol.kind in TYPE_KINDS and self._in_tests(symbol.path):
                for each in (symbol, *self._tests.subclasses(symbol)):
                    for above in (each, *self._tests.superclasses(each)):
                        pending += self._tests.members(above)
        return list(found.values())

    def _follow_fixtures(self) -> None:
        """Select the tests that use a reached fixture, directly or through other fixtures."""
        while self._fixtures:
            fixture, cause = self._fixtures.pop(0)
            if fixture.id in self._followed:
                continue
            self._followed.add(fixture.id)
            name, automatic = self._tests.fixture_name(fixture)
            cause = cause._replace(reason=f"uses the fixture {name}, which {cause.reason}")
            for symbol in self._tests.users(fixture, name, automatic):
                if self._tests.is_fixture(symbol):
                    self._fixtures.append((symbol, cause))
                else:
                    for each in self._tests.ids(symbol):
                        self._add(each, symbol, cause)

    def _conftests(self) -> None:
        """Select all test files below a ``conftest.py`` whose hooks or module-level statements changed."""
        for change in self._comparison.symbols:
            symbol = change.new
            if symbol is None or not change.is_code or posixpath.basename(symbol.path) != "conftest.py":
                continue
            if symbol.kind == "module" or symbol.name.startswith("pytest_"):
                folder = posixpath.dirname(symbol.path)
                for path in self._tests.python_files:
                    if self._tests.is_pytest_file(path) and (not folder or path.startswith(f"{folder}/")):
                        self._add_file(path, "by import", f"{symbol.path} changed")

    def _mentions(self, files: Mapping[str, str]) -> dict[str, str]:
        """Return the symbols whose source names one of some data files, given by path and name: id → reason."""
        found: dict[str, str] = {}
        for file, text in files.items():
            name = posixpath.basename(text).encode("utf-8", "surrogateescape")
            stem, dot, _ = name.rpartition(b".")
            if len(stem) < 3 or not dot:
                continue
            for path in self._new.sources:
                data = bytes(self._new.sources.data(path))
                place = data.find(name) if not path.endswith((".md", ".rst", ".txt")) else -1
                while place >= 0 and len(found) < _MOST_MENTIONS:
                    symbol = self._new.catalog.at(path, data.count(b"\n", 0, place) + 1)
                    if symbol is not None and symbol.kind != "section" and path != file:
                        found.setdefault(symbol.id, f"names {text}")
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
        named = ((words, files) for words, files in found.items() if files)
        said = [f"{plural(len(files), 'file')} may {words} ({shortened(files, 3)})." for words, files in named]
        unread = [file.path for file in self._comparison.files]
        if unread:
            count = "1 changed file has" if len(unread) == 1 else f"{len(unread)} changed files have"
            rest = "tests that name them are selected, others that read them are not"
            said.append(f"{count} no symbols ({shortened(unread, 3)}); {rest}.")
        if (left := len(self._values) - _MOST_VALUES) > 0:
            said.append(f"What reads {left:,} more changed values by name was not looked for.")
        if self._of_pytest:
            said.append(f"pytest itself imports {self._of_pytest}, so the change may affect every test.")
        said.append("Plugins of the test runner and installed packages are not seen.")
        return tuple(said)


def _values(line: str) -> Iterator[str]:
    """Yield the words of a line of a data file that are a whole value: in quotes, or behind a key or a dash."""
    for part in _PART.finditer(line):
        before, after = line[: part.start()].rstrip()[-1:], line[part.end() :].lstrip()[:1]
        if (before in ("'", '"') and after == before) or (before in tuple(":=>-[,") and after in ("", *",#<]}")):
            yield part[0].rstrip(":")


def _through_name(graph: CodeGraph, reached: ReachedSymbol) -> bool:
    """Return True if a step of the way only names an inner function."""
    steps = zip(reached.edges, reached.way, reached.way[1:], strict=False)
    return any(only_names(graph, edge.manner, source, target) for edge, target, source in steps)


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
