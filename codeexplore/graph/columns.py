"""What the tables of edges and references are made of: columns, and texts kept once and named by number."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeAlias

Columns: TypeAlias = "dict[str, array[int] | array[float] | list[str]]"
"""A table's columns by name, to be stored."""


class Words:
    """Texts by number."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self.texts: list[str] = list(texts)
        self._number: dict[str, int] = {}  # made when it is first asked for: what is stored is mostly only read

    def number(self, text: str) -> int:
        """The number of a text, given out when it is first seen."""
        number = self._number.get(text, -1)
        if number < 0:
            number = self.known(text)
        if number < 0:
            number = self._number[text] = len(self.texts)
            self.texts.append(text)
        return number

    def known(self, text: str) -> int:
        """The number of a text, -1 when no row holds it."""
        if not self._number:
            self._number = {text: number for number, text in enumerate(self.texts)}
        return self._number.get(text, -1)
