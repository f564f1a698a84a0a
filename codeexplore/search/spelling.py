"""Correction of names in a question that exist nowhere, to the names they may be misspellings of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Protocol, runtime_checkable

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.search.seeds import definitions
from codeexplore.text.similar_names import Spelling
from codeexplore.text.tokens import analyze
from codeexplore.types import TEXT_KINDS, QueryPlan, Reason


@runtime_checkable
class KnowsWords(Protocol):
    """A lane that knows the tokens that occur."""

    def holds(self, token: str) -> bool:
        """Return True if any chunk contains the token."""
        ...


class Corrector:
    """Finds typing errors in names.

    A name counts as one when no symbol has it, the word is in no chunk either, and the name of a symbol is similar; or
    when a symbol's name differs from it by case and underscores alone.

    Parameters
    ----------
    catalog
        The symbols.
    holds
        Returns True for a token that is in any chunk.
    """

    def __init__(self, catalog: Catalog, holds: Callable[[str], bool]) -> None:
        self._catalog = catalog
        self._holds = holds

    @cached_property
    def _spelling(self) -> Spelling:
        """Return the finder, made for the first unknown name."""
        return Spelling(
            symbol.name for symbol in self._catalog.symbols if symbol.kind != "lambda" and symbol.kind not in TEXT_KINDS
        )

    def meant(self, name: str) -> tuple[str, float] | None:
        """Return the name that `name` is meant for, and their similarity; None if it exists or none is similar."""
        parts = name_parts(name)
        if len(name.split()) != 1:  # words of prose; the last of them may look like a name
            return None
        if not parts or definitions(name, self._catalog)[0]:
            return None
        near = self._spelling.nearest(parts[-1])
        if near is None or (near.similarity < 1.0 and self._stands_elsewhere(parts[-1], near.name)):
            return None
        qualified = ".".join((*parts[:-1], near.name))
        return (qualified if self._catalog.find(qualified) else near.name), near.similarity

    def misspelt(self, name: str) -> bool:
        """Return True if `name` is not a symbol's, and similar to one's."""
        return self.meant(name) is not None

    def correct(self, plan: QueryPlan) -> tuple[QueryPlan, tuple[str, ...]]:
        """Return the plan with its unknown names replaced by known ones, and the notices about them."""
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
        """Return True if chunks contain a word for another reason than that its stem is that of the similar name."""
        tokens = analyze(word)
        return bool(tokens) and tokens[:1] != analyze(near)[:1] and self._holds(tokens[0])
