"""Calls that CodeGraph (npm: @colbymchenry/codegraph) finds in FOLDER.

usage: PYTHON edges_codegraph.py FOLDER COMMAND

COMMAND is its executable. Prints what `peer_graphs` reads; its database is left in FOLDER.
"""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

CALLS = """
    SELECT s.file_path, s.kind, s.start_line, t.file_path, t.start_line, t.name, e.line, e.metadata
    FROM edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target
    WHERE e.kind IN ('calls', 'instantiates')
"""


def main() -> None:
    folder, command = sys.argv[1:3]
    quiet = {"env": {**os.environ, "CODEGRAPH_TELEMETRY": "0", "DO_NOT_TRACK": "1"}}
    subprocess.run([command, "init", folder], check=True, capture_output=True, stdin=subprocess.DEVNULL, **quiet)
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True, **quiet).stdout.strip()
    database = sqlite3.connect(Path(folder) / ".codegraph" / "codegraph.db")
    edges = [
        [path, 0 if kind == "file" else line, target, start, name, site, json.loads(more or "{}").get("confidence", 1)]
        for path, kind, line, target, start, name, site, more in database.execute(CALLS)
    ]
    print(json.dumps({"version": version, "edges": edges}))


if __name__ == "__main__":
    main()
