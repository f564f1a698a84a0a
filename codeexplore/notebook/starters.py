"""Example questions for the explorer, made from the repository's own symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from codeexplore.index.qualified_names import name_parts

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Symbol
    from codeexplore.workspace.workspace import Workspace


_LOOKED_AT = 200  # number of most used symbols that are considered
_WORDS = range(4, 13)  # possible numbers of words in a question made from a sentence
_CALLABLE = ("function", "method")
_TYPES = ("class", "interface", "struct", "trait", "enum", "type")
_SENTENCE = re.compile(r"[\"'/*#!\s]*(?P<text>[A-Z][\w\s,'-]*\w)\s*\.(?:\s|$)")  # plain words up to a full stop


def starter_questions(workspace: Workspace) -> tuple[str, ...]:
    """Return up to three questions: one in plain words, one by name, one about calls.

    They are about public symbols that much of the repository uses, in the order of `Workspace.hubs`. If there is no
    graph yet, there is no question about calls, and the others are about public symbols in source order.
    """
    symbols = [symbol for symbol in _most_used(workspace) if _is_public(symbol, workspace.catalog)]
    graph = workspace.graph_state in ("ready", "outdated")
    found = (
        next(_sentences(symbols), None),
        next(_named(workspace, symbols, _TYPES, "{}"), None),
        next(_named(workspace, symbols, _CALLABLE, "what calls {}?"), None) if graph else None,
    )
    return tuple(question for question in found if question is not None)


def _most_used(workspace: Workspace) -> Iterable[Symbol]:
    """Return the most used symbols of the repository. Without a graph they are in source order."""
    catalog = workspace.catalog
    if workspace.graph_state in ("ready", "outdated"):
        return [catalog.symbol(hub.symbol_id) for hub in workspace.hubs(_LOOKED_AT)]
    shown = (
        symbol for symbol in catalog.symbols if symbol.kind in (*_TYPES, *_CALLABLE) and _is_public(symbol, catalog)
    )
    return [symbol for symbol, _ in zip(shown, range(_LOOKED_AT), strict=False)]


def _is_public(symbol: Symbol, catalog: Catalog) -> bool:
    """Return True unless its name, or that of a type around it, is private. A package may offer what a module hides."""
    private, each = False, symbol
    while not private and each.kind != "module":
        private = each.name.startswith("_")
        if each.parent is None:
            break
        each = catalog.symbol(each.parent)
    return not private and not catalog.roles.is_test_symbol(symbol)


def _sentences(symbols: Iterable[Symbol]) -> Iterator[str]:
    """Yield the first sentence of each documentation that is short enough for a question."""
    for symbol in symbols:
        match = _SENTENCE.match(symbol.doc or "")
        words = match["text"].split() if match else []
        if len(words) in _WORDS and all(map(str.isascii, words)):
            yield " ".join([words[0].lower(), *words[1:]])


def _named(workspace: Workspace, symbols: Iterable[Symbol], kinds: tuple[str, ...], form: str) -> Iterator[str]:
    """Yield `form`, filled with the name of each symbol of the given kinds. Ambiguous names are left out."""
    for symbol in symbols:
        parts = name_parts(symbol.fqn)[-2:] if symbol.kind == "method" else (symbol.name,)
        name = ".".join(parts)
        if symbol.kind in kinds and name.replace(".", "").isidentifier() and len(workspace.catalog.find(name)) == 1:
            yield form.format(name)
