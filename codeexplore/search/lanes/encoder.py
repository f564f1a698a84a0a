"""Static embedding models: text → vector. Only this module imports model2vec, tokenizers and safetensors.

A static model contains one vector for each token. The embedding of a text is the normalised mean of the vectors of its
tokens. If the tokens of a word do not depend on its neighbours, the model is *separable*: the mean is a sum over words.

A model is bundled, in a folder, or named on the Hugging Face hub. For a name, the local cache is searched first, then
the network, with a time limit. model2vec loads and encodes, but not the bundled model: importing it and loading the
model takes 1.1 s, reading the model's tables 0.2 s, and a question is embedded in 0.1 ms instead of 0.6 ms.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from codeexplore.interrupts import interrupts_first
from codeexplore.text.tokens import words as split_words
from codeexplore.types.errors import ModelError

if TYPE_CHECKING:
    from model2vec import StaticModel
    from numpy.typing import NDArray


HUB_TIMEOUT = 15.0
"""Seconds the hub may take to answer that it has a model. The download itself is not limited while data arrives."""

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def is_hub_name(model: str) -> bool:
    """Return True if `model` is not an existing folder and can only be a name ``owner/name`` on the hub.

    If the first folder of a path exists, it is a mistyped path. model2vec would look it up on the hub.
    """
    return bool(_HUB_NAME.fullmatch(model)) and not Path(model.partition("/")[0]).exists()


def hub_folder(name: str) -> Path:
    """Return the local folder of a model on the hub. It is downloaded if it is not in the cache. Raises ModelError."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError
    from model2vec.persistence.datamodels import get_all_model2vec_paths

    patterns = [*get_all_model2vec_paths(), "README.md"]
    try:
        with interrupts_first():
            return Path(snapshot_download(name, allow_patterns=patterns, local_files_only=True))
    except LocalEntryNotFoundError:  # not in the cache
        _ask_hub(name)
    try:
        with interrupts_first():
            return Path(snapshot_download(name, allow_patterns=patterns))
    except Exception as error:  # the network has many ways to fail
        raise _unavailable(name, error) from error


def _ask_hub(name: str) -> None:
    """Check that the hub has the model `name`. Raises ModelError if it does not, or if it does not answer in time."""
    from huggingface_hub import HfApi

    failure: list[Exception] = []

    def ask() -> None:
        try:
            HfApi().model_info(name, timeout=HUB_TIMEOUT)
        except Exception as error:  # noqa: BLE001  # passed to the waiting thread, which raises it
            failure.append(error)

    thread = threading.Thread(target=ask, name="codeexplore-hub", daemon=True)  # name resolution has no timeout
    thread.start()
    thread.join(HUB_TIMEOUT)
    if thread.is_alive():
        raise _unavailable(name, TimeoutError(f"no answer within {HUB_TIMEOUT:g} seconds"))
    if failure:
        raise _unavailable(name, failure[0]) from failure[0]


def _unavailable(name: str, error: Exception) -> ModelError:
    reason = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
    return ModelError(
        f"model {name!r} is not a folder here, and the Hugging Face hub can't provide it ({reason}). Check the "
        "spelling and the network, give the folder of a downloaded model, or leave model= out for the bundled model."
    )


BUNDLED = Path(__file__).parent / "bundled"
BUNDLED_NAME = "bundled"

_BATCH_WORDS = 200
"""Words tokenised as one text: fewer make more calls, more make the tokenizer's bookkeeping slow."""

_BATCHES = 50
"""Such texts that are tokenised at once: the tokenizer's result for each takes a hundred times its bytes."""

_PROBES = (
    "def get_item(self, key: str) -> int: return self._items[key] + 1",
    "HTTPServer.parseURL2(x1, y_2); MAX_RETRY_COUNT != 0x1F && !isDone",
    "Don't re-use the user's e-mail—it is “quoted”; naïve größeBerechnen über straße.",
    "日本語のテキスト 한국어 हिन्दी עברית получитьОтвет x\u0302y 🙂🙂 ½ ² Ⅷ",
    "  \t\n\r  a.b.c  --  <img src=x onerror=alert(1)>  C++ C# f(x)=x^2 1e-5 3.14",
)
"""Texts that reveal a tokenizer whose tokens of a word depend on its neighbours, or on characters between words."""


class Tables(NamedTuple):
    embedding: NDArray[np.generic]  # (n_vectors, dim) of any type; only directions matter
    tokenizer: Tokenizer
    weights: NDArray[np.generic] | None = None  # (n_tokens,); None: all 1
    token_mapping: NDArray[np.integer] | None = None  # (n_tokens,) rows of `embedding`; None: token ids are rows
    unk_token_id: int | None = None


class Encoder:
    """A loaded model. `name` is for summaries and errors; `model` returns model2vec's own, which encodes texts."""

    def __init__(self, tables: Tables, name: str, model: Callable[[], StaticModel]) -> None:
        self.name = name
        self.dim: int = tables.embedding.shape[1]
        self._tables, self._make_model = tables, model
        self._tokenizer = tables.tokenizer

    @cached_property
    def _model(self) -> StaticModel:
        model = self._make_model()
        model.max_length = None  # model2vec cuts texts at 512 tokens by default
        return model

    @classmethod
    def load(cls, model: str | Path | None = None) -> Encoder:
        """Load the bundled model, a model in a folder, or one on the hub, such as ``minishlab/potion-code-16M``.

        The checksums of the bundled model are verified. It is read once and shared: all callers get the same object as
        long as one of them keeps it. Raises ModelError with the next step.
        """
        if model is None:
            encoder = _shared.get(BUNDLED)
            if encoder is None:
                tables = _load_bundled()
                encoder = _shared[BUNDLED] = cls(tables, BUNDLED_NAME, lambda: _bundled_model(tables))
            return encoder
        try:
            folder = Path(model).expanduser()
            is_folder, is_there = folder.is_dir(), folder.exists()
        except (OSError, RuntimeError) as error:  # a name that is too long, an unknown ~user
            raise ModelError(f"model {str(model)[:80]!r} is not a usable path ({error}).") from error
        if is_folder:
            return cls._of_model(_load_folder(folder), str(model))
        if is_there:
            raise ModelError(f"model {str(model)!r} is a file. Give the folder that contains it.")
        if isinstance(model, Path) or not is_hub_name(model):
            raise ModelError(
                f"there is no folder {str(model)!r}. Give an existing folder with a model2vec model, a hub name "
                "(owner/name), or nothing for the bundled model."
            )
        return cls._of_model(_load_folder(hub_folder(model)), model)

    @classmethod
    def _of_model(cls, model: StaticModel, name: str) -> Encoder:
        tables = Tables(model.embedding, model.tokenizer, model.weights, model.token_mapping, model.unk_token_id)
        return cls(tables, name, lambda: model)

    # ----------------------------------------------------------------- the model's vectors and tokens

    @property
    def n_tokens(self) -> int:
        mapping = self._tables.token_mapping
        return len(self._tables.embedding if mapping is None else mapping)

    def vectors_of(self, tokens: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of the given tokens (ids): shape (n, dim). The unknown token has the vector zero."""
        tables, ids = self._tables, np.asarray(tokens, np.int64)
        rows = tables.embedding[ids if tables.token_mapping is None else tables.token_mapping[ids]]
        vectors: NDArray[np.float32] = rows.astype(np.float32)
        if tables.weights is not None:
            vectors *= tables.weights[ids].astype(np.float32)[:, None]
        if tables.unk_token_id is not None:
            vectors[ids == tables.unk_token_id] = 0
        return vectors

    @cached_property
    def separable(self) -> bool:
        """True if the tokens of a text are the tokens of its words, so that counts of words are enough to embed it."""
        return all(
            Counter(self._token_ids(text)) == Counter(self._known(self.word_tokens(split_words(text))[1].tolist()))
            for text in _PROBES
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash (hex) of everything that determines an embedding. Stored embeddings belong to one such hash."""
        digest = hashlib.blake2b(self._tokenizer.to_str().encode(), digest_size=16)
        digest.update(self.vectors_of(np.arange(self.n_tokens)).view(np.uint8).data)
        return digest.hexdigest()

    def _known(self, ids: Sequence[int]) -> list[int]:
        return [token for token in ids if token != self._tables.unk_token_id]

    def _token_ids(self, text: str) -> list[int]:
        return self._known(self._tokenizer.encode(text, add_special_tokens=False).ids)

    # ----------------------------------------------------------------- words and texts

    def knows(self, word: str) -> bool:
        return self._tokenizer.token_to_id(word) is not None

    def word_tokens(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the start of each word's tokens, and the tokens of all words: shapes (n_words + 1,) and (n_tokens,).

        Word i has the tokens ``ids[indptr[i]:indptr[i + 1]]``. Many words are tokenised together with spaces between
        them, so the result is only right for separable models.
        """
        sizes, ids = [np.zeros(1, np.int64)], [np.zeros(0, np.int64)]
        for first in range(0, len(words), _BATCHES * _BATCH_WORDS):
            stop = min(first + _BATCHES * _BATCH_WORDS, len(words))
            batches = [words[start : min(start + _BATCH_WORDS, stop)] for start in range(first, stop, _BATCH_WORDS)]
            encodings = self._tokenizer.encode_batch([" ".join(batch) for batch in batches], add_special_tokens=False)
            for batch, encoding in zip(batches, encodings, strict=True):
                ends = np.cumsum([len(word) + 1 for word in batch])
                starts = np.fromiter(map(itemgetter(0), encoding.offsets), np.int64, len(encoding))
                sizes.append(np.bincount(np.searchsorted(ends, starts, side="right"), minlength=len(batch)))
                ids.append(np.array(encoding.ids, np.int64))
        return np.cumsum(np.concatenate(sizes)), np.concatenate(ids)

    def encode_words(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vector that each word adds to a text, the sum over its tokens: shape (n_words, dim)."""
        indptr, ids = self.word_tokens(words)
        sums = np.zeros((len(words), self.dim), np.float32)
        np.add.at(sums, np.repeat(np.arange(len(words)), np.diff(indptr)), self.vectors_of(ids))
        return sums

    def encode_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embedding of each text, of length 1, or 0 without a known token: shape (n_texts, dim)."""
        found = np.zeros((len(texts), self.dim), np.float32)
        if len(texts):
            found[:] = self._model.encode(list(texts), max_length=None, normalize=False, use_multiprocessing=False)
        return unit_rows(found)

    def encode_text(self, text: str) -> NDArray[np.float32]:
        """Return the embedding of one text: shape (dim,). It equals the result of `encode_texts` but is faster."""
        found: NDArray[np.float32] = self.vectors_of(self._token_ids(text)).sum(axis=0, keepdims=True)
        return unit_rows(found).ravel()

    def shares(self, text: str) -> tuple[list[str], NDArray[np.float64]]:
        """Return the terms whose sum is the embedding of `text` before it is normalised to length 1.

        These are the distinct words of the text in order (distinct tokens if the model is not separable), and the
        vector that each adds with all its occurrences: shape (n, dim).
        """
        if self.separable:
            counts = Counter(split_words(text))
            labels = list(counts)
            sums = self.encode_words(labels)
            times = list(counts.values())
        else:
            tokens = Counter(self._token_ids(text))
            labels = [str(self._tokenizer.id_to_token(token)) for token in tokens]
            sums = self.vectors_of(list(tokens))
            times = list(tokens.values())
        return labels, sums.astype(np.float64) * np.array(times, np.float64)[:, None]


_shared: WeakValueDictionary[Path, Encoder] = WeakValueDictionary()
"""The bundled model by its folder, while a workspace uses it."""


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale each row to length 1, in place, and return the array. Rows of zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    np.divide(vectors, lengths, out=vectors, where=lengths > 0)
    return vectors


# --------------------------------------------------------------------------- loading


def _load_bundled() -> Tables:
    for line in _read(BUNDLED / "CHECKSUMS").decode().splitlines():
        expected, name = line.split()
        if hashlib.sha256(_read(BUNDLED / name)).hexdigest() != expected:
            raise ModelError(f"the bundled model is damaged ({name} in {BUNDLED}). Reinstall codeexplore.")
    tensors = load_file(BUNDLED / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    unknown = tokenizer.model.unk_token
    unknown_id = None if unknown is None else tokenizer.token_to_id(unknown)
    return Tables(tensors["embeddings"], tokenizer, tensors["weights"], unk_token_id=unknown_id)


def _bundled_model(tables: Tables) -> StaticModel:
    from model2vec import StaticModel

    config = json.loads(_read(BUNDLED / "config.json"))
    return StaticModel(
        tables.embedding, tables.tokenizer, config=config, normalize=True, weights=tables.weights, max_length=None
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"the bundled model can't be read ({error}). Reinstall codeexplore.") from error


def _load_folder(folder: Path) -> StaticModel:
    from model2vec import StaticModel

    try:
        with interrupts_first():
            return StaticModel.from_pretrained(folder, max_length=None)
    except Exception as error:  # safetensors and tokenizers raise errors of their own, some of them plain Exception
        raise ModelError(
            f"{str(folder)!r} contains no model that model2vec can load ({error}). "
            "It needs config.json, model.safetensors and tokenizer.json."
        ) from error
