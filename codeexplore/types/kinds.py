"""Fixed sets of literals in records: kinds, lanes, relations."""

from __future__ import annotations

from typing import Literal, TypeAlias

SCHEMA_VERSION = 1
"""Version of every JSON document the package writes; increased when a field changes its meaning or is removed."""

LaneName: TypeAlias = Literal["bm25", "embedding", "graph"]
LANES: tuple[LaneName, ...] = ("bm25", "embedding", "graph")
"""The lanes in their fixed order, which is the order of contributions and decides between equal scores."""

SymbolKind: TypeAlias = Literal[
    "module", "class", "interface", "struct", "enum", "trait", "type",
    "function", "method", "field", "constant", "section", "lambda", "external",
    "key", "table", "view", "routine", "trigger", "message", "service", "rpc", "schema", "operation", "block",
    "element", "selector", "mixin", "stage", "target",
]  # fmt: skip
SYMBOL_KINDS: tuple[SymbolKind, ...] = (
    "module", "class", "interface", "struct", "enum", "trait", "type",
    "function", "method", "field", "constant", "section", "lambda",
    "key", "table", "view", "routine", "trigger", "message", "service", "rpc", "schema", "operation", "block",
    "element", "selector", "mixin", "stage", "target",
)  # fmt: skip
"""The kinds that files define; "external" is a symbol outside the repository, without a file."""
TYPE_KINDS: frozenset[SymbolKind] = frozenset({"class", "interface", "struct", "enum", "trait", "type"})
CALLABLE_KINDS: frozenset[SymbolKind] = frozenset({"function", "method", "lambda"})
TEXT_KINDS: frozenset[SymbolKind] = frozenset({
    "section", "key", "table", "view", "routine", "trigger", "message", "service", "rpc", "schema", "operation",
    "block", "element", "selector", "mixin", "stage", "target",
})  # fmt: skip
"""Parts of files that are not code: sections of texts, keys of configuration, tables, selectors and so on."""

EdgeKind: TypeAlias = Literal["CALLS", "IMPLEMENTS", "EXTENDS", "OVERRIDES", "USES", "IMPORTS", "CONTAINS"]
EDGE_KINDS: tuple[EdgeKind, ...] = ("CALLS", "IMPLEMENTS", "EXTENDS", "OVERRIDES", "USES", "IMPORTS", "CONTAINS")

QuestionKind: TypeAlias = Literal["identifier", "structural", "conceptual", "mixed", "related", "report"]
Relation: TypeAlias = Literal[
    "callers", "callees", "implementors", "subclasses", "uses", "imports", "impact", "path"
]  # fmt: skip
RELATIONS: tuple[Relation, ...] = (
    "callers", "callees", "implementors", "subclasses", "uses", "imports", "impact", "path",
)  # fmt: skip
Direction: TypeAlias = Literal["in", "out", "both"]
ConfidenceLevel: TypeAlias = Literal["answered", "weak", "none"]
LaneStatus: TypeAlias = Literal["ok", "empty", "waiting", "timed out", "failed"]
