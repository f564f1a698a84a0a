"""From a cart to a paid order."""

from __future__ import annotations

from dataclasses import dataclass

from webshop.accounts import Customer
from webshop.cart import Cart
from webshop.decorators import audited
from webshop.inventory import Inventory
from webshop.orders import Order, OrderService
from webshop.payments import PaymentGateway
from webshop.pricing import PricingEngine
from webshop.storage import MemoryRepository, UnitOfWork


@dataclass
class Checkout:
    pricing: PricingEngine
    inventory: Inventory
    orders: OrderService
    order_store: MemoryRepository[Order]

    @audited
    def run(self, cart: Cart, customer: Customer, gateway: PaymentGateway, account: str) -> Order:
        """Price, reserve, place, charge; then empty the cart.

        The order is stored before the charge, so that a payment never lacks an order. When the charge fails the unit
        of work takes the order out again and the hold gives the goods back.
        """
        cart.validate()
        quote = self.pricing.quote(cart, customer.country)
        with UnitOfWork(self.order_store), self.inventory.hold(cart):
            order = self.orders.place(cart, quote.total)
            receipt = gateway.charge(quote.total, account, order.id)
        self.orders.mark_paid(order, receipt)
        cart.clear()
        return order
