"""Uses without the name of a symbol: by reflection, by syntax, or with its type, its expression or its object.

Code that holds a type makes objects of it, a metaclass sees the members of its classes, and a value is used by the code
that gets it. Reflection finds types and members by names that are computed, or by a search; the record of a language
has its forms (`Language.reflection`, `Language.reflected`). Syntax and built-in functions run special methods.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import islice
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import inside, is_constructor, members, related
from codeexplore.graph.usage.starts import Starts
from codeexplore.graph.usage.supertypes import Supertypes
from codeexplore.graph.usage.visibility import owner_of
from codeexplore.languages.file_roles import marks
from codeexplore.languages.python.spec import PYTHON
from codeexplore.languages.registry import can_use, is_part, record_of, rules_of
from codeexplore.names.mentions import Mentions
from codeexplore.resolution.access_paths import last_name
from codeexplore.resolution.type_syntax import last_part
from codeexplore.text.enumeration import places
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, VALUE_KINDS, FileIndex, Site, Symbol, Unresolved

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

_BEHIND = re.compile(r"\s*\}\s*[*&]*\s*([A-Za-z_]\w*)\s*(?:[=;,\[]|$)")
"""Name behind the closing brace of a type."""

IMPORTING: Final = re.compile(r"\b(?:import|from|require|use|using|include|mod|extern|export)\b")

_MOST_LINES = 200  # of a function whose types reflection may get
_MOST_HANDED = 2  # calls through which a type is handed to reflection
_MOST_OF_LINE = 2_000  # characters of a line that are searched for reflection

_OWN_TYPE = re.compile(r"(?:^|[^.\w]|\bthis\.)[Gg]et(?:Type|Class)\(\)|[(,]\s*\$?(?:this|self)\s*[,)]")
"""Code that hands on its own type, or its own object."""
_OWN_FIELD = re.compile(r"[(,]\s*(?:this|self)\.\w")
"""Code that hands on the value of a field of its own object: any code of the type may set it."""
_READ_BY_NAME = re.compile(r"\bgetattr\(\s*(\w+)\s*,")

_RUNNING: Final = frozenset({"Invoke", "InvokeAsync", "DynamicInvoke", "invoke", "call"})
"""Methods that call the function that their object is."""


class IndirectUses:
    """Finder of uses without the name of a symbol. Most methods return a clause, "" without such a use.

    The facts of all `files` are read at the first question about a special method. `bound_in` returns the names that
    the lines of a symbol bind.
    """

    def __init__(
        self,
        graph: CodeGraph,
        files: Mapping[str, FileIndex],
        supertypes: Supertypes,
        starts: Starts,
        bound_in: Callable[[Symbol], Collection[str]],
    ) -> None:
        self.graph, self.files, self.mentions = graph, files, starts.mentions
        self.supertypes, self._starts, self._bound_in = supertypes, starts, cache(bound_in)
        self._sites = cache(partial(first_sites, graph, starts.mentions))

    def by_type(self, symbol: Symbol) -> str:
        """Return a clause if code that names the type of a constructor may make objects of it; "" otherwise."""
        if symbol.parent is None or not is_constructor(self.graph, self.graph.vertex(symbol.id)):
            return ""
        owner = self.graph.catalog.symbol(symbol.parent)
        if "private" in symbol.signature.partition("(")[0].split():
            return ""
        sites = [site for site in self.mentions.elsewhere(owner) if IMPORTING.search(self.mentions.line(site)) is None]
        if not sites:
            return self.of_expression(owner) or self.by_scan(owner)
        return f"code that holds the type {owner.name} may make objects of it ({places(sites)})"

    def by_type_of_value(self, symbol: Symbol) -> str:
        """Return a clause if the decorator of its type may use a value, or code lists the constants of its enum."""
        owner = owner_of(self.graph.catalog, symbol) if symbol.kind in VALUE_KINDS else None
        if owner is None or owner.kind not in TYPE_KINDS:
            return ""
        above = (self.graph.symbol(each).id for each in related(self.graph, [self.graph.vertex(owner.id)], "out"))
        bases = (base for each in above for base in self.supertypes.written(each))
        enum = owner.kind == "enum" or any(base.endswith(("Enum", "Flag")) for base in bases)
        if (enum or symbol.kind == "field") and (registered := self._starts.registered(owner)):
            noun = record_of(symbol.language).mark_noun
            return f"{registered.replace(f'its {noun}', f'the {noun} of {owner.name}')}, as a part of the type"
        if not enum:
            return ""
        called = any(each.kind in CALLABLE_KINDS for each in self.graph.catalog.named(owner.name))  # by code(x) of C
        form = _LISTING.format(re.escape(owner.name), "" if called else r"\(\w|")
        own, listing = range(owner.line, owner.span.end_line + 1), re.compile(form)
        sites = [site for site in self.mentions.elsewhere(owner) if listing.search(self.mentions.line(site))]
        inside = (Site(owner.path, line) for line in own)
        sites += [each for each in inside if _LISTING_OWN.search(self.mentions.line(each))]
        return f"code goes through all constants of {owner.name} at {places(sites)}" if sites else ""

    def by_place(self, symbol: Symbol) -> str:
        """Return a clause if a decorator of its type uses fields, or methods of an interface, by their places."""
        owner = owner_of(self.graph.catalog, symbol) if symbol.kind in ("field", "method") else None
        if owner is None or symbol.kind != ("method" if owner.kind == "interface" else "field"):
            return ""
        laid, noun = marks(owner) & record_of(symbol.language).layout_decorators, record_of(symbol.language).mark_noun
        return f"the {noun} of {owner.name} ({min(laid)}) uses {symbol.kind}s by their places" if laid else ""

    def by_position(self, symbol: Symbol) -> str:
        """Return a clause if objects of its type may be made with a value for the field by its position."""
        owner = owner_of(self.graph.catalog, symbol) if symbol.kind == "field" and self.mentions.has_texts else None
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
        every = {*self.mentions.elsewhere(owner), *(site for row in calls for site in self.graph.edge(row).sites)}
        sites = [site for site in sorted(every - another) if made.search(self.mentions.line(site, 2))]
        return f"{owner.name} gets values in the order of its fields at {places(sites)}" if sites else ""

    def by_members(self, symbol: Symbol) -> str:
        """Return a clause if code may call members of the type on objects of other types; "" otherwise."""
        form, catalog = record_of(symbol.language).extending, self.graph.catalog
        parts = [each for each in catalog.find(symbol.fqn) if is_part(each)] if form is not None else []
        for part in parts if is_part(symbol) else [symbol]:
            if form is None or form.search(self.mentions.text(part)) is None:
                continue
            lines = part.span.lines
            for member in map(self.graph.symbol, members(self.graph, self.graph.vertex(part.id))):
                sites = [s for s in self.mentions.words(member.name) if s.path != part.path or s.line not in lines]
                if sites:
                    return f"its members are called without its name, `{member.name}` perhaps at {places(sites)}"
        return ""

    def by_mixing(self, symbol: Symbol) -> str:
        """Return a clause if the members of a method's module are added to objects, whose code may call it."""
        owner = owner_of(self.graph.catalog, symbol) if symbol.kind == "method" else None
        site = self._mixed.get(owner.name) if owner is not None else None
        return f"the members of {owner.name} are added to objects at {places([site])}" if owner and site else ""

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

    def by_definition(self, symbol: Symbol) -> str:
        """Return a clause if a metaclass or a hook for subclasses may use the type or its member; "" otherwise."""
        rules = rules_of(symbol.language) if symbol.kind in ("method", *TYPE_KINDS) else None
        named = rules.special_methods.subclass if rules is not None else ()
        if not named:
            return ""
        graph, own = self.graph, symbol.parent if symbol.kind == "method" else symbol.id
        # of a method that makes no instance, if the hook may not know its name
        making = is_constructor(graph, graph.vertex(symbol.id))
        able = symbol.kind != "method" or not self.mentions.has_texts or making
        defined = graph.catalog.symbol(own or "").name if making else symbol.name
        for cls in map(graph.symbol, related(graph, [graph.vertex(own)], "out") if own is not None else ()):
            hooks = [each for name in named for each in graph.catalog.find(name) if each.parent == cls.id]
            if cls.id != symbol.id and any(able or _ENUMERATED.search(self.mentions.text(hook)) for hook in hooks):
                return f"{cls.name} has a hook that runs when {defined} is defined"
            if used := self.supertypes.metaclasses(cls.path).get(cls.id):
                return f"{used} is the metaclass of {cls.name}, and may use what its classes define"
        return ""

    def required(self, symbol: Symbol) -> str:
        """Return a clause if a type of the repository requires the method without defining it; "" otherwise."""
        graph = self.graph
        overridden = graph.neighbours(graph.vertex(symbol.id), "out", ("OVERRIDES",))
        for above in map(graph.symbol, overridden) if symbol.kind == "method" else ():
            if graph.catalog.is_required(above):
                return f"{(graph.catalog.around(above) or above).name} declares a method of this name"
        return ""

    def of_literal(self, symbol: Symbol) -> str:
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

    def of_expression(self, symbol: Symbol) -> str:
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

    # ----------------------------------------------------------------- reflection

    def lookups(self, symbol: Symbol) -> Iterator[tuple[str, list[Site]]]:
        """Yield the sites of code that computes names, of which one may be the symbol's, with a clause on them."""
        if symbol.kind not in (*CALLABLE_KINDS, *VALUE_KINDS):
            return
        files = sorted(self._files_of(symbol)) if symbol.kind == "method" else ()
        if computed := self._looked_up_in(symbol, files):
            yield "code looks members up by names that it computes", computed
        if symbol.kind == "function" and (tables := self.mentions.computed(symbol.path, "names")):
            yield "code looks up what its file defines by names that it computes", [*tables]
        if reflected := self.on_unknown_types(symbol):
            yield "code finds members of types that are not known by reflection", reflected
        forms, of_file = dict[str, dict[Site, None]](), self.graph.catalog.is_of_file(symbol)
        for built in self.mentions.built:
            meant = symbol.kind in ("method", "field") and (not built.of_own or built.site.path in files)
            near = built.site.path == symbol.path or not of_file
            if (meant or not built.of_members) and near and built.fits(symbol.name):
                forms.setdefault(built.form, {})[built.site] = None
        yield from ((f"names that {form} are built", [*sites]) for form, sites in forms.items())

    def _looked_up_in(self, symbol: Symbol, files: Sequence[str]) -> list[Site]:
        """Return the sites where an object may look up its member `symbol` by a computed name: in `files`, or anywhere.

        A name from outside may be that of a private member, too.
        """
        if symbol.name.startswith("#") or symbol.parent is None:
            return []
        found = [site for path in files for site in self.mentions.computed(path)]
        found += (site for path in files for site in self.mentions.computed(path, "listed"))
        return [*dict.fromkeys((*found, *self.on_its_type(symbol)))]

    def _files_of(self, symbol: Symbol) -> Collection[str]:
        """Return the files that define the type of a method, its supertypes, and its subtypes with their supertypes."""
        start = [] if symbol.parent is None else [self.graph.vertex(symbol.parent)]
        around = related(self.graph, related(self.graph, start, "in"), "out")
        return {symbol.path, *(self.graph.symbol(vertex).path for vertex in around)}

    def by_computed_name(self, vertex: int, noun: str) -> str:
        """Return a clause if code in the files of a type and its supertypes finds types by names that it computes."""
        around = {self.graph.symbol(each).path for each in (vertex, *related(self.graph, [vertex], "out"))}
        sites = [site for path in sorted(around) for site in self.mentions.computed(path, "types")]
        return f"code finds {noun} by names that it computes at {places(sites)}" if sites else ""

    def by_scan(self, symbol: Symbol) -> str:
        """Return a clause if code that goes through all types may choose the type by its supertypes or decorators."""
        if not (symbol.decorators or self.supertypes.written(symbol.id)):
            return ""
        site = self._site("scanning", symbol)
        return f"code that searches all types of the program may find {symbol.name} ({places([site])})" if site else ""

    def by_making(self, symbol: Symbol) -> str:
        """Return a clause if code that makes instances of types that it is given may call the constructor."""
        sites = self.makers(symbol)
        return f"code that makes instances of types that it is given may call it ({places(sites)})" if sites else ""

    def makers(self, symbol: Symbol) -> list[Site]:
        """Return a place where an instance of any type is made without arguments, if `symbol` is such a constructor."""
        if "()" not in symbol.signature or not is_constructor(self.graph, self.graph.vertex(symbol.id)):
            return []
        return [*filter(None, (self._site("making", symbol),))]

    def _site(self, field: str, symbol: Symbol) -> Site | None:
        """Return a site outside of tests, in code that can use `symbol`, of the pattern in a field of its record."""
        return next((site for language, site in self._sites(field).items() if can_use(language, symbol)), None)

    def on_its_type(self, member: Symbol) -> list[Site]:
        """Return the sites of reflection that gets the type of a member and finds members of this kind."""
        if member.parent is None:
            return []
        owner = self.graph.catalog.symbol(member.parent).name
        return [site for kind in _kinds(member) if (site := self._by_type.get((owner, kind))) is not None]

    def on_unknown_types(self, member: Symbol) -> list[Site]:
        """Return a site of reflection on a type that is not known, which may find members of this kind.

        A type that only its own code names is handed on by this code alone; see `on_its_type`. One that nothing names
        is named outside.
        """
        if member.parent is None or member.kind not in ("method", "field"):
            return []
        graph, type_ = self.graph, self.graph.vertex(member.parent)
        users = {*graph.neighbours(type_, "in", ("USES",))}
        if users and users <= {*inside(graph, [type_])}:
            return []
        public = graph.symbol(type_).kind == "interface" or "public" in member.signature.split()
        kinds, known = _kinds(member), self._of_unknown.get(member.language, ())
        return [*islice((site for kind, hidden, site in known if kind in kinds and (public or hidden)), 1)]

    @cached_property
    def _of_unknown(self) -> Mapping[str, list[tuple[str, bool, Site]]]:
        """Language → kind of members, True if these need not be public, and site of reflection on unknown types."""
        found = defaultdict[str, list[tuple[str, bool, Site]]](list)
        for site in self.mentions.matches("reflection"):
            language, line = self.mentions.language(site.path), self.mentions.line(site)[:_MOST_OF_LINE]
            form, public = record_of(language).reflection_of_unknown, record_of(language).reflection_of_public
            if form is not None and form.search(line) is not None and not self.graph.catalog.is_test_line(*site):
                hidden = public is None or public.search(line) is None
                found[language].append((self._kind_found(site), hidden, site))
        return found

    def _kind_found(self, site: Site) -> str:
        """Return the kind of members that the reflection at a site finds: a key of `Language.reflected`; "" for any."""
        form = record_of(self.mentions.language(site.path)).reflection
        match = form.search(self.mentions.line(site)) if form is not None else None
        return (match.lastgroup or "") if match is not None else ""

    @cached_property
    def _by_type(self) -> Mapping[tuple[str, str], Site]:
        """Name of a type and kind of its members (see `_kind_found`) → site of reflection on it.

        The function around the site, or around a call that leads to it, has the type as a value or makes an object.
        """
        graph, found, waiting = self.graph, dict[tuple[str, str], Site](), dict[tuple[int, str], tuple[Site, int]]()

        def note(user: Symbol, call: Site, site: Site, kind: str) -> None:
            own, text = owner_of(graph.catalog, user), self.mentions.line(call)
            within = own if own is not None and _OWN_FIELD.search(text) is not None else user
            lines = within.span.lines if within.kind in (*CALLABLE_KINDS, *TYPE_KINDS) else ()
            near = [Site(call.path, line) for line in lines[:_MOST_LINES]]
            named = [each for at in (call, *near) for each in self.mentions.types_at(at)]
            of_own = _OWN_TYPE.search(text) is not None
            for each in (*named, *([own.name] if own and of_own else ())):
                found.setdefault((each, kind), site)

        for site in self.mentions.matches("reflection"):
            around = graph.catalog.at(site.path, site.line)
            if around is not None and not self._is_on_module(around, site):
                note(around, site, site, kind := self._kind_found(site))
                waiting.setdefault((graph.vertex(around.id), kind), (site, 0))
        for vertex, kind in (queue := list(waiting)):
            site, steps = waiting[vertex, kind]
            rows = graph.incident(vertex, "in", ("CALLS",))
            # an object of its type is handed on, and calls it
            owner = None if rows else owner_of(graph.catalog, graph.symbol(vertex))
            for row in rows if owner is None else graph.incident(graph.vertex(owner.id), "in", ("CALLS", "USES")):
                user = graph.edges.source[row]
                for call in graph.edge(row).sites:
                    note(graph.symbol(user), call, site, kind)
                if (user, kind) not in waiting and steps < _MOST_HANDED and len(queue) < _MOST_LINES:
                    waiting[user, kind] = site, steps + 1
                    queue.append((user, kind))
        return found

    def _is_on_module(self, around: Symbol, site: Site) -> bool:
        """Return True if a function finds members of a module that it loads: ``getattr(module, name)``."""
        form, read = record_of(around.language).module_loads, _READ_BY_NAME.search(self.mentions.line(site))
        if not form or read is None:
            return False
        loads = re.compile(form.replace("{}", re.escape(read[1])))
        lines = range(max(around.line, site.line - _MOST_LINES), site.line)
        return any(loads.search(self.mentions.line(Site(site.path, line))[:_MOST_OF_LINE]) for line in lines)

    # ----------------------------------------------------------------- syntax, and what variables hold

    def of_special(self, symbol: Symbol) -> list[Site] | None:
        """Return the sites of syntax and built-in functions that may run a special method; None if they are not known.

        ``with pool:`` runs ``__enter__``, and ``len(pool)`` runs ``__len__``.
        """
        rules = rules_of(symbol.language)
        special = rules.special_methods if rules is not None and symbol.kind == "method" else None
        if special is None or not special.protocols:
            return None
        if symbol.name in special.call:
            return [each.site for each in self.of_values]
        asking, names = self.functions_running(symbol), {symbol.name, *_before(symbol.name, special.fallbacks)}
        if not asking and names.isdisjoint(self._implicit_sites):
            return None
        found = [site for name in names for site in self._implicit_sites.get(name, ())]
        return found + [site for each in asking for _, _, site in self.graph.externals.users(each)]

    def functions_running(self, symbol: Symbol) -> list[str]:
        """Return the built-in functions that run a special method: ``len`` runs ``__len__``."""
        rules = rules_of(symbol.language)
        special = rules.special_methods if rules is not None else None
        if special is None:
            return []
        names = {symbol.name, *_before(symbol.name, special.fallbacks)}
        return [function for function, methods in special.protocols.items() if names & {*methods}]

    @cached_property
    def _implicit_sites(self) -> Mapping[str, list[Site]]:
        """Name of a special method → the sites whose syntax runs a method of this name."""
        found = defaultdict[str, list[Site]](list)
        for path, file in self.files.items():
            for row in file.facts.references:
                if row.kind == "implicit":
                    found[last_name(row.path)[0]].append(Site(path, row.line))
        return found

    @cached_property
    def of_values(self) -> tuple[Unresolved, ...]:
        """The calls of what a variable, member or element holds, which is not known.

        Their names are those of no function, or of a variable too.
        """
        catalog, found = self.graph.catalog, list[Unresolved]()
        for each in (each for each in self.graph.unresolved if each.kind == "call"):
            kinds = {symbol.kind for symbol in catalog.named(each.name)}
            held = kinds.isdisjoint((*CALLABLE_KINDS, *TYPE_KINDS)) or not kinds.isdisjoint(VALUE_KINDS)
            if not held:
                held = each.name in (_RUNNING if each.receiver else self._bound_in(catalog.symbol(each.source)))
            if held:
                found.append(each)
        return tuple(found)


def _kinds(member: Symbol) -> tuple[str, ...]:
    """Return the kinds of members that a symbol belongs to: keys of `Language.reflected`, and "" for any."""
    forms = record_of(member.language).reflected
    return "", *(kind for kind, form in forms.items() if form.search(member.signature))


def first_sites(graph: CodeGraph, mentions: Mentions, field: str) -> Mapping[str, Site]:
    """Return language → the first site outside of tests that matches the pattern in a field of its record."""
    found = dict[str, Site]()
    for site in mentions.matches(field):
        if not graph.catalog.roles.is_test(site.path):
            found.setdefault(mentions.language(site.path), site)
    return found


def _before(name: str, fallbacks: Mapping[str, Collection[str]]) -> list[str]:
    """Return the special methods instead of which Python runs the one called `name`, if a class lacks them."""
    found = [first for first, others in fallbacks.items() if name in others]
    return [*found, *(first for first, others in fallbacks.items() if not {*found}.isdisjoint(others))]
