"""The options of a search, checks of the options of searches and graph walks, and filters as a mask over chunks.

Each check returns its value with the right type, or raises QuestionError, which lists the known values. Every lane
applies the mask of the filters before it takes its best hits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache, wraps
from inspect import Parameter, cleandoc, signature
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict, TypeVar, cast, get_args

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.languages import registry
from codeexplore.languages.file_roles import PathRoles
from codeexplore.search.ranking.fusion import Fusion, fusion_of
from codeexplore.types import settings
from codeexplore.types.displayed import explain
from codeexplore.types.errors import QuestionError
from codeexplore.types.kinds import EDGE_KINDS, LANES, RELATIONS, SYMBOL_KINDS, Direction, EdgeKind, LaneName, Relation
from codeexplore.types.search import Filters, Numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from codeexplore.search.ranking.fusion import TermsOfLane
    from codeexplore.search.ranking.rerank import Signal
    from codeexplore.types import Retriever


T = TypeVar("T", bound=str)
_Method = TypeVar("_Method", bound=Callable[..., Any])


class SearchOptions(TypedDict, total=False):
    """Options that `search`, `localise` and `related` share. `check_options` has their defaults."""

    top_k: int
    lanes: Collection[str] | None
    weights: Mapping[str, float] | None
    rrf_k: int
    k1: float
    b: float
    damping: float
    edge_weights: Mapping[str, float] | None
    fusion: str | TermsOfLane
    per_file: int | None
    tests: bool | None
    filters: Filters | None
    timeout: float
    other_words: bool
    extra_lanes: Sequence[Retriever]
    extra_signals: Sequence[Signal]


SEARCH_OPTIONS: Final = """\
top_k
    Number of hits to return. A larger number only adds hits at the end.
lanes
    Lanes to search: some of "bm25", "embedding", "graph". None lets the planner choose.
weights
    Lane → factor of its contributions to the scores.
rrf_k
    The constant of reciprocal rank fusion, in ranks. With a larger number, the value of a rank decreases more slowly.
k1
    Of BM25: how fast the repetitions of a word saturate, at least 0.
b
    Of BM25: how much long chunks lose, 0 to 1.
damping
    Of PageRank, which the fusions `lexical-ppr` and `rrf-pagerank` use: the probability of a step, 0 to 0.99.
edge_weights
    Of PageRank: kind of edge → weight. The kinds, and the weights of those that are missing, are in
    `codeexplore.types.settings.EDGE_WEIGHTS`.
fusion
    How rankings are merged: a name in `codeexplore.search.ranking.fusion.FUSIONS`, or a function of your own. The
    function gets one lane's `Ranking` and weight, and returns a number for each of the ranking's hits, in their order.
    The score of a hit is the sum of its numbers.
per_file
    Maximal number of hits from one file. Scores do not change.
tests
    False leaves out test files, as in walks. None leaves the choice to `filters`, which include them by default.
filters
    Restrictions on paths, languages, kinds and tests.
explain
    True shows the formula of each score, in this answer and in later ones of the session. False hides formulas again.
timeout
    Maximal number of seconds for each lane.
other_words
    Whether a question whose words are not those of this code is asked again, with words of the code that may be
    meant, and ranked with less trust in words.
extra_lanes
    Lanes of your own, beside the others: objects with a name `lane` and the method `retrieve` of
    `codeexplore.types.Retriever`. Their weight is 1, unless `weights` contains the name.
extra_signals
    Signals of your own, applied after the others: objects of classes that derive from
    `codeexplore.search.ranking.rerank.Signal`.
"""
"""Description of `SearchOptions`, for the documentation of the methods that take them."""


def takes_options(options: Iterable[Parameter], text: str, before: str) -> Callable[[_Method], _Method]:
    """Return a method decorator that shows the options behind ``**options`` in signature and docstring.

    `text` describes the options and is inserted before the line of the docstring that begins with `before`. An unknown
    option is a TypeError that names similar options, or all. Each method also takes `explain`: True shows formulas and
    names of rules in this and all later answers of the session, and False hides them again.
    """
    more = list(options)

    def decorated(method: _Method) -> _Method:
        own = [each for each in signature(method).parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        known = sorted({"explain", *(each.name for each in (*own[1:], *more))})

        @wraps(method)
        def with_known_options(*args: Any, **options: Any) -> Any:
            for unknown in options.keys() - set(known):
                near = get_close_matches(unknown, known, n=2)
                hint = f"did you mean {' or '.join(near)}?" if near else f"it takes {', '.join(known)}"
                name = f"{type(args[0]).__name__}.{method.__name__}" if args else method.__qualname__
                raise TypeError(f"{name}() got an unexpected keyword argument {unknown!r}; {hint}")
            if "explain" in options:
                explain(options.pop("explain"))
            return method(*args, **options)

        vars(with_known_options)["__signature__"] = signature(method).replace(parameters=[*own, *more])
        head, found, tail = cleandoc(method.__doc__ or "").partition(before)
        with_known_options.__doc__ = f"{head.rstrip()}\n{text}\n{found}{tail}"
        return cast("_Method", with_known_options)

    return decorated


class CheckedOptions(NamedTuple):
    """`SearchOptions` after the checks. The plan checks `lanes` and `weights`, which depend on the kind of question."""

    top_k: int
    lanes: Collection[str] | None
    weights: Mapping[str, float] | None
    rrf_k: int
    fusion: Fusion
    per_file: int | None
    filters: Filters
    timeout: float
    other_words: bool
    extra_lanes: Mapping[str, tuple[Retriever, float]]  # name → the lane, and its weight
    extra_signals: Sequence[Signal]
    numbers: Numbers


def check_options(
    *,
    top_k: int = settings.TOP_K,
    lanes: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
    rrf_k: int = settings.RRF_K,
    k1: float = settings.BM25_K1,
    b: float = settings.BM25_B,
    damping: float = settings.DAMPING,
    edge_weights: Mapping[str, float] | None = None,
    fusion: str | TermsOfLane = "rrf",
    per_file: int | None = None,
    tests: bool | None = None,
    filters: Filters | None = None,
    timeout: float = settings.LANE_TIMEOUT,
    other_words: bool = True,
    extra_lanes: Sequence[Retriever] = (),
    extra_signals: Sequence[Signal] = (),
) -> CheckedOptions:
    check_positive("rrf_k", rrf_k)
    limit = per_file if per_file is None else check_count("per_file", per_file)
    count, chosen = check_count("top_k", top_k), fusion_of(fusion)
    check_positive("timeout", timeout)
    if not isinstance(other_words, bool):
        raise QuestionError(f"other_words must be True or False, not {other_words!r:.80}")
    passing, own = check_filters(filters, tests), _weighted(extra_lanes, weights or {})
    if weights is not None:
        weights = {name: weight for name, weight in weights.items() if name not in own}
    return CheckedOptions(
        count,
        lanes,
        weights,
        rrf_k,
        chosen,
        limit,
        passing,
        timeout,
        other_words,
        own,
        extra_signals,
        check_numbers(k1, b, damping, edge_weights),
    )


_MOST_DAMPING: Final = 0.99  # a walk that never begins again has no rank of its own


def check_numbers(k1: float, b: float, damping: float, edge_weights: Mapping[str, float] | None) -> Numbers:
    """Return the numbers of BM25 and of PageRank, each within its bounds."""
    for name, value, most, bounds in (
        ("k1", k1, math.inf, "at least 0"),
        ("b", b, 1.0, "0 to 1"),
        ("damping", damping, _MOST_DAMPING, f"0 to {_MOST_DAMPING}"),
    ):
        if not _is_number(value) or not 0 <= value <= most:
            raise QuestionError(f"{name} must be a number, {bounds}, not {value!r:.80}")
    if edge_weights is not None and not isinstance(edge_weights, Mapping):
        raise QuestionError(f"edge_weights must be kind of edge → weight, not {edge_weights!r:.80}")
    for kind, weight in (edge_weights or {}).items():
        check_factor(one_of("kind of edge", kind, settings.EDGE_WEIGHTS), weight)
    usual = settings.EDGE_WEIGHTS
    changed = {kind: float(weight) for kind, weight in (edge_weights or {}).items() if weight != usual[kind]}
    return Numbers(float(k1), float(b), float(damping), tuple(sorted(changed.items())))


def _weighted(lanes: Sequence[Retriever], weights: Mapping[str, float]) -> dict[str, tuple[Retriever, float]]:
    """Return name → lane and weight for lanes of the user's."""
    found: dict[str, tuple[Retriever, float]] = {}
    for lane in lanes:
        name: object = getattr(lane, "lane", None)
        if not isinstance(name, str) or not name or not callable(getattr(lane, "retrieve", None)):
            raise QuestionError(f"a lane has a name `lane` and a method `retrieve`, unlike {lane!r:.80}")
        if name in (*LANES, *found):
            raise QuestionError(f"extra_lanes: there is another lane {name!r:.80}; choose another name")
        found[name] = lane, check_factor(f"lane {name}", weights.get(name, 1.0))
    return found


def check_confidence(confidence: float) -> float:
    """Return the minimal confidence of an edge, 0 to 1."""
    if not _is_number(confidence) or not 0 <= confidence <= 1:
        raise QuestionError(f"min_confidence must be a number from 0 to 1, not {confidence!r:.80}")
    return float(confidence)


def check_edge_kinds(kinds: Collection[str]) -> tuple[EdgeKind, ...]:
    """Return kinds of edges, in their fixed order. A single kind may be given as a string. Case is ignored."""
    wanted = [str(kind).upper() for kind in ((kinds,) if isinstance(kinds, str) else kinds)]
    return _in_order("kinds", "kind of edge", wanted, EDGE_KINDS)


DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)


def _unknown(what: str, value: object, known: Iterable[str]) -> QuestionError:
    return QuestionError(f"unknown {what} {value!r:.80}; known: {', '.join(known)}")


def _in_order(option: str, what: str, wanted: Collection[str], known: tuple[T, ...]) -> tuple[T, ...]:
    """Return those of the names `known` that are wanted. Raises QuestionError for another name, and for none."""
    wrong = [name for name in wanted if name not in known]
    if wrong:
        raise _unknown(what, wrong[0], known)
    if not wanted:
        raise QuestionError(f"{option} is empty; choose from {', '.join(known)}")
    return tuple(name for name in known if name in wanted)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def check_lanes(lanes: Collection[str]) -> tuple[LaneName, ...]:
    """Return the requested lanes, in their fixed order. A single lane may be given as a string."""
    return _in_order("lanes", "lane", (lanes,) if isinstance(lanes, str) else tuple(lanes), LANES)


def check_weights(weights: Mapping[str, float]) -> dict[LaneName, float]:
    """Return lane → weight. Each weight is a finite number of at least 0."""
    for lane, weight in weights.items():
        one_of("lane", lane, LANES)
        check_factor(f"lane {lane}", weight)
    return {lane: float(weights[lane]) for lane in LANES if lane in weights}


def check_factor(what: str, weight: float) -> float:
    """Return the weight of the lane or part called `what`, a finite number of at least 0."""
    if not _is_number(weight) or weight < 0:
        raise QuestionError(f"the weight of {what} must be a finite number of at least 0, not {weight!r}")
    return float(weight)


def one_of(what: str, value: object, known: Iterable[T]) -> T:
    """Return the one of the names `known` that equals `value`. `what` is what it names."""
    found = next((name for name in known if name == value), None)
    if found is None:
        raise _unknown(what, value, known)
    return found


def check_relation(relation: str) -> Relation:
    return one_of("relation", relation, RELATIONS)


def check_direction(direction: str) -> Direction:
    return one_of("direction", direction, DIRECTIONS)


def check_count(name: str, value: int) -> int:
    """Return a whole number of at least 1. `name` is the name of the option."""
    if not _is_number(value) or value != int(value) or value < 1:
        raise QuestionError(f"{name} must be a whole number of at least 1, not {value!r}")
    return int(value)


def check_positive(name: str, value: float) -> float:
    """Return a finite number above 0. `name` is the name of the option."""
    if not _is_number(value) or value <= 0:
        raise QuestionError(f"{name} must be a number above 0, not {value!r}")
    return value


def check_filters(filters: Filters | None, tests: bool | None = None) -> Filters:
    """Return filters with languages and kinds that exist, by their names in the index.

    None gives filters without restrictions. A single string is treated as a tuple of one, and a language may be given
    by its title ("C++"). `tests` replaces the value in `filters`, unless it is None.
    """
    if filters is None:
        filters = Filters()
    if not isinstance(filters, Filters):
        raise QuestionError(f"filters must be a Filters(paths=…, languages=…, kinds=…, tests=…), not {filters!r:.80}")
    if tests is not None:
        filters = replace(filters, tests=tests)
    kinds = _strings("kinds", filters.kinds)
    for kind in kinds:
        one_of("kind", kind, SYMBOL_KINDS)
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
    raise _unknown("language", name, (language.name for language in registry.languages()))


def allowed_chunks(filters: Filters, catalog: Catalog) -> NDArray[np.bool_] | None:
    """Return a mask over the catalog's chunks, shape (n_chunks,); None if all chunks may be returned."""
    if filters == Filters():
        return None
    paths, numbers = catalog.chunk_files()
    mask: NDArray[np.bool_] = np.array([path_passes(path, filters, catalog.roles) for path in paths], np.bool_)[numbers]
    if filters.languages:
        mask &= catalog.chunks.of_languages(filters.languages.__contains__)
    if filters.kinds:
        mask &= catalog.chunks_of_kinds(filters.kinds)
    if not filters.tests:
        mask &= ~catalog.inline_tests
    if filters.symbols is not None:
        rows = [catalog.symbol_row(symbol_id) for symbol_id in filters.symbols if catalog.has_symbol(symbol_id)]
        mask &= np.isin(catalog.chunks.symbol_rows, rows)
    return mask


def path_passes(path: str, filters: Filters, roles: PathRoles) -> bool:
    if not filters.tests and roles.is_test(path):
        return False
    return not filters.paths or any(glob_pattern(glob).match(path) for glob in filters.paths)


@lru_cache(maxsize=1024)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """Return a path glob as a regular expression over repository-relative POSIX paths.

    ``*`` and ``?`` stay within a folder, ``**`` crosses folders, ``[abc]`` is one of a set. A glob without a slash
    matches a file or folder of that name anywhere; a folder matches all files in it.
    """
    text = glob.replace("\\", "/").strip("/")
    anchored = "/" in text
    out = []
    position = 0
    while position < len(text):
        token, position = _glob_token(text, position)
        out.append(token)
    head = "" if anchored else "(?:.*/)?"
    return re.compile(rf"{head}{''.join(out)}(?:/.*)?\Z", re.DOTALL)


def _glob_token(text: str, at: int) -> tuple[str, int]:
    if text.startswith("**/", at):
        return "(?:.*/)?", at + 3
    if text.startswith("**", at):
        return ".*", at + 2
    if text[at] == "*":
        return "[^/]*", at + 1
    if text[at] == "?":
        return "[^/]", at + 1
    close = text.find("]", at + 2)
    if text[at] == "[" and close != -1:
        inside = text[at + 1 : close].replace("\\", r"\\").replace("[", r"\[")
        return f"[{'^' + inside[1:] if inside[0] == '!' else inside}]", close + 1
    return re.escape(text[at]), at + 1
