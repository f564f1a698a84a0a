"""Compiled modules that belong to Python packages: C code calls functions by names that stand nowhere else.

A private module that is imported and is no file of the repository is taken as compiled (``_sqlite3``, ``_sre``). It
belongs to the package, or to the module outside of packages, that is named like it or alone imports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from codeexplore.file_roles import is_test_path
from codeexplore.types import SourceFile

_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<source>[\w.]+)[ \t]+import\b|import[ \t]+(?P<names>[\w., \t]+))", re.MULTILINE
)


class Companions:
    """The compiled modules of a repository's packages.

    Parameters
    ----------
    sources
        Texts by path; only those of Python files are read.
    """

    def __init__(self, sources: Mapping[str, SourceFile]) -> None:
        self._sources = sources
        self._owned = cache(self._owned_by)

    def of(self, path: str) -> str:
        """The compiled module that belongs to a file's package, or to the file; "" for none."""
        return self._owned(self._home(path))

    def _home(self, path: str) -> str:
        """The folder of a file's package; the file itself when it is in none."""
        folder = path.rpartition("/")[0]
        return folder if folder and f"{folder}/__init__.py" in self._sources else path

    def _owned_by(self, home: str) -> str:
        inside = [path for path in self._sources if path.endswith(".py") and self._home(path) == home]
        modules = dict.fromkeys(each for path in inside for each in self._imported(path) if not self._is_file(each))
        for module in modules:
            if module == f"_{PurePosixPath(home).stem}" or self._is_alone(home, module):
                return module
        return ""

    def _imported(self, path: str) -> Iterator[str]:
        """The private modules that a file imports, by their absolute names."""
        for match in _IMPORT.finditer(self._sources[path].text):
            names = [match["source"]] if match["source"] else re.split(r"[\s,]+", match["names"])
            yield from (name for name in names if _is_private(name.rpartition(".")[2]) and name[:1] != ".")

    def _is_file(self, module: str) -> bool:
        stem = module.replace(".", "/")
        ends = (f"{stem}.py", f"{stem}/__init__.py")
        return any(path in ends or path.endswith(tuple(f"/{end}" for end in ends)) for path in self._sources)

    def _is_alone(self, home: str, module: str) -> bool:
        """Whether no file outside of a package imports a module, tests aside."""
        others = (path for path, source in self._sources.items() if path.endswith(".py") and module in source.text)
        return not any(
            module in self._imported(path) for path in others if self._home(path) != home and not is_test_path(path)
        )


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")
