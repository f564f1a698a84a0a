"""The explorer's page at full size: a keystroke, an answer, the state that a notebook saves, memory over 200 questions.

usage: python benchmarks/explorer_page.py [PATH] [--questions N]

PATH defaults to the folder of the running interpreter's installed packages. The page runs in a Chromium (CHROMIUM names
one) without a notebook around it: its messages go to an explorer in this process. Times are of processors: of the
page's main thread (script, style, layout and paint, by Chromium's own count) and of this process.
"""

from __future__ import annotations

import argparse
import base64
import gc
import json
import os
import resource
import shutil
import statistics
import sysconfig
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from codeexplore import Workspace
from codeexplore.notebook.explorer import Explorer
from codeexplore.notebook.replies import front_end

MOST_KEY, MOST_PAINT, MOST_STATE = 150, 200, 200_000  # ms, ms, bytes
TYPED = "socketconnection"
PAGE = """async ([code, state]) => {
  const heard = [];
  const model = {
    get: key => state[key], set: (key, value) => { state[key] = value; }, save_changes() {},
    on: (event, call) => { if (event === 'msg:custom') heard.push(call); }, off() {},
    send: message => window.told(message).then(([answer, buffers]) => {
      const bytes = buffers.map(each => new DataView(Uint8Array.from(atob(each), c => c.charCodeAt(0)).buffer));
      for (const call of heard) call(answer, bytes);
    }),
  };
  const url = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}));
  await (await import(url)).default.render({model, el: document.body, signal: new AbortController().signal});
}"""


def spent(page: Page, action: Callable[[], Any]) -> tuple[float, float]:
    """Milliseconds of the page's main thread and of this process that an action takes, until its next frame."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def task() -> float:
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"] * 1e3

    before, own = task(), time.process_time()
    action()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    after = task(), time.process_time()
    session.detach()
    return after[0] - before, (after[1] - own) * 1e3


def ask(page: Page, question: str) -> None:
    page.fill(".ce-ask-input", question)
    page.press(".ce-ask-input", "Enter")
    page.wait_for_function("q => document.querySelector('.ce-status').textContent.includes(q)", arg=f"“{question}”")
    page.wait_for_function("() => !document.querySelector('.ce-old')")


def memory(page: Page) -> tuple[float, float, float]:
    """Megabytes of the page's heap and of this process, and nodes in the page, after both collected their garbage."""
    gc.collect()
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return found["JSHeapUsedSize"] / 1e6, pages * resource.getpagesize() / 1e6, found["Nodes"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", default=sysconfig.get_path("purelib"))
    parser.add_argument("--questions", type=int, default=200, metavar="N")
    options = parser.parse_args()
    workspace = Workspace(options.path, progress=lambda *_: None, include_ignored=True)
    workspace.wait_for_graph()
    print(f"{len(workspace.files):,} files, {len(workspace.symbols):,} symbols, {workspace.summary.chunks:,} chunks")
    explorer = Explorer(workspace)
    sent: dict[str, Any] = {}
    explorer.send = lambda answer, buffers=None: sent.update({answer.get("id", ""): (answer, buffers or [])})

    def told(_: Any, message: dict[str, Any]) -> list[Any]:
        explorer._heard(explorer, message)
        explorer.wait(600)
        answer, buffers = sent.pop(message["id"])
        return [answer, [base64.b64encode(each).decode() for each in buffers]]

    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    flags = ["--disable-gpu", "--no-sandbox"] if os.geteuid() == 0 else ["--disable-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(600_000)
        page.expose_binding("told", told)
        page.goto("about:blank")
        page.evaluate(PAGE, [front_end().decode(), {"title": workspace.name, "options": {"view": "ask"}}])
        page.focus(".ce-ask-input")
        page.keyboard.type("a")
        page.wait_for_selector(".ce-names li")
        keys = [spent(page, partial(page.keyboard.type, letter)) for letter in TYPED]
        known = [name for name in dict.fromkeys(each.name for each in workspace.symbols) if name.isidentifier()]
        step = max(1, len(known) // options.questions)
        forms = ("what calls {}?", "{}", "how does {} work", "where is {} used")
        questions = [forms[i % 4].format(name) for i, name in enumerate(known[::step][: options.questions])]
        answers, grown = [], []
        for number, question in enumerate(questions, 1):
            answers.append(spent(page, partial(ask, page, question)))
            if number in (20, len(questions) // 2, len(questions)):
                grown.append((number, *memory(page)))
        state = len(json.dumps(explorer.get_state(), default=str))
        browser.close()
    key, paint = ([each[0] for each in those] for those in (keys, answers))
    own = [each[1] for each in answers]
    print(
        f"keystroke to rows: median {statistics.median(key):.0f}, largest {max(key):.0f} ms of the page; aim {MOST_KEY}"
    )
    print(f"answer to paint with the graph: median {statistics.median(paint):.0f}, 95 % below "
          f"{sorted(paint)[int(len(paint) * 0.95)]:.0f} ms of the page (aim {MOST_PAINT}); "
          f"in Python {statistics.median(own):.0f} ms")  # fmt: skip
    print(f"state in a notebook: {state / 1e3:.1f} kB (aim {MOST_STATE / 1e3:.0f})")
    for number, heap, process, nodes in grown:
        print(f"after {number} questions: page {heap:.1f} MB and {nodes:,.0f} nodes, Python {process:,.0f} MB")


if __name__ == "__main__":
    main()
