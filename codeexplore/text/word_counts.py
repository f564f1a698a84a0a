"""Word counts of chunks: a sparse matrix (chunk × distinct word), which is the input of both text lanes.

Each distinct word is analysed by BM25's tokeniser only once, and embedded only once. Words are split and counted over
bytes by NumPy. A word is identified by a 64-bit hash of its bytes, so only its first occurrence needs a Python object.

The matrix is in CSR form (compressed sparse rows): `indptr` contains the start of each row, followed by the end of the
last row.
"""

from __future__ import annotations

import hashlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from codeexplore.text.tokens import WORD_BYTES, words
from codeexplore.types import Chunk, WordCounts
from codeexplore.types.settings import CONTEXT_TIMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK_BYTES = 500_000
"""Bytes of text that are counted in one step, so that the working arrays fit in a processor's cache."""

_BLOCK_ENTRIES = 100_000
"""Entries of a sparse matrix that are processed in one step, so that they fit in a processor's cache."""

_HASHED_BYTES = 64
"""Bytes. There are few longer words, so these are hashed one by one."""

_SLOTS = 1 << 17
"""Entries of the hash table, which takes 1.5 MB while words are counted. A larger table is not faster for 120,000
distinct words."""

_WORD_BYTES = WORD_BYTES[:128] + bytes([1]) * 128  # a non-ASCII text is first split into words separated by spaces
_LOW_BYTES = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
_MIX_1, _MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd constants of splitmix64 and xxHash


def indexed_text(chunk: Chunk, context_times: int = CONTEXT_TIMES) -> str:
    """Return the text of `chunk` that the text lanes index: `context_times` times its context, then its source."""
    return with_context(chunk.context, chunk.text, context_times)


def with_context(context: str, text: str, context_times: int = CONTEXT_TIMES) -> str:
    """Return the text that the text lanes index for a chunk: `context_times` times its context, then its source."""
    return f"{context}\n" * context_times + text if context else text


def count_words(chunks: Iterable[Chunk]) -> WordCounts:
    """Count the words of each chunk, in its context and text together. `tokens.words` splits the words.

    Words are numbered in the order of their first occurrence. Two words with the same hash would be counted as one
    word. For a million distinct words, the probability that there is such a pair is 3e-8.
    """
    return count_texts(map(indexed_text, chunks))


def count_texts(texts: Iterable[str]) -> WordCounts:
    """Count the words of each text, as `count_words` does for chunks."""
    vocabulary = _Vocabulary()
    columns = _empty_columns()
    for block in _blocks(texts):
        _append(columns, *_count_block(block, vocabulary))
    return WordCounts(tuple(vocabulary.words), *_concatenated(columns))


_Columns: TypeAlias = "tuple[list[NDArray[np.int64]], list[NDArray[np.int32]], list[NDArray[np.int32]]]"


def _empty_columns() -> _Columns:
    return [np.zeros(1, np.int64)], [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]


def _append(
    columns: _Columns, indptr: NDArray[np.int64], ids: NDArray[np.integer], counts: NDArray[np.integer]
) -> None:
    """Append the rows of a sparse matrix in CSR form to the rows in `columns`."""
    if len(indptr) > 1:
        columns[0].append(indptr[1:] + columns[0][-1][-1])
        columns[1].append(ids.astype(np.int32))
        columns[2].append(counts.astype(np.int32))


def _concatenated(columns: _Columns) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return all rows in `columns` as one sparse matrix. The lists in `columns` are cleared to free memory."""
    indptr = np.concatenate(columns[0])
    ids = np.concatenate(columns[1])
    columns[1].clear()
    counts = np.concatenate(columns[2])
    columns[2].clear()
    return indptr, ids, counts


# --------------------------------------------------------------------------- blocks


def _blocks(texts: Iterable[str]) -> Iterator[list[bytes]]:
    block: list[bytes] = []
    size = 0
    for text in texts:
        encoded = (text if text.isascii() else " ".join(words(text))).encode()
        block.append(encoded)
        size += len(encoded)
        if size > _BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def _count_block(
    block: list[bytes], vocabulary: _Vocabulary
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the counts of each text as CSR: (start of each row, ascending numbers of words, counts)."""
    data = b" " + b" ".join(block) + b" "
    inside = np.frombuffer(data.translate(_WORD_BYTES), np.uint8)
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    numbers = vocabulary.number(data, starts, lengths)
    ends = np.cumsum(np.fromiter(map(len, block), np.int64, len(block)) + 1)
    per_text = np.diff(np.searchsorted(starts, ends), prepend=0)
    n_words = max(len(vocabulary.words), 1)
    keys = np.repeat(np.arange(len(block)) * n_words, per_text) + numbers
    if len(block) * n_words < 1 << 31:
        keys = keys.astype(np.int32)  # sorts twice as fast
    keys.sort()
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(firsts, append=len(keys))
    rows, ids = np.divmod(keys[firsts].astype(np.int64), n_words)
    return _pointers(np.bincount(rows, minlength=len(block))), ids, counts


class _Vocabulary:
    """Distinct words with their numbers, which are given in the order of first occurrence."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._number_of: dict[int, int] = {}
        # a hash table for lookups by NumPy; if a word's slot is in use, the word is only in the dict
        self._hashes = np.zeros(_SLOTS, np.uint64)
        self._numbers = np.full(_SLOTS, -1, np.int32)

    def number(self, data: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each word of `data`. New words get the next free numbers."""
        hashes = _hash_words(data, starts, lengths)
        slots = (hashes & np.uint64(_SLOTS - 1)).astype(np.int64)
        numbers = np.where(self._hashes[slots] == hashes, self._numbers[slots], -1).astype(np.int64)
        missed = np.flatnonzero(numbers < 0)
        if len(missed):
            distinct, first, inverse = np.unique(hashes[missed], return_index=True, return_inverse=True)
            order = np.argsort(first)
            at = missed[first[order]]
            found = np.empty(len(distinct), np.int64)
            found[order] = self._look_up(distinct[order], slots[at], data, starts[at], starts[at] + lengths[at])
            numbers[missed] = found[inverse]
        return numbers

    def _look_up(
        self,
        hashes: NDArray[np.uint64],
        slots: NDArray[np.int64],
        data: bytes,
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
    ) -> list[int]:
        """Return the numbers of distinct words, given by their hashes and positions in `data`.

        The words are in the order of their first occurrence in `data`. New words get the next free numbers.
        """
        number_of, texts = self._number_of, self.words
        before = len(texts)
        found: list[int] = []
        for hashed, start, stop in zip(hashes.tolist(), starts.tolist(), stops.tolist(), strict=True):
            number = number_of.get(hashed)
            if number is None:
                number = number_of[hashed] = len(texts)
                texts.append(data[start:stop].decode())
            found.append(number)
        new = np.array(found) >= before
        free = new & (self._numbers[slots] < 0)
        self._hashes[slots[free]] = hashes[free]  # if two new words have the same slot, the last one is stored
        self._numbers[slots[free]] = np.array(found)[free]
        return found


def _hash_words(data: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each word, made of eight bytes at a time, padded with zeros, which no word has."""
    padded = data + bytes(8)
    eight = np.ndarray((len(data),), "<u8", padded, 0, (1,))  # the eight bytes that start at each position
    hashes = (eight[starts] & _LOW_BYTES[np.minimum(lengths, 8)]) * _MIX_1
    hashes ^= hashes >> np.uint64(32)
    longer = np.flatnonzero(lengths > 8)
    for offset in range(8, _HASHED_BYTES, 8):
        if not len(longer):
            break
        left = lengths[longer] - offset
        mixed = (hashes[longer] + (eight[starts[longer] + offset] & _LOW_BYTES[np.minimum(left, 8)])) * _MIX_2
        mixed ^= mixed >> np.uint64(29)
        mixed *= _MIX_1
        mixed ^= mixed >> np.uint64(32)
        hashes[longer] = mixed
        longer = longer[left > 8]
    for at in longer.tolist():
        word = data[starts[at] : starts[at] + lengths[at]]
        hashes[at] = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
    return hashes


# --------------------------------------------------------------------------- sparse counts


class WordMap(ABC):
    """The targets of words, such as their tokens, each looked up once by `_look_up` of a subclass."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._indptr, self._ids = np.zeros(1, np.int64), np.zeros(0, np.int64)

    @abstractmethod
    def _look_up(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the targets of new words in CSR form: the start of each word's targets, then all targets."""

    def of(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the start of each word's targets, and the targets of all words: the map for `project`."""
        new = [word for word in words if word not in self._numbers]
        if new:
            self._numbers.update(zip(new, itertools.count(len(self._numbers))))
            indptr, ids = self._look_up(new)
            self._indptr = np.concatenate([self._indptr, self._indptr[-1] + indptr[1:]])
            self._ids = np.concatenate([self._ids, ids])
        numbers = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
        starts = self._indptr[numbers]
        sizes = self._indptr[numbers + 1] - starts
        found = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        places = np.repeat(starts - found[:-1], sizes) + np.arange(int(found[-1]))
        return found, self._ids[places]


def project(
    indptr: NDArray[np.int64],
    ids: NDArray[np.integer],
    counts: NDArray[np.integer],
    map_indptr: NDArray[np.int64],
    map_ids: NDArray[np.integer],
    n_targets: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Replace the items that are counted by their targets: from counts of words, for example, get counts of tokens.

    This is the product of two sparse matrices of counts.

    Parameters
    ----------
    indptr, ids, counts
        Counts of items in each row, CSR: shape (n_rows, n_items).
    map_indptr, map_ids
        Targets of each item, with repeats: the targets of item i are ``map_ids[map_indptr[i]:map_indptr[i + 1]]``.
    n_targets
        Number of targets; all values in `map_ids` are smaller.

    Returns
    -------
    tuple
        indptr, ids and counts of the targets in each row, CSR: shape (n_rows, n_targets), ids ascending in each row.
    """
    map_sizes = np.diff(map_indptr)
    bits = int(counts.max()).bit_length() if len(counts) else 0
    # row, target and count are packed into 62 bits for sorting
    most_rows = max((1 << (62 - bits)) // max(n_targets, 1), 1)
    columns = _empty_columns()
    row = 0
    while row < len(indptr) - 1:
        stop = int(np.searchsorted(indptr, indptr[row] + _BLOCK_ENTRIES, side="right")) - 1
        stop = min(max(stop, row + 1), row + most_rows)
        begin, end = int(indptr[row]), int(indptr[stop])
        sizes = map_sizes[ids[begin:end]]
        total = int(sizes.sum())
        # positions in map_ids of all targets of each entry
        offsets = np.repeat(map_indptr[ids[begin:end]] - np.cumsum(sizes) + sizes, sizes) + np.arange(total)
        keys = np.repeat(np.repeat(np.arange(stop - row) * n_targets, np.diff(indptr[row : stop + 1])), sizes)
        keys += map_ids[offsets]
        keys <<= bits
        keys |= np.repeat(counts[begin:end], sizes)
        keys.sort()
        amounts = keys & ((1 << bits) - 1)
        keys >>= bits
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        rows, targets = np.divmod(keys[firsts], max(n_targets, 1))
        summed = np.add.reduceat(amounts, firsts) if len(firsts) else amounts
        _append(columns, _pointers(np.bincount(rows, minlength=stop - row)), targets, summed)
        row = stop
    return _concatenated(columns)


def _pointers(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the start of each row in a CSR matrix, followed by the end of the last row: shape (len(sizes) + 1,)."""
    indptr = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=indptr[1:])
    return indptr
