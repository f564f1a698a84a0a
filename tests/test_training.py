import hashlib
import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from model2vec import StaticModel

from codeexplore.search.lanes.encoder import BUNDLED
from training.archives import Member, read_package
from training.bags import bags, token_rows
from training.batches import Sampler
from training.bundle import quantise, write_bundle
from training.config import config
from training.corpus import Corpus, build
from training.examples import package_rows
from training.licences import file_reason, permissive, verdict
from training.questions import sentences, subjects_of_tests
from training.tokenizer import PAD, UNKNOWN, make_tokenizer, split
from training.vocabulary import read_vocabulary


def test_the_bundled_tokenizer_is_made_of_the_committed_vocabulary() -> None:
    tokens, frequencies = read_vocabulary()
    assert len(set(tokens)) == len(tokens) == len(frequencies)
    assert tokens[:2] == [PAD, UNKNOWN]
    bundled = json.loads((BUNDLED / "tokenizer.json").read_text("utf-8"))
    assert json.loads(make_tokenizer(tokens).to_str()) == bundled
    assert frequencies.min() >= 0
    assert 0.5 < frequencies.sum() <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getHTTPResponse2(x)", ["get", "http", "response2", "x"]),
        ("MAX_RETRY_COUNT", ["max", "retry", "count"]),
        ("größeBerechnen — naïve", ["große", "berechnen", "naive"]),
        ("sha256Hash != 'a-b'", ["sha256", "hash", "a", "b"]),
        ("", []),
    ],
)
def test_what_the_tokenizer_looks_up(text: str, expected: list[str]) -> None:
    assert split(make_tokenizer([PAD, UNKNOWN]), text) == expected


@given(arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.floats(-1e3, 1e3, width=32)))
def test_rounding_keeps_every_row_to_a_part_in_250(vectors: np.ndarray) -> None:
    rounded, scale = quantise(vectors)
    restored = rounded.astype(np.float64) * scale[:, None]
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    assert (np.abs(restored - vectors) <= largest / 250 + 1e-30).all()


def test_a_bundle_is_a_model_with_checksums(tmp_path: Path) -> None:
    tokens = [PAD, UNKNOWN, "file", "open"]
    vectors = np.array([[0, 0], [0, 0], [3, 4], [0.01, 0]], np.float64)
    write_bundle(tmp_path, make_tokenizer(tokens), vectors, {"made_with": {}}, "# card\n")
    found = StaticModel.from_pretrained(tmp_path).encode("openFile unknown")
    np.testing.assert_allclose(found, np.array([3.01, 4]) / np.hypot(3.01, 4), atol=0.01)
    for line in (tmp_path / "CHECKSUMS").read_text("utf-8").splitlines():
        digest, name = line.split()
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND MIT", True),
        ("Apache License 2.0", True),
        ("GPL-2+ or MIT", True),
        ("(BSD-3-Clause OR GPL-2.0)", True),
        ("GPL-3.0-or-later", False),
        ("LGPL-2.1", False),
        ("MIT and GPL-2+", False),
        ("Mozilla Public License 2.0 (MPL 2.0)", False),
        ("EPL-2.0 or EDL-1.0", False),
        ("unknown", False),
    ],
)
def test_which_licences_are_permissive(licence: str, expected: bool) -> None:
    assert permissive(licence) is expected


DEP5 = b"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: 2020 Someone
License: Expat

Files: extra/* tools/a.c
Copyright: 2021 Another
License: GPL-2+
 Text of it.
"""


def test_debian_copyright_decides_file_by_file() -> None:
    reason, licence, stanzas = verdict("debian-source", "", [Member("debian/copyright", DEP5)])
    assert (reason, licence) == ("", "Expat")
    assert file_reason(Member("src/a.c", b"int main;"), stanzas) == ""
    assert file_reason(Member("extra/deep/b.c", b"int main;"), stanzas) == "copyleft by debian/copyright"
    assert file_reason(Member("src/c.c", b"/* GNU General Public License */"), stanzas) == "copyleft by its header"


def test_sentences_are_prose_and_without_the_own_name() -> None:
    doc = "Parse reads a header and returns its fields. It fails on `empty` input!\n\n:param text: the text to parse"
    assert sentences(doc, "Parse") == ["reads a header and returns its fields", "It fails on empty input!"]
    assert sentences("Copyright (c) 2020 Somebody and others.") == []
    assert sentences("@param x the number of things") == []


def test_what_tests_say_they_test() -> None:
    text = "def test_header_without_colon_fails(): ...\n  it('keeps the order of fields', () => {})\n"
    assert [words for words, _ in subjects_of_tests(text)] == [
        "header without colon fails",
        "keeps the order of fields",
    ]


def npm_package(folder: Path) -> Path:
    files = {
        "package/src/parse.ts": "/** Reads the fields of a header from a text. */\n"
        "export function parse(text: string) {\n  return text\n}\n",
        "package/node_modules/other/index.js": "function other() { return 1 }\n" * 20,
        "package/src/flask/app.ts": "function app() { return 1 }\n" * 20,
        "package/LICENSE": "MIT License",
    }
    path = folder / "npm-some-1.0.0.tgz"
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            data = (text + "// padding so that the file is not too small\n" * 5).encode()
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def test_examples_are_the_index_s_own_chunks(tmp_path: Path) -> None:
    contents = read_package([npm_package(tmp_path)], most=100_000)
    assert [member.path for member in contents.sources] == ["src/parse.ts"]
    assert contents.skipped == {"vendored": 1, "named like a benchmark repository": 1}
    rows = package_rows(contents.sources, everything=True, skipped=contents.skipped)
    row = next(row for row in rows if row["k"] == "function")
    assert row["c"] == "src/parse.ts\nsrc/parse.parse\nfunction parse(text: string)"
    assert row["q"] == ["Reads the fields of a header from a text"]
    assert "return text" in row["t"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Two packages of a few chunks."""
    folder = tmp_path_factory.mktemp("examples")
    paths = []
    for name in ("one", "two"):
        rows = [
            {
                "f": number // 2, "l": "python", "k": "function", "n": f"function{number}", "p": 0,
                "id": f"{name}{number}", "c": f"{name}.py\nfunction{number}",
                "t": f"Open the file {number}. return path",
                "d": f"Open the file {number}.", "q": [f"Open the file {number}"], "test": number == 5,
            }
            for number in range(6)
        ]  # fmt: skip
        path = folder / f"{name}.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in ({"registry": "pypi", "name": name}, *rows)), "utf-8")
        paths.append(path)
    return build(make_tokenizer(read_vocabulary()[0]), paths, frozenset({"two0"}))


def words_of(ids: np.ndarray) -> set[str]:
    tokens = read_vocabulary()[0]
    return {tokens[number] for number in ids.tolist()}


def test_the_corpus_keeps_documentation_apart(corpus: Corpus) -> None:
    assert len(corpus.package) == 11
    _, body, _ = corpus.body.take(np.array([0]))
    _, doc, _ = corpus.doc.take(np.array([0]))
    assert words_of(body) == {"return", "path"}
    assert words_of(doc) == {"open", "the", "file", "0"}
    assert len(corpus.answer) == 2 * (6 - 1) * 2 - 2  # a sentence and a name each; none of tests, none of what leaked


def test_batches_repeat_and_hide_the_answer(corpus: Corpus) -> None:
    options = config({"batches.group": 4, "batches.pairs": 8, "batches.test_negatives": 2, "batches.name": 0.0})[
        "batches"
    ]
    frames = bags(*token_rows(make_tokenizer(read_vocabulary()[0]), ["where is"]))
    batch, again = (Sampler(corpus, options, frames, seed=3).draw() for _ in range(2))
    np.testing.assert_array_equal(batch.chunks.ids, again.chunks.ids)
    n = len(batch.questions.offsets)
    assert batch.neither.shape == (n, n + 2)
    assert not batch.neither.diagonal().any()
    assert not words_of(batch.chunks.ids[: batch.chunks.offsets[n]]) & {"open", "the", "file"}
    assert (batch.chunks.weights > 0).all()
