"""Targets of questions: a name, a Symbol, a hit, ``path:line`` or a live object, each resolved to the symbol it means.

A live Python object is only inspected, never called. If it has code, its symbol is found by the file and line of the
code, otherwise by its module and qualified name. `complete` returns the names that begin with a prefix, for completion
by Tab. It uses bisection in sorted lists, which are made at the first use and kept with their catalog.
"""

from __future__ import annotations

import bisect
import functools
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from codeexplore.types import TYPE_KINDS, Chunk, NextStep, Symbol
from codeexplore.types.errors import SymbolNotFound

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog

_MAX_WRAPPERS = 50  # of a decorated function; a longer chain is a cycle

_COMPILED = (
    types.BuiltinFunctionType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)


def resolve_live(catalog: Catalog, root: Path, target: object) -> Symbol:
    """Return the symbol that defines a live object: a function, class, method, property, partial or module.

    Raises SymbolNotFound, which says where else the object was defined, and AmbiguousSymbol.
    """
    subject = unwrapped(target)
    code = subject.__code__ if isinstance(subject, types.FunctionType) else None
    path = None if code is None else _inside(root, code.co_filename)
    if code is not None and path is not None and catalog.in_file(path):
        found = _at_code(catalog, path, code)
        if found is not None:
            return found
    name = _qualified_name(subject)
    if name is None:
        raise SymbolNotFound(_no_definition(target))
    candidates = catalog.meant(name) or catalog.meant(name.removeprefix(f"{root.name}."))
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        return catalog.resolve(name)
    raise _not_here(subject, name, code, catalog, root)


def unwrapped(target: object) -> object:
    """Return the function inside partials, bound methods, properties and decorators that set ``__wrapped__``."""
    for _ in range(_MAX_WRAPPERS):
        if isinstance(
            target,
            functools.partial | functools.partialmethod | functools.cached_property | functools.singledispatchmethod,
        ):
            target = target.func
        elif isinstance(target, property) and target.fget is not None:
            target = target.fget
        elif isinstance(target, staticmethod | classmethod | types.MethodType):
            target = target.__func__
        elif not isinstance(target, type | types.ModuleType) and "__wrapped__" in (own := _own_attributes(target)):
            target = own["__wrapped__"]
        else:
            return target
    return target


def _own_attributes(target: object) -> Mapping[str, object]:
    """Return the own attributes of `target`, read by Python's own lookup.

    The ordinary lookup could run code, because a class may compute its attributes.
    """
    try:
        found: Mapping[str, object] = object.__getattribute__(target, "__dict__")
    except AttributeError:  # it has slots
        return {}
    return found


def _inside(root: Path, file: str) -> str | None:
    try:
        return Path(file).resolve().relative_to(root.resolve()).as_posix()
    except (ValueError, OSError):
        return None


def _at_code(catalog: Catalog, path: str, code: types.CodeType) -> Symbol | None:
    """Return the symbol of a code object, which begins on the line of the first decorator; None without one."""
    name = code.co_name
    named = [s for s in catalog.in_file(path) if s.name == name or (name == "<lambda>" and s.kind == "lambda")]
    covering = [s for s in named if code.co_firstlineno in s.span.lines]
    return max(covering, key=lambda s: s.span.start_line, default=None)


def _qualified_name(subject: object) -> str | None:
    if isinstance(subject, types.ModuleType):
        return subject.__name__
    if not isinstance(subject, type) and "__qualname__" not in vars(type(subject)):
        return None  # reading an attribute of an instance might run its code
    name = getattr(subject, "__qualname__", None)
    module = getattr(subject, "__module__", None)
    if not isinstance(name, str):
        return None
    name = name.replace(".<locals>", "")
    return f"{module}.{name}" if isinstance(module, str) else name


# --------------------------------------------------------------------------- messages for objects without a symbol


def _no_definition(target: object) -> str:
    kind = type(target)
    refused = f"an object of type {kind.__name__} is not a function, class or module; "
    if kind.__module__ == "builtins":
        return f"{refused}give one of these, or a name, or path:line"
    return f"{refused}type(…) of it asks about {kind.__qualname__}, or give a name or path:line"


def _not_here(subject: object, name: str, code: types.CodeType | None, catalog: Catalog, root: Path) -> SymbolNotFound:
    nearest = catalog.nearest(name)
    short = name.rpartition(".")[2]
    if name.startswith("__main__.") and (code is None or not Path(code.co_filename).is_file()):
        alike = catalog.meant(short)
        hint = (
            f"the repository has {alike[0].fqn}: give that name"
            if alike
            else "give a function that it calls there, or load the folder in which it is saved"
        )
        said = f"{short} is defined in this session, in a cell or at a prompt, not in {root}; {hint}"
        return SymbolNotFound(said, nearest)
    if isinstance(subject, _COMPILED):
        uses = NextStep("search", "finds its uses", (short,))
        return SymbolNotFound(f"{name} is compiled, so no Python source here defines it", nearest, next_steps=(uses,))
    where = f" (from {code.co_filename})" if code is not None else ""
    package = NextStep("Workspace.from_package", "explores an installed package")
    return SymbolNotFound(f"{name}{where} is not defined in {root}", nearest, next_steps=(package,))


_MOST_OWNERS = 20  # of one name: a prefix like "get." would offer the members of every get
_LAST_JOINT = re.compile(r"(?s)(?P<head>.+)(?P<joint>::|[.#])(?P<stem>[^.:#]*)")
_JOINT = re.compile(r"::|[.#]")
_AFTER_ALL = "\U0010ffff"


def complete(catalog: Catalog, prefix: str, limit: int = 50) -> tuple[str, ...]:
    """Return at most `limit` completions of `prefix`, sorted.

    - ``ses`` gives names of symbols that begin with it. Names with the same case come first.
    - ``Session.ge`` gives members of all symbols called Session.
    - ``app.ses`` gives qualified names up to their next part.
    """
    match = _LAST_JOINT.fullmatch(prefix)
    if match is None:
        found = dict.fromkeys(catalog.names_with_prefix(prefix, limit))
        if len(found) < limit:
            found |= dict.fromkeys(_folded(catalog, prefix, limit))
    else:
        found = dict.fromkeys(_members(catalog, match["head"], match["joint"], match["stem"]))
    shown = (name for name in found if name.isprintable() and " " not in name)
    return tuple(shown)[:limit]


def _folded(catalog: Catalog, prefix: str, limit: int) -> list[str]:
    """Return names that begin with `prefix` if case is ignored."""
    wanted, pairs = prefix.casefold(), catalog.folded_names
    start = bisect.bisect_left(pairs, (wanted, ""))
    near = pairs[start : start + limit]
    return [name for folded, name in near if folded.startswith(wanted)]


def _members(catalog: Catalog, head: str, joint: str, stem: str) -> list[str]:
    """Return the members of `head` that begin with `stem`.

    `head` may be the start or the end of a qualified name, or a public name.
    """
    fqns = catalog.sorted_fqns
    found = list(_next_parts(fqns, head + joint, stem))
    if catalog.public_names is not None:
        offered = catalog.public_names.offered(head)
        private = stem.startswith("_")
        found += [head + joint + name for name in offered if name.startswith(stem) and (private or name[0] != "_")]
    for owner in catalog.find(head)[:_MOST_OWNERS]:
        if owner.fqn != head:
            found += [head + name[len(owner.fqn) :] for name in _next_parts(fqns, owner.fqn + joint, stem)]
    return sorted(set(found))


def _next_parts(fqns: Sequence[str], owner: str, stem: str) -> Iterator[str]:
    """Yield the beginnings of the qualified names that start with `owner` + `stem`, each cut after the next part.

    For the owner ``shop.`` and the stem ``ca``, the name ``shop.cart.Cart.add`` gives ``shop.cart``. `owner` includes
    the separator at its end.
    """
    beginning = owner + stem
    position = bisect.bisect_left(fqns, beginning)
    while position < len(fqns) and fqns[position].startswith(beginning):
        joint = _JOINT.search(fqns[position], len(beginning))
        name = fqns[position][: joint.start()] if joint else fqns[position]
        if len(name) > len(owner):
            yield name
        position = bisect.bisect_left(fqns, name + (joint[0] if joint else "") + _AFTER_ALL * bool(joint), position + 1)


Target: TypeAlias = Any
"""str (name, fqn, id or ``path:line``), Symbol, Chunk, a hit, or a live Python object."""

_PATH_LINE = re.compile(r"(?P<path>.+):(?P<line>\d{1,9})")


def resolve_target(catalog: Catalog, root: Path, target: Target) -> Symbol:
    """Return the symbol that `target` means.

    Raises SymbolNotFound and AmbiguousSymbol. Their messages list the most similar names, or all symbols with the name.
    """
    if isinstance(target, Symbol):
        return _own(catalog, target.id)
    if isinstance(target, Chunk):
        return _of_chunk(catalog, target)
    if isinstance(target, str):
        return _by_text(catalog, target)
    if type(target).__module__.startswith("codeexplore."):  # of others no attribute is read: that may run code
        inner, chunk = getattr(target, "symbol", None), getattr(target, "chunk", None)
        if isinstance(inner, Symbol):  # a search hit
            return _own(catalog, inner.id)
        if isinstance(chunk, Chunk):
            return _of_chunk(catalog, chunk)
    return resolve_live(catalog, root, target)


def _own(catalog: Catalog, symbol_id: str) -> Symbol:
    if not catalog.has_symbol(symbol_id):
        raise SymbolNotFound(f"the symbol {symbol_id!r} comes from another workspace, or was removed by a refresh")
    return catalog.symbol(symbol_id)


def _of_chunk(catalog: Catalog, chunk: Chunk) -> Symbol:
    if chunk.symbol is None:
        raise SymbolNotFound(f"the chunk {chunk.path}:{chunk.start_line} belongs to no symbol; give its path:line")
    return _own(catalog, chunk.symbol)


def _by_text(catalog: Catalog, text: str) -> Symbol:
    place = _PATH_LINE.fullmatch(text.strip())
    if place is not None and not catalog.find(text):
        return _at(catalog, only_path(catalog, place["path"]), int(place["line"]))
    if _is_path(text) and not catalog.find(text):
        raise no_file(text)
    return catalog.resolve(text)


def is_place(text: str) -> bool:
    return _PATH_LINE.fullmatch(text.strip()) is not None


def _is_path(text: str) -> bool:
    """Return True if `text` looks like the path of a file: ``store/cart.py``, ``cart.py``."""
    from codeexplore.languages.registry import by_path

    return by_path(text) is not None and ("/" in text or text.count(".") == 1)


def only_path(catalog: Catalog, path: str) -> str:
    """Return the one indexed path that equals `path` or ends in it. Raises SymbolNotFound."""
    found = catalog.find_paths(path)
    if len(found) > 1:
        shown = ", ".join(found[:8])
        raise SymbolNotFound(f"{path!r} may mean {len(found)} files: {shown}; give a longer path", found)
    if not found:
        raise no_file(path)
    return found[0]


def no_file(path: str) -> SymbolNotFound:
    """Return the error for a path that is not that of an indexed file."""
    files = NextStep("files", "lists the indexed files", None)
    return SymbolNotFound(f"no indexed file has the path {path!r:.80}", next_steps=(files,))


def _at(catalog: Catalog, path: str, line: int) -> Symbol:
    symbol = catalog.at(path, line)
    if symbol is None:
        last = catalog.in_file(path)[0].span.end_line
        raise SymbolNotFound(f"{path} has no line {line}; it ends at line {last}")
    while (around := catalog.around(symbol)) is not None and around.kind in TYPE_KINDS and around.line == line:
        symbol = around  # of a type on one line, the type is meant and not its last member
    return symbol
