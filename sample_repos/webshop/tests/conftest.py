import pytest

from webshop.clock import FrozenClock
from webshop.demo_data import demo_shop
from webshop.storefront import Storefront


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def front(clock):
    """A storefront over the demo shop, with one customer."""
    storefront = Storefront(demo_shop(clock))
    storefront.register("ada@example.org", "Ada", "secret", phone="+49 30 1234")
    return storefront


@pytest.fixture
def token(front):
    return front.login("ada@example.org", "secret")
