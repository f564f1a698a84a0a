"""Questions about the graph before it is ready: the edges in question are resolved with what they depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from codeexplore.graph.build.calls import MAX_BY_NAME
from codeexplore.graph.build.resolve import resolve
from codeexplore.graph.build.rules import BY_NAME
from codeexplore.graph.demand.facts_index import FactsIndex, last_of
from codeexplore.graph.demand.family import Family
from codeexplore.graph.demand.program_slice import ProgramSlice
from codeexplore.graph.demand.sliced_modules import rules_of_slice
from codeexplore.graph.families import family_of, rules_of
from codeexplore.graph.incremental.provisional import select_edges
from codeexplore.graph.merge import EdgeBlock, RowMap, piece_of, remap
from codeexplore.types import CALLABLE_KINDS, EDGE_KINDS, TYPE_KINDS, Symbol

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.graph.incremental.edit_diff import Edited
    from codeexplore.workspace.partial_resolve import State

_MAKING = frozenset({"__init__", "__new__", "__post_init__", "constructor", "<init>"})
MOST_EDITED: Final = 60_000
"""Facts of edited scopes that are resolved before the whole graph, about 2 s of processor time."""

_ABOVE = tuple(EDGE_KINDS.index(kind) for kind in ("EXTENDS", "IMPLEMENTS", "OVERRIDES"))


class Found(NamedTuple):
    """Edges that answer a question.

    `looked` of the `places` files that may contain the edges were read. `cut` is True if a budget ended the search.
    """

    edges: EdgeBlock
    looked: int
    places: int
    cut: bool


class _Places:
    """Files to look at, each once, in the order in which they are added."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = dict.fromkeys(paths)
        self.looked = 0

    def add(self, paths: Iterable[str]) -> None:
        self.paths |= dict.fromkeys(paths)

    def include(self, other: _Places) -> None:
        """Count the files of another search too."""
        looked = dict.fromkeys([*list(self.paths)[: self.looked], *list(other.paths)[: other.looked]])
        rest = [path for path in (*self.paths, *other.paths) if path not in looked]
        self.paths, self.looked = dict.fromkeys((*looked, *rest)), len(looked)

    def __len__(self) -> int:
        return len(self.paths)

    def read(self, sliced: ProgramSlice) -> Iterator[tuple[str, FactsIndex]]:
        """Yield the files with their facts, until all were looked at or the budget is spent."""
        while self.looked < len(self.paths):
            path = list(self.paths)[self.looked]
            index = sliced.read(path)
            if index is None:
                return
            self.looked += 1
            yield path, index


class GraphQuestions:
    """Questions about the edges of one state of a repository, answered by resolving slices of its facts.

    The symbols of a question belong to one language family. The methods raise KeyError for symbols of text files.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._families: dict[str, Family] = {}
        self._file_number = {path: number for number, path in enumerate(state.sources.paths)}

    # ----------------------------------------------------------------- questions

    def users(self, symbols: Sequence[Symbol], inside: Symbol | None = None) -> Found:
        """Return the edges to symbols and to the constructors of types, from all files or from `inside` one symbol."""
        catalog, family = self._state.catalog, self._family(symbols[0].language)
        ends = self._with_constructors(symbols)
        names, written = self._names(symbols, ends)
        decorators = {last_of(decorator) for symbol in symbols for decorator in symbol.decorators}
        making = any(symbol.name in _MAKING or symbol.kind in TYPE_KINDS for symbol in symbols)
        classes = family.rules.classes
        supers = classes.super_names | (frozenset() if classes.self_parameter else classes.instance_names)
        sliced = ProgramSlice(family)
        self._define(sliced, ends)
        scopes: Collection[int] = ()
        if inside is None:
            near = {name for symbol in symbols for name in self._around(symbol)}
            own = dict.fromkeys(symbol.path for symbol in symbols)
            local = all(self._is_local(symbol) for symbol in symbols)
            places = _Places((*own, *([] if local else family.mentioning(written, near, symbols[0].path))))
        else:
            first = catalog.symbol_rows_in(inside.path)[0]
            scopes = {row - first for row in self._inside(inside)}
            places = _Places((inside.path,))
        unknown: list[tuple[FactsIndex, int]] = []
        for path, index in places.read(sliced):
            others = _aliases(index, names)
            rows, passing = _using(index, others)
            unknown += ((index, scope) for scope in _types_around(index, rows))
            rows += _constructor_calls(index, names, supers) if making else []
            if inside is not None:
                rows = [row for row in rows if index.facts.references[row].scope in scopes]
            elif (
                fresh := ({name for _, name in _subtypes(index, written & names)} | _stored_as(index, written)) - names
            ):
                names |= fresh  # a subtype without a constructor is made by the constructor in question
                places.add(family.mentioning(fresh))
            if inside is None:
                sliced.define(path, [scope for scope, _ in _subtypes(index, names)])
            sliced.use(path, rows, passed=others)
            sliced.imports(path, (row for name in others for row in index.imports.get(name, ())))
            sliced.follow_passed([*decorators, *(last_of(index.facts.references[row].path) for row in passing)])
            if sliced.has_read_half:  # the rest is for what the places depend on
                sliced.grow()
        sliced.grow()
        self._combine(sliced, unknown, [each for each in map(self._type_of, symbols) if each.kind in TYPE_KINDS])
        edges = self._resolved(sliced)
        return Found(
            _only(edges, np.isin(edges.tables["edges"]["target"], ends)), places.looked, len(places), sliced.cut
        )

    def _is_local(self, symbol: Symbol) -> bool:
        """Return True if a symbol is defined inside a function, so that only code of its file can name it."""
        return symbol.parent is not None and self._state.catalog.symbol(symbol.parent).kind in CALLABLE_KINDS

    def _combine(self, sliced: ProgramSlice, types: Sequence[tuple[FactsIndex, int]], owners: Sequence[Symbol]) -> None:
        """Demand the subtypes of `owners` if one of `types` calls a method of its own instance that is in question.

        A subtype may have an owner and such a type as supertypes. Then the call reaches the method of the owner.
        """
        names = {owner.name for owner in owners}
        inherited = (
            any(other.facts.symbols[row].name in names for other, row in sliced.above(index, scope))
            for index, scope in types
        )
        todo, seen = set[str]() if all(inherited) else names, set[str]()
        while todo:
            level = _Places(sliced.family.naming_in_types(todo, owners[0].path))
            found = [(path, *each) for path, index in level.read(sliced) for each in _subtypes(index, todo)]
            for path, scope, _ in found:
                sliced.define(path, (scope,))
            seen |= todo
            todo = {name for _, _, name in found} - seen
        sliced.grow()

    def used(self, symbols: Sequence[Symbol]) -> Found:
        """Return the edges from symbols, from the constructors of types and from lambdas inside functions."""
        starts = self._with_lambdas(self._with_constructors(symbols))
        sliced = ProgramSlice(self._family(symbols[0].language))
        self._define(sliced, starts)
        for path, scopes in self._by_file(starts).items():
            index = sliced.read(path)
            if index is not None:
                rows = [row for scope in scopes for row in index.by_scope.get(scope, ())]
                sliced.use(path, rows, dispatch=True)
        sliced.grow()
        if any(sliced.asks_arguments(path, scopes) for path, scopes in self._by_file(starts).items()):
            names, written = self._names(symbols, starts)
            places = sliced.family.mentioning(written, self._around(symbols[0]), symbols[0].path)
            for path, index in _Places(places).read(sliced):
                sliced.use(path, [row for name in names for row in index.references.get(name, ())])
                sliced.grow()
        edges = self._resolved(sliced)
        files = len({symbol.path for symbol in symbols})
        return Found(_only(edges, np.isin(edges.tables["edges"]["source"], starts)), files, files, sliced.cut)

    def below(self, symbols: Sequence[Symbol]) -> Found:
        """Return the edges from subtypes to supertypes and from overriding to overridden methods, below symbols."""
        catalog, family = self._state.catalog, self._family(symbols[0].language)
        sliced = ProgramSlice(family)
        self._define(sliced, [catalog.symbol_row(symbol.id) for symbol in symbols])
        names = {each.name for each in map(self._type_of, symbols) if each.kind in TYPE_KINDS}
        places = _Places(symbol.path for symbol in symbols)
        methods = {symbol.name for symbol in symbols if symbol.kind not in TYPE_KINDS}
        if family.rules.classes.structural:
            asked = {name for symbol in symbols for name in self._asked_by(family, symbol)}
            methods |= asked
            if asked:  # a type has all of them, itself or from a type that it embeds
                places.add(family.defining(min(sorted(asked), key=lambda name: len(family.defining(name)))))
        for name in sorted(methods):
            sliced.member(name)
        for path, index in places.read(sliced):
            sliced.define(path, [row for name in methods for row in index.symbols.get(name, ())])
        for level_of in (family.naming_in_types, family.mentioning):  # signatures first, as the budget may end the rest
            seen, todo = set[str](), names
            while todo:  # the types of one level, then the types below them
                level = _Places(level_of(todo, around=symbols[0].path))
                found = [(path, *each) for path, index in level.read(sliced) for each in _subtypes(index, todo)]
                for path, scope, _ in found:
                    sliced.define(path, (scope,))
                places.include(level)
                seen |= todo
                todo = {name for _, _, name in found} - seen
            names = seen
        sliced.grow()
        edges = self._resolved(sliced)
        return Found(
            _only(edges, np.isin(edges.tables["edges"]["kind"], _ABOVE)), places.looked, len(places), sliced.cut
        )

    def edited(self, edits: Mapping[str, Edited]) -> list[EdgeBlock]:
        """Return the edges of edited scopes and of uses of names that an edit defines anew, a block for each family."""
        families: dict[str, dict[str, Edited]] = defaultdict(dict)
        for path, each in edits.items():
            families[family_of(each.facts.language)][path] = each
        return [self._of_edit(edits_in) for name, edits_in in families.items() if name]

    # ----------------------------------------------------------------- parts

    def _of_edit(self, edits: Mapping[str, Edited]) -> EdgeBlock:
        family = self._family(next(iter(edits.values())).facts.language)
        sliced = ProgramSlice(family)
        marked, sites = np.zeros(len(self._state.catalog.symbols), np.bool_), []

        def mark(path: str, scopes: Iterable[int]) -> None:
            marked[np.array(self._state.catalog.symbol_rows_in(path), np.int64)[sorted(scopes)]] = True

        left = MOST_EDITED
        for path, each in edits.items():
            index = sliced.read(path) if left > 0 else None
            if index is not None:
                rows = [row for scope in sorted(each.scopes) for row in index.by_scope.get(scope, ())]
                edited = (
                    len(each.scopes) + 2 * len(rows) + sum(row.scope in each.scopes for row in index.facts.bindings)
                )
                sliced.allow(edited)
                left -= edited
                sliced.define(path, sorted(each.scopes))
                sliced.use(path, rows, dispatch=True)
                new = set(each.lines.tolist())
                sliced.imports(path, (row for row in index.facts.imports if row.line in new))
            mark(path, each.scopes)
            sites.append(self._file_number[path] << 32 | each.lines)
        sliced.grow()
        names = frozenset().union(*(each.names for each in edits.values()))
        places = _Places(family.mentioning(names) if names else ())
        for path, index in places.read(sliced):
            rows = [row for name in sorted(index.references.keys() & names) for row in index.references[name]]
            sliced.use(path, rows)
            sliced.grow()
            mark(path, {index.facts.references[row].scope for row in rows})
        return select_edges(self._resolved(sliced), marked, np.concatenate(sites))

    def _family(self, language: str) -> Family:
        rules = rules_of(language)
        if rules is None:
            raise KeyError(language)
        found = self._families.get(rules.family)
        if found is None:
            state = self._state
            found = Family(rules, state.sources, state.files.facts, state.catalog, state.manifests)
            self._families[rules.family] = found
        return found

    def _with_constructors(self, symbols: Iterable[Symbol]) -> list[int]:
        """Return the rows of symbols and of the constructors of types."""
        table, found = self._state.catalog.symbols, dict[int, None]()
        for symbol in symbols:
            row = self._state.catalog.symbol_row(symbol.id)
            found[row] = None
            if symbol.kind in TYPE_KINDS:
                for name in (*_MAKING, symbol.name, "new"):
                    fqns = {f"{symbol.fqn}{separator}{name}" for separator in (".", "::")}
                    for each in self._state.catalog.names().get(name, ()):
                        if table.parents[each] == row or table[each].fqn in fqns:
                            found[int(each)] = None
        return list(found)

    def _with_lambdas(self, rows: Iterable[int]) -> list[int]:
        """Return `rows` and the rows of all lambdas inside these symbols."""
        table, found = self._state.catalog.symbols, dict.fromkeys(rows)
        for path in {table.name(row)[2] for row in found}:
            for row in self._state.catalog.symbol_rows_in(path):
                if int(table.parents[row]) in found and table.name(row)[1] == "lambda":
                    found[row] = None
        return list(found)

    def _inside(self, symbol: Symbol) -> list[int]:
        """Return the rows of a symbol and of everything defined inside."""
        table, found = self._state.catalog.symbols, {self._state.catalog.symbol_row(symbol.id)}
        for row in self._state.catalog.symbol_rows_in(symbol.path) if symbol.kind != "module" else ():
            if int(table.parents[row]) in found:
                found.add(row)
        return sorted(found)

    def _by_file(self, rows: Iterable[int]) -> dict[str, list[int]]:
        """Return symbols as their rows in their files, by path."""
        found: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            path = self._state.catalog.symbols.name(row)[2]
            found[path].append(row - self._state.catalog.symbol_rows_in(path)[0])
        return found

    def _define(self, sliced: ProgramSlice, rows: Iterable[int]) -> None:
        for path, scopes in self._by_file(rows).items():
            sliced.define(path, scopes)

    def _around(self, symbol: Symbol) -> set[str]:
        """Return the name of the type or module around a symbol, which most files that use the symbol contain."""
        if symbol.parent is None:
            return set()
        parent = self._state.catalog.symbol(symbol.parent)
        return {last_of(parent.fqn.replace("::", ".").replace("/", "."))}

    def _names(self, symbols: Iterable[Symbol], ends: Iterable[int]) -> tuple[set[str], set[str]]:
        """Return the last names of references that may mean `symbols`, and the words of which a file contains one.

        A constructor is called by the name of its type. Special methods are called by syntax: then the word is the name
        of the type.
        """
        catalog = self._state.catalog
        names = {symbol.name for symbol in symbols} | {catalog.symbols.name(row)[0] for row in ends}
        written = {symbol.name for symbol in symbols}
        for symbol in symbols:
            if symbol.parent is not None and (symbol.name in _MAKING or symbol.name.startswith("__")):
                parent = catalog.symbol(symbol.parent)
                if parent.kind in TYPE_KINDS:
                    written = (written - {symbol.name}) | {parent.name}
                    names |= {parent.name} if symbol.name in _MAKING else set()
        return names, written

    def _type_of(self, symbol: Symbol) -> Symbol:
        """Return the symbol that contains a method; a type itself."""
        if symbol.kind in TYPE_KINDS or symbol.parent is None:
            return symbol
        return self._state.catalog.symbol(symbol.parent)

    def _asked_by(self, family: Family, symbol: Symbol) -> set[str]:
        """Return the names of the methods of an interface, or of the interface of a method, with embedded ones."""
        owner = self._type_of(symbol)
        found, seen, todo = set[str](), set[str](), [(owner.path, owner.name)] if owner.kind == "interface" else []
        for path, name in todo:
            index = family.index(path)
            for row in index.symbols.get(name, ()):
                if index.facts.symbols[row].kind == "interface":
                    found |= {
                        each.name
                        for each, parent in zip(index.facts.symbols, index.parents, strict=True)
                        if parent == row and each.kind in ("method", "function")
                    }
                    for base in (last_of(base.path) for base in index.bases.get(row, ())):
                        if base not in seen:
                            seen.add(base)
                            todo += [(other, base) for other in family.defining(base)]
        return found

    def _resolved(self, sliced: ProgramSlice) -> EdgeBlock:
        """Return the edges and other references of a slice, with the rows and file numbers of the repository."""
        family, parts = sliced.family, sliced.files()
        facts, rows, numbers = [], [], []
        for path in sorted(parts, key=family.number.__getitem__):
            facts.append(parts[path].facts)
            rows.append(np.array(parts[path].rows) + self._state.catalog.symbol_rows_in(path)[0])
            numbers.append(self._file_number[path])
        rules = rules_of_slice(family.rules, family.locator, [family.number[each.path] for each in facts])
        found = resolve(facts, manifests=self._state.manifests, rules=rules)
        block = remap(piece_of(found), RowMap(np.concatenate(rows), np.array(numbers)))
        return _only(block, ~self._is_ambiguous(family, block))

    def _is_ambiguous(self, family: Family, block: EdgeBlock) -> NDArray[np.bool_]:
        """Return a mask of the edges that guess by a name which too many definitions outside the slice have too."""
        edges = block.tables["edges"]
        guessed = np.isin(edges["rule"], [number for number, key in enumerate(block.words["edges"]) if key in BY_NAME])
        targets = np.unique(edges["target"][guessed]).tolist()
        return guessed & np.isin(
            edges["target"], [row for row in targets if self._number_alike(family, row) > MAX_BY_NAME]
        )

    def _number_alike(self, family: Family, row: int) -> int:
        """Return how many symbols are of the name and kind of this one, and members of a type like it or not."""
        table, is_type = self._state.catalog.symbols, self._is_type
        name, kind, _ = table.name(row)
        alike = [
            int(each)
            for each in self._state.catalog.names()[name]
            if is_type[table.parents[each]] == is_type[table.parents[row]]
        ]
        return sum(1 for _, other, path in map(table.name, alike) if other == kind and path in family.number)

    @cached_property
    def _is_type(self) -> NDArray[np.bool_]:
        """A mask of the types among all symbols, and False at the end for symbols without a parent (-1)."""
        return np.append(self._state.catalog.symbols.of_kinds(TYPE_KINDS), False)


def _only(block: EdgeBlock, wanted: NDArray[np.bool_]) -> EdgeBlock:
    """Return the marked edges of a block, and all its other references."""
    from codeexplore.graph.merge import picked

    edges = picked(block.tables["edges"], np.flatnonzero(wanted))
    return block._replace(tables={**block.tables, "edges": edges})


def _aliases(index: FactsIndex, names: Collection[str]) -> set[str]:
    """Return `names` and the names by which a file imports or binds values with these names."""
    found = {*names, *(row.name for rows in index.imports.values() for row in rows if row.member in names)}
    for rows in index.bindings.values():
        found |= {last_of(row.name) for row in rows if row.value[-1:] not in (")", "]") and last_of(row.value) in found}
    return found


def _using(index: FactsIndex, names: Collection[str]) -> tuple[list[int], list[int]]:
    """Return the references whose last name is one of `names`, with those that pass such a value as an argument.

    The latter are also returned alone.
    """
    found = {row for name in names for row in index.references.get(name, ())}
    passing = [
        row
        for row, reference in enumerate(index.facts.references)
        if any(argument[-1:] != ")" and last_of(argument.rpartition("=")[2]) in names for argument in reference.args)
    ]
    return sorted(found.union(passing)), passing


def _stored_as(index: FactsIndex, names: Collection[str]) -> set[str]:
    """Return the members of a file to which one of `names` is assigned: then other files use it by these names."""
    return {
        last_of(row.name)
        for rows in index.bindings.values()
        for row in rows
        if row.value in names and "." in row.name and row.name[0] != "%"
    }


def _types_around(index: FactsIndex, rows: Iterable[int]) -> set[int]:
    """Return the types whose methods call members of their own instance in one of the references `rows`."""
    found = set()
    for row in rows:
        reference = index.facts.references[row]
        root, _, rest = reference.path.partition(".")
        if rest and (scope := index.type_of_receiver(reference.scope, root)) >= 0:
            found.add(scope)
    return found


def _constructor_calls(index: FactsIndex, names: Collection[str], words: Collection[str]) -> list[int]:
    """Return the references that call a constructor by one of `words` (``super(…)``, ``this(…)``).

    They are in the types with one of `names` and in their subtypes.
    """
    types = {row for name in names for row in index.symbols.get(name, ()) if index.is_type[row]}
    types.update(scope for scope, _ in _subtypes(index, names))
    rows = [row for word in words for row in index.references.get(word, ())]
    return [row for row in rows if not types.isdisjoint(index.chain(index.facts.references[row].scope))]


def _subtypes(index: FactsIndex, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (scope, name of the subtype) for each supertype in a file whose name is one of `names`."""
    known = set(names) | {row.name for rows in index.imports.values() for row in rows if row.member in names}
    for scope, bases in index.bases.items():
        for base in bases:
            if last_of(base.path) in known:
                yield scope, last_of(base.type) if base.type else index.facts.symbols[scope].name
