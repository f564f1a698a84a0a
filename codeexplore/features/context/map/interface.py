"""Public interface of the map, divided by what a user wants: to call, to implement, errors, tables and variables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from codeexplore.answers.wording import cut, first_sentence, one_line, plural
from codeexplore.features.context.map.centre import is_error
from codeexplore.features.context.map.material import MOST_NAMES, MOST_ROWS, NAMED, Detail, row, symbol_row
from codeexplore.features.context.tours.evidence import documents_of, first_examples
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS
from codeexplore.types.rows import grouped

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.types import Symbol

_SIGNATURE_CHARS: Final = 160
_TABLE_CHARS: Final = 100
_LEAST_SAME: Final = 3  # types that extend one, or files with a variable of one name: from then on, a convention
_SHOWN_KINDS: Final = CALLABLE_KINDS | TYPE_KINDS | {"constant", "field"}
_GIVEN: Final = frozenset({"default", "static", "private"})  # words of methods that an interface implements itself
_FUNCTION_TYPE: Final = re.compile(r"^type\s+\w+(?:\[[^\]]*\])?\s+func\b|=\s*(?:<.*>\s*)?\(.*\)\s*=>")
_TABLE: Final = re.compile(
    r"=\s*(?:\{|\[(?!\]byte)|\(|(?:new\s+)?(?:\w+\.)*(?:dict|list|set|OrderedDict|defaultdict|Map|Set|HashMap|ConcurrentHashMap|"
    r"WeakMap|Registry)\b|map\[|make\(map|&?\w*[Rr]egistry\b)"
)
_MADE: Final = re.compile(r"=\s*(?:new\s+|&)?(?:\w+\.)*(\w+)\s*(?:<[^>]*>)?[({]")
_ABSTRACT_BASE: Final = re.compile(r"(?:.*\.)?(?:ABC|ABCMeta|Protocol)(?:\[.*)?")
_ERROR_VALUE: Final = re.compile(r"Err[A-Z]\w*|ERR_\w+|E[A-Z]{3,}|\w*(?:Error|Exception)")


class Interface:
    def __init__(self, material: Material) -> None:
        self._material = material

    @cached_property
    def _top(self) -> Sequence[Symbol]:
        """The outermost public definitions: first those that most tests and examples use, then those documents show."""
        material = self._material
        found = filter(material.evidence.visibility.reason, material.top)
        spread, scores = material.tour.spread, material.tour.scores
        return sorted(found, key=lambda s: (-spread.get(s.id, 0), -scores.get(s.id, 0.0), material.by_importance(s)))

    @cached_property
    def _errors(self) -> Sequence[Symbol]:
        return [symbol for symbol in self._top if is_error(self._material, symbol)]

    def shown_rows(self) -> list[Detail]:
        """Return rows for the names of the first example of a document that uses names of the product.

        A name may be a function, a type, a bound method or another value of a module, a field, or another name of any
        of them. An example that uses only members of unknown variables counts where there is no other.
        """
        material, guessed = self._material, list[Detail]()
        for path in documents_of(material.sources, material.graph.catalog.roles):
            for line, names in first_examples(material.sources[path].text):
                found = self._shown(names)
                sure = any(material.is_top(each) or self._is_owned(each, chain) for chain, each in found.values())
                if found and (sure or not guessed):
                    once = {symbol.id: symbol for _, symbol in found.values()}.values()
                    guessed = [row(f"{path}:{line} uses {', '.join(found)}"), *map(self._with_members, once)]
                if sure:
                    return guessed
        return guessed

    def _shown(self, names: Iterable[str]) -> dict[str, tuple[str, Symbol]]:
        """Return the names that mean symbols of the product, each with what stands before it, and its symbol."""
        material, catalog = self._material, self._material.graph.catalog
        shown = {mention.symbol_id for each in material.tour.documents for mention in each}
        found: dict[str, tuple[str, Symbol]] = {}
        for chain in names:
            first, _, name = chain.rpartition(".")
            if name in found or first.partition(".")[0] in self._outside:
                continue
            meant = [s for s in catalog.named(name) if s.path in material.product and s.kind in _SHOWN_KINDS]
            if not meant and (names_of := catalog.public_names) is not None:
                meant = [s for s in names_of.find(chain) or names_of.find(name) if s.path in material.product]
            if meant:
                found[name] = first, min(meant, key=lambda s: self._shown_order(s, first, shown))
        return found

    def _shown_order(self, symbol: Symbol, first: str, shown: Collection[str]) -> tuple[object, ...]:
        """Return the order of the symbols of one name: a member of the owner, then what documents show, go first."""
        top = self._material.is_top(symbol)
        return not self._is_owned(symbol, first), symbol.id not in shown, not top, self._material.by_importance(symbol)

    def _is_owned(self, symbol: Symbol, first: str) -> bool:
        """Return True if the last name of `first` is that of the definition around a symbol."""
        above = self._material.graph.catalog.around(symbol)
        return above is not None and above.name == first.rpartition(".")[2]

    @cached_property
    def _outside(self) -> frozenset[str]:
        """First parts of the outside names that the product uses, such as ``os``."""
        symbols = self._material.graph.catalog.symbols
        uses = (use for use in self._material.graph.externals if symbols[use.source].path in self._material.product)
        own = {symbol.fqn.partition(".")[0] for symbol in symbols if symbol.path in self._material.product}
        return frozenset(use.name.rpartition("/")[2].partition(".")[0] for use in uses) - own

    def call_rows(self) -> list[Detail]:
        apart = {s.id for s in (*self._errors, *self._contracts)}
        found = [s for s in self._top if s.kind in CALLABLE_KINDS | TYPE_KINDS and s.id not in apart]
        return [self._with_members(symbol) for symbol in found[:MOST_ROWS]]

    def _with_members(self, symbol: Symbol) -> Detail:
        name = cut(self._owned(symbol, one_line(symbol.signature or symbol.name)), _SIGNATURE_CHARS)
        texts = symbol_row(symbol, first_sentence(symbol.doc), name=name)
        reason = self._material.evidence.visibility.reason
        members: dict[str, dict[str, None]] = {"methods": {}, "fields": {}}
        for each in self._material.members(symbol) if symbol.kind in TYPE_KINDS else ():
            kind = "methods" if each.kind in CALLABLE_KINDS else "fields" if each.kind == "field" else ""
            if kind and reason(each):
                members[kind][each.name] = None
        named = "".join(f" · {kind} {shortened(list(names), MOST_NAMES)}" for kind, names in members.items() if names)
        return row(*texts, f"{texts[-1]}{named}")

    def _owned(self, symbol: Symbol, signature: str) -> str:
        """Return a signature behind the name of the type of a member, unless the signature says it."""
        owner = self._material.graph.catalog.around(symbol)
        if owner is None or owner.kind not in TYPE_KINDS or owner.name in signature.partition(symbol.name)[0]:
            return signature
        return f"{owner.name}: {signature}"

    def implement_rows(self) -> list[Detail]:
        rows = []
        for symbol in self._contracts[:MOST_ROWS]:
            brief, *texts = self._with_members(symbol)
            if required := self._required(symbol):
                said = first_sentence(symbol.doc)
                texts = [f"{brief}{' — ' * bool(said)}{said} · to implement: {shortened(required, MOST_NAMES)}"]
            said = texts[-1] if texts else brief
            below, others = self._subtypes(symbol), self._extended(symbol)
            if symbol.kind == "type":  # a struct of Go that embeds a type of functions does not implement it
                below, others = [], 0
            said += f" · implemented by {shortened(below, NAMED)}" if below else ""
            said += f" · {plural(others, 'subtype')} in tests and examples" if others else ""
            rows.append(row(brief, *texts, said))
        return rows

    def _required(self, symbol: Symbol) -> list[str]:
        methods = [s for s in self._material.members(symbol) if s.kind in CALLABLE_KINDS]
        if symbol.kind == "interface":
            return [s.name for s in methods if not _GIVEN.intersection(s.signature.split())]
        if symbol.kind == "trait":
            return [s.name for s in methods if self._text(s).rstrip().endswith(";")]
        return [s.name for s in methods if self._is_left(s)]

    def _is_left(self, method: Symbol) -> bool:
        marked = any("abstractmethod" in mark for mark in method.decorators) or "abstract" in method.signature.split()
        return marked or "raise NotImplementedError" in self._text(method)

    def _extended(self, symbol: Symbol) -> int:
        """Return the number of types of tests and examples that are direct subtypes of a type."""
        users = (user for user, _ in self._material.sources_of(symbol, ("EXTENDS", "IMPLEMENTS")))
        return len({user.id for user in users if user.path not in self._material.product})

    @cached_property
    def _contracts(self) -> Sequence[Symbol]:
        """The public types that users implement.

        They are interfaces, traits, types of functions, abstract classes and classes that tests and examples extend.
        """
        return [s for s in self._top if s.kind in TYPE_KINDS and s not in self._errors and self._is_abstract(s)]

    def _is_abstract(self, symbol: Symbol) -> bool:
        members = self._material.members(symbol)
        methods = [each for each in members if each.kind in CALLABLE_KINDS]
        if symbol.kind == "type":
            return _FUNCTION_TYPE.search(symbol.signature) is not None
        if symbol.kind in ("interface", "trait"):
            return bool(methods) or any(
                self._material.sources_of(symbol, ("EXTENDS", "IMPLEMENTS"))
            )  # others describe the shape of data
        if "abstract" in symbol.signature.split():
            return True
        if any(map(_ABSTRACT_BASE.fullmatch, self._bases(symbol))):
            return True
        return any(map(self._is_left, methods)) or self._extended(symbol) >= _LEAST_SAME

    def _bases(self, symbol: Symbol) -> Sequence[str]:
        match = re.search(r"\((.*)\)", symbol.signature)
        return [part.strip().rpartition("=")[2] for part in match[1].split(",")] if match else ()

    def _text(self, symbol: Symbol) -> str:
        return self._material.text(symbol.path, symbol.span.start_line, symbol.span.end_line)

    def _subtypes(self, symbol: Symbol) -> list[str]:
        """Return the names of the product's types below a type, at all levels, that are no interfaces themselves."""
        found = {symbol.id: symbol}
        for each in (waiting := [symbol]):
            users = (user for user, _ in self._material.sources_of(each, ("EXTENDS", "IMPLEMENTS")))
            new = {user.id: user for user in users if user.id not in found and user.path in self._material.product}
            found |= new
            waiting += new.values()
        types = TYPE_KINDS - {"interface", "trait"}  # a module has the implementation for a type of others
        return list(dict.fromkeys(each.name for each in waiting[1:] if each.kind in types))

    def error_rows(self) -> list[Detail]:
        users = {s.id: self._material.users(s, "CALLS", "USES", "EXTENDS") for s in self._errors}
        rows = []
        for symbol in sorted(self._errors, key=lambda s: (-users[s.id], s.id))[:MOST_ROWS]:
            texts = self._with_members(symbol)
            rows.append(row(*texts[:2], f"{texts[:2][-1]} · {plural(users[symbol.id], 'user')}"))
        return [*rows, *self._variables(_is_error_value, "")]

    def variable_rows(self) -> list[Detail]:
        tables = self._tables()
        apart = {symbol.id for symbol, _ in tables}
        rows = [_table_row(symbol, users) for symbol, users in tables[:MOST_ROWS]]
        others = self._variables(lambda s: s.id not in apart and not _is_error_value(s), "variables and constants ")
        return [*rows, *others]

    def _tables(self) -> Sequence[tuple[Symbol, int]]:
        """Return the variables of modules with a container or an object of the repository, most used first."""
        material = self._material
        types = {symbol.name for symbol in material.product_types}
        found = []
        for symbol in material.top:
            if symbol.kind == "constant" and not _is_error_value(symbol):
                made = _MADE.search(symbol.signature)
                is_table = symbol.name != "__all__" and _TABLE.search(symbol.signature)
                if is_table or (made is not None and made[1] in types):
                    found.append((symbol, material.users(symbol, "USES", "CALLS")))
        return sorted(found, key=lambda pair: (-pair[1], pair[0].path, pair[0].line))

    def _variables(self, wanted: Callable[[Symbol], bool], label: str) -> list[Detail]:
        """Return a row for each file with its wanted public variables, without names that many files have."""
        found = [s for s in self._top if s.kind == "constant" and wanted(s)]
        same = Counter(name for name, _ in {(s.name, s.path) for s in found})
        found.sort(key=lambda s: (s.path, s.line))
        names = grouped((s.path, s.name) for s in found if same[s.name] < _LEAST_SAME)
        return [row(f"{path}: {label}{shortened(each, MOST_NAMES)}") for path, each in sorted(names.items())]


def _table_row(symbol: Symbol, users: int) -> Detail:
    brief = f"{symbol.path}:{symbol.line} {symbol.name}"
    used = f" · {plural(users, 'user')}" if users else ""
    said = first_sentence(symbol.doc)
    value = cut(one_line(symbol.signature), _TABLE_CHARS)
    return row(f"{brief}{used}", f"{brief} — {said}{used}" if said else f"{symbol.path}:{symbol.line} {value}{used}")


def _is_error_value(symbol: Symbol) -> bool:
    return _ERROR_VALUE.fullmatch(symbol.name) is not None
