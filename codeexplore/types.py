r"""Every record and protocol that crosses a layer.

Records are frozen, link to each other by id and know neither engines nor HTML. Rows of which a repository
has hundreds of thousands (`Span`, `Reference`, `Binding` …) are named tuples, the others slotted dataclasses.

Words: a *symbol* is a named definition, a *reference* an unresolved use, an *edge* a resolved one; a *chunk* is
the unit of retrieval; a *lane* is a retriever's named place in fusion; a *hit* is one entry of a lane's
*ranking*, a *fused hit* one entry of the merged ranking, a *contribution* one lane's share of its score.
Lines are 1-based and inclusive and end at ``\n`` only; bytes are 0-based, half-open, in UTF-8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEMA_VERSION = 1
"""Version of every JSON document the package writes; raised when a field changes its meaning or goes."""

LaneName: TypeAlias = Literal["bm25", "embedding", "graph"]
LANES: tuple[LaneName, ...] = ("bm25", "embedding", "graph")
"""The lanes in their fixed order: the order of contributions, and of ties between equal scores."""

SymbolKind: TypeAlias = Literal[
    "module", "class", "interface", "struct", "enum", "trait", "type",
    "function", "method", "field", "constant", "section", "lambda", "external",
]  # fmt: skip
SYMBOL_KINDS: tuple[SymbolKind, ...] = (
    "module", "class", "interface", "struct", "enum", "trait", "type",
    "function", "method", "field", "constant", "section", "lambda",
)  # fmt: skip
"""The kinds that files define; "external" is what lies outside the repository and has no file."""
TYPE_KINDS: frozenset[SymbolKind] = frozenset({"class", "interface", "struct", "enum", "trait", "type"})
CALLABLE_KINDS: frozenset[SymbolKind] = frozenset({"function", "method", "lambda"})

EdgeKind: TypeAlias = Literal["CALLS", "IMPLEMENTS", "EXTENDS", "OVERRIDES", "USES", "IMPORTS", "CONTAINS"]
EDGE_KINDS: tuple[EdgeKind, ...] = ("CALLS", "IMPLEMENTS", "EXTENDS", "OVERRIDES", "USES", "IMPORTS", "CONTAINS")

QuestionKind: TypeAlias = Literal["identifier", "structural", "conceptual", "mixed", "related"]
Relation: TypeAlias = Literal[
    "callers", "callees", "implementors", "subclasses", "uses", "imports", "impact", "path"
]  # fmt: skip
RELATIONS: tuple[Relation, ...] = (
    "callers", "callees", "implementors", "subclasses", "uses", "imports", "impact", "path",
)  # fmt: skip
Direction: TypeAlias = Literal["in", "out", "both"]
LaneStatus: TypeAlias = Literal["ok", "empty", "timed out", "failed"]


# --------------------------------------------------------------------------- files


class Skipped(NamedTuple):
    """A file or folder that was not indexed, and why. `path` is relative to the root, POSIX."""

    path: str
    reason: str  # one of source.reasons: "ignored", "too large", "binary", …
    detail: str = ""


class Cell(NamedTuple):
    """Where one notebook cell stands in the notebook's joined text."""

    number: int  # 1-based, counting every cell of the notebook
    kind: Literal["code", "markdown", "raw"]
    start_line: int
    end_line: int
    language: str = ""  # of a code cell: the kernel's, or the one its %%magic names; "python" as a rule


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One decoded file. `text` keeps its line endings; a notebook's text is its joined cells."""

    path: str  # relative to the root, POSIX separators
    language: str  # a Language.name
    text: str
    sha256: str  # of the bytes on disk, hex
    encoding: str = "utf-8"
    cells: tuple[Cell, ...] = ()


# --------------------------------------------------------------------------- what one file says


class Span(NamedTuple):
    """A stretch of one file: lines 1-based inclusive, bytes 0-based half-open over the UTF-8 text."""

    start_line: int
    end_line: int
    start_byte: int
    end_byte: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named definition.

    `span` reaches from its first decorator or modifier to its last line; leading comments belong to its chunk
    only. `line` is the line that carries its name.
    """

    id: str  # "path:fqn", with "#2", "#3" … for a redefinition or overload in the same file
    fqn: str  # dotted or ::-separated, by the language's own rule; the module's name comes first
    name: str
    kind: SymbolKind
    path: str
    span: Span
    line: int
    language: str
    parent: str | None = None  # id of the enclosing symbol; None for a module
    signature: str = ""  # one line, whitespace collapsed, without the body
    doc: str = ""  # docstring or doc comment, markers removed
    decorators: tuple[str, ...] = ()  # access paths, outermost first


class Import(NamedTuple):
    """A name bound by an import. See `FileFacts` for access paths and scopes.

    ``import a.b as c`` → name c, module a.b, member "". ``import a.b`` → name a.b, module a.b (the dotted name is
    usable as written). ``from .x import y as z`` → name z, module .x, member y. Star imports: name and
    member ``*``. JavaScript: default → member ``default``, namespace and ``require`` → member ""; a module loaded in
    passing is called ``%import:LINE:COL``. Java static imports name the class as module. `module` is as written in the
    source, quotes removed.
    """

    scope: int
    name: str
    module: str
    member: str
    line: int


class Export(NamedTuple):
    """A name this module offers under another name, or from another module (JavaScript, Rust ``pub use``).

    `target` is a local access path, or a member of `module` when that is not "". ``export * from "m"`` has
    name and target ``*``; the module as a whole is called ``=`` (``module.exports = x``, ``export = x``).
    """

    name: str
    target: str
    module: str
    line: int


LEFT_OUT = "%left-out"
"""Bound in the module scope of a file that only some builds hold, as its build constraint says.

What such a file defines counts where no other file of its module defines it.
"""


METACLASS = "%metaclass"
"""Bound in a class to the class of which it is itself an instance, where its head names one."""


class Binding(NamedTuple):
    """A name given a value or a type in a scope: parameter, variable, field, loop, with, except, for.

    `name` is plain (``x``) or whatever path is assigned to (``self.x``, ``this.x``, ``app.run``, ``table[key]``: as
    written). A name bound twice has two rows; ``a or b`` and conditional expressions give one row for each branch.
    Unpacking gives one row for each name (``a, b = f()``: values ``f()[0]`` and ``f()[1]``), also in loops (``for
    k, v in d.items()``: variables with values ``d.items()[*][0]`` and ``…[*][1]``). Fields declared in the body of
    a type stand in that type's scope under their plain name. Under ``global`` and ``nonlocal`` the scope is the one
    meant.

    Manners: parameters come in their order, `parameter` by position or name, `keyword` by name only, `rest` and
    `keywords` for ``*args`` (``...args``) and ``**kwargs``, all with plain names, `value` being the default's path.
    `receiver` is the instance of a method that does not stand in its type's body (Go, Rust's impl): `type` names
    the type, `value` the trait an impl block is for, `name` is "" for an associated function. `type` makes the name
    stand for a type: an alias or a type parameter with its bound. `pattern` narrows (``isinstance``, match arms).
    The items of a literal container are fields of it: name ``%dict:3:8[key]``, manner `field`. A function or class
    that its place names (``const f = () => {}``) is bound once in its own scope under the path it has as a value:
    name ``%fn:LINE:COL`` or ``%class:LINE:COL``.
    """

    scope: int
    name: str
    manner: Literal[
        "parameter", "keyword", "rest", "keywords", "receiver", "variable", "field",
        "element", "context", "exception", "pattern", "type",
    ]  # fmt: skip
    type: str  # the annotation as written, "" when there is none
    value: str  # access path of the value, "" when unknown; for `element` that of the iterated container
    line: int
    sure: int = 0
    """Last line of an assignment that always runs when its scope does, straight on; 0 under a condition.

    For `pattern` the last line on which the test is known to hold, from `line` on; 0 when that is not known.
    """


class Return(NamedTuple):
    """A value that a function gives back.

    `value` is an access path, or the declared type as written (manner `type`).
    """

    scope: int
    value: str
    manner: Literal["return", "yield", "type"]


class Reference(NamedTuple):
    """An unresolved use of a name.

    `path` is the access path of what is used: for a call ``a.b(x)`` it is ``a.b``. `args` are the access paths of a
    call's arguments by position, ``name=path`` for keywords, ``*path`` and ``**path`` for spread ones, "" where an
    argument is no path. `implicit` is a call the syntax makes without naming it, with the path of the method it would
    reach: ``x.__enter__``, ``x.__len__``, ``x.__add__``, ``x.__setitem__``; it resolves on known types only.
    """

    scope: int
    kind: Literal["call", "new", "read", "type", "decorator", "import", "string", "implicit"]
    path: str
    line: int
    args: tuple[str, ...] = ()


class Base(NamedTuple):
    """A supertype named by a type's definition: ``class A(B)``, ``implements B``, ``impl B for A``, embedding."""

    scope: int  # the type's symbol; for `impl` blocks and extensions see `type`
    path: str  # access path of the supertype
    manner: Literal["extends", "implements", "embeds"]
    line: int
    type: str = ""  # access path of the subtype when it is not defined where this row stands
    arguments: tuple[str, ...] = ()  # the supertype's type arguments as written


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that one file says, independent of every other file.

    A *scope* is an index into `symbols`; 0 is the module itself. An **access path** is a compact string for an
    expression that leads from a name to a value: a root followed by steps ``.name`` (attribute, field, ``::`` and
    ``->`` too), ``()`` (the result of calling; ``(a, b)`` where it depends on the arguments) and ``[]`` (an
    element; ``[0]``, ``[key]`` by a constant key, ``[*]`` in turn). ``self.pool.get(x)[0].run`` becomes
    ``self.pool.get()[0].run``. Roots other than names: ``%str %num %bool %list %dict %set %tuple`` for literals,
    with their place when they hold something (``%list:LINE:COL``), ``%fn:LINE:COL`` for an anonymous function,
    ``%class:LINE:COL`` for such a class, ``%type(T)`` for a value of a named type. ``await x`` and parentheses
    leave no trace; anything else has no path ("").
    """

    path: str
    language: str
    module: str  # the file's module name by the language's rule ("flask.app", "src/store/index", "net/http")
    symbols: tuple[Symbol, ...]
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    bindings: tuple[Binding, ...] = ()
    returns: tuple[Return, ...] = ()
    references: tuple[Reference, ...] = ()
    bases: tuple[Base, ...] = ()
    errors: int = 0  # syntax errors (ERROR or MISSING nodes); the symbols around them are kept


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of retrieval: one symbol's own lines, or a part of them.

    `text` is the source of `spans` joined by newlines (a class's own lines are not contiguous). `context` (path words,
    qualified name, signature) is indexed by both text lanes and never shown as source.
    """

    id: str  # hash of path, symbol and text (plus an ordinal for twins): edits elsewhere keep it
    path: str
    spans: tuple[Span, ...]
    text: str
    language: str
    symbol: str | None  # Symbol.id
    context: str = ""
    part: int = 0  # 0 for a whole symbol; 1, 2 … for the parts of a split one

    @property
    def start_line(self) -> int:
        """First line of the chunk, 1-based."""
        return self.spans[0].start_line

    @property
    def end_line(self) -> int:
        """Last line of the chunk, 1-based, inclusive. Lines between spans may belong to other chunks."""
        return self.spans[-1].end_line


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Which words each chunk holds, as a sparse matrix by rows (CSR): shape (n_chunks, n_words).

    Words are as `tokens.words` splits them, unfolded and with repeats counted, from text and context together. Both
    text lanes start from this: each distinct word is analysed, and embedded, once.
    """

    words: tuple[str, ...]
    indptr: NDArray[np.int64]  # (n_chunks + 1,)
    word_ids: NDArray[np.int32]  # (nnz,) indices into words, ascending within a row
    counts: NDArray[np.int32]  # (nnz,)


@dataclass(frozen=True, slots=True)
class FileIndex:
    """One file after syntax: its facts and chunks. `warnings` are shown in the workspace's summary."""

    file: SourceFile
    facts: FileFacts
    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...] = ()


# --------------------------------------------------------------------------- graph


class Site(NamedTuple):
    """A place in the source, `line` 1-based."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A resolved use: `source` uses `target` (both Symbol ids) in the way `kind` says."""

    source: str
    target: str
    kind: EdgeKind
    manner: str  # call, new, property, decorator, with, callback, type, read, base, import, definition …
    rule: str  # the resolution rule that made it, a key of graph.rules
    confidence: float  # 0–1; below settings.RESOLVED_CONFIDENCE the edge is only "possible by name"
    sites: tuple[Site, ...] = ()
    in_test: bool = False


class Unresolved(NamedTuple):
    """A reference no rule could resolve, kept so that questions about absence can be answered honestly."""

    source: str  # Symbol id of the scope that holds it
    name: str  # last name of the access path
    receiver: str  # what stands before it, "" for a bare name
    kind: str
    site: Site


class Reached(NamedTuple):
    """A symbol of a traversal, with its distance from the nearest seed and the symbol it was reached from."""

    symbol_id: str
    depth: int
    via: str | None
    confidence: float  # of the weakest edge on the way


@dataclass(frozen=True, slots=True)
class CallPath:
    """A chain of symbols, each linked to the next by one edge: ``len(edges) == len(symbol_ids) - 1``.

    `edges[i]` joins `symbol_ids[i]` and `symbol_ids[i + 1]`, in either direction (compare its source).
    """

    symbol_ids: tuple[str, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What a traversal reached. `reached` starts with the seeds (depth 0) and is ordered by depth, then confidence.

    `possible` are edges below the confidence of a resolved one: never counted as resolved. `unresolved` are references
    that share a seed's name and resolve to nothing. `absence` says in words what an empty answer means, else "".
    `notes` say what else may reach the seeds: that they are exported, or that their names stand in strings. `tests` are
    the tests among all that an impact reaches, those that were cut included.
    """

    relation: str
    seeds: tuple[str, ...]
    reached: tuple[Reached, ...]
    edges: tuple[Edge, ...]
    possible: tuple[Edge, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    absence: str = ""
    cut: int = 0  # symbols left out because of the size limit
    direction: Direction = "in"  # the way the walk went: against the edges, along them, or both
    notes: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()  # ids


# --------------------------------------------------------------------------- questions and rankings


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search may return; applied before each lane fills its pool. Empty means no restriction."""

    paths: tuple[str, ...] = ()  # globs over repository-relative paths
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tests: bool = True  # False leaves out test files


class Seed(NamedTuple):
    """A symbol a traversal starts from, and how it was found."""

    symbol_id: str
    source: Literal["name", "object", "description"]
    weight: float = 1.0
    reason: str = ""


class Reason(NamedTuple):
    """One choice of the planner in words: `choice` names the field ("kind", "lanes" …), `why` the evidence."""

    choice: str
    why: str


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How a question will be answered. Every field may be overruled by the caller; `reasons` say who chose."""

    text: str
    kind: QuestionKind
    tokens: tuple[str, ...]
    identifiers: tuple[str, ...] = ()  # names in the question that look like identifiers, as written
    relation: Relation | None = None
    direction: Direction | None = None
    depth: int = 1
    description: str = ""  # the part of a structural question that describes its symbol instead of naming it
    seeds: tuple[Seed, ...] = ()
    targets: tuple[Seed, ...] = ()  # the other end of a path question
    filters: Filters = Filters()
    lanes: Mapping[LaneName, float] = field(default_factory=dict)  # lane → weight, only the lanes that run
    reasons: tuple[Reason, ...] = ()
    target_description: str = ""  # what describes the other end of a path question
    searched: str = ""  # what the text lanes look for when it isn't in the question: corrected names, a symbol's text


class Hit(NamedTuple):
    """One entry of a lane's ranking; `score` is the lane's own and comparable only within it."""

    chunk_id: str
    rank: int  # 1-based
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """One lane's answer. `status` tells an empty answer from a failure; `reason` says what happened."""

    lane: str
    hits: tuple[Hit, ...]
    elapsed_ms: float = 0.0
    status: LaneStatus = "ok"
    reason: str = ""


class Contribution(NamedTuple):
    """One lane's share of a fused score. Under RRF, value = weight / (rrf_k + rank)."""

    lane: str
    rank: int
    score: float
    weight: float
    value: float


class Adjustment(NamedTuple):
    """What a named re-ranking signal added to (or took from) a fused score."""

    signal: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True)
class FusedHit:
    """``score == sum(c.value for c in contributions) + sum(a.value for a in adjustments)``, added in that order."""

    chunk_id: str
    rank: int
    score: float
    contributions: tuple[Contribution, ...]
    adjustments: tuple[Adjustment, ...] = ()
    role: str = ""  # in the answer to a relation: "caller", "described symbol", or "" for what only shares words
    path: CallPath | None = None  # how the graph came from a seed to it


class StageTime(NamedTuple):
    """How long one stage of loading, or of a search, took."""

    stage: str
    seconds: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A fused ranking with everything that led to it."""

    plan: QueryPlan
    fusion: str
    rrf_k: int
    rankings: tuple[Ranking, ...]
    hits: tuple[FusedHit, ...]
    notices: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
    stages: tuple[StageTime, ...] = ()  # plan, seeds, lanes, fuse, signals, finish; lanes tell their own time


# --------------------------------------------------------------------------- what a workspace holds


@dataclass(frozen=True, slots=True)
class WorkspaceSummary:
    """What was loaded, what was left out and why, and how long it took. Mappings keep their order in displays."""

    name: str
    root: str  # where the sources lie, as given by the user or resolved
    files: Mapping[str, int]  # language title → files
    symbols: Mapping[str, int]  # symbol kind → symbols
    chunks: int
    edges: Mapping[str, int]  # edge kind → resolved edges
    possible: int = 0  # edges that are only "possible by name"
    unresolved: int = 0  # references that resolve to nothing in the repository
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason → files or folders
    stages: tuple[StageTime, ...] = ()
    warnings: tuple[str, ...] = ()
    bytes: int = 0  # of the indexed files
    lines: int = 0
    with_errors: int = 0  # files with syntax errors; the symbols around them are kept
    encodings: Mapping[str, int] = field(default_factory=dict)  # encoding → files that are not UTF-8
    skipped_files: tuple[Skipped, ...] = ()  # every one of those that `skipped` counts
    model: str = ""  # the embedding model

    def to_dict(self) -> dict[str, object]:
        """The summary as plain data, with the schema's version."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        plain["skipped_files"] = [item._asdict() for item in self.skipped_files]
        plain["stages"] = [item._asdict() for item in self.stages]
        return {"schema": SCHEMA_VERSION, "kind": "summary", **plain}


# --------------------------------------------------------------------------- explanations


class TokenStep(NamedTuple):
    """One step of the tokeniser: its name and the tokens after it."""

    name: str
    tokens: tuple[str, ...]


class TermScore(NamedTuple):
    """What one query term gave to a chunk's BM25 score: the scores of all terms add up to the hit's."""

    term: str
    tf: int
    df: int
    idf: float
    score: float


class WordPair(NamedTuple):
    """What one (question word, chunk word) pair gave to the cosine: all pairs add up to it."""

    query_word: str
    chunk_word: str
    value: float


class SeedShare(NamedTuple):
    """What one seed gave to a symbol's score in the graph lane. All of them add up to the score.

    `value` is given by `formula` from the other numbers: edges away, confidence of the weakest edge on the way, and
    nearness (personalised PageRank over PageRank, 0–1 within the walk).
    """

    seed: str  # Symbol id
    weight: float
    distance: int
    confidence: float
    nearness: float
    value: float
    formula: str


class Retriever(Protocol):
    """A lane's engine: a plan in, at most `pool` hits out, best first, ranks 1, 2, 3 … and no chunk twice.

    `allowed` is a boolean mask over the chunks in index order, or None for all. Raises whatever goes wrong: the search
    isolates lanes from each other.
    """

    lane: LaneName

    def retrieve(self, plan: QueryPlan, pool: int, allowed: NDArray[np.bool_] | None = None) -> Sequence[Hit]:
        """Rank the chunks that answer `plan`."""
        ...
