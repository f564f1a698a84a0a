"""Lists of rows below headings that fit a token budget. All answers of the tools except packs have this form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codeexplore.answers.wording import cut, one_line
from codeexplore.features.context.packs.document import FORMS, Page, Row, Section
from codeexplore.features.context.packs.pack import Budget

ROW_CHARS: Final = 300


def listed(
    title: str, sections: Sequence[Section], notes: Sequence[str], budget: Budget, more: str = "raise tokens"
) -> str:
    """Return a document with as many rows as fit the budget, in the order of the sections.

    If rows are left out, a note gives their number and the text `more`, which says how to get them.
    """
    total = sum(len(section.rows) for section in sections)
    low, high = 0, total
    while low < high:
        middle = (low + high + 1) // 2
        fits = budget.counter.count(_written(title, sections, notes, budget, middle, total, more)) <= budget.tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return _written(title, sections, notes, budget, low, total, more)


def _written(
    title: str, sections: Sequence[Section], notes: Sequence[str], budget: Budget, count: int, total: int, more: str
) -> str:
    shown, left = [], count
    for section in sections:
        rows = section.rows[:left]
        left -= len(rows)
        if rows:
            shown.append(section._replace(rows=rows))
    said = [f"{total - count:,} of {total:,} rows left out; {more}"] if count < total else []
    page = Page(
        cut(one_line(title), ROW_CHARS), "", tuple(shown), (*said, *(cut(one_line(n), ROW_CHARS) for n in notes))
    )
    return FORMS[budget.form].written(page)


def rows(texts: Sequence[str]) -> tuple[Row, ...]:
    """Return one row for each text, on one line, cut if it is long. The rows have no line number."""
    return tuple(Row(0, cut(one_line(text), ROW_CHARS)) for text in texts)
