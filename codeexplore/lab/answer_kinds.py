"""Kinds of answers: how a value is read, compared, and described when it is wrong.

A message never contains the right answer. `plain` turns a value of a notebook into plain data for JSON; every other
function works on plain data, so that a grade can be computed again from a saved answer.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import Any, Final

Plain = Any
"""None, bool, int, float, str, or a list or a dict of them with texts as keys."""

_RELATIVE: Final = 2e-3
"""Relative error of a number that counts as right: an answer with three significant digits is."""

_MOST_DIGITS: Final = 5
"""Digits after the point up to which a wrong number is compared with the rounded right one."""

_MOST_CHARS = 60


def plain(value: Any) -> Plain:
    """Return a value as plain data. Sets become sorted lists, NumPy's numbers and arrays those of Python.

    Raises
    ------
    TypeError
        The value is something else, such as a function, or contains three dots that are to be replaced.
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
        return sorted((plain(each) for each in value), key=str)
    if isinstance(value, (Sequence, KeysView, ValuesView)):
        return [plain(each) for each in value]
    raise TypeError(f"a value of the type {type(value).__name__} can't be an answer")


class AnswerKind(ABC):
    """The form of an answer."""

    name: str
    """The form in words, for messages: "a number"."""

    ordered = False
    """True if the order of the entries counts, so that a set can't be the answer."""

    unanswered = "Not answered yet: replace the three dots, and run the cell again."
    """Message for an answer that is still three dots."""

    @abstractmethod
    def misfit(self, value: Plain) -> str:
        """Return how a value differs from this form; "" if it does not."""

    @abstractmethod
    def equal(self, right: Plain, value: Plain) -> bool:
        """Return True if a value of this form is the right one."""

    @abstractmethod
    def difference(self, right: Plain, value: Plain) -> str:
        """Return a hint at the difference between a wrong value and the right one, without the right one; or ""."""

    @abstractmethod
    def slips(self, right: Plain) -> list[Plain]:
        """Return wrong values that come from slips possible with every answer of this form. Tests try them."""


class Number(AnswerKind):
    """A real number, compared with three significant digits."""

    name = "a number"

    def misfit(self, value: Plain) -> str:
        """Return a message for everything that is no finite number."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return f"The answer is {self.name}, not {_described(value)}."
        return "" if math.isfinite(value) else "The answer is a finite number: look for a division by zero."

    def equal(self, right: Plain, value: Plain) -> bool:
        """Compare with a relative tolerance."""
        return math.isclose(right, value, rel_tol=_RELATIVE, abs_tol=1e-9)

    def difference(self, right: Plain, value: Plain) -> str:
        """Recognise percent, a lost sign and early rounding; else say on which side the value is."""
        if right and math.isclose(value, 100 * right, rel_tol=_RELATIVE):
            return "That looks like percent: give the share itself, 0 to 1."
        if right and math.isclose(value, -right, rel_tol=_RELATIVE):
            return "The size is right, the sign is not: what is subtracted from what?"
        if any(value == round(right, digits) for digits in range(_MOST_DIGITS)) and value:
            return "That is rounded too early: give at least three digits that are not leading zeros."
        return f"It is too {'large' if value > right else 'small'}."

    def slips(self, right: Plain) -> list[Plain]:
        """Return a text, percent, another sign, and a value far off."""
        return [str(right), 100 * right or 100, -right or -1, abs(right) + 10, None, [right]]


class Count(Number):
    """A whole number. `decimals` is the line for a number that is not whole."""

    name = "a whole number"

    def __init__(
        self, decimals: str = "The answer is a whole number, and yours has decimals: is it a score, a share or a mean?"
    ) -> None:
        self.decimals = decimals

    def misfit(self, value: Plain) -> str:
        """Return a message for everything that is no whole number."""
        if message := super().misfit(value):
            return message
        return "" if float(value).is_integer() else self.decimals

    def equal(self, right: Plain, value: Plain) -> bool:
        """Compare exactly."""
        return bool(right == value)

    def difference(self, right: Plain, value: Plain) -> str:
        """Recognise a count that is one too large or too small."""
        if abs(right - value) == 1:
            return "One off: do you count something that does not belong, or leave something out?"
        return f"It is too {'large' if value > right else 'small'}."

    def slips(self, right: Plain) -> list[Plain]:
        """Return counts that are one off, a text, a fraction and a list."""
        return [right + 1, right - 1, str(right), right + 0.5, [right], right + 100]


@dataclass(frozen=True)
class NameSet(AnswerKind):
    """A set of names, in any order."""

    name: str = "a set of names"
    collection = "set"
    in_python = 'braces around the text: {"name"}'

    def misfit(self, value: Plain) -> str:
        """Return a message for everything that is no collection of texts."""
        if isinstance(value, str):
            return f"The answer is {self.name}, not one text. Write {self.in_python}."
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return f"The answer is {self.name}, not {_described(value)}."
        return ""

    def equal(self, right: Plain, value: Plain) -> bool:
        """Compare as sets."""
        return set(right) == set(value)

    def difference(self, right: Plain, value: Plain) -> str:
        """Count what is missing and what is too much."""
        missing, extra = len(set(right) - set(value)), len(set(value) - set(right))
        unknown = f"{extra} of yours do not belong to it" if extra > 1 else "1 of yours does not belong to it"
        parts = [f"{missing} missing" if missing else "", unknown if extra else ""]
        return f"Not the {self.collection}: {', '.join(part for part in parts if part)}."

    def slips(self, right: Plain) -> list[Plain]:
        """Return sets with one name less and more, nothing, a text and a number."""
        return [[*right, "something.else"], list(right)[1:] or ["none"], [], ", ".join(right) or "x", len(right), None]


class Names(NameSet):
    """A list of names whose order counts."""

    ordered = True
    collection = "list"
    in_python = 'a list: ["first", "second"]'

    def __init__(self, name: str = "a list of names") -> None:
        super().__init__(name)

    def equal(self, right: Plain, value: Plain) -> bool:
        """Compare with the order."""
        return list(right) == list(value)

    def difference(self, right: Plain, value: Plain) -> str:
        """Name the first place that differs if the members are right."""
        if list(reversed(right)) == list(value):
            return "The members are right, but in the reverse order."
        if Counter(right) == Counter(value):
            place = next(n for n, pair in enumerate(zip(right, value, strict=True), 1) if pair[0] != pair[1])
            return f"The members are right, the order is not, from place {place} on."
        if len(right) != len(value):
            return f"{super().difference(right, value)} Yours has {len(value)} entries."
        return super().difference(right, value)

    def slips(self, right: Plain) -> list[Plain]:
        """Return also the reversed list."""
        return [list(reversed(right)), *super().slips(right)]


class Judgements(AnswerKind):
    """Grades 0 to 3 for every name of a pool. `right` is the list of names; the grades are the student's own."""

    name = "a dict from each name of the pool to a grade"
    unanswered = (
        "No hit of this question has a grade yet: grade in the widget, then run this cell again. "
        "(In notebook 9 the cell says lab.graded(view.session, own).)"
    )

    def misfit(self, value: Plain) -> str:
        """Return a message for everything that is no mapping to whole numbers 0 to 3."""
        if not isinstance(value, dict):
            return f"The answer is {self.name}, not {_described(value)}."
        wrong = [grade for grade in value.values() if isinstance(grade, bool) or grade not in (0, 1, 2, 3)]
        return f"A grade is 0, 1, 2 or 3, not {_described(wrong[0])}." if wrong else ""

    def equal(self, right: Plain, value: Plain) -> bool:
        """Compare the names: which grades are given is up to the judge."""
        return set(value) == set(right)

    def difference(self, right: Plain, value: Plain) -> str:
        """Count what is not judged, and what is not in the pool, with an example of each."""
        parts = []
        if missing := sorted(set(right) - set(value)):
            parts.append(f"Hits of the pool without a grade: {len(missing)}, such as {missing[0]}.")
        if extra := sorted(set(value) - set(right)):
            parts.append(f"Graded names that are not in the pool: {len(extra)}, such as {extra[0]}.")
        return " ".join(parts)

    def slips(self, right: Plain) -> list[Plain]:
        """Return judgements that are incomplete, of other names, of other grades, and of another type."""
        complete = dict.fromkeys(right, 1)
        return [
            dict.fromkeys(list(right)[1:], 1), {**complete, "something.else": 0}, dict.fromkeys(right, 4),
            dict.fromkeys(right, "yes"), list(right), dict.fromkeys(right, True), {},
        ]  # fmt: skip


_NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)?")
_ROSE = re.compile(r"\b(?:better|higher|larger|rose|rais|improv|gain|increas)", re.IGNORECASE)
_FELL = re.compile(r"\b(?:worse|lower|smaller|fell|fall|decreas|los[est])", re.IGNORECASE)
_NEGATED = re.compile(r"\bnot?\b", re.IGNORECASE)
_TOO_STRONG = re.compile(r"\b(?:prove[sdn]?|proof|certain(?:ly)?|always|without doubt)\b", re.IGNORECASE)


class Conclusion(AnswerKind):
    """One sentence that reports an experiment. `right` has its numbers: ``n``, ``difference`` and ``p``."""

    name = "one sentence (text)"

    def misfit(self, value: Plain) -> str:
        """Return a message for everything that is no sentence."""
        if not isinstance(value, str):
            return f"The answer is {self.name}, not {_described(value)}."
        return "" if len(value.split()) >= 6 else "Write a whole sentence: a reader must understand it without you."

    def equal(self, right: Plain, value: Plain) -> bool:
        """Return True if the sentence contains the three numbers and claims no proof."""
        return not self.difference(right, value)

    def difference(self, right: Plain, value: Plain) -> str:
        """Return what a reader misses, or what is claimed too much."""
        given = [float(each.replace(",", ".").replace("−", "-")) for each in _NUMBER.findall(value)]
        if not any(each == right["n"] for each in given):
            return (
                "How many questions is it about? Write their number, in digits: without it nobody can judge the rest."
            )
        if not any(abs(abs(each) - abs(right["difference"])) < 1e-3 for each in given):
            return "How large is the difference, in the measure, with three decimals?"
        if not any(abs(each - right["p"]) < 2e-3 for each in given):
            return "Could it be chance? The sentence needs the p-value, with three decimals."
        if message := _other_direction(right["difference"], given, value):
            return message
        if _TOO_STRONG.search(value):
            return "A test on one collection proves nothing: say what was measured."
        if right["p"] >= 0.05 and re.search(r"\bsignificant(?:ly)?\b", value) and not re.search(r"\bnot?\b", value):
            return "With this p-value the difference is not significant."
        return ""

    def slips(self, right: Plain) -> list[Plain]:
        """Return sentences in which one of the numbers is missing, one that claims too much, and no sentence."""
        n, value, p = right["n"], f"{right['difference']:.3f}", f"{right['p']:.3f}"
        opposite = "better" if right["difference"] < 0 else "worse"
        return [
            f"On many questions the MRR changed by {value}, with p = {p}.",
            f"On {n} questions the MRR became a little different, with p = {p}.",
            f"On {n} questions the MRR changed by {value} and that is all.",
            f"This proves that the MRR over {n} questions changes by {value}, p = {p}.",
            f"On {n} questions the MRR was {value.strip('-')} {opposite} (p = {p}).",
            "It is better.", right["difference"], None,
        ]  # fmt: skip


def _other_direction(difference: float, given: list[float], sentence: str) -> str:
    """Return a message if a sentence says that a measure rose although it fell, or the other way round; else ""."""
    if any(each < 0 and abs(abs(each) - abs(difference)) < 1e-3 for each in given):
        return "" if difference < 0 else "The measure rose, and your number has a minus."
    if _NEGATED.search(sentence):
        return ""  # such as "not better"
    rose, fell = bool(_ROSE.search(sentence)), bool(_FELL.search(sentence))
    if difference < 0 and rose and not fell:
        return "The measure fell, and your sentence says that it rose."
    if difference > 0 and fell and not rose:
        return "The measure rose, and your sentence says that it fell."
    return ""


def _described(value: Plain) -> str:
    """Return a value in a few words for a message."""
    if value is None:
        return "nothing (None)"
    kinds = {
        bool: "True or False",
        str: "text",
        list: "a list or set",
        dict: "a dict",
        int: "a number",
        float: "a number",
    }
    kind, shown = kinds.get(type(value), type(value).__name__), repr(value)
    return f"{kind} such as {shown}" if len(shown) <= _MOST_CHARS else kind  # its length may be the answer
