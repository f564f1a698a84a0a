"""Sections of the map, and their rows written within a budget."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from codeexplore.answers.wording import counts, plural
from codeexplore.features.context.map.centre import Centre, MainCalls
from codeexplore.features.context.map.interface import Interface
from codeexplore.features.context.map.material import MOST_NAMES, MOST_ROWS, NAMED, Detail, counted, row, symbol_row
from codeexplore.features.context.map.modules import Modules
from codeexplore.features.context.packs import document, knapsack
from codeexplore.features.context.packs.document import FORMS, Row, Section
from codeexplore.features.context.packs.pack import Budget, Description, Pack, fitted, made_pack
from codeexplore.graph.model import betweenness, strong_components
from codeexplore.graph.surveys import Cycles, hubs
from codeexplore.graph.usage.entry_points import entry_points
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS
from codeexplore.types.certainty import LIKELY

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.types import Edge, Symbol, WorkspaceSummary

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
