"""Writer of edges: translates symbol numbers of one language family into rows of the whole repository.

Every call of the same value has the same targets. The edges are therefore found once, at the first call, and recorded
(`EdgeRecorder`). At the other calls they are written again (`EdgeWriter.write`). `DeclarationEdges` writes the edges
that follow from declarations alone: containment, inheritance, overriding and imports.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from codeexplore.graph.build.rules import RULES
from codeexplore.graph.tables import EdgeTable, ExternalTable, UnresolvedTable, pack_target, source_of
from codeexplore.languages.file_roles import PathRoles
from codeexplore.resolution.class_hierarchy import IN_PART, IN_TYPE, MAX_OVERLOADING, PREPENDED, Super
from codeexplore.resolution.language_rules import imported
from codeexplore.resolution.program import ABSTRACT, OVERLOAD, Program
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.solver import CLASS, EXTERNAL, FUNC, INST, OUTSIDE, UNIT
from codeexplore.resolution.type_syntax import simple
from codeexplore.types import LOCAL_MARK, EdgeKind, Import, Symbol
from codeexplore.types.kinds import is_block
from codeexplore.types.settings import RESOLVED_CONFIDENCE

MAX_TARGETS: Final = 500
"""Maximal number of targets of one reference.

It is larger than the number of subtypes that are searched (`MAX_DESCENDANTS`). In the repositories that we measured a
call has at most 119 targets: a method that all adapters of a library override."""
USES_PER_FACT: Final = 2
"""Maximal number of uses for each fact of a family. In the repositories that we measured there are at most 0.4."""
LEAST_USES: Final = 20_000
"""Number of uses that a family may have whatever its number of facts."""
_LOCAL_NUMBER: Final = re.compile(rf"{LOCAL_MARK}\d+")
_FEW: Final = 8  # maximal number of targets of one reference after the maximal number of uses


class RecordedEdges(NamedTuple):
    """Edges to the targets of one value, to be written at every place that uses the value in the same way."""

    links: Sequence[int]  # see `tables.pack_target`
    outside: Sequence[tuple[str, EdgeKind]]  # name outside the repository, and its use
    found: bool = True  # the value can be called
    cut: bool = False  # there were more than `MAX_TARGETS` links
    missing: bool = False  # targets may be missing; see `EdgeWriter.mark_incomplete`
    shown: bool = True  # one of the targets is certain enough to be shown as resolved, or is outside the repository


class EdgeRecorder:
    """Collector of the edges to the targets of one value."""

    def __init__(self) -> None:
        self.links: list[int] = []
        self.outside: list[tuple[str, EdgeKind]] = []
        self.missing = False
        self.shown = False


_READING: Final = frozenset({"argument", "read", "return"})
"""Manners of uses by which a name is read: of a property, that is a call."""
_RUNNING: Final = frozenset({"CALLS", "USES"})


def _of_platforms(program: Program) -> frozenset[int]:
    """Return the definitions that exclude each other, because files of different platforms define the same.

    They have the same qualified name and types of parameters; see `ModuleRules.platforms`. A class and its companion
    are in one file. What only declares them is not among them. Macros and types that only some builds have are, and so
    are functions in a namespace of the language's library, beside those outside.
    """
    overloading = program.rules.overloading
    marks = frozenset[str]() if overloading.several else overloading.build_marks
    outside = overloading.outside_namespace
    found = {
        number
        for number, symbol in enumerate(program.symbols if marks else ())
        if not marks.isdisjoint(symbol.decorators) or (symbol.kind == "function" and symbol.fqn.startswith(outside))
    }
    named: dict[tuple[object, ...], list[int]] = {}
    for number, symbol in enumerate(program.symbols if program.rules.modules.platforms else ()):
        if symbol.kind in ("module", "field", "lambda") or symbol.name[:1] == "<":
            continue
        called = program.is_callable(number)
        types = [parameter.type for parameter in program.parameters.get(number, ())] if called else ()
        if "expect" not in symbol.signature.split("(", 1)[0].split():
            named.setdefault((symbol.fqn, called, *types), []).append(number)
    files = program.file_of
    found |= {n for same in named.values() if len({files[each] for each in same}) > 1 for n in same}
    for number, parent in enumerate(program.parent):  # parents come first
        if parent in found and program.is_class(parent):
            found.add(number)
    return frozenset(found)


def _fallbacks(program: Program) -> frozenset[int]:
    """Return the macros that are defined only where nothing else defines their names, and something else may.

    That is another header with such a macro, or for a source file code outside of the repository.
    """
    mark, sources = program.rules.overloading.fallback_mark, program.rules.modules.sources
    marked = [(n, symbol) for n, symbol in enumerate(program.symbols if mark else ()) if mark in symbol.decorators]
    files: dict[str, set[str]] = {}
    for _, symbol in marked:
        files.setdefault(symbol.name, set()).add(symbol.path)
    return frozenset(n for n, symbol in marked if symbol.path.endswith(sources) or len(files[symbol.name]) > 1)


def _lines_of_blocks(program: Program) -> dict[int, dict[int, int]]:
    """Return for each scope with blocks of calls the line → the innermost block; uses there are in the scope around."""
    found: dict[int, dict[int, int]] = {}
    for number, symbol in enumerate(program.symbols):  # an outer block comes before those in it
        if is_block(symbol.kind, symbol.name):
            scope = program.parent[number]
            while program.symbols[scope].kind == "lambda":
                scope = program.parent[scope]
            found.setdefault(scope, {}).update(dict.fromkeys(symbol.span.lines, number))
    return found


class EdgeWriter:
    """Writer of the edges and references of one language family into the tables of the repository.

    `numbers` maps a file number in the family to the file number in the repository, and `rows` a symbol id to its row.
    """

    def __init__(
        self,
        program: Program,
        numbers: Sequence[int],
        rows: Mapping[str, int],
        tables: tuple[EdgeTable, UnresolvedTable, ExternalTable],
        roles: PathRoles,
    ) -> None:
        self._numbers = numbers
        self._edges, self._unresolved, self._externals = tables
        row = [rows[symbol.id] for symbol in program.symbols]
        charged = [program.charged(each) for each in range(len(row))]
        tested = [roles.is_test_symbol(symbol) for symbol in program.symbols]
        self._targets = [pack_target(each, 0) for each in row]
        self._charged = [row[each] for each in charged]
        self._sources = array("q", [source_of(row[each], tested[each]) for each in charged])
        self._blocks = _lines_of_blocks(program)  # scope → line → block
        self._handed = frozenset(number for lines in self._blocks.values() for number in lines.values())
        self._gather, self._gather_one = self._edges.gathered.add, self._edges.gathered.add_one
        self._recorder: EdgeRecorder | None = None
        self._of_platforms, self._file_of = _of_platforms(program), program.file_of
        self._fallbacks = _fallbacks(program)
        functions = (n for n, symbol in enumerate(program.symbols) if symbol.kind in ("function", "method"))
        self._read = frozenset(filter(program.is_read, functions if program.rules.functions.read_signature else ()))
        self._apart = self._of_platforms | self._fallbacks | self._read  # targets whose edges may be others
        # (kind, manner, rule) → edge key, and True if the edge is certain enough to be shown as resolved
        self._ways: dict[tuple[str, str, str], tuple[int, bool]] = {}
        self._converting = "" if program.rules.construction.making_calls else "new"  # manner in which nothing is called
        self._work = program.work
        self._uses = 0
        self._most_uses = LEAST_USES + USES_PER_FACT * program.work.facts

    def site(self, file: int, line: int) -> int:
        """Return a site as the tables store it (file << 32 | line), from the number of a file in the family."""
        return self._numbers[file] << 32 | line

    def edge(self, source: int, target: int, kind: EdgeKind, manner: str, rule: str, site: int) -> None:
        if target in self._apart:
            kind, manner, rule = self._meant(source, target, kind, manner, rule)
        way = self._ways.get((kind, manner, rule))
        if way is None:
            shown = kind == "CALLS" or manner == self._converting
            shown = shown and RULES[rule].confidence >= RESOLVED_CONFIDENCE
            way = self._ways[kind, manner, rule] = self._edges.way(kind, manner, rule), shown
        recorder = self._recorder
        if recorder is None:
            if self._blocks and kind in _RUNNING and target not in self._handed:
                source = self._block(source, site)
            self._gather_one(self._sources[source], self._targets[target] | way[0], site)
        else:
            recorder.links.append(self._targets[target] | way[0])
            recorder.shown |= way[1]

    def _block(self, source: int, site: int) -> int:
        """Return the block of a call on the line of a site, for which uses in the scope `source` around it count."""
        lines = self._blocks.get(source)
        return source if lines is None else lines.get(site & 0xFFFFFFFF, source)

    def _meant(self, source: int, target: int, kind: EdgeKind, manner: str, rule: str) -> tuple[EdgeKind, str, str]:
        """Return the kind, manner and rule of an edge to a property, a fallback, or one of several definitions."""
        if kind == "USES" and manner in _READING and target in self._read:
            kind, manner = "CALLS", "read"
        if target in self._of_platforms and kind in _RUNNING and RULES[rule].confidence > RULES["overload"].confidence:
            own = rule.startswith("self") and self._file_of[source] == self._file_of[target]
            rule = rule if own else "overload"
        elif target in self._fallbacks and kind == "CALLS" and rule == "scope":
            rule = "overload-fallback"
        return kind, manner, rule

    def outside(self, source: int, name: str, kind: EdgeKind, site: int) -> None:
        """Write one use of `name`, a name outside the repository."""
        if self._recorder is not None:
            self._recorder.shown = True
        if name != OUTSIDE:
            if self._recorder is None:
                source = self._block(source, site) if self._blocks and kind in _RUNNING else source
                self._externals.add(self._charged[source], name, kind, site)
            else:
                self._recorder.outside.append((name, kind))

    def unresolved(self, source: int, name: str, receiver: str, kind: str, site: int) -> None:
        name = name.partition(LOCAL_MARK)[0]
        if LOCAL_MARK in receiver:
            receiver = _LOCAL_NUMBER.sub("", receiver)
        self._unresolved.add(self._charged[self._block(source, site)], name, receiver, kind, site)

    def record(self) -> None:
        """Record edges from now on, so that `write` can write them at several sites; see `recorded`."""
        self._recorder = EdgeRecorder()

    def recorded(self, found: bool = True) -> RecordedEdges:
        """End the recording. Return each of its targets once, at most `MAX_TARGETS`.

        `found` is False if the value is not callable.
        """
        recorder, self._recorder = self._recorder, None
        assert recorder is not None
        links = tuple(recorder.links) if len(recorder.links) < 2 else tuple(dict.fromkeys(recorder.links))
        cut = len(links) > MAX_TARGETS
        outside = tuple(recorder.outside)
        return RecordedEdges(links[:MAX_TARGETS], outside, found, cut, recorder.missing, recorder.shown)

    def mark_incomplete(self) -> None:
        """Mark the current recording as incomplete: some targets get no edge."""
        if self._recorder is not None:
            self._recorder.missing = True

    def write(self, source: int, recorded: RecordedEdges, site: int) -> bool:
        """Write recorded edges at one site; return False if some edges were left out because there were too many."""
        links, whole = recorded.links, not recorded.cut
        source = self._block(source, site) if self._blocks else source
        if links:
            self._uses += len(links)
            if len(links) > _FEW and self._uses > self._most_uses:
                links, whole = links[:_FEW], False
            self._gather(self._sources[source], links, site)
        for name, kind in recorded.outside:
            self._externals.add(self._charged[source], name, kind, site)
        return whole

    def note_cut(self, name: str) -> None:
        """Count a reference called `name` whose edges were left out in part, for the notes in the answer."""
        self._work.leave_out("calls with too many targets, of which only the first have edges", name)


_INTERFACES = frozenset({"interface", "trait"})
_RULES = {"satisfies": "interface", IN_PART: "interface-part"}  # manner of a supertype → rule


class DeclarationEdges:
    """Writer of the edges that follow from the structure of files and from their imports."""

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter) -> None:
        self.program, self.evaluator = solved.program, solved.evaluator
        self.hierarchy, self.rules = self.evaluator.hierarchy, self.program.rules
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.writer, self.naming = writer, solved.loader.naming
        # interface method → functions of object literals, and of extensions of outside types
        self.fitting: dict[int, list[int]] = {}
        self._asked: dict[int, dict[str, dict[int, None]]] = {}
        names = self.program.function_names
        self._naming = any(name in names for name in self.rules.special_methods.name)
        mark, hooks = self.rules.classes.singleton_mark, self.rules.special_methods.subclass
        self._making = self._naming or any(name in names or mark + name in names for name in hooks)
        rows = zip(self.program.first, self.program.files, strict=False) if self.rules.overloading.overriding else ()
        many, known = Counter(first + row.scope for first, facts in rows for row in facts.bases), self.hierarchy.supers
        self._open = {cls for cls in many if many[cls] > len(known.get(cls, ()))}  # with outside supertypes
        for function, method in (*self.evaluator.expected.fits, *self._extending()):
            self.fitting.setdefault(method, []).append(function)
        bases = ((file, row) for file, facts in enumerate(self.program.files) for row in facts.bases)
        self._qualifiers = {(file, row.line, name) for file, row in bases for name in row.path.split(".")[:-1]}

    def _extending(self) -> Iterator[tuple[int, int]]:
        """Yield (function, method that it implements) for the functions that extend an outside type with a supertype.

        Another extension of the type may name the supertype: ``extension Int: Shape {}``.
        """
        given = {(row[0], simple(row[3])) for rows in self.hierarchy.elsewhere.values() for row in rows}
        named: dict[tuple[str, str], list[int]] = {}
        for name, functions in self.program.extensions.items() if given and not self.hierarchy.of_trait else ():
            for function, extended in functions:
                named.setdefault((name, simple(extended)), []).append(function)
        for entity, extended in sorted(given) if named else ():
            above = self.hierarchy.methods(self.entities.payload[entity]) if self.entities.kind[entity] == CLASS else {}
            for name, method in above.items():
                yield from ((function, method) for function in named.get((name, extended), ()))

    def structure(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        for place, symbol in enumerate(program.files[file].symbols):
            own = first + place
            site = self.writer.site(file, symbol.line)
            parent = program.parent[own]
            if parent >= 0:
                self.writer.edge(parent, own, "CONTAINS", "definition", "definition", site)
            if is_block(symbol.kind, symbol.name):
                self.writer.edge(parent, own, "CALLS", "callback", "block", site)
            self._supertypes(own, symbol)
            if self._making and program.is_class(own):
                self._defining(own, site)
            if program.roles[own] & OVERLOAD and self.rules.functions.heads_apart:
                body = self.hierarchy.function_at(program.bound(parent, symbol.name))
                self.writer.edge(body, own, "USES", "overload", "scope", site)
            if program.is_class(own) and not (self.rules.classes.structural or self.hierarchy.of_trait):
                for function, above in self._joined_by(own):
                    self.writer.edge(function, above, "OVERRIDES", "definition", "base", site)
            cls = program.own_class[own]
            if cls >= 0 or own in self.hierarchy.of_trait:
                manners = {known.parent: known.manner for known in self._supers(cls)}
                for above in self._hidden_by(cls, symbol.name, own):
                    manner = manners.get(program.own_class[above], "")
                    ends = (above, own) if manner == PREPENDED else (own, above)
                    rule = "interface-part" if manner == IN_PART else "self"
                    self.writer.edge(*ends, "OVERRIDES", "definition", rule, site)
                for function in self.fitting.get(own, ()):
                    if program.symbols[function].kind != "lambda":
                        line = self.writer.site(program.file_of[function], program.symbols[function].line)
                        self.writer.edge(function, own, "OVERRIDES", "definition", "interface", line)

    def _supertypes(self, own: int, symbol: Symbol) -> None:
        for known in self._supers(own):
            rule = _RULES.get(known.manner, "base")
            at = self.writer.site(known.file, known.line)
            self.writer.edge(own, known.parent, self._kind_of(symbol, known), "base", rule, at)
            outer = self.program.parent[known.parent] if known.parent >= 0 else -1  # in Outer.Base
            named = outer >= 0 and (known.file, known.line, self.program.symbols[outer].name) in self._qualifiers
            if named and self.program.is_class(outer):
                self.writer.edge(own, outer, "USES", "read", "scope", at)
        for outside, known in self.hierarchy.outside.get(own, {}).items():
            at = self.writer.site(known.file, known.line)
            self.writer.outside(own, outside, self._kind_of(symbol, known), at)
        for entity, file, line, _ in self.hierarchy.elsewhere.get(own, ()):
            at = self.writer.site(file, line)
            if self.entities.kind[entity] == CLASS:
                self.writer.edge(own, self.entities.payload[entity], "IMPLEMENTS", "base", "base", at)
            elif self.entities.kind[entity] == EXTERNAL:
                self.writer.outside(own, self.entities.external_name(entity), "IMPLEMENTS", at)

    def _defining(self, cls: int, site: int) -> None:
        """Write the calls that run when the class `cls` is defined.

        They are calls of hooks: of its supertypes, such as ``__init_subclass__``, and of the values of its attributes,
        such as ``__set_name__``.
        """
        scope = self.program.parent[cls]
        while scope >= 0 and self.program.is_class(scope):
            scope = self.program.parent[scope]
        called = [*self.hierarchy.defining(cls)]
        for name in self.rules.special_methods.name if self._naming else ():
            values = [e for node in (self.program.names[cls] or {}).values() for e in self.points_to(node)]
            kinds, payloads = self.entities.kind, self.entities.payload
            called += [self.hierarchy.method(payloads[entity], name) for entity in values if kinds[entity] == INST]
        for function in dict.fromkeys(called):
            if function >= 0:
                self.writer.edge(max(scope, 0), function, "CALLS", "definition", "type", site)

    def _hidden_by(self, cls: int, name: str, own: int) -> list[int]:
        """Return the methods called `name` that the method `own` of `cls` overrides.

        Of each supertype, this is the method that the type has or inherits.
        """
        if name in self.rules.construction.constructors:
            return []
        hierarchy = self.hierarchy
        if hierarchy.of_trait and (cls < 0 or self.program.symbols[cls].kind != "trait"):
            trait = hierarchy.of_trait.get(own, -1)
            found = [hierarchy.method(trait, name)] if trait >= 0 else []
            return [above for above in found if above >= 0]
        if self.rules.classes.structural:
            found = list(self._asked_of(cls).get(self.program.method_name(name), ()))
        elif self.rules.overloading.decides:
            found = [each for known in self._supers(cls) for each in self._overloaded(known.parent, own)]
        else:
            key = self.program.member_name(self.program.symbols[own])
            found = [
                hierarchy.method(known.parent, name if known.manner == IN_TYPE else key)
                for known in self._supers(cls)
                if known.manner != IN_TYPE or key != name
            ]
        return [above for above in dict.fromkeys(found) if above >= 0 and above != own]

    def _supers(self, cls: int) -> tuple[Super, ...]:
        return (*self.hierarchy.supers.get(cls, ()), *self.hierarchy.satisfied.get(cls, ()))

    def _joined_by(self, cls: int) -> Iterator[tuple[int, int]]:
        """Yield (method, method that it overrides) for methods that meet first in a class that has neither itself.

        Example: the class inherits a method from one supertype, and another supertype requires it.
        """
        hierarchy, program = self.hierarchy, self.program
        supers = [known.parent for known in self._supers(cls) if known.manner != IN_TYPE]
        methods = {each: hierarchy.methods(each) for each in supers} if len(supers) > 1 else {}
        shared = Counter(name for named in methods.values() for name in named)
        own = {*(program.names[cls] or ()), *self.rules.construction.constructors}
        for one, named in methods.items():
            for name, above in named.items():
                if shared[name] < 2 or name in own:
                    continue
                found = hierarchy.method(cls, name)
                if self.rules.overloading.decides:
                    found = next((f for each in methods if each != one for f in self._overloaded(each, above)), -1)
                owner = program.own_class[found] if found not in (-1, above) else -1
                if owner < 0 or program.own_class[above] in hierarchy.order(owner):
                    continue
                if program.symbols[owner].kind != "interface" and not program.roles[found] & ABSTRACT:
                    yield found, above

    def _overloaded(self, cls: int, own: int) -> list[int]:
        """Return the overload of `cls` that `own` overrides, and its default implementation; [] for none."""
        program, name = self.program, self.program.method_name(self.program.symbols[own].name)
        order, mark = self.hierarchy.order(cls)[:MAX_OVERLOADING], self.rules.overloading.overriding
        destroys = name == f"~{program.symbols[program.own_class[own]].name}"  # named after each class
        named = ((above, f"~{program.symbols[above].name}" if destroys else name) for above in order)
        nodes = (program.bound(*each) for each in named)
        found = [each for node in nodes for each in program.defined.get(node, ()) if program.is_callable(each)]
        found = [each for each in found if self.hierarchy.overrides(own, each)]
        marked = mark is None or any(mark.search(program.symbols[each].signature) for each in found)
        if not found or not (marked or not self._open.isdisjoint(order)):
            return []
        heads = {e: (program.own_class[e], program.symbols[e].signature.partition("(")[2]) for e in found}
        return [each for each in found if heads[each] == heads[found[0]]]

    def _asked_of(self, cls: int) -> Mapping[str, Mapping[int, None]]:
        """Return the methods that `cls` has in common with the types it embeds or satisfies.

        The result maps each method name to the methods of these types. Only names that `cls` defines itself are
        included. If several interfaces embed the same method, it is listed once.
        """
        found = self._asked.get(cls)
        if found is None:
            found = self._asked[cls] = {}
            own = self.program.names[cls] or {}
            for known in self._supers(cls):
                methods = self.hierarchy.methods(known.parent)
                few, many = (own, methods) if len(own) < len(methods) else (methods, own)
                for name in few:
                    if name in many:
                        found.setdefault(name, {})[methods[name]] = None
        return found

    def _kind_of(self, symbol: Symbol, known: Super) -> EdgeKind:
        above = known.parent >= 0 and self.program.symbols[known.parent].kind in _INTERFACES
        above = above and symbol.kind not in _INTERFACES
        return "IMPLEMENTS" if above or known.manner == "implements" or known.manner in _RULES else "EXTENDS"

    def imports(self, file: int) -> None:
        program, first = self.program, self.program.first[file]
        facts = program.files[file]
        passed = (Import(0, each.name, each.module, each.target.strip("=*"), each.line) for each in facts.exports)
        for row in (*facts.imports, *(each for each in passed if each.module)):
            if row.module[:2] == "::":
                for entity in self.points_to(self.naming.in_namespace(file, row)):
                    self._import_edge(first, entity, self.writer.site(file, row.line))
                continue
            declared = self.rules.modules.keywords and not row.member and "::" in row.module  # mod name;
            found, member = imported(program.locator, file, "/" + row.module if declared else row.module, row.member)
            site = self.writer.site(file, row.line)
            if found.unit < 0:
                own = self.rules.modules.keywords and program.bound(first, row.module.partition("::")[0]) >= 0
                if found.external and not own:
                    name = found.external if member in ("", "*") else f"{found.external}.{member}"
                    self.writer.outside(first + row.scope, name, "IMPORTS", site)
                continue
            rule = "condition" if found.beside else "import"
            for unit in (found.unit, *found.beside):
                node = self.evaluator.known.module(unit)
                self._import_edge(first, self.entities.get(UNIT, unit), site, rule)
                for name in (*found.rest, *(() if member in ("", "*") else (member,))):  # of a module or type in it
                    inner, in_unit = self.evaluator.steps.follow, self.evaluator.modules.in_unit
                    node = inner(node, (f".{name}",), 0, 0) if found.rest else in_unit(unit, name)
                    for entity in self.points_to(node) if node >= 0 else ():
                        self._import_edge(first, entity, site, rule)

    def _import_edge(self, module: int, entity: int, site: int, rule: str = "import") -> None:
        kind, payload = self.entities.kind[entity], self.entities.payload[entity]
        if kind in (FUNC, CLASS):
            self.writer.edge(module, payload, "IMPORTS", "import", rule, site)
        elif kind == EXTERNAL:
            self.writer.outside(module, self.entities.external_name(entity), "IMPORTS", site)
        elif kind == UNIT:
            for number in self.program.units.files[payload]:
                target = self.program.first[number]
                if target != module:
                    self.writer.edge(module, target, "IMPORTS", "import", rule, site)
