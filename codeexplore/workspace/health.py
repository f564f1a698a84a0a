"""Health of a workspace: the report of `Workspace.status`, which the command ``doctor`` also checks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codeexplore.answers.status import CacheState, LaneHealth, Problem, WorkspaceStatus
from codeexplore.answers.wording import plural
from codeexplore.index.cache import MOST_BYTES, cache_slots, entries, form, index_versions
from codeexplore.languages import registry
from codeexplore.search.lane_runner import UnavailableLane
from codeexplore.source import skip_reasons
from codeexplore.text.enumeration import shortened
from codeexplore.types import LANES, LaneName, QueryPlan, Seed
from codeexplore.types.errors import CodeExploreError
from codeexplore.types.features import unavailable
from codeexplore.workspace.pipeline import text_lanes

if TYPE_CHECKING:
    from codeexplore.source.changes import Changes
    from codeexplore.workspace.snapshot import Index

SLOW_LANE_MS = 2_000.0
"""A lane that takes longer to answer a probe is reported; the first question of a process loads the model."""

_TOLD = (
    skip_reasons.NO_PERMISSION,
    skip_reasons.UNREADABLE,
    skip_reasons.VANISHED,
    skip_reasons.NOTEBOOK,
    skip_reasons.RULE,
    skip_reasons.TOO_LARGE,
)
"""Reasons for skipping a file that the user may want to act on."""


def status(index: Index, stale: Callable[[Index], Changes]) -> WorkspaceStatus:
    """Return the report about the index. `stale` returns the files that differ from the index."""
    summary, drifted, why_unknown = index.summary, dict[str, int](), ""
    try:
        found = stale(index)
        drifted = {"added": len(found.added), "changed": len(found.changed), "removed": len(found.removed)}
    except CodeExploreError as error:
        why_unknown = str(error)
    lanes = tuple(probe(index, lane) for lane in LANES)
    cache = cache_state(index.stored)
    encoder = text_lanes(index).embedding.encoder
    problems = (
        *(Problem(each, "update the package, or remove it") for each in registry.installed().problems),
        *_graph_and_file_problems(index, drifted, why_unknown),
        *_lane_and_cache_problems([each for each in lanes if index.pending is None or each.lane != "graph"], cache),
        *(
            Problem(f"feature {name!r}: {why}", "repair or uninstall its distribution")
            for name, why in unavailable().items()
        ),
    )
    return WorkspaceStatus(
        name=index.name,
        root=str(index.root),
        age=max(0.0, time.time() - index.origin.taken_ns / 1e9),
        stale=drifted,
        files=dict(summary.files),
        skipped=dict(summary.skipped),
        symbols=len(index.catalog.symbols),
        chunks=len(index.catalog.chunks),
        edges=sum(summary.edges.values()),
        unresolved=summary.unresolved,
        graph=summary.graph,
        lanes=lanes,
        model=encoder.name,
        model_checksum=encoder.fingerprint,
        cache=cache,
        versions={**index_versions(), "form": form()},
        warnings=summary.warnings,
        problems=problems,
    )


def probe(index: Index, lane: LaneName) -> LaneHealth:
    """Search one lane for a symbol that it must find, and return the result as the lane's health."""
    from codeexplore.search.query.planner import plan as make_plan

    catalog, engine = index.catalog, index.engine
    row = next((row for row, kind in enumerate(catalog.symbols.kinds) if kind in ("function", "method", "class")), 0)
    symbol = catalog.symbols[row]
    plan: QueryPlan = make_plan(symbol.name, known=lambda name: bool(catalog.find(name)), lanes=(lane,))
    retriever = engine.retrievers[lane]
    if isinstance(retriever, UnavailableLane):
        return LaneHealth(lane, retriever.status, 0, 0.0, retriever.reason)
    started = time.perf_counter()
    try:
        if lane == "graph":
            plan = replace(plan, seeds=(Seed(symbol.id, "object"),))
        hits = retriever.retrieve(plan, 10)
    except Exception as error:  # noqa: BLE001 - the lane's error is the answer
        return LaneHealth(lane, "failed", 0, (time.perf_counter() - started) * 1e3, f"{type(error).__name__}: {error}")
    elapsed = (time.perf_counter() - started) * 1e3
    reason = "" if hits else f"it does not find {symbol.name!r}, which is indexed"
    return LaneHealth(lane, "ok" if hits else "empty", len(hits), elapsed, reason)


def cache_state(stored: str = "") -> CacheState:
    """Return the path of the cache folder, its size and, if it cannot be used, the problem."""
    try:
        folder = cache_slots()
        found = entries()
    except OSError as error:
        return CacheState("", 0, 0, stored, str(error))
    broken = [entry for entry in found if entry.problem]
    problem = f"{len(broken)} of {len(found)} indexes can't be read: {broken[0].problem}" if broken else ""
    return CacheState(str(folder), len(found), sum(entry.size for entry in found), stored, problem, MOST_BYTES)


def _graph_and_file_problems(index: Index, drifted: Mapping[str, int], why_unknown: str) -> Iterator[Problem]:
    summary = index.summary
    if (pending := index.pending) is not None:
        yield Problem(pending.note, "; ".join(map(str, pending.next_steps)), serious=bool(pending.reason))
    if why_unknown:
        yield Problem(f"the files can't be compared with the index: {why_unknown}", "search works without them")
    if any(drifted.values()):
        told = ", ".join(f"{count} {what}" for what, count in drifted.items() if count)
        yield Problem(f"files differ from the index: {told}", "ws.refresh() reads them")
    if summary.with_errors:
        broken = [path for path, file in index.files.items() if file.facts.errors]
        yield Problem(
            f"{plural(summary.with_errors, 'file')} could not be parsed in part: {shortened(broken, 3)}",
            "fix the syntax if it is wrong, or ignore this: only the code inside those parts is missing",
        )
    for reason in _TOLD:
        if count := summary.skipped.get(reason, 0):
            yield Problem(f"{plural(count, 'file')} skipped: {reason}", skip_reasons.EXPLANATIONS[reason])
    for warning in summary.warnings[:5]:
        yield Problem(warning, "nothing else is affected; see ws.summary.warnings")


def _lane_and_cache_problems(lanes: Sequence[LaneHealth], cache: CacheState) -> Iterator[Problem]:
    for lane in lanes:
        if lane.status == "failed":
            what, step = f"the {lane.lane} lane fails: {lane.reason}", "codeexplore cache clear, then load again"
            yield Problem(what, step, serious=True)
        elif lane.elapsed_ms > SLOW_LANE_MS:
            what = f"the {lane.lane} lane took {lane.elapsed_ms:,.0f} ms"
            yield Problem(what, "ask again: the first question of a process loads the model")
    if cache.problem:
        step = "the next load of each repository builds its index again; codeexplore cache clear deletes all stored "
        step += "indexes"
        yield Problem(f"cache: {cache.problem}", step if cache.folder else "set CODEEXPLORE_CACHE to a folder")
