"""semble, asked line by line by search_latency.py, in an environment that has semble and nothing of ours.

usage: PYTHON ask_semble.py FOLDER [MODEL]

Indexes FOLDER without a cache and prints what that took as one line of JSON; then answers each line of JSON on its
input, ``{"query": …, "top_k": …}``, by one line with the milliseconds taken.
"""

import importlib.metadata
import json
import os
import sys
import tempfile
import time
from pathlib import Path

# its cache would spare it the work that is measured; its statistics would land in the user's home
os.environ["XDG_CACHE_HOME"] = os.environ["HOME"] = tempfile.mkdtemp(prefix="semble-")

from semble import SembleIndex
from semble.index.dense import load_model


def main() -> None:
    folder, model = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    load_model(model)
    started, cpu = time.perf_counter(), time.process_time()
    index = SembleIndex.from_path(folder, model_path=model)
    figures = {
        "version": importlib.metadata.version("semble"),
        "seconds": time.perf_counter() - started,
        "cpu_seconds": time.process_time() - cpu,
        "files": index.stats.indexed_files,
        "chunks": index.stats.total_chunks,
    }
    print(json.dumps(figures), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        started, cpu = time.perf_counter(), time.process_time()
        hits = index.search(asked["query"], top_k=asked["top_k"])
        spent = (time.perf_counter() - started) * 1e3
        told = {"at": ["answer"], "ms": spent, "cpu_ms": (time.process_time() - cpu) * 1e3, "hits": len(hits)}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
