"""Role of a file, from its path alone: source, test, example, benchmark, generated, vendored, compat, docs or resource.

The rules are the conventions of the indexed languages, as data. The name of a folder counts anywhere in the path. The
name of a file counts only in the languages with that convention: ``test_x.py`` is a test, but ``test_functions.bash``
may be the program itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from codeexplore.types import Symbol

PathRole: TypeAlias = Literal[
    "source", "test", "example", "benchmark", "generated", "vendored", "compat", "docs", "resource"
]


class PathRule(NamedTuple):
    """A pattern for paths (relative to the repository's root, POSIX), and the role of the paths that it matches."""

    role: PathRole
    pattern: re.Pattern[str]


def _folders(role: PathRole, *names: str) -> PathRule:
    return PathRule(role, re.compile(rf"(?:^|/)(?:{'|'.join(names)})/", re.IGNORECASE))


def _files(role: PathRole, *patterns: str, ignore_case: bool = False) -> PathRule:
    return PathRule(role, re.compile(rf"(?:^|/)(?:{'|'.join(patterns)})$", re.IGNORECASE if ignore_case else 0))


RULES: Final = (
    # vendored and generated are first, because tests in such folders are third-party files too
    _folders(
        "vendored",
        r"vendor(?:ed)?", "_vendor", r"third[_-]?party", r"3rd[_-]?party", "externals?", "node_modules", "Godeps",
        "Pods", "Carthage",
    ),
    _folders("generated", "_?generated", "__generated__", r"gen(?:erated)?-src", "autogen"),
    _files(
        "generated",
        r"[^/]*_pb2(?:_grpc)?\.pyi?", r"[^/]*\.pb(?:\.gw)?\.(?:go|cc|h)", r"[^/]*(?:[._]generated|\.gen)\.\w+",
        r"[^/]*_gen\.(?!pyi?$)\w+",  # in Python, x_gen.py is a generator, or of another generation
        r"[^/]*\.g\.(?:cs|dart|kt)", "zz_generated[^/]*", r"[^/]*\.designer\.cs", r"[^/]*\.min\.(?:js|css)",
        r"bindata\.go", ignore_case=True,
    ),
    _folders(
        "test",
        "tests?", "__tests?__", "testing", r"test[_-]?data", r"(?:test[_-])?fixtures?", "specs?", "e2e",
        "(?:__)?mocks(?:__)?", "__snapshots__", r"test[_-]?(?:utils?|support|harness|suite|cases?|kit|lib)",
        r"src/[a-z]+Test", r"src/test[A-Z]\w*", r"[^/]+[_.-]tests?", "[A-Za-z]+Tests",
    ),
    _files("test", r"(?:test_[^/]+|[^/]+_tests?|conftest|tests)\.pyi?"),
    _files("test", r"[^/]+_test\.(?:go|dart|exs?|rb|rs|lua|sh|bash|zig|c|cc|cpp|ml|hs)", r"(?:tests?|[^/]+_tests)\.rs"),
    _files("test", r"[^/]+\.t\.sol"),
    _files(
        "test", r"[^/]+[._-](?:tests?|specs?|cy|e2e)\.(?:[cm]?[jt]sx?|vue|svelte|coffee|lua|rb|php)", ignore_case=True
    ),
    _files(
        "test",
        r"[^/]*[a-z0-9](?:Tests?|TestCase|TestSuite|IT|Specs?|Suite)\.(?:java|kts?|scala|groovy|cs|swift|php|mm?|hs|fs)",
        r"Test[A-Z][^/]*\.(?:java|kts?|scala|groovy|cs|swift|php|mm?|hs|fs)",
    ),
    _files(
        "test",
        r"(?:test_[^/]+|[^/]+_spec)\.(?:rb|cr)", r"test[_-][^/]+\.(?:c|cc|cpp|cxx|lua)", r"[^/]+\.bats",
        r"test[_-]helper\.\w+",
    ),
    _folders(
        "example",
        r"_?(?:examples?|samples?|demos?)(?:[_-][^/]+)?", "tutorials?", "docs?_src", "playground", "sandbox",
        "snippets", "cookbook", "showcase",
    ),
    _files(
        "example",
        r"(?:example|demo|sample)(?:[_-][^/]*)?\.\w+", r"[^/]+[_-](?:example|demo|sample)\.\w+", ignore_case=True,
    ),
    _folders(
        "benchmark",
        r"bench(?:es|marks?|marking|suite)?", r"perf(?:ormance)?(?:[_-]tests?)?", "jmh", r"[^/]+[_.-]bench(?:marks?)?",
    ),
    _files("benchmark", r"bench(?:mark)?[_-][^/]*", r"[^/]+[_.-]bench(?:mark)?\.\w+", r"[^/]*[a-z]Benchmarks?\.\w+"),
    _folders("compat", r"_?compat(?:ibility)?\d*", "legacy", "deprecated", "shims?", "polyfills?"),
    _files(
        "compat",
        r"_?(?:[^/]+[_-])?(?:compat|compatibility|shims?|polyfills?|legacy|deprecated)\d*\.\w+", ignore_case=True,
    ),
    _files(
        "resource",
        r"[^/]*\.(?:ya?ml|toml|json[5c]?|webmanifest|ini|cfg|conf|cnf|properties|env|editorconfig|desktop|service|sql|ddl)",
        r"[^/]*\.(?:proto|graphqls?|gql|thrift|prisma|html?|xhtml|jinja2?|j2|tmpl|gohtml|twig|hbs|handlebars|mustache)",
        r"[^/]*\.(?:ejs|erb|njk|liquid|jsp|ftl|cshtml|razor|blade\.php|djhtml|h?eex|css|scss|less|mk|mak|cmake)",
        r"[^/]*\.(?:(?:docker|container|jenkins)file|tf|tfvars|hcl|nomad|gradle|groovy|fish|psm?1|bat|cmd|awk|nu)",
        r"[^/]*\.(?:xml|xsd|wsdl|[cfv]s?b?proj|props|targets|xaml)",
        r"(?:Docker|Container|Make|GNUmake|Jenkins|Just|Pip)file(?:\.[^/]+)?", r"CITATION\.cff", r"CMakeLists\.txt",
        r"\.(?:git(?:config|modules)|npmrc|flake8|coveragerc|pylintrc|babelrc|eslintrc|prettierrc|swcrc|clang-\w+)",
        ignore_case=True,
    ),
    _files("docs", r"[^/]+\.(?:md|markdown|mdx|rst|txt|adoc|org)", ignore_case=True),
    _files("docs", "(?:README|CHANGELOG|CHANGES|HISTORY|LICEN[CS]E|CONTRIBUTING|AUTHORS|NEWS|TODO|SECURITY)"),
)  # fmt: skip
"""The first rule that matches a path decides. A path that no rule matches is source."""


PACKAGE_FILES: Final = frozenset({"__init__", "index", "mod", "lib", "doc", "main", "package-info"})
"""Names, without extension, of the files that stand for their folder and have its documentation."""


@lru_cache(maxsize=65_536)
def path_role(path: str) -> PathRole:
    """Return the role of a file; `path` is relative to the repository's root, POSIX."""
    return next((rule.role for rule in RULES if rule.pattern.search(path)), "source")


def is_test_path(path: str) -> bool:
    """Return True if the file contains tests, or contains fixtures and mocks that only tests use."""
    return path_role(path) == "test"


_INLINE_TESTS: Final = re.compile(r"(?:^|::)tests?::")


def is_test_symbol(symbol: Symbol) -> bool:
    """Return True if a symbol is in a file of tests, or in Rust in a module ``tests`` inside of a source file."""
    inline = symbol.language == "rust" and _INLINE_TESTS.search(symbol.fqn) is not None
    return inline or is_test_path(symbol.path)


def own_files(paths: Iterable[str], *roles: PathRole) -> frozenset[str]:
    """Return the paths with one of some roles.

    If there is none, as when the whole repository is below ``org/example``, return all paths except those of tests.
    """
    known = frozenset(paths)
    return frozenset(path for path in known if path_role(path) in roles) or frozenset(
        path for path in known if not is_test_path(path)
    )
