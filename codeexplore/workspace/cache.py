"""Loading of a repository with the cache: valid parts of the stored index are used, changed parts are built again."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.gc_pause import gc_paused
from codeexplore.index.archive import Archive, write_archive
from codeexplore.index.cache import CacheSlot, bundled_model, index_versions, installation
from codeexplore.source.cache_dir import VARIABLE
from codeexplore.source.discovery import Discovery, resolve_root
from codeexplore.source.safe_io import given_path
from codeexplore.trusted_imports import explore
from codeexplore.types import NextStep
from codeexplore.types.errors import DamagedIndex, IndexFileError
from codeexplore.workspace.fingerprints import drift
from codeexplore.workspace.load import Make, PendingLoad, load_files
from codeexplore.workspace.pipeline import LoadOptions, walk, with_skipped
from codeexplore.workspace.progress import Progress
from codeexplore.workspace.serialization import LAZY, index_of, members_of, meta_of
from codeexplore.workspace.snapshot import Index

if TYPE_CHECKING:
    from codeexplore.search.lanes.encoder import Encoder

logger = logging.getLogger("codeexplore")

_OTHER_CACHE = f"{VARIABLE} sets another folder, cache=False uses no cache"
_SAVE = NextStep("save", "writes an index", ("path",))


class Load(NamedTuple):
    """Result of a load: an index and, if its graph is added later, the running resolution."""

    made: Index
    rest: PendingLoad | None = None
    said: str = ""  # a warning about the cache

    @property
    def make(self) -> Make | None:
        """Return a function that returns the complete index; None if no resolution is running."""
        rest = self.rest
        return None if rest is None else lambda progress: _telling(rest.whole(progress), self.said)

    def drop(self) -> None:
        if self.rest is not None:
            self.rest.close()


def load(
    root: Path, name: str, options: LoadOptions, progress: Progress, *, cache: bool, background: bool = False
) -> Load:
    """Return the index of the folder `root` as it is now. Valid parts come from the cache, the others are built.

    With `background`, the index may not have its graph yet.

    Raises the exceptions of `walk` and `load_files`.
    """
    root = resolve_root(root)
    explore(root)
    slot, said = None, ""
    try:
        slot = slot_of(root, options) if cache else None
    except OSError as error:
        said = f"no cache: {error}"
    found = walk(root, options, progress)
    index, rest = None, None
    if slot is not None:
        try:
            index = _stored(slot, found, name, options, progress, background)
        except DamagedIndex as error:
            said = f"the cached index cannot be used, so the repository is indexed again: {error}"
        except OSError as error:
            slot, said = None, f"no cache: {error}; {_OTHER_CACHE}"
    if said:
        logger.warning("%s", said)
    if index is None:
        index, rest = gc_paused(lambda: load_files(found, name, options, progress, background=background))
    if slot is not None and not index.stored and index.pending is None:
        with progress.stage("save"):
            said = keep(slot, index, options) or said
    return Load(_telling(index, said), rest, said)


def _telling(index: Index, said: str) -> Index:
    """Return the index with the text `said` added to its warnings; unchanged if `said` is ""."""
    if not said:
        return index
    return replace(index, summary=replace(index.summary, warnings=(*index.summary.warnings, said)))


def slot_of(root: Path, options: LoadOptions) -> CacheSlot:
    """Return the slot for the index of a repository. Raises OSError if there is no cache folder."""
    settings = {
        "max_file_bytes": options.max_file_bytes,
        "include_ignored": options.include_ignored,
        "only": sorted(options.only),
        "resources": options.resources,
        "model": None if options.model is None else str(options.model),
    }
    return CacheSlot(root, settings)


def keep(slot: CacheSlot, index: Index, options: LoadOptions) -> str:
    """Store an index in the cache. Return a text that describes the problem, or "" if there was none."""
    try:
        slot.put(_meta(index, options), members_of(index))
    except (OSError, ValueError, KeyError) as error:
        said = f"the index could not be stored in the cache: {error}; {_OTHER_CACHE}"
        logger.warning("%s", said)
        return said
    return ""


def _meta(index: Index, options: LoadOptions) -> dict[str, object]:
    bundled = bundled_model() if options.model is None else ""
    return {**meta_of(index), "bundled": bundled, "made_by": index_versions(), "installation": installation()}


# --------------------------------------------------------------------------- from the cache


def _stored(
    slot: CacheSlot, found: Discovery, name: str, options: LoadOptions, progress: Progress, background: bool
) -> Index | None:
    """Return the stored index, updated to the present files; None if no index is stored."""
    path = slot.newest()
    if path is None:
        return None
    with progress.stage("open"):
        archive = Archive(path)
        _check_maker(archive, options)
        archive.verify(*(member for member in archive.members() if member not in LAZY))
        index = replace(index_of(archive, found.root, _encoder_loader(archive, options)), name=name)
    with progress.stage("compare"):
        changed = drift(index.origin, found.root, found.candidates)
    if changed:
        from codeexplore.workspace.refresh import refresh

        return refresh(index, found, changed, options, progress, background=background)
    index = with_skipped(index, found, index.origin)
    summary = replace(index.summary, name=name, root=str(index.root), stages=tuple(progress.stages))
    return replace(index, summary=summary)


def _check_maker(archive: Archive, options: LoadOptions) -> None:
    """Raise DamagedIndex if the index was made by another version of the code or of the model."""
    makers = archive.meta.get("made_by")
    known = makers if isinstance(makers, dict) else {}
    own = archive.meta.get("installation") == installation()
    here = index_versions(str(known.get("code", "")) if own else "")
    if known != here:
        others = [name for name in {**here, **known} if known.get(name) != here.get(name)]
        named = dict.fromkeys("codeexplore" if name == "code" else name for name in others)
        raise DamagedIndex(f"it was made with another version of {', '.join(named)}")
    if options.model is None and archive.meta.get("bundled") != bundled_model():
        raise DamagedIndex("it was made with another bundled model")


def _encoder_loader(archive: Archive, options: LoadOptions) -> Callable[[], Encoder]:
    """Return a loader for the model of a stored index, which loads a bundled model only at the first question."""
    from codeexplore.search.lanes.encoder import Encoder

    if options.model is None:  # its checksums were compared, and loading checks its files against them
        return Encoder.load
    encoder = Encoder.load(options.model)
    if encoder.fingerprint != archive.meta.get("model"):
        raise DamagedIndex(f"it was made with another model than {encoder.name!r} is now")
    return lambda: encoder


# --------------------------------------------------------------------------- portable files


def save_portable(index: Index, path: Path, options: LoadOptions, *, sources: bool) -> Path:
    """Write an index to a file of the user's choice. Raises IndexFileError; an existing file is then unchanged."""
    path = given_path(path)
    try:
        if path.is_dir():
            raise IsADirectoryError(f"{str(path)!r} is a folder; give a file name")
        if not path.absolute().parent.is_dir():
            raise NotADirectoryError(f"there is no folder {str(path.parent)!r}; make it first")
        write_archive(path.absolute(), _meta(index, options) | {"portable": True}, members_of(index, sources))
    except (OSError, ValueError, KeyError) as error:
        raise IndexFileError(f"the index can't be saved to {str(path)!r}: {error}") from error
    return path


def open_portable(path: str | os.PathLike[str], model: str | Path | None) -> tuple[Index, LoadOptions]:
    """Return the index in a saved file, and the options for its refresh.

    Raises IndexFileError and DamagedIndex if the file cannot be read, and ModelError.
    """
    place = given_path(path)
    options = LoadOptions(model=model)
    try:
        archive = Archive(place)
        archive.verify()
    except OSError as error:
        raise IndexFileError(f"{str(place)!r} can't be opened: {error}.", next_steps=(_SAVE,)) from error
    except DamagedIndex as error:
        raise DamagedIndex(f"{error}. Load the repository again.", next_steps=(_SAVE,)) from error
    bundled = archive.meta.get("bundled")
    if model is None and bundled != bundled_model():
        raise DamagedIndex(
            f"{str(place)!r} was made with "
            + ("another bundled model" if bundled else "a model of its own: give model=")
            + ". Load the repository again, or open it with the version of codeexplore that saved it"
        )
    root = Path(str(archive.meta.get("root", "")).replace("\0", ""))
    index = index_of(archive, root, _encoder_loader(archive, options), foreign=True)
    return index, options
