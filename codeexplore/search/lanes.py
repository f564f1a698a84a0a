"""Ask several lanes at once, each on its own: what one of them does can't harm the others."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from codeexplore.types import LANES, Hit, LaneName, Ranking

Job = Callable[[], Sequence[Hit]]


def run_lanes(jobs: Mapping[LaneName, Job], timeout: float) -> tuple[Ranking, ...]:
    """Run every lane's job in a thread of its own and collect the rankings, in the order of lanes.

    A lane that has not answered after `timeout` seconds is left behind: Python can't kill a thread, so it works on as a
    daemon, which holds up neither the answer nor the interpreter's exit, and what it finds is dropped.
    """
    done: queue.SimpleQueue[Ranking] = queue.SimpleQueue()
    started = time.perf_counter()
    for lane, job in jobs.items():
        thread = threading.Thread(target=_run, args=(lane, job, done), name=f"codeexplore-{lane}", daemon=True)
        thread.start()
    found: dict[str, Ranking] = {}
    while len(found) < len(jobs):
        left = started + timeout - time.perf_counter()
        try:
            ranking = done.get(timeout=max(left, 0.0))
        except queue.Empty:
            break
        found[ranking.lane] = ranking
    elapsed = (time.perf_counter() - started) * 1e3
    late = f"no answer within {timeout:g} s"
    return tuple(
        found.get(lane) or Ranking(lane, (), elapsed, "timed out", late)
        for lane in LANES
        if lane in jobs
    )  # fmt: skip


def _run(lane: LaneName, job: Job, done: queue.SimpleQueue[Ranking]) -> None:
    started = time.perf_counter()
    try:
        hits = tuple(job())
    except BaseException as error:  # noqa: BLE001 — whatever a lane raises is shown as its failure
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        done.put(Ranking(lane, (), (time.perf_counter() - started) * 1e3, "failed", reason))
        return
    elapsed = (time.perf_counter() - started) * 1e3
    done.put(Ranking(lane, hits, elapsed) if hits else Ranking(lane, (), elapsed, "empty", "nothing matched"))


def collapse_parts(rankings: Sequence[Ranking], parts: Mapping[str, str]) -> tuple[Ranking, ...]:
    """The same rankings with the parts of each split symbol made one hit, and the ranks closed up.

    The part that stands for the symbol is, in every lane, the one that ranks best in any of them (first lane on ties).

    Parameters
    ----------
    rankings
        In the order of lanes.
    parts
        Chunk id → symbol id, of the chunks that are parts of a split symbol.
    """
    best: dict[str, tuple[int, str]] = {}  # symbol → rank and id of its best part
    for ranking in rankings:
        for chunk_id, rank, _ in ranking.hits:
            symbol_id = parts.get(chunk_id)
            if symbol_id is not None and (symbol_id not in best or rank < best[symbol_id][0]):
                best[symbol_id] = (rank, chunk_id)
    return tuple(_collapsed(ranking, best, parts) for ranking in rankings) if best else tuple(rankings)


def _collapsed(ranking: Ranking, best: Mapping[str, tuple[int, str]], parts: Mapping[str, str]) -> Ranking:
    hits: dict[str, Hit] = {}
    for chunk_id, _, score in ranking.hits:
        symbol_id = parts.get(chunk_id)
        standing = chunk_id if symbol_id is None else best[symbol_id][1]
        if standing not in hits:
            hits[standing] = Hit(standing, len(hits) + 1, score)
    return Ranking(ranking.lane, tuple(hits.values()), ranking.elapsed_ms, ranking.status, ranking.reason)
