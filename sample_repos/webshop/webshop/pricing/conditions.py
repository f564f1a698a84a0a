"""The condition language of coupons: ``total >= 50 and (items > 3 or has TEA-01)``.

    either     = both { "or" both }
    both       = single { "and" single }
    single     = "not" single | "(" either ")" | "has" SKU | comparison
    comparison = ("total" | "items") (">=" | ">" | "<") NUMBER

A recursive-descent parser: one method for each rule of the grammar, and the methods call each other as the rules do.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from webshop.cart import Cart
from webshop.errors import InvalidCoupon

_TOKEN = re.compile(r"\s*(>=|>|<|\(|\)|[\w.-]+)")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {">=": operator.ge, ">": operator.gt, "<": operator.lt}


class Condition(ABC):
    @abstractmethod
    def holds(self, cart: Cart) -> bool: ...


@dataclass(frozen=True)
class Either(Condition):
    left: Condition
    right: Condition

    def holds(self, cart: Cart) -> bool:
        return self.left.holds(cart) or self.right.holds(cart)


@dataclass(frozen=True)
class Both(Condition):
    left: Condition
    right: Condition

    def holds(self, cart: Cart) -> bool:
        return self.left.holds(cart) and self.right.holds(cart)


@dataclass(frozen=True)
class Not(Condition):
    inner: Condition

    def holds(self, cart: Cart) -> bool:
        return not self.inner.holds(cart)


@dataclass(frozen=True)
class Has(Condition):
    sku: str

    def holds(self, cart: Cart) -> bool:
        return self.sku in cart


@dataclass(frozen=True)
class Comparison(Condition):
    measure: Callable[[Cart], float]
    compare: Callable[[float, float], bool]
    bound: float

    def holds(self, cart: Cart) -> bool:
        return self.compare(self.measure(cart), self.bound)


def total_in_euros(cart: Cart) -> float:
    return cart.subtotal.cents / 100


MEASURES: dict[str, Callable[[Cart], float]] = {"total": total_in_euros, "items": len}


def parse(text: str) -> Condition:
    """Read a condition. Raises InvalidCoupon with the offending word."""
    parser = _Parser(text)
    condition = parser.either()
    parser.expect_end()
    return condition


class _Parser:
    def __init__(self, text: str) -> None:
        self._words = _TOKEN.findall(text)
        self._position = 0

    def either(self) -> Condition:
        condition = self.both()
        while self._accept("or"):
            condition = Either(condition, self.both())
        return condition

    def both(self) -> Condition:
        condition = self.single()
        while self._accept("and"):
            condition = Both(condition, self.single())
        return condition

    def single(self) -> Condition:
        if self._accept("not"):
            return Not(self.single())
        if self._accept("("):
            condition = self.either()
            if not self._accept(")"):
                raise InvalidCoupon(f"a closing bracket is missing before {self._peek()!r}")
            return condition
        if self._accept("has"):
            return Has(self._next())
        return self._comparison()

    def _comparison(self) -> Condition:
        name, sign, bound = self._next(), self._next(), self._next()
        try:
            return Comparison(MEASURES[name], _COMPARISONS[sign], float(bound))
        except (KeyError, ValueError):
            raise InvalidCoupon(f"not a condition: {name} {sign} {bound}") from None

    def expect_end(self) -> None:
        if self._peek():
            raise InvalidCoupon(f"unexpected {self._peek()!r}")

    def _peek(self) -> str:
        return self._words[self._position] if self._position < len(self._words) else ""

    def _next(self) -> str:
        word = self._peek()
        self._position += 1
        return word

    def _accept(self, word: str) -> bool:
        if self._peek() != word:
            return False
        self._position += 1
        return True
