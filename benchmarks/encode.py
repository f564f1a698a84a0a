"""How much sooner counts × vectors embeds a repository's chunks than model2vec's own ``encode`` does, in one run.

usage: python benchmarks/encode.py [PATH] [--model MODEL] [--rounds N]

PATH defaults to the running interpreter's standard library. Both give the same embeddings: the largest difference is
printed. The times are processor seconds of the whole process, so that a busy machine changes little; the word counts,
which BM25 needs anyway, are told apart.
"""

from __future__ import annotations

import argparse
import sysconfig
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from codeexplore import Workspace
from codeexplore.search.lanes.embedding import embed_chunks, embedded_text
from codeexplore.search.lanes.encoder import Encoder
from codeexplore.text.word_counts import count_words

T = TypeVar("T")


def timed(work: Callable[[], T], rounds: int) -> tuple[T, float, float]:
    """What `work` gives, and the least wall-clock and processor seconds over some rounds."""
    walls, processors = [], []
    for _ in range(rounds):
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return result, min(walls), min(processors)


def main() -> None:
    """Print a table of seconds and the ratio."""
    parser = argparse.ArgumentParser(description="Embedding distinct words once beside model2vec's encode")
    parser.add_argument("path", nargs="?", default=sysconfig.get_paths()["stdlib"])
    parser.add_argument("--model", help="a model2vec folder or hub name; the bundled model unless given")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    catalog = Workspace(options.path, progress=lambda *_: None).catalog
    chunks = catalog.chunks
    texts = [embedded_text(chunk) for chunk in chunks]
    encoder, loading, _ = timed(lambda: Encoder.load(options.model), options.rounds)
    print(f"{len(chunks):,} chunks, {sum(map(len, texts)):,} characters; model loaded in {loading * 1000:.0f} ms")
    counts, *counting = timed(lambda: count_words(chunks), options.rounds)
    ours, *embedding = timed(lambda: embed_chunks(chunks, catalog.chunks.contexts(), counts, encoder), options.rounds)
    theirs, *encoding = timed(lambda: encoder.encode_texts(texts), options.rounds)
    for label, (wall, processor) in {
        "word counts, which BM25 shares": counting,
        "counts × vectors": embedding,
        "model2vec's encode": encoding,
    }.items():
        print(f"{label:32} {wall:7.2f} s  {processor:7.2f} s of processor time")
    print(
        f"counts × vectors is {encoding[1] / embedding[1]:.1f} times as fast as encode, "
        f"{encoding[1] / (embedding[1] + counting[1]):.1f} times with the counting; "
        f"largest difference {np.abs(ours - theirs).max():.1e}"
    )


if __name__ == "__main__":
    main()
