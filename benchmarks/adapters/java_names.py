"""codeexplore for the Java scorer: ``pkg.Outer$Inner:method(full.Parameter,types)``, constructors as ``<init>``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from source_graph import Row, SourceGraph, load

from codeexplore.types import FileFacts, Symbol

_TYPES = ("class", "interface", "enum")
_JAVA_LANG = frozenset({
    "Boolean", "Character", "Class", "ClassLoader", "Double", "Exception", "Float", "Integer", "Long", "Number",
    "Object", "Runnable", "String", "Thread", "Throwable",
})  # fmt: skip


class Names:
    """Names of a Java repository's types and methods as the benchmark spells them."""

    def __init__(self, graph: SourceGraph) -> None:
        """Names and imports of every file of `graph`."""
        self.graph = graph
        self.package = {facts.path: _package(facts) for facts in graph.files}
        self.imports = {
            facts.path: {made.name: f"{made.module}.{made.member}" for made in facts.imports} for facts in graph.files
        }
        self.parameters = _parameters(graph.files)
        self.types: dict[str, str] = {}
        for symbol in graph.symbols.values():
            if symbol.kind in _TYPES:
                self.types.setdefault(symbol.name, self.type_name(symbol))

    def type_name(self, symbol: Symbol) -> str:
        """The type that a symbol is or is a member of."""
        parts: list[str] = []
        around: Symbol | None = symbol
        while around is not None and around.parent is not None:
            if around.kind in _TYPES:
                parts.append(around.name)
            around = self.graph.symbols[around.parent]
        package = self.package[symbol.path]
        return (f"{package}." if package else "") + "$".join(reversed(parts))

    def method(self, symbol: Symbol) -> str:
        """A method or constructor; a type stands for its constructor without parameters."""
        constructs = symbol.kind in _TYPES or symbol.name == self.owner(symbol).name
        imports = self.imports[symbol.path]
        types = ",".join(self._full(text, imports) for text in self.parameters.get(symbol.id, ()))
        return f"{self.type_name(symbol)}:{'<init>' if constructs else symbol.name}({types})"

    def owner(self, symbol: Symbol) -> Symbol:
        """The type around a member."""
        while symbol.parent is not None:
            symbol = self.graph.symbols[symbol.parent]
            if symbol.kind in _TYPES:
                break
        return symbol

    def caller(self, symbol: Symbol) -> str | None:
        """What runs a call: the method around it, or the initialiser of the type around it."""
        around: Symbol | None = symbol
        while around is not None:
            if around.kind == "method":
                return self.method(around)
            if around.kind in (*_TYPES, "lambda"):
                return f"{self.type_name(around)}:<clinit>()"
            around = self.graph.symbols[around.parent] if around.parent is not None else None
        return None

    def without_body(self, symbol: Symbol) -> bool:
        """Whether nothing runs when a method is called: abstract, or declared by an interface."""
        words = symbol.signature.split()
        declared = self.owner(symbol).kind == "interface" and not {"default", "static", "private"} & set(words)
        return symbol.kind == "method" and (declared or "abstract" in words)

    def _full(self, text: str, imports: Mapping[str, str]) -> str:
        name = text.strip().split("<")[0].replace("final ", "").replace("...", "[]")
        plain = name.replace("[]", "").strip()
        full = imports.get(plain) or self.types.get(plain) or (f"java.lang.{plain}" if plain in _JAVA_LANG else plain)
        return full + "[]" * name.count("[]")


def _package(facts: FileFacts) -> str:
    """A file's package; a file without one is named by its path."""
    unnamed = facts.path == facts.module or facts.path.endswith(f"/{facts.module}")
    return "" if unnamed else facts.module


def _parameters(files: Iterable[FileFacts]) -> dict[str, list[str]]:
    """The parameters' types as written, by the id of what declares them."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for facts in files:
        for binding in facts.bindings:
            if binding.manner in ("parameter", "rest"):
                rest = "[]" if binding.manner == "rest" else ""
                found[facts.symbols[binding.scope].id].append(binding.type + rest)
    return dict(found)


def edges(folder: str, _language: str = "java") -> list[Row]:
    """Calls between the methods below `folder`; calls of what has no body are left out, as the benchmark does."""
    graph = load(folder, (".java",))
    names = Names(graph)
    found = []
    for edge in graph.calls:
        target = graph.symbols[edge.target]
        caller = names.caller(graph.symbols[edge.source])
        if caller is not None and target.kind in ("method", "class", "enum") and not names.without_body(target):
            found.append((caller, names.method(target), edge.confidence))
    return found
