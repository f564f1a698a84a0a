"""Entry points of a program: symbols that the language, a script, a test runner or a framework starts."""

from __future__ import annotations

import re
from collections.abc import Collection

from codeexplore.graph.model import CodeGraph
from codeexplore.graph.records import ENTRY_KINDS, Entry, EntryKind
from codeexplore.graph.usage.evidence import UsageEvidenceTable
from codeexplore.languages.registry import record_of
from codeexplore.types import CALLABLE_KINDS, Symbol, settings

_SHEBANG = re.compile(r"#!\s*/")  # other texts behind the mark: attributes of Rust, directives of Scheme


def entry_points(
    graph: CodeGraph,
    usage_evidence: UsageEvidenceTable,
    kinds: Collection[str],
    minimum: float = settings.RESOLVED_CONFIDENCE,
) -> tuple[Entry, ...]:
    """Return the symbols that something outside the repository starts, ordered by kind and then by file.

    `kinds`, from `records.ENTRY_KINDS`, are "main" functions, "script" (objects and files that a manifest starts),
    "module" (files that run as scripts), "registered" (plug-ins of a manifest, and functions that a decorator passes to
    a framework), "test" functions, and "exported" (functions that nothing in the repository calls by name). Edges below
    the confidence `minimum` do not count as calls.
    """
    found = [
        entry
        for symbol in graph.catalog.symbols
        if (entry := _entry(graph, usage_evidence, symbol, minimum)) is not None and entry.kind in kinds
    ]
    return tuple(sorted(found, key=lambda entry: ENTRY_KINDS.index(entry.kind)))


def _entry(graph: CodeGraph, usage_evidence: UsageEvidenceTable, symbol: Symbol, minimum: float) -> Entry | None:
    if symbol.kind == "module":
        entry = _module(usage_evidence, symbol)
        if entry is not None and graph.catalog.roles.is_test_symbol(symbol):
            return Entry(entry.symbol_id, "test", entry.reason)
        return entry
    in_test, script = graph.catalog.roles.is_test_symbol(symbol), usage_evidence.starts.script(symbol)
    kind: EntryKind
    if script is not None:
        kind = "test" if in_test else "registered" if script.group else "script"
        return Entry(symbol.id, kind, script.said)
    if symbol.kind not in CALLABLE_KINDS or symbol.kind == "lambda":
        return None
    started = usage_evidence.starts.reason(symbol)
    if started and not usage_evidence.starts.implicit(symbol):
        return Entry(symbol.id, "test" if "test runner" in started or in_test else "main", started)
    if graph.incident(graph.vertex(symbol.id), "in", ("CALLS",), minimum):
        return None
    if registered := usage_evidence.starts.registered(symbol):
        return Entry(symbol.id, "test" if in_test else "registered", registered)
    exported = "" if in_test else usage_evidence.visibility.reason(symbol)
    said = f"nothing in this repository calls it by its name, and code outside may: {exported}"
    return Entry(symbol.id, "exported", said) if exported else None


def _module(usage_evidence: UsageEvidenceTable, symbol: Symbol) -> Entry | None:
    started, names = usage_evidence.starts.reason(symbol), record_of(symbol.language).start_names
    inside = usage_evidence.graph.catalog.in_file(symbol.path)
    if any(each.name in names and each.kind == "function" for each in inside):
        return None  # the function is the entry point
    if started:
        return Entry(symbol.id, "script", started)
    file = usage_evidence.files.get(symbol.path)
    if file is None or symbol.parent is not None:
        return None
    if symbol.path.rpartition("/")[2] == "__main__.py":
        return Entry(symbol.id, "module", "python -m starts it")
    guard = record_of(file.file.language).script_guard
    if guard is not None and guard.search(file.file.text):
        return Entry(symbol.id, "module", "it runs when it is started as a script (__main__)")
    if _SHEBANG.match(file.file.text):
        first = file.file.text.partition("\n")[0]
        return Entry(symbol.id, "module", f"its first line names the program that runs it: {first:.60}")
    return None
