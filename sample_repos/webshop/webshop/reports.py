"""Numbers for the people who run the shop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from webshop.money import Money, total_of
from webshop.orders import Order, OrderStatus

Row = Sequence[object]


def paid(orders: Iterable[Order]) -> Iterator[Order]:
    """The orders that brought money in."""
    for order in orders:
        if order.status in (OrderStatus.PAID, OrderStatus.SHIPPED):
            yield order


def revenue_by_month(orders: Iterable[Order]) -> dict[str, Money]:
    """Revenue after refunds, by month of the order (``2024-03``)."""
    months: dict[str, list[Money]] = defaultdict(list)
    for order in paid(orders):
        months[order.placed_at.strftime("%Y-%m")].append(order.outstanding)
    return {month: total_of(amounts) for month, amounts in sorted(months.items())}


def best_sellers(orders: Iterable[Order], count: int = 5) -> list[tuple[str, int]]:
    """Titles and numbers sold, most sold first."""
    sold: dict[str, int] = defaultdict(int)
    for order in paid(orders):
        for line in order.lines:
            sold[line.title] += line.quantity
    return sorted(sold.items(), key=_most_first)[:count]


def _most_first(entry: tuple[str, int]) -> tuple[int, str]:
    title, quantity = entry
    return -quantity, title


def table(rows: Iterable[Row], describe: Callable[[Row], Sequence[str]] | None = None) -> str:
    """Rows as text, columns aligned. `describe` turns a row into its cells."""
    describe = describe or as_cells
    cells = [describe(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*cells)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
    return "\n".join(lines)


def as_cells(row: Row) -> list[str]:
    return [str(value) for value in row]
