"""Many texts as bags of tokens: one sparse matrix of counts by rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from tokenizers import Tokenizer

PAD_ID, UNKNOWN_ID = 0, 1


class Bags(NamedTuple):
    """Row i holds ``ids[indptr[i]:indptr[i + 1]]``, each ``counts`` times; ids ascend within a row."""

    indptr: np.ndarray  # (n + 1,) int64
    ids: np.ndarray  # (nnz,) uint16
    counts: np.ndarray  # (nnz,) uint8, cut at 255

    def take(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sizes, ids and counts of some rows, one after the other."""
        starts, sizes = self.indptr[rows], self.indptr[rows + 1] - self.indptr[rows]
        places = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        return sizes, self.ids[places], self.counts[places]

    def matrix(self, n_tokens: int) -> Any:
        """The same as a SciPy sparse matrix, shape (n, n_tokens), float32."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.counts.astype(np.float32), self.ids, self.indptr), (len(self.indptr) - 1, n_tokens))


def token_rows(tokenizer: Tokenizer, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The tokens of each text in order, unknown ones left out: pointers (n + 1,) and ids."""
    encoded = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    sizes = np.zeros(len(texts) + 1, np.int64)
    found = [np.array(each.ids, np.int64) for each in encoded]
    found = [ids[ids > UNKNOWN_ID] for ids in found]
    sizes[1:] = [len(ids) for ids in found]
    return np.cumsum(sizes), np.concatenate([np.zeros(0, np.int64), *found])


def bags(indptr: np.ndarray, ids: np.ndarray, without: Bags | None = None) -> Bags:
    """Count each row's tokens; `without` takes as many away as its rows hold."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    keys, counts = np.unique((rows << 16) | ids, return_counts=True)
    if without is not None:
        less = (np.repeat(np.arange(len(indptr) - 1), np.diff(without.indptr)) << 16) | without.ids.astype(np.int64)
        at = np.searchsorted(keys, less)
        at[at == len(keys)] = 0
        hit = keys[at] == less if len(keys) else np.zeros(len(less), bool)
        counts[at[hit]] -= np.minimum(counts[at[hit]], without.counts[hit])
        keys, counts = keys[counts > 0], counts[counts > 0]
    pointers = np.searchsorted(keys, np.arange(len(indptr)) << 16)
    return Bags(pointers.astype(np.int64), (keys & 0xFFFF).astype(np.uint16), np.minimum(counts, 255).astype(np.uint8))


def join(parts: Sequence[Bags]) -> Bags:
    """Rows of all parts below each other."""
    offsets = np.cumsum([0, *(part.indptr[-1] for part in parts)])
    pointers = [np.zeros(1, np.int64), *(part.indptr[1:] + at for part, at in zip(parts, offsets, strict=False))]
    return Bags(
        np.concatenate(pointers),
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )
