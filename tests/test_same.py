"""The oracle of `make same` gives the same rows twice, and reports each row that differs."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeexplore import sample_repo
from tests.same.compare import Collected, Expected, differences, expected_of, report

ROOT = Path(__file__).resolve().parent.parent


def collected(folder: Path, seed: str) -> Collected:
    out = folder / f"{seed}.json.gz"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "CODEEXPLORE_CACHE": str(folder)}
    words = ["webshop", str(sample_repo("webshop")), str(ROOT), "core"]
    subprocess.run(
        [sys.executable, ROOT / "tests/same/collect.py", out, *words], env=environment, cwd=folder, check=True
    )
    with gzip.open(out, "rt", encoding="utf-8") as file:
        rows: Collected = json.load(file)
    return rows


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Collected:
    return collected(tmp_path_factory.mktemp("same"), "1")


def test_two_collections_of_one_version_are_the_same(rows: Collected, tmp_path: Path) -> None:
    assert report(differences("webshop", rows, collected(tmp_path, "2"))) == ([], 0)
    assert len(rows["symbols"]) > 500
    assert "why: html" in rows
    failed = [
        f"{kind}: {row}" for kind, of in rows.items() for row, text in of.items() if text.startswith("raises Attr")
    ]
    assert not failed, "the table of names in tests/same/names.py does not know where these are"


def test_each_row_that_differs_is_reported(rows: Collected) -> None:
    edge = next(iter(rows["edges"]))
    hub = rows["hubs: text"]["all"]
    changed: Collected = {
        **rows,
        "edges": {each: text for each, text in rows["edges"].items() if each != edge},
        "hubs: text": {"all": hub.replace("The", "All"), "more": "x"},
    }
    lines, n = report(differences("webshop", rows, changed))
    assert n == 3
    assert "webshop: edges: 1 missing" in lines
    assert "webshop: hubs: text: 1 changed, 1 new" in lines
    assert any(line.strip().startswith("+All 20") for line in lines)
    expected = [Expected("webshop", "edges", ".*", ".*"), Expected(".*", "hubs: .*", "all", "(The|All) 20 most.*")]
    assert report(differences("webshop", rows, changed), expected)[1] == 1, "the new row"


def test_other_spellings_of_the_same_are_no_difference() -> None:
    old: Collected = {"steps": {"a": "ws.changes('main'), codeexplore dead-code ."}}
    new: Collected = {"steps": {"a": "ws.review.changes('main'), codeexplore survey dead-code ."}}
    assert not list(differences("webshop", old, new))


def test_the_list_of_expected_differences_can_be_read() -> None:
    assert all(len(each) == 4 for each in expected_of(ROOT / "tests/same/expected.txt"))
