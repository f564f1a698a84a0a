"""The command line: ``webshop products | search | report | demo``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from webshop import reports
from webshop.app import build_shop
from webshop.catalog.models import Category, describe
from webshop.clock import FrozenClock
from webshop.demo_data import demo_shop
from webshop.errors import SessionExpired, ShopError
from webshop.storefront import Storefront


def cmd_products(arguments: argparse.Namespace) -> None:
    """List the category tree."""
    for depth, category in build_shop(data=arguments.data).catalog.root.walk():
        print(outline_entry(depth, category))


def cmd_search(arguments: argparse.Namespace) -> None:
    """Find products."""
    for product in build_shop(data=arguments.data).catalog.search(arguments.text):
        print(describe(product))


def cmd_report(arguments: argparse.Namespace) -> None:
    """Revenue by month and best sellers."""
    orders = list(build_shop(data=arguments.data).order_store)
    print(reports.table(list(reports.revenue_by_month(orders).items())))
    print(reports.table(reports.best_sellers(orders, arguments.count), describe=bar))


def cmd_demo(arguments: argparse.Namespace) -> None:
    """Walk through one purchase, a refund and an expired session."""
    clock = FrozenClock()
    shop = demo_shop(clock)
    front = Storefront(shop)
    front.register("ada@example.org", "Ada", "correct horse", phone="+49 30 1234")
    token = front.login("ada@example.org", "correct horse")
    front.add_to_cart(token, "TEA-01", 3)
    front.use_coupon(token, "teatime")
    order = front.checkout(token, "card", "4539 1488 0343 6467")
    print(f"order {order.id}: {order.total}")
    print(f"refunded: {front.return_order(token, order.id)}")
    clock.advance(minutes=31)
    try:
        front.my_orders(token)
    except SessionExpired as error:
        print(error)
    for address, message in shop.email.outbox:
        print(f"{address} <- {message.short}")


def outline_entry(depth: int, category: Category) -> str:
    return "  " * depth + category.name


def bar(row: reports.Row) -> list[str]:
    """A report row with a bar for its number."""
    title, quantity = row
    return [str(title), "#" * int(str(quantity))]


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="webshop", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    products = commands.add_parser("products", help=cmd_products.__doc__)
    products.set_defaults(run=cmd_products)

    search = commands.add_parser("search", help=cmd_search.__doc__)
    search.add_argument("text")
    search.set_defaults(run=cmd_search)

    report = commands.add_parser("report", help=cmd_report.__doc__)
    report.add_argument("--count", type=int, default=5, help="number of best sellers")
    report.set_defaults(run=cmd_report)

    demo = commands.add_parser("demo", help=cmd_demo.__doc__)
    demo.set_defaults(run=cmd_demo)

    for command in (products, search, report):
        command.add_argument("--data", type=Path, default=Path("data"), help="folder with products.csv and orders.json")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    arguments = build_parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except ShopError as error:
        print(f"webshop: {error}")
        return 1
    return 0
