"""Answers for the display tests: small ones, and one whose every text is hostile."""

import re

from codeexplore.answers import GraphAnswer, PathsAnswer, SearchAnswer
from codeexplore.answers.wording import cell_width
from codeexplore.syntax.chunking import context_of
from codeexplore.types import (
    Adjustment,
    CallPath,
    Chunk,
    Contribution,
    Edge,
    FusedHit,
    Hit,
    PossibleUse,
    QueryPlan,
    Ranking,
    Reached,
    Reason,
    SearchResult,
    Site,
    Skipped,
    Span,
    StageTime,
    Subgraph,
    Symbol,
    Unresolved,
    Verdict,
    WorkspaceSummary,
)
from tests.doubles import make_catalog, make_symbol

HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "\"><iframe src='http://evil.test/a'></iframe>",
    "' onmouseover='document.title=1' x='",
    "javascript:document.title='owned'",
    "<a href=http://evil.test/href>href</a>",
    "/*VIS*/ /*DATA*/null",
    "a\u202eb\u2066c\x1b[31md\x00e\u200bf",
    "&lt;b&gt; &amp; `|` | pipe\\",
    "x" * 5000,
    "]]></svg><svg onload=alert(1)>",
)


def symbols_of(names: tuple[str, ...], path: str = "app/{}.py") -> tuple[Symbol, ...]:
    """One function per name, each in its own file; ``{}`` in `path` is its number."""
    return tuple(
        make_symbol(
            name, path=path.replace("{}", str(index)), signature=f"def {name}()", doc=name, start_line=index + 1
        )
        for index, name in enumerate(names)
    )


def chunk_of(symbol: Symbol, text: str) -> Chunk:
    lines = text.count("\n") + 1
    span = Span(symbol.span.start_line, symbol.span.start_line + lines - 1, 0, len(text.encode("utf-8", "replace")))
    return Chunk(f"chunk of {symbol.id}", symbol.path, (span,), text, "python", symbol.id, context_of(symbol))


def search_answer(
    names: tuple[str, ...] = ("app.one", "app.two", "app.three"),
    *,
    question: str = "where is one made?",
    path: str = "app/{}.py",
    text: str = 'def one():\n    """Say it."""\n    return 1  # done',
) -> SearchAnswer:
    symbols = symbols_of(names, path)
    chunks = tuple(chunk_of(symbol, text) for symbol in symbols)
    hits = []
    for rank, chunk in enumerate(chunks, 1):
        shares = (
            Contribution("bm25", rank + 1, 11.25, 1.0, 1 / (61 + rank)),
            Contribution("embedding", rank, 0.5, 2.0, 2 / (60 + rank)),
        )
        signals = (
            Adjustment("definition", 0.001, f"the question names {names[0]}"),
            Adjustment("tests", -0.002, f"a test: {chunk.path}"),
        )
        score = sum(share.value for share in shares) + sum(signal.value for signal in signals)
        hits.append(FusedHit(chunk.id, rank, score, shares, signals))
    rankings = (
        Ranking("bm25", tuple(Hit(c.id, r, 1.0) for r, c in enumerate(chunks, 1)), 1.5),
        Ranking("embedding", tuple(Hit(c.id, r, 1.0) for r, c in enumerate(chunks, 1)), 2.5),
        Ranking("graph", (), 3000.0, "timed out", f"no answer in 3 s for {names[0]}"),
    )
    plan = QueryPlan(
        question, "conceptual", ("one",), (names[0],), reasons=(Reason("kind", f"no name but {names[0]}"),)
    )
    result = SearchResult(plan, "rrf", 60, rankings, tuple(hits), (f"the graph lane timed out on {names[0]}",), 4.5)
    return SearchAnswer.of(result, make_catalog(symbols, chunks))


def graph_answer(names: tuple[str, ...] = ("app.seed", "app.near", "app.far", "app.maybe"), **options) -> GraphAnswer:
    """Seed ← near ← far, and maybe → seed by name alone; the first calls itself."""
    seed, near, far, maybe = symbols_of(names[:4], options.get("path", "app/{}.py"))
    edges = (
        Edge(near.id, seed.id, "CALLS", "call", "import", 1.0, (Site(near.path, 3), Site(near.path, 7))),
        Edge(far.id, near.id, "CALLS", "call", "import", 0.9, (Site(far.path, 9),)),
        Edge(seed.id, seed.id, "CALLS", "call", "local", 1.0, (Site(seed.path, 2),)),
    )
    reached = (Reached(seed.id, 0, None, 1.0), Reached(near.id, 1, seed.id, 1.0), Reached(far.id, 2, near.id, 0.9))
    possible = (Edge(maybe.id, seed.id, "CALLS", "call", "name", 0.4, (Site(maybe.path, 5),)),)
    unresolved = (Unresolved(maybe.id, seed.name, "self.thing", "call", Site(maybe.path, 6)),)
    headline = f"2 callers of {seed.fqn}: 1 certain, 1 likely"
    text = f"{headline}; 1 more call of `{seed.name}` may mean it too ({maybe.path}:6)."
    places = (PossibleUse(Site(maybe.path, 6), "call", True, f"self.thing.{seed.name}()"),)
    known = Verdict("found", text, places, counts=(1, 1, 0), whole=2, by_name=1, headline=headline)
    graph = Subgraph(
        "callers",
        (seed.id,),
        reached,
        edges,
        possible,
        unresolved,
        Verdict("none", options["absence"]) if "absence" in options else known,
        3,
    )
    return GraphAnswer(graph, make_catalog((seed, near, far, maybe), ()))


def empty_graph_answer(absence: str = "No callers in this repository.") -> GraphAnswer:
    (seed,) = symbols_of(("app.seed",))
    graph = Subgraph("callers", (seed.id,), (Reached(seed.id, 0, None, 1.0),), (), verdict=Verdict("none", absence))
    return GraphAnswer(graph, make_catalog((seed,), ()))


def paths_answer(names: tuple[str, ...] = ("app.start", "app.end"), path: str = "app/{}.py") -> PathsAnswer:
    start, end = symbols_of(names[:2], path)
    edge = Edge(start.id, end.id, "CALLS", "call", "import", 1.0, (Site(start.path, 4),))
    return PathsAnswer((CallPath((start.id, end.id), (edge,)),), start, end, make_catalog((start, end), ()))


def workspace_summary(text: str = "shop") -> WorkspaceSummary:
    return WorkspaceSummary(
        name=text,
        root=f"/repos/{text}",
        files={"Python": 3, text: 1},
        symbols={"function": 1200, "class": 4, "enum": 0},
        chunks=1210,
        edges={"CALLS": 2},
        possible=7,
        unresolved=1,
        skipped={"too large": 2},
        stages=(StageTime("parse", 1.25),),
        warnings=(f"grammar missing: {text}",),
        skipped_files=(Skipped(f"{text}.js", "too large", "2 MB"), Skipped("b.js", "too large")),
        model=text,
    )


def shown_width(text: str) -> int:
    """Return the number of terminal columns of a text, which may contain colour codes."""
    return cell_width(re.sub(r"\x1b\[[0-9;]*m", "", text))
