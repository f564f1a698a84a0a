"""Amounts of money, counted in cents so that no sum is ever rounded twice."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation


@functools.total_ordering
@dataclass(frozen=True)
class Money:
    """An amount in one currency. Mixing currencies raises ValueError."""

    cents: int
    currency: str = "EUR"

    @classmethod
    def zero(cls, currency: str = "EUR") -> Money:
        return cls(0, currency)

    @classmethod
    def parse(cls, text: str) -> Money:
        """Read ``"12.50"`` or ``"12.50 USD"``."""
        number, _, currency = text.strip().partition(" ")
        try:
            cents = _round(Decimal(number) * 100)
        except InvalidOperation:
            raise ValueError(f"not an amount: {text!r}") from None
        return cls(cents, currency or "EUR")

    def percent(self, rate: Decimal) -> Money:
        """`rate` per cent of this amount, rounded half up."""
        return Money(_round(self.cents * rate / 100), self.currency)

    @property
    def is_zero(self) -> bool:
        return self.cents == 0

    def __add__(self, other: Money) -> Money:
        self._require_same_currency(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._require_same_currency(other)
        return Money(self.cents - other.cents, self.currency)

    def __mul__(self, factor: int) -> Money:
        return Money(self.cents * factor, self.currency)

    def __lt__(self, other: Money) -> bool:
        self._require_same_currency(other)
        return self.cents < other.cents

    def __str__(self) -> str:
        return f"{self.cents / 100:.2f} {self.currency}"

    def _require_same_currency(self, other: Money) -> None:
        if self.currency != other.currency:
            raise ValueError(f"cannot mix {self.currency} and {other.currency}")


def total_of(amounts: Iterable[Money]) -> Money:
    """Add up amounts; nothing at all is zero euros."""
    return sum(amounts, Money.zero())


def _round(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))
