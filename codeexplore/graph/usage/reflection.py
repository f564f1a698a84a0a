"""Reflection: code that finds types and members without their names, by computed names or by a search.

The record of a language has its forms (`Language.reflection`, `Language.reflected`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import islice

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import inside, is_constructor, related
from codeexplore.graph.usage.name_uses import VALUE_KINDS
from codeexplore.graph.usage.supertypes import Supertypes
from codeexplore.graph.usage.visibility import owner_of
from codeexplore.languages.registry import can_use, record_of
from codeexplore.names.mentions import Mentions
from codeexplore.text.enumeration import places
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Site, Symbol

_MOST_LINES = 200  # of a function whose types reflection may get
_MOST_HANDED = 2  # calls through which a type is handed to reflection
_MOST_OF_LINE = 2_000  # characters of a line that are searched for reflection

_OWN_TYPE = re.compile(r"(?:^|[^.\w]|\bthis\.)[Gg]et(?:Type|Class)\(\)|[(,]\s*\$?(?:this|self)\s*[,)]")
"""Code that hands on its own type, or its own object."""
_OWN_FIELD = re.compile(r"[(,]\s*(?:this|self)\.\w")
"""Code that hands on the value of a field of its own object: any code of the type may set it."""
_READ_BY_NAME = re.compile(r"\bgetattr\(\s*(\w+)\s*,")


class Reflection:
    """Finder of reflection in the indexed files, for the symbols that it may find."""

    def __init__(self, graph: CodeGraph, mentions: Mentions, supertypes: Supertypes) -> None:
        self.graph, self.mentions, self.supertypes = graph, mentions, supertypes
        self._sites = cache(partial(first_sites, graph, mentions))

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
