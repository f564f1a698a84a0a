"""Replacements of a deleted definition: found in the commit that deleted it, by comparing the states around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.blocks import Row
from codeexplore.answers.data import symbol_dict
from codeexplore.answers.shown import Listing, place_of
from codeexplore.answers.wording import plural
from codeexplore.features.review.history.log import read_changing
from codeexplore.index.qualified_names import name_parts
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Symbol
from codeexplore.types.errors import GitError

if TYPE_CHECKING:
    from codeexplore.features.review.answers import ChangesAnswer
    from codeexplore.features.review.history.view import HistoryView
    from codeexplore.workspace.workspace import Workspace

_MOST_COMMITS, _MOST_STEPS, _MOST_FOUND = 10, 8, 5  # compared for one name; renames followed; candidates
_WORD = re.compile(r"[^\W\d]\w*")
_LEAST_CHARS = 3


class Replacement(NamedTuple):
    """A symbol that took the place of a deleted one, and the evidence in words."""

    symbol: Symbol  # as it was after the commit
    evidence: str
    commit: str
    day: str


@dataclass(frozen=True, slots=True, repr=False)
class ReplacedAnswer(Listing[Replacement]):
    """Symbols that replaced a deleted definition: a sequence of `Replacement`, the strongest evidence first."""

    columns: ClassVar = ("symbol", "where", "evidence", "commit")
    name: str
    items: tuple[Replacement, ...]
    deleted: str = ""  # id of the commit that deleted it; "" if none did
    day: str = ""

    @property
    def headline(self) -> str:
        if not self.deleted:
            return f"No commit of this history deleted a definition called {self.name}"
        commit = f"{self.deleted[:10]} deleted {self.name} on {self.day}"
        return f"{commit}; {plural(len(self.items), 'symbol')} may replace it" if self.items else f"{commit}"

    def row(self, item: Replacement, number: int) -> Row:  # noqa: ARG002 - they are ordered, not numbered
        return Row((item.symbol, place_of(item.symbol), item.evidence, b.Words(f"{item.commit[:10]} {item.day}")))

    def record(self, item: Replacement) -> dict[str, object]:
        return {**item._asdict(), "symbol": symbol_dict(item.symbol)}


def replaced(reader: HistoryView, name: str, compare: Callable[[str], ChangesAnswer]) -> ReplacedAnswer:
    """Return what replaced a deleted definition, following renames to the present. `compare` takes a range."""
    wanted, deleted, day = name, "", ""
    evidence = ""
    for _ in range(_MOST_STEPS):
        found = _deletion(reader, wanted, compare)
        if found is None:
            break
        commit, when, changes, old, new = found
        deleted, day = deleted or commit, day or when
        if new is None:
            items = [Replacement(symbol, evidence + said, commit, when) for symbol, said in _successors(changes, old)]
            return ReplacedAnswer(name, tuple(items[:_MOST_FOUND]), deleted, day)
        evidence += f"{old.fqn} became {new.fqn}; "
        if reader.view.catalog.exactly(name_parts(new.fqn)):
            return ReplacedAnswer(name, (Replacement(new, evidence.removesuffix("; "), commit, when),), deleted, day)
        wanted = new.name
    return ReplacedAnswer(name, (), deleted, day)


def asked(workspace: Workspace, name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the ids of the symbols of today that replaced a deleted definition, and the answer in sentences."""
    try:
        answer = workspace.review.replaced(name)
    except GitError as error:
        return frozenset(), (f"What replaced {name} is not known: {error}.",)
    exactly = workspace.view(graph=False).catalog.exactly
    found = frozenset(symbol.id for each in answer for symbol in exactly(name_parts(each.symbol.fqn)))
    return found, (f"{answer.headline}.", *(f"{each.symbol.fqn}: {each.evidence}." for each in answer))


def _deletion(
    reader: HistoryView, name: str, compare: Callable[[str], ChangesAnswer]
) -> tuple[str, str, ChangesAnswer, Symbol, Symbol | None] | None:
    """Return the newest commit that deleted a definition: its id and day, its changes, the old and the new symbol."""
    last, history = re.split(r"::|[.#:]", name)[-1], reader.history
    rows = {commit: row for row, commit in enumerate(history.ids)}
    commits = read_changing(reader.objects, history.ids, last)
    for commit, _ in zip(commits, range(_MOST_COMMITS), strict=False):
        changes = compare(f"{commit}~..{commit}")
        for each in changes.comparison.symbols:
            old = each.old
            if old is None or old.name != last or each.kind not in ("removed", "renamed", "moved"):
                continue
            if old.fqn.endswith(name) or old.id == name:
                return commit, history.date(rows[commit]), changes, old, each.new
    return None


def _successors(changes: ChangesAnswer, old: Symbol) -> Iterator[tuple[Symbol, str]]:
    """Yield the symbols that may replace a deleted one, with the evidence, the strongest first."""
    catalog = changes.comparison.new.catalog
    users = Counter[str]()
    for each in changes:
        before, after = set(_WORD.findall(each.before)), set(_WORD.findall(each.after))
        if each.change.old is not None and each.symbol.id != old.id and old.name in before - after:
            users.update(word for word in after - before if len(word) >= _LEAST_CHARS and word != each.symbol.name)
    named = set(_WORD.findall(old.doc))
    added = {each.new.name for each in changes.comparison.symbols if each.new is not None and each.kind == "added"}
    words = {*users, *named} & {symbol.name for word in {*users, *named} for symbol in catalog.named(word)}
    for word in sorted(words, key=lambda each: (each not in named, -users[each], each not in added, each)):
        symbols = [s for s in catalog.named(word) if s.kind in CALLABLE_KINDS | TYPE_KINDS and s.name != old.name]
        if len(symbols) == 1:
            said = [f"the documentation of {old.name} named it"] if word in named else []
            said += [f"{plural(users[word], 'symbol')} used {old.name} and use it now"] if users[word] else []
            yield symbols[0], "; ".join(said)
