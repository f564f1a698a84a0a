"""Objects that are handed to code outside, in languages whose code calls members without declaring the type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import is_constructor, members, related
from codeexplore.graph.usage.visibility import is_closed, owner_of
from codeexplore.languages.registry import record_of
from codeexplore.resolution.access_paths import last_name, parse
from codeexplore.text.enumeration import places
from codeexplore.types import TYPE_KINDS, FileFacts, FileIndex, Reference, Site, Symbol

_ROUNDS = 5  # variables, containers and functions by which an object is handed on
_MOST_FILES = 50  # that use the type
_MOST_TYPES = 20  # subtypes of a type
_LAMBDA = re.compile(r"<lambda:(\d+:\d+)>")


class HandedObjects:
    """Finder of calls and exports that give an object to code outside, which may call any of its methods."""

    def __init__(self, graph: CodeGraph, files: Mapping[str, FileIndex]) -> None:
        self._graph, self._files = graph, files
        self._sites = lru_cache(maxsize=1_000)(self._find_sites)
        self._facts = lru_cache(maxsize=_MOST_FILES)(lambda path: files[path].facts)  # reading them takes long

    def reason(self, symbol: Symbol) -> str:
        """Return a clause if code outside may call a method on an object that it is given; "" otherwise."""
        language = record_of(symbol.language)
        if language.keeping is None or symbol.kind != "method" or is_closed(symbol) or symbol.name[:1] == "#":
            return ""
        owner = owner_of(self._graph.catalog, symbol)
        if owner is None or owner.kind not in TYPE_KINDS:
            return ""
        types = related(self._graph, [self._graph.vertex(owner.id)], "in")[:_MOST_TYPES]
        sites = [*islice((site for each in types for site in self._sites(self._graph.symbol(each).id)), 3)]
        return f"code outside gets objects of {owner.name} at {places(sites)}, and may call it" if sites else ""

    def _find_sites(self, type_id: str) -> tuple[Site, ...]:
        """Return a call that hands an object of a type, or the type itself, to a function outside, or its export."""
        graph, type_ = self._graph, self._graph.catalog.symbol(type_id)
        own = graph.vertex(type_id)
        made = [own, *(each for each in members(graph, own) if is_constructor(graph, each))]
        rows = (row for each in made for row in graph.incident(each, "in", ("CALLS", "USES")))
        paths = {type_.path: None} | {site.path: None for row in rows for site in graph.edge(row).sites}
        for path in (each for each in islice(paths, _MOST_FILES) if each in self._files):
            facts = self._facts(path)
            keeping = record_of(facts.language).keeping
            if keeping is None or self._graph.catalog.roles.is_test(path):
                continue
            held = _held(facts, type_.name)
            offered = held - {type_.name}  # an exported type is visible itself
            exported = (row for row in facts.exports if not row.module and _bare(row.target) in offered)
            if (given := next(exported, None)) is not None:
                return (Site(path, given.line),)
            for row in _handing(facts, held):
                called, site = last_name(row.path)[0], Site(path, row.line)
                if called not in keeping and not self._is_own(called, site):
                    return (site,)
        return ()

    def _is_own(self, called: str, site: Site) -> bool:
        """Return True if the call of a name in a line may be that of a function in the repository."""
        graph, user = self._graph, self._graph.catalog.at(*site)
        if user is None:
            return False
        for row in graph.incident(graph.vertex(user.id), "out", ("CALLS",)):
            edge = graph.edge(row)
            target = graph.catalog.symbol(edge.target)
            names = (target.name, graph.catalog.symbol(target.parent).name if target.parent else "")  # a constructor
            if called in names and site in edge.sites:
                return True
        return False


def _held(facts: FileFacts, name: str) -> set[str]:
    """Return the access paths that may mean a type, an object of it, or what contains or returns one."""
    held = {name, f"{name}()"}
    values = {row.scope: row.name for row in facts.bindings if row.name[:4] == "%fn:"}
    for _ in range(_ROUNDS):
        before = len(held)
        rows = (row for row in facts.bindings if row.manner != "parameter" and _bare(row.value) in held)
        held.update(re.split(r"[.\[]", row.name)[0] if row.name[:1] == "%" else row.name for row in rows)
        for row in (row for row in facts.returns if row.manner != "type" and _bare(row.value) in held):
            symbol = facts.symbols[row.scope]
            found = _LAMBDA.fullmatch(symbol.name)
            value = f"%fn:{found[1]}" if found is not None else values.get(row.scope, "")
            held.update((value,) if value else (symbol.name, f"{symbol.name}()"))
        if len(held) == before:
            break
    return held


def _handing(facts: FileFacts, held: set[str]) -> Iterator[Reference]:
    """Yield the calls that have one of some access paths as an argument."""
    for row in facts.references:
        if row.kind in ("call", "new") and any(_bare(each.partition("=")[2] or each) in held for each in row.args):
            yield row


def _bare(path: str) -> str:
    """Return an access path without arguments of its last call, without modules, and without ``*``."""
    path = path.lstrip("*")
    if path.endswith(")") and path[:1] != "%" and (steps := parse(path)[1]):
        path = f"{path.removesuffix(steps[-1])}()"
    return path.rpartition(".")[2] if path[:5] not in ("self.", "this.") else path
