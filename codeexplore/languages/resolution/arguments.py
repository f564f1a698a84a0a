"""Arguments of calls, as nodes."""

from __future__ import annotations

from typing import NamedTuple


class Argument(NamedTuple):
    """One argument of a call: its position, its name, ``*`` or ``**``; its node; its text when it is a literal one."""

    key: int | str
    node: int
    text: str = ""
    file: int = -1  # where the literal stands


Arguments = tuple[Argument, ...]
