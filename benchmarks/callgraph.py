"""The call graph beside published tools: one table over development sets whose scorers and data are given by path.

usage: python benchmarks/callgraph.py [--scorers DIR --pycg DIR --swarm DIR --dynamic DIR] [--django FOLDER|WHEEL]
           [--json OUT] [--verbose]

DIR of --scorers holds `score_pycg.py`, `score_swarm.py` and `score_dynamic.py`; each runs in a process of its own with
our adapter of `benchmarks/adapters`. --pycg is a folder of categories of cases, --swarm the folder that holds `swarm/`,
--dynamic one folder for each package with `edges.json` and `src`. The sample repositories' truth is always compared.
--django is a folder or a wheel whose graph is made from parsed files, on one core; CPU seconds are counted.

Anchors are the best of other tools over the same cases, and aims were set beforehand: both are constants here, so
that the table can be read; they were not measured in this run.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "adapters")]

from source_graph import facts_of  # noqa: E402

from codeexplore.graph.build.resolve import build_graph  # noqa: E402
from tests.doubles import make_catalog  # noqa: E402
from tests.sample_truth import KINDS, REPOSITORIES, score  # noqa: E402

_UNDISPUTED = re.compile(r"disputed cases.*: cases (\d+)  P +([\d.]+)  R +([\d.]+)")
_SITES = re.compile(r"-- in-repo edges.*?^TOTAL +(\d+) +\d+ +([\d.]+) +([\d.]+)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Line:
    """One set: two figures of ours, the best anchor's and the aim's, as percentages or CPU seconds."""

    name: str
    measure: str
    ours: tuple[float, ...]
    anchor: str
    aim: tuple[float, ...]

    @property
    def met(self) -> bool:
        """Whether every figure reaches its aim: at least it for shares, at most it for seconds."""
        less = self.measure.startswith("CPU")
        return all(own <= aim if less else own >= aim for own, aim in zip(self.ours, self.aim, strict=False))

    def row(self) -> str:
        """The line of the table."""
        shown = " / ".join(f"{each:.1f}" for each in self.ours)
        aims = " / ".join(f"{each:g}" for each in self.aim)
        verdict = ("yes" if self.met else "no") if self.aim else ""
        return f"| {self.name} | {self.measure} | {shown} | {self.anchor} | {aims} | {verdict} |"


def scored(scorers: Path, script: str, adapter: str, *arguments: str) -> str:
    """What a scorer prints about one of our adapters."""
    command = [sys.executable, str(scorers / script), "--adapter", f"{HERE / 'adapters' / adapter}:edges", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{script} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def figures(found: re.Match[str] | None, script: str) -> tuple[float, float]:
    """Precision and recall as a scorer printed them."""
    if found is None:
        raise SystemExit(f"{script} prints no line that this benchmark knows; was another scorer given?")
    return float(found[2]), float(found[3])


def cases(scorers: Path, pycg: Path | None, swarm: Path | None) -> Iterator[Line]:
    """Micro-benchmarks: Python, JavaScript, Java."""
    if pycg is not None:
        text = scored(scorers, "score_pycg.py", "python_names.py", "--data", str(pycg))
        found = figures(_UNDISPUTED.search(text), "score_pycg.py")
        yield Line("PyCG micro, undisputed cases", "precision / recall", found, "PyCG 97.7 / 96.9", (98, 97))
    if swarm is None:
        return
    root = ("--root", str(swarm), "--lang")
    text = scored(scorers, "score_swarm.py", "javascript_names.py", *root, "javascript", "--min-confidence", "0.6")
    found = figures(_UNDISPUTED.search(text), "score_swarm.py")
    yield Line("SWARM-JS, undisputed cases", "precision / recall, ≥ 0.6", found, "Jelly 90.5 / 96.8", (93, 90))
    text = scored(scorers, "score_swarm.py", "java_names.py", *root, "java", "--core")
    found = figures(_SITES.search(text), "score_swarm.py")
    yield Line("CATS core (Java), sites", "precision / recall", found, "name match 62.0 / 94.2", (90, 96))


def traced(scorers: Path, data: Path) -> Iterator[Line]:
    """Edges seen while packages' own tests ran: all, resolved, sure."""
    rows = (
        (0.0, "all edges", "four tools together 69.5 / 92.2", (75, 88)),
        (0.6, "resolved, ≥ 0.6", "", ()),
        (0.9, "≥ 0.9", "Pyright 61.0 / 94.8", (65, 93)),
    )
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "dynamic.json"
        for confidence, words, anchor, aim in rows:
            options = ("--data", str(data), "--min-confidence", str(confidence), "--json", str(out))
            scored(scorers, "score_dynamic.py", "python_names.py", *options)
            packages: dict[str, dict[str, Any]] = json.loads(out.read_text("utf-8"))
            wrong = [f"{name}: {each['error']}" for name, each in packages.items() if each["error"]]
            if wrong or not packages:
                raise SystemExit(f"score_dynamic.py: {'; '.join(wrong) or f'no packages in {data}'}")
            yield Line(
                f"dynamic ({', '.join(packages)}), {words}", "direct recall / seen", _direct(packages), anchor, aim
            )


def _direct(packages: dict[str, dict[str, Any]]) -> tuple[float, float]:
    """Recall over edges that do not pass through foreign frames, and the share of predicted edges that were seen."""

    def total(key: str) -> int:
        return sum(number for each in packages.values() for kind, number in each[key].items() if kind != "external")

    both = sum(each["both_ran"] for each in packages.values())
    return 100 * total("hit") / total("kinds"), 100 * sum(each["seen"] for each in packages.values()) / both


def samples(verbose: bool) -> Iterator[Line]:
    """The sample repositories' own truth: calls, then supertypes and overrides together."""
    for repository in REPOSITORIES:
        for kinds in (KINDS[:1], KINDS[1:]):
            made = [score(repository, kind) for kind in kinds]
            recall = 1 - sum(len(each.missing) for each in made) / sum(len(each.demanded) for each in made)
            precision = 1 - sum(len(each.wrong) for each in made) / sum(len(each.found) for each in made)
            yield Line(
                f"{repository}: {', '.join(kinds)}", "recall / precision, ≥ 0.6", (100 * recall, 100 * precision), "",
                (100, 100),
            )  # fmt: skip
            if verbose:
                print("\n".join(line for each in made for line in each.report().splitlines()[1:]), file=sys.stderr)


def project(given: Path, rounds: int = 3) -> Line:
    """CPU seconds from parsed files to the graph, the best of some rounds: others' load only adds."""
    with tempfile.TemporaryDirectory() as folder:
        root = given
        if given.suffix == ".whl":
            root = Path(folder)
            zipfile.ZipFile(given).extractall(root)
        files = facts_of(root, (".py",))
    catalog = make_catalog([symbol for facts in files for symbol in facts.symbols], [])
    took = []
    for _ in range(rounds):
        gc.collect()
        started = time.process_time()
        graph = build_graph(catalog, files)
        took.append(time.process_time() - started)
    size = f"{given.name}: graph of {len(files):,} parsed files, {len(graph.edges):,} edges"
    return Line(size, "CPU seconds, one core", (min(took),), "44-63 analysers, 1.1 names", (6,))


def show(lines: Sequence[Line]) -> None:
    """Print the table."""
    print("| set | measure | codeexplore | best anchor | aim | met |\n|---|---|---|---|---|---|")
    for line in lines:
        print(line.row())


def main() -> None:
    """Measure what was given and print the table."""
    parser = argparse.ArgumentParser(description="The call graph beside other tools' published figures")
    for name in ("scorers", "pycg", "swarm", "dynamic", "django"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--json", type=Path, help="write the table's figures here")
    parser.add_argument("--verbose", action="store_true", help="list what differs from the samples' truth")
    options = parser.parse_args()
    if options.scorers is None and (options.pycg or options.swarm or options.dynamic):
        parser.error("--pycg, --swarm and --dynamic need --scorers")
    lines = list(samples(options.verbose))
    if options.dynamic is not None:
        lines += traced(options.scorers, options.dynamic)
    if options.scorers is not None:
        lines += cases(options.scorers, options.pycg, options.swarm)
    if options.django is not None:
        lines.append(project(options.django))
    show(lines)
    if options.json is not None:
        document = [asdict(line) | {"met": line.met if line.aim else None} for line in lines]
        options.json.write_text(json.dumps({"python": sys.version.split()[0], "sets": document}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
