"""What a client may do, one method for each request.

Methods marked with `requires_session` are called with a session token where the code below says `session`.
"""

from __future__ import annotations

from webshop.accounts import Customer
from webshop.app import Shop
from webshop.cart import Cart
from webshop.catalog import Product
from webshop.decorators import requires_session
from webshop.errors import NotFound
from webshop.money import Money
from webshop.orders import Order, refund_order
from webshop.payments import PaymentGateway, gateways
from webshop.sessions import Session


class Storefront:
    def __init__(self, shop: Shop) -> None:
        self.shop = shop

    # ------------------------------------------------------------ open to everybody

    def search(self, text: str) -> list[Product]:
        return self.shop.catalog.search(text)

    def register(self, email: str, name: str, password: str, **contact: str) -> Customer:
        return self.shop.accounts.register(email, name, password, **contact)

    def login(self, email: str, password: str) -> str:
        """Open a session and return its token."""
        return self.shop.accounts.login(email, password).id

    def logout(self, token: str) -> None:
        self.shop.sessions.close_session(token)

    # ------------------------------------------------------------ for customers who are logged in

    @requires_session
    def add_to_cart(self, session: Session, sku: str, quantity: int = 1) -> int:
        """Add a product and return how many items are in the cart now."""
        cart = self._cart(session)
        cart.add(self.shop.catalog.product(sku), quantity)
        return len(cart)

    @requires_session
    def use_coupon(self, session: Session, code: str) -> None:
        self.shop.pricing.coupon(code)  # raises for unknown codes
        self._cart(session).coupon = code

    @requires_session
    def checkout(self, session: Session, method: str, account: str = "") -> Order:
        """Buy what is in the cart. `method` is the name of a payment gateway."""
        customer = self.shop.accounts.customer(session.customer_id)
        return self.shop.checkout.run(self._cart(session), customer, self._gateway(method), account)

    @requires_session
    def my_orders(self, session: Session) -> list[Order]:
        return self.shop.orders.orders_of(session.customer_id)

    @requires_session
    def return_order(self, session: Session, order_id: str) -> Money:
        """Send everything back and get the money for it."""
        if self.shop.orders.order(order_id).customer_id != session.customer_id:
            raise NotFound("order", order_id)  # other people's orders don't exist
        return refund_order(self.shop.refunds, order_id)

    # ------------------------------------------------------------ helpers

    def _cart(self, session: Session) -> Cart:
        cart = self.shop.carts.get(session.customer_id)
        if cart is None:
            cart = Cart(session.customer_id)
            self.shop.carts.add(cart)
        return cart

    def _gateway(self, method: str) -> PaymentGateway:
        made = self.shop.refunds.gateways
        if method not in made:
            made[method] = gateways.create(method)
        return made[method]
