"""Calls that repowise finds in FOLDER, a git repository.

usage: PYTHON edges_repowise.py FOLDER COMMAND

COMMAND is its executable. Prints what `peer_graphs` reads; its database is left in FOLDER.
"""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

CALLS = """
    SELECT s.file_path, s.start_line, t.file_path, t.start_line, t.name, e.call_lines_json, e.confidence
    FROM graph_edges e JOIN graph_nodes s ON s.node_id = e.source_node_id JOIN graph_nodes t
    ON t.node_id = e.target_node_id WHERE e.edge_type = 'calls'
"""


def main() -> None:
    folder, command = sys.argv[1:3]
    quiet = {"env": {**os.environ, "DO_NOT_TRACK": "1"}, "stdin": subprocess.DEVNULL}
    index = [command, "init", folder, "-y", "--no-prose", "--mode", "fast", "--no-editor-setup"]
    subprocess.run(index, check=True, capture_output=True, **quiet)
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True, **quiet).stdout
    database = sqlite3.connect(Path(folder) / ".repowise" / "wiki.db")
    edges = [
        [path, line or 0, target, start, name, site, confidence]
        for path, line, target, start, name, sites, confidence in database.execute(CALLS)
        if start
        for site in json.loads(sites or "[]") or [0]
    ]
    print(json.dumps({"version": version.split()[-1], "edges": edges}))


if __name__ == "__main__":
    main()
