"""One call, one snapshot: a refresh in another thread never shows half of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import wraps
from inspect import isfunction
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from codeexplore.workspace.index import Index

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
    @wraps(method)
    def on_one_snapshot(self: Any, *args: Any, **options: Any) -> Any:
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
