"""Named factories: payment gateways, price rules and notifiers are looked up here.

A factory gets into a registry in two ways: the module that defines it is imported and its decorator runs, or the
configuration names it as ``"package.module:attribute"`` and `Registry.load` imports it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Generic, TypeVar

from webshop.errors import NotFound

T = TypeVar("T")


class Registry(Generic[T]):
    """Factories of one kind of thing by name."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._factories: dict[str, Callable[..., T]] = {}

    def register(self, name: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Class or function decorator: make the decorated thing available as `name`."""

        def decorate(factory: Callable[..., T]) -> Callable[..., T]:
            if name in self._factories:
                raise ValueError(f"{self.what} {name!r} is registered twice")
            self._factories[name] = factory
            return factory

        return decorate

    def load(self, name: str, target: str) -> None:
        """Register ``"package.module:attribute"`` as `name`, importing the module."""
        module_name, _, attribute = target.partition(":")
        module = importlib.import_module(module_name)
        self._factories[name] = getattr(module, attribute)

    def create(self, name: str, **options: object) -> T:
        """Make the thing called `name`. Raises NotFound for a name that nobody registered."""
        factory = self._factories.get(name)
        if factory is None:
            raise NotFound(self.what, name)
        return factory(**options)

    def names(self) -> list[str]:
        return sorted(self._factories)
