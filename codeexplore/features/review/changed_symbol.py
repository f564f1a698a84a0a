"""One symbol that differs between two states of a repository, with its source before and after."""

from __future__ import annotations

import difflib
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Block
from codeexplore.answers.data import symbol_dict
from codeexplore.answers.shown import Shown, ShownRows
from codeexplore.features.review.difference import Difference
from codeexplore.features.review.records import CHANGE_KINDS, SymbolChange
from codeexplore.types import Symbol


@dataclass(frozen=True, repr=False)
class ChangedSymbol(Shown):
    """A symbol that differs, with its source before and after. The source of a symbol that does not exist is ""."""

    change: SymbolChange
    before: str
    after: str

    @property
    def symbol(self) -> Symbol:
        """The symbol after the change, or the removed one."""
        return self.change.symbol

    @property
    def kind(self) -> str:
        """Return "added", "removed", "changed", "renamed" or "moved"."""
        return self.change.kind

    @property
    def breaking(self) -> tuple[str, ...]:
        """Reasons why code outside of the repository may break, as clauses; empty if none was found."""
        return self.change.breaking

    @property
    def what(self) -> str:
        """The differences in words: ``signature, body``; for a renamed symbol its old name and the evidence."""
        change = self.change
        said = [", ".join(change.aspects)] if change.aspects else []
        if change.kind in ("renamed", "moved") and change.old is not None:
            said.insert(0, f"was {change.old.fqn} ({change.evidence})")
        return "; ".join(said)

    def difference(self, *, aside: bool = False) -> Difference:
        """Return the lines before and after as a block."""
        old, new = self.change.old, self.change.new
        return Difference(
            tuple(self.before.split("\n")) if old else (), tuple(self.after.split("\n")) if new else (),
            old.span.start_line if old else 1, new.span.start_line if new else 1, self.symbol.language, aside,
        )  # fmt: skip

    def blocks(self) -> list[Block]:
        """The symbol, what differs, and the lines before and after."""
        head: list[Block] = [b.Heading((b.Words(f"{self.kind} "), self.symbol))]
        if self.what:
            head.append(b.Text(self.what))
        head += [b.Text(clause, "warning") for clause in self.breaking]
        return [*head, self.difference()]

    def diff(self) -> str:
        """Return the difference as the lines of a unified diff, without a header."""
        lines = difflib.unified_diff(self.before.split("\n"), self.after.split("\n"), lineterm="", n=3)
        return "\n".join(list(lines)[2:])

    def to_dict(self) -> dict[str, object]:
        """The change as plain data for JSON."""
        change = self.change
        return {
            "change": change.kind,
            "old": None if change.old is None else symbol_dict(change.old),
            "new": None if change.new is None else symbol_dict(change.new),
            "aspects": list(change.aspects),
            "evidence": change.evidence,
            "similarity": round(change.similarity, 3),
            "breaking": list(change.breaking),
            "before": self.before,
            "after": self.after,
        }


class ChangedSymbols(ShownRows[ChangedSymbol]):
    """Base class of an answer that is a sequence of symbols that differ."""

    @property
    @abstractmethod
    def items(self) -> tuple[ChangedSymbol, ...]:
        """The symbols that differ, in order."""

    @property
    def _records(self) -> Sequence[ChangedSymbol]:
        return self.items

    @property
    def breaking(self) -> tuple[ChangedSymbol, ...]:
        """The public symbols whose change may break code outside of the repository."""
        return tuple(each for each in self.items if each.breaking)

    def counts(self) -> str:
        """Return the number of symbols of each kind of change: ``1 added, 2 changed``."""
        counts = Counter(each.kind for each in self.items)
        return ", ".join(f"{counts[kind]} {kind}" for kind in reversed(CHANGE_KINDS) if counts[kind])
