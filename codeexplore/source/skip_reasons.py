"""Reasons for skipping a file or folder: the values of `Skipped.reason`, and a description of each for users."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from codeexplore.types import Skipped

IGNORED: Final = "ignored"
ARTEFACTS: Final = "artefacts"
NO_LANGUAGE: Final = "no language"
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
        "a line !path in .codeexploreignore brings it back",
        ARTEFACTS: "folders of installed packages, caches, version control or build results; "
        "a line !folder/ in .codeexploreignore brings one back, or make it the root",
        NO_LANGUAGE: "neither its name, its extension nor its first line tells a known language",
        TOO_LARGE: "above max_file_bytes, which can be raised",
        BINARY: "holds NUL or control bytes where text has none",
        MINIFIED: "nearly all of it stands in lines of over a thousand characters; "
        "a line !path in .codeexploreignore brings it back",
        GENERATED: "says in its first lines that a tool wrote it, or is a lock file; "
        "a line !path in .codeexploreignore brings it back",
        SYMLINK: "links are never followed: what they lead to inside the root is indexed under its own path",
        SPECIAL: "a pipe, socket or device is never opened",
        NAME: "its name is no UTF-8 text, so that no path could name it; rename it",
        NO_PERMISSION: "the user who runs this may not read it; give them the right to, or leave it out",
        UNREADABLE: "the system failed to read it; look whether the disk is well, and load again",
        VANISHED: "went away while the folder was read; load again",
        NOTEBOOK: "an .ipynb file that is not a notebook's JSON; save it again with Jupyter",
        RULE: "a line of an ignore file that was left out, the others hold; mend it as git reads it",
    }
)
"""Reason → its meaning and, if there is one, the next step."""


def counts(skipped: Iterable[Skipped]) -> dict[str, int]:
    """Number of skipped entries by reason, most frequent first, ties by name. A folder not entered counts once."""
    found = Counter(entry.reason for entry in skipped)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
