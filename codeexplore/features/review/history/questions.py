"""Answers from the history: of the repository, of a file or symbol, and of what changes together."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.features.review.git_objects import GitObjects
from codeexplore.features.review.history.answers import (
    Contributor,
    FileActivity,
    HiddenCoupling,
    RepositoryHistoryAnswer,
    Target,
    Together,
    TogetherAnswer,
    is_hidden,
    name_of,
)
from codeexplore.features.review.history.git_log import list_commits, read_log
from codeexplore.features.review.history.log import History, day
from codeexplore.features.review.history.view import HistoryView
from codeexplore.graph.traversal import RELATING, seeds_of, walk
from codeexplore.index.archive import Archive, write_archive
from codeexplore.languages import registry
from codeexplore.search.options import check_count
from codeexplore.source.cache_dir import make_private
from codeexplore.types import Symbol
from codeexplore.types.errors import DamagedIndex
from codeexplore.workspace.cache import slot_of

if TYPE_CHECKING:
    from codeexplore.answers.graph import GraphAnswer
    from codeexplore.graph.model import CodeGraph
    from codeexplore.types import Direction
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress
    from codeexplore.workspace.targets import Target as AnyTarget
    from codeexplore.workspace.view import SnapshotView


logger = logging.getLogger(__name__)
_FILE = "history.zip"


def repository_history(history: History, view: SnapshotView) -> RepositoryHistoryAnswer:
    items = []
    for path in view.index.sources:
        rows = history.commits_of(path)
        if not len(rows):
            continue
        authors = Counter(int(each) for each in history.authors[rows])
        most = history.names[authors.most_common(1)[0][0]]
        items.append(FileActivity(path, len(rows), history.date(int(rows[0])), len(authors), most))
    items.sort(key=lambda each: (-each.commits, each.path))
    first, last = (day(int(history.times.min())), day(int(history.times.max()))) if len(history) else ("", "")
    counts = len(history), history.merges
    return RepositoryHistoryAnswer(tuple(items), _authors(history), *counts, first, last, history.notes)


def _authors(history: History) -> tuple[Contributor, ...]:
    counts = Counter(int(each) for each in history.authors)
    latest: dict[int, int] = {}
    for author, time in zip(history.authors.tolist(), history.times.tolist(), strict=True):
        latest[author] = max(latest.get(author, 0), time)
    return tuple(
        Contributor(history.names[author], count, 0, day(latest[author]), count / len(history))
        for author, count in counts.most_common()
    )


def together_with(reader: HistoryView, given: AnyTarget, top_k: int) -> TogetherAnswer:
    top_k = check_count("top_k", top_k)
    target = reader.target(given)
    found, commits, notes = reader.together(target)
    items = with_connections(reader.graph(), target, found[:top_k]) if found else ()
    notes = (*notes, *reader.view.graph_notes)
    return TogetherAnswer(target, items, commits, len(found), reader.view.catalog, notes)


def with_hidden_coupling(answer: GraphAnswer, reader: HistoryView) -> GraphAnswer:
    """Return an impact with what often changed together with its start. Raises GitError and LoadCancelled."""
    seeds = tuple(each.path if each.kind == "module" else each for each in answer.seeds)
    found = HiddenCoupling(hidden_coupling(reader, seeds))
    return replace(answer, additions=(*answer.additions, found))


class HistoryStore:
    """The history of one workspace. It is read again when HEAD has moved."""

    def __init__(self, options: LoadOptions, *, cached: bool) -> None:
        self._options, self._cached = options, cached
        self._known: History | None = None

    def read(self, root: Path, progress: Progress) -> tuple[History, GitObjects]:
        """Return the history up to HEAD, and the objects of the repository. Raises GitError and LoadCancelled."""
        objects = GitObjects(root, progress.cancel, otherwise="")
        head = objects.commit("HEAD")
        known = self._known
        if known is None or known.head != head:
            known = self._stored(root, head)
        if known is None:
            commits = list_commits(objects, head)
            with progress.stage("history", len(commits.ids)) as report:
                known = History.of(commits, read_log(objects, commits.ids, report))
            self._store(root, known)
        self._known = known
        return known, objects

    def _stored(self, root: Path, head: str) -> History | None:
        if not self._cached:
            return None
        try:
            path = slot_of(root, self._options).folder / _FILE
            history = History.stored(Archive(path))
        except FileNotFoundError:
            return None
        except (OSError, DamagedIndex, ValueError) as error:
            logger.warning("the stored history is not used, so it is read again: %s", error)
            return None
        return history if history.head == head else None

    def _store(self, root: Path, history: History) -> None:
        if not self._cached:
            return
        try:
            folder = slot_of(root, self._options).folder
            make_private(folder)
            write_archive(folder / _FILE, {"root": str(root), **history.meta()}, history.members())
        except OSError as error:
            logger.warning("the history could not be stored in the cache: %s", error)


def reached_both_ways(graph: CodeGraph, target: Target) -> frozenset[str]:
    """Return the ids of the symbols that depend on a target, or on which it depends, over any number of edges."""
    catalog = graph.catalog
    ids = [target.id] if isinstance(target, Symbol) else [symbol.id for symbol in catalog.in_file(target)]
    ids = [each for each in ids if catalog.has_symbol(each)]  # a refresh may have replaced the graph
    found: set[str] = set(ids)
    impact = RELATING["impact"]
    directions: tuple[Direction, ...] = ("in", "out")
    for direction in directions:
        way = replace(impact, kinds=(*impact.kinds, "IMPORTS"), direction=direction)
        walked = walk(graph, seeds_of(graph, ids, way), way, depth=None, minimum=0.0, limit=len(catalog.symbols) + 1)
        found.update(graph.symbol(vertex).id for vertex in walked.depth)
    return frozenset(found)


def with_connections(graph: CodeGraph, target: Target, found: Sequence[Together]) -> tuple[Together, ...]:
    """Return the items, each with True or False in `connected`; None for a file without code."""
    reached = reached_both_ways(graph, target)
    paths = {graph.catalog.symbol(each).path for each in reached}

    def connected(item: Target) -> bool | None:
        if not reached:
            return None  # the target is not code
        if isinstance(item, Symbol):
            return item.id in reached
        language = registry.by_path(item)
        if language is None or registry.is_text(language.name) or not graph.catalog.in_file(item):
            return None
        return item in paths

    return tuple(each._replace(connected=connected(each.item)) for each in found)


def hidden_coupling(reader: HistoryView, targets: Sequence[Target]) -> tuple[Together, ...]:
    """Return the code that often changed together with a target and has no path to it, strongest first."""
    found: dict[Target, Together] = {}
    for target in targets:
        for item in with_connections(reader.graph(), target, reader.together(target)[0]):
            if is_hidden(item) and item.item not in targets:
                found.setdefault(item.item, item._replace(target=name_of(target) if len(targets) > 1 else ""))
    return tuple(sorted(found.values(), key=lambda item: -item.weight))
