"""Declared types of the arguments of calls, from which languages choose overloads."""

from __future__ import annotations

import re
from functools import cache

from codeexplore.resolution.access_paths import closing
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.language_rules import FUNCTION
from codeexplore.resolution.solver import BOUND, CLASS, EXTERNAL, FUNC, INST, UNKNOWN
from codeexplore.resolution.type_syntax import simple
from codeexplore.types import NOT, TRAILING

_CALLED_WITH = re.compile(r"(.+)\([^()]*\)")


def is_marked(signature: str, word: str) -> bool:
    """Return True if a signature has `word` behind its parameters."""
    return signature.rpartition(")")[2].lstrip().startswith(word)


class ArgumentTypes:
    """Declared types of expressions, read from the declarations of names, fields and results."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._declared, self._given = cache(self._find_declared), cache(self._find_given)
        self._asked: set[tuple[int, str]] = set()  # variables whose values are being looked at
        self.evaluator = evaluator
        self.program = evaluator.program
        self.rules = evaluator.rules.overloading
        self.makes = evaluator.rules.construction.constructor_is_class  # calling a type makes an instance
        word = evaluator.rules.classes.class_attribute
        self.class_word = f".{word}" if word else ""
        self._enums: dict[str, str] | None = None  # constant → its enum; found when it is first asked for
        self._of_nodes: dict[int, str] = {}  # variable of a declared name outside of functions → type as written

    def _find_declared(self) -> dict[str, dict[int, list[tuple[int, str, int]]]]:
        """Return name → scope → (line, type as written, last line) of each declaration of the name in the scope."""
        found: dict[str, dict[int, list[tuple[int, str, int]]]] = {}
        for first, rows in zip(self.program.first, self.program.bindings, strict=True):
            for row in rows:
                written = row.type or self.rules.literals.get(row.value, "")  # var text = "…"
                tested = row.manner == "pattern" and not row.value
                if tested and row.type[: len(NOT)] == NOT:
                    continue
                last = row.sure if tested else 0  # of the lines on which the test is true
                known = written or row.manner == "element"  # a loop hides what the name is above it
                if known and row.manner != "type" and (self.rules.narrows or not tested):
                    kind = f"{written}[]" if row.manner == "rest" else self._told(first + row.scope, written)
                    place = found.setdefault(row.name, {}).setdefault(first + row.scope, [])
                    place.append((row.line, kind, last or 1 << 30))
                    if not self.program.is_callable(first + row.scope):
                        self._of_nodes[self.program.bound(first + row.scope, row.name)] = kind
        return found

    def _told(self, cls: int, written: str) -> str:
        """Return the declared type of a member of a class; "" for a type parameter of a class where all types count."""
        open_ = self.rules.ranked and simple(written).rstrip("*&[]") in self.evaluator.generics.parameters.get(cls, ())
        return "" if open_ else written

    def _find_given(self) -> dict[str, dict[int, list[tuple[int, str]]]]:
        """Return name → scope → (line, access path or "") of each name without a type in a function."""
        found: dict[str, dict[int, list[tuple[int, str]]]] = {}
        for first, rows in zip(self.program.first, self.program.bindings, strict=True):
            for row in rows:
                if not row.type and self.program.is_callable(first + row.scope):
                    value = row.value if row.manner == "variable" else ""
                    found.setdefault(row.name, {}).setdefault(first + row.scope, []).append((row.line, value))
        return found

    def _of_value(self, scope: int, name: str, line: int) -> str:
        """Return the type of the value of a variable without a declared one: ``var sign = text.charAt(0)``."""
        given = self._given().get(name, {}).get(scope)
        if not given:
            return ""
        nearest = max((start for start, _ in given if start <= line), default=0)
        if (scope, name) in self._asked:  # sign = next(sign)
            return ""
        self._asked.add((scope, name))
        found = {self.of(value, scope, nearest) for start, value in given if start == nearest}
        self._asked.discard((scope, name))
        return found.pop() if len(found) == 1 else ""

    def of(self, path: str, scope: int, line: int) -> str:
        """Return the declared type of the expression `path` as written in the source; "" if it is not declared."""
        literal = FUNCTION if path == TRAILING else self.rules.literals.get(path)
        if literal is not None:
            return literal
        if path.isidentifier():
            return self._of_name(scope, path, line) or self._enum_of(path)
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
        if path.startswith("%type(") and closing(path, 5) == len(path):
            return path[6:-1]
        if (called := _CALLED_WITH.fullmatch(path)) is not None:
            return self._result(called[1], scope, line)
        if self.class_word and path.endswith(self.class_word):
            return "Class"
        name = path.removeprefix("this.")
        if not name.isidentifier():
            if (self.rules.ranked or self.rules.decides) and owner and (found := self.of_member(path, scope, line)):
                return found  # a field of another object
            enum = self._enum_of(member) if owner else ""
            return "" if enum and self.of(owner, scope, line) else enum
        return self._of_name(self.program.class_around(scope), name, line)

    def _enum_of(self, name: str) -> str:
        """Return the name of the enum that has a constant called `name`; "" for none or several."""
        if self._enums is None:
            self._enums = {}
            for symbol, around in zip(self.program.symbols, self.program.parent, strict=True):
                if symbol.kind == "constant" and around >= 0 and self.program.symbols[around].kind == "enum":
                    enum = self.program.symbols[around].name
                    self._enums[symbol.name] = enum if self._enums.get(symbol.name, enum) == enum else ""
        return self._enums.get(name, "")

    def of_member(self, path: str, scope: int, line: int) -> str:
        """Return the declared type of the field ``owner.field``; "" if it is not known."""
        owner, _, member = path.rpartition(".")
        entities, found = self.evaluator.entities, set[str]()
        if owner and member.isidentifier():
            for entity in self.evaluator.solver.points_to(self.evaluator.path(scope, owner, line)):
                if entities.kind[entity] in (INST, CLASS):
                    found.add(self._of_name(entities.payload[entity], member, 1 << 30))
        return found.pop() if len(found) == 1 else ""

    def is_value(self, path: str, scope: int, line: int, cls: int) -> bool:
        """Return True if the declared type of a member is the class `cls` itself, without marks or arguments."""
        return simple(self.of(path, scope, line)) == self.program.symbols[cls].name

    def _is_outside_constant(self, owner: str, member: str, scope: int, line: int) -> bool:
        """Return True if `owner.member` is a constant of an outside type whose constants all have that type."""
        if not member.isupper() or simple(owner) not in self.rules.outside_constants:
            return False
        values = self.evaluator.solver.points_to(self.evaluator.path(scope, owner, line))
        return bool(values) and all(self.evaluator.entities.kind[entity] == EXTERNAL for entity in values)

    def _of_name(self, scope: int, name: str, line: int) -> str:
        """Return the type in the nearest declaration of `name`: the last one above `line` in a function."""
        current, declared = scope, self._declared().get(name, {})
        while current >= 0:
            is_class = declared and self.program.is_class(current)
            for member in self.evaluator.hierarchy.order(current) if is_class else (current,):
                found = declared.get(member)
                if found is not None:
                    return next((kind for start, kind, last in reversed(found) if start <= line <= last), found[0][1])
            if self.program.bound(current, name) >= 0:  # a nearer definition of the name has no declared type
                return self._of_value(current, name, line)
            current = self.program.parent[current]
        return self._of_nodes.get(self.evaluator.path(scope, name, line), "")

    def _result(self, callee: str, scope: int, line: int) -> str:
        """Return the declared result type of the function `callee`.

        If `callee` may be several functions, they must agree. The result is "" if they do not, or if none declares a
        type.
        """
        entities = self.evaluator.entities
        node = self.evaluator.path(scope, callee, line, called=True)
        found: set[str] = set()
        free = False
        for entity in self.evaluator.solver.points_to(node) if node != UNKNOWN else ():
            kind = entities.kind[entity]
            if kind in (FUNC, BOUND):
                free = free or self.program.own_class[entities.payload[entity]] < 0
                function = entities.payload[entity]
                written = self.program.result_types.get(function, "")
                found.add(self._told(self.program.own_class[function], written))
            elif kind == EXTERNAL:
                names = entities.external_name(entity).split(".")
                made = self.makes and names[-1][:1].isupper()
                found.add(names[-1] if made else self._outside_result(*names[-2:]))
        if not found and "." in callee:
            receiver, _, name = callee.rpartition(".")
            held = self.of(receiver, scope, line)
            for function in self.evaluator.extensions.named(name):
                written = self.program.result_types.get(function, "")
                found.add(held if self.rules.is_variable(simple(written)) else written)
            found = found or {self._outside_result(simple(held), name)}
        word = self.rules.constant
        several = len(found) == 2 and word and not free
        if several and len({written.removeprefix(word).lstrip() for written in found}) == 1:
            constant = self.is_constant(callee.rpartition(".")[0], scope, line)
            return "" if constant is None else (min, max)[constant](found, key=len)
        return found.pop() if len(found) == 1 else ""

    def is_constant(self, receiver: str, scope: int, line: int) -> bool | None:
        """Return True if the object of a call is constant, False if it is not, None if its type is not known."""
        word, around = self.rules.constant, self.program.function_around(scope)
        in_constant = around >= 0 and is_marked(self.program.symbols[around].signature, word)
        if receiver in ("", "this"):
            return in_constant
        written = self.of(receiver, scope, line) or self.of_member(receiver, scope, line)
        name = receiver.removeprefix("this.")
        if around in self._given().get(name, ()):  # auto& item = …
            return True if written.startswith(word) else False if written.endswith("*") else None
        if name.isidentifier() and around not in self._declared().get(name, ()) and written[-1:] not in ("*", "&"):
            return in_constant or written.startswith(word)  # a field
        return written.startswith(word) if written else None

    def _outside_result(self, *names: str) -> str:
        """Return the result type of a known outside method, by type and name or by name alone; "" if unknown."""
        known = self.rules.outside_results
        made = names[0] if names[-1] in self.rules.factories and names[0][:1].isupper() and names[0][-1] != "s" else ""
        return known.get(".".join(names)) or known.get(names[-1], made)

    def kinds(self, text: str, scope: int, line: int) -> dict[str, float]:
        """Return the declared type `text` and its supertypes: simple name → cost of the match."""
        if text.endswith("[]"):  # an array's supertypes are the arrays of its items' supertypes
            return {f"{name}[]": cost for name, cost in self.kinds(text[:-2], scope, line).items()}
        names = {simple(part): 0.0 for part in text.split("|")}
        node = self.evaluator.annotations.node(scope, text, line)
        for entity in self.evaluator.solver.points_to(node):
            if self.evaluator.entities.kind[entity] == INST:
                names = self.of_class(self.evaluator.entities.payload[entity]) | names
        return names

    def of_class(self, cls: int) -> dict[str, float]:
        """Return `cls` and its supertypes, outside ones too: simple name → cost of the match, nearer ones less."""
        enum = self.rules.enum_type if self.program.symbols[cls].kind == "enum" else ""
        names = {enum: 0.5} if enum else {}
        for distance, each in enumerate(self.evaluator.hierarchy.order(cls)):
            names.setdefault(self.program.symbols[each].name, 1 + distance / 100 if distance else 0.0)
            for name in self.evaluator.hierarchy.outside.get(each, ()):
                names.setdefault(name.rpartition(".")[2], 1.5)
        return names
