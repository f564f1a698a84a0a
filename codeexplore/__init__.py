"""codeexplore: explore an unfamiliar codebase from Jupyter, IPython or a terminal.

>>> from codeexplore import Workspace
>>> ws = Workspace("path/to/repo")  # or Workspace.from_package("networkx"), Workspace.from_git(url)
>>> ws.search("how are expired sessions handled?")
>>> ws.callers("validate_session")

Importing the package takes little time, because engines are loaded with the first workspace.
"""

# before all other imports, even __future__: the first folder of sys.path may be the explored repository
# isort: off
import codeexplore.trusted_imports  # noqa: F401
# isort: on

import sys
from typing import TYPE_CHECKING, Any

from codeexplore.errors import (
    AmbiguousSymbol,
    CodeExploreError,
    DamagedIndex,
    FixtureError,
    GitError,
    GraphUnresolved,
    IndexFileError,
    LoadCancelled,
    ModelError,
    NothingToIndex,
    PackageNotFound,
    PatchError,
    QuestionError,
    RootNotAFolder,
    RootNotFound,
    SourceError,
    SourceNotIncluded,
    SymbolNotFound,
    TargetError,
    TraceError,
)
from codeexplore.version import __version__

if TYPE_CHECKING:
    from codeexplore.packs import Pack
    from codeexplore.results import (
        ChangedSymbol,
        ChangeImpactAnswer,
        ChangesAnswer,
        Explanation,
        GraphAnswer,
        GrepAnswer,
        PathsAnswer,
        SearchAnswer,
        SearchHit,
        TestsAnswer,
        TraceRun,
        WhyAnswer,
    )
    from codeexplore.samples import sample_repo
    from codeexplore.types import Filters
    from codeexplore.workspace.workspace import Workspace

__all__ = [
    "AmbiguousSymbol",
    "ChangeImpactAnswer",
    "ChangedSymbol",
    "ChangesAnswer",
    "CodeExploreError",
    "DamagedIndex",
    "Explanation",
    "Filters",
    "FixtureError",
    "GitError",
    "GraphAnswer",
    "GraphUnresolved",
    "GrepAnswer",
    "IndexFileError",
    "LoadCancelled",
    "ModelError",
    "NothingToIndex",
    "Pack",
    "PackageNotFound",
    "PatchError",
    "PathsAnswer",
    "QuestionError",
    "RootNotAFolder",
    "RootNotFound",
    "SearchAnswer",
    "SearchHit",
    "SourceError",
    "SourceNotIncluded",
    "SymbolNotFound",
    "TargetError",
    "TestsAnswer",
    "TraceError",
    "TraceRun",
    "WhyAnswer",
    "Workspace",
    "__version__",
    "sample_repo",
]

_LAZY = {
    "ChangeImpactAnswer": "codeexplore.results",
    "ChangedSymbol": "codeexplore.results",
    "ChangesAnswer": "codeexplore.results",
    "TestsAnswer": "codeexplore.results",
    "Explanation": "codeexplore.results",
    "Filters": "codeexplore.types",
    "GraphAnswer": "codeexplore.results",
    "GrepAnswer": "codeexplore.results",
    "Pack": "codeexplore.packs",
    "PathsAnswer": "codeexplore.results",
    "SearchAnswer": "codeexplore.results",
    "SearchHit": "codeexplore.results",
    "TraceRun": "codeexplore.results",
    "WhyAnswer": "codeexplore.results",
    "Workspace": "codeexplore.workspace.workspace",
    "sample_repo": "codeexplore.samples",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _LAZY:
        raise AttributeError(f"module 'codeexplore' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: Any) -> None:
    """Load the magics for ``%load_ext codeexplore``: %explore, %ask, %callers and others."""
    from codeexplore.notebook.extension import load_ipython_extension as load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Remove the magics for ``%unload_ext codeexplore``."""
    from codeexplore.notebook.extension import unload_ipython_extension as unload

    unload(shell)


def _show_in_ipython() -> None:
    """Display results as HTML or coloured text under IPython. In a plain script, no code for displays is loaded."""
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = get_ipython() if get_ipython is not None else None
    if shell is not None:
        from codeexplore.notebook.extension import attach

        attach(shell)


_show_in_ipython()
