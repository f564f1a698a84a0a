"""Prepaid wallets.

Nothing imports this module: a shop that wants wallets names it in its configuration, see
`webshop.app.OPTIONAL_GATEWAYS`.
"""

from __future__ import annotations

from webshop.errors import PaymentDeclined
from webshop.money import Money
from webshop.payments.base import PaymentGateway


class WalletGateway(PaymentGateway):
    name = "wallet"

    def __init__(self) -> None:
        self._balances: dict[str, Money] = {}

    def top_up(self, account: str, amount: Money) -> None:
        self._balances[account] = self.balance(account) + amount

    def balance(self, account: str) -> Money:
        return self._balances.get(account, Money.zero())

    def _authorise(self, amount: Money, account: str, order_id: str) -> str:
        if self.balance(account) < amount:
            raise PaymentDeclined("not enough in the wallet", order=order_id)
        self._balances[account] = self.balance(account) - amount
        return f"{account}/{order_id}"

    def _reverse(self, reference: str, amount: Money) -> str:
        account, _, _ = reference.partition("/")
        self.top_up(account, amount)
        return f"back-{reference}"
