"""Python code that computes again what the explorer shows."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from codeexplore.notebook.requests import SearchRequest, Walk, call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from codeexplore.workspace.workspace import Workspace

_NO_OTHERS: Mapping[str, Callable[[str], str]] = MappingProxyType({})


def code_of(
    workspace: Workspace | None,
    asked: SearchRequest | None,
    walk: Walk | None,
    name: str | None = None,
    where: str = "",
    others: Mapping[str, Callable[[str], str]] = _NO_OTHERS,
) -> str:
    """Return Python statements that open the workspace, and compute and show ``answer``, ``walk`` and others again.

    If `name` is a variable that contains the workspace, the statements use it. `where` is the path, package or URL from
    which the workspace was opened; "" if it is unknown. `others` maps further variables to functions that return their
    expressions for a variable of the workspace; "" if the panel shows nothing.
    """
    if workspace is None:
        return "# no repository is open"
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
        lines.insert(0, "from codeexplore.workspace.open import open_workspace\n")
    if imports:
        lines.insert(0, f"from codeexplore import {', '.join(sorted(imports))}" + ("" if len(lines) > 1 else "\n"))
    shown = {"answer": asked.code(bound)} if asked is not None else {}
    shown |= {"walk": walk.code(bound)} if walk is not None else {}
    shown |= {variable: written for variable, code in others.items() if (written := code(bound))}
    lines += [f"{variable} = {written}" for variable, written in shown.items()]
    if shown:
        *before, last = shown
        if before:
            lines.insert(0, "from IPython.display import display\n")
        lines += [*(f"display({variable})" for variable in before), last]
    return "\n".join(lines)


def _opened(workspace: Workspace, where: str) -> tuple[str, list[str]]:
    """Return the expression that opens the workspace again, and the names that it needs to import."""
    if where:
        return call("open_workspace", where, {}), ["open_workspace"]
    return workspace.to_code(), ["Workspace"]


def _bound_name(workspace: Workspace) -> str | None:
    """Return the name of a variable of this notebook whose value is the workspace; None if there is none."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return None
    names = [name for name, value in list(shell.user_ns.items()) if value is workspace and not name.startswith("_")]
    return min(names, key=lambda name: (name != "ws", name), default=None)
