"""Answers of the explorer to its page: one function for each kind of request, plain data in and out.

A request is ``{id, kind, args}``, its answer ``{id, ok, ms, …}`` with binary buffers. `REPLIES` maps kinds to functions
of the explorer and the arguments. Text of the repository travels as text, or as the escaped HTML of the displays.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from codeexplore.answers import PathsAnswer, SearchAnswer
from codeexplore.answers.chain import about_blocks, chain
from codeexplore.answers.drawing.layout import GROUPINGS, draw, grouped
from codeexplore.answers.hit import summand_blocks
from codeexplore.answers.html.code import sought_tokens
from codeexplore.answers.html.links import attributes_of, linked
from codeexplore.answers.html.symbol_details import details_html, details_of
from codeexplore.answers.html.writer import blocks_html, drawn_html, shown_html
from codeexplore.answers.plain_words import FINE, lane_line, largest_part, plain_shares
from codeexplore.answers.score_terms import lane_words, sum_parts
from codeexplore.answers.search import confidence_words, reading
from codeexplore.answers.show import summary_blocks
from codeexplore.answers.wording import cut, first_sentence, member_name, one_line, plural, signature_line, whereabouts
from codeexplore.index.qualified_names import is_external
from codeexplore.notebook.requests import (
    DEEP,
    KEPT,
    MOST_FOUND,
    OTHERS,
    PATH,
    WALKS,
    Compared,
    SearchRequest,
    Walk,
    compared_html,
    graph_of,
)
from codeexplore.notebook.session import Answered, Snapshot, Walked, staleness, step_data
from codeexplore.notebook.source_data import MOST_LINES, line_data, links_of
from codeexplore.search.hit_roles import ASKED_ABOUT, MAY_BE_MEANT, WORDS_ONLY
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, RELATIONS, TEXT_KINDS, EdgeKind, Filters, NextStep, Symbol, lane_of, settings
from codeexplore.types.errors import QuestionError, SymbolNotFound
from codeexplore.types.visible import visible
from codeexplore.workspace.starters import starter_questions

if TYPE_CHECKING:
    from codeexplore.index.catalog import Catalog
    from codeexplore.notebook.session import Session
    from codeexplore.workspace.workspace import Workspace

Reply: TypeAlias = tuple[dict[str, Any], list[bytes]]

_DOC_CHARS, _NAME_CHARS = 200, 200
_EDGES: tuple[EdgeKind, ...] = ("CALLS", "IMPLEMENTS", "EXTENDS", "OVERRIDES", "USES")


@cache
def front_end() -> bytes:
    return files("codeexplore.notebook").joinpath("static/explorer.js").read_bytes()


def front(_: Session) -> Reply:
    return {}, [gzip.compress(front_end(), 9, mtime=0)]


def start(explorer: Session) -> Reply:
    """Return what the first view shows: the repository, questions to begin with, and what can be chosen."""
    workspace = explorer.workspace
    said: dict[str, Any] = {
        "lanes": [[lane, lane_words(lane)] for lane in LANES],
        "fusions": list(FUSIONS),
        "relations": list(RELATIONS),
        "walks": list(WALKS),
        "deep": list(DEEP),
        "edges": list(_EDGES),
        "groupings": list(GROUPINGS),
        "others": list(OTHERS),
        "views": explorer.offered(),
        "pins": len(explorer.pins.pinned),
        "defaults": {"top_k": settings.TOP_K, "rrf_k": settings.RRF_K, "confidence": settings.RESOLVED_CONFIDENCE},
    }
    if workspace is None:
        return said | {"size": "", "starters": [], "languages": [], "summary": ""}, []
    from codeexplore.languages.registry import by_name

    summary = workspace.summary
    names = {workspace.file(path).language for path in workspace.files}
    return said | {
        "size": f"{plural(sum(summary.files.values()), 'file')}, {plural(sum(summary.symbols.values()), 'symbol')}",
        "starters": list(starter_questions(workspace)),
        "languages": sorted([by_name(name).title, name] for name in names),
        "summary": blocks_html(summary_blocks(summary, brief=True)),
    }, []


def names(explorer: Session) -> Reply:
    """Return all names for the search as one types, the most used first."""
    workspace = explorer.repository()
    symbols = [each for each in workspace.symbols if each.kind not in ("module", "lambda", *TEXT_KINDS)]
    if workspace.graph_state in ("ready", "outdated"):
        ranks, row = workspace.graph.ranks, workspace.catalog.symbol_row
        symbols.sort(key=lambda each: -ranks[row(each.id)])
    lines = (f"{_flat(each.fqn)}\t{each.kind}\t{_flat(each.id)}" for each in symbols)
    return {}, [gzip.compress("\n".join(lines).encode("utf-8", "replace"), 6)]


def search(explorer: Session, question: str, options: Mapping[str, Any] | None = None) -> Reply:
    """Ask a question with the chosen options."""
    explorer.forget()
    asked = request_of(question, options or {})
    snapshot = Snapshot.of(explorer.repository())  # before the search: an update in the meantime counts as newer
    answer = asked.search(explorer.repository())
    explorer.answered = Answered(asked, answer, snapshot)
    found = [hit.symbol for hit in answer if hit.symbol is not None and hit.symbol.kind not in TEXT_KINDS]
    catalog = answer.catalog
    seeds = [catalog.symbol(seed.symbol_id) for seed in answer.plan.seeds if answer.plan.relation is not None]
    target = [catalog.symbol(end.symbol_id) for end in answer.plan.targets] if answer.plan.relation == PATH else []
    named = [catalog.symbol(seed.symbol_id) for seed in answer.plan.seeds if seed.source == "name"]
    choices = list(dict.fromkeys(named)) if len(answer.plan.identifiers) == 1 else []
    longest, verdict = answer.longest_bar, answer.verdict
    rows = []
    for hit in answer:
        row = _row(hit.symbol, hit.path, hit.line)
        bars = [[share.source, max(0.0, share.value) / longest] for share in plain_shares(hit, answer.result)]
        edge = answer.edge_of(hit)
        sites = () if edge is None or row["target"] == edge.target else edge.by_rule[0].sites
        row["site"] = min((site.line for site in sites if site.path == hit.path), default=0)
        row |= {"rank": hit.rank, "why": answer.reason_of(hit), "bars": bars, "role": answer.role_of(hit)}
        rows.append(row)
    health = []
    for lane in LANES:
        found_by = [each for each in answer.rankings if lane_of(each.lane) == lane]
        said = "".join(str(getattr(piece, "text", piece)) for piece in lane_line(found_by)) if found_by else "not used"
        failed = any(each.status not in FINE for each in found_by)
        health.append([lane, lane in answer.plan.lanes, answer.plan.lanes.get(lane, 1.0), said, failed])
    around = seeds if answer.plan.relation is not None else found  # a hit that shares words has not the relation
    first = next(iter(around), None)
    given = [reason.why for reason in answer.plan.reasons if reason.choice == "lanes"]
    instead = [] if verdict is not None and verdict.kind == "found" else list(_instead(answer, catalog))
    begin = 0 if verdict is None else 1  # the notice that is the verdict
    unknown = answer.notices[begin:][: bool(instead)]  # that no symbol has the name
    return {
        "rows": rows,
        "said": f"{_counted(answer)} for “{cut(one_line(answer.question), 120)}”",
        "took": round(answer.result.elapsed_ms),
        "confidence": answer.confidence,
        "words": " ".join(filter(None, (confidence_words(answer), *unknown))),
        "verdict": None if verdict is None else {"kind": verdict.kind, "text": verdict.text},
        "steps": [step_data(step) for step in (*answer.next_steps, *instead)],
        "notices": [*_listed(answer, choices), *answer.notices[begin + len(unknown) :]],
        "reading": blocks_html([reading(answer.result, "Read: ", lanes=False)]),
        "health": health,
        "lanes": given[-1] if given else "",
        "walk": _walk_of(answer) if first is not None else None,
        "depth": answer.plan.depth if answer.plan.relation in DEEP else 1,
        "start": None if first is None else first.id,
        "target": target[0].id if target and seeds else None,
        "choices": [[each.id, member_name(each), whereabouts(each)] for each in choices] if len(choices) > 1 else [],
    }, []


def _counted(answer: SearchAnswer) -> str:
    """Return ``6 hits``, and how many other rows there are: symbols asked about, and those that only share words."""
    asked = sum(hit.role == ASKED_ABOUT for hit in answer)
    words = sum(hit.role == WORDS_ONLY for hit in answer) if answer.plan.relation is not None else 0
    also = [plural(asked, "symbol") + " asked about"] if asked else []
    also += [f"{words} that only share words"] if words else []
    hits = plural(len(answer) - asked - words, "hit")
    return f"{hits}, and {' and '.join(also)}," if also else hits


def _instead(answer: SearchAnswer, catalog: Catalog) -> Iterator[NextStep]:
    """Yield what can be asked instead of names that no symbol has: the nearest names, or the text in every file."""
    ends = (*answer.plan.seeds, *answer.plan.targets)
    for name in answer.plan.identifiers:
        if catalog.find(name) or any(is_external(end.symbol_id) for end in ends):
            continue
        near = [each for each in catalog.nearest(name) if each != name][:2]
        yield from (NextStep("search", "asks with this name", (answer.question.replace(name, each),)) for each in near)
        yield NextStep("grep", "searches every file for it", (name,))


def _listed(answer: SearchAnswer, choices: Sequence[Symbol]) -> list[str]:
    """Return how many of the symbols in the graph are hits, if some are not: a hit is a chunk, and hits are limited."""
    verdict = answer.verdict
    total = 0 if verdict is None or answer.plan.relation == PATH else sum(verdict.counts)
    apart = (ASKED_ABOUT, MAY_BE_MEANT, WORDS_ONLY, "")
    found = len({hit.symbol for hit in answer if hit.role not in apart})
    if found >= total or len(choices) > 1:
        return []
    return [f"{found:,} of these {total:,} are among the hits; the graph shows all {total:,}."]


def _walk_of(answer: SearchAnswer) -> str:
    """Return the name of the walk for a question's relation; "callers" if no walk shows the relation."""
    relation = answer.plan.relation or "callers"
    if (relation, answer.plan.direction) in (("callers", "out"), ("callees", "in")):
        relation = "callees" if relation == "callers" else "callers"
    return relation if relation in WALKS or (relation == PATH and answer.plan.targets) else "callers"


def request_of(question: str, options: Mapping[str, Any]) -> SearchRequest:
    """Return the request for the options of the page. Raises QuestionError for one of another form."""
    try:
        lanes, weights = options.get("lanes"), options.get("weights") or {}
        paths = [path.strip() for path in str(options.get("paths") or "").split(",")]
        language = str(options.get("language") or "")
        chosen = None if lanes is None else tuple(lane for lane in LANES if lane in lanes)
        return SearchRequest(
            question=str(question).strip(),
            lanes=chosen,
            weights=tuple(
                (lane, float(weights[lane])) for lane in LANES if lane in weights and lane in (chosen or LANES)
            ),
            top_k=int(options.get("top_k") or settings.TOP_K),
            rrf_k=int(options.get("rrf_k") or settings.RRF_K),
            fusion=str(options.get("fusion") or "rrf"),
            per_file=1 if options.get("one_per_file") else None,
            relation=options.get("relation") or None,
            direction=options.get("direction") or None,
            depth=int(options["depth"]) if options.get("depth") else None,
            filters=Filters(
                paths=tuple(filter(None, paths)),
                languages=(language,) if language else (),
                tests=bool(options.get("tests", True)),
            ),
        )
    except (TypeError, ValueError) as error:
        raise QuestionError(f"an option of the explorer can't be read: {error}") from error


def grep(explorer: Session, pattern: str, regex: bool = False, ignore_case: bool = False) -> Reply:
    """Search every file for a text or a regular expression."""
    explorer.forget()
    answer = explorer.repository().grep(pattern, regex=regex, ignore_case=ignore_case, top_k=MOST_FOUND)
    explorer.found = answer
    rows = []
    for hit in answer:
        row = _row(hit.symbol, hit.path, hit.start_line) | {"rank": hit.rank, "why": plural(hit.count, "match", "es")}
        row["target"] = hit.location
        row["lines"] = [[each.line, _spanned(each.text, each.spans)] for each in hit.lines[:5]]
        rows.append(row)
    said = cut(one_line(answer.headline), 200)
    return {"rows": rows, "said": said, "took": round(answer.elapsed_ms), "notices": list(answer.notices)}, []


def _spanned(text: str, spans: Any) -> list[list[Any]]:
    position, parts = 0, list[list[Any]]()
    for first, last in spans:
        parts += [[visible(text[position:first])], [visible(text[first:last])[:200], "", 1]]
        position = last
    return [*parts, [visible(text[position : position + 200])]]


def source(explorer: Session, target: str, first: int = 0) -> Reply:
    """Return the lines of a symbol, or of a file at ``path:line``, with links to all that the graph knows there."""
    workspace = explorer.repository()
    symbol = find(explorer, target)
    if symbol is None or symbol.kind == "module":
        path, _, line = target.rpartition(":") if symbol is None else (symbol.path, "", str(symbol.line))
        view, at = workspace.source(path).view, int(line)
    else:
        view, at = workspace.source(symbol).view, symbol.line
    lines = list(view.numbered_lines())
    whole = workspace.file(view.path).text.split("\n")[view.start_line - 1]
    if lines and whole.endswith(lines[0][1].rstrip("\r")):  # a symbol begins behind its indentation
        lines[0] = (view.start_line, whole)
    begin = max(0, first - view.start_line) if first else max(0, at - view.start_line - MOST_LINES // 2)
    shown = lines[begin : begin + MOST_LINES]
    answered = explorer.answered
    sought = frozenset[str]() if answered is None else sought_tokens(answered.answer.plan)
    links = links_of(workspace, view.path, shown)
    crumbs, owner = list[list[str]](), symbol
    while owner is not None:
        crumbs.insert(0, [owner.id, owner.path if owner.kind == "module" else owner.name])
        owner = workspace.catalog.symbol(owner.parent) if owner.parent else None
    building = workspace.graph_state not in ("ready", "outdated")
    explorer.open_place(target if symbol is None else symbol.id, symbol)
    return {
        "row": _row(symbol, view.path, at),
        "at": at,
        "crumbs": crumbs or [[f"{view.path}:{at}", view.path]],
        "lines": line_data(shown, view.language, links, sought),
        "before": lines[max(0, begin - MOST_LINES)][0] if begin else 0,
        "after": shown[-1][0] + 1 if begin + MOST_LINES < len(lines) else 0,
        "of": len(lines),
        "edit": _edit_link(workspace, view.path, at),
        "note": "Links come when the call graph is ready." if building else "",
    }, []


@linked
def _edit_link(_: Workspace, path: str, line: int) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in attributes_of(path, line).items()}


def find(explorer: Session, target: str) -> Symbol | None:
    """Return the symbol of an id or a name; None for ``path:line``."""
    workspace = explorer.repository()
    if workspace.catalog.has_symbol(target):
        return workspace.catalog.symbol(target)
    path, _, line = target.rpartition(":")
    if path and line.isdigit():
        return None
    return workspace.symbol(target)


def peek(explorer: Session, symbol: str) -> Reply:
    """Return what a name is: its signature, documentation, and how many callers and tests it has."""
    workspace, found = explorer.repository(), find(explorer, symbol)
    if found is None:
        raise SymbolNotFound(f"there is no symbol {symbol!r}")
    said = ""
    if workspace.graph_state in ("ready", "outdated"):
        from codeexplore.graph.traversal import RELATING, seeds_of, walk

        graph, relating = workspace.graph, RELATING["callers"]
        reached = walk(graph, seeds_of(graph, (found.id,), relating), relating, depth=1).depth
        callers = [graph.symbol(vertex) for vertex, depth in reached.items() if depth]
        tests = sum(map(workspace.catalog.roles.is_test_symbol, callers))
        said = f"{plural(len(callers) - tests, 'caller')}, {plural(tests, 'test')}"
    return _row(found, found.path, found.line) | {"counts": said}, []


def why(explorer: Session, rank: int) -> Reply:
    """Return every number of a hit's score as blocks that unfold."""
    answer = explorer.needed().answer
    hit = answer.hits[rank - 1]
    blocks = list(summand_blocks(hit, answer.result, answer.explain(rank)))
    lanes = {share.lane: lane_words(share.lane) for share in hit.contributions}
    said = "".join(lanes.get(style, text) for text, style in sum_parts(hit.fused, answer.result))
    way = "weight / (rrf_k + rank)" if answer.result.fusion == "rrf" else f"its share by {answer.result.fusion}"
    note = f"Each way to search that found it adds {way}; names, files and other evidence add the rest."
    return {"largest": largest_part(hit, answer.result), "sum": said, "note": note, "html": blocks_html(blocks)}, []


def lab(explorer: Session) -> Reply:
    """Return the steps from the question to the ranking with the numbers of the displayed answer."""
    answer = explorer.needed().answer
    from codeexplore.answers.blocks import Text

    steps = [
        [name, blocks_html([Text(step.numbers, "dim")]), blocks_html(about_blocks(name, step.formula))]
        for name, step in chain(answer).items()
    ]
    return {"steps": steps}, []


def compare(explorer: Session, other: str) -> Reply:
    """Compare the displayed answer with one of other settings, or with the kept answer."""
    answered = explorer.needed()
    if other == KEPT and explorer.kept is None:
        raise QuestionError("No answer is kept yet: “Keep to compare” keeps the displayed answer.")
    if other not in OTHERS:
        raise QuestionError(f"an answer can't be compared with {other!r}")
    kept = None if explorer.kept is None else explorer.kept[:2]
    return {"html": compared_html(Compared(explorer.repository(), *answered[:2], other, kept))}, []


def keep(explorer: Session) -> Reply:
    explorer.kept = explorer.needed()
    return {}, []


def graph(
    explorer: Session,
    symbol: str,
    walk: str = "callers",
    depth: int = 1,
    confidence: float = settings.RESOLVED_CONFIDENCE,
    tests: bool = True,
    kinds: list[EdgeKind] | None = None,
    by: str = GROUPINGS[0],
    opened: list[str] | None = None,
    target: str | None = None,
    others: list[str] | None = None,
    expanded: list[str] | None = None,
    width: float = 560,
) -> Reply:
    """Walk from a symbol, and return boxes and links with coordinates, the list of symbols, and the verdict."""
    catalog = explorer.repository().catalog
    if walk not in WALKS and not (walk == PATH and target):
        raise QuestionError(f"there is no walk {walk!r}; walks are {', '.join(WALKS)}")
    chosen, rest = None if kinds is None else tuple(kinds), tuple(map(catalog.symbol, others or ()))
    end = catalog.symbol(target) if walk == PATH and target else None
    more = tuple(map(catalog.symbol, expanded or ()))
    asked = Walk(catalog.symbol(symbol), walk, int(depth), float(confidence), bool(tests), chosen, end, rest, more)
    walked = explorer.walked
    if walked is None or walked.walk != asked or walked.graph.catalog is not catalog:
        answer = asked.answer(explorer.repository())
        drawn = graph_of(answer) if isinstance(answer, PathsAnswer) else answer
        explorer.walked = walked = Walked(asked, drawn, answer)
    found = walked.graph
    groups = grouped(found, by, frozenset(opened or ()), fold_tests=True)
    drawing, members = draw(found, groups, width), {group.id: group.symbols[0] for group in groups}
    listed = list(dict.fromkeys([*found.seeds, *found.symbols]))
    listed += [catalog.symbol(end) for edge in found.possible for end in (edge.source, edge.target)]
    depths = {each.symbol_id: each.depth for each in found.subgraph.reached}
    whole, roles = walked.answer, catalog.roles
    return {
        "title": drawing.title,
        "said": shown_html(whole) if isinstance(whole, PathsAnswer) else drawn_html(whole, listed=False),
        "boxes": [
            {
                "id": box.symbol_id,
                "label": box.label,
                "title": box.title,
                "x": box.x,
                "y": box.y,
                "width": box.width,
                "start": box.symbol_id in found.subgraph.seeds,
                "certain": box.certain,
                "members": box.members,
                "test": roles.is_test_symbol(catalog.symbol(members.get(box.symbol_id, box.symbol_id))),
            }
            for box in drawing.boxes
        ],
        "links": [[link.source, link.target, link.kind, link.title, link.certainty] for link in drawing.links],
        "size": [drawing.width, drawing.height],
        "cut": drawing.cut,
        "list": [
            [each.id, depths.get(each.id, -1), member_name(each), whereabouts(each)] for each in dict.fromkeys(listed)
        ],
    }, []


def details(explorer: Session, symbol: str) -> Reply:
    """Return the edges and first lines of a symbol of the displayed walk."""
    if explorer.walked is None:
        return {"html": ""}, []
    explorer.selected = explorer.repository().catalog.symbol(symbol)
    return {"html": details_html(details_of(explorer.walked.graph, symbol))}, []


def code(explorer: Session) -> Reply:
    return {"code": explorer.code()}, []


def pin(explorer: Session) -> Reply:
    explorer.own_outputs()
    lost = explorer.pin()
    return {"place": explorer.pins.newest, "lost": lost}, []


def unpin(explorer: Session) -> Reply:
    explorer.unpin()
    return {}, []


def fresh(explorer: Session) -> Reply:
    return {"text": "", "again": False, "step": ""} if explorer.answered is None else staleness(
        explorer.answered.snapshot
    ), []


def refresh(explorer: Session) -> Reply:
    explorer.repository().refresh(graph="background", progress=lambda *_: None)
    return {}, []


def view(explorer: Session, key: str) -> Reply:
    """Show or hide what a feature offers: HTML in the page, or a panel of widgets in an output below."""
    return {"html": explorer.show_view(key)}, []


def open_(explorer: Session, where: str) -> Reply:
    """Open another repository. Its progress is told meanwhile."""
    explorer.load(where)
    return {}, []


def cancel(explorer: Session) -> Reply:
    explorer.cancel.set()
    return {}, []


REPLIES: Mapping[str, Callable[..., Reply]] = {
    "front": front, "start": start, "names": names, "search": search, "grep": grep, "source": source, "peek": peek,
    "why": why, "lab": lab, "compare": compare, "keep": keep, "graph": graph, "details": details, "code": code,
    "pin": pin, "unpin": unpin, "fresh": fresh, "refresh": refresh, "view": view, "open": open_, "cancel": cancel,
}  # fmt: skip
"""Kind of a request → the function that answers it."""

REDRAWN = ("search", "grep", "source", "graph", "open", "refresh")
"""Kinds whose answer changes the still picture."""

SLOW = ("open", "refresh", "view", "fresh")
"""Kinds that may take seconds. They run in a thread of their own, so that the page is answered meanwhile."""


def _row(symbol: Symbol | None, path: str, line: int) -> dict[str, Any]:
    name = path.rpartition("/")[2] if symbol is None else symbol.fqn
    return {
        "target": f"{path}:{line}" if symbol is None else symbol.id,
        "name": cut(one_line(name), _NAME_CHARS),
        "kind": "text" if symbol is None else symbol.kind,
        "place": one_line(f"{path}:{line}"),
        "signature": "" if symbol is None else cut(signature_line(symbol.signature), _DOC_CHARS),
        "doc": "" if symbol is None else first_sentence(symbol.doc),
    }


def _flat(text: str) -> str:
    return text if text.isprintable() else one_line(text).replace("\t", " ")
