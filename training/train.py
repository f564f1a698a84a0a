"""Contrastive training of token vectors: a question near the chunk that answers it, away from its neighbours.

A token's vector is a direction times the exponential of a weight, both trained with Adam (Kingma and Ba 2015); the loss
is InfoNCE (van den Oord, Li and Vinyals 2018) over the batch, from questions to chunks and back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from training.batches import Sampler, Side

_LIGHTEST = 1e-4
"""What a token's weight starts from when it has none: the logarithm must exist."""


def train(sampler: Sampler, start: np.ndarray, options: dict[str, Any], report: Callable[[str], None]) -> np.ndarray:
    """Train from some vectors, shape (n_tokens, dim). Returns vectors of the same shape.

    Runs from the same start stay close to each other, so that their vectors may be averaged.
    """
    torch.manual_seed(0)
    lengths = np.linalg.norm(start, axis=1)
    directions = torch.nn.Parameter(torch.tensor(start / np.maximum(lengths, 1e-9)[:, None], dtype=torch.float32))
    weights = torch.nn.Parameter(torch.tensor(np.log(lengths + _LIGHTEST), dtype=torch.float32))
    groups = [{"params": [directions], "lr": 0.0}, {"params": [weights], "lr": 0.0}]
    optimizer = torch.optim.Adam(groups, betas=(0.9, 0.99))
    losses, began = [], time.monotonic()
    for step in range(options["steps"]):
        rate = options["rate"] * _schedule(step / options["steps"], options)
        groups = optimizer.param_groups
        groups[0]["lr"], groups[1]["lr"] = rate, rate * options["weight_rate"]
        batch = sampler.draw()
        vectors = functional.normalize(directions, dim=1) * torch.exp(weights)[:, None]
        questions, chunks = _embed(vectors, batch.questions), _embed(vectors, batch.chunks)
        logits = (questions @ chunks.T / options["temperature"]).masked_fill(torch.from_numpy(batch.neither), -1e4)
        n = len(questions)
        own = torch.arange(n)
        loss = (functional.cross_entropy(logits, own) + functional.cross_entropy(logits[:, :n].T, own)) / 2
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(float(loss.detach()))
        if (step + 1) % 20 == 0:
            report(f"step {step + 1} loss {np.mean(losses[-20:]):.3f} {time.monotonic() - began:.0f} s")
    with torch.no_grad():
        found = functional.normalize(directions, dim=1) * torch.exp(weights)[:, None]
    trained: np.ndarray = found.numpy().astype(np.float64)
    trained[lengths == 0] = 0
    return trained


def _schedule(done: float, options: dict[str, Any]) -> float:
    """A short rise, then a cosine down to the end rate."""
    cosine = options["end_rate"] + (1 - options["end_rate"]) * 0.5 * (1 + np.cos(np.pi * done))
    return float(min(1.0, done / options["warm"] + 0.02) * cosine)


def _embed(vectors: torch.Tensor, side: Side) -> torch.Tensor:
    sums = functional.embedding_bag(
        torch.from_numpy(side.ids),
        vectors,
        torch.from_numpy(side.offsets),
        mode="sum",
        per_sample_weights=torch.from_numpy(side.weights),
    )
    return functional.normalize(sums, dim=1)
