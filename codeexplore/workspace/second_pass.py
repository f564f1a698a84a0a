"""The second pass of a load: the facts of files that were only outlined.

The first pass reads the files and finds symbols and chunks, which is enough to search. The second pass parses the same
texts again, in the same processes, and extracts the facts that a resolution needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.index.files import SourceTexts
from codeexplore.workers.pool import BATCH_BYTES, AnalysisPool, default_workers

if TYPE_CHECKING:
    from codeexplore.index.sources import StoredSources
    from codeexplore.languages.extraction import Layout
    from codeexplore.workers.pool import Extracted
    from codeexplore.workspace.pipeline import LoadOptions
    from codeexplore.workspace.progress import Progress


def ranges(sources: SourceTexts) -> list[tuple[int, int]]:
    """Divide the files into runs of consecutive files with about `BATCH_BYTES` of text to extract facts from.

    Each run is (number of its first file, number after its last file).
    """
    made, first, size = [], 0, 0
    for number, path in enumerate(sources.paths):
        row = sources.rows.get(path)
        size += row.size if row is not None and row.lacks_facts else 0
        if size >= BATCH_BYTES:
            made.append((first, number + 1))
            first, size = number + 1, 0
    if first < len(sources.paths):
        made.append((first, len(sources.paths)))
    return made


def extract_facts(
    sources: SourceTexts,
    runs: Sequence[tuple[int, int]],
    pool: AnalysisPool,
    done: Callable[[int], None],
    on_run: Callable[[int, int], None] | None = None,
) -> list[str]:
    """Extract the facts of all files that lack them, and put them into `sources`. Return warnings.

    `on_run` is called with each of the `runs` as soon as its files have their facts. `done` is called with the number
    of finished runs, and may raise an exception to stop.
    """
    work = [
        [row for path in sources.paths[first:stop] if (row := sources.rows.get(path)) is not None and row.lacks_facts]
        for first, stop in runs
    ]
    warnings: list[str] = []

    def take(number: int, found: Extracted) -> None:
        facts, told = found
        warnings.extend(told)
        for row, each in zip(work[number], facts, strict=True):
            sources.rows[row.path] = row._replace(facts=each)
        if on_run is not None:
            on_run(*runs[number])

    return [*pool.extract(work, done, take), *sorted(warnings)]


def complete_facts(
    sources: SourceTexts | StoredSources, layout: Layout, options: LoadOptions, progress: Progress
) -> list[str]:
    """Extract the facts that `sources` lack, because they were edited before the second pass ended. Return warnings."""
    lacking = sources.lacking_facts() if isinstance(sources, SourceTexts) else []
    if not lacking:
        return []
    assert isinstance(sources, SourceTexts)
    total = sum(sources.rows[path].size for path in lacking)
    workers = default_workers(total) if options.workers is None else options.workers
    runs = ranges(sources)
    with (
        AnalysisPool(Path(), layout, workers, options.max_file_bytes, options.executor) as pool,
        progress.stage("facts", len(runs)) as done,
    ):
        return extract_facts(sources, runs, pool, done)
