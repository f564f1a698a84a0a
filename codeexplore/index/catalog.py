"""Catalog: the symbols and chunks of a workspace, found by row, id, name, or file and line.

All code above `syntax` looks symbols and chunks up here. A catalog is immutable. Its symbols and chunks are columns, in
memory or in a stored file. They are found by row, id and file, by name (exact, public, similar, by prefix) and by line.
A *row* is the position of a symbol in `symbols`, or of a chunk in `chunks`. The row of a chunk is also its row in every
array of the index.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from codeexplore.index.columns import (
    CHUNKS,
    SYMBOLS,
    Columns,
    Run,
    Spliced,
    Strings,
    is_first,
    members_in,
    packed,
    splice,
    taken,
)
from codeexplore.index.qualified_names import (
    EXTERNAL,
    SHOWN_LAMBDA,
    STUBS,
    chosen_types,
    external_symbol,
    innermost,
    is_inside,
    name_parts,
    packages,
    short,
    shown_name,
    takes_types,
)
from codeexplore.index.symbol_table import (
    Codes,
    RowsBy,
    SymbolTable,
    check_range,
    check_rows,
    chunk_members,
    symbol_members,
)
from codeexplore.languages.file_roles import PathRoles, has_test_name, is_example, is_inline_test, marks
from codeexplore.languages.registry import by_path, is_of_file, is_part, is_text, record_of
from codeexplore.text.similar_names import most_similar
from codeexplore.types import CALLABLE_KINDS, TEXT_KINDS, TYPE_KINDS, NextStep, Symbol
from codeexplore.types.errors import AmbiguousSymbol, SymbolNotFound

_MOST_ABOVE = 20  # supertypes of a test, by their names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.index.columns import Member, Members
    from codeexplore.index.symbol_table import ChunkTable
    from codeexplore.types import Chunk, SymbolKind


_REMEMBERED: Final = 256
"""Number of names for which the result of `Catalog.meant` is cached."""
_FORWARDING: Final = frozenset({"module", "constant", "field"})
"""Kinds of symbols that may only forward to another symbol with the same name: a module with one function, an alias."""
_WIDER: Final = 4
"""For each suggestion, this many similar names are searched, so that names of tests can be ranked last and left out."""
_ALIKE: Final = 500
"""Most symbols of one name that are compared to find the best suggestion."""


class KnowsPublicNames(Protocol):
    """Lookup of symbols by their public names, which follow from re-exports, aliases, packages and inheritance.

    See `codeexplore.names.public_names.PublicNames`.
    """

    def find(self, name: str) -> tuple[Symbol, ...]: ...
    def find_loosely(self, name: str) -> tuple[Symbol, ...]: ...
    def renamed(self, parts: Sequence[str]) -> tuple[Symbol, ...]: ...
    def rank(self, symbol: Symbol, name: str = "") -> Any: ...
    def offered(self, head: str) -> Sequence[str]: ...
    def named_by(self, symbol: Symbol) -> tuple[Symbol, ...]: ...
    def in_some_builds(self, symbol: Symbol) -> bool: ...


class Catalog:
    """Symbols and chunks of one snapshot, by row, by name, and by file and line.

    The tables were made from the members in `columns`. If `names` is True, these contain the result of `name_members`;
    otherwise it is computed on first use.
    """

    root: str = ""
    """The folder that paths are relative to, set by the workspace; "" for a catalog made directly from records."""

    roles: PathRoles = PathRoles()
    """The roles of the files; set by the load, because the settings of the repository decide too."""

    public_names: KnowsPublicNames | None = None
    """Set by the index that owns the catalog. If it is None, only qualified names and their last parts are found."""

    def __init__(self, symbols: SymbolTable, chunks: ChunkTable, columns: Members, names: bool = False) -> None:
        self.symbols, self.chunks, self.columns = symbols, chunks, columns
        self._stored: tuple[Strings, NDArray[np.integer], NDArray[np.integer]] | None = None
        self._starts: dict[str, set[tuple[str, ...]]] = {}
        if names:
            keys, first, rows = Strings.of(columns, "name"), columns.array("name.first"), columns.array("name.rows")
            check_rows(len(keys) + 1, first)
            check_range(first, 0, len(rows) + 1)
            check_range(rows, 0, len(symbols))
            self._stored = keys, first, rows

    # ----------------------------------------------------------------- all rows

    def chunk_files(self) -> tuple[Sequence[str], NDArray[np.integer]]:
        """Return the paths of the files, and for each chunk the position of its file among them: shape (n_chunks,)."""
        return self.symbols.paths, self.chunks.path_numbers

    def chunks_of_text(self) -> NDArray[np.bool_]:
        """Return a mask over the chunks, shape (n_chunks,): True if a chunk is not code."""
        return self.chunks.of_languages(is_text) | self.chunks_of_kinds(TEXT_KINDS)

    def chunks_of_kinds(self, kinds: Collection[str]) -> NDArray[np.bool_]:
        """Return a mask over the chunks, shape (n_chunks,): True if a chunk shows a symbol of one of `kinds`."""
        rows = self.chunks.symbol_rows
        return (rows >= 0) & self.symbols.of_kinds(kinds)[rows] if len(self.symbols) else rows >= 0

    @cached_property
    def inline_tests(self) -> NDArray[np.bool_]:
        """Mask over the chunks, shape (n_chunks,): True for tests inside source files, as Rust has them."""
        found = self.chunks.of_languages(lambda language: record_of(language).test_modules is not None)
        rows = np.flatnonzero(found & (self.chunks.symbol_rows >= 0))
        owners = zip(rows.tolist(), self.chunks.symbol_rows[rows].tolist(), strict=True)
        found[:] = False
        found[[row for row, owner in owners if is_inline_test(self.symbols[owner])]] = True
        return found

    def chunk_owners(self, kinds: Collection[SymbolKind]) -> NDArray[np.integer]:
        """Return for each chunk the row of the innermost symbol of `kinds` that contains it: shape (n_chunks,).

        A chunk that shows such a symbol counts as inside it. The row is -1 if there is no such symbol.
        """
        found = self.chunks.symbol_rows.copy()
        owning = self.symbols.of_kinds(kinds)
        climbing = np.flatnonzero(found >= 0)
        while len(climbing := climbing[~owning[found[climbing]]]):
            found[climbing] = self.symbols.parents[found[climbing]]
            climbing = climbing[found[climbing] >= 0]
        return found

    # ----------------------------------------------------------------- by id

    def symbol(self, symbol_id: str) -> Symbol:
        """Return the symbol with this id, or one for any name after `EXTERNAL`. Raises KeyError."""
        row = self._symbol_row.get(symbol_id)
        if row is None and symbol_id.startswith(EXTERNAL):
            return external_symbol(symbol_id[len(EXTERNAL) :])
        return self.symbols[self._symbol_row[symbol_id]]

    def symbol_row(self, symbol_id: str) -> int:
        return self._symbol_row[symbol_id]

    def has_symbol(self, symbol_id: str) -> bool:
        return symbol_id in self._symbol_row

    def chunk(self, chunk_id: str) -> Chunk:
        return self.chunks[self._chunk_row[chunk_id]]

    def chunk_row(self, chunk_id: str) -> int:
        return self._chunk_row[chunk_id]

    # ----------------------------------------------------------------- by row

    def chunk_symbol(self, row: int) -> Symbol | None:
        """Return the symbol of the chunk in `row`, without reading the chunk's text; None if it has no symbol."""
        symbol = int(self.chunks.symbol_rows[row])
        return None if symbol < 0 else self.symbols[symbol]

    # ----------------------------------------------------------------- chunks of symbols

    def symbol_of(self, chunk: Chunk) -> Symbol | None:
        return None if chunk.symbol is None else self.symbol(chunk.symbol)

    def chunks_of(self, symbol_id: str) -> tuple[Chunk, ...]:
        """Return the chunks of a symbol, in order: several if it was split, none if a larger chunk shows it."""
        return tuple(self.chunks[row] for row in self._chunk_rows_of.get(symbol_id, ()))

    def chunk_for(self, symbol_id: str) -> Chunk | None:
        """Return the chunk that shows a symbol: its own first chunk, or else a chunk of the nearest enclosing symbol.

        If the enclosing symbol was split, the part with the line of the requested symbol is returned.
        """
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self.chunks[row]

    def chunk_row_for(self, symbol_id: str) -> int | None:
        """Return the row of the chunk that `chunk_for` returns, without reading the chunk's text; None for none."""
        current: str | None = symbol_id
        while current is not None:
            rows = self._chunk_rows_of.get(current)
            if rows:
                line = self.symbol(symbol_id).line if len(rows) > 1 else 0
                return next((row for row in rows if self.chunks.covers(row, line)), rows[0])
            current = self.symbol(current).parent
        return None

    def chunk_id_for(self, symbol_id: str) -> str | None:
        """Return the id of the chunk that `chunk_for` returns, without reading the chunk's text; None for none."""
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self.chunks.ids[row]

    def chunk_rows_for(self, symbol_rows: Sequence[int]) -> list[int]:
        """Return the rows of the chunks that show the given symbols, see `chunk_for`; -1 for none."""
        first, order = self._chunks_of_symbols
        at = np.array(symbol_rows, np.int64)
        begin = first[at]
        one = first[at + 1] - begin == 1
        found = np.full(len(at), -1, np.int64)
        found[one] = order[begin[one]]
        for place in np.flatnonzero(~one).tolist():  # symbols that have no chunk of their own, or several
            row = self.chunk_row_for(self.symbols.ids[symbol_rows[place]])
            found[place] = -1 if row is None else row
        rows: list[int] = found.tolist()
        return rows

    # ----------------------------------------------------------------- by file

    def in_file(self, path: str) -> tuple[Symbol, ...]:
        """Return the symbols of a file in source order, its module first; empty if the file is not indexed."""
        return tuple(self.symbols[row] for row in self._by_path.get(path, ()))

    def around(self, symbol: Symbol) -> Symbol | None:
        """Return the symbol in which a symbol is defined; None for one that is in no other."""
        return None if symbol.parent is None else self.symbol(symbol.parent)

    def all_around(self, symbol: Symbol) -> Iterator[Symbol]:
        """Yield the symbols in which a symbol is defined, innermost first."""
        while symbol.parent is not None:
            symbol = self.symbol(symbol.parent)
            yield symbol

    def named_around(self, symbol: Symbol) -> Symbol:
        """Return the symbol around a function without a name; another symbol is returned itself."""
        return next((each for each in (symbol, *self.all_around(symbol)) if each.kind != "lambda"), symbol)

    def is_of_file(self, symbol: Symbol) -> bool:
        """Return True if the language allows the use of a symbol in its own file only."""
        return is_of_file(symbol, self.around(symbol))

    def is_required(self, method: Symbol) -> bool:
        """Return True if subtypes implement a method: it is abstract, or of an interface. Others are overridden."""
        owner = self.around(method) or method
        words = {*marks(method), *method.signature.split()[:4]}
        marked = not words.isdisjoint(("abstractmethod", "abstractproperty", "abstract"))
        return marked or owner.kind in ("interface", "trait") or method.signature.endswith("= 0")

    def function_around(self, symbol: Symbol) -> Symbol | None:
        """Return the innermost function around a symbol that has a name; None if there is none."""
        around = (symbol, *self.all_around(symbol))
        return next((each for each in around if each.kind in ("function", "method")), None)

    def alias_around(self, symbol: Symbol) -> Symbol | None:
        """Return the alias in whose definition a type is defined: ``typedef struct tag { … } alias``; else None."""
        around = self.around(symbol) if symbol.kind in TYPE_KINDS else None
        return around if around is not None and around.kind == "type" else None

    def chunks_in(self, path: str) -> tuple[Chunk, ...]:
        """Return the chunks of a file in their order; an empty tuple if the file is not indexed."""
        return tuple(self.chunks[row] for row in self._chunks_by_path.get(path, ()))

    def symbol_rows_in(self, path: str) -> Sequence[int]:
        return self._by_path.get(path, ())

    def paths(self) -> tuple[str, ...]:
        """Return every indexed path, sorted."""
        return self._sorted_paths

    def find_paths(self, path: str) -> tuple[str, ...]:
        """Return the indexed path that equals `path`, or else the indexed paths that end in it at a folder boundary.

        A backslash is first read as a part of a name, then as Windows' separator of folders.
        """
        for form in dict.fromkeys((path, path.replace("\\", "/"))):
            found = (form,) if form in self._by_path else tuple(p for p in self._sorted_paths if p.endswith("/" + form))
            if found:
                return found
        return ()

    # ----------------------------------------------------------------- built on first use

    @cached_property
    def _symbol_row(self) -> dict[str, int]:
        ids = self.symbols.ids
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _chunk_row(self) -> dict[str, int]:
        ids = self.chunks.ids
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _chunks_of_symbols(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the start of each symbol's chunks, shape (n_symbols + 1,), and the rows of chunks sorted by symbol."""
        owners = self.chunks.symbol_rows
        order = np.argsort(owners, kind="stable")
        return np.searchsorted(owners[order], np.arange(len(self.symbols) + 1)), order

    @cached_property
    def _chunk_rows_of(self) -> Mapping[str, Sequence[int]]:
        return RowsBy(self._symbol_row, *self._chunks_of_symbols)

    @cached_property
    def _by_path(self) -> Mapping[str, Sequence[int]]:
        return self._grouped(self.symbols.path_numbers)

    @cached_property
    def _chunks_by_path(self) -> Mapping[str, Sequence[int]]:
        return self._grouped(self.chunks.path_numbers)

    @cached_property
    def _sorted_paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._by_path))

    def _grouped(self, numbers: NDArray[np.int32]) -> RowsBy:
        order = np.arange(len(numbers))
        if bool((numbers[1:] < numbers[:-1]).any()):
            order = np.argsort(numbers, kind="stable")
            numbers = numbers[order]
        first = np.searchsorted(numbers, np.arange(len(self.symbols.paths) + 1))
        used = np.flatnonzero(first[1:] > first[:-1])
        paths = [self.symbols.paths[number] for number in used.tolist()]
        return RowsBy.of(paths, np.append(first[used], len(order)), order)

    # ----------------------------------------------------------------- after an edit, and beside names outside

    def follow(self, spliced: Spliced, parts: Sequence[Catalog]) -> None:
        """Reuse results that the catalog had computed before an edit.

        `spliced` made the tables of this catalog. `parts` are the catalogs of its parts; the first is the catalog
        before the edit.
        """
        symbols, chunks, old = self.symbols, self.chunks, parts[0]
        # the lists of before, if they are equal: then the mappings from ids to rows are still right
        for runs, table, ids in (
            (spliced.symbols, symbols, [part.symbols.ids for part in parts]),
            (spliced.chunks, chunks, [part.chunks.ids for part in parts]),
        ):
            vars(table)["ids"] = ids[0] if is_first(runs, ids) else taken(runs, ids)
        symbols.made = taken(spliced.symbols, [part.symbols.made for part in parts])
        chunks.made = taken(spliced.chunks, [part.chunks.made for part in parts])
        if symbols.ids is old.symbols.ids and _same_names(spliced.symbols, [part.symbols for part in parts]):
            for name in _OF_NAMES & vars(old).keys():
                vars(self)[name] = vars(old)[name]
            if "kinds" in vars(old.symbols):
                vars(symbols)["kinds"] = old.symbols.kinds

    def members(self) -> dict[str, Member]:
        return {**members_in(self.columns, SYMBOLS), **members_in(self.columns, CHUNKS), **name_members(self.by_name)}

    def extended(self, symbols: Sequence[Symbol]) -> Catalog:
        """Return a catalog with more symbols after those of this catalog. They belong to no file and have no chunks."""
        numbers = Codes()
        more = Columns({**symbol_members(symbols, numbers), **chunk_members((), {}, numbers)})
        files = [
            *((0, file) for file in range(len(self.symbols.paths))),
            *((1, file) for file in numbers.number.values()),
        ]
        spliced = splice([self.columns, more], files)
        columns = Columns(spliced.members)
        table = SymbolTable(columns, [*self.symbols.paths, *numbers.number], check=False)
        table.made = [*self.symbols.made, *symbols]
        extended = Catalog(table, self.chunks, columns)
        extended.root, extended.roles = self.root, self.roles
        return extended

    # ----------------------------------------------------------------- by name

    def find(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols that `name` may mean.

        Four rules are tried in this order, and the first one that finds symbols decides:

        1. The id or the fqn of the symbol is `name`. A definition inside a module of that name is found with it: Go's
           ``main.main`` is the function of the module ``main.main``.
        2. `name` is a public name of the symbol.
        3. The fqn of the symbol ends in `name`.
        4. `name` is the path of a file, or its end. The symbol is the module of the file.

        Upper and lower case are distinguished. ``Session.get``, ``Session::get`` and ``sessions.py:…`` are all
        understood, and so are names as they are imported: ``flask.Flask`` for ``flask.app.Flask``. Types choose one of
        several overloads: ``Session.get(int)``. A symbol with this public name precedes a module of the same name.
        Symbols whose fqn ends in `name` are in the order of `symbols`.
        """
        name = name if name in self._symbol_row else name.strip()  # a name of Kotlin may end with a space
        if name in self._symbol_row:
            return (self.symbol(name),)
        if name.startswith(SHOWN_LAMBDA):
            around = self.find(name.rpartition(SHOWN_LAMBDA)[2].rpartition(", line ")[0])
            near = (each for path in dict.fromkeys(s.path for s in around) for each in self.in_file(path))
            return tuple(each for each in near if shown_name(each.fqn) == name)
        if types := chosen_types(name):
            return tuple(each for each in self.find(name[: name.rfind("(")]) if takes_types(each, types))
        parts = name_parts(name)
        if not parts:
            return ()
        candidates = [self.symbols[row] for row in self.by_name.get(parts[-1], ())]
        exact = tuple(s for s in candidates if s.fqn == name or (s.kind == "lambda" and innermost(s.fqn) == name))
        if exact and all(s.kind == "module" for s in exact):  # Go's ``main.main``, Python's ``glob.glob``
            inside = {s.id for s in exact}
            exact += tuple(s for s in candidates if s.parent in inside and s.kind != "module")
        if len(parts) == 1 and all(map(self.roles.is_test_symbol, exact)):
            exact = ()  # C's ``main`` in a test is no more meant than Rust's ``crate::main``
        public = self.public_names if len(parts) > 1 else None
        if public is None or any(s.kind not in _FORWARDING and not s.path.endswith(STUBS) for s in exact):
            offered: tuple[Symbol, ...] = ()
        else:
            offered = tuple(s for s in public.find(name) if s.kind != "module" or not exact)
        if offered or exact:
            return offered or exact
        ending = "." + ".".join(parts)  # a text comparison: splitting hundreds of names would take most of the time
        found = tuple(s for s in candidates if s.fqn.endswith(ending) or name_parts(s.fqn)[-len(parts) :] == parts)
        found = found or (() if public is None else public.find_loosely(name))
        if found or by_path(name) is None:
            return found
        return tuple(s for path in self.find_paths(name) for s in self.in_file(path)[:1] if s.kind == "module")

    def named(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols with `name` as their name or as the last part of their qualified name."""
        return tuple(map(self.symbols.__getitem__, self.by_name.get(name, ())))

    def exactly(self, parts: tuple[str, ...]) -> tuple[Symbol, ...]:
        return tuple(symbol for symbol in self.named(parts[-1]) if name_parts(symbol.fqn) == parts) if parts else ()

    def starts_in(self, folder: str, name: str) -> bool:
        """Return True if the package of a folder has the function `name` with which programs start."""
        if name not in self._starts:
            self._starts[name] = {name_parts(symbol.fqn) for symbol in self.named(name)}
        return bool(name) and (*name_parts(folder or name), name) in self._starts[name]

    @cached_property
    def meant(self) -> Callable[[str], tuple[Symbol, ...]]:
        """Function: name → the symbols that a user means by it: the result of `find` without weaker matches.

        A source file is preferred to its stub, a definition to the module of the same name, and a type to its
        constructor. If one place has several definitions of the name, the last one is effective; to a compiler, a type
        and a function are two things. Of the parts of a partial type, the longest is returned. For a package of many
        files, the module whose file has the same name is returned; if there is none, the first module with
        documentation. Results are cached, because a question may look up a name of hundreds of symbols again.
        """
        return lru_cache(maxsize=_REMEMBERED)(self._meant)

    def _meant(self, name: str) -> tuple[Symbol, ...]:
        found = self.find(name)
        if len(found) < 2:
            return found
        modules = all(s.kind == "module" for s in found)
        found = tuple(s for s in found if s.kind != "module" and s.kind not in TEXT_KINDS) or found
        found = tuple(s for s in found if not s.path.endswith(STUBS)) or found
        if len({s.fqn for s in found}) == 1 and all(map(is_part, found)):
            return (max(found, key=_extent),)
        if modules:
            return packages(found)
        in_force = {(s.path, s.fqn, s.kind in TYPE_KINDS and record_of(s.language).checked_types): s for s in found}
        files = Counter(s.path for s in in_force.values())
        places = {s.id: (s.path, name_parts(s.fqn)) for s in in_force.values() if files[s.path] > 1}
        all_places = set(places.values())  # hundreds of classes have a setUp: comparing all pairs would be slow
        found = tuple(s for s in in_force.values() if s.id not in places or not is_inside(*places[s.id], all_places))
        names = Counter(s.fqn for s in found)
        public = self.public_names
        if public is None or len(names) == len(found):
            return found
        return tuple(s for s in found if names[s.fqn] == 1 or not public.in_some_builds(s)) or found

    def renamed(self, name: str) -> tuple[Symbol, ...]:
        """Return what imports of the repository call `name`; texts are searched for them."""
        return () if self.public_names is None else self.public_names.renamed(name_parts(name))

    def resolve(self, name: str) -> Symbol:
        """Return the only symbol that `name` means, see `meant`.

        Raises
        ------
        SymbolNotFound
            There is no such symbol. The message and `.nearest` list the most similar names.
        AmbiguousSymbol
            Several symbols have this name. The message and `.candidates` list them with path and line.
        """
        found = self.meant(name) or self.renamed(name)
        if len(found) == 1:
            return found[0]
        if not found:
            nearest = self.nearest(name)
            hint = f" Nearest names: {', '.join(nearest)}." if nearest else ""
            steps = () if nearest else (NextStep("search", "finds symbols by description"),)
            raise SymbolNotFound(f"no symbol is called {short(name)!r}.{hint}", nearest, next_steps=steps)
        found = self.ranked(found)
        shown = "\n".join(f"  {s.fqn}  ({s.kind}, {s.path}:{s.line})" for s in found[:12])
        more = f"\n  … and {len(found) - 12} more" if len(found) > 12 else ""
        raise AmbiguousSymbol(
            f"{short(name)!r} may mean {len(found)} symbols; give a longer name or path:line:\n{shown}{more}",
            found,
            name,
        )

    def ranked(self, symbols: Iterable[Symbol], name: str = "") -> tuple[Symbol, ...]:
        """Return the symbols in this order: public definitions, other source code, tests and examples.

        `name` is the name in question, if it is not their own.
        """
        public = self.public_names
        return tuple(symbols if public is None else sorted(symbols, key=lambda symbol: public.rank(symbol, name)))

    def nearest(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return the qualified names whose last part is most similar to the last part of `name`, see `most_similar`.

        Case is ignored. Among equally similar names, a name in the same case is first, then the order of `ranked`
        decides.
        """
        parts = name_parts(name[:200])
        if not parts:
            return ()
        folded = self._by_folded_name
        found: list[Symbol] = []
        public = self.public_names
        for key in most_similar(parts[-1].lower(), tuple(folded), limit * _WIDER):
            alike = self.ranked(self.symbols[row] for row in folded[key][:_ALIKE])
            found += sorted(alike, key=lambda s: (s.kind in TEXT_KINDS, s.name != parts[-1]))
        if public is not None:
            # names of tests are last, even if they are the most similar
            found.sort(key=lambda s: bool(public.rank(s)[0]))
        return tuple(dict.fromkeys(symbol.fqn for symbol in found))[:limit]

    def names_with_prefix(self, prefix: str, limit: int = 50) -> tuple[str, ...]:
        """Return the symbol names (not fqns) that start with `prefix`, sorted, for the completion by Tab."""
        start = bisect.bisect_left(self._sorted_names, prefix)
        near = self._sorted_names[start : start + limit]
        return tuple(takewhile(lambda name: name.startswith(prefix), near))

    def overloads(self, symbols: Sequence[Symbol]) -> list[tuple[Symbol, ...]]:
        """Return for each given symbol the other definitions with its qualified name in its file, in source order.

        The other parts of a symbol that may have parts in several files (`is_part`) are included.
        """
        places = [("" if is_part(symbol) else symbol.path, symbol.fqn) for symbol in symbols]
        alike: dict[tuple[str, str], list[Symbol]] = {place: [] for place in places}
        lasts = [(name_parts(symbol.fqn) or (symbol.name,))[-1] for symbol in symbols]
        for last in dict.fromkeys(lasts):  # search by name, because a file may contain thousands of symbols
            for other in map(self.symbols.__getitem__, self.by_name.get(last, ())):
                place = ("" if is_part(other) else other.path, other.fqn)
                if place in alike:
                    alike[place].append(other)
        return [tuple(o for o in alike[place] if o.id != s.id) for s, place in zip(symbols, places, strict=True)]

    def at(self, path: str, line: int) -> Symbol | None:
        """Return the innermost symbol of a file whose span contains a 1-based line; None if there is none."""
        rows = self._by_path.get(path, ())
        row = self.symbols.innermost(rows, line) if rows else None
        return None if row is None else self.symbols[row]

    def is_test(self, symbol: Symbol) -> bool:
        """Return True for a function that a test runner runs as a test: not for helpers, fixtures and setup."""
        if symbol.kind not in ("function", "method"):
            return False
        language, own = record_of(symbol.language), marks(symbol)
        if own & language.test_decorators:
            return True
        around = self.around(symbol)
        named = symbol.name.startswith(language.test_names) and self.roles.is_test(symbol.path)
        if around is None or around.kind not in TYPE_KINDS:
            return named and language.test_bases is None and (around is None or around.kind not in CALLABLE_KINDS)
        if named and language.test_bases is None:
            return True
        above = [] if own & language.setup_decorators or around.name == symbol.name else self._test_types(around)
        public = not {"private", "protected", "static"} & {*symbol.signature.partition("(")[0].split()}
        marked = public and any(marks(each) & language.test_decorators for each in above)
        base = language.test_bases if named else None
        return marked or (base is not None and any(base.search(each.signature) for each in above))

    def _test_types(self, owner: Symbol) -> list[Symbol]:
        """Return a type of a file of tests and the types that its head names, and theirs: TestNG marks whole types."""
        found, language = [owner], record_of(owner.language)
        if language.test_bases is None or not self.roles.is_test(owner.path):
            return []
        for each in found:
            words = re.findall(r"\w+", each.signature.partition(each.name)[2])
            named = (one for word in words for one in self.named(word) if one.language == owner.language)
            types = (one for one in named if one.kind in TYPE_KINDS and one not in found)
            found += islice(types, max(0, _MOST_ABOVE - len(found)))
        return found

    def is_test_file(self, path: str) -> bool:
        """Return True for a file that a test runner runs: it has tests or callbacks, or the name of such a file."""
        if not self.roles.is_test(path):
            return False
        inside, programs = self.in_file(path), is_example(path)
        callback = any(each.kind == "lambda" and self.function_around(each) is None for each in inside)
        return has_test_name(path) or (callback and not programs) or any(map(self.is_test, inside))

    def is_test_line(self, path: str, line: int) -> bool:
        """Return True if a 1-based line is in a file of tests, or in a test inside of a source file."""
        return self.roles.is_test(path) or ((inside := self.at(path, line)) is not None and is_inline_test(inside))

    # ----------------------------------------------------------------- built on first use

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[int]]:
        """Return a mapping from the names and the last parts of the qualified names to the rows of their symbols."""
        if self._stored is not None:
            names, first, rows = self._stored
            return RowsBy.of(names.all(), first, rows)
        places: dict[str, int] = {}
        keys: list[int] = []
        symbol_rows: list[int] = []
        for row, (name, fqn) in enumerate(zip(*map(self.symbols.column, ("name", "fqn")), strict=True)):
            keys.append(places.setdefault(name, len(places)))
            symbol_rows.append(row)
            if not _ends_in(fqn, name):
                parts = name_parts(fqn)
                if parts and parts[-1] != name:
                    keys.append(places.setdefault(parts[-1], len(places)))
                    symbol_rows.append(row)
        numbers = np.array(keys, np.int32)
        order = np.argsort(numbers, kind="stable")
        first = np.searchsorted(numbers[order], np.arange(len(places) + 1))
        return RowsBy.of(list(places), first, np.array(symbol_rows, np.int32)[order])

    @cached_property
    def _by_folded_name(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for name, rows in self.by_name.items():
            index[name.lower()].extend(rows)
        return index

    @cached_property
    def _sorted_names(self) -> list[str]:
        named = zip(self.symbols.column("name"), self.symbols.kinds, strict=True)
        return sorted({name for name, kind in named if kind not in TEXT_KINDS})

    @cached_property
    def folded_names(self) -> list[tuple[str, str]]:
        """(name without its case, name) of all symbols but parts of texts, sorted."""
        return sorted((name.casefold(), name) for name in self._sorted_names)

    @cached_property
    def sorted_fqns(self) -> list[str]:
        """Every qualified name, sorted: from the ids, so that a stored catalog does not have to create its symbols."""
        return sorted({symbol_id.partition(":")[2] for symbol_id in self.symbols.ids})


def name_members(by_name: Mapping[str, Sequence[int]]) -> dict[str, Member]:
    rows = [row for found in by_name.values() for row in found]
    return {
        **packed("name", by_name),
        "name.first": np.cumsum([0, *map(len, by_name.values())]).astype(np.int32),
        "name.rows": np.array(rows, np.int32),
    }


def _extent(symbol: Symbol) -> int:
    return symbol.span.end_byte - symbol.span.start_byte


def _ends_in(fqn: str, name: str) -> bool:
    """Return True if `name` is the last part of the qualified name `fqn`, and False if this is not certain."""
    return name.isidentifier() and fqn.endswith(name) and fqn[: -len(name)][-1:] in ("", ".", ":", "/", "#")


_OF_NAMES = frozenset({"_symbol_row", "by_name", "_by_folded_name", "_sorted_names"})
"""Cached results that depend only on ids (which contain qualified names), names, kinds and order of the symbols."""


def _same_names(runs: Sequence[Run], tables: Sequence[SymbolTable]) -> bool:
    """Return True if the new rows, whose ids are the same, have the kinds and names of the first table too."""
    old, at = tables[0], 0
    for part, start, stop in runs:
        end = at + stop - start
        if part and (
            tables[part].kinds_in(start, stop) != old.kinds_in(at, end)
            or tables[part].names_in(start, stop) != old.names_in(at, end)
        ):
            return False
        at = end
    return True
