"""Edges between symbols, and the results of traversals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from codeexplore.types.certainty import Certainty, certainty
from codeexplore.types.displayed import brief_repr
from codeexplore.types.kinds import EDGE_VERBS, Direction, EdgeKind
from codeexplore.types.next_step import NextStep, with_steps

VerdictKind: TypeAlias = Literal["found", "none", "possible", "unknown"]
UseForm: TypeAlias = Literal["call", "name", "string", "implicit"]


class Site(NamedTuple):
    """A place in the source, `line` 1-based."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A resolved use: symbol `source` uses symbol `target` (both Symbol ids). `kind` is the kind of use."""

    source: str
    target: str
    kind: EdgeKind
    manner: str  # call, new, property, decorator, with, callback, type, read, base, import, definition …
    rule: str  # the resolution rule that made it, a key of graph.build.rules; the surest one of its sites
    confidence: float  # 0–1; below settings.RESOLVED_CONFIDENCE the edge is only "possible by name"
    sites: tuple[Site, ...] = ()
    in_test: bool = False
    parts: tuple[Edge, ...] = field(default=(), repr=False)  # see `by_rule`; empty if one rule found all sites

    @property
    def certainty(self) -> Certainty:
        """The word for `confidence`: certain, likely or possible."""
        return certainty(self.confidence)

    @property
    def by_rule(self) -> tuple[Edge, ...]:
        """An edge for each rule that found some of the sites, the surest first."""
        return self.parts or (self,)

    @property
    def site_confidences(self) -> tuple[float, ...]:
        """The confidence at each of `sites`."""
        known = {site: part.confidence for part in self.by_rule for site in part.sites}
        return tuple(known[site] for site in self.sites)

    @property
    def verb(self) -> str:
        """Return ``calls``, ``likely calls`` or ``may call``, by the certainty of the edge."""
        verb = EDGE_VERBS[self.kind]
        if self.certainty == "possible":
            return f"may {verb.removesuffix('s')}"
        return verb if self.certainty == "certain" else f"likely {verb}"


class Unresolved(NamedTuple):
    """A reference that no rule could resolve.

    It is stored because its name may mean a symbol for which no use was found.
    """

    source: str  # Symbol.id of the scope that contains it
    name: str  # last name of the access path
    receiver: str  # the access path before `name`; "" for a plain name
    kind: str
    site: Site


class PossibleUse(NamedTuple):
    """A place in the source that may use a symbol, although no resolved edge proves it.

    `form` is "call" for a name with arguments, "string" for a string that consists of the name, "implicit" for code
    that may run a special method or constructor without its name, and "name" otherwise.
    `receiver` is True if the name is a member (``x.name``). `text` is the source line without its indentation, at most
    200 characters. `targets` are the qualified names of other symbols to which the name resolves at this place; empty
    if it resolves to no symbol. `doubtful` is True if it may resolve to them, but no edge to them is likely.
    """

    site: Site
    form: UseForm
    receiver: bool
    text: str
    targets: tuple[str, ...] = ()
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """Knowledge about a relation of some symbols: what was found, and what else there may be.

    `graph.usage.verdict` and `path_verdict` make every verdict, and every display shows its `text`.

    `kind` is "found" if something was found. Otherwise it says what the empty answer means: "none" if no reference in
    the repository can be a use of the symbols, "possible" if some references may be uses, and "unknown" if the index
    has too few facts to decide.

    `counts` are the numbers of found symbols that are certain, likely and possible. `whole` is the number without a
    limit of steps or symbols. `mentions` are the places that may be more. `by_name` counts symbols that only a name
    suggests. `outside` are names outside the repository.

    `min_confidence` is the highest value of the option of this name with which the request has an answer. It is None if
    there is no such value, or if it is not known.

    `next_steps` are calls that may find more. ``str(verdict)`` is the text with these calls in Python.
    """

    kind: VerdictKind
    text: str
    mentions: tuple[PossibleUse, ...] = ()
    min_confidence: float | None = None
    next_steps: tuple[NextStep, ...] = ()
    counts: tuple[int, int, int] = (0, 0, 0)
    whole: int = 0
    by_name: int = 0
    outside: tuple[str, ...] = ()
    headline: str = ""  # the beginning of the text, or what a heading says above it

    def __str__(self) -> str:
        return with_steps(self.text, self.next_steps)

    @property
    def heading(self) -> str:
        """The text for a heading; only its headline if the explanation is a sentence of its own."""
        whole = bool(self.headline) and self.text.startswith(self.headline)
        return self.text.removesuffix(".") if whole else self.headline


class Reached(NamedTuple):
    """A symbol that a traversal has reached.

    `depth` is its distance in edges from the nearest start symbol. `via` is the symbol before it on the way.
    """

    symbol_id: str
    depth: int
    via: str | None
    confidence: float  # of the weakest edge on the path to it

    @property
    def certainty(self) -> Certainty:
        """The word for `confidence`: certain, likely or possible."""
        return certainty(self.confidence)


@dataclass(frozen=True, slots=True)
class CallPath:
    """A chain of symbols in which one edge links each symbol to the next: ``len(edges) == len(symbol_ids) - 1``.

    `edges[i]` joins `symbol_ids[i]` and `symbol_ids[i + 1]`. It may have either direction, which its `source` shows.
    """

    symbol_ids: tuple[str, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class PathsFound:
    """Paths between two symbols, given by their ids.

    `verdict` sums them up. `absence` is None if there is a path of resolved calls from source to target.
    """

    source: str
    target: str
    paths: tuple[CallPath, ...] = ()
    verdict: Verdict | None = None

    @property
    def absence(self) -> Verdict | None:
        """The verdict on paths that are not there, or are only possible."""
        return None if self.verdict is None or self.verdict.kind == "found" else self.verdict


class Extent(NamedTuple):
    """Number of symbols that a relation reaches from its seeds. The seeds are not counted.

    `certain` symbols are reached by resolved edges, `possible` symbols only by edges that are possible by name.
    `left_out` symbols were not followed because of the size limit of a traversal. If `left_out` is not 0, the other
    numbers are lower bounds.
    """

    certain: int = 0
    possible: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Result of a traversal.

    `reached` begins with the start symbols (seeds, depth 0) and is ordered by depth, then confidence. `possible`
    contains edges with too low a confidence to count as resolved. `unresolved` contains references with a seed's name
    that resolve to nothing. `verdict` sums up the answer. `notes` say why the seeds may have other uses: they are
    exported, or their names occur in strings. `tests` are all tests that an impact reaches over any number of steps.
    """

    __repr__ = brief_repr

    relation: str
    seeds: tuple[str, ...]
    reached: tuple[Reached, ...]
    edges: tuple[Edge, ...]
    possible: tuple[Edge, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    verdict: Verdict | None = None
    cut: int = 0  # symbols left out because of the size limit
    direction: Direction = "in"  # of the traversal: "in" against the edges, "out" along them, or "both"
    notes: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()  # ids
    all_tests: int = 0  # number of tests, those that only uncertain edges reach included

    @property
    def absence(self) -> Verdict | None:
        """The verdict on an empty answer; None for other answers."""
        return None if self.verdict is None or self.verdict.kind == "found" else self.verdict

    @property
    def mentions(self) -> tuple[PossibleUse, ...]:
        """The places that may be more than what was found."""
        return () if self.verdict is None or self.absence is not None else self.verdict.mentions
