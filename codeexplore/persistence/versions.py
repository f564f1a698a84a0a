"""Which code an index was made by: another one might say something else of the same files."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_NO_INFLUENCE = frozenset({"notebook", "cli", "render", "views", "evaluation", "sample_repos", "__pycache__"})
_SUFFIXES = (".py", ".so", ".pyd", ".scm", "CHECKSUMS")


@cache
def made_by() -> dict[str, str]:
    """The versions that decide what an index holds."""
    from codeexplore import __version__

    return {
        "codeexplore": __version__,
        "code": _code(),
        "form": form(),
        "grammars": _version("tree-sitter-language-pack"),
        "tree-sitter": _version("tree-sitter"),
        "python": "{}.{}".format(*sys.version_info),
    }


def form() -> str:
    """Whether the rooms that may be compiled are: "compiled" or "Python"; hatch_build.py compiles them all or none."""
    found = find_spec("codeexplore.languages.resolution.heap")
    return "Python" if found is None or (found.origin or "").endswith(".py") else "compiled"


def bundled_model() -> str:
    """What tells one bundled model from another, without loading it: `Encoder.load` holds its files to these sums."""
    return hashlib.sha256((_PACKAGE / "lanes" / "bundled" / "CHECKSUMS").read_bytes()).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _code() -> str:
    """A hash of name, size and time of every file of the package that has a say in an index."""
    digest = hashlib.blake2b(digest_size=8)
    folders = [str(_PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as found:
            for entry in sorted(found, key=lambda entry: entry.name):
                if entry.is_dir() and entry.name not in _NO_INFLUENCE:
                    folders.append(entry.path)
                elif entry.name.endswith(_SUFFIXES):
                    state = entry.stat()
                    digest.update(f"{entry.path}\0{state.st_size}\0{state.st_mtime_ns}\0".encode())
    return digest.hexdigest()
