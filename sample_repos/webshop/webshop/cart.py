"""The shopping cart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webshop.catalog import Product
from webshop.errors import ShopError
from webshop.money import Money, total_of

MAX_QUANTITY = 99


@dataclass
class CartLine:
    product: Product
    quantity: int

    @property
    def total(self) -> Money:
        return self.product.price * self.quantity


class Cart:
    """What one customer is about to buy, one line for each product."""

    def __init__(self, customer_id: str) -> None:
        self.id = customer_id
        self.coupon: str | None = None
        self._lines: dict[str, CartLine] = {}

    def add(self, product: Product, quantity: int = 1) -> CartLine:
        """Put more of a product into the cart. Raises ShopError for silly quantities."""
        if quantity < 1:
            raise ShopError("quantity must be at least 1", quantity=quantity)
        line = self._lines.setdefault(product.id, CartLine(product, 0))
        line.quantity = min(line.quantity + quantity, MAX_QUANTITY)
        return line

    def remove(self, sku: str) -> None:
        self._lines.pop(sku, None)

    def clear(self) -> None:
        self._lines.clear()
        self.coupon = None

    def quantity_of(self, sku: str) -> int:
        line = self._lines.get(sku)
        return line.quantity if line else 0

    @property
    def subtotal(self) -> Money:
        """What the lines cost before discounts and taxes."""
        return total_of(line.total for line in self)

    def validate(self) -> None:
        """Raise ShopError when this cart can't be bought as it is."""
        if not len(self):
            raise ShopError("the cart is empty")
        for line in self:
            if line.total.is_zero:
                raise ShopError("a product without a price can't be sold", sku=line.product.id)

    def __iter__(self) -> Iterator[CartLine]:
        return iter(self._lines.values())

    def __len__(self) -> int:
        """How many items, not lines."""
        return sum(line.quantity for line in self._lines.values())

    def __contains__(self, sku: str) -> bool:
        return sku in self._lines
