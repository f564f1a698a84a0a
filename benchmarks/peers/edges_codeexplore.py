"""Calls that codeexplore finds in FOLDER.

usage: PYTHON edges_codeexplore.py FOLDER

Prints what `peer_graphs` reads.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import codeexplore


def main() -> None:
    workspace = codeexplore.Workspace(sys.argv[1], cache=False, workers=0, progress=lambda *_: None)
    symbols = {symbol.id: symbol for symbol in workspace.symbols}
    edges = []
    for edge in workspace.graph.edges:
        if edge.kind == "CALLS" and edge.source in symbols and edge.target in symbols:
            caller, callee = symbols[edge.source], symbols[edge.target]
            start = 0 if caller.kind == "module" else caller.line
            row = [callee.path, callee.line, callee.name]
            edges += [
                [site.path, start, *row, site.line, sure]
                for site, sure in zip(edge.sites, edge.site_confidences, strict=True)
            ]
    print(json.dumps({"version": codeexplore.__version__, "edges": edges}))


if __name__ == "__main__":
    main()
