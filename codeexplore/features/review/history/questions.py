"""Answers from the history: of the repository, of a file or symbol, and of what changes together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from codeexplore.features.review.history.coupling import hidden_coupling, with_connections
from codeexplore.features.review.history.log import History, day
from codeexplore.features.review.history.records import Contributor
from codeexplore.features.review.history.store import HistoryStore
from codeexplore.features.review.history.view import HistoryView
from codeexplore.workspace.progress import Bar, Progress, ProgressHook

if TYPE_CHECKING:
    import threading

    from codeexplore.answers.graph import GraphAnswer
    from codeexplore.features.review.history.answers import HistoryAnswer, RepositoryHistoryAnswer, TogetherAnswer
    from codeexplore.graph.model import CodeGraph
    from codeexplore.workspace.targets import Target as AnyTarget
    from codeexplore.workspace.view import SnapshotView


def reader_of(
    view: SnapshotView,
    store: HistoryStore,
    with_graph: Callable[[], CodeGraph],
    progress: ProgressHook | None,
    cancel: threading.Event | None,
) -> HistoryView:
    """Return the history for one call. Raises GitError and LoadCancelled."""
    with Bar(view.index.name) if progress is None else nullcontext(progress) as hook:
        history, objects = store.read(view.index.root, Progress(hook, cancel))
    return HistoryView(history, objects, view, with_graph, Progress(progress, cancel))


def repository_history(history: History, view: SnapshotView) -> RepositoryHistoryAnswer:
    """Return the answer about the whole repository: its files, those that changed most often first."""
    from codeexplore.features.review.history.answers import FileActivity, RepositoryHistoryAnswer

    items = []
    for path in view.index.sources:
        rows = history.commits_of(path)
        if not len(rows):
            continue
        authors = Counter(int(each) for each in history.authors[rows])
        most = history.names[authors.most_common(1)[0][0]]
        items.append(FileActivity(path, len(rows), history.date(int(rows[0])), len(authors), most))
    items.sort(key=lambda each: (-each.commits, each.path))
    return RepositoryHistoryAnswer(
        tuple(items), _authors(history), len(history), history.merges,
        day(int(history.times.min())) if len(history) else "", day(int(history.times.max())) if len(history) else "",
        view.catalog, history.notes,
    )  # fmt: skip


def _authors(history: History) -> tuple[Contributor, ...]:
    """Return every author, by commits. Lines are not compared."""
    counts = Counter(int(each) for each in history.authors)
    latest: dict[int, int] = {}
    for author, time in zip(history.authors.tolist(), history.times.tolist(), strict=True):
        latest[author] = max(latest.get(author, 0), time)
    return tuple(
        Contributor(history.names[author], count, 0, day(latest[author]), count / len(history))
        for author, count in counts.most_common()
    )


def history_of(reader: HistoryView, given: AnyTarget) -> HistoryAnswer:
    """Return the answer about a file or symbol."""
    from codeexplore.features.review.history.answers import HistoryAnswer

    target = reader.target(given)
    return HistoryAnswer(target, reader.of(target), reader.view.catalog)


def together_with(reader: HistoryView, given: AnyTarget, top_k: int) -> TogetherAnswer:
    """Return the answer about what changed together with a file or symbol."""
    from codeexplore.features.review.history.answers import TogetherAnswer
    from codeexplore.search.options import check_count

    top_k = check_count("top_k", top_k)
    target = reader.target(given)
    found, commits, notes = reader.together(target)
    items = with_connections(reader.graph(), target, found[:top_k]) if found else ()
    notes = (*notes, *reader.view.graph_notes)
    return TogetherAnswer(target, items, commits, len(found), reader.view.catalog, notes)


def with_hidden_coupling(answer: GraphAnswer, reader: HistoryView) -> GraphAnswer:
    """Return an impact with what often changed together with its start and has no path to it.

    Raises GitError and LoadCancelled.
    """
    from codeexplore.features.review.history.answers import HiddenCoupling

    seeds = tuple(each.path if each.kind == "module" else each for each in answer.seeds)
    found = HiddenCoupling(hidden_coupling(reader, seeds))
    return replace(answer, additions=(*answer.additions, found))
