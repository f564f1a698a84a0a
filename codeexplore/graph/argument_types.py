"""The types of a call's arguments as they are declared: what chooses among overloads, not what flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeexplore.resolution.annotations import last_part
from codeexplore.resolution.solver import DEAD
from codeexplore.resolution.type_syntax import read_type
from codeexplore.resolution.values import BOUND, EXT, FUNC, INST

if TYPE_CHECKING:
    from codeexplore.resolution.evaluator import Flow


class ArgumentTypes:
    """Declared types of expressions, by what the files say of names, fields and results."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.program = flow.program
        self.rules = flow.rules.overloading
        self.makes = flow.rules.constructor_is_class  # a type that is called makes an instance
        self.class_word = "." + flow.rules.class_attribute if flow.rules.class_attribute else ""
        self._declared_known: dict[tuple[int, str], list[tuple[int, str]]] | None = None

    @property
    def _declared(self) -> dict[tuple[int, str], list[tuple[int, str]]]:
        """(scope, name) → (line, type as written) of each declaration."""
        if self._declared_known is None:
            self._declared_known = self._find_declared()
        return self._declared_known

    def _find_declared(self) -> dict[tuple[int, str], list[tuple[int, str]]]:
        found: dict[tuple[int, str], list[tuple[int, str]]] = {}
        for first, rows in zip(self.program.first, self.program.bindings, strict=True):
            for row in rows:
                if row.type and row.manner != "type":
                    kind = f"{row.type}[]" if row.manner == "rest" else row.type
                    found.setdefault((first + row.scope, row.name), []).append((row.line, kind))
        return found

    def of(self, path: str, scope: int, line: int) -> str:
        """The declared type of an expression as written, "" when nothing declares it."""
        literal = self.rules.literals.get(path)
        if literal is not None:
            return literal
        if path.startswith("%list:") and path.count(":") == 2:
            return self._of_name(scope, path, line)
        owner, _, member = path.rpartition(".")
        if member in self.rules.array_members and self.of(owner, scope, line).endswith("[]"):
            return self.rules.array_members[member]
        if self._is_outside_constant(owner, member, scope, line):
            return self.rules.outside_constants[simple(owner)]
        if path.endswith("[]"):
            whole = self.of(path[:-2], scope, line)
            return whole[:-2] if whole.endswith("[]") else ""
        if path.endswith("()"):
            return self._result(path[:-2], scope, line)
        if path.startswith("%type(") and path[-1] == ")":
            return path[6:-1]
        if self.class_word and path.endswith(self.class_word):
            return "Class"
        name = path.removeprefix("this.")
        if not name.isidentifier():
            return ""
        start = scope if name is path else self.program.class_around(scope)
        return self._of_name(start, name, line)

    def _is_outside_constant(self, owner: str, member: str, scope: int, line: int) -> bool:
        """Whether an expression is a constant of an outside type whose constants have one type."""
        if simple(owner) not in self.rules.outside_constants or not member.isupper():
            return False
        held = self.flow.heap.held(self.flow.path(scope, owner, line))
        return bool(held) and all(self.flow.entities.kind[entity] == EXT for entity in held)

    def _of_name(self, scope: int, name: str, line: int) -> str:
        """The type of the nearest declaration of a name: of several in one function the last above the line."""
        current = scope
        while current >= 0:
            members = self.flow.hierarchy.order(current) if self.program.is_class(current) else (current,)
            for member in members:
                found = self._declared.get((member, name))
                if found is not None:
                    return next((kind for start, kind in reversed(found) if start <= line), found[0][1])
            if self.program.bound(current, name) >= 0:
                return ""  # something nearer has the name, without a type
            current = self.program.parent[current]
        return ""

    def _result(self, callee: str, scope: int, line: int) -> str:
        """What every function that a callee may be says it gives; "" when they differ or don't say."""
        entities = self.flow.entities
        node = self.flow.path(scope, callee, line, called=True)
        found: set[str] = set()
        for entity in self.flow.heap.held(node) if node != DEAD else ():
            kind = entities.kind[entity]
            if kind in (FUNC, BOUND):
                found.add(self.program.result_types.get(entities.payload[entity], ""))
            elif kind == EXT:
                names = entities.external_name(entity).split(".")
                made = self.makes and names[-1][:1].isupper()
                found.add(names[-1] if made else self._outside_result(*names[-2:]))
        if not found and "." in callee:
            receiver, _, name = callee.rpartition(".")
            found.add(self._outside_result(simple(self.of(receiver, scope, line)), name))
        return found.pop() if len(found) == 1 else ""

    def _outside_result(self, *names: str) -> str:
        """What a method outside gives, by its type's name and its own, else by its own alone."""
        known = self.rules.outside_results
        return known.get(".".join(names)) or known.get(names[-1], "")

    def kinds(self, text: str, scope: int, line: int) -> dict[str, float]:
        """The simple names of a declared type and of its supertypes, each with what it costs to be taken for it."""
        if text.endswith("[]"):  # an array's supertypes are the arrays of its items' supertypes
            return {f"{name}[]": cost for name, cost in self.kinds(text[:-2], scope, line).items()}
        names = {simple(part): 0.0 for part in text.split("|")}
        node = self.flow.annotations.node(scope, text, line)
        for entity in self.flow.heap.held(node):
            if self.flow.entities.kind[entity] == INST:
                names = self.of_class(self.flow.entities.payload[entity]) | names
        return names

    def of_class(self, cls: int) -> dict[str, float]:
        """The simple names of a class and its supertypes, those outside included, nearer ones cheaper."""
        names: dict[str, float] = {}
        for distance, each in enumerate(self.flow.hierarchy.order(cls)):
            names.setdefault(self.program.symbols[each].name, 1 + distance / 100 if distance else 0.0)
            for name in self.flow.hierarchy.outside.get(each, ()):
                names.setdefault(name.rpartition(".")[2], 1.5)
        return names


def simple(text: str) -> str:
    """A type's simple name, with its array brackets."""
    plain = text.strip().removeprefix("final ").strip()
    dimensions = plain.count("[]")
    return last_part(read_type(plain.replace("[]", "")).name) + "[]" * dimensions
