"""JSON whose values know the line they stand on, so that an error can point there."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from codeexplore.errors import FixtureError

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a document, with its line (1-based); `members` of an object, `items` of an array."""

    value: Any
    line: int
    members: Mapping[str, Node] = field(default_factory=dict)
    items: tuple[Node, ...] = ()


def parse_located(text: str, name: str) -> Node:
    """Parse a JSON document.

    Raises
    ------
    FixtureError
        It is no JSON, or an object has a key twice; the message begins with `name` and the line.
    """
    try:
        json.loads(text)
        return _Walk(text, name).node(0)[0]
    except json.JSONDecodeError as error:
        raise FixtureError(f"{name}:{error.lineno}: no JSON: {error.msg} (column {error.colno})") from error
    except RecursionError:
        raise FixtureError(f"{name}:1: nested too deeply to be a fixture file") from None


class _Walk:
    """Reads a document that is known to be well-formed once more, keeping places."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def node(self, start: int) -> tuple[Node, int]:
        at = self._skip(start)
        opening = self._text[at]
        if opening == "{":
            return self._object(at)
        if opening == "[":
            return self._array(at)
        value, end = _DECODER.raw_decode(self._text, at)
        return Node(value, self._line(at)), end

    def _object(self, start: int) -> tuple[Node, int]:
        members: dict[str, Node] = {}
        at = self._skip(start + 1)
        while self._text[at] != "}":
            key, end = _DECODER.raw_decode(self._text, at)
            if key in members:
                raise FixtureError(f"{self._name}:{self._line(at)}: the key {key!r} stands here twice")
            members[key], end = self.node(self._skip(end) + 1)  # past the colon
            at = self._after(end)
        value = {key: node.value for key, node in members.items()}
        return Node(value, self._line(start), members=members), at + 1

    def _array(self, start: int) -> tuple[Node, int]:
        items = []
        at = self._skip(start + 1)
        while self._text[at] != "]":
            node, end = self.node(at)
            items.append(node)
            at = self._after(end)
        return Node([node.value for node in items], self._line(start), items=tuple(items)), at + 1

    def _after(self, at: int) -> int:
        """Where the next member begins, or the closing bracket stands."""
        at = self._skip(at)
        return self._skip(at + 1) if self._text[at] == "," else at

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return at if match is None else match.end()

    def _line(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1
