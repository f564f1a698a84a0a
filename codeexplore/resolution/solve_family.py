"""Resolution of one language family: all its files in, the values of their names out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeexplore.resolution.assignments import Loader
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.language_rules import Rules
from codeexplore.resolution.program import Program
from codeexplore.types import FileFacts


class FamilyAnalysis:
    """Analysis of one family of files, solved to its fixpoint.

    `manifests` are the texts of the files that name modules, by path.
    """

    def __init__(self, files: Sequence[FileFacts], rules: Rules, manifests: Mapping[str, str] | None = None) -> None:
        self.program = Program(files, rules, manifests or {})
        self.flow = Evaluator(self.program)
        self.loader = Loader(self.flow)
        self.loader.load()

    def close(self) -> None:
        """Drop the values; no lookup is possible afterwards."""
        self.flow.solver.clear()
        self.flow.forget()
