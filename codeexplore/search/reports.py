"""Answers to bug reports: each part of a report gives a ranking, and all rankings are fused like those of lanes.

`report_plan` returns the plan for a report. `ReportQuestions` has one question for each part of the report. The words
of a part are searched by a text lane. Stack frames and names give exact rankings. The frames are also the starts of a
walk for the graph lane.
"""

from __future__ import annotations

import heapq
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.search.confidence import confidence_of_words, with_a_name
from codeexplore.search.lane_runner import LaneRequest, ask_about
from codeexplore.search.options import check_factor
from codeexplore.search.query.bug_report import Frame, Report, read_report, shortened
from codeexplore.search.query.planner import chosen_lanes
from codeexplore.search.ranking.rerank import Columns, ReportWords
from codeexplore.search.ranking.signals import unasked_roles
from codeexplore.search.seeds import MAX_NAMED
from codeexplore.text.tokens import tokenize_question
from codeexplore.types import settings
from codeexplore.types.errors import QuestionError
from codeexplore.types.facts import Symbol
from codeexplore.types.kinds import TEXT_KINDS, LaneName
from codeexplore.types.search import Confidence, Filters, HitColumns, QueryPlan, Ranking, Reason, Seed, TermScore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.types import Retriever


class LocatedFrame(NamedTuple):
    frame: Frame
    symbol: Symbol


_HASH: Final = re.compile(r"::h[0-9a-f]{16}$")  # Rust
_ALIAS: Final = re.compile(r" \[as .*\]$")  # JavaScript
_ENDS: Final = re.compile(r"[.:/\s$]+")


def located(frames: Sequence[Frame], catalog: Catalog) -> tuple[LocatedFrame, ...]:
    if not frames:
        return ()
    paths: dict[str, list[str]] = defaultdict(list)
    for path in catalog.paths():
        paths[path.rpartition("/")[2]].append(path)
    found = ((frame, _symbol_of(frame, paths, catalog)) for frame in frames)
    return tuple(LocatedFrame(frame, symbol) for frame, symbol in found if symbol is not None)


def _symbol_of(frame: Frame, paths: dict[str, list[str]], catalog: Catalog) -> Symbol | None:
    written = [part for part in frame.path.split("/") if part not in ("", ".", "..", "~")]
    alike = {path: _common_end(written, path.split("/")) for path in paths.get(written[-1] if written else "", ())}
    most = max(alike.values(), default=0)
    likely = [path for path, length in alike.items() if length == most]
    name = _function_name(frame.function)
    for path in likely if name else ():
        rows = catalog.symbol_rows_in(path)
        named = [catalog.symbols[row] for row in rows if catalog.symbols.name(row)[0] == name]
        if named:
            return min(
                named, key=lambda each: max(each.span.start_line - frame.line, frame.line - each.span.end_line, 0)
            )
    # a file's name alone is too little evidence: every project has a utils.py
    sure = len(likely) == 1 and (most > 1 or most == len(likely[0].split("/")))
    return catalog.at(likely[0], frame.line) if sure and not (name and most < 2) else None


def _common_end(written: Sequence[str], parts: Sequence[str]) -> int:
    length = 0
    while length < min(len(written), len(parts)) and written[-1 - length] == parts[-1 - length]:
        length += 1
    return length


def _function_name(function: str) -> str:
    """Return the last name of a frame's function; "" for the frame of a module or of a function without a name."""
    name = _ALIAS.sub("", _HASH.sub("", function)).removesuffix("()")
    name = re.sub(r"\{\{closure\}\}|\.func\d+(?:\.\d+)*$|[()*]", "", name).strip(".: ")
    last = _ENDS.split(name)[-1] if name else ""
    return "" if last.startswith("<") else last


class ExactHits:
    """A ranking of places. `terms` is row of a chunk → the places that lead to it, which are terms of its score."""

    def __init__(self, terms: dict[int, dict[str, float]], catalog: Catalog) -> None:
        self._terms, self._catalog = terms, catalog

    def __bool__(self) -> bool:
        return bool(self._terms)

    def hits(self, pool: int, allowed: NDArray[np.bool_] | None) -> HitColumns:
        """Return at most `pool` hits, best first. Hits with equal scores are in the order in which they were found."""
        scores = {row: sum(found.values()) for row, found in self._terms.items() if allowed is None or allowed[row]}
        rows = sorted(scores, key=lambda row: -scores[row])[:pool]
        return HitColumns(
            np.array(rows, np.int64), np.array([scores[row] for row in rows], np.float64), self._catalog.chunks.ids
        )

    def explain(self, plan: QueryPlan, chunk_id: str) -> tuple[TermScore, ...]:  # noqa: ARG002 — as all lanes
        """Return the places that lead to a chunk, with their scores. The scores add up to the chunk's score."""
        found = self._terms.get(self._catalog.chunk_row(chunk_id), {})
        return tuple(TermScore(place, 1, 1, 0.0, score) for place, score in found.items())


def frame_hits(frames: Sequence[LocatedFrame], catalog: Catalog) -> ExactHits:
    """Return a ranking of the symbols in `frames`, with the scores 1, 1/2, 1/3 and so on."""
    terms: dict[int, dict[str, float]] = defaultdict(dict)
    for place, (frame, symbol) in enumerate(frames):
        row = catalog.chunk_row_for(symbol.id)
        if row is not None:
            file = frame.path.rpartition("/")[2]
            terms[row].setdefault(f"{file}:{frame.line} {frame.function}".strip(), 1.0 / (1 + place))
    return ExactHits(terms, catalog)


def _ending_in(name: str, catalog: Catalog) -> Sequence[Symbol]:
    """Return the symbols whose qualified name has the longest end in common with `name`.

    ``Cart.total`` is found for ``shop.Cart.total``. Aliases and re-exports are not followed. A report has hundreds of
    names, most of them from other programs, and each would be searched in all imports of the repository.
    """
    parts = name_parts(name)
    symbols = [symbol for symbol in catalog.named(parts[-1]) if symbol.kind not in TEXT_KINDS] if parts else []
    for start in range(len(parts)):
        found = [symbol for symbol in symbols if name_parts(symbol.fqn)[start - len(parts) :] == parts[start:]]
        if found:
            return [symbol for symbol in found if symbol.kind != "module"] or found
    return []


def name_hits(names: Sequence[str], catalog: Catalog) -> ExactHits:
    """Return a ranking of the symbols that `names` mean. Several symbols with a name share a score of 1."""
    terms: dict[int, dict[str, float]] = defaultdict(dict)
    for name in names:
        symbols = [symbol for symbol in _ending_in(name, catalog) if not catalog.roles.is_test_symbol(symbol)]
        if len(symbols) > MAX_NAMED:
            continue  # a word like ``get``: it says nothing
        for symbol in symbols:
            row = catalog.chunk_row_for(symbol.id)
            if row is not None:
                terms[row][name] = 1.0 / len(symbols)
    return ExactHits(terms, catalog)


WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "whole-bm25": 2.0,
        "title-bm25": 1.0,
        "title-embedding": 1.0,
        "body-bm25": 0.5,
        "code-bm25": 0.5,
        "frames": 8.0,
        "names": 1.0,
        "graph": 0.5,
    }
)
"""Weight of each ranking: a part of the report, and the lane that is asked about it.

In halves and whole numbers, since finer ones make no difference (benchmarks/LABBOOK.md): all words rank best alone, a
frame is the surest evidence, and the title is the reporter's own summary.
"""

PARTS: Final = ("whole", "title", "body", "code", "frames", "names", "around")
"""Parts that a caller may weigh. "whole" is all words of the report, "around" the same in a hit's class and file."""

_MOST_SEEDS: Final = 5
"""Frames that the graph starts from: those further out are the program's general machinery."""

_DECAY: Final = 0.7
"""Weight of a frame as a start of the graph beside the frame inside it."""

_LANES: Final[Mapping[LaneName, float]] = MappingProxyType({"bm25": 1.0, "embedding": 1.0, "graph": 1.0})


class PartQuestion(NamedTuple):
    """One ranking for a report. `lane` is the lane that makes it; "" for an exact ranking."""

    name: str
    lane: str
    plan: QueryPlan
    weight: float


class Reading(NamedTuple):
    """A report that was read: the part of its text that was used, its parts, and its stack frames in the repository."""

    text: str
    report: Report
    frames: tuple[LocatedFrame, ...]
    cut: int = 0  # characters that were not read

    @classmethod
    def of(cls, text: str, catalog: Catalog) -> Self:
        """Return the reading of `text`. Raises QuestionError if it is empty or not a string."""
        if not isinstance(text, str):
            raise QuestionError(f"a report is a string, not {type(text).__name__}: {text!r:.80}")
        kept = shortened(text)
        found = cls.of_plan(kept, catalog)
        if found.report == Report():
            raise QuestionError("the report is empty; paste the text of an issue, an error message or a stack trace")
        return found._replace(cut=len(text) - len(kept))

    @classmethod
    def of_plan(cls, kept: str, catalog: Catalog) -> Self:
        """Return the reading of `kept`, the text of a report's plan, which `shortened` has returned."""
        report = read_report(kept)
        return cls(kept, report, located(report.frames, catalog))


def report_plan(
    read: Reading, filters: Filters, *, lanes: Collection[str] | None = None, weights: Mapping[str, float] | None = None
) -> QueryPlan:
    """Return the plan for a report. Raises QuestionError for a wrong lane or weight.

    `lanes` are the lanes that search for its parts, and `weights` are their weights. Weights of parts are used by
    `ReportQuestions`; the plan lists them among its reasons.
    """
    report, frames = read.report, read.frames
    reasons = [Reason("kind", f"read as a bug report: {_told(report, frames)}")]
    if read.cut > 0:
        length, kept = len(read.text) + read.cut, len(read.text)
        said = f"The report has {length:,} characters; {kept:,} were read: its beginning, and stack traces in the rest."
        reasons.append(Reason("text", said))
    reasons += _outside(report, frames)
    part_weights(weights)
    return QueryPlan(
        text=read.text,
        kind="report",
        tokens=tuple(tokenize_question(report.title)),
        seeds=_seeds(frames),
        filters=filters,
        lanes=chosen_lanes(_LANES, lanes, weights, reasons, PARTS),
        reasons=tuple(reasons),
        searched=report.title,
    )


def _told(report: Report, frames: Sequence[LocatedFrame]) -> str:
    told = [name for name in ("title", "body", "code") if getattr(report, name)]
    for count, one, many in (
        (len(report.errors), "error message", "error messages"),
        (len(report.frames), "stack frame", "stack frames"),
        (len(report.names), "name", "names"),
        (len(report.paths), "path", "paths"),
    ):
        if count:
            inside = f" ({len(frames)} in this repository)" if one == "stack frame" else ""
            told.append(f"{count} {one if count == 1 else many}{inside}")
    return ", ".join(told)


def _outside(report: Report, frames: Sequence[LocatedFrame]) -> list[Reason]:
    if not report.frames or frames:
        return []
    first = report.frames[0].path
    why = f"None of the {len(report.frames)} stack frames is in this repository (the innermost is in {first[:120]})"
    return [Reason("text", f"{why}; the words of the report were searched.")]


def part_weights(weights: Mapping[str, float] | None) -> dict[str, float]:
    """Return the weights that are given for parts of a report. Raises QuestionError for a wrong value."""
    chosen = {name: weight for name, weight in (weights or {}).items() if name in PARTS}
    for name, weight in chosen.items():
        check_factor(f"part {name}", weight)
    return chosen


def _seeds(frames: Sequence[LocatedFrame]) -> tuple[Seed, ...]:
    seeds: dict[str, Seed] = {}
    for frame, symbol in frames:
        if symbol.id not in seeds and len(seeds) < _MOST_SEEDS:
            why = f"stack frame {frame.path.rpartition('/')[2]}:{frame.line}"
            seeds[symbol.id] = Seed(symbol.id, "name", _DECAY ** len(seeds), why)
    return tuple(seeds.values())


class ReportQuestions:
    """The questions for the parts of a report.

    `plan` is the result of `report_plan`. `idf` returns the rarity of a token. `weights` is part → factor of its
    weight. A part with the factor 0 is left out.
    """

    def __init__(
        self,
        plan: QueryPlan,
        read: Reading,
        catalog: Catalog,
        idf: Callable[[str], float],
        weights: Mapping[str, float] | None = None,
    ) -> None:
        self._plan, self._report, self._frames, self._catalog = plan, read.report, read.frames, catalog
        self._idf = idf
        self._factors = part_weights(weights)
        self.by_name = {part.name: part for part in self._parts() if part.weight > 0.0}

    def _parts(self) -> list[PartQuestion]:
        report, plan = self._report, self._plan
        texts = {"title": report.title, "body": report.body, "code": report.code, "rest": report.rest}
        tokens = {part: tokenize_question(text) for part, text in texts.items()}
        texts["whole"], tokens["whole"] = "\n".join(texts.values()), [*chain.from_iterable(tokens.values())]
        idf = cache(self._idf)  # most words of a part are in the whole too
        asked_for = {part: _telling(each, idf) for part, each in tokens.items()}
        self.words = ReportWords(asked_for["whole"], self._factors.get("around", 1.0))
        found = []
        for name, usual in WEIGHTS.items():
            part, _, lane = name.partition("-")
            weight = usual * self._factors.get(part, 1.0)
            if lane:
                given = plan.lanes.get(lane, 0.0)  # type: ignore[call-overload]
                if given and asked_for[part]:
                    asked = replace(plan, text=texts[part], tokens=asked_for[part], searched="")
                    found.append(PartQuestion(name, lane, asked, weight * given))
            elif name == "graph":
                if (given := plan.lanes.get("graph", 0.0)) and plan.seeds:
                    found.append(PartQuestion(name, "graph", plan, weight * given))
            elif self.exact[name]:
                found.append(PartQuestion(name, "", plan, weight))
        return found

    @cached_property
    def exact(self) -> dict[str, ExactHits]:
        """The rankings that no lane makes: "frames" (symbols by file and line) and "names" (symbols by name)."""
        return {
            "frames": frame_hits(self._frames, self._catalog),
            "names": name_hits(self._report.names, self._catalog),
        }

    @property
    def weights(self) -> dict[str, float]:
        return {name: part.weight for name, part in self.by_name.items()}

    def ask(self, asking: LaneRequest, columns: Columns) -> tuple[Ranking, ...]:
        """Return all rankings. The lanes are searched at the same time.

        Lanes only rank code, because tests and documents contain the same words in more places and would fill the
        rankings. If the title mentions tests or documents, they are ranked too. Frames and names are exact, so their
        symbols may be in any file.
        """
        asked = {name: (part.lane, part.plan) for name, part in self.by_name.items() if part.lane}
        narrowed = asking._replace(allowed=self._code(asking.allowed, columns))
        answered = {ranking.lane: ranking for ranking in ask_about(asked, narrowed)}
        for name in self.by_name.keys() - answered.keys():
            started = time.perf_counter()
            hits = self.exact[name].hits(settings.POOL, asking.allowed)
            ranking = Ranking(name, hits, (time.perf_counter() - started) * 1e3)
            answered[name] = ranking if hits else replace(ranking, status="empty", reason="no such symbol is here")
        return tuple(answered[name] for name in self.by_name)

    def _code(self, allowed: NDArray[np.bool_] | None, columns: Columns) -> NDArray[np.bool_] | None:
        """Return the mask of the chunks that lanes rank: code, or all that pass the filters if there is no code."""
        last = unasked_roles(self._report.title)
        rows = np.arange(len(columns.paths))
        code = ~columns.has_role(rows, last)
        if "docs" in last:
            code &= ~columns.texts | columns.has_role(rows, {"resource"})
        if allowed is not None:
            code &= allowed
        return code if code.any() else allowed

    def engines(self, retrievers: Mapping[LaneName, Retriever]) -> dict[str, object]:
        lanes: dict[str, object] = {str(lane): engine for lane, engine in retrievers.items()}
        return {name: lanes.get(part.lane) if part.lane else self.exact[name] for name, part in self.by_name.items()}

    def asked(self, name: str, plan: QueryPlan) -> QueryPlan:
        part = self.by_name.get(name)
        return plan if part is None else part.plan


def confidence_of_report(
    questions: ReportQuestions, rankings: Sequence[Ranking], lanes: Sequence[object]
) -> Confidence:
    """Return the confidence of an answer to a report.

    If a stack frame is in the repository, the answer is certain. Otherwise it has the confidence of the title. A name
    that the report writes as code adds evidence if a symbol has this name.
    """
    if questions.exact["frames"]:
        return Confidence("answered")
    title = [replace(each, lane=each.lane.partition("-")[2]) for each in rankings if each.lane.startswith("title-")]
    asked = questions.by_name.get("title-embedding") or questions.by_name.get("title-bm25")
    if asked is not None and title:
        found = confidence_of_words(asked.plan, title, lanes)
    else:
        found = Confidence("weak" if any(each.hits for each in rankings if each.lane == "whole-bm25") else "none")
    return with_a_name(found) if questions.exact["names"] else found


_MOST_TOKENS: Final = 100
"""Tokens of a part that a lane is asked for. All of a long part rank no better and take several times as long."""


def _telling(tokens: Sequence[str], idf: Callable[[str], float]) -> tuple[str, ...]:
    """Return the tokens with the largest √n · idf, where n is the number of occurrences; each token √n times.

    A repeated word in a log does not mean more. BM25's k3 has the same effect for long queries (Robertson and Walker
    1994).
    """
    counts = Counter(tokens)
    told = heapq.nlargest(_MOST_TOKENS, counts, key=lambda token: counts[token] ** 0.5 * idf(token))
    return tuple(token for token in told for _ in range(round(counts[token] ** 0.5)))
