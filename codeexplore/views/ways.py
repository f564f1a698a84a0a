"""The edges by which each symbol of a walk was reached: looked at once for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from codeexplore.types import Edge, Reached

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog


class Ways:
    """What joins the symbols that a walk reached.

    Parameters
    ----------
    edges
        The resolved edges among them.
    reached
        All of them, the seeds too.
    catalog
        Their records.
    """

    def __init__(self, edges: Iterable[Edge], reached: Iterable[Reached], catalog: Catalog) -> None:
        self._catalog = catalog
        self._depths: dict[str | None, int] = {each.symbol_id: each.depth for each in reached}
        self._touching: dict[str, list[Edge]] = defaultdict(list)
        for edge in edges:
            if edge.source != edge.target:
                self._touching[edge.source].append(edge)
                self._touching[edge.target].append(edge)

    def to_seeds(self, reached: Reached) -> tuple[Edge, ...]:
        """The edges by which a symbol was reached, the strongest first.

        Those that join it with `via` or the constructor that stands for it, else those that join it with a member of
        what is nearer to the seeds. A USES edge that another one explains (a call uses the name of what it calls) is
        left out.
        """
        own, via = reached.symbol_id, reached.via
        touching = self._touching.get(own, ())
        joining = [edge for edge in touching if via in (edge.source, edge.target) or self._makes(edge, via)]
        if not joining:
            joining = [e for e in touching if self._depth(e.target if e.source == own else e.source) < reached.depth]
        called = {site for edge in joining if edge.kind != "USES" for site in edge.sites}
        telling = [edge for edge in joining if edge.kind != "USES" or not called.issuperset(edge.sites)]
        return tuple(sorted(telling, key=lambda edge: -edge.confidence))

    def _makes(self, edge: Edge, owner: str | None) -> bool:
        """Whether an edge makes an instance of a type by calling its constructor."""
        return owner is not None and edge.manner == "new" and self._catalog.symbol(edge.target).parent == owner

    def _depth(self, symbol_id: str) -> int:
        """Distance from the seeds; a member that was not itself reached stands as near as its nearest owner."""
        current: str | None = symbol_id
        while current is not None and current not in self._depths:
            current = self._catalog.symbol(current).parent
        return 0 if current is None else self._depths[current]
