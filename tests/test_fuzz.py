"""The fuzz targets on what hypothesis makes up, and on the worst inputs that fuzzing ever found."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.languages import registry
from fuzz.forged import forged_files
from fuzz.sources import LANGUAGES
from fuzz.targets import CORPUS, TARGETS, seeds

KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())
NAMES = tuple(TARGETS)

# pieces that mean something to one reader or another, among any bytes
PIECES = st.sampled_from(
    [
        b"def f(a):\n", b"class A:\n", b"    return x\n", b"'''", b'"', b"{", b"}", b"(", b")", b"\n", b"\r", b"\t",
        b"#", b"/*", b"*/", b"//", b"%%bash\n", b"!ls\n", b"%time f()\n", b"# Title\n", b"====\n", b"```\n",
        b"\xff", b"\0", b"who calls ", b"path from a to b", b"`x`", b"https://", b"user:secretword@", b"host/",
        b"::", b"-", b"\\", b"<a>", "größe".encode(), "नमस्ते".encode(), "e\u0301".encode(), b"\xed\xa0\x80",
        b"#if A\n", b"#endif\n", b"end\n", b"1e9", b"fn f() -> T {", b"impl A for B", b"module X", b"import a.b",
        b"=> x", b"f\"{x}\"", b"coding: latin-1\n", b"\x1c",
    ]
)  # fmt: skip
DATA = st.lists(PIECES | st.binary(max_size=6), max_size=40).map(b"".join)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_worst_that_was_found(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


def test_what_is_kept_has_a_target_and_is_small() -> None:
    assert {path.parent.name for path in KEPT} <= set(TARGETS)
    assert sum(path.stat().st_size for path in KEPT) < 200_000


@pytest.mark.parametrize("name", NAMES)
def test_the_fuzzer_starts_from_inputs_that_are_in_order(name: str) -> None:
    given_seeds = list(seeds(name))
    assert given_seeds
    for seed in given_seeds[:12]:
        TARGETS[name](seed)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("chunker", "cache", "index")])
@settings(max_examples=60, deadline=None)
@given(data=DATA)
def test_no_bytes_break_a_promise(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=12, deadline=None)
@given(data=DATA)
def test_any_text_in_any_language(language: str, data: bytes) -> None:
    TARGETS["chunker"](bytes([LANGUAGES.index(language)]) + data)


@settings(max_examples=40, deadline=None)
@given(data=st.lists(st.binary(min_size=6, max_size=6), min_size=1, max_size=4).map(b"".join))
def test_a_damaged_index_is_refused_or_tells_the_same(data: bytes) -> None:
    TARGETS["cache"](data)


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")  # numbers may be anything
@settings(max_examples=40, deadline=None)
@given(data=st.lists(st.binary(min_size=7, max_size=7), min_size=1, max_size=3).map(b"".join))
def test_a_forged_index_is_refused_or_does_no_harm(data: bytes) -> None:
    TARGETS["index"](data)


TEXT, TEXTS = st.text(max_size=3), st.lists(st.text(max_size=3), max_size=3)
ROWS = st.fixed_dictionaries(
    {},
    optional={
        "id": TEXT, "type": st.sampled_from(["needle", "ranking", "graph", "x", 1]), "query": TEXT | st.none(),
        "expected": TEXTS | TEXT, "accepted": TEXTS | st.lists(st.integers(), max_size=2),
        "top_k": st.integers(-2, 2_000) | st.booleans() | st.floats(), "scope": TEXT,
        "kinds": st.lists(st.sampled_from(["class", "variable", "x"])), "tests": st.booleans() | st.none(),
        "_note": st.none(),
    },
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(ROWS, max_size=3), ours=st.booleans(), indent=st.sampled_from([None, 2]))
def test_any_rows_of_a_fixture_file(rows: list[dict[str, object]], ours: bool, indent: int | None) -> None:
    document = {"schema": 1, "questions": rows} if ours else rows
    TARGETS["fixtures"](json.dumps(document, indent=indent).encode())


def test_every_language_is_fuzzed() -> None:
    assert {language.name for language in registry.LANGUAGES} <= set(LANGUAGES)


MULTIPLY = (
    "symbol.id: all like the last|chunk.id: all like the first|bm25.tokens: all like the first|spans: the first chunk"
    "|unfolds to lists|unfolds to one text|origin.json: lists|manifest: a list of lists|circle|20,000 members"
    "|edges: many from a symbol|symbol.doc: hostile"
)
"""Of the forged files those that hung a search or took gigabytes, and one that is harmless."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no child processes by fork")
def test_forged_indexes_are_refused_or_harmless() -> None:
    command = [sys.executable, "-m", "fuzz.forged", "--only", MULTIPLY, "--seconds", "60"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=CORPUS.parent.parent.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^13 forged files: 12 refused, 1 harmless, 0 did harm$", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_there_are_five_hundred_forged_files_and_more() -> None:
    names = [name for name, _ in itertools.islice(((each.name, len(each.data)) for each in forged_files()), 600)]
    assert len(set(names)) == len(names) == 600
