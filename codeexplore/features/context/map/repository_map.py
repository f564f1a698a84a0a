"""Sections of the map, and their rows written within a budget.

The public interface is divided by what a user wants: to call, to implement, errors, tables and variables.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from codeexplore.answers.wording import counts, cut, first_sentence, one_line, plural
from codeexplore.features.context.map.centre import Centre, MainCalls, is_error
from codeexplore.features.context.map.material import MOST_NAMES, MOST_ROWS, NAMED, Detail, counted, row, symbol_row
from codeexplore.features.context.map.modules import Modules
from codeexplore.features.context.packs import document, knapsack
from codeexplore.features.context.packs.document import FORMS, Row, Section
from codeexplore.features.context.packs.pack import Budget, Description, Pack, fitted, made_pack
from codeexplore.features.context.tours.evidence import documents_of, first_examples
from codeexplore.graph.model import betweenness, strong_components
from codeexplore.graph.surveys import Cycles, hubs
from codeexplore.graph.usage.entry_points import entry_points
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS
from codeexplore.types.certainty import LIKELY
from codeexplore.types.rows import grouped

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.types import Edge, Symbol, WorkspaceSummary

_SIGNATURE_CHARS: Final = 160
_TABLE_CHARS: Final = 100
_LEAST_SAME: Final = 3  # types that extend one, or files with a variable of one name: from then on, a convention
_SHOWN_KINDS: Final = CALLABLE_KINDS | TYPE_KINDS | {"constant", "field"}
_GIVEN: Final = frozenset({"default", "static", "private"})  # words of methods that an interface implements itself
_FUNCTION_TYPE: Final = re.compile(r"^type\s+\w+(?:\[[^\]]*\])?\s+func\b|=\s*(?:<.*>\s*)?\(.*\)\s*=>")
_TABLE: Final = re.compile(
    r"=\s*(?:\{|\[(?!\]byte)|\(|(?:new\s+)?(?:\w+\.)*(?:dict|list|set|OrderedDict|defaultdict|Map|Set|HashMap|ConcurrentHashMap|"
    r"WeakMap|Registry)\b|map\[|make\(map|&?\w*[Rr]egistry\b)"
)
_MADE: Final = re.compile(r"=\s*(?:new\s+|&)?(?:\w+\.)*(\w+)\s*(?:<[^>]*>)?[({]")
_ABSTRACT_BASE: Final = re.compile(r"(?:.*\.)?(?:ABC|ABCMeta|Protocol)(?:\[.*)?")
_ERROR_VALUE: Final = re.compile(r"Err[A-Z]\w*|ERR_\w+|E[A-Z]{3,}|\w*(?:Error|Exception)")


class Interface:
    def __init__(self, material: Material) -> None:
        self._material = material

    @cached_property
    def _top(self) -> Sequence[Symbol]:
        """The outermost public definitions: first those that most tests and examples use, then those documents show."""
        material = self._material
        found = filter(material.evidence.visibility.reason, material.top)
        spread, scores = material.tour.spread, material.tour.scores
        return sorted(found, key=lambda s: (-spread.get(s.id, 0), -scores.get(s.id, 0.0), material.by_importance(s)))

    @cached_property
    def _errors(self) -> Sequence[Symbol]:
        return [symbol for symbol in self._top if is_error(self._material, symbol)]

    def shown_rows(self) -> list[Detail]:
        """Return rows for the names of the first example of a document that uses names of the product.

        A name may be a function, a type, a bound method or another value of a module, a field, or another name of any
        of them. An example that uses only members of unknown variables counts where there is no other.
        """
        material, guessed = self._material, list[Detail]()
        for path in documents_of(material.sources, material.graph.catalog.roles):
            for line, names in first_examples(material.sources[path].text):
                found = self._shown(names)
                sure = any(material.is_top(each) or self._is_owned(each, chain) for chain, each in found.values())
                if found and (sure or not guessed):
                    once = {symbol.id: symbol for _, symbol in found.values()}.values()
                    guessed = [row(f"{path}:{line} uses {', '.join(found)}"), *map(self._with_members, once)]
                if sure:
                    return guessed
        return guessed

    def _shown(self, names: Iterable[str]) -> dict[str, tuple[str, Symbol]]:
        """Return the names that mean symbols of the product, each with what stands before it, and its symbol."""
        material, catalog = self._material, self._material.graph.catalog
        shown = {mention.symbol_id for each in material.tour.documents for mention in each}
        found: dict[str, tuple[str, Symbol]] = {}
        for chain in names:
            first, _, name = chain.rpartition(".")
            if name in found or first.partition(".")[0] in self._outside:
                continue
            meant = [s for s in catalog.named(name) if s.path in material.product and s.kind in _SHOWN_KINDS]
            if not meant and (names_of := catalog.public_names) is not None:
                meant = [s for s in names_of.find(chain) or names_of.find(name) if s.path in material.product]
            if meant:
                found[name] = first, min(meant, key=lambda s: self._shown_order(s, first, shown))
        return found

    def _shown_order(self, symbol: Symbol, first: str, shown: Collection[str]) -> tuple[object, ...]:
        """Return the order of the symbols of one name: a member of the owner, then what documents show, go first."""
        top = self._material.is_top(symbol)
        return not self._is_owned(symbol, first), symbol.id not in shown, not top, self._material.by_importance(symbol)

    def _is_owned(self, symbol: Symbol, first: str) -> bool:
        """Return True if the last name of `first` is that of the definition around a symbol."""
        above = self._material.graph.catalog.around(symbol)
        return above is not None and above.name == first.rpartition(".")[2]

    @cached_property
    def _outside(self) -> frozenset[str]:
        """First parts of the outside names that the product uses, such as ``os``."""
        symbols = self._material.graph.catalog.symbols
        uses = (use for use in self._material.graph.externals if symbols[use.source].path in self._material.product)
        own = {symbol.fqn.partition(".")[0] for symbol in symbols if symbol.path in self._material.product}
        return frozenset(use.name.rpartition("/")[2].partition(".")[0] for use in uses) - own

    def call_rows(self) -> list[Detail]:
        apart = {s.id for s in (*self._errors, *self._contracts)}
        found = [s for s in self._top if s.kind in CALLABLE_KINDS | TYPE_KINDS and s.id not in apart]
        return [self._with_members(symbol) for symbol in found[:MOST_ROWS]]

    def _with_members(self, symbol: Symbol) -> Detail:
        name = cut(self._owned(symbol, one_line(symbol.signature or symbol.name)), _SIGNATURE_CHARS)
        texts = symbol_row(symbol, first_sentence(symbol.doc), name=name)
        reason = self._material.evidence.visibility.reason
        members: dict[str, dict[str, None]] = {"methods": {}, "fields": {}}
        for each in self._material.members(symbol) if symbol.kind in TYPE_KINDS else ():
            kind = "methods" if each.kind in CALLABLE_KINDS else "fields" if each.kind == "field" else ""
            if kind and reason(each):
                members[kind][each.name] = None
        named = "".join(f" · {kind} {shortened(list(names), MOST_NAMES)}" for kind, names in members.items() if names)
        return row(*texts, f"{texts[-1]}{named}")

    def _owned(self, symbol: Symbol, signature: str) -> str:
        """Return a signature behind the name of the type of a member, unless the signature says it."""
        owner = self._material.graph.catalog.around(symbol)
        if owner is None or owner.kind not in TYPE_KINDS or owner.name in signature.partition(symbol.name)[0]:
            return signature
        return f"{owner.name}: {signature}"

    def implement_rows(self) -> list[Detail]:
        rows = []
        for symbol in self._contracts[:MOST_ROWS]:
            brief, *texts = self._with_members(symbol)
            if required := self._required(symbol):
                said = first_sentence(symbol.doc)
                texts = [f"{brief}{' — ' * bool(said)}{said} · to implement: {shortened(required, MOST_NAMES)}"]
            said = texts[-1] if texts else brief
            below, others = self._subtypes(symbol), self._extended(symbol)
            if symbol.kind == "type":  # a struct of Go that embeds a type of functions does not implement it
                below, others = [], 0
            said += f" · implemented by {shortened(below, NAMED)}" if below else ""
            said += f" · {plural(others, 'subtype')} in tests and examples" if others else ""
            rows.append(row(brief, *texts, said))
        return rows

    def _required(self, symbol: Symbol) -> list[str]:
        methods = [s for s in self._material.members(symbol) if s.kind in CALLABLE_KINDS]
        if symbol.kind == "interface":
            return [s.name for s in methods if not _GIVEN.intersection(s.signature.split())]
        if symbol.kind == "trait":
            return [s.name for s in methods if self._text(s).rstrip().endswith(";")]
        return [s.name for s in methods if self._is_left(s)]

    def _is_left(self, method: Symbol) -> bool:
        marked = any("abstractmethod" in mark for mark in method.decorators) or "abstract" in method.signature.split()
        return marked or "raise NotImplementedError" in self._text(method)

    def _extended(self, symbol: Symbol) -> int:
        """Return the number of types of tests and examples that are direct subtypes of a type."""
        users = (user for user, _ in self._material.sources_of(symbol, ("EXTENDS", "IMPLEMENTS")))
        return len({user.id for user in users if user.path not in self._material.product})

    @cached_property
    def _contracts(self) -> Sequence[Symbol]:
        """The public types that users implement.

        They are interfaces, traits, types of functions, abstract classes and classes that tests and examples extend.
        """
        return [s for s in self._top if s.kind in TYPE_KINDS and s not in self._errors and self._is_abstract(s)]

    def _is_abstract(self, symbol: Symbol) -> bool:
        members = self._material.members(symbol)
        methods = [each for each in members if each.kind in CALLABLE_KINDS]
        if symbol.kind == "type":
            return _FUNCTION_TYPE.search(symbol.signature) is not None
        if symbol.kind in ("interface", "trait"):
            return bool(methods) or any(
                self._material.sources_of(symbol, ("EXTENDS", "IMPLEMENTS"))
            )  # others describe the shape of data
        if "abstract" in symbol.signature.split():
            return True
        listed = re.search(r"\((.*)\)", symbol.signature)
        bases = [part.strip().rpartition("=")[2] for part in listed[1].split(",")] if listed else ()
        if any(map(_ABSTRACT_BASE.fullmatch, bases)):
            return True
        return any(map(self._is_left, methods)) or self._extended(symbol) >= _LEAST_SAME

    def _text(self, symbol: Symbol) -> str:
        return self._material.text(symbol.path, symbol.span.start_line, symbol.span.end_line)

    def _subtypes(self, symbol: Symbol) -> list[str]:
        """Return the names of the product's types below a type, at all levels, that are no interfaces themselves."""
        found = {symbol.id: symbol}
        for each in (waiting := [symbol]):
            users = (user for user, _ in self._material.sources_of(each, ("EXTENDS", "IMPLEMENTS")))
            new = {user.id: user for user in users if user.id not in found and user.path in self._material.product}
            found |= new
            waiting += new.values()
        types = TYPE_KINDS - {"interface", "trait"}  # a module has the implementation for a type of others
        return list(dict.fromkeys(each.name for each in waiting[1:] if each.kind in types))

    def error_rows(self) -> list[Detail]:
        users = {s.id: self._material.users(s, "CALLS", "USES", "EXTENDS") for s in self._errors}
        rows = []
        for symbol in sorted(self._errors, key=lambda s: (-users[s.id], s.id))[:MOST_ROWS]:
            texts = self._with_members(symbol)
            rows.append(row(*texts[:2], f"{texts[:2][-1]} · {plural(users[symbol.id], 'user')}"))
        return [*rows, *self._variables(_is_error_value, "")]

    def variable_rows(self) -> list[Detail]:
        tables = self._tables()
        apart = {symbol.id for symbol, _ in tables}
        rows = [_table_row(symbol, users) for symbol, users in tables[:MOST_ROWS]]
        others = self._variables(lambda s: s.id not in apart and not _is_error_value(s), "variables and constants ")
        return [*rows, *others]

    def _tables(self) -> Sequence[tuple[Symbol, int]]:
        """Return the variables of modules with a container or an object of the repository, most used first."""
        material = self._material
        types = {symbol.name for symbol in material.product_types}
        found = []
        for symbol in material.top:
            if symbol.kind == "constant" and not _is_error_value(symbol):
                made = _MADE.search(symbol.signature)
                is_table = symbol.name != "__all__" and _TABLE.search(symbol.signature)
                if is_table or (made is not None and made[1] in types):
                    found.append((symbol, material.users(symbol, "USES", "CALLS")))
        return sorted(found, key=lambda pair: (-pair[1], pair[0].path, pair[0].line))

    def _variables(self, wanted: Callable[[Symbol], bool], label: str) -> list[Detail]:
        """Return a row for each file with its wanted public variables, without names that many files have."""
        found = [s for s in self._top if s.kind == "constant" and wanted(s)]
        same = Counter(name for name, _ in {(s.name, s.path) for s in found})
        found.sort(key=lambda s: (s.path, s.line))
        names = grouped((s.path, s.name) for s in found if same[s.name] < _LEAST_SAME)
        return [row(f"{path}: {label}{shortened(each, MOST_NAMES)}") for path, each in sorted(names.items())]


def _table_row(symbol: Symbol, users: int) -> Detail:
    brief = f"{symbol.path}:{symbol.line} {symbol.name}"
    used = f" · {plural(users, 'user')}" if users else ""
    said = first_sentence(symbol.doc)
    value = cut(one_line(symbol.signature), _TABLE_CHARS)
    return row(f"{brief}{used}", f"{brief} — {said}{used}" if said else f"{symbol.path}:{symbol.line} {value}{used}")


def _is_error_value(symbol: Symbol) -> bool:
    return _ERROR_VALUE.fullmatch(symbol.name) is not None


_LEAST_USERS: Final = 3  # of a symbol that "most others" need
_MAIN_SHARE: Final = 0.25  # of the functions that calls reach which are the main ones
_LEAST_SHARE: Final = 0.005  # a bridge below it would be shown as 0%
_IN_FUNCTION: Final = "inside functions"
_IN_BLOCK: Final = "in a block such as if TYPE_CHECKING"


def hub_rows(material: Material) -> list[Detail]:
    found = hubs(material.graph, MOST_ROWS, sorted(CALLABLE_KINDS | TYPE_KINDS), tests=False)
    rows = [(material.graph.catalog.symbol(hub.symbol_id), hub) for hub in found]
    return [
        symbol_row(symbol, f"{plural(hub.users, 'user')} in {plural(hub.files, 'file')}")
        for symbol, hub in rows
        if symbol.path in material.product and hub.users >= _LEAST_USERS and material.tour.is_last(symbol)
    ]


def bridge_rows(modules: Modules) -> list[Detail]:
    dependencies = modules.product_dependencies
    paths = sorted({end for edge in dependencies for end in (edge.source, edge.target)})
    place = {path: number for number, path in enumerate(paths)}
    pairs = sorted({tuple(sorted((place[e.source], place[e.target]))) for e in dependencies})
    vertices, edges = betweenness(len(paths), [(a, b) for a, b in pairs])
    between = len(paths) * (len(paths) - 1) / 2 or 1.0
    rows = [(value / between, path) for path, value in zip(paths, vertices, strict=True)]
    rows += [(value / between, f"{paths[a]} – {paths[b]}") for (a, b), value in zip(pairs, edges, strict=True)]
    rows.sort(key=lambda each: (-each[0], each[1]))
    return [row(f"{share:.0%} {text}") for share, text in rows[:MOST_ROWS] if share >= _LEAST_SHARE]


def cycle_rows(material: Material, modules: Modules) -> list[Detail]:
    rows = [*_module_cycles(modules)]
    for kind, noun, level in (("IMPORTS", "file", "import"), ("CALLS", "function", "call")):
        found = list(_cycles_of(material, kind, f"{noun}s {level} each other"))
        none = row(f"{noun} level: no {noun}s {level} each other in a circle")
        rows += [each for _, each in sorted(found, key=lambda each: -each[0])[:MOST_ROWS]] or [none]
    return rows


def _module_cycles(modules: Modules) -> Iterator[Detail]:
    paths = sorted(modules.product)
    place = {path: number for number, path in enumerate(paths)}
    count = {(edge.source, edge.target): edge.count for edge in modules.product_dependencies}
    pairs = [(place[a], place[b]) for a, b in count]
    groups = [part for part in strong_components(len(paths), pairs) if len(part) > 1]
    if not groups:
        yield row(f"module level: no {modules.level}s need each other in a circle")
    for part in sorted(groups, key=lambda part: (-len(part), part)):
        inside = {paths[number] for number in part}
        both = {
            f"{a} ⇄ {b}": min(n, count[b, a])
            for (a, b), n in count.items()
            if a < b and {a, b} <= inside and (b, a) in count
        }
        said = f"module level: {len(part)} modules need each other by calls, uses or imports"
        named = f"{said}: {shortened(sorted(inside), MOST_NAMES)}"
        closest = "; closest " + shortened([pair for pair, _ in sorted(both.items(), key=lambda p: (-p[1], p[0]))], 3)
        yield row(said, named, f"{named}{closest}") if both else row(said, named)


def _cycles_of(material: Material, kind: str, noun: str) -> Iterator[tuple[int, Detail]]:
    cycles = Cycles(material.graph, kind, minimum=LIKELY, tests=False)  # type: ignore[arg-type]
    for cycle in cycles.found():
        way = [material.graph.catalog.symbol(each) for each in cycle.path.symbol_ids]
        if any(symbol.path not in material.product for symbol in way):
            continue
        name = attrgetter("path" if kind == "IMPORTS" else "name")
        level = "file" if kind == "IMPORTS" else "function"
        said = f"{level} level: {len(cycle.members)} {noun}: {way[0].path}:{way[0].line} {' → '.join(map(name, way))}"
        texts = [said]
        if kind == "IMPORTS":
            texts.append(texts[-1] + _import_times(material, cycles.between(cycle.members)))
        if len(cycle.members) > len(way) - 1:
            every = [name(material.graph.catalog.symbol(each)) for each in cycle.members]
            texts.append(f"{texts[-1]} · all: {shortened(every, MOST_NAMES)}")
        yield len(cycle.members), row(*texts)


def _import_times(material: Material, imports: Sequence[Edge]) -> str:
    times = Counter(_import_time(material, edge) for edge in imports)
    later = " and ".join(f"{times[when]} {when}" for when in (_IN_FUNCTION, _IN_BLOCK) if times[when])
    return f" · {plural(len(imports), 'import')}" + (f", of which {later}" if later else "")


def _import_time(material: Material, edge: Edge) -> str:
    """Return where the first site of an import stands: in a function, in a block of Python, or ""."""
    if not edge.sites:
        return ""
    path, line = edge.sites[0].path, edge.sites[0].line
    around = (s for s in material.graph.catalog.in_file(path) if s.kind in CALLABLE_KINDS)
    if any(line in symbol.span.lines for symbol in around):
        return _IN_FUNCTION
    if material.sources[path].language != "python":
        return ""
    above = reversed(material.text(path, 1, line).split("\n"))
    begins = next((text for text in above if text[:1].strip()), "import")  # the statement that is not indented
    return "" if re.match(r"from\b|import\b|\)", begins) else _IN_BLOCK


def tested_rows(material: Material, modules: Modules) -> list[Detail]:
    tests = _tests(material, modules)
    order = sorted(tests, key=lambda place: (-tests[place].total(), place))
    rows = []
    for place in order[:MOST_ROWS]:
        used = tests[place]
        rows.append(row(*(f"{place}: {used.total()}, {counted(used, most)}" for most in (1, NAMED))))
    unused = [each.path for each in modules.found if each.path in modules.product - tests.keys() and each.symbols]
    if tests and unused:
        rows.insert(0, row(f"named by no test, but perhaps reached through others: {shortened(unused, NAMED)}"))
    return rows


def _tests(material: Material, modules: Modules) -> Mapping[str, Counter[str]]:
    """Return module → test file → number of its tests with a certain edge into the module."""
    edges, symbols, tests = material.graph.edges, material.graph.catalog.symbols, material.tests
    pairs = {
        (tests[source], modules.place(symbols[target].path))
        for source, target, sure in zip(edges.source, edges.target, edges.confidence, strict=True)
        if source in tests and sure >= LIKELY - 1e-6 and symbols[target].path in material.product
    }
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for source, place in sorted(pairs):
        found[place][symbols[source].path] += 1
    return found


_ENTRIES: Final = ("main", "script", "module", "registered")


def sections(material: Material, summary: WorkspaceSummary) -> Iterator[tuple[str, float, Sequence[Detail]]]:
    """Yield title, weight and rows of each section, the most important row first."""
    modules, centre, interface = Modules(material), Centre(material), Interface(material)
    calls = MainCalls(material)
    said, path = modules.readme("")
    yield "Purpose", 3.0, [row(f"{path}: {said}")] if said else []
    yield "First example (what the first code of the documentation uses)", 4.0, interface.shown_rows()
    reached, every = calls.share
    leads = f"it leads to {reached:,} of {every:,} functions"
    main = reached >= _MAIN_SHARE * every
    name = "Main calls" if main else "Calls from the first step"
    yield f"{name} ({leads}; an earlier step calls or passes on each)", 3.0 if main else 1.0, calls.rows()
    about = [step.symbol for step in calls.steps]
    yield "Centre (types that most of the code uses, and that use most of it)", 3.0, centre.rows(about)
    yield "Build units (→ needs, with the number of certain edges)", 1.0, modules.unit_rows()
    title = f"Modules ({modules.level}s, of a library unless said otherwise; → needs, with the number of certain edges)"
    yield title, 3.0, modules.rows(summary.skipped_files)
    title = "Outlines (★★★ the most important files; with the number of users of each definition)"
    yield title, 2.0, modules.outline_rows()
    yield "Entry points", 1.0, _entry_rows(material)
    yield "To call (public functions and types)", 1.0, interface.call_rows()
    title = "To implement (interfaces, base classes, types of functions)"
    yield title, 1.0, interface.implement_rows()
    yield "Errors", 0.5, interface.error_rows()
    yield "Variables (containers and shared objects first, private ones too)", 0.5, interface.variable_rows()
    yield "Needed by most others (PageRank)", 0.5, hub_rows(material)
    yield "Bridges (share of the pairs of modules whose shortest path they are on)", 0.5, bridge_rows(modules)
    yield "Cycles (of the modules of this map, of imports between files, of calls)", 1.0, cycle_rows(material, modules)
    yield "Tests (modules by the number of tests that use them directly)", 1.0, tested_rows(material, modules)


def _entry_rows(material: Material) -> list[Detail]:
    """Return a row for each entry point; one row for all that have the same reason, if there are many."""
    same: dict[str, list[Symbol]] = defaultdict(list)
    for entry in entry_points(material.graph, material.evidence, _ENTRIES):
        symbol = material.graph.catalog.symbol(entry.symbol_id)
        if symbol.path in material.product:
            same[entry.reason].append(symbol)
    rows = []
    for reason, symbols in same.items():
        if len(symbols) <= NAMED:
            rows += [symbol_row(symbol, reason) for symbol in symbols]
        else:
            rows.append(row(f"{shortened([symbol.path for symbol in symbols], MOST_NAMES)} — {reason}"))
    return rows[:MOST_ROWS]


_NUMBERED: Final = ("Main calls", "Calls from")  # sections whose rows name earlier ones: they end at a missing row
_LEVELS: Final = (0.6, 0.9, 1.0, 1.05)  # share of a row's value at each level of detail


def map_of(material: Material, summary: WorkspaceSummary, description: Description, budget: Budget) -> Pack:
    filled = [(title, weight, rows) for title, weight, rows in sections(material, summary) if rows]
    form, count = FORMS[budget.form], budget.counter.count
    headings = {title: count(document.heading(form, title, "")) for title, _, _ in filled}
    rows = [(title, weight / n, n, each) for title, weight, listed in filled for n, each in enumerate(listed, 1)]
    items = [
        [
            knapsack.Level(value * _LEVELS[level], {(title, n): count(form.row(Row(0, text)))})
            for level, text in enumerate(texts)
        ]
        for title, value, n, texts in rows
    ]

    def made(room: int) -> Pack:
        shown: dict[str, list[Row]] = defaultdict(list)
        missing: Counter[str] = Counter()
        for (title, _, _, texts), level in zip(rows, knapsack.choose(items, room, headings), strict=True):
            name = title.partition(" (")[0].lower()
            if level >= 0 and not (missing[name] and title.startswith(_NUMBERED)):
                shown[title].append(Row(0, texts[level]))
            else:
                missing[name] += 1
        written = [Section(title, "", tuple(texts)) for title, texts in shown.items()]
        left = f"Left out: {counts(+missing)}" if +missing else ""
        notes = [note for note in (left, *description.notes) if note]
        return made_pack(description, budget, about, written, notes)

    about = f"{counts(summary.files)} files; {plural(sum(summary.symbols.values()), 'symbol')}"
    return fitted(made, budget)
