"""Placing orders and moving them from state to state."""

from __future__ import annotations

from collections.abc import Iterator

from webshop.cart import Cart
from webshop.clock import Clock
from webshop.errors import InvalidTransition
from webshop.events import EventBus, OrderPlaced, OrderShipped
from webshop.inventory import Inventory
from webshop.money import Money
from webshop.orders.models import TRANSITIONS, Order, OrderLine, OrderStatus
from webshop.payments.base import Receipt
from webshop.storage.base import Repository


def order_numbers(prefix: str, start: int = 1) -> Iterator[str]:
    """Count upwards for ever: ``2024-0001``, ``2024-0002`` …"""
    number = start
    while True:
        yield f"{prefix}-{number:04d}"
        number += 1


class OrderService:
    def __init__(self, orders: Repository[Order], inventory: Inventory, clock: Clock, bus: EventBus) -> None:
        self._orders = orders
        self._inventory = inventory
        self._clock = clock
        self._bus = bus
        self._numbers = order_numbers(str(clock.now().year))

    def place(self, cart: Cart, total: Money) -> Order:
        """Turn a cart into an order. Prices are copied: later changes to the catalogue don't touch it."""
        lines = [OrderLine(line.product.id, line.product.title, line.product.price, line.quantity) for line in cart]
        order = Order(next(self._numbers), cart.id, lines, total, self._clock.now())
        order.validate()
        self._orders.add(order)
        return order

    def mark_paid(self, order: Order, receipt: Receipt) -> None:
        order.receipt = receipt
        self.move(order, OrderStatus.PAID)

    def ship(self, order_id: str) -> Order:
        return self.move(self.order(order_id), OrderStatus.SHIPPED)

    def cancel(self, order_id: str) -> Order:
        return self.move(self.order(order_id), OrderStatus.CANCELLED)

    def order(self, order_id: str) -> Order:
        return self._orders.require(order_id)

    def orders_of(self, customer_id: str) -> list[Order]:
        return list(self._orders.find(lambda order: order.customer_id == customer_id))

    def move(self, order: Order, status: OrderStatus) -> Order:
        """Change the state of an order and run the hook of the new state, ``_on_<state>``, if there is one."""
        if status not in TRANSITIONS[order.status]:
            raise InvalidTransition(f"{order.status.value} orders can't become {status.value}", order=order.id)
        order.status = status
        order.validate()
        self._orders.add(order)
        hook = getattr(self, f"_on_{status.value}", None)
        if hook is not None:
            hook(order)
        return order

    def _on_paid(self, order: Order) -> None:
        self._bus.publish(OrderPlaced(order.customer_id, order.id, order.total))

    def _on_shipped(self, order: Order) -> None:
        self._bus.publish(OrderShipped(order.customer_id, order.id))

    def _on_refunded(self, order: Order) -> None:
        for line in order.lines:
            self._inventory.receive(line.sku, line.quantity)
