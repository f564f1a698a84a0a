"""Conversion of rows to pandas data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def frame(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Return a data frame with the given columns in this order. There may be no rows.

    Raises
    ------
    ImportError
        pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install pandas") from error
    return pd.DataFrame(list(rows), columns=list(columns))
