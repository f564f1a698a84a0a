"""Collect the answers of one repository as rows of text: ``collect.py OUT NAME FOLDER_OR_PACKAGE SIDE [core]``.

It runs beside either version of codeexplore (PYTHONPATH says which), so it uses public calls and `names` only.
OUT becomes compressed JSON: kind of answer → row → text. The text of an error is an answer as well.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import hashlib
import io
import json
import os
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import names

SAMPLES = ("webshop", "chatservice", "jobworker", "ledger")
LANES = ("bm25", "embedding", "graph")
ASKED = (
    "how are errors handled?",
    "where is the configuration read?",
    "what starts the program?",
    "which types are public?",
    "TODO or deprecated code",
    "how is input checked before it is used",
    "kubernetes pod eviction by the moon",
)
WALKS = ("callers", "callees", "implementors", "subclasses", "overrides", "uses", "imports", "impact")
OPTIONS = (("callers", {"depth": 2, "tests": False}), ("uses", {"direction": "out", "min_confidence": 0.3}))
SURVEYS = ("cycles", "entry_points", "dead_code", "hubs", "modules", "communities")
_UNTOLD = {"elapsed_ms", "stages", "seconds", "elapsed", "age", "model_seconds"}  # keys of dictionaries that hold times
_KEPT_HTML = re.compile(r"<(style|script)\b[^>]*>(.*?)</\1>", re.DOTALL)


class Rows:
    """The rows that are collected: kind of answer → row → text."""

    def __init__(self, hidden: dict[str, str]) -> None:
        self.hidden = hidden  # path on this machine → what stands in its place
        self.rows: dict[str, dict[str, str]] = {}

    def add(self, kind: str, row: str, made: Callable[[], Any]) -> Any:
        """Add one row, and return what it shows. An exception is a row too."""
        shown: Any
        try:
            value = made()
            shown = value if isinstance(value, str) else plain(value)
        except Exception as error:  # noqa: BLE001 - what an answer raises is compared like any answer
            value, shown = None, f"raises {type(error).__name__}: {error}"
        for path, word in self.hidden.items():
            shown = shown.replace(path, word)
        self.rows.setdefault(kind, {})[row] = shown
        return value

    def answer(self, kind: str, row: str, made: Callable[[], Any], forms: str = "data text markdown html") -> Any:
        """Add an answer in several forms. Returns the answer, None if there is none."""
        try:
            found = made()
        except Exception as error:  # noqa: BLE001 - as in `add`
            said = f"raises {type(error).__name__}: {error}"
            self.add(kind, row, lambda: said)
            return None
        form = {
            "data": lambda: found.to_dict(),  # noqa: PLW0108 - a method that is missing is a row
            "text": lambda: names.thing("shown_text")(found, io.StringIO()),
            "markdown": lambda: found.to_markdown() if hasattr(found, "to_markdown") else "",
            "html": lambda: folded(str(names.thing("shown_html")(found))),
        }
        for name in forms.split():
            self.add(f"{kind}: {name}", row, form[name])
        return found


def digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace") if isinstance(text, str) else text).hexdigest()[:16]


def folded(html: str) -> str:
    """Return HTML with a line for each element, and a digest for each style and script."""
    html = _KEPT_HTML.sub(lambda m: f"<{m[1]} {len(m[2])} {digest(m[2])}>" if len(m[2]) > 300 else m[0], html)
    html = re.sub(r"[A-Za-z0-9+/=]{2000,}", lambda m: f"<{len(m[0])} {digest(m[0])}>", html)
    return html.replace("><", ">\n<")


def plain(value: Any) -> str:
    """Return data as JSON, without times."""

    def untimed(each: Any) -> Any:
        if isinstance(each, dict):
            return {str(key): untimed(item) for key, item in each.items() if key not in _UNTOLD}
        return [untimed(item) for item in each] if isinstance(each, list | tuple) else each

    return json.dumps(untimed(value), indent=1, ensure_ascii=False, default=repr)


def of_record(record: Any) -> Any:
    if dataclasses.is_dataclass(record):
        return {each.name: of_record(getattr(record, each.name)) for each in dataclasses.fields(record)}
    if hasattr(record, "_asdict"):
        return {key: of_record(item) for key, item in record._asdict().items()}
    return [of_record(each) for each in record] if isinstance(record, list | tuple) else record


# --------------------------------------------------------------------------- symbols, chunks, edges


def collect_index(rows: Rows, ws: Any) -> None:
    rows.add("summary", "data", ws.summary.to_dict)
    rows.add("summary", "text", lambda: str(ws))
    rows.add("summary", "repr", lambda: repr(ws))
    rows.add("summary", "files", lambda: "\n".join(ws.files))
    for symbol in ws.symbols:
        told = (symbol.fqn, symbol.kind, *symbol.span, symbol.line, symbol.parent, symbol.signature, digest(symbol.doc))
        rows.add("symbols", symbol.id, lambda told=told, s=symbol: " | ".join(map(str, (*told, *s.decorators))))
    for chunk in ws.catalog.chunks:
        told = (chunk.symbol, chunk.part, [tuple(span) for span in chunk.spans], digest(chunk.text + chunk.context))
        rows.add("chunks", f"{chunk.path} {chunk.id}", lambda told=told: " | ".join(map(str, told)))
    edges = rows.rows.setdefault("edges", {})
    for edge in ws.graph.edges:
        sites = " ".join(f"{site.path}:{site.line}" for site in edge.sites)
        test = " test" if edge.in_test else ""
        edges[f"{edge.source} -{edge.kind}-> {edge.target}"] = (
            f"{edge.rule} {edge.manner} {edge.confidence:.3f}{test} at {sites}"
        )
    unresolved, outside = Counter(map(str, map(tuple, ws.graph.unresolved))), Counter(map(str, ws.graph.externals))
    for kind, counted in (("unresolved", unresolved), ("externals", outside)):
        rows.rows[kind] = {each: str(n) for each, n in counted.items()}


# --------------------------------------------------------------------------- questions


def chosen(ws: Any, n: int) -> list[Any]:
    """Return symbols to ask about: those whose names the texts mention most, then others by a digest of their ids."""
    words: Counter[str] = Counter()
    for path in ws.files:
        words.update(re.findall(r"\w+", ws.file(path).text))
    kinds = Counter[str]()
    usual = [s for s in ws.symbols if s.kind not in ("lambda", "module", "section", "field", "constant", "variable")]
    known = sorted(usual, key=lambda s: (-words[s.name], s.id))
    picked: list[Any] = []
    for symbol in known:
        if kinds[symbol.kind] < n // 5 and symbol.name not in {each.name for each in picked}:
            kinds[symbol.kind] += 1
            picked.append(symbol)
    picked = picked[: n // 2]
    modules = sorted((s for s in ws.symbols if s.kind == "module"), key=lambda s: digest(s.id))[:3]
    others = sorted((s for s in usual if s not in picked), key=lambda s: digest(s.id))
    return [*picked, *modules, *others][:n]


def questions(fixture: Path, symbols: list[Any]) -> list[str]:
    if fixture.is_file():
        given = [each["query"] for each in json.loads(fixture.read_text("utf-8"))["questions"] if "query" in each]
        return [*given[:: max(1, len(given) // 18)][:18], *ASKED]
    told = [re.sub(r"[_.:]+", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", s.fqn)).lower() for s in symbols[:20]]
    plans = ("{0}", "what calls {0}?", "how does {1} work?", "{1}", "tests of {0}")
    return [*(plans[i % 5].format(s.name, told[i]) for i, s in enumerate(symbols[:15])), ASKED[0], ASKED[6]]


def scores(answer: Any) -> list[Any]:
    return [of_record(hit.fused) for hit in answer.hits]


def collect_questions(rows: Rows, ws: Any, asked: list[str], symbols: list[Any]) -> None:
    for number, question in enumerate(asked):
        shown = "data text markdown html" if number % 6 == 0 else "data text"
        found = rows.answer("search", question, lambda q=question: ws.search(q), shown)
        if found is None:
            continue
        rows.add("search: scores", question, lambda found=found: scores(found))
        told = [found.confidence, found.notices, found.next_steps]
        rows.add("search: notices", question, lambda told=told: plain(told))
        if number % 5 == 0 and found.hits:
            rows.answer("explain", question, lambda found=found: found.explain(1))
        for lane in LANES if number < 8 else ():
            row = f"{lane}: {question}"
            rows.add("search: one lane", row, lambda q=question, lane=lane: scores(ws.search(q, lanes=[lane])))
    fusions = [{"fusion": each} for each in ("weighted-sum", "min-max", "z-score", "lexical-ppr", "rrf-pagerank")]
    for options in (*fusions, {"per_file": 1}, {"top_k": 3, "tests": False}, {"rrf_k": 10}):
        rows.answer("search: options", str(options), lambda o=options: ws.search(asked[0], **o), "data")
    report = (
        f"{symbols[0].name} fails\n\nCalling `{symbols[1].name}` after `{symbols[2].fqn}` gives a wrong result.\n"
        f'Traceback (most recent call last):\n  File "{symbols[0].path}", line {symbols[0].line}, in '
        f"{symbols[0].name}\nValueError: x\n"
    )
    rows.answer("localise", "report", lambda: ws.localise(report))
    for symbol in symbols[:5]:
        rows.answer("related", symbol.id, lambda s=symbol: ws.related(s), "data text")
        rows.answer("grep", symbol.name, lambda s=symbol: ws.grep(s.name), "data text html")
    rows.answer("grep", "regex", lambda: ws.grep(r"(return|raise) \w+\(", regex=True, top_k=5))


# --------------------------------------------------------------------------- walks and surveys


def collect_graph(rows: Rows, ws: Any, symbols: list[Any]) -> None:
    for number, symbol in enumerate(symbols):
        for walk in WALKS:
            forms = "data text markdown html" if number % 8 == 0 else "data text" if number % 2 == 0 else "data"
            rows.answer(walk, symbol.id, lambda w=walk, s=symbol: getattr(ws, w)(s), forms)
        for walk, options in OPTIONS:
            row = f"{symbol.id} {options}"
            rows.answer(walk, row, lambda w=walk, s=symbol, o=options: getattr(ws, w)(s, **o), "data")
        rows.add("symbol", symbol.id, lambda s=symbol: ws.symbol(f"{s.path}:{s.line}").id)
        rows.add("symbol by name", symbol.name, lambda s=symbol: ws.symbol(s.name).id)
        rows.add("source", symbol.id, lambda s=symbol: str(ws.source(s)))
        rows.add("outline", symbol.path, lambda s=symbol: "\n".join(each.id for each in ws.outline(s.path)))
    for number, (source, target) in enumerate(zip(symbols, symbols[1:] + symbols[:1], strict=True)):
        forms = "data text markdown html" if number % 8 == 0 else "data text"
        row = f"{source.id} → {target.id}"
        rows.answer("paths", row, lambda a=source, b=target: ws.paths(a, b), forms)
        rows.answer("why", row, lambda a=source, b=target: ws.why(a, b), forms)
    known = {each.id: each for each in ws.symbols}
    pairs = {(edge.source, edge.target) for edge in ws.graph.edges if edge.kind == "CALLS"}
    for source, target in sorted(pairs, key=lambda pair: digest(str(pair)))[:12]:
        rows.answer("why", f"{source} → {target}", lambda a=source, b=target: ws.why(known[a], known[b]))
    for survey in SURVEYS:
        rows.answer(survey, "all", lambda s=survey: getattr(ws, s)())
    rows.answer("cycles", "imports", lambda: ws.cycles("imports"), "data text")
    rows.answer("modules", "folders", lambda: ws.modules("folder"), "data text")
    rows.answer("dead_code", "every kind", lambda: ws.dead_code(("unused", "mentioned"), tests=False), "data text")
    rows.answer("entry_points", "every kind", lambda: ws.entry_points(("test", "exported")), "data text")
    rows.add("externals", "(the names)", lambda: "\n".join(ws.externals()))


# --------------------------------------------------------------------------- features


def collect_context(rows: Rows, ws: Any, asked: str, symbol: Any) -> None:
    def pack(*given: Any, **options: Any) -> Any:
        return names.call(ws, "pack", *given, **options)

    rows.answer("pack", "question", lambda: pack(asked, 2_000))
    rows.answer("pack", "symbol", lambda: pack(symbol, 1_000), "data text")
    rows.add("pack", "xml", lambda: str(pack(asked, 1_000, form="xml")))
    rows.answer("pack", "map", lambda: names.call(ws, "map"))
    rows.answer("tour", "all", lambda: names.call(ws, "tour"))
    rows.answer("tour", "question", lambda: names.call(ws, "tour", asked, 6), "data text")
    for tool in names.call(ws, "as_tools"):
        rows.add("tools", f"{tool.__name__}: schema", lambda t=tool: t.schema)
        given = {"read": (symbol.fqn,), "ask": (asked,), "walk": (symbol.fqn, "callers")}.get(tool.__name__, ())
        rows.add("tools", tool.__name__, lambda t=tool, g=given: t(*g))


def collect_history(rows: Rows, ws: Any) -> None:
    """The review of a git repository with three commits and an edit."""
    for base in ("HEAD", "HEAD~1", "HEAD~2..HEAD"):
        changes = rows.answer("changes", base, lambda b=base: names.call(ws, "changes", b))
        if changes is not None:
            rows.answer("changes, impact", base, lambda c=changes: c.impact())
            rows.answer("changes, tests", base, lambda c=changes: c.tests())
    rows.answer("compare", "HEAD~2", lambda: names.call(ws, "compare", "HEAD~2"))
    rows.answer("history", "all", lambda: names.call(ws, "history"))
    for target in ("Cart.add", "webshop/cart.py"):
        rows.answer("history", target, lambda t=target: names.call(ws, "history", t))
        rows.answer("together", target, lambda t=target: names.call(ws, "together", t))
    rows.answer("impact with history", "Cart.add", lambda: impact_with_history(ws, "Cart.add"))


def impact_with_history(ws: Any, target: str) -> Any:
    return ws.review.impact(target) if hasattr(ws, "review") else ws.impact(target, history=True)


def collect_run(rows: Rows, ws: Any, folder: Path) -> None:
    """A trace of a small function of the sample in Python."""
    sys.path.insert(0, str(folder))
    try:
        with names.call(ws, "trace") as run:
            from webshop.money import Money, total_of

            for n in range(3):
                total_of([Money(n, "EUR"), Money(2, "EUR")])
    finally:
        sys.path.remove(str(folder))
    rows.answer("trace", "run", lambda: run)
    rows.answer("trace", "graph", lambda: run.graph)
    rows.answer("trace", "coverage", run.coverage)
    names.call(ws, "attach", run)
    rows.answer("trace", "callers after it", lambda: ws.callers("Money.__add__"))
    rows.answer("trace", "observed", lambda: ws.search("money", observed=True), "data text")
    names.call(ws, "detach")


# --------------------------------------------------------------------------- notebook, command line

CELLS = """\
%load_ext codeexplore
%explore {path} --as ws
%ask how are expired sessions handled?
%explain 1
%grep expired
%related validate_session -k 3
%callers validate_session --depth 2
%callees Storefront.checkout
%uses Money
%implementors PaymentGateway
%subclasses PaymentGateway
%overrides PaymentGateway.charge
%imports webshop.money
%impact validate_session
%paths Storefront.checkout luhn_valid
%why CardGateway.validate luhn_valid
%survey cycles
%survey entry_points
%survey dead_code
%survey hubs
%survey modules
%survey communities
%tour
%tour how does checkout work?
%pack how are sessions checked?
%pack
%source Session.is_expired
%workspace status
%workspace list
%callers validate_session --json
%callers nothing_here
%evaluate
%locate ValueError in Cart.add
ws
ws['Money']
ws.symbols[:3]
%%ask\\nhow are sessions\\nchecked?
%%trace\\nfrom webshop.money import Money\\nMoney(1, 'EUR') + Money(2, 'EUR')
"""
LINES = """\
ask {path} 'how are expired sessions handled?'
ask {path} validate_session --explain 1
ask {path} validate_session --json
related {path} validate_session
grep {path} expired
callers {path} PaymentGateway.charge
callees {path} PaymentGateway.charge
implementors {path} PaymentGateway
subclasses {path} PaymentGateway
overrides {path} PaymentGateway._authorise
uses {path} PaymentGateway.charge
imports {path} webshop.money
impact {path} PaymentGateway.charge
callers {path} luhn_valid --json
callers {path} luhn_valid --format mermaid
callers {path} luhn_valid --format dot
callers {path} luhn_valid --format graphml
callers {path} no_such_symbol_here
paths {path} Storefront.checkout luhn_valid
why {path} CardGateway.validate luhn_valid
cycles {path}
entry-points {path}
dead-code {path}
hubs {path}
hubs {path} --json
modules {path}
communities {path}
status {path}
status {path} --json
doctor {path}
pack {path}
pack {path} -q 'how are sessions checked?' --tokens 1000
tour {path}
eval {path}
eval {path} --compare bm25 default
ask {path}/nowhere x
"""
EDITED_CELLS = """\
%load_ext codeexplore
%explore {path} --as ws
%changes
%changes HEAD~1 --impact
%changes HEAD~1 --tests
%changes HEAD~1 --impact --history
%compare HEAD~2
%commits
%commits Cart.add
%together webshop/cart.py
"""
EDITED_LINES = """\
changes {path}
changes {path} --base HEAD~1 --json
changes {path} --impact
changes {path} --format markdown
tests {path} --base HEAD~1
tests {path} --format command
compare HEAD~2 HEAD --repo {path}
history {path}
history {path} webshop/cart.py --together
"""


def collect_cells(rows: Rows, folder: Path, cells: str) -> None:
    """What cells show in an IPython shell without a kernel."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    sys.path.append(str(folder))

    def shown(cell: str) -> str:
        with capture_output() as caught:
            done = shell.run_cell(cell, store_history=False)
            result = None if done.result is None else shell.display_formatter.format(done.result)[0]
        outputs = [each.data for each in caught.outputs] + ([result] if result else [])
        kinds = [(kind, each[kind]) for each in outputs for kind in sorted(each) if "widget" not in kind]
        forms = [f"{kind}\n{folded(str(data))}" for kind, data in kinds]
        failed = done.error_in_exec or done.error_before_exec
        return "\n".join([re.sub(r"\x1b\[[0-9;]*m", "", caught.stdout), *forms, f"error: {failed}" if failed else ""])

    for cell in cells.splitlines():
        rows.add("magics", cell, lambda c=cell: shown(c.replace("\\n", "\n").replace("{path}", str(folder))))
    sys.path.remove(str(folder))


def collect_widgets(rows: Rows, ws: Any) -> None:
    """What the widgets hold: the explorer after an answer, the fusion lab and a view for judging."""
    for view in ("ask", "lab"):
        for asked in ("how are expired sessions handled?", "what calls validate_session?", "luhn_valid"):
            rows.add("explorer", f"{view}: {asked}", lambda v=view, q=asked: explored(ws, v, q))
    rows.add("lab", "fusion_lab", lambda: widget_text(names.call(ws, "fusion_lab", "how are sessions checked?")))
    rows.add("lab", "judge", lambda: widget_text(names.call(ws, "judge", ["how are sessions checked?"])))


def explored(ws: Any, view: str, question: str) -> str:
    """Return the texts of all widgets of the explorer, after an answer."""
    explorer = names.thing("Explorer")(ws, pause=0.0, view=view)
    explorer.ask(question)
    assert explorer.wait(300)
    shown = widget_text(explorer)
    explorer.close()
    return shown


def widget_text(widget: Any) -> str:
    """Return one line or more for a widget and for each one in it."""
    told = [getattr(widget, name, None) for name in ("description", "value", "placeholder", "options", "titles")]
    own = f"{type(widget).__name__} {' | '.join(folded(str(each)) for each in told if each not in (None, ''))}"
    return "\n".join([own, *map(widget_text, getattr(widget, "children", ()))])


def collect_commands(rows: Rows, folder: Path, lines: str) -> None:
    for line in lines.splitlines():
        words = shlex.split(line.replace("{path}", str(folder)))
        rows.add("commands", line, lambda words=words: commanded(words))


def commanded(line: list[str]) -> str:
    new = [*names.COMMANDS.get(line[0], line[0]).split(), *line[1:]]
    said = printed(new)
    return said if new == line or "status SystemExit(2)" not in said else printed(line)


def printed(line: list[str]) -> str:
    out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            status: object = names.thing("main")(line)
        except SystemExit as stopped:
            status = f"SystemExit({stopped.code})"
    said = [stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, error)]
    return f"{said[0]}{said[1]}status {status}"


# --------------------------------------------------------------------------- one repository


def collected(name: str, place: str, *, core: bool = False) -> Rows:
    """Return the rows of a repository: a folder, or the name of an installed package. With `core`, only a part."""
    settings: Any = names.thing("settings")
    settings.LANE_TIMEOUT = 120.0  # a busy machine is no difference; set before a signature takes it
    from codeexplore import Workspace

    folder = Path(place)
    if folder.is_dir():
        ws = Workspace(folder, cache=False, workers=0 if name in SAMPLES else 2)
    else:
        ws = Workspace.from_package(place, cache=False, workers=2)
    rows = Rows({str(ws.root): f"<{name}>", os.environ["CODEEXPLORE_CACHE"]: "<cache>", str(Path.cwd()): "<folder>"})
    if name == "edited":
        collect_history(rows, ws)
        collect_commands(rows, folder, EDITED_LINES)
        collect_cells(rows, folder, EDITED_CELLS)
    else:
        symbols = chosen(ws, 5 if core else 25)
        asked = questions(folder.with_name(f"{name}.eval.json"), symbols)
        collect_index(rows, ws)
        collect_questions(rows, ws, asked[:3] if core else asked, symbols)
        collect_graph(rows, ws, symbols)
        rows.answer("status", "all", ws.status)
        if core:
            return rows
        collect_context(rows, ws, asked[3], symbols[0])
        if name == "webshop":
            collect_run(rows, ws, folder)
            collect_commands(rows, folder, LINES)
            collect_cells(rows, folder, CELLS)
            collect_widgets(rows, ws)
    return rows


def main() -> None:
    out, name, place, side = sys.argv[1:5]
    time.perf_counter = lambda: 1.0  # every duration is 0, and no lane is late
    import codeexplore

    if not Path(codeexplore.__file__ or "").is_relative_to(Path(side)):
        raise SystemExit(f"codeexplore comes from {codeexplore.__file__}, not from {side}")
    rows = collected(name, place, core="core" in sys.argv[5:])
    with gzip.open(out, "wt", encoding="utf-8", compresslevel=1) as file:
        json.dump(rows.rows, file, ensure_ascii=False)


if __name__ == "__main__":
    main()
