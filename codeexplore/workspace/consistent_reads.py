"""One call, one snapshot: a refresh in another thread never shows half of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, isfunction, signature
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from codeexplore.workspace.snapshot import Index

_NEAR = 0.6  # difflib's ratio: kind → kinds, deep → depth
_Class = TypeVar("_Class", bound=type)

_held: ContextVar[Mapping[int, Index]] = ContextVar("codeexplore_held", default={})  # noqa: B039 - never changed
"""Workspace (by identity) → the snapshot that the public call under way in this context works on."""


def held(owner: object) -> Index | None:
    """The snapshot that the call under way works on; None outside of calls."""
    return _held.get().get(id(owner))


def consistent(cls: _Class) -> _Class:
    """Make every public method of a part of `Workspace` work on one snapshot from its first line to its last."""
    return _all_pinned(cls, lambda owner: owner._current)


def about_the_graph(cls: _Class) -> _Class:
    """The same with a snapshot whose graph is there: methods wait for it, and raise GraphUnresolved without one."""
    return _all_pinned(cls, lambda owner: owner._graph_there())


def _all_pinned(cls: _Class, snapshot: Callable[[Any], Index]) -> _Class:
    for name, method in list(vars(cls).items()):
        if isfunction(method) and not name.startswith("_"):
            setattr(cls, name, _pinned(method, snapshot))
    return cls


def _pinned(method: Callable[..., Any], snapshot: Callable[[Any], Index]) -> Callable[..., Any]:
    name, keywords = method.__name__, _keywords(method)

    @wraps(method)
    def on_one_snapshot(self: Any, *args: Any, **options: Any) -> Any:
        if keywords is not None and not options.keys() <= keywords:
            raise TypeError(_unexpected(name, next(key for key in options if key not in keywords), keywords))
        known = _held.get()
        if id(self) in known:
            return method(self, *args, **options)
        pinned = {**known, id(self): snapshot(self)}
        try:  # an interrupt after `set` and outside would leave this snapshot to all later calls
            _held.set(pinned)
            return method(self, *args, **options)
        finally:
            _held.set(known)

    return on_one_snapshot


def _keywords(method: Callable[..., Any]) -> frozenset[str] | None:
    """The names under which a method takes arguments; None where it takes any."""
    parameters = list(signature(method).parameters.values())[1:]
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return frozenset(parameter.name for parameter in parameters)


def _unexpected(method: str, keyword: str, known: frozenset[str]) -> str:
    """What to say of a keyword that a method does not take: Python would name the class that holds the method."""
    near = get_close_matches(keyword, sorted(known), n=2, cutoff=_NEAR)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it takes {', '.join(sorted(known))}"
    return f"Workspace.{method}() got an unexpected keyword argument {keyword!r}; {hint}"
