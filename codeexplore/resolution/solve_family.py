"""Analysis of one language family: from the facts of its files to the values of its names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeexplore.resolution.definitions import Definitions
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.language_rules import Rules
from codeexplore.resolution.loader import Loader
from codeexplore.resolution.program import Program
from codeexplore.types import FileFacts


class FamilyAnalysis:
    """Analysis of the files of one family, solved to its fixpoint.

    `manifests` maps paths to the texts of the manifests that name modules.
    """

    def __init__(self, files: Sequence[FileFacts], rules: Rules, manifests: Mapping[str, str] | None = None) -> None:
        self.program = Program(files, rules, manifests or {})
        definitions = Definitions(self.program)
        definitions.add_files()
        self.evaluator = Evaluator(self.program)
        self.loader = Loader(self.evaluator, definitions)
        self.loader.load()

    def close(self) -> None:
        """Drop the values. No lookup is possible afterwards."""
        self.evaluator.solver.clear()
        self.evaluator.forget()
