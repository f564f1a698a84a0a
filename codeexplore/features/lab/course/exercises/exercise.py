"""One exercise of the lab: its right answer and the mistakes that are recognised, as functions of the material."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from codeexplore.features.lab.course.answer_kinds import AnswerKind, Plain, plain
from codeexplore.features.lab.course.material import Material

_MOST_HINTS = 2
"""Hints for one wrong answer that several mistakes give; more would hide which one fits."""


class Mistake(NamedTuple):
    """A wrong answer that is recognised, computed as the student computed it, and the line that helps."""

    value: Any
    hint: str


class Checked(NamedTuple):
    """The result of a check: right or not, and a line for the student."""

    right: bool
    message: str


@dataclass(frozen=True)
class Exercise:
    """An exercise.

    Parameters
    ----------
    id
        Number of the notebook and of the exercise: ``1.2``.
    title
        The task in a few words, for reports.
    kind
        The form of the answer.
    right
        Function that computes the right answer.
    mistakes
        Function that computes typical wrong answers with hints.
    hint
        Line for a wrong answer that is not recognised.
    """

    id: str
    title: str
    kind: AnswerKind
    right: Callable[[Material], Any]
    mistakes: Callable[[Material], list[Mistake]]
    hint: str

    def check(self, material: Material, value: Plain) -> Checked:
        """Compare a plain value with the right answer.

        A wrong value that a known mistake gives is answered with the hint of that mistake, and with two hints
        if several mistakes give it. No message contains the right answer.
        """
        if message := self.kind.misfit(value):
            return Checked(False, message)
        right = plain(self.right(material))
        if self.kind.equal(right, value):
            return Checked(True, self.kind.accepted)
        hints = []
        for mistake in self.mistakes(material):
            wrong = plain(mistake.value)
            if not self.kind.misfit(wrong) and not self.kind.equal(right, wrong) and self.kind.equal(wrong, value):
                hints.append(mistake.hint)
        if different := list(dict.fromkeys(hints))[:_MOST_HINTS]:
            return Checked(False, ("" if len(different) == 1 else "One of these: ") + " Or: ".join(different))
        difference = self.kind.difference(right, value)
        return Checked(False, " ".join(line for line in (difference, self.hint) if line))

    def confusable(self, material: Material) -> list[str]:
        """Return the hints of mistakes that give the right answer with this material, and so are not noticed."""
        right = plain(self.right(material))
        pairs = [(plain(mistake.value), mistake.hint) for mistake in self.mistakes(material)]
        return [hint for wrong, hint in pairs if not self.kind.misfit(wrong) and self.kind.equal(right, wrong)]
