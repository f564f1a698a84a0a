"""Starts of symbols without a call in the repository: by the language, a tool, a script or a test runner."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import is_constructor, members
from codeexplore.graph.usage.name_uses import VALUE_KINDS
from codeexplore.graph.usage.scripts import Script, read_scripts
from codeexplore.languages.file_roles import marks
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol

_TYPE_WORDS: Final = frozenset({"class", "interface", "enum", "record", "struct", "object", "trait", "@interface"})
"""Words of the declaration of a type, which the constant of an enum lacks although its body makes it a type."""
_SETUP: Final = ("setUp", "tearDown", "setup_", "teardown_", "pytest_")


class Starts:
    """Finder of symbols that are started from outside. `root` is the folder with the manifests that declare scripts."""

    def __init__(self, graph: CodeGraph, root: Path | None) -> None:
        self.graph, self._root = graph, root

    def reason(self, symbol: Symbol) -> str:
        """Return a clause if the language, a script or a test runner starts the symbol; "" otherwise."""
        language = record_of(symbol.language)
        if self._is_test(symbol):
            return "a test runner finds it by its name or decorator"
        vertex = self.graph.vertex(symbol.id)
        made = vertex if symbol.kind in TYPE_KINDS else -1
        if symbol.parent is not None and is_constructor(self.graph, vertex):
            made = self.graph.vertex(symbol.parent)
        if made >= 0 and any(self._is_test(self.graph.symbol(each)) for each in members(self.graph, made)):
            return "a test runner makes instances of the type, whose methods are tests"
        if implicit := self.implicit(symbol):
            return implicit
        if script := self.script(symbol):
            return script.said
        if symbol.name in language.start_names and symbol.kind in language.start_kinds:
            pattern = language.start_signature
            if pattern is None or pattern.search(symbol.signature):
                return "the language or a launcher calls it by its name"
        return ""

    def _is_test(self, symbol: Symbol) -> bool:
        language = record_of(symbol.language)
        by_mark = marks(symbol) & (language.test_decorators | language.setup_decorators)
        by_name = symbol.name.startswith((*language.test_names, *_SETUP))
        named = by_name and self.graph.catalog.roles.is_test(symbol.path)
        return symbol.kind in CALLABLE_KINDS and (bool(by_mark or named) or self.graph.catalog.is_test(symbol))

    def implicit(self, symbol: Symbol) -> str:
        """Return a clause if the language itself uses the symbol, without its name; "" otherwise."""
        name, language = symbol.name, record_of(symbol.language)
        special = language.implicit_members is not None and language.implicit_members.fullmatch(name) is not None
        around = self.graph.catalog.around(symbol)
        at_top = around is not None and around.kind == "module" and symbol.kind in (*CALLABLE_KINDS, *VALUE_KINDS)
        if at_top and language.tool_files is not None and language.tool_files.search(symbol.path) is not None:
            return f"a tool reads the names of {symbol.path}"
        if symbol.kind not in CALLABLE_KINDS:
            if special and symbol.kind in VALUE_KINDS:
                return f"`{name}` is a special name, which the language or its tools read"
            of_enum = around is not None and around.kind == "enum"
            constant = of_enum and symbol.kind in TYPE_KINDS and _TYPE_WORDS.isdisjoint(symbol.signature.split())
            return f"`{name}` is a constant of an enum, which lists its constants" if constant else ""
        if special and at_top:
            return f"`{name}` is a special function, which the language or its tools call"
        if special or (name.startswith("__") and name.endswith("__") and len(name) > 4):
            return f"`{name}` is a special method, which the language calls"
        if name.startswith("<") and name.endswith("init>"):  # <clinit>
            return f"`{name}` runs when its type is loaded"
        owners = language.implicit_owners
        if around is not None and owners is not None and owners.search(around.signature):
            return f"`{name}` is a member of {around.name}, which the language or other code uses"
        vertex = self.graph.vertex(symbol.id)
        if symbol.parent is None or not is_constructor(self.graph, vertex):
            return ""
        words = symbol.signature.split()
        if "()" in symbol.signature and self.graph.incident(self.graph.vertex(symbol.parent), "in", ("EXTENDS",)):
            return f"`{name}` runs when a subtype is made, unless the subtype calls another constructor"
        if "static" in words:
            return f"`{name}` runs when its type is loaded"
        beside = members(self.graph, self.graph.vertex(symbol.parent))
        making = (self.graph.symbol(each) for each in beside if is_constructor(self.graph, each))
        if all("private" in each.signature.split() for each in making):
            return f"all constructors of its type are private, as {name} is, which forbids other code to make instances"
        return ""

    def script(self, symbol: Symbol) -> Script | None:
        """Return what a manifest starts or registers as this symbol."""
        return self._started.get(symbol.path if symbol.kind == "module" else symbol.id)

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        return read_scripts(self._root, {(each.path, each.language) for each in self.graph.catalog.symbols})

    @cached_property
    def _started(self) -> dict[str, Script]:
        """Id of an object, or path of a file → its script."""
        found: dict[str, Script] = {}
        for script in self.scripts:
            outer = script.name.replace(".__main__", "")  # which imports it from its package
            meant = self.graph.catalog.find(script.name) or self.graph.catalog.find(outer) if script.name else ()
            for each in (script.path, *(symbol.id for symbol in meant)):
                found.setdefault(each, script)
        return found
