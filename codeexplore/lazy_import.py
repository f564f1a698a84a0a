"""Imports of igraph and bm25s without dependencies that are not used here.

`import igraph` also imports matplotlib and cairo if they are installed, though most answers need only its C core:
0.84 seconds of processor time instead of 0.23 (with NumPy), where a whole `codeexplore ask` takes 1.4. `import bm25s`
also imports SciPy's sparse matrices: 0.43 instead of 0.31. So plain imports would slow the command by 8 and 43 %. A
later ordinary import of these packages in the same process works as usual, because no stand-in stays in `sys.modules`.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

_ONE_AT_A_TIME = threading.RLock()


def _after_fork() -> None:
    global _ONE_AT_A_TIME  # noqa: PLW0603 - another thread of the parent may have locked it
    _ONE_AT_A_TIME = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# --------------------------------------------------------------------------- a submodule without its package


def import_submodule(package: str, part: str) -> ModuleType:
    """Import the submodule `part` without running the package that contains it, and return the submodule.

    The submodule must not need its package. If the package was imported before, this is an ordinary import. Raises
    ImportError if the package is not installed.
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
        sys.modules.pop(name, None)  # extension modules with single-phase initialisation add themselves to sys.modules
        if _Ready not in sys.meta_path:
            sys.meta_path.insert(0, _Ready)
        _Ready.made[name] = module  # last: a later import of the package must find this module
        return module


class _Ready:
    """Import finder for submodules that were loaded before their package.

    It prevents a second load, which fails for an extension module.
    """

    made: dict[str, ModuleType] = {}  # noqa: RUF012 — what this process has loaded

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG003
        module = cls.made.get(name)
        if module is None:
            return None
        origin = module.__spec__.origin if module.__spec__ is not None else None
        return ModuleSpec(name, cls, origin=origin)  # type: ignore[arg-type]

    @classmethod
    def create_module(cls, spec: ModuleSpec) -> ModuleType:
        return cls.made[spec.name]

    @classmethod
    def exec_module(cls, module: ModuleType) -> None:
        """Do nothing: the submodule has already run."""


# --------------------------------------------------------------------------- a package without its dependency


@contextmanager
def lazy_package(name: str) -> Iterator[None]:
    """Context manager that replaces the package `name` by a stand-in.

    The stand-in imports the package when one of its attributes is first read.

    It does nothing if the package was imported before or is not installed. The package's parent packages are imported.
    """
    with _ONE_AT_A_TIME, _StandIn(name) if name not in sys.modules and _is_there(name) else nullcontext():
        yield


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # a parent package is not installed
        return False


class _StandIn(ModuleType):
    """Stand-in for a package. It passes every attribute access to the package."""

    def __enter__(self) -> None:
        sys.modules[self.__name__] = self
        around, _, own = self.__name__.rpartition(".")
        if around:
            setattr(sys.modules[around], own, self)

    def __exit__(self, *error: object) -> None:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        around, _, own = self.__name__.rpartition(".")
        if around and vars(sys.modules[around]).get(own) is self:
            delattr(sys.modules[around], own)

    def __getattr__(self, name: str) -> Any:
        self.__exit__()  # otherwise the import would find this stand-in
        return getattr(importlib.import_module(self.__name__), name)
