"""Whatever a person has in hand → the symbol it means: a name, a Symbol, a hit, ``path:line``, or a live object.

A live object is only looked at, never called: its code's file and line when it has code, else its module and qualified
name.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from types import CodeType, MethodType, ModuleType
from typing import Any, TypeAlias

from codeexplore.catalog import Catalog
from codeexplore.errors import SymbolNotFound
from codeexplore.types import Chunk, Symbol

Target: TypeAlias = Any
"""str (name, fqn, id or ``path:line``), Symbol, Chunk, a hit, or a live Python object."""

_PATH_LINE = re.compile(r"(?P<path>.+):(?P<line>\d+)")
_MAX_WRAPPERS = 50  # of a decorated function; a chain that long goes round in circles


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
    inner = getattr(target, "symbol", None)
    if isinstance(inner, Symbol):  # a search hit
        return _own(catalog, inner.id)
    chunk = getattr(target, "chunk", None)
    if isinstance(chunk, Chunk):
        return _of_chunk(catalog, chunk)
    return _live(catalog, root, target)


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
        paths = catalog.find_paths(place["path"].replace("\\", "/"))
        if len(paths) == 1:
            return _at(catalog, paths[0], int(place["line"]))
        if len(paths) > 1:
            shown = ", ".join(paths[:8])
            raise SymbolNotFound(f"{place['path']!r} may be {len(paths)} files: {shown}; give a longer path", paths)
        raise SymbolNotFound(f"no indexed file has the path {place['path']!r:.80}; ws.files lists those that are")
    return catalog.resolve(text)


def _at(catalog: Catalog, path: str, line: int) -> Symbol:
    symbol = catalog.at(path, line)
    if symbol is None:
        last = catalog.in_file(path)[0].span.end_line
        raise SymbolNotFound(f"{path} has no line {line}; it ends at line {last}")
    return symbol


# --------------------------------------------------------------------------- live objects


def _live(catalog: Catalog, root: Path, target: object) -> Symbol:
    subject = _unwrapped(target)
    code = _code_of(subject)
    if code is not None and (path := _inside(root, code.co_filename)) is not None and catalog.in_file(path):
        found = _at_code(catalog, path, code)
        if found is not None:
            return found
    name = _qualified_name(subject)
    if name is None:
        raise SymbolNotFound(
            f"an object of type {type(target).__name__} is no function, class or module; "
            "give one of those, a name or path:line"
        )
    candidates = catalog.meant(name) or catalog.meant(_without_root(name, root))
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        return catalog.resolve(name)
    where = f" (from {code.co_filename})" if code is not None else ""
    raise SymbolNotFound(
        f"{name}{where} is not defined in {root}; Workspace.from_package() explores an installed package",
        catalog.nearest(name),
    )


def _unwrapped(target: object) -> object:
    """The function below partials, bound methods, properties and decorators that keep ``__wrapped__``."""
    for _ in range(_MAX_WRAPPERS):
        if isinstance(target, functools.partial | functools.partialmethod | functools.cached_property):
            target = target.func
        elif isinstance(target, property) and target.fget is not None:
            target = target.fget
        elif isinstance(target, staticmethod | classmethod | MethodType):
            target = target.__func__
        elif not isinstance(target, type | ModuleType) and "__wrapped__" in getattr(target, "__dict__", {}):
            target = target.__dict__["__wrapped__"]
        else:
            return target
    return target


def _code_of(subject: object) -> CodeType | None:
    code = getattr(subject, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _inside(root: Path, file: str) -> str | None:
    try:
        return Path(file).resolve().relative_to(root.resolve()).as_posix()
    except (ValueError, OSError):
        return None


def _at_code(catalog: Catalog, path: str, code: CodeType) -> Symbol | None:
    """The symbol a code object was compiled from: it begins on the line of its first decorator."""
    name = code.co_name
    named = [s for s in catalog.in_file(path) if s.name == name or (name == "<lambda>" and s.kind == "lambda")]
    covering = [s for s in named if s.span.start_line <= code.co_firstlineno <= s.span.end_line]
    return max(covering, key=lambda s: s.span.start_line, default=None)


def _qualified_name(subject: object) -> str | None:
    if isinstance(subject, ModuleType):
        return subject.__name__
    name = getattr(subject, "__qualname__", None)
    module = getattr(subject, "__module__", None)
    if not isinstance(name, str):
        return None
    name = name.replace(".<locals>", "")
    return f"{module}.{name}" if isinstance(module, str) else name


def _without_root(name: str, root: Path) -> str:
    """A name as it is called in a workspace whose root is the package's own folder."""
    return name.removeprefix(f"{root.name}.")
