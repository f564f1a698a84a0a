"""Decorators, attributes and macros, which may register or call what they stand at.

Known ones are listed in the records of the languages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.traversal import decorators_of, is_constructor, members
from codeexplore.graph.usage.name_uses import VALUE_KINDS
from codeexplore.languages.registry import record_of
from codeexplore.names.mentions import Mentions
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Site, Symbol

_MOST_ABOVE: Final = 2_000  # lines above a definition in which the macro around it may begin
_ITEMS: Final = re.compile(r"\$\w+:item\b")


class Registration:
    """Finder of symbols that their decorators, or macros around them, may register."""

    def __init__(self, graph: CodeGraph, mentions: Mentions) -> None:
        self.graph, self.mentions = graph, mentions

    def reason(self, symbol: Symbol) -> str:
        """Return a clause if a decorator, or a macro around the symbol, may register or call it; "" otherwise."""
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
        lines = range(site.line, least, -1) if form is not None and self.mentions.has_texts else ()
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
        return macro.signature.startswith("macro_rules!") and _ITEMS.search(self.mentions.text(macro)) is not None

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
