"""Reader of JSON from files that may be damaged or forged."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from codeexplore.index.string_column import decode_text

_BYTES_A_VALUE = 2.5
"""Fewest bytes of JSON for each value; measured values are 3.9 and more. The limit is needed because JSON can use far
more memory than text: each empty list takes 3 bytes of text and 80 bytes of memory."""

_FEW_VALUES = 10_000
"""Number of values that is always accepted, for the index of a small repository."""


def json_of(data: Any, what: str) -> Any:
    """Return the data in `data`, the JSON text of an untrusted file.

    A text with more values than its length allows is refused.

    Raises
    ------
    DamagedIndex, ValueError
        The data is not JSON, or would need far more memory than its text. The message begins with `what`.
    """
    raw = np.frombuffer(data, np.uint8)
    values = int(np.count_nonzero(raw == ord(","))) + int(np.count_nonzero(raw == ord("[")))
    if values > _FEW_VALUES + len(raw) / _BYTES_A_VALUE:
        raise ValueError(f"{what}: {values:,} values in {len(raw):,} bytes")
    try:
        return json.loads(decode_text(data))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what}: no JSON ({type(error).__name__})") from error
