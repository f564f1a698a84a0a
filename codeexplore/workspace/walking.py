"""The walks of a `Workspace` along its graph: callers, callees, impact, paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.workspace.loaded import Loaded
from codeexplore.workspace.targets import Target

if TYPE_CHECKING:
    from codeexplore.views import GraphAnswer, PathsAnswer


class Walking(Loaded):
    """What follows edges."""

    def callers(self, target: Target, depth: int = 1) -> GraphAnswer:
        """What calls a symbol, up to `depth` calls away.

        Callers that are only possible by name stand apart, and an empty answer says what it means.
        """
        return self._walk("callers", target, depth)

    def callees(self, target: Target, depth: int = 1) -> GraphAnswer:
        """What a symbol calls, up to `depth` calls away."""
        return self._walk("callees", target, depth)

    def implementors(self, target: Target) -> GraphAnswer:
        """What implements an interface or trait, or extends a class, at any depth."""
        return self._walk("implementors", target, None)

    def impact(self, target: Target, depth: int | None = None) -> GraphAnswer:
        """What may break if a symbol changes: its callers and users, their callers, and so on."""
        return self._walk("impact", target, depth)

    def paths(self, source: Target, target: Target, limit: int = 10) -> PathsAnswer:
        """Chains of calls from one symbol to another, shortest first.

        When there are none, chains of calls the other way round, else one over edges of any kind.
        """
        from codeexplore.graph import queries
        from codeexplore.views import PathsAnswer

        start, end = self.symbol(source), self.symbol(target)
        found = queries.paths(self.graph, start.id, end.id, limit=limit)
        absence = "" if found else _no_path(start.id == end.id, queries.MAX_PATH_SYMBOLS)
        return PathsAnswer(found, start, end, self.catalog, absence)

    def _walk(self, relation: str, target: Target, depth: int | None) -> GraphAnswer:
        from codeexplore.graph import queries
        from codeexplore.query.options import check_depth
        from codeexplore.views import GraphAnswer

        symbol = self.symbol(target)
        if depth is not None:
            depth = check_depth(depth)
        return GraphAnswer(queries.walk(self.graph, relation, (symbol.id,), depth=depth), self.catalog)


def _no_path(same: bool, longest: int) -> str:
    """What it means that no path was found."""
    if same:
        return "both names mean this one symbol"
    return f"no resolved edges join them within {longest} symbols; what is only possible by name is not followed"
