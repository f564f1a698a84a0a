"""Questions that rank or find symbols: search, localise, related, grep.

`Searches` has them as methods. `search` and `localise` answer from a view, for features.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import PurePosixPath
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Unpack

from codeexplore.answers import GrepAnswer, SearchAnswer, SearchHit
from codeexplore.answers.graph import Marker
from codeexplore.answers.wording import README_NAMES, first_sentence, plural, readme_sentence
from codeexplore.languages.python.locate import parse_toml, setup_values
from codeexplore.languages.registry import record_of
from codeexplore.search.options import (
    SEARCH_OPTIONS,
    SearchOptions,
    check_count,
    check_filters,
    check_options,
    takes_options,
)
from codeexplore.search.query.patterns import asked_replacement, asked_start, asked_surveys, asks_purpose
from codeexplore.search.query.planner import mentions
from codeexplore.search.ranking.signals import Role
from codeexplore.source import skip_reasons
from codeexplore.text.enumeration import shortened
from codeexplore.types import CALLABLE_KINDS, TYPE_KINDS, Chunk, Confidence, Filters, Seed, settings
from codeexplore.types.errors import QuestionError
from codeexplore.types.features import find
from codeexplore.types.search import ANSWERED
from codeexplore.workspace.graph_questions import HUB_KINDS, QuestionsOf
from codeexplore.workspace.view import Viewed

if TYPE_CHECKING:
    from codeexplore.graph.records import Entry
    from codeexplore.types import SearchResult, StoryStep, Symbol, Verdict
    from codeexplore.workspace.view import SnapshotView, Target


takes_search_options = takes_options(signature(check_options).parameters.values(), SEARCH_OPTIONS, "Raises\n")
"""Method decorator for methods whose ``**options`` are `SearchOptions`, which the docstring lists before "Raises"."""


def search(
    view: SnapshotView,
    question: str,
    *,
    relation: str | None = None,
    direction: str | None = None,
    depth: int | None = None,
    seeds: Collection[Target] | None = None,
    observed: Marker | bool = False,
    among: tuple[Collection[str] | None, tuple[str, ...]] | None = None,
    **options: Unpack[SearchOptions],
) -> SearchAnswer:
    from codeexplore.graph.usage.path_verdict import paths_between
    from codeexplore.search.confidence import confidence_of_relation

    searched: tuple[str, ...] = ()
    if observed is not False:
        run = _observed(view, observed)
        ran = frozenset(symbol.id for symbol in run.marked(view))
        options["filters"] = replace(options.get("filters") or Filters(), symbols=ran)
        searched = (f"Only what ran in run {run.title!r} was searched: {plural(len(ran), 'symbol')}.",)
    whole = _about_the_whole(view, question) if among is None else None
    among = among or whole
    if among is not None and among[0] is not None and (among[0] or whole is not None):
        options["filters"] = replace(options.get("filters") or Filters(), symbols=frozenset(among[0]))

    chosen, started = None, ""
    if seeds is not None:
        symbols = [view.symbol(target) for target in seeds]
        chosen = tuple(Seed(symbol.id, "object", 1.0, "given by the caller") for symbol in symbols)
    elif relation is None and direction is None and (asked := asked_start(question)) is not None:
        chosen, started = _starts(view, *asked)
        if chosen:
            relation, direction, depth = "callees", "out", depth or _STORY_DEPTH
    listed = _as_listed(whole, options)
    result = view.index.engine.search(
        question, relation=relation, direction=direction, depth=depth, seeds=chosen or listed or None, **options
    )
    if chosen and seeds is None:  # no symbol is called "program"
        names = tuple(view.catalog.symbol(seed.symbol_id).fqn for seed in chosen)
        plan = replace(result.plan, identifiers=names, description="")
        result = replace(result, plan=plan, notices=(started, *result.notices))
    if among is not None:
        sure = among[0] is None or whole is not None or bool(among[0] and result.hits)
        said, confidence = (among[1], ANSWERED) if sure else ((*among[1], *result.notices), result.confidence)
        result = replace(result, notices=said, confidence=confidence, whole=whole is not None)
    known, plan = result.paths, result.plan
    if known is not None and known.absence is not None and view.catalog.has_symbol(known.source):
        ends = ([seed.symbol_id for seed in some] for some in (plan.seeds, plan.targets))
        longest = max(plan.depth, 1) + 1  # as the lane, which has no texts
        paths = paths_between(view.graph, *ends, longest=longest, usage_evidence=view.evidence)
        result = replace(result, paths=paths)
    if (found := _verdict_of(view, result)) is not None:
        verdict, notes, story = found
        confidence = result.confidence
        if verdict.kind != "found":
            confidence = confidence_of_relation(result.plan, result.extent, result.paths, verdict)
        result = replace(
            result, verdict=verdict, story=story, notices=(verdict.text, *result.notices, *notes), confidence=confidence
        )
    elif result.plan.kind == "conceptual" and (surveys := asked_surveys(question)):
        result = replace(result, surveys=surveys, confidence=Confidence("weak") if among is None else ANSWERED)
    return _answer(view, result, *searched, *view.unread_mentions(result.confidence.absent, question))


def _as_listed(
    whole: tuple[tuple[str, ...] | None, tuple[str, ...]] | None, options: SearchOptions
) -> tuple[Seed, ...]:
    """Return symbols as seeds, in their order, and let the graph alone rank them unless lanes are chosen.

    They need not share a word with the question.
    """
    if whole is None or not whole[0]:
        return ()
    options["lanes"] = options.get("lanes") or ("graph",)
    return tuple(Seed(each, "object", 1 / place, "part of the answer above") for place, each in enumerate(whole[0], 1))


def replacement(workspace: object, question: str) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """Return the symbols that replaced a deleted definition, and sentences, if a question asks for them."""
    name = asked_replacement(question)
    feature = find(lambda each: each if each.replaced else None) if name else None
    return None if feature is None else feature.load(feature.replaced)(workspace, name)


def _about_the_whole(view: SnapshotView, question: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]] | None:
    """Return the symbols that answer a question about the whole repository, in their order, and sentences.

    None stands for all symbols. The result is None for other questions.

    What it is for is said by its manifest or README. What nothing uses, what leads back to itself, what is most used,
    and where the program is entered, is what the survey of that name lists.
    """
    if asks_purpose(question, view.index.name):
        paths = [path for path in view.catalog.paths() if path.lower() in README_NAMES]
        sections = [each.id for path in paths for each in view.catalog.in_file(path) if each.kind == "section"]
        return (tuple(sections[:_FIRST_SECTIONS]) or None, (said,)) if (said := _purpose(view)) else None
    more, named = "", [m.name for m in mentions(question, lambda name: bool(view.catalog.meant(name)))]
    named = [name for name in named if any(each.kind != "module" for each in view.catalog.meant(name))]
    if named or view.index.pending is not None:
        return None
    asked, starting = {step.call for step in asked_surveys(question)}, asked_start(question) == ("", False)
    if "dead_code" in asked:
        dead = QuestionsOf(view).dead_code()
        listed = dead.only("unused") if any(each.kind == "unused" for each in dead) else dead
        headline, symbols = dead.headline, listed.symbols
        headline += "" if listed is dead or headline.endswith("no sign of use") else ". With no sign of use"
    elif "entry_points" in asked or starting:
        entries = QuestionsOf(view).entry_points(("main", "script", "module", "registered", "test"))
        if starting and _programs(view, entries):
            return None  # the story of the program answers
        own = [each for each in entries if each.kind != "test" and not _is_apart(view, each)]
        scripts = [each for each in own if starting and each.kind == "module"]
        runs = type(entries)(tuple(each for each in own if each not in scripts), view.catalog)
        headline, symbols = runs.headline, tuple(sorted(runs.symbols, key=_is_loader))
        if not symbols and (symbols := QuestionsOf(view).entry_points(("exported",)).symbols):
            headline += ", as in a library. Code outside may call what is public and not called by name here"
        starts = [e for e in entries if _is_apart(view, e) and _is_start(view, e)]
        vendored = any(view.catalog.roles.of(view.catalog.symbol(e.symbol_id).path) == "vendored" for e in starts)
        where = "In tests, examples and vendored code" if vendored else "In tests and examples"
        for title, some in (("Scripts", scripts), (where, starts)):
            fqns = [f"`{view.catalog.symbol(each.symbol_id).fqn}`" for each in some]
            more += f" {title}: {shortened(fqns, _MOST_STARTS)}." if some else ""
    elif "cycles" in asked:
        level = "imports" if "import" in question.lower() else "calls"
        round_trips = QuestionsOf(view).cycles(level, min_confidence=settings.RESOLVED_CONFIDENCE)
        headline = round_trips.headline
        symbols = tuple(view.catalog.symbol(each) for cycle in round_trips for each in cycle.members)
    elif "hubs" in asked:
        central = QuestionsOf(view).hubs(_MOST_NAMED, kinds=_kinds_asked(question))
        headline, symbols = central.headline, tuple(view.catalog.symbol(each.symbol_id) for each in central)
    else:
        return None
    shown = (f"`{each.path if each.kind == 'module' else each.fqn}`" for each in symbols)
    names = shortened(list(dict.fromkeys(shown)), _MOST_NAMED)  # overloads have one
    return tuple(each.id for each in symbols), (f"{headline}{f': {names}' if names else ''}.{more}",)


def _kinds_asked(question: str) -> tuple[str, ...]:
    """Return the kinds of symbols that a question about the whole repository is about, of those that may be hubs."""
    words = question.lower()
    types, functions = ("class" in words or "type" in words), ("function" in words or "method" in words)
    chosen = (
        TYPE_KINDS if types and not functions else CALLABLE_KINDS if functions and not types else frozenset(HUB_KINDS)
    )
    return tuple(kind for kind in HUB_KINDS if kind in chosen)


def _is_apart(view: SnapshotView, entry: Entry) -> bool:
    return view.catalog.roles.of(view.catalog.symbol(entry.symbol_id).path) in Role.apart


def _is_start(view: SnapshotView, entry: Entry) -> bool:
    symbol = view.catalog.symbol(entry.symbol_id)
    named = symbol.kind != "module" and symbol.name in record_of(symbol.language).start_names
    return named or entry.kind in ("main", "script", "module")


def _is_loader(symbol: Symbol) -> bool:
    """Return True for a function that runs while its file is loaded: it starts no program."""
    return symbol.kind != "module" and symbol.name in (record_of(symbol.language).loaders or ())


def _programs(view: SnapshotView, entries: Iterable[Entry]) -> list[Symbol]:
    """Return the entry points that may start the program: none of a test or example, and no script beside a library.

    A file that runs as a script may be the program only if most of the code is in its language.
    """
    catalog = view.catalog
    sizes = Counter(each.language for each in catalog.symbols if each.kind in CALLABLE_KINDS)
    found = [each for each in entries if each.kind in ("main", "script", "module") and not _is_apart(view, each)]
    ended = ((catalog.symbol(each.symbol_id), each.kind) for each in found)
    return [s for s, kind in ended if kind != "module" or 2 * sizes[s.language] >= max(sizes.values(), default=0)]


def _purpose(view: SnapshotView) -> str:
    """Return what a manifest, or else the README, says that the repository is for; "" if none says it."""
    for path, keys in _DESCRIPTIONS:
        text = view.sources[path].text if path in view.sources else ""
        try:
            if path == "setup.py":
                table: Any = dict.fromkeys(keys, next(setup_values(text, *keys), ""))
            else:
                table = parse_toml(text) if path.endswith(".toml") else json.loads(text or "{}")
        except (ValueError, RecursionError):  # no JSON, or nested too deeply
            continue
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        if isinstance(table, str) and table.strip():
            return f"{path}: {first_sentence(table)}"
    readmes = (path for path in view.catalog.paths() if path.lower() in README_NAMES)
    said = ((path, readme_sentence(view.sources[path].text, view.index.name)) for path in readmes)
    return next((f"{path}: {text}" for path, text in said if text), "")


_DESCRIPTIONS = (
    ("pyproject.toml", ("project", "description")),
    ("pyproject.toml", ("tool", "poetry", "description")),
    ("setup.py", ("description",)),
    ("Cargo.toml", ("package", "description")),
    ("package.json", ("description",)),
    ("composer.json", ("description",)),
)
_MOST_NAMED = 10
_FIRST_SECTIONS = 5
_STORY_DEPTH = 3  # as for "what happens when X is called?"


def _starts(view: SnapshotView, called: str, alone: bool) -> tuple[tuple[Seed, ...], str]:
    """Return where the program starts, in its main language, and a sentence on it that names other scripts.

    It is the first script that a manifest declares: authors name the program before its tools. Without a script, they
    are the functions, or else files, that lead to most symbols; those with the name of the repository come first. A
    call that is not resolved counts as one that leads to a symbol. Starts that lead to less than half are left out. A
    program that is `called` otherwise has to be a script, and a name `alone` is that of a function, if one outside of
    tests has it.
    """
    from codeexplore.graph.traversal import PathSearch
    from codeexplore.graph.usage.entry_points import entry_points

    if view.index.pending is not None:  # the graph is being built
        return (), ""
    graph, catalog, name = view.graph, view.catalog, (called or view.index.name).lower()
    if alone and any(
        each.kind in CALLABLE_KINDS and not catalog.roles.is_test_symbol(each) for each in catalog.find(called)
    ):
        return (), ""
    found = entry_points(graph, view.evidence, ("main", "script", "module"))
    own = list[str]()  # in the order of the manifests
    for script in view.evidence.starts.scripts:
        at_root = script.name and "/" not in script.manifest
        if name in script.script.lower().split(" and ") if called else at_root:
            own += [each.symbol_id for each in found if each.reason == script.said]
    own = own[: None if called else 1]
    if not own and name != view.index.name.lower():
        return (), ""
    if not own:
        own = [
            each.symbol_id for each in found if PurePosixPath(catalog.symbol(each.symbol_id).path).stem.lower() == name
        ]
    named = [catalog.symbol(each) for each in dict.fromkeys(own)]
    starts = [each for each in named if catalog.roles.of(each.path) not in Role.apart] or _programs(view, found)
    starts = [each for each in starts if each.kind != "module" and not _is_loader(each)] or starts
    sizes = Counter(symbol.language for symbol in catalog.symbols)
    language = max((each.language for each in starts), key=sizes.__getitem__, default="")
    vertices = {graph.vertex(each.id): each for each in starts if each.language == language}
    reach = Counter(graph.vertex(each.source) for each in graph.unresolved.within(vertices))
    for vertex in vertices:
        reach[vertex] += len(PathSearch(graph, tests=False).distances((vertex,), "out"))
    best = [vertex for vertex, size in reach.most_common(_MOST_STARTS) if 2 * size >= max(reach.values())]
    reasons = {each.symbol_id: each.reason for each in found}
    names = [vertices[vertex].fqn for vertex in best]
    said = f"The program starts at {shortened(names, _MOST_STARTS)}: {reasons[vertices[best[0]].id]}." if best else ""
    others = [f"{catalog.symbol(each.symbol_id).fqn} ({each.reason})" for each in found if each.kind == "script"]
    others = [each for each in others if each.partition(" ")[0] not in names]
    said += f" Other entry points: {'; '.join(others[:_MOST_STARTS])}." if said and others else ""
    said += _beside_story(view, best) if best else ""
    return tuple(Seed(vertices[vertex].id, "object", 1.0, "where the program starts") for vertex in best), said


_MOST_STARTS = 3


def _beside_story(view: SnapshotView, starts: Sequence[int]) -> str:
    """Return sentences on what else runs when a program starts: code that loading runs, and functions handed on."""
    from codeexplore.graph.traversal import PathSearch

    graph, catalog, least = view.graph, view.catalog, settings.RESOLVED_CONFIDENCE
    own = [graph.vertex(catalog.in_file(graph.symbol(each).path)[0].id) for each in starts]
    calls, imports = PathSearch(graph, tests=False), PathSearch(graph, ("IMPORTS",), tests=False)
    modules = {graph.symbol(each).fqn for each in imports.distances(own, "out")}
    loaded = {s.path for s in catalog.symbols if s.kind == "module" and s.fqn in modules}
    runs: list[Symbol] = []
    for symbol in (each for path in sorted(loaded) for each in catalog.in_file(path)):
        names = record_of(symbol.language).loaders
        if names is not None and not catalog.roles.is_test_symbol(symbol) and graph.vertex(symbol.id) not in starts:
            calling = symbol.kind == "module" and graph.incident(graph.vertex(symbol.id), "out", calls.kinds)
            runs += [symbol] if calling or (symbol.kind == "function" and symbol.name in names) else []
    reached = calls.distances(starts, "out")
    holders = (*reached, *(graph.vertex(each.id) for each in runs))
    rows = (row for each in holders for row in graph.incident(each, "out", ("USES",), least))
    used = dict.fromkeys(target for row in rows if (target := graph.edges.target[row]) not in reached)
    handed = [each for each in map(graph.symbol, used) if each.kind in CALLABLE_KINDS]
    said = ""
    for what, symbols in (
        ("While files are loaded, more runs, which is not listed", runs),
        ("A library may call functions that are passed on as values", handed),
    ):
        named = dict.fromkeys(each.fqn for each in symbols if each.kind != "lambda")
        listed = [shortened(list(named), _MOST_STARTS)] if named else []
        unnamed = sum(each.kind == "lambda" for each in symbols)
        listed += [f"{plural(unnamed, 'function')} without a name"] if unnamed else []
        said += f" {what}: {'; '.join(listed)}." if listed else ""
    return said


def localise(view: SnapshotView, report: str | BaseException, **options: Unpack[SearchOptions]) -> SearchAnswer:
    text = "".join(format_exception(report)) if isinstance(report, BaseException) else report
    result = view.index.engine.localise(text, **options)
    if result.plan.seeds and "graph" in result.plan.lanes and (said := view.graph_note):
        result = replace(result, notices=(*result.notices, said))
    return SearchAnswer.of(result, view.catalog, view.index.engine.derive)


def _answer(view: SnapshotView, result: SearchResult, *searched: str) -> SearchAnswer:
    """Return a result as an answer, with notices on a graph that is not up to date and on what was searched."""
    said = view.graph_notes if "graph" in result.plan.lanes else ()
    result = replace(result, notices=(*result.notices, *said, *searched))
    answer = SearchAnswer.of(result, view.catalog, view.index.engine.derive)
    if folded := set(answer.in_tests()):  # displays fold them: they are last, so that the ranks shown have no gaps
        ordered = sorted(answer.hits, key=lambda hit: hit.symbol in folded)
        hits = tuple(replace(hit.fused, rank=rank) for rank, hit in enumerate(ordered, 1))
        answer = SearchAnswer.of(replace(result, hits=hits), view.catalog, view.index.engine.derive)
    return answer


def _verdict_of(
    view: SnapshotView, result: SearchResult
) -> tuple[Verdict, tuple[str, ...], tuple[StoryStep, ...]] | None:
    """Return the verdict on the relation for which a question asks, notes on other uses, and the calls in their order.

    They are those of the walk with the same options, such as ``ws.callers``; None without a relation.
    """
    plan, extent = result.plan, result.extent
    if extent is None or plan.relation is None or not plan.seeds:
        return None
    if result.paths is not None:
        symbols = [view.catalog.symbol(result.paths.target)] if view.catalog.has_symbol(result.paths.target) else []
        verdict = result.paths.verdict
        return None if verdict is None else (view.as_far_as_known(verdict, view.unread_uses(symbols)), (), ())
    if plan.relation == "path" or (not extent.certain and any(seed.source == "description" for seed in plan.seeds)):
        return None
    from codeexplore.graph import queries
    from codeexplore.graph.external import with_externals
    from codeexplore.graph.traversal import WHOLE_HIERARCHY
    from codeexplore.index.qualified_names import is_external

    ids = [seed.symbol_id for seed in plan.seeds]
    graph = with_externals(view.graph) if any(map(is_external, ids)) else view.graph
    depth = None if plan.relation in WHOLE_HIERARCHY else max(plan.depth, 1)
    found = queries.walk(
        graph,
        plan.relation,
        ids,
        depth=depth,
        direction=plan.direction,
        tests=plan.filters.tests,
        usage_evidence=view.evidence,
        listed=False,
    )
    if found.verdict is None:
        return None
    story = (
        queries.in_order(found, graph.catalog, view.evidence.mentions.line)
        if (plan.relation, plan.direction) == ("callees", "out") and depth != 1
        else ()
    )
    unread = view.unread_uses([graph.catalog.symbol(symbol_id) for symbol_id in ids], found.direction)
    beside = (unread,) if unread and found.verdict.kind == "found" else ()
    steps = (graph.catalog.symbol(each.symbol_id) for each in found.reached if each.depth)
    if nameless := sum(symbol.kind == "lambda" for symbol in steps):
        are = "symbol counted above is a function" if nameless == 1 else "symbols counted above are functions"
        beside = (f"{nameless:,} {are} without a name, part of the code around.", *beside)
    return view.as_far_as_known(found.verdict, unread), (*found.notes, *beside), story


def _likened(view: SnapshotView, target: Target) -> Symbol | Chunk:
    """Return the symbol that `target` means. For a target without a symbol, return its chunk."""
    chunk = target.chunk if isinstance(target, SearchHit) else target  # no attribute of a live object is read
    if isinstance(chunk, Chunk) and chunk.symbol is None:
        return view.catalog.chunk(chunk.id)
    return view.symbol(target)


def _observed(view: SnapshotView, observed: Marker | bool) -> Marker:
    """Return the marker whose symbols are searched, such as a run. True means the attached one."""
    marker = view.marker if observed is True else observed
    if not isinstance(marker, Marker):
        attach = "no run is attached; ws.runs.attach(run) attaches one"
        given = attach if observed is True else f"{observed!r:.80} is no run"
        raise QuestionError(f"observed: {given}, or give a run of ws.runs.trace()")
    return marker


class Searches(Viewed):
    """Questions that rank or find symbols, as methods of a workspace."""

    @takes_search_options
    def search(
        self,
        question: str,
        *,
        relation: str | None = None,
        direction: str | None = None,
        depth: int | None = None,
        seeds: Collection[Target] | None = None,
        observed: Marker | bool = False,
        wait: bool = False,
        **options: Unpack[SearchOptions],
    ) -> SearchAnswer:
        """Rank the symbols that answer a question. The answer can explain how each score was computed.

        Parameters
        ----------
        question
            An identifier, "what calls …", a description in plain words, or a mixture. A bug report or stack trace of
            several lines is answered as by `localise`.
        relation, direction, depth
            Parts of a question about the graph, such as "callers", "in" and 2. They replace the planner's choice.
        seeds
            Symbols at which the graph lane starts, instead of the symbols that the question names.
        observed
            A run, or another marker: search only the functions, classes and modules that ran in it. True means the
            attached run.
            ``seeds=run.symbols[:20]`` starts the graph lane at what ran most, without leaving anything out.
        wait
            True to wait until the graph is up to date, so that the answer does not depend on the time of the question.
            By default, a question that is asked earlier is answered without the graph lane, and a notice says so.

        Raises
        ------
        QuestionError
            The question is empty, or an option is out of range or unknown.
        GraphUnresolved
            `wait` is True, and the graph cannot be built.
        """
        return search(
            self._searched(wait),
            question,
            relation=relation,
            direction=direction,
            depth=depth,
            seeds=seeds,
            observed=observed,
            among=replacement(self, question),
            **options,
        )

    @takes_search_options
    def localise(
        self, report: str | BaseException, *, wait: bool = False, **options: Unpack[SearchOptions]
    ) -> SearchAnswer:
        """Rank the symbols that a bug report is about: the places where the fault is likely to be.

        A report is the text of an issue, a stack trace (Python, JavaScript, Java, Go or Rust) or both, in Markdown or
        plain text. Its title, prose, code, stack frames and names each give a ranking. These rankings are fused, and
        ``answer.explain`` shows the share of each. `search` does the same for a text that has the form of a report.

        `weights` may also have parts of the report: "whole" (all its words), "title", "body", "code", "frames" and
        "names". 0 leaves a lane or part out.

        Parameters
        ----------
        report
            The text of the report, or an exception, whose traceback is read.
        wait
            As for `search`.

        Raises
        ------
        QuestionError
            The report is empty, or an option is out of range or unknown.
        """
        return localise(self._searched(wait), report, **options)

    @takes_search_options
    def related(self, target: Target, *, wait: bool = False, **options: Unpack[SearchOptions]) -> SearchAnswer:
        """Rank the symbols that are similar to `target`, by the meaning of their text and by nearness in the graph.

        The default lanes are "embedding" and, with half its weight, "graph".

        Parameters
        ----------
        target
            A name, ``"path:line"``, a symbol, a chunk, a hit, or a live Python object.
        wait
            As for `search`.

        Raises
        ------
        SymbolNotFound, AmbiguousSymbol
            The target does not mean one symbol.
        QuestionError
            An option is out of range or unknown.
        """
        view = self._searched(wait)
        return _answer(view, view.index.engine.related(_likened(view, target), **options))

    def grep(
        self,
        pattern: str,
        *,
        regex: bool = False,
        ignore_case: bool = False,
        top_k: int = settings.GREP_TOP_K,
        tests: bool | None = None,
        filters: Filters | None = None,
    ) -> GrepAnswer:
        """Search every file for an exact text, such as an error message or an operator, or for a regular expression.

        Matches are grouped by the innermost symbol that contains them. The symbol that the matched name defines comes
        first. Then code comes before compatibility code, documentation and tests. Among these, symbols with more
        matches come first.

        Parameters
        ----------
        pattern
            A text. With `regex` it is a regular expression of RE2: no look-around, no backreferences, linear time. In
            it, ``^`` and ``$`` match the start and the end of a line.
        ignore_case
            True ignores the difference between upper and lower case.
        top_k
            Number of symbols to return. The totals count all symbols.
        tests
            False leaves out tests. None leaves the choice to `filters`, which include them by default.
        filters
            Restrictions on paths, languages, kinds and tests. With kinds, a match belongs to the innermost symbol of
            these kinds.

        Raises
        ------
        QuestionError
            The pattern is empty or not a regular expression, or an option is out of range or unknown.
        """
        from codeexplore.search.grep import compile_pattern, grep, may_match

        started = time.perf_counter()
        view, chosen, wanted = self._view, check_filters(filters, tests), check_count("top_k", top_k)
        find = compile_pattern(pattern, regex=regex, ignore_case=ignore_case)
        files = view.sources.values()
        result = grep(files, view.catalog, find, chosen, wanted)
        skipped = (each for each in view.index.summary.skipped_files if each.reason not in skip_reasons.OUTSIDE)
        unread = skip_reasons.counts(each for each in skipped if may_match(each.path, chosen, view.catalog.roles))
        elapsed = (time.perf_counter() - started) * 1e3
        return GrepAnswer.of(
            result,
            view.catalog,
            pattern,
            chosen,
            regex=regex,
            ignore_case=ignore_case,
            elapsed_ms=elapsed,
            unread=unread,
        )
