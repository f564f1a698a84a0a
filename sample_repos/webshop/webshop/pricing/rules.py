"""The price rules that come with the shop. Coupons name them by the name they are registered under."""

from __future__ import annotations

from decimal import Decimal

from webshop.cart import Cart
from webshop.money import Money
from webshop.pricing.base import PriceRule, price_rules
from webshop.pricing.conditions import parse


@price_rules.register("percent")
class PercentOff(PriceRule):
    def __init__(self, rate: str) -> None:
        self.rate = Decimal(rate)
        self.label = f"{rate} % off"

    def discount(self, cart: Cart) -> Money:
        return cart.subtotal.percent(self.rate)


@price_rules.register("fixed")
class AmountOff(PriceRule):
    """A fixed amount off, but never more than the cart is worth."""

    def __init__(self, amount: str) -> None:
        self.amount = Money.parse(amount)
        self.label = f"{self.amount} off"

    def discount(self, cart: Cart) -> Money:
        return min(self.amount, cart.subtotal)


@price_rules.register("third-free")
class ThirdFree(PriceRule):
    """Every third item of one product is free."""

    label = "three for two"

    def __init__(self, sku: str) -> None:
        self.sku = sku

    def discount(self, cart: Cart) -> Money:
        for line in cart:
            if line.product.id == self.sku:
                return line.product.price * (line.quantity // 3)
        return Money.zero()

    def applies_to(self, cart: Cart) -> bool:
        return super().applies_to(cart) and cart.quantity_of(self.sku) >= 3


class Conditional(PriceRule):
    """Another rule that counts only while a condition holds."""

    def __init__(self, condition: str, rule: PriceRule) -> None:
        self.condition = parse(condition)
        self.rule = rule
        self.label = rule.label

    def discount(self, cart: Cart) -> Money:
        return self.rule.discount(cart)

    def applies_to(self, cart: Cart) -> bool:
        return self.condition.holds(cart) and self.rule.applies_to(cart)


@price_rules.register("when")
def conditional(condition: str, then: str, **options: object) -> PriceRule:
    """Make a `Conditional` around any registered rule, another conditional included."""
    return Conditional(condition, price_rules.create(then, **options))
