"""Counters of tokens: cl100k_base by its own vocabulary, without network, other encodings by tiktoken, or a function.

``cl100k_base.xz`` has the vocabulary of the encoding as tiktoken publishes it (MIT, Copyright (c) 2022 OpenAI, Shantanu
Jain): the lengths of its tokens in the order of their ranks, a byte each, then the tokens.

>>> counter_of(None).count("def validate_session(token):")
5
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from codeexplore.types.errors import QuestionError

Count: TypeAlias = Callable[[str], int]
_PIECE: Final = re.compile(
    r"'(?i:[sdmt]|ll|ve|re)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s"
)
_VOCABULARY: Final = 100_256
_MOST_BYTES: Final = (
    256  # of a piece that is merged as one: the time grows with the square, no token is longer than 128
)


@lru_cache(maxsize=1)
def _ranks() -> dict[bytes, int]:
    data = lzma.decompress(files(__package__).joinpath("cl100k_base.xz").read_bytes())
    found, at = {}, _VOCABULARY
    for rank, length in enumerate(data[:_VOCABULARY]):
        found[data[at : at + length]] = rank
        at += length
    return found


def cl100k(text: str) -> int:
    """Return the number of tokens of a text in cl100k_base; for rare runs of characters, some more."""
    return sum(map(_tokens, _PIECE.findall(text)))


@lru_cache(maxsize=50_000)
def _tokens(piece: str) -> int:
    data, ranks = piece.encode(errors="replace"), _ranks()
    if data in ranks:
        return 1
    if not piece.isascii() and any(c.isnumeric() for c in piece):  # such as "½", which is a piece of its own there
        return sum(_merged(c.encode(errors="replace"), ranks) for c in piece)
    if len(data) > _MOST_BYTES:
        parts = [data[n : n + _MOST_BYTES] for n in range(0, len(data), _MOST_BYTES)]
        return sum(_merged(part, ranks) for part in parts) + len(parts) - 1
    return _merged(data, ranks)


def _merged(data: bytes, ranks: dict[bytes, int]) -> int:
    """Return the number of tokens into which byte-pair encoding merges some bytes: the lowest rank first."""
    parts = [data[n : n + 1] for n in range(len(data))]
    pairs = [ranks.get(a + b, _VOCABULARY) for a, b in pairwise(parts)]
    while pairs and (least := min(pairs)) < _VOCABULARY:
        n = pairs.index(least)
        parts[n : n + 2] = [parts[n] + parts[n + 1]]
        del pairs[n]
        for near in (n - 1, n):
            if 0 <= near < len(pairs):
                pairs[near] = ranks.get(parts[near] + parts[near + 1], _VOCABULARY)
    return len(parts)


class Counter(NamedTuple):
    """A function that counts tokens, and its name, which a pack shows."""

    name: str
    count: Count


CL100K: Final = Counter("cl100k_base", cl100k)


def counter_of(counter: str | Count | None) -> Counter:
    """Return the counter for the option of `Context.pack`. Raises QuestionError if it is unknown or cannot be read."""
    if counter is None or counter == CL100K.name:
        return CL100K
    if isinstance(counter, str):
        return _encoding(counter)
    if not callable(counter):
        raise QuestionError(f"counter must be a function or the name of an encoding of tiktoken, not {counter!r:.80}")
    function: Count = counter
    return Counter(getattr(counter, "__name__", type(counter).__name__), lambda text: _whole(function(text)))


def _whole(count: object) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise QuestionError(f"the token counter returned {count!r:.80}; it must return a whole number of at least 0")
    return count


@lru_cache(maxsize=4)
def _encoding(name: str) -> Counter:
    try:
        import tiktoken
    except ImportError as error:
        step = "pip install 'jupyter-codeexplore[tokens]'"
        raise QuestionError(f"counting with {name!r:.80} needs tiktoken: {step}") from error
    if name not in tiktoken.list_encoding_names():
        known = ", ".join(tiktoken.list_encoding_names())
        raise QuestionError(f"unknown token counter {name!r:.80}; known: {known}")
    try:
        encoding = tiktoken.get_encoding(name)
    except Exception as error:  # it downloads the encoding when it is first used, with whatever library it likes
        raise QuestionError(
            f"tiktoken cannot read the data of {name}: {error!s:.200}. It downloads them once; offline, set"
            " TIKTOKEN_CACHE_DIR to a folder that has them, or leave the counter out to count with cl100k_base"
        ) from error
    return Counter(name, lambda text: len(encoding.encode(text, disallowed_special=())))
