"""Filters as a mask over the chunks that a search may return.

Every lane applies the mask before it takes its best hits.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from codeexplore.index.catalog import Catalog
from codeexplore.languages.file_roles import PathRoles
from codeexplore.types import Filters

if TYPE_CHECKING:
    from numpy.typing import NDArray


def allowed_chunks(filters: Filters, catalog: Catalog) -> NDArray[np.bool_] | None:
    """Return a mask over the catalog's chunks, shape (n_chunks,); None if all chunks may be returned."""
    if filters == Filters():
        return None
    paths, numbers = catalog.chunk_files()
    mask: NDArray[np.bool_] = np.array([path_passes(path, filters, catalog.roles) for path in paths], np.bool_)[numbers]
    if filters.languages:
        mask &= catalog.chunks.of_languages(filters.languages.__contains__)
    if filters.kinds:
        mask &= catalog.chunks_of_kinds(filters.kinds)
    if not filters.tests:
        mask &= ~catalog.inline_tests
    if filters.symbols is not None:
        rows = [catalog.symbol_row(symbol_id) for symbol_id in filters.symbols if catalog.has_symbol(symbol_id)]
        mask &= np.isin(catalog.chunks.symbol_rows, rows)
    return mask


def path_passes(path: str, filters: Filters, roles: PathRoles) -> bool:
    if not filters.tests and roles.is_test(path):
        return False
    return not filters.paths or any(glob_pattern(glob).match(path) for glob in filters.paths)


@lru_cache(maxsize=1024)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """Return a path glob as a regular expression over repository-relative POSIX paths.

    ``*`` and ``?`` stay within a folder, ``**`` crosses folders, ``[abc]`` is one of a set. A glob without a slash
    matches a file or folder of that name anywhere; a folder matches all files in it.
    """
    text = glob.replace("\\", "/").strip("/")
    anchored = "/" in text
    out = []
    position = 0
    while position < len(text):
        token, position = _glob_token(text, position)
        out.append(token)
    head = "" if anchored else "(?:.*/)?"
    return re.compile(rf"{head}{''.join(out)}(?:/.*)?\Z", re.DOTALL)


def _glob_token(text: str, at: int) -> tuple[str, int]:
    if text.startswith("**/", at):
        return "(?:.*/)?", at + 3
    if text.startswith("**", at):
        return ".*", at + 2
    if text[at] == "*":
        return "[^/]*", at + 1
    if text[at] == "?":
        return "[^/]", at + 1
    close = text.find("]", at + 2)
    if text[at] == "[" and close != -1:
        inside = text[at + 1 : close].replace("\\", r"\\").replace("[", r"\[")
        return f"[{'^' + inside[1:] if inside[0] == '!' else inside}]", close + 1
    return re.escape(text[at]), at + 1
