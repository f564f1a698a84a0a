"""The catalogue: products, categories and search over a repository."""

from __future__ import annotations

from collections.abc import Iterable

from webshop.catalog.models import Category, Product
from webshop.catalog.search import search as search_products
from webshop.storage.base import Repository


class Catalog:
    def __init__(self, products: Repository[Product]) -> None:
        self._products = products
        self.root = Category("all")
        for product in products:
            self._file(product)

    def add(self, product: Product) -> None:
        self._products.add(product)
        self._file(product)

    def add_all(self, products: Iterable[Product]) -> int:
        """Add many products and return how many they were."""
        count = 0
        for product in products:
            self.add(product)
            count += 1
        return count

    def product(self, sku: str) -> Product:
        return self._products.require(sku)

    def search(self, text: str, limit: int = 10) -> list[Product]:
        return search_products(self._products, text, limit)

    def in_category(self, name: str) -> list[Product]:
        """Products filed under `name` or anywhere below it."""
        return list(self._products.find(lambda product: name in product.category.split("/")))

    def _file(self, product: Product) -> None:
        if product.category:
            self.root.insert(product.category)
