"""The source text that the vocabulary is counted over: the standard library and installed, permissive packages.

None of the packages is one of the repositories that search is measured on, nor a near relative of one.
"""

from __future__ import annotations

import platform
import sysconfig
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

PACKAGES = (
    "anyio", "babel", "debugpy", "filelock", "fonttools", "fsspec", "huggingface_hub", "ipykernel", "ipython",
    "ipywidgets", "jedi", "joblib", "jsonschema", "jupyter_client", "jupyter_server", "jupyterlab", "lark",
    "matplotlib", "mpmath", "mypy", "narwhals", "nbconvert", "numpy", "packaging", "pandas", "parso", "pexpect", "pip",
    "playwright", "prompt_toolkit", "Pygments", "pyparsing", "pytest", "scikit-learn", "scipy", "sentence-transformers",
    "setuptools", "sympy", "torch", "tornado", "transformers", "triton",
)  # fmt: skip
SUFFIXES = (".c", ".cpp", ".h", ".hpp", ".js", ".py", ".pyi", ".pyx", ".ts")
VENDORED = {"_vendor", "_vendored", "vendor", "vendored", "third_party", "typeshed", "static", "site-packages"}
"""Folders of others' code, under others' licences."""

MAX_BYTES = 400_000
"""Larger files are data and bundles."""

PERMISSIVE = ("Apache", "BSD", "MIT", "PSF", "Python", "ISC", "Zlib", "CC0", "Unlicense", "HPND")


class Source(NamedTuple):
    """A package to learn words from."""

    name: str
    version: str
    licence: str
    paths: tuple[Path, ...]

    def texts(self) -> Iterator[str]:
        """The UTF-8 texts of its files, in path order."""
        for path in self.paths:
            try:
                yield path.read_text("utf-8")
            except UnicodeDecodeError:  # a codec's test data
                continue


def sources() -> Iterator[Source]:
    """The standard library and every package of PACKAGES. Raises ValueError for a licence that is not permissive."""
    root = Path(sysconfig.get_paths()["stdlib"])
    files = (path.relative_to(root) for path in root.rglob("*.py"))
    yield Source("Python standard library", platform.python_version(), "PSF-2.0", _wanted(root, files))
    for name in PACKAGES:
        distribution = metadata.distribution(name)
        licence = _licence(distribution)
        if not any(word in licence for word in PERMISSIVE) or "GPL" in licence:
            raise ValueError(f"{name}: licence {licence!r} is not on the list of permissive ones")
        root = Path(str(distribution.locate_file("")))
        yield Source(name, distribution.version, licence, _wanted(root, map(Path, distribution.files or ())))


def _wanted(root: Path, files: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(
        sorted(
            root / file
            for file in files
            if file.suffix in SUFFIXES
            and not file.name.endswith((".min.js", "_pb2.py"))
            and not VENDORED & set(file.parts)
            and (root / file).is_file()
            and (root / file).stat().st_size <= MAX_BYTES
        )
    )


def _licence(distribution: metadata.Distribution) -> str:
    """The SPDX expression, else the licence classifier, else the first line of the licence field."""
    fields = distribution.metadata
    classifiers = (line for line in fields.get_all("Classifier") or () if line.startswith("License"))
    found = [*(fields.get_all("License-Expression") or ()), *classifiers, *(fields.get_all("License") or ()), "unknown"]
    return str(found[0]).rsplit(" :: ", 1)[-1].split("\n", 1)[0]
