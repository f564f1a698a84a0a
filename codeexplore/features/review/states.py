"""Two states of a repository, for `Review.changes` and `Review.compare`: `compared` compares them.

Each is an overlay on the loaded index: bytes in memory of the files by which it differs. Only these are analysed, and
everything else is taken from the index, as for a refresh (`workspace.refresh`). No file is written, so names from a
commit or a patch never reach the file system. The rules by which files belong to a state are here, too.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codeexplore.answers.wording import plural
from codeexplore.features.review.archive import Alignment, aligned, is_archive, read_archive
from codeexplore.features.review.git_objects import GitObjects, Tree, TreeFile, object_id
from codeexplore.features.review.match import Matcher
from codeexplore.features.review.patch import FilePatch, applied, parse_patch
from codeexplore.features.review.public_interface import with_breaking
from codeexplore.features.review.records import Comparison, FileChange, Side
from codeexplore.features.review.tests.commands import BUILD_FILES, PYTEST_FILES
from codeexplore.gc_pause import gc_paused
from codeexplore.graph.build.file_uses import file_uses, with_file_uses
from codeexplore.graph.model import CodeGraph
from codeexplore.index.files import AnalysedFile, FileFactsStore, batch_result, updated_sources
from codeexplore.languages import registry
from codeexplore.languages.extraction.expressions import Layout
from codeexplore.names import PublicNames
from codeexplore.source import filters
from codeexplore.source.discovery import Candidate, discover
from codeexplore.source.ignore_scope import IndexFormatError, worktree_around
from codeexplore.source.manifests import MAX_MANIFEST_BYTES, manifests_of, path_roles
from codeexplore.source.safe_io import given_path, is_given, read_given, read_regular
from codeexplore.text.enumeration import shortened
from codeexplore.types import Skipped
from codeexplore.types.errors import GitError, PatchError, QuestionError, RootNotFound, SourceError
from codeexplore.types.rows import grouped
from codeexplore.workspace.fingerprints import Fingerprint, Seen, manifests_hash
from codeexplore.workspace.graph_update import EditContext, graph_without_resolving
from codeexplore.workspace.pipeline import LoadOptions
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.refresh import updated_catalog
from codeexplore.workspace.snapshot import Index, IndexParts
from codeexplore.workspace.workers.pool import analyse_contents

WORKING_TREE = "the working tree"
_RANGE = re.compile(r"^(?P<old>.*?)(?P<dots>\.\.\.?)(?P<new>.*)$", re.DOTALL)
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_CONFLICT = re.compile(rb"^<{7} .*?^={7}$.*?^>{7} ", re.MULTILINE | re.DOTALL)
_MOST_DATA_BYTES = 8 << 20  # of a file without symbols whose content is compared


@dataclass(frozen=True)
class Overlay:
    """The files by which another state of a repository differs from an index."""

    label: str  # for displays
    written: Mapping[str, bytes] = field(default_factory=dict)  # path → content
    removed: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.written or self.removed)


def with_files(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> Side:
    """Return the state that an overlay describes. Raises LoadCancelled.

    It has no lanes, because no question is ranked over such a state.
    """
    if not overlay:
        contents = {path: seen.sha256 for path, seen in index.origin.seen.items() if seen.sha256}
        return Side(overlay.label, index.sources, index.files, index.catalog, contents, lambda: index.graph)
    return gc_paused(lambda: _with_files(index, overlay, options, progress))


def _with_files(index: Index, overlay: Overlay, options: LoadOptions, progress: Progress) -> Side:
    known = {
        path: seen
        for path, seen in index.origin.seen.items()
        if path not in overlay.removed and path not in overlay.written
    }
    prefix = "" if "__init__.py" in overlay.removed else index.origin.prefix
    fresh = [each for path, data in overlay.written.items() if (each := _candidate(index, path, data)) is not None]
    paths = frozenset((*known, *(each.path for each in fresh)))
    contents = [(each, overlay.written[each.path]) for each in fresh]
    contents += _named_anew(index, overlay, known)
    contents.sort(key=lambda row: row[0].path)
    progress.check()
    results = analyse_contents(contents, Layout(paths, prefix), options.max_file_bytes)
    progress.check()
    batch = batch_result(results)
    rows = {row.path: row.kept() for row in batch.rows()}
    skipped = tuple(each for each in results if isinstance(each, Skipped))
    seen = dict(known)
    for (candidate, _), result in zip(contents, batch.files, strict=True):
        digest = result.sha256 if isinstance(result, AnalysedFile) else ""
        seen[candidate.path] = Seen(candidate, digest, result if isinstance(result, Skipped) else None)
    seen = dict(sorted(seen.items()))
    digests = {path: each.sha256 for path, each in seen.items() if each.sha256}
    sources = updated_sources(index.sources, list(digests), rows)
    catalog, _, _, moved = updated_catalog(index, [batch] if batch.rows() else [], list(digests), sources)
    files = FileFactsStore(sources, catalog, index.files.stored, index.files.layout)
    texts = _manifests(index, overlay)
    catalog.roles = path_roles(texts)
    catalog.public_names = PublicNames(catalog, files.facts, lambda path: sources[path].text, lambda _: texts)
    origin = Fingerprint(seen, index.origin.taken_ns, prefix, manifests_hash(texts), texts)
    raw = {row.path: row for row in batch.rows()}
    edit = EditContext(index, IndexParts(sources, files, catalog, skipped, (), origin), raw, moved)

    def graph() -> CodeGraph:
        found, _ = graph_without_resolving(edit, background=False)
        if found is None:
            resolving = edit.regraphing(child=False)
            try:
                found = resolving.result(progress.check)[0]
            finally:
                resolving.close()
        return with_file_uses(found, file_uses(catalog, sources))

    return Side(overlay.label, sources, files, catalog, digests, graph, skipped)


def manifest_texts(index: Index) -> dict[str, str]:
    """Return the texts of the files that name modules, by path."""
    if index.origin.texts is not None:
        return dict(index.origin.texts)
    files = [(path, seen.candidate.language) for path, seen in index.origin.seen.items() if seen.sha256]
    return manifests_of(index.root, files)


def _candidate(index: Index, path: str, data: bytes) -> Candidate | None:
    """Return the candidate for a file of the state; None for a file that is not indexed and has no code."""
    before = index.origin.seen.get(path)
    if before is not None:
        return before.candidate._replace(size=len(data))
    language = registry.by_path(path) if is_code_file(path) else registry.by_shebang(data[:200].partition(b"\n")[0])
    return None if language is None else Candidate(path, len(data), 0, language.name)


def is_code_file(path: str) -> bool:
    """Return True if by its name a file contains code, and not text or data."""
    language = registry.by_path(path)
    return language is not None and not registry.is_text(language.name)


def is_manifest(path: str) -> bool:
    """Return True if by its name a file decides the names of modules, such as ``go.mod``."""
    name = posixpath.basename(path)
    return any(name in language.manifests for language in registry.languages())


def _named_anew(index: Index, overlay: Overlay, known: Mapping[str, Seen]) -> list[tuple[Candidate, bytes]]:
    """Return unchanged files whose modules have another name in the state.

    A module gets another name if a file that decides the names differs, such as an ``__init__.py``, which makes its
    folder a package. So only files in the folder of such a file or below it are returned.
    """
    came = [path for path in overlay.written if path not in index.origin.seen]
    found: dict[str, tuple[Candidate, bytes]] = {}
    for path in (*came, *overlay.removed):
        folder = posixpath.dirname(path)
        for other, seen in known.items():
            if other in found or not seen.sha256 or (folder and not other.startswith(f"{folder}/")):
                continue
            language = registry.by_name(seen.candidate.language)
            if language.named_by and path.endswith(language.named_by):
                encoding = seen.summary.encoding if seen.summary is not None else "utf-8"
                found[other] = (seen.candidate, index.sources[other].text.encode(encoding, "replace"))
    return list(found.values())


def _manifests(index: Index, overlay: Overlay) -> dict[str, str]:
    texts = {path: text for path, text in manifest_texts(index).items() if path not in overlay.removed}
    for path, data in overlay.written.items():
        if is_manifest(path):
            texts[path] = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return texts


@dataclass
class States:
    """The overlays of both states, changed files without symbols, and notices."""

    old: Overlay
    new: Overlay
    files: list[FileChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def is_same(index: Index, path: str, content: bytes) -> bool:
    """Return True if an indexed file has this content. Line ends and encodings are ignored."""
    if path not in index.sources:
        return False
    if hashlib.sha256(content, usedforsecurity=False).hexdigest() == index.origin.seen[path].sha256:
        return True
    return bytes(index.sources.data(path)).replace(b"\r\n", b"\n") == content.replace(b"\r\n", b"\n")


def would_be_indexed(index: Index, path: str, options: LoadOptions) -> bool:
    """Return True if a file that is missing on disk would be indexed by its path.

    A file on disk that is not in the index was left out on purpose, so the result is False.
    """
    if not is_code_file(path) or path in index.origin.seen:
        return False
    if any(filters.by_name(part) for part in path.split("/")[:-1]):
        return False
    if options.only and not any(path == each or path.startswith(f"{each.rstrip('/')}/") for each in options.only):
        return False
    if any(each.path.endswith("/") and path.startswith(each.path) for each in index.summary.skipped_files):
        return False
    return not os.path.lexists(index.root / path)


def states_of(
    index: Index, base: str | os.PathLike[str] | Index, options: LoadOptions, progress: Progress, untracked: bool
) -> States:
    """Return the states that a base means: the other one and the loaded one, or both of a range or patch."""
    if isinstance(base, Index):
        return states_from_index(index, base)
    if isinstance(base, os.PathLike):
        return _from_path(index, Path(base), options)
    if not isinstance(base, str):
        raise QuestionError(
            f"base must be a reference such as 'main', a range, the text of a patch, or a Path, not {base!r:.80}"
        )
    if "\n" in base:
        try:
            patch = base.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise PatchError(f"the patch has half a character, which no file has: {error}") from error
        return states_from_patch(index, patch, "the patch")
    try:
        return states_from_git(index, base.strip(), options, progress, untracked)
    except GitError:
        if not base.strip() or not is_given(base, os.path.lexists):
            raise
    return _from_path(index, Path(base), options)


def _from_path(index: Index, path: Path, options: LoadOptions) -> States:
    if is_given(path, Path.is_dir):
        return states_from_folder(index, given_path(path), options)
    if is_archive(path) and is_given(path, Path.is_file):
        return states_from_archive(index, given_path(path), options)
    try:
        data = read_given(given_path(path), 1 << 29)
    except FileNotFoundError as error:
        raise RootNotFound(f"there is no file or folder {str(path)!r}; give a patch file or a folder") from error
    except OSError as error:
        raise SourceError(f"{str(path)!r} can't be read: {error.strerror or error}") from error
    return states_from_patch(index, data, path.name)


def states_from_git(index: Index, base: str, options: LoadOptions, progress: Progress, untracked: bool) -> States:
    """Return the states of a reference or range. Raises GitError without a repository or such a commit."""
    objects = GitObjects(index.root, progress.cancel)
    between = _RANGE.match(base)
    if between is None:
        commit = objects.commit(base)
        tree = objects.tree(commit)
        hidden = {path for path in objects.left_out() & tree.files.keys() if not os.path.lexists(index.root / path)}
        tree = tree._replace(files={path: file for path, file in tree.files.items() if path not in hidden})
        states = States(_of_tree(index, tree, objects, _shown(base), options), Overlay(WORKING_TREE))
        states.files += _data_changes_on_disk(index, tree, objects)
        if not untracked:
            states.old = _with_untracked(index, states.old)
        states.notes += _notes_of(tree)
        if hidden:
            states.notes.append(
                f"{len(hidden):,} files that the sparse checkout leaves out were not compared. A range, {base}..HEAD, "
                "compares all files."
            )
        return states
    names = between["old"] or "HEAD", between["new"] or "HEAD"
    first, second = (objects.commit(name) for name in names)
    label, target = map(_shown, names)
    if between["dots"] == "...":
        first = objects.merge_base(first, second)
        label = f"the merge base {first[:10]} of {label} and {target}"
    trees = objects.tree(first), objects.tree(second)
    old = _of_tree(index, trees[0], objects, label, options)
    states = States(old, _of_tree(index, trees[1], objects, target, options))
    written = states.old.written.keys() | states.new.written.keys()
    states.files += _data_changes(index, *trees, written)
    states.notes += _notes_of(*trees)
    return states


def _shown(reference: str) -> str:
    """Return a reference for displays. A whole id of a commit is cut to ten digits."""
    return reference[:10] if _ID.fullmatch(reference) else reference


def _of_tree(index: Index, tree: Tree, objects: GitObjects, label: str, options: LoadOptions) -> Overlay:
    """Return the overlay of a commit: the source files that differ from the index, and indexed files that it lacks."""
    manifests = manifest_texts(index)
    wanted: dict[str, TreeFile] = {}
    for path, file in tree.files.items():
        if path in index.sources:
            if object_id(index.sources.data(path), file.id) != file.id:
                wanted[path] = file
        elif is_manifest(path):
            if path not in manifests or object_id(manifests[path].encode(), file.id) != file.id:
                wanted[path] = file
        elif would_be_indexed(index, path, options):
            wanted[path] = file
    wanted = {path: file for path, file in wanted.items() if file.size <= options.max_file_bytes}
    contents = objects.contents(wanted.values())
    written = {path: contents[file.id] for path, file in wanted.items() if not is_same(index, path, contents[file.id])}
    below = tuple(f"{path}/" for path in tree.submodules)
    lacking = {path for path in (*index.sources, *manifests) if path not in tree.files and not path.startswith(below)}
    return Overlay(label, written, frozenset(lacking))


def _with_untracked(index: Index, overlay: Overlay) -> Overlay:
    """Return the overlay with untracked files in both states, so that they are no difference."""
    worktree = worktree_around(index.root)
    if worktree is None:
        return overlay
    below = index.root.relative_to(worktree.top).as_posix()
    prefix = "" if below == "." else f"{below}/"
    try:
        tracked = worktree.tracked
    except IndexFormatError as error:
        raise GitError(f"git's index can't be read: {error}; leave out untracked=False") from error
    return Overlay(
        overlay.label, overlay.written, frozenset(p for p in overlay.removed if tracked.has(os.fsencode(prefix + p)))
    )


def _data_changes_on_disk(index: Index, tree: Tree, objects: GitObjects) -> list[FileChange]:
    """Return the files without symbols that differ between a commit and the work tree."""
    found = []
    unsure: dict[str, tuple[TreeFile, bytes]] = {}
    for path, file in tree.files.items():
        if path in index.sources or is_manifest(path):
            continue
        try:
            data = read_regular(f"{index.root}/{path}", _MOST_DATA_BYTES + 1, within=index.root)
        except FileNotFoundError:
            if not is_code_file(path):
                found.append(FileChange(path, "removed"))
            continue
        except OSError:
            continue
        if len(data) > _MOST_DATA_BYTES:
            if file.size <= _MOST_DATA_BYTES:
                found.append(FileChange(path, "changed"))
        elif object_id(data, file.id) != file.id:
            unsure[path] = (file, data)
    contents = objects.contents(file for file, _ in unsure.values() if file.size <= _MOST_DATA_BYTES)
    for path, (file, data) in unsure.items():
        content = contents.get(file.id)
        filtered = content is not None and (
            content.replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n")
            or content.startswith(b"version https://git-lfs")
        )
        if not filtered:
            found.append(FileChange(path, "changed"))
    return found


def _data_changes(index: Index, old: Tree, new: Tree, written: Iterable[str]) -> list[FileChange]:
    known = {*index.sources, *written}
    found = []
    for path in old.files.keys() | new.files.keys():
        if path in known or is_code_file(path):
            continue
        before, after = old.files.get(path), new.files.get(path)
        if before is None or after is None:
            found.append(FileChange(path, "added" if before is None else "removed"))
        elif before.id != after.id:
            found.append(FileChange(path, "changed"))
    for path in old.submodules.keys() & new.submodules.keys():
        if old.submodules[path] != new.submodules[path]:
            span = f"from {old.submodules[path][:10]} to {new.submodules[path][:10]}"
            note = f"submodule, {span}; its files are not compared"
            found.append(FileChange(path, "changed", note))
    return found


def _notes_of(*trees: Tree) -> list[str]:
    notes = []
    if unnamed := max(tree.unnamed for tree in trees):
        notes.append(f"{plural(unnamed, 'file')} of the commit with a name that is not UTF-8 were not compared.")
    modules = sorted({path for tree in trees for path in tree.submodules})
    if modules:
        notes.append(f"Files of submodules are not compared: {shortened(modules, 3)}.")
    return notes


def states_from_folder(index: Index, folder: Path, options: LoadOptions) -> States:
    ignored, most = options.include_ignored, options.max_file_bytes
    found = discover(folder, only=options.only, max_bytes=most, include_ignored=ignored)
    moved = aligned(index.sources, [each.path for each in found.candidates]) != Alignment("", "")
    written: dict[str, bytes] = {}
    notes = []
    for candidate in found.candidates:
        try:
            data = read_regular(f"{found.root}{os.sep}{candidate.path}", max(most, candidate.size) + 1)
        except OSError as error:
            notes.append(f"{candidate.path} of {folder.name} can't be read: {error.strerror or error}")
            continue
        if moved or not is_same(index, candidate.path, data):
            written[candidate.path] = data
    manifests = manifests_of(found.root, [(each.path, each.language) for each in found.candidates])
    now = manifest_texts(index)
    if moved:
        files = written | {path: text.encode() for path, text in manifests.items()}
        states = _of_files(index, files, folder.name, options)
        states.notes += notes
        return states
    written |= {path: text.encode() for path, text in manifests.items() if now.get(path) != text}
    there = {each.path for each in found.candidates} | manifests.keys()
    lacking = frozenset(path for path in (*index.sources, *now) if path not in there)
    return States(Overlay(str(folder), written, lacking), Overlay(str(index.root)), notes=notes)


def states_from_archive(index: Index, path: Path, options: LoadOptions) -> States:
    read = read_archive(path, lambda name: is_code_file(name) or is_manifest(name), options.max_file_bytes)
    states = _of_files(index, read.files, path.name, options)
    states.notes += [f"Left out of {path.name}: {count:,} {reason}." for reason, count in read.left_out.items()]
    return states


def states_from_index(index: Index, other: Index) -> States:
    files = {path: bytes(other.sources.data(path)) for path in other.sources}
    files |= {path: text.encode() for path, text in manifest_texts(other).items()}
    return _of_files(index, files, other.name, None)


def _of_files(index: Index, files: Mapping[str, bytes], label: str, options: LoadOptions | None) -> States:
    """Return the states for a version of the files whose folders may have other names.

    Only the top folders that both versions have are compared: a wheel has no tests. Files that `options` leave out are
    not compared; None compares all. Raises SourceError if no file of the version has the name of a loaded one.
    """
    now = manifest_texts(index)
    alignment = aligned(index.sources, files)
    placed = {at: data for path, data in files.items() if (at := alignment.of(path)) is not None}
    if not any(path in index.sources for path in placed):
        raise SourceError(f"{label} has no file that is also in {index.name}; is it another project?")
    tops = {_top(path, alignment.add) for path in placed}
    written = {
        path: data
        for path, data in placed.items()
        if not is_same(index, path, data)
        and now.get(path) != data.decode("utf-8", "replace")
        and (path in index.sources or options is None or is_manifest(path) or would_be_indexed(index, path, options))
    }
    lacking = frozenset(
        path
        for path in (*index.sources, *now)
        if path not in placed
        and _top(path, alignment.add) in tops
        and (options is None or is_code_file(path) or is_manifest(path))
    )
    notes = [f"Compared below {alignment.add} only."] if alignment.add else []
    return States(Overlay(label, written, lacking), Overlay(index.name), notes=notes)


def _top(path: str, inside: str) -> str | None:
    """Return the first folder of a path below the folder `inside`, "" without one; None for a path outside of it."""
    if not path.startswith(inside):
        return None
    return path[len(inside) :].rpartition("/")[0].partition("/")[0]


def states_from_patch(index: Index, data: bytes, label: str) -> States:
    """Return the states for a patch. It is applied if it fits; otherwise the files contain it, and it is undone."""
    patches = _placed(index, parse_patch(data))
    try:
        states = States(Overlay(WORKING_TREE), _patched(index, patches, f"after {label}", backwards=False))
    except PatchError as error:
        try:
            before = _patched(index, patches, f"before {label}", backwards=True)
        except PatchError:
            raise PatchError(
                f"the patch does not apply: {error}. It must fit the files as they are, or as they were before it"
            ) from error
        states = States(before, Overlay(str(index.root)))
    for patch in patches:
        if patch.binary or not is_code_file(patch.new or patch.old):
            note = "binary" if patch.binary else ""
            if not patch.old:
                states.files.append(FileChange(patch.new, "added", note))
            else:
                states.files.append(FileChange(patch.new or patch.old, "changed" if patch.new else "removed", note))
    return states


def _placed(index: Index, patches: list[FilePatch]) -> list[FilePatch]:
    """Return the patches with paths relative to the loaded folder. As many leading folders as necessary are removed."""
    for strip in range(4):
        placed = []
        for patch in patches:
            old, new = ("/".join(path.split("/")[strip:]) for path in (patch.old, patch.new))
            deep = all(path.count("/") >= strip for path in (patch.old, patch.new) if path)
            if deep and (old or new):
                placed.append(FilePatch(old, new, patch.hunks, patch.binary))
        if any(each.old in index.sources or each.new in index.sources for each in placed):
            return placed
    return patches


def _patched(index: Index, patches: Iterable[FilePatch], label: str, *, backwards: bool) -> Overlay:
    """Return the overlay of the index after the patches were applied or, with `backwards`, undone.

    Raises PatchError if a file is missing or exists already, or if a hunk does not fit.
    """
    written: dict[str, bytes] = {}
    removed: set[str] = set()
    for patch in patches:
        before, after = (patch.new, patch.old) if backwards else (patch.old, patch.new)
        if patch.binary:
            continue
        if before and before not in index.sources and before not in written:
            if os.path.lexists(index.root / before):
                continue  # a file without symbols
            raise PatchError(f"there is no file {before!r}, which the patch changes")
        if not before and after in index.sources:
            raise PatchError(f"the patch adds {after!r}, which exists")
        data = written.get(before, b"")
        if before in index.sources and before not in written:
            data = bytes(index.sources.data(before))
        made = applied(patch, data, backwards=backwards)
        if before and before != after:
            written.pop(before, None)
            removed.add(before)
        if after:
            written[after] = made
            removed.discard(after)
    return Overlay(label, written, frozenset(removed))


def references(root: Path) -> tuple[str, ...]:
    """Return the names of branches and tags of the repository around a folder; none outside of a repository."""
    try:
        return tuple(GitObjects(root).references())
    except GitError:  # the comparison itself reports the problem
        return ()


def compared(
    index: Index,
    base: str | os.PathLike[str] | Index,
    options: LoadOptions,
    progress: Progress,
    *,
    untracked: bool = True,
    newer: bool = False,
    breaking: bool = True,
) -> Comparison:
    """Compare two states; see `Review.changes` and `Review.compare`. With `newer`, `base` is the later state.

    Without `breaking`, changes have no reasons why they may break code, and no graph is made.

    Raises GitError, PatchError, RootNotFound, SourceError, and QuestionError if `base` is neither a text nor a path.
    """
    states = states_of(index, base, options, progress, untracked)
    if newer:
        states.old, states.new = states.new, states.old
    old, new = (with_files(index, overlay, options, progress) for overlay in (states.old, states.new))
    progress.check()
    matched = Matcher(old, new).result()
    notes = [*states.notes, *_conflicts(index, states)]
    by_reason = grouped((each.reason, each.path) for each in (*old.skipped, *new.skipped))
    for reason, paths in by_reason.items():
        notes.append(f"Not compared, {reason}: {', '.join(paths[:3])}{' …' if len(paths) > 3 else ''}")
    changes = tuple(matched.changes)
    if breaking:
        changes = with_breaking(changes, matched.counterpart, old, new)
    known = {symbol.path for change in changes for symbol in (change.old, change.new) if symbol is not None}
    files = {each.path: each for each in (*states.files, *matched.texts) if each.path not in known}
    reference = base if isinstance(base, str) and "\n" not in base else ""
    said = tuple(dict.fromkeys(notes))
    sorted_files, build_files = tuple(sorted(files.values())), _build_files(index.root)
    return Comparison(old, new, changes, matched.counterpart, sorted_files, said, build_files, reference)


def _build_files(root: Path) -> dict[str, str]:
    found = {}
    for name in (*BUILD_FILES, *PYTEST_FILES):
        try:
            found[name] = read_regular(root / name, MAX_MANIFEST_BYTES).decode("utf-8", "replace")
        except OSError:  # most repositories have none
            continue
    return found


def _conflicts(index: Index, states: States) -> list[str]:
    """Return a note about changed files with conflict markers, which hide definitions."""
    paths = [path for path in (*states.old.written, *states.old.removed) if path in index.sources]
    marked = [path for path in paths if _CONFLICT.search(bytes(index.sources.data(path)))]
    marked += [path for path, data in states.new.written.items() if _CONFLICT.search(data)]
    if not marked:
        return []
    shown = shortened(sorted(marked), 3)
    return [f"Merge conflicts are not resolved in {shown}: symbols around their markers may be wrong or missing."]
