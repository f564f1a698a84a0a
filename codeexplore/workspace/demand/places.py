"""Files in which to look for the answer to a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeexplore.graph.demand.facts_index import FactsIndex
    from codeexplore.graph.demand.program_slice import ProgramSlice


class Places:
    """Files to look at, each once, in the order in which they are added."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = dict.fromkeys(paths)
        self.looked = 0

    def add(self, paths: Iterable[str]) -> None:
        """Append the files that are not there yet."""
        self.paths |= dict.fromkeys(paths)

    def include(self, other: Places) -> None:
        """Count the files of another search too."""
        looked = dict.fromkeys([*list(self.paths)[: self.looked], *list(other.paths)[: other.looked]])
        rest = [path for path in (*self.paths, *other.paths) if path not in looked]
        self.paths, self.looked = dict.fromkeys((*looked, *rest)), len(looked)

    def __len__(self) -> int:
        return len(self.paths)

    def read(self, sliced: ProgramSlice) -> Iterator[tuple[str, FactsIndex]]:
        """Yield the files with their facts, until all were looked at or the budget is spent."""
        while self.looked < len(self.paths):
            path = list(self.paths)[self.looked]
            index = sliced.read(path)
            if index is None:
                return
            self.looked += 1
            yield path, index
