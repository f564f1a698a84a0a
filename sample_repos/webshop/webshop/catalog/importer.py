"""Reading products from the supplier's CSV export."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from webshop.catalog.models import Product
from webshop.money import Money


def read_products(lines: Iterable[str]) -> Iterator[Product]:
    """Yield a product for each row; rows without a SKU are comments of the supplier."""
    for row in csv.DictReader(lines):
        if row.get("sku"):
            yield _parse_row(row)


def _parse_row(row: dict[str, str]) -> Product:
    def parse(text: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in text.split(";") if part.strip())

    return Product(
        id=row["sku"].strip(),
        title=row["title"].strip(),
        price=Money.parse(row["price"]),
        category=row.get("category", "").strip(),
        tags=parse(row.get("tags", "")),
    )
