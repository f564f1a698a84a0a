"""The four tools for assistants in JupyterLab, by the entry point of jupyter-server-mcp (which jupyter-ai 3 uses).

They take the path of a repository. It must be inside the root folder of the Jupyter server.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.features.context.assistants.server import follow_edits
from codeexplore.features.context.assistants.tools import DEFAULT_TOKENS, Relation, Tool, Toolbox, error_text
from codeexplore.types.errors import CodeExploreError, QuestionError

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace

TOOLS = [
    f"codeexplore.features.context.assistants.jupyter_mcp:{name}"
    for name in ("ask_repository", "walk_repository", "read_repository", "map_repository")
]
"""What the entry point gives to jupyter-server-mcp: module and function of each tool."""

_lock = threading.Lock()
_loaded: dict[Path, Workspace] = {}


def ask_repository(path: str, question: str, tokens: int = DEFAULT_TOKENS) -> str:
    """Find code in the repository at a path: the source that best answers a question or bug report."""
    return _answer(path, "ask", question=question, tokens=tokens)


def walk_repository(
    path: str, symbol: str, relation: Relation, to: str = "", depth: int = 1, tokens: int = DEFAULT_TOKENS
) -> str:
    """Follow the call and type graph of the repository at a path from a symbol; `to` ends a path."""
    return _answer(path, "walk", symbol=symbol, relation=relation, to=to, depth=depth, tokens=tokens)


def read_repository(path: str, target: str, outline: bool = False, tokens: int = DEFAULT_TOKENS) -> str:
    """Read a symbol, a file or path:first-last of the repository at a path, or the outline of a file."""
    return _answer(path, "read", target=target, outline=outline, tokens=tokens)


def map_repository(path: str, tokens: int = DEFAULT_TOKENS) -> str:
    """Return a map of the repository at a path: modules, entry points, public interface, central symbols."""
    return _answer(path, "map", tokens=tokens)


def _answer(path: str, name: str, **arguments: object) -> str:
    try:
        tools: dict[str, Tool] = {t.name: t for t in Toolbox({path: _opened(path)}, follow_edits).tools()}
    except CodeExploreError as error:
        return error_text(error)
    return tools[name].answer(**arguments).text


def _opened(path: str) -> Workspace:
    """Return the workspace of a path, loaded once. Raises QuestionError for a path outside the server's folder."""
    from codeexplore.workspace.workspace import Workspace

    root = _root()
    try:
        folder = (root / path).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise QuestionError(f"{path!r:.80} is no path: {error}") from error
    if not folder.is_relative_to(root):
        raise QuestionError(f"{path!r:.80} is outside {str(root)!r}, the folder of this Jupyter server")
    with _lock:
        if folder not in _loaded:
            _loaded[folder] = Workspace(folder, graph="background", progress=lambda *_: None)
        return _loaded[folder]


def _root() -> Path:
    try:
        from jupyter_server.serverapp import ServerApp
    except ImportError:
        return Path.cwd().resolve()
    root = ServerApp.instance().root_dir if ServerApp.initialized() else "."
    return Path(root).resolve()
