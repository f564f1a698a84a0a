"""Small repositories, resolved: edges by short names, for the tests of resolution."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from codeexplore.graph.build.resolve import build_graph
from codeexplore.languages import registry
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.syntax.analyse import analyse
from codeexplore.types import Edge, SourceFile, Symbol, settings
from tests.doubles import make_catalog


class Resolved:
    """The graph of some files. Symbols are called ``file.ext:Name.member``, a file's own code ``file.ext:``.

    Files that no language reads (manifests) are written to `root`, where the locators look for them.
    """

    def __init__(self, files: Mapping[str, str], root: Path | None = None) -> None:
        known = {path: language for path in files if (language := registry.by_path(path)) is not None}
        layout = Layout(frozenset(known))
        facts = []
        for path, text in files.items():
            language = known.get(path)
            if language is not None and language.level != "text":
                facts.append(analyse(SourceFile(path, language.name, dedent(text), ""), layout).facts)
            elif root is not None:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, "utf-8")
        self.symbols = {symbol.id: symbol for each in facts for symbol in each.symbols}
        self.modules = {each.path: each.symbols[0].fqn for each in facts}
        self.graph = build_graph(make_catalog(list(self.symbols.values()), []), facts, root)

    def short(self, symbol_id: str) -> str:
        """The short name of a symbol; an overload's number is kept."""
        symbol: Symbol = self.symbols[symbol_id]
        name = symbol.fqn.removeprefix(self.modules[symbol.path]).lstrip(".:#/\\")
        number = symbol_id.rpartition("#")[2]
        return f"{symbol.path.rpartition('/')[2]}:{name}" + (f"#{number}" if number.isdigit() else "")

    def edges(self, kind: str = "CALLS", confidence: float = settings.RESOLVED_CONFIDENCE) -> list[Edge]:
        return [e for e in self.graph.edges if e.kind == kind and e.confidence >= confidence - 1e-6]

    def pairs(self, kind: str = "CALLS", confidence: float = settings.RESOLVED_CONFIDENCE) -> set[tuple[str, str]]:
        """(source, target) of every edge of a kind."""
        return {(self.short(e.source), self.short(e.target)) for e in self.edges(kind, confidence)}

    def callees(self, caller: str, confidence: float = settings.RESOLVED_CONFIDENCE) -> list[str]:
        """The named symbols that a symbol calls, sorted."""
        found = [target for source, target in self.pairs("CALLS", confidence) if source == caller]
        return sorted(target for target in found if "<lambda" not in target)

    def rule(self, caller: str, callee: str) -> str:
        """The rule that made the call edge between two symbols."""
        return next(
            e.rule for e in self.edges("CALLS", 0.0) if (self.short(e.source), self.short(e.target)) == (caller, callee)
        )

    def outside(self) -> set[str]:
        """Names outside of the repository that are called or used."""
        return set(self.graph.externals.names())

    def unresolved(self) -> set[str]:
        """Names of calls that nothing is known about."""
        return {row.name for row in self.graph.unresolved}
