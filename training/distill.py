"""Make version 0 of the bundled model: all-MiniLM-L6-v2 distilled into one vector a token.

usage: python -m training.distill [FOLDER]

The method is model2vec's (Tulkens and van Dongen 2024): the teacher embeds every token alone, PCA reduces the vectors,
and frequent tokens are weighed down. Here each vector gets unit length after the PCA and the weight a / (a + frequency)
(smooth inverse frequency, Arora et al. 2017) with frequencies counted in code instead of guessed from token ranks.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import numpy as np

from codeexplore.tokens import STOP_WORDS
from training.bundle import write_bundle
from training.teacher import PACKAGE, SHA256, VERSION, token_vectors
from training.tokenizer import CONTINUING, make_tokenizer
from training.vocabulary import HERE, read_vocabulary

DIMENSIONS = 256
SIF = 2.5e-3
"""The frequency at which a token's weight has fallen to one half."""

LETTER_WEIGHT = 0.3
"""Of single letters and digits: what is left of words that nothing knows says little about their meaning."""

PIECE_WEIGHT = 0.5
"""Of the other word pieces, which stand for part of a word."""

STOP_WEIGHT = 0.15
"""Of the words that make a question: they are rare in code, so that their frequency there doesn't tell."""

BUNDLED = HERE.parent / "codeexplore" / "lanes" / "bundled"


def reduce(vectors: np.ndarray, dimensions: int) -> np.ndarray:
    """Centred principal components of unit length: (n, d) → (n, dimensions), signs fixed."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)
    reduced: np.ndarray = centred @ directions[:, ::-1][:, :dimensions]
    strongest = np.abs(reduced).argmax(axis=0)
    reduced *= np.sign(reduced[strongest, np.arange(dimensions)])
    reduced /= np.linalg.norm(reduced, axis=1, keepdims=True)
    return reduced


def token_weights(tokens: list[str], frequencies: np.ndarray) -> np.ndarray:
    """How much each token counts in a text's mean: shape (n,)."""
    weights = SIF / (SIF + frequencies)
    for number, token in enumerate(tokens):
        if len(token.removeprefix(CONTINUING)) == 1:
            weights[number] *= LETTER_WEIGHT
        elif token.startswith(CONTINUING):
            weights[number] *= PIECE_WEIGHT
        elif token in STOP_WORDS:
            weights[number] *= STOP_WEIGHT
    weights[:2] = 0  # padding and unknown words are no words
    return weights


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else BUNDLED
    tokens, frequencies = read_vocabulary()
    # the teacher reads a piece as a word of its own: alone it is the start of one
    taught = token_vectors([token.removeprefix(CONTINUING) for token in tokens[2:]])
    vectors = np.vstack([np.zeros((2, DIMENSIONS)), reduce(taught, DIMENSIONS)])
    vectors *= token_weights(tokens, frequencies)[:, None]
    versions = {name: metadata.version(name) for name in ("numpy", "tokenizers", "torch", "transformers")}
    origin = {
        "teacher": {"package": PACKAGE, "version": VERSION, "sha256": SHA256["model.safetensors"]},
        "sif_coefficient": SIF,
        "made_with": versions,
    }
    made_with = ", ".join(f"{name} {version}" for name, version in versions.items())
    card = (HERE / "card.md").read_text("utf-8")
    for name, value in {
        "TOKENS": f"{len(tokens):,}",
        "DIMENSIONS": str(DIMENSIONS),
        "SIF": str(SIF),
        "TEACHER": f"{PACKAGE} {VERSION}",
        "SHA256": SHA256["model.safetensors"],
        "MADE_WITH": made_with,
        "SOURCES": _source_table(),
    }.items():
        card = card.replace(f"@{name}@", value)
    write_bundle(folder, make_tokenizer(tokens), vectors, origin, card)


def _source_table() -> str:
    rows = [line.split("\t") for line in (HERE / "sources.tsv").read_text("utf-8").splitlines()]
    table = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([table[0], "|---|---|---|---:|---:|", *table[1:]])


if __name__ == "__main__":
    main()
