"""Putting discounts and value-added tax together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from webshop.cart import Cart
from webshop.errors import InvalidCoupon
from webshop.money import Money
from webshop.pricing.base import PriceRule, price_rules


def german_vat(net: Money) -> Money:
    return net.percent(Decimal(19))


def french_vat(net: Money) -> Money:
    return net.percent(Decimal(20))


def no_vat(net: Money) -> Money:
    """Exports leave the country untaxed."""
    return Money.zero(net.currency)


VAT_RULES: dict[str, Callable[[Money], Money]] = {"DE": german_vat, "FR": french_vat}


def vat(net: Money, country: str) -> Money:
    """The tax on a net amount delivered to `country` (ISO code)."""
    rule = VAT_RULES.get(country, no_vat)
    return rule(net)


@dataclass(frozen=True)
class Quote:
    """What a cart costs. `label` says which rule gave the discount."""

    subtotal: Money
    discount: Money
    tax: Money
    label: str = ""

    @property
    def total(self) -> Money:
        return self.subtotal - self.discount + self.tax


class PricingEngine:
    """Prices carts. The best standing rule competes with the coupon: discounts don't add up."""

    def __init__(self) -> None:
        self._standing: list[PriceRule] = []
        self._coupons: dict[str, PriceRule] = {}

    def add_standing_rule(self, rule: PriceRule) -> None:
        self._standing.append(rule)

    def add_coupon(self, code: str, spec: Mapping[str, str]) -> None:
        """Make a coupon from configuration: ``{"rule": "percent", "rate": "10"}``."""
        options = dict(spec)
        kind = options.pop("rule")
        self._coupons[code.upper()] = price_rules.create(kind, **options)

    def coupon(self, code: str) -> PriceRule:
        try:
            return self._coupons[code.upper()]
        except KeyError:
            raise InvalidCoupon(f"no coupon {code!r}") from None

    def quote(self, cart: Cart, country: str) -> Quote:
        subtotal = cart.subtotal
        discount, label = self._best_discount(cart)
        return Quote(subtotal, discount, vat(subtotal - discount, country), label)

    def _best_discount(self, cart: Cart) -> tuple[Money, str]:
        rules = list(self._standing)
        if cart.coupon:
            rules.append(self.coupon(cart.coupon))
        best, label = Money.zero(), ""
        for rule in rules:
            if rule.applies_to(cart) and (amount := rule.discount(cart)) > best:
                best, label = amount, rule.label
        return best, label
