"""Which examples share code with the benchmark's development repositories? Writes leaked.txt.

usage: python -m training.leakage WORK REPOSITORIES

By name and by vendored path, files were left out when the archives were read (packages.toml). Here what is left is
compared by content: an example whose text has a fifth or more of its 13-token windows in common with the repositories'
code is left out of training. A folder of repositories is needed to make the list anew; training reads the list.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from codeexplore.languages import registry
from training.bags import token_rows
from training.corpus import example_files, read_examples
from training.prepare import LEAKED, tokenizer

WINDOW = 13
SHARE = 0.2
_BATCH = 2_000


def windows(indptr: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A hash of every run of WINDOW tokens within a text, and the text it stands in."""
    n = max(len(ids) - WINDOW + 1, 0)
    hashes = np.zeros(n, np.uint64)
    for offset in range(WINDOW):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + ids[offset : offset + n].astype(np.uint64) + np.uint64(1)
    text = np.searchsorted(indptr, np.arange(n), side="right") - 1
    inside = np.arange(n) + WINDOW <= indptr[text + 1]
    return hashes[inside], text[inside]


def known_windows(folder: Path) -> np.ndarray:
    """The windows of all source files below a folder, sorted."""
    texts = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(files):
            language = registry.by_path(name)
            if language is not None and language.level != "text":
                texts.append((Path(root) / name).read_text("utf-8", errors="replace")[:500_000])
    found = [windows(*token_rows(tokenizer(), texts[at : at + 200]))[0] for at in range(0, len(texts), 200)]
    return np.unique(np.concatenate(found))


def main(work: Path, folder: Path) -> None:
    known = known_windows(folder)
    leaked, checked = [], 0
    for path in example_files(work):
        report, rows = read_examples(path)
        before = len(leaked)
        for at in range(0, len(rows), _BATCH):
            some = rows[at : at + _BATCH]
            hashes, text = windows(*token_rows(tokenizer(), [row["t"] for row in some]))
            places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
            shared = np.bincount(text, known[places] == hashes, len(some))
            all_of = np.bincount(text, minlength=len(some))
            leaked += [some[number]["id"] for number in np.flatnonzero((shared > 0) & (shared >= SHARE * all_of))]
        checked += len(rows)
        if len(leaked) > before:
            print(f"{report['registry']} {report['name']}: {len(leaked) - before} of {len(rows)} chunks")
    LEAKED.write_text("\n".join([*sorted(set(leaked)), ""]), "utf-8", newline="\n")
    print(
        f"{len(leaked)} of {checked} chunks share {SHARE:.0%} of their {WINDOW}-token windows with {len(known)} known"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
