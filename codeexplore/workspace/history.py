"""The history of a workspace: read from git once, kept in memory and in the cache, and asked about files and symbols.

Files are followed through the whole history. Lines and symbols are compared when they are asked for: the newest
commits of one file are enough, and their old versions are analysed from bytes in memory.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.errors import DamagedIndex, QuestionError, SymbolNotFound
from codeexplore.history.cochange import MOST_FILES, Shared, counted, files_together, shared
from codeexplore.history.log import History, day
from codeexplore.history.records import CommitOf, Contributor, Target, TargetHistory, Together
from codeexplore.history.versions import Lines, Versions, compared
from codeexplore.index.archive import Archive, write_archive
from codeexplore.languages import registry
from codeexplore.source.cache_dir import make_private
from codeexplore.source.git_log import Version, list_commits, read_log, read_versions
from codeexplore.source.git_objects import GitObjects
from codeexplore.types import Symbol
from codeexplore.workspace.cache import slot_of
from codeexplore.workspace.progress import Bar, Progress, ProgressHook

if TYPE_CHECKING:
    import threading

    from codeexplore.graph.model import CodeGraph
    from codeexplore.results.history import HistoryAnswer, RepositoryHistoryAnswer, TogetherAnswer
    from codeexplore.types import Direction
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.snapshot import Index
    from codeexplore.workspace.targets import Target as AnyTarget
    from codeexplore.workspace.view import SnapshotView

logger = logging.getLogger(__name__)

MOST_COMPARED = 300
"""Commits of one file whose lines are compared, the newest first. Ten versions are compared in about 20 ms."""

MOST_PARTNERS = 100
"""Commits of one symbol whose other files are compared too, the newest first."""

YEAR = 365.25 * 24 * 3600
"""Seconds after which an author's line counts half in `Contributor.weight`."""

_BATCH = 20  # commits whose versions are in memory at once
_MOST_BYTES = 1 << 20  # of a version that is compared
_FILE = "history.zip"


class HistoryStore:
    """The history of one workspace. It is read again when HEAD has moved."""

    def __init__(self, options: LoadOptions, *, cached: bool) -> None:
        self._options, self._cached = options, cached
        self._known: History | None = None

    def read(self, root: Path, progress: Progress) -> tuple[History, GitObjects]:
        """Return the history up to HEAD, and the objects of the repository.

        Raises GitError and LoadCancelled.
        """
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


@dataclass(frozen=True)
class HistoryView:
    """The history of one snapshot, for one call."""

    history: History
    objects: GitObjects
    view: SnapshotView
    graph: Callable[[], CodeGraph]  # waits while it is being built
    progress: Progress

    # ----------------------------------------------------------------- targets

    def target(self, given: AnyTarget) -> Target:
        """Return the symbol or the path that `given` means.

        A path may also be that of a file that is not indexed or no longer exists, or an earlier path of a file. A
        module means its file.

        Raises SymbolNotFound and AmbiguousSymbol.
        """
        if isinstance(given, str):
            if not given.strip():
                raise QuestionError("give the name of a symbol or the path of a file")
            found = self.view.catalog.find_paths(given)
            if len(found) == 1:
                return found[0]
            if (last := self.history.last_path(given)) is not None:
                return last
        try:
            symbol = self.view.symbol(given)
        except SymbolNotFound as error:
            if isinstance(given, str):
                raise self.view.undefined(error, given) from None
            raise
        return symbol.path if symbol.kind == "module" else symbol

    # ----------------------------------------------------------------- one file or symbol

    def of(self, target: Target) -> TargetHistory:
        """Return the commits and the contributors of a file or symbol.

        Raises GitError if an old version is missing or damaged, and LoadCancelled.
        """
        path = target if isinstance(target, str) else target.path
        rows = [int(row) for row in self.history.commits_of(path)]
        newest = rows[:MOST_COMPARED]
        if isinstance(target, str):
            lines = self._lines_of(path, newest)
        else:
            lines = self._symbol_lines(target, newest)
            rows = list(lines)
        commits = tuple(
            CommitOf(self.history.id_of(row), self.history.date(row), self.history.author(row),
                     int(self.history.sizes[row]), lines.get(row, 0))
            for row in rows
        )  # fmt: skip
        names = tuple(each for each in self.history.spellings_of(path) if each != path)
        notes = self._notes(path, len(self.history.commits_of(path)), isinstance(target, Symbol))
        return TargetHistory(commits, self._contributors(rows, lines), names, notes)

    def _notes(self, path: str, count: int, of_symbol: bool) -> tuple[str, ...]:
        found = list(self.history.notes)
        if count > MOST_COMPARED:
            found.append(f"The lines of the newest {MOST_COMPARED:,} of {count:,} commits of {path} were compared.")
        if of_symbol:
            found.append("A symbol is followed by its lines: if it came from another place, its history begins there.")
        return tuple(found)

    def _contributors(self, rows: Sequence[int], lines: Mapping[int, int]) -> tuple[Contributor, ...]:
        history = self.history
        newest = max((int(history.times[row]) for row in rows), default=0)
        by_author: dict[int, list[int]] = defaultdict(list)
        for row in rows:
            by_author[int(history.authors[row])].append(row)
        weights = {
            author: sum(lines.get(row, 0) * 0.5 ** ((newest - int(history.times[row])) / YEAR) for row in own)
            for author, own in by_author.items()
        }
        total = sum(weights.values()) or 1.0
        found = [
            Contributor(
                history.names[author], len(own), sum(lines.get(row, 0) for row in own),
                day(max(int(history.times[row]) for row in own)), weights[author] / total,
            )
            for author, own in by_author.items()
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda each: (-each.weight, -each.commits, each.name)))

    # ----------------------------------------------------------------- versions

    def _pairs(self, rows: Sequence[int], paths: Sequence[str] = ()) -> Iterator[tuple[int, list[_Pair]]]:
        """Yield (row of a commit, its files with both versions). Files of more than `_MOST_BYTES` are left out."""
        with self.progress.stage("versions", len(rows)) as report:
            for start in range(0, len(rows), _BATCH):
                batch = {self.history.id_of(row): row for row in rows[start : start + _BATCH]}
                versions = list(read_versions(self.objects, list(batch), paths))
                ids = {each for _, files in versions for file in files for each in (file.old_id, file.new_id) if each}
                contents = {"": b""} | self.objects.blobs(ids, _MOST_BYTES)
                for commit, files in versions:
                    yield (
                        batch[commit],
                        [
                            _Pair(file, contents[file.old_id], contents[file.new_id])
                            for file in files
                            if file.old_id in contents and file.new_id in contents
                        ],
                    )
                report(min(start + _BATCH, len(rows)))

    def _file_pairs(self, path: str, rows: Sequence[int]) -> Iterator[tuple[int, _Pair]]:
        """Yield (row of a commit, both versions of one file), newest first."""
        for row, pairs in self._pairs(rows, self.history.spellings_of(path)):
            if pairs:
                yield row, pairs[0]

    def _lines_of(self, path: str, rows: Sequence[int]) -> dict[int, int]:
        """Return row of a commit → lines of a file that it added or changed. Binary files have none."""
        found = {}
        for row, pair in self._file_pairs(path, rows):
            versions = compared(pair.old, pair.new)
            if versions is not None:
                found[row] = versions.added
        return found

    def _symbol_lines(self, symbol: Symbol, rows: Sequence[int]) -> dict[int, int]:
        """Return row of a commit → lines of a symbol that it added or changed, for the commits that changed it.

        The symbol is followed by its lines, from the present version to older ones. A commit of another branch may have
        a version that is not the next older one, so the lines are carried over to it first.
        """
        found: dict[int, int] = {}
        lines = Lines(symbol.span.start_line, symbol.span.end_line)
        data, data_id = self.text(symbol.path), ""
        for row, pair in self._file_pairs(symbol.path, rows):
            self.progress.check()
            step = compared(pair.new, data) if pair.file.new_id != data_id else Versions(())
            versions = compared(pair.old, pair.new)
            if step is None or versions is None or not (here := step.before(lines)):
                continue
            touched = versions.within(here)
            if touched:
                found[row] = sum(
                    max(0, min(hunk.new.last, here.last) - max(hunk.new.first, here.first) + 1) for hunk in touched
                )
            older = versions.before(here)
            if not older:
                break  # this commit added the symbol
            data, data_id, lines = pair.old, pair.file.old_id, older
        return found

    def text(self, path: str) -> bytes:
        """Return the loaded text of a file as UTF-8."""
        return bytes(self.view.sources[path].text.encode("utf-8", "replace"))

    # ----------------------------------------------------------------- together

    def together(self, target: Target) -> tuple[tuple[Together, ...], int, tuple[str, ...]]:
        """Return what changed together with a file or symbol, how many of its commits were counted, and notices.

        Files changed together with a file, symbols with a symbol. Items that no longer exist are left out.

        Raises GitError and LoadCancelled.
        """
        if isinstance(target, str):
            found, count = self._files(target)
            return found, count, self.history.notes
        return self._symbols(target)

    def _files(self, path: str) -> tuple[tuple[Together, ...], int]:
        number = self.history.file(path)
        if number is None:
            return (), 0
        found, count = files_together(self.history, number)
        present = [(self.history.paths[other], item) for other, item in found.items() if self._is_present(other)]
        return tuple(self._item(other, item, count) for other, item in present), count

    def _is_present(self, file: int) -> bool:
        path = self.history.paths[file]
        return path in self.view.index.sources or (self.view.index.root / path).is_file()

    def _item(self, item: Target, found: Shared, count: int) -> Together:
        history = self.history
        return Together(
            item, len(found.rows), count, len(found.rows) / count, history.date(found.rows[0]), found.weight,
            examples=tuple(history.id_of(row) for row in found.rows[:3]),
        )  # fmt: skip

    def _symbols(self, target: Symbol) -> tuple[tuple[Together, ...], int, tuple[str, ...]]:
        rows = [int(row) for row in self.history.commits_of(target.path)][:MOST_COMPARED]
        touched = list(self._symbol_lines(target, rows))
        rows = counted(self.history, touched)[:MOST_PARTNERS]
        owners = _Owners(self)
        commits: list[tuple[int, list[str]]] = []
        for row, pairs in self._pairs(rows):
            last = self._last_paths(row)
            items: dict[str, None] = {}
            for pair in pairs:
                self.progress.check()
                for symbol in owners.changed(last.get(pair.file.path, pair.file.path), pair):
                    if symbol.path != target.path or not _is_same(symbol, target):
                        items[symbol.id] = None
            commits.append((row, list(items)))
        notes = [*self.history.notes]
        if len(touched) > len(rows):
            notes.append(
                f"{len(rows):,} of {len(touched):,} commits were counted: those of at most {MOST_FILES} files, and "
                f"the newest {MOST_PARTNERS}."
            )
        found = tuple(
            self._item(self.view.catalog.symbol(symbol_id), item, len(rows))
            for symbol_id, item in shared(commits).items()
        )
        return found, len(rows), tuple(notes)

    def _last_paths(self, row: int) -> dict[str, str]:
        """Return path in a commit → last path of the file."""
        history = self.history
        span = slice(int(history.starts[row]), int(history.starts[row + 1]))
        pairs = zip(history.called[span], history.files[span], strict=True)
        return {history.spellings[code]: history.paths[file] for code, file in pairs}


@dataclass(frozen=True)
class _Pair:
    """A file in a commit with both of its contents."""

    file: Version
    old: bytes
    new: bytes


class _Owners:
    """The innermost present symbol of each line that an old commit changed."""

    def __init__(self, reader: HistoryView) -> None:
        self._reader = reader
        self._present: dict[str, bytes] = {}
        self._rows: dict[str, list[Symbol | None]] = {}

    def changed(self, path: str, pair: _Pair) -> list[Symbol]:
        """Return the symbols of today at the places that a commit changed in a file. Modules are left out."""
        view = self._reader.view
        if path not in view.sources or registry.is_text(view.sources[path].language):
            return []
        if path not in self._present:
            self._present[path] = self._reader.text(path)
            self._rows[path] = _innermost(view.catalog.in_file(path))
        versions, step = compared(pair.old, pair.new), compared(pair.new, self._present[path])
        if versions is None or step is None:
            return []
        rows = self._rows[path]
        found: dict[str, Symbol] = {}
        for hunk in versions.hunks:
            if hunk.new:
                owners = _at(rows, hunk.new, step)
            else:  # a deletion is in a symbol that has the lines before and after it
                around = [_at(rows, Lines(line, line), step) for line in (hunk.new.first - 1, hunk.new.first)]
                owners = [each for each in around[0] if each in around[1]]
            found.update({owner.id: owner for owner in owners})
        return list(found.values())


def _at(rows: Sequence[Symbol | None], lines: Lines, step: Versions) -> list[Symbol]:
    """Return the symbols that have these lines of an old version today.

    Parameters
    ----------
    rows
        The symbol of each line of today.
    step
        From the old version to that of today. Where lines were replaced by as many others since, each means the line
        in its place. Where their number changed, the symbol is only known if the lines around belong to the same one.
    """
    found: list[Symbol | None] = []
    for kept in step.kept(lines):
        found += rows[kept.first : kept.last + 1]
    for hunk in step.hunks:
        first, last = max(hunk.old.first, lines.first), min(hunk.old.last, lines.last)
        if first > last:
            continue
        if hunk.old.last - hunk.old.first == hunk.new.last - hunk.new.first:  # one line for one line
            shift = hunk.new.first - hunk.old.first
            found += rows[first + shift : last + shift + 1]
        else:
            around = [_row(rows, line) for line in (hunk.new.first - 1, hunk.new.last + 1)]
            found += around[:1] if around[0] is around[1] else []
    return [each for each in dict.fromkeys(found) if each is not None]


def _row(rows: Sequence[Symbol | None], line: int) -> Symbol | None:
    """Return the symbol of a line; None for a line without one."""
    return rows[line] if 0 < line < len(rows) else None


def _innermost(symbols: Sequence[Symbol]) -> list[Symbol | None]:
    """Return the innermost symbol of each line, by the number of the line. Modules and lambdas are left out."""
    rows: list[Symbol | None] = []
    for symbol in symbols:
        if symbol.kind in ("module", "lambda"):
            continue
        first, last = symbol.span.start_line, symbol.span.end_line
        rows += [None] * (last + 1 - len(rows))
        rows[first : last + 1] = [symbol] * (last + 1 - first)  # a member comes after its type
    return rows


def _is_same(symbol: Symbol, target: Symbol) -> bool:
    """Return True for the target, its overloads and members, and the types around it."""
    one, other = symbol.fqn, target.fqn
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def reached_both_ways(graph: CodeGraph, target: Target) -> frozenset[str]:
    """Return the ids of the symbols that depend on a target, or on which it depends, over any number of edges."""
    from codeexplore.graph.traversal import RELATING, seeds_of, walk

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


# --------------------------------------------------------------------------- answers


def reader_of(
    view: SnapshotView,
    store: HistoryStore,
    with_graph: Callable[[], Index],
    progress: ProgressHook | None,
    cancel: threading.Event | None,
) -> HistoryView:
    """Return the history for one call. Raises GitError and LoadCancelled."""
    with Bar(view.index.name) if progress is None else nullcontext(progress) as hook:
        history, objects = store.read(view.index.root, Progress(hook, cancel))
    return HistoryView(history, objects, view, lambda: with_graph().graph, Progress(progress, cancel))


def repository_history(history: History, view: SnapshotView) -> RepositoryHistoryAnswer:
    """Return the answer about the whole repository: its files, those that changed most often first."""
    from codeexplore.results.history import FileActivity, RepositoryHistoryAnswer

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
    from codeexplore.results.history import HistoryAnswer

    target = reader.target(given)
    return HistoryAnswer(target, reader.of(target), reader.view.catalog)


def together_with(reader: HistoryView, given: AnyTarget, top_k: int) -> TogetherAnswer:
    """Return the answer about what changed together with a file or symbol."""
    from codeexplore.results.history import TogetherAnswer
    from codeexplore.search.query.options import check_count

    top_k = check_count("top_k", top_k)
    target = reader.target(given)
    found, commits, notes = reader.together(target)
    items = with_connections(reader.graph(), target, found[:top_k]) if found else ()
    notes = (*notes, *reader.view.graph_notes)
    return TogetherAnswer(target, items, commits, len(found), reader.view.catalog, notes)


def hidden_coupling(reader: HistoryView, targets: Sequence[Target]) -> tuple[Together, ...]:
    """Return the code that often changed together with one of the targets and has no path to it, strongest first.

    Raises GitError and LoadCancelled.
    """
    from codeexplore.results.history import is_hidden, name_of

    found: dict[Target, Together] = {}
    for target in targets:
        for item in with_connections(reader.graph(), target, reader.together(target)[0]):
            if is_hidden(item) and item.item not in targets:
                found.setdefault(item.item, item._replace(target=name_of(target) if len(targets) > 1 else ""))
    return tuple(sorted(found.values(), key=lambda item: -item.weight))
