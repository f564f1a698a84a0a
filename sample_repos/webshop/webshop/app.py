"""Wiring: the only place that knows which implementation goes where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from webshop.accounts import Accounts, Customer
from webshop.cart import Cart
from webshop.catalog import Catalog, Product, read_products
from webshop.checkout import Checkout
from webshop.clock import Clock, SystemClock
from webshop.events import EventBus
from webshop.inventory import Inventory
from webshop.notifications import EmailNotifier, NotificationCenter, SmsNotifier
from webshop.orders import Order, OrderService, RefundDesk
from webshop.orders import models as order_models
from webshop.payments import gateways
from webshop.pricing import PricingEngine
from webshop.sessions import Session, SessionManager
from webshop.storage import CachingRepository, JsonFileRepository, MemoryRepository

OPTIONAL_GATEWAYS = {"wallet": "webshop.payments.wallet:WalletGateway"}


@dataclass
class Shop:
    """Every service of one running shop."""

    catalog: Catalog
    accounts: Accounts
    sessions: SessionManager
    carts: MemoryRepository[Cart]
    orders: OrderService
    order_store: MemoryRepository[Order]
    inventory: Inventory
    pricing: PricingEngine
    checkout: Checkout
    refunds: RefundDesk
    notifications: NotificationCenter
    email: EmailNotifier
    bus: EventBus


def build_shop(clock: Clock | None = None, data: Path | None = None) -> Shop:
    """Join the parts. With `data`, products are read from there and orders kept there."""
    clock = clock or SystemClock()
    bus = EventBus()
    inventory = Inventory()
    pricing = PricingEngine()
    order_store = open_order_store(data)
    customers: CachingRepository[Customer] = CachingRepository(MemoryRepository("customer"))
    products: MemoryRepository[Product] = MemoryRepository("product")
    logins: MemoryRepository[Session] = MemoryRepository("session")
    sessions = SessionManager(logins, clock, bus)
    orders = OrderService(order_store, inventory, clock, bus)
    email = EmailNotifier("shop@example.org")
    notifications = NotificationCenter(customers, [email, SmsNotifier()])
    notifications.listen(bus)
    for name, target in OPTIONAL_GATEWAYS.items():
        gateways.load(name, target)
    catalog = Catalog(products)
    if data is not None and (data / "products.csv").exists():
        with (data / "products.csv").open(encoding="utf-8", newline="") as lines:
            catalog.add_all(read_products(lines))
    return Shop(
        catalog=catalog,
        accounts=Accounts(customers, sessions),
        sessions=sessions,
        carts=MemoryRepository("cart"),
        orders=orders,
        order_store=order_store,
        inventory=inventory,
        pricing=pricing,
        checkout=Checkout(pricing, inventory, orders, order_store),
        refunds=RefundDesk(orders, clock, bus, {}),
        notifications=notifications,
        email=email,
        bus=bus,
    )


def open_order_store(data: Path | None) -> MemoryRepository[Order]:
    """Orders outlive the process when there is a data folder."""
    if data is None:
        return MemoryRepository("order")
    return JsonFileRepository(data / "orders.json", order_models.to_json, order_models.from_json, "order")
