"""Uses by code that is not in the repository, or that is not read.

Such code is that of supertypes, protocols and hooks of libraries, compiled and generated code, and code of other builds
and languages. It may call any method of an object that it is given.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import is_constructor, members, related
from codeexplore.graph.usage.indirect_uses import first_sites
from codeexplore.graph.usage.supertypes import Supertypes
from codeexplore.graph.usage.visibility import is_closed, owner_of
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.python.spec import PYTHON
from codeexplore.languages.registry import can_use, is_part, record_of
from codeexplore.names.mentions import READING_PROPERTIES, WITH_ACCESSORS, Mentions
from codeexplore.resolution.access_paths import last_name, parse
from codeexplore.text.enumeration import places
from codeexplore.types import TYPE_KINDS, VALUE_KINDS, FileFacts, FileIndex, Reference, Site, Symbol

_MOST_BELOW: Final = 50  # subtypes of a type
_MOST_LINES: Final = 1_000_000  # of a file
_OF_PYTHON: Final = sys.stdlib_module_names | {"_typeshed"}  # modules that call nothing of others

_ROUNDS = 5  # variables, containers and functions by which an object is handed on
_MOST_FILES = 50  # that use the type
_MOST_TYPES = 20  # subtypes of a type
_LAMBDA = re.compile(r"<lambda:(\d+:\d+)>")


class OutsideCode:
    """Finder of uses by code that is not read. Each method returns a clause, "" without such a use."""

    def __init__(
        self, graph: CodeGraph, files: Mapping[str, FileIndex], mentions: Mentions, supertypes: Supertypes
    ) -> None:
        self.graph, self.files, self.mentions, self.supertypes = graph, files, mentions, supertypes
        self._compiled = cache(self._find_compiled)
        self._included = cache(self._find_included)
        self._handed = lru_cache(maxsize=1_000)(self._find_handed)
        self._facts = lru_cache(maxsize=_MOST_FILES)(lambda path: files[path].facts)  # reading them takes long

    @cached_property
    def _generating(self) -> Mapping[str, Site]:
        return first_sites(self.graph, self.mentions, "generating")

    def from_above(self, symbol: Symbol) -> str:
        """Return a clause if a supertype outside the repository may use the member, or its code find the type.

        The supertype may be that of a subtype, as for a member of a mixin.
        """
        language = record_of(symbol.language)
        if language.implicit_interfaces:  # what a type embeds does not know it
            return ""
        extending = symbol.kind in TYPE_KINDS and symbol.kind != "type"  # an alias is a member, as methods are
        if extending and not language.impl_blocks and language.platform != "native":
            above = (base for base in self.supertypes.outside(symbol.id) if not base.endswith(("Exception", "Error")))
            found = next((b for b in above if language.base_calls is None or language.base_calls(b, symbol.name)), "")
            return f"{symbol.name} extends {found} {self._origin(symbol, found)}, which may find it" if found else ""
        kinds = ("method", "type", *(VALUE_KINDS if language.overridden_fields else ()))
        owner = owner_of(self.graph.catalog, symbol) if symbol.kind in kinds else None
        if owner is None:
            return ""
        if language.overriding is not None:
            hidden = language.overriding.search(symbol.signature) is None
        else:
            hidden = "private" in symbol.signature.partition("(")[0].split() or symbol.name.startswith("#")
        trait = self.supertypes.traits(symbol.path).get(symbol.id) if language.impl_blocks else None
        if trait == "" or symbol.name.startswith("__"):
            return ""
        below = () if hidden else related(self.graph, [self.graph.vertex(owner.id)], "in")[:_MOST_BELOW]
        types = dict.fromkeys((owner.id, *(self.graph.symbol(each).id for each in below)))
        owner_id, base = next(self._bases_calling(symbol, types, trait, hidden), ("", ""))
        if not base:
            return ""
        verb = "use" if symbol.kind in VALUE_KINDS else "call"
        owner = self.graph.catalog.symbol(owner_id)
        return f"{owner.name} extends {base} {self._origin(owner, base)}, which may {verb} it"

    def _bases_calling(
        self, symbol: Symbol, types: Iterable[str], trait: str | None, hidden: bool
    ) -> Iterator[tuple[str, str]]:
        """Yield (id of a type, outside supertype of it that may call the member `symbol`, as written)."""
        calls = record_of(symbol.language).base_calls
        for each in types:
            for base in self.supertypes.copied(each) if hidden else self.supertypes.outside(each):
                fits = not trait or base.rpartition(".")[2] == trait.rpartition(".")[2]
                if fits and (calls is None or calls(base, symbol.name)):
                    yield each, base

    def _origin(self, symbol: Symbol, base: str) -> str:
        """Return words on a supertype that was not resolved. It is outside if it is imported from there."""
        parts, file = name_parts(base), self.files.get(symbol.path)
        here = [each for each in self.graph.catalog.named(parts[-1]) if each.kind in TYPE_KINDS]
        rows = [] if file is None else [row for row in file.facts.imports if row.name == parts[0]]
        names = {name_parts(f"{row.module}.{row.member}") for row in rows if row.member} | {name_parts(base)}
        if across := [each for each in here if can_use(symbol.language, each) and name_parts(each.fqn) in names]:
            return f"({across[0].fqn})"
        here = [each for each in here if each.language == symbol.language and each.id != symbol.id]
        imported = any(re.match(r"(?:crate|self|super)\b|[./]", row.module) is None for row in rows)
        return "from outside this repository" if imported or len(here) != 1 else f"(it may be {here[0].fqn})"

    def by_protocol(self, symbol: Symbol) -> str:
        """Return a clause if syntax calls the function, or libraries call methods of its name; "" otherwise."""
        name, language = symbol.name, record_of(symbol.language)
        form = language.called_signatures
        if form is not None and form.search(" ".join((*symbol.decorators, symbol.signature))) is not None:
            return language.called_because.format(f"`{name}`")
        if symbol.kind != "method":
            return ""
        if language.hooks is not None and language.hooks.fullmatch(name):
            return f"`{name}` has the form of a hook, which a library may call"
        called, owner = language.called_methods.get(name), owner_of(self.graph.catalog, symbol)
        if called is None:
            return ""
        if called.types is not None and owner is not None:
            above = [self.graph.symbol(each) for each in related(self.graph, [self.graph.vertex(owner.id)], "out")]
            heads = [head for each in above for head in (each.signature, *self.supertypes.written(each.id))]
            lines = map(self.mentions.line, self.mentions.words(owner.name))
            if not any(map(called.types.search, (*heads, *(line for line in lines if "extension" in line)))):
                return ""
        return called.because.format(f"`{name}`")

    def by_mark(self, symbol: Symbol) -> str:
        """Return a clause if a mark gives the type of a method to code outside, which may call it; "" otherwise."""
        form = record_of(symbol.language).handing if symbol.kind == "method" and not is_closed(symbol) else ""
        owner = owner_of(self.graph.catalog, symbol) if form else None
        if owner is None:
            return ""
        handed = re.compile(form.format(re.escape(owner.name)))
        sites = [site for site in self.mentions.elsewhere(owner) if handed.search(self.mentions.line(site))]
        return f"{owner.name} is given to code outside at {places(sites)}, which may call it" if sites else ""

    def by_compiled(self, symbol: Symbol) -> str:
        """Return a clause if compiled code of the package may call this Python function or type; "" otherwise."""
        if symbol.language != PYTHON.name or symbol.parent is None:
            return ""
        at_top, folder = self.graph.catalog.symbol(symbol.parent).kind == "module", symbol.path.rpartition("/")[0]
        home = folder if folder and f"{folder}/__init__.py" in self.files else symbol.path
        module = self._compiled(home) if at_top else ""
        return f"compiled code of its package ({module}) may call it" if module else ""

    def _find_compiled(self, home: str) -> str:
        """Return the compiled module of a package, whose folder is `home`, or of a file; "" for none.

        A private module that is imported and has no file in the repository is assumed to be compiled, unless it is of
        another package or of Python.
        """
        paths = [path for path in self.files if path.endswith(".py") and home in (path, path.rpartition("/")[0])]
        for module in (row.module for path in paths for row in self.files[path].facts.imports):
            top, dot, _ = module.partition(".")
            name, parts = module.rpartition(".")[2], re.split(r"[/.]", home)
            of_others = bool(dot and top and top not in parts) or (name in _OF_PYTHON and name[1:] not in parts)
            private = re.match("_[^_]", name) is not None and not of_others
            if private and all(each.kind != "module" for each in self.graph.catalog.named(name)):
                return module
        return ""

    def by_interface(self, symbol: Symbol) -> str:
        """Return a clause if a Go interface outside the repository may have the method; "" otherwise.

        Types do not name their interfaces, and names without a capital letter are not visible to other packages.
        """
        implicit = record_of(symbol.language).implicit_interfaces
        if not implicit or symbol.kind != "method" or not symbol.name[:1].isupper():
            return ""
        owner = self.graph.catalog.around(symbol)
        if owner is None or owner.kind == "interface":
            return ""
        named = owner.name if owner.kind in TYPE_KINDS else name_parts(symbol.fqn)[-2]  # its type is in another file
        return f"code outside this repository may call it through an interface that `{named}` satisfies"

    def by_generated(self, symbol: Symbol) -> str:
        """Return a clause if source code that a generator of the repository writes may use the symbol.

        A generator that writes a file has the names used there in its own files, or reads them from data. If no such
        file is in the repository, the generated code may have any name.
        """
        site = next((at for by, at in self._generating.items() if can_use(by, symbol)), None)
        if site is None or is_closed(symbol):
            return ""
        said, language = "source code that is generated may use it", self.mentions.language(site.path)
        if makers := self._generators.get(language):
            folders = {path.rpartition("/")[0] for path in makers} - {""}
            named = (
                each
                for each in self.mentions.words(symbol.name)
                if self.mentions.language(each.path) != language
                or each.path in makers
                or each.path.rpartition("/")[0] in folders
            )
            name = next(named, None)
            return f"{said} ({places([site])}): its generator or data have the name ({places([name])})" if name else ""
        return f"{said} ({places([site])})"

    def by_included(self, symbol: Symbol) -> str:
        """Return a clause if a file that is not in the repository is included below the declaration of a function.

        A build writes it, and its code may use what is declared above. Example: the glue of a D-Bus object.
        """
        form = record_of(symbol.language).including
        if form is None or symbol.kind != "function":
            return ""
        declared = min((at.line for at in self.mentions.words(symbol.name) if at.path == symbol.path), default=0)
        below = (each for each in self._included(symbol.path) if each[0] > declared > 0)
        line, name = next(below, (0, ""))
        return (
            f"{name}, which is not in this repository, is included at {symbol.path}:{line} and may call it"
            if name
            else ""
        )

    def _find_included(self, path: str) -> list[tuple[int, str]]:
        """Return line and name of the files that a file includes and that are not in the repository."""
        form, found = record_of(self.mentions.language(path)).including, list[tuple[int, str]]()
        text = self.mentions.line(Site(path, 1), _MOST_LINES)
        for match in form.finditer(text) if form is not None else ():
            if match[1].rpartition("/")[2] not in self._names:
                found.append((text.count("\n", 0, match.start()) + 1, match[1]))
        return found

    @cached_property
    def _own_libraries(self) -> frozenset[str]:
        """Files in folders named lib, as code that loads them names them: without the folder and the ending."""
        behind = (path.rpartition("lib/") for path in self.files)
        return frozenset(name.rpartition(".")[0] for _, folder, name in behind if folder)

    @cached_property
    def _names(self) -> frozenset[str]:
        """Names of the files in the index, without folders."""
        return frozenset(path.rpartition("/")[2] for path in self.files)

    @cached_property
    def _generators(self) -> Mapping[str, Collection[str]]:
        """Language → files that write source code while the program is compiled."""
        found = dict[str, set[str]]()
        for site in self.mentions.matches("generator"):
            found.setdefault(self.mentions.language(site.path), set()).add(site.path)
        return found

    def by_other_part(self, symbol: Symbol) -> str:
        """Return a clause if a member is one part of a declaration, and the other part is not in the repository."""
        if symbol.kind != "method" or not is_part(symbol) or len(self.graph.catalog.find(symbol.fqn)) > 1:
            return ""
        return "its other part is not in this repository, so source code that is generated may call it"

    def by_reopening(self, symbol: Symbol) -> str:
        """Return a clause if the type of a method may be a library's, which calls the method in place of its own."""
        form = record_of(symbol.language).reopened if symbol.kind == "method" else None
        around = [each for each in self.graph.catalog.all_around(symbol) if each.kind in TYPE_KINDS]
        if form is None or not around or self.supertypes.written(around[0].id):
            return ""
        outer = name_parts(around[-1].fqn)[0]
        site = self._libraries.get(outer.lower())
        return f"`{outer}` may be the library's that {places([site])} names, which may call it" if site else ""

    @cached_property
    def _libraries(self) -> Mapping[str, Site]:
        """Name of a library without its separators, in small letters → a line that names it.

        A library that is in the repository is left out.
        """
        found = dict[str, Site]()
        for site in self.mentions.matches("reopened"):
            form = record_of(self.mentions.language(site.path)).reopened
            named = form.match(self.mentions.line(site)) if form is not None else None
            if named is not None and named[1] not in self._own_libraries:
                found.setdefault(re.sub(r"[_-]", "", named[1]).lower(), site)
        return found

    def by_property(self, symbol: Symbol) -> str:
        """Return a clause if code may call an accessor as a property, or use a property by its accessors."""
        way = "call it as a property" if symbol.kind == "method" else "use it by an accessor"
        return f"code may {way} at {places(sites)}" if (sites := self.as_property(symbol)) else ""

    def as_property(self, symbol: Symbol) -> list[Site]:
        """Return the sites in other languages with the property of an accessor, or with an accessor of a property."""
        form = record_of(symbol.language).properties if symbol.kind == "method" else None
        named = form.fullmatch(symbol.name) if form is not None and not is_closed(symbol) else None
        if named is not None:
            bare = f"{named[1]}{named[2]}"
            names = {bare, re.sub("^[A-Z]+?(?=[A-Z][a-z]|$)|^[A-Z]", lambda head: head[0].lower(), bare)}
            names |= {f"{named[1].lower()}{named[2]}", f"is{bare}"} - {symbol.name}
            return list(self.mentions.within(READING_PROPERTIES, names))
        if symbol.kind != "field" or symbol.language not in READING_PROPERTIES or is_closed(symbol):
            return []
        bare = re.sub("^is(?=[A-Z])", "", symbol.name)
        names = {f"{word}{bare[:1].upper()}{bare[1:]}" for word in ("get", "set")}
        return list(self.mentions.within(WITH_ACCESSORS, names))

    def by_default(self, symbol: Symbol) -> str:
        """Return a clause if an import that was not resolved may mean the default export of the symbol's file."""
        at = Site(symbol.path, symbol.line)
        if symbol.parent is None or not self.mentions.line(at).lstrip().startswith("export default"):
            return ""
        file = self.graph.catalog.symbol(symbol.parent).fqn.rpartition("/")[2]
        users = self.graph.externals.users("default")
        sites = {site: None for _, full, site in users if full.partition(".default")[0].rpartition("/")[2] == file}
        return f"its file may be imported at {places([*sites])}" if sites else ""

    def by_variant(self, symbol: Symbol) -> str:
        """Return a clause if another file has the same name for other builds, or a bundler may load one for the other.

        Example of a bundler: ``label.browser.ts`` beside ``label.ts``.
        """
        if record_of(symbol.language).build_variants:
            alike = (each for each in self.graph.catalog.find(symbol.fqn) if each.kind == symbol.kind)
            other = next((each.path for each in alike if each.path != symbol.path), "")
            return f"other builds have the one of {other} in its place" if other else ""
        folder, _, file = symbol.path.rpartition("/")
        parts = file.split(".")
        script = bool(record_of(symbol.language).object_literals) and not self.graph.catalog.roles.is_test(symbol.path)
        if len(parts) < 3 or not script:
            return ""
        other = f"{folder}/{parts[0]}.{parts[-1]}".lstrip("/")
        same = any(each.name == symbol.name and each.kind == symbol.kind for each in self.graph.catalog.in_file(other))
        return f"its file may be loaded in place of {other}" if same else ""

    # ----------------------------------------------------------------- objects that are handed on

    def by_handing(self, symbol: Symbol) -> str:
        """Return a clause if code outside may call a method on an object that it is given; "" otherwise."""
        language = record_of(symbol.language)
        if language.keeping is None or symbol.kind != "method" or is_closed(symbol) or symbol.name[:1] == "#":
            return ""
        owner = owner_of(self.graph.catalog, symbol)
        if owner is None or owner.kind not in TYPE_KINDS:
            return ""
        types = related(self.graph, [self.graph.vertex(owner.id)], "in")[:_MOST_TYPES]
        sites = [*islice((site for each in types for site in self._handed(self.graph.symbol(each).id)), 3)]
        return f"code outside gets objects of {owner.name} at {places(sites)}, and may call it" if sites else ""

    def _find_handed(self, type_id: str) -> tuple[Site, ...]:
        """Return a call that hands an object of a type, or the type itself, to a function outside, or its export."""
        graph, type_ = self.graph, self.graph.catalog.symbol(type_id)
        own = graph.vertex(type_id)
        made = [own, *(each for each in members(graph, own) if is_constructor(graph, each))]
        rows = (row for each in made for row in graph.incident(each, "in", ("CALLS", "USES")))
        paths = {type_.path: None} | {site.path: None for row in rows for site in graph.edge(row).sites}
        for path in (each for each in islice(paths, _MOST_FILES) if each in self.files):
            facts = self._facts(path)
            keeping = record_of(facts.language).keeping
            if keeping is None or self.graph.catalog.roles.is_test(path):
                continue
            held = _held(facts, type_.name)
            offered = held - {type_.name}  # an exported type is visible itself
            exported = (row for row in facts.exports if not row.module and _bare(row.target) in offered)
            if (given := next(exported, None)) is not None:
                return (Site(path, given.line),)
            for row in _handing(facts, held):
                called, site = last_name(row.path)[0], Site(path, row.line)
                if called not in keeping and not self._is_own(called, site):
                    return (site,)
        return ()

    def _is_own(self, called: str, site: Site) -> bool:
        """Return True if the call of a name in a line may be that of a function in the repository."""
        graph, user = self.graph, self.graph.catalog.at(*site)
        if user is None:
            return False
        for row in graph.incident(graph.vertex(user.id), "out", ("CALLS",)):
            edge = graph.edge(row)
            target = graph.catalog.symbol(edge.target)
            names = (target.name, graph.catalog.symbol(target.parent).name if target.parent else "")  # a constructor
            if called in names and site in edge.sites:
                return True
        return False


def _held(facts: FileFacts, name: str) -> set[str]:
    """Return the access paths that may mean a type, an object of it, or what contains or returns one."""
    held = {name, f"{name}()"}
    values = {row.scope: row.name for row in facts.bindings if row.name[:4] == "%fn:"}
    for _ in range(_ROUNDS):
        before = len(held)
        rows = (row for row in facts.bindings if row.manner != "parameter" and _bare(row.value) in held)
        held.update(re.split(r"[.\[]", row.name)[0] if row.name[:1] == "%" else row.name for row in rows)
        for row in (row for row in facts.returns if row.manner != "type" and _bare(row.value) in held):
            symbol = facts.symbols[row.scope]
            found = _LAMBDA.fullmatch(symbol.name)
            value = f"%fn:{found[1]}" if found is not None else values.get(row.scope, "")
            held.update((value,) if value else (symbol.name, f"{symbol.name}()"))
        if len(held) == before:
            break
    return held


def _handing(facts: FileFacts, held: set[str]) -> Iterator[Reference]:
    """Yield the calls that have one of some access paths as an argument."""
    for row in facts.references:
        if row.kind in ("call", "new") and any(_bare(each.partition("=")[2] or each) in held for each in row.args):
            yield row


def _bare(path: str) -> str:
    """Return an access path without arguments of its last call, without modules, and without ``*``."""
    path = path.lstrip("*")
    if path.endswith(")") and path[:1] != "%" and (steps := parse(path)[1]):
        path = f"{path.removesuffix(steps[-1])}()"
    return path.rpartition(".")[2] if path[:5] not in ("self.", "this.") else path
