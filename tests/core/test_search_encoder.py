import os
import shutil
import socket
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model2vec import StaticModel
from tokenizers import Tokenizer

from codeexplore.search.lanes import encoder as encoder_module
from codeexplore.search.lanes.encoder import BUNDLED, Encoder
from codeexplore.text.tokens import words
from codeexplore.types.errors import ModelError
from tests.lane_chunks import stdlib_chunks
from tests.lane_models import (
    ODD_TEXTS,
    VOCABULARY,
    bundled,
    byte_tokenizer,
    punctuation_tokenizer,
    space_tokenizer,
    tiny_model,
    word_tokenizer,
)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return bundled()


# --------------------------------------------------------------------------- the bundled model


def test_bundled_model_is_small_and_what_model2vec_loads(encoder: Encoder) -> None:
    assert sum(path.stat().st_size for path in BUNDLED.iterdir()) <= 8_000_000
    model = StaticModel.from_pretrained(BUNDLED, max_length=None)
    assert (encoder.name, encoder.dim) == ("bundled", 256)
    texts = ["how are expired sessions handled?", *ODD_TEXTS]
    np.testing.assert_allclose(encoder.encode_texts(texts), model.encode(texts), atol=1e-6)


def test_bundled_checksums_cover_what_is_loaded() -> None:
    names = {line.split()[1] for line in (BUNDLED / "CHECKSUMS").read_text("utf-8").splitlines()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= names


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json", "CHECKSUMS"])
def test_a_damaged_bundle_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "bundled"
    shutil.copytree(BUNDLED, folder)
    monkeypatch.setattr(encoder_module, "BUNDLED", folder)
    assert Encoder.load().name == "bundled"
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(bytes([content[0] ^ 1]) + content[1:])
    with pytest.raises(ModelError, match="damaged"):
        Encoder.load()
    (folder / name).unlink()
    with pytest.raises(ModelError, match="can't be read"):
        Encoder.load()


def test_the_bundled_model_is_read_once_while_it_is_used() -> None:
    one = Encoder.load()
    assert Encoder.load() is one


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys; from codeexplore.search.lanes.encoder import Encoder; Encoder.load().encode_text('a')\n"
        "print({'torch', 'transformers', 'scipy', 'sklearn', 'huggingface_hub.hf_api'} & set(sys.modules))"
    )
    assert run_python(code) == "set()"


def test_alike_words_lie_close_together(encoder: Encoder) -> None:
    def cosine(left: str, right: str) -> float:
        return float(encoder.encode_text(left) @ encoder.encode_text(right))

    assert cosine("delete a file", "remove path unlink") > cosine("delete a file", "parse json string") + 0.2
    assert cosine("getHTTPResponse", "get_http_response") == pytest.approx(1)
    assert cosine("Größe", "grosse") < cosine("naïve", "naive") == pytest.approx(1)


# --------------------------------------------------------------------------- words make texts


def by_words(encoder: Encoder, text: str) -> np.ndarray:
    total = encoder.encode_words(words(text)).sum(axis=0, dtype=np.float64)
    length = np.linalg.norm(total)
    return total / length if length else total


@pytest.mark.parametrize("text", [*ODD_TEXTS, *encoder_module._PROBES])
def test_odd_texts_are_sums_of_their_words(encoder: Encoder, text: str) -> None:
    np.testing.assert_allclose(by_words(encoder, text), encoder.encode_texts([text])[0], atol=1e-5)


def unicode_3() -> list[str]:
    """Characters old enough for Python's and the tokenizer's Unicode tables alike."""
    category = unicodedata.ucd_3_2_0.category
    return [letter for letter in map(chr, range(0x110000)) if category(letter) not in {"Cn", "Cs"}]


@given(st.deferred(lambda: st.text(alphabet=st.sampled_from(unicode_3()), max_size=30)))
def test_any_text_is_the_sum_of_its_words(text: str) -> None:
    np.testing.assert_allclose(by_words(bundled(), text), bundled().encode_texts([text])[0], atol=1e-5)


def test_one_text_is_embedded_like_many(encoder: Encoder) -> None:
    for text, embedding in zip(ODD_TEXTS, encoder.encode_texts(ODD_TEXTS), strict=True):
        np.testing.assert_allclose(encoder.encode_text(text), embedding, atol=1e-6)
        assert np.linalg.norm(embedding) == pytest.approx(1 if embedding.any() else 0, abs=1e-6)
    assert encoder.encode_texts([]).shape == (0, 256)


def test_word_tokens_are_the_tokenizers() -> None:
    found = list(dict.fromkeys(word for chunk in stdlib_chunks() for word in words(chunk.text)))[:2000]
    found += ["größe", "日本語", "_", "x" * 100]
    indptr, ids = bundled().word_tokens(found)
    expected = Tokenizer.from_file(str(BUNDLED / "tokenizer.json")).encode_batch(found)
    for word, encoding in enumerate(expected):
        assert ids[indptr[word] : indptr[word + 1]].tolist() == encoding.ids
    assert [array.tolist() for array in bundled().word_tokens([])] == [[0], []]


def test_shares_add_up_to_the_embedding(encoder: Encoder) -> None:
    for text in ("read the file, then the other file", *ODD_TEXTS):
        labels, shares = encoder.shares(text)
        assert labels == list(dict.fromkeys(words(text)))
        total = shares.sum(axis=0)
        np.testing.assert_allclose(total / (np.linalg.norm(total) or 1), encoder.encode_text(text), atol=1e-6)


# --------------------------------------------------------------------------- other models


@pytest.mark.parametrize(
    ("make", "separable"),
    [(word_tokenizer, True), (punctuation_tokenizer, False), (space_tokenizer, False), (byte_tokenizer, False)],
)
def test_separability_is_found_out(make: object, separable: bool, tmp_path: Path) -> None:
    assert callable(make)
    encoder = Encoder.load(tiny_model(tmp_path, make()))
    assert encoder.separable is separable
    text = "self.items(key) is the key  of getting def self._items[key]"
    labels, shares = encoder.shares(text)
    total = shares.sum(axis=0)
    expected = StaticModel.from_pretrained(tmp_path, max_length=None).encode([text], normalize=True)[0]
    np.testing.assert_allclose(total / np.linalg.norm(total), expected, atol=1e-6)
    np.testing.assert_allclose(encoder.encode_text(text), expected, atol=1e-6)
    assert len(labels) == len(shares)


INT8 = np.random.default_rng(1).integers(-127, 128, (len(VOCABULARY), 8)).astype(np.int8)


@pytest.mark.parametrize(
    "arrays",
    [
        {"embeddings": INT8},
        {"embeddings": INT8, "weights": np.linspace(0.1, 2, len(VOCABULARY)).astype(np.float32)},
        {
            "embeddings": INT8[:4].astype(np.float32),
            "weights": np.linspace(0.1, 2, len(VOCABULARY)),
            "mapping": (np.arange(len(VOCABULARY)) % 4).astype(np.int64),
        },
    ],
    ids=["int8", "int8 with weights", "mapped"],
)
def test_models_of_every_make(arrays: dict[str, np.ndarray], tmp_path: Path) -> None:
    encoder = Encoder.load(tiny_model(tmp_path, word_tokenizer(), **arrays))
    text = "get the items, the key unknown"
    expected = StaticModel.from_pretrained(tmp_path, max_length=None).encode([text], normalize=True)[0]
    np.testing.assert_allclose(by_words(encoder, text), expected, atol=1e-6)
    assert encoder.vectors_of([0, 1]).dtype == np.float32
    assert not encoder.vectors_of([0]).any()  # unknown words add nothing


def test_fingerprints_tell_models_apart(tmp_path: Path) -> None:
    one = tiny_model(tmp_path / "one", word_tokenizer())
    same = tiny_model(tmp_path / "same", word_tokenizer())
    weighed = tiny_model(tmp_path / "weighed", word_tokenizer(), weights=np.linspace(1, 2, len(VOCABULARY)))
    split = tiny_model(tmp_path / "split", punctuation_tokenizer())
    prints = [Encoder.load(folder).fingerprint for folder in (one, same, weighed, split)]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3


# --------------------------------------------------------------------------- models that can't be had


def test_models_by_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny_model(tmp_path / "models" / "mine", word_tokenizer())
    monkeypatch.chdir(tmp_path)
    for name in (folder, str(folder), "models/mine", Path("models/mine")):
        assert Encoder.load(name).name == str(name)


@pytest.mark.parametrize(
    "name",
    [
        "models/typo",
        "./mine",
        "nowhere",
        "a/b/c",
        "~nobody-here/x",
        "bad name/x",
        "x" * 5000,
        Path("owner/name"),
        "a\0b",
    ],
)
def test_a_mistyped_folder_is_never_looked_up_on_the_hub(
    name: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(encoder_module, "hub_folder", lambda name: pytest.fail(f"looked up {name}"))
    with pytest.raises(ModelError, match=r"no folder|not a usable path"):
        Encoder.load(name)


def test_folders_that_hold_no_model(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"not a model")
    with pytest.raises(ModelError, match="is a file"):
        Encoder.load(file)
    with pytest.raises(ModelError, match="contains no model"):
        Encoder.load(tmp_path)
    broken = tiny_model(tmp_path / "broken", word_tokenizer())
    (broken / "tokenizer.json").write_text("{}", "utf-8")
    with pytest.raises(ModelError, match="contains no model"):
        Encoder.load(broken)
    short = tiny_model(tmp_path / "short", word_tokenizer(), embeddings=np.zeros((3, 8), np.float32))
    with pytest.raises(ModelError, match="does not match"):
        Encoder.load(short)


def run_python(code: str, **environment: str) -> str:
    """What a fresh interpreter prints; huggingface_hub reads its settings when it is imported."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUTF8": "1", **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


LOAD = """
import codeexplore.search.lanes.encoder as hub
from codeexplore.types.errors import ModelError
from codeexplore.search.lanes.encoder import Encoder
hub.HUB_TIMEOUT = 1.0
try:
    print("loaded", Encoder.load("owner/name").dim)
except ModelError as error:
    print(error)
"""


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The address of a server that accepts connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_the_hub_offline(tmp_path: Path) -> None:
    said = run_python(LOAD, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1")
    assert said.startswith("model 'owner/name' is not a folder here")


def test_the_hub_refuses(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        said = run_python(LOAD, HF_HOME=str(tmp_path), HF_ENDPOINT=address)
    assert "leave model= out for the bundled model" in said


def test_the_hub_never_answers(tmp_path: Path, silent_server: str) -> None:
    said = run_python(LOAD, HF_HOME=str(tmp_path), HF_ENDPOINT=silent_server)
    assert said.startswith("model 'owner/name' is not a folder here")


def test_the_hubs_cache_needs_no_network(tmp_path: Path, silent_server: str) -> None:
    repository = tmp_path / "hub" / "models--owner--name"
    tiny_model(repository / "snapshots" / "abc", word_tokenizer())
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc", "utf-8")
    assert run_python(LOAD, HF_HOME=str(tmp_path), HF_ENDPOINT=silent_server) == "loaded 8"
