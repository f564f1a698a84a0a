"""Example questions for the explorer and the demo, made from the repository's own symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from codeexplore.index.qualified_names import name_parts
from codeexplore.text.tokens import parts

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Symbol
    from codeexplore.workspace.workspace import Workspace


_LOOKED_AT = 200  # number of most used symbols that are considered
_OBJECT = range(1, 6)  # possible numbers of words behind the verb in a question made from a name
_CALLABLE = ("function", "method")
_TYPES = ("class", "interface", "struct", "trait", "enum", "type")
_VERB = re.compile(
    "add|apply|build|check|clean|close|connect|convert|copy|create|decode|delete|detect|download|encode|execute|fetch"
    "|filter|find|format|generate|get|handle|import|install|load|log|make|match|merge|open|parse|prepare|print|process"
    "|read|register|remove|render|replace|resolve|run|save|search|select|send|serve|set|sort|start|stop|store|update"
    "|upload|validate|wait|walk|write"
)


def starter_questions(workspace: Workspace) -> tuple[str, ...]:
    """Return up to three questions: one in plain words, one by name, one about calls.

    They are about public symbols that much of the repository uses, in the order of `Workspace.hubs`. If there is no
    graph yet, there is no question about calls, and the others are about public symbols in source order.
    """
    symbols = [symbol for symbol in _most_used(workspace) if _is_public(symbol, workspace.catalog)]
    graph = workspace.graph_state in ("ready", "outdated")
    found = (
        next(_asked(symbols), "what happens when the program starts?") if symbols else None,
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


def _asked(symbols: Iterable[Symbol]) -> Iterator[str]:
    """Yield a question on what a function does, in words of its name: ``how does it load the user config?``."""
    for symbol in symbols:
        verb, *words = [part.lower() for part in parts(symbol.name)] or [""]
        if (
            symbol.kind in _CALLABLE
            and _VERB.fullmatch(verb)
            and len(words) in _OBJECT
            and all(map(str.isalpha, words))
        ):
            yield f"how does it {verb} the {' '.join(words)}?"


def _named(workspace: Workspace, symbols: Iterable[Symbol], kinds: tuple[str, ...], form: str) -> Iterator[str]:
    """Yield `form`, filled with the name of each symbol of the given kinds. Ambiguous names are left out."""
    for symbol in symbols:
        parts = name_parts(symbol.fqn)[-2:] if symbol.kind == "method" else (symbol.name,)
        name = ".".join(parts)
        if symbol.kind in kinds and name.replace(".", "").isidentifier() and len(workspace.catalog.find(name)) == 1:
            yield form.format(name)
