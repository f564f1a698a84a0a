"""An order and its states."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any

from webshop.errors import ShopError
from webshop.money import Money
from webshop.payments.base import Receipt


class OrderStatus(Enum):
    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"

    @property
    def is_final(self) -> bool:
        return not TRANSITIONS[self]


TRANSITIONS: dict[OrderStatus, frozenset[OrderStatus]] = {
    OrderStatus.PLACED: frozenset({OrderStatus.PAID, OrderStatus.CANCELLED}),
    OrderStatus.PAID: frozenset({OrderStatus.SHIPPED, OrderStatus.REFUNDED}),
    OrderStatus.SHIPPED: frozenset({OrderStatus.REFUNDED}),
    OrderStatus.CANCELLED: frozenset(),
    OrderStatus.REFUNDED: frozenset(),
}


@dataclass(frozen=True)
class OrderLine:
    sku: str
    title: str
    unit_price: Money
    quantity: int

    @property
    def total(self) -> Money:
        return self.unit_price * self.quantity


@dataclass
class Order:
    id: str
    customer_id: str
    lines: list[OrderLine]
    total: Money
    placed_at: datetime
    status: OrderStatus = OrderStatus.PLACED
    receipt: Receipt | None = None
    refunded: Money = field(default_factory=Money.zero)

    def validate(self) -> None:
        """Raise ShopError when the order contradicts itself."""
        if not self.lines:
            raise ShopError("an order needs a line", order=self.id)
        if self.total < self.refunded:
            raise ShopError("more was refunded than was paid", order=self.id)

    @property
    def outstanding(self) -> Money:
        """What could still be refunded."""
        return self.total - self.refunded


def to_json(order: Order) -> dict[str, Any]:
    """Plain JSON values for `JsonFileRepository`. Receipts stay with the payment provider."""
    return {
        "id": order.id,
        "customer_id": order.customer_id,
        "lines": [[line.sku, line.title, line.unit_price.cents, line.quantity] for line in order.lines],
        "total": str(order.total),
        "placed_at": order.placed_at.isoformat(),
        "status": order.status.value,
        "refunded": str(order.refunded),
    }


def from_json(row: dict[str, Any]) -> Order:
    order = Order(
        id=row["id"],
        customer_id=row["customer_id"],
        lines=[OrderLine(sku, title, Money(cents), quantity) for sku, title, cents, quantity in row["lines"]],
        total=Money.parse(row["total"]),
        placed_at=datetime.fromisoformat(row["placed_at"]),
        status=OrderStatus(row["status"]),
        refunded=Money.parse(row["refunded"]),
    )
    order.validate()
    return order
