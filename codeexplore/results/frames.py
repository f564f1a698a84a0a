"""Rows to pandas and to Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from codeexplore.results.text.clip import one_line

if TYPE_CHECKING:
    import pandas as pd


def frame(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Rows as a data frame with these columns in this order, also when there are no rows.

    Raises
    ------
    ImportError
        pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install pandas") from error
    return pd.DataFrame(list(rows), columns=list(columns))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A GitHub-flavoured Markdown table. Cells are Markdown: pass repository text through `code_span` first."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def code_span(text: str) -> str:
    """Repository text as a Markdown code span that it can't end, nor the table cell around it."""
    text = one_line(text).replace("|", "\\|")
    ticks = "`"
    while ticks in text:
        ticks += "`"
    padding = " " if "`" in text else ""
    return f"{ticks}{padding}{text}{padding}{ticks}"


def code_block(text: str, language: str) -> str:
    """Source as a fenced Markdown block with a fence longer than any run of backticks in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
