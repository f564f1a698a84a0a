"""One process for a long time: random questions and edits, the memory along the way, answers beside a cold load.

usage: python benchmarks/soak.py [PATH] [--queries N] [--edits N] [--checks N] [--files N] [--seed N] [--later]
           [--json OUT]

PATH (default: the installed networkx) is copied, at most `--files` of its source files, and edited there; after each
edit comes a refresh and some questions. At each check another process loads the files from nothing, and both must tell
the same symbols, chunks, edges and answers. The memory is that of this process after a collection of garbage; level
after the first fifth, as caches are full by then, is what it should keep. With --later, each refresh leaves the graph
for later, and for each kind of edit it is counted how many new edges were told at once, how many that went still stood,
and how many of all were missing or wrong beside the settled graph; the last of each kind are shown.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import psutil
from random_edits import Editor, copied_for_edits, silent

from codeexplore import CodeExploreError, Workspace
from codeexplore.answers.html.writer import shown_html
from codeexplore.types.settings import RESOLVED_CONFIDENCE

COMPARED = 20
"""Questions that are compared at each check."""


def digest(ws: Workspace, questions: list[str]) -> dict[str, str]:
    """What a workspace tells, hashed part by part."""
    parts: dict[str, Any] = {
        "files": ws.files,
        "symbols": tuple(ws.catalog.symbols),
        "chunks": tuple(ws.catalog.chunks),
        "edges": list(ws.graph.edges),
        "unresolved": list(ws.graph.unresolved),
        "externals": list(ws.graph.externals),
    }
    for question in questions:
        found = ws.search(question, timeout=60.0).result
        rankings = [(each.lane, each.hits, each.status) for each in found.rankings]
        parts[f"? {question}"] = (found.plan, found.hits, rankings)
    return {name: hashlib.sha256(repr(part).encode("utf-8", "replace")).hexdigest() for name, part in parts.items()}


class Asker:
    """Asks random questions of every kind about what is there."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.refused = 0

    def question(self, ws: Workspace) -> str:
        """A question in words, or for a name, or for a relation."""
        chance, symbols, chunks = self.chance, ws.catalog.symbols, ws.catalog.chunks
        name = symbols[chance.randrange(len(symbols))].name
        words = chunks[chance.randrange(len(chunks))].text.split()
        some = " ".join(chance.sample(words, min(len(words), chance.randint(2, 7))))
        forms = (
            name,
            f"what calls {name}?",
            f"impact of {name}",
            f"where is {some}",
            f"{name} {some}",
            name[:-1] or "x",
        )
        return chance.choice(forms)

    def ask(self, ws: Workspace) -> None:
        """One question; what a workspace refuses in words is counted."""
        chance = self.chance
        symbol = ws.catalog.symbols[chance.randrange(len(ws.catalog.symbols))]
        other = ws.catalog.symbols[chance.randrange(len(ws.catalog.symbols))]
        ways = (
            *[lambda: repr(ws.search(self.question(ws), top_k=chance.choice([1, 10, 50])))] * 6,
            lambda: ws.callers(symbol, depth=chance.randint(1, 3)),
            lambda: ws.callees(symbol, depth=2),
            lambda: ws.impact(symbol),
            lambda: ws.paths(symbol, other),
            lambda: ws.related(symbol),
            lambda: ws.grep(symbol.name),
            lambda: (ws.source(symbol), ws.outline(symbol.path)),
            lambda: shown_html(ws.search(self.question(ws))),
        )
        try:
            chance.choice(ways)()
        except CodeExploreError:
            self.refused += 1


def level() -> dict[str, float]:
    """State of the process: MB resident and its own, objects the collector knows, threads, open files."""
    gc.collect()
    me = psutil.Process()
    memory = me.memory_full_info()
    return {"rss_mb": memory.rss / 1e6, "uss_mb": memory.uss / 1e6, "objects": len(gc.get_objects()),
            "threads": me.num_threads(), "files": me.num_fds() if hasattr(me, "num_fds") else 0}  # fmt: skip


class Later:
    """How far the edges that an edit brings at once agree with those that follow."""

    def __init__(self) -> None:
        self.count: dict[str, Counter[str]] = defaultdict(Counter)
        self.examples: dict[tuple[str, str, str], str] = {}  # kind of edit, what, rule → the last edge

    def refresh(self, ws: Workspace, kind: str) -> None:
        """Take an edit in, and compare what is told at once with what is told in the end."""
        before = self._edges(ws)
        ws.refresh(graph="background", progress=silent)
        told = self._edges(ws)
        moved = ws.graph_pending
        if not ws.wait_for_graph():
            raise SystemExit(f"after an edit of kind {kind} the graph was not resolved")
        right = self._edges(ws)
        new, gone = right.keys() - before.keys(), before.keys() - right.keys()
        missing, wrong = right.keys() - told.keys(), told.keys() - right.keys()
        self.count[kind].update(
            edits=1, moving=int(bool(moved)), edges=len(right), new=len(new), found=len(new) - len(new & missing),
            gone=len(gone), stale=len(gone & wrong), missing=len(missing), wrong=len(wrong),
        )  # fmt: skip
        for what, keys, rules in (("missing", missing, right), ("wrong", wrong, told)):
            for key in sorted(keys):
                self.examples[kind, what, f"{key[2]} {rules[key]}"] = f"{key[0]} → {key[1]}"

    def _edges(self, ws: Workspace) -> dict[tuple[str, str, str], str]:
        return {(e.source, e.target, e.kind): e.rule for e in ws.graph.edges if e.confidence >= RESOLVED_CONFIDENCE}

    def show(self) -> None:
        """A row for each kind of edit, and the last edge of each kind that differed."""
        columns = ("edits", "moving", "edges", "new", "found", "gone", "stale", "missing", "wrong")
        print(f"{'edit':>10}" + "".join(f"{name:>10}" for name in columns))
        for kind, count in sorted(self.count.items()):
            print(f"{kind:>10}" + "".join(f"{count[name]:>10,}" for name in columns))
        for (kind, what, rule), edge in sorted(self.examples.items()):
            print(f"  {kind}: {what} {rule}: {edge}")


def compared(ws: Workspace, root: Path, questions: list[str]) -> list[str]:
    """The parts that differ from what another process loads from nothing."""
    command = [sys.executable, __file__, str(root), "--digest"]
    told = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, check=True)
    fresh = json.loads(told.stdout)
    return [name for name, value in digest(ws, questions).items() if fresh[name] != value]


def soak(root: Path, queries: int, edits: int, checks: int, seed: int, later: Later | None = None) -> dict[str, Any]:
    """Ask, edit and compare; what was counted."""
    ws = Workspace(root, cache=False, workers=0, progress=silent)
    editor, asker = Editor(root, seed), Asker(seed)
    kinds: dict[str, int] = {}
    levels, wrong = [level() | {"edits": 0, "queries": 0}], list[str]()
    asked, started = 0, time.process_time()
    print(f"{len(ws.files)} files, {len(ws.catalog.symbols):,} symbols, {len(ws.catalog.chunks):,} chunks")
    print(f"{'edits':>6}{'queries':>9}{'rss MB':>9}{'own MB':>9}{'objects':>11}{'threads':>9}{'open':>6}{'wrong':>7}")
    for turn in range(1, edits + 1):
        kind = editor.edit()
        kinds[kind] = kinds.get(kind, 0) + 1
        if later is None:
            ws.refresh(progress=silent)
        else:
            later.refresh(ws, kind)
        while asked < queries * turn // edits:
            asker.ask(ws)
            asked += 1
        if turn % max(edits // checks, 1) == 0:
            differing = compared(ws, root, [asker.question(ws) for _ in range(COMPARED)])
            wrong += [f"after {turn} edits: {name}" for name in differing]
            now = level() | {"edits": turn, "queries": asked}
            levels.append(now)
            print(f"{turn:>6}{asked:>9,}{now['rss_mb']:>9.1f}{now['uss_mb']:>9.1f}{now['objects']:>11,}"
                  f"{now['threads']:>9}{now['files']:>6}{len(wrong):>7}", flush=True)  # fmt: skip
    return {"files": len(ws.files), "queries": asked, "edits": edits, "kinds": kinds, "refused": asker.refused,
            "compared": (len(levels) - 1) * (COMPARED + 6), "wrong": wrong, "levels": levels,
            "cpu": time.process_time() - started}  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("path", nargs="?", type=Path)
    arguments.add_argument("--queries", type=int, default=10_000)
    arguments.add_argument("--edits", type=int, default=1_000)
    arguments.add_argument("--checks", type=int, default=20)
    arguments.add_argument("--files", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--later", action="store_true")
    arguments.add_argument("--digest", action="store_true", help=argparse.SUPPRESS)
    arguments.add_argument("--json", type=Path, metavar="OUT")
    options = arguments.parse_args()
    if options.digest:
        ws = Workspace(options.path, cache=False, workers=0, progress=silent)
        print(json.dumps(digest(ws, json.load(sys.stdin))))
        return
    later = Later() if options.later else None
    with copied_for_edits(options.path, options.files) as root:
        result = soak(root, options.queries, options.edits, options.checks, options.seed, later)
    levels = result["levels"]
    settled = levels[max(len(levels) // 5, 1)]
    print(f"{result['queries']:,} queries and {result['edits']:,} edits ({result['cpu']:.0f} s of processor time): "
          f"{len(result['wrong'])} of {result['compared']} compared parts wrong; "
          f"{settled['rss_mb']:.0f} MB after the first fifth, {levels[-1]['rss_mb']:.0f} MB at the end")  # fmt: skip
    for line in result["wrong"][:20]:
        print(" ", line)
    if later is not None:
        later.show()
        result["background"] = {kind: dict(count) for kind, count in later.count.items()}
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
