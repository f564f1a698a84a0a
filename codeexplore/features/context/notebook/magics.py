"""%pack: context for a language model, and %tour: an order in which to read."""

from __future__ import annotations

from typing import Any

from IPython.core.magic import line_cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument

from codeexplore.features.context.packs.document import FORMS
from codeexplore.notebook.magics.base import WorkspaceMagics, answer_options, as_usage_error, option_magic, parse_line
from codeexplore.notebook.magics.search import filter_options, filters_of


@magics_class
class ContextMagics(WorkspaceMagics):
    @option_magic(line_cell_magic)
    @argument("-t", "--tokens", type=int, default=4_000, metavar="N", help="the budget (default 4000)")
    @argument("--form", choices=tuple(FORMS), default="markdown", help="form of the text (default markdown)")
    @argument("--counter", metavar="NAME", help="an encoding of tiktoken instead of cl100k_base")
    @filter_options
    @answer_options
    def pack(self, line: str, cell: str | None = None) -> Any:
        """Write context for a language model: ``%pack how are expired sessions handled?``, or a map without a question.

        ``%pack 2`` packs the symbol of hit 2 of the last answer, and ``%%pack`` takes a bug report from the cell. The
        display has a button that copies the text; ``print(_)`` prints it.
        """
        options, text = parse_line(self.pack, line)
        question = "\n".join(part for part in (text, (cell or "").strip("\n")) if part.strip())
        what = self.hit(int(question)) if question.isdecimal() else question or None
        chosen = {key: getattr(options, key) for key in ("counter", "form", "tests")}
        chosen["filters"] = filters_of(options)
        pack = as_usage_error(self.workspace_of(options).context.pack, what, options.tokens, **chosen)
        return self.answered(pack, options)

    @option_magic(line_magic)
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
        from codeexplore.features.context.notebook.panels import TourView

        return TourView(answer)
