"""Phrases that every display uses: for edges, places and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from codeexplore.answers.clip import one_line
from codeexplore.graph.traversal import MAX_POSSIBLE
from codeexplore.index.qualified_names import name_parts

if TYPE_CHECKING:
    from codeexplore.types import Edge, Site, Symbol, Unresolved


def edge_words(edge: Edge, near: str = "") -> str:
    """Return an edge in words: ``CALLS by import (1.00) at app.py:12, 40``.

    The parts are its kind, its rule, its confidence and its places. The path `near` is left out: ``at line 12, 40``.
    """
    where = f" at {one_line(places(edge.sites, near))}" if edge.sites else ""
    return f"{edge.kind} by {edge.rule} ({edge.confidence:.2f}){where}"


def unresolved_words(references: Sequence[Unresolved]) -> str:
    """Return ``3 calls of `save` on receivers of unknown type may mean it too``.

    A shortened list gives "at least 3".
    """
    least = "at least " if len(references) >= MAX_POSSIBLE else ""
    names = ", ".join(f"`{one_line(name)}`" for name in sorted({each.name for each in references})[:5])
    return f"{least}{plural(len(references), 'call')} of {names} on receivers of unknown type may mean it too"


def whereabouts(symbol: Symbol) -> str:
    """Return ``app.py:12``, or a note that the symbol is outside the repository."""
    return f"{symbol.path}:{symbol.line}" if symbol.path else "outside"


def places(sites: Sequence[Site], near: str = "", limit: int = 4) -> str:
    """Return ``app.py:12, 40; cli.py:7``: each file and line once, in order, at most `limit` lines.

    The path `near` is left out.
    """
    distinct = sorted(set(sites))
    lines: dict[str, list[str]] = {}
    for site in distinct[:limit]:
        lines.setdefault(site.path, []).append(str(site.line))
    more = f" and {len(distinct) - limit} more" if len(distinct) > limit else ""
    return "; ".join(_lines(path, numbers, near) for path, numbers in lines.items()) + more


def _lines(path: str, numbers: Sequence[str], near: str) -> str:
    return f"{'line ' if path == near else path + ':'}{', '.join(numbers)}"


def counts(numbers: Mapping[str, int]) -> str:
    """Return ``function 120, class 14``. Zeros are left out."""
    return ", ".join(f"{one_line(name)} {count:,}" for name, count in numbers.items() if count)


def plural(count: int, noun: str) -> str:
    """Return ``1 file``, ``1,204 files``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def member_name(symbol: Symbol) -> str:
    """Return the end of a symbol's qualified name that displays emphasise.

    For a member it includes the name of its owner.
    """
    owner = name_parts(symbol.fqn)[-2:-1] if symbol.kind in ("method", "field") else ()
    if owner:
        joint = symbol.fqn.rfind(owner[0], 0, len(symbol.fqn) - len(symbol.name))  # `Is.IsOn`: not within the last part
        if joint >= 0:
            return symbol.fqn[joint:]
    return symbol.name
