"""Calls that PyCG finds in the Python files of FOLDER.

usage: PYTHON edges_pycg.py FOLDER

PYTHON has PyCG and nothing of ours. All files are entry points. PyCG tells names, no places: prints pairs of names.
"""

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    files = [str(path) for path in sorted(root.rglob("*.py"))]
    command = [sys.executable, "-m", "PyCG", "--package", str(root), *files]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd="/").stdout
    graph = json.loads(said[said.find("{") :])
    pairs = [[caller, callee] for caller, callees in graph.items() for callee in callees]
    print(json.dumps({"version": importlib.metadata.version("PyCG"), "pairs": pairs}))


if __name__ == "__main__":
    main()
