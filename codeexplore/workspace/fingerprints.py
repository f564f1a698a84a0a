"""Fingerprints of the files of an index.

They decide if the index is still valid, and which parts must be built again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.languages import registry
from codeexplore.source.discovery import Candidate
from codeexplore.source.manifests import manifests_of
from codeexplore.source.safe_io import SETTLED_NS, read_regular
from codeexplore.types import Skipped

if TYPE_CHECKING:
    from codeexplore.index.files import AnalysedFile


class FileSummary(NamedTuple):
    """Counts of one file for the summary of a load."""

    language: str  # by its content: a header may be C or C++
    size: int  # bytes of its text as UTF-8
    lines: int
    with_errors: bool
    encoding: str
    warnings: tuple[str, ...]


class Seen(NamedTuple):
    """A file as a walk found it, and the result of its analysis."""

    candidate: Candidate
    sha256: str  # of the bytes on disk, hex; "" when it was not indexed
    skipped: Skipped | None = None  # the reason, if it was not
    summary: FileSummary | None = None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The state of the files from which an index was made.

    `manifests` is a hash of the manifest files, such as go.mod, which define module names. `prefix` is the dotted name
    of the package that the root is; "" if the root is not a package.
    """

    seen: Mapping[str, Seen]  # by path, every candidate of the walk
    taken_ns: int  # when the walk began, nanoseconds since the epoch
    prefix: str = ""
    manifests: str = ""  # hex
    texts: Mapping[str, str] | None = field(default=None, compare=False)  # the hashed texts; None for a stored origin

    @property
    def manifest_texts(self) -> Mapping[str, str]:
        """The texts of the manifest files by path, as this process has read them."""
        assert self.texts is not None  # a stored index has its graph, so nothing of it is resolved
        return self.texts


@dataclass(frozen=True, slots=True)
class FingerprintDiff:
    """Difference between the files of an index and the files that exist now."""

    changed: tuple[Candidate, ...] = ()  # to be analysed: new, or with other content
    kept: tuple[Candidate, ...] = ()  # unchanged
    removed: tuple[str, ...] = ()
    rewritten: bool = False  # manifests or the package around the root have changed

    def __bool__(self) -> bool:
        return bool(self.changed or self.removed or self.rewritten)


def package_prefix(root: Path) -> str:
    """Return the dotted name of the package whose folder is `root`; "" if `root` is not a package."""
    parts: list[str] = []
    folder = root.resolve()
    while (folder / "__init__.py").is_file() and folder.name:
        parts.append(folder.name)
        folder = folder.parent
    return ".".join(reversed(parts))


def manifests_hash(texts: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path, text in sorted(texts.items()):
        digest.update(f"{path}\0{text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def origin_of(
    root: Path,
    candidates: Sequence[Candidate],
    results: Mapping[str, AnalysedFile | Skipped],
    taken_ns: int,
    prefix: str,
    before: Mapping[str, Seen] | None = None,
) -> Fingerprint:
    """Return the fingerprint of an index that is made from `candidates`.

    `results` has the analysis of each new or changed candidate by path, `before` the earlier entries of the others.
    """
    seen: dict[str, Seen] = {}
    known = before or {}
    for candidate in candidates:
        path = candidate.path
        if path in results:
            seen[path] = _seen(candidate, results[path])
        elif path in known:
            each = known[path]
            seen[path] = each if each.candidate == candidate else each._replace(candidate=candidate)
    texts = manifests_of(root, _indexed(seen.values()))
    return Fingerprint(seen, taken_ns, prefix, manifests_hash(texts), texts)


def _seen(candidate: Candidate, result: AnalysedFile | Skipped) -> Seen:
    if isinstance(result, Skipped):
        return Seen(candidate, "", result)
    summary = FileSummary._make(getattr(result, name) for name in FileSummary._fields)
    return Seen(candidate, result.sha256, None, summary)


def _indexed(seen: Iterable[Seen]) -> list[tuple[str, str]]:
    return [(each.candidate.path, each.candidate.language) for each in seen if each.sha256]


def drift(origin: Fingerprint, root: Path, candidates: Sequence[Candidate]) -> FingerprintDiff:
    """Compare the fingerprint `origin` with the files that a walk finds now.

    A file is unchanged if its size, times and inode are unchanged, unless it was written less than two seconds before
    the old walk. Any other file is read, and its content decides.
    """
    changed: list[Candidate] = []
    kept: list[Candidate] = []
    for candidate in candidates:
        before = origin.seen.get(candidate.path)
        if before is None:
            changed.append(candidate)
        else:
            (kept if _same(before, candidate, origin.taken_ns, root) else changed).append(candidate)
    paths = {candidate.path for candidate in candidates}
    removed = tuple(path for path in origin.seen if path not in paths)
    prefix = package_prefix(root)
    kept, more = _unmoved(kept, [c.path for c in changed if c.path not in origin.seen], removed, prefix, origin)
    rewritten = prefix != origin.prefix or (
        not (changed or more or removed)
        and manifests_hash(manifests_of(root, _indexed(origin.seen[c.path] for c in kept))) != origin.manifests
    )
    return FingerprintDiff(tuple(sorted([*changed, *more])), tuple(kept), removed, rewritten)


def _same(before: Seen, now: Candidate, taken_ns: int, root: Path) -> bool:
    then = before.candidate
    if (then.language, then.wanted, then.size) != (now.language, now.wanted, now.size):
        return False
    settled = max(now.mtime_ns, now.ctime_ns) <= taken_ns - SETTLED_NS
    if then == now and (settled or not before.sha256):
        return True  # of a skipped file only these are known
    if not before.sha256:
        return False
    try:
        data = read_regular(f"{root}{os.sep}{now.path}", now.size + 1)
    except OSError:
        return False  # its analysis will give the reason
    return hashlib.sha256(data, usedforsecurity=False).hexdigest() == before.sha256


def _unmoved(
    kept: Sequence[Candidate], added: Sequence[str], removed: Sequence[str], prefix: str, origin: Fingerprint
) -> tuple[list[Candidate], list[Candidate]]:
    """Divide unchanged files into files that are still valid, and files whose module name may have changed."""
    if not added and not removed and prefix == origin.prefix:
        return list(kept), []
    moved: dict[str, bool] = {}
    for language in {candidate.language for candidate in kept}:
        endings = registry.by_name(language).named_by
        moved[language] = bool(endings) and (
            prefix != origin.prefix or any(path.endswith(endings) for path in (*added, *removed))
        )
    return [c for c in kept if not moved[c.language]], [c for c in kept if moved[c.language]]
