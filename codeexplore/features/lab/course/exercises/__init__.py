"""All exercises of the lab, in order.

Change it to add an exercise.
"""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from codeexplore.features.lab.course.exercises.exercise import Exercise
from codeexplore.features.lab.course.exercises.fusions import EXPERIMENTS, FUSIONS
from codeexplore.features.lab.course.exercises.judgements import JUDGING, MEASURES
from codeexplore.features.lab.course.exercises.vectors_and_graph import GRAPH_EXERCISES, VECTORS_EXERCISES
from codeexplore.features.lab.course.exercises.words import IDENTIFIERS, WORDS
from codeexplore.features.lab.course.material import Material

OWN: Final = MappingProxyType(
    {"9.1": "5.1", "9.2": "6.1", "9.3": "6.2", "9.4": "7.3", "9.5": "8.2", "9.6": "8.3", "9.7": "8.4", "9.8": "8.5"}
)
"""Exercise of the last notebook → the exercise that it repeats on the student's own repository."""

_TABLES: Final = (WORDS, IDENTIFIERS, VECTORS_EXERCISES, GRAPH_EXERCISES, FUSIONS, JUDGING, MEASURES, EXPERIMENTS)
_BY_ID: Final = {exercise.id: exercise for table in _TABLES for exercise in table}


def _about_own(number: str, given: Exercise) -> Exercise:
    """Return an exercise of the last notebook: its hints say ``own.hit``, not ``lab.hit``."""

    def renamed(hint: str) -> str:
        return re.sub(r"\blab\.(?!weights|graded)", "own.", hint)

    return replace(given, id=number, mistakes=lambda m: ((value, renamed(hint)) for value, hint in given.mistakes(m)))


EXERCISES: Final = MappingProxyType(
    _BY_ID | {number: _about_own(number, _BY_ID[repeated]) for number, repeated in OWN.items()}
)
"""Every exercise by its number, in order."""

_DECIDED: Final = MappingProxyType({"fused": tuple(each.id for each in FUSIONS), "measured": ("7.1", "7.2", "7.4")})
"""Use of a question → the exercises whose numbers it decides."""


def coincidences(material: Material, use: str) -> int:
    """Return how many typical mistakes give the right answer, in the exercises that one question decides."""
    return sum(len(EXERCISES[number].confusable(material)) for number in _DECIDED[use])
