"""%evaluate: measures the answers to questions whose right answers are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import line_magic, magics_class
from IPython.core.magic_arguments import argument

from codeexplore.notebook.magics.base import (
    WorkspaceMagics,
    as_usage_error,
    json_option,
    option_magic,
    parse_line,
    to_option,
    workspace_option,
)

if TYPE_CHECKING:
    from codeexplore.workspace.workspace import Workspace


@magics_class
class EvaluateMagics(WorkspaceMagics):
    @option_magic(line_magic)
    @argument(
        "-k", "--top-k", type=int, default=10, metavar="K", help="the k of recall@k and similar measures (default 10)"
    )
    @argument(
        "-s", "--setting", default="default", metavar="WORDS", help="setting to measure, such as bm25+graph;signals=off"
    )
    @argument("--against", metavar="WORDS", help="compare with this setting: wins, losses, probability of chance")
    @argument("--subsets", action="store_true", help="measure every subset of lanes, as a table")
    @argument(
        "--ablate", action="store_true", help="measure the default without each re-ranking signal in turn, as a table"
    )
    @json_option
    @to_option
    @workspace_option
    def evaluate(self, line: str) -> Any:
        """Ask questions whose answers are known: ``%evaluate``, or ``%evaluate questions.json``.

        Without a file, the questions in the fixture file beside the repository (``NAME.eval.json``) are asked.
        """
        options, path = parse_line(self.evaluate, line)
        if sum((bool(options.against), options.subsets, options.ablate)) > 1:
            raise UsageError("choose one of --against, --subsets and --ablate")
        return self.answered(as_usage_error(_measured, self.workspace_of(options), path, options), options)


def _measured(workspace: Workspace, path: str, options: Any) -> Any:
    from codeexplore.features.lab.evaluation import find_fixtures, load_fixtures
    from codeexplore.features.lab.evaluation.run import measured

    asked = [words for words in (options.against, options.setting) if words]
    chosen = {"subsets": options.subsets, "ablate": options.ablate, "cutoff": options.top_k}
    return measured(workspace, load_fixtures(path or find_fixtures(workspace.root)), asked, **chosen)[0]
