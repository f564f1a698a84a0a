"""semble's chunks for a report, in an environment that has semble and nothing of ours.

usage: PYTHON semble_chunks.py FOLDER MODEL TOKENS… < REPORT (PYTHON has tiktoken, too)

Prints, as one line of JSON, one text for each number of tokens: the best chunks that semble finds for the report, as
many as the budget holds by cl100k_base, in the order of files and lines. Chunks that touch are joined, so that a
function which semble cut in two is whole when both halves are there.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

# its cache would spare it work that is measured; its statistics would land in the user's home
os.environ["XDG_CACHE_HOME"] = os.environ["HOME"] = tempfile.mkdtemp(prefix="semble-")

import tiktoken
from semble import SembleIndex

CHUNKS = 400  # more than 16,000 tokens hold


def joined(chunks):
    """Return the text of chunks, those of one file that touch joined below one heading."""
    parts, path, last = [], None, 0
    for chunk in sorted(chunks, key=lambda each: (each.file_path, each.start_line)):
        lines = chunk.content.rstrip("\n").split("\n")
        if chunk.file_path != path or chunk.start_line > last + 1:
            parts.append(f"\n## {chunk.file_path}:{chunk.start_line}")
            path, last = chunk.file_path, chunk.start_line - 1
        parts += lines[max(0, last + 1 - chunk.start_line) :]
        last = max(last, chunk.end_line)
    return "\n".join(parts).lstrip("\n") + "\n"


def main() -> None:
    encoding = tiktoken.get_encoding("cl100k_base")
    index = SembleIndex.from_path(Path(sys.argv[1]), model_path=sys.argv[2])
    hits = index.search(sys.stdin.read(), top_k=CHUNKS)
    texts = []
    for budget in map(int, sys.argv[3:]):
        chosen: list = []
        for hit in hits:
            if len(encoding.encode(joined([*chosen, hit.chunk]), disallowed_special=())) > budget:
                break
            chosen.append(hit.chunk)
        texts.append(joined(chosen) if chosen else "")
    print("\n" + json.dumps(texts))


if __name__ == "__main__":
    main()
