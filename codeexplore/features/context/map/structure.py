"""Structure of the map: the most needed symbols, bridges between modules, and cycles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from codeexplore.answers.wording import plural
from codeexplore.features.context.map.material import CERTAIN
from codeexplore.features.context.map.rows import MOST_NAMES, MOST_ROWS, Detail, row, symbol_row
from codeexplore.graph.model import betweenness, strong_components
from codeexplore.graph.surveys import Cycles, hubs
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from codeexplore.features.context.map.material import Material
    from codeexplore.features.context.map.modules import Modules
    from codeexplore.types import Edge

_LEAST_USERS: Final = 3  # of a symbol that "most others" need
_LEAST_SHARE: Final = 0.005  # a bridge below it would be shown as 0%
_IN_FUNCTION: Final = "inside functions"
_IN_BLOCK: Final = "in a block such as if TYPE_CHECKING"


def hub_rows(material: Material) -> list[Detail]:
    """Return the symbols of the product with the highest PageRank, with the number of their users."""
    found = hubs(material.graph, MOST_ROWS, sorted(CALLABLE_KINDS | TYPE_KINDS), tests=False)
    rows = [(material.graph.catalog.symbol(hub.symbol_id), hub) for hub in found]
    return [
        symbol_row(symbol, f"{plural(hub.users, 'user')} in {plural(hub.files, 'file')}")
        for symbol, hub in rows
        if symbol.path in material.product and hub.users >= _LEAST_USERS and material.tour.is_last(symbol)
    ]


def bridge_rows(modules: Modules) -> list[Detail]:
    """Return the product's modules and dependencies by their share of the shortest paths between its modules."""
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


# --------------------------------------------------------------------------- cycles


def cycle_rows(material: Material, modules: Modules) -> list[Detail]:
    """Return the cycles of the product by their level: modules of the map, imports between files, calls."""
    rows = [*_module_cycles(modules)]
    for kind, noun, level in (("IMPORTS", "file", "import"), ("CALLS", "function", "call")):
        found = list(_cycles_of(material, kind, f"{noun}s {level} each other"))
        none = row(f"{noun} level: no {noun}s {level} each other in a circle")
        rows += [each for _, each in sorted(found, key=lambda each: -each[0])[:MOST_ROWS]] or [none]
    return rows


def _module_cycles(modules: Modules) -> Iterator[Detail]:
    """Yield a row for each group of modules that need each other, the largest first."""
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
    cycles = Cycles(material.graph, kind, minimum=CERTAIN, tests=False)  # type: ignore[arg-type]
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
    """Return a clause with the number of imports that do not run when their module is imported, or not always."""
    times = Counter(_import_time(material, edge) for edge in imports)
    later = " and ".join(f"{times[when]} {when}" for when in (_IN_FUNCTION, _IN_BLOCK) if times[when])
    return f" · {plural(len(imports), 'import')}" + (f", of which {later}" if later else "")


def _import_time(material: Material, edge: Edge) -> str:
    """Return where the first site of an import stands: in a function, in a block of Python, or ""."""
    if not edge.sites:
        return ""
    path, line = edge.sites[0].path, edge.sites[0].line
    around = (s for s in material.graph.catalog.in_file(path) if s.kind in CALLABLE_KINDS)
    if any(symbol.span.start_line <= line <= symbol.span.end_line for symbol in around):
        return _IN_FUNCTION
    if material.sources[path].language != "python":
        return ""
    above = reversed(material.sources[path].text.split("\n")[:line])
    begins = next((text for text in above if text[:1].strip()), "import")  # the statement that is not indented
    return "" if re.match(r"from\b|import\b|\)", begins) else _IN_BLOCK
