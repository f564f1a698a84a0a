"""From a keystroke to rendered rows and the graph: what the engine and rendering take, and the bytes results add.

usage: python benchmarks/explorer.py [PATH] [--repeat N] [--json OUT]

PATH defaults to the running interpreter's standard library, about 1,900 files. Each question is asked of an explorer
(without a browser) as typing would, less the pause that waits for more keys. Wall-clock times suffer from whatever else
the machine does; CPU times, of all threads together, hardly do.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from codeexplore import Workspace
from codeexplore.answers.chain import chain
from codeexplore.answers.drawing.vis_network import drawing_html, still_html
from codeexplore.answers.html.writer import blocks_html, drawn_html, shown_html
from codeexplore.notebook.explorer import Explorer

QUESTIONS = (
    "how are http headers parsed?",
    "what calls getaddrinfo?",
    "JSONDecoder",
    "write rows of a csv file",
    "who implements Protocol?",
    "wait until a subprocess ends, with a timeout",
    "quote shell arguments",
    "dataclass fields default_factory",
)
MOST_ANSWER, MOST_GRAPH = 120_000, 700_000  # bytes that a result may add to a notebook
AIM = 150.0  # ms from a keystroke to rows, the pause not counted


def timed(call: Callable[[], Any], repeat: int) -> tuple[float, float, Any]:
    """Median milliseconds by the wall clock and of processors, and the last result."""
    walls, processors, result = [], [], None
    for _ in range(repeat):
        wall, processor = time.perf_counter(), time.process_time()
        result = call()
        walls.append((time.perf_counter() - wall) * 1e3)
        processors.append((time.process_time() - processor) * 1e3)
    return statistics.median(walls), statistics.median(processors), result


def told(explorer: Explorer, kind: str, **arguments: Any) -> Any:
    """Return the answer to a request of the page."""
    answers: list[Any] = []
    explorer.send = lambda answer, _=None: answers.append(answer)
    explorer._heard(explorer, {"id": "1", "kind": kind, "args": arguments})
    if not answers[-1]["ok"]:
        raise RuntimeError(answers[-1]["error"])
    return answers[-1]


def ask(explorer: Explorer, question: str) -> Any:
    return told(explorer, "search", question=question)


def ask_and_draw(explorer: Explorer, question: str) -> None:
    """Ask, and draw the first view of the call graph too."""
    told(explorer, "graph", symbol=ask(explorer, question)["start"])


def measure(workspace: Workspace, question: str, repeat: int) -> dict[str, Any]:
    """One question's times and sizes."""
    search, search_cpu, answer = timed(lambda: workspace.search(question), repeat)
    rows, rows_cpu, _ = timed(lambda: blocks_html(answer.plain_blocks()), repeat)
    lab, lab_cpu, _ = timed(lambda: (blocks_html(answer.found_blocks()), chain(answer)), repeat)
    explorer = Explorer(workspace)
    whole, _, _ = timed(lambda: ask(explorer, question), repeat)
    drawn, _, _ = timed(lambda: ask_and_draw(explorer, question), repeat)
    selected = explorer.walked.walk.symbol if explorer.walked else workspace.symbols[0]
    explorer.close()
    walk, walk_cpu, graph = timed(lambda: workspace.impact(selected, depth=2), repeat)
    still, still_cpu, _ = timed(lambda: drawn_html(graph, still_html(graph)), repeat)
    return {
        "question": question,
        "search ms": search, "search cpu": search_cpu, "rows ms": rows, "rows cpu": rows_cpu, "lab ms": lab,
        "lab cpu": lab_cpu, "explorer ms": whole, "with graph ms": drawn,
        "walk ms": walk, "walk cpu": walk_cpu, "picture ms": still, "picture cpu": still_cpu,
        "answer kB": len(shown_html(answer).encode()) / 1e3,
        "symbols": len(graph), "still kB": len(drawn_html(graph, still_html(graph)).encode()) / 1e3,
        "live kB": len(drawn_html(graph, drawing_html(graph)).encode()) / 1e3,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", default=sysconfig.get_path("stdlib"))
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="times each question is asked (default 5)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="also write the numbers to a file")
    options = parser.parse_args()
    workspace = Workspace(options.path, progress=lambda *_: None)
    print(f"{workspace.name}: {len(workspace.files):,} files, {len(workspace.symbols):,} symbols")
    ask(Explorer(workspace), "warm up")
    rows = [measure(workspace, question, options.repeat) for question in QUESTIONS]
    columns = [name for name in rows[0] if name != "question"]
    for row in rows:
        print(f"\n{row['question']}")
        print("  " + "  ".join(f"{name} {row[name]:.1f}" for name in columns))
    middle = {name: statistics.median(row[name] for row in rows) for name in columns}
    largest = {name: max(row[name] for row in rows) for name in columns}
    print("\nmedian   " + "  ".join(f"{name} {value:.1f}" for name, value in middle.items()))
    print("largest  " + "  ".join(f"{name} {value:.1f}" for name, value in largest.items()))
    share = middle["search cpu"] + middle["rows cpu"]
    print(f"\nkeystroke to rows: engine {middle['search ms']:.0f} + rendering {middle['rows ms']:.0f} ms "
          f"(CPU {share:.0f} ms); aim {AIM:.0f} ms")  # fmt: skip
    print(f"bytes: an answer at most {largest['answer kB']:.0f} kB (cap {MOST_ANSWER / 1e3:.0f}), "
          f"a live graph at most {largest['live kB']:.0f} kB (cap {MOST_GRAPH / 1e3:.0f})")  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps({"workspace": workspace.name, "rows": rows}, indent=2), "utf-8")


if __name__ == "__main__":
    main()
