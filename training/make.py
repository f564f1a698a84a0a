"""Make the bundled model: packages → examples → training runs → their average → int8 bundle.

usage: python -m training.make WORK [FOLDER]      # FOLDER: codeexplore/search/lanes/bundled unless given

Each stage keeps what it makes in WORK (about 10 GB) and takes up where an earlier call stopped. Everything that decides
the result is in this folder: sources.lock, packages.toml, config.toml, vocabulary.tsv and leaked.txt. Two of these are
made by other commands: ``python -m training.fetch WORK --lock`` and ``python -m training.vocabulary WORK``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from training import examples, fetch, prepare
from training.bundle import quantise, write_bundle
from training.config import HERE, config
from training.corpus import counts, example_files
from training.packages import names, read_lock
from training.runs import average, on_validation
from training.teacher import PACKAGE, SHA256, VERSION
from training.validate import describe

BUNDLED = HERE.parent / "codeexplore" / "search" / "lanes" / "bundled"
RECIPE = ("config.toml", "leaked.txt", "packages.toml", "sources.lock", "vocabulary.tsv")
"""The files that decide the model; their hashes stand in its config.json."""


def reports(work: Path) -> list[dict[str, Any]]:
    """What each package's examples say about themselves."""
    found = []
    for path in example_files(work):
        with path.open(encoding="utf-8") as file:
            found.append(json.loads(file.readline()))
    return found


def licence_counts(found: list[dict[str, Any]]) -> list[str]:
    """What was read and what was left out, as lines of Markdown."""
    used = [report for report in found if not report["left_out"] and report["chunks"]]
    out = Counter(report["left_out"].split(" ")[0] for report in found if report["left_out"])
    skipped: Counter[str] = Counter()
    for report in used:
        skipped.update(report["skipped"])
    registries = Counter(report["registry"] for report in used)
    return [
        f"{len(found)} packages locked, {len(used)} used "
        f"({', '.join(f'{count} {name}' for name, count in registries.items())}), "
        f"{sum(out.values())} left out by the licence scan.",
        f"{sum(report['files'] for report in used):,} files, {sum(report['bytes'] for report in used):,} bytes, "
        f"{sum(report['chunks'] for report in used):,} chunks.",
        "Files left out: "
        + ", ".join(f"{count:,} {reason}" for reason, count in skipped.most_common() if reason)
        + ".",
    ]


def fill_card(work: Path, tokens: int, results: dict[str, dict[str, float]]) -> str:
    """The model card with its counts and results."""
    options = config()
    train, held = prepare.corpora(work, options["corpus"])
    told = counts(train)
    versions = {name: metadata.version(name) for name in ("numpy", "scipy", "tokenizers", "torch", "transformers")}
    table = [
        f"| {label} | " + " | ".join(f"{value:.3f}" for value in each.values()) + " |"
        for label, each in results.items()
    ]
    values = {
        "TOKENS": f"{tokens:,}",
        "DIMENSIONS": str(options["start"]["dimensions"]),
        "TEACHER": f"{PACKAGE} {VERSION}",
        "SHA256": SHA256["model.safetensors"],
        "MADE_WITH": ", ".join(f"{name} {version}" for name, version in versions.items()),
        "SOURCES": "\n".join(f"- {line}" for line in licence_counts(reports(work))),
        "PACKAGES": str(told["packages"]),
        "CHUNKS": f"{told['chunks']:,}",
        "QUESTIONS": ", ".join(f"{count:,} {name}" for name, count in told["questions"].items()),
        "LANGUAGES": ", ".join(f"{name} {count:,}" for name, count in told["questions by language"].items()),
        "VALIDATION": f"{len(held.packages)} packages, {int((~held.test).sum()):,} chunks",
        "RESULTS": "\n".join(table),
        "TIMES": str(options["batches"]["context_times"]),
        "RUNS": str(len(options["training"]["seeds"]) * len(options["training"]["temperatures"])),
        "STEPS": str(options["training"]["steps"]),
        "PAIRS": f"{options['batches']['pairs']:,}",
        "LEAKED": f"{len(prepare.leaked()):,}",
        "ARCHIVES": str(len(read_lock())),
        "EXCLUDED": str(len(names("benchmark"))),
    }
    card = (HERE / "card.md").read_text("utf-8")
    for name, value in values.items():
        card = card.replace(f"@{name}@", value)
    return card


def main(work: Path, folder: Path) -> None:
    work.mkdir(parents=True, exist_ok=True)
    fetch.fetch(work)
    examples.main(work)
    options = config()
    start = prepare.start(work, options["start"])
    vectors = average(work)
    runs = len(options["training"]["seeds"]) * len(options["training"]["temperatures"])
    rounded, scale = quantise(vectors)
    results = {
        "start (version 0's recipe)": on_validation(work, start),
        f"average of {runs} runs": on_validation(work, vectors),
        "the same, int8": on_validation(work, rounded * scale[:, None]),
    }
    for label, result in results.items():
        print(f"{label}: {describe(result)}")
    origin = {
        "version": 1,
        "teacher": {"package": PACKAGE, "version": VERSION, "sha256": SHA256["model.safetensors"]},
        "recipe": {name: hashlib.sha256((HERE / name).read_bytes()).hexdigest() for name in RECIPE},
        "made_with": {name: metadata.version(name) for name in ("numpy", "tokenizers", "torch")},
    }
    write_bundle(folder, prepare.tokenizer(), np.asarray(vectors), origin, fill_card(work, len(vectors), results))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else BUNDLED)
