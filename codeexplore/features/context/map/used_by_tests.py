"""Modules by the tests that use them directly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from codeexplore.features.context.map.material import CERTAIN
from codeexplore.features.context.map.rows import MOST_ROWS, NAMED, Detail, counted, row
from codeexplore.text.enumeration import shortened

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.features.context.map.modules import Modules


def tested_rows(material: Material, modules: Modules) -> list[Detail]:
    """Return a row for each module of the product that tests use, with at least one test file."""
    tests = _tests(material, modules)
    order = sorted(tests, key=lambda place: (-tests[place].total(), place))
    rows = [
        row(*(f"{place}: {tests[place].total()}, {counted(tests[place], most)}" for most in (1, NAMED)))
        for place in order[:MOST_ROWS]
    ]  # fmt: skip
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
        if source in tests and sure >= CERTAIN - 1e-6 and symbols[target].path in material.product
    }
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for source, place in sorted(pairs):
        found[place][symbols[source].path] += 1
    return found
