"""Sections of the map, and their rows written within a budget."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from codeexplore.answers.wording import counts, plural
from codeexplore.features.context.map.centre import Centre
from codeexplore.features.context.map.interface import Interface
from codeexplore.features.context.map.main_calls import MainCalls
from codeexplore.features.context.map.modules import Modules
from codeexplore.features.context.map.rows import MOST_NAMES, MOST_ROWS, NAMED, Detail, row, symbol_row
from codeexplore.features.context.map.structure import bridge_rows, cycle_rows, hub_rows
from codeexplore.features.context.map.used_by_tests import tested_rows
from codeexplore.features.context.packs import document, knapsack
from codeexplore.features.context.packs.document import FORMS, Page, Row, Section
from codeexplore.features.context.packs.pack import Budget, Description, Pack, fitted
from codeexplore.graph.usage.entry_points import entry_points
from codeexplore.text.enumeration import shortened

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.types import Symbol, WorkspaceSummary

_ENTRIES: Final = ("main", "script", "module", "registered")


def sections(material: Material, summary: WorkspaceSummary) -> Iterator[tuple[str, float, Sequence[Detail]]]:
    """Yield title, weight and rows of each section, the most important row first."""
    modules, centre, interface = Modules(material), Centre(material), Interface(material)
    calls = MainCalls(material)
    yield "Purpose", 3.0, _purpose_rows(modules)
    yield (
        "Main calls (through which most of the code is reached; each step is called or passed on by an earlier one)",
        3.0,
        calls.rows(),
    )
    about = [step.symbol for step in calls.steps]
    yield "Centre (types that most of the code uses, and that use most of it)", 3.0, centre.rows(about)
    yield "Build units (→ needs, with the number of certain edges)", 1.0, modules.unit_rows()
    title = f"Modules ({modules.level}s, of a library unless said otherwise; → needs, with the number of certain edges)"
    yield title, 3.0, modules.rows(summary.skipped_files)
    yield "Entry points", 1.0, _entry_rows(material)
    yield "To call (public functions and types)", 1.0, interface.call_rows()
    yield (
        "To implement (interfaces, base classes, types of functions, functions looked up by name)",
        1.0,
        interface.implement_rows(),
    )
    yield "Errors", 0.5, interface.error_rows()
    yield "Variables (containers and shared objects first, private ones too)", 0.5, interface.variable_rows()
    yield "Needed by most others (PageRank)", 0.5, hub_rows(material)
    yield "Bridges (share of the pairs of modules whose shortest path they are on)", 0.5, bridge_rows(modules)
    yield "Cycles (of the modules of this map, of imports between files, of calls)", 1.0, cycle_rows(material, modules)
    yield "Tests (modules by the number of tests that use them directly)", 1.0, tested_rows(material, modules)


def _purpose_rows(modules: Modules) -> list[Detail]:
    """Return the first sentence of the repository's README as a quotation, if there is one."""
    said, path = modules.readme("")
    return [row(f"{path}: {said}")] if said else []


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


_LEVELS: Final = (0.6, 0.9, 1.0, 1.05)  # share of a row's value at each level of detail


def map_of(material: Material, summary: WorkspaceSummary, description: Description, budget: Budget) -> Pack:
    """Return the map of a repository, cut to fit the budget."""
    filled = [(title, weight, rows) for title, weight, rows in sections(material, summary) if rows]
    form, count = FORMS[budget.form], budget.counter.count
    headings = {title: count(document.heading(form, title, "")) for title, _, _ in filled}
    rows = [
        (title, n, each, knapsack.Item([
            knapsack.Level(weight / n * _LEVELS[level], {(title, n): count(form.row(Row(0, text)))})
            for level, text in enumerate(each.texts)
        ]))
        for title, weight, listed in filled
        for n, each in enumerate(listed, 1)
    ]  # fmt: skip

    def made(room: int) -> Pack:
        chosen = knapsack.choose([item for *_, item in rows], room, headings)
        return _written(rows, chosen, summary, description, budget)

    return fitted(made, budget)


def _written(
    rows: Sequence[tuple[str, int, Detail, knapsack.Item]],
    chosen: Sequence[int],
    summary: WorkspaceSummary,
    description: Description,
    budget: Budget,
) -> Pack:
    shown: dict[str, list[str]] = defaultdict(list)
    missing: Counter[str] = Counter()
    for (title, _, each, _), level in zip(rows, chosen, strict=True):
        if level >= 0:
            shown[title].append(each.texts[level])
        else:
            missing[title.partition(" (")[0]] += 1
    written = tuple(Section(title, "", tuple(Row(0, text) for text in texts)) for title, texts in shown.items())
    left = f"Left out: {counts({title.lower(): n for title, n in missing.items()})}" if missing else ""
    about = f"{counts(summary.files)} files; {plural(sum(summary.symbols.values()), 'symbol')}"
    facts = (("repository", description.name), ("budget", budget.tokens), ("counter", budget.counter.name))
    page = Page(description.title, about, written, tuple(note for note in (left, *description.notes) if note), facts)
    return Pack(page, budget.tokens, budget.counter, budget.form)
