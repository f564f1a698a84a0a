"""codeexplore for the Python scorers: modules by folders and dots, anonymous functions numbered in their scope."""

from __future__ import annotations

from collections import Counter

from source_graph import Row, load, outside_in

from codeexplore.types import FileFacts


def module_of(path: str) -> str:
    """The module of a file, named from the folder given: ``pkg/__init__.py`` is ``pkg``."""
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def names(facts: FileFacts) -> dict[str, str]:
    """Each symbol's name in the benchmarks, by its id."""
    named = {facts.symbols[0].id: module_of(facts.path)}
    lambdas: Counter[str] = Counter()
    for symbol in outside_in(facts):
        around = symbol.parent or ""
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
