"""Visibility of symbols to code outside the repository, by the rules of each language.

`Ambient` is a block of a TypeScript file that declares names for all files: ``declare global { … }``,
``declare module "x" { … }``.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from codeexplore.graph.model import CodeGraph
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.registry import record_of
from codeexplore.types import TEXT_KINDS, TYPE_KINDS, FileIndex, SourceFile, Symbol
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_UNNAMED = frozenset({"module", "lambda", "external"}) | TEXT_KINDS
_DECLARE_BLOCK = re.compile(r"""\bdeclare\s+(global|module\s+(?:"[^"\n]+"|'[^'\n]+'))\s*\{""")
_OF_MODULE = re.compile(r"^(?:import|export)\b", re.MULTILINE)  # a declaration file without these is global
_TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[{}]""", re.DOTALL)


class Ambient(NamedTuple):
    """A block whose declarations are added to the declarations of other files. Lines are 1-based and inclusive."""

    first: int
    last: int
    where: str  # "the global scope", "module 'x'"


def blocks(text: str) -> tuple[Ambient, ...]:
    """Return the ambient blocks of a file's text, in order. Braces in strings and comments are not counted."""
    found: list[Ambient] = []
    opening = _DECLARE_BLOCK.search(text)
    while opening is not None:
        depth, end = 1, len(text)
        for token in _TOKEN.finditer(text, opening.end()):
            depth += (token[0] == "{") - (token[0] == "}")
            if not depth:
                end = token.end()
                break
        first = text.count("\n", 0, opening.start()) + 1
        where = "the global scope" if opening[1] == "global" else opening[1]
        found.append(Ambient(first, first + text.count("\n", opening.start(), end), where))
        opening = _DECLARE_BLOCK.search(text, end)
    return tuple(found)


_LISTED = re.compile(
    r"^__all__\b[^\n=]*\+?=\s*[\[(](.*?)[\])]|^__all__\.(?:extend|append)\((.*?)\)", re.DOTALL | re.MULTILINE
)
_QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
_UNLISTED = re.compile(  # an ``__all__`` whose value is not simply a list of strings
    r"""^__all__\b[^\n=]*\+?=(?!\s*[\[(](?:[\s,]|\#[^\n]*|["'][^"'\n]*["'])*[\])][ \t]*(?:\#[^\n]*)?$)""", re.MULTILINE
)


class Visibility:
    """Finder of symbols that code outside the repository may use.

    The graph has the imports that lead to symbols, and `files` the exports, by path.
    """

    def __init__(self, graph: CodeGraph, files: Mapping[str, FileIndex], sources: Mapping[str, SourceFile]) -> None:
        self.graph, self.files, self._sources = graph, files, sources
        self._ambient, self._exported = cache(self._find_ambient), cache(self._find_exported)

    def reason(self, symbol: Symbol) -> str:
        """Return a clause that says why code outside the repository may use `symbol`; "" if it may not."""
        if symbol.kind in _UNNAMED or self.graph.catalog.roles.is_test_symbol(symbol):
            return ""
        above = None if symbol.parent is None else self.graph.catalog.symbol(symbol.parent)
        if above is not None and above.kind not in (*TYPE_KINDS, "module"):
            return ""  # inside a function
        rule = record_of(symbol.language).visibility
        if rule == "list":
            return self._python(symbol, above)
        if rule == "exports":
            return self._script(symbol, above)
        return self._declared(symbol) or self._required(symbol)

    @cached_property
    def computed(self) -> frozenset[str]:
        """Paths of the Python files whose ``__all__`` is built at run time, so that its contents are unknown."""
        return frozenset(path for path, text in self._listing() if _UNLISTED.search(text))

    @cached_property
    def listed(self) -> Mapping[str, frozenset[str]]:
        """Path of each Python file with ``__all__`` → the names in it."""
        found: dict[str, frozenset[str]] = {}
        for path, text in self._listing():
            lists = [match[1] or match[2] or "" for match in _LISTED.finditer(text)]
            if lists:
                found[path] = frozenset(name for text in lists for name in _QUOTED.findall(text))
        return found

    def _listing(self) -> Iterator[tuple[str, str]]:
        """Yield path and text of the files that name ``__all__``, in languages in which it lists public names."""
        for path, file in self._sources.items():
            if record_of(file.language).visibility == "list" and "__all__" in file.text:
                yield path, file.text

    # ----------------------------------------------------------------- by language

    def _python(self, symbol: Symbol, above: Symbol | None) -> str:
        is_member = above is not None and above.kind in TYPE_KINDS
        if not is_member and symbol.name in self.listed.get(symbol.path, ()):
            return f"listed in __all__ of {symbol.path}"
        if symbol.name.startswith("_"):
            return ""
        if above is not None and is_member:
            return self._member(above)
        if (importer := next(self._offering(symbol), "")) != "":
            return f"imported by {importer}, so it is part of the package's public interface"
        if symbol.path in self.computed:
            return f"its name is public, and __all__ of {symbol.path} is built at run time"
        if symbol.path in self.listed or any(part.startswith("_") for part in name_parts(symbol.fqn)[:-1]):
            return ""
        return "its name is public"

    def _offering(self, symbol: Symbol) -> Iterator[str]:
        """Yield the paths of package files ``__init__.py`` that import `symbol` and export its name."""
        graph = self.graph
        for row in graph.incident(graph.vertex(symbol.id), "in", ("IMPORTS",)):
            path = graph.symbol(graph.edges.source[row]).path
            offered = self.listed.get(path, (symbol.name,))
            if path.endswith("__init__.py") and path != symbol.path and symbol.name in offered:
                yield path

    def _member(self, above: Symbol) -> str:
        outer = self.reason(above)
        if outer:
            return f"a public member of {above.name} ({outer})"
        below = next((symbol for symbol in self._subtypes(above) if self.reason(symbol)), None)
        return f"a public member of {below.name}, which is a {above.name} ({self.reason(below)})" if below else ""

    def _subtypes(self, above: Symbol, limit: int = 50) -> Iterator[Symbol]:
        """Yield the subtypes of `above` in the repository, nearest first."""
        seen = [self.graph.vertex(above.id)]
        for vertex in seen:
            for row in self.graph.incident(vertex, "in", ("EXTENDS", "IMPLEMENTS"), RESOLVED_CONFIDENCE):
                below = self.graph.edges.source[row]
                if below not in seen and len(seen) < limit:
                    seen.append(below)
                    yield self.graph.symbol(below)

    def _script(self, symbol: Symbol, above: Symbol | None) -> str:
        if where := self.added_to(symbol):
            return f"declared into {where}"
        if above is not None and above.kind in TYPE_KINDS:
            closed = symbol.name.startswith(("#", "_")) or "private" in symbol.signature.split()
            return "" if closed else self._member(above)
        return f"exported by {symbol.path}" if symbol.name in self._exported(symbol.path) else ""

    def added_to(self, symbol: Symbol) -> str:
        """Return where the ambient block around a symbol declares it; "" if no block is around it."""
        around = (each for each in self._ambient(symbol.path) if each.first <= symbol.line <= each.last)
        return next((each.where for each in around), "")

    def _find_exported(self, path: str) -> frozenset[str]:
        """Return the names that a file defines and exports, with those under which it exports them."""
        file = self.files.get(path)  # of a stored index, it is read and checked each time
        own = () if file is None else (row for row in file.facts.exports if not row.module)
        return frozenset(name for row in own for name in (row.target, row.name))

    def _find_ambient(self, path: str) -> tuple[Ambient, ...]:
        text = self._sources[path].text if path in self._sources else ""
        if path.endswith(".d.ts") and _OF_MODULE.search(text) is None:
            return (Ambient(1, text.count("\n") + 1, "the global scope"),)
        return blocks(text) if "declare" in text else ()

    def _required(self, symbol: Symbol) -> str:
        """Return a clause if the symbol implements or overrides a member that code outside may call; "" otherwise."""
        graph = self.graph
        for row in graph.incident(graph.vertex(symbol.id), "out", ("OVERRIDES",)) if symbol.kind == "method" else ():
            above = graph.symbol(graph.edges.target[row])
            if (declared := self._declared(above)) != "":
                return f"it implements {above.fqn}, which is {declared}"
        return ""

    def _in_program(self, symbol: Symbol) -> bool:
        """Return True for a symbol of a package that has a program and no library."""
        roots, folder = record_of(symbol.language).package_roots, symbol.path
        while roots and folder:
            folder = posixpath.dirname(folder)
            library, program = (posixpath.join(folder, each) in self.files for each in roots)
            if library or program:
                return not library
        return False

    def _declared(self, symbol: Symbol) -> str:
        """Return a clause if the declaration of the symbol makes it visible to code outside; "" otherwise."""
        language = record_of(symbol.language)
        if language.visibility == "capitals":
            inner = "internal" in symbol.path.split("/")[:-1] or symbol.fqn.split(".")[0] == "main"
            return "" if inner or not symbol.name[:1].isupper() else "its name is exported (capitalised)"
        words = symbol.signature.split()
        if language.public_words:
            opening = [word for word in words if word in language.public_words]
            above = None if symbol.parent is None else self.graph.catalog.symbol(symbol.parent)
            if not opening and above is not None and above.kind in ("interface", "trait") and "private" not in words:
                return self._declared(above)  # members of an interface are as visible as the interface
            return f"declared {opening[0]}" if opening and not self._in_program(symbol) else ""
        if language.private_words:
            words = re.split(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", symbol.signature, maxsplit=1)[0].split()
            return "" if any(word in words for word in language.private_words) else "declared neither private nor local"
        return "" if symbol.name.startswith("_") else "its name is public"
