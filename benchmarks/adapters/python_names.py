"""codeexplore for the Python scorers: modules by folders and dots, anonymous functions numbered in their scope."""

from __future__ import annotations

from collections import Counter

from source_graph import Row, load, outside_in

from codeexplore.types import FileFacts

_PARAMETERS = ("parameter", "keyword")


def module_of(path: str) -> str:
    """The module of a file, named from the folder given: ``pkg/__init__.py`` is ``pkg``."""
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def names(facts: FileFacts) -> dict[str, str]:
    """Each symbol's name in the benchmarks, by its id.

    An anonymous function that is the default of a parameter is made in the scope around the function.
    """
    named = {facts.symbols[0].id: module_of(facts.path)}
    lambdas: Counter[str] = Counter()
    above = {symbol.id: symbol.parent or "" for symbol in facts.symbols}
    defaults = {f"<lambda{row.value[3:]}>" for row in facts.bindings if row.manner in _PARAMETERS}
    for symbol in outside_in(facts):
        around = symbol.parent or ""
        if symbol.kind == "lambda" and symbol.name in defaults:
            around = above[around]
        if symbol.kind == "lambda":
            lambdas[around] += 1
        own = f"<lambda{lambdas[around]}>" if symbol.kind == "lambda" else symbol.name
        named[symbol.id] = f"{named[around]}.{own}"
    return named


def edges(folder: str, _language: str = "python") -> list[Row]:
    """Calls between the functions below `folder`."""
    graph = load(folder, (".py",))
    named = {key: name for facts in graph.files for key, name in names(facts).items()}
    return [(named[source.id], named[target.id], edge.confidence) for source, target, edge in graph.to_functions()]
