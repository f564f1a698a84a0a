"""Products and the category tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from webshop.money import Money


@dataclass
class Product:
    """Something the shop sells. Its key is the SKU."""

    id: str
    title: str
    price: Money
    category: str = ""
    tags: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """The words a search looks at, lowercase: title first, then tags."""
        return [word.lower() for text in (self.title, *self.tags) for word in text.split()]


@dataclass
class Category:
    """A node of the category tree; `name` is unique among its siblings."""

    name: str
    children: list[Category] = field(default_factory=list)

    def child(self, name: str) -> Category:
        """The child with this name, made if need be."""
        for category in self.children:
            if category.name == name:
                return category
        category = Category(name)
        self.children.append(category)
        return category

    def insert(self, path: str) -> Category:
        """Make every category along ``"tea/green"`` and return the last."""
        head, _, rest = path.partition("/")
        category = self.child(head)
        return category.insert(rest) if rest else category

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Category]]:
        """This category and all below it, each with its depth, parents first."""
        yield depth, self
        for category in self.children:
            yield from category.walk(depth + 1)


def describe(product: Product) -> str:
    """One line about a product."""
    return f"{product.id:<10} {product.title:<32} {product.price}"
