"""%explore, %source and %workspace."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import line_magic, magics_class
from IPython.core.magic_arguments import argument

from codeexplore.answers.blocks import Heading, Piece, Row, Table
from codeexplore.answers.shown import Blocks
from codeexplore.answers.wording import counts, plural
from codeexplore.notebook.config import VIEWS
from codeexplore.notebook.magics.base import (
    WorkspaceMagics,
    as_usage_error,
    first,
    option_magic,
    parse_line,
    to_option,
    workspace_option,
)
from codeexplore.types import WorkspaceSummary

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


def listed(bound: Mapping[str, WorkspaceSummary], current: Collection[str]) -> Blocks:
    """Return variables with their workspaces as an answer. `current` has the names of the one that magics use."""
    rows = [
        Row(
            (
                "▸" if name in current else "",
                Piece(name, "strong"),
                summary.name,
                f"{plural(sum(summary.files.values()), 'file')} · {counts(summary.files)}",
                plural(sum(summary.symbols.values()), "symbol"),
            )
        )
        for name, summary in bound.items()
    ]
    title = "Workspaces; magics use the one marked ▸" if current else "Workspaces"
    return Blocks(Heading(title), Table("", ("", "variable", "name", "files", "symbols"), rows))


_ACTIONS = ("status", "list", "switch", "close")


@magics_class
class ExploreMagics(WorkspaceMagics):
    """Magics that open, show and close workspaces and the explorer."""

    @option_magic(line_magic)
    @workspace_option
    @argument("--as", dest="name", metavar="NAME", help="bind the loaded workspace to this variable (default ws)")
    @argument("--view", choices=VIEWS, help="ask: question, answer and call graph (default); lab: every step")
    def explore(self, line: str) -> Any:
        """Open the explorer: ``%explore PATH``, ``%explore PACKAGE``, ``%explore URL``, or on the current workspace.

        Search works as soon as the texts are loaded; the call graph is built in the background. In a terminal, which
        has no widgets, it shows a summary of the workspace.
        """
        options, where = parse_line(self.explore, line)
        if where:
            workspace = as_usage_error(self._open, where, options.name or "ws")
        else:
            workspace = self.workspace_of(options)
            self.state.current = workspace
        view = first(options.view, self.defaults.view)
        return workspace if self.state.in_terminal else workspace.explore(view=view)

    @option_magic(line_magic)
    @to_option
    @workspace_option
    def source(self, line: str) -> Any:
        """Show the source of a symbol, with line numbers: ``%source validate_session``, or of a file by its path."""
        options, text = parse_line(self.source, line)
        if not text:
            raise UsageError("the source of what? For example: %source validate_session")
        workspace = self.workspace_of(options)
        return self.answered(as_usage_error(workspace.source, self.target(workspace, text)).view, options)

    @option_magic(line_magic)
    @to_option
    @workspace_option
    def symbol(self, line: str) -> Any:
        """Show the source of a symbol, as in a terminal; the same as ``%source``."""
        return self.source(line)

    @option_magic(line_magic)
    def status(self, line: str) -> Any:
        """Show what is indexed and skipped, as in a terminal; the same as ``%workspace status``."""
        return self.workspace(f"status {line}")

    @option_magic(line_magic)
    def workspace(self, line: str) -> Any:
        """Manage the loaded workspaces: ``%workspace`` status, list, switch NAME, close NAME.

        ``switch`` selects the workspace that the magics use. ``close`` deletes the variable of a workspace and frees
        its memory.
        """
        text = parse_line(self.workspace, line).text
        action, _, name = text.partition(" ")
        action, name = action or "status", name.strip()
        if action not in _ACTIONS:
            known = f"%workspace takes one of {', '.join(_ACTIONS)}, not {action!r}"
            raise UsageError(f"{known}; %explore loads a folder, a package or a URL")
        if action == "list":
            return self._list()
        if action == "status":
            return self.state.workspace(name or None).status()
        if not name:
            raise UsageError(f"%workspace {action} needs a name. {self.state.choices()}")
        chosen = self.state.workspace(name)
        if action == "switch":
            self.state.current = chosen
        else:
            self.state.forget(name)
        return self._list()

    def _list(self) -> Blocks:
        bound = self.state.named()
        if not bound:
            raise UsageError(self.state.choices())
        current = self.state.workspace() if self.state.current or len(bound) == 1 else None
        names = [name for name, each in bound.items() if each is current]
        return listed({name: each.summary for name, each in bound.items()}, names)

    def _open(self, where: str, name: str) -> Workspace:
        from codeexplore.workspace.open import open_workspace

        if not name.isidentifier():
            raise UsageError(f"--as needs a variable's name, not {name!r}")
        workspace = open_workspace(where, graph="background", resources=self.defaults.resources)
        self.state.current = workspace
        self.state.shell.push({name: workspace}, interactive=True)
        return workspace
