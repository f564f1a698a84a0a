"""Confidence of an answer: an estimate of whether the repository contains what the question asks for.

For a question in words, the evidence is a mean of two similarities to the ten chunks with the highest cosines, of which
the first counts twice:

    evidence = (2 · mean similarity + nearness) / 3

*Mean similarity* is the mean cosine of these chunks with the whole question. *Nearness* asks word by word, as ColBERT
does (Khattab and Zaharia 2020): each word of the question that is no everyday word of English has the cosine of the
nearest word in one of these chunks, 1 if the word itself is there, and nearness is the mean. Both are needed: "how do I
undo the last move?" is similar to the code that moves files, but no word there is near *undo*.

The level is "none" only if, besides, a word of the question occurs nowhere that is no everyday word, and no word in the
names of the nearest chunks is near it (`words_meant`). For names and relations, other facts decide: a symbol exists or
not, and the graph reports how certain an empty answer is.

Whether the question is *plain*, in words that are not those of this code, is another question, and another number tells
it, the *closeness* of its words:

    closeness = best cosine − chance level + 0.3 · coverage

The chance level is the median of the best cosines of `UNRELATED` questions (other software). Coverage is the largest
share of the question's words, weighted by rarity (idf), that one of the ten chunks has. A plain question is searched
with other words, too (`lane_runner.in_other_words`), and its answer names words of the repository that may be meant:
words of the nearest chunks' names that are near a word of the question. Closeness is worse evidence of an answer: it is
low for all plain questions, answered or not (benchmarks/LABBOOK.md).

The thresholds of the evidence belong to the cosines of the bundled model. With another model closeness decides, and
without the embedding lane coverage. `benchmarks/answerability.py` measures the rule.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from codeexplore.search.lanes.interface import KnowsMeaning, KnowsWords
from codeexplore.text.everyday import EVERYDAY
from codeexplore.text.tokens import STOP_WORDS, analyze, fold, parts, question_words, stem
from codeexplore.types import Confidence, Extent, HitColumns, PathsFound, QueryPlan, Ranking, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME_SHARE: Final = 0.1
"""Evidence of a name written as code. A ninth of the bug reports about other software writes one that is here too."""

WEAK_BELOW: Final = 0.48
"""Evidence. Of 140 questions in a user's words that are answered in ten rows, 16 % are below it; of 137 that can't be
answered 88 %, of questions to a wrong repository 80 %."""

PLAIN_BELOW: Final = 0.36
"""Closeness. Of questions in plain words 82 % are below it, of technical ones 4 %."""

STRANGE_BELOW: Final = 0.22
"""Closeness, where another model than the bundled one answered, and a word occurs nowhere."""

COVERAGE_SHARE: Final = 0.3
"""Weight of coverage beside cosine. Between 0.2 and 0.5 the share of wrong questions found changes by under .015."""

NONE_BELOW: Final = 0.3
"""Evidence, where a word of the question occurs nowhere."""

WEAK_COVERAGE: Final = 0.45
NONE_COVERAGE: Final = 0.3
"""Coverage, where it decides alone. Below: 5.5 and 1.4 % of the right questions, 79 and 49 % of the wrong ones."""

BEST: Final = 10
"""Chunks that are looked at."""

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

    `plan` is the plan that the text lanes got, and `lanes` are the engines, whose similarities and coverage are used.
    """
    meaning = next((lane for lane in lanes if isinstance(lane, KnowsMeaning)), None)
    words = next((lane for lane in lanes if isinstance(lane, KnowsWords)), None)
    known = meaning.knows_word if meaning is not None else frozenset[str]().__contains__
    absent, misspelt = absent_words(plan.text, words.holds, known, words.idf) if words is not None else ((), ())
    near, found = _hits(rankings, "embedding"), _hits(rankings, "bm25")
    if not any(ranking.hits for ranking in rankings):
        return Confidence("none", absent, misspelt)
    judged, tokens, best = Confidence("answered", absent, misspelt), tuple(dict.fromkeys(plan.tokens)), near or found
    if words is not None and best is not None and tokens:
        judged = judged._replace(coverage=float(max(words.coverage(tokens, best.rows[:BEST]), default=0.0)))
    if near is None or meaning is None:
        return _leveled(judged, judged.coverage, WEAK_COVERAGE, NONE_COVERAGE)
    judged = judged._replace(similarity=float(near.scores[0]), chance=meaning.chance_level(UNRELATED))
    if not meaning.calibrated:
        return _leveled(judged, _closeness(judged), PLAIN_BELOW, STRANGE_BELOW)
    telling = [word for word in map(fold, question_words(plan.text)) if EVERYDAY.isdisjoint(analyze(word))]
    nearness = float(meaning.nearest_words(telling, near.rows[:BEST]).mean()) if telling else 1.0
    judged = judged._replace(mean_similarity=float(near.scores[:BEST].mean()), nearness=nearness)
    return _leveled(judged, evidence(judged), WEAK_BELOW, NONE_BELOW)


def _closeness(found: Confidence) -> float | None:
    """Return how close the question's words are to those of the code; None if the embedding lane did not answer."""
    if found.similarity is None or found.chance is None:
        return None
    return found.similarity - found.chance + COVERAGE_SHARE * (found.coverage or 0.0)


def evidence(found: Confidence) -> float | None:
    """Return the evidence of a judged answer, at most 1; None where coverage decided."""
    if found.mean_similarity is None or found.nearness is None:
        return None
    return (2 * found.mean_similarity + found.nearness) / 3


def is_plain(found: Confidence) -> bool:
    """Return True if the question is in words that are not those of this code."""
    closeness = _closeness(found)
    return found.level != "answered" if closeness is None else closeness < PLAIN_BELOW


def with_a_name(found: Confidence) -> Confidence:
    """Return the confidence of a bug report that writes a name of this repository as code: at least weak."""
    known = evidence(found)
    if known is None:
        return found._replace(level="weak") if found.level == "none" else found
    return found._replace(level="weak" if known + NAME_SHARE < WEAK_BELOW else "answered")


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


def _leveled(found: Confidence, value: float | None, weak: float, none: float) -> Confidence:
    """Set the level by a value and two thresholds. Without an absent word nothing is "none"; no value says nothing."""
    if value is None or value >= weak:
        return found
    return found._replace(level="none" if found.absent and value < none else "weak")


# --------------------------------------------------------------------------- words that occur nowhere


def absent_words(
    question: str, holds: Callable[[str], bool], known: Callable[[str], bool], idf: Callable[[str], float]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the words of a question that occur nowhere, and the misspelt ones, each with the word that it may mean.

    A `known` word is spelt right, and so is a form of one: bores, of bore. `idf` is low for a frequent token.
    """
    absent, misspelt = [], []
    for word in dict.fromkeys(question_words(question)):
        tokens = analyze(word)
        if tokens and not any(map(holds, tokens)) and EVERYDAY.isdisjoint(tokens):
            if not any(map(known, (fold(word), *tokens))) and (meant := _meant(fold(word), holds, known, idf)):
                misspelt.append((word, meant))
            else:
                absent.append(word)
    return tuple(absent[:_MOST_WORDS]), tuple(misspelt[:_MOST_WORDS])


def _meant(word: str, holds: Callable[[str], bool], known: Callable[[str], bool], idf: Callable[[str], float]) -> str:
    """Return the most frequent word one typing error away, if one occurs. Short words are like too many others.

    Known words, and then words with the same first letter, come before others: the stem of a word that nobody writes
    may occur (sensions, of sense), and a first letter is seldom wrong.
    """
    tried = _one_error_away(word) if 3 < len(word) <= _LONGEST_WORD else ()
    there = (near for near in tried if holds(stem(near)) and near not in STOP_WORDS)
    return min(there, key=lambda near: (not known(near), near[0] != word[0], idf(stem(near))), default="")


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
