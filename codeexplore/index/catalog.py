"""Catalog: the symbols and chunks of a workspace, found by row, id, name, or file and line.

All code above `syntax` looks symbols and chunks up here. A catalog is immutable. It consists of three classes: `Rows`
finds by row and id, `Named` adds the lookup by name (exact, public, similar, by prefix), and `Catalog` adds the lookup
by file and line. `StoredCatalog` does the same over stored columns.

A *row* is the position of a symbol in `symbols`, or of a chunk in `chunks`. The row of a chunk is also its row in every
array of the index.
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from codeexplore.errors import AmbiguousSymbol, SymbolNotFound
from codeexplore.index.qualified_names import (
    EXTERNAL,
    STUBS,
    external_symbol,
    is_inside,
    name_parts,
    packages,
    short,
    shown_name,
)
from codeexplore.languages.registry import is_text
from codeexplore.text.similar_names import most_similar
from codeexplore.types import TEXT_KINDS, Chunk, Symbol, SymbolKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Rows:
    """Symbols and chunks by row and id, both in their given order."""

    root: str = ""
    """The folder that paths are relative to, set by the workspace; "" for a catalog made directly from records."""

    def __init__(self, symbols: Sequence[Symbol], chunks: Sequence[Chunk]) -> None:
        self.symbols: Sequence[Symbol] = tuple(symbols)
        self.chunks: Sequence[Chunk] = tuple(chunks)

    # ----------------------------------------------------------------- all rows (read from columns in a stored catalog)

    def symbol_ids(self) -> Sequence[str]:
        """Return the id of every symbol, in order."""
        return [symbol.id for symbol in self.symbols]

    def symbol_kinds(self) -> Sequence[SymbolKind]:
        """Return the kind of every symbol, in order."""
        return [symbol.kind for symbol in self.symbols]

    def kinds_counted(self) -> dict[str, int]:
        """Return the number of symbols of each kind."""
        return dict(Counter(self.symbol_kinds()))

    def chunk_ids(self) -> Sequence[str]:
        """Return the id of every chunk, in order."""
        return [chunk.id for chunk in self.chunks]

    def chunk_places(self) -> Iterable[tuple[str, str, SymbolKind | None]]:
        """Iterate over all chunks in order, as (path, language, kind of its symbol or None)."""
        for chunk in self.chunks:
            yield chunk.path, chunk.language, None if chunk.symbol is None else self.symbol(chunk.symbol).kind

    def chunk_files(self) -> tuple[Sequence[str], NDArray[np.integer]]:
        """Return the paths of the files, and for each chunk the position of its file in them: shape (n_chunks,)."""
        import numpy as np

        number: dict[str, int] = {}
        numbers = np.array([number.setdefault(chunk.path, len(number)) for chunk in self.chunks], np.int32)
        return list(number), numbers

    def chunks_of_text(self) -> NDArray[np.bool_]:
        """Return a mask over the chunks, True if a chunk is not code: shape (n_chunks,)."""
        import numpy as np

        return np.array(
            [is_text(language) or kind in TEXT_KINDS for _, language, kind in self.chunk_places()], np.bool_
        )

    def chunk_contexts(self) -> Iterable[str]:
        """Iterate over the contexts of all chunks, in order."""
        return (chunk.context for chunk in self.chunks)

    def chunk_part_rows(self) -> list[tuple[int, int]]:
        """Return the chunks that are parts of a split symbol, as pairs of the chunk's row and the symbol's row."""
        found = ((row, chunk.symbol) for row, chunk in enumerate(self.chunks) if chunk.part)
        return [(row, self._symbol_row[symbol]) for row, symbol in found if symbol is not None]

    @cached_property
    def _symbol_row(self) -> dict[str, int]:
        ids = self.symbol_ids()
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _chunk_row(self) -> dict[str, int]:
        ids = self.chunk_ids()
        return dict(zip(ids, range(len(ids)), strict=True))

    @cached_property
    def _chunk_rows_of(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for row, chunk in enumerate(self.chunks):
            if chunk.symbol is not None:
                found[chunk.symbol].append(row)
        return found

    # ----------------------------------------------------------------- by id

    def symbol(self, symbol_id: str) -> Symbol:
        """Return the symbol with this id.

        An id that begins with `EXTERNAL` gives a symbol for any name. Raises KeyError.
        """
        row = self._symbol_row.get(symbol_id)
        if row is None and symbol_id.startswith(EXTERNAL):
            return external_symbol(symbol_id[len(EXTERNAL) :])
        return self.symbols[self._symbol_row[symbol_id]]

    def symbol_row(self, symbol_id: str) -> int:
        """Return the row of the symbol with this id. Raises KeyError."""
        return self._symbol_row[symbol_id]

    def has_symbol(self, symbol_id: str) -> bool:
        """Return True if there is a symbol with this id."""
        return symbol_id in self._symbol_row

    def chunk(self, chunk_id: str) -> Chunk:
        """Return the chunk with this id. Raises KeyError."""
        return self.chunks[self._chunk_row[chunk_id]]

    def chunk_row(self, chunk_id: str) -> int:
        """Return the row of the chunk with this id. Raises KeyError."""
        return self._chunk_row[chunk_id]

    def chunk_symbol(self, row: int) -> Symbol | None:
        """Return the symbol of the chunk in `row`, without reading the chunk's text; None if it has no symbol."""
        return self.symbol_of(self.chunks[row])

    def chunk_symbol_row(self, row: int) -> int:
        """Return the row of the symbol of the chunk in `row`; -1 if it has no symbol."""
        symbol_id = self.chunks[row].symbol
        return -1 if symbol_id is None else self._symbol_row[symbol_id]

    def symbol_parent(self, row: int) -> int:
        """Return the row of the parent of the symbol in `row`; -1 if it has no parent."""
        parent = self.symbols[row].parent
        return -1 if parent is None else self._symbol_row[parent]

    def symbol_name(self, row: int) -> tuple[str, SymbolKind, str]:
        """Return name, kind and path of the symbol in `row`, without making its record."""
        symbol = self.symbols[row]
        return symbol.name, symbol.kind, symbol.path

    def symbol_signature(self, row: int) -> str:
        """Return the signature of the symbol in `row`, without making its record."""
        return self.symbols[row].signature

    def symbol_of(self, chunk: Chunk) -> Symbol | None:
        """Return the symbol of a chunk; None if it has no symbol."""
        return None if chunk.symbol is None else self.symbol(chunk.symbol)

    def chunks_of(self, symbol_id: str) -> tuple[Chunk, ...]:
        """Return the chunks that belong to a symbol, in order.

        There are several if the symbol was split, and none if it is part of a larger symbol's chunk.
        """
        return tuple(self.chunks[row] for row in self._chunk_rows_of.get(symbol_id, ()))

    def chunk_for(self, symbol_id: str) -> Chunk | None:
        """Return the chunk that shows a symbol: its own first chunk, else a chunk of the nearest enclosing symbol.

        If that chunk's symbol was split, return the part that contains the line of the requested symbol.
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
                return next((row for row in rows if self._covers(row, line)), rows[0])
            current = self.symbol(current).parent
        return None

    def chunk_id_for(self, symbol_id: str) -> str | None:
        """Return the id of the chunk that `chunk_for` returns, without reading the chunk's text; None for none."""
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self._chunk_id(row)

    def _chunk_id(self, row: int) -> str:
        return self.chunks[row].id

    def chunk_rows_for(self, symbol_rows: Sequence[int]) -> list[int]:
        """Return the rows of the chunks that show the given symbols, see `chunk_for`; -1 for none."""
        found = [self.chunk_row_for(self.symbols[row].id) for row in symbol_rows]
        return [-1 if row is None else row for row in found]

    def _covers(self, row: int, line: int) -> bool:
        """Return True if the chunk in `row` contains the given line of its file."""
        return any(span.start_line <= line <= span.end_line for span in self.chunks[row].spans)


_REMEMBERED: Final = 256
"""Number of names for which the result of `Named.meant` is cached."""
_FORWARDING: Final = frozenset({"module", "constant", "field"})
"""Kinds of symbols that may only forward to another symbol with the same name: a module with one function, an alias."""
_WIDER: Final = 4
"""For each suggestion, this many similar names are searched, so that names of tests can be ranked last and left out."""
_ALIKE: Final = 500
"""Most symbols of one name that are compared to find the best suggestion."""


class KnowsPublicNames(Protocol):
    """Lookup of symbols by their public names: by re-exports, aliases, packages and inheritance."""

    def find(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols with this public name, if the name begins with the full name of a module or package."""
        ...

    def find_loosely(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols with this public name, if it begins with a type, an alias or the end of a module name."""
        ...

    def rank(self, symbol: Symbol) -> Any:
        """Return a sort key: public definitions first, then other source code, then tests and examples."""
        ...

    def offered(self, head: str) -> Sequence[str]:
        """Return the names that the module or type called `head` exports, sorted; empty for any other name."""
        ...

    def in_some_builds(self, symbol: Symbol) -> bool:
        """Return True if only some builds include the file of the symbol.

        Other symbols of the same name are then preferred.
        """
        ...


class Named(Rows):
    """Catalog with a lookup by name."""

    public_names: KnowsPublicNames | None = None
    """Set by the index that owns the catalog. If it is None, only qualified names and their last parts are found."""

    def find(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols that `name` may mean.

        Three rules are tried in this order, and the first one that finds symbols decides:

        1. The id or the fqn of the symbol is `name`.
        2. `name` is a public name of the symbol.
        3. The fqn of the symbol ends in `name`.

        Upper and lower case are distinguished. ``Session.get``, ``Session::get`` and ``sessions.py:…`` are all
        understood, and so are names as they are imported: ``flask.Flask`` for ``flask.app.Flask``. A symbol with this
        public name precedes a module of the same name. Symbols whose fqn ends in `name` are in the order of `symbols`.
        """
        name = name.strip()
        if name in self._symbol_row:
            return (self.symbol(name),)
        parts = name_parts(name)
        if not parts:
            return ()
        candidates = [self.symbols[row] for row in self._by_name.get(parts[-1], ())]
        exact = tuple(s for s in candidates if s.fqn == name or (s.kind == "lambda" and shown_name(s.fqn) == name))
        public = self.public_names if len(parts) > 1 else None
        if public is None or any(s.kind not in _FORWARDING and not s.path.endswith(STUBS) for s in exact):
            offered: tuple[Symbol, ...] = ()
        else:
            offered = tuple(s for s in public.find(name) if s.kind != "module" or not exact)
        if offered or exact:
            return offered or exact
        ending = "." + ".".join(parts)  # a text comparison: splitting hundreds of names would take most of the time
        found = tuple(s for s in candidates if s.fqn.endswith(ending) or self._parts(s)[-len(parts) :] == parts)
        return found if found or public is None else public.find_loosely(name)

    def named(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols with `name` as their name or as the last part of their qualified name."""
        return tuple(map(self.symbols.__getitem__, self._by_name.get(name, ())))

    def exactly(self, parts: tuple[str, ...]) -> tuple[Symbol, ...]:
        """Return the symbols whose qualified name has exactly these parts."""
        return tuple(symbol for symbol in self.named(parts[-1]) if self._parts(symbol) == parts) if parts else ()

    def meant(self, name: str) -> tuple[Symbol, ...]:
        """Return the symbols that a person means by `name`: the result of `find` without weaker matches.

        A source file is preferred to its stub, a definition to the module of the same name, and a type to its
        constructor. If one place has several definitions of the name, the last one is in force. For a package of many
        files, its module with the file of the same name is returned, else the first one with documentation.
        """
        return self._meant(name)

    @cached_property
    def _meant(self) -> Callable[[str], tuple[Symbol, ...]]:
        """Return `meant` as a function with a cache.

        One question may ask several times for a name of hundreds of symbols.
        """
        return lru_cache(maxsize=_REMEMBERED)(self._meant_by)

    def _meant_by(self, name: str) -> tuple[Symbol, ...]:
        found = self.find(name)
        if len(found) < 2:
            return found
        if all(s.kind == "module" for s in found):
            return packages(found)
        found = tuple(s for s in found if not s.path.endswith(STUBS)) or found
        found = tuple(s for s in found if s.kind != "module" and s.kind not in TEXT_KINDS) or found
        in_force = {(s.path, s.fqn): s for s in found}
        files = Counter(s.path for s in in_force.values())
        places = {s.id: (s.path, name_parts(s.fqn)) for s in in_force.values() if files[s.path] > 1}
        all_places = set(places.values())  # hundreds of classes have a setUp: comparing all pairs would be slow
        found = tuple(s for s in in_force.values() if s.id not in places or not is_inside(*places[s.id], all_places))
        names = Counter(s.fqn for s in found)
        public = self.public_names
        if public is None or len(names) == len(found):
            return found
        return tuple(s for s in found if names[s.fqn] == 1 or not public.in_some_builds(s)) or found

    def resolve(self, name: str) -> Symbol:
        """Return the only symbol that `name` means, see `meant`.

        Raises
        ------
        SymbolNotFound
            No symbol fits; the message and `.nearest` list the most similar names.
        AmbiguousSymbol
            Several symbols fit; the message and `.candidates` list them with path and line.
        """
        found = self.meant(name)
        if len(found) == 1:
            return found[0]
        if not found:
            nearest = self.nearest(name)
            hint = f"Nearest names: {', '.join(nearest)}." if nearest else "ws.search() finds symbols by description."
            raise SymbolNotFound(f"no symbol is called {short(name)!r}. {hint}", nearest)
        found = self.ranked(found)
        shown = "\n".join(f"  {s.fqn}  ({s.kind}, {s.path}:{s.line})" for s in found[:12])
        more = f"\n  … and {len(found) - 12} more" if len(found) > 12 else ""
        raise AmbiguousSymbol(
            f"{short(name)!r} may mean {len(found)} symbols; give a longer name or path:line:\n{shown}{more}",
            found,
            name,
        )

    def ranked(self, symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """Return the symbols in this order: public definitions, other source code, tests and examples."""
        return tuple(symbols) if self.public_names is None else tuple(sorted(symbols, key=self.public_names.rank))

    def nearest(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return the fqns whose last part is most similar to the last part of `name`, see `most_similar`.

        Upper and lower case count as equal. Among equally similar names, a name in the same case is first, then the
        order of `ranked` decides.
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

    def names(self) -> Mapping[str, Sequence[int]]:
        """Return a mapping from each name to the rows of its symbols.

        The names are the symbols' own names and the last parts of their fqns.
        """
        return self._by_name

    def names_with_prefix(self, prefix: str, limit: int = 50) -> tuple[str, ...]:
        """Return the symbol names (not fqns) that start with `prefix`, sorted, for the completion by Tab."""
        names = self._sorted_names
        start = bisect.bisect_left(names, prefix)
        found = []
        for name in names[start : start + limit]:
            if not name.startswith(prefix):
                break
            found.append(name)
        return tuple(found)

    # ----------------------------------------------------------------- built on first use

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for row, symbol in enumerate(self.symbols):
            parts = name_parts(symbol.fqn)
            for name in dict.fromkeys((symbol.name, parts[-1] if parts else symbol.name)):
                index[name].append(row)
        return index

    @cached_property
    def _by_folded_name(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for name, rows in self._by_name.items():
            index[name.lower()].extend(rows)
        return index

    @cached_property
    def _sorted_names(self) -> list[str]:
        return sorted({symbol.name for symbol in self.symbols if symbol.kind not in TEXT_KINDS})

    def _parts(self, symbol: Symbol) -> tuple[str, ...]:
        return name_parts(symbol.fqn)


class Catalog(Named):
    """Symbols and chunks of one snapshot, by row, by name, and by file and line."""

    def in_file(self, path: str) -> tuple[Symbol, ...]:
        """Return the symbols of a file in source order, its module first; empty if the file is not indexed."""
        return tuple(self.symbols[row] for row in self._by_path.get(path, ()))

    def overloads(self, symbols: Sequence[Symbol]) -> list[tuple[Symbol, ...]]:
        """Return for each given symbol the other definitions with its qualified name in its file, in source order."""
        alike: dict[tuple[str, str], list[Symbol]] = {(symbol.path, symbol.fqn): [] for symbol in symbols}
        lasts = [(name_parts(symbol.fqn) or (symbol.name,))[-1] for symbol in symbols]
        for last in dict.fromkeys(lasts):  # search by name, because a file may contain thousands of symbols
            for other in map(self.symbols.__getitem__, self._by_name.get(last, ())):
                if (other.path, other.fqn) in alike:
                    alike[other.path, other.fqn].append(other)
        return [tuple(o for o in alike[symbol.path, symbol.fqn] if o.id != symbol.id) for symbol in symbols]

    def chunks_in(self, path: str) -> tuple[Chunk, ...]:
        """Return the chunks of a file in their order; empty when it is not indexed."""
        return tuple(self.chunks[row] for row in self._chunks_by_path.get(path, ()))

    def symbol_rows_in(self, path: str) -> Sequence[int]:
        """Return the rows of a file's symbols; empty if the file is not indexed."""
        return self._by_path.get(path, ())

    def chunk_rows_in(self, path: str) -> Sequence[int]:
        """Return the rows of a file's chunks; empty if the file is not indexed."""
        return self._chunks_by_path.get(path, ())

    def at(self, path: str, line: int) -> Symbol | None:
        """Return the innermost symbol of a file whose span contains a 1-based line; None if there is none."""
        best: Symbol | None = None
        for symbol in self.in_file(path):
            if symbol.span.start_line <= line <= symbol.span.end_line and (
                best is None or _extent(symbol) <= _extent(best)
            ):
                best = symbol
        return best

    def paths(self) -> tuple[str, ...]:
        """Return every indexed path, sorted."""
        return self._sorted_paths

    def find_paths(self, path: str) -> tuple[str, ...]:
        """Return the indexed path equal to `path`, else the indexed paths that end in it at a folder boundary.

        A backslash is first read as a part of a name, then as Windows' separator of folders.
        """
        for form in dict.fromkeys((path, path.replace("\\", "/"))):
            found = (form,) if form in self._by_path else tuple(p for p in self._sorted_paths if p.endswith("/" + form))
            if found:
                return found
        return ()

    # ----------------------------------------------------------------- built when first asked for

    @cached_property
    def _by_path(self) -> Mapping[str, Sequence[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for row, symbol in enumerate(self.symbols):
            index[symbol.path].append(row)
        return index

    @cached_property
    def _chunks_by_path(self) -> Mapping[str, Sequence[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for row, chunk in enumerate(self.chunks):
            index[chunk.path].append(row)
        return index

    @cached_property
    def _sorted_paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._by_path))


def _extent(symbol: Symbol) -> int:
    return symbol.span.end_byte - symbol.span.start_byte
