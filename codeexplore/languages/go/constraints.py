"""Build constraints of Go: they decide if a file is part of a build without tags."""

from __future__ import annotations

import re

_CONSTRAINT = re.compile(rb"^//go:build[ \t]+([^\r\n]+)", re.MULTILINE)
_TOKEN = re.compile(r"&&|\|\||[!()]|[\w.]+")
_HEAD_BYTES = 20_000
_DEEPEST = 50
_PLATFORMS = frozenset({
    "386", "aix", "amd64", "android", "arm", "arm64", "cgo", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios",
    "js", "linux", "loong64", "mips", "mips64", "mips64le", "mipsle", "netbsd", "openbsd", "plan9", "ppc64", "ppc64le",
    "riscv64", "s390x", "solaris", "unix", "wasip1", "wasm", "windows", "zos",
})  # fmt: skip
_ALWAYS = re.compile(r"gc|go1(?:\.\d+)*")


def is_left_out(data: bytes) -> bool:
    """Return True if the ``//go:build`` line in `data` requires a tag that must be set on the command line.

    Constraints on the platform do not leave a file out.
    """
    end = data.find(b"\npackage ", 0, _HEAD_BYTES)
    found = _CONSTRAINT.search(data, 0, end) if end >= 0 else None
    if found is None:
        return False
    tokens = _TOKEN.findall(found.group(1).decode("utf-8", "replace").partition("//")[0])
    value, _ = _either(tokens, 0, 0)
    return value is False


def _either(tokens: list[str], place: int, depth: int) -> tuple[bool | None, int]:
    """Parse ``a || b`` from the token at index `place`. Return its value and the index of the token after it.

    The value is None if it depends on the platform.
    """
    value, place = _both(tokens, place, depth)
    while place < len(tokens) and tokens[place] == "||":
        other, place = _both(tokens, place + 1, depth)
        value = True if value or other else None if value is None or other is None else False
    return value, place


def _both(tokens: list[str], place: int, depth: int) -> tuple[bool | None, int]:
    value, place = _one(tokens, place, depth)
    while place < len(tokens) and tokens[place] == "&&":
        other, place = _one(tokens, place + 1, depth)
        value = False if value is False or other is False else None if value is None or other is None else True
    return value, place


def _one(tokens: list[str], place: int, depth: int) -> tuple[bool | None, int]:
    if place >= len(tokens) or depth > _DEEPEST:
        return None, len(tokens)
    word = tokens[place]
    if word == "!":
        value, place = _one(tokens, place + 1, depth + 1)
        return (None if value is None else not value), place
    if word == "(":
        value, place = _either(tokens, place + 1, depth + 1)
        return value, place + 1
    if word in _PLATFORMS:
        return None, place + 1
    return _ALWAYS.fullmatch(word) is not None, place + 1
