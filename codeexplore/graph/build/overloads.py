"""Overload resolution: selects the functions that a call can mean among functions with the same name in one type.

The number of arguments decides first, then the types of the arguments. Declared types are used where they exist,
because languages choose overloads by declared types and not by run-time values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from codeexplore.graph.build.argument_types import ArgumentTypes, is_marked
from codeexplore.resolution.access_paths import closing, split_top
from codeexplore.resolution.evaluator import Evaluator
from codeexplore.resolution.language_rules import CONSTRUCTOR, FUNCTION
from codeexplore.resolution.program import Parameter
from codeexplore.resolution.solver import BOUND, CLASS, EXTERNAL, FLOW, FUNC, INST, LAST, SCOPE, UNKNOWN
from codeexplore.resolution.type_syntax import last_part, read_type, simple
from codeexplore.types import TRAILING, TYPE_KINDS, Reference

_MARKS = re.compile(r"\bfinal\s+|\[\]|[&*?]")
_PURE = re.compile(r"=\s*0\s*\Z")
_MOVED = frozenset({"std.move()", "std.forward()", "move()"})  # calls whose result is a temporary object


def _without(dropped: set[int], values: Mapping[int, int]) -> Mapping[int, int]:
    return {entity: level for entity, level in values.items() if entity not in dropped} if dropped else values


class Head(NamedTuple):
    """The parameters of a function that arguments reach, and how many arguments they take."""

    parameters: list[Parameter]
    types: tuple[str, ...]  # of the parameters as written
    whole: tuple[str, ...]  # the same, where the last parameter takes its arguments as one array
    least: int  # number of arguments
    most: int
    is_open: bool  # True if the last parameter takes any number of arguments
    required: int  # number of the last parameter without a default, from 1 on
    required_before: int  # the same without the last parameter of all

    @classmethod
    def of(cls, rows: list[Parameter]) -> Head:
        types = tuple(each.type for each in rows)
        needed = [place for place, each in enumerate(rows, 1) if not each.optional]
        is_open = bool(rows) and rows[-1].manner == "rest"
        return cls(
            rows,
            types,
            tuple(each.type + "[]" if each.manner == "rest" else each.type for each in rows),
            sum(rows[place - 1].manner != "rest" for place in needed),
            1 << 30 if is_open else len(rows),
            is_open,
            needed[-1] if needed else 0,
            max((place for place in needed if place < len(rows)), default=0),
        )


class Overloads:
    """Chooser among the overloads that a called expression may mean."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._own_types = cache(self._find_own_types)
        self._imported = cache(self._find_imported)
        self._heads: dict[int, Head] = {}  # by function, ~function if it is called as a method
        self.evaluator = evaluator
        self.program = evaluator.program
        self.entities = evaluator.entities
        self.rules = evaluator.rules.overloading
        self.types = ArgumentTypes(evaluator)
        self.extending: set[int] = set()  # extension methods that the current call calls as methods

    def alternatives(self, values: Mapping[int, int]) -> list[list[int]]:
        """Return the groups of overloads among `values`: two or more functions of one receiver with the same name.

        A type's overloads include those that it inherits. Where the language chooses overloads by types, functions
        outside of types that a name means are such a group.
        """
        groups: dict[tuple[int, str], list[int]] = {}
        for entity, provenance in values.items():
            if self.entities.kind[entity] in (FUNC, BOUND):
                function = self.entities.payload[entity]
                own = self.program.own_class[function]
                if own >= 0 or (self.rules.decides and provenance == SCOPE):
                    key = (self._group(entity, own, groups) if own >= 0 else own, self.program.symbols[function].name)
                    groups.setdefault(key, []).append(entity)
        return [entities for entities in groups.values() if len({self.entities.payload[e] for e in entities}) > 1]

    def _group(self, entity: int, own: int, groups: Mapping[tuple[int, str], list[int]]) -> int:
        """Return the type whose overloads include the value `entity`, a function of the type `own`."""
        receiver = self.entities.extra[entity]
        if not self.rules.decides:
            return own
        if self.entities.kind[entity] == BOUND and self.entities.kind[receiver] in (INST, CLASS):
            return self.entities.payload[receiver]
        order = self.evaluator.hierarchy.order  # a static function may be among the overloads of an instance
        return next((cls for cls, _ in groups if own in order(cls)), own)

    def chosen(
        self, values: Mapping[int, int], alternatives: list[list[int]], row: Reference, scope: int
    ) -> tuple[Mapping[int, int], frozenset[int]]:
        """Return the values without the overloads that do not fit the arguments, and the undecided overloads.

        If no overload fits, all are kept. The second result is the set of functions that fit the arguments equally
        well. It is empty in languages that do not choose overloads by types.
        """
        dropped: set[int] = set()
        undecided: set[int] = set()
        self.extending = self.called_as_methods(values)
        for entities in alternatives:
            functions = list(dict.fromkeys(self.entities.payload[entity] for entity in entities))
            kept = set(self.fitting(functions, row, scope))
            number = len(row.args)
            fits = any(self.takes(f, number) for f in functions)
            # functions with one signature override each other, or are parts of one method
            overrides, phases = self.evaluator.hierarchy.overrides, self.rules.phases
            same = len(kept) == 1 or (phases and all(overrides(each, min(kept)) for each in kept))
            same = same and not (self.rules.one_runs and self._differ(kept))
            if (self.rules.decides or (self.rules.one_runs and len(kept) > 1)) and not (fits and same):
                undecided |= kept
            elif len(kept) > 1 and self.rules.several:  # variants for several builds are all called, each in its build
                undecided |= {f for f in kept if self.rules.build_marks.isdisjoint(self.program.symbols[f].decorators)}
            dropped.update(e for e in entities if self.entities.payload[e] not in kept)
        if self.rules.phases:
            name = row.path.rpartition(".")[2]
            named = {e for e in values if self._is_named(e, name) and e not in dropped}
            wrong = {e for e in named if not self.takes(self.entities.payload[e], len(row.args))}
            dropped |= wrong if wrong != named else set()
            undecided |= {self.entities.payload[e] for e in wrong}
        return _without(dropped, values), frozenset(undecided)

    def _differ(self, functions: Iterable[int]) -> bool:
        """Return True if functions of one type have other types of parameters: ``IEnumerable``, ``IEnumerable<T>``."""
        found = dict[tuple[int, int], set[tuple[str, ...]]]()
        for each in functions:
            cls, types = self.program.own_class[each], self._head(each).types
            found.setdefault((self.program.whole.get(cls, cls), len(types)), set()).add(types)
        return any(len(types) > 1 for types in found.values())

    def _is_named(self, entity: int, name: str) -> bool:
        """Return True if a value is a method of a type that is called by its `name`, not as a variable's value."""
        function = self.entities.payload[entity]
        return (
            self.entities.kind[entity] in (FUNC, BOUND)
            and self.program.own_class[function] >= 0
            and name == self.program.symbols[function].name
        )

    def called_as_methods(self, values: Iterable[int]) -> set[int]:
        extensions, kinds, payloads = self.program.extending, self.entities.kind, self.entities.payload
        if not extensions:
            return set()
        return {payloads[e] for e in values if kinds[e] == BOUND and payloads[e] in extensions}

    def _head(self, function: int) -> Head:
        key = ~function if function in self.extending else function
        known = self._heads.get(key)
        if known is None:
            rows = self.program.parameters.get(function, [])
            if self.program.is_class(function):
                rows = self._find_primary(function)
            known = self._heads[key] = Head.of(rows[1:] if key < 0 else rows)
        return known

    def _find_primary(self, cls: int) -> list[Parameter]:
        """Return the parameters of the constructor in the head of a class: ``class Size(val width: Int = 0)``."""
        signature, name = self.program.symbols[cls].signature, self.program.symbols[cls].name
        opening = signature.find("(", max(signature.find(name), 0))
        end = closing(signature, opening) if opening >= 0 else -1
        found = [Parameter("", UNKNOWN, "rest")] if opening >= 0 > end else []  # a long head is cut
        for part in split_top(signature[opening + 1 : end - 1]) if end >= 0 else ():
            head, _, rest = part.partition(":")
            words, manner = head.split(), "rest" if "vararg" in head.split() else "parameter"
            if words:  # no comma behind the last one
                found.append(Parameter(words[-1], UNKNOWN, manner, rest.partition("=")[0].strip(), "=" in rest))
        return found

    def constructors(self, cls: int, row: Reference | None, scope: int) -> list[int]:
        """Return the constructors that an instantiation of `cls` may call.

        They are the constructors of `cls`, or of its nearest superclass that defines any. If there are several, only
        the constructors that fit the arguments of `row` are returned.
        """
        for current in self.evaluator.hierarchy.order(cls):
            node = self.program.bound(current, CONSTRUCTOR)
            found = [f for f in self.program.defined.get(node, ()) if self.program.is_callable(f) and f != scope]
            if found:
                if row is None or self._copies(cls, found, row, scope):
                    return found if row is None else []
                return found if len(found) == 1 else self.fitting(found, row, scope)
        return []

    def makes(self, functions: list[int], row: Reference | None) -> bool:
        """Return False if C++ code gives the only known constructor more or fewer arguments than it has parameters.

        Then the one that is meant was not read. A list in braces may be one argument.
        """
        if len(functions) != 1 or row is None or row.kind != "new" or not self.evaluator.rules.classes.pointers:
            return True
        listed = any("initializer_list" in each for each in self._head(functions[0]).types)
        return listed or self.takes(functions[0], len(row.args))

    def _copies(self, cls: int, functions: list[int], row: Reference, scope: int) -> bool:
        """Return True if the only argument is an object of the class and no constructor of `functions` takes one."""
        if len(row.args) != 1 or not self.rules.copies:
            return False
        name = self.program.symbols[cls].name
        given = self._given(row.args[0], scope, row.line)
        marks = "&" if f"{name}&" in given else "&*"  # a pointer to the object is no object
        return (name in given or f"{name}&" in given) and all(
            simple(parameter.type).rstrip(marks) != name
            for function in functions
            for parameter in self.program.parameters.get(function, [])[:1]
        )

    def fitting(self, functions: list[int], row: Reference, scope: int) -> list[int]:
        """Return the overloads that accept the number of arguments in `row`.

        If several do, only the overloads whose parameter types fit best are returned.
        """
        functions = [f for f in functions if self._sees(scope, f)] or functions
        functions = self._with_bodies(functions) if self.rules.ranked else functions
        found = self._by_types(functions, row, scope)
        if self.rules.one_runs and len(found) > 1:
            given = [self.types.of(path, scope, row.line) for path in row.args if "=" not in path]
            pairs = {f: zip(given, self._head(f).types, strict=False) for f in found}
            found = [f for f in found if all(kind in ("", written) for kind, written in pairs[f])] or found
        if not self.rules.constant or len(found) < 2:
            return found
        for place, path in enumerate(arg.lstrip("*") for arg in row.args):
            temporary = path in _MOVED or path[:1] == "%"
            if temporary or path.replace(".", "").isidentifier():
                types = {f: simple(self._head(f).types[place]) for f in found if len(self._head(f).types) > place}
                same = [kind for kind in types.values() if kind[-2:] == "&&" and kind[:-1] in types.values()]
                dropped = [kind[:-1] if temporary else kind for kind in same]  # of f(const T&) and f(T&&)
                found = [f for f in found if types.get(f) not in dropped]
        return self._of_receiver(found, row, scope)

    def _with_bodies(self, functions: list[int]) -> list[int]:
        """Return the functions without pure virtual ones that have a definition outside of their class.

        ``virtual void put(int key) = 0;`` and ``void Store::put(int key) { … }`` are one function.
        """
        own, overrides = self.program.own_class, self.evaluator.hierarchy.overrides
        pure = [f for f in functions if own[f] >= 0 and _PURE.search(self.program.symbols[f].signature)]
        defined = [f for f in functions if f not in pure] if pure else []
        twice = {f for f in pure if any(own[f] == own[each] and overrides(each, f) for each in defined)}
        return [f for f in functions if f not in twice]

    def _sees(self, scope: int, function: int) -> bool:
        """Return True if code in a scope can call a function: one without a word on access in its type only."""
        words, program, cls = self.rules.access_words, self.program, self.program.own_class[function]
        hidden = self.rules.hidden_word
        if hidden and hidden in program.symbols[function].signature.partition("(")[0].split():
            return self._outermost(scope) == self._outermost(function)
        member = cls >= 0 and program.symbols[cls].kind not in ("interface", "enum")
        if words and member and words.isdisjoint(program.symbols[function].signature.partition("(")[0].split()):
            while scope >= 0 and program.whole.get(scope, scope) != program.whole.get(cls, cls):
                scope = program.parent[scope]
            return scope >= 0
        return program.sees(scope, function)

    def _outermost(self, scope: int) -> int:
        """Return the outermost type around a scope; -1 for none."""
        found = -1
        while scope >= 0:
            found, scope = scope if self.program.is_class(scope) else found, self.program.parent[scope]
        return found

    def _by_types(self, functions: list[int], row: Reference, scope: int) -> list[int]:
        number = len(row.args)
        if self.rules.takes is not None:
            functions = [f for f in functions if self.admits(f, row)] or functions
        compared = (self.rules.phases or self.rules.ranked) and number and len(functions) > 1
        if compared and (found := self._by_phases(functions, row, scope)):
            return self._without_defaults(found, number)
        taking = [f for f in functions if self.takes(f, number)] or functions
        exact = [f for f in taking if not self._is_open(f)]
        if len(taking) > 1 and any(self.takes(f, number) for f in exact):
            taking = exact
        if len(taking) == 1 or not number:
            return taking
        best = self._best(taking, [self._given(path, scope, row.line) for path in row.args])
        return self._without_defaults(best, number)

    def _of_receiver(self, functions: list[int], row: Reference, scope: int) -> list[int]:
        """Return the overloads for constant receivers, or those for others, if they have the same parameters.

        `OverloadRules.constant` marks them. All are returned if it is not known whether the receiver is constant.
        """
        word, program = self.rules.constant, self.program
        marked = [f for f in functions if is_marked(program.symbols[f].signature, word)]
        others = [f for f in functions if f not in marked]
        types = {tuple(map(simple, self._head(f).types)) for f in functions}
        if not marked or not others or len(types) > 1:
            return functions
        constant = self.types.is_constant(row.path.rpartition(".")[0], scope, row.line)
        return functions if constant is None else marked if constant else others

    def _without_defaults(self, functions: list[int], number: int) -> list[int]:
        """Return the functions without those that differ from another one only by parameters with defaults."""
        types = {f: self._head(f).types for f in functions}
        exact = [found for found in types.values() if len(found) == number]
        return [f for f in functions if len(types[f]) == number or types[f][:number] not in exact]

    def admits(self, function: int, row: Reference) -> bool:
        """Return True if a function takes the arguments of `row` by their number and their labels."""
        if self.rules.takes is not None:
            return self.rules.takes(self.program.symbols[function].signature, row.args)
        return self.takes(function, len(row.args))

    def takes_all(self, function: int, row: Reference, scope: int) -> bool:
        """Return True if a function takes the arguments of `row` by their number, labels and known types."""
        return bool(self._by_phases([function], row, scope)) if self.rules.phases else self.admits(function, row)

    def accepts(self, entity: int, row: Reference, scope: int) -> bool:
        """Return False if a value is a method that does not take the arguments of a call.

        Their types are compared if another function may be meant: the method seems to call itself, or its type has a
        supertype outside the repository.
        """
        if self.rules.takes is not None and self.entities.kind[entity] in (FUNC, BOUND):
            name = self.program.symbols[self.entities.payload[entity]].name
            return row.path.rpartition(".")[2] != name or self.admits(self.entities.payload[entity], row)
        if not self._is_named(entity, row.path.rpartition(".")[2]):
            return True
        function, hierarchy = self.entities.payload[entity], self.evaluator.hierarchy
        self.extending = self.called_as_methods((entity,))
        if not self.admits(function, row):
            return False
        if not row.args or not self.rules.phases:
            return True
        inner = hierarchy.outside.keys().isdisjoint(hierarchy.order(self.program.own_class[function]))
        if inner and function != scope:
            return True
        return bool(self._by_phases([function], row, scope))

    def _by_phases(self, functions: list[int], row: Reference, scope: int) -> list[int]:
        """Return the best-fitting overloads of the first phase that has fitting overloads; an empty list if none fits.

        The phases are Java's (The Java Language Specification, 15.12.2): without boxing, with boxing, and with the last
        arguments collected into an array. In the first two phases such an array must be passed as one argument.

        An argument of unknown type decides nothing, nor does a parameter whose type is another name of a type, unless
        the best one has the very types of the arguments: overloads that differ in the parameter are all kept.
        """
        args = row.args
        known = [self._given(path.partition("=")[2] or path, scope, row.line) for path in args]
        by_position = args[-1:] != (TRAILING,) and "=" not in "".join(args)
        plain = {f: self._reached(f, args, False, by_position) for f in functions}
        for function, reached in plain.items():
            if reached is not None and self._takes_others(function, reached, known, row, scope):
                functions = [f for f in functions if f != function]
        for collected, strict in ((False, True), (False, False), (True, False)):
            types = {f: self._reached(f, args, True, by_position) if collected else plain[f] for f in functions}
            scores = {f: self._applied(found, known, strict) for f, found in types.items() if found is not None}
            fitting = {f: score for f, score in scores.items() if score is not None}
            if fitting:
                best = max(fitting.values())
                exact = best >= 2.0 * sum(map(bool, known))
                unknown = {
                    f: [
                        simple(kind)
                        for kind, kinds in zip(types[f] or (), known, strict=True)
                        if not kinds or (not exact and self._is_alias(simple(kind)) and simple(kind) not in kinds)
                    ]
                    for f in fitting
                }
                decided = [unknown[f] for f in fitting if fitting[f] == best]
                return [f for f in fitting if fitting[f] == best or unknown[f] not in decided]
        return []

    def _takes_others(
        self, function: int, types: Sequence[str], known: list[dict[str, float]], row: Reference, scope: int
    ) -> bool:
        """Return True if an argument is of another outside type than the parameter, which has the same simple name."""
        for written, kinds, path in zip(types, known, row.args, strict=True):
            name = simple(written)
            if name in kinds and name not in self._own_types() and not (name[:1].islower() and name[-1:] != "]"):
                declared = self.types.of(path, scope, row.line) if path.isidentifier() or path[:6] == "%type(" else ""
                given = self._outside_name(scope, declared) if simple(declared) == name else ""
                if given and self._outside_name(function, written) not in ("", given):
                    return True
        return False

    def _outside_name(self, scope: int, written: str) -> str:
        """Return the qualified name of an outside type, if the file imports it by name or writes it; else ""."""
        name = read_type(_MARKS.sub("", written)).name
        root, dot, rest = name.partition(".")
        imported = self._imported(self.program.file_of[scope]).get(root, "")
        return imported + dot + rest if imported else name if dot and root[:1].islower() else ""

    def _find_imported(self, file: int) -> Mapping[str, str]:
        """Return the name of each import of a file → its qualified name, without imports of all names."""
        rows = self.program.files[file].imports
        return {row.name: f"{row.module}.{row.member}" for row in rows if row.member not in ("", "*")}

    def _reached(
        self, function: int, args: tuple[str, ...], collected: bool, by_position: bool
    ) -> Sequence[str] | None:
        """Return the type of the parameter that each argument reaches; None if number or names do not fit.

        `collected` is True if the last arguments are collected into an array, and `by_position` if no argument has a
        name or is a block behind the others.
        """
        head, number = self._head(function), len(args)
        last = len(head.types) - 1
        if (args and last < 0) or (collected and not head.is_open):
            return None
        if by_position:
            if number < (head.required_before if collected else head.required) or (number > last + 1 and not collected):
                return None
            return head.types[:number] + head.types[-1:] * (number - last - 1) if collected else head.whole[:number]
        places = self._places(head.parameters, args)
        if collected:
            places = [min(place, last) for place in places]
        if max(places, default=-1) > last:
            return None
        for place, each in enumerate(head.parameters):
            if not (each.optional or place in places or (collected and place == last)):
                return None
        return [(head.types if collected else head.whole)[place] for place in places]

    def _places(self, parameters: list[Parameter], args: tuple[str, ...]) -> list[int]:
        """Return the number of the parameter that each argument reaches by its name, its position or as a block."""
        names = {parameter.name: place for place, parameter in enumerate(parameters)}
        found = [names.get(arg.partition("=")[0], place) if "=" in arg else place for place, arg in enumerate(args)]
        if args[-1] == TRAILING:
            found[-1] = len(parameters) - 1
        return found

    def _applied(self, types: Sequence[str], known: list[dict[str, float]], strict: bool) -> float | None:
        """Return the score of the arguments `known` for parameters of `types`; None if an argument does not fit.

        Arguments of unknown type score 0. `strict` is True if boxing is not allowed.
        """
        score, fits = 0.0, self.rules.is_strict
        for written, kinds in zip(types, known, strict=True):
            if kinds:
                wanted, unboxed = simple(written), kinds
                if strict:
                    unboxed = {kind: cost for kind, cost in kinds.items() if fits(wanted, kind)}
                fit = self.fit_of(wanted, unboxed) if unboxed else -1.0
                if fit < 0.0:
                    return None
                score += fit
        return score

    def _best(self, functions: list[int], known: list[dict[str, float]]) -> list[int]:
        scores = {f: self._score(f, known) for f in functions}
        best = max(scores.values())
        return [f for f in functions if scores[f] == best]

    def takes(self, function: int, number: int) -> bool:
        head = self._head(function)
        return head.least <= number <= head.most

    def _is_open(self, function: int) -> bool:
        """Return True if `function` takes any number of arguments: chosen only if no other overload fits."""
        return self._head(function).is_open

    def types_of(self, path: str, scope: int, line: int) -> dict[str, float]:
        """Return the types of an argument, declared or of its values: simple name → cost of the match."""
        if not path:
            return {}
        declared = self.types.of(path, scope, line)
        if declared and simple(declared) != "var" and not self.rules.is_variable(simple(declared)):
            kinds = self.types.kinds(declared, scope, line)
            same = self._own_types().get(simple(declared), ()) if len(kinds) == 1 else ()
            return self.types.of_class(same[0]) if len(same) == 1 else kinds  # the scope of the use may lack its name
        return self._known(self.evaluator.path(scope, path, line))

    def _given(self, path: str, scope: int, line: int) -> dict[str, float]:
        """Return the types of an argument, in C with ``*`` behind those of pointers and ``&`` behind those of objects.

        If it is not known whether the argument is a pointer, they have no mark. What some calls pass to a parameter of
        any type says nothing about the others.
        """
        name = path.lstrip("&*")
        kinds = self.types_of(name, scope, line)
        if not self.evaluator.rules.classes.pointers or FUNCTION in kinds:
            return kinds
        declared = simple(self.types.of(name, scope, line)).rstrip("&")
        depth = {"&": 1, "*": -1}.get(path[:1], 0)
        if not declared and name != "this":
            kinds = self._known(self.evaluator.path(scope, name, line), FLOW) if name else {}
        if name == "this":
            depth += 1
        elif not declared or declared == "auto" or self._is_alias(declared) or self.rules.is_variable(declared):
            mark = "" if name == path else "*" if depth > 0 else "&"
            return {kind + mark: cost for kind, cost in kinds.items()}
        depth += declared.count("*") + declared.count("[]")
        marks = "*" * depth or "&"
        return {kind.rstrip("&*[]") + marks: cost for kind, cost in kinds.items()} if depth >= 0 else {}

    def outside_type(self, path: str, scope: int, line: int) -> str:
        """Return the name of the declared type of an expression if it is outside the repository; "" otherwise."""
        written = self.types.of(path, scope, line)
        if not written:
            return ""
        name = read_type(_MARKS.sub("", written)).name
        last = last_part(name)
        if not last or last in self._own_types() or self.rules.is_variable(last):
            return ""
        known = self.evaluator.solver.points_to(self.evaluator.annotations.type_path(scope, name, line))
        if known:
            outside, opaque = next(iter(known)), self.evaluator.annotations.opaque
            named = self.entities.kind[outside] == EXTERNAL and (self.rules.decides or not opaque(outside))
            return self.entities.external_name(outside) if named else ""
        return last if self.evaluator.rules.builtins.types.get(last) in ("sequence", "map", "tuple") else ""

    def receivers_around(self, scope: int) -> frozenset[str]:
        """Return the simple names of the types of the receivers that a bare name may have, with their supertypes."""
        found = {"Any"}
        while scope >= 0:
            if scope in self.program.extended:
                found.add(simple(self.program.extended[scope]))
            own = self.program.own_class[scope]
            for cls in {own, scope if self.program.is_class(scope) else own} - {-1}:
                found.update(self.types.of_class(cls))
            scope = self.program.parent[scope]
        return frozenset(found.union(*(self.rules.outside_supers.get(kind, ()) for kind in found)))

    def receiver_types(self, path: str, scope: int, line: int) -> frozenset[str]:
        """Return the simple names of the static type of a receiver and of its supertypes; empty if it is unknown."""
        declared = self.types.of(path, scope, line) or self.types.of_member(path, scope, line)
        if declared and "->" not in declared:
            kinds = frozenset(self.types.kinds(declared, scope, line))
        else:
            kinds = frozenset(self._known(self.evaluator.path(scope, path, line))) - {FUNCTION, "Class"}
        supers = (self.rules.outside_supers.get(kind, frozenset()) for kind in kinds)
        return kinds.union(*supers, {"Any"}) if kinds else kinds

    def _known(self, node: int, limit: int = LAST) -> dict[str, float]:
        """Return the types of the values of `node`, a constraint variable: simple name → cost of the match.

        Values whose provenance is `limit` or weaker are left out.
        """
        found: dict[str, float] = {}
        values = self.evaluator.solver.points_to(node) if node != UNKNOWN else {}
        for entity in (each for each, provenance in values.items() if provenance < limit):
            kind = self.entities.kind[entity]
            if kind == INST:
                found |= self.types.of_class(self.entities.payload[entity])
            elif kind == EXTERNAL:
                before, _, name = self.entities.external_name(entity).rpartition(".")
                of_type = last_part(before)[:1].isupper() and name[:1].islower()
                if name.isidentifier() and not of_type:  # the result or member of something outside is unknown
                    found[name] = 0.0
            elif kind == FUNC:
                found[FUNCTION] = 0.0
            elif kind == CLASS:
                cls = self.entities.payload[entity]
                is_object = "object" in self.program.symbols[cls].signature.split()[:4]  # its name is its instance
                found |= self.types.of_class(cls) if is_object else {"Class": 0.0}
        return found

    def _score(self, function: int, known: list[dict[str, float]]) -> float:
        """Return the score of the arguments `known` for `function`. Arguments of unknown type score 0."""
        types, score = self._head(function).types, 0.0
        for place, kinds in enumerate(known):
            written = types[min(place, len(types) - 1)] if types else ""
            if written and kinds:
                score += self.fit_of(simple(written), kinds)
        return score

    def fit_of(self, wanted: str, kinds: dict[str, float]) -> float:
        """Return the score of one argument for the parameter type `wanted`; negative if the argument does not fit.

        `kinds` are the types that the argument matches. If both types are outside the repository and may be related,
        the score is 0. It is at least 0 for another name of a type, which may mean any of them.
        """
        fit = self.rules.fit
        best = max([fit(wanted, kind) - cost for kind, cost in kinds.items()])
        if best < 0.2 and self._is_alias(wanted):  # more than for a conversion by a constructor
            return 0.2 if any(kind[-1:] == wanted[-1:] == "*" for kind in kinds) else max(best, 0.0)
        if best < 0.0 and wanted not in self._own_types() and not self.is_of_repository(kinds):
            return 0.0 if any(self.rules.related(wanted, kind) for kind in kinds) else best
        return best

    def _is_alias(self, name: str) -> bool:
        """Return True for another name of a type, which may mean any type."""
        return any(self.program.symbols[own].kind == "type" for own in self._own_types().get(name.rstrip("*&[]"), ()))

    def is_of_repository(self, kinds: Mapping[str, float]) -> bool:
        """Return True if one of the types `kinds` is defined in the repository."""
        return any(kind.rstrip("&*") in self._own_types() for kind in kinds)

    def _find_own_types(self) -> Mapping[str, list[int]]:
        """Return the types that the repository defines, by simple name."""
        found: dict[str, list[int]] = {}
        for number, symbol in enumerate(self.program.symbols):
            if symbol.kind in TYPE_KINDS:
                found.setdefault(symbol.name, []).append(number)
        return found
