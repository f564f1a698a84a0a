"""Telling customers what happened: a message for each kind of event, and the channels that carry it."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from webshop.accounts import Customer
from webshop.events import Event, EventBus, OrderPlaced, OrderRefunded, OrderShipped, SessionEnded
from webshop.storage.base import Repository


@dataclass(frozen=True)
class Message:
    subject: str
    body: str

    @property
    def short(self) -> str:
        """The message as one line of at most 160 characters."""
        return f"{self.subject}: {self.body}"[:160]


@functools.singledispatch
def compose(event: Event) -> Message | None:
    """The message for an event, or None for events that are nobody's business but ours."""
    return None


@compose.register
def compose_placed(event: OrderPlaced) -> Message:
    return Message("Thank you for your order", f"We have received {event.total} for order {event.order_id}.")


@compose.register
def compose_shipped(event: OrderShipped) -> Message:
    return Message("On its way", f"Order {event.order_id} has left our warehouse.")


@compose.register
def compose_refunded(event: OrderRefunded) -> Message:
    return Message("Your refund", f"We have refunded {event.amount} for order {event.order_id}.")


class Notifier(ABC):
    """Sends messages one way. `sent` counts what went out."""

    def __init__(self) -> None:
        self.sent = 0

    def send(self, customer: Customer, message: Message) -> bool:
        """Deliver if this channel can reach the customer; tell whether it did."""
        address = self._address(customer)
        if not address:
            return False
        self._deliver(address, message)
        self.sent += 1
        return True

    @abstractmethod
    def _address(self, customer: Customer) -> str: ...

    @abstractmethod
    def _deliver(self, address: str, message: Message) -> None: ...


class EmailNotifier(Notifier):
    """Collects mails; a real shop would hand them to its mail server here."""

    def __init__(self, sender: str) -> None:
        super().__init__()
        self.sender = sender
        self.outbox: list[tuple[str, Message]] = []

    def _address(self, customer: Customer) -> str:
        return customer.id

    def _deliver(self, address: str, message: Message) -> None:
        self.outbox.append((address, message))


class SmsNotifier(Notifier):
    """Short messages, for customers who left a number."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []

    def _address(self, customer: Customer) -> str:
        return customer.phone

    def _deliver(self, address: str, message: Message) -> None:
        self.texts.append((address, message.short))


class NotificationCenter:
    """Tries the channels in order until one of them reaches the customer."""

    def __init__(self, customers: Repository[Customer], channels: Sequence[Notifier]) -> None:
        self._customers = customers
        self._channels = channels
        self.expired_sessions = 0

    def listen(self, bus: EventBus) -> None:
        bus.subscribe(Event, self.on_event)
        bus.subscribe(SessionEnded, self.on_session_ended)

    def on_event(self, event: Event) -> None:
        message = compose(event)
        customer = self._customers.get(event.customer_id)
        if message is None or customer is None:
            return
        any(channel.send(customer, message) for channel in self._channels)

    def on_session_ended(self, event: SessionEnded) -> None:
        if event.expired:
            self.expired_sessions += 1
