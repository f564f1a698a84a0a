"""Changes of public symbols that may break code outside the repository. The idea is from griffe."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from codeexplore.features.review.records import Side, SymbolChange
from codeexplore.features.review.signatures import Signatures, is_attribute, is_overload, is_record
from codeexplore.graph.usage.visibility import Visibility
from codeexplore.languages.registry import record_of
from codeexplore.names.mentions import Mentions
from codeexplore.text.enumeration import shortened
from codeexplore.types import TYPE_KINDS, Direction, Symbol
from codeexplore.types.rows import grouped
from codeexplore.types.settings import RESOLVED_CONFIDENCE


def with_breaking(
    changes: Sequence[SymbolChange], counterpart: Mapping[str, str], old: Side, new: Side
) -> tuple[SymbolChange, ...]:
    """Return the same changes, each with its reasons why it may break code outside (`breaking`).

    Private symbols have no reasons. A symbol counts as public if it was public before the change, by the rules of its
    language (`graph.usage.visibility`). A class whose inherited members changed is added.
    """
    judges = PublicInterface(changes, counterpart, old, new)
    changes = [*changes, *judges.other_attributes(changes)]
    judged = [change._replace(breaking=tuple(judges.clauses(change))) for change in changes]
    return InheritedChanges(counterpart, judges).added(judged)


class PublicInterface:
    """Finds the reasons why changes may break code outside.

    The graph after the change answers whether a symbol is public. The graph before it is only built for symbols that no
    longer exist under their id.
    """

    def __init__(self, changes: Sequence[SymbolChange], counterpart: Mapping[str, str], old: Side, new: Side) -> None:
        self._old, self._new = self.sides = old, new
        self.members = Members(old), Members(new)
        self.signatures = Signatures(old, new, counterpart)
        self._counterpart = counterpart
        self._paths = {s.path for change in changes for s in (change.old, change.new) if s is not None}
        self._gone = {c.old.name for c in changes if c.old is not None and c.kind in _GONE}
        self._made: dict[bool, Visibility] = {}
        self._bound = cache(self._names_bound_in)

    def clauses(self, change: SymbolChange) -> Iterator[str]:
        """Yield the reasons why a change may break code outside; none for a private symbol."""
        old, new = change.old, change.new
        if old is None or old.kind in ("section", "lambda") or self._new.catalog.roles.is_test(old.path):
            return
        if (change.inside and change.kind != "changed") or is_overload(old):
            return  # the symbol around it has the reason, or only type checkers read it
        if old.path.endswith(".pyi") and old.path.removesuffix("i") in self._old.sources:
            return  # a stub, whose module was in the file beside it
        said = list(change.breaking)
        if new is not None and {old.kind, new.kind} <= TYPE_KINDS | {"module"}:
            said += self._of_class(old, new)
        if change.kind != "changed":
            said = self._of_lost(change, old, said)
        private = is_private(old) or (old.kind == "module" and _in_private_module(old))
        if said and not private and self._is_public(old, same=new is not None and new.id == old.id):
            yield from said

    def _of_lost(self, change: SymbolChange, old: Symbol, said: list[str]) -> list[str]:
        """Return the reasons for a symbol that nothing has the place of: what has its name now, or what became of it.

        `said` are the reasons by its signature.
        """
        if (member := self._member_now(old)) is not None:  # another definition, or an inherited one
            return [] if isinstance(member, str) else [*self.signatures.breaking(old, member)]
        if (bound := self._bound_in_file(old)) is not None:
            others = (each for each in bound if each.kind != old.kind)
            return [*said, *(clause for each in others for clause in self.signatures.breaking(old, each))]
        if any(old.name in self.members[1].assigned(each) for each in self._classes_now(old)):  # self.name = …
            is_called = old.kind == "method" and not is_attribute(old)
            return ["kind changed from method to attribute"] if is_called else []
        new = change.new
        if new is None:
            return said if old.name in _UNMISSED else ["removed", *said]
        if change.kind == "renamed":
            return [f"renamed to {new.name}", *said]
        if change.kind == "moved" and not (_in_private_module(old) and self.was_public(new, new)):
            return [f"moved to {new.fqn}", *said]
        return said

    def _of_class(self, old: Symbol, new: Symbol) -> Iterator[str]:
        """Yield what a class offered before: its supertypes, and the attributes that its code assigns."""
        before, after = self.members
        above = after.supertypes(new)
        ids = {each.id for each in above}
        known = {each.name for each in before.supertypes(old) if self._counterpart.get(each.id, each.id) in ids}
        known |= EMPTY_BASES
        named = [(each, path) for each in above for path in after.bases(each)]
        paths = [path for path in before.bases(old) if "(" not in path]  # a call may return any class
        gone = [path for path in paths if not known.intersection(_WORD.findall(path)[-1:])]
        gone = [path for path in gone if not any(self.signatures.same_type(old, path, *each) for each in named)]
        now = {word for _, path in named for word in _WORD.findall(path)[-1:]}
        gone = [path for path in gone if now.isdisjoint(before.values(_WORD.findall(path)[-1]))]
        if gone:
            yield f"supertype removed: {', '.join(gone)}"
        yield from self._attributes(old, new)

    def other_attributes(self, changes: Sequence[SymbolChange]) -> Iterator[SymbolChange]:
        """Yield a change for each class, not among the changes, whose methods assign other attributes than before."""
        known = {change.old.id for change in changes if change.old is not None}
        old, new = (side.catalog for side in self.sides)
        edited = [c.old.parent for c in changes if c.old is not None and c.old.kind == "method" and c.is_code]
        for owner in dict.fromkeys(edited):
            now = self._counterpart.get(owner or "", owner or "")
            if owner is not None and owner not in known and old.has_symbol(owner) and new.has_symbol(now):
                before, after = old.symbol(owner), new.symbol(now)
                if {before.kind, after.kind} <= TYPE_KINDS and any(self._attributes(before, after)):
                    yield SymbolChange("changed", before, after, ("attributes",))

    def _attributes(self, old: Symbol, new: Symbol) -> Iterator[str]:
        before, after = self.members
        above = after.supertypes(new)
        bound = self._bound(new.path)[1] if new.kind == "module" else {}
        lost = (before.assigned(old) | before.exported(old)) - self._gone - _UNMISSED
        lost = lost.difference(before.of([old]), *map(after.assigned, above))
        methods = {name for name, each in after.of(above).items() if each.kind == "method" and not is_attribute(each)}
        yield from (f"attribute {name} is a method now" for name in sorted(lost & methods))
        if not after.outside(above) - before.outside(before.supertypes(old)):
            yield from (f"attribute {name} removed" for name in sorted(lost.difference(after.of(above), bound)))

    def _member_now(self, old: Symbol) -> Symbol | str | None:
        """Return the member by which a class offers the name of an old one; the name of an outside class that does."""
        above = self._classes_now(old)
        if not above:
            return None
        return self.members[1].of(above).get(old.name) or self.members[1].given_outside(above, old.name)

    def _classes_now(self, old: Symbol) -> list[Symbol]:
        """Return the class of an old member, and those above it, after the change; [] if it is gone."""
        parent = self._counterpart.get(old.parent or "", old.parent or "")
        owner = self._new.catalog.symbol(parent) if self._new.catalog.has_symbol(parent) else None
        return self.members[1].supertypes(owner) if owner is not None and owner.kind in TYPE_KINDS else []

    def _bound_in_file(self, symbol: Symbol) -> tuple[Symbol, ...] | None:
        """Return the definition that has the name of a top-level symbol in its file after the change.

        The result is () if the file imports or assigns the name, and None if the file does not bind it.
        """
        if symbol.path not in self._new.sources or symbol.kind == "module":
            return None
        module, bound = self._bound(symbol.path)
        return bound.get(symbol.name) if symbol.parent == module else None

    def _names_bound_in(self, path: str) -> tuple[str, dict[str, tuple[Symbol, ...]]]:
        """Return the id of a file's module, and the names that it binds, with the definition of each that has one."""
        module, *rest = self._new.catalog.in_file(path)
        facts = self._new.files.facts(path)
        bound: dict[str, tuple[Symbol, ...]] = {
            each.name: (each,) for each in reversed(rest) if each.parent == module.id
        }
        bound |= {row.name: () for row in facts.imports if facts.symbols[row.scope].id == module.id}
        return module.id, dict.fromkeys(self.members[1].assigned(module), ()) | bound

    def includes(self, change: SymbolChange) -> bool:
        """Return True if the symbol is public: an added one now, any other one before the change."""
        symbol, new = change.old or change.symbol, change.new
        unseen = symbol.kind in ("module", "section", "lambda") or is_private(symbol)
        if unseen or self._new.catalog.roles.is_test(symbol.path):
            return False
        return self._is_public(symbol, same=change.old is None or (new is not None and new.id == symbol.id))

    def was_public(self, before: Symbol, after: Symbol) -> bool:
        return not is_private(before) and self._is_public(before, same=before.id == after.id)

    def _is_public(self, symbol: Symbol, *, same: bool) -> bool:
        side = self._new if same else self._old
        if symbol.kind == "module":  # of a package: scripts are run, not imported
            package = posixpath.join(posixpath.dirname(symbol.path), "__init__.py")
            return symbol.language == "python" and package in side.sources
        if same not in self._made:
            paths = [p for p in side.sources if p in self._paths or posixpath.basename(p) == "__init__.py"]
            sources = {path: side.sources[path] for path in paths}
            self._made[same] = Visibility(side.graph, side.files, sources, Mentions(sources))
        judged = symbol
        if symbol.parent is not None and symbol.name.startswith("__"):  # Python calls it: as public as its class
            judged = side.catalog.symbol(symbol.parent)
        return bool(self._made[same].reason(judged))


def _in_private_module(symbol: Symbol) -> bool:
    *folders, name = symbol.path.split("/")
    inside = symbol.language == "python" and any(part.startswith("_") for part in folders)
    return inside or (name.startswith("_") and name != "__init__.py")


EMPTY_BASES = frozenset({"object", "Generic", "Protocol", "ABC", "typing", "abc"})
"""Names in the bases of a Python class that add no members of use and call no methods of the class."""
_GONE = ("removed", "renamed", "moved")  # kinds of changes after which nothing has the old name
_SELF = ("self", "this")
_MOST_NAMES = 8  # members or classes that one reason names
_WORD = re.compile(r"[^\W\d]\w*")
_OF_RECORDS = frozenset({"__init__", "__eq__", "__repr__"})  # that a decorator such as dataclass makes
_UNMISSED = frozenset(dir(object)) - {"__init__", "__new__"} | {
    "__dict__", "__module__", "__slots__", "__weakref__", "__metaclass__", "__nonzero__", "__unicode__", "__cmp__",
    "__coerce__", "__div__", "__rdiv__", "__idiv__", "__long__", "__oct__", "__hex__", "__getslice__", "__setslice__",
    "__delslice__",
}  # fmt: skip
"""Members of a Python class whose loss no code notices: every object has them, or only Python 2 calls them."""


class _Difference(NamedTuple):
    """A member that a class offered before the change."""

    before: Symbol  # the class
    after: Symbol
    old: Symbol  # the definition of the member that counted
    new: Symbol | None  # the one that counts now; None if there is none
    said: tuple[str, ...]  # what may break, if there is one


class Members:
    """The members of the classes of one state. The facts of a file are read once."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self.supertypes = cache(self._above)
        self._related = cache(self._next_to)
        self._bases = cache(self._bases_in)
        self._assigned = cache(self._assigned_in)
        self._members = cache(self._members_in)

    def _above(self, owner: Symbol) -> list[Symbol]:
        """Return a class and the classes above it in the order in which members are looked up."""
        found: list[Symbol] = []
        pending, seen = [owner], set[str]()
        while pending:
            each = pending.pop()
            if each.id in seen:
                continue
            seen.add(each.id)
            found.append(each)
            pending += reversed(self._related(each, "out"))
        return found

    def subclasses(self, owner: Symbol) -> list[Symbol]:
        found = {owner.id: owner}
        pending = [owner]
        for each in pending:
            below = sorted(self._related(each, "in"), key=lambda symbol: (symbol.path, symbol.line))
            pending += [symbol for symbol in below if found.setdefault(symbol.id, symbol) is symbol]
        return list(found.values())[1:]

    def _next_to(self, owner: Symbol, direction: Direction) -> list[Symbol]:
        graph = self._side.graph
        near = graph.neighbours(graph.vertex(owner.id), direction, ("EXTENDS",), RESOLVED_CONFIDENCE)
        return list(map(graph.symbol, near))

    def bases(self, owner: Symbol) -> list[str]:
        """Return the supertypes that a class names, as access paths."""
        return self._bases(owner.path).get(owner.id, [])

    def _bases_in(self, path: str) -> Mapping[str, list[str]]:
        facts, found = self._side.files.facts(path), defaultdict[str, list[str]](list)
        for row in facts.bases:
            found[facts.symbols[row.scope].id].append(row.path)
        return found

    def assigned(self, owner: Symbol) -> set[str]:
        """Return the public names that the body of a class binds, and its methods in ``self``."""
        special = "__" if owner.kind != "module" else " "
        names = self._assigned(owner.path).get(owner.id, ())
        return {name for name in names if name.isidentifier() and (name[0] != "_" or name.endswith(special))}

    def exported(self, module: Symbol) -> set[str]:
        """Return the names that a package imports for others: those in its ``__all__``, or from its own modules."""
        if posixpath.basename(module.path) != "__init__.py" or module.kind != "module":
            return set()
        facts = self._side.files.facts(module.path)
        rows = [row for row in facts.imports if facts.symbols[row.scope].id == module.id]
        for each in self._side.catalog.in_file(module.path):
            if each.name == "__all__":
                return {row.name for row in rows}.intersection(_WORD.findall(self._side.source(each)))
        own = (".", f"{module.fqn}.")
        return {row.name for row in rows if row.member and row.module.startswith(own) and row.name[0] != "_"}

    def _assigned_in(self, path: str) -> Mapping[str, set[str]]:
        facts, found = self._side.files.facts(path), defaultdict[str, set[str]](set)
        for row in facts.bindings:
            scope = facts.symbols[row.scope]
            receiver, _, name = row.name.rpartition(".")
            if row.manner == "field" and receiver in _SELF and scope.parent is not None:
                found[scope.parent].add(name)
            elif row.manner in ("variable", "field"):
                found[scope.id].add(row.name)
        return found

    def values(self, name: str) -> set[str]:
        """Return the last words of what the files assign to a name, as in ``text_type = str``."""
        paths = [path for path in self._side.sources if name.encode() in bytes(self._side.sources.data(path))]
        rows = (row for path in paths for row in self._side.files.facts(path).bindings)
        return {word for row in rows if row.name == name for word in _WORD.findall(row.value)[-1:]}

    def of(self, classes: Iterable[Symbol]) -> dict[str, Symbol]:
        """Return the public members of classes, given in the order of look-up: name → the definition that counts."""
        found: dict[str, Symbol] = {}
        for each in classes:
            for name, member in self._members(each.path).get(each.id, {}).items():
                found.setdefault(name, member)
        return found

    def _members_in(self, path: str) -> Mapping[str | None, dict[str, Symbol]]:
        found = defaultdict[str | None, dict[str, Symbol]](dict)
        for each in self._side.catalog.in_file(path):
            if each.kind != "lambda" and not is_private(each):
                found[each.parent][each.name] = each
        return found

    def outside(self, classes: Sequence[Symbol]) -> set[str]:
        """Return the names of supertypes outside of the repository, which may give any member."""
        found: set[str] = set()
        for each in classes:
            found |= {_WORD.findall(path)[-1] for path in self.bases(each) if _WORD.search(path)}
        return found - {each.name for each in classes} - EMPTY_BASES

    def given_outside(self, classes: Sequence[Symbol], name: str) -> str | None:
        """Return the supertype outside of the repository that gives a member, if its language knows that."""
        record = record_of(classes[0].language)
        named = [record.same_types.get(each, each) for each in self.outside(classes)]
        calls = record.base_calls
        return next((b for b in named if calls is not None and not calls(b, "") and calls(b, name)), None)


class InheritedChanges:
    """Adds the changes of inherited members: what a class offers may change although its own lines do not.

    The members of a class before and after the change are compared by name: its own, then those of its supertypes in
    the repository. A difference is said once. If the member itself is listed with a reason, the classes that inherit it
    are added there. Otherwise the topmost public class that offers the member has the reason: the member came from a
    private class, or the class inherits it from another class than before.
    """

    def __init__(self, counterpart: Mapping[str, str], judges: PublicInterface) -> None:
        self._old, self._new = judges.members
        self._catalogs = judges.sides[0].catalog, judges.sides[1].catalog
        self._after = counterpart  # old id → new id of the symbols of changed files
        self._before = {after: before for before, after in counterpart.items()}
        self._is_public = judges.was_public
        self._signatures = judges.signatures
        self._rebased: set[str] = set()  # ids of new classes, and of those with other supertypes now

    def added(self, changes: Sequence[SymbolChange]) -> tuple[SymbolChange, ...]:
        """Return the changes with the reasons of inherited members, and a change for each class that needs one."""
        groups: dict[tuple[str, str, tuple[str, ...]], list[_Difference]] = defaultdict(list)
        rebased = (each.new for each in changes if each.kind == "added" or "signature" in each.aspects)
        self._rebased = {each.id for each in rebased if each is not None and each.kind in TYPE_KINDS}
        for before, after in self._classes(changes):
            public = self._is_public(before, after)
            for each in self._differences(before, after):
                if public or before.id == each.old.parent:
                    groups[each.old.id, each.new.id if each.new is not None else "", each.said].append(each)
        result = list(changes)
        by_old = {change.old.id: number for number, change in enumerate(changes) if change.old is not None}
        rest: list[_Difference] = []
        for group in groups.values():
            first, number = group[0], by_old.get(group[0].old.id)
            own = [each for each in group if each.before.id == each.old.parent]
            others = [each for each in group if each not in own]
            if number is not None and own and own[0].new is not None:
                result[number] = result[number]._replace(breaking=own[0].said)  # still there, inherited now
            change = result[number] if number is not None else None
            reasons = change.breaking if change is not None else ()
            same = set(first.said) <= set(reasons) if first.new is not None else change is None or change.kind in _GONE
            if change is None or number is None or not reasons or not same:
                rest += self._topmost(others)
            elif others and (first.said or first.new is None):
                names = [each.after.name for each in others]
                noun = "subclass" if len(names) == 1 else "subclasses"
                said = f"also for the {noun} {shortened(names, _MOST_NAMES)}"
                result[number] = change._replace(breaking=(*reasons, said))
        return _with_classes(result, rest)

    def _classes(self, changes: Sequence[SymbolChange]) -> Iterator[tuple[Symbol, Symbol]]:
        """Yield the classes, before and after, that have other supertypes now, and those below a changed class."""
        old, _ = self._catalogs
        found: dict[str, Symbol] = {}
        for change in changes:
            owner = self._changed_class(change)
            if owner is not None:
                for each in (owner, *self._new.subclasses(owner)):
                    found[each.id] = each
        for symbol_id, after in found.items():
            before = self._before.get(symbol_id, symbol_id)
            if old.has_symbol(before) and not old.roles.is_test(after.path):
                yield old.symbol(before), after

    def _changed_class(self, change: SymbolChange) -> Symbol | None:
        """Return the class after the change whose supertypes or members a change concerns."""
        _, new = self._catalogs
        if change.old is None or change.old.kind == "section":
            return None
        if change.new is not None and change.new.kind in TYPE_KINDS:
            return change.new if "signature" in change.aspects else None
        if change.kind == "changed" and "signature" not in change.aspects:
            return None
        owner = self._after.get(change.old.parent or "", change.old.parent or "")
        symbol = new.symbol(owner) if new.has_symbol(owner) else None
        return symbol if symbol is not None and symbol.kind in TYPE_KINDS else None

    def _topmost(self, group: Sequence[_Difference]) -> list[_Difference]:
        """Return the differences that name a member, of the classes that inherit from no other class of the group."""
        classes = {each.after.id for each in group}
        named = [each for each in group if each.said or each.new is None]
        return [d for d in named if not any(above.id in classes for above in self._new.supertypes(d.after)[1:])]

    def _differences(self, before: Symbol, after: Symbol) -> Iterator[_Difference]:
        """Yield the members that a class does not offer any more, or takes from another definition."""
        classes = self._new.supertypes(after)
        earlier = self._earlier(classes) or self._old.supertypes(before)
        old, new = self._old.of(earlier), self._new.of(classes)
        outside = self._new.outside(classes) - self._old.outside(earlier)
        for name, was in old.items():
            now = new.get(name)
            if now is None:
                given = outside or self._new.given_outside(classes, name) or (is_record(after) and name in _OF_RECORDS)
                given = given or name in _UNMISSED or any(name in self._new.assigned(each) for each in classes)
                if was.parent != before.id and not given:
                    yield _Difference(before, after, was, None, ())
            elif was.kind not in TYPE_KINDS and (was.parent != before.id or now.parent != after.id):
                yield _Difference(before, after, was, now, self._signatures.breaking(was, now))

    def _earlier(self, classes: Sequence[Symbol]) -> list[Symbol]:
        """Return what a class and those above it were before; [] if one of them is new or has other supertypes now.

        This avoids the graph before the change, which takes seconds to make in a large repository.
        """
        old, _ = self._catalogs
        ids = [self._before.get(each.id, each.id) for each in classes]
        if any(each.id in self._rebased for each in classes) or not all(map(old.has_symbol, ids)):
            return []
        return [old.symbol(each) for each in ids]


def _with_classes(changes: list[SymbolChange], rest: Iterable[_Difference]) -> tuple[SymbolChange, ...]:
    """Return the changes with the differences as reasons of their classes. A class without a change gets one."""
    numbers = {change.old.id: number for number, change in enumerate(changes) if change.old is not None}
    for symbol_id, differences in grouped((each.before.id, each) for each in rest).items():
        lost = [each.old.name for each in differences if each.new is None]
        said = tuple(f"inherited {each.old.name}: {clause}" for each in differences for clause in each.said)
        said += (f"inherited members removed: {shortened(lost, _MOST_NAMES)}",) if lost else ()
        if (number := numbers.get(symbol_id)) is None:
            first = differences[0]
            changes.append(SymbolChange("changed", first.before, first.after, ("inherited members",), breaking=said))
        else:
            changes[number] = changes[number]._replace(breaking=(*changes[number].breaking, *said))
    return tuple(changes)


def is_private(symbol: Symbol) -> bool:
    """Return True if the name begins with an underscore. Names such as ``__init__`` are public."""
    name = symbol.name
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
