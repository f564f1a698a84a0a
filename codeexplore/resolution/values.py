"""Abstract values of the solver, as small numbers.

An abstract value has a kind, a payload and an extra. Each combination of the three has one number:

    kind              payload                                      extra
    FUNC              symbol of a function, method or lambda
    BOUND             symbol of a method                           abstract value of the receiver
    CLASS             symbol of a type                             1 if it may be a subclass instead
    INST              symbol of a type                             1 if it may be an instance of a subclass
    SUPER             symbol of the type whose supertypes count    abstract value of the receiver
    UNIT              number of a module
    EXTERNAL          number of an outside name in `texts`
    OBJECT            number of a container or object literal
    BOUND_METHOD      abstract value whose built-in method it is   number of the method's name in `texts`
    CONTAINER_PART    abstract value of a callable                 number of its use, such as ``new``, in `texts`

The payload of BOUND_METHOD is most often a container. For INST, an extra of 2 or more stands for a list of type
arguments; see `annotations`.
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
"""Name for the result of a chain of outside calls. It is never looked up; it only marks a value as outside."""

MAX_EXTERNAL_CHARS: Final = 120
MAX_EXTERNAL_PARTS: Final = 8
"""Maximal numbers of characters and of dots in an outside name. A longer name is replaced by `OUTSIDE`."""


class AbstractValues:
    """Abstract values by number.

    `number`, `kind`, `payload` and `extra` are columns: the item at an index belongs to the abstract value with this
    number. `number` has the numbers themselves, as shared objects.
    """

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
        """Return the number of a text in `texts`."""
        number = self._text.get(text)
        if number is None:
            number = self._text[text] = len(self.texts)
            self.texts.append(text)
        return number

    def external(self, name: str) -> int:
        """Return the value of an outside name; `OUTSIDE` if it is too long, or has more than one call."""
        known = self._external.get(name)
        if known is None:
            long = len(name) > MAX_EXTERNAL_CHARS or name.count(".") > MAX_EXTERNAL_PARTS
            told = OUTSIDE if long or name[0] == OUTSIDE or name.count("()") > 1 else name
            known = self._external[name] = self.get(EXTERNAL, self.text(told))
        return known

    def external_name(self, entity: int) -> str:
        return self.texts[self.payload[entity]]
