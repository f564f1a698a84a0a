"""%tour: an order in which to read the repository."""

from __future__ import annotations

from typing import Any

from IPython.core.magic import line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from codeexplore.notebook.arguments import parse_line
from codeexplore.notebook.magics.base import WorkspaceMagics, answer_options, as_usage_error


@magics_class
class TourMagics(WorkspaceMagics):
    """The magic that shows a tour."""

    @no_var_expand
    @line_magic
    @magic_arguments()
    @argument("-n", "--steps", type=int, default=15, metavar="N", help="maximal number of steps (default 15)")
    @answer_options
    def tour(self, line: str) -> Any:
        """Show where to start reading: ``%tour``, or ``%tour how does routing work?`` for a question.

        The widget shows one step at a time; in its number box the arrow keys go from step to step. A terminal, which
        has no widgets, lists all steps.
        """
        options, question = parse_line(self.tour, line)
        tour = as_usage_error(self.workspace_of(options).context.tour, question, options.steps)
        answer = self.answered(tour, options)
        if answer is None or self.state.in_terminal:
            return answer
        from codeexplore.features.context.notebook.tour_view import TourView

        return TourView(answer)
