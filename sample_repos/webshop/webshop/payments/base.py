"""What a payment gateway is.

To add one, subclass `PaymentGateway`, write `_authorise` and `_reverse`, and register it; see `webshop.payments.card`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from webshop.errors import PaymentError
from webshop.money import Money
from webshop.plugins import Registry


@dataclass(frozen=True)
class Receipt:
    """Proof that money has moved. `reference` is the provider's own number."""

    gateway: str
    reference: str
    amount: Money


class PaymentGateway(ABC):
    """Moves money. Subclasses talk to one provider; the checks all providers need are here."""

    name = "gateway"

    def charge(self, amount: Money, account: str, order_id: str) -> Receipt:
        """Take `amount` from the customer's account.

        Raises PaymentDeclined, or GatewayTimeout when the provider stays silent.
        """
        if amount <= Money.zero(amount.currency):
            raise PaymentError("nothing to charge", order=order_id)
        self.validate(account)
        reference = self._authorise(amount, account, order_id)
        return Receipt(self.name, reference, amount)

    def refund(self, receipt: Receipt, amount: Money) -> Receipt:
        """Give back some or all of an earlier charge."""
        if receipt.amount < amount:
            raise PaymentError("a refund can't exceed the charge", reference=receipt.reference)
        return Receipt(self.name, self._reverse(receipt.reference, amount), amount)

    def validate(self, account: str) -> None:
        """Raise PaymentDeclined for an account that can't be right. By default every account may be."""

    @abstractmethod
    def _authorise(self, amount: Money, account: str, order_id: str) -> str:
        """Charge at the provider and return its reference."""

    @abstractmethod
    def _reverse(self, reference: str, amount: Money) -> str:
        """Give money back at the provider and return its reference."""


gateways: Registry[PaymentGateway] = Registry("payment gateway")
