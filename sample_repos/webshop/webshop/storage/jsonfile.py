"""A repository that survives a restart: one JSON file per kind of entity."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from webshop.storage.base import T
from webshop.storage.memory import MemoryRepository


class JsonFileRepository(MemoryRepository[T]):
    """Keeps everything in memory and rewrites the file after each change.

    `encode` and `decode` turn an entity into plain JSON values and back.
    """

    def __init__(
        self,
        path: Path,
        encode: Callable[[T], dict[str, Any]],
        decode: Callable[[dict[str, Any]], T],
        what: str = "entity",
    ) -> None:
        super().__init__(what)
        self.path = path
        self._encode = encode
        self._decode = decode
        self._load()

    def add(self, item: T) -> None:
        super().add(item)
        self._flush()

    def remove(self, key: str) -> None:
        super().remove(key)
        self._flush()

    def restore(self, snapshot: dict[str, T]) -> None:
        super().restore(snapshot)
        self._flush()

    def _load(self) -> None:
        if not self.path.exists():
            return
        for row in json.loads(self.path.read_text("utf-8")):
            item = self._decode(row)
            self._items[item.id] = item

    def _flush(self) -> None:
        rows = [self._encode(item) for item in self]
        # Written beside the file and then moved over it: a crash leaves the old file whole.
        temporary = self.path.with_suffix(".tmp")
        temporary.write_text(json.dumps(rows, indent=2), "utf-8")
        temporary.replace(self.path)
