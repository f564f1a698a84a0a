"""How many of each product are in the warehouse, and how many of them are promised to someone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from webshop.cart import Cart
from webshop.errors import OutOfStock


class Inventory:
    def __init__(self) -> None:
        self._on_hand: Counter[str] = Counter()
        self._held: Counter[str] = Counter()

    def receive(self, sku: str, quantity: int) -> None:
        """Goods have arrived, from a supplier or back from a customer."""
        self._on_hand[sku] += quantity

    def available(self, sku: str) -> int:
        return self._on_hand[sku] - self._held[sku]

    @contextmanager
    def hold(self, cart: Cart) -> Iterator[None]:
        """Reserve everything in the cart while the block runs.

        When the block ends well the goods leave the warehouse, when it raises they become available again.
        """
        taken: Counter[str] = Counter()
        try:
            for line in cart:
                self._take(line.product.id, line.quantity)
                taken[line.product.id] += line.quantity
            yield
        except BaseException:
            self._held -= taken
            raise
        self._held -= taken
        self._on_hand -= taken

    def _take(self, sku: str, quantity: int) -> None:
        if self.available(sku) < quantity:
            raise OutOfStock(f"only {self.available(sku)} of {sku} left", sku=sku, wanted=quantity)
        self._held[sku] += quantity
