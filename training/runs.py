"""Training runs, two at a time with one thread each: on two cores that is quicker than one run with two threads."""

from __future__ import annotations

import hashlib
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from training.config import HERE, config
from training.validate import validate


class Run(NamedTuple):
    """One training run: what differs from config.toml, and its seed."""

    work: Path
    changes: tuple[tuple[str, Any], ...]
    seed: int

    @property
    def file(self) -> Path:
        """Where its vectors are kept: a name that depends on everything that decides them but the examples."""
        options = config(dict(self.changes))
        del options["training"]["seeds"], options["training"]["temperatures"]
        told = repr([(name, sorted(options[name].items())) for name in ("corpus", "start", "batches", "training")])
        digest = hashlib.sha256(told.encode() + (HERE / "vocabulary.tsv").read_bytes()).hexdigest()[:12]
        return self.work / "runs" / f"{digest}-{self.seed}.npy"


def run(task: Run) -> np.ndarray:
    """Train once, or read what an earlier call kept. Returns vectors, shape (n_tokens, dim)."""
    if task.file.exists():
        kept: np.ndarray = np.load(task.file)
        return kept
    import torch

    from training import prepare
    from training.batches import Sampler
    from training.train import train

    torch.set_num_threads(1)
    options = config(dict(task.changes))
    corpus, _ = prepare.corpora(task.work, options["corpus"])
    sampler = Sampler(corpus, options["batches"], prepare.frames(), task.seed)
    label = " ".join(f"{name}={value}" for name, value in task.changes) or "as configured"
    vectors = train(
        sampler,
        prepare.start(task.work, options["start"]),
        options["training"],
        lambda line: print(f"[{label}, seed {task.seed}] {line}", flush=True),
    )
    task.file.parent.mkdir(parents=True, exist_ok=True)
    np.save(task.file, vectors.astype(np.float32))
    return vectors


def run_all(tasks: list[Run]) -> list[np.ndarray]:
    """The vectors of several runs, in their order."""
    missing = [task for task in dict.fromkeys(tasks) if not task.file.exists()]
    if len(missing) > 1:
        with get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
            pool.map(_alone, missing, chunksize=1)
    return [run(task) for task in tasks]


def _alone(task: Run) -> None:
    run(task)


def average(work: Path, changes: dict[str, Any] | None = None) -> np.ndarray:
    """The mean of the vectors of all configured runs: each seed at each temperature."""
    options = config()["training"]
    settings = [{**(changes or {}), "training.temperature": each} for each in options["temperatures"]]
    tasks = [Run(work, tuple(sorted(each.items())), seed) for each in settings for seed in options["seeds"]]
    return np.asarray(np.mean(run_all(tasks), axis=0))


def on_validation(work: Path, vectors: np.ndarray, context_times: float | None = None) -> dict[str, float]:
    """The validation measures of some vectors."""
    from training import prepare

    options = config()
    _, held = prepare.corpora(work, options["corpus"])
    return validate(held, vectors, context_times or options["batches"]["context_times"])
