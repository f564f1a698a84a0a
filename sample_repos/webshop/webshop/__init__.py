"""The back end of a small web shop.

Most programs need only what is re-exported here; see `webshop.app` for how the parts are joined.
"""

from webshop.app import Shop, build_shop
from webshop.cart import Cart
from webshop.errors import ShopError
from webshop.money import Money
from webshop.storefront import Storefront

__all__ = ["Cart", "Money", "Shop", "ShopError", "Storefront", "build_shop"]
__version__ = "0.4.0"
