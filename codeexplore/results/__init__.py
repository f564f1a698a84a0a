"""What the façade returns: records joined with the symbols and chunks they name, and their plain-text form."""

from codeexplore.results.edge import WhyAnswer
from codeexplore.results.explanation import Explanation
from codeexplore.results.graph import GraphAnswer
from codeexplore.results.grep import GrepAnswer, GrepHit
from codeexplore.results.paths import PathsAnswer
from codeexplore.results.search import SearchAnswer, SearchHit
from codeexplore.results.survey import (
    CommunitiesAnswer,
    CyclesAnswer,
    DeadCodeAnswer,
    EntryPointsAnswer,
    HubsAnswer,
    ModulesAnswer,
)

__all__ = [
    "CommunitiesAnswer",
    "CyclesAnswer",
    "DeadCodeAnswer",
    "EntryPointsAnswer",
    "Explanation",
    "GraphAnswer",
    "GrepAnswer",
    "GrepHit",
    "HubsAnswer",
    "ModulesAnswer",
    "PathsAnswer",
    "SearchAnswer",
    "SearchHit",
    "WhyAnswer",
]
