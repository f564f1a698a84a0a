"""Uses that pyan finds in the Python files of FOLDER.

usage: PYTHON edges_pyan.py FOLDER

PYTHON has pyan3 and nothing of ours. It has uses of functions and classes, of which calls are a part, and no lines of
calls. Prints what `peer_graphs` reads.
"""

import importlib.metadata
import json
import sys
from pathlib import Path

from pyan.analyzer import CallGraphVisitor


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    visitor = CallGraphVisitor([str(path) for path in sorted(root.rglob("*.py"))], root=str(root))
    edges = []
    for caller, callees in visitor.uses_edges.items():
        for callee in callees:
            places = [node.ast_node for node in (caller, callee)]
            if caller.filename and callee.filename and getattr(places[1], "lineno", 0):
                paths = [Path(node.filename).resolve().relative_to(root).as_posix() for node in (caller, callee)]
                line = getattr(places[0], "lineno", 0)
                edges.append([paths[0], line, paths[1], places[1].lineno, callee.name, 0, 1.0])
    print(json.dumps({"version": importlib.metadata.version("pyan3"), "edges": edges}))


if __name__ == "__main__":
    main()
