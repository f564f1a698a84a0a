"""Customers and their passwords."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from webshop.decorators import audited
from webshop.errors import ShopError
from webshop.sessions import Session, SessionManager
from webshop.storage.base import Repository

ITERATIONS = 50_000


@dataclass
class Customer:
    """`id` is the e-mail address."""

    id: str
    name: str
    password: str
    phone: str = ""
    country: str = "DE"


class Accounts:
    def __init__(self, customers: Repository[Customer], sessions: SessionManager) -> None:
        self._customers = customers
        self._sessions = sessions

    @audited
    def register(self, email: str, name: str, password: str, **contact: str) -> Customer:
        if email in self._customers:
            raise ShopError("this address is registered already", email=email)
        customer = Customer(email, name, hash_password(password), **contact)
        self._customers.add(customer)
        return customer

    @audited
    def login(self, email: str, password: str) -> Session:
        """Check the password and open a session. The error doesn't tell which of the two was wrong."""
        customer = self._customers.get(email)
        if customer is None or not verify_password(password, customer.password):
            raise ShopError("wrong address or password", email=email)
        return self._sessions.open_session(customer.id)

    def customer(self, email: str) -> Customer:
        return self._customers.require(email)


def hash_password(password: str, salt: str | None = None) -> str:
    """``salt$digest``, both in hex."""
    salt = salt or secrets.token_hex(8)
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), bytes.fromhex(salt), ITERATIONS)
    return f"{salt}${digest.hex()}"


def verify_password(password: str, stored: str) -> bool:
    salt, _, _ = stored.partition("$")
    return hmac.compare_digest(hash_password(password, salt), stored)
