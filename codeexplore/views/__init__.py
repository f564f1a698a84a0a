"""What the façade returns: records joined with the symbols and chunks they name, and their plain-text form."""

from codeexplore.views.afar import CommunitiesAnswer, CyclesAnswer, HubsAnswer, ModulesAnswer
from codeexplore.views.call_paths import PathsAnswer
from codeexplore.views.explanation import Explanation
from codeexplore.views.graph import GraphAnswer
from codeexplore.views.grep import GrepAnswer, GrepHit
from codeexplore.views.hit import SearchHit
from codeexplore.views.search import SearchAnswer
from codeexplore.views.unused import DeadCodeAnswer, EntryPointsAnswer
from codeexplore.views.why import WhyAnswer

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
