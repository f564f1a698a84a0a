"""A live Python object → the symbol it was made from.

It is only looked at, never called: its code's file and line when it has code, else its module and qualified name.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)

from codeexplore.errors import SymbolNotFound
from codeexplore.index.catalog import Catalog
from codeexplore.types import Symbol

_MAX_WRAPPERS = 50  # of a decorated function; a chain that long goes round in circles

_COMPILED = (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)


def resolve_live(catalog: Catalog, root: Path, target: object) -> Symbol:
    """The symbol that a function, class, method, property, partial, decorated function or module was made from.

    Raises
    ------
    SymbolNotFound
        It was made elsewhere, at a prompt or in a notebook, in C, or it is none of these; the message says which.
    AmbiguousSymbol
        Its name fits several symbols.
    """
    subject = unwrapped(target)
    code = _code_of(subject)
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
    raise SymbolNotFound(_not_here(subject, name, code, catalog, root), catalog.nearest(name))


def unwrapped(target: object) -> object:
    """The function below partials, bound methods, properties and decorators that keep ``__wrapped__``."""
    for _ in range(_MAX_WRAPPERS):
        if isinstance(
            target,
            functools.partial | functools.partialmethod | functools.cached_property | functools.singledispatchmethod,
        ):
            target = target.func
        elif isinstance(target, property) and target.fget is not None:
            target = target.fget
        elif isinstance(target, staticmethod | classmethod | MethodType):
            target = target.__func__
        elif not isinstance(target, type | ModuleType) and "__wrapped__" in (own := _own_attributes(target)):
            target = own["__wrapped__"]
        else:
            return target
    return target


def _own_attributes(target: object) -> Mapping[str, object]:
    """What an object holds itself, by Python's own lookup: its class may answer for attributes by running code."""
    try:
        found: Mapping[str, object] = object.__getattribute__(target, "__dict__")
    except AttributeError:  # it has slots
        return {}
    return found


def _code_of(subject: object) -> CodeType | None:
    return subject.__code__ if isinstance(subject, FunctionType) else None


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
    if not isinstance(subject, type) and "__qualname__" not in vars(type(subject)):
        return None  # asking an instance might run its code
    name = getattr(subject, "__qualname__", None)
    module = getattr(subject, "__module__", None)
    if not isinstance(name, str):
        return None
    name = name.replace(".<locals>", "")
    return f"{module}.{name}" if isinstance(module, str) else name


# --------------------------------------------------------------------------- why there is none


def _no_definition(target: object) -> str:
    """What to say of an object that no definition made."""
    kind = type(target)
    if kind.__module__ == "builtins":
        return (
            f"an object of type {kind.__name__} is no function, class or module; give one of those, a name or path:line"
        )
    return (
        f"an object of type {kind.__name__} is no function, class or module; "
        f"type(…) of it asks about {kind.__qualname__}, or give a name or path:line"
    )


def _not_here(subject: object, name: str, code: CodeType | None, catalog: Catalog, root: Path) -> str:
    """What to say of a definition that lies elsewhere."""
    short = name.rpartition(".")[2]
    if name.startswith("__main__.") and (code is None or not Path(code.co_filename).is_file()):
        alike = catalog.meant(short)
        hint = (
            f"the repository has {alike[0].fqn}: give that name"
            if alike
            else "give what it calls there, or load the folder it is saved in"
        )
        return f"{short} is defined in this session, in a cell or at a prompt, not in {root}; {hint}"
    if isinstance(subject, _COMPILED):
        return f"{name} is compiled, so no Python source here defines it; who uses it: ws.search({short!r})"
    where = f" (from {code.co_filename})" if code is not None else ""
    return f"{name}{where} is not defined in {root}; Workspace.from_package() explores an installed package"
