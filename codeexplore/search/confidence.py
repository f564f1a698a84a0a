"""Confidence of an answer: an estimate of whether the repository contains what the question asks for.

For a question in words, the evidence is the best cosine minus the chance level of this repository, plus a share for the
words of the question that the best chunks contain:

    evidence = best cosine − chance level + 0.3 · coverage

The chance level is the median of the best cosines of `UNRELATED` questions, which are about other software. Coverage is
the share of the question's words, weighted by rarity (idf), that a chunk contains: the largest share among the ten
chunks with the highest cosines. A word that occurs nowhere has the largest weight. An answer is not called "none" if
all words occur and a symbol among the best hits has one of them as its name. For names and relations, other facts
decide: a symbol exists or not, and the graph reports how certain an empty answer is.

The level is "none" only if, besides, a word of the question occurs nowhere that is no everyday word of English, and no
word in the names of the nearest chunks is near it (`words_meant`). Without such a word, low evidence is chance: of 75
questions in a user's words about five repositories, all answered there, 23 were below `NONE_BELOW`. An answer that is
not sure names words of the repository that may be meant: words of the nearest chunks' names that are near a word of the
question in the table of the embedding model.

`benchmarks/answerability.py` measures the rule, cross-validated by repository. The constants were set on 18
repositories, with 559 questions about the same repository and 1,879 about other repositories. Half of the former are
sentences of the repository's own documentation. In sources without any documentation, 16 % of the questions about the
same repository are marked weak (benchmarks/LABBOOK.md).
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from codeexplore.search.lanes.interface import KnowsMeaning, KnowsWords
from codeexplore.text.everyday import EVERYDAY
from codeexplore.text.tokens import STOP_WORDS, analyze, fold, parts, question_words, stem
from codeexplore.types import Confidence, ConfidenceLevel, Extent, HitColumns, PathsFound, QueryPlan, Ranking, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COVERAGE_SHARE: Final = 0.3
"""Weight of coverage beside cosine. Between 0.2 and 0.5 the share of wrong questions found changes by under .015."""

NAME_SHARE: Final = 0.1
"""Evidence of a name written as code. A ninth of the bug reports about other software writes one that is here too."""

WEAK_BELOW: Final = 0.36
"""Evidence. 3.4 % of the questions asked of the right repository are below it, and 91 % of those of a wrong one."""

NONE_BELOW: Final = 0.22
"""Evidence. 0.7 % of the right questions are below it, and 73 % of the wrong ones."""

WEAK_COVERAGE: Final = 0.45
NONE_COVERAGE: Final = 0.3
"""Coverage, where the embedding lane returned nothing. Below: 5.5 and 1.4 % of the right questions, 79 and 49 % of the
wrong ones."""

BEST: Final = 10
"""Chunks whose words are looked at."""

_MOST_WORDS: Final = 8  # absent words that are named
_LONGEST_WORD: Final = 30  # letters of a word whose typing errors are tried
NEAREST: Final = 50
"""Chunks whose names are looked through for words that may be meant."""

_NEAR_WORD: Final = 0.3  # cosine; below, most pairs of words have nothing to do with each other
_MOST_MEANT: Final = 4
_SHORTEST: Final = 3  # letters

UNRELATED: Final = (
    "where is the shopping cart total computed",
    "where do we resize uploaded images into thumbnails",
    "where is the audio stream decoded into samples",
    "where does the garbage collector move live objects",
    "where are gene sequences aligned",
    "where is the GPS position of the vehicle smoothed",
    "where are push notifications sent to phones",
    "where are tax rates chosen for a customer's country",
    "where is the neural network trained on batches",
    "where is the patient's appointment moved to another day",
    "where are stock prices downloaded and plotted",
    "where are video frames encoded",
    "where does the spreadsheet recalculate dependent cells",
    "where is the kernel's page table updated",
    "where is a barcode read from a picture",
    "where is the exchange rate between currencies fetched",
    "where are orders matched in the order book",
    "where does the message broker acknowledge delivery",
    "where is the weather forecast shown",
    "where are user avatars cropped",
    "where is the email newsletter template filled in",
    "where are sensor readings averaged over an hour",
    "where is the loan's interest added every month",
    "where are lines of a floor plan snapped to a grid",
)
"""Questions about other software, one each from many fields. A repository that answers a few of them does no harm: the
median counts."""


def confidence_of_words(plan: QueryPlan, rankings: Sequence[Ranking], lanes: Sequence[object]) -> Confidence:
    """Return the confidence of an answer to a question in words.

    `plan` is the plan that the text lanes got, and `lanes` are the engines, whose chance level and coverage are used.
    """
    chance = next((lane for lane in lanes if isinstance(lane, KnowsMeaning)), None)
    words = next((lane for lane in lanes if isinstance(lane, KnowsWords)), None)
    known = chance.knows_word if chance is not None else frozenset[str]().__contains__
    absent, misspelt = absent_words(plan.text, words.holds, known) if words is not None else ((), ())
    near, found = _hits(rankings, "embedding"), _hits(rankings, "bm25")
    if not any(ranking.hits for ranking in rankings):
        return Confidence("none", absent, misspelt)
    best = near if near is not None and chance is not None else found
    if words is None or best is None:
        return Confidence("answered", absent, misspelt)
    tokens = tuple(dict.fromkeys(plan.tokens))
    coverage = float(max(words.coverage(tokens, best.rows[:BEST]), default=0.0)) if tokens else 0.0
    none_below = (NONE_COVERAGE, NONE_BELOW) if absent else (0.0, -1.0)
    if near is None or chance is None:
        level = _level(coverage, WEAK_COVERAGE, none_below[0])
        return Confidence(level, absent, misspelt, coverage=coverage)
    similarity, usual = float(near.scores[0]), chance.chance_level(UNRELATED)
    level = _level(similarity - usual + COVERAGE_SHARE * coverage, WEAK_BELOW, none_below[1])
    return Confidence(level, absent, misspelt, similarity=similarity, chance=usual, coverage=coverage)


def with_a_name(found: Confidence) -> Confidence:
    """Return the confidence of a bug report that writes a name of this repository as code: at least weak."""
    if found.similarity is None or found.chance is None or found.coverage is None:
        return found._replace(level="weak") if found.level == "none" else found
    evidence = found.similarity - found.chance + COVERAGE_SHARE * found.coverage + NAME_SHARE
    return found._replace(level=_level(evidence, WEAK_BELOW, evidence))


def confidence_of_relation(
    plan: QueryPlan, extent: Extent | None, paths: PathsFound | None, absence: Verdict | None
) -> Confidence:
    """Return the confidence of an answer about a relation. `extent` is None if the graph was not searched."""
    if paths is not None and paths.absence is not None:
        absence = paths.absence
    elif extent is not None and extent.certain:
        return Confidence("answered")
    if absence is not None and absence.kind == "none":
        return Confidence("none" if plan.seeds else "weak")
    return Confidence("weak" if plan.seeds else "none")


def _hits(rankings: Sequence[Ranking], lane: str) -> HitColumns | None:
    hits = next((ranking.hits for ranking in rankings if ranking.lane == lane), ())
    return hits if isinstance(hits, HitColumns) and len(hits) else None


def _level(evidence: float, weak: float, none: float) -> ConfidenceLevel:
    return "none" if evidence < none else "weak" if evidence < weak else "answered"


# --------------------------------------------------------------------------- words that occur nowhere


def absent_words(
    question: str, holds: Callable[[str], bool], known: Callable[[str], bool]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the words of a question that occur nowhere, and the misspelt ones, each with the word that it may mean.

    A `known` word is spelt right.
    """
    absent, misspelt = [], []
    for word in dict.fromkeys(question_words(question)):
        tokens = analyze(word)
        if tokens and not any(map(holds, tokens)) and EVERYDAY.isdisjoint(tokens):
            if not known(fold(word)) and (meant := _meant(fold(word), holds)):
                misspelt.append((word, meant))
            else:
                absent.append(word)
    return tuple(absent[:_MOST_WORDS]), tuple(misspelt[:_MOST_WORDS])


def _meant(word: str, holds: Callable[[str], bool]) -> str:
    """Return the first word one typing error away that occurs. Short words are like too many others."""
    tried = _one_error_away(word) if 3 < len(word) <= _LONGEST_WORD else ()
    return next((near for near in tried if holds(stem(near)) and near not in STOP_WORDS), "")


def _one_error_away(word: str) -> Iterator[str]:
    """Yield the words that differ from `word` by two letters swapped, one lost, added or replaced (Damerau 1964)."""
    places = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    yield from (before + after[1] + after[0] + after[2:] for before, after in places if len(after) > 1)
    yield from (before + letter + after for before, after in places for letter in string.ascii_lowercase)
    yield from (before + after[1:] for before, after in places if after)
    yield from (before + letter + after[1:] for before, after in places if after for letter in string.ascii_lowercase)


# --------------------------------------------------------------------------- words that may be meant


def words_meant(
    question: str, names: Iterable[str], similarities: Callable[..., NDArray[np.float32]]
) -> tuple[str, ...]:
    """Return words of `names` that may say what a word of the question says, nearest first.

    `similarities` returns the cosines of two lists of words. A word with the stem of a word of the question, or that
    contains one or is contained in one, is left out: the lanes have seen it.
    """
    asked = [fold(word) for word in question_words(question) if len(word) >= _SHORTEST]
    told = [fold(part) for name in names for part in parts(name) if len(part) >= _SHORTEST and part.isalpha()]
    known = {stem(word) for word in asked}
    there = [*{stem(word): word for word in told if stem(word) not in known and word not in STOP_WORDS}.values()]
    if not asked or not there:
        return ()
    near = similarities(there, asked)
    best = sorted(range(len(there)), key=lambda row: -float(near[row].max()))
    return tuple(
        there[row]
        for row in best
        if near[row].max() >= _NEAR_WORD and not any(word in there[row] or there[row] in word for word in asked)
    )[:_MOST_MEANT]
