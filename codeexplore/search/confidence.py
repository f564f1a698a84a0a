"""Confidence of an answer: an estimate of whether the repository contains what the question asks for.

For a question in words, the evidence is the best cosine minus the chance level of this repository, plus a share for the
words of the question that the best chunks contain:

    evidence = best cosine − chance level + 0.3 · coverage

The chance level is the median of the best cosines of `UNRELATED` questions, which are about other software. Coverage is
the share of the question's words, weighted by rarity (idf), that a chunk contains: the largest share among the ten
chunks with the highest cosines. A word that occurs nowhere has the largest weight. An answer is not called "none" if
all words occur and a symbol among the best hits has one of them as its name. For names and relations, other facts
decide: a symbol exists or not, and the graph reports how certain an empty answer is.

`benchmarks/answerability.py` measures the rule, cross-validated by repository. The constants were set on 18
repositories, with 559 questions about the same repository and 1,879 about other repositories. Half of the former are
sentences of the repository's own documentation. In sources without any documentation, 16 % of the questions about the
same repository are marked weak (benchmarks/LABBOOK.md).
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from codeexplore.search.lanes.interface import KnowsChance, KnowsWords
from codeexplore.text.tokens import analyze, fold, question_words, stem
from codeexplore.types import Confidence, ConfidenceLevel, Extent, HitColumns, PathsFound, QueryPlan, Ranking, Verdict

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
    chance = next((lane for lane in lanes if isinstance(lane, KnowsChance)), None)
    words = next((lane for lane in lanes if isinstance(lane, KnowsWords)), None)
    absent = absent_words(plan.text, words.holds) if words is not None else ()
    near, found = _hits(rankings, "embedding"), _hits(rankings, "bm25")
    if not any(ranking.hits for ranking in rankings):
        return Confidence("none", absent)
    best = near if near is not None and chance is not None else found
    if words is None or best is None:
        return Confidence("answered", absent)
    tokens = tuple(dict.fromkeys(plan.tokens))
    coverage = float(max(words.coverage(tokens, best.rows[:BEST]), default=0.0)) if tokens else 0.0
    if near is None or chance is None:
        return Confidence(_level(coverage, WEAK_COVERAGE, NONE_COVERAGE), absent, coverage=coverage)
    similarity, usual = float(near.scores[0]), chance.chance_level(UNRELATED)
    evidence = similarity - usual + COVERAGE_SHARE * coverage
    return Confidence(_level(evidence, WEAK_BELOW, NONE_BELOW), absent, similarity, usual, coverage)


def with_a_name(found: Confidence) -> Confidence:
    """Return the confidence of a bug report that writes a name of this repository as code: at least weak."""
    if found.similarity is None or found.chance is None or found.coverage is None:
        return at_least_weak(found) if found.level == "none" else found
    evidence = found.similarity - found.chance + COVERAGE_SHARE * found.coverage + NAME_SHARE
    return found._replace(level=_level(evidence, WEAK_BELOW, evidence))


def at_least_weak(found: Confidence) -> Confidence:
    return found._replace(level="weak")


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


def absent_words(question: str, holds: Callable[[str], bool]) -> tuple[str, ...]:
    found = []
    for word in dict.fromkeys(question_words(question)):
        tokens = analyze(word)
        if tokens and not any(map(holds, tokens)) and not _nearly(fold(word), holds):
            found.append(word)
    return tuple(found[:_MOST_WORDS])


def _nearly(word: str, holds: Callable[[str], bool]) -> bool:
    """Return True if `word` is one typing error away from a word that occurs. Short words are like too many others."""
    return 4 < len(word) <= _LONGEST_WORD and any(holds(stem(near)) for near in _one_error_away(word))


def _one_error_away(word: str) -> Iterator[str]:
    """Yield the words that differ from `word` by one letter lost, swapped, replaced or added (Damerau 1964)."""
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in string.ascii_lowercase:
            if after:
                yield before + letter + after[1:]
            yield before + letter + after
