"""The changed symbols of a library that other code uses, found by the names that the code imports."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from codeexplore.features.review.records import Comparison, SymbolChange
from codeexplore.graph.external import with_externals
from codeexplore.graph.model import CodeGraph
from codeexplore.types import Edge, Symbol


class AffectedUse(NamedTuple):
    """A change of a library, and the places of other code that use what changed."""

    change: SymbolChange
    names: tuple[str, ...]  # as the code spells them: "flask.Flask.run"
    users: tuple[Symbol, ...]  # symbols of the code that use these names, by file and line
    edges: tuple[Edge, ...]  # from the users to the names, with their sites


def affected_uses(comparison: Comparison, graph: CodeGraph) -> tuple[AffectedUse, ...]:
    """Return the changes of code that another repository uses, breaking ones first, then by file and line.

    Parameters
    ----------
    comparison
        Both versions of the library.
    graph
        Graph of the other repository. Its outside names are looked up in the older version.
    """
    changes = {
        each.old.id: each
        for each in comparison.symbols
        if each.old is not None and each.is_code and not still_found(comparison, each)
    }
    sought = {change.old.name for change in changes.values() if change.old is not None}
    extended = with_externals(graph)
    names: dict[str, dict[str, None]] = defaultdict(dict)
    edges: dict[str, list[Edge]] = defaultdict(list)
    for name in graph.externals.names():
        plain = plain_name(name)
        if plain.rpartition(".")[2] not in sought:
            continue
        for symbol in comparison.old.catalog.meant(plain):
            if symbol.id in changes and not name.endswith("()"):
                names[symbol.id][plain] = None
                vertex = extended.vertex(f"external:{name}")
                edges[symbol.id] += [extended.edge(row) for row in extended.incident(vertex, "in")]
    found = [_use(changes[each], tuple(names[each]), edges[each], extended) for each in names]
    return tuple(sorted(found, key=lambda each: (not each.change.breaking, each.change.symbol.path,
                                                 each.change.symbol.line)))  # fmt: skip


def _use(change: SymbolChange, names: tuple[str, ...], edges: list[Edge], graph: CodeGraph) -> AffectedUse:
    users = {edge.source: graph.catalog.symbol(edge.source) for edge in edges}
    ordered = sorted(users.values(), key=lambda symbol: (symbol.path, symbol.line))
    return AffectedUse(change, names, tuple(ordered), tuple(edges))


def still_found(comparison: Comparison, change: SymbolChange) -> bool:
    """Return True if the old name of a removed or moved symbol is still right: a member moved to a supertype."""
    if change.kind not in ("removed", "moved") or change.old is None or "signature" in change.aspects:
        return False
    return bool(comparison.new.catalog.meant(change.old.fqn))


def plain_name(name: str) -> str:
    """Return the qualified name that an access path of outside code means.

    >>> plain_name("json.JSONDecoder().decode")
    'json.JSONDecoder.decode'
    """
    return name.replace("()", "").replace("[0]", "").replace("::", ".")
