"""Names outside the repository as vertices of a second graph.

The second graph begins with the repository's symbols and edges, in the same rows. After them it has one vertex for each
outside name, and edges for the calls and uses of this name. It is built when it is first requested.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import Resolution
from codeexplore.index.qualified_names import EXTERNAL, external_symbol
from codeexplore.types import EdgeKind

RULE = "external"
_DEFAULT = re.compile(r"\.default(?=[.(]|$)")
_MANNERS: Mapping[EdgeKind, str] = {
    "CALLS": "call",
    "USES": "read",
    "IMPORTS": "import",
    "EXTENDS": "base",
    "IMPLEMENTS": "base",
}
_BOUNDARIES = (".", "/", "::", ":")
_cache: WeakKeyDictionary[CodeGraph, CodeGraph] = WeakKeyDictionary()
_plain_names: WeakKeyDictionary[CodeGraph, Mapping[str, str]] = WeakKeyDictionary()


def with_externals(graph: CodeGraph) -> CodeGraph:
    """Return the graph with a vertex for each outside name; its own vertices and edges keep their rows."""
    known = _cache.get(graph)
    if known is None:
        known = _cache[graph] = _extended(graph)
    return known


def named(graph: CodeGraph, name: str) -> tuple[str, ...]:
    """Return the outside names in use that `name` can mean: an exact match first, then longer names, most used first.

    - ``requests`` means every name that begins with ``requests.``.
    - ``json.loads`` means the function only, not uses of its result.
    - If no name begins with `name`, names that end in `name` after a separator match: ``FlagSet.Parse``.
    - The part ``default`` of a JavaScript import may be left out: ``React.useState`` means ``react.default.useState``.
    """
    asked = _plain(name.removeprefix(EXTERNAL).replace("::", "."))
    if not asked:
        return ()
    names = _names(graph)
    first = [full for full, plain in names.items() if plain == asked]
    longer = ((full, plain[len(asked) :]) for full, plain in names.items() if plain.startswith(asked))
    below = [full for full, rest in longer if rest.startswith(_BOUNDARIES) or (not first and rest.startswith("("))]
    if first or below:
        return (*first, *below)
    endings = tuple(mark + asked for mark in _BOUNDARIES)
    return tuple(full for full, plain in names.items() if plain.endswith(endings))


def with_prefix(graph: CodeGraph, prefix: str, limit: int = 50) -> tuple[str, ...]:
    """Return at most `limit` outside names that begin with `prefix`, most used first, for name completion."""
    plain = (name for name in _names(graph) if name.startswith(prefix) and "(" not in name)
    return tuple(name for name, _ in zip(plain, range(limit), strict=False))


def _names(graph: CodeGraph) -> Mapping[str, str]:
    """Return a mapping from each outside name to the form in which names are compared, most used name first."""
    known = _plain_names.get(graph)
    if known is None:
        # passing on the result of an outside call, json.loads(), uses no function
        names = (name for name in graph.externals.names() if not name.endswith("()"))
        known = _plain_names[graph] = {name: _plain(name) for name in names}
    return known


def _plain(name: str) -> str:
    return _DEFAULT.sub("", name).strip().rstrip(".")


def _extended(graph: CodeGraph) -> CodeGraph:
    symbols = graph.catalog.symbols
    names = list(_names(graph))
    catalog = graph.catalog.extended([external_symbol(name) for name in names])
    edges = graph.edges.extended(catalog.symbols.ids)
    vertex = {name: len(symbols) + number for number, name in enumerate(names)}
    tested = functools.cache(lambda row: catalog.roles.is_test_symbol(symbols[row]))
    for use in graph.externals:
        if use.name not in vertex:
            continue
        kinds: tuple[EdgeKind, ...] = ("USES", "IMPORTS") if use.kind == "IMPORTS" else (use.kind,)
        for kind in kinds:
            manner = _MANNERS.get(kind, "read")
            rule = manner if manner in ("import", "base") else RULE  # written there
            edges.add(use.source, vertex[use.name], kind, manner, rule, use.site, tested(use.source))
    edges.finish()
    return CodeGraph(catalog, Resolution(edges, graph.unresolved, graph.externals, graph.notes))
