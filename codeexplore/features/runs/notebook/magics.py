"""%%trace: the calls of a cell, beside those of the call graph."""

from __future__ import annotations

import ast
import inspect
from types import CodeType
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import cell_magic, magics_class
from IPython.core.magic_arguments import argument
from IPython.display import display

from codeexplore.features.runs.recorder import caller_frame
from codeexplore.notebook.magics.base import WorkspaceMagics, answer_options, as_usage_error, option_magic, parse_line


@magics_class
class TraceMagics(WorkspaceMagics):
    """Magics about what ran."""

    @option_magic(cell_magic)
    @argument("--times", action="store_true", help="measure inclusive and own times")
    @argument("--edges", action="store_true", help="record which calls happen, not how often; takes less time")
    @argument("--attach", action="store_true", help="mark observed callers in later answers, as ws.runs.attach does")
    @answer_options
    def trace(self, line: str, cell: str) -> Any:
        """Run the cell and show the calls of the workspace's functions: ``%%trace``, ``%%trace --times checkout``.

        The cell runs as it would without ``%%trace``: its result and its exceptions are the same. The run is shown
        below them, and is in ``_answer`` or in the variable of ``--to``. A name in the line is the title of the run.
        """
        options, title = parse_line(self.trace, line)
        workspace = self.workspace_of(options)
        body, last = self._compiled(cell)
        chosen = {"times": options.times, "counts": not options.edges}
        block = as_usage_error(workspace.runs.trace, title or "cell", **chosen)
        run = as_usage_error(block.start, caller_frame(0))
        result, shell = None, self.state.shell
        try:
            exec(body, shell.user_ns)  # noqa: S102 - the user's cell, which they run
            if last is not None:
                result = eval(last, shell.user_ns)  # noqa: S307 - the last line of it
        except BaseException as error:
            block.stop(type(error).__name__)
            self._show(run, options)
            raise
        block.stop("")
        if result is not None:
            shell.displayhook(result)
        self._show(run, options)

    def _show(self, run: Any, options: Any) -> None:
        """Show a run that has ended. The cell's result or exception keeps its own place."""
        if options.attach:
            self.workspace_of(options).runs.attach(run)
        shown = self.answered(run, options)
        if shown is not None:
            display(shown)

    def _compiled(self, cell: str) -> tuple[CodeType, CodeType | None]:
        """Return the code of a cell, and that of its last line if it is an expression whose value a cell shows."""
        shell = self.state.shell
        text = shell.transform_cell(cell)
        name = shell.compile.cache(text, shell.execution_count, raw_code=cell)
        tree = shell.transform_ast(shell.compile.ast_parse(text, filename=name))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | shell.compile.flags
        codes = [compile(tree, name, "exec", flags)]
        if last is not None and not text.rstrip().endswith(";"):
            codes.append(compile(ast.Expression(last.value), name, "eval", flags))
        elif last is not None:
            codes[0] = compile(ast.Module([*tree.body, last], []), name, "exec", flags)
        if any(code.co_flags & inspect.CO_COROUTINE for code in codes):
            raise UsageError("%%trace runs no cell with await; use `with ws.runs.trace() as run:` in the cell instead")
        return codes[0], codes[1] if len(codes) > 1 else None
