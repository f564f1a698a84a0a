"""What modules offer under a name: their own names, what they export, and what star imports bring in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.resolution.entities import CLASS, EXT, UNIT

if TYPE_CHECKING:
    from codeexplore.languages.resolution.flow import Flow

MANY_STARS = 8
"""More star imports of one module than this are asked through a table of their names."""

MANY_FILES = 16
"""In packages of more files than this a name is asked of those only that may offer it."""


class Modules:
    """Names and exports of modules; a package of several files is one module."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.heap = flow.heap
        self.entities = flow.entities
        self.rules = flow.rules
        self._exports: dict[tuple[int, str], int] = {}  # (file, name) → node of what it offers under a name
        self._exported: dict[int, list[str]] = {}  # file → names it offers
        self._star_names: dict[int, defaultdict[str, list[int]]] = {}  # scope → name → star imports that may give it
        self._unit_members: dict[tuple[int, str], int] = {}

    def of_unit(self, target: int, name: str, entity: int, evidence: int) -> None:
        """What a module offers under a name flows to `target`."""
        unit = self.entities.payload[entity]
        if name in self.rules.module_words:
            unit = self.program.units.parent[unit] if name == "super" else unit
            self.heap.add(target, self.entities.get(UNIT, max(unit, 0)), evidence)
            return
        node = self.in_unit(unit, name)
        if node >= 0:
            self.heap.copy(node, target, evidence)
        elif (whole := self.whole(unit)) >= 0:  # module.exports = something
            self.heap.copy(self.flow.follow(whole, ("." + name,), 0, 0), target, evidence)

    def whole(self, unit: int) -> int:
        """The node of the one value a module exports, -1 when it exports names."""
        files = self.program.units.files[unit]
        return self._exports.get((files[0], "="), -1) if len(files) == 1 else -1

    def in_unit(self, unit: int, name: str) -> int:
        """The node of a name that a module offers; -1 when it has none."""
        key = (unit, name)
        known = self._unit_members.get(key)
        if known is not None:
            return known
        units = self.program.units
        found: list[int] = []
        for file in self._offering_files(unit, name):
            if found and file in self.program.left_out:
                break
            scope = self.program.first[file]
            node = self._exports.get((file, name), -1)
            if node < 0:
                node = self.program.bound(scope, name)
                if len(units.files[unit]) > 1 and self._is_private(node):
                    continue
            if node < 0:
                self._unit_members[key] = -1  # star imports may lead back here
                node = self.starred(scope, name)
            if node >= 0:
                found.append(node)
        if not found and (child := units.child(unit, name)) >= 0:
            found.append(self.flow.roots.unit_node(child))
        if not found and name in self.program.macros:
            found = [self.macro(name)]
        node = self._unit_members[key] = self._joined(found)
        return node

    def _offering_files(self, unit: int, name: str) -> Sequence[int]:
        """The files of a unit, those that only some builds hold last; of many files those that may offer a name."""
        files: Sequence[int] = self.program.units.files[unit]
        if len(files) > MANY_FILES:
            names, first, stars, exports = self.program.names, self.program.first, self.flow.stars, self._exports
            files = [f for f in files if name in (names[first[f]] or ()) or first[f] in stars or (f, name) in exports]
        left_out = self.program.left_out
        return sorted(files, key=left_out.__contains__) if left_out else files

    def _is_private(self, node: int) -> bool:
        """Whether a name's node is that of something which only its own file sees."""
        defined = self.program.defined.get(node)
        return bool(defined) and all(symbol in self.program.private for symbol in defined or ())

    def macro(self, name: str) -> int:
        """The node of the macros of a name, wherever they stand."""
        return self._joined(list(dict.fromkeys(self.program.macros[name])))

    def _joined(self, nodes: list[int]) -> int:
        if len(nodes) < 2:
            return nodes[0] if nodes else -1
        node = self.heap.node()
        for each in nodes:
            self.heap.copy(each, node)
        return node

    def exported(self, file: int, name: str) -> int:
        """The node of what a file offers under a name, made if need be."""
        node = self._exports.get((file, name))
        if node is None:
            node = self._exports[file, name] = self.heap.node()
            self._exported.setdefault(file, []).append(name)
        return node

    def starred(self, scope: int, name: str) -> int:
        """The node of a name that a module gets by a star import; -1 for none."""
        private = bool(self.rules.private_prefix) and name.startswith(self.rules.private_prefix)
        outside = ""
        sources: Sequence[int] = self.flow.stars.get(scope, ())
        if len(sources) > MANY_STARS:
            sources = self._offering(scope, name)
        for source in sources:
            for entity in self.heap.held(source):
                if self.entities.kind[entity] == UNIT:
                    unit = self.entities.payload[entity]
                    node = -1 if private and not self._offers(unit, name) else self.in_unit(unit, name)
                elif self.entities.kind[entity] == CLASS:  # import static a.B.*, use Enum::*
                    has = self.flow.class_members.member(self.entities.payload[entity], name).node >= 0
                    node = self.flow.follow(source, ("." + name,), scope, 0) if has else -1
                else:
                    if not outside and self.entities.kind[entity] == EXT:
                        outside = self.entities.external_name(entity)
                    continue
                if node >= 0:
                    return node
        if outside and self.rules.methods_apart and name[:1].isupper() and name not in self.rules.builtins:
            # import java.util.*
            return self.flow.roots.constant(f"{outside}.{name}")
        return -1

    def _offering(self, scope: int, name: str) -> Sequence[int]:
        """The star imports of a scope, in order, that may give a name: a barrel has hundreds, few of them do."""
        known = self._star_names.get(scope)
        if known is None:
            known = self._star_names[scope] = defaultdict(list)
            for place, source in enumerate(self.flow.stars[scope]):
                for offered in self._names_of(source):
                    known[offered].append(place)
        sources = self.flow.stars[scope]
        places = {*known.get(name, ()), *known.get("*", ())} if name != "*" else range(len(sources))
        return [sources[place] for place in sorted(places)]

    def _names_of(self, source: int) -> set[str]:
        """The names that a star import may give; ``*`` stands for any."""
        names: set[str] = set()
        for entity in self.heap.held(source):
            if self.entities.kind[entity] != UNIT:
                return {"*"}
            unit = self.entities.payload[entity]
            if self.program.units.children[unit]:
                return {"*"}
            for file in self.program.units.files[unit]:
                scope = self.program.first[file]
                if scope in self.flow.stars:
                    return {"*"}
                names.update(self.program.names[scope] or ())
                names.update(self._exported.get(file, ()))
        return names

    def _offers(self, unit: int, name: str) -> bool:
        """Whether a module lists a name among those it offers."""
        return any((file, name) in self._exports for file in self.program.units.files[unit])
