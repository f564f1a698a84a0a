"""Role of a code file: library, command, tests, examples, benchmarks, generated, vendored or tool.

A role follows from a convention or a fact, the first that applies: the path (`file_roles`), a mark of generated code in
its first lines, an import of a test framework, a build tag of Go, a folder or file name of build scripts, a folder of
documentation, a shell script beside code of another language, and a function that a manifest or the language starts.
Every other file is part of a library.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from codeexplore.graph.usage.entry_points import entry_points
from codeexplore.languages.file_roles import PathRole, path_role
from codeexplore.source.filters import generated

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.graph.usage.evidence import UsageEvidenceTable
    from codeexplore.types import SourceFile

FileRole: TypeAlias = Literal[
    "library", "command", "tests", "examples", "benchmarks", "generated", "vendored", "tool"
]  # fmt: skip

_OF_PATH: Final[Mapping[PathRole, FileRole]] = {
    "test": "tests", "example": "examples", "benchmark": "benchmarks", "generated": "generated", "vendored": "vendored",
}  # fmt: skip
_HEAD_CHARS: Final = 4_096  # a mark below a licence is found too
_FRAMEWORKS: Final = re.compile(
    r"(?:testing|pytest|unittest|nose|vitest|jest|mocha|chai|junit|@jest/|node:test|org[./]junit|org[./]testng|"
    r"org[./]mockito|github\.com/stretchr/testify)(?![\w-])"
)
_TOOL_FOLDERS: Final = re.compile(
    r"(?:scripts?|tools?|fuzz(?:ing|ers?)?|hack|dev|dev[_-]?tools|build[_-]?(?:tools|scripts?)|\.?ci|\.github)"
)
_TOOL_FILES: Final = re.compile(
    r"(?:setup|noxfile|tasks|fabfile|conf)\.py|(?:gulpfile|gruntfile|[\w.-]+\.config)\.[cm]?[jt]s|build\.rs|magefile\.go",
    re.IGNORECASE,
)
_BUILD_TAG: Final = re.compile(r"^//(?:go:build|\s*\+build)\s.*\b(?:(?P<test>\w*tests?)|ignore|tools?)\b", re.MULTILINE)
_SHELLS: Final = frozenset({"bash", "script"})
_DOCS: Final = frozenset({"docs", "documentation", "website"})  # "doc" may be a package


class FileRoles:
    """Finds the roles of the files of a repository.

    Parameters
    ----------
    files
        The source files. For them the path alone does not decide.
    """

    def __init__(
        self, graph: CodeGraph, evidence: UsageEvidenceTable, sources: Mapping[str, SourceFile],
        files: Collection[str],
    ) -> None:  # fmt: skip
        self._graph, self._evidence, self._sources, self._files = graph, evidence, sources, files

    def of(self, paths: Collection[str]) -> dict[str, FileRole]:
        """Return the role of each path."""
        return {path: self._role(path) for path in paths}

    def _role(self, path: str) -> FileRole:
        if path not in self._files:
            return _OF_PATH.get(path_role(path), "library")
        if generated(path, self._sources[path].text[:_HEAD_CHARS].encode(errors="replace")):
            return "generated"
        if path in self._testing or posixpath.dirname(path) in self._testing_folders:
            return "tests"
        if (tag := _BUILD_TAG.search(self._sources[path].text[:_HEAD_CHARS])) is not None and path.endswith(".go"):
            return "tests" if tag["test"] else "tool"
        first, inside, _ = path.partition("/")
        if (inside and _TOOL_FOLDERS.fullmatch(first)) or _TOOL_FILES.fullmatch(posixpath.basename(path)):
            return "tool"
        if inside and first in _DOCS:
            return "examples"
        if self._sources[path].language in _SHELLS and self._main_language not in _SHELLS:
            return "tool"
        return "command" if path in self._started else "library"

    @cached_property
    def _main_language(self) -> str:
        counted = Counter(self._sources[path].language for path in self._files)
        return max(counted, key=lambda language: (counted[language], language), default="")

    @cached_property
    def _testing(self) -> frozenset[str]:
        """The source files that import a test framework when they are loaded."""
        symbols = self._graph.catalog.symbols
        return frozenset(
            symbols[use.source].path
            for use in self._graph.externals
            if use.imported and _FRAMEWORKS.match(use.name) and symbols[use.source].kind == "module"
        ) & frozenset(self._files)

    @cached_property
    def _testing_folders(self) -> frozenset[str]:
        """The folders in which at least a third of the source files import a test framework.

        The other files of such a folder are helpers of these. The root is never one: many small libraries are there.
        """
        inside: dict[str, list[str]] = defaultdict(list)
        for path in self._files:
            inside[posixpath.dirname(path)].append(path)
        return frozenset(
            folder
            for folder, paths in inside.items()
            if folder and 3 * sum(path in self._testing for path in paths) >= len(paths)
        )

    @cached_property
    def _started(self) -> frozenset[str]:
        """The files with a function that a manifest or the language starts."""
        found = set()
        for entry in entry_points(self._graph, self._evidence, ("main", "script", "module")):
            symbol = self._graph.catalog.symbol(entry.symbol_id)
            named = symbol.name == "main" or posixpath.basename(symbol.path) == "__main__.py"
            if entry.kind == "script" or named:  # others run when a type or package is loaded, or on request
                found.add(symbol.path)
        return frozenset(found)
