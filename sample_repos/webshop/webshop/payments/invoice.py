"""Paying later: the gateway only writes down who owes what."""

from __future__ import annotations

from webshop.errors import PaymentDeclined
from webshop.money import Money
from webshop.payments.base import PaymentGateway, gateways

CREDIT_LIMIT = Money(25_000)


@gateways.register("invoice")
class InvoiceGateway(PaymentGateway):
    name = "invoice"

    def __init__(self) -> None:
        self._open: dict[str, Money] = {}

    def _authorise(self, amount: Money, account: str, order_id: str) -> str:
        if self.owed() + amount > CREDIT_LIMIT:
            raise PaymentDeclined("credit limit reached", order=order_id)
        self._open[order_id] = amount
        return order_id

    def _reverse(self, reference: str, amount: Money) -> str:
        self._open[reference] = self._open[reference] - amount
        return f"credit-{reference}"

    def owed(self) -> Money:
        """Everything that is still to be paid."""
        balance = Money.zero()
        for amount in self._open.values():
            balance = balance + amount
        return balance
