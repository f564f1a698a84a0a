"""Questions with known answers over real repositories, and how settings are compared on them.

Four development sets, each a folder prepared by scripts of its own (benchmarks/LABBOOK.md) and given as an argument.
They are not part of this project. Without any, the questions of the sample repositories are used.

- *retrieval*: ``tasks.json``; targets are files, mostly: nDCG@10, one hit a file.
- *symbols*: ``queries.json``; one documented symbol a question, its documentation removed: MRR@10 and recall@10.
- *files*: the folder of *symbols*; the file of that symbol: MRR@10, one hit a file.
- *mixed*: ``queries.json``; "what calls the code that …": recall@10 of the callers seen while the tests ran.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from codeexplore import Workspace, sample_repo
from codeexplore.answers import SearchAnswer, SearchHit
from codeexplore.features.lab.evaluation import Setting, evaluate, find_fixtures, load_fixtures
from codeexplore.features.lab.evaluation.metrics import randomisation_test
from codeexplore.source.samples import sample_names

TOP_K = 10
TIMEOUT = 60.0
"""Seconds a lane may take: what is measured here is order, and a busy machine must not change it."""


class Asked(NamedTuple):
    """One question over the repository in `folder`, and its score for an answer, one number for each measure."""

    folder: Path
    query: str
    score: Callable[[Sequence[SearchHit]], tuple[float, ...]]


@dataclass(frozen=True)
class DevSet:
    """A set's measures, its questions, and at most how many hits of a file are asked for."""

    name: str
    measures: tuple[str, ...]
    questions: tuple[Asked, ...]
    per_file: int | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folders of the sets."""
    for name in READERS:
        parser.add_argument(f"--{name}", type=Path, metavar="FOLDER", help=f"the prepared {name} set")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    parser.add_argument("--short", action="store_true", help="one sample repository only")


def chosen_sets(options: argparse.Namespace) -> list[DevSet]:
    """The sets whose folders were given."""
    return [read(getattr(options, name)) for name, read in READERS.items() if getattr(options, name)]


# --------------------------------------------------------------------------- the sets


def retrieval(folder: Path) -> DevSet:
    """nDCG@10 over files: a target's rank is that of the first hit which covers it; a rank counts once."""

    def score(hits: Sequence[SearchHit], targets: Sequence[Mapping[str, Any]]) -> tuple[float, ...]:
        ranks = {
            next((rank for rank, hit in enumerate(hits, 1) if _same(hit.path, t["path"]) and _overlaps(hit, t)), 0)
            for t in targets
        } - {0}
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(TOP_K, len(targets)) + 1))
        return (sum(1 / math.log2(rank + 1) for rank in ranks) / ideal,)

    rows = json.loads((folder / "tasks.json").read_text("utf-8"))
    questions = tuple(
        Asked(
            folder / row["repo"] / (row["root"] or ""), row["query"], _bound(score, row["relevant"] + row["secondary"])
        )
        for row in rows
    )
    return DevSet("retrieval", ("nDCG@10",), questions, per_file=1)


def symbols(folder: Path) -> DevSet:
    """MRR@10 and recall@10 of the one symbol; a hit much longer than it answers nothing."""

    def score(hits: Sequence[SearchHit], row: Mapping[str, Any]) -> tuple[float, ...]:
        limit = max(60, 2 * (row["end_line"] - row["line"] + 1))
        rank = next(
            (
                rank
                for rank, hit in enumerate(hits, 1)
                if _same(hit.path, row["path"])
                and hit.start_line <= row["line"] <= hit.end_line
                and hit.end_line - hit.start_line + 1 <= limit
            ),
            0,
        )
        return (1 / rank if rank else 0.0, float(rank > 0))

    rows = json.loads((folder / "queries.json").read_text("utf-8"))
    return DevSet(
        "symbols",
        ("MRR@10", "recall@10"),
        tuple(Asked(folder / row["repo"], row["query"], _bound(score, row)) for row in rows),
    )


def files(folder: Path) -> DevSet:
    """MRR@10 of the file of the one symbol."""

    def score(hits: Sequence[SearchHit], row: Mapping[str, Any]) -> tuple[float, ...]:
        rank = next((rank for rank, hit in enumerate(hits, 1) if _same(hit.path, row["path"])), 0)
        return (1 / rank if rank else 0.0,)

    rows = json.loads((folder / "queries.json").read_text("utf-8"))
    questions = tuple(Asked(folder / row["repo"], row["query"], _bound(score, row)) for row in rows)
    return DevSet("files", ("MRR@10",), questions, per_file=1)


def mixed(folder: Path) -> DevSet:
    """Recall@10 of the callers of a described symbol; and whether that symbol itself is shown."""

    def shown(hits: Sequence[SearchHit], target: Mapping[str, Any]) -> bool:
        limit = max(60, 2 * (target["end_line"] - target["line"] + 1))
        return any(
            _same(hit.path, target["path"])
            and hit.start_line <= target["end_line"]
            and hit.end_line >= target["line"]
            and hit.end_line - hit.start_line + 1 <= limit
            for hit in hits
        )

    def score(hits: Sequence[SearchHit], row: Mapping[str, Any]) -> tuple[float, ...]:
        found = sum(shown(hits, caller) for caller in row["callers"])
        return (found / len(row["callers"]), float(shown(hits, row["seed"])))

    rows = json.loads((folder / "queries.json").read_text("utf-8"))
    return DevSet(
        "mixed",
        ("caller recall@10", "seed shown"),
        tuple(Asked(folder / row["repo"], row["query"], _bound(score, row)) for row in rows),
    )


READERS: Mapping[str, Callable[[Path], DevSet]] = {
    "retrieval": retrieval,
    "symbols": symbols,
    "files": files,
    "mixed": mixed,
}


def _bound(score: Callable[..., tuple[float, ...]], truth: Any) -> Callable[[Sequence[SearchHit]], tuple[float, ...]]:
    return lambda hits: score(hits, truth)


def _same(path: str, other: str) -> bool:
    """Whether two paths mean one file, either being given from further up."""
    return path == other or path.endswith("/" + other) or other.endswith("/" + path)


def _overlaps(hit: SearchHit, target: Mapping[str, Any]) -> bool:
    if "start_line" not in target:
        return True
    return bool(hit.start_line <= target["end_line"] and hit.end_line >= target["start_line"])


# --------------------------------------------------------------------------- measuring

Scores = dict[str, list[tuple[float, ...]]]
"""Setting's name → one tuple of measures for each question, in the order of questions."""


def measured(dev_set: DevSet, settings: Sequence[Setting], show: Callable[[str], None] = print) -> Scores:
    """Ask every question in every setting; each repository is loaded once, and forgotten before the next."""
    by_folder: dict[Path, list[int]] = defaultdict(list)
    for number, question in enumerate(dev_set.questions):
        by_folder[question.folder].append(number)
    found: dict[str, dict[int, tuple[float, ...]]] = {setting.name: {} for setting in settings}
    broken = 0
    for folder, numbers in sorted(by_folder.items()):
        workspace = Workspace(folder, progress=lambda *_: None)
        for setting in settings:
            engine = setting.engine(workspace.engine)
            asked = replace(setting, per_file=setting.per_file or dev_set.per_file)
            for number in numbers:
                question = dev_set.questions[number]
                result = engine.search(question.query, top_k=TOP_K, timeout=TIMEOUT, **asked.options())
                broken += any(ranking.status in ("failed", "timed out") for ranking in result.rankings)
                found[setting.name][number] = question.score(SearchAnswer.of(result, workspace.catalog).hits)
        show(f"{dev_set.name}: {folder.name}, {len(numbers)} questions")
    if broken:
        show(f"! a lane failed or timed out in {broken} searches: these figures are too low")
    return {name: [scores[number] for number in sorted(scores)] for name, scores in found.items()}


def samples(settings: Sequence[Setting], names: Iterable[str] | None = None) -> Iterator[tuple[str, Scores]]:
    """The same for the sample repositories' own fixtures: hit@1, MRR@10, recall@10, nDCG@10."""
    for name in names or sample_names():
        workspace = Workspace(sample_repo(name), progress=lambda *_: None)
        fixtures = load_fixtures(find_fixtures(workspace.root))
        found: Scores = {}
        for setting in settings:
            scored = evaluate(workspace, fixtures, setting).scored
            found[setting.name] = [
                (s.hit_at_1, s.mrr, s.recall, s.ndcg) for result in scored if (s := result.scores) is not None
            ]
        yield name, found


SAMPLE_MEASURES = ("hit@1", "MRR@10", "recall@10", "nDCG@10")


def run(settings: Sequence[Setting], options: argparse.Namespace, against: str = "default") -> None:
    """Measure, print Markdown tables, write JSON. `against` is the setting whose differences to others are tested."""
    figures = {}
    sets = chosen_sets(options)
    for dev_set in sets:
        scores = measured(dev_set, settings)
        figures[dev_set.name] = print_table(dev_set.name, dev_set.measures, scores, against)
    if not sets:
        together: Scores = defaultdict(list)
        for name, scores in samples(settings, ["webshop"] if options.short else None):
            figures[name] = print_table(name, SAMPLE_MEASURES, scores, against)
            for setting, values in scores.items():
                together[setting].extend(values)
        if not options.short:
            figures["samples"] = print_table("all samples", SAMPLE_MEASURES, together, against)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def print_table(name: str, measures: Sequence[str], scores: Scores, against: str) -> dict[str, Any]:
    """One set as a Markdown table: means, and how likely chance makes the difference to `against`."""
    count = len(next(iter(scores.values())))
    print(f"\n{name}, {count} questions\n")
    print("| setting | " + " | ".join(measures) + f" | p, {measures[-1 if name in sample_names() else 0]} |")
    print("|---|" + "---|" * (len(measures) + 1))
    figures = {}
    place = len(measures) - 1 if measures == SAMPLE_MEASURES else 0
    for setting, values in scores.items():
        means = [sum(column) / len(column) for column in zip(*values, strict=True)]
        differences = [a[place] - b[place] for a, b in zip(scores.get(against, values), values, strict=True)]
        p_value = randomisation_test(differences).p_value if setting != against else None
        shown = "" if p_value is None else f"{p_value:.3f}" if p_value >= 0.001 else "<0.001"
        print(f"| {setting} | " + " | ".join(f"{mean:.3f}" for mean in means) + f" | {shown} |")
        figures[setting] = {**dict(zip(measures, means, strict=True)), "p_value": p_value}
    return figures
