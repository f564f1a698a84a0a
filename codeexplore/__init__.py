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

from codeexplore.types.errors import (
    AmbiguousSymbol,
    CodeExploreError,
    DamagedIndex,
    FixtureError,
    GitError,
    GraphUnresolved,
    IndexFileError,
    LoadCancelled,
    ModelError,
    NotEnoughMemory,
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
    from codeexplore.answers import (
        Explanation,
        GraphAnswer,
        GrepAnswer,
        PathsAnswer,
        SearchAnswer,
        SearchHit,
        WhyAnswer,
    )
    from codeexplore.source.samples import sample_repo
    from codeexplore.types import Filters
    from codeexplore.workspace.workspace import Workspace

__all__ = [
    "AmbiguousSymbol",
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
    "NotEnoughMemory",
    "NothingToIndex",
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
    "TraceError",
    "WhyAnswer",
    "Workspace",
    "__version__",
    "sample_repo",
]

_LAZY = {
    "Explanation": "codeexplore.answers",
    "Filters": "codeexplore.types",
    "GraphAnswer": "codeexplore.answers",
    "GrepAnswer": "codeexplore.answers",
    "PathsAnswer": "codeexplore.answers",
    "SearchAnswer": "codeexplore.answers",
    "SearchHit": "codeexplore.answers",
    "WhyAnswer": "codeexplore.answers",
    "Workspace": "codeexplore.workspace.workspace",
    "sample_repo": "codeexplore.source.samples",
}


def __getattr__(name: str) -> Any:
    """Import a public name, of the core or of a feature, when it is first used."""
    from importlib.util import find_spec

    from codeexplore.types.features import find, load

    if name in _LAZY:
        return load(f"{_LAZY[name]}:{name}")
    found = None
    if (
        not name.startswith("_") and find_spec(f"codeexplore.{name}") is None
    ):  # a module, as in `from codeexplore import cli`
        found = find(lambda feature: next((each for each in feature.names if each.endswith(f":{name}")), None))
    if found is None:
        raise AttributeError(f"module 'codeexplore' has no attribute {name!r}")
    return load(found)


def __dir__() -> list[str]:
    from codeexplore.types.features import registered

    return sorted({*__all__, *(each.partition(":")[2] for feature in registered() for each in feature.names)})


def load_ipython_extension(shell: Any) -> None:
    """Load the magics for ``%load_ext codeexplore``: %explore, %ask, %callers and others."""
    from codeexplore.types.features import load

    load("codeexplore.notebook.extension:load_ipython_extension")(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Remove the magics for ``%unload_ext codeexplore``."""
    from codeexplore.types.features import load

    load("codeexplore.notebook.extension:unload_ipython_extension")(shell)


def _attach_to_ipython() -> None:
    """Show progress and complete names under IPython. In a plain script, no code for notebooks is loaded."""
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = get_ipython() if get_ipython is not None else None
    if shell is not None:
        from codeexplore.types.features import load

        load("codeexplore.notebook.extension:attach")(shell)


_attach_to_ipython()
