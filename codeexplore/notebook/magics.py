"""%explore, %ask and %callers: parse, call the workspace, give the answer back for IPython to show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from codeexplore.errors import CodeExploreError, TargetError
from codeexplore.notebook.arguments import parse_line
from codeexplore.notebook.state import NotebookState
from codeexplore.types import Filters

if TYPE_CHECKING:
    from codeexplore.views import GraphAnswer
    from codeexplore.workspace.workspace import Workspace


@magics_class
class ExploreMagics(Magics):
    """The magics of one shell. Each result is an ordinary object: ``Out[n]``, and ``_answer``."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self.state = NotebookState(shell)

    @no_var_expand
    @line_magic
    @magic_arguments()
    @argument("-w", "--workspace", metavar="NAME", help="explore the workspace bound to this variable")
    @argument("--as", dest="name", metavar="NAME", help="bind the loaded workspace to this variable (default ws)")
    def explore(self, line: str) -> Any:
        """Open the explorer: ``%explore PATH``, ``%explore PACKAGE``, ``%explore URL``, or on the current workspace.

        In a terminal, where there are no widgets, it loads and shows what was loaded.
        """
        options, where = parse_line(self.explore, line)
        if where:
            workspace = _told(self._open, where, options.name or "ws")
        else:
            workspace = self.state.workspace(options.workspace)
            self.state.current = workspace
        return workspace if self._in_terminal() else workspace.explore()

    @no_var_expand
    @line_cell_magic
    @magic_arguments()
    @argument("-k", "--top-k", type=int, metavar="N", help="hits to show (default 10)")
    @argument("-l", "--lanes", metavar="A,B", help="only these lanes: bm25, embedding, graph")
    @argument("--rrf-k", type=int, metavar="N", help="constant of the rank fusion (default 60)")
    @argument("--per-file", type=int, metavar="N", help="at most N hits of one file")
    @argument("--path", action="append", metavar="GLOB", help="only files whose path fits; may be given again")
    @argument("--json", action="store_true", help="print the answer as JSON")
    @argument("--to", metavar="NAME", help="also bind the answer to this variable")
    @argument("-w", "--workspace", metavar="NAME", help="ask the workspace bound to this variable")
    def ask(self, line: str, cell: str | None = None) -> Any:
        """Rank the symbols that answer a question: ``%ask how are expired sessions handled?``.

        The question needs no quotes and may end in a question mark; with ``%%ask`` it may fill the cell.
        """
        options, text = parse_line(self.ask, line)
        question = "\n".join(part for part in (text, (cell or "").strip()) if part)
        if not question:
            raise UsageError("ask what? For example: %ask how are expired sessions handled?")
        chosen = {"top_k": options.top_k, "rrf_k": options.rrf_k, "per_file": options.per_file}
        chosen = {name: value for name, value in chosen.items() if value is not None}
        if options.lanes:
            chosen["lanes"] = tuple(lane.strip() for lane in options.lanes.split(",") if lane.strip())
        if options.path:
            chosen["filters"] = Filters(paths=tuple(options.path))
        answer = _told(self.state.workspace(options.workspace).search, question, **chosen)
        self.state.remember(answer, options.to)
        if options.json:
            print(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))  # noqa: T201 - printing is its purpose
            return None
        return answer

    @no_var_expand
    @line_magic
    @magic_arguments()
    @argument("-d", "--depth", type=int, default=1, metavar="N", help="calls away (default 1)")
    @argument("--to", metavar="NAME", help="also bind the answer to this variable")
    @argument("-w", "--workspace", metavar="NAME", help="ask the workspace bound to this variable")
    def callers(self, line: str) -> GraphAnswer:
        """Show what calls a symbol: ``%callers validate_session``, ``%callers path:line``, or a live object's name."""
        options, target = parse_line(self.callers, line)
        if not target:
            raise UsageError("callers of what? For example: %callers validate_session")
        workspace = self.state.workspace(options.workspace)
        answer: GraphAnswer = _told(workspace.callers, self._target(workspace, target), depth=options.depth)
        self.state.remember(answer, options.to)
        return answer

    def _target(self, workspace: Workspace, name: str) -> Any:
        """The name itself when the workspace knows it, else the live object it means, if any."""
        try:
            return workspace.symbol(name)
        except TargetError:
            live = self.state.live_object(name)
            return name if live is None else live

    def _open(self, where: str, name: str) -> Workspace:
        from codeexplore.workspace.opening import open_workspace

        if not name.isidentifier():
            raise UsageError(f"--as needs a variable's name, not {name!r}")
        workspace = open_workspace(where)
        self.state.current = workspace
        self.state.shell.push({name: workspace}, interactive=True)
        return workspace

    def _in_terminal(self) -> bool:
        return not hasattr(self.state.shell, "kernel")


def _told(call: Any, *arguments: Any, **options: Any) -> Any:
    """Call, with errors that were raised on purpose shown as one line instead of a traceback."""
    try:
        return call(*arguments, **options)
    except CodeExploreError as error:
        raise UsageError(str(error)) from error
