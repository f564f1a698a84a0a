"""Giving money back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from webshop.clock import Clock
from webshop.decorators import audited
from webshop.errors import RefundRefused
from webshop.events import EventBus, OrderRefunded
from webshop.money import Money
from webshop.orders.models import Order, OrderStatus
from webshop.orders.service import OrderService
from webshop.payments.base import PaymentGateway, gateways

REFUND_PERIOD = timedelta(days=30)


@dataclass
class RefundDesk:
    """Everything a refund needs to get at."""

    orders: OrderService
    clock: Clock
    bus: EventBus
    gateways: dict[str, PaymentGateway]

    def gateway_for(self, order: Order) -> PaymentGateway:
        """The gateway that took the money; made anew when this process has not used it yet."""
        assert order.receipt is not None
        name = order.receipt.gateway
        if name not in self.gateways:
            self.gateways[name] = gateways.create(name)
        return self.gateways[name]


@audited
def process_order_refund(desk: RefundDesk, order_id: str, amount: Money | None = None) -> Money:
    """Refund an order, wholly by default, and return what was given back.

    A partial refund leaves the order in its state; the one that brings the outstanding amount to zero ends it. To
    refund several orders call this in a loop: there is no ``refund_everything()``, on purpose.

    Raises
    ------
    RefundRefused
        The order is unpaid, too old, or the amount exceeds what is outstanding.
    """
    order = desk.orders.order(order_id)
    amount = order.outstanding if amount is None else amount
    _check_refundable(order, amount, desk.clock)
    assert order.receipt is not None
    desk.gateway_for(order).refund(order.receipt, amount)
    order.refunded = order.refunded + amount
    if order.outstanding.is_zero:
        desk.orders.move(order, OrderStatus.REFUNDED)
    desk.bus.publish(OrderRefunded(order.customer_id, order.id, amount))
    return amount


def _check_refundable(order: Order, amount: Money, clock: Clock) -> None:
    if order.receipt is None or order.status.is_final:
        raise RefundRefused("nothing was paid for this order, or all of it was refunded", order=order.id)
    if clock.now() - order.placed_at > REFUND_PERIOD:
        raise RefundRefused(f"refunds end after {REFUND_PERIOD.days} days", order=order.id)
    if amount > order.outstanding:
        raise RefundRefused(f"only {order.outstanding} can be refunded", order=order.id)
