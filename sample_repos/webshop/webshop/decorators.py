"""Cross-cutting concerns: retries, the audit log, session checks."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from webshop.errors import ShopError

if TYPE_CHECKING:
    from webshop.storefront import Storefront

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger("webshop.audit")


def retry(times: int, on: type[Exception]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Call the function again, up to `times` times in all, while it raises `on`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def attempt(*args: P.args, **kwargs: P.kwargs) -> R:
            for _ in range(times - 1):
                try:
                    return function(*args, **kwargs)
                except on:
                    continue
            return function(*args, **kwargs)

        return attempt

    return decorate


def audited(function: Callable[P, R]) -> Callable[P, R]:
    """Write the call and its outcome to the audit log."""

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            result = function(*args, **kwargs)
        except ShopError as error:
            log.warning("%s refused: %s %s", function.__name__, error, error.details)
            raise
        log.info("%s done", function.__name__)
        return result

    return wrapper


def requires_session(method: Callable[..., R]) -> Callable[..., R]:
    """Turn a storefront method that takes a session into one that takes a session token.

    The token is checked first, so an expired session never reaches the method.
    """

    @functools.wraps(method)
    def wrapper(self: Storefront, token: str, *args: object, **kwargs: object) -> R:
        session = self.shop.sessions.validate_session(token)
        return method(self, session, *args, **kwargs)

    return wrapper
