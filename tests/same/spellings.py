"""Spellings that are no difference: names of calls and commands before and after, digests of the code, ids of elements.

They are applied when two rows differ, so a new one needs no new collection.
"""

from __future__ import annotations

import re

_METHODS = (
    *(
        "changes",
        "compare",
        "history",
        "together",
        "impact",
        "trace",
        "trace_tests",
        "attach",
        "detach",
        "open",
        "open_run",
    ),
    *("pack", "map", "tour", "outdated", "as_tools", "judge", "fusion_lab", "evaluate"),
)
# (expression, what takes its place), for texts of both versions
SPELLINGS = tuple(
    (re.compile(expression), new)
    for expression, new in (
        (rf"\.(?:review|runs|context|lab)\.((?:{'|'.join(sorted(_METHODS))})\b)", r".\1"),
        (r"\.open\((?=[^)]*\.(?:trace|run))", ".open_run("),
        (r"\.map\(\)", ".pack()"),
        (r"\bcodeexplore survey (?=cycles|entry|dead|hubs|modules|communities)", "codeexplore "),
        (r"\bcodeexplore types (?=implementors|subclasses|overrides)", "codeexplore "),
        (r"\bcodeexplore status --doctor\b", "codeexplore doctor"),
        (r',\n\s*"estimate": ""', ""),  # estimates are gone
        (r'\n\s*"hidden": \[\],|,\n\s*"hidden": \[\](?=\n)', ""),  # what changed together is an addition of the review
        # the collector stops the clock, so only what is left
        (r"[\w ]+(?=; nothing changed since)", "<age>"),
        (r"\bcode [0-9a-f]{16}\b", "code <digest>"),
        (r"plain Python; compiled, loads are faster[^<|]*?C compiler\)", "<form>"),  # names the distribution
        (r'"code": "[0-9a-f]{16}"', '"code": "<digest>"'),
        (r" at 0x[0-9a-f]+", ""),
        (r"\b(ce-[a-z]+)-[0-9a-f]{8}\b", r"\1-<id>"),
        (r"\b\d+(?:\.\d+)? (?:[kKMG]i?B)\b", "<size>"),
        (r"\s+(?=<(?:folder|cache)>)", " "),  # a line is broken before a long folder, and not before a short one
    )
)


def spelled(text: str) -> str:
    """Return a text with the names of the base commit, and without times and sizes."""
    for expression, new in SPELLINGS:
        text = expression.sub(new, text)
    return text
