"""Calls that code-review-graph finds in FOLDER, a git repository.

usage: PYTHON edges_code_review_graph.py FOLDER

PYTHON has code-review-graph and nothing of ours. Prints what `peer_graphs` reads; its database is left in FOLDER.
"""

import contextlib
import importlib.metadata
import io
import json
import sqlite3
import sys
from pathlib import Path

from code_review_graph.incremental import get_db_path
from code_review_graph.tools.build import build_or_update_graph

CALLS = """
    SELECT e.file_path, s.kind, s.line_start, t.file_path, t.line_start, t.name, e.line, e.confidence
    FROM edges e JOIN nodes t ON t.qualified_name = e.target_qualified
    LEFT JOIN nodes s ON s.qualified_name = e.source_qualified WHERE e.kind = 'CALLS'
"""


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    with contextlib.redirect_stdout(io.StringIO()):
        build_or_update_graph(full_rebuild=True, repo_root=str(root), postprocess="minimal")
    database = sqlite3.connect(get_db_path(root))

    def inside(path: str) -> str:
        return Path(path).relative_to(root).as_posix() if Path(path).is_absolute() else path

    edges = [
        [inside(path), 0 if kind in (None, "File") else line, inside(target), start, name, site, sure]
        for path, kind, line, target, start, name, site, sure in database.execute(CALLS)
    ]
    print(json.dumps({"version": importlib.metadata.version("code-review-graph"), "edges": edges}))


if __name__ == "__main__":
    main()
