"""One exercise: its right answer and the mistakes that are recognised, as functions of the material, and its kind.

A kind of answer says how a value is read, compared, and described when it is wrong. A message never contains the right
answer. `plain` turns a value of a notebook into plain data for JSON; every other function works on plain data, so that
a grade can be computed again from a saved answer.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from codeexplore.features.lab.course.material import Material

Plain = Any
"""None, bool, int, float, str, or a list or a dict of them with texts as keys."""
_RELATIVE: Final = 2e-3
"""Relative error of a number that counts as right."""
_SIGNIFICANT: Final = 3
"""Significant digits to which a right number may be rounded."""
_MOST_DIGITS: Final = 5
"""Digits after the point up to which a wrong number is compared with the rounded right one."""
_MOST_NUMBER: Final = 1e300
"""A whole number above it can't be compared with a float; no exercise has such an answer."""
_MOST_CHARS = 60
_SIGNIFICANT_P: Final = 0.05
"""p-value from which a sentence must not call a difference significant."""


def plain(value: Any, *, ordered: bool = False) -> Plain:
    """Return a value as plain data. Sets become sorted lists, NumPy's numbers and arrays those of Python.

    Raises TypeError if the value is something else, such as a function, or contains three dots that are to be replaced.
    """
    if value is ...:
        raise TypeError("three dots in it are not replaced yet")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "tolist"):  # NumPy's scalars and arrays, a column of pandas
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (set, frozenset)):
        if ordered:
            raise TypeError("a set has no order: write [ ]")
        return sorted((plain(each) for each in value), key=str)
    if isinstance(value, (Sequence, KeysView, ValuesView)):
        return [plain(each) for each in value]
    raise TypeError(f"a value of the type {type(value).__name__} can't be an answer")


class AnswerKind(ABC):
    name: str  # in words, for messages: "a number"
    accepted = "Right."  # message for an accepted answer
    ordered = False  # True if the order of the entries counts, so that a set can't be the answer
    unanswered = "Not answered yet: replace the three dots, and run the cell again."

    @abstractmethod
    def misfit(self, value: Plain) -> str:
        """Return how a value differs from this form; "" if it does not."""

    @abstractmethod
    def equal(self, right: Plain, value: Plain) -> bool:
        """Return True if a value of this form is the right one."""

    @abstractmethod
    def difference(self, right: Plain, value: Plain) -> str:
        """Return a hint at the difference between a wrong value and the right one, without the right one; or ""."""


@dataclass(frozen=True)
class Number(AnswerKind):
    """A real number, compared with three significant digits.

    The right number may be rounded to `decimals` digits after the point, although fewer of them are significant. None
    asks for significant digits only.
    """

    decimals: int | None = None
    name = "a number"

    def misfit(self, value: Plain) -> str:
        if isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d*[.,]?\d+\s*", value):
            return f"The answer is {self.name}, not text: write {value.strip().replace(',', '.')}, without the quotes."
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return f"The answer is {self.name}, not {_described(value)}."
        if -_MOST_NUMBER < value < _MOST_NUMBER:
            return ""
        return "The answer is a finite number, and much smaller: look for a division by zero, or a product for a sum."

    def equal(self, right: Plain, value: Plain) -> bool:
        """Compare with a relative tolerance; half a unit of the last digit asked for is accepted too."""
        last = math.floor(math.log10(abs(right))) + 1 - _SIGNIFICANT if right else 0
        rounded = 0.5 * 10.0**last if right else 0.0
        if self.decimals is not None:
            rounded = max(rounded, 0.5 * 10.0**-self.decimals)
        return math.isclose(right, value, rel_tol=_RELATIVE, abs_tol=rounded + 1e-9)

    def difference(self, right: Plain, value: Plain) -> str:
        if right and math.isclose(value, 100 * right, rel_tol=_RELATIVE):
            return "That looks like percent: give the share itself, 0 to 1."
        if right and self.equal(-right, value):
            return "The size is right, the sign is not: what is subtracted from what?"
        if any(value == round(right, digits) for digits in range(_MOST_DIGITS)) and value:
            least = "three digits that are not leading zeros" if self.decimals is None else "three decimals"
            return f"That is rounded too early: give at least {least}."
        return f"It is too {'large' if value > right else 'small'}."


@dataclass(frozen=True)
class Count(Number):
    """A whole number. `fraction` is the line for a number that is not whole."""

    fraction: str = "The answer is a whole number, and yours has decimals: is it a score, a share or a mean?"
    name = "a whole number"

    def misfit(self, value: Plain) -> str:
        if message := super().misfit(value):
            return message
        return "" if float(value).is_integer() else self.fraction

    def equal(self, right: Plain, value: Plain) -> bool:
        return bool(right == value)

    def difference(self, right: Plain, value: Plain) -> str:
        if abs(right - value) == 1:
            return "One off: do you count something that does not belong, or leave something out?"
        return f"It is too {'large' if value > right else 'small'}."


@dataclass(frozen=True)
class NameSet(AnswerKind):
    name: str = "a set of names"
    collection = "set"
    in_python = 'braces around the text: {"name"}'

    def misfit(self, value: Plain) -> str:
        if isinstance(value, str):
            return f"The answer is {self.name}, not one text. Write {self.in_python}."
        if not isinstance(value, list):
            return f"The answer is {self.name}, not {_described(value)}."
        other = [each for each in value if not isinstance(each, str)]
        return f"The answer is {self.name}, each a text in quotes, not {_described(other[0])}." if other else ""

    def equal(self, right: Plain, value: Plain) -> bool:
        return set(right) == set(value)

    def difference(self, right: Plain, value: Plain) -> str:
        missing, extra = len(set(right) - set(value)), len(set(value) - set(right))
        unknown = f"{extra} of yours do not belong to it" if extra > 1 else "1 of yours does not belong to it"
        parts = [f"{missing} missing" if missing else "", unknown if extra else ""]
        return f"Not the {self.collection}: {', '.join(part for part in parts if part)}."


@dataclass(frozen=True)
class Names(NameSet):
    """A list of names whose order counts."""

    name: str = "a list of names"
    ordered = True
    collection = "list"
    in_python = 'a list: ["first", "second"]'

    def equal(self, right: Plain, value: Plain) -> bool:
        return list(right) == list(value)

    def difference(self, right: Plain, value: Plain) -> str:
        if list(reversed(right)) == list(value):
            return "The members are right, but in the reverse order."
        if Counter(right) == Counter(value):
            place = next(n for n, pair in enumerate(zip(right, value, strict=True), 1) if pair[0] != pair[1])
            return f"The members are right, the order is not, from place {place} on."
        if len(right) != len(value):
            return f"{super().difference(right, value)} Yours has {len(value)} entries."
        return super().difference(right, value)


class Judgements(AnswerKind):
    """Grades 0 to 3 for every name of a pool. `right` is the list of names; the grades are the student's own."""

    name = "a dict from each name of the pool to a grade"
    accepted = "Complete: every hit of the pool has a grade."
    unanswered = (
        "No hit of this question has a grade yet: grade in the widget, then run this cell again. "
        "(In notebook 9 the cell says lab.graded(view.session, own).)"
    )

    def misfit(self, value: Plain) -> str:
        if not isinstance(value, dict):
            return f"The answer is {self.name}, not {_described(value)}."
        wrong = [grade for grade in value.values() if isinstance(grade, bool) or grade not in (0, 1, 2, 3)]
        return f"A grade is 0, 1, 2 or 3, not {_described(wrong[0])}." if wrong else ""

    def equal(self, right: Plain, value: Plain) -> bool:
        """Compare the names: which grades are given is up to the judge."""
        return set(value) == set(right)

    def difference(self, right: Plain, value: Plain) -> str:
        parts = []
        if missing := sorted(set(right) - set(value)):
            parts.append(f"Hits of the pool without a grade: {len(missing)}, such as {missing[0]}.")
        if extra := sorted(set(value) - set(right)):
            parts.append(f"Graded names that are not in the pool: {len(extra)}, such as {extra[0]}.")
        return " ".join(parts)


_NUMBER = re.compile(r"(?<![\w.,@])[-−–+]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
"""A number in a sentence: ``16``, ``-0.019``, ``.25``, ``0,25``; not the 10 of ``MRR@10``."""
_CLAUSE = re.compile(r"[;:()]|[.,](?!\d)|(?<!\w)[-–—](?!\S)")
_NEGATED = re.compile(r"(?i)\b(?:not?|nor|never|neither|nothing|none|cannot|without|hardly|too|far from)\b|n['’]t\b")
_HEDGED = re.compile(
    r"(?i)\b(?:may|might|could|can|would|perhaps|possibly|seems?|appears?|whether|if|chance|unclear|"
    r"unknown|open|uncertain)\b"
)
_TOO_STRONG = re.compile(r"(?i)\b(?:prove[sdn]?|proof|certain(?:ly)?|definitely|always|without (?:any )?doubt)\b")


class Conclusion(AnswerKind):
    """One sentence that reports an experiment. `right` has its numbers: ``n``, ``difference`` and ``p``.

    The numbers are looked for. Of the wording only what is clear is refused: a proof, and without a small p a
    significant difference, and a difference with the wrong sign. Everything else is for a reader, as `accepted` says.
    """

    name = "one sentence (text)"
    accepted = (
        "Found the difference, p and the number of questions, and no claim that is plainly too strong. "
        "A program can't read the rest, such as the direction in words: ask your neighbour or teacher."
    )

    def misfit(self, value: Plain) -> str:
        if not isinstance(value, str):
            return f"The answer is {self.name}, not {_described(value)}."
        return "" if len(value.split()) >= 6 else "Write a whole sentence: a reader must understand it without you."

    def equal(self, right: Plain, value: Plain) -> bool:
        return not self.difference(right, value)

    def difference(self, right: Plain, value: Plain) -> str:
        written = [re.sub("[−–]", "-", each.replace(",", ".")) for each in _NUMBER.findall(value)]
        given = list(map(float, written))
        if not any(each == right["n"] for each in given):
            return (
                "How many questions is it about? Write their number, in digits: without it nobody can judge the rest."
            )
        size = abs(right["difference"])
        signs = {text[0] for text, each in zip(written, given, strict=True) if abs(abs(each) - size) < 1e-3}
        if not signs:
            return "How large is the difference, in the measure, with three decimals?"
        if signs == {"-" if right["difference"] > 0 else "+"} and size > 1e-3:
            return "The size of the difference is right, its sign is not: with your weight minus with weight 1."
        if not any(abs(each - right["p"]) < 2e-3 for each in given):
            return "Could it be chance? The sentence needs the p-value, with three decimals."
        return _too_strong(right, value)


def _too_strong(right: Plain, sentence: str) -> str:
    """Return a message if a sentence clearly claims more than its p-value allows; else ""."""
    for clause in _CLAUSE.split(sentence):
        strong = _TOO_STRONG.search(clause)
        if strong and not _NEGATED.search(clause[: strong.start()]):
            return "A test on one collection proves nothing: say what was measured."
    claims = re.search(r"(?i)\bsignificant(?:ly)?\b", sentence)
    if claims and right["p"] >= _SIGNIFICANT_P and not _NEGATED.search(sentence) and not _HEDGED.search(sentence):
        return "With this p-value the difference is not significant."
    return ""


def _described(value: Plain) -> str:
    """Return a value in a few words for a message."""
    if value is None:
        return "nothing (None)"
    number = dict.fromkeys((int, float), "a number")
    kinds = {bool: "True or False", str: "text", list: "a list or set", dict: "a dict", **number}
    kind, shown = kinds.get(type(value), type(value).__name__), repr(value)
    return f"{kind} such as {shown}" if len(shown) <= _MOST_CHARS else kind  # its length may be the answer


_MOST_HINTS = 2
"""Hints for one wrong answer that several mistakes give; more would hide which one fits."""
OTHER: Final = None
Mistakes: TypeAlias = Iterator[tuple[Any, str]]
"""Wrong answers, computed as a student computes them, each with the line that helps; the last one is `OTHER`."""


class Checked(NamedTuple):
    """The result of a check: right or not, and a line for the student."""

    right: bool
    message: str


@dataclass(frozen=True)
class Exercise:
    """An exercise. Its right answer and the typical mistakes are computed from the material."""

    id: str  # number of the notebook and of the exercise: 1.2
    title: str  # the task in a few words, for reports
    kind: AnswerKind
    right: Callable[[Material], Any]
    mistakes: Callable[[Material], Mistakes]

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
        *known, (_, other) = self._recognised(material)
        hints = [hint for wrong, hint in known if not self.kind.equal(right, wrong) and self.kind.equal(wrong, value)]
        if different := list(dict.fromkeys(hints))[:_MOST_HINTS]:
            return Checked(False, ("" if len(different) == 1 else "One of these: ") + " Or: ".join(different))
        return Checked(False, f"{self.kind.difference(right, value)} {other}".strip())

    def confusable(self, material: Material) -> list[str]:
        """Return the hints of mistakes that give the right answer with this material, and so are not noticed."""
        right = plain(self.right(material))
        return [hint for wrong, hint in self._recognised(material)[:-1] if self.kind.equal(right, wrong)]

    def _recognised(self, material: Material) -> list[tuple[Plain, str]]:
        """Return the mistakes as plain values, without those that are no value of this kind; the last is for others."""
        *known, other = [(plain(wrong), hint) for wrong, hint in self.mistakes(material)]
        return [*(each for each in known if not self.kind.misfit(each[0])), other]
