"""Values of the solver, as small numbers.

An entity is a kind, a payload and an extra, interned to one integer:

=========  =========================================  ==========================================
kind       payload                                    extra
=========  =========================================  ==========================================
FUNC       symbol of a function, method or lambda
BOUND      symbol of a method                         entity of the receiver
CLASS      symbol of a type                           1 when a subclass may stand in for it
INST       symbol of a type                           1 when it may be an instance of a subclass
SUPER      symbol of the type to look above           entity of the receiver
UNIT       module (`units`)
EXT        name outside the repository (`texts`)
OBJ        container or object literal (`objects`)
METH       container whose own method it is           the method's name (`texts`)
PART       entity of a callable                       what to do with it (`texts`)
=========  =========================================  ==========================================
"""

from __future__ import annotations

from typing import Final

FUNC: Final = 0
BOUND: Final = 1
CLASS: Final = 2
INST: Final = 3
SUPER: Final = 4
UNIT: Final = 5
EXTERNAL: Final = 6
OBJECT: Final = 7
BOUND_METHOD: Final = 8
CONTAINER_PART: Final = 9

OUTSIDE: Final = "?"
"""Name of the result of a chain of outside calls: nothing looks it up, but it marks a value as outside."""

MAX_EXTERNAL_CHARS: Final = 120  # of an outside name; longer ones are reported as "outside" alone
MAX_EXTERNAL_PARTS: Final = 8
"""A longer outside name, by characters or dots, counts as `OUTSIDE`."""


class AbstractValues:
    """Interned entities; `number` (itself), `kind`, `payload` and `extra` are columns by entity."""

    def __init__(self) -> None:
        self.number: list[int] = []
        self.kind: list[int] = []
        self.payload: list[int] = []
        self.extra: list[int] = []
        self.texts: list[str] = []
        self._entity: dict[int, int] = {}  # extra << 40 | payload << 4 | kind → entity
        self._text: dict[str, int] = {}
        self._external: dict[str, int] = {}

    def get(self, kind: int, payload: int, extra: int = 0) -> int:
        """Return the number of an entity."""
        key = extra << 40 | payload << 4 | kind
        entity = self._entity.get(key)
        if entity is None:
            entity = self._entity[key] = len(self.kind)
            self.number.append(entity)
            self.kind.append(kind)
            self.payload.append(payload)
            self.extra.append(extra)
        return entity

    def text(self, text: str) -> int:
        """Return the number of a text."""
        number = self._text.get(text)
        if number is None:
            number = self._text[text] = len(self.texts)
            self.texts.append(text)
        return number

    def external(self, name: str) -> int:
        """Return the entity of a name outside the repository; at most one call of a chain is kept in the name."""
        known = self._external.get(name)
        if known is None:
            long = len(name) > MAX_EXTERNAL_CHARS or name.count(".") > MAX_EXTERNAL_PARTS
            told = OUTSIDE if long or name[0] == OUTSIDE or name.count("()") > 1 else name
            known = self._external[name] = self.get(EXTERNAL, self.text(told))
        return known

    def external_name(self, entity: int) -> str:
        """Return the dotted name of an EXT entity."""
        return self.texts[self.payload[entity]]
