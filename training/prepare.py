"""Everything between the examples and training: vocabulary, arrays, starting vectors. Kept in WORK, made once."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from tokenizers import Tokenizer

from training.bags import Bags, bags, token_rows
from training.batches import FRAMES
from training.config import HERE
from training.corpus import Corpus, build, split
from training.start import start_vectors
from training.tokenizer import make_tokenizer
from training.vocabulary import read_vocabulary

LEAKED = HERE / "leaked.txt"

T = TypeVar("T")


def tokenizer() -> Tokenizer:
    """The tokenizer over the committed vocabulary."""
    return make_tokenizer(read_vocabulary()[0])


def frames() -> Bags:
    """What questions are set into, as bags."""
    return bags(*token_rows(tokenizer(), FRAMES))


def leaked() -> frozenset[str]:
    """Ids of the chunks that `training.leakage` found to share code with the benchmark's development repositories."""
    return frozenset(LEAKED.read_text("utf-8").split()) if LEAKED.exists() else frozenset()


def corpora(work: Path, limits: dict[str, int]) -> tuple[Corpus, Corpus]:
    """The arrays of the training and the validation packages."""
    train, validation = split(work)
    told = hashlib.sha256(
        (HERE / "vocabulary.tsv").read_bytes() + repr((sorted(leaked()), sorted(limits.items()))).encode()
    )
    told.update(" ".join(f"{path.name}:{path.stat().st_size}" for path in (*train, *validation)).encode())
    mark = told.hexdigest()[:12]
    return (
        _kept(work / f"train-{mark}.pickle", lambda: build(tokenizer(), train, leaked(), limits)),
        _kept(work / f"validation-{mark}.pickle", lambda: build(tokenizer(), validation, leaked())),
    )


def start(work: Path, options: dict[str, Any]) -> np.ndarray:
    """The starting vectors for the committed vocabulary."""
    told = hashlib.sha256((HERE / "vocabulary.tsv").read_bytes() + repr(sorted(options.items())).encode())
    tokens, frequencies = read_vocabulary()
    found: np.ndarray = _kept(
        work / f"start-{told.hexdigest()[:12]}.pickle", lambda: start_vectors(tokens, frequencies, options)
    )
    return found


def _kept(path: Path, make: Callable[[], T]) -> T:
    """What `make` gives, from a file when it was made before. The files are this recipe's own."""
    if path.exists():
        with path.open("rb") as file:
            kept: T = pickle.load(file)  # noqa: S301
        return kept
    made = make()
    with path.with_suffix(".partial").open("wb") as file:
        pickle.dump(made, file, protocol=5)
    path.with_suffix(".partial").replace(path)
    return made
