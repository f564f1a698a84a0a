"""Calls that CodeGraphContext finds in FOLDER.

usage: PYTHON edges_codegraphcontext.py FOLDER

PYTHON has codegraphcontext and nothing of ours. It needs tree-sitter-language-pack 0.13, which ships its grammars, in
the place of the version that pip installs, which downloads them. Prints what `peer_graphs` reads.
"""

import contextlib
import importlib.metadata
import io
import json
import sys
from pathlib import Path

from codegraphcontext.cli import cli_helpers

CALLS = "MATCH (a)-[r:CALLS]->(b) RETURN a.path, a.line_number, b.path, b.line_number, b.name, r.line_number"


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    edges = []
    with contextlib.redirect_stdout(io.StringIO()):
        cli_helpers.index_helper(str(root), no_progress=True)
        database = cli_helpers._initialize_services()[0]
        with database.get_driver().session() as session:
            for row in session.run(CALLS):
                path, line, target, start, name, site = dict(row).values()
                if path and target and start:
                    paths = (Path(each).relative_to(root).as_posix() for each in (path, target))
                    edges.append([next(paths), line or 0, next(paths), start, name, site or 0, 1.0])
    print(json.dumps({"version": importlib.metadata.version("codegraphcontext"), "edges": edges}))


if __name__ == "__main__":
    main()
