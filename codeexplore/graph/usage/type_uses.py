"""Uses that come with something else: with the type of a member, with the expression or object of a function.

Code that holds a type makes objects of it, a metaclass sees the members of its classes, and a value is used by the code
that gets it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import is_constructor, members, related
from codeexplore.graph.usage.name_uses import VALUE_KINDS
from codeexplore.graph.usage.reflection import Reflection
from codeexplore.graph.usage.registration import Registration
from codeexplore.graph.usage.supertypes import Supertypes
from codeexplore.graph.usage.visibility import owner_of
from codeexplore.languages.file_roles import marks
from codeexplore.languages.python.spec import PYTHON
from codeexplore.languages.registry import is_part, record_of, rules_of
from codeexplore.resolution.type_syntax import last_part
from codeexplore.text.enumeration import places
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, FileIndex, Site, Symbol

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


class TypeUses:
    """Finder of uses that come with the type or the expression of a symbol.

    Each method returns a clause, "" without such a use.
    """

    def __init__(
        self,
        graph: CodeGraph,
        files: Mapping[str, FileIndex],
        supertypes: Supertypes,
        registration: Registration,
        reflection: Reflection,
    ) -> None:
        self.graph, self.files, self.mentions = graph, files, reflection.mentions
        self.supertypes, self._registration, self._reflection = supertypes, registration, reflection

    def by_type(self, symbol: Symbol) -> str:
        """Return a clause if code that names the type of a constructor may make objects of it; "" otherwise."""
        if symbol.parent is None or not is_constructor(self.graph, self.graph.vertex(symbol.id)):
            return ""
        owner = self.graph.catalog.symbol(symbol.parent)
        if "private" in symbol.signature.partition("(")[0].split():
            return ""
        sites = [site for site in self.mentions.elsewhere(owner) if IMPORTING.search(self.mentions.line(site)) is None]
        if not sites:
            return self.of_expression(owner) or self._reflection.by_scan(owner)
        return f"code that holds the type {owner.name} may make objects of it ({places(sites)})"

    def by_type_of_value(self, symbol: Symbol) -> str:
        """Return a clause if the decorator of its type may use a value, or code lists the constants of its enum."""
        owner = owner_of(self.graph.catalog, symbol) if symbol.kind in VALUE_KINDS else None
        if owner is None or owner.kind not in TYPE_KINDS:
            return ""
        above = (self.graph.symbol(each).id for each in related(self.graph, [self.graph.vertex(owner.id)], "out"))
        bases = (base for each in above for base in self.supertypes.written(each))
        enum = owner.kind == "enum" or any(base.endswith(("Enum", "Flag")) for base in bases)
        if (enum or symbol.kind == "field") and (registered := self._registration.reason(owner)):
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
