"""What each file says, as one compressed line of JSON a file: read when something must be resolved anew."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from codeexplore.errors import DamagedIndex
from codeexplore.types import Base, Binding, Export, FileFacts, FileIndex, Import, Reference, Return, Symbol

_ROWS: tuple[tuple[str, Callable[[Iterable[Any]], Any]], ...] = (
    ("imports", Import._make),
    ("exports", Export._make),
    ("bindings", Binding._make),
    ("returns", Return._make),
    ("references", lambda row: _reference(*row)),
    ("bases", lambda row: _base(*row)),
)
_LISTS = attrgetter(*(name for name, _ in _ROWS))
_LEVEL = 1  # of zlib: five times smaller at 60 MB a second; higher levels cost more than they save


def _reference(scope: int, kind: Any, path: str, line: int, args: Sequence[str]) -> Reference:
    return Reference(scope, kind, path, line, tuple(args))


def _base(scope: int, path: str, manner: Any, line: int, type: str, arguments: Sequence[str]) -> Base:  # noqa: A002
    return Base(scope, path, manner, line, type, tuple(arguments))


def pack_facts(file: FileIndex) -> bytes:
    """One file's facts without its symbols, which have a table of their own, and its warnings."""
    facts = file.facts
    plain = [facts.module, facts.errors, file.warnings, *_LISTS(facts)]
    line = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(line.encode("utf-8", "surrogatepass"), _LEVEL)


def unpack_facts(
    data: bytes | memoryview, path: str, language: str, symbols: tuple[Symbol, ...]
) -> tuple[FileFacts, tuple[str, ...]]:
    """The inverse of `pack_facts`: facts and warnings. Raises DamagedIndex."""
    try:
        line = zlib.decompress(data).decode("utf-8", "surrogatepass")
        module, errors, warnings, *rows = json.loads(line)
        lists = {name: tuple(map(make, found)) for (name, make), found in zip(_ROWS, rows, strict=True)}
        return FileFacts(path, language, module, symbols, errors=errors, **lists), tuple(warnings)
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise DamagedIndex(f"what is stored of {path} can't be read ({error})") from error
