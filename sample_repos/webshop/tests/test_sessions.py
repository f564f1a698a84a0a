import pytest

from webshop.errors import SessionExpired, SessionUnknown, ShopError


def test_a_session_expires_after_half_an_hour_of_silence(front, token, clock):
    clock.advance(minutes=29)
    front.my_orders(token)
    clock.advance(minutes=31)
    with pytest.raises(SessionExpired):
        front.my_orders(token)
    with pytest.raises(SessionUnknown):
        front.my_orders(token)


def test_purge_ends_only_expired_sessions(front, token, clock):
    clock.advance(minutes=20)
    second = front.login("ada@example.org", "secret")
    clock.advance(minutes=20)
    assert front.shop.sessions.purge_expired() == 1
    assert front.shop.sessions.validate_session(second).customer_id == "ada@example.org"
    assert front.shop.notifications.expired_sessions == 1


def test_logging_out_ends_the_session(front, token):
    front.logout(token)
    with pytest.raises(SessionUnknown):
        front.my_orders(token)


def test_a_wrong_password_opens_no_session(front):
    with pytest.raises(ShopError):
        front.login("ada@example.org", "guess")
