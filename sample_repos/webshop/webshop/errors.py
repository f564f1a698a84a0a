"""Everything that can go wrong in the shop.

    ShopError
    ├── NotFound
    ├── OutOfStock
    ├── InvalidCoupon
    ├── SessionError
    │   ├── SessionUnknown
    │   └── SessionExpired
    ├── PaymentError
    │   ├── PaymentDeclined
    │   └── GatewayTimeout
    ├── InvalidTransition
    └── RefundRefused
"""

from __future__ import annotations


class ShopError(Exception):
    """Base of all errors the shop raises on purpose. `details` end up in the audit log."""

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.details = details


class NotFound(ShopError):
    def __init__(self, what: str, key: str) -> None:
        super().__init__(f"no {what} with key {key!r}", what=what, key=key)


class OutOfStock(ShopError):
    pass


class InvalidCoupon(ShopError):
    pass


class SessionError(ShopError):
    """Base of the session errors: a client that sees one must log in again."""


class SessionUnknown(SessionError):
    pass


class SessionExpired(SessionError):
    pass


class PaymentError(ShopError):
    pass


class PaymentDeclined(PaymentError):
    pass


class GatewayTimeout(PaymentError):
    """The payment provider did not answer. Safe to retry: charges carry an idempotency reference."""


class InvalidTransition(ShopError):
    pass


class RefundRefused(ShopError):
    pass
