"""The re-ranking signals in their order: each a named reason to move a hit, worth a share of the best fused score.

Symbol-level evidence orders symbols. File-level evidence applies to answers grouped by file, so that it can't rank the
symbol that was asked for below its neighbours.
"""

from __future__ import annotations

from typing import Final

from codeexplore.search.ranking.rerank import Signal
from codeexplore.search.ranking.signals import (
    Definition,
    FileAgreement,
    FileName,
    InRelation,
    NameMatch,
    OwnerMatch,
    Role,
    Section,
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
    Definition(),
    Understood(),
    FileName(),
    FileAgreement(),
)
"""Every signal in the order in which it is applied: those about files last, when each file's best symbol is known."""
