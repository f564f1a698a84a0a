"""Evidence that a symbol is in use although nothing in the repository calls it.

Evidence comes from decorators, annotations, supertypes outside the repository, scripts, exports and names in strings.
Known decorators and supertypes are listed in the records of the languages.

Evidence is written as *clauses*: texts without a capital letter and final stop, such as "its name is public".
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import decorators_of, is_constructor, members, related
from codeexplore.graph.usage.name_uses import VALUE_KINDS
from codeexplore.graph.usage.reflection import Reflection
from codeexplore.graph.usage.scripts import Script, read_scripts
from codeexplore.graph.usage.supertypes import Supertypes
from codeexplore.graph.usage.unnamed_calls import UnnamedCalls
from codeexplore.graph.usage.visibility import Visibility, owner_of
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.file_roles import marks
from codeexplore.languages.python.spec import PYTHON
from codeexplore.languages.registry import can_use, follows_names, is_part, record_of, rules_of
from codeexplore.names.mentions import READING_PROPERTIES, WITH_ACCESSORS, Mentions, word_of
from codeexplore.resolution.access_paths import last_name
from codeexplore.resolution.type_syntax import last_part
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, LOCAL_MARK, TYPE_KINDS, FileIndex, Site, SourceFile, Symbol
from codeexplore.types.facts import binds
from codeexplore.types.settings import RESOLVED_CONFIDENCE

IMPORTING: Final = re.compile(r"\b(?:import|from|require|use|using|include|mod|extern|export)\b")
_MOST_ABOVE = 2_000  # lines above a definition in which the macro around it may begin
_OF_PYTHON = sys.stdlib_module_names | {"_typeshed"}  # modules that call nothing of others


_TYPE_WORDS: Final = frozenset({"class", "interface", "enum", "record", "struct", "object", "trait", "@interface"})
"""Words of the declaration of a type, which the constant of an enum lacks although its body makes it a type."""

_EXPRESSION = re.compile(r"(?:[=(\[,:?&|!]|\breturn|\bnew|=>)\s*(?:async\s+)?$")
"""End of the text before a function or class that is part of an expression."""

_CONTINUED: Final = ("(", "[", ",", "=", "=>", "?", "&&", "||", "??")
"""Ends of a line whose expression begins on the next one."""

_ENUMERATED = re.compile(
    r"""\b(?:vars|dir|getmembers)\(\s*(?:cls|self|super)\b|\b(?:cls|self)\.__dict__|\battrgetter\("""
    r"""|\b(?:getattr|object\.__getattribute__)\(\s*(?:cls|self|super\(\))\s*,\s*(?!['"]\w+['"])"""
)
"""Code that finds members of its class by enumeration or by computed names."""

_LISTING: Final = (
    r"(?:\b(?:in|of|typeof) |\b(?:typeof|list|tuple|set|iter|len|Object\.\w+)\(|\bEnum\.\w+<|[vV]alue(?:s|Of)<){0}\b"
    r"|\b{0}(?:(?:\.|::)(?:class|values|valueOf|entries|allCases|cases|from|tryFrom|iter|__members__)\b|{1}\[)"
)
_LISTING_OWN: Final = re.compile(
    r"(?<!\.)\bvalues\(\)|\bcls\b|\bself::(?:cases|from|tryFrom)\b|\b(?:allCases|entries)\b"
)
"""Code that lists the constants of an enum or finds one by a value, outside of the enum and inside of it."""

_OPENING = re.compile(r"(?:an?|code|compiled|its?|members|names|source|the|types|what)\b")
"""First word of a clause that does not begin with a name."""

_IMPLEMENTED = re.compile(r"\bimpl\b[^{};]{0,200}?(\w+)\s*(?:<[^{};]{0,200}>\s*)?\bfor\b")
_ITEMS = re.compile(r"\$\w+:item\b")

_BEHIND = re.compile(r"\s*\}\s*[*&]*\s*([A-Za-z_]\w*)\s*(?:[=;,\[]|$)")
"""Name behind the closing brace of a type."""


@dataclass(frozen=True, slots=True)
class UsageEvidence:
    """Evidence, besides edges, that a symbol is used.

    Each field is a clause, or several clauses, from one source of evidence; "" or () is no evidence.
    """

    started: str = ""  # started by the language, a script or a test runner
    exported: str = ""
    registered: str = ""  # a decorator may register or call it
    dynamic: tuple[str, ...] = ()  # names in strings, names built at run time, supertypes outside the repository

    @property
    def notes(self) -> tuple[str, ...]:
        """All clauses as sentences, in the order of the fields. A name at the beginning is kept as it is."""
        exported = f"Code outside this repository may use it: {self.exported}" if self.exported else ""
        clauses = (self.started, exported, self.registered, *self.dynamic)
        return tuple(c[:1].upper() + c[1:] if _OPENING.match(c) else c for c in clauses if c)


class UsageEvidenceTable:
    """Evidence of use for every symbol of a snapshot.

    `files` are the facts of the files, by path. Without them, only names and decorators are evidence. `root` is the
    folder with the manifests that declare scripts. `sources` are the source files by path; None takes them from
    `files`, which is slow: it reads the facts from a stored index.
    """

    def __init__(
        self,
        graph: CodeGraph,
        files: Mapping[str, FileIndex] | None = None,
        root: Path | None = None,
        sources: Mapping[str, SourceFile] | None = None,
    ) -> None:
        self.graph = graph
        self.files: Mapping[str, FileIndex] = files if files is not None else {}
        texts = {path: file.file for path, file in self.files.items()} if sources is None else sources
        self.has_texts = bool(texts)
        self.mentions = Mentions(texts)
        self.visibility = Visibility(graph, self.files, texts, self.mentions)
        self._root = root
        self.supertypes = Supertypes(graph, self.files)
        self.reflection = Reflection(graph, self.mentions)
        self.unnamed_calls = UnnamedCalls(graph, self.files, lambda symbol: self.names_in(symbol)[1])
        self._has_errors = cache(lambda path: path in self.files and self.files[path].facts.errors > 0)
        self._sites = cache(self._first_sites)
        self._compiled = cache(self._find_compiled)
        self.binding = lru_cache(maxsize=1_000)(self._find_binding)

    def of(self, symbol: Symbol, mentions: Sequence[Site] | None = None) -> UsageEvidence:
        """Return the evidence that `symbol` is used.

        `mentions` are the sites where its name occurs, if they are known. Then only strings at these sites are
        searched. None searches every file.
        """
        exported, registered = self.visibility.reason(symbol), self.registered(symbol)
        return UsageEvidence(self.started(symbol), exported, registered, self._dynamic(symbol, mentions))

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        return read_scripts(self._root, {(each.path, each.language) for each in self.graph.catalog.symbols})

    # ----------------------------------------------------------------- started

    def started(self, symbol: Symbol) -> str:
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
    def _started(self) -> dict[str, Script]:
        """Id of an object, or path of a file → its script."""
        found: dict[str, Script] = {}
        for script in self.scripts:
            outer = script.name.replace(".__main__", "")  # which imports it from its package
            meant = self.graph.catalog.find(script.name) or self.graph.catalog.find(outer) if script.name else ()
            for each in (script.path, *(symbol.id for symbol in meant)):
                found.setdefault(each, script)
        return found

    # ----------------------------------------------------------------- registered

    def registered(self, symbol: Symbol) -> str:
        shown, noun = self._telling(symbol), record_of(symbol.language).mark_noun
        if symbol.kind not in (*CALLABLE_KINDS, *TYPE_KINDS):
            return f"its {noun} ({shown}) may use it" if shown and symbol.kind in VALUE_KINDS else ""
        if shown:
            return f"its {'macro' if shown.endswith('!') else noun} ({shown}) may register or call it"
        vertex = self.graph.vertex(symbol.id)
        made = self.graph.vertex(symbol.parent or "") if is_constructor(self.graph, vertex) else vertex
        inside = members(self.graph, made) if self.graph.symbol(made).kind in TYPE_KINDS else ()
        marked = next(
            filter(None, (self._telling(s) for s in map(self.graph.symbol, inside) if s.kind == "method")), ""
        )
        return f"what the {noun} of a method ({marked}) registers may make instances" if marked else ""

    def _telling(self, symbol: Symbol) -> str:
        """Return the decorators of a symbol that may register or call it, as a list in words; "" for none."""
        language = record_of(symbol.language)
        plain = language.plain_decorators | language.test_decorators | language.setup_decorators
        telling = [mark for mark in (*symbol.decorators, *self._macros(symbol)) if not self._keeps(symbol, mark, plain)]
        return ", ".join(dict.fromkeys(mark.replace("()", "") or "…" for mark in telling))

    def _macros(self, symbol: Symbol) -> Iterator[str]:
        """Yield the macros around a definition, in whose braces it is indented: ``proptest!``."""
        opened = self._opening(record_of(symbol.language).macro_blocks, Site(symbol.path, symbol.line))
        return (found[1] for found in opened)

    def in_closure(self, symbol: Symbol, site: Site) -> bool:
        """Return True if a line of a function is in a function without a name that is no symbol: in a block."""
        first = symbol.line - 1 if symbol.kind in CALLABLE_KINDS else 0
        return any(True for _ in self._opening(record_of(symbol.language).closures, site, first))

    def _opening(self, form: re.Pattern[str] | None, site: Site, first: int = 0) -> Iterator[re.Match[str]]:
        """Yield the matches of `form` in the lines after `first` that open what a place is indented in."""
        indent, least = _MOST_ABOVE, max(first, site.line - _MOST_ABOVE)
        lines = range(site.line, least, -1) if form is not None and self.has_texts else ()
        for line in (self.mentions.line(Site(site.path, number)) for number in lines):
            inner, indent = indent, min(indent, len(line) - len(line.lstrip()) if line.strip() else indent)
            opened = form.match(line) if form is not None and indent < inner else None
            if opened is not None:
                yield opened
            if not indent:
                return

    def _keeps(self, symbol: Symbol, decorator: str, plain: Collection[str]) -> bool:
        """Return True if the decorator does not register the function that it decorates.

        This is so if its name is in `plain`. It is also so if every function in this repository with its
        name is a wrapper, which means that it uses ``wraps`` or ``update_wrapper`` of functools, or a macro that
        takes whole definitions (``$item:item``), whose names it cannot read. A member, such as ``app.route``, must be
        known to be such a function.
        """
        name = re.split(r"\.|::", decorator.partition("(")[0])[-1]
        if name in plain:
            return True
        defined = [each for each in self.graph.catalog.find(name.rstrip("!")) if each.kind == "function"]
        if "." in decorator.partition("(")[0]:
            used = decorators_of(self.graph, self.graph.vertex(symbol.id))
            defined = [each for each in defined if self.graph.vertex(each.id) in used]
        return bool(defined) and all(each.id in self._wrappers or self._takes_items(each) for each in defined)

    def _takes_items(self, macro: Symbol) -> bool:
        return macro.signature.startswith("macro_rules!") and _ITEMS.search(self._text(macro)) is not None

    def _text(self, symbol: Symbol) -> str:
        """Return the lines of a symbol; "" if the index has no texts."""
        first = symbol.span.start_line
        return self.mentions.line(Site(symbol.path, first), symbol.span.end_line + 1 - first)

    def _elsewhere(self, symbol: Symbol) -> list[Site]:
        """Return the sites with the name of a symbol outside its own lines."""
        path, own = symbol.path, symbol.span.lines
        return [site for site in self.mentions.words(symbol.name) if site.path != path or site.line not in own]

    def _site(self, field: str, symbol: Symbol) -> Site | None:
        """Return a site outside of tests, in code that can use `symbol`, of the pattern in a field of its record."""
        return next((site for language, site in self._sites(field).items() if can_use(language, symbol)), None)

    @cached_property
    def _wrappers(self) -> frozenset[str]:
        """Ids of the functions that use functools' wraps or update_wrapper, and ids of the definitions around them."""
        externals, found = self.graph.externals, set[str]()
        for name in ("functools.wraps", "functools.update_wrapper"):
            for user, full, _ in externals.users(name) if name in externals else ():
                if full == name:
                    symbol = self.graph.catalog.symbol(user)
                    found.update(each.id for each in (symbol, *self.graph.catalog.all_around(symbol)))
        return frozenset(found)

    # ----------------------------------------------------------------- dynamic

    def _as_type(self, symbol: Symbol) -> set[Site]:
        """Return the sites of annotations with a type: a string in one is no other use."""
        rows = self.graph.incident(self.graph.vertex(symbol.id), "in", ("USES",), RESOLVED_CONFIDENCE)
        typed = (self.graph.edge(row) for row in rows if self.graph.edges.manner(row) == "type")
        return {site for edge in typed for site in edge.sites}

    def _dynamic(self, symbol: Symbol, mentions: Sequence[Site] | None) -> tuple[str, ...]:
        found = [*self.unnamed(symbol), self.required(symbol)]
        if symbol.kind in (*CALLABLE_KINDS, *TYPE_KINDS, "constant") and symbol.kind != "lambda":
            quoted = self.mentions.quoted(symbol.name, mentions)
            types = self._as_type(symbol)
            sites = [site for site in quoted if site not in types and not self.is_listed(site, symbol.name)]
            if sites:
                found.append(f"its name is in strings: {_places(sites)}")
        examples = record_of(symbol.language).examples
        start = examples.search(symbol.doc) if examples is not None else None
        if start is not None and word_of(symbol.name).search(symbol.doc, start.end()) is not None:
            found.append("an example in its documentation has its name, and tests may run it")
        if symbol.kind == "constant" and symbol.parent is not None and record_of(symbol.language).types_are_constants:
            found.append(self._by_computed_name(self.graph.vertex(symbol.parent), "constants"))
        if symbol.kind in TYPE_KINDS:
            found.append(self._by_computed_name(self.graph.vertex(symbol.id), "types"))
            found += [self._scanned(symbol), self._by_members(symbol)]
            if where := self.visibility.added_to(symbol):
                found.append(f"it is declared into {where}, where it may add to another declaration")
        found += [f"{clause} at {_places(sites)}" for clause, sites in self.lookups(symbol)]
        return tuple(filter(None, found))

    def unnamed(self, symbol: Symbol) -> Iterator[str]:
        """Yield a clause for each way in which code that is not known may use the symbol without its name."""
        ways = (
            self.called_from_above,
            self._of_literal,
            self._of_expression,
            self._called_by_compiled,
            self._by_interface,
            self._by_definition,
            self.by_protocol,
            self._misread,
            self._by_property,
            self.by_type,
            self._generated,
            self._by_mixing,
            self._by_type_of_value,
            self._by_place,
            self._by_position,
            self._by_default,
            self._by_variant,
            self._by_making,
            self._by_other_part,
        )
        return filter(None, (way(symbol) for way in ways))

    def lookups(self, symbol: Symbol) -> Iterator[tuple[str, list[Site]]]:
        """Yield the sites of code that computes names, of which one may be the symbol's, with a clause on them."""
        if symbol.kind not in (*CALLABLE_KINDS, *VALUE_KINDS):
            return
        files = sorted(self._files_of(symbol)) if symbol.kind == "method" else ()
        if computed := self._looked_up_in(symbol, files):
            yield "code looks members up by names that it computes", computed
        if symbol.kind == "function" and (tables := self.mentions.computed(symbol.path, "names")):
            yield "code looks up what its file defines by names that it computes", [*tables]
        if reflected := self.reflection.on_unknown_types(symbol):
            yield "code finds members of types that are not known by reflection", reflected
        forms, of_file = dict[str, dict[Site, None]](), self.graph.catalog.is_of_file(symbol)
        for built in self.mentions.built:
            meant = symbol.kind in ("method", "field") and (not built.of_own or built.site.path in files)
            near = built.site.path == symbol.path or not of_file
            if (meant or not built.of_members) and near and built.fits(symbol.name):
                forms.setdefault(built.form, {})[built.site] = None
        yield from ((f"names that {form} are built", [*sites]) for form, sites in forms.items())

    def _by_computed_name(self, vertex: int, noun: str) -> str:
        """Return a clause if code in the files of a type and its supertypes finds types by names that it computes."""
        around = {self.graph.symbol(each).path for each in (vertex, *related(self.graph, [vertex], "out"))}
        sites = [site for path in sorted(around) for site in self.mentions.computed(path, "types")]
        return f"code finds {noun} by names that it computes at {_places(sites)}" if sites else ""

    def _scanned(self, symbol: Symbol) -> str:
        """Return a clause if code that goes through all types may choose the type by its supertypes or decorators."""
        if not (symbol.decorators or self.supertypes.written(symbol.id)):
            return ""
        site = self._site("scanning", symbol)
        return f"code that searches all types of the program may find {symbol.name} ({_places([site])})" if site else ""

    def _by_making(self, symbol: Symbol) -> str:
        """Return a clause if code that makes instances of types that it is given may call the constructor."""
        sites = self.makers(symbol)
        return f"code that makes instances of types that it is given may call it ({_places(sites)})" if sites else ""

    def implemented(self, macro: Symbol) -> list[str]:
        """Return the traits that the body of a macro implements, for types that are known where it is expanded."""
        return _IMPLEMENTED.findall(self._text(macro)) if macro.signature.startswith("macro_rules!") else []

    def makers(self, symbol: Symbol) -> list[Site]:
        """Return a place where an instance of any type is made without arguments, if `symbol` is such a constructor."""
        if "()" not in symbol.signature or not is_constructor(self.graph, self.graph.vertex(symbol.id)):
            return []
        return [*filter(None, (self._site("making", symbol),))]

    def _generated(self, symbol: Symbol) -> str:
        """Return a clause if source code that a generator of the repository writes may use the symbol.

        A generator that writes a file has the names used there in its own files, or reads them from data. If no such
        file is in the repository, the generated code may have any name.
        """
        site = self._site("generating", symbol)
        if site is None or _is_closed(symbol):
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
            return (
                f"{said} ({_places([site])}): its generator or data have the name ({_places([name])})" if name else ""
            )
        return f"{said} ({_places([site])})"

    def _by_other_part(self, symbol: Symbol) -> str:
        """Return a clause if a member is one part of a declaration, and the other part is not in the repository."""
        if symbol.kind != "method" or not is_part(symbol) or len(self.graph.catalog.find(symbol.fqn)) > 1:
            return ""
        return "its other part is not in this repository, so source code that is generated may call it"

    @cached_property
    def _generators(self) -> Mapping[str, Collection[str]]:
        """Language → files that write source code while the program is compiled."""
        found = dict[str, set[str]]()
        for site in self.mentions.matches("generator"):
            found.setdefault(self.mentions.language(site.path), set()).add(site.path)
        return found

    def _by_mixing(self, symbol: Symbol) -> str:
        """Return a clause if the members of a method's module are added to objects, whose code may call it."""
        owner = self._owner(symbol) if symbol.kind == "method" else None
        site = self._mixed.get(owner.name) if owner is not None else None
        return f"the members of {owner.name} are added to objects at {_places([site])}" if owner and site else ""

    @cached_property
    def _mixed(self) -> Mapping[str, Site]:
        """Name of a module → site of code that adds its members to objects of unknown types, or to outside types."""
        found = dict[str, Site]()
        for site in self.mentions.matches("mixing"):
            pattern = record_of(self.mentions.language(site.path)).mixing
            rows = self.files[site.path].facts.bases if site.path in self.files else ()
            known = (
                not row.type or self.graph.catalog.named(last_part(row.type)) for row in rows if row.line == site.line
            )
            if any(known):
                continue
            names = pattern.findall(self.mentions.line(site)) if pattern is not None else ()
            around = self.graph.catalog.at(*site)
            found |= dict.fromkeys((around.name if name == "self" and around else name for name in names), site)
        return found

    def _first_sites(self, field: str) -> Mapping[str, Site]:
        """Return language → the first site outside of tests that matches the pattern in a field of its record."""
        found = dict[str, Site]()
        for site in self.mentions.matches(field):
            if not self.graph.catalog.roles.is_test(site.path):
                found.setdefault(self.mentions.language(site.path), site)
        return found

    def _by_type_of_value(self, symbol: Symbol) -> str:
        """Return a clause if the decorator of its type may use a value, or code lists the constants of its enum."""
        owner = self._owner(symbol) if symbol.kind in VALUE_KINDS else None
        if owner is None or owner.kind not in TYPE_KINDS:
            return ""
        above = (self.graph.symbol(each).id for each in related(self.graph, [self.graph.vertex(owner.id)], "out"))
        bases = (base for each in above for base in self.supertypes.written(each))
        enum = owner.kind == "enum" or any(base.endswith(("Enum", "Flag")) for base in bases)
        if (enum or symbol.kind == "field") and (registered := self.registered(owner)):
            noun = record_of(symbol.language).mark_noun
            return f"{registered.replace(f'its {noun}', f'the {noun} of {owner.name}')}, as a part of the type"
        called = any(each.kind in CALLABLE_KINDS for each in self.graph.catalog.named(owner.name))  # by code(x) of C
        form = _LISTING.format(re.escape(owner.name), "" if called else r"\(\w|")
        own, listing = range(owner.line, owner.span.end_line + 1), re.compile(form)
        sites = [site for site in self._elsewhere(owner) if listing.search(self.mentions.line(site))] if enum else []
        inside = (Site(owner.path, line) for line in own) if enum else ()
        sites += [each for each in inside if _LISTING_OWN.search(self.mentions.line(each))]
        return f"code goes through all constants of {owner.name} at {_places(sites)}" if sites else ""

    def _by_place(self, symbol: Symbol) -> str:
        """Return a clause if a decorator of its type uses fields, or methods of an interface, by their places."""
        owner = self._owner(symbol) if symbol.kind in ("field", "method") else None
        if owner is None or symbol.kind != ("method" if owner.kind == "interface" else "field"):
            return ""
        laid, noun = marks(owner) & record_of(symbol.language).layout_decorators, record_of(symbol.language).mark_noun
        return f"the {noun} of {owner.name} ({min(laid)}) uses {symbol.kind}s by their places" if laid else ""

    def _by_position(self, symbol: Symbol) -> str:
        """Return a clause if objects of its type may be made with a value for the field by its position."""
        owner = self._owner(symbol) if symbol.kind == "field" and self.has_texts else None
        form = record_of(symbol.language).by_position
        if owner is None or not form or (symbol.language == PYTHON.name and ":" not in symbol.signature):
            return ""
        beside = (self.graph.symbol(each) for each in members(self.graph, self.graph.vertex(owner.id)))
        making = [each for each in beside if is_constructor(self.graph, self.graph.vertex(each.id))]
        if making and not any(symbol.line in each.span.lines for each in making):
            return ""  # its constructors name the fields that they set
        made = re.compile(form.format(re.escape(owner.name)))
        same = [each for each in self.graph.catalog.find(owner.name) if each.name == owner.name and each.id != owner.id]
        rows = (row for each in same for row in self.graph.incident(self.graph.vertex(each.id), "in", ("USES",)))
        another = {Site(each.path, each.line) for each in same}  # there it means another type
        another |= {site for row in rows for site in self.graph.edge(row).sites}
        calls = self.graph.incident(self.graph.vertex(owner.id), "in", ("CALLS",))  # also its own, as in a factory
        every = {*self._elsewhere(owner), *(site for row in calls for site in self.graph.edge(row).sites)}
        sites = [site for site in sorted(every - another) if made.search(self.mentions.line(site, 2))]
        return f"{owner.name} gets values in the order of its fields at {_places(sites)}" if sites else ""

    def _by_default(self, symbol: Symbol) -> str:
        """Return a clause if an import that was not resolved may mean the default export of the symbol's file."""
        at = Site(symbol.path, symbol.line)
        if symbol.parent is None or not self.mentions.line(at).lstrip().startswith("export default"):
            return ""
        file = self.graph.catalog.symbol(symbol.parent).fqn.rpartition("/")[2]
        users = self.graph.externals.users("default")
        sites = {site: None for _, full, site in users if full.partition(".default")[0].rpartition("/")[2] == file}
        return f"its file may be imported at {_places([*sites])}" if sites else ""

    def _by_variant(self, symbol: Symbol) -> str:
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

    def _by_members(self, symbol: Symbol) -> str:
        """Return a clause if code may call members of the type on objects of other types; "" otherwise."""
        form, catalog = record_of(symbol.language).extending, self.graph.catalog
        parts = [each for each in catalog.find(symbol.fqn) if is_part(each)] if form is not None else []
        for part in parts if is_part(symbol) else [symbol]:
            if form is None or form.search(self._text(part)) is None:
                continue
            lines = part.span.lines
            for member in map(self.graph.symbol, members(self.graph, self.graph.vertex(part.id))):
                sites = [s for s in self.mentions.words(member.name) if s.path != part.path or s.line not in lines]
                if sites:
                    return f"its members are called without its name, `{member.name}` perhaps at {_places(sites)}"
        return ""

    def _looked_up_in(self, symbol: Symbol, files: Sequence[str]) -> list[Site]:
        """Return the sites where an object may look up its member `symbol` by a computed name: in `files`, or anywhere.

        A name from outside may be that of a private member, too.
        """
        if symbol.name.startswith("#") or symbol.parent is None:
            return []
        found = [site for path in files for site in self.mentions.computed(path)]
        found += (site for path in files for site in self.mentions.computed(path, "listed"))
        return [*dict.fromkeys((*found, *self.reflection.on_its_type(symbol)))]

    def _files_of(self, symbol: Symbol) -> Collection[str]:
        """Return the files that define the type of a method, its supertypes, and its subtypes with their supertypes."""
        start = [] if symbol.parent is None else [self.graph.vertex(symbol.parent)]
        around = related(self.graph, related(self.graph, start, "in"), "out")
        return {symbol.path, *(self.graph.symbol(vertex).path for vertex in around)}

    def called_from_above(self, symbol: Symbol) -> str:
        """Return a clause if a supertype outside the repository may use the member, or its code find the type."""
        language = record_of(symbol.language)
        if language.implicit_interfaces:  # what a type embeds does not know it
            return ""
        extending = symbol.kind in TYPE_KINDS and symbol.kind != "type"  # an alias is a member, as methods are
        if extending and not language.impl_blocks and language.platform != "native":
            above = (base for base in self.supertypes.outside(symbol.id) if not base.endswith(("Exception", "Error")))
            found = next((b for b in above if language.base_calls is None or language.base_calls(b, symbol.name)), "")
            return f"{symbol.name} extends {found} {self._origin(symbol, found)}, which may find it" if found else ""
        kinds = ("method", "type", *(VALUE_KINDS if language.overridden_fields else ()))
        owner = self._owner(symbol) if symbol.kind in kinds else None
        if owner is None:
            return ""
        if language.overriding is not None:
            hidden = language.overriding.search(symbol.signature) is None
        else:
            hidden = "private" in symbol.signature.partition("(")[0].split() or symbol.name.startswith("#")
        trait = self.supertypes.traits(symbol.path).get(symbol.id) if language.impl_blocks else None
        if hidden or trait == "":
            return ""
        outside = self.supertypes.outside(owner.id)
        if trait:
            outside = tuple(base for base in outside if base.rpartition(".")[2] == trait.rpartition(".")[2])
        if language.base_calls is not None:
            outside = tuple(base for base in outside if language.base_calls(base, symbol.name))
        if not outside or symbol.name.startswith("__"):
            return ""
        verb = "use" if symbol.kind in VALUE_KINDS else "call"
        return f"{owner.name} extends {outside[0]} {self._origin(owner, outside[0])}, which may {verb} it"

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

    def names_in(self, symbol: Symbol) -> tuple[frozenset[str], frozenset[str]]:
        """Return the names that the lines of a symbol call, and the names that they bind, by the facts."""
        file, lines = self.files.get(symbol.path), symbol.span.lines
        if file is None:
            return frozenset(), frozenset()
        called = (r.path for r in file.facts.references if r.line in lines and r.kind in ("call", "new"))
        rows = filter(binds, file.facts.bindings)
        bound = (row.name for row in rows if row.line in lines and row.manner != "field")
        return frozenset(last_name(path)[0] for path in called), frozenset(bound)

    def _find_binding(self, path: str) -> Mapping[str, list[Symbol]]:
        """Return the functions of a file that bind a name, by name; nothing if names are not followed there."""
        file, found = self.files.get(path), defaultdict[str, list[Symbol]](list)
        if file is None or not follows_names(file.facts.language):
            return found
        rows = filter(binds, file.facts.bindings)
        for name, scope in dict.fromkeys((row.name.partition(LOCAL_MARK)[0], row.scope) for row in rows):
            symbol = file.facts.symbols[scope]
            if symbol.kind in CALLABLE_KINDS:
                found[name].append(symbol)
        return found

    def types_around(self, symbol: Symbol) -> frozenset[str]:
        """Return the ids of the type of a member and of its supertypes."""
        owner = self._owner(symbol)
        own = [self.graph.vertex(owner.id)] if owner is not None and owner.kind in TYPE_KINDS else []
        return frozenset(self.graph.symbol(vertex).id for vertex in related(self.graph, own, "out"))

    def _owner(self, symbol: Symbol) -> Symbol | None:
        return owner_of(self.graph.catalog, symbol)

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
        called, owner = language.called_methods.get(name), self._owner(symbol)
        if called is None:
            return ""
        if called.types is not None and owner is not None:
            above = [self.graph.symbol(each) for each in related(self.graph, [self.graph.vertex(owner.id)], "out")]
            heads = [head for each in above for head in (each.signature, *self.supertypes.written(each.id))]
            lines = map(self.mentions.line, self.mentions.words(owner.name))
            if not any(map(called.types.search, (*heads, *(line for line in lines if "extension" in line)))):
                return ""
        return called.because.format(f"`{name}`")

    def _called_by_compiled(self, symbol: Symbol) -> str:
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

    def _by_interface(self, symbol: Symbol) -> str:
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

    def required(self, symbol: Symbol) -> str:
        """Return a clause if a type of the repository requires the method without defining it; "" otherwise."""
        graph = self.graph
        overridden = graph.neighbours(graph.vertex(symbol.id), "out", ("OVERRIDES",))
        for above in map(graph.symbol, overridden) if symbol.kind == "method" else ():
            if graph.catalog.is_required(above):
                return f"{(graph.catalog.around(above) or above).name} declares a method of this name"
        return ""

    def _by_definition(self, symbol: Symbol) -> str:
        """Return a clause if a metaclass or a hook for subclasses may use the type or its member; "" otherwise."""
        rules = rules_of(symbol.language) if symbol.kind in ("method", *TYPE_KINDS) else None
        named = rules.special_methods.subclass if rules is not None else ()
        if not named:
            return ""
        graph, own = self.graph, symbol.parent if symbol.kind == "method" else symbol.id
        # of a method that makes no instance, if the hook may not know its name
        making = is_constructor(graph, graph.vertex(symbol.id))
        able = symbol.kind != "method" or not self.has_texts or making
        defined = graph.catalog.symbol(own or "").name if making else symbol.name
        for cls in map(graph.symbol, related(graph, [graph.vertex(own)], "out") if own is not None else ()):
            hooks = [each for name in named for each in graph.catalog.find(name) if each.parent == cls.id]
            if cls.id != symbol.id and any(able or _ENUMERATED.search(self._text(hook)) for hook in hooks):
                return f"{cls.name} has a hook that runs when {defined} is defined"
            if used := self.supertypes.metaclasses(cls.path).get(cls.id):
                return f"{used} is the metaclass of {cls.name}, and may use what its classes define"
        return ""

    def _by_property(self, symbol: Symbol) -> str:
        """Return a clause if code may call an accessor as a property, or use a property by its accessors."""
        way = "call it as a property" if symbol.kind == "method" else "use it by an accessor"
        return f"code may {way} at {_places(sites)}" if (sites := self.as_property(symbol)) else ""

    def as_property(self, symbol: Symbol) -> list[Site]:
        """Return the sites in other languages with the property of an accessor, or with an accessor of a property."""
        form = record_of(symbol.language).properties if symbol.kind == "method" else None
        named = form.fullmatch(symbol.name) if form is not None and not _is_closed(symbol) else None
        if named is not None:
            bare = f"{named[1]}{named[2]}"
            names = {bare, re.sub("^[A-Z]+?(?=[A-Z][a-z]|$)|^[A-Z]", lambda head: head[0].lower(), bare)}
            names |= {f"{named[1].lower()}{named[2]}", f"is{bare}"} - {symbol.name}
            return list(self.mentions.within(READING_PROPERTIES, names))
        if symbol.kind != "field" or symbol.language not in READING_PROPERTIES or _is_closed(symbol):
            return []
        bare = re.sub("^is(?=[A-Z])", "", symbol.name)
        names = {f"{word}{bare[:1].upper()}{bare[1:]}" for word in ("get", "set")}
        return list(self.mentions.within(WITH_ACCESSORS, names))

    def by_type(self, symbol: Symbol) -> str:
        """Return a clause if code that names the type of a constructor may make objects of it; "" otherwise."""
        if symbol.parent is None or not is_constructor(self.graph, self.graph.vertex(symbol.id)):
            return ""
        owner = self.graph.catalog.symbol(symbol.parent)
        if "private" in symbol.signature.partition("(")[0].split():
            return ""
        sites = [site for site in self._elsewhere(owner) if IMPORTING.search(self.mentions.line(site)) is None]
        if not sites:
            return self._of_expression(owner) or self._scanned(owner)
        return f"code that holds the type {owner.name} may make objects of it ({_places(sites)})"

    def _of_literal(self, symbol: Symbol) -> str:
        """Return a clause if the method is one of an object, which may be passed anywhere; "" otherwise."""
        record = record_of(symbol.language)
        form = record.object_methods if symbol.kind == "function" else None
        of_object = form is not None and form.search(symbol.signature) is not None
        if symbol.kind == "method" and symbol.parent is not None and (record.object_literals or record.object_methods):
            around = self.graph.catalog.symbol(symbol.parent)
            of_object = around.kind not in TYPE_KINDS and (around.kind != "module" or around.parent is None)
        if not of_object:
            return ""
        return "it is a member of an object, and any code that gets the object may call it"

    def _of_expression(self, symbol: Symbol) -> str:
        """Return a clause if the symbol is a part of an expression or declaration, which uses it; "" otherwise."""
        if alias := self.graph.catalog.alias_around(symbol):
            return f"`{alias.name}` is another name of it"
        if symbol.kind in TYPE_KINDS:  # struct { … } name = …;
            behind = _BEHIND.match(self.mentions.line(Site(symbol.path, symbol.span.end_line)))
            if behind is not None and behind[1] != symbol.name:
                return "its definition declares a variable"
        if not self.is_value(symbol):
            return ""
        return f"it is a {symbol.kind} expression, and any code that gets its value may use it"

    def is_value(self, symbol: Symbol) -> bool:
        """Return True for a type without a name, and a JavaScript function or class that is used where it is defined.

        Such a function or class is a named expression (``return function name() {}``), it replaces that around it
        (``function helper() { helper = function () {}; }``), or it is assigned to a member (``global.name = () => 1``)
        or to a variable that is declared elsewhere.
        """
        if symbol.kind in TYPE_KINDS and symbol.name[:1] == "<":
            return True
        literals = record_of(symbol.language).object_literals
        if not literals or symbol.kind not in ("function", "class") or symbol.parent is None:
            return False
        around = self.graph.catalog.symbol(symbol.parent)
        if around.name == symbol.name and around.kind != "module":
            return True
        line = self.mentions.line(Site(symbol.path, symbol.line))
        if re.search(rf"(?:[\w$)\]]\.|^\s*){re.escape(symbol.name)}\s*=(?!=)", line) is not None:
            return True
        before, keyword, _ = line.partition("function" if symbol.kind == "function" else "class")
        if before.strip() in ("", "async") and symbol.line > 1:  # an argument or item on a line of its own
            above = self.mentions.line(Site(symbol.path, symbol.line - 1)).strip()
            return bool(keyword) and above.endswith(_CONTINUED) and not above.startswith(("//", "*", "/*"))
        return bool(keyword) and _EXPRESSION.search(before) is not None

    def _misread(self, symbol: Symbol) -> str:
        """Return a clause if uses inside the symbol may be outside: around syntax errors its end is uncertain."""
        if not self._has_errors(symbol.path):
            return ""
        text = self._text(symbol)
        several = text.count(symbol.name) > 1 and len(word_of(symbol.name).findall(text)) > 1
        return f"{symbol.path} could not be parsed everywhere, which may hide uses" if several else ""

    def is_listed(self, site: Site, name: str) -> bool:
        """Return True if the string at `site` may be `name` in ``__all__``. It exports the name."""
        return name in self.visibility.listed.get(site.path, ())


def _is_closed(symbol: Symbol) -> bool:
    """Return True if the name of a member, or its declaration, says that other code must not use it."""
    return symbol.name.startswith("_") or "private" in symbol.signature.partition("(")[0].split()


_SETUP: Final = ("setUp", "tearDown", "setup_", "teardown_", "pytest_")


def _places(sites: list[Site], limit: int = 3) -> str:
    return shortened([f"{site.path}:{site.line}" for site in sites], limit)
