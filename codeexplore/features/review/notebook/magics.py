"""%changes and %compare: what differs and what it affects; %commits and %together: what the history tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import line_cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument

from codeexplore.notebook.magics.base import WorkspaceMagics, answer_options, as_usage_error, option_magic, parse_line
from codeexplore.notebook.state import live_object
from codeexplore.source.safe_io import is_given


@magics_class
class ReviewMagics(WorkspaceMagics):
    @option_magic(line_cell_magic)
    @argument("--impact", action="store_true", help="show what the change may affect")
    @argument("--history", action="store_true", help="with --impact: add what changed together in the past")
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
        found = as_usage_error(workspace.review.changes, base, untracked=not options.no_untracked)
        if options.tests or options.safe:
            return self.answered(as_usage_error(found.tests, safe=options.safe), options)
        wanted = options.impact or options.history
        return self.answered(as_usage_error(found.impact, history=options.history) if wanted else found, options)

    @option_magic(line_magic)
    @argument("--newer", action="store_true", help="it is the newer version, as for an upgrade")
    @argument("--uses-in", metavar="NAME", help="show what this workspace uses of what changed")
    @answer_options
    def compare(self, line: str) -> Any:
        """Compare two versions: ``%compare v1.0``, ``%compare flask-3.1.0.tar.gz --newer --uses-in ws``.

        The other version is a reference, a wheel, an sdist, a folder, or the variable of a workspace.
        """
        from codeexplore.workspace.workspace import Workspace

        options, text = parse_line(self.compare, line)
        if not text:
            raise UsageError("%compare needs a version: a reference, an archive, a folder or a workspace")
        other: Any = live_object(self.state.shell.user_ns, text)
        if not isinstance(other, Workspace):
            other = Path(text) if is_given(text) else text
        found = as_usage_error(self.workspace_of(options).review.compare, other, newer=options.newer)
        if options.uses_in:
            return self.answered(as_usage_error(found.uses_in, self.state.workspace(options.uses_in)), options)
        return self.answered(found, options)

    @option_magic(line_magic)
    @answer_options
    def commits(self, line: str) -> Any:
        """Show how often and when a file or symbol changed, and who knows it: ``%commits Session.get``.

        Without a target, show the files that changed most often. (``%history`` is IPython's own, for your input.)
        """
        options, text = parse_line(self.commits, line)
        workspace = self.workspace_of(options)
        target = self.target(workspace, text) if text else None
        return self.answered(as_usage_error(workspace.review.history, target), options)

    @option_magic(line_magic)
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
