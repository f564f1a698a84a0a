"""Skipped files that may use a symbol. An answer that reports no uses must mention them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from codeexplore.languages import registry
from codeexplore.source import skip_reasons
from codeexplore.types import Skipped, Symbol

_NOT_READ = frozenset({
    skip_reasons.TOO_LARGE, skip_reasons.MINIFIED, skip_reasons.GENERATED, skip_reasons.NAME,
    skip_reasons.NO_PERMISSION, skip_reasons.UNREADABLE, skip_reasons.VANISHED, skip_reasons.NOTEBOOK,
})  # fmt: skip
"""Reasons for which code of the repository is left out; ignored files and installed packages are not part of it."""


def unread_files(skipped: Iterable[Skipped], symbols: Collection[Symbol]) -> tuple[Skipped, ...]:
    """Return the skipped source files in languages whose code can use the symbols, in the order of discovery."""
    families = {_family(symbol.language) for symbol in symbols if symbol.kind != "external"}
    found = []
    for file in skipped:
        if file.reason in _NOT_READ:
            language = registry.by_path(file.path)
            if (
                language is not None
                and language.level != "text"
                and (_family(language.name) in families or not families)
            ):
                found.append(file)
    return tuple(found)


def _family(name: str) -> str:
    language = registry.by_name(name)
    return language.rules().family if language.rules is not None else language.name
