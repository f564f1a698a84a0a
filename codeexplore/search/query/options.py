"""Checks of the options of a search or of a graph walk.

Each function returns its value with the right type, or raises QuestionError, which lists the known values.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Final, get_args

from codeexplore.languages import registry
from codeexplore.types import (
    EDGE_KINDS,
    LANES,
    RELATIONS,
    SYMBOL_KINDS,
    Direction,
    EdgeKind,
    Filters,
    LaneName,
    Relation,
)
from codeexplore.types.errors import QuestionError


def check_confidence(confidence: float) -> float:
    """Return the minimal confidence of an edge, 0 to 1."""
    given: object = confidence
    number = isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
    if not number or not 0 <= confidence <= 1:
        raise QuestionError(f"min_confidence must be a number from 0 to 1, not {confidence!r:.80}")
    return float(confidence)


def check_edge_kinds(kinds: Collection[str]) -> tuple[EdgeKind, ...]:
    """Return kinds of edges, in their fixed order. A single kind may be given as a string. Case is ignored."""
    wanted = [str(kind).upper() for kind in ((kinds,) if isinstance(kinds, str) else kinds)]
    for kind in wanted:
        if kind not in EDGE_KINDS:
            raise QuestionError(f"unknown kind of edge {kind!r:.80}; known: {', '.join(EDGE_KINDS)}")
    if not wanted:
        raise QuestionError(f"kinds is empty; choose from {', '.join(EDGE_KINDS)}")
    return tuple(kind for kind in EDGE_KINDS if kind in wanted)


DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)


def _one_of(what: str, value: object, known: Iterable[str]) -> QuestionError:
    return QuestionError(f"unknown {what} {value!r:.80}; known: {', '.join(known)}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def check_lanes(lanes: Collection[str]) -> tuple[LaneName, ...]:
    """Return the requested lanes, in their fixed order. A single lane may be given as a string."""
    wanted = (lanes,) if isinstance(lanes, str) else tuple(lanes)
    for lane in wanted:
        if lane not in LANES:
            raise _one_of("lane", lane, LANES)
    if not wanted:
        raise QuestionError(f"lanes is empty; choose from {', '.join(LANES)}")
    return tuple(lane for lane in LANES if lane in wanted)


def check_weights(weights: Mapping[str, float]) -> dict[LaneName, float]:
    """Return lane → weight. Each weight is a finite number of at least 0."""
    checked: dict[LaneName, float] = {}
    for lane, weight in weights.items():
        if lane not in LANES:
            raise _one_of("lane", lane, LANES)
        check_factor(f"lane {lane}", weight)
    for lane in LANES:
        if lane in weights:
            checked[lane] = float(weights[lane])
    return checked


def check_factor(what: str, weight: float) -> float:
    """Return the weight of the lane or part called `what`, a finite number of at least 0."""
    if not _is_number(weight) or weight < 0:
        raise QuestionError(f"the weight of {what} must be a finite number of at least 0, not {weight!r}")
    return float(weight)


def check_relation(relation: str) -> Relation:
    """Return the relation if the graph can answer it."""
    for known in RELATIONS:
        if relation == known:
            return known
    raise _one_of("relation", relation, RELATIONS)


def check_direction(direction: str) -> Direction:
    """Return the direction of a traversal."""
    for known in DIRECTIONS:
        if direction == known:
            return known
    raise _one_of("direction", direction, DIRECTIONS)


def check_count(name: str, value: int, least: int = 1) -> int:
    """Return a whole number of at least `least`. `name` is the name of the option."""
    if not _is_number(value) or value != int(value) or value < least:
        raise QuestionError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return int(value)


def check_depth(depth: int) -> int:
    """Return the number of steps of a traversal, at least 1."""
    return check_count("depth", depth)


def check_positive(name: str, value: float) -> float:
    """Return a finite number above 0. `name` is the name of the option."""
    if not _is_number(value) or value <= 0:
        raise QuestionError(f"{name} must be a number above 0, not {value!r}")
    return value


def check_filters(filters: Filters) -> Filters:
    """Return filters with languages and kinds that exist, by their names in the index.

    A single string is treated as a tuple of one, and a language may be given by its title ("C++").
    """
    if not isinstance(filters, Filters):
        raise QuestionError(f"filters must be a Filters(paths=…, languages=…, kinds=…, tests=…), not {filters!r:.80}")
    kinds = _strings("kinds", filters.kinds)
    for kind in kinds:
        if kind not in SYMBOL_KINDS:
            raise _one_of("kind", kind, SYMBOL_KINDS)
    languages = tuple(_language(name) for name in _strings("languages", filters.languages))
    return Filters(_strings("paths", filters.paths), languages, kinds, bool(filters.tests), filters.symbols)


def _strings(name: str, values: object) -> tuple[str, ...]:
    found = (values,) if isinstance(values, str) else values
    if not isinstance(found, Iterable) or not all(isinstance(value, str) and value for value in found):
        raise QuestionError(f"filters.{name} must be a tuple of strings, none empty, not {values!r:.80}")
    return tuple(found)


def _language(name: str) -> str:
    wanted = name.casefold()
    for language in registry.languages():
        if wanted in (language.name.casefold(), language.title.casefold()):
            return language.name
    raise _one_of("language", name, (language.name for language in registry.languages()))
