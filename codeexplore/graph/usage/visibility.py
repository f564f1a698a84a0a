"""Visibility of symbols to code outside the repository, by the rules of each language.

`Ambient` is a block of a TypeScript file that declares names for all files: ``declare global { … }``,
``declare module "x" { … }``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import INHERITING, related
from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.registry import is_part, record_of
from codeexplore.names.mentions import Mentions
from codeexplore.types import TEXT_KINDS, TYPE_KINDS, FileIndex, Site, SourceFile, Symbol
from codeexplore.types.settings import RESOLVED_CONFIDENCE

_UNNAMED = frozenset({"module", "lambda", "external"}) | TEXT_KINDS
_MOST_USERS = 50  # of a type, whose declarations are read, and of those in turn
_MOST_LINES = 50  # of a statement
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


_GIVING = r"(?:\breturn\b|\b(?:self|this)\.([^\W_]\w*)\s*(?::[^=]*)?=)"
"""Beginning of a line that may return an object, or set a field that other code sees: its name."""
_MOST_OF_LINE = 2_000  # characters of a line that are searched for it


class Visibility:
    """Finder of symbols that code outside the repository may use.

    The graph has the imports that lead to symbols, and `files` the exports, by path. `mentions` are those in `sources`.
    """

    def __init__(
        self,
        graph: CodeGraph,
        files: Mapping[str, FileIndex],
        sources: Mapping[str, SourceFile],
        mentions: Mentions,
    ) -> None:
        self.graph, self.files, self._sources, self._line = graph, files, sources, mentions.line
        self._ambient, self._exported = cache(self._find_ambient), cache(self._find_exported)
        self._offered, self._open = cache(self._find_offered), cache(self._find_open)

    def reason(self, symbol: Symbol) -> str:
        """Return a clause that says why code outside the repository may use `symbol`; "" if it may not."""
        if symbol.kind in _UNNAMED or self.graph.catalog.roles.is_test_symbol(symbol):
            return ""
        above = self.graph.catalog.around(symbol)
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
        for importer in graph.neighbours(graph.vertex(symbol.id), "in", ("IMPORTS",)):
            path = graph.symbol(importer).path
            offered = self.listed.get(path, (symbol.name,))
            if path.endswith("__init__.py") and path != symbol.path and symbol.name in offered:
                yield path

    def _member(self, above: Symbol) -> str:
        outer = self.reason(above)
        if outer:
            return f"a public member of {above.name} ({outer})"
        below = self._offered(above.id)
        shown = self.reason(below) if below is not None else ""
        if below is None or not shown:
            return ""
        subtypes = related(self.graph, [self.graph.vertex(above.id)], "in")
        if self.graph.vertex(below.id) not in subtypes:
            return f"a public member of {above.name}, which {below.name} names ({shown})"
        return f"a public member of {below.name}, a subtype of {above.name} ({shown})"

    def _find_offered(self, type_id: str) -> Symbol | None:
        """Return what gives code outside a type or objects of it; None if nothing does.

        It is the type, a subtype, or a function or value whose declaration names the type, and is visible itself.
        It may also be a function that returns an object of it, or a type with a field that holds one.
        """
        graph, waiting, seen = self.graph, [self.graph.catalog.symbol(type_id)], {type_id}
        for each in waiting:
            above, found = owner_of(graph.catalog, each), list[Symbol]()
            if above is None or above.kind not in TYPE_KINDS:
                if self._of_module(each):
                    return each
            elif self._is_worded(each):
                found.append(above)
            if each.kind in TYPE_KINDS:
                found += [part for part in graph.catalog.find(each.fqn) if is_part(part)] if is_part(each) else []
                vertex = graph.vertex(each.id)
                found += map(graph.symbol, graph.neighbours(vertex, "in", INHERITING, RESOLVED_CONFIDENCE))
                sites = (site for row in graph.incident(vertex, "in", ("USES",)) for site in graph.edge(row).sites)
                found += filter(None, (self._giver(each.name, site) for site in islice(sites, _MOST_USERS)))
            new = [one for one in found if one.id not in seen and not graph.catalog.roles.is_test_symbol(one)]
            waiting += new[: max(0, _MOST_USERS - len(waiting))]
            seen.update(one.id for one in new)
        return None

    def _giver(self, name: str, site: Site) -> Symbol | None:
        """Return what may give code outside an object of the type `name`, which a place uses; None for nothing."""
        user = self.graph.catalog.at(*site)
        if user is None or re.search(rf"\b{re.escape(name)}\b", user.signature):
            return user
        if record_of(user.language).visibility not in ("list", "exports"):
            return None  # its declarations name all types
        given = re.search(rf"{_GIVING}.*\b{re.escape(name)}\(", self._line(site)[:_MOST_OF_LINE])
        return None if given is None else owner_of(self.graph.catalog, user) if given[1] else user

    def _is_worded(self, symbol: Symbol) -> bool:
        """Return True if its name and the words of its own declaration do not hide a member."""
        if record_of(symbol.language).visibility in ("words", "capitals"):
            return bool(self._words(symbol))
        return not symbol.name.startswith(("#", "_")) and "private" not in symbol.signature.split()

    def _of_module(self, symbol: Symbol) -> bool:
        """Return True if code outside may name a symbol that is in no type."""
        language = record_of(symbol.language)
        if language.visibility == "exports":
            return symbol.name in self._exported(symbol.path) or bool(self.added_to(symbol))
        return bool(self._python(symbol, None) if language.visibility == "list" else self._declared(symbol))

    def _script(self, symbol: Symbol, above: Symbol | None) -> str:
        if where := self.added_to(symbol):
            return f"declared into {where}"
        if above is not None and above.kind in TYPE_KINDS:
            return self._member(above) if self._is_worded(symbol) else ""
        if above is not None and above.parent is not None:  # a namespace
            text = self._sources[symbol.path].text if symbol.path in self._sources else "export"
            inner = re.search(rf"\bexport\b[^\n;]*\b{re.escape(symbol.name)}\b", text)
            return self._script(above, self.graph.catalog.symbol(above.parent)) if inner is not None else ""
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
        overridden = graph.neighbours(graph.vertex(symbol.id), "out", ("OVERRIDES",))
        for above in map(graph.symbol, overridden) if symbol.kind == "method" else ():
            if (declared := self._declared(above)) != "":
                its, bare = declared.startswith("its "), declared.removeprefix("it is ")
                said = f"whose {declared[4:]}" if its else f"which is {bare}"
                return f"it implements {above.fqn}, {said}"
        return ""

    def _declared(self, symbol: Symbol) -> str:
        """Return a clause if the declarations of the symbol and of all around it make it visible to code outside."""
        said, above = self._words(symbol), owner_of(self.graph.catalog, symbol)
        if not said or above is None or symbol.fqn.startswith(f"{symbol.path}:"):
            return ""
        if above.kind in TYPE_KINDS:
            return said if self._offered(above.id) is not None else ""
        offering = (self.graph.symbol(each) for each, text in self._links(symbol) if _is_offered(symbol, text))
        return said if self._open(above.id) or any(self._open(each.id) for each in offering) else ""

    def _find_open(self, module_id: str) -> bool:
        """Return True if code outside may use what a module has.

        It may use nothing of a program. If modules are declared, the declarations must lead to the root of a library.
        """
        waiting = [self.graph.catalog.symbol(module_id)]
        for each in waiting:
            language, links = record_of(each.language), list(self._links(each))
            inner = language.offering is not None and each.parent is not None
            if inner:
                links.append((self.graph.vertex(each.parent or ""), f"{each.signature};"))
            elif not any(re.search(rf"\bmod\s+(?:r#)?{re.escape(each.name)}\b", text) for _, text in links):
                parts = (*name_parts(each.fqn), language.program)
                started = self.graph.catalog.exactly(parts) if language.program else ()
                if all(one.kind == "module" for one in started):  # the file main.rs beside lib.rs is no function
                    return True
            found = dict.fromkeys(self.graph.symbol(source) for source, text in links if _is_offered(each, text))
            waiting += [one for one in found if one not in waiting]
        return False

    def _links(self, symbol: Symbol) -> Iterator[tuple[int, str]]:
        """Yield the modules that declare or import a symbol, with their statements."""
        graph = self.graph
        rows = graph.incident(graph.vertex(symbol.id), "in", ("IMPORTS",))
        for row in rows if record_of(symbol.language).offering is not None else ():
            for site in graph.edge(row).sites:
                text = self._sources[site.path].text if site.path in self._sources else ""
                lines = text.split("\n")[site.line - 1 : site.line - 1 + _MOST_LINES]
                yield graph.edges.source[row], "\n".join(lines).partition(";")[0] + ";"

    def _words(self, symbol: Symbol) -> str:
        """Return a clause if its own declaration does not hide a symbol; "" otherwise."""
        language = record_of(symbol.language)
        if language.visibility == "capitals":
            inner = "internal" in symbol.path.split("/")[:-1]
            return "" if inner or not symbol.name[:1].isupper() else "its name is exported (capitalised)"
        words = symbol.signature.split()
        if language.public_words:
            opening = [word for word in words if word in language.public_words]
            above = self.graph.catalog.around(symbol)
            listed = ("interface", "trait", *(("enum",) if symbol.kind == "constant" else ()))
            if not opening and above is not None and above.kind in listed and "private" not in words:
                return self._words(above)  # members of an interface are as visible as the interface
            return f"declared {opening[0]}" if opening else ""
        if language.private_words:
            before = re.split(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", symbol.signature, maxsplit=1)[0]
            hidden = set(language.private_words).intersection(re.split(r"\W+", before))
            if hidden == {"static"} and not self.graph.catalog.is_of_file(symbol):  # in a header
                return "declared where other files include it"
            return "" if hidden else f"it is not declared {language.private_words[0]}"
        return "" if symbol.name.startswith("_") else "its name is public"


def _is_offered(symbol: Symbol, statement: str) -> bool:
    """Return True if a statement, which names a symbol or all of a module, offers it to other code."""
    offering = record_of(symbol.language).offering
    named = re.search(rf"\b{re.escape(symbol.name)}\s*(?:[;,}}{{]|as\b)|\*", statement)
    return offering is not None and offering.search(statement) is not None and named is not None


def owner_of(catalog: Catalog, symbol: Symbol) -> Symbol | None:
    """Return the symbol around a member, or the type in another file with which its name begins."""
    around = catalog.around(symbol)
    if around is not None and around.kind in TYPE_KINDS:
        return around
    named = catalog.exactly(name_parts(symbol.fqn)[:-1])
    return next((each for each in named if each.kind in TYPE_KINDS), around)


def is_closed(symbol: Symbol) -> bool:
    """Return True if the name of a member, or its declaration, says that other code must not use it."""
    return symbol.name.startswith("_") or "private" in symbol.signature.partition("(")[0].split()
