"""What one file of any language says, by names instead of numbers: for the tests of languages."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent

from codeexplore.languages.extraction.expressions import Layout
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileFacts, SourceFile, Symbol


class Said:
    """Facts of one file. Scopes are told by the symbol's fqn without the module's, "" for the module itself."""

    def __init__(self, language: str, text: str, path: str, others: Sequence[str] = ()) -> None:
        layout = Layout(frozenset([path, *others]))
        self.file = analyse(SourceFile(path, language, dedent(text), ""), layout)
        self.facts: FileFacts = self.file.facts

    def short(self, symbol: Symbol) -> str:
        return symbol.fqn.removeprefix(self.facts.module).lstrip(".:#/")

    def scope(self, number: int) -> str:
        return self.short(self.facts.symbols[number])

    def symbols(self, *, lambdas: bool = False) -> dict[str, str]:
        """Short fqn → kind, in source order."""
        return {self.short(s): s.kind for s in self.facts.symbols[1:] if lambdas or s.kind != "lambda"}

    def symbol(self, name: str) -> Symbol:
        return next(s for s in self.facts.symbols if self.short(s) == name)

    def parent(self, name: str) -> str:
        wanted = self.symbol(name).parent
        return next(self.short(s) for s in self.facts.symbols if s.id == wanted)

    def references(self, kind: str, scope: str | None = None) -> list[str]:
        rows = [r for r in self.facts.references if r.kind == kind]
        return [r.path for r in rows if scope is None or self.scope(r.scope) == scope]

    def args(self, path: str) -> tuple[str, ...]:
        return next(r.args for r in self.facts.references if r.path == path and r.kind in ("call", "new"))

    def bindings(self, scope: str, manner: str | None = None) -> list[tuple[str, str, str]]:
        """(name, type, value) of the names bound in a scope."""
        rows = [b for b in self.facts.bindings if self.scope(b.scope) == scope]
        return [(b.name, b.type, b.value) for b in rows if manner is None or b.manner == manner]

    def returns(self, scope: str) -> list[tuple[str, str]]:
        return [(r.manner, r.value) for r in self.facts.returns if self.scope(r.scope) == scope]

    def bases(self) -> list[tuple[str, str, str]]:
        """(subtype, manner, supertype)."""
        return [(b.type or self.scope(b.scope), b.manner, b.path) for b in self.facts.bases]

    def imports(self) -> list[tuple[str, str, str]]:
        """(name, module, member)."""
        return [(i.name, i.module, i.member) for i in self.facts.imports]
