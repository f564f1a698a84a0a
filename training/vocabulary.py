"""Choose the bundled model's tokens, and estimate how frequent each is. Writes vocabulary.tsv.

usage: python -m training.vocabulary WORK

The tokens are letters and digits, the words most common in the examples' chunks and questions, further English words of
the teacher's own vocabulary, and those of the teacher's word pieces that rarer words are made of. A word's frequency is
its mean share over packages, so that no large package decides alone. The result is committed.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from codeexplore.text.word_counts import count_words
from codeexplore.types import Chunk, Span
from training.config import HERE, config
from training.corpus import questions_of, read_examples, split
from training.examples import sample
from training.teacher import teacher_folder
from training.tokenizer import CONTINUING, PAD, UNKNOWN, make_tokenizer
from training.tokenizer import split as split_words

_LETTERS = tuple("abcdefghijklmnopqrstuvwxyz0123456789")
_WORD = re.compile(r"[a-z]+[0-9]*|[0-9]{1,3}")


def count_texts(texts: Iterable[str]) -> Counter[str]:
    """How often each word of the tokenizer occurs in some texts."""
    chunks = [Chunk(id="", path="", spans=(Span(1, 1, 0, 0),), text=text, language="", symbol=None) for text in texts]
    counts = count_words(chunks)
    totals = np.bincount(counts.word_ids, weights=counts.counts, minlength=len(counts.words))
    tokenizer = make_tokenizer([PAD, UNKNOWN])
    found: Counter[str] = Counter()
    for word, total in zip(counts.words, totals.tolist(), strict=True):
        for part in split_words(tokenizer, word):
            found[part] += int(total)
    return found


def _texts(rows: list[dict[str, Any]]) -> list[str]:
    """What counts of a package: chunks as they are indexed, and what is asked for them."""
    return [f"{row['c']}\n{row['t']}\n" + "\n".join(text for _, text in questions_of(row)) for row in rows]


def choose(per_package: list[Counter[str]], limits: dict[str, Any]) -> list[tuple[str, float]]:
    """The tokens in their order, each with its frequency (0 for what code does not hold)."""
    total: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    share: defaultdict[str, float] = defaultdict(float)
    for counts in per_package:
        size = counts.total()
        total.update(counts)
        packages.update(counts.keys())
        for word, count in counts.items():
            share[word] += count / size / len(per_package)
    known = [line for line in (teacher_folder() / "vocab.txt").read_text("utf-8").splitlines() if line]
    wanted = [
        word
        for word in total
        if total[word] >= limits["min_count"]
        and packages[word] >= limits["min_packages"]
        and 1 < len(word) <= 24
        and _WORD.fullmatch(word)
    ]
    code = sorted(wanted, key=lambda word: (-share[word], word))[: limits["code_words"]]
    chosen = set(code)
    english = [word for word in known if len(word) > 1 and _WORD.fullmatch(word) and word not in chosen][
        : limits["english_words"]
    ]
    tokens = [PAD, UNKNOWN, *_LETTERS, *(CONTINUING + letter for letter in _LETTERS), *code, *english]
    tokens += _pieces(tokens, known, total)[: limits["pieces"]]
    return [(token, share[token]) for token in tokens]


def _pieces(tokens: list[str], known: list[str], total: Counter[str]) -> list[str]:
    """The teacher's word pieces that the words outside the vocabulary need most; a word's say is limited."""
    pieces = [piece for piece in known if re.fullmatch(CONTINUING + "[a-z0-9]{2,}", piece)]
    names = [*tokens, *pieces]
    tokenizer = make_tokenizer(names)
    chosen = set(tokens)
    others = [word for word in total if word not in chosen and word.isascii() and len(word) < 30]
    needed: Counter[str] = Counter()
    for word, encoding in zip(others, tokenizer.encode_batch_fast(others, add_special_tokens=False), strict=True):
        for token_id in encoding.ids[1:]:
            needed[names[token_id]] += min(total[word], 50)
    ranked = sorted(pieces, key=lambda piece: (-needed[piece], piece))
    return [piece for piece in ranked if needed[piece]]


def read_vocabulary() -> tuple[list[str], np.ndarray]:
    """The committed tokens, and their frequencies, shape (n_tokens,)."""
    rows = [line.split("\t") for line in (HERE / "vocabulary.tsv").read_text("utf-8").splitlines()]
    return [row[0] for row in rows], np.array([float(row[1]) for row in rows])


def main(work: Path) -> None:
    train, _ = split(work)
    per_package = []
    for path in train:
        _, rows = read_examples(path)
        if rows:
            per_package.append(count_texts(_texts(sample(rows, **config()["corpus"]))))
    tokens = choose(per_package, config()["vocabulary"])
    rows_out = [f"{token}\t{frequency:.3g}" for token, frequency in tokens]
    (HERE / "vocabulary.tsv").write_text("\n".join([*rows_out, ""]), "utf-8", newline="\n")
    print(f"{len(tokens)} tokens over {len(per_package)} packages")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
