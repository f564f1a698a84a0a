"""Symbols by name: what a name may mean, the nearest to one that does not exist, what a beginning grows to."""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, Protocol

from codeexplore.catalog.names import STUBS, is_inside, name_parts, packages, short, shown_name
from codeexplore.catalog.rows import Rows
from codeexplore.closest import ClosestNames
from codeexplore.errors import AmbiguousSymbol, SymbolNotFound
from codeexplore.types import Symbol

_REMEMBERED: Final = 256
"""Names of which it is remembered what they mean."""
_STANDING_FOR: Final = frozenset({"module", "constant", "field"})
"""Kinds of symbols that may only stand for another of their name: a module of one function, an alias."""
_WIDER: Final = 4
"""Times as many alike names are found as are suggested, so that those of tests can stand back."""
_ALIKE: Final = 500
"""Symbols of one name that are looked at to find the best to suggest."""


class KnowsPublicNames(Protocol):
    """Knows under which names symbols are offered: by re-exports, aliases, packages, inheritance."""

    def find(self, name: str) -> tuple[Symbol, ...]:
        """The symbols that a name means which begins with a module's or package's whole name."""
        ...

    def find_loosely(self, name: str) -> tuple[Symbol, ...]:
        """The same for a name that begins with the end of a module's name, a type, or an alias of a module."""
        ...

    def rank(self, symbol: Symbol) -> Any:
        """A key that puts public definitions first, then others of the sources, then those of tests and examples."""
        ...

    def offered(self, head: str) -> Sequence[str]:
        """The names that a module or type offers, sorted; empty for what is neither."""
        ...

    def in_some_builds(self, symbol: Symbol) -> bool:
        """Whether a symbol's file is part of some builds only, so that others of its name go before it."""
        ...


class Named(Rows):
    """Rows that are found by name."""

    public_names: KnowsPublicNames | None = None
    """Set once, by the index that the catalog belongs to; without it only qualified names and their ends are found."""

    def find(self, name: str) -> tuple[Symbol, ...]:
        """Every symbol whose id or fqn is `name`, else those it publicly means, else whose fqn ends in it.

        Case counts. ``Session.get``, ``Session::get`` and ``sessions.py:…`` all work, and so do names as one imports
        them: ``flask.Flask`` for ``flask.app.Flask``. A public name stands before a module called the same. What is
        found by its end is in the order of `symbols`.
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
        if public is None or any(s.kind not in _STANDING_FOR and not s.path.endswith(STUBS) for s in exact):
            offered: tuple[Symbol, ...] = ()
        else:
            offered = tuple(s for s in public.find(name) if s.kind != "module" or not exact)
        if offered or exact:
            return offered or exact
        ending = "." + ".".join(parts)  # splitting what hundreds of symbols are called would take longer than all else
        found = tuple(s for s in candidates if s.fqn.endswith(ending) or self._parts(s)[-len(parts) :] == parts)
        return found if found or public is None else public.find_loosely(name)

    def named(self, name: str) -> tuple[Symbol, ...]:
        """The symbols whose name, or the last part of whose qualified name, is `name`."""
        return tuple(map(self.symbols.__getitem__, self._by_name.get(name, ())))

    def exactly(self, parts: tuple[str, ...]) -> tuple[Symbol, ...]:
        """The symbols whose qualified name has exactly these parts."""
        return tuple(symbol for symbol in self.named(parts[-1]) if self._parts(symbol) == parts) if parts else ()

    def meant(self, name: str) -> tuple[Symbol, ...]:
        """What a person means by `name`: `find` without what only shares the name of something better.

        A source stands before its stub, a thing before the module called like it, a type before its constructor, and of
        several definitions in one place the last, which is the one in force. For a package of many files stands the
        file called like it, else the first one with documentation.
        """
        return self._meant(name)

    @cached_property
    def _meant(self) -> Callable[[str], tuple[Symbol, ...]]:
        """`meant`, which a question asks several times about a name that hundreds may have."""
        return lru_cache(maxsize=_REMEMBERED)(self._meant_by)

    def _meant_by(self, name: str) -> tuple[Symbol, ...]:
        found = self.find(name)
        if len(found) < 2:
            return found
        if all(s.kind == "module" for s in found):
            return packages(found)
        found = tuple(s for s in found if not s.path.endswith(STUBS)) or found
        found = tuple(s for s in found if s.kind not in ("module", "section")) or found
        in_force = {(s.path, s.fqn): s for s in found}
        files = Counter(s.path for s in in_force.values())
        places = {s.id: (s.path, name_parts(s.fqn)) for s in in_force.values() if files[s.path] > 1}
        held = set(places.values())  # hundreds of classes have a setUp: no pairs
        found = tuple(s for s in in_force.values() if s.id not in places or not is_inside(*places[s.id], held))
        names = Counter(s.fqn for s in found)
        public = self.public_names
        if public is None or len(names) == len(found):
            return found
        return tuple(s for s in found if names[s.fqn] == 1 or not public.in_some_builds(s)) or found

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
        """Symbols with public definitions first, then others of the sources, then those of tests and examples."""
        return tuple(symbols) if self.public_names is None else tuple(sorted(symbols, key=self.public_names.rank))

    def nearest(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Fqns of the symbols whose last name is most like that of `name` (difflib's ratio, case ignored).

        Of names that are alike to the same degree, the one in the same case comes first, then what `ranked` puts first.
        """
        parts = name_parts(name[:200])
        if not parts:
            return ()
        folded = self._by_folded_name
        found: list[Symbol] = []
        public = self.public_names
        for key in self._closest.find(parts[-1].lower(), limit * _WIDER):
            alike = self.ranked(self.symbols[row] for row in folded[key][:_ALIKE])
            found += sorted(alike, key=lambda s: (s.kind == "section", s.name != parts[-1]))
        if public is not None:
            found.sort(key=lambda s: bool(public.rank(s)[0]))  # what only tests have comes last, however alike it is
        return tuple(dict.fromkeys(symbol.fqn for symbol in found))[:limit]

    def names(self) -> Mapping[str, Sequence[int]]:
        """Every name and every last part of an fqn, with the rows of the symbols that have it."""
        return self._by_name

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
    def _sorted_names(self) -> list[str]:
        return sorted({symbol.name for symbol in self.symbols if symbol.kind != "section"})

    def _parts(self, symbol: Symbol) -> tuple[str, ...]:
        return name_parts(symbol.fqn)
