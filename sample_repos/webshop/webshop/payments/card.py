"""Credit cards, through a provider whose client is passed in."""

from __future__ import annotations

import functools
import itertools
from typing import Protocol

from webshop.decorators import retry
from webshop.errors import GatewayTimeout, PaymentDeclined
from webshop.money import Money
from webshop.payments.base import PaymentGateway, gateways


class CardNetwork(Protocol):
    """The part of the provider's client that we use. It may raise GatewayTimeout."""

    def authorise(self, cents: int, number: str, idempotency_key: str) -> str: ...

    def reverse(self, reference: str, cents: int) -> str: ...


class SandboxNetwork:
    """Approves everything except amounts above its limit; for development."""

    def __init__(self, limit: int = 100_000) -> None:
        self.limit = limit
        self._numbers = itertools.count(1)

    def authorise(self, cents: int, number: str, idempotency_key: str) -> str:
        if cents > self.limit:
            raise PaymentDeclined("card limit exceeded", order=idempotency_key)
        return self._reference("A")

    def reverse(self, reference: str, cents: int) -> str:
        return self._reference("R")

    def _reference(self, prefix: str) -> str:
        return f"{prefix}{next(self._numbers):06d}"


@gateways.register("card")
class CardGateway(PaymentGateway):
    name = "card"

    def __init__(self, network: CardNetwork | None = None) -> None:
        self._network = network or SandboxNetwork()

    def validate(self, account: str) -> None:
        if not luhn_valid(account):
            raise PaymentDeclined("not a card number")

    @retry(times=3, on=GatewayTimeout)
    def _authorise(self, amount: Money, account: str, order_id: str) -> str:
        return self._network.authorise(amount.cents, account, order_id)

    @retry(times=3, on=GatewayTimeout)
    def _reverse(self, reference: str, amount: Money) -> str:
        return self._network.reverse(reference, amount.cents)


@functools.lru_cache(maxsize=256)
def luhn_valid(number: str) -> bool:
    """Check a card number's last digit (Luhn): every second digit from the right counts double, the sum ends in 0."""
    digits = [int(character) for character in number if character.isdigit()]
    if len(digits) < 12:
        return False
    return sum(_luhn_weight(place, digit) for place, digit in enumerate(reversed(digits))) % 10 == 0


def _luhn_weight(place: int, digit: int) -> int:
    doubled = digit * 2 if place % 2 else digit
    return doubled - 9 if doubled > 9 else doubled
