"""The symbols and chunks of a workspace by id, name and place.

Everything above syntax looks symbols and chunks up here, and nowhere else. A catalog is immutable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from codeexplore.catalog.named import Named
from codeexplore.catalog.names import name_parts
from codeexplore.types import Chunk, Symbol


class Catalog(Named):
    """Symbols and chunks of one snapshot, by row, by name and by place."""

    def in_file(self, path: str) -> tuple[Symbol, ...]:
        """The symbols of a file in source order, its module first; empty when the file is not indexed."""
        return tuple(self.symbols[row] for row in self._by_path.get(path, ()))

    def overloads(self, symbols: Sequence[Symbol]) -> list[tuple[Symbol, ...]]:
        """For each symbol what its file defines besides under the very same qualified name, in source order."""
        alike: dict[tuple[str, str], list[Symbol]] = {(symbol.path, symbol.fqn): [] for symbol in symbols}
        lasts = [(name_parts(symbol.fqn) or (symbol.name,))[-1] for symbol in symbols]
        for last in dict.fromkeys(lasts):  # hundreds may be called so, and a file may hold thousands
            for other in map(self.symbols.__getitem__, self._by_name.get(last, ())):
                if (other.path, other.fqn) in alike:
                    alike[other.path, other.fqn].append(other)
        return [tuple(o for o in alike[symbol.path, symbol.fqn] if o.id != symbol.id) for symbol in symbols]

    def chunks_in(self, path: str) -> tuple[Chunk, ...]:
        """The chunks of a file in their order; empty when it is not indexed."""
        return tuple(self.chunks[row] for row in self._chunks_by_path.get(path, ()))

    def symbol_rows_in(self, path: str) -> Sequence[int]:
        """Positions in `symbols` of a file's symbols; empty when it is not indexed."""
        return self._by_path.get(path, ())

    def chunk_rows_in(self, path: str) -> Sequence[int]:
        """Positions in `chunks` of a file's chunks; empty when it is not indexed."""
        return self._chunks_by_path.get(path, ())

    def at(self, path: str, line: int) -> Symbol | None:
        """The innermost symbol of a file whose span covers a 1-based line."""
        best: Symbol | None = None
        for symbol in self.in_file(path):
            if symbol.span.start_line <= line <= symbol.span.end_line and (
                best is None or _extent(symbol) <= _extent(best)
            ):
                best = symbol
        return best

    def paths(self) -> tuple[str, ...]:
        """Every indexed path, sorted."""
        return self._sorted_paths

    def find_paths(self, path: str) -> tuple[str, ...]:
        """The indexed paths equal to `path`, else those that end in it at a folder boundary.

        Windows writes a backslash between folders; elsewhere it may be part of a name, which comes first.
        """
        for form in dict.fromkeys((path, path.replace("\\", "/"))):
            found = (form,) if form in self._by_path else tuple(p for p in self._sorted_paths if p.endswith("/" + form))
            if found:
                return found
        return ()

    # ----------------------------------------------------------------- built when first asked for

    @cached_property
    def _by_path(self) -> Mapping[str, Sequence[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for row, symbol in enumerate(self.symbols):
            index[symbol.path].append(row)
        return index

    @cached_property
    def _chunks_by_path(self) -> Mapping[str, Sequence[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for row, chunk in enumerate(self.chunks):
            index[chunk.path].append(row)
        return index

    @cached_property
    def _sorted_paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._by_path))


def _extent(symbol: Symbol) -> int:
    return symbol.span.end_byte - symbol.span.start_byte
