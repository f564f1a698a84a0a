"""The re-ranking signals in their order: each a named reason to move a hit, worth a share of the best fused score.

Symbol-level evidence orders symbols. File-level evidence lifts a file's best symbol only, so that it can't bury the
symbol that was asked for under its neighbours.
"""

from __future__ import annotations

from typing import Final

from codeexplore.ranking.file_signals import FileAgreement, FileName, FileVoice, Role
from codeexplore.ranking.rerank import Signal
from codeexplore.ranking.symbol_signals import (
    Definition,
    Kind,
    NameMatch,
    OwnerMatch,
    SignatureMatch,
    Strength,
    Understood,
)

SIGNALS: Final[tuple[Signal, ...]] = (
    NameMatch(),
    OwnerMatch(),
    SignatureMatch(),
    Strength(),
    FileVoice(),
    Kind(),
    Role(),
    FileName(),
    FileAgreement(),
    Definition(),
    Understood(),
)
"""Every signal in the order in which it is applied."""
