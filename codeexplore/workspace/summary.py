"""Summary of a load: counts of files, symbols, edges and skipped files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeexplore.languages import registry
from codeexplore.types import WorkspaceSummary

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.workspace.progress import Progress
    from codeexplore.workspace.snapshot import IndexParts


def counted_edges(graph: CodeGraph) -> dict[str, Any]:
    """Return the entries about a graph in a summary."""
    edges: dict[str, int] = {kind: count for kind, count in graph.counts.items() if count}
    return {"edges": edges, "possible": len(graph.edges) - sum(edges.values()), "unresolved": len(graph.unresolved)}


def summarise(
    root: Path, name: str, parts: IndexParts, graph: CodeGraph, progress: Progress, model: str
) -> WorkspaceSummary:
    """Return the summary of a load, with counts of its loaded and skipped files, symbols and edges."""
    files_read = [(path, seen.summary) for path, seen in parts.origin.seen.items() if seen.summary is not None]
    own_warnings = (f"{path}: {warning}" for path, each in files_read for warning in each.warnings)
    return WorkspaceSummary(
        name=name,
        root=str(root),
        files=_titles(each.language for _, each in files_read),
        symbols=by_count(parts.catalog.kinds_counted()),
        chunks=len(parts.catalog.chunks),
        **counted_edges(graph),
        skipped=counted(item.reason for item in parts.skipped),
        stages=tuple(progress.stages),
        warnings=(*parts.warnings, *own_warnings, *graph.notes),
        bytes=sum(each.size for _, each in files_read),
        lines=sum(each.lines for _, each in files_read),
        with_errors=sum(1 for _, each in files_read if each.with_errors),
        encodings=counted(each.encoding for _, each in files_read if each.encoding != "utf-8"),
        skipped_files=tuple(parts.skipped),
        model=model,
        graph=parts.pending.note if parts.pending is not None and parts.pending.not_built else "",
    )


def _titles(languages: Iterable[str]) -> dict[str, int]:
    """Return language title → number of files, most frequent first.

    Languages with equal numbers are ordered by title.
    """
    titles: Counter[str] = Counter()
    for language, count in Counter(languages).items():
        titles[registry.by_name(language).title] += count
    return by_count(titles)


def counted(items: Iterable[str]) -> dict[str, int]:
    """Return item → number of its occurrences, most frequent first. Items with equal numbers are ordered by name."""
    return by_count(Counter(items))


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """Return `counts` with the largest first. Entries with equal counts are ordered by name."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
