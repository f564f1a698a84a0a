"""Resolving the references of a repository in one process: processor seconds, and the same by another build.

usage: python benchmarks/resolve.py [PATH] [--against FOLDER] [--rounds N]

PATH defaults to the running interpreter's standard library. Its files are analysed once; then a process of its own
reads what they say and resolves it, N times for each build, in turn. FOLDER holds another build of the package, such
as an unpacked wheel (`make wheel COMPILED=1`). Fails when two runs make different tables.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import pickle
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parents[1]


def analysed(root: Path) -> list[tuple[str, str, list[Any], list[Any]]]:
    """What each file says, as plain data: path, language, facts, symbols."""
    from codeexplore.index.files import plain_facts
    from codeexplore.languages.extraction.expressions import Layout
    from codeexplore.source.discovery import discover
    from codeexplore.source.read import read
    from codeexplore.syntax.analyse import analyse
    from codeexplore.types import SourceFile

    found = discover(root)
    layout = Layout(frozenset(candidate.path for candidate in found.candidates))
    rows = []
    for candidate in found.candidates:
        file = read(found.root, candidate)
        if isinstance(file, SourceFile):
            index = analyse(file, layout)
            rows.append((file.path, file.language, plain_facts(index), list(index.facts.symbols)))
    return rows


def resolve_once(root: Path, kept: Path) -> dict[str, Any]:
    """Read and resolve what was kept, by the package that this process has."""
    from codeexplore.graph.build.resolve import resolve
    from codeexplore.graph.merge import members_of_tables
    from codeexplore.index.cache import form
    from codeexplore.index.files import facts_of
    from codeexplore.source.manifests import manifests_of

    gc.disable()
    with kept.open("rb") as stream:
        rows = pickle.load(stream)  # noqa: S301 - written by the process that started this one
    facts = [facts_of(plain, path, language, tuple(symbols)) for path, language, plain, symbols in rows]
    del rows
    manifests = manifests_of(root, [(each.path, each.language) for each in facts])
    started = time.process_time()
    tables = resolve(facts, manifests=manifests)
    seconds = time.process_time() - started
    digest = hashlib.sha256()
    for name, member in sorted(members_of_tables(tables).items()):
        digest.update(name.encode())
        digest.update(member if isinstance(member, bytes) else member.tobytes())
    return {"form": form(), "seconds": seconds, "peak_mb": _peak(), "tables": digest.hexdigest()[:16]}


def _peak() -> float | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", default=sysconfig.get_path("stdlib"))
    parser.add_argument("--against", metavar="FOLDER", help="another build of the package")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kept", help=argparse.SUPPRESS)
    options = parser.parse_args()
    root = Path(options.path).resolve()
    if options.kept:
        print(json.dumps(resolve_once(root, Path(options.kept))))
        return
    builds = [str(HERE)] + ([str(Path(options.against).resolve())] if options.against else [])
    runs: dict[str, list[dict[str, Any]]] = {build: [] for build in builds}
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "facts"
        kept.write_bytes(pickle.dumps(analysed(root)))
        for _ in range(options.rounds):
            for build in builds:
                command = [sys.executable, "-P", __file__, str(root), "--kept", str(kept)]
                said = subprocess.run(
                    command, env={**os.environ, "PYTHONPATH": build}, check=True, capture_output=True, text=True
                ).stdout
                runs[build].append(json.loads(said))
    first = median(run["seconds"] for run in runs[builds[0]])
    for told in runs.values():
        seconds = median(run["seconds"] for run in told)
        print(f"{told[0]['form']:10} {seconds:6.2f} processor s   {first / seconds:.2f} times as fast   peak "
              f"{told[0]['peak_mb'] or 0:,.0f} MB   tables {told[0]['tables']}")  # fmt: skip
    if len({run["tables"] for told in runs.values() for run in told}) > 1:
        raise SystemExit("the tables differ")


if __name__ == "__main__":
    main()
