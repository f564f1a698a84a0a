"""%survey: answers about the whole graph."""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import magic_arguments

from codeexplore.notebook.arguments import parse_line
from codeexplore.notebook.magics.base import WorkspaceMagics, answer_options, told

SURVEYS = ("hubs", "entry_points", "dead_code", "cycles", "modules", "communities")
"""The methods of `Workspace` that look at all of the graph and need nothing to start from."""


@magics_class
class SurveyMagics(WorkspaceMagics):
    """What looks at the whole graph."""

    @no_var_expand
    @line_magic
    @magic_arguments()
    @answer_options
    def survey(self, line: str) -> Any:
        """Look at the whole graph: ``%survey`` hubs, entry_points, dead_code, cycles, modules or communities.

        The methods of a workspace take options beside: ``ws.hubs(20)``.
        """
        options, text = parse_line(self.survey, line)
        name = text.strip().replace("-", "_")
        if name not in SURVEYS:
            wrong = f", not {text!r}" if text else ", for example %survey hubs"
            raise UsageError(f"%survey takes one of {', '.join(SURVEYS)}{wrong}")
        return self.answered(told(getattr(self.workspace_of(options), name)), options)
