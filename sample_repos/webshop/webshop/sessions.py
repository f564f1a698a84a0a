"""Login sessions.

A session ends in one of three ways: the customer logs out, it lies idle for longer than the idle limit, or it reaches
its maximum age. An expired session is noticed when someone next shows its token, or by `SessionManager.purge_expired`,
which a timer should call every few minutes.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from webshop.clock import Clock
from webshop.errors import SessionExpired, SessionUnknown
from webshop.events import EventBus, SessionEnded
from webshop.storage.base import Repository

IDLE_LIMIT = timedelta(minutes=30)
MAX_AGE = timedelta(hours=12)


@dataclass
class Session:
    """A customer who is logged in. The key is the token that the client shows with each request."""

    id: str
    customer_id: str
    created_at: datetime
    last_seen: datetime

    def touch(self, now: datetime) -> None:
        self.last_seen = now

    def is_expired(self, now: datetime) -> bool:
        """Whether the session lay idle for too long or is simply too old."""
        return now - self.last_seen > IDLE_LIMIT or now - self.created_at > MAX_AGE


class SessionManager:
    def __init__(self, sessions: Repository[Session], clock: Clock, bus: EventBus) -> None:
        self._sessions = sessions
        self._clock = clock
        self._bus = bus

    def open_session(self, customer_id: str) -> Session:
        now = self._clock.now()
        session = Session(new_token(), customer_id, created_at=now, last_seen=now)
        self._sessions.add(session)
        return session

    def validate_session(self, token: str) -> Session:
        """The live session with this token; the session counts as used now.

        Raises
        ------
        SessionUnknown
            There never was such a session, or it has ended.
        SessionExpired
            It has just been found expired, and is closed.
        """
        session = self._sessions.get(token)
        if session is None:
            raise SessionUnknown("log in first")
        now = self._clock.now()
        if session.is_expired(now):
            self._end(session, expired=True)
            raise SessionExpired("the session has expired, log in again", customer=session.customer_id)
        session.touch(now)
        return session

    def close_session(self, token: str) -> None:
        """Log out. Closing an unknown session is no error."""
        session = self._sessions.get(token)
        if session is not None:
            self._end(session, expired=False)

    def purge_expired(self) -> int:
        """End every expired session that nobody has come back to; return how many there were."""
        now = self._clock.now()
        expired = list(self._sessions.find(lambda session: session.is_expired(now)))
        for session in expired:
            self._end(session, expired=True)
        return len(expired)

    def _end(self, session: Session, expired: bool) -> None:
        self._sessions.remove(session.id)
        self._bus.publish(SessionEnded(session.customer_id, expired))


def new_token() -> str:
    return secrets.token_urlsafe(24)
