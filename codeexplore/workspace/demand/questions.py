"""Questions about the graph before it is ready: the edges in question are resolved with what they depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeexplore.graph.demand.facts_index import FactsIndex, last_of
from codeexplore.graph.demand.program_slice import ProgramSlice
from codeexplore.languages.registry import family_of
from codeexplore.types import EDGE_KINDS, TYPE_KINDS
from codeexplore.workspace.demand.asked_symbols import CONSTRUCTORS, AskedSymbols
from codeexplore.workspace.demand.edited_edges import edges_of_edits
from codeexplore.workspace.demand.name_uses import aliases, constructor_calls, stored_as, subtypes, types_around, using
from codeexplore.workspace.demand.places import Places
from codeexplore.workspace.demand.slice_edges import SliceEdges, pick_edges
from codeexplore.workspace.demand.subtypes import demand_subtypes, methods_asked

if TYPE_CHECKING:
    from codeexplore.graph.incremental.edit_diff import Edited
    from codeexplore.graph.merge import EdgeBlock
    from codeexplore.types import Symbol
    from codeexplore.workspace.partial_resolve import State

_ABOVE = tuple(EDGE_KINDS.index(kind) for kind in ("EXTENDS", "IMPLEMENTS", "OVERRIDES"))


class Found(NamedTuple):
    """Edges that answer a question.

    `looked` of the `places` files that may contain the edges were read. `cut` is True if a budget ended the search.
    """

    edges: EdgeBlock
    looked: int
    places: int
    cut: bool


class GraphQuestions:
    """Questions about the edges of one state of a repository, answered by resolving slices of its facts.

    The symbols of a question belong to one language family. The methods raise KeyError for symbols of text files.
    """

    def __init__(self, state: State) -> None:
        self._catalog = state.catalog
        self._symbols = AskedSymbols(state.catalog)
        self._edges = SliceEdges(state)

    def users(self, symbols: Sequence[Symbol], inside: Symbol | None = None) -> Found:
        """Return the edges to symbols and to the constructors of types, from all files or from `inside` one symbol."""
        catalog, family = self._catalog, self._edges.family(symbols[0].language)
        ends = self._symbols.with_constructors(symbols)
        names, written = self._symbols.names(symbols, ends)
        decorators = {last_of(decorator) for symbol in symbols for decorator in symbol.decorators}
        making = any(symbol.name in CONSTRUCTORS or symbol.kind in TYPE_KINDS for symbol in symbols)
        classes = family.rules.classes
        supers = classes.super_names | (frozenset() if classes.self_parameter else classes.instance_names)
        sliced = ProgramSlice(family)
        self._define(sliced, ends)
        scopes: Collection[int] = ()
        if inside is None:
            near = {name for symbol in symbols for name in self._symbols.around(symbol)}
            own = dict.fromkeys(symbol.path for symbol in symbols)
            local = all(self._symbols.is_local(symbol) for symbol in symbols)
            places = Places((*own, *([] if local else family.mentioning(written, near, symbols[0].path))))
        else:
            first = catalog.symbol_rows_in(inside.path)[0]
            scopes = {row - first for row in self._symbols.inside(inside)}
            places = Places((inside.path,))
        unknown: list[tuple[FactsIndex, int]] = []
        for path, index in places.read(sliced):
            others = aliases(index, names)
            rows, passing = using(index, others)
            unknown += ((index, scope) for scope in types_around(index, rows))
            rows += constructor_calls(index, names, supers) if making else []
            if inside is not None:
                rows = [row for row in rows if index.facts.references[row].scope in scopes]
            elif fresh := ({name for _, name in subtypes(index, written & names)} | stored_as(index, written)) - names:
                names |= fresh  # a subtype without a constructor is made by the constructor in question
                places.add(family.mentioning(fresh))
            if inside is None:
                sliced.define(path, [scope for scope, _ in subtypes(index, names)])
            sliced.use(path, rows, passed=others)
            sliced.imports(path, (row for name in others for row in index.imports.get(name, ())))
            sliced.follow_passed([*decorators, *(last_of(index.facts.references[row].path) for row in passing)])
            if sliced.has_read_half:  # the rest is for what the places depend on
                sliced.grow()
        sliced.grow()
        owners = map(self._symbols.type_of, symbols)
        self._combine(sliced, unknown, [owner for owner in owners if owner.kind in TYPE_KINDS])
        edges = self._edges.of(sliced)
        return Found(
            pick_edges(edges, np.isin(edges.tables["edges"]["target"], ends)), places.looked, len(places), sliced.cut
        )

    def used(self, symbols: Sequence[Symbol]) -> Found:
        """Return the edges from symbols, from the constructors of types and from lambdas inside functions."""
        starts = self._symbols.with_lambdas(self._symbols.with_constructors(symbols))
        sliced = ProgramSlice(self._edges.family(symbols[0].language))
        self._define(sliced, starts)
        for path, scopes in self._symbols.by_file(starts).items():
            index = sliced.read(path)
            if index is not None:
                rows = [row for scope in scopes for row in index.by_scope.get(scope, ())]
                sliced.use(path, rows, dispatch=True)
        sliced.grow()
        if any(sliced.asks_arguments(path, scopes) for path, scopes in self._symbols.by_file(starts).items()):
            names, written = self._symbols.names(symbols, starts)
            places = sliced.family.mentioning(written, self._symbols.around(symbols[0]), symbols[0].path)
            for path, index in Places(places).read(sliced):
                sliced.use(path, [row for name in names for row in index.references.get(name, ())])
                sliced.grow()
        edges = self._edges.of(sliced)
        files = len({symbol.path for symbol in symbols})
        return Found(pick_edges(edges, np.isin(edges.tables["edges"]["source"], starts)), files, files, sliced.cut)

    def below(self, symbols: Sequence[Symbol]) -> Found:
        """Return the edges from subtypes to supertypes and from overriding to overridden methods, below symbols."""
        catalog, family = self._catalog, self._edges.family(symbols[0].language)
        sliced = ProgramSlice(family)
        self._define(sliced, [catalog.symbol_row(symbol.id) for symbol in symbols])
        names = {each.name for each in map(self._symbols.type_of, symbols) if each.kind in TYPE_KINDS}
        places = Places(symbol.path for symbol in symbols)
        methods = {symbol.name for symbol in symbols if symbol.kind not in TYPE_KINDS}
        if family.rules.classes.structural:
            owners = map(self._symbols.type_of, symbols)
            asked = {name for owner in owners if owner.kind == "interface" for name in methods_asked(family, owner)}
            methods |= asked
            if asked:  # a type has all of them, itself or from a type that it embeds
                places.add(family.defining(min(sorted(asked), key=lambda name: len(family.defining(name)))))
        for name in sorted(methods):
            sliced.member(name)
        for path, index in places.read(sliced):
            sliced.define(path, [row for name in methods for row in index.symbols.get(name, ())])
        for files_of in (family.naming_in_types, family.mentioning):  # signatures first, the budget may end the rest
            names, levels = demand_subtypes(sliced, names, partial(files_of, around=symbols[0].path))
            for level in levels:
                places.include(level)
        sliced.grow()
        edges = self._edges.of(sliced)
        return Found(
            pick_edges(edges, np.isin(edges.tables["edges"]["kind"], _ABOVE)), places.looked, len(places), sliced.cut
        )

    def edited(self, edits: Mapping[str, Edited]) -> list[EdgeBlock]:
        """Return the edges of edited scopes and of uses of names that an edit defines anew, a block for each family."""
        families: dict[str, dict[str, Edited]] = defaultdict(dict)
        for path, each in edits.items():
            families[family_of(each.facts.language)][path] = each
        return [edges_of_edits(self._edges, self._catalog, each) for name, each in families.items() if name]

    def _combine(self, sliced: ProgramSlice, types: Sequence[tuple[FactsIndex, int]], owners: Sequence[Symbol]) -> None:
        """Demand the subtypes of `owners` if one of `types` calls a method of its own instance that is in question.

        A subtype may have an owner and such a type as supertypes. Then the call reaches the method of the owner.
        """
        names = {owner.name for owner in owners}
        inherited = (
            any(other.facts.symbols[row].name in names for other, row in sliced.above(index, scope))
            for index, scope in types
        )
        if owners and not all(inherited):
            demand_subtypes(sliced, names, partial(sliced.family.naming_in_types, around=owners[0].path))
            sliced.grow()

    def _define(self, sliced: ProgramSlice, rows: Iterable[int]) -> None:
        for path, scopes in self._symbols.by_file(rows).items():
            sliced.define(path, scopes)
