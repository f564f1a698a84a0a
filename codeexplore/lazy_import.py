"""Imports that spare what nobody needs: half a second and 60 MB of every process.

`import igraph` imports matplotlib and cairo where these are installed, though most answers need its C core alone;
`import bm25s` imports SciPy's sparse matrices, of which it needs nothing here. Whoever imports those packages later, in
the same process, gets them as ever: nothing of this stays in `sys.modules`.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

_ONE_AT_A_TIME = threading.RLock()


def _after_fork() -> None:
    global _ONE_AT_A_TIME  # noqa: PLW0603 - another thread may have held it
    _ONE_AT_A_TIME = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# --------------------------------------------------------------------------- a package's part, without the package


def part_of(package: str, part: str) -> ModuleType:
    """A part of a package, without running the package itself, where that has not run and the part can stand alone.

    Raises ImportError when the package is not installed.
    """
    name = f"{package}.{part}"
    with _ONE_AT_A_TIME:
        ready = _Ready.made.get(name)
        if ready is not None:
            return ready
        spec = None if package in sys.modules else find_spec(package)
        locations = spec.submodule_search_locations if spec is not None else None
        inner = PathFinder.find_spec(name, locations) if locations is not None else None
        if inner is None or inner.loader is None:
            return importlib.import_module(name)
        module = module_from_spec(inner)
        inner.loader.exec_module(module)
        sys.modules.pop(name, None)  # extension modules of the older kind enter themselves
        if _Ready not in sys.meta_path:
            sys.meta_path.insert(0, _Ready)
        _Ready.made[name] = module  # last: what is here must be found by whoever imports the package
        return module


class _Ready:
    """Finds parts that are there when their package is imported in the end: an extension can't be loaded twice."""

    made: dict[str, ModuleType] = {}  # noqa: RUF012 — what this process has loaded

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG003
        """The spec of a part that is there."""
        module = cls.made.get(name)
        if module is None:
            return None
        origin = module.__spec__.origin if module.__spec__ is not None else None
        return ModuleSpec(name, cls, origin=origin)  # type: ignore[arg-type]

    @classmethod
    def create_module(cls, spec: ModuleSpec) -> ModuleType:
        """The part."""
        return cls.made[spec.name]

    @classmethod
    def exec_module(cls, module: ModuleType) -> None:
        """Nothing: it has run."""


# --------------------------------------------------------------------------- a package without another


@contextmanager
def postponed(name: str) -> Iterator[None]:
    """Imports inside get a stand-in for a package, which imports it when somebody looks into it.

    Nothing happens when it was imported before or is not installed. Packages around it are imported.
    """
    with _ONE_AT_A_TIME:
        stand_in = _StandIn(name) if name not in sys.modules and _is_there(name) else None
        if stand_in is not None:
            stand_in._enter()
        try:
            yield
        finally:
            if stand_in is not None:
                stand_in._leave()


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # a package around it is not
        return False


class _StandIn(ModuleType):
    """Stands for a package in those that have imported it; each look into it goes to the package."""

    def _enter(self) -> None:
        sys.modules[self.__name__] = self
        around, _, own = self.__name__.rpartition(".")
        if around:
            setattr(sys.modules[around], own, self)

    def _leave(self) -> None:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        around, _, own = self.__name__.rpartition(".")
        if around and vars(sys.modules[around]).get(own) is self:
            delattr(sys.modules[around], own)

    def __getattr__(self, name: str) -> Any:
        self._leave()  # or it would import itself
        return getattr(importlib.import_module(self.__name__), name)
