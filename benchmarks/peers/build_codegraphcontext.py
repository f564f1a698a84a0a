"""CodeGraphContext, built and asked once, in an environment that has codegraphcontext and nothing of ours.

usage: PYTHON build_codegraphcontext.py FOLDER QUESTION [pairs]

Builds the graph of FOLDER in a database of its own and prints a line of JSON when the question is answered,
and a second one with every call when `pairs` is given. It finds
grammars only over a network, unless tree-sitter-language-pack 0.13 is installed in the place of the version it wants.
"""

import contextlib
import importlib.metadata
import io
import json
import os
import sys
import tempfile
from pathlib import Path

# its database and its settings would land in the user's home
os.environ["HOME"] = tempfile.mkdtemp(prefix="codegraphcontext-")

from codegraphcontext.cli import cli_helpers

FILES = "MATCH (f:File) RETURN count(f)"
SYMBOLS = "MATCH (f:Function) RETURN count(f) UNION ALL MATCH (c:Class) RETURN count(c)"
CALLS = "MATCH (a)-[:CALLS]->(b) RETURN DISTINCT a.path, a.name, a.class_context, b.path, b.name, b.class_context"


def main() -> None:
    folder, question = sys.argv[1:3]
    with contextlib.redirect_stdout(io.StringIO()):
        cli_helpers.index_helper(folder, no_progress=True)
        database, _, finder, _ = cli_helpers._initialize_services()
        found = finder.find_related_code(question, fuzzy_search=False, edit_distance=2)
        with database.get_driver().session() as session:

            def total(query: str) -> int:
                return sum(next(iter(dict(row).values())) for row in session.run(query))

            calls = {named(row) for row in session.run(CALLS)}
            figures = {
                "version": importlib.metadata.version("codegraphcontext"),
                "at": ["answer", "graph"],
                "hits": len(found["ranked_results"]),
                "files": total(FILES),
                "symbols": total(SYMBOLS),
                "calls": len(calls),
            }
    print(json.dumps(figures), flush=True)
    if sys.argv[3:] == ["pairs"]:
        root = Path(folder).resolve().as_posix() + "/"
        print(json.dumps({"pairs": [[name.removeprefix(root) for name in pair] for pair in calls]}), flush=True)


def named(row) -> tuple[str, str]:
    """Return caller and callee as PATH::CLASS.NAME."""
    found = dict(row)
    names = []
    for end in "ab":
        path, name, owner = (found[f"{end}.{key}"] for key in ("path", "name", "class_context"))
        names.append(f"{path}::{owner}.{name}" if owner else f"{path}::{'' if name == '<module>' else name}")
    return names[0], names[1]


if __name__ == "__main__":
    main()
