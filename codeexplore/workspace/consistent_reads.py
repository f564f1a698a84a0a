"""Consistent reads: one call works on one snapshot, whatever a refresh in another thread does."""

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
"""Workspace (by identity) → the snapshot of the public call under way in this context."""


def held(owner: object) -> Index | None:
    """Return the snapshot of the call under way; None outside of calls."""
    return _held.get().get(id(owner))


def consistent(cls: _Class) -> _Class:
    """Make every public method of a part of `Workspace` work on one snapshot from its first line to its last."""
    return _all_pinned(cls, lambda owner: owner._current)


def about_the_graph(cls: _Class) -> _Class:
    """Make every public method work on one snapshot with its graph: methods wait for it, or raise GraphUnresolved."""
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
        try:  # an interrupt after `set` but outside `try` would leave this snapshot to all later calls
            _held.set(pinned)
            return method(self, *args, **options)
        finally:
            _held.set(known)

    return on_one_snapshot


def _keywords(method: Callable[..., Any]) -> frozenset[str] | None:
    """Return the names of a method's arguments; None where it takes any."""
    parameters = list(signature(method).parameters.values())[1:]
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return frozenset(parameter.name for parameter in parameters)


def _unexpected(method: str, keyword: str, known: frozenset[str]) -> str:
    """Return the message for an unknown keyword of a method: Python's own would name a class in between."""
    near = get_close_matches(keyword, sorted(known), n=2, cutoff=_NEAR)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it takes {', '.join(sorted(known))}"
    return f"Workspace.{method}() got an unexpected keyword argument {keyword!r}; {hint}"
