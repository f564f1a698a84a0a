"""CodeGraphContext, built and asked once, in an environment that has codegraphcontext and nothing of ours.

usage: PYTHON build_codegraphcontext.py FOLDER QUESTION

Builds the graph of FOLDER in a database of its own and prints a line of JSON when the question is answered. It finds
grammars only over a network, unless tree-sitter-language-pack 0.13 is installed in the place of the version it wants.
"""

import contextlib
import importlib.metadata
import io
import json
import os
import sys
import tempfile

# its database and its settings would land in the user's home
os.environ["HOME"] = tempfile.mkdtemp(prefix="codegraphcontext-")

from codegraphcontext.cli import cli_helpers

FILES = "MATCH (f:File) RETURN count(f)"
SYMBOLS = "MATCH (f:Function) RETURN count(f) UNION ALL MATCH (c:Class) RETURN count(c)"
CALLS = "MATCH (a)-[:CALLS]->(b) RETURN count(DISTINCT [a.uid, b.uid])"


def main() -> None:
    folder, question = sys.argv[1:]
    with contextlib.redirect_stdout(io.StringIO()):
        cli_helpers.index_helper(folder, no_progress=True)
        database, _, finder, _ = cli_helpers._initialize_services()
        found = finder.find_related_code(question, fuzzy_search=False, edit_distance=2)
        with database.get_driver().session() as session:

            def total(query: str) -> int:
                return sum(next(iter(dict(row).values())) for row in session.run(query))

            figures = {
                "version": importlib.metadata.version("codegraphcontext"),
                "at": ["answer", "graph"],
                "hits": len(found["ranked_results"]),
                "files": total(FILES),
                "symbols": total(SYMBOLS),
                "calls": total(CALLS),
            }
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
