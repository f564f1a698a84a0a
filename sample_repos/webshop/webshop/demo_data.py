"""A shop with something in it, for the demo and for tests."""

from __future__ import annotations

from webshop.app import Shop, build_shop
from webshop.catalog import read_products
from webshop.clock import Clock

PRODUCTS = """\
sku,title,price,category,tags
TEA-01,Green tea sencha,8.90,tea/green,loose;japan
TEA-02,Earl Grey,6.50,tea/black,loose;bergamot
POT-01,Cast iron teapot,49.00,ware/pots,japan
CUP-01,Stoneware cup,12.00,ware/cups,handmade
,,,,
BOOK-01,The book of tea,14.80,books,classic;japan
"""

COUPONS = {
    "SPRING": {"rule": "percent", "rate": "10"},
    "FIVER": {"rule": "fixed", "amount": "5.00"},
    "TEATIME": {"rule": "third-free", "sku": "TEA-01"},
    "BIGCART": {
        "rule": "when",
        "condition": "total >= 50 and (items > 3 or has POT-01)",
        "then": "percent",
        "rate": "15",
    },
}


def demo_shop(clock: Clock | None = None) -> Shop:
    """Products, ten of each in the warehouse, and a few coupons."""
    shop = build_shop(clock)
    shop.catalog.add_all(read_products(PRODUCTS.splitlines()))
    for line in PRODUCTS.splitlines()[1:]:
        sku = line.split(",")[0]
        if sku:
            shop.inventory.receive(sku, 10)
    for code, spec in COUPONS.items():
        shop.pricing.add_coupon(code, spec)
    return shop
