"""Settings of a search under evaluation: lanes, fusion, re-ranking signals."""

from __future__ import annotations

import copy
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import LANES, settings
from codeexplore.types.errors import QuestionError
from codeexplore.types.settings import NUMBERS

if TYPE_CHECKING:
    from codeexplore.search.engine import SearchEngine

_KEYS: Final = ("lanes", "fusion", "rrf_k", "per_file", *NUMBERS, "signals", "without", "weights", "edge_weights")


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings of a search, with the meanings and defaults of `Workspace.search`."""

    lanes: tuple[str, ...] | None = None  # None lets the planner choose for each question
    fusion: str = "rrf"
    rrf_k: float = settings.RRF_K
    per_file: int | None = None
    signals: bool = True  # False turns re-ranking off: the result is the fused ranking
    without: tuple[str, ...] = ()  # names of re-ranking signals that are left out, for ablations
    weights: Mapping[str, float] = field(default_factory=dict)
    k1: float = settings.BM25_K1
    b: float = settings.BM25_B
    damping: float = settings.DAMPING
    edge_weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Read a setting from text: ``default``, ``bm25+embedding signals=off``, ``fusion=min-max rrf_k=30``.

        Words are separated by spaces or semicolons. A word is a list of lanes joined by ``+``, or ``KEY=VALUE``. In the
        name of a signal, write hyphens for spaces (``without=name-match,kind``).

        Raises QuestionError if a word is not understood. The message lists the valid words.
        """
        setting = cls()
        for word in text.replace(";", " ").split():
            key, equals, value = word.partition("=")
            key = key.replace("-", "_")
            if not equals and word == "default":
                continue
            if not equals and set(word.split("+")) <= set(LANES):
                key, value = "lanes", word
            setting = replace(setting, **{key: _value(key, value, word)})
        return setting

    @property
    def name(self) -> str:
        """The setting in the text form that `parse` reads."""
        words = [] if self.lanes is None else ["+".join(self.lanes)]
        default = Setting()
        plain = ("fusion", "rrf_k", "per_file", *NUMBERS)
        words += [f"{key}={getattr(self, key)}" for key in plain if getattr(self, key) != getattr(default, key)]
        for key in ("weights", "edge_weights"):
            if given := getattr(self, key):
                words.append(f"{key}=" + ",".join(f"{name}:{weight:g}" for name, weight in given.items()))
        if not self.signals:
            words.append("signals=off")
        if self.without:
            words.append("without=" + ",".join(name.replace(" ", "-") for name in self.without))
        return " ".join(words) or "default"

    def engine(self, engine: SearchEngine) -> SearchEngine:
        """Return the given engine, or a copy with fewer signals over the same snapshot.

        Raises QuestionError if a name in `without` is not the name of a signal.
        """
        known = [signal.name for signal in engine.signals]
        for name in self.without:
            if name not in known:
                raise QuestionError(f"unknown signal {name!r}; known: {', '.join(known)}")
        if self.signals and not self.without:
            return engine
        other = copy.copy(engine)  # the copy shares the computed data of the engine: words, ranks, parts
        other.signals = tuple(s for s in engine.signals if self.signals and s.name not in self.without)
        return other

    def options(self) -> dict[str, Any]:
        """Return the arguments of `SearchEngine.search`."""
        given = {key: getattr(self, key) for key in ("lanes", "fusion", "rrf_k", "per_file", *NUMBERS, "edge_weights")}
        return {**given, "weights": dict(self.weights) or None}


def lane_subsets() -> tuple[Setting, ...]:
    """Return settings for each lane alone, each pair of lanes and all three lanes, and then the default setting.

    The lane settings fuse by RRF, without signals.
    """
    chosen = [lanes for size in range(1, len(LANES) + 1) for lanes in combinations(LANES, size)]
    return (*(Setting(lanes=lanes, signals=False) for lanes in chosen), Setting())


def ablations(engine: SearchEngine) -> tuple[Setting, ...]:
    """Return the default setting, the default without each signal of the engine in turn, and without all signals."""
    without = (Setting(without=(signal.name,)) for signal in engine.signals)
    return (Setting(), *without, Setting(signals=False))


def _value(key: str, value: str, word: str) -> Any:
    if key == "lanes":
        return _split(value.replace("+", ","))
    if key == "fusion" and value:
        if value not in FUSIONS:
            raise QuestionError(f"unknown fusion {value!r}; known: {', '.join(FUSIONS)}")
        return value
    if key in ("rrf_k", "per_file") and value.isdecimal():
        return int(value)
    if key in ("rrf_k", "per_file"):
        raise QuestionError(f"{word!r}: write a whole number, such as {key}={60 if key == 'rrf_k' else 1}")
    if key in NUMBERS:
        return _number(value, word, f"{key}={getattr(Setting(), key)}")
    if key == "signals" and value in ("on", "off"):
        return value == "on"
    if key == "without":
        return tuple(name.replace("-", " ") for name in _split(value))
    if key in ("weights", "edge_weights"):
        such = f"{key}=" + ("graph:0.5" if key == "weights" else "CALLS:0.5")
        pairs = (part.partition(":") for part in _split(value))
        return {name: _number(number, word, such) for name, _, number in pairs}
    near = difflib.get_close_matches(key, (*_KEYS, *LANES), n=1)
    hint = f"; did you mean {near[0]}?" if near and key not in _KEYS else ""
    raise QuestionError(
        f"{word!r} is not part of a setting{hint}. Write lanes joined by + ({', '.join(LANES)}), fusion=NAME, rrf_k=N, "
        "per_file=N, k1=N, b=N, damping=N, signals=off, without=SIGNAL,…, weights=LANE:NUMBER,… or "
        "edge_weights=KIND:NUMBER,…"
    )


def _number(value: str, word: str, such: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise QuestionError(f"{word!r}: write a number, such as {such}") from None


def _split(value: str) -> Sequence[str]:
    return tuple(part.strip() for part in value.split(",") if part.strip())
