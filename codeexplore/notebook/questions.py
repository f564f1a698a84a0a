"""Lines that end in a question mark: IPython takes them for a call for help, and the question would never be asked."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Sequence

_MAGIC = re.compile(
    r"(?P<before>\s*(?:\w+\s*=\s*)?)%(?P<name>ask|grep)[ \t]+(?P<text>\S.*\?)[ \t]*\n?",
)
_BARE = re.compile(
    r"(?:how|what|where|which|who|whom|whose|why|when|does|do|is|are|can|should|will)[ \t]+"
    r"(?P<rest>[^\s?][^?\n]*)\?[ \t]*\n?",
    re.IGNORECASE,
)
_HELP = re.compile(r"run_line_magic\('pinfo2?', (?P<name>'[^'\\]*')\)")
_TRIPLE = re.compile(r"\"\"\"|'''")


def keep_questions(lines: Sequence[str]) -> list[str]:
    """Write ``%ask … ?`` lines, and questions in plain words, as the call they stand for.

    The body of a cell magic and triple-quoted strings stay as they are, and so do calls for help: ``is_open?``.
    """
    if lines and lines[0].startswith("%%"):
        return list(lines)
    kept, quoted = [], False
    for line in lines:
        call = None if quoted else _call(line)
        if call is None and len(_TRIPLE.findall(line)) % 2:
            quoted = not quoted
        kept.append(line if call is None else call)
    return kept


def taken_for_help(cell: str) -> dict[str, tuple[str, str]]:
    """Return the questions of a cell that IPython, without `keep_questions`, takes for calls for help.

    They are given by the name that help is asked for, each as a magic's name and its text.
    """
    from IPython.core.inputtransformer2 import TransformerManager

    found = {}
    for line in cell.splitlines():
        asked = _asked(line)
        help_for = _HELP.search(TransformerManager().transform_cell(line)) if asked is not None else None
        if asked is not None and help_for is not None:
            found[literal_eval(help_for["name"])] = asked
    return found


def _asked(line: str) -> tuple[str, str] | None:
    """The magic and the text that a line stands for; None when it is not a question."""
    if match := _MAGIC.fullmatch(line):
        return match["name"], match["text"]
    return ("ask", line.strip()) if _BARE.fullmatch(line) else None


def _call(line: str) -> str | None:
    """The call that a line stands for; None when it is no question."""
    if match := _MAGIC.fullmatch(line):
        return f"{match['before']}get_ipython().run_line_magic({match['name']!r}, {match['text']!r})\n"
    if _BARE.fullmatch(line):
        return f"get_ipython().run_line_magic('ask', {line.strip()!r})\n"
    return None


keep_questions.has_side_effects = False  # type: ignore[attr-defined]  # IPython may run it to see if a cell is whole
