"""Edges written by a process and its fork: the tables are those that one process writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore.graph.build import two_processes

SAMPLES = Path(__file__).parent.parent / "sample_repos"

# A process of its own: pytest's has threads, which a fork does not have.
SCRIPT = """
import hashlib, json, os, sys

from codeexplore import Workspace
from codeexplore.graph.build import two_processes
from codeexplore.graph.build.resolve import resolve
from codeexplore.graph.serialization import members_of_tables

two_processes.LEAST_REFERENCES = 0
two_processes.may_fork = lambda: True
index = Workspace(sys.argv[1], cache=False, workers=0)._holder.current
facts = [index.files.facts(path) for path in index.sources.paths]


def digest(ending):
    tables = resolve(facts, manifests=index.origin.manifest_texts, ending=ending)
    found = hashlib.sha256(repr(tables.notes).encode())
    for name, member in sorted(members_of_tables(tables).items()):
        found.update(name.encode() + (member if isinstance(member, bytes) else member.tobytes()))
    return found.hexdigest(), len(tables.edges)


answers = []
add_to = two_processes._Fork.add_to
def noted(self, tables):
    answers.append(add_to(self, tables))
    return answers[-1]
two_processes._Fork.add_to = noted

said = {"alone": digest(False), "together": digest(True), "accepted": list(answers)}
fork = os.fork
del answers[:]
def failing():
    raise OSError("no more processes")
os.fork = failing
said |= {"no fork": digest(True), "without": list(answers)}
os.fork = fork
del answers[:]
work = two_processes._Fork._work
two_processes._Fork._work = lambda *given: os.kill(os.getpid(), 9)
said |= {"killed": digest(True), "killed accepted": list(answers)}
two_processes._Fork._work = work
del answers[:]
begin = two_processes._Fork.__init__
def limited(self, edges, files):
    begin(self, edges, files)
    edges.writer.most_uses = -1
two_processes._Fork.__init__ = limited
digest(True)
said["beyond a limit"] = answers
print(json.dumps(said))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")
def test_a_fork_changes_no_table_and_may_fail() -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT, str(SAMPLES)], check=True, capture_output=True, text=True, timeout=200
    )
    said = json.loads(ran.stdout)
    alone = said["alone"]
    assert alone[1] > 200
    assert said["together"] == alone
    assert said["accepted"]
    assert all(said["accepted"])
    assert said["no fork"] == alone
    assert not any(said["without"])
    assert said["killed"] == alone
    assert not any(said["killed accepted"])
    assert not any(said["beyond a limit"])
    assert "Warning" not in ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")
def test_a_process_with_much_memory_does_not_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_processes.os, "sched_getaffinity", lambda process: {0, 1})
    monkeypatch.setattr(two_processes, "MOST_MEMORY", 1 << 50)
    assert two_processes.may_fork()
    monkeypatch.setattr(two_processes, "MOST_MEMORY", 1 << 20)
    assert not two_processes.may_fork()
    monkeypatch.setattr(two_processes.os, "sched_getaffinity", lambda process: {0})
    monkeypatch.setattr(two_processes, "MOST_MEMORY", 1 << 50)
    assert not two_processes.may_fork()


@pytest.mark.parametrize(("counts", "middle"), [([5, 5], 1), ([1, 9, 1], 2), ([0, 0, 4], 3), ([], 0), ([0], 0)])
def test_the_first_part_has_half_of_the_references_or_more(counts: list[int], middle: int) -> None:
    assert two_processes._middle(counts) == middle
    assert sum(counts[:middle]) >= sum(counts) / 2
