"""What happens in the shop, and who wants to know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from webshop.money import Money


@dataclass(frozen=True)
class Event:
    """Base of all events."""

    customer_id: str


@dataclass(frozen=True)
class OrderPlaced(Event):
    order_id: str
    total: Money


@dataclass(frozen=True)
class OrderShipped(Event):
    order_id: str


@dataclass(frozen=True)
class OrderRefunded(Event):
    order_id: str
    amount: Money


@dataclass(frozen=True)
class SessionEnded(Event):
    expired: bool


class EventBus:
    """Calls handlers synchronously, in the order in which they subscribed."""

    def __init__(self) -> None:
        self._handlers: dict[type[Event], list[Callable[[Any], None]]] = defaultdict(list)

    def subscribe(self, kind: type[Event], handler: Callable[[Any], None]) -> None:
        """Call `handler` with every published event of this class or a subclass."""
        self._handlers[kind].append(handler)

    def publish(self, event: Event) -> None:
        for kind in type(event).__mro__:
            for handler in self._handlers.get(kind, ()):
                handler(event)
