"""What the façade returns: records joined with the symbols and chunks they name, and their plain-text form."""

from codeexplore.views.explanation import Explanation
from codeexplore.views.graph import GraphAnswer, PathsAnswer
from codeexplore.views.grep import GrepAnswer, GrepHit
from codeexplore.views.search import SearchAnswer, SearchHit

__all__ = ["Explanation", "GraphAnswer", "GrepAnswer", "GrepHit", "PathsAnswer", "SearchAnswer", "SearchHit"]
