"""Languages for discovery's tests that do not depend on which ones the registry knows."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from typing import Any
from unittest import mock

from codeexplore.languages.base import Language
from codeexplore.source import discovery
from codeexplore.source.discovery import Discovery

_NAMES = {".py": "python", ".js": "javascript", ".go": "go", ".md": "markdown", ".ipynb": "notebook"}


def _language(name: str) -> Language:
    return Language(name, name, "text", ())


class FewLanguages:
    """By extension, and Python by its shebang."""

    def by_path(self, path: str) -> Language | None:
        name = _NAMES.get(posixpath.splitext(path)[1])
        return None if name is None else _language(name)

    def by_default(self, path: str) -> Language | None:
        return None

    def by_shebang(self, first_line: bytes) -> Language | None:
        return _language("python") if b"python" in first_line else None


class AnyLanguage:
    """Every file is text."""

    def by_path(self, path: str) -> Language | None:
        return _language("text")

    def by_default(self, path: str) -> Language | None:
        return None

    def by_shebang(self, first_line: bytes) -> Language | None:
        return None


def discover(root: str | os.PathLike[str], *, languages: object = discovery.registry, **options: Any) -> Discovery:
    """`discovery.discover`, with these functions instead of the registry's."""
    with mock.patch.object(discovery, "registry", languages):
        return discovery.discover(root, **options)


def paths(found: Discovery) -> list[str]:
    """What was found, in its order."""
    return [candidate.path for candidate in found.candidates]


def why(found: Discovery) -> dict[str, str]:
    """Path of what was skipped → reason."""
    assert max(Counter(entry.path for entry in found.skipped).values(), default=1) == 1
    return {entry.path: entry.reason for entry in found.skipped}
