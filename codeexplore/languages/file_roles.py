"""Role of a file, from its path: source, test, example, generated, vendored, docs and others (`PathRole`).

The name of a folder counts anywhere in the path. The names of files of tests are said by the records of the languages:
``test_x.py`` is a test, but ``test_functions.bash`` may be the program itself. A file whose *text* says that it is
generated is left out by `source.filters`. The catalog of a repository has its `PathRoles`, which all others ask: they
also know the folders of tests that the settings of the repository name, and folders with the licence of others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from codeexplore.languages import registry
from codeexplore.languages.resources import DOCUMENTS, OTHER

if TYPE_CHECKING:
    from codeexplore.types import Symbol

PathRole: TypeAlias = Literal[
    "source", "test", "example", "benchmark", "generated", "vendored", "migration", "compat", "docs", "resource"
]


_EXACT: Final = re.RegexFlag(0)  # upper and lower case differ
_PROGRAM: Final = re.compile(r"(?:^|/)src/(?:m|[a-z]\w*M)ain/(?:java|kotlin|scala|groovy)[^/]*/").search


class PathRule(NamedTuple):
    """A condition on paths (relative to the repository's root, POSIX), and the role of the paths that meet it."""

    role: PathRole
    applies: Callable[[str], object]


def _folders(role: PathRole, names: str) -> PathRule:
    """Return the rule for folders. Their names are patterns, separated by spaces."""
    return PathRule(role, re.compile(rf"(?:^|/)(?:{'|'.join(names.split())})/", re.IGNORECASE).search)


def _files(role: PathRole, names: str, flags: re.RegexFlag = re.IGNORECASE) -> PathRule:
    """Return the rule for files. Their names are patterns, separated by spaces."""
    return PathRule(role, re.compile(rf"(?:^|/)(?:{'|'.join(names.split())})$", flags).search)


def has_test_name(path: str) -> bool:
    """Return True if the name of the file is one of tests in its language; in ``src/main/java`` it may be any name."""
    if _PROGRAM(path):
        return False
    form = (registry.by_path(path) or OTHER).test_files
    return form is not None and form.fullmatch(path[path.rfind("/") + 1 :]) is not None


RULES: Final = (
    # vendored and generated are first, because tests in such folders are third-party files too
    _folders(
        "vendored", r"vendor(?:ed)? _vendor third[_-]?party 3rd[_-]?party externals? node_modules Godeps Pods Carthage"
    ),
    _folders("generated", "_?generated __generated__ gen(?:erated)?-src autogen"),
    _files(
        "generated",
        r"""
        [^/]*_pb2(?:_grpc)?\.pyi? [^/]*\.pb(?:\.gw)?\.(?:go|cc|h) [^/]*(?:[._]generated|\.gen)\.\w+
        [^/]*_gen\.(?!pyi?$)\w+ [^/]*\.g\.(?:cs|dart|kt) zz_generated[^/]* [^/]*\.designer\.cs [^/]*\.min\.(?:js|css)
        bindata\.go
        """,  # in Python, x_gen.py is a generator, or of another generation
    ),
    _folders(
        "test",
        r"""
        tests? __tests?__ testing test[_-]?data (?:test[_-])?fixtures? specs? e2e (?:__)?mocks(?:__)? __snapshots__
        test[_-]?(?:utils?|support|harness|suite|cases?|kit|lib) src/[a-z]+Test src/test[A-Z]\w* [^/]+[_.-]tests?
        [A-Za-z]+Tests [^/]+\.tests?\.[^/]+
        """,
    ),
    PathRule("test", has_test_name),
    _files(  # in languages without a record
        "test",
        r"""
        [^/]+_test\.(?:dart|ml) (?:test_[^/]+|[^/]+_spec)\.cr test[_-]helper\.\w+
        [^/]+[._-](?:tests?|specs?|cy|e2e)\.coffee
        """,
    ),
    _files(
        "test",
        r"(?:[^/]*[a-z0-9](?:Tests?|TestCase|TestSuite|IT|Specs?|Suite)|Test[A-Z][^/]*)\.(?:mm?|fs|groovy)",
        _EXACT,
    ),
    _folders(
        "example",
        r"""
        _?(?:examples?|samples?|demos?)(?:[_-][^/]+)? tutorials? docs?_src playground sandbox snippets cookbook showcase
        """,
    ),
    _files("example", r"(?:example|demo|sample)(?:[_-][^/]*)?\.\w+ [^/]+[_-](?:example|demo|sample)\.\w+"),
    _folders(
        "benchmark",
        r"""
        (?<!src/)bench(?:es|marks?|marking|suite)? src/bench(?:marks?)?/(?:java|kotlin|scala|groovy)
        perf(?:ormance)?(?:[_-]tests?)? jmh [^/]+[_.-]bench(?:marks?)?
        """,
    ),
    _files("benchmark", r"bench(?:mark)?[_-][^/]* [^/]+[_.-]bench(?:mark)?\.\w+ [^/]*[a-z]Benchmarks?\.\w+", _EXACT),
    _files(  # a step in the history of a database, which frameworks number or date
        "migration",
        r"""
        migrat(?:e|ions?)/(?:[^/]+/)?(?:V|Version)?\d{3,}[^/]* migrations/\d{3,}[^/]*/[^/]+
        (?:alembic|migrations)/versions/[^/]+
        """,
    ),
    _folders("compat", r"_?compat(?:ibility)?\d* legacy deprecated shims? polyfills?"),
    _files("compat", r"_?(?:[^/]+[_-])?(?:compat|compatibility|shims?|polyfills?|legacy|deprecated)\d*\.\w+"),
    PathRule("resource", lambda path: (found := registry.by_path(path)) is not None and found.structure is not None),
    PathRule("docs", lambda path: (found := registry.by_path(path)) is not None and found.name in DOCUMENTS),
    _files("docs", "README|CHANGELOG|CHANGES|HISTORY|LICEN[CS]E|CONTRIBUTING|AUTHORS|NEWS|TODO|SECURITY", _EXACT),
)
"""The first rule that matches a path decides. A path that no rule matches is source."""


PACKAGE_FILES: Final = frozenset({"__init__", "index", "mod", "lib", "doc", "main", "package-info"})
"""Names, without extension, of the files that stand for their folder and have its documentation."""


def is_example(path: str) -> bool:
    """Return True if a folder or the name of a file says that it is an example, which may be among tests."""
    return any(rule.role == "example" and rule.applies(path) is not None for rule in RULES)


@lru_cache(maxsize=65_536)
def path_role(path: str) -> PathRole:
    """Return the role that a path alone says; it is relative to the repository's root, POSIX. See `PathRoles`."""
    return next((rule.role for rule in RULES if rule.applies(path)), "source")


def is_inline_test(symbol: Symbol) -> bool:
    """Return True if a symbol has the mark of a test, or is in a module of tests, by its name.

    Such a function or module may be inside of a source file.
    """
    language = registry.record_of(symbol.language)
    marked = bool(symbol.decorators) and not marks(symbol).isdisjoint(language.test_decorators)
    return marked or (language.test_modules is not None and language.test_modules.search(symbol.fqn) is not None)


def marks(symbol: Symbol) -> frozenset[str]:
    """Return the last names of the decorators of a symbol: ``test`` for ``#[tokio::test(…)]``."""
    return frozenset(re.split(r"[.:]+", each.partition("(")[0])[-1] for each in symbol.decorators)


class PathRoles:
    """The roles of the files of one repository.

    `tests` are the folders that its settings name as folders of tests; `vendored` those of others' libraries.
    """

    def __init__(self, tests: Iterable[str] = (), vendored: Iterable[str] = ()) -> None:
        self.tests, self.vendored = tuple(tests), tuple(vendored)
        self._folders = tuple(f"{folder}/" for folder in self.tests)
        self._others = tuple(f"{folder}/" for folder in self.vendored)

    def of(self, path: str) -> PathRole:
        if self.is_named(path):
            return "test"
        return "vendored" if path.startswith(self._others) else path_role(path)

    def is_named(self, path: str) -> bool:
        """Return True if the settings name a folder around the file."""
        return path.startswith(self._folders)

    def is_test(self, path: str) -> bool:
        """Return True if the file contains tests, or contains fixtures and mocks that only tests use."""
        return self.of(path) == "test"

    def is_test_symbol(self, symbol: Symbol) -> bool:
        """Return True if a symbol is in a file of tests, or a test inside of a source file, as in Rust."""
        return self.is_test(symbol.path) or is_inline_test(symbol)

    def own_files(self, paths: Iterable[str], *roles: PathRole) -> frozenset[str]:
        """Return the paths with one of some roles.

        If there is none, as when the whole repository is below ``org/example``, return all paths except those of tests.
        """
        known = frozenset(paths)
        return frozenset(path for path in known if self.of(path) in roles) or frozenset(
            path for path in known if not self.is_test(path)
        )
