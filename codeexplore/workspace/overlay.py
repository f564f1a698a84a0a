"""A mapping over another one: what changed, above what is read from an archive when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def overlaid(below: Mapping[str, T], above: Mapping[str, T], keys: Sequence[str]) -> Mapping[str, T]:
    """The mapping with these keys, in this order: to `above` where it has the key, else to `below`."""
    if isinstance(below, dict):
        return {key: above[key] if key in above else below[key] for key in keys}
    if isinstance(below, Overlay):
        return Overlay(below.below, {**below.above, **above}, keys)
    return Overlay(below, above, keys)


class Overlay(Mapping[str, T]):
    """See `overlaid`. Never more than one deep."""

    def __init__(self, below: Mapping[str, T], above: Mapping[str, T], keys: Sequence[str]) -> None:
        self._keys = dict.fromkeys(keys)
        self.below = below
        self.above = {key: value for key, value in above.items() if key in self._keys}

    def __getitem__(self, key: str) -> T:
        if key not in self._keys:
            raise KeyError(key)
        return self.above[key] if key in self.above else self.below[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
