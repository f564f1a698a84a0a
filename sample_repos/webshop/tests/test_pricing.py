from decimal import Decimal

import pytest

from webshop import Cart, Money
from webshop.catalog import Product
from webshop.errors import InvalidCoupon
from webshop.pricing import PriceRule, PricingEngine
from webshop.pricing.conditions import parse
from webshop.pricing.rules import AmountOff, PercentOff


class FreeShipping(PriceRule):
    """A rule of a customer's own, to see that the engine takes any subclass."""

    label = "free shipping"

    def discount(self, cart):
        return Money(490)


def cart_of(cents, quantity=1):
    cart = Cart("ada@example.org")
    cart.add(Product("TEA-01", "Green tea", Money(cents)), quantity)
    return cart


def test_the_best_rule_wins():
    engine = PricingEngine()
    engine.add_standing_rule(AmountOff("5.00"))
    engine.add_standing_rule(PercentOff("10"))
    assert engine.quote(cart_of(2000), "US").discount == Money(500)
    assert engine.quote(cart_of(9000), "US").discount == Money(900)


def test_a_rule_of_ones_own():
    engine = PricingEngine()
    engine.add_standing_rule(FreeShipping())
    quote = engine.quote(cart_of(2000), "DE")
    assert quote.label == "free shipping"
    assert quote.total == Money(2000 - 490) + Money(2000 - 490).percent(Decimal(19))


def test_conditional_coupons_nest():
    engine = PricingEngine()
    engine.add_coupon("deep", {"rule": "when", "condition": "items > 1", "then": "third-free", "sku": "TEA-01"})
    cart = cart_of(800, quantity=3)
    cart.coupon = "deep"
    assert engine.quote(cart, "FR").total == Money(1920)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("total >= 40", True),
        ("total < 40 or items > 4", True),
        ("not (has TEA-01 and items > 1)", False),
        ("has POT-01", False),
    ],
)
def test_conditions(text, expected):
    assert parse(text).holds(cart_of(800, quantity=5)) is expected


@pytest.mark.parametrize("text", ["total >=", "(items > 1", "items > 1 )", "weight > 3"])
def test_bad_conditions_are_refused(text):
    with pytest.raises(InvalidCoupon):
        parse(text)
