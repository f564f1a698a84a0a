"""Supertypes as the source writes them, with those from outside the repository that no edge leads to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, cached_property

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import INHERITING
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.registry import is_part, record_of
from codeexplore.types import METACLASS, TYPE_KINDS, FileIndex

_PLAIN_METACLASSES = frozenset({"ABCMeta", "type", "EnumMeta", "EnumType"})
_MOST_LEVELS = 20  # of supertypes above a type


class Supertypes:
    """Supertypes, metaclasses and traits that the files of a snapshot write. The facts of a file are read once."""

    def __init__(self, graph: CodeGraph, files: Mapping[str, FileIndex]) -> None:
        self.graph, self.files = graph, files
        self.outside = cache(self._find_outside)
        self._bases = cache(self._bases_in)
        self.metaclasses = cache(self._find_metaclasses)
        self.traits = cache(self._traits_of_methods)

    def _find_outside(self, symbol_id: str) -> tuple[str, ...]:
        """Return a type's supertypes outside the repository, those of its supertypes too, as written."""
        graph, found, seen, current = self.graph, dict[str, None](), {symbol_id}, [symbol_id]
        plain = record_of(graph.catalog.symbol(symbol_id).language).plain_bases
        for _ in range(_MOST_LEVELS):
            types = map(graph.catalog.symbol, current)
            current += [part.id for each in types if is_part(each) for part in graph.catalog.find(each.fqn)]
            above = (graph.neighbours(graph.vertex(each), "out", INHERITING) for each in current)
            inside = [graph.symbol(vertex) for found_above in above for vertex in found_above]
            names = {symbol.name for symbol in inside}
            written = (base for each in current for base in self.written(each))
            written = (base for base in written if base not in plain and name_parts(base))
            found |= dict.fromkeys(base for base in written if name_parts(base)[-1] not in names)
            current = list(dict.fromkeys(symbol.id for symbol in inside if symbol.id not in seen))
            seen.update(current)
        return tuple(found)

    def copied(self, symbol_id: str) -> tuple[str, ...]:
        """Return the outside types whose code becomes a part of a type, such as PHP's traits, as written."""
        file = self.files.get(self.graph.catalog.symbol(symbol_id).path)
        rows = () if file is None else file.facts.bases
        own = (row for row in rows if file and file.facts.symbols[row.scope].id == symbol_id)
        return tuple(row.path for row in own if row.manner == "embeds" and row.path in self.outside(symbol_id))

    @cached_property
    def embedding(self) -> Mapping[str, str]:
        """Id of a type that may have methods of an outside type, which it embeds → the outside type as written."""
        found = dict[str, str]()
        for file in self.files.values():
            rows = file.facts.bases if record_of(file.facts.language).implicit_interfaces else ()
            for symbol, row in ((file.facts.symbols[row.scope], row) for row in rows if row.manner == "embeds"):
                if symbol.kind != "interface" and row.path in self.outside(symbol.id):
                    found.setdefault(symbol.id, row.path)
        return found

    def written(self, symbol_id: str) -> tuple[str, ...]:
        """Return the supertypes of a type as written, in source order."""
        return self._bases(self.graph.catalog.symbol(symbol_id).path).get(symbol_id, ())

    def _bases_in(self, path: str) -> Mapping[str, tuple[str, ...]]:
        """Return type id → supertypes as written, for a file, whose facts are read only now."""
        file = self.files.get(path)
        if file is None:
            return {}
        found: dict[str, tuple[str, ...]] = {}
        facts = file.facts
        by_name: dict[str, dict[str | None, str]] = defaultdict(dict)  # name → the symbol around the type → type
        for symbol in facts.symbols:
            if symbol.kind in TYPE_KINDS:
                by_name[symbol.name][symbol.parent] = symbol.id
        parents = {symbol.id: symbol.parent for symbol in facts.symbols}
        for row in facts.bases:
            own = around = facts.symbols[row.scope].id
            named = by_name.get(name_parts(row.type)[-1], {}) if row.type and name_parts(row.type) else {}
            while around and around not in named:
                around = parents.get(around) or ""
            owner = named.get(around) or next(reversed(named.values()), own)
            found[owner] = (*found.get(owner, ()), row.path)
        return found

    def _traits_of_methods(self, path: str) -> Mapping[str, str]:
        """Return the trait that the block around each method of a file names; "" if only the type has the method."""
        file = self.files.get(path)
        rows = () if file is None else file.facts.bindings
        return {file.facts.symbols[row.scope].id: row.value for row in rows if file and row.manner == "receiver"}

    def _find_metaclasses(self, path: str) -> Mapping[str, str]:
        """Return type id → metaclass as written, for the types in a file whose metaclass is not plain."""
        file = self.files.get(path)
        rows = () if file is None else file.facts.bindings
        used = (row for row in rows if row.name == METACLASS)
        telling = (row for row in used if row.value.partition("(")[0].rpartition(".")[2] not in _PLAIN_METACLASSES)
        return {file.facts.symbols[row.scope].id: row.value for row in telling if file}
