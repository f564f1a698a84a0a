"""Suggestions for completion: symbols, files, languages and plain words.

Each suggestion has a kind, for which front ends show an icon.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from IPython.core.completer import SimpleCompletion

from codeexplore.workspace.targets import complete

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

LIMIT = 60
"""Maximal number of suggestions. More do not help, and the kind of each must be looked up."""

_TYPES = {"function": "function", "method": "function", "lambda": "function", "module": "module", "field": "property"}


def symbols(workspace: Workspace, start: str) -> list[SimpleCompletion]:
    """Return names of symbols that begin with the typed text `start`."""
    catalog = workspace.catalog
    found = []
    for name in complete(catalog, start, LIMIT):
        symbol = next(iter(catalog.find(name)), None)
        kind = "" if symbol is None else symbol.kind
        found.append(SimpleCompletion(text=name, type=_TYPES.get(kind, "class" if kind else "text")))
    return found


def outside(workspace: Workspace, start: str) -> list[SimpleCompletion]:
    """Return names outside the repository that begin with the typed text `start`."""
    names = workspace.externals(start, LIMIT) if len(start) > 1 else ()
    return [SimpleCompletion(text=name, type="module") for name in names if name.isprintable() and " " not in name]


def languages(workspace: Workspace) -> list[str]:
    """Return the names of the languages in which files of the workspace are written."""
    from codeexplore.languages.registry import languages

    return [language.name for language in languages() if workspace.summary.files.get(language.title)]


def files(workspace: Workspace, start: str) -> list[SimpleCompletion]:
    """Return paths of indexed files that begin with `start`."""
    fitting = (path for path in workspace.files if path.startswith(start) and " " not in path and path.isprintable())
    return [SimpleCompletion(text=path, type="path") for path, _ in zip(fitting, range(LIMIT), strict=False)]


def plain(texts: Iterable[str], kind: str) -> list[SimpleCompletion]:
    """Return words as suggestions, sorted."""
    return [SimpleCompletion(text=text, type=kind) for text in sorted(texts)]
