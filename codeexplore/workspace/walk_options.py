"""The options that every walk takes, shown by Tab, ``?`` and `help`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from inspect import Parameter, signature
from typing import Any, TypedDict, TypeVar

from codeexplore import settings
from codeexplore.types import Direction, EdgeKind

_Method = TypeVar("_Method", bound=Callable[..., Any])


class WalkOptions(TypedDict, total=False):
    """Options of every walk beside its target and depth; see `DOC`."""

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
    Steps at most, at least 1; None for any number.
direction
    "in", "out" or "both"; None for the walk's own.
min_confidence
    0 to 1: edges of a lower confidence are not walked and stand under `possible`. A confidence is the share of edges of
    one rule that are true, as measured (docs/call-graph.md); those below 0.6 are only possible by name.
tests
    False leaves out edges that start in test files.
kinds
    Edges to walk instead of the walk's own, e.g. ``("CALLS", "USES")``.
top_k
    Symbols at most; those beyond are counted.
include_externals
    True shows names outside the repository too.

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
    """Show the options behind a walk's ``**options``, which must be `WalkOptions`, as its own in signature and docs.

    The docstring's last line is the example.
    """
    own = [p for p in signature(method).parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    more = [Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in DEFAULTS.items()]
    vars(method)["__signature__"] = signature(method).replace(parameters=[*own, *more])
    text, _, example = (method.__doc__ or "").partition(">>> ")
    method.__doc__ = text.rstrip() + "\n" + _indented(DOC) + f"        >>> {example.strip()}\n        "
    return method


def _indented(text: str) -> str:
    return "".join(f"        {line}\n" if line else "\n" for line in text.split("\n")[:-1])
