"""code-review-graph, built and asked once, in an environment that has code-review-graph and nothing of ours.

usage: PYTHON build_code_review_graph.py FOLDER QUESTION [pairs]

Builds the graph of FOLDER, a git repository, in FOLDER itself, and prints a line of JSON when the question is answered,
and a second one with every call when `pairs` is given.
"""

import importlib.metadata
import json
import os
import sys
import tempfile
from pathlib import Path

# its registry of repositories would land in the user's home
os.environ["HOME"] = tempfile.mkdtemp(prefix="code-review-graph-")

from code_review_graph.graph import GraphStore
from code_review_graph.incremental import get_db_path
from code_review_graph.search import hybrid_search
from code_review_graph.tools.build import build_or_update_graph

CALLS = """
    SELECT DISTINCT source_qualified, target_qualified FROM edges
    WHERE kind = 'CALLS' AND target_resolution = 'direct'
"""


def main() -> None:
    folder, question = sys.argv[1:3]
    built = build_or_update_graph(full_rebuild=True, repo_root=folder, postprocess="minimal")
    store = GraphStore(get_db_path(Path(folder)))
    hits = hybrid_search(store, question, limit=10)
    calls = store._conn.execute(CALLS).fetchall()
    figures = {
        "version": importlib.metadata.version("code-review-graph"),
        "at": ["answer", "graph"],
        "hits": len(hits),
        "files": built["files_parsed"],
        "symbols": built["total_nodes"],
        "calls": len(calls),
        "unresolved": store.count_edges_by_resolution("CALLS").get("unresolved", 0),
    }
    print(json.dumps(figures), flush=True)
    if sys.argv[3:] == ["pairs"]:
        root = str(Path(folder).resolve()) + os.sep
        print(json.dumps({"pairs": [[name.removeprefix(root) for name in row] for row in calls]}), flush=True)


if __name__ == "__main__":
    main()
