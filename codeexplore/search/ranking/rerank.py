"""Re-ranking: named signals add values to the fused scores, each with its reason.

The score of every hit is exactly the sum of its contributions and its adjustments, in their order. Grouping by file
leaves hits out and changes no score.

A *candidate* is a chunk that may be a hit, given by its *position* in the `Pool` that signals get. Its *row* is its
position in the catalog. `Columns` has attributes of all chunks, and `Words` the tokens of the names of symbols and
their owners.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias, get_args

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.index.qualified_names import name_parts
from codeexplore.languages.file_roles import PathRole
from codeexplore.search.lanes.interface import KnowsWords
from codeexplore.search.ranking.fusion import Fused, totals
from codeexplore.text.enumeration import shortened
from codeexplore.text.everyday import EVERYDAY
from codeexplore.text.tokens import analyze, parts, token_of, tokenize_question, words
from codeexplore.types import TYPE_KINDS, Adjustment, Contribution, FusedHit, QueryPlan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values: TypeAlias = Mapping[int, float] | NDArray[np.float64]
    from collections.abc import Collection


_ROLES: Final[tuple[PathRole, ...]] = get_args(PathRole)
_CODES: Final = {role: code for code, role in enumerate(_ROLES)}


class Columns:
    """Attributes of all chunks, by row. Arrays have the shape (n_chunks,).

    `paths` has the path of each chunk's file, `files` those of the distinct files, and `numbers` the position of each
    chunk's file in `files`. `texts` is True for chunks that are not code: texts, configuration, templates and so on.
    `outside` is True for the lines of a file outside its definitions, but not for a whole text or configuration.
    """

    def __init__(self, catalog: Catalog) -> None:
        files, numbers = catalog.chunk_files()
        self._catalog = catalog
        self.files, self.numbers = files, numbers
        self.paths: list[str] = [files[number] for number in numbers.tolist()]
        self.texts = catalog.chunks_of_text()
        alone = np.bincount(numbers)[numbers] == 1
        self.outside = catalog.chunks_of_kinds({"module"}) & ~(self.texts & alone)
        self._roles = np.full(len(files), -1, np.int8)  # of each file, when it is first asked for

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """Number of the type that contains each chunk. Chunks outside of types have a number for each file."""
        owners = self._catalog.chunk_owners(TYPE_KINDS).astype(np.int64)
        found: NDArray[np.int64] = np.unique(np.where(owners < 0, -1 - self.numbers, owners), return_inverse=True)[1]
        return found

    def has_role(self, rows: NDArray[np.int64], roles: Collection[PathRole]) -> NDArray[np.bool_]:
        """Return a mask over `rows`: True if the chunk is a test, or its file has a role, of the given ones."""
        files = self.numbers[rows]
        for number in set(files[self._roles[files] < 0].tolist()):
            self._roles[number] = _CODES[self._catalog.roles.of(self.files[number])]
        wanted = np.array([role in roles for role in _ROLES])
        found: NDArray[np.bool_] = wanted[self._roles[files]]
        return found | self._catalog.inline_tests[rows] if "test" in roles else found


_REMEMBERED: Final = 20_000
"""Names whose words are cached: those that occur in answers, not all of a large repository."""


_WORD = re.compile(r"\w+")


class Named(NamedTuple):
    """A name and the tokens of its parts, which are the words that a description would use."""

    name: str
    parts: frozenset[str]

    @property
    def tokens(self) -> frozenset[str]:
        """All tokens of the name, including the token of the whole name."""
        return tokens_of(self.name)


class Words:
    """Attributes of a catalog's chunks, and the names of their symbols and owners."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.names_at = lru_cache(maxsize=_REMEMBERED)(self._names_at)
        self._named = lru_cache(maxsize=_REMEMBERED)(self._named_of)  # of owners: one has many members

    def _names_at(self, row: int) -> tuple[Named | None, Named | None]:
        """Return the name of the symbol of the chunk at `row`, and that of its owner: its type, or its parent.

        A method that is defined outside of its type has it as owner. A constructor or destructor has neither.
        """
        symbol = int(self._catalog.chunks.symbol_rows[row])
        if symbol < 0:
            return None, None
        name, kind, _ = self._catalog.symbols.name(symbol)
        parent = int(self._catalog.symbols.parents[symbol])
        owner = None if parent < 0 else self._named(parent)
        if kind == "method" and parent >= 0 and self._catalog.symbols.name(parent)[1] == "module":
            outer = name_parts(self._catalog.symbols.fqn(symbol).removesuffix(name))
            owner = named(outer[-1]) if outer else owner
        if kind == "method" and owner is not None and words(name) == words(owner.name):
            return None, None  # it repeats its type's name, which the lanes find in its signature
        return self._named_of(symbol), owner

    def _named_of(self, symbol: int) -> Named:
        name, kind, path = self._catalog.symbols.name(symbol)
        return named(file_stem(path) if kind == "module" else name)

    @cached_property
    def columns(self) -> Columns:
        return Columns(self._catalog)


@lru_cache(maxsize=_REMEMBERED)
def named(name: str) -> Named:
    return Named(name, frozenset([token_of(part) for word in words(name) for part in parts(word)]))


@lru_cache(maxsize=_REMEMBERED)
def tokens_of(text: str) -> frozenset[str]:
    return frozenset(chain.from_iterable(map(_analyzed, words(text))))


@lru_cache(maxsize=1 << 16)
def _analyzed(word: str) -> tuple[str, ...]:
    """Return the tokens of `word`. Results are cached, because names and signatures consist of few distinct words."""
    return analyze(word)


@lru_cache(maxsize=_REMEMBERED)
def file_stem(path: str) -> str:
    name = posixpath.basename(path)
    return name.rpartition(".")[0] or name


def listed(tokens: Iterable[str], limit: int = 4) -> str:
    return shortened(list(tokens), limit)


class ReportWords(NamedTuple):
    """All words of a bug report, with repeats, and the weight of the texts around a hit, which is usually 1."""

    tokens: Sequence[str]
    around: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """Data that signals may read in addition to the ranking."""

    plan: QueryPlan
    catalog: Catalog
    words: Words
    allowed: NDArray[np.bool_] | None = None  # over the catalog's chunks; None for all
    shown: Callable[[str], str] = str  # the id of the chunk shown in the place of another
    text_of_files: KnowsWords | None = None  # a lane that scores whole files; None without one
    report: ReportWords | None = None  # of a bug report; `plan.tokens` are its title's
    plain: bool = False  # True for a question whose words are not those of this code

    @property
    def question(self) -> str:
        """The text whose words signals compare: the question, perhaps in other words, or the title of a bug report."""
        return self.plan.searched or self.plan.text

    def allows(self, chunk_id: str) -> bool:
        return self.allowed is None or bool(self.allowed[self.catalog.chunk_row(chunk_id)])


Around: TypeAlias = Literal["file", "class"]
"""A text that contains a candidate."""


class Pool:
    """The candidates by position.

    Chunks that a lane returned come first, in fused order; chunks that signals added follow.

    `scores` has the present score of each candidate, shape (n,). `unit` is the best fused score. The values of signals
    are shares of it, so that they have the same effect with every fusion.
    """

    def __init__(self, fused: Fused, evidence: Evidence) -> None:
        self.fused = fused
        self.evidence = evidence
        self.chunk_ids: list[str] = list(fused.chunk_ids)
        self.scores: NDArray[np.float64] = fused.scores.copy()
        known = None if fused.rows is None else fused.rows.tolist()
        self._rows: list[int] = known or [evidence.catalog.chunk_row(chunk_id) for chunk_id in self.chunk_ids]
        top = float(fused.scores[0]) if len(fused) else 0.0
        self.unit = top if top > 0.0 else 1.0

    def __len__(self) -> int:
        return len(self.chunk_ids)

    @property
    def rows(self) -> NDArray[np.int64]:
        return np.array(self._rows, np.int64)

    def row(self, position: int) -> int:
        return self._rows[position]

    def path(self, position: int) -> str:
        return self.evidence.words.columns.paths[self._rows[position]]

    @property
    def paths(self) -> list[str]:
        paths = self.evidence.words.columns.paths
        return [paths[row] for row in self._rows]

    def contributions(self, position: int) -> tuple[Contribution, ...]:
        """Return the contributions of the lanes to the candidate at `position`; empty if no lane returned it."""
        return self.fused.contributions(position) if position < len(self.fused) else ()

    def zeros(self) -> NDArray[np.float64]:
        return np.zeros(len(self))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The tokens of the question."""
        return frozenset(self.evidence.plan.tokens)

    def words_in(self, tokens: frozenset[str]) -> list[str]:
        """Return the words of the question that have one of the given tokens, as written in the question."""
        common = self.asked & tokens
        found = (word for word in _WORD.findall(self.evidence.question) if not common.isdisjoint(_analyzed(word)))
        return list(dict.fromkeys(found))

    def told(self, tokens: frozenset[str]) -> str:
        """Return the words that have one of the given tokens, and whether the question has them or they were added."""
        added, found = set(self.evidence.plan.added), self.words_in(tokens)
        own, other = [word for word in found if word not in added], [word for word in found if word in added]
        said = [f"the question's “{listed(own)}”"] if own else []
        said += [f"the added word{'s' if len(other) > 1 else ''} “{listed(other)}”"] if other else []
        return " and ".join(said)

    def part(self, share: float) -> str:
        """Return a share of the best fused score, as the beginning of a formula."""
        return f"{share:g} · {self.unit:.4g} (the best fused score)"

    @cached_property
    def contained(self) -> NDArray[np.float64] | None:
        """Return the share of the question, by rarity, that each file contains, by file number; None without a lane."""
        lane, columns = self.evidence.text_of_files, self.evidence.words.columns
        if lane is None:
            return None
        return lane.files_containing(self.evidence.plan.tokens, columns.numbers, len(columns.files))

    def contained_in_file(self, position: int) -> float:
        """Return the share of the question that the file of a candidate contains, 0–1; 1 where no lane knows it."""
        found, row = self.contained, self.row(position)
        return 1.0 if found is None else float(found[self.evidence.words.columns.numbers[row]])

    @cached_property
    def telling_words(self) -> list[str]:
        """The tokens of a plain question that are no everyday words of English; none of another question."""
        asked = tokenize_question(self.evidence.question) if self.evidence.plain else ()
        return [token for token in asked if token not in EVERYDAY]

    @cached_property
    def telling(self) -> NDArray[np.float64]:
        """BM25 scores of the candidates by the telling words; 0 without a lane: shape (n,)."""
        lane, words = self.evidence.text_of_files, self.telling_words
        return self.zeros() if lane is None or not words else lane.word_scores(words)[self.rows]

    @cached_property
    def around(self) -> Mapping[Around, NDArray[np.float64]]:
        """BM25 scores of the texts around each candidate, by all words of a report; 0 without a lane: shape (n,)."""
        lane, columns = self.evidence.text_of_files, self.evidence.words.columns
        if lane is None or not len(self):
            return {"file": self.zeros(), "class": self.zeros()}
        rows, tokens = self.rows, self.evidence.report.tokens if self.evidence.report else ()
        files = lane.file_scores(tokens, columns.numbers, len(columns.files))
        classes = lane.file_scores(tokens, columns.classes, int(columns.classes.max()) + 1)
        return {"file": files[columns.numbers[rows]], "class": classes[columns.classes[rows]]}

    @cached_property
    def _position(self) -> dict[str, int]:
        return {chunk_id: position for position, chunk_id in enumerate(self.chunk_ids)}

    def enter(self, chunk_id: str) -> int:
        """Return the position of the chunk. If no lane returned it, it is added to the pool with score 0."""
        chunk_id = self.evidence.shown(chunk_id)
        position = self._position.setdefault(chunk_id, len(self))
        if position == len(self):
            self.chunk_ids.append(chunk_id)
            self._rows.append(self.evidence.catalog.chunk_row(chunk_id))
            self.scores = np.append(self.scores, 0.0)
        return position

    def best_of_files(self) -> dict[str, int]:
        """Return for every file the position of its first candidate with the highest present score."""
        best: dict[str, int] = {}
        scores = self.scores.tolist()
        for position, path in enumerate(self.paths):
            known = best.setdefault(path, position)
            if scores[position] > scores[known]:
                best[path] = position
        return best


class Signal(Protocol):
    """A named signal that moves hits up or down. Its docstring gives the evidence for it.

    `structural` signals also apply to questions about a relation or a similarity, whose answers need not contain the
    words of the question. `grouped` signals are evidence about files. They apply if the answer is grouped by file, and
    decide which file is first, not which of its symbols. Only grouped signals may read the present scores. A *share* is
    the largest value that a signal adds, as a share of the best fused score (`pool.unit`).
    """

    name: str
    structural: bool = False
    grouped: bool = False

    def values(self, pool: Pool) -> Values:
        """Return the values to add to scores: position → value, or an array with one value for each position."""
        ...

    def reason(self, pool: Pool, position: int) -> str:
        """Return the reason for the value at `position`, in words."""
        ...


def rerank(
    fused: Fused,
    evidence: Evidence,
    signals: Sequence[Signal],
    *,
    top_k: int | None = None,
    per_file: int | None = None,
) -> tuple[FusedHit, ...]:
    """Apply the signals in order, then sort the hits and group them by file. Return the hits.

    Hits with equal scores keep the fused order. Chunks that only a signal added come after chunks that a lane returned.

    `fused` is the whole ranking, because the order must not depend on the requested number of hits. A grouped signal
    reads the scores after the signals before it. None as `top_k` or `per_file` keeps all.
    """
    pool = Pool(fused, evidence)
    given: list[tuple[Signal, Values]] = []
    structural = evidence.plan.relation is not None or evidence.plan.kind == "related"
    for signal in signals:
        if (signal.structural or not structural) and (per_file is not None or not signal.grouped):
            if signal.grouped:
                pool.scores = _totals(pool, [values for _, values in given])
            given.append((signal, signal.values(pool)))
    columns = [(signal, _column(values, len(pool))) for signal, values in given]
    scores = _totals(pool, [column for _, column in columns])
    kept = _grouped(np.argsort(-scores, kind="stable").tolist(), pool, top_k, per_file)
    return tuple([_hit(pool, at, rank, float(scores[at]), columns) for rank, at in enumerate(kept, start=1)])


def _totals(pool: Pool, given: Sequence[Values]) -> NDArray[np.float64]:
    """Return the fused scores plus the given values of signals, rounded exactly as the scores of the answer.

    With other rounding, two scores that differ in the last bit could change places when grouped signals are added.
    """
    adjusted = totals([_column(values, len(pool)) for values in given], len(pool))
    return _column(pool.fused.scores, len(pool)) + adjusted  # a total continued from the scores has other roundings


def _column(values: Values, size: int) -> NDArray[np.float64]:
    """Return an array with one value for each of `size` positions; 0 where a signal gave no value."""
    column = np.zeros(size)
    if isinstance(values, np.ndarray):
        column[: len(values)] = values
    else:
        for position, value in values.items():
            column[position] = value
    return column


def _grouped(order: Sequence[int], pool: Pool, top_k: int | None, per_file: int | None) -> Iterator[int]:
    shown: dict[str, int] = {}
    kept = 0
    for position in order:
        if kept == top_k:
            return
        if per_file is not None:
            path = pool.path(position)
            if shown.get(path, 0) >= per_file:
                continue
            shown[path] = shown.get(path, 0) + 1
        kept += 1
        yield position


def _hit(
    pool: Pool, position: int, rank: int, score: float, given: Sequence[tuple[Signal, NDArray[np.float64]]]
) -> FusedHit:
    adjustments = tuple(
        Adjustment(signal.name, value, signal.reason(pool, position))
        for signal, column in given
        if (value := float(column[position])) != 0.0
    )
    if position < len(pool.fused):
        return pool.fused.hit(position, rank, score, adjustments)
    return FusedHit(pool.chunk_ids[position], rank, score, (), adjustments)
