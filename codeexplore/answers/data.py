"""Records of the graph as plain data for JSON, rows as data frames, and helpers that all answers share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from codeexplore.types import Edge, PossibleUse, Symbol, Unresolved, Verdict
from codeexplore.types.certainty import CERTAINTIES
from codeexplore.types.visible import visible_json

if TYPE_CHECKING:
    import pandas as pd

_T = TypeVar("_T")
Frame: TypeAlias = "pd.DataFrame"  # pandas is imported when a frame is made


class PlainData(ABC):
    """An answer that is plain data. Subclasses define `to_dict`."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data for JSON. `schema` names its format."""

    def to_json(self, indent: int | None = 2) -> str:
        """Return `to_dict` as JSON text with invisible characters escaped. `indent` is as for `json.dumps`."""
        return visible_json(self.to_dict(), indent)


def symbol_dict(symbol: Symbol) -> dict[str, object]:
    return {"id": symbol.id, "fqn": symbol.fqn, "kind": symbol.kind, "path": symbol.path, "line": symbol.line}


def edge_dict(edge: Edge) -> dict[str, object]:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "manner": edge.manner,
        "rule": edge.rule,
        "confidence": float(edge.confidence),
        "certainty": edge.certainty,
        "sites": [
            {**site._asdict(), "confidence": confidence}
            for site, confidence in zip(edge.sites, edge.site_confidences, strict=True)
        ],
        "in_test": edge.in_test,
    }


def verdict_dict(verdict: Verdict | None) -> dict[str, object] | None:
    if verdict is None:
        return None
    mentions = [use_dict(use) for use in verdict.mentions]
    steps = [{**step._asdict(), "options": dict(step.options)} for step in verdict.next_steps]
    said: dict[str, object] = {"kind": verdict.kind, "text": verdict.text}
    said |= {str(word): count for word, count in zip(CERTAINTIES, verdict.counts, strict=True)}
    said |= {"whole": verdict.whole, "by_name": verdict.by_name, "outside": list(verdict.outside)}
    return {**said, "mentions": mentions, "min_confidence": verdict.min_confidence, "next_steps": steps}


def use_dict(use: PossibleUse) -> dict[str, object]:
    return {**use._asdict(), "site": use.site._asdict(), "targets": list(use.targets)}


def unresolved_dict(reference: Unresolved) -> dict[str, object]:
    return {**reference._asdict(), "site": reference.site._asdict()}


def frame(columns: Sequence[str], rows: Sequence[Mapping[str, object] | tuple[object, ...]]) -> Frame:
    """Return a data frame with the given columns in this order. Its texts start no formula of a spreadsheet.

    Raises ImportError if pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install pandas") from error
    made = pd.DataFrame(list(rows), columns=[no_formula(column) for column in columns])
    for place, dtype in enumerate(made.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):  # numbers alone: no text
            made.isetitem(place, made.iloc[:, place].map(no_formula).array)
    return made


_FORMULA = re.compile(r"[\s\0]*[=+\-@＝＋－＠]")  # the wide forms too: spreadsheets fold them


def no_formula(value: _T) -> _T | str:
    """Return a text that a spreadsheet would compute with an apostrophe before it, and any other value as it is."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value
