"""Answer with the paths between two symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from codeexplore.answers.blocks import Block, Heading, notes
from codeexplore.answers.data import absence_dict, edge_dict, symbol_dict
from codeexplore.answers.exports import Exports
from codeexplore.answers.graph import absence_blocks, step_blocks
from codeexplore.answers.network import Network, arcs_of, vertex_of
from codeexplore.answers.shown import ShownRows
from codeexplore.types import SCHEMA_VERSION, Absence, CallPath, Symbol

if TYPE_CHECKING:
    import pandas as pd

    from codeexplore.index.catalog import Catalog


@dataclass(frozen=True, slots=True, repr=False)
class PathsAnswer(ShownRows[CallPath], Exports):
    """Paths between two symbols, shortest first.

    If no certain calls lead from source to target, `absence` explains this. The paths are then calls from target to
    source. If there are none, they are uncertain calls (in the answer to a question), or else one path over edges of
    any kind and direction. `headline` says which case it is.
    """

    _called: ClassVar[str] = "path"

    paths: tuple[CallPath, ...]
    source: Symbol
    target: Symbol
    catalog: Catalog = field(repr=False, compare=False)
    absence: Absence | None = None
    notes: tuple[str, ...] = ()  # further notices, in sentences

    @property
    def headline(self) -> str:
        """The answer in one line. It says if the path has reverse calls, or other edges than calls."""
        count, source, target = len(self.paths), self.source.fqn, self.target.fqn
        paths = f"{count or 'No'} path{'' if count == 1 else 's'}"
        if self.absence is None or not self.paths:
            return f"{paths} from {source} to {target}"
        if all(_are_calls(path, path.symbol_ids[:-1]) for path in self.paths):
            return f"No path of certain calls found from {source} to {target}; {paths} over uncertain calls"
        known = self.absence.kind == "none"
        said = f"No calls lead from {source} to {target}" if known else f"No path found from {source} to {target}"
        if all(_are_calls(path, path.symbol_ids[1:]) for path in self.paths):
            return f"{said}; {paths} in the opposite direction"
        return f"{said}; {paths} over other edges"

    def symbols(self, path: CallPath) -> tuple[Symbol, ...]:
        """Return the symbols along `path`."""
        return tuple(self.catalog.symbol(symbol_id) for symbol_id in path.symbol_ids)

    def network(self) -> Network:
        """Return the symbols on all paths and the edges between them, as vertices and arcs."""
        ids = dict.fromkeys(symbol_id for path in self.paths for symbol_id in path.symbol_ids)
        ends = (self.source.id, self.target.id)
        vertices = tuple(
            vertex_of(self.catalog.symbol(symbol_id), seed=symbol_id in ends)
            for symbol_id in ids or dict.fromkeys(ends)
        )
        edges = {(e.source, e.target, e.kind): e for path in self.paths for e in path.edges}
        return Network(self.headline, vertices, tuple(arcs_of(edges.values(), vertices)))

    def to_dict(self) -> dict[str, object]:
        """Return the paths as plain data for JSON. `schema` names its format."""
        return {
            "schema": SCHEMA_VERSION,
            "kind": "paths",
            "source": self.source.id,
            "target": self.target.id,
            "paths": [
                {
                    "symbols": [symbol_dict(symbol) for symbol in self.symbols(path)],
                    "edges": [edge_dict(edge) for edge in path.edges],
                }
                for path in self.paths
            ],
            "absence": absence_dict(self.absence),
            "notes": list(self.notes),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each step: path number, step, from, edge, to, rule, confidence.

        Raises ImportError without pandas.
        """
        from codeexplore.answers.frames import frame

        rows: list[dict[str, object]] = [
            {
                "call_path": number,
                "step": step,
                "source": self.catalog.symbol(edge.source).fqn,
                "edge": edge.kind,
                "target": self.catalog.symbol(edge.target).fqn,
                "rule": edge.rule,
                "confidence": edge.confidence,
            }
            for number, path in enumerate(self.paths, 1)
            for step, edge in enumerate(path.edges, 1)
        ]
        return frame(("call_path", "step", "source", "edge", "target", "rule", "confidence"), rows)

    def blocks(self) -> list[Block]:
        """Return the paths, one line for each step with its edge, rule, confidence and place."""
        paths = step_blocks(self.paths, self.catalog)
        return [Heading(self.headline), *absence_blocks(self.absence), *paths, *notes(self.notes)]

    @property
    def _records(self) -> Sequence[CallPath]:
        return self.paths


def _are_calls(path: CallPath, callers: Sequence[str]) -> bool:
    """Return True if every step of `path` is a call from one of `callers` to the next symbol."""
    steps = zip(path.edges, callers, strict=True)
    return all(edge.kind == "CALLS" and edge.source == caller for edge, caller in steps)
