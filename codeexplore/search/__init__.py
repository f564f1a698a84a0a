"""The chain from a question to an answer: plan, find seeds, ask the lanes, fuse, re-rank."""

from codeexplore.search.derivation import Derivation, LaneDerivation
from codeexplore.search.engine import SearchEngine

__all__ = ["Derivation", "LaneDerivation", "SearchEngine"]
