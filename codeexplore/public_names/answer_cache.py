"""Cache of the answers to lookups. A lookup may lead back to itself, as imports of modules from each other do."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Final

from codeexplore.public_names.things import Thing

_MOST_KNOWN: Final = 100_000
"""Maximal number of cached answers. When it is exceeded, the cache is cleared."""
_DEEPEST: Final = 100
"""Maximal depth of a lookup: names whose meaning depends on each other."""

_UNDER_WAY: Final[list[Thing]] = []
"""Cached answer while a lookup is in progress. A name that leads back to itself finds no further things."""


class AnswerCache:
    """Answers by key. A name that leads back to itself, or too deep, has no answer.

    The answers found on such a way depend on the name with which the question began, so they are dropped afterwards.
    """

    def __init__(self) -> None:
        self.lock = RLock()
        self._known: dict[tuple[object, ...], list[Thing]] = {}
        self._asked: list[tuple[object, ...]] = []  # keys of the question in progress
        self._circles = False  # True if a name led back to itself or too deep
        self._depth = 0

    def question(self, look: Callable[[], list[Thing]]) -> list[Thing]:
        """Return the result of `look`, as a new question. Other threads wait until it is answered."""
        with self.lock:
            self._asked, self._circles = [], False
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            try:
                return look()
            finally:
                for key in self._asked if self._circles else ():
                    self._known.pop(key, None)

    def once(self, key: tuple[object, ...], look: Callable[[], list[Thing]]) -> list[Thing]:
        """Return the cached answer for `key`, else the result of `look`, which is then cached."""
        known = self._known.get(key)
        if known is None and self._depth < _DEEPEST:
            self._asked.append(key)
            self._known[key] = _UNDER_WAY
            self._depth += 1
            try:
                known = self._known[key] = look()
            finally:
                self._depth -= 1
                if known is None:
                    del self._known[key]
        elif known is None or known is _UNDER_WAY:
            self._circles = True
        return known or []
