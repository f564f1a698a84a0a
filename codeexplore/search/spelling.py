"""Correction of misspelt names in a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from codeexplore.index.catalog import Catalog
from codeexplore.index.symbol_table import name_parts
from codeexplore.search.seeds import definitions
from codeexplore.text.similar_names import Spelling
from codeexplore.text.tokens import analyze
from codeexplore.types import TEXT_KINDS, QueryPlan, Reason


class Corrector:
    """Finder of typing errors in names.

    A name is corrected if no symbol has it, no chunk contains it, and the name of a symbol is similar. It is also
    corrected if the name of a symbol differs from it only by case and underscores.

    `holds` returns True for a token that any chunk contains.
    """

    def __init__(self, catalog: Catalog, holds: Callable[[str], bool]) -> None:
        self._catalog = catalog
        self._holds = holds

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(
            symbol.name for symbol in self._catalog.symbols if symbol.kind != "lambda" and symbol.kind not in TEXT_KINDS
        )

    def meant(self, name: str) -> tuple[str, float] | None:
        """Return the correct name for `name`, and their similarity; None if `name` exists or no name is similar."""
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
        return self.meant(name) is not None

    def correct(self, plan: QueryPlan) -> tuple[QueryPlan, tuple[str, ...]]:
        """Return the plan with its unknown names replaced by known names, and the notices about this."""
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
        """Return True if chunks contain `word` itself, and not only another word with the stem of `near`."""
        tokens = analyze(word)
        return bool(tokens) and tokens[:1] != analyze(near)[:1] and self._holds(tokens[0])
