"""The source files inside an archive, without unpacking it: wheels, npm and Debian tarballs."""

from __future__ import annotations

import hashlib
import posixpath
import re
import subprocess
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from codeexplore.languages import registry
from codeexplore.languages.file_roles import path_role
from training.packages import names

MIN_FILE, MAX_FILE = 200, 300_000
"""Bytes. Smaller files say nothing; larger ones are data and bundles."""

_GENERATED = (".min.js", ".d.ts", ".d.mts", ".d.cts", "_pb2.py", "_pb2_grpc.py", ".pb.go", ".bundle.js")
_BUILDS = ("dist/", "build/", "lib/", "es/", "esm/", "cjs/", "umd/", "_cjs/", "_esm/", "_esm5/", "bundles/")
_LICENCES = ("license", "licence", "copying", "copyright", "unlicense")


class Member(NamedTuple):
    """A file of an archive: its path below the archive's root folder, and its bytes."""

    path: str
    data: bytes


class Contents(NamedTuple):
    """What is wanted of a package: its sources, its licence texts, and how many files were left out for what reason."""

    sources: list[Member]
    licences: list[Member]
    skipped: Counter[str]


def read_package(archives: list[Path], most: int, suffixes: tuple[str, ...] = ()) -> Contents:
    """The sources of a package, at most `most` bytes of them, and its licence texts.

    Of a larger package, the files whose paths have the smallest hashes are kept: a sample that any run repeats.
    """
    kept: list[tuple[bytes, Member]] = []
    licences: list[Member] = []
    skipped: Counter[str] = Counter()
    held = 0
    for archive in archives:
        packaging = ".debian.tar" in archive.name or ".diff." in archive.name
        for path, size, data in _members(archive):
            if _is_licence(path):
                licences.append(Member(path, data()))
                continue
            reason = "packaging" if packaging else _unwanted(path, size, suffixes)
            if reason:
                if reason != "no source":
                    skipped[reason] += 1
                continue
            kept.append((hashlib.sha1(path.encode(), usedforsecurity=False).digest(), Member(path, data())))
            held += size
            if held > 4 * most:
                kept, held = _smallest(kept, 2 * most, skipped)
    if any(member.path.startswith("src/") for _, member in kept):
        builds = [item for item in kept if item[1].path.startswith(_BUILDS)]
        if builds:
            skipped["builds beside their sources"] += len(builds)
        kept = [item for item in kept if not item[1].path.startswith(_BUILDS)]
    kept, _ = _smallest(kept, most, skipped)
    return Contents(sorted(member for _, member in kept), licences, skipped)


def _smallest(
    kept: list[tuple[bytes, Member]], most: int, skipped: Counter[str]
) -> tuple[list[tuple[bytes, Member]], int]:
    kept.sort(key=lambda item: item[0])
    held = 0
    for number, (_, member) in enumerate(kept):
        held += len(member.data)
        if held > most:
            skipped["beyond the package's share"] += len(kept) - number
            return kept[:number], held - len(member.data)
    return kept, held


def _unwanted(path: str, size: int, suffixes: tuple[str, ...]) -> str:
    """Why a file is left out, or ""."""
    language = registry.by_path(path)
    if language is None or language.level == "text" or (suffixes and not path.endswith(suffixes)):
        return "no source"
    if not MIN_FILE <= size <= MAX_FILE:
        return "size"
    folders = path.lower().split("/")
    if any(part in _VENDORED for part in folders[:-1]):
        return "vendored"
    if any(part in _BENCHMARK for part in (*folders, folders[-1].partition(".")[0])):
        return "named like a benchmark repository"
    if path.endswith(_GENERATED) or path_role(path) in ("generated", "vendored"):
        return "generated"
    return ""


_VENDORED, _BENCHMARK = frozenset(names("vendored")), frozenset(names("benchmark"))


def _is_licence(path: str) -> bool:
    name = posixpath.basename(path).lower()
    told = path.count("/") <= 3 and name.startswith(_LICENCES) and registry.by_path(path) is None
    return told or name == "copyright"


def _members(archive: Path) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    """Path, size and a function that reads the bytes, for each regular file."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as zipped:
            for info in zipped.infolist():
                yield info.filename, info.file_size, partial(zipped.read, info)
        return
    if archive.suffix == ".deb":
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
                for name, member in _regular(tar):
                    yield _INSTALLED.sub("", name), member.size, partial(_bytes, tar, member)
        return
    if ".tar" not in archive.name and archive.suffix != ".tgz":
        return
    packaging = ".debian.tar" in archive.name
    with tarfile.open(archive, "r|*") as tar:
        for name, member in _regular(tar):
            yield name if packaging else name.partition("/")[2] or name, member.size, partial(_bytes, tar, member)


_INSTALLED = re.compile(
    r"^usr/(?:share/gocode/src|share/cargo/registry/[^/]+|share/php|lib/ruby/vendor_ruby|share/lua/[\d.]+|include|src"
    r"|share/rubygems-integration/all/gems/[^/]+|lib/ruby/\w+/[\d.]+|share|lib)/"
)
"""Where Debian installs sources: no part of their own paths."""


def _regular(tar: tarfile.TarFile) -> Iterator[tuple[str, tarfile.TarInfo]]:
    return ((member.name.removeprefix("./"), member) for member in tar if member.isfile())


def _bytes(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    return file.read() if file is not None else b""
