"""Build the code graph from the facts of all files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from codeexplore.graph.build.resolve import resolve
from codeexplore.graph.model import CodeGraph
from codeexplore.index.catalog import Catalog
from codeexplore.source.manifests import manifests_of
from codeexplore.types import FileFacts


def build_graph(catalog: Catalog, files: Sequence[FileFacts], root: Path | None = None) -> CodeGraph:
    """Resolve every reference and return the graph of the catalog's symbols.

    Parameters
    ----------
    catalog
        Contains every symbol of `files`.
    files
        The facts of every file.
    root
        Folder of the repository. The manifests that name modules are read from it: go.mod, package.json,
        tsconfig.json and Cargo.toml. None reads no manifests.
    """
    rows = {symbol_id: row for row, symbol_id in enumerate(catalog.symbol_ids())}
    manifests = {} if root is None else manifests_of(root, [(facts.path, facts.language) for facts in files])
    return CodeGraph(catalog, resolve(files, rows, manifests))
