"""Answers (`SearchAnswer`, `GraphAnswer` of `ws.callers` …): records joined with symbols and chunks, and conversions.

Change it to add a field or a format of an answer.

An answer joins a record of `types` with the symbols and chunks that it names, and is converted to text, JSON, frames
and graphs. `SearchAnswer` is a sequence of `SearchHit`; its `explain(rank)` returns an `Explanation`. `GraphAnswer`,
`PathsAnswer` and `WhyAnswer` are graphs, with `to_networkx` and further formats (`data.Exports`). Answers about the
whole graph (`CyclesAnswer`, `HubsAnswer` …) are listings (`shown.Listing`). Every answer returns its parts as blocks
(`blocks`), such as headings and tables. Each display has a subclass of `blocks.BlockWriter`, which writes the
blocks: `terminal`, `markdown` and `html.writer`. `html.elements.tag` makes all HTML, and escapes every string that is
not `Html`. `drawing` has the pictures of graphs.

>>> from codeexplore import Workspace, sample_repo
>>> answer = Workspace(sample_repo("webshop")).callers("validate_session")
>>> [symbol.fqn for symbol in answer]
['webshop.decorators.requires_session.wrapper', 'tests.test_sessions.test_purge_ends_only_expired_sessions']
>>> edge = answer.incoming().of(answer.reached[0])[0]
>>> edge.kind, edge.rule, edge.confidence
('CALLS', 'flow-few', 0.9)
"""

from codeexplore.answers.graph import GraphAnswer
from codeexplore.answers.grep import GrepAnswer, GrepHit
from codeexplore.answers.hit import Explanation, SearchHit
from codeexplore.answers.paths import PathsAnswer, WhyAnswer
from codeexplore.answers.search import SearchAnswer
from codeexplore.answers.survey import (
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
