"""%commits and %together: how often and when something changed, who knows it, and what changes with it."""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from codeexplore.notebook.arguments import parse_line
from codeexplore.notebook.magics.base import WorkspaceMagics, answer_options, as_usage_error


@magics_class
class HistoryMagics(WorkspaceMagics):
    """Magics about the commits of the repository."""

    @no_var_expand
    @line_magic
    @magic_arguments()
    @answer_options
    def commits(self, line: str) -> Any:
        """Show how often and when a file or symbol changed, and who knows it: ``%commits Session.get``.

        Without a target, show the files that changed most often. (``%history`` is IPython's own, for your input.)
        """
        options, text = parse_line(self.commits, line)
        workspace = self.workspace_of(options)
        target = self.target(workspace, text) if text else None
        return self.answered(as_usage_error(workspace.review.history, target), options)

    @no_var_expand
    @line_magic
    @magic_arguments()
    @argument("-k", "--top-k", type=int, default=20, metavar="N", help="items to show (default 20)")
    @answer_options
    def together(self, line: str) -> Any:
        """Show what changed in the same commits as a file or symbol: ``%together src/session.py``."""
        options, text = parse_line(self.together, line)
        if not text:
            raise UsageError("%together needs a symbol or the path of a file")
        workspace = self.workspace_of(options)
        target = self.target(workspace, text)
        return self.answered(as_usage_error(workspace.review.together, target, options.top_k), options)
