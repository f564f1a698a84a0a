"""Examples → arrays of token counts: what training and validation read.

A *chunk* row holds its context, its text without its documentation, and that documentation, as separate bags; a
*question* row holds a bag, its sort, and the chunk it is answered by.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from codeexplore.types import TYPE_KINDS
from training.bags import Bags, bags, join, token_rows
from training.examples import sample
from training.packages import names

SORTS = ("first", "later", "test", "type", "name")
"""Sorts of questions, by number; see config.toml."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Chunks and questions of some packages, as arrays with one row a chunk and arrays with one row a question."""

    packages: tuple[str, ...]
    languages: tuple[str, ...]
    context: Bags
    body: Bags  # the text without the documentation
    doc: Bags
    package: np.ndarray  # of each chunk: index into packages
    language: np.ndarray
    file: np.ndarray  # a number of its own for each file of each package
    test: np.ndarray  # whether it is a test's
    question: Bags
    sort: np.ndarray  # of each question: index into SORTS
    answer: np.ndarray  # of each question: chunk


def read_examples(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A package's report and its rows."""
    with path.open(encoding="utf-8") as file:
        report, *rows = map(json.loads, file)
    return report, rows


def example_files(work: Path) -> list[Path]:
    """The packages' files of examples, in order."""
    return sorted((work / "examples").glob("*.jsonl"))


def questions_of(row: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Sort and text of each question that a row answers."""
    if row["test"]:
        return
    wide = row["k"] == "module" or row["k"] in TYPE_KINDS
    for place, sentence in enumerate(row["q"]):
        yield SORTS.index("first" if not place else "later"), sentence
        if wide and place < 2:
            yield SORTS.index("type"), sentence
    for words in row.get("a", ()):
        yield SORTS.index("test"), words
    if len(row["n"]) > 5 and row["k"] != "module" and row["p"] < 2:
        yield SORTS.index("name"), row["n"]


def build(
    tokenizer: Tokenizer, paths: list[Path], leaked: frozenset[str], limits: dict[str, int] | None = None
) -> Corpus:
    """Read packages into arrays.

    Chunks whose ids are in `leaked` are left out; with `limits`, each package gives a sample, see `examples.sample`.
    """
    parts: dict[str, list[Any]] = {name: [] for name in ("context", "body", "doc", "question")}
    columns: dict[str, list[np.ndarray]] = {
        name: [] for name in ("package", "language", "file", "test", "sort", "answer")
    }
    packages: list[str] = []
    languages: dict[str, int] = {}
    n_chunks = n_files = 0
    for path in paths:
        report, rows = read_examples(path)
        rows = [row for row in rows if row["id"] not in leaked]
        if limits is not None:
            rows = sample(rows, **limits)
        if not rows:
            continue
        doc = bags(*token_rows(tokenizer, [row["d"] for row in rows]))
        parts["doc"].append(doc)
        parts["body"].append(bags(*token_rows(tokenizer, [row["t"] for row in rows]), without=doc))
        parts["context"].append(bags(*token_rows(tokenizer, [row["c"] for row in rows])))
        asked = [(sort, text, number) for number, row in enumerate(rows) for sort, text in questions_of(row)]
        parts["question"].append(bags(*token_rows(tokenizer, [text for _, text, _ in asked])))
        columns["sort"].append(np.array([sort for sort, _, _ in asked], np.int8))
        columns["answer"].append(np.array([number for _, _, number in asked], np.int32) + n_chunks)
        columns["package"].append(np.full(len(rows), len(packages), np.int16))
        columns["language"].append(np.array([languages.setdefault(row["l"], len(languages)) for row in rows], np.int8))
        columns["file"].append(np.array([row["f"] for row in rows], np.int32) + n_files)
        columns["test"].append(np.array([row["test"] for row in rows], bool))
        packages.append(f"{report['registry']}:{report['name']}")
        n_chunks += len(rows)
        n_files += max(row["f"] for row in rows) + 1
    joined = {name: join(each) for name, each in parts.items()}
    whole = {name: np.concatenate(each) for name, each in columns.items()}
    return Corpus(tuple(packages), tuple(languages), **joined, **whole)


def split(work: Path) -> tuple[list[Path], list[Path]]:
    """The files of packages to train on, and of those to validate on."""
    held = set(names("validation"))
    train, validation = [], []
    for path in example_files(work):
        with path.open(encoding="utf-8") as file:
            name = json.loads(file.readline())["name"]
        (validation if name in held else train).append(path)
    return train, validation


def counts(corpus: Corpus) -> dict[str, Any]:
    """What a corpus holds, for the model card."""
    asked = Counter(SORTS[sort] for sort in corpus.sort.tolist())
    chunks = Counter(corpus.languages[number] for number in corpus.language.tolist())
    with_language = Counter(corpus.languages[number] for number in corpus.language[corpus.answer].tolist())
    return {
        "packages": len(corpus.packages), "chunks": len(corpus.package), "files": len(np.unique(corpus.file)),
        "questions": {name: asked[name] for name in SORTS}, "chunks by language": dict(chunks.most_common()),
        "questions by language": dict(with_language.most_common()),
    }  # fmt: skip
