"""The edges of program slices, as rows of the whole repository."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.graph.build.calls import MAX_BY_NAME
from codeexplore.graph.build.resolve import resolve
from codeexplore.graph.build.rules import BY_NAME
from codeexplore.graph.demand.family import Family
from codeexplore.graph.demand.sliced_modules import rules_of_slice
from codeexplore.graph.merge import RowMap, picked, piece_of, remap
from codeexplore.languages.registry import rules_of
from codeexplore.types import TYPE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.demand.program_slice import ProgramSlice
    from codeexplore.graph.merge import EdgeBlock
    from codeexplore.workspace.partial_resolve import State


class SliceEdges:
    """Resolver of slices of one state of a repository, with the facts of its language families."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._families: dict[str, Family] = {}
        self.file_number = {path: number for number, path in enumerate(state.sources.paths)}

    def family(self, language: str) -> Family:
        """Return the files of the family of a language. Raises KeyError for a language without a graph."""
        rules = rules_of(language)
        if rules is None:
            raise KeyError(language)
        found = self._families.get(rules.family)
        if found is None:
            state = self._state
            found = Family(rules, state.sources, state.files.facts, state.catalog, state.manifests)
            self._families[rules.family] = found
        return found

    def of(self, sliced: ProgramSlice) -> EdgeBlock:
        """Return the edges and other references of a slice, with the rows and file numbers of the repository."""
        family, parts = sliced.family, sliced.files()
        facts, rows, numbers = [], [], []
        for path in sorted(parts, key=family.number.__getitem__):
            facts.append(parts[path].facts)
            rows.append(np.array(parts[path].rows) + self._state.catalog.symbol_rows_in(path)[0])
            numbers.append(self.file_number[path])
        rules = rules_of_slice(family.rules, family.locator, [family.number[each.path] for each in facts])
        found = resolve(facts, manifests=self._state.manifests, rules=rules)
        block = remap(piece_of(found), RowMap(np.concatenate(rows), np.array(numbers)))
        return pick_edges(block, ~self._is_ambiguous(family, block))

    def _is_ambiguous(self, family: Family, block: EdgeBlock) -> NDArray[np.bool_]:
        """Return a mask of the edges that guess by a name which too many definitions outside the slice have too."""
        edges = block.tables["edges"]
        guessed = np.isin(edges["rule"], [number for number, key in enumerate(block.words["edges"]) if key in BY_NAME])
        targets = np.unique(edges["target"][guessed]).tolist()
        return guessed & np.isin(
            edges["target"], [row for row in targets if self._number_alike(family, row) > MAX_BY_NAME]
        )

    def _number_alike(self, family: Family, row: int) -> int:
        """Return how many symbols are of the name and kind of this one, and members of a type like it or not."""
        table, is_type = self._state.catalog.symbols, self._is_type
        name, kind, _ = table.name(row)
        alike = [
            int(each)
            for each in self._state.catalog.names()[name]
            if is_type[table.parents[each]] == is_type[table.parents[row]]
        ]
        return sum(1 for _, other, path in map(table.name, alike) if other == kind and path in family.number)

    @cached_property
    def _is_type(self) -> NDArray[np.bool_]:
        """A mask of the types among all symbols, and False at the end for symbols without a parent (-1)."""
        return np.append(self._state.catalog.symbols.of_kinds(TYPE_KINDS), False)


def pick_edges(block: EdgeBlock, wanted: NDArray[np.bool_]) -> EdgeBlock:
    """Return the marked edges of a block, and all its other references."""
    edges = picked(block.tables["edges"], np.flatnonzero(wanted))
    return block._replace(tables={**block.tables, "edges": edges})
