"""What training starts from: all-MiniLM-L6-v2 distilled into one vector a token. Alone, this was version 0.

The method is model2vec's (Tulkens and van Dongen 2024): the teacher embeds every token alone, PCA reduces the vectors,
and frequent tokens are weighed down. Here each vector gets unit length after the PCA and the weight a / (a + frequency)
(smooth inverse frequency, Arora et al. 2017) with frequencies counted in code instead of guessed from token ranks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from codeexplore.text.tokens import STOP_WORDS
from training.teacher import token_vectors
from training.tokenizer import CONTINUING


def start_vectors(tokens: list[str], frequencies: np.ndarray, options: dict[str, Any]) -> np.ndarray:
    """Weighted vectors of all tokens, shape (n, dimensions); the first two, padding and unknown words, are 0."""
    # the teacher reads a piece as a word of its own: alone it is the start of one
    taught = token_vectors([token.removeprefix(CONTINUING) for token in tokens[2:]])
    dimensions = options["dimensions"]
    vectors = np.vstack([np.zeros((2, dimensions)), reduce(taught, dimensions)])
    found: np.ndarray = vectors * token_weights(tokens, frequencies, options)[:, None]
    return found


def reduce(vectors: np.ndarray, dimensions: int) -> np.ndarray:
    """Centred principal components of unit length: (n, d) → (n, dimensions), signs fixed."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)
    reduced: np.ndarray = centred @ directions[:, ::-1][:, :dimensions]
    strongest = np.abs(reduced).argmax(axis=0)
    reduced *= np.sign(reduced[strongest, np.arange(dimensions)])
    reduced /= np.linalg.norm(reduced, axis=1, keepdims=True)
    return reduced


def token_weights(tokens: list[str], frequencies: np.ndarray, options: dict[str, Any]) -> np.ndarray:
    """How much each token counts in a text's mean: shape (n,)."""
    weights: np.ndarray = options["sif"] / (options["sif"] + frequencies)
    for number, token in enumerate(tokens):
        if len(token.removeprefix(CONTINUING)) == 1:
            weights[number] *= options["letter_weight"]
        elif token.startswith(CONTINUING):
            weights[number] *= options["piece_weight"]
        elif token in STOP_WORDS:
            weights[number] *= options["stop_weight"]
    weights[:2] = 0  # padding and unknown words are no words
    return weights
