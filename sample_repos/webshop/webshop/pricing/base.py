"""What a price rule is, and the registry that coupons are looked up in."""

from __future__ import annotations

from abc import ABC, abstractmethod

from webshop.cart import Cart
from webshop.money import Money
from webshop.plugins import Registry


class PriceRule(ABC):
    """Takes something off the price of a cart."""

    label = "discount"

    @abstractmethod
    def discount(self, cart: Cart) -> Money:
        """What this rule takes off, never negative."""

    def applies_to(self, cart: Cart) -> bool:
        return len(cart) > 0


price_rules: Registry[PriceRule] = Registry("price rule")
