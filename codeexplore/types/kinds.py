"""Fixed sets of literals in records: kinds, lanes, relations."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

SCHEMA_VERSION = 1
"""Version of every JSON document the package writes; increased when a field changes its meaning or is removed."""

LaneName: TypeAlias = Literal["bm25", "embedding", "graph"]
LANES: tuple[LaneName, ...] = get_args(LaneName)
"""The lanes in their fixed order, which is the order of contributions and decides between equal scores."""

_TypeKind: TypeAlias = Literal["class", "interface", "struct", "enum", "trait", "type"]
_CodeKind: TypeAlias = Literal["module", _TypeKind, "function", "method", "field", "constant"]
_DataKind: TypeAlias = Literal["key", "table", "view", "routine", "trigger", "message", "service", "rpc", "schema"]
_PartKind: TypeAlias = Literal[_DataKind, "operation", "block", "element", "selector", "mixin", "stage", "target"]
SymbolKind: TypeAlias = Literal[_CodeKind, "section", "lambda", "external", _PartKind]
SYMBOL_KINDS: tuple[SymbolKind, ...] = tuple(kind for kind in get_args(SymbolKind) if kind != "external")
"""The kinds that files define; "external" is a symbol outside the repository, without a file."""
TYPE_KINDS: frozenset[SymbolKind] = frozenset(get_args(_TypeKind))
CALLABLE_KINDS: frozenset[SymbolKind] = frozenset({"function", "method", "lambda"})
VALUE_KINDS: frozenset[SymbolKind] = frozenset({"constant", "field"})
"""Kinds of symbols whose values may be functions, types or outside names."""
TEXT_KINDS: frozenset[SymbolKind] = frozenset({"section", *get_args(_PartKind)})
"""Parts of files that are not code: sections of texts, keys of configuration, tables, selectors and so on."""

EdgeKind: TypeAlias = Literal["CALLS", "IMPLEMENTS", "EXTENDS", "OVERRIDES", "USES", "IMPORTS", "CONTAINS"]
EDGE_KINDS: tuple[EdgeKind, ...] = get_args(EdgeKind)
EDGE_VERBS: Mapping[EdgeKind, str] = MappingProxyType(
    {
        "CALLS": "calls",
        "IMPLEMENTS": "implements",
        "EXTENDS": "extends",
        "OVERRIDES": "overrides",
        "USES": "uses",
        "IMPORTS": "imports",
        "CONTAINS": "contains",
    }
)
"""Kind of an edge → its verb in "app.main calls app.run"."""

QuestionKind: TypeAlias = Literal["identifier", "structural", "conceptual", "mixed", "related", "report"]
Relation: TypeAlias = Literal["callers", "callees", "implementors", "subclasses", "uses", "imports", "impact", "path"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
Direction: TypeAlias = Literal["in", "out", "both"]
ConfidenceLevel: TypeAlias = Literal["answered", "weak", "none"]
LaneStatus: TypeAlias = Literal["ok", "empty", "waiting", "timed out", "failed"]


def is_block(kind: str, name: str) -> bool:
    """Return True for the block of a call, which is named by the call: ``get "/edit/*"``. It has no scope of its own.

    Other functions without a name are named by their places: ``<lambda:3:8>``.
    """
    return kind == "lambda" and name[:1] != "<"
