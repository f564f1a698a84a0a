"""Write a model in the form that ships inside the package: int8 vectors, one weight a token, card and checksums."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save
from tokenizers import Tokenizer

MAX_BYTES = 8_000_000
"""All files together: the model travels with every installation."""


def quantise(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Int8 rows of unit length before rounding, and what each must be multiplied with: shapes (n, dim), (n,).

    A row is scaled by its own largest component, so that rare and frequent tokens keep the same precision although
    their lengths differ by a factor of a hundred.
    """
    largest = np.abs(vectors).max(axis=1)
    scale = np.where(largest > 0, largest, 1.0) / 127
    return np.rint(vectors / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def write_bundle(folder: Path, tokenizer: Tokenizer, vectors: np.ndarray, origin: dict[str, Any], card: str) -> None:
    """Write config.json, model.safetensors, tokenizer.json, README.md and CHECKSUMS.

    Parameters
    ----------
    folder
        Where to; made when it is missing.
    tokenizer
        Its ids are rows of `vectors`.
    vectors
        Weighted token vectors, shape (n_tokens, dim). A text is their mean over its tokens, normalised.
    origin
        What the model was made from, for config.json.
    card
        The model card, Markdown with YAML front matter.
    """
    folder.mkdir(parents=True, exist_ok=True)
    quantised, weights = quantise(vectors)
    (folder / "model.safetensors").write_bytes(save({"embeddings": quantised, "weights": weights}))
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "hidden_dim": vectors.shape[1],
        "normalize": True,
        "embedding_dtype": "int8",
        **origin,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8", newline="\n")
    (folder / "README.md").write_text(card, "utf-8", newline="\n")
    names = ("README.md", "config.json", "model.safetensors", "tokenizer.json")
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names]
    (folder / "CHECKSUMS").write_text("\n".join([*sums, ""]), "utf-8", newline="\n")
    size = sum((folder / name).stat().st_size for name in names)
    if size > MAX_BYTES:
        raise SystemExit(f"{folder} holds {size:,} bytes, more than the {MAX_BYTES:,} a bundled model may have")
    print(f"{folder}: {quantised.shape[0]} tokens × {quantised.shape[1]} dimensions, {size:,} bytes")
