"""The symbols of a question: their constructors, what is inside them, and the words by which files name them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from codeexplore.graph.demand.facts_index import last_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codeexplore.index.catalog import Catalog
    from codeexplore.types import Symbol

CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__post_init__", "constructor", "<init>"})


class AskedSymbols:
    """Lookups around the symbols of questions. A row is the place of a symbol among all symbols of the repository."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def with_constructors(self, symbols: Iterable[Symbol]) -> list[int]:
        """Return the rows of symbols and of the constructors of types."""
        table, found = self._catalog.symbols, dict[int, None]()
        for symbol in symbols:
            row = self._catalog.symbol_row(symbol.id)
            found[row] = None
            if symbol.kind in TYPE_KINDS:
                for name in (*CONSTRUCTORS, symbol.name, "new"):
                    fqns = {f"{symbol.fqn}{separator}{name}" for separator in (".", "::")}
                    for each in self._catalog.names().get(name, ()):
                        if table.parents[each] == row or table[each].fqn in fqns:
                            found[int(each)] = None
        return list(found)

    def with_lambdas(self, rows: Iterable[int]) -> list[int]:
        """Return `rows` and the rows of all lambdas inside these symbols."""
        table, found = self._catalog.symbols, dict.fromkeys(rows)
        for path in {table.name(row)[2] for row in found}:
            for row in self._catalog.symbol_rows_in(path):
                if int(table.parents[row]) in found and table.name(row)[1] == "lambda":
                    found[row] = None
        return list(found)

    def inside(self, symbol: Symbol) -> list[int]:
        """Return the rows of a symbol and of everything defined inside."""
        table, found = self._catalog.symbols, {self._catalog.symbol_row(symbol.id)}
        for row in self._catalog.symbol_rows_in(symbol.path) if symbol.kind != "module" else ():
            if int(table.parents[row]) in found:
                found.add(row)
        return sorted(found)

    def by_file(self, rows: Iterable[int]) -> dict[str, list[int]]:
        """Return symbols as their rows in their files, by path."""
        found: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            path = self._catalog.symbols.name(row)[2]
            found[path].append(row - self._catalog.symbol_rows_in(path)[0])
        return found

    def around(self, symbol: Symbol) -> set[str]:
        """Return the name of the type or module around a symbol, which most files that use the symbol contain."""
        if symbol.parent is None:
            return set()
        parent = self._catalog.symbol(symbol.parent)
        return {last_of(parent.fqn.replace("::", ".").replace("/", "."))}

    def names(self, symbols: Iterable[Symbol], ends: Iterable[int]) -> tuple[set[str], set[str]]:
        """Return the last names of references that may mean `symbols`, and the words of which a file contains one.

        A constructor is called by the name of its type. Special methods are called by syntax: then the word is the name
        of the type.
        """
        catalog = self._catalog
        names = {symbol.name for symbol in symbols} | {catalog.symbols.name(row)[0] for row in ends}
        written = {symbol.name for symbol in symbols}
        for symbol in symbols:
            if symbol.parent is not None and (symbol.name in CONSTRUCTORS or symbol.name.startswith("__")):
                parent = catalog.symbol(symbol.parent)
                if parent.kind in TYPE_KINDS:
                    written = (written - {symbol.name}) | {parent.name}
                    names |= {parent.name} if symbol.name in CONSTRUCTORS else set()
        return names, written

    def type_of(self, symbol: Symbol) -> Symbol:
        """Return the symbol that contains a method; a type itself."""
        if symbol.kind in TYPE_KINDS or symbol.parent is None:
            return symbol
        return self._catalog.symbol(symbol.parent)

    def is_local(self, symbol: Symbol) -> bool:
        """Return True if a symbol is defined inside a function, so that only code of its file can name it."""
        return symbol.parent is not None and self._catalog.symbol(symbol.parent).kind in CALLABLE_KINDS
