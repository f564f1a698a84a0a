"""Whatever a person has in hand → the symbol it means: a name, a Symbol, a hit, ``path:line``, or a live object."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeAlias

from codeexplore.errors import SymbolNotFound
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Chunk, Symbol
from codeexplore.workspace.live import resolve_live

Target: TypeAlias = Any
"""str (name, fqn, id or ``path:line``), Symbol, Chunk, a hit, or a live Python object."""

_SHOWN = 5  # symbols of a file that an error lists
_PATH_LINE = re.compile(r"(?P<path>.+):(?P<line>\d+)")


def resolve_target(catalog: Catalog, root: Path, target: Target) -> Symbol:
    """The symbol that `target` means.

    Raises
    ------
    SymbolNotFound
        Nothing fits; the message lists the nearest names, or says where a live object comes from.
    AmbiguousSymbol
        A name fits several symbols; the message lists them.
    """
    if isinstance(target, Symbol):
        return _own(catalog, target.id)
    if isinstance(target, Chunk):
        return _of_chunk(catalog, target)
    if isinstance(target, str):
        return _by_text(catalog, target)
    if type(target).__module__.startswith("codeexplore."):  # others are asked for no attribute: it may run code
        inner, chunk = getattr(target, "symbol", None), getattr(target, "chunk", None)
        if isinstance(inner, Symbol):  # a search hit
            return _own(catalog, inner.id)
        if isinstance(chunk, Chunk):
            return _of_chunk(catalog, chunk)
    return resolve_live(catalog, root, target)


def _own(catalog: Catalog, symbol_id: str) -> Symbol:
    if not catalog.has_symbol(symbol_id):
        raise SymbolNotFound(f"the symbol {symbol_id!r} comes from another workspace, or is gone since a refresh")
    return catalog.symbol(symbol_id)


def _of_chunk(catalog: Catalog, chunk: Chunk) -> Symbol:
    if chunk.symbol is None:
        raise SymbolNotFound(f"the chunk {chunk.path}:{chunk.start_line} belongs to no symbol; give its path:line")
    return _own(catalog, chunk.symbol)


def _by_text(catalog: Catalog, text: str) -> Symbol:
    place = _PATH_LINE.fullmatch(text.strip())
    if place is not None and not catalog.find(text):
        paths = catalog.find_paths(place["path"])
        if len(paths) == 1:
            return _at(catalog, paths[0], int(place["line"]))
        if len(paths) > 1:
            shown = ", ".join(paths[:8])
            raise SymbolNotFound(f"{place['path']!r} may be {len(paths)} files: {shown}; give a longer path", paths)
        raise _no_file(place["path"])
    if _is_path(text) and not catalog.find(text):
        raise _file_not_symbol(catalog, text)
    return catalog.resolve(text)


def _file_not_symbol(catalog: Catalog, text: str) -> SymbolNotFound:
    """The error for the path of a file, which holds symbols but is none; or of no file."""
    paths = catalog.find_paths(text)
    if not paths:
        return _no_file(text)
    held = [symbol for symbol in catalog.in_file(paths[0]) if symbol.kind in (TYPE_KINDS | CALLABLE_KINDS)]
    outermost = [s for s in catalog.ranked(held) if s.kind != "lambda"]
    shown = ", ".join(symbol.fqn for symbol in outermost[:_SHOWN])
    more = f" and {len(outermost) - _SHOWN} more" if len(outermost) > _SHOWN else ""
    defines = f"it defines {shown}{more}; ask about one of them" if shown else "it defines no function or type"
    return SymbolNotFound(
        f"{text!r:.80} is a file, not a symbol: {defines}, or about a line: {paths[0]}:1",
        [symbol.fqn for symbol in outermost[:_SHOWN]],
    )


def is_place(text: str) -> bool:
    """Whether a target is a place in a file, ``path:line``."""
    return _PATH_LINE.fullmatch(text.strip()) is not None


def publicly(name: Target, symbol: Symbol) -> str:
    """What is to be said where a name is not the end of the name of the symbol that it means; "" where it is."""
    parts = name_parts(name) if isinstance(name, str) and not is_place(name) else ()
    if len(parts) < 2 or name == symbol.id or name_parts(symbol.fqn)[-len(parts) :] == parts:
        return ""
    return f"{name} is {symbol.fqn}"


def _is_path(text: str) -> bool:
    """Whether a name is meant as a file's: ``store/cart.py``, ``cart.py``."""
    from codeexplore.languages.registry import by_path

    return by_path(text) is not None and ("/" in text or text.count(".") == 1)


def _no_file(path: str) -> SymbolNotFound:
    return SymbolNotFound(f"no indexed file has the path {path!r:.80}; ws.files lists those that are")


def _at(catalog: Catalog, path: str, line: int) -> Symbol:
    symbol = catalog.at(path, line)
    if symbol is None:
        last = catalog.in_file(path)[0].span.end_line
        raise SymbolNotFound(f"{path} has no line {line}; it ends at line {last}")
    return symbol
