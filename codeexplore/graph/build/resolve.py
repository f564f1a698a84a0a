"""Resolver of all references: each reference becomes edges to its targets or is stored as unresolved.

Files are grouped by language family, such as JavaScript and TypeScript. Values flow through all files of a family at
once (package `resolution`). When the values are final, one pass visits all references of the family. A call gets edges
to every callable value of the called expression, to methods that override a called method, and to properties that the
expression reads. If the called expression has no values, the call gets edges to the definitions with its name, if they
are few. Otherwise the call is unresolved. An edge records the rule that found it.

A *path* is the text of a dotted expression, such as ``self.pool.get``. A *node* is the constraint variable of an
expression, as in `codeexplore.graph.build`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from codeexplore.faults import fault
from codeexplore.gc_pause import gc_paused
from codeexplore.graph.build.calls import Callees
from codeexplore.graph.build.edge_writer import DeclarationEdges, EdgeWriter, RecordedEdges
from codeexplore.graph.build.implicit_calls import CALLABLE, CallbackEdges, SpecialCalls
from codeexplore.graph.build.other_targets import MAX_BY_NAME
from codeexplore.graph.build.rules import BY_PROVENANCE
from codeexplore.graph.build.uses import UseEdges
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import EdgeTable, ExternalTable, Resolution, UnresolvedTable
from codeexplore.index.catalog import Catalog
from codeexplore.languages import registry
from codeexplore.languages.file_roles import PathRoles
from codeexplore.languages.registry import is_of_file, record_of
from codeexplore.resolution import solver as h
from codeexplore.resolution.access_paths import last_name
from codeexplore.resolution.class_hierarchy import MAX_DESCENDANTS
from codeexplore.resolution.language_rules import Rules
from codeexplore.resolution.solve_family import MAX_INNER_CALLS, FamilyAnalysis
from codeexplore.source.manifests import manifests_beside, manifests_of, path_roles
from codeexplore.text.enumeration import shortened
from codeexplore.types import COMPARED, EdgeKind, FileFacts, Reference

_NAMED = 3
_APART = frozenset({"test", "example", "benchmark"})
"""Roles of files that are separate programs. Their definitions are not visible to other files."""
_MAKING = frozenset({"call", "new"})
_LITERALS = ("%str.", "%num.", "%bool.", "%char.")
_CALLING = _MAKING | {"decorator", "operator"}
_USING = frozenset({"read", "type", "decorator", "name"})
_NAMING = frozenset({"read", "access"})


class ReferenceEdges:
    """Writer of all edges of one language family."""

    def __init__(self, solved: FamilyAnalysis, writer: EdgeWriter) -> None:
        self.program, self.evaluator, self.loader = solved.program, solved.evaluator, solved.loader
        self.entities, self.points_to = self.evaluator.entities, self.evaluator.solver.points_to
        self.hierarchy, self.rules = self.evaluator.hierarchy, self.program.rules
        self.writer = writer
        self.declarations = DeclarationEdges(solved, writer)
        self.properties = self.evaluator.members.properties
        self.callees = Callees(solved, writer, self.declarations)
        self.callback_edges = CallbackEdges(solved, writer, self.callees)
        self.special_calls = SpecialCalls(solved, writer, self.callees)
        self.cut = self.evaluator.solver.cut
        effects = self.rules.builtins.container_methods
        self._calling_itself = tuple(f".{n}" for n in self.rules.functions.own_methods if effects.get(n) == "call")
        self.uses = UseEdges(solved, writer, self.callees)
        self._calling = _CALLING if self.rules.decorators.called else _CALLING - {"decorator"}
        self._binds = cache(self._find_binding)
        # nodes whose path reads a property
        self._reading = self.evaluator.steps.going_on(dict.fromkeys(self.properties, 0))
        # manner → value or node → its edges
        self._called: dict[str, dict[int, RecordedEdges]] = {"call": {}, "decorator": {}, "operator": {}}
        self._reached: dict[str, dict[int, RecordedEdges]] = {"call": {}, "new": {}, "decorator": {}, "operator": {}}
        self._told = False  # True if the current call is written as unresolved, beside its edges
        self._properties_hide = not self.rules.functions.values  # functions of their names, where these are called

    def emit(self) -> None:
        for file in range(len(self.program.files)):
            self.declarations.structure(file)
            self.declarations.imports(file)
            if self.rules.functions.block_receiver is not None:
                self._run_on(file)
            self._references(file)
            self.uses.returned(file)
        self.special_calls.of_functions()
        for scope, setter, receiver, provenance, line in self.loader.binding_values.assigned:
            site = self.writer.site(self.program.file_of[scope], line)
            rule = self.callees.own_rule(BY_PROVENANCE[provenance], setter, receiver)
            self.writer.edge(scope, setter, "CALLS", "property", rule, site)
            self.callees.overriding(scope, setter, receiver, provenance, "property", site)

    # ----------------------------------------------------------------- references

    def _references(self, file: int) -> None:
        first, properties = self.program.first[file], self._reading
        (arguments, ends), start = self.loader.given[file], self.writer.site(file, 0)
        rows, used = self.program.references[file], self.loader.used[file]
        bases = {(base.line, base.path) for base in self.program.files[file].bases}
        if self.program.private or self.program.extending:  # the reachable targets differ from file to file
            for remembered in (*self._called.values(), *self._reached.values()):
                remembered.clear()
        above, values = h.UNKNOWN, self.evaluator.solver.values
        for number, (row, node, begin, end) in enumerate(zip(rows, used, ends, ends[1:], strict=False)):
            own, kind, path, line, args = row
            told, read = above, False
            scope, site, above = first + own, start | line, node if kind == "receiver" else h.UNKNOWN
            if kind in self._calling:
                self.uses.read(scope, row, node, site, self._call(scope, row, node, site), told)
                if args or begin < end:
                    self._arguments(file, number, row, node, arguments[begin:end])
            elif kind == "implicit":
                self._implicit(scope, row, node, site)
                continue
            elif node != h.UNKNOWN:
                read = self.uses.read(scope, row, node, site, told=told)
            named = kind == "access" and not read and "." not in path  # no constant
            if values[node] != h.EMPTY and (named or kind in _USING):
                weakest = h.RETURN if not named else h.SELF if (line, path) not in bases else -1  # a base has edges
                self.uses.use(scope, row, node, site, weakest)
            if kind == "read" and self.program.extensions and node not in properties:
                self._extension(scope, row, site)
            if node in properties and kind != "new" and (kind != "access" or "." not in path):
                self.uses.properties(scope, row, node, site, told)

    def _arguments(self, file: int, number: int, row: Reference, node: int, given: Sequence[int]) -> None:
        """Write the edges for the arguments of a call; `given` are their constraint variables."""
        scope, site = self.program.first[file] + row.scope, self.writer.site(file, row.line)
        if row.args:
            self.uses.outside_arguments(scope, row, site)
            self.uses.set_fields(scope, row, node, site)
        if given:
            self.callback_edges.arguments(scope, self._placed(file, number, given, site), node, row.path)
            self.uses.convert(scope, row, node, given, site)

    def _run_on(self, file: int) -> None:
        """Let the calls of bare names in blocks that run on objects mean the functions of the innermost object."""
        first, used, within = self.program.first[file], self.loader.used[file], h.UNKNOWN
        for number, (scope, kind, path) in enumerate(self.program.references[file].fields("scope", "kind", "path")):
            node = used[number]
            if kind == "within":
                used[number] = h.UNKNOWN
                called = any(self.entities.kind[entity] in (h.FUNC, h.BOUND) for entity in self.points_to(node))
                within = node if called else within
            elif within != h.UNKNOWN:
                used[number] = node if self._is_local(first + scope, path) else within
                within = h.UNKNOWN

    def _call(self, scope: int, row: Reference, node: int, site: int) -> int:
        """Write the edges of a call; return the constant that is called, -1 for none."""
        manner = row.kind if row.kind in ("decorator", "operator") else "call"
        node = self._function_of(scope, row, node)
        found, known, value = False, False, self.evaluator.solver.values[node]
        self._told = False
        if value >= 0:
            found = (
                self._call_one(scope, row, value, manner, site)
                if value & 7 < self.cut.get(node, h.LAST)
                else self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site, cut=self.cut[node])
            )
            known = self.entities.kind[value >> 3] in CALLABLE and value & 7 < h.FLOW
        elif value != h.EMPTY:
            values = self.points_to(node)
            found = self._call_several(scope, row, node, values, manner, site)
            known = any(self.entities.kind[e] in CALLABLE and level < h.FLOW for e, level in values.items())
        decided = found and self.rules.overloading.decides
        named = self.uses.constants.made if known else self.uses.constants.called
        constant = -1 if decided or node == h.UNKNOWN else named(node)
        if constant >= 0:
            self.writer.edge(scope, constant, "CALLS", manner, "scope", site)
            found = True
        found = found or self._call_extension(scope, row, site)
        placeholder = not self._told and node in self._reading and self._is_placeholder(node)
        # a member that an outside object seems to have may be an extension
        outside = value >= 0 and self.entities.kind[value >> 3] == h.EXTERNAL
        found |= (outside or not found) and self._extension(scope, row, site)
        if placeholder or (not found and manner != "operator"):
            self._by_name_or_unresolved(scope, row, site)
        return constant

    def _function_of(self, scope: int, row: Reference, node: int) -> int:
        """Return the variable of ``f`` for a call ``f.call(x)`` of one of many functions; `node` for other calls.

        A constraint variable takes only few methods of functions.
        """
        if self._properties_hide and row.kind == "call" and row.path.isidentifier():
            return self._function_beyond(scope, row.path, node)
        if row.path.endswith(self._calling_itself):
            before = self.evaluator.steps.before(node)
            values = self.points_to(before)
            if len(values) > h.MAX_PLAIN_VALUES and all(self.entities.kind[e] in (h.FUNC, h.BOUND) for e in values):
                return before
        return node

    def _function_beyond(self, scope: int, name: str, node: int) -> int:
        """Return the variable of a called function that a property of its name hides: ``val rows = rows(2)``.

        A property whose type is a function is called itself; so is a local.
        """
        program, around, hidden = self.program, scope, False
        own = program.constants.get(node, -1)
        if own < 0 or "->" in program.symbols[own].signature or self._is_called(node):
            return node
        while around >= 0:
            known = program.bound(around, name)
            if known == node != h.UNKNOWN:
                hidden = True
            elif hidden and known >= 0 and self._is_called(known):
                return known
            around = program.parent[around]
        return node

    def _is_called(self, node: int) -> bool:
        return any(self.entities.kind[entity] in CALLABLE for entity in self.points_to(node))

    def _is_placeholder(self, node: int) -> bool:
        """Return True if a called expression reads a member that its class lacks: what it finds may be anything."""
        missing, symbols = self.rules.special_methods.missing, self.program.symbols
        while node != h.UNKNOWN:
            if any(symbols[function].name in missing for function in self.properties.get(node, ())):
                return True
            node = self.evaluator.steps.before(node)
        return False

    def _call_extension(self, scope: int, row: Reference, site: int) -> bool:
        """Write the edges of a call of an extension method on a receiver without known values; False if there is none.

        The declared type of the receiver decides. If it is not known, the name is the only evidence.
        """
        if not self.program.extending:
            return False
        name, receiver = last_name(row.path)
        extensions, overloads = self.evaluator.extensions, self.callees.overloads
        if not receiver or row.path[-1:] == ")" or not extensions.named(name):
            return False
        overloads.extending = set(extensions.named(name))
        found = [f for f in extensions.named(name) if extensions.sees(scope, f) and overloads.takes(f, len(row.args))]
        kinds = overloads.types_of(receiver, scope, row.line)
        fits = {f: overloads.fit_of(extensions.extended(f), kinds) for f in found} if kinds else {}
        own = overloads.is_of_repository(kinds)
        least = 0.0 if own else overloads.rules.fit("", "")  # an outside type may have a method that fits better
        fitting = [f for f in found if fits and fits[f] == max(fits.values()) >= least]
        if fitting:
            found = overloads.fitting(fitting, row, scope) if len(fitting) > 1 else fitting
        elif own:
            return False
        guessed = "name" if len(found) == 1 else "name-few"
        rule = guessed if not fitting else "type" if len(found) == 1 else "overload"
        for function in found if len(found) <= MAX_BY_NAME else ():
            self.writer.edge(scope, function, "CALLS", "call", rule, site)
        return 0 < len(found) <= MAX_BY_NAME

    def _call_one(self, scope: int, row: Reference, value: int, manner: str, site: int) -> bool:
        """Write the edges of a call whose called expression has one value; return False if the value is not callable.

        `value` is packed as ``entity << 3 | provenance``. The edges are found once and are the same at every call of
        the value, unless the arguments choose among constructors.
        """
        making = row.kind == "new" or self.entities.kind[value >> 3] in (h.CLASS, h.CONTAINER_PART)
        if making and self.rules.construction.constructor_is_class:
            return self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site)
        kind, payload = self.entities.kind[value >> 3], self.entities.payload[value >> 3]
        if (kind == h.CLASS and self.rules.overloading.decides) or (
            kind == h.FUNC and payload in self.program.extended
        ):
            return self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site)
        choosing = self.rules.overloading.phases or self.rules.overloading.takes is not None
        if row.kind == "call" and choosing and not self.callees.overloads.accepts(value >> 3, row, scope):
            undecided = frozenset((self.entities.payload[value >> 3],))  # perhaps an overload outside the repository
            return self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site, undecided)
        known = self._called[manner].get(value)
        if known is None:
            self.writer.record()
            found = self.callees.reach(scope, row, {value >> 3: value & 7}, manner, site)
            known = self._called[manner][value] = self.writer.recorded(found)
        self._write(scope, row, known, site)
        return known.found

    def _call_several(
        self, scope: int, row: Reference, node: int, values: Mapping[int, int], manner: str, site: int
    ) -> bool:
        """Write the edges of a call whose called expression has several values; return False if none is callable.

        The edges are found once and are the same at every call of `node`, unless the arguments choose among overloads.
        """
        reached = self._reached["new" if row.kind == "new" else manner]
        known = reached.get(node)
        if known is None:
            if manner == "decorator":
                values = self._without_own_instances(values)
            overloads = self.callees.overloads
            alternatives, undecided = overloads.alternatives(values), frozenset[int]()
            chosen = alternatives or self.rules.overloading.decides or self.rules.construction.constructor_is_class
            if chosen:
                values, undecided = overloads.chosen(values, alternatives, row, scope)
            self.writer.record()
            found = self.callees.reach(scope, row, values, manner, site, undecided, self.cut.get(node, h.LAST))
            known = self.writer.recorded(found)
            if not chosen:
                reached[node] = known
        self._write(scope, row, known, site, len(values) >= h.MAX_VALUES)
        return known.found

    def _write(self, scope: int, row: Reference, known: RecordedEdges, site: int, full: bool = False) -> None:
        """Write the recorded edges of a call. If some targets may be missing, also write the call as unresolved."""
        cut = not self.writer.write(scope, known, site) or full
        weak = known.missing or (known.found and not known.shown)  # no guess hides what else may be called
        if not (cut or weak or self.program.crowded) or self._is_literal(row):
            return
        name, receiver = last_name(row.path)
        if weak and not known.missing and self._outside_member(scope, row, name, receiver, site):
            weak = False
        if name and (cut or weak or name in self.program.crowded):
            self.writer.unresolved(scope, name, receiver, row.kind, site)
            self._told = True
            if cut:
                self.writer.note_cut(name)

    def _without_own_instances(self, values: Mapping[int, int]) -> Mapping[int, int]:
        """Return the values of a decorator without the instances of the decorator's own class.

        The constraint variable of ``@wrap(option=1)`` contains the class ``wrap`` and the instance that the call makes.
        Only the class is called at this place.
        """
        kinds, payloads = self.entities.kind, self.entities.payload
        classes = {payloads[entity] for entity in values if kinds[entity] == h.CLASS}
        return {e: provenance for e, provenance in values.items() if kinds[e] != h.INST or payloads[e] not in classes}

    def _implicit(self, scope: int, row: Reference, node: int, site: int) -> None:
        if row.path.endswith(COMPARED):
            self.uses.use_fields(scope, self.uses.held(node, h.INST, h.RETURN), "compared", site, inner=True)
        else:
            self.special_calls.of_syntax(scope, row, node, site)

    def _placed(self, file: int, call: int, nodes: Sequence[int], site: int) -> Iterator[tuple[int, int]]:
        """Return the arguments of a call with their sites: the own line of each that is a name."""
        rows, values = self.program.references[file], self.evaluator.solver.values
        below = array("i")
        if any(values[node] != h.EMPTY for node in nodes):
            below = self.loader.used[file][call + 1 : call + 1 + len(nodes) * MAX_INNER_CALLS]
        for node in nodes:
            place = site
            if values[node] != h.EMPTY and node in below:
                named = (rows[call + 1 + at] for at, other in enumerate(below) if other == node)
                line = next((row.line for row in named if row.kind in _NAMING), 0)
                place = self.writer.site(file, line) if line else site
            yield node, place

    # ----------------------------------------------------------------- by name

    def _is_understood(self, scope: int, row: Reference, name: str, receiver: str) -> bool:
        """Return True for a decorator that only gives a role: ``@size.setter``, ``@show.register``."""
        if row.kind == "decorator" and name in self.rules.decorators.roles:
            return True
        joins = name == self.rules.decorators.joining and receiver
        joined = self.evaluator.path(scope, receiver, row.line) if joins else h.UNKNOWN
        return any(self.loader.decorations.is_dispatching(entity) for entity in self.points_to(joined))

    def _extension(self, scope: int, row: Reference, site: int) -> bool:
        """Write the call of an extension of an outside type, which its name and the receiver's type select."""
        if not self.program.extensions:
            return False
        name = row.path[row.path.rfind(".") + 1 :]
        if name in self.program.extensions:
            found = self.callees.extensions(scope, row, name)
        else:
            found = self.callees.constructors_beside(scope, row)
        found = [each for each in found if not self._is_of_another_file(scope, each[0])]
        for function, rule in found:
            kind: EdgeKind = "CALLS" if row.kind != "read" or self.program.is_read(function) else "USES"
            self.writer.edge(scope, function, kind, row.kind, rule, site)
        return bool(found)

    def _is_local(self, scope: int, name: str) -> bool:
        """Return True if a bare name means a parameter or variable of the functions around it, not a definition."""
        program = self.program
        while scope >= 0:
            if (node := program.bound(scope, name)) >= 0:
                return program.is_callable(scope) and node not in program.defined
            scope = program.parent[scope]
        return False

    def _is_of_another_file(self, scope: int, symbol: int) -> bool:
        program, owner = self.program, self.program.own_class[symbol]
        if program.file_of[scope] == program.file_of[symbol]:
            return False
        units = {program.locator.unit_of(program.file_of[each]) for each in (scope, symbol)}
        name = record_of(program.symbols[symbol].language).program
        if len(units) > 1 and name and all(self._binds(unit, name) for unit in units):  # two programs
            return True
        return is_of_file(program.symbols[symbol], program.symbols[owner] if owner >= 0 else None)

    def _find_binding(self, unit: int, name: str) -> bool:
        first, files = self.program.first, self.program.units.files[unit]
        return any(self.program.bound(first[file], name) >= 0 for file in files)

    def _outside_member(self, scope: int, row: Reference, name: str, receiver: str, site: int) -> bool:
        """Write the call of a member of an outside type, by the declared type of the receiver; False if it has none."""
        outside = self.callees.overloads.outside_type(receiver, scope, row.line) if receiver else ""
        if outside:
            self.writer.outside(scope, f"{outside}.{name}", "CALLS", site)
        return bool(outside)

    def _is_literal(self, row: Reference) -> bool:
        """Return True for ``T{…}``, which calls nothing, in languages whose types have no constructors."""
        return row.kind == "new" and not self.rules.construction.making_calls

    def _by_name_or_unresolved(self, scope: int, row: Reference, site: int) -> None:
        name, receiver = last_name(row.path)
        if self.rules.functions.extension_signature is not None and row.path.startswith(_LITERALS):
            return  # a method of a built-in type
        if not name or row.path[-1:] == ")":  # the called expression is the result of a call, which has no name
            return
        if self._is_literal(row) or (row.kind == "new" and self.callees.overloads.types.of(row.path, scope, row.line)):
            return  # a member whose type has no constructor here
        decorates = row.kind == "decorator" or name == self.rules.decorators.joining
        if decorates and self._is_understood(scope, row, name, receiver):
            return
        if self._outside_member(scope, row, name, receiver, site):
            return
        known = not receiver and self._is_local(scope, name)
        guesses = () if known else self.callees.guesses.targets(row, name, receiver)
        targets = [t for t in guesses if self.program.sees(scope, t) and not self._is_of_another_file(scope, t)]
        rule = "name" if len(targets) == 1 else "name-few"
        for target in targets:
            if self.program.is_class(target):
                self.callees.construction(scope, target, rule, site, row)
            else:
                self.writer.edge(scope, target, "CALLS", row.kind, rule, site)
        if targets:
            return
        self.writer.unresolved(scope, name, receiver, row.kind, site)


def resolve(
    files: Sequence[FileFacts],
    rows: Mapping[str, int] | None = None,
    manifests: Mapping[str, str] | None = None,
    *,
    ending: bool = False,
    settled: Callable[[], None] | None = None,
) -> Resolution:
    """Resolve all references of a repository.

    `rows` maps symbol ids to rows; by default the rows count through the symbols of `files` in order. `manifests` are
    texts by path; see `source.manifests`. `settled` is called after the values of a family are final (fixpoint): much
    memory was freed just before, and writing the edges needs some of it again. If the process is `ending` after this
    call, the values of the last family are not freed, which saves time.
    """
    return gc_paused(lambda: _resolved(files, rows, manifests or {}, ending, settled))


def _resolved(
    files: Sequence[FileFacts],
    rows: Mapping[str, int] | None,
    manifests: Mapping[str, str],
    ending: bool,
    settled: Callable[[], None] | None,
) -> Resolution:
    ids = [symbol.id for facts in files for symbol in facts.symbols]
    if rows is None:
        rows = {symbol_id: row for row, symbol_id in enumerate(ids)}
    else:
        ordered = [""] * len(rows)
        for symbol_id, row in rows.items():
            ordered[row] = symbol_id
        ids = ordered
    paths = [facts.path for facts in files]
    edges, unresolved, externals = EdgeTable(ids, paths), UnresolvedTable(ids, paths), ExternalTable(ids, paths)
    notes: list[str] = []
    roles = path_roles(manifests)
    families = _families(files)
    for rules, numbers in families:
        family = [files[number] for number in numbers]
        named = manifests_beside(manifests, [facts.path for facts in family], rules.modules.manifests)
        apart = _programs(family, rules, roles) if rules.modules.linked or rules.classes.metaclasses else []
        try:
            solved = FamilyAnalysis(family, rules, named, apart)
            if settled is not None:
                settled()
            writer = EdgeWriter(solved.program, numbers, rows, (edges, unresolved, externals), roles)
            ReferenceEdges(solved, writer).emit()
        except Exception as error:  # noqa: BLE001 - the other languages still get their edges, and the note is shown
            notes.append(f"{rules.family}: {fault(error)}; {h.MISSING}")
            continue
        notes += [*solved.program.work.notes(rules.family), *_crowded(solved, rules.family)]
        if not ending or numbers is not families[-1][1]:
            solved.close()
    edges.finish()
    return Resolution(edges, unresolved, externals, tuple(notes))


def _programs(family: Sequence[FileFacts], rules: Rules, roles: PathRoles) -> list[str]:
    """Return for each file the folder of its program, if several folders have one; else "." for a separate file."""
    form, outer = rules.modules.program_files, list[str]()
    begun = (form.match(facts.path) for facts in family if form is not None)
    for root in sorted(found[1] for found in begun if found is not None):
        if not any(root.startswith(each) for each in outer):
            outer.append(root)
    outer = outer if len(outer) > 1 else []
    folders = [next((each for each in outer if facts.path.startswith(each)), "") for facts in family]
    return [home or "." * (roles.of(facts.path) in _APART) for facts, home in zip(family, folders, strict=True)]


def _crowded(solved: FamilyAnalysis, family: str) -> list[str]:
    """Return a notice in a list if some types have more subtypes than are searched."""
    crowded = solved.evaluator.hierarchy.crowded
    if not crowded:
        return []
    names = sorted(solved.program.symbols[cls].fqn for cls in crowded)
    listed = shortened(names, _NAMED)
    return [f"{family}: more than {MAX_DESCENDANTS} types below {listed}; calls that reach those beyond are missing"]


def _families(files: Sequence[FileFacts]) -> list[tuple[Rules, list[int]]]:
    """Return the rules and the numbers of the files of each language family, without text files."""
    groups: dict[str, tuple[Rules, list[int]]] = {}
    for number, facts in enumerate(files):
        rules = registry.rules_of(facts.language)
        if rules is not None:
            groups.setdefault(rules.family, (rules, []))[1].append(number)
    return list(groups.values())


def build_graph(catalog: Catalog, files: Sequence[FileFacts], root: Path | None = None) -> CodeGraph:
    """Resolve every reference and return the graph of the catalog's symbols.

    The manifests that name modules are read from the folder `root`: go.mod, package.json, tsconfig.json and Cargo.toml.
    """
    rows = {symbol_id: row for row, symbol_id in enumerate(catalog.symbols.ids)}
    manifests = {} if root is None else manifests_of(root, [(facts.path, facts.language) for facts in files])
    return CodeGraph(catalog, resolve(files, rows, manifests))
