"""Calls that Go's own callgraph (Debian: golang-golang-x-tools) finds in FOLDER.

usage: PYTHON edges_go.py FOLDER COMMAND ALGORITHM

FOLDER's go.mod loses its requirements, so that nothing is downloaded. Prints what `peer_graphs` reads.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

FORMAT = "\t".join(
    (
        "{{.Caller.Prog.Fset.Position .Caller.Pos}}",
        "{{.Callee.Prog.Fset.Position .Callee.Pos}}",
        "{{.Callee.Name}}",
        "{{.Filename}}:{{.Line}}",
    )
)


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    command, algorithm = sys.argv[2:]
    module = (root / "go.mod").read_text("utf-8")
    (root / "go.mod").write_text("\n".join(re.findall(r"^(?:module|go) .+$", module, re.MULTILINE)) + "\n", "utf-8")
    run = [command, f"-algo={algorithm}", f"-format={FORMAT}", "./..."]
    said = subprocess.run(run, check=True, capture_output=True, text=True, cwd=root).stdout

    def place(text: str) -> tuple[str, int]:
        path, line = text.split(":")[:2]
        return Path(path).relative_to(root).as_posix(), int(line)

    edges = []
    for row in said.splitlines():
        caller, callee, name, site = row.split("\t")
        if all(text.startswith(f"{root}/") for text in (callee, site)):
            path, line = place(site)
            edges.append(
                [path, place(caller)[1] if caller.startswith(f"{root}/") else 0, *place(callee), name, line, 1.0]
            )
    version = subprocess.run(["go", "version"], check=True, capture_output=True, text=True).stdout.split()[2]
    print(json.dumps({"version": f"of {version}", "edges": edges}))


if __name__ == "__main__":
    main()
