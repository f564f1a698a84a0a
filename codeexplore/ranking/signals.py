"""The re-ranking signals in their order: each a named reason to move a hit, worth a share of the best fused score.

Symbol-level evidence orders symbols. File-level evidence applies to answers grouped by file, so that it can't bury
the symbol that was asked for under its neighbours.
"""

from __future__ import annotations

from typing import Final

from codeexplore.ranking.file_signals import FileAgreement, FileName, Role
from codeexplore.ranking.rerank import Signal
from codeexplore.ranking.symbol_signals import Definition, InRelation, Section, Strength, Understood
from codeexplore.ranking.word_signals import NameMatch, OwnerMatch, SignatureMatch

SIGNALS: Final[tuple[Signal, ...]] = (
    InRelation(),
    NameMatch(),
    OwnerMatch(),
    SignatureMatch(),
    Strength(),
    Section(),
    Role(),
    Definition(),
    Understood(),
    FileName(),
    FileAgreement(),
)
"""Every signal in the order in which it is applied: those about files last, when each file's best symbol is known."""
