"""The re-ranking signals in their order, for questions and for bug reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

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
from codeexplore.search.ranking.report_signals import ClassAround, FileAround, TitleName, TitleOwner
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
