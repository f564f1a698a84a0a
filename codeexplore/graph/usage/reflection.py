"""Reflection: code that finds the members of a type without their names.

The record of a language has its forms (`Language.reflection`, `Language.reflected`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from itertools import islice

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import inside
from codeexplore.graph.usage.visibility import owner_of
from codeexplore.languages.registry import record_of
from codeexplore.names.mentions import Mentions
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
    """Sites of reflection in the indexed files, for the members that they may find."""

    def __init__(self, graph: CodeGraph, mentions: Mentions) -> None:
        self._graph, self._mentions = graph, mentions

    def on_its_type(self, member: Symbol) -> list[Site]:
        """Return the sites of reflection that gets the type of a member and finds members of this kind."""
        if member.parent is None:
            return []
        owner = self._graph.catalog.symbol(member.parent).name
        return [site for kind in _kinds(member) if (site := self._by_type.get((owner, kind))) is not None]

    def on_unknown_types(self, member: Symbol) -> list[Site]:
        """Return a site of reflection on a type that is not known, which may find members of this kind.

        A type that only its own code names is handed on by this code alone; see `on_its_type`. One that nothing names
        is named outside.
        """
        if member.parent is None or member.kind not in ("method", "field"):
            return []
        graph, type_ = self._graph, self._graph.vertex(member.parent)
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
        for site in self._mentions.matches("reflection"):
            language, line = self._mentions.language(site.path), self._mentions.line(site)[:_MOST_OF_LINE]
            form, public = record_of(language).reflection_of_unknown, record_of(language).reflection_of_public
            if form is not None and form.search(line) is not None and not self._graph.catalog.is_test_line(*site):
                hidden = public is None or public.search(line) is None
                found[language].append((self._kind_found(site), hidden, site))
        return found

    def _kind_found(self, site: Site) -> str:
        """Return the kind of members that the reflection at a site finds: a key of `Language.reflected`; "" for any."""
        form = record_of(self._mentions.language(site.path)).reflection
        match = form.search(self._mentions.line(site)) if form is not None else None
        return (match.lastgroup or "") if match is not None else ""

    @cached_property
    def _by_type(self) -> Mapping[tuple[str, str], Site]:
        """Name of a type and kind of its members (see `_kind_found`) → site of reflection on it.

        The function around the site, or around a call that leads to it, has the type as a value or makes an object.
        """
        graph, found, waiting = self._graph, dict[tuple[str, str], Site](), dict[tuple[int, str], tuple[Site, int]]()

        def note(user: Symbol, call: Site, site: Site, kind: str) -> None:
            own, text = owner_of(graph.catalog, user), self._mentions.line(call)
            within = own if own is not None and _OWN_FIELD.search(text) is not None else user
            lines = within.span.lines if within.kind in (*CALLABLE_KINDS, *TYPE_KINDS) else ()
            near = [Site(call.path, line) for line in lines[:_MOST_LINES]]
            named = [each for at in (call, *near) for each in self._mentions.types_at(at)]
            of_own = _OWN_TYPE.search(text) is not None
            for each in (*named, *([own.name] if own and of_own else ())):
                found.setdefault((each, kind), site)

        for site in self._mentions.matches("reflection"):
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
        form, read = record_of(around.language).module_loads, _READ_BY_NAME.search(self._mentions.line(site))
        if not form or read is None:
            return False
        loads = re.compile(form.replace("{}", re.escape(read[1])))
        lines = range(max(around.line, site.line - _MOST_LINES), site.line)
        return any(loads.search(self._mentions.line(Site(site.path, line))[:_MOST_OF_LINE]) for line in lines)


def _kinds(member: Symbol) -> tuple[str, ...]:
    """Return the kinds of members that a symbol belongs to: keys of `Language.reflected`, and "" for any."""
    forms = record_of(member.language).reflected
    return "", *(kind for kind, form in forms.items() if form.search(member.signature))
