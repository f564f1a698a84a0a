"""Symbols by name: what a name may mean, the nearest to one that does not exist, what a beginning grows to."""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Final

from codeexplore.catalog.names import STUBS, is_inside, name_parts, packages, short
from codeexplore.catalog.rows import Rows
from codeexplore.closest import ClosestNames
from codeexplore.errors import AmbiguousSymbol, SymbolNotFound
from codeexplore.types import Symbol

_REMEMBERED: Final = 256
"""Names of which it is remembered what they mean."""


class Named(Rows):
    """Rows that are found by name."""

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
        return tuple(s for s in in_force.values() if s.id not in places or not is_inside(*places[s.id], held))

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
        shown = "\n".join(f"  {s.fqn}  ({s.kind}, {s.path}:{s.line})" for s in found[:12])
        more = f"\n  … and {len(found) - 12} more" if len(found) > 12 else ""
        raise AmbiguousSymbol(
            f"{short(name)!r} may mean {len(found)} symbols; give a longer name or path:line:\n{shown}{more}",
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
