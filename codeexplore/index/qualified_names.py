"""Qualified names of all languages: their parts, their display, packages, and names outside the repository.

Displays import this module, so it needs no NumPy.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from codeexplore.resolution.access_paths import closing, split_top
from codeexplore.types import TYPE_KINDS, Span, Symbol

STUBS = (".pyi", ".d.ts", ".d.mts", ".d.cts")
_OUTER_LAMBDAS = re.compile(r"(?:<lambda:[\d:]+>(?:::|->|[./#:]))+(?=<lambda:)")
_LAMBDA = re.compile(r"(.+?)(?:::|->|[./#:])<lambda:(\d+):\d+>")
_SEPARATORS = re.compile(r"::|->|[./#\\]|:(?!\d+(?::\d+)?>)")  # not inside ``<lambda:5:38>``
SHOWN_LAMBDA = "a lambda in "
PLACE = re.compile(r"(?P<path>.+):(?P<line>\d{1,9})")
"""A line of a file."""
EXTERNAL = "external:"
"""Prefix of the ids of external names: ``external:os.path.join``."""
_NOWHERE = Span(0, 0, 0, 0)


def external_symbol(name: str) -> Symbol:
    """Return a symbol for a name outside the repository. It has no definition: `path` is "" and `line` 0."""
    parts = name_parts(name.replace("()", ""))
    return Symbol(EXTERNAL + name, name, parts[-1] if parts else name, "external", "", _NOWHERE, 0, "")


def is_place(text: str) -> bool:
    return PLACE.fullmatch(text.strip()) is not None


def is_external(symbol_id: str) -> bool:
    return symbol_id.startswith(EXTERNAL)


def shown_name(fqn: str) -> str:
    """Return a qualified name for display: ``a lambda in spec, line 5`` for ``spec.<lambda:4:22>.<lambda:5:38>``."""
    kept = innermost(fqn)
    found = _LAMBDA.fullmatch(kept)
    return f"{SHOWN_LAMBDA}{found[1]}, line {found[2]}" if found is not None else kept


def innermost(fqn: str) -> str:
    """Return a qualified name with only the innermost of nested anonymous functions."""
    return _OUTER_LAMBDAS.sub("", fqn)


def name_parts(name: str) -> tuple[str, ...]:
    """Split a qualified name at any language's separators: ``a.b``, ``a::b``, ``a/b``, ``a#b``, ``a.b(int)``."""
    return tuple(part for part in _SEPARATORS.split(name[: name.rfind("(")] if name.endswith(")") else name) if part)


def chosen_types(name: str) -> tuple[str, ...]:
    """Return the types behind a name that choose one of its overloads: ``int`` and ``String`` in ``f(int, String)``."""
    if not name.endswith(")"):
        return ()
    before, _, inside = name[:-1].rpartition("(")
    return () if before.endswith(")") else tuple("".join(each.split()) for each in split_top(inside))


def takes_types(symbol: Symbol, types: Sequence[str]) -> bool:
    """Return True if the parameters of a symbol have the given types, which its signature may qualify and name."""
    behind = "(" + symbol.signature.partition(symbol.name)[2].partition("(")[2]
    given = [re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", each) for each in split_top(behind[1 : closing(behind, 0) - 1])]
    given = [each for each in given if re.search(r"\bself\b", each) is None]
    words = (rf"(?<!\w){re.escape(each)}(?:(?<!\w)|\b)" for each in types)
    return len(given) == len(types) and all(map(re.search, words, given))


def last_two(fqn: str) -> str:
    """Return the last two parts of a qualified name, with the separator of its language: ``Cart::add``."""
    ends = [each.end() for each in _SEPARATORS.finditer(fqn)]
    return fqn[ends[-2] :] if len(ends) > 1 else fqn


def packages(modules: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """Return one module for each package, in the order of the given modules.

    Modules belong to the same package if they have the same qualified name and are in the same folder, as in Go.
    """
    files: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for module in modules:
        files[module.fqn, posixpath.dirname(module.path)].append(module)
    stems = {module.path: posixpath.basename(module.path).partition(".")[0] for module in modules}
    return tuple(min(each, key=lambda m: (stems[m.path] != m.name, not m.doc, m.path)) for each in files.values())


def is_inside(path: str, parts: tuple[str, ...], outer: AbstractSet[tuple[str, tuple[str, ...]]]) -> bool:
    """Return True if a symbol in `outer`, pairs of path and parts of a name, encloses the one with this name."""
    return any((path, parts[:length]) in outer for length in range(1, len(parts)))


def short(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def can_be(symbols: Sequence[Symbol], relation: str | None) -> bool:
    """Return False if `relation` asks for subtypes, and no symbol can have any; an alias has no subclasses."""
    without = ("constant", "field", "type") if relation == "subclasses" else ("constant", "field")
    return relation not in ("implementors", "subclasses") or any(symbol.kind not in without for symbol in symbols)


def other_name(name: str, symbol: Symbol, named: Callable[[str], Sequence[Symbol]]) -> str:
    """Return a note if a symbol was found by another name: by the type that inherits it, an import, or a part of it.

    `named` returns the symbols that have a name, as `Catalog.find` does.
    """
    parts = () if PLACE.fullmatch(name) else name_parts(name)
    if not parts or (symbol.name,) == parts or name_parts(symbol.fqn)[-len(parts) :] == parts:
        return ""
    owners = [each for each in named(".".join(parts[:-1])) if each.kind in TYPE_KINDS]
    inherits = symbol.name == parts[-1] and symbol.kind in ("method", "field") and owners
    return f"`{short(name)}` is {'inherited: it is ' * bool(inherits)}`{symbol.fqn}`"
