"""Changes of public symbols that may break code outside the repository. The idea is from griffe."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from codeexplore.features.review.inherited_members import InheritedChanges, is_private
from codeexplore.features.review.records import Side, SymbolChange
from codeexplore.graph.usage.visibility import Visibility
from codeexplore.languages.file_roles import is_test_path
from codeexplore.types import Symbol


def with_breaking(
    changes: Sequence[SymbolChange], counterpart: Mapping[str, str], old: Side, new: Side
) -> tuple[SymbolChange, ...]:
    """Return the same changes, each with its reasons why it may break code outside (`breaking`).

    Private symbols have no reasons. A symbol counts as public if it was public before the change, by the rules of its
    language (`graph.usage.visibility`). A class whose inherited members changed is added.
    """
    judges = PublicInterface(changes, old, new)
    judged = [change._replace(breaking=tuple(judges.clauses(change))) for change in changes]
    return InheritedChanges(counterpart, old, new, judges.was_public).added(judged)


class PublicInterface:
    """Finds the reasons why changes may break code outside.

    The graph after the change answers whether a symbol is public. The graph before it is only built for symbols that no
    longer exist under their id.
    """

    def __init__(self, changes: Sequence[SymbolChange], old: Side, new: Side) -> None:
        self._old, self._new = old, new
        self._paths = {s.path for change in changes for s in (change.old, change.new) if s is not None}
        self._made: dict[bool, Visibility] = {}

    def clauses(self, change: SymbolChange) -> Iterator[str]:
        """Yield the reasons why a change may break code outside; none for a private symbol."""
        old, new = change.old, change.new
        if old is None or old.kind in ("section", "lambda") or is_test_path(old.path):
            return
        if change.inside and change.kind != "changed":
            return  # the symbol around it has the reason
        said = list(change.breaking)
        if change.kind in ("removed", "renamed", "moved") and (bound := self._bound_in_file(old)) is not None:
            if bound and bound != old.kind:
                said.insert(0, f"kind changed from {old.kind} to {bound}")
        elif change.kind == "removed":
            said.insert(0, "removed")
        elif change.kind == "renamed" and new is not None:
            said.insert(0, f"renamed to {new.name}")
        elif change.kind == "moved" and new is not None and not _in_private_module(old):
            said.insert(0, f"moved to {new.fqn}")
        private = is_private(old) or (old.kind == "module" and _in_private_module(old))
        if said and not private and self._is_public(old, same=new is not None and new.id == old.id):
            yield from said

    def _bound_in_file(self, symbol: Symbol) -> str | None:
        """Return the kind of the definition that has the name of a top-level symbol in its file after the change.

        The result is "" if the file imports the name, and None if the file does not bind it.
        """
        if symbol.path not in self._new.sources or symbol.kind == "module":
            return None
        module, *rest = self._new.catalog.in_file(symbol.path)
        if symbol.parent != module.id:
            return None
        facts = self._new.files.facts(symbol.path)
        if any(row.name == symbol.name and facts.symbols[row.scope].id == module.id for row in facts.imports):
            return ""
        return next((each.kind for each in rest if each.name == symbol.name and each.parent == module.id), None)

    def includes(self, change: SymbolChange) -> bool:
        """Return True if the symbol is public: an added one now, any other one before the change."""
        symbol, new = change.old or change.symbol, change.new
        if symbol.kind in ("module", "section", "lambda") or is_test_path(symbol.path) or is_private(symbol):
            return False
        return self._is_public(symbol, same=change.old is None or (new is not None and new.id == symbol.id))

    def was_public(self, before: Symbol, after: Symbol) -> bool:
        """Return True if a class was public before the change."""
        return not is_private(before) and self._is_public(before, same=before.id == after.id)

    def _is_public(self, symbol: Symbol, *, same: bool) -> bool:
        side = self._new if same else self._old
        if symbol.kind == "module":  # of a package: scripts are run, not imported
            return symbol.language == "python" and posixpath.join(posixpath.dirname(symbol.path), "__init__.py") in (
                side.sources
            )
        if same not in self._made:
            paths = [p for p in side.sources if p in self._paths or posixpath.basename(p) == "__init__.py"]
            sources = {path: side.sources[path] for path in paths}
            self._made[same] = Visibility(side.graph, side.files, sources)
        judged = symbol
        if symbol.parent is not None and symbol.name.startswith("__"):  # Python calls it: as public as its class
            judged = side.catalog.symbol(symbol.parent)
        return bool(self._made[same].reason(judged))


def _in_private_module(symbol: Symbol) -> bool:
    return (symbol.language == "python" and any(part.startswith("_") for part in symbol.path.split("/")[:-1])) or (
        posixpath.basename(symbol.path).startswith("_") and posixpath.basename(symbol.path) != "__init__.py"
    )  # fmt: skip
