"""Names in a question that exist nowhere, read as the names they may be misspellings of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Protocol, runtime_checkable

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.search.name_trigrams import Spelling
from codeexplore.search.seeds import definitions
from codeexplore.text.tokens import analyze
from codeexplore.types import QueryPlan, Reason


@runtime_checkable
class KnowsWords(Protocol):
    """A lane that can tell whether a token stands anywhere."""

    def holds(self, token: str) -> bool:
        """Whether any chunk holds the token."""
        ...


class Corrector:
    """Finds typing errors in names.

    A name is taken for one when no symbol is called so, the word stands in no chunk either, and a symbol's name is
    spelt nearly so; or when a symbol's name differs from it by case and underscores alone.

    Parameters
    ----------
    catalog
        The symbols.
    holds
        Whether a token stands in any chunk.
    """

    def __init__(self, catalog: Catalog, holds: Callable[[str], bool]) -> None:
        self._catalog = catalog
        self._holds = holds

    @cached_property
    def _spelling(self) -> Spelling:
        """Made when the first unknown name comes: it takes a second for 50,000 names."""
        return Spelling(symbol.name for symbol in self._catalog.symbols if symbol.kind not in ("section", "lambda"))

    def meant(self, name: str) -> tuple[str, float] | None:
        """The name that `name` was meant to be, with their similarity; None when it exists or nothing is near it."""
        parts = name_parts(name)
        if len(name.split()) != 1:  # words of prose; what ends them may look like a name
            return None
        if not parts or definitions(name, self._catalog)[0]:
            return None
        near = self._spelling.nearest(parts[-1], limit=1)
        if not near or (near[0].similarity < 1.0 and self._stands_elsewhere(parts[-1], near[0].name)):
            return None
        qualified = ".".join((*parts[:-1], near[0].name))
        return (qualified if self._catalog.find(qualified) else near[0].name), near[0].similarity

    def misspelt(self, name: str) -> bool:
        """Whether `name` is no symbol's, and nearly one's."""
        return self.meant(name) is not None

    def correct(self, plan: QueryPlan) -> tuple[QueryPlan, tuple[str, ...]]:
        """The plan with its unknown names read as known ones, and what is to be said about them."""
        read: dict[str, str] = {}
        said = []
        for name in plan.identifiers:
            found = self.meant(name)
            if found is not None:
                read[name] = found[0]
                how = f"similarity {found[1]:.2f}" if found[1] < 1.0 else "same letters"
                said.append(f"No symbol is called `{name:.80}`; `{found[0]}` was taken instead ({how}).")
        if not read:
            return plan, ()
        text = plan.text
        for typed, meant in read.items():
            text = text.replace(typed, meant)
        names = tuple(dict.fromkeys(read.get(name, name) for name in plan.identifiers))
        reasons = (*plan.reasons, *(Reason("identifiers", why) for why in said))
        return replace(plan, identifiers=names, reasons=reasons, searched=text), tuple(said)

    def _stands_elsewhere(self, word: str, near: str) -> bool:
        """Whether chunks hold a word for another reason than that its stem is that of the name near it."""
        tokens = analyze(word)
        return bool(tokens) and tokens[:1] != analyze(near)[:1] and self._holds(tokens[0])
