"""The Python that gives what an explorer shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.notebook.asked import Asked, Walk, call

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


def code_of(
    workspace: Workspace | None, asked: Asked | None, walk: Walk | None, name: str | None = None, where: str = ""
) -> str:
    """Statements that bind a workspace (unless `name` says that one is bound), ``answer`` and ``walk``.

    `where` is what the workspace was opened from, when that is known.
    """
    if workspace is None:
        return "# nothing is open"
    bound = name or _bound_name(workspace)
    lines: list[str] = []
    imports = ["Filters"] if asked is not None and "filters" in asked.options() else []
    if bound is None:
        bound = "ws"
        made, needs = _opened(workspace, where)
        imports += needs
        lines.append(f"ws = {made}")
    if "open_workspace" in imports:
        imports.remove("open_workspace")
        lines.insert(0, "from codeexplore.workspace.opening import open_workspace\n")
    if imports:
        lines.insert(0, f"from codeexplore import {', '.join(sorted(imports))}" + ("" if len(lines) > 1 else "\n"))
    if asked is not None:
        lines.append(f"answer = {asked.code(bound)}")
    if walk is not None:
        lines.append(f"walk = {walk.code(bound)}")
    return "\n".join(lines)


def _opened(workspace: Workspace, where: str) -> tuple[str, list[str]]:
    """How to make the workspace again, and the names that takes."""
    if where:
        return call("open_workspace", where, {}), ["open_workspace"]
    return workspace.made_by(), ["Workspace"]


def _bound_name(workspace: Workspace) -> str | None:
    """A variable of this notebook that holds the workspace."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return None
    names = [name for name, value in list(shell.user_ns.items()) if value is workspace and not name.startswith("_")]
    return min(names, key=lambda name: (name != "ws", name), default=None)
