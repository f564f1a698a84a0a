import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from model2vec import StaticModel

from codeexplore.lanes.encoder import BUNDLED
from training.bundle import quantise, write_bundle
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
