"""Parts of the evaluator, and what all of them share.

A part is given the other parts that it uses, which are made before it.
"""

from __future__ import annotations

from typing import NamedTuple

from codeexplore.resolution.access_paths import PathNode, Steps
from codeexplore.resolution.class_hierarchy import Hierarchy
from codeexplore.resolution.containers import Containers
from codeexplore.resolution.program import KnownNodes, Program


class Shared(NamedTuple):
    """The objects that every part may use; `Evaluator` makes them."""

    program: Program
    hierarchy: Hierarchy
    known: KnownNodes
    containers: Containers
    steps: Steps
    path: PathNode


class EvaluatorPart:
    """A part of the evaluator, or of the analysis around it."""

    def __init__(self, shared: Shared) -> None:
        self.program, self.hierarchy, self.known, self.containers, self.steps, self.path = shared
        self.rules, self.solver, self.entities = self.program.rules, self.program.solver, self.program.entities
