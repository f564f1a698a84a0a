"""The history of files and symbols in one snapshot, and the answers from it.

Files are followed through the whole history. Lines and symbols are compared when they are asked for: the newest
commits of one file are enough, and their old versions are analysed from bytes in memory. A symbol is followed through
the versions of its file by its lines, in the manner of ``git log -L``. No old version is parsed: a comparison of lines
takes a millisecond, an analysis of a long file 50.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Indel

from codeexplore.features.review.git_objects import GitObjects
from codeexplore.features.review.history.answers import (
    CommitOf,
    Contributor,
    FileActivity,
    HistoryAnswer,
    RepositoryHistoryAnswer,
    Target,
    Together,
    TogetherAnswer,
    is_hidden,
    name_of,
)
from codeexplore.features.review.history.log import (
    MOST_FILES,
    ChangedPath,
    History,
    Shared,
    counted,
    day,
    files_together,
    read_versions,
    shared,
)
from codeexplore.graph.traversal import RELATING, seeds_of, walk
from codeexplore.languages import registry
from codeexplore.search.options import check_count
from codeexplore.types import Symbol
from codeexplore.types.errors import QuestionError, SymbolNotFound
from codeexplore.types.rows import grouped
from codeexplore.workspace.progress import Progress

if TYPE_CHECKING:
    from codeexplore.graph.model import CodeGraph
    from codeexplore.types import Direction
    from codeexplore.workspace.view import SnapshotView
    from codeexplore.workspace.view import Target as AnyTarget

MOST_LINES = 20_000
"""Lines of both versions together that are compared. The comparison needs a bit of memory for each pair of lines."""


class Lines(NamedTuple):
    """Consecutive lines, from `first` to `last`, counted from 1. There are none if `last` is `first` - 1."""

    first: int
    last: int

    def __bool__(self) -> bool:
        return self.last >= self.first


class Hunk(NamedTuple):
    """Lines that a version replaced by others. One of the two may be empty."""

    old: Lines
    new: Lines


class Versions(NamedTuple):
    """The hunks between two versions of a file, in order."""

    hunks: tuple[Hunk, ...]

    @property
    def added(self) -> int:
        return sum(hunk.new.last - hunk.new.first + 1 for hunk in self.hunks)

    def within(self, lines: Lines) -> list[Hunk]:
        """Return the hunks that touch these lines of the new version, or delete lines between two of them."""

        def touches(new: Lines) -> bool:
            if not new:
                return lines.first < new.first <= lines.last
            return max(new.first, lines.first) <= min(new.last, lines.last)

        return [hunk for hunk in self.hunks if touches(hunk.new)]

    def kept(self, lines: Lines) -> list[Lines]:
        """Return the places in the new version of those lines of the old one that are unchanged."""
        found: list[Lines] = []
        shift, at = 0, lines.first
        for hunk in (*self.hunks, Hunk(Lines(lines.last + 1, lines.last), Lines(0, -1))):
            end = min(hunk.old.first - 1, lines.last)
            if at <= end:
                found.append(Lines(at + shift, end + shift))
            if hunk.old.first > lines.last:
                break
            shift, at = hunk.new.last - hunk.old.last, max(at, hunk.old.last + 1)
        return found

    def before(self, lines: Lines) -> Lines:
        """Return the place in the old version of lines of the new one. It is empty if all of them were added."""
        return _carried(lines, [(hunk.new, hunk.old) for hunk in self.hunks])


def compared(old: bytes, new: bytes) -> Versions | None:
    """Compare two versions by the longest common subsequence of their lines; line ends make no difference.

    None if a version is binary, or if both have more than `MOST_LINES` lines.
    """
    if b"\0" in old[:8000] or b"\0" in new[:8000]:
        return None
    before, after = _lines(old), _lines(new)
    if len(before) + len(after) > MOST_LINES:
        return None
    codes: dict[bytes, int] = {}
    numbers = [[codes.setdefault(line, len(codes)) for line in lines] for lines in (before, after)]
    hunks: list[Hunk] = []
    for step in Indel.opcodes(*numbers):
        if step.tag == "equal":
            continue
        hunk = Hunk(Lines(step.src_start + 1, step.src_end), Lines(step.dest_start + 1, step.dest_end))
        if hunks and hunks[-1].old.last + 1 == hunk.old.first and hunks[-1].new.last + 1 == hunk.new.first:
            last = hunks.pop()
            hunk = Hunk(Lines(last.old.first, hunk.old.last), Lines(last.new.first, hunk.new.last))
        hunks.append(hunk)
    return Versions(tuple(hunks))


def _lines(data: bytes) -> list[bytes]:
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return lines[:-1] if not lines[-1] else lines


def _carried(lines: Lines, hunks: Sequence[tuple[Lines, Lines]]) -> Lines:
    """Return the place of lines in another version. `hunks` are pairs (lines in this version, in the other), in order.

    The lines of a hunk that is inside are all carried over. Of a hunk that reaches beyond an end, as many lines are
    carried over from that side as are inside.
    """
    ends: list[int] = []
    shift, at = 0, lines.first  # unchanged lines from `at` on are `shift` later in the other version
    for here, there in hunks:
        if here.first > lines.last:
            break
        if at < here.first and at <= lines.last:
            ends += [at + shift, min(here.first - 1, lines.last) + shift]
        first = there.first if here.first >= lines.first else max(there.first, there.last - (here.last - lines.first))
        last = there.last if here.last <= lines.last else min(there.last, there.first + (lines.last - here.first))
        overlaps = here.last >= lines.first if here else here.first > lines.first
        if overlaps and first <= last:
            ends += [first, last]
        shift = there.last - here.last
        at = max(at, here.last + 1)
    if at <= lines.last:
        ends += [at + shift, lines.last + shift]
    return Lines(min(ends), max(ends)) if ends else Lines(1, 0)


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

    def whole(self) -> RepositoryHistoryAnswer:
        """Return the history of the repository."""
        history, items = self.history, []
        for path in self.view.index.sources:
            rows = history.commits_of(path)
            if len(rows):
                authors = Counter(int(each) for each in history.authors[rows])
                most = history.names[authors.most_common(1)[0][0]]
                items.append(FileActivity(path, len(rows), history.date(int(rows[0])), len(authors), most))
        items.sort(key=lambda each: (-each.commits, each.path))
        latest: dict[int, int] = {}
        for author, time in zip(history.authors.tolist(), history.times.tolist(), strict=True):
            latest[author] = max(latest.get(author, 0), time)
        people = tuple(
            Contributor(history.names[author], count, 0, day(latest[author]), count / len(history))
            for author, count in Counter(history.authors.tolist()).most_common()
        )
        span = (day(int(history.times.min())), day(int(history.times.max()))) if len(history) else ("", "")
        return RepositoryHistoryAnswer(tuple(items), people, len(history), history.merges, *span, history.notes)

    def of(self, target: Target) -> HistoryAnswer:
        """Return the commits and contributors of a file or symbol. Raises GitError and LoadCancelled."""
        path = target if isinstance(target, str) else target.path
        rows = [int(row) for row in self.history.commits_of(path)]
        newest = rows[:MOST_COMPARED]
        if isinstance(target, str):  # binary files have no lines
            pairs = ((row, compared(pair.old, pair.new)) for row, pair in self._file_pairs(path, newest))
            lines = {row: versions.added for row, versions in pairs if versions is not None}
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

    def together(self, target: Target, top_k: int) -> TogetherAnswer:
        top_k = check_count("top_k", top_k)
        found, commits, notes = self._together(target)
        items = self._with_connections(target, found[:top_k]) if found else ()
        notes = (*notes, *self.view.graph_notes)
        return TogetherAnswer(target, items, commits, len(found), self.view.catalog, notes)

    def hidden_coupling(self, targets: Sequence[Target]) -> tuple[Together, ...]:
        """Return the code that often changed together with a target and has no path to it, strongest first."""
        found: dict[Target, Together] = {}
        for target in targets:
            for item in self._with_connections(target, self._together(target)[0]):
                if is_hidden(item) and item.item not in targets:
                    found.setdefault(item.item, item._replace(target=name_of(target) if len(targets) > 1 else ""))
        return tuple(sorted(found.values(), key=lambda item: -item.weight))

    def _with_connections(self, target: Target, found: Sequence[Together]) -> tuple[Together, ...]:
        """Return the items, each with True or False in `connected`; None for a file without code."""
        graph = self.graph()
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

    def _together(self, target: Target) -> tuple[tuple[Together, ...], int, tuple[str, ...]]:
        """Return what changed together with a file or symbol, how many of its commits were counted, and notices.

        Files changed together with a file, symbols with a symbol. Items that no longer exist are left out.
        """
        return self._symbols(target) if isinstance(target, Symbol) else (*self._files(target), self.history.notes)

    def _files(self, path: str) -> tuple[tuple[Together, ...], int]:
        number = self.history.file(path)
        if number is None:
            return (), 0
        found, count = files_together(self.history, number)
        index, shared = self.view.index, [(self.history.paths[other], item) for other, item in found.items()]
        present = [(path, item) for path, item in shared if path in index.sources or (index.root / path).is_file()]
        return tuple(self._item(path, item, count) for path, item in present), count

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
        self._present = cache(lambda path: (text_of(view, path), _innermost(view.catalog.in_file(path))))

    def changed(self, path: str, old: bytes, new: bytes) -> list[Symbol]:
        """Return the symbols of today at the places that a commit changed in the file with this present path.

        `old` and `new` are the file before and after the commit, as UTF-8. Modules are left out.
        """
        view = self._view
        if path not in view.sources or registry.is_text(view.sources[path].language):
            return []
        present, rows = self._present(path)
        versions, step = compared(old, new), compared(new, present)
        if versions is None or step is None:
            return []
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
            beside = (hunk.new.first - 1, hunk.new.last + 1)
            around = [rows[line] if 0 < line < len(rows) else None for line in beside]
            found += around[:1] if around[0] is around[1] else []
    return [each for each in dict.fromkeys(found) if each is not None]


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
