"""The history of files and symbols in one snapshot.

Files are followed through the whole history. Lines and symbols are compared when they are asked for: the newest
commits of one file are enough, and their old versions are analysed from bytes in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeexplore.features.review.git_objects import GitObjects
from codeexplore.features.review.history.answers import CommitOf, Contributor, HistoryAnswer, Target, Together
from codeexplore.features.review.history.git_log import ChangedPath, read_versions
from codeexplore.features.review.history.line_versions import Lines, Versions, compared
from codeexplore.features.review.history.log import MOST_FILES, History, Shared, counted, day, files_together, shared
from codeexplore.languages import registry
from codeexplore.types import Symbol
from codeexplore.types.errors import QuestionError, SymbolNotFound
from codeexplore.types.rows import grouped
from codeexplore.workspace.progress import Progress

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.workspace.targets import Target as AnyTarget
    from codeexplore.workspace.view import SnapshotView

MOST_COMPARED = 300
"""Commits of one file whose lines are compared, the newest first. Ten versions are compared in about 20 ms."""
MOST_PARTNERS = 100
"""Commits of one symbol whose other files are compared too, the newest first."""
LEAST_TOGETHER = 2
"""Commits that two symbols must share: one shared commit says nothing."""
YEAR = 365.25 * 24 * 3600
"""Seconds after which an author's line counts half in `Contributor.weight`."""
_BATCH = 20  # commits whose versions are in memory at once
_MOST_BYTES = 1 << 20  # of a version that is compared


@dataclass(frozen=True)
class HistoryView:
    """The history of one snapshot, for one call."""

    history: History
    objects: GitObjects
    view: SnapshotView
    graph: Callable[[], CodeGraph]  # waits while it is being built
    progress: Progress

    def target(self, given: AnyTarget) -> Target:
        """Return the symbol or path that `given` means. Raises SymbolNotFound and AmbiguousSymbol.

        A path may be that of a file that is not indexed or no longer exists, or an earlier one. A module means its
        file.
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

    def of(self, target: Target) -> HistoryAnswer:
        """Return the commits and contributors of a file or symbol. Raises GitError and LoadCancelled."""
        path = target if isinstance(target, str) else target.path
        rows = [int(row) for row in self.history.commits_of(path)]
        newest = rows[:MOST_COMPARED]
        if isinstance(target, str):
            lines = self._lines_of(path, newest)
        else:
            lines = self._symbol_lines(target, newest)
            rows = list(lines)
        commits = []
        for row in rows:
            known = self.history.ids[row], self.history.date(row), self.history.author(row)
            commits.append(CommitOf(*known, int(self.history.sizes[row]), lines.get(row, 0)))
        names = tuple(each for each in self.history.spellings_of(path) if each != path)
        notes, count = list(self.history.notes), len(self.history.commits_of(path))
        if count > MOST_COMPARED:
            notes.append(f"The lines of the newest {MOST_COMPARED:,} of {count:,} commits of {path} were compared.")
        if isinstance(target, Symbol):
            notes.append("A symbol is followed by its lines: if it came from another place, its history begins there.")
        return HistoryAnswer(target, tuple(commits), self._contributors(rows, lines), names, tuple(notes))

    def _contributors(self, rows: Sequence[int], lines: Mapping[int, int]) -> tuple[Contributor, ...]:
        history = self.history
        newest = max((int(history.times[row]) for row in rows), default=0)
        by_author = grouped((int(history.authors[row]), row) for row in rows)
        weights = {
            author: sum(lines.get(row, 0) * 0.5 ** ((newest - int(history.times[row])) / YEAR) for row in own)
            for author, own in by_author.items()
        }
        total = sum(weights.values()) or 1.0
        found = []
        for author, own in by_author.items():
            changed, last = sum(lines.get(row, 0) for row in own), day(max(int(history.times[row]) for row in own))
            found.append(Contributor(history.names[author], len(own), changed, last, weights[author] / total))
        return tuple(sorted(found, key=lambda each: (-each.weight, -each.commits, each.name)))

    def _pairs(self, rows: Sequence[int], paths: Sequence[str] = ()) -> Iterator[tuple[int, list[_Pair]]]:
        """Yield (row of a commit, its files with both versions). Files of more than `_MOST_BYTES` are left out."""
        with self.progress.stage("versions", len(rows)) as report:
            for start in range(0, len(rows), _BATCH):
                batch = {self.history.ids[row]: row for row in rows[start : start + _BATCH]}
                commits = list(read_versions(self.objects, list(batch), paths))
                files = [file for commit in commits for file in commit.files if file.regular]
                ids = {each for file in files for each in (file.old_id, file.new_id) if each}
                contents = {"": b""} | self.objects.blobs(ids, _MOST_BYTES)
                for commit in commits:
                    read = [
                        file for file in commit.files if file.regular and {file.old_id, file.new_id} <= contents.keys()
                    ]
                    yield batch[commit.id], [_Pair(each, contents[each.old_id], contents[each.new_id]) for each in read]
                report(min(start + _BATCH, len(rows)))

    def _file_pairs(self, path: str, rows: Sequence[int]) -> Iterator[tuple[int, _Pair]]:
        """Yield (row of a commit, both versions of one file), newest first."""
        for row, pairs in self._pairs(rows, self.history.spellings_of(path)):
            if pairs:
                yield row, pairs[0]

    def _lines_of(self, path: str, rows: Sequence[int]) -> dict[int, int]:
        """Return row of a commit → lines of a file that it added or changed. Binary files have none."""
        pairs = ((row, compared(pair.old, pair.new)) for row, pair in self._file_pairs(path, rows))
        return {row: versions.added for row, versions in pairs if versions is not None}

    def _symbol_lines(self, symbol: Symbol, rows: Sequence[int]) -> dict[int, int]:
        """Return row of a commit → lines of a symbol that it added or changed, for the commits that changed it.

        The symbol is followed by its lines, from the present version to older ones. A commit of another branch may have
        a version that is not the next older one, so the lines are carried over to it first.
        """
        found: dict[int, int] = {}
        lines = Lines(symbol.span.start_line, symbol.span.end_line)
        data, data_id = text_of(self.view, symbol.path), ""
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

    def together(self, target: Target) -> tuple[tuple[Together, ...], int, tuple[str, ...]]:
        """Return what changed together with a file or symbol, how many of its commits were counted, and notices.

        Files changed together with a file, symbols with a symbol. Items that no longer exist are left out.
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
        support, last = len(found.rows), self.history.date(found.rows[0])
        examples = tuple(self.history.ids[row] for row in found.rows[:3])
        return Together(item, support, count, support / count, last, found.weight, examples=examples)

    def _symbols(self, target: Symbol) -> tuple[tuple[Together, ...], int, tuple[str, ...]]:
        rows = [int(row) for row in self.history.commits_of(target.path)][:MOST_COMPARED]
        touched = list(self._symbol_lines(target, rows))
        rows = counted(self.history, touched)[:MOST_PARTNERS]
        owners = LineOwners(self.view)
        commits: list[tuple[int, list[str]]] = []
        for row, pairs in self._pairs(rows):
            last = self._last_paths(row)
            items: dict[str, None] = {}
            for pair in pairs:
                self.progress.check()
                for symbol in owners.changed(last.get(pair.file.path, pair.file.path), pair.old, pair.new):
                    if symbol.path != target.path or not _is_same(symbol, target):
                        items[symbol.id] = None
            commits.append((row, list(items)))
        notes = [*self.history.notes]
        if len(touched) > len(rows):
            notes.append(
                f"{len(rows):,} of {len(touched):,} commits were counted: those of at most {MOST_FILES} files, and "
                f"the newest {MOST_PARTNERS}."
            )
        together = {symbol_id: item for symbol_id, item in shared(commits).items() if len(item.rows) >= LEAST_TOGETHER}
        symbols = [self.view.catalog.symbol(symbol_id) for symbol_id in together]
        listed = [each for each in symbols if each.parent not in together]  # not the members of a listed type
        return tuple(self._item(each, together[each.id], len(rows)) for each in listed), len(rows), tuple(notes)

    def _last_paths(self, row: int) -> dict[str, str]:
        history = self.history
        span = slice(int(history.starts[row]), int(history.starts[row + 1]))
        pairs = zip(history.called[span], history.files[span], strict=True)
        return {history.spellings[code]: history.paths[file] for code, file in pairs}


@dataclass(frozen=True)
class _Pair:
    """A file in a commit with both of its contents."""

    file: ChangedPath
    old: bytes
    new: bytes


def _is_same(symbol: Symbol, target: Symbol) -> bool:
    one, other = symbol.fqn, target.fqn
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def text_of(view: SnapshotView, path: str) -> bytes:
    return bytes(view.sources[path].text.encode("utf-8", "replace"))


class LineOwners:
    """The innermost present symbol of each line that an old commit changed."""

    def __init__(self, view: SnapshotView) -> None:
        self._view = view
        self._present: dict[str, bytes] = {}
        self._rows: dict[str, list[Symbol | None]] = {}

    def changed(self, path: str, old: bytes, new: bytes) -> list[Symbol]:
        """Return the symbols of today at the places that a commit changed in the file with this present path.

        `old` and `new` are the file before and after the commit, as UTF-8. Modules are left out.
        """
        view = self._view
        if path not in view.sources or registry.is_text(view.sources[path].language):
            return []
        if path not in self._present:
            self._present[path] = text_of(view, path)
            self._rows[path] = _innermost(view.catalog.in_file(path))
        versions, step = compared(old, new), compared(new, self._present[path])
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
    """Return the symbols that have these lines of an old version today; `rows` has the symbol of each line of today.

    `step` leads from the old version to that of today. Where lines were replaced by as many others since, each means
    the line in its place. Where their number changed, the symbol is only known if the lines around belong to the same
    one.
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
