import pytest

from webshop.errors import (
    GatewayTimeout,
    InvalidTransition,
    NotFound,
    OutOfStock,
    PaymentDeclined,
    RefundRefused,
    ShopError,
)
from webshop.money import Money
from webshop.orders import OrderStatus, refund_order
from webshop.payments import CardGateway, PayLater

CARD = "4539 1488 0343 6467"


class FlakyNetwork:
    """Stays silent for the first two calls."""

    def __init__(self):
        self.calls = 0

    def authorise(self, cents, number, idempotency_key):
        self.calls += 1
        if self.calls < 3:
            raise GatewayTimeout("no answer")
        return "A1"

    def reverse(self, reference, cents):
        return "R1"


def buy(front, token, sku="TEA-01", quantity=1, method="card", account=CARD):
    front.add_to_cart(token, sku, quantity)
    return front.checkout(token, method, account)


def test_buying_charges_and_empties_the_cart(front, token):
    order = buy(front, token, quantity=2)
    assert order.status is OrderStatus.PAID
    assert front.shop.inventory.available("TEA-01") == 8
    assert front.shop.email.outbox[0][1].subject == "Thank you for your order"
    with pytest.raises(ShopError, match="empty"):
        front.checkout(token, "card", CARD)


def test_a_declined_card_leaves_everything_as_it_was(front, token):
    with pytest.raises(PaymentDeclined):
        buy(front, token, account="1234 5678 9012 3456")
    assert front.my_orders(token) == []
    assert front.shop.inventory.available("TEA-01") == 10


def test_nobody_can_buy_more_than_there_is(front, token):
    with pytest.raises(OutOfStock):
        buy(front, token, quantity=11)


def test_timeouts_are_tried_again():
    network = FlakyNetwork()
    receipt = CardGateway(network).charge(Money(500), CARD, "2024-0001")
    assert (receipt.reference, network.calls) == ("A1", 3)


def test_a_refund_gives_money_and_goods_back(front, token):
    order = buy(front, token, quantity=2)
    assert front.return_order(token, order.id) == order.total
    assert order.status is OrderStatus.REFUNDED
    assert front.shop.inventory.available("TEA-01") == 10
    with pytest.raises(RefundRefused):
        front.return_order(token, order.id)


def test_partial_refunds_add_up(front, token):
    order = buy(front, token, method="invoice")
    refund_order(front.shop.refunds, order.id, Money(100))
    assert order.outstanding == order.total - Money(100)
    with pytest.raises(RefundRefused, match="only"):
        refund_order(front.shop.refunds, order.id, order.total)


def test_refunds_end_after_thirty_days(front, token, clock):
    order = buy(front, token)
    clock.advance(days=31)
    with pytest.raises(RefundRefused, match="30 days"):
        refund_order(front.shop.refunds, order.id)


def test_other_peoples_orders_dont_exist(front, token):
    order = buy(front, token)
    front.register("bob@example.org", "Bob", "hunter2")
    with pytest.raises(NotFound):
        front.return_order(front.login("bob@example.org", "hunter2"), order.id)


def test_shipped_orders_cant_be_cancelled(front, token):
    order = buy(front, token)
    front.shop.orders.ship(order.id)
    with pytest.raises(InvalidTransition):
        front.shop.orders.cancel(order.id)


def test_wallets_are_loaded_by_name(front, token):
    with pytest.raises(PaymentDeclined, match="wallet"):
        buy(front, token, method="wallet", account="ada")
    wallet = front.shop.refunds.gateways["wallet"]
    wallet.top_up("ada", Money(5000))
    order = front.checkout(token, "wallet", "ada")
    front.return_order(token, order.id)
    assert wallet.balance("ada") == Money(5000)


def test_pay_later_has_a_limit():
    later = PayLater()
    later.charge(Money(20_000), "ada", "2024-0001")
    with pytest.raises(PaymentDeclined):
        later.charge(Money(6_000), "ada", "2024-0002")
    assert later.owed() == Money(20_000)
