"""codeexplore for the JavaScript scorer: arrow functions numbered in their scope, everything else by its name."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from source_graph import Row, load, outside_in

from codeexplore.types import FileFacts, Symbol

SUFFIXES = (".js", ".mjs", ".cjs", ".ts")
_ARROW = re.compile(
    r"(?:export\s+)?(?:const|let|var)?\s*[\w$]+\s*=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*=>"
)  # a name that is given an arrow function, which the benchmark numbers instead


def names(facts: FileFacts, source: bytes) -> dict[str, str]:
    """Each symbol's name in the benchmark, by its id; `source` are the file's bytes."""
    by_id = {symbol.id: symbol for symbol in facts.symbols}
    named = {facts.symbols[0].id: facts.path.rsplit(".", 1)[0].removesuffix("/index").replace("/", ".")}
    arrows: Counter[str] = Counter()
    for symbol in outside_in(facts):
        around = by_id[symbol.parent or ""]
        text = source[symbol.span.start_byte : symbol.span.end_byte].decode("utf-8", "replace")
        anonymous = symbol.kind == "lambda" or symbol.name.startswith("<lambda")
        if anonymous and around.kind == "constant" and text.startswith("function"):
            named[symbol.id] = named[around.id]
        elif anonymous or (symbol.kind == "function" and _ARROW.match(text)):
            arrows[around.id] += 1
            named[symbol.id] = f"{named[around.id]}.<arrow{arrows[around.id]}>"
        else:
            named[symbol.id] = f"{named[around.id]}.{_below(symbol, around)}"
    return named


def _below(symbol: Symbol, around: Symbol) -> str:
    """What a name adds to that of the scope around: more than one step for members of object literals."""
    if symbol.fqn.startswith(around.fqn):
        return symbol.fqn[len(around.fqn) :].lstrip(".")
    return symbol.name


def edges(folder: str, _language: str = "javascript") -> list[Row]:
    """Calls between the functions below `folder`."""
    graph = load(folder, SUFFIXES)
    named: dict[str, str] = {}
    for facts in graph.files:
        named |= names(facts, Path(folder, facts.path).read_bytes())
    return [(named[source.id], named[target.id], edge.confidence) for source, target, edge in graph.to_functions()]
