"""Facts of one file, found by the names that they bind and by the scopes that contain them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from codeexplore.languages.registry import rules_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Base, Binding, Export, FileFacts, Import

_TOKEN: Final = re.compile(r"(\.?)(%(?!type\b)\w+(?::\d+:\d+)?|[^\W\d][\w$]*)")
PARAMETERS: Final = frozenset({"parameter", "keyword", "rest", "keywords"})


def names_of(path: str) -> Iterator[tuple[bool, str]]:
    """Yield the names in an access path or type, each with True if it is a member: the name after a dot.

    >>> list(names_of("self.pool.get()[0]"))
    [(False, 'self'), (True, 'pool'), (True, 'get')]
    """
    for dot, name in _TOKEN.findall(path):
        yield bool(dot), name


def last_of(path: str) -> str:
    """Return the last name of a path, without the brackets after it: "get" for ``self.pool.get()``; "" for none."""
    found = _TOKEN.findall(_without_brackets(path))
    return found[-1][1] if found else ""


def _without_brackets(path: str) -> str:
    if "(" not in path and "[" not in path:
        return path
    kept, depth = [], 0
    for char in path:
        depth -= char in ")]"
        if depth == 0 and char not in ")]([":
            kept.append(char)
        depth += char in "(["
    return "".join(kept)


class FactsIndex:
    """Facts of a file, with lookups by name and by scope. A *scope* is the row of a symbol in the file.

    A fact about ``self.pool`` or ``pool`` is found by the name "pool".
    """

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        row_of = {symbol.id: row for row, symbol in enumerate(facts.symbols)}
        self.parents = [-1 if symbol.parent is None else row_of.get(symbol.parent, -1) for symbol in facts.symbols]
        self.inside: dict[int, list[int]] = defaultdict(list)  # type → its members; function → what it defines
        for row, parent in enumerate(self.parents):
            self.inside[parent].append(row)
        self.is_callable = [symbol.kind in CALLABLE_KINDS for symbol in facts.symbols]
        self.is_type = [symbol.kind in TYPE_KINDS for symbol in facts.symbols]
        rules = rules_of(facts.language)
        self.symbols: dict[str, list[int]] = defaultdict(list)  # name, or root of an anonymous value → rows
        for row, symbol in enumerate(facts.symbols):
            if row:
                self.symbols[symbol.name].append(row)
                if symbol.name[0] == "<":
                    self.symbols[root_of_anonymous(symbol.name)].append(row)
        self._index_bindings(rules is not None and rules.classes.self_parameter)
        self.returns: dict[int, list[str]] = defaultdict(list)
        for returned in facts.returns:
            self.returns[returned.scope].append(returned.value)
        self.bases: dict[int, list[Base]] = defaultdict(list)
        for base in facts.bases:
            self.bases[base.scope].append(base)
        self.imports: dict[str, list[Import]] = defaultdict(list)  # name → imports that bind it
        for bound in facts.imports:
            self.imports[bound.name if bound.name[:1] == "%" else bound.name.partition(".")[0]].append(bound)
        self.exports: dict[str, list[Export]] = defaultdict(list)
        for export in facts.exports:
            self.exports[export.name].append(export)

    def _index_bindings(self, self_parameter: bool) -> None:
        """Index the bindings. With `self_parameter`, the first parameter of a method is its receiver."""
        self.bindings: dict[str, list[Binding]] = defaultdict(list)  # name → in any scope
        self.in_scope: dict[int, dict[str, list[Binding]]] = defaultdict(lambda: defaultdict(list))
        self.receiver_of: dict[int, str] = {}  # method outside its type → its type
        self.receivers: set[tuple[int, str]] = set()  # (method, its first parameter), where that is the receiver
        first = set[int]()  # functions with a parameter so far
        for binding in self.facts.bindings:
            if binding.manner == "receiver":
                self.receiver_of[binding.scope] = binding.type
                self.receivers.add((binding.scope, binding.name))
            elif self_parameter and binding.manner == "parameter" and binding.scope not in first:
                first.add(binding.scope)
                if self.in_type(binding.scope) and "staticmethod" not in self.facts.symbols[binding.scope].decorators:
                    self.receivers.add((binding.scope, binding.name))
            key = _bound(binding.name)
            self.bindings[key].append(binding)
            if "." not in binding.name or binding.name[0] == "%":
                self.in_scope[binding.scope][root_of(binding.name)].append(binding)

    @property
    def rows(self) -> int:
        """Number of facts in the file."""
        facts = self.facts
        return len(facts.symbols) + len(facts.bindings) + len(facts.returns) + len(facts.references)

    @cached_property
    def references(self) -> dict[str, list[int]]:
        """Last name of a reference's path → rows of the references."""
        found: dict[str, list[int]] = defaultdict(list)
        for row, path in enumerate(self._paths):
            found[path].append(row)
        return found

    @cached_property
    def _paths(self) -> Sequence[str]:
        return [last_of(row.path) for row in self.facts.references]

    @cached_property
    def passing(self) -> dict[str, list[int]]:
        """Root of an anonymous function → rows of the references that pass it as an argument."""
        found: dict[str, list[int]] = defaultdict(list)
        for row, reference in enumerate(self.facts.references):
            for argument in reference.args:
                if "%fn" in argument:
                    found[argument.rpartition("=")[2]].append(row)
        return found

    @cached_property
    def by_scope(self) -> dict[int, list[int]]:
        """Scope → rows of its references."""
        found: dict[int, list[int]] = defaultdict(list)
        for row, reference in enumerate(self.facts.references):
            found[reference.scope].append(row)
        return found

    @cached_property
    def instance_names(self) -> frozenset[str]:
        """The keywords of the file's language for the receiver of a method."""
        rules = rules_of(self.facts.language)
        return frozenset() if rules is None or rules.classes.self_parameter else rules.classes.instance_names

    @cached_property
    def builtins(self) -> frozenset[str]:
        """The built-in names of the file's language."""
        rules = rules_of(self.facts.language)
        return frozenset() if rules is None else rules.builtins.names

    def below(self, scope: int) -> Iterator[int]:
        """Yield a scope and all scopes inside it."""
        yield scope
        for inner in self.inside.get(scope, ()):
            yield from self.below(inner)

    def in_type(self, scope: int) -> bool:
        """Return True if a symbol is a member of a type."""
        return self.parents[scope] >= 0 and self.is_type[self.parents[scope]]

    def binds(self, name: str) -> bool:
        """Return True if the file defines, binds, imports or exports a name, perhaps not at its top level."""
        return name in self.symbols or name in self.bindings or name in self.imports or name in self.exports

    def type_of(self, binding: Binding) -> int:
        """Return the type whose member a binding of a path, or in the body of a type, assigns; -1 if it is not known.

        It is known for ``self.x``, if ``self`` is the receiver of a method around the binding.
        """
        if self.is_type[binding.scope]:
            return binding.scope
        return self.type_of_receiver(binding.scope, root_of(binding.name))

    def type_of_receiver(self, scope: int, name: str) -> int:
        """Return the type of which `name` is the receiver, as code in a scope means it; -1 if it is not known."""
        for each in self.chain(scope):
            if (each, name) in self.receivers or (name in self.instance_names and self.in_type(each)):
                return self.parents[each] if self.in_type(each) else -1
        return -1

    def chain(self, scope: int) -> Iterator[int]:
        """Yield a scope and the scopes around it, the module last."""
        while scope >= 0:
            yield scope
            scope = self.parents[scope]


def root_of_anonymous(name: str) -> str:
    """Return the root of access paths to an anonymous function or class: ``%fn:3:8`` for ``<lambda:3:8>``."""
    kind, _, place = name.strip("<>").partition(":")
    return f"%{'fn' if kind == 'lambda' else kind}:{place}"


def root_of(name: str) -> str:
    """Return the first name of a path: "table" for ``table[key].run``."""
    return name.partition(".")[0].partition("[")[0].partition("(")[0]


def _bound(name: str) -> str:
    """Return the name by which a binding is found: the last name of ``self.pool``, the container of ``table[key]``."""
    if name[:1] == "%":
        return root_of(name)
    return name.partition("[")[0].rpartition(".")[2]
