"""Download the packages with the ordinary clients of their registries (pip, npm, apt-get), and lock what came.

usage: python -m training.fetch WORK           # what sources.lock pins, checked by sha256
       python -m training.fetch WORK --lock    # the newest versions of names that sources.lock lacks, added to it

Archives stay as they are: nothing is installed, unpacked to disk or run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from training.packages import LOCK, REGISTRIES, Locked, names, read_lock, settings, write_lock

DEBIAN = "http://deb.debian.org/debian"
MAX_BYTES = 320_000_000
"""A Debian source package beyond this is left out when the lock is made: it costs more time than it teaches."""


BATCH = 12
"""Packages asked for at once: starting a client takes longer than a small package."""

T = TypeVar("T")


class FetchError(Exception):
    """A package can't be had; the message names it and says why."""


def _run(*command: str, folder: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(  # noqa: PLW1510 (told below, with the command)
        command, cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, text=True
    )
    if done.returncode:
        raise FetchError(f"{' '.join(command)}: {done.stderr.strip()[-300:]}")
    return done.stdout


def sha256(path: Path) -> str:
    """The hash of a file's bytes, hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --------------------------------------------------------------------------- PyPI

_PIP = (sys.executable, "-m", "pip")
_PIP_ENV = {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_NO_INPUT": "1"}
_WHEELS = ("--no-deps", "--only-binary=:all:", "--quiet")


def _lock_pypi(wanted: list[str], folder: Path) -> list[Locked]:
    report = _run(
        *_PIP, "install", "--dry-run", "--ignore-installed", *_WHEELS, "--report", "-", *wanted,
        folder=folder, env=_PIP_ENV,
    )  # fmt: skip
    asked = {_normal(name): name for name in wanted}
    rows = []
    for found in json.loads(report)["install"]:
        data, info = found["metadata"], found["download_info"]
        digest = info["archive_info"]["hashes"]["sha256"]
        rows.append(Locked("pypi", asked[_normal(data["name"])], data["version"], info["url"], digest, ""))
    _get_pypi(rows, folder)
    return [row._replace(licence=_wheel_licence(folder / row.file)) for row in rows]


def _wheel_licence(path: Path) -> str:
    """The SPDX expression of a wheel, else its licence classifiers, else its licence field."""
    with zipfile.ZipFile(path) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        fields = message_from_bytes(wheel.read(name))
    classifiers = [
        line.rsplit(" :: ", 1)[-1] for line in fields.get_all("Classifier", ()) if line.startswith("License")
    ]
    told = [text for text in classifiers if text != "OSI Approved"]
    return _line(fields.get("License-Expression") or "; ".join(told) or fields.get("License") or "unknown")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _get_pypi(rows: list[Locked], folder: Path) -> None:
    _run(*_PIP, "download", *_WHEELS, *(f"{row.name}=={row.version}" for row in rows), folder=folder, env=_PIP_ENV)


# --------------------------------------------------------------------------- npm


def _lock_npm(wanted: list[str], folder: Path) -> list[Locked]:
    rows = []
    for packed in json.loads(_run("npm", "pack", "--json", *wanted, folder=folder)):
        name, version = packed["name"], packed["version"]
        _rename_npm(name, version, folder)
        url = f"https://registry.npmjs.org/{name}/-/{name.rsplit('/', 1)[-1]}-{version}.tgz"
        row = Locked("npm", name, version, url, "", "")
        path = folder / npm_file(row)
        rows.append(row._replace(sha256=sha256(path), licence=_npm_licence(path)))
    return rows


def _npm_licence(path: Path) -> str:
    with tarfile.open(path) as archive:
        for member in archive:
            if member.name.count("/") == 1 and member.name.endswith("/package.json"):
                file = archive.extractfile(member)
                found = json.loads(file.read()).get("license", "unknown") if file else "unknown"
                return _line(found if isinstance(found, str) else json.dumps(found))
    return "unknown"


def _get_npm(rows: list[Locked], folder: Path) -> None:
    _run("npm", "pack", "--silent", *(f"{row.name}@{row.version}" for row in rows), folder=folder)
    for row in rows:
        _rename_npm(row.name, row.version, folder)


def _rename_npm(name: str, version: str, folder: Path) -> None:
    """What npm writes is ``scope-name-1.0.0.tgz``; the address ends in ``name-1.0.0.tgz``, which scopes may share."""
    packed = f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"
    (folder / packed).rename(folder / f"npm-{packed}")


def npm_file(row: Locked) -> str:
    """What an npm archive is called on disk."""
    return f"npm-{row.name.removeprefix('@').replace('/', '-')}-{row.version}.tgz"


# --------------------------------------------------------------------------- Debian


def _apt(folder: Path) -> dict[str, str]:
    """An apt of its own: the machine's settings stay untouched."""
    root = folder / "apt"
    if not (root / "conf").exists():
        for each in ("lists/partial", "cache/archives/partial"):
            (root / each).mkdir(parents=True, exist_ok=True)
        suites = settings()["debian_suites"]
        assert isinstance(suites, list)
        (root / "sources.list").write_text(
            "".join(f"{kind} {DEBIAN} {suite} main\n" for suite in suites for kind in ("deb", "deb-src"))
        )
        places = {"Etc::sourcelist": "sources.list", "State::lists": "lists", "Cache": "cache"}
        lines = [f'Dir::{key} "{root / place}";\n' for key, place in places.items()]
        (root / "conf").write_text("".join([*lines, 'Dir::Etc::sourceparts "-";\n']))
        _run("apt-get", "update", folder=folder, env={"APT_CONFIG": str(root / "conf")})
    return {"APT_CONFIG": str(root / "conf")}


_URI = re.compile(r"^'(\S+)' (\S+) (\d+) SHA256:([0-9a-f]{64})$", re.MULTILINE)


def _uris(folder: Path, *command: str) -> list[tuple[str, str, int, str]]:
    """Address, file name, bytes and sha256 of what an apt-get command would download."""
    empty = folder / "apt" / "cache"  # apt-get doesn't list what lies in the folder already
    listed = _run("apt-get", *command, folder=empty, env=_apt(folder))
    return [(url, file, int(size), digest) for url, file, size, digest in _URI.findall(listed)]


def _lock_source(wanted: list[str], folder: Path) -> list[Locked]:
    files = _uris(folder, "source", "--download-only", "--only-source", "--print-uris", *wanted)
    rows = []
    for name in wanted:
        own = [item for item in files if item[1].startswith(f"{name}_")]
        if sum(size for _, _, size, _ in own) > MAX_BYTES:
            raise FetchError(f"{name}: larger than {MAX_BYTES:,} bytes")
        version = next(file for _, file, _, _ in own if file.endswith(".dsc")).removesuffix(".dsc").split("_", 1)[1]
        rows += [
            Locked("debian-source", name, unquote(version), url, digest, "debian/copyright")
            for url, file, _, digest in own
            if not file.endswith((".asc", ".dsc"))
        ]
    _get_debian(rows, folder)
    return rows


def _lock_binary(wanted: list[str], folder: Path) -> list[Locked]:
    rows = []
    for url, file, _, digest in _uris(folder, "download", "--print-uris", *wanted):
        name, version, _ = unquote(file).split("_")
        rows.append(Locked("debian", name, version, url, digest, "debian/copyright"))
    _get_debian(rows, folder)
    return rows


def _get_debian(rows: list[Locked], folder: Path) -> None:
    """By address: apt-get asks for versions by their epochs, which file names lack."""
    for row in rows:
        target = folder / unquote(row.file)
        if not target.exists():
            _run(
                "/usr/lib/apt/apt-helper", "download-file", row.url, str(target), f"SHA256:{row.sha256}", folder=folder
            )


# --------------------------------------------------------------------------- all together

_LOCKERS = {"pypi": _lock_pypi, "npm": _lock_npm, "debian-source": _lock_source, "debian": _lock_binary}
_GETTERS = {"pypi": _get_pypi, "npm": _get_npm, "debian-source": _get_debian, "debian": _get_debian}


def batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Consecutive slices of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))


def _line(text: str) -> str:
    return " ".join(text.split())[:200]


def archive(row: Locked, work: Path) -> Path:
    """Where an archive lies."""
    return work / "archives" / (npm_file(row) if row.registry == "npm" else unquote(row.file))


def _lock_batch(registry: str, wanted: list[str], folder: Path) -> list[Locked]:
    """Lock some packages with one call of their client; one by one when that fails, and say which fail."""
    try:
        found = _LOCKERS[registry](wanted, folder)
    except (FetchError, KeyError, StopIteration) as error:
        if len(wanted) == 1:
            print(f"left out: {registry} {wanted[0]}: {error!r}", flush=True)
            return []
        return [row for name in wanted for row in _lock_batch(registry, [name], folder)]
    print(f"{registry}: {' '.join(wanted)}", flush=True)
    return found


def lock(work: Path) -> None:
    """Resolve every name that sources.lock lacks to its newest version, download it, and add it to the lock.

    Names that fail are listed and left out.
    """
    folder = work / "archives"
    folder.mkdir(parents=True, exist_ok=True)
    _apt(folder)
    listed = {registry: names(registry) for registry in REGISTRIES}
    missing = set(names("validation")) - {name for table in listed.values() for name in table}
    if missing:
        raise SystemExit(f"validation packages that are in no registry's list: {sorted(missing)}")
    rows = read_lock() if LOCK.exists() else []
    locked = {(row.registry, row.name) for row in rows}
    lacking = {reg: [name for name in table if (reg, name) not in locked] for reg, table in listed.items()}
    tasks = [(registry, list(batch)) for registry, table in lacking.items() for batch in batched(table, BATCH)]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda task: _lock_batch(*task, folder), tasks):
            rows += found
    write_lock(rows)
    print(f"{len(rows)} archives of {len({(row.registry, row.name) for row in rows})} packages locked")


def fetch(work: Path) -> None:
    """Download what sources.lock pins and is not there yet. Raises SystemExit when an archive differs from its pin."""
    folder = work / "archives"
    folder.mkdir(parents=True, exist_ok=True)
    rows = read_lock()
    lacking: dict[str, list[Locked]] = {}
    for row in rows:
        if not archive(row, work).exists():
            lacking.setdefault(row.registry, []).append(row)
    if lacking.keys() & {"debian", "debian-source"}:
        _apt(folder)
    with ThreadPoolExecutor(4) as pool:
        tasks = [(registry, list(some)) for registry, rows in lacking.items() for some in batched(rows, BATCH)]
        list(pool.map(lambda task: _GETTERS[task[0]](task[1], folder), tasks))
    wrong = [row.file for row in rows if sha256(archive(row, work)) != row.sha256]
    if wrong:
        raise SystemExit(f"archives that differ from sources.lock: {', '.join(wrong)}")
    print(f"{len(rows)} archives, each with the sha256 of sources.lock")


if __name__ == "__main__":
    (lock if "--lock" in sys.argv else fetch)(Path(sys.argv[1]).resolve())
