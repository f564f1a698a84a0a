"""The steps from a question to its ranking, each explained with the numbers of one answer.

The steps are those of `search`: question, reading, lanes, fusion, signals and ranking. Every number is taken from the
answer, or from the explanation of its first hit; no lane is asked a second time for a ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.answers import blocks as b
from codeexplore.answers.score_terms import number, rrf_formula, signed
from codeexplore.answers.wording import cut, one_line, plural
from codeexplore.search.ranking.fusion import FUSIONS

if TYPE_CHECKING:
    from codeexplore.answers.blocks import Block, Inline, Line
    from codeexplore.answers.hit import Explanation
    from codeexplore.answers.search import SearchAnswer
    from codeexplore.search.explain import LaneDerivation


class ChainStep(NamedTuple):
    """One step: its numbers for an answer in one line, and its formula with the values of the first hit."""

    numbers: Line
    formula: Sequence[str]


ABOUT: Mapping[str, str] = MappingProxyType(
    {
        "question": "The question is split into words as the code is: purgeExpired gives purge and expired. Endings "
        "are cut, so that expired and expires are one word, expir. A word that is in few chunks of the repository "
        "counts more than a word that is in many.",
        "reading": "A query plan says how the question was understood: as a name, a description, a relation between "
        "symbols, or a bug report. This decides which lanes search, how much each counts, and where the graph lane "
        "starts. You can set the relation, its direction and its depth yourself.",
        "lanes": "A lane is one way to rank all symbols for a question. The lane bm25 compares words, embedding "
        "compares meanings, and graph follows calls from the symbols that the question is about. Each gives a list "
        "with scores of its own, which cannot be compared with those of another lane.",
        "fusion": "Fusion merges the lists of the lanes into one. With rrf a hit gets weight / (rrf_k + rank) from "
        "each lane that found it, so only ranks count. A small rrf_k makes the first ranks count more; a weight makes "
        "a lane count more.",
        "signals": "A signal is a rule about one hit that adds to its score or takes from it. For example, a name that "
        "contains a word of the question adds, and a test file takes away if the question does not ask for tests. "
        "Every signal gives its reason.",
        "ranking": "The hits are ordered by score, which is the sum of the lanes' shares and the signals. Scores of "
        "different questions cannot be compared. You can limit the hits here, or compare the ranking with that of "
        "other settings.",
    }
)
"""Three sentences about each step, in the order of the steps."""


def chain(answer: SearchAnswer) -> Mapping[str, ChainStep]:
    """Return the steps of an answer by name, in order."""
    why = answer.explain(1) if answer.derive is not None and answer.hits else None
    return {
        "question": ChainStep(_words_of(answer), list(_question(why))),
        "reading": ChainStep(_starts(answer), list(_reading(answer))),
        "lanes": ChainStep(_lane_numbers(answer), list(_lanes(why))),
        "fusion": ChainStep(_merged(answer), list(_fusion(answer, why))),
        "signals": ChainStep(_moved(answer), list(_signals(why))),
        "ranking": ChainStep(_ranked(answer), list(_ranking(answer))),
    }


def about_blocks(step: str, formula: Sequence[str]) -> list[Block]:
    """Return the explanation of a step: its three sentences, then its formula with the values of an answer."""
    return [b.Text(ABOUT[step]), *([b.Plain(formula)] if formula else [])]


def _words_of(answer: SearchAnswer) -> Line:
    tokens = list(dict.fromkeys(answer.plan.tokens))
    said: list[Inline] = [plural(len(tokens), "word")]
    if tokens:
        said += [" without endings: ", b.Piece(cut(one_line(", ".join(tokens)), _MOST_CHARS))]
    return tuple(said)


def _question(why: Explanation | None) -> Iterator[str]:
    terms = [term for lane in why.lanes for term in lane.terms] if why is not None else []
    chunks = 0 if why is None else len(why.catalog.chunks)
    if terms:
        yield f"idf(word) = ln(1 + (N − df + 0.5) / (df + 0.5)); of N = {chunks:,} chunks, df contain the word"
    yield from (f"idf({_short(term.term)}) = {term.idf:.2f}, in {plural(term.df, 'chunk')}" for term in terms[:_MOST])


def _starts(answer: SearchAnswer) -> Line:
    count = len(answer.plan.seeds)
    return f"the graph lane starts at {plural(count, 'symbol')}" if count else "the graph lane has no start"


def _reading(answer: SearchAnswer) -> Iterator[str]:
    weights = " + ".join(f"{weight:g} · {lane}" for lane, weight in answer.plan.lanes.items())
    yield f"kind = {answer.plan.kind}   →   lanes = {weights}"
    if answer.plan.relation is not None:
        yield f"relation = {answer.plan.relation}, direction = {answer.plan.direction}, depth = {answer.plan.depth}"


def _lane_numbers(answer: SearchAnswer) -> Line:
    found = [ranking for ranking in answer.rankings if ranking.status in ("ok", "empty")]
    slowest = max((ranking.elapsed_ms for ranking in found), default=0.0)
    searches = "1 search" if len(answer.rankings) == 1 else f"{len(answer.rankings)} searches"
    return f"{len(found)} of {searches} answered in {slowest:.0f} ms, at the same time"


def _lanes(why: Explanation | None) -> Iterator[str]:
    if why is None:
        return
    yield f"hit 1 is {_short(why.hit.name)}"
    yield from (_lane_sum(lane, why) for lane in why.lanes)
    yield from (f"{each.choice}: {one_line(each.why)}" for each in why.missing)


def _lane_sum(lane: LaneDerivation, why: Explanation) -> str:
    terms = [
        (f"{term.times} × " * (term.times > 1) + _short(term.term), term.score) for term in lane.terms if term.score
    ]
    terms += [(f"{_short(pair.query_word)} × {_short(pair.chunk_word)}", pair.value) for pair in lane.pairs]
    terms += [(f"from {_short(why.name_of(share.seed))}", share.value) for share in lane.seeds]
    shown = [f"{value:.3f} ({name})" for name, value in terms[:_MOST]]
    rest = sum(value for _, value in terms[_MOST:])
    shown += [f"{rest:.3f} ({len(terms) - _MOST} more)"] if len(terms) > _MOST else []
    return f"{lane.lane}: score {lane.score:.4g} = {' + '.join(shown)}   →   rank {lane.rank}"


def _merged(answer: SearchAnswer) -> Line:
    lists = [len(ranking.hits) for ranking in answer.rankings if ranking.hits]
    if not lists:
        return "nothing to merge"
    distinct = len({hit.chunk_id for ranking in answer.rankings for hit in ranking.hits})
    return f"{' + '.join(map(str, lists))} hits of the lanes become one list of {plural(distinct, 'chunk')}"


def _fusion(answer: SearchAnswer, why: Explanation | None) -> Iterator[str]:
    known = FUSIONS.get(answer.result.fusion)
    yield f"{answer.result.fusion}: score = {answer.result.fusion + '(…)' if known is None else known.formula}"
    if why is None:
        return
    shares = [
        rrf_formula(lane.weight, answer.result.rrf_k, lane.rank)
        if answer.result.fusion == "rrf"
        else number(lane.value)
        for lane in why.lanes
    ]
    yield f"hit 1: {' + '.join(shares)} = {number(sum(lane.value for lane in why.lanes))}"


def _moved(answer: SearchAnswer) -> Line:
    counts = Counter(name for hit in answer for name in dict.fromkeys(each.signal for each in hit.adjustments))
    if not counts:
        return "no signal changed a score"
    return "hits with a changed score: " + ", ".join(f"{name} {count}" for name, count in counts.items())


def _signals(why: Explanation | None) -> Iterator[str]:
    if why is None:
        return
    yield f"hit 1: {number(sum(lane.value for lane in why.lanes))} from the lanes"
    yield from (f"{signed(each.value):>9} {each.signal}: {one_line(each.reason)}" for each in why.adjustments)
    yield f"{signed(why.score, '='):>9} score"


def _ranked(answer: SearchAnswer) -> Line:
    if not answer.hits:
        return "no hits"
    return f"{plural(len(answer), 'hit')}, scores {number(answer[0].score)} to {number(answer[-1].score)}"


def _ranking(answer: SearchAnswer) -> Iterator[str]:
    order = [f"{number(hit.score)} ({_short(hit.name)})" for hit in answer[:_MOST]]
    if order:
        yield f"score = Σ lanes + Σ signals:  {'  ≥  '.join(order)}"


_MOST = 4  # parts of a formula in one line; the score of each hit has all
_MOST_CHARS = 120


def _short(text: str) -> str:
    return cut(one_line(text), 60)
