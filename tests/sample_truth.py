"""How much of the sample repositories' truth the call graph knows: recall and precision by kind of edge.

Truth names are ``path::a.b`` (see sample_repos/README.md). Anonymous symbols and constants have none: what they use,
the named symbol around them uses. Calls of anonymous functions count for nobody.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from codeexplore.graph.build.resolve import build_graph
from codeexplore.graph.model import CodeGraph
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.source.discovery import discover
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, FileIndex, Symbol, settings
from codeexplore.workspace.workers.pool import analyse_batch, batches
from tests.doubles import make_catalog

ROOT = Path(__file__).parents[1] / "sample_repos"
REPOSITORIES = ("webshop", "chatservice", "jobworker", "ledger")
KINDS = ("CALLS", "EXTENDS", "IMPLEMENTS", "OVERRIDES")
_ONE_SYMBOL = frozenset({"typescript", "tsx"})  # overload signatures belong to their implementation
_NAMED = CALLABLE_KINDS | TYPE_KINDS | {"module"}
_OPEN = frozenset({"protocol", "wrapper"})  # manners that a scorer may leave out of what is demanded

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Score:
    """One repository's score for one kind of edge. Pairs are (caller, callee) in the truth's names."""

    repository: str
    kind: str
    demanded: frozenset[Pair]
    found: frozenset[Pair]
    allowed: frozenset[Pair]  # what is true, demanded or not

    @property
    def missing(self) -> list[Pair]:
        """Demanded edges that the graph lacks."""
        return sorted(self.demanded - self.found)

    @property
    def wrong(self) -> list[Pair]:
        """Edges of the graph that the truth lacks."""
        return sorted(self.found - self.allowed)

    @property
    def recall(self) -> float:
        """Share of the demanded edges that the graph has."""
        return 1.0 - len(self.missing) / len(self.demanded) if self.demanded else 1.0

    @property
    def precision(self) -> float:
        """Share of the graph's edges that are true."""
        return 1.0 - len(self.wrong) / len(self.found) if self.found else 1.0

    def report(self) -> str:
        """What is missing and what is wrong, a line each."""
        lines = [f"{self.repository} {self.kind}: recall {self.recall:.3f}, precision {self.precision:.3f}"]
        lines += [f"  missing {caller} -> {callee}" for caller, callee in self.missing]
        lines += [f"  wrong   {caller} -> {callee}" for caller, callee in self.wrong]
        return "\n".join(lines)


@cache
def truth(repository: str) -> Mapping[str, Any]:
    """The truth file of a sample repository."""
    loaded: dict[str, Any] = json.loads((ROOT / f"{repository}.truth.json").read_text("utf-8"))
    return loaded


@cache
def graph_of(repository: str) -> CodeGraph:
    """The code graph of a sample repository."""
    found = discover(ROOT / repository)
    layout = Layout(frozenset(candidate.path for candidate in found.candidates))
    results = [analyse_batch(found.root, batch, layout) for batch in batches(found.candidates)]
    files = [file.facts for result in results for file in result if isinstance(file, FileIndex)]
    return build_graph(make_catalog([symbol for facts in files for symbol in facts.symbols], []), files, found.root)


def score(repository: str, kind: str, confidence: float = settings.RESOLVED_CONFIDENCE) -> Score:
    """Compare the graph's edges of one kind, of at least a confidence, with the truth.

    Demanded is what is decidable. Edges of manner ``protocol`` and ``wrapper``, and those the truth calls undecidable,
    are allowed but not demanded. A construction that runs an inherited constructor is also right about the class; an
    edge to an override that the types allow but no object reaches is left out of precision.
    """
    graph = graph_of(repository)
    names = Names(graph.catalog.symbols)
    demanded, allowed = set(), set()
    for row in truth(repository)["edges"]:
        if row["kind"] == kind:
            allowed.add((row["caller"], row["callee"]))
            allowed.update((row["caller"], cls) for cls in row.get("constructs", ()))
            if row["decidable"] and row["manner"] not in _OPEN:
                demanded.add((row["caller"], row["callee"]))
    found: set[Pair] = set()
    for edge in graph.edges:
        if edge.kind == kind and edge.confidence >= confidence - 1e-6 and not names.hidden(edge.source, kind):
            caller, callee = names.named(edge.source), names.of.get(edge.target, "")
            pair = (caller, callee)
            if callee and caller and (pair in allowed or not edge.rule.startswith("override")):
                found.add(pair)
    return Score(repository, kind, frozenset(demanded), frozenset(found), frozenset(allowed))


class Names:
    """Symbols by the names that truth files give them."""

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self.symbols = {symbol.id: symbol for symbol in symbols}
        self.of: dict[str, str] = {}
        counts: dict[tuple[str, str], int] = defaultdict(int)
        for symbol in self.symbols.values():
            if symbol.kind == "lambda" or symbol.name.startswith("<"):
                continue
            plain = f"{symbol.path}::{self._within(symbol)}"
            what = "type" if symbol.kind in TYPE_KINDS else "call" if symbol.kind in CALLABLE_KINDS else "name"
            counts[plain, what] += 1
            number = 1 if symbol.language in _ONE_SYMBOL else counts[plain, what]
            self.of[symbol.id] = plain if number == 1 else f"{plain}#{number}"

    def _within(self, symbol: Symbol) -> str:
        """The names that enclose a symbol, anonymous ones left out."""
        parts = [symbol.name] if symbol.parent is not None else []
        while symbol.parent is not None:
            above = self.symbols[symbol.parent]
            between = symbol.fqn.removeprefix(above.fqn).lstrip(".:#/").removesuffix(symbol.name).rstrip(".:#/")
            if between:
                parts.insert(0, between.replace("::", "."))
            if above.parent is not None and not above.name.startswith("<") and above.kind != "lambda":
                parts.insert(0, above.name)
            symbol = above
        return ".".join(parts)

    def hidden(self, symbol_id: str, kind: str) -> bool:
        """Whether a type has no name of its own in the truth: an anonymous class, or that of an enum's constant."""
        symbol = self.symbols[symbol_id]
        if kind == "CALLS" or kind == "OVERRIDES" or symbol.kind not in TYPE_KINDS:
            return False
        above = self.symbols[symbol.parent] if symbol.parent is not None else symbol
        return symbol.id not in self.of or above.kind == "enum"

    def named(self, symbol_id: str) -> str:
        """The name of the named symbol that a symbol's uses count for: code of constants is that around them."""
        symbol = self.symbols[symbol_id]
        while symbol.parent is not None and (symbol.id not in self.of or symbol.kind not in _NAMED):
            symbol = self.symbols[symbol.parent]
        return self.of.get(symbol.id, "")
