"""Resolver of all references: each reference becomes edges to its targets or is stored as unresolved.

Files are grouped by language family, such as JavaScript and TypeScript. Values flow through all files of a family at
once (package `resolution`). When the values are final, each value of a reference becomes an edge. The edge records the
rule that found it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from codeexplore.faults import fault
from codeexplore.gc_pause import gc_paused
from codeexplore.graph.build.edge_writer import EdgeWriter
from codeexplore.graph.build.references import ReferenceEdges
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import EdgeTable, ExternalTable, Resolution, UnresolvedTable
from codeexplore.index.catalog import Catalog
from codeexplore.languages import registry
from codeexplore.languages.file_roles import PathRoles
from codeexplore.resolution.class_hierarchy import MAX_DESCENDANTS
from codeexplore.resolution.language_rules import Rules
from codeexplore.resolution.solve_family import FamilyAnalysis
from codeexplore.resolution.solver import MISSING
from codeexplore.source.manifests import manifests_beside, manifests_of, path_roles
from codeexplore.text.enumeration import shortened
from codeexplore.types import FileFacts

_NAMED = 3
_APART = frozenset({"test", "example", "benchmark"})
"""Roles of files that are separate programs. Their definitions are not visible to other files."""


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
            notes.append(f"{rules.family}: {fault(error)}; {MISSING}")
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
