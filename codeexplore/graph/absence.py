"""What an empty answer means, in words."""

from __future__ import annotations

from collections.abc import Sequence

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traverse import MAX_POSSIBLE, Relating
from codeexplore.settings import RESOLVED_CONFIDENCE
from codeexplore.types import CALLABLE_KINDS, Edge, Symbol, Unresolved

_NOT_CALLED = frozenset({"module", "constant", "field", "section"})


def words(
    graph: CodeGraph,
    relating: Relating,
    seeds: Sequence[str],
    possible: Sequence[Edge],
    unresolved: Sequence[Unresolved],
) -> str:
    """One or two sentences: nothing there, or nothing resolved; and what may still reach the symbol."""
    symbols = [graph.catalog.symbol(seed) for seed in seeds]
    if not symbols:
        return "no symbol to start from"
    noun = relating.noun
    if possible or unresolved:
        number = len(possible) + len(unresolved)
        cut = MAX_POSSIBLE in (len(possible), len(unresolved))
        said = f"none resolved, but {'at least ' if cut else ''}{number} possible by name"
    elif any(_recursive(graph, relating, seed) for seed in seeds):
        said = f"no {noun} in this repository but itself: it is recursive"
    elif noun in ("callers", "callees") and all(symbol.kind in _NOT_CALLED for symbol in symbols):
        kinds = " or ".join(dict.fromkeys(symbol.kind for symbol in symbols))
        said = (
            f"a {kinds} is not called and calls nothing; ask for its uses"
            if kinds != "module"
            else "no calls at its top"
        )
    else:
        said = f"no {noun} in this repository"
    hints = [] if relating.direction == "out" else [hint for symbol in symbols if (hint := reach(symbol))]
    return ". ".join([said, *dict.fromkeys(hints)])


def _recursive(graph: CodeGraph, relating: Relating, seed: str) -> bool:
    """Whether a symbol stands in the relation to itself; a walk never leads back to where it starts."""
    vertex = graph.vertex(seed)
    rows = graph.incident(vertex, "out", relating.kinds, RESOLVED_CONFIDENCE)
    return any(graph.edges.target[row] == vertex for row in rows)


def reach(symbol: Symbol) -> str:
    """Why something outside the repository may use a symbol all the same, "" when nothing hints at it."""
    name = symbol.name
    if name.startswith("__") and name.endswith("__"):
        return f"{name} is a special method: the language calls it by itself"
    if symbol.kind in CALLABLE_KINDS and symbol.decorators:
        shown = ", ".join(decorator or "…" for decorator in symbol.decorators)
        return f"Its decorator ({shown}) may register or call it"
    if symbol.kind in CALLABLE_KINDS and name.startswith(("test_", "Test")):
        return "A test runner finds it by its name"
    if name == "main":
        return "It looks like an entry point"
    if symbol.kind in ("function", "class", "method") and not name.startswith("_"):
        return "Its name is public: code outside this repository may use it"
    return ""
