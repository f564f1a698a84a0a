"""The symbols and chunks of a workspace by id, name and place.

Everything above syntax looks symbols and chunks up here, and nowhere else. A catalog is immutable.
"""

from __future__ import annotations

import bisect
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING

from codeexplore.closest import ClosestNames
from codeexplore.errors import AmbiguousSymbol, SymbolNotFound
from codeexplore.types import Chunk, Span, Symbol, SymbolKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STUBS = (".pyi", ".d.ts")
_SEPARATORS = re.compile(r"::|->|[./#:\\]")


EXTERNAL = "external:"
"""What the id of a name outside the repository begins with: ``external:os.path.join``."""

_NOWHERE = Span(0, 0, 0, 0)


def external_symbol(name: str) -> Symbol:
    """The symbol that stands for a name outside the repository. It has no place: `path` is "" and `line` 0."""
    parts = name_parts(name.replace("()", ""))
    return Symbol(EXTERNAL + name, name, parts[-1] if parts else name, "external", "", _NOWHERE, 0, "")


def name_parts(name: str) -> tuple[str, ...]:
    """Split a qualified name at any language's separators: ``a.b``, ``a::b``, ``a/b``, ``a#b``."""
    return tuple(part for part in _SEPARATORS.split(name.removesuffix("()")) if part)


class Catalog:
    """Symbols and chunks of one snapshot.

    Symbols keep the order in which they were given, and so do chunks: a chunk's row in every array of the index is its
    position here.
    """

    def __init__(self, symbols: Sequence[Symbol], chunks: Sequence[Chunk]) -> None:
        self.symbols: Sequence[Symbol] = tuple(symbols)
        self.chunks: Sequence[Chunk] = tuple(chunks)

    # ----------------------------------------------------------------- columns: what a stored catalog reads at once

    def symbol_ids(self) -> Sequence[str]:
        """The id of every symbol, in order."""
        return [symbol.id for symbol in self.symbols]

    def symbol_kinds(self) -> Sequence[SymbolKind]:
        """The kind of every symbol, in order."""
        return [symbol.kind for symbol in self.symbols]

    def kinds_counted(self) -> dict[str, int]:
        """How many symbols there are of each kind."""
        return dict(Counter(self.symbol_kinds()))

    def chunk_ids(self) -> Sequence[str]:
        """The id of every chunk, in order."""
        return [chunk.id for chunk in self.chunks]

    def chunk_places(self) -> Iterable[tuple[str, str, SymbolKind | None]]:
        """Path, language and the symbol's kind of every chunk, in order."""
        for chunk in self.chunks:
            yield chunk.path, chunk.language, None if chunk.symbol is None else self.symbol(chunk.symbol).kind

    def chunk_files(self) -> tuple[Sequence[str], NDArray[np.integer]]:
        """Files, and for every chunk the number of its file, in order."""
        import numpy as np

        number: dict[str, int] = {}
        numbers = np.array([number.setdefault(chunk.path, len(number)) for chunk in self.chunks], np.int32)
        return list(number), numbers

    def chunks_of_kind(self, kind: SymbolKind) -> NDArray[np.bool_]:
        """For every chunk whether its symbol is of a kind, in order."""
        import numpy as np

        return np.array([each == kind for _, _, each in self.chunk_places()], np.bool_)

    def chunk_contexts(self) -> Iterable[str]:
        """The context of every chunk, in order."""
        return (chunk.context for chunk in self.chunks)

    def chunk_parts(self) -> dict[str, str]:
        """Chunk id → symbol id of the chunks that are parts of a split symbol."""
        chunk_ids, symbol_ids = self.chunk_ids(), self.symbol_ids()
        return {chunk_ids[row]: symbol_ids[symbol] for row, symbol in self.chunk_part_rows()}

    def chunk_part_rows(self) -> list[tuple[int, int]]:
        """The rows of the chunks that are parts of a split symbol, each with the symbol's row."""
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
        """The symbol with this id; an id that begins with `EXTERNAL` is any name's outside. Raises KeyError."""
        row = self._symbol_row.get(symbol_id)
        if row is None and symbol_id.startswith(EXTERNAL):
            return external_symbol(symbol_id[len(EXTERNAL) :])
        return self.symbols[self._symbol_row[symbol_id]]

    def symbol_row(self, symbol_id: str) -> int:
        """Position of a symbol in `symbols`. Raises KeyError."""
        return self._symbol_row[symbol_id]

    def has_symbol(self, symbol_id: str) -> bool:
        """Whether there is a symbol with this id."""
        return symbol_id in self._symbol_row

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk with this id. Raises KeyError."""
        return self.chunks[self._chunk_row[chunk_id]]

    def chunk_row(self, chunk_id: str) -> int:
        """Position of a chunk in `chunks`, and its row in the index's arrays. Raises KeyError."""
        return self._chunk_row[chunk_id]

    def chunk_symbol(self, row: int) -> Symbol | None:
        """The symbol that the chunk in a row stands for, without reading the chunk's text."""
        return self.symbol_of(self.chunks[row])

    def chunk_symbol_row(self, row: int) -> int:
        """Position in `symbols` of the symbol that the chunk in a row stands for; -1 for none."""
        symbol_id = self.chunks[row].symbol
        return -1 if symbol_id is None else self._symbol_row[symbol_id]

    def symbol_parent(self, row: int) -> int:
        """Position in `symbols` of what holds the symbol in a row; -1 for none."""
        parent = self.symbols[row].parent
        return -1 if parent is None else self._symbol_row[parent]

    def symbol_name(self, row: int) -> tuple[str, SymbolKind, str]:
        """Name, kind and path of the symbol in a row, without making its record."""
        symbol = self.symbols[row]
        return symbol.name, symbol.kind, symbol.path

    def symbol_signature(self, row: int) -> str:
        """Signature of the symbol in a row, without making its record."""
        return self.symbols[row].signature

    def symbol_of(self, chunk: Chunk) -> Symbol | None:
        """The symbol a chunk stands for."""
        return None if chunk.symbol is None else self.symbol(chunk.symbol)

    def chunks_of(self, symbol_id: str) -> tuple[Chunk, ...]:
        """A symbol's own chunks, in order: several when it was split, none when a larger chunk covers it."""
        return tuple(self.chunks[row] for row in self._chunk_rows_of.get(symbol_id, ()))

    def chunk_for(self, symbol_id: str) -> Chunk | None:
        """The chunk that answers for a symbol: its own first one, else that of the nearest symbol around it."""
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self.chunks[row]

    def chunk_row_for(self, symbol_id: str) -> int | None:
        """The row of `chunk_for`, without reading the chunk's text."""
        current: str | None = symbol_id
        while current is not None:
            rows = self._chunk_rows_of.get(current)
            if rows:
                line = self.symbol(symbol_id).line if len(rows) > 1 else 0
                return next((row for row in rows if self._covers(row, line)), rows[0])
            current = self.symbol(current).parent
        return None

    def chunk_id_for(self, symbol_id: str) -> str | None:
        """The id of `chunk_for`, without reading the chunk's text."""
        row = self.chunk_row_for(symbol_id)
        return None if row is None else self._chunk_id(row)

    def _chunk_id(self, row: int) -> str:
        return self.chunks[row].id

    def chunk_rows_for(self, symbol_rows: Sequence[int]) -> list[int]:
        """The rows of `chunk_for` for symbols by their rows; -1 for none."""
        found = [self.chunk_row_for(self.symbols[row].id) for row in symbol_rows]
        return [-1 if row is None else row for row in found]

    def _covers(self, row: int, line: int) -> bool:
        """Whether a chunk holds a line of its file."""
        return any(span.start_line <= line <= span.end_line for span in self.chunks[row].spans)

    # ----------------------------------------------------------------- by name

    def find(self, name: str) -> tuple[Symbol, ...]:
        """Every symbol whose id or fqn is `name`, or whose fqn ends in it at a separator; exact ones alone if any.

        Case counts. ``Session.get``, ``Session::get`` and ``sessions.py:…`` all work; order is that of `symbols`.
        """
        name = name.strip()
        if name in self._symbol_row:
            return (self.symbol(name),)
        parts = name_parts(name)
        if not parts:
            return ()
        candidates = [self.symbols[row] for row in self._by_name.get(parts[-1], ())]
        exact = tuple(s for s in candidates if s.fqn == name)
        if exact:
            return exact
        ending = "." + ".".join(parts)  # splitting what hundreds of symbols are called would take longer than all else
        return tuple(s for s in candidates if s.fqn.endswith(ending) or self._parts(s)[-len(parts) :] == parts)

    def meant(self, name: str) -> tuple[Symbol, ...]:
        """What a person means by `name`: `find` without what only shares the name of something better.

        A source stands before its stub, a thing before the module called like it, a type before its constructor, and of
        several definitions in one place the last, which is the one in force. For a package of many files stands the
        file called like it, else the first one with documentation.
        """
        found = self.find(name)
        if len(found) < 2:
            return found
        if all(s.kind == "module" for s in found):
            return _packages(found)
        found = tuple(s for s in found if not s.path.endswith(_STUBS)) or found
        found = tuple(s for s in found if s.kind not in ("module", "section")) or found
        in_force = {(s.path, s.fqn): s for s in found}
        held = {(s.path, name_parts(s.fqn)) for s in in_force.values()}  # hundreds of classes have a setUp: no pairs
        return tuple(s for s in in_force.values() if not _is_inside(s, held))

    def resolve(self, name: str) -> Symbol:
        """The one symbol that `name` means; see `meant`.

        Raises
        ------
        SymbolNotFound
            No symbol fits; the message and `.nearest` list the most alike names.
        AmbiguousSymbol
            Several fit; the message and `.candidates` list them with path and line.
        """
        found = self.meant(name)
        if len(found) == 1:
            return found[0]
        if not found:
            nearest = self.nearest(name)
            hint = f"Nearest names: {', '.join(nearest)}." if nearest else "ws.search() finds symbols by description."
            raise SymbolNotFound(f"no symbol is called {_short(name)!r}. {hint}", nearest)
        shown = "\n".join(f"  {s.fqn}  ({s.kind}, {s.path}:{s.line})" for s in found[:12])
        more = f"\n  … and {len(found) - 12} more" if len(found) > 12 else ""
        raise AmbiguousSymbol(
            f"{_short(name)!r} may mean {len(found)} symbols; give a longer name or path:line:\n{shown}{more}",
            [s.id for s in found],
        )

    def nearest(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Fqns of the symbols whose last name is most like that of `name` (difflib's ratio, case ignored)."""
        parts = name_parts(name[:200])
        if not parts:
            return ()
        wanted = parts[-1].lower()
        folded = self._by_folded_name
        rows = [row for key in self._closest.find(wanted, limit) for row in folded[key]]
        return tuple(dict.fromkeys(self.symbols[row].fqn for row in rows))[:limit]

    # ----------------------------------------------------------------- by place

    def in_file(self, path: str) -> tuple[Symbol, ...]:
        """The symbols of a file in source order, its module first; empty when the file is not indexed."""
        return tuple(self.symbols[row] for row in self._by_path.get(path, ()))

    def chunks_in(self, path: str) -> tuple[Chunk, ...]:
        """The chunks of a file in their order; empty when it is not indexed."""
        return tuple(self.chunks[row] for row in self._chunks_by_path.get(path, ()))

    def symbol_rows_in(self, path: str) -> Sequence[int]:
        """Positions in `symbols` of a file's symbols; empty when it is not indexed."""
        return self._by_path.get(path, ())

    def chunk_rows_in(self, path: str) -> Sequence[int]:
        """Positions in `chunks` of a file's chunks; empty when it is not indexed."""
        return self._chunks_by_path.get(path, ())

    def names(self) -> Mapping[str, Sequence[int]]:
        """Every name and every last part of an fqn, with the rows of the symbols that have it."""
        return self._by_name

    def at(self, path: str, line: int) -> Symbol | None:
        """The innermost symbol of a file whose span covers a 1-based line."""
        best: Symbol | None = None
        for symbol in self.in_file(path):
            if symbol.span.start_line <= line <= symbol.span.end_line and (
                best is None or _extent(symbol) <= _extent(best)
            ):
                best = symbol
        return best

    def paths(self) -> tuple[str, ...]:
        """Every indexed path, sorted."""
        return self._sorted_paths

    def find_paths(self, path: str) -> tuple[str, ...]:
        """The indexed paths equal to `path`, else those that end in it at a folder boundary."""
        if path in self._by_path:
            return (path,)
        return tuple(p for p in self._sorted_paths if p.endswith("/" + path))

    # ----------------------------------------------------------------- built when first asked for

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
    def _closest(self) -> ClosestNames:
        return ClosestNames(tuple(self._by_folded_name))

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

    def names_with_prefix(self, prefix: str, limit: int = 50) -> tuple[str, ...]:
        """Symbol names (not fqns) that start with `prefix`, sorted: what Tab offers."""
        names = self._sorted_names
        start = bisect.bisect_left(names, prefix)
        found = []
        for name in names[start : start + limit]:
            if not name.startswith(prefix):
                break
            found.append(name)
        return tuple(found)

    @cached_property
    def _sorted_names(self) -> list[str]:
        return sorted({symbol.name for symbol in self.symbols if symbol.kind != "section"})

    def _parts(self, symbol: Symbol) -> tuple[str, ...]:
        return name_parts(symbol.fqn)


def _packages(modules: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """One module of each package, in their order: the files of a package have one name and lie in one folder."""
    files: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for module in modules:
        files[module.fqn, posixpath.dirname(module.path)].append(module)
    return tuple(min(each, key=_speaks_for_package) for each in files.values())


def _speaks_for_package(module: Symbol) -> tuple[bool, bool, str]:
    """A key that puts the file which stands for its package first."""
    stem = posixpath.basename(module.path).partition(".")[0]
    return (stem != module.name, not module.doc, module.path)


def _is_inside(symbol: Symbol, held: AbstractSet[tuple[str, tuple[str, ...]]]) -> bool:
    """Whether one of the (path, name) pairs encloses a symbol."""
    parts = name_parts(symbol.fqn)
    return any((symbol.path, parts[:length]) in held for length in range(1, len(parts)))


def _extent(symbol: Symbol) -> int:
    return symbol.span.end_byte - symbol.span.start_byte


def _short(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
