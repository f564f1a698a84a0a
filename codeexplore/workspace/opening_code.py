"""Python source of the call that opens a workspace again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.workspace.pipeline import LoadOptions

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index


def opening_code(index: Index, options: LoadOptions, *, portable: bool) -> str:
    """Return the call that opens the workspace of `index` again, as Python source.

    `portable` is True if the index comes from a file that `Workspace.save` wrote.
    """
    usual = LoadOptions()
    names = ("model",) if portable else ("only", "max_file_bytes", "include_ignored", "resources", "model")
    chosen = {name: getattr(options, name) for name in names if getattr(options, name) != getattr(usual, name)}
    if not portable and index.name != index.root.name:
        chosen["name"] = index.name
    written = [f"{name}={(str(value) if name == 'model' else value)!r}" for name, value in chosen.items()]
    function, place = ("Workspace.open", index.stored) if portable else ("Workspace", str(index.root))
    return f"{function}({', '.join((repr(place), *written))})"
