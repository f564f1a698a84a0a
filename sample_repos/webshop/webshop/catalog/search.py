"""Finding products by words: a score for each product, nothing clever."""

from __future__ import annotations

from collections.abc import Iterable

from webshop.catalog.models import Product

TITLE_WEIGHT = 3


def search(products: Iterable[Product], text: str, limit: int = 10) -> list[Product]:
    """The products that fit `text` best, best first."""
    wanted = normalise(text)
    scored = [(score(product, wanted), product) for product in products]
    found = [(points, product) for points, product in scored if points > 0]
    found.sort(key=_rank)
    return [product for _, product in found[:limit]]


def normalise(text: str) -> list[str]:
    return [word.strip(".,;!?").lower() for word in text.split()]


def score(product: Product, wanted: list[str]) -> int:
    """Three points for each wanted word in the title, one for each among the tags."""
    title = normalise(product.title)
    points = 0
    for word in wanted:
        if word in title:
            points += TITLE_WEIGHT
        elif word in product.words:
            points += 1
    return points


def _rank(entry: tuple[int, Product]) -> tuple[int, str]:
    points, product = entry
    return -points, product.id


def suggest_spelling(word: str, products: Iterable[Product]) -> str | None:
    """The known word that differs from `word` in its last letters only."""
    known = {candidate for product in products for candidate in product.words}
    for length in range(len(word), 2, -1):
        matches = sorted(candidate for candidate in known if candidate.startswith(word[:length]))
        if matches:
            return matches[0]
    return None
