"""Structural types: interfaces that a type satisfies by having their methods (Go interfaces, Python protocols)."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, partial

from codeexplore.resolution.class_hierarchy import IN_PART
from codeexplore.resolution.parts import EvaluatorPart, Shared

MAX_SATISFYING = 200
"""Maximal number of types related to one interface. An interface with more types is too general to be of use."""

PAIRS_PER_TYPE = 20
"""Maximal number of (type, interface) pairs for each type that has methods. Not measured on real Go."""

LEAST_PAIRS = 2_000
"""Number of pairs that a family may have whatever its size. Later interfaces get at most `FEW_SATISFYING` types."""

FEW_SATISFYING = 8

_NAMES = re.compile(r"\b([A-Za-z_]\w*\.)?([A-Za-z_]\w*)")
_ARGUMENTS = re.compile(r"\[[^\[\]]*\]")
_VERSION = re.compile(r"/v\d+$")
_LONGEST = 1_000  # characters of a type whose lists of parameters are read
_LIST = re.compile(r"\(([^()]*)\)")  # an innermost list of parameters or results
_NAMED = re.compile(r"(?!(?:chan|func|map|struct|interface)\b)\w+ +[^ ]")
_PARAMETER = re.compile(r"[*\[\].]*[A-Z]\w?")  # a name that is probably a type parameter

Shape = tuple[str, ...]


class Structure(EvaluatorPart):
    """Relates types to the interfaces all of whose methods they have.

    Methods are compared by name. Where types fit by structure alone (Go), their signatures are compared too: the types
    of parameters and results as written, with the package of each name resolved.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._shape = cache(self._find_shape)
        files = self.program.files  # file → name of an imported package → its path
        self._imported = cache(lambda file: {row.name: row.module for row in files[file].imports})
        self._defined = cache(self._find_defined)

    def relate(self) -> None:
        methods, self._embedding = self._methods(), self._find_embedding()
        interfaces = self._interfaces()
        asked: frozenset[str] = frozenset().union(*(methods.get(interface, ()) for interface in interfaces))
        having: dict[str, list[int]] = {name: [] for name in asked}
        for cls, names in methods.items():
            for name in names & asked:
                having[name].append(cls)
        pairs = LEAST_PAIRS + PAIRS_PER_TYPE * len(methods)
        for interface in interfaces:
            wanted = methods.get(interface, frozenset())
            if not wanted:
                continue
            usual = not self.rules.classes.structural and wanted <= self.rules.builtins.common_methods  # as __call__
            rarest = min(wanted, key=lambda name: len(having[name]))
            most = MAX_SATISFYING if pairs > 0 and not usual else FEW_SATISFYING
            types = [cls for cls in having[rarest] if not usual or self._takes_same(cls, interface, wanted)]
            pairs -= self._relate(interface, wanted, types, methods, most)
            self._relate_in_part(interface, wanted, methods)

    def _relate_in_part(self, interface: int, wanted: frozenset[str], methods: dict[int, frozenset[str]]) -> None:
        """Relate types with half of the `wanted` methods to an interface, if an outside type may give them the others.

        An outside type has no private methods of the interface.
        """
        found = 0
        for cls in self._embedding:
            has = wanted & methods.get(cls, frozenset())
            if found == FEW_SATISFYING or not self.program.work.spend(1):
                break
            partly = len(has) < len(wanted) <= 2 * len(has) and not any(name[:1].islower() for name in wanted - has)
            if partly and self._fits(cls, interface, has):
                self._add(cls, interface, IN_PART)
                found += 1

    def _find_embedding(self) -> list[int]:
        """Return the types that embed an outside type whose methods are not known."""
        outside, known = self.hierarchy.outside, self.rules.classes.outside_methods
        return [
            cls
            for cls in range(len(self.program.symbols) if self.rules.classes.structural else 0)
            if self.program.is_class(cls)
            and any(
                above.manner == "embeds" and name not in known
                for each in self.hierarchy.order(cls)
                for name, above in outside.get(each, {}).items()
            )
        ]

    def _relate(
        self, interface: int, wanted: frozenset[str], having: list[int], methods: dict[int, frozenset[str]], most: int
    ) -> int:
        """Relate at most `most` types among `having` with the `wanted` methods to an interface; return their number."""
        found = 0
        for cls in having:
            if cls == interface or not wanted <= methods[cls]:
                continue
            if found == most or not self.program.work.spend(1):
                self.hierarchy.crowded.add(interface)
                name = self.program.symbols[interface].name
                self.program.work.leave_out(
                    "interfaces that many types satisfy, of which only the first are told", name
                )
                break
            if not self.rules.classes.structural or self._fits(cls, interface, wanted):
                self._add(cls, interface)
                found += 1
        return found

    def _interfaces(self) -> list[int]:
        symbols, outside = self.program.symbols, self.hierarchy.outside
        if self.rules.classes.structural:
            return [number for number, symbol in enumerate(symbols) if symbol.kind == "interface"]
        bases = self.rules.classes.structural_bases
        return [cls for cls in outside if any(base.rpartition(".")[2] in bases for base in outside[cls])]

    def _methods(self) -> dict[int, frozenset[str]]:
        program = self.program
        own: dict[int, set[str]] = {}
        for function, cls in enumerate(program.own_class):
            if cls >= 0:
                own.setdefault(cls, set()).add(program.symbols[function].name)
        if not self.rules.classes.structural:  # protocols ask for fields too
            for number, symbol in enumerate(program.symbols):
                if symbol.kind == "field":
                    own.setdefault(program.parent[number], set()).add(symbol.name)
        found: dict[int, frozenset[str]] = {}
        for cls in [number for number in range(len(program.symbols)) if program.is_class(number)]:
            order, known = self.hierarchy.order(cls), self.rules.classes.outside_methods
            names: frozenset[str] = frozenset().union(*(own.get(c, ()) for c in order))
            if known:
                bases = (base for each in order for base in self.hierarchy.outside.get(each, ()))
                names = names.union(*(known.get(base, ()) for base in bases))
            if names:
                found[cls] = names
        return found

    def _fits(self, cls: int, interface: int, wanted: frozenset[str]) -> bool:
        """Return True if the signatures of a type's methods match those of the interface.

        Methods in lower case cannot match an interface of another package, because they are private.
        """
        program = self.program
        if program.symbols[cls].kind == "interface":
            return False
        unit = program.locator.unit_of(program.file_of[cls])
        foreign = unit != program.locator.unit_of(program.file_of[interface])
        generic = self._is_generic(cls) or self._is_generic(interface)
        asked = self.hierarchy.methods(interface)
        for name in wanted:
            if foreign and name[:1].islower():
                return False
            ours, theirs = self.hierarchy.method(cls, name), asked.get(self.program.method_name(name), -1)
            if ours < 0 or theirs < 0:
                continue
            one, other = self._shape(ours), self._shape(theirs)
            if one != other and not (generic and _alike(one, other)):
                return False
        return True

    def _takes_same(self, cls: int, interface: int, wanted: frozenset[str]) -> bool:
        """Return True if the methods of a type take what the interface asks: no more parameters, of the same types."""
        for name in wanted:
            ours, theirs = (
                self.program.parameters.get(self.hierarchy.method(each, name), ()) for each in (cls, interface)
            )
            types = [(a.type.strip("\"'"), b.type.strip("\"'")) for a, b in zip(ours, theirs, strict=False)]
            more = [each for each in ours[len(theirs) :] if not each.optional and each.manner == "parameter"]
            if len(types) < len(theirs) or more or any(a and b and a != b for a, b in types):
                return False
        return True

    def _is_generic(self, cls: int) -> bool:
        names = self.program.names[cls] or {}
        return any(node in self.program.type_names for name, node in names.items() if name[0] != "%")

    def _find_shape(self, function: int) -> Shape:
        program = self.program
        types = [p.type for p in program.parameters.get(function, ())]
        types.append(program.result_types.get(function, ""))
        plain = ["".join(_without_names(text).split()).replace("interface{}", "any") for text in types]
        around = program.names[max(program.own_class[function], 0)] or {}
        own = {name for name, node in around.items() if node in program.type_names}  # type parameters
        full = partial(self._full_name, program.file_of[function], own)
        return tuple(_NAMES.sub(full, text) for text in plain)

    def _full_name(self, file: int, parameters: Collection[str], found: re.Match[str]) -> str:
        """Return the name of a type in a signature, with the number of its package if it is in the repository."""
        package, name = found.group(1), found.group(2)
        if not package and name in parameters:
            return name
        if not package:
            own = self.program.bound(self.program.first[file], name)
            unit = self.program.locator.unit_of(file)
            known = own >= 0 or name in self._defined(unit)
            return f"{unit}.{name}" if known else self.rules.classes.same_types.get(name, name)
        module = self._imported(file).get(package[:-1], package[:-1])
        unit = self.program.locator.locate(file, module).unit
        if unit < 0:  # golang.org/x/net/context has the types of context
            module = _VERSION.sub("", module).rpartition("/")[2]
        return f"{unit if unit >= 0 else module}.{name}"

    def _find_defined(self, unit: int) -> frozenset[str]:
        """Return the names that the files of a package define."""
        scopes = [self.program.first[each] for each in self.program.units.files[unit]]
        return frozenset(name for s in scopes for name in self.program.names[s] or ())

    def _add(self, cls: int, interface: int, manner: str = "satisfies") -> None:
        if interface not in self.hierarchy.order(cls) and cls not in self.hierarchy.order(interface):
            self.hierarchy.satisfies(cls, interface, manner)


def _without_names(text: str) -> str:
    """Return a type without the names of parameters and results in it: ``func(uint8,uint8)`` of ``func(a, b uint8)``.

    The lists are replaced from the inside to the outside, in brackets that stand for parentheses meanwhile.
    """
    while len(text) <= _LONGEST and (found := _LIST.search(text)) is not None:
        parts: list[str] = [part.strip() for part in found[1].split(",")]
        type_, types = "", list[str]()
        if any(_NAMED.match(part) for part in parts):
            for part in reversed(parts):
                type_ = part.partition(" ")[2].strip() or type_
                types.append(type_)
            parts = types[::-1]
        text = f"{text[: found.start()]}\x01{';'.join(parts)}\x02{text[found.end() :]}"
    return text.replace("\x01", "(").replace("\x02", ")").replace(";", ",")


def _alike(one: Shape, other: Shape) -> bool:
    """Return True if two signatures are equal except for type parameters and type arguments."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(
        _ARGUMENTS.sub("", a) == _ARGUMENTS.sub("", b) or _PARAMETER.fullmatch(a) or _PARAMETER.fullmatch(b)
        for a, b in pairs
    )
