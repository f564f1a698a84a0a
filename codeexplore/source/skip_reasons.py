"""Reasons for skipping a file or folder: the values of `Skipped.reason`, and a description of each for users."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from codeexplore.types import Skipped

IGNORED: Final = "ignored"
ARTEFACTS: Final = "build results"
NO_LANGUAGE: Final = "unknown language"
NOT_CODE: Final = "not code"
DATA: Final = "data"
SECRET: Final = "secrets"  # noqa: S105 - a reason
TOO_LARGE: Final = "too large"
BINARY: Final = "binary"
MINIFIED: Final = "minified"
GENERATED: Final = "generated"
SYMLINK: Final = "symlink"
SPECIAL: Final = "special file"
NAME: Final = "name is not UTF-8"
NO_PERMISSION: Final = "no permission"
UNREADABLE: Final = "unreadable"
VANISHED: Final = "vanished"
NOTEBOOK: Final = "malformed notebook"
RULE: Final = "unusable ignore rule"

EXPLANATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        IGNORED: "hidden by .gitignore, .git/info/exclude or .codeexploreignore, and not tracked by git; "
        "a line !path in .codeexploreignore includes it again",
        ARTEFACTS: "folders of installed packages, caches, version control or build results; "
        "a line !folder/ in .codeexploreignore includes one again, or open it as the root",
        NO_LANGUAGE: "neither its name, its extension nor its first line belongs to a known language",
        NOT_CODE: "configuration, templates and other text, left out by resources=False (--code-only)",
        DATA: "translations, tables, logs, keys, input and expected output of tests; "
        "a line !path in .codeexploreignore includes one",
        SECRET: "by their names they hold passwords, tokens or private keys, which must not reach packs and "
        "assistants; a line !path in .codeexploreignore includes one",
        TOO_LARGE: "above max_file_bytes, which can be raised, or above the limit for files that are not code; "
        "a line !path in .codeexploreignore includes one of these",
        BINARY: "contains NUL or other control bytes, so it is not text",
        MINIFIED: "nearly all of it is in lines of over a thousand characters; "
        "a line !path in .codeexploreignore includes it again",
        GENERATED: "its first lines state that a tool wrote it, or it is a lock file; "
        "a line !path in .codeexploreignore includes it again",
        SYMLINK: "links are never followed; a target inside the root is indexed under its own path",
        SPECIAL: "a pipe, socket or device is never opened",
        NAME: "its name is not valid UTF-8; rename it",
        NO_PERMISSION: "the current user may not read it; grant read permission or exclude it",
        UNREADABLE: "the system failed to read it; check the disk and load again",
        VANISHED: "was deleted while the folder was read; load again",
        NOTEBOOK: "an .ipynb file that is not a notebook's JSON; save it again with Jupyter",
        RULE: "a line of an ignore file that was not applied, the other lines were; correct it by git's rules",
    }
)
"""Reason → its meaning and, if there is one, the next step."""

OUTSIDE: Final = frozenset({IGNORED, ARTEFACTS, SYMLINK, RULE})
"""Reasons of what is no text of the repository, or is read under its own path."""


def counts(skipped: Iterable[Skipped]) -> dict[str, int]:
    """Return a mapping from each reason to the number of skipped entries, in the order of `by_count`.

    A folder that was not entered counts as one entry.
    """
    return by_count(Counter(entry.reason for entry in skipped))


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """Return `counts` with the largest first, then by name."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
