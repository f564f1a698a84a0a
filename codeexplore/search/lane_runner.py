"""Runner of the lanes: each lane runs in a thread of its own, so that a failure or delay of one does not affect others.

`ask` and `ask_missing` select the lanes of a plan. `UnavailableLane` replaces a lane that cannot be searched.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.search.lanes.interface import Preparable
from codeexplore.search.lanes.rows import THREADS
from codeexplore.text.tokens import tokenize_question
from codeexplore.types import Hit, HitColumns, LaneName, LaneStatus, QueryPlan, Ranking, Reason, Retriever, settings

if TYPE_CHECKING:
    from numpy.typing import NDArray


READY_TIMEOUT: Final = 60.0
"""Seconds a lane may take to get ready (to load its model, say) and to get a thread, before its time is counted."""


class Job(NamedTuple):
    answer: Callable[[], Sequence[Hit]]
    prepare: Callable[[], None] | None = None  # loads the lane's data; does nothing from the second question on


class _Answers:
    """Answers of lanes. The waiting thread is woken once, because waking takes longer than most lanes."""

    def __init__(self, expected: int) -> None:
        self._missing = expected
        self._found: dict[str, Ranking] = {}
        self._lock, self._complete = threading.Lock(), threading.Lock()
        self._complete.acquire()

    def put(self, ranking: Ranking) -> None:
        with self._lock:
            self._found[ranking.lane] = ranking
            self._missing -= 1
            if not self._missing:
                self._complete.release()

    def wait(self, seconds: float) -> bool:
        return self._complete.acquire(timeout=min(max(seconds, 0.0), threading.TIMEOUT_MAX))

    def so_far(self) -> dict[str, Ranking]:
        with self._lock:
            return dict(self._found)


class _Running:
    def __init__(self, lane: str, job: Job, answers: _Answers) -> None:
        self.lane = lane
        self._job, self._answers = job, answers
        self.asked = time.perf_counter()
        self.started: float | None = None  # when it was ready

    def deadline(self, timeout: float) -> float:
        return self.asked + READY_TIMEOUT if self.started is None else self.started + timeout

    def late(self, timeout: float) -> Ranking:
        why = f"no answer within {timeout:g} s" if self.started is not None else f"not ready after {READY_TIMEOUT:g} s"
        return Ranking(self.lane, (), (time.perf_counter() - (self.started or self.asked)) * 1e3, "timed out", why)

    def __call__(self) -> None:
        self._answers.put(self._answered())

    def _answered(self) -> Ranking:
        started = time.perf_counter()
        try:
            if self._job.prepare is not None:
                self._job.prepare()
            self.started = started = time.perf_counter()
            answer = self._job.answer()
            hits = answer if isinstance(answer, HitColumns) else tuple(answer)
        except BaseException as error:  # noqa: BLE001 — any error of a lane is shown as its failure
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            return Ranking(self.lane, (), (time.perf_counter() - started) * 1e3, "failed", reason)
        elapsed = (time.perf_counter() - started) * 1e3
        answered = Ranking(self.lane, hits, elapsed)
        return answered if hits else replace(answered, status="empty", reason="nothing matched")


def run_lanes(jobs: Mapping[str, Job], timeout: float) -> tuple[Ranking, ...]:
    """Run every lane in a thread of its own, and return the rankings in the order of the jobs.

    A lane is abandoned if it has not answered `timeout` seconds after it was ready. Python cannot kill a thread, so it
    continues as a daemon. It delays neither the answer nor the exit of the interpreter, and its result is dropped.
    """
    answers = _Answers(len(jobs))
    running = [_Running(lane, job, answers) for lane, job in jobs.items()]
    for task in sorted(running, key=lambda task: not task.lane.endswith("embedding")):  # those that release the lock
        THREADS.run(task)
    pause = timeout
    while running and not answers.wait(pause):
        now, found = time.perf_counter(), answers.so_far()
        left = [task.deadline(timeout) - now for task in running if task.lane not in found]
        if max(left, default=0.0) <= 0.0:
            break
        pause = min([each for each in left if each > 0.0] + [timeout])  # a lane that gets ready gets its deadline
    found = answers.so_far()
    late = {task.lane: task.late(timeout) for task in running if task.lane not in found}
    return tuple([(found | late)[lane] for lane in jobs])


class UnavailableLane:
    """A lane that has no hits, because it could not be built (`failed`) or is still being built, for a reason."""

    def __init__(self, lane: LaneName, reason: str, *, failed: bool) -> None:
        self.lane: LaneName = lane
        self.reason = reason
        self.status: LaneStatus = "failed" if failed else "waiting"

    def retrieve(self, *_: object, **__: object) -> Sequence[Hit]:
        return ()


def asked_of(lane: str, plan: QueryPlan) -> QueryPlan:
    return plan if lane == "graph" else subject(plan)


def subject(plan: QueryPlan) -> QueryPlan:
    """Return the plan for the text lanes: its text is the symbol in question, without the words for the relation."""
    if plan.kind == "related":
        return replace(plan, text=plan.searched)
    if plan.description:
        return about(plan, plan.description)
    if plan.identifiers and plan.kind in ("identifier", "structural"):
        return replace(about(plan, " ".join(plan.identifiers)), identifiers=plan.identifiers)
    return about(plan, plan.searched) if plan.searched else plan


def about(plan: QueryPlan, text: str) -> QueryPlan:
    return replace(plan, text=text, tokens=tuple(tokenize_question(text)), description="", identifiers=(), searched="")


def in_other_words(plan: QueryPlan, words: Sequence[str]) -> QueryPlan:
    """Return the plan with further words, which the text lanes search and the signals count like the question's own.

    It is pseudo-relevance feedback (Rocchio 1971) by the names of the nearest chunks.
    """
    asked = plan.searched or plan.text
    searched = " ".join((asked, asked, *words))  # the words of the code weigh half: those of the question count twice
    why = Reason(
        "other words",
        f"its words are not those of this code, so it is searched with added words of the code: {', '.join(words)}; "
        "words of the question count twice, added ones once",
    )
    tokens = dict.fromkeys((*plan.tokens, *tokenize_question(" ".join(words))))
    return replace(plan, searched=searched, tokens=tuple(tokens), reasons=(*plan.reasons, why), added=tuple(words))


def respelt(plan: QueryPlan, words: Sequence[tuple[str, str]]) -> QueryPlan:
    """Return the plan with misspelt words replaced: (as typed, as meant)."""
    meant = {typed.lower(): word for typed, word in words}
    searched, description = (
        re.sub(r"\w+", lambda word: meant.get(word[0].lower(), word[0]), text)
        for text in (plan.searched or plan.text, plan.description)
    )
    said = ", ".join(f"{word} for {typed}" for typed, word in words)
    reasons = (*plan.reasons, Reason("spelling", f"searched for {said}, which occurs nowhere"))
    tokens = tuple(tokenize_question(searched))
    return replace(plan, searched=searched, description=description, tokens=tokens, reasons=reasons)


class LaneRequest(NamedTuple):
    """Settings that stay the same while one question is answered."""

    retrievers: Mapping[LaneName, Retriever]
    allowed: NDArray[np.bool_] | None
    timeout: float


def ask(lanes: Sequence[LaneName], plan: QueryPlan, asking: LaneRequest) -> tuple[Ranking, ...]:
    return ask_about({lane: (lane, asked_of(lane, plan)) for lane in lanes}, asking)


class _ExtraLane:
    """A lane of the user's, whose hits are checked and made columns in the thread of the lane."""

    def __init__(self, lane: Retriever, catalog: Catalog) -> None:
        self.lane, self._retriever, self._catalog = lane.lane, lane, catalog

    def prepare(self) -> None:
        if isinstance(self._retriever, Preparable):
            self._retriever.prepare()

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Return the first `pool` hits in the order of the lane. Raises KeyError and ValueError for wrong hits."""
        hits = list(self._retriever.retrieve(plan, pool, allowed))
        rows = np.array([self._catalog.chunk_row(hit.chunk_id) for hit in hits], np.int64)
        scores = np.array([hit.score for hit in hits], np.float64)
        if len(np.unique(rows)) < len(rows) or not np.isfinite(scores).all():
            raise ValueError("a lane returns each chunk once, with a finite score")
        passing = slice(None) if allowed is None else allowed[rows]
        return HitColumns(rows[passing][:pool], scores[passing][:pool], self._catalog.chunks.ids)


def ask_extra(
    lanes: Sequence[Retriever], plan: QueryPlan, catalog: Catalog, asking: LaneRequest
) -> tuple[Ranking, ...]:
    """Return the rankings of lanes of the user's, which get the plan of the text lanes."""
    retrievers = {lane.lane: _ExtraLane(lane, catalog) for lane in lanes}
    return ask_about({lane: (lane, subject(plan)) for lane in retrievers}, asking._replace(retrievers=retrievers))


def ask_missing(plan: QueryPlan, early: Sequence[Ranking], asking: LaneRequest) -> tuple[Ranking, ...]:
    """Return the rankings of all lanes of the plan, of which those in `early` are there already."""
    there = {ranking.lane: ranking for ranking in early}
    missing = [lane for lane in plan.lanes if lane not in there]
    there |= {ranking.lane: ranking for ranking in ask(missing, plan, asking)}
    return tuple(there[lane] for lane in plan.lanes)


def ask_about(asked: Mapping[str, tuple[str, QueryPlan]], asking: LaneRequest) -> tuple[Ranking, ...]:
    """Return a ranking for each of several questions: `asked` is its name → the lane that is searched, and its plan."""
    jobs: dict[str, Job] = {}
    answered: dict[str, Ranking] = {}
    retrievers: dict[str, Retriever] = {str(lane): retriever for lane, retriever in asking.retrievers.items()}
    for name, (lane, plan) in asked.items():
        retriever = retrievers.get(lane)
        if retriever is None:
            answered[name] = Ranking(name, (), 0.0, "failed", "this workspace has no such lane")
        elif isinstance(retriever, UnavailableLane):
            answered[name] = Ranking(name, (), 0.0, retriever.status, retriever.reason)
        elif lane == "graph" and not plan.seeds:
            answered[name] = Ranking(name, (), 0.0, "empty", "no symbol to start from was found")
        else:
            prepare = retriever.prepare if isinstance(retriever, Preparable) else None
            jobs[name] = Job(partial(retriever.retrieve, plan, settings.POOL, asking.allowed), prepare)
    answered |= {ranking.lane: ranking for ranking in run_lanes(jobs, asking.timeout)}
    return tuple(answered[name] for name in asked)
