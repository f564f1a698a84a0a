"""What the adapters share: a folder's facts and edges, by the same way a load takes, without the text lanes.

The scorers load an adapter by its path and put its folder on `sys.path`, so the modules here import each other by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeexplore.graph.build.resolve import resolve
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.source.discovery import discover
from codeexplore.source.manifests import manifests_of
from codeexplore.types import CALLABLE_KINDS, Edge, FileFacts, FileIndex, Symbol
from codeexplore.workspace.workers.pool import analyse_batch, batches

Row = tuple[str, str, float]
"""Caller, callee, confidence, in a benchmark's own naming."""


@dataclass(frozen=True, slots=True)
class SourceGraph:
    """The facts and the calls of the files of some languages below `root`."""

    root: Path
    files: Sequence[FileFacts]
    symbols: Mapping[str, Symbol]
    calls: Sequence[Edge]

    def running(self, symbol: Symbol) -> Symbol:
        """The symbol itself, or the scope around it whose run executes a class body or a value's expression."""
        while symbol.kind in ("class", "constant", "field") and symbol.parent is not None:
            symbol = self.symbols[symbol.parent]
        return symbol

    def to_functions(self) -> list[tuple[Symbol, Symbol, Edge]]:
        """Calls of functions, methods and anonymous functions, each with what runs it."""
        found = []
        for edge in self.calls:
            target = self.symbols[edge.target]
            if target.kind in CALLABLE_KINDS:
                found.append((self.running(self.symbols[edge.source]), target, edge))
        return found


def facts_of(root: Path, suffixes: tuple[str, ...]) -> list[FileFacts]:
    """The facts of the files below `root` that end in one of `suffixes`, in order of their paths."""
    found = discover(root)
    chosen = [candidate for candidate in found.candidates if candidate.path.endswith(suffixes)]
    layout = Layout(frozenset(candidate.path for candidate in chosen))
    results = [analyse_batch(found.root, batch, layout) for batch in batches(chosen)]
    return [file.facts for files in results for file in files if isinstance(file, FileIndex)]


def load(folder: str, suffixes: tuple[str, ...]) -> SourceGraph:
    """Analyse and resolve the files below `folder` that end in one of `suffixes`."""
    root = Path(folder)
    files = facts_of(root, suffixes)
    symbols = {symbol.id: symbol for facts in files for symbol in facts.symbols}
    manifests = manifests_of(root, [(facts.path, facts.language) for facts in files])
    calls = [edge for edge in resolve(files, manifests=manifests).edges if edge.kind == "CALLS"]
    return SourceGraph(root, files, symbols, calls)


def outside_in(facts: FileFacts) -> list[Symbol]:
    """A file's symbols after its module, in source order, each after the one around it."""
    return sorted(facts.symbols[1:], key=lambda symbol: (symbol.span.start_byte, -symbol.span.end_byte))
