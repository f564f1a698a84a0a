"""The object that a magic's word means in the user's namespace, found without running anything."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

_WORD = re.compile(r"(?P<head>[^\W\d]\w*)(?P<rest>(?:\.[^\W\d]\w*|\[-?\d+\])*)")
_STEP = re.compile(r"\.(\w+)|\[(-?\d+)\]")


def live_object(namespace: Mapping[str, Any], text: str) -> Any:
    """What ``name``, ``name.attribute`` or ``name[2]`` stands for; None when nothing.

    A property gives itself, not its value, and only the sequences of this package and of Python are indexed: neither
    runs code of the user's.
    """
    match = _WORD.fullmatch(text.strip())
    if match is None:
        return None
    found = namespace.get(match["head"])
    for attribute, index in _STEP.findall(match["rest"]):
        found = _attribute(found, attribute) if attribute else _item(found, int(index))
    return found


def _attribute(owner: Any, name: str) -> Any:
    found = inspect.getattr_static(owner, name, None)
    if isinstance(found, MemberDescriptorType | GetSetDescriptorType) and not isinstance(owner, type):
        return getattr(owner, name, None)  # a slot: reading it runs nothing
    return found


def _item(sequence: Any, index: int) -> Any:
    plain = isinstance(sequence, list | tuple) or type(sequence).__module__.startswith("codeexplore.")
    if not plain or not hasattr(sequence, "__len__") or not -len(sequence) <= index < len(sequence):
        return None
    return sequence[index]
