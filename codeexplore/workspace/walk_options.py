"""The options that every walk has. Tab, ``?`` and `help` show them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from inspect import Parameter, signature
from typing import Any, TypedDict, TypeVar

from codeexplore import settings
from codeexplore.types import Direction, EdgeKind

_Method = TypeVar("_Method", bound=Callable[..., Any])


class WalkOptions(TypedDict, total=False):
    """Options of every walk besides its target and depth. `DOC` describes them."""

    direction: Direction | None
    min_confidence: float
    tests: bool
    kinds: Collection[EdgeKind] | None
    top_k: int
    include_externals: bool


DEFAULTS: WalkOptions = {
    "direction": None,
    "min_confidence": settings.RESOLVED_CONFIDENCE,
    "tests": True,
    "kinds": None,
    "top_k": settings.MAX_GRAPH_VERTICES,
    "include_externals": False,
}
"""Their defaults, in the order in which they are shown."""

DOC = """
Parameters
----------
target
    A name, ``"path:line"``, a symbol, a hit, a live Python object, a name outside the repository, or a list of these.
depth
    Maximal number of steps, at least 1. None means any number.
direction
    "in", "out" or "both". None takes the usual direction of the walk.
min_confidence
    Edges of a lower confidence are not followed; they are listed in `possible`. The confidence of an edge is the
    measured share of true edges of its rule, 0 to 1 (docs/call-graph.md). Edges below 0.6 are only possible by name.
tests
    False leaves out edges that start in test files.
kinds
    Kinds of edges to follow instead of the walk's own kinds, for example ``("CALLS", "USES")``.
top_k
    Maximal number of symbols. Further symbols are only counted.
include_externals
    True also shows names outside the repository.

Raises
------
SymbolNotFound, AmbiguousSymbol
    The target does not mean one symbol.
QuestionError
    An option is out of range or unknown.

Examples
--------
"""


def takes_walk_options(method: _Method) -> _Method:
    """Method decorator: show the options behind a walk's ``**options`` in its signature and docstring.

    The type of ``**options`` must be `WalkOptions`. The last line of the method's docstring is its example.
    """
    own = [p for p in signature(method).parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    more = [Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in DEFAULTS.items()]
    vars(method)["__signature__"] = signature(method).replace(parameters=[*own, *more])
    text, _, example = (method.__doc__ or "").partition(">>> ")
    method.__doc__ = text.rstrip() + "\n" + _indented(DOC) + f"        >>> {example.strip()}\n        "
    return method


def _indented(text: str) -> str:
    return "".join(f"        {line}\n" if line else "\n" for line in text.split("\n")[:-1])
