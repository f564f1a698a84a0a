"""The re-ranking signals in their order, for questions and for bug reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from codeexplore.search.ranking.file_signals import (
    FileAgreement,
    FileCoverage,
    FileName,
    FileText,
    FileTwin,
    ReportRole,
    Role,
    Section,
    Superseded,
)
from codeexplore.search.ranking.rerank import Signal
from codeexplore.search.ranking.symbol_signals import (
    Definition,
    InRelation,
    NameMatch,
    OwnerMatch,
    PartStrength,
    SignatureMatch,
    Strength,
    Understood,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.search.ranking.candidates import Around, Pool


class _TextAround(Signal):
    """Signal for the BM25 score of a larger text that contains a hit, by all words of the report.

    The signal adds ``share · best share by all words · (score − lowest) / (highest − lowest)`` over the candidates. It
    is left out if the ranking of hits by all words is left out.
    """

    share: ClassVar[float] = 0.8
    around: ClassVar[Around]

    def values(self, pool: Pool) -> NDArray[np.float64]:
        given, most = pool.zeros(), self._share(pool) * _best_by_words(pool)
        if most > 0.0:
            scores = pool.around[self.around]
            low, high = float(scores.min()), float(scores.max())
            if high > low:
                given += most * (scores - low) / (high - low)
        return given

    def reason(self, pool: Pool, position: int) -> str:
        scores = pool.around[self.around]
        low, high = float(scores.min()), float(scores.max())
        share = f"{self._share(pool):g} · {_best_by_words(pool):.4g} (the best share by all words)"
        found = f"({scores[position]:.4g} − {low:.4g})/({high:.4g} − {low:.4g})"
        return f"{share} · {found}, BM25 of the {self.around} by all words"

    def _share(self, pool: Pool) -> float:
        report = pool.evidence.report
        return 0.0 if report is None else self.share * report.around


def _best_by_words(pool: Pool) -> float:
    """Return the largest contribution of the ranking by all words of the report."""
    values = (float(max(lane.values)) for lane in pool.fused.lanes if lane.lane == "whole-bm25" and len(lane.values))
    return next(values, 0.0)


class TitleName(NameMatch):
    """Signal for words of the title in a name. A title describes the symptom, so they count less than a question's."""

    share = 0.35


class TitleOwner(OwnerMatch):
    """Signal for words of the title in the name of the symbol's owner."""

    share = 0.2


class FileAround(_TextAround):
    """Signal for the BM25 score of the whole file of a hit."""

    name = "whole file"
    around = "file"


class ClassAround(_TextAround):
    """Signal for the BM25 score of the whole class of a hit, or of its file without the classes."""

    name = "whole class"
    around = "class"


SIGNALS: Final[tuple[Signal, ...]] = (
    InRelation(),
    NameMatch(),
    OwnerMatch(),
    SignatureMatch(),
    Strength(),
    Section(),
    Role(),
    Superseded(),
    Definition(),
    Understood(),
    FileCoverage(),
    FileName(),
    FileText(),
    FileAgreement(),
    FileTwin(),
)
"""Every signal in the order in which it is applied: those about files last, when each file's best symbol is known."""


REPORT_SIGNALS: Final[tuple[Signal, ...]] = (
    TitleName(),
    TitleOwner(),
    PartStrength(),
    ReportRole(),
    Section(),
    Superseded(),
    FileAround(),
    ClassAround(),
    FileName(),
    FileAgreement(),
)
"""The signals of bug reports, in their order; words of the question are those of the report's title."""


def report_signals(signals: Sequence[Signal]) -> tuple[Signal, ...]:
    """Return the signals for bug reports that correspond to `signals`, the signals for questions.

    Signals that the user added are kept.

    The signals that only reports have are kept unless no usual signal is.
    """
    usual = {signal.name for signal in SIGNALS}
    kept = {signal.name for signal in signals}
    if kept & usual:
        kept |= {signal.name for signal in REPORT_SIGNALS} - usual
    own = [signal for signal in signals if signal.name not in usual]
    return (*(signal for signal in REPORT_SIGNALS if signal.name in kept), *own)
