"""Tables taken apart by family, renumbered and joined: what resolving everything gives, row by row."""

from __future__ import annotations

import numpy as np
import pytest

from codeexplore.graph.merge import RowMap, joined, piece_of, remap
from codeexplore.graph.model import CodeGraph
from codeexplore.graph.tables import Resolution
from codeexplore.languages.registry import family_of
from codeexplore.types import Edge, Site
from tests.graph_sources import graph_of

SOURCES = {
    "a.py": "import json\nfrom z import last\n\ndef first(x):\n    json.loads(x)\n    x.nowhere(1)\n    last()\n"
            "    last()\n",
    "b.js": "import fs from 'fs'\nimport { two } from './d'\n"
            "export function one(x) { fs.read(x); x.nothing(); two() }\n",
    "c.go": 'package m\n\nimport "fmt"\n\nfunc Go(x T) { fmt.Println(x); x.Never(); Stop() }\n'
            "func Stop() { Go(nil) }\n",
    "d.ts": "export function two(): void { two() }\n",
    "README.md": "# a title\n",
    "z.py": "def last(): first(1)\ndef spare(f): f.other()\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def graph() -> CodeGraph:
    return graph_of(SOURCES)


def same(graph: CodeGraph) -> RowMap:
    return RowMap(np.arange(len(graph.catalog.symbols)), np.arange(len(graph.edges.paths)))


def again(graph: CodeGraph, how: RowMap, ids: list[str], paths: list[str]) -> Resolution:
    return joined([remap(piece_of(graph), how)], ids, paths, ["told"])


def told(tables: Resolution | CodeGraph) -> tuple[object, ...]:
    return list(tables.edges), list(tables.unresolved), list(tables.externals)


def test_a_family_each(graph: CodeGraph) -> None:
    families = [family_of(symbol.language) for symbol in graph.catalog.symbols]
    order = list(dict.fromkeys(families))
    assert len(order) == 4  # Python, the scripts, Go, texts
    assert family_of("javascript") == family_of("tsx") != family_of("python") != family_of("markdown") == ""
    pieces = [remap(piece_of(graph), same(graph), np.array(families) == family) for family in order]
    ids, paths = graph.catalog.symbols.ids, graph.edges.paths
    whole = joined(pieces, ids, paths, ["told"])
    assert told(whole) == told(graph)
    assert whole.notes == ("told",)
    for name in ("edges", "unresolved", "externals"):
        made, known = getattr(whole, name).columns(), getattr(graph, name).columns()
        assert [(key, getattr(made[key], "typecode", "")) for key in made] == [
            (key, getattr(known[key], "typecode", "")) for key in known
        ]
    assert all(len(list(told(joined([piece], ids, paths, ()))[0])) < len(graph.edges) for piece in pieces)


def test_one_piece_that_nothing_moved_shares_its_columns(graph: CodeGraph) -> None:
    whole = again(graph, same(graph), graph.catalog.symbols.ids, graph.edges.paths)
    assert told(whole) == told(graph)
    assert whole.edges.columns()["site"] is graph.edges.columns()["site"]


def test_what_went_takes_its_edges_with_it_and_the_rest_has_new_places(graph: CodeGraph) -> None:
    ids, paths = list(graph.catalog.symbols.ids), list(graph.edges.paths)
    gone = "b.js"
    kept = [symbol.path != gone for symbol in graph.catalog.symbols]
    rows = np.where(kept, np.cumsum(kept) - 1, -1)
    files = np.array(
        [-1 if path == gone else number - (number > paths.index(gone)) for number, path in enumerate(paths)]
    )
    lines = {paths.index("a.py"): np.arange(9) + 3, paths.index("c.go"): np.arange(3)}
    made = again(
        graph, RowMap(rows, files, lines),
        [each for each, stays in zip(ids, kept, strict=True) if stays], [path for path in paths if path != gone],
    )  # fmt: skip

    def place(site: Site) -> Site:
        return Site(site.path, site.line + 3 if site.path == "a.py" else min(site.line, 2) if site.path == "c.go"
                    else site.line)  # fmt: skip

    staying = {each for each, stays in zip(ids, kept, strict=True) if stays}
    expected = [
        Edge(e.source, e.target, e.kind, e.manner, e.rule, e.confidence, tuple(map(place, e.sites)), e.in_test)
        for e in graph.edges if {e.source, e.target} <= staying
    ]  # fmt: skip
    assert 0 < len(expected) < len(graph.edges)
    assert list(made.edges) == expected
    assert [(u.source, u.name, u.site) for u in made.unresolved] == [
        (u.source, u.name, place(u.site)) for u in graph.unresolved if u.source in staying
    ]
    assert "json.loads" in made.externals
    assert not {use.name for use in made.externals} & {"fs.read", "fs"}


def test_nothing_joins_to_nothing() -> None:
    empty = graph_of({})
    whole = joined([piece_of(empty), piece_of(empty)], [], [], [])
    assert told(whole) == told(empty) == ([], [], [])
