"""%changes and %%changes: the symbols that differ, what they affect, and the tests to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import line_cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from codeexplore.notebook.arguments import parse_line
from codeexplore.notebook.magics.base import WorkspaceMagics, answer_options, as_usage_error


@magics_class
class ChangeMagics(WorkspaceMagics):
    """Magics about changes."""

    @no_var_expand
    @line_cell_magic
    @magic_arguments()
    @argument("--impact", action="store_true", help="show what the change may affect")
    @argument("--tests", action="store_true", help="show the tests to run")
    @argument("--safe", action="store_true", help="the tests of files that only import a changed file too")
    @argument("--no-untracked", action="store_true", help="leave out files that git does not track")
    @answer_options
    def changes(self, line: str, cell: str | None = None) -> Any:
        """Show the symbols that differ since a commit: ``%changes``, ``%changes main``, ``%changes main...feature``.

        Paste a patch below ``%%changes``. ``%changes --tests`` shows the tests to run for it.
        """
        options, text = parse_line(self.changes, line)
        base: str | Path = text or "HEAD"
        if cell is not None:
            if text:
                raise UsageError(f"%%changes takes a patch below it, and no reference: {text!r:.80}")
            base = cell if cell.endswith("\n") else cell + "\n"
        workspace = self.workspace_of(options)
        found = as_usage_error(workspace.changes, base, untracked=not options.no_untracked)
        if options.tests or options.safe:
            return self.answered(as_usage_error(found.tests, safe=options.safe), options)
        return self.answered(as_usage_error(found.impact) if options.impact else found, options)
