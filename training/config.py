"""The one configuration, config.toml."""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads((HERE / "config.toml").read_text("utf-8"))


def config(changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """The configuration, with some values replaced: ``{"batches.group": 64}``. Raises KeyError for an unknown one."""
    found = copy.deepcopy(_read())
    for name, value in (changes or {}).items():
        table, _, key = name.partition(".")
        if key not in found[table]:
            raise KeyError(name)
        found[table][key] = value
    return found
