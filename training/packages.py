"""The names in packages.toml, and the lock that says what each of them stood for."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
LOCK = HERE / "sources.lock"
REGISTRIES = ("pypi", "npm", "debian-source", "debian")


class Locked(NamedTuple):
    """One archive of a package, as the lock pins it. A Debian source package has several."""

    registry: str
    name: str
    version: str
    url: str
    sha256: str
    licence: str  # as the registry declares it; of Debian packages, what debian/copyright says

    @property
    def file(self) -> str:
        """What the archive is called on disk."""
        return self.url.rsplit("/", 1)[-1]


@cache
def settings() -> dict[str, object]:
    """packages.toml as it stands."""
    return tomllib.loads((HERE / "packages.toml").read_text("utf-8"))


def names(table: str) -> tuple[str, ...]:
    """The names listed in one table of packages.toml, each once, in order."""
    return tuple(dict.fromkeys(str(settings()[table]).split()))


def read_lock(path: Path = LOCK) -> list[Locked]:
    """The rows of sources.lock, in order."""
    return [Locked(*line.split("\t")) for line in path.read_text("utf-8").splitlines()[1:]]


def write_lock(rows: list[Locked], path: Path = LOCK) -> None:
    """Write sources.lock: tab separated, sorted, with a header."""
    lines = ["\t".join(Locked._fields), *("\t".join(row) for row in sorted(rows))]
    path.write_text("\n".join([*lines, ""]), "utf-8", newline="\n")
