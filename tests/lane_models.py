"""Models for the lanes' tests: the bundled one, and small ones whose tokenizers behave in other ways."""

import functools
import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from codeexplore.search.lanes.encoder import Encoder

bundled = functools.cache(Encoder.load)

ODD_TEXTS = (
    "",
    "…",
    "größeBerechnen naïve—test «straße» x\u0302y e\u0301te\u0301",
    "日本語 한국어 हिन्दी עברית ﬁle ½ ² Ⅷ ǅ İstanbul ΣΑΣ",
    "a\0b \ufeffc \u200bzero\u00a0width 🙂 x" + "y" * 300,
    "__init__ _x_ 0x1F 1e-5 camelCase2Words HTTPServer2 a.b->c::d",
)


TOKENS = ("[UNK]", "get", "item", "##s", "self", "the", "key", ".", "(", ")", "is")
VOCABULARY = {token: number for number, token in enumerate(TOKENS)}


def tiny_model(folder: Path, tokenizer: Tokenizer, **arrays: np.ndarray) -> Path:
    """A model2vec folder with the given tensors; random float32 embeddings unless given."""
    rng = np.random.default_rng(0)
    arrays.setdefault("embeddings", rng.normal(size=(tokenizer.get_vocab_size(), 8)).astype(np.float32))
    folder.mkdir(parents=True, exist_ok=True)
    save_file(arrays, folder / "model.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": True}), "utf-8")
    return folder


def word_tokenizer() -> Tokenizer:
    """Separable: words only."""
    tokenizer = Tokenizer(models.WordPiece(VOCABULARY, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Punctuation("removed"), pre_tokenizers.Whitespace()]
    )
    return tokenizer


def punctuation_tokenizer() -> Tokenizer:
    """Not separable: punctuation has vectors of its own."""
    tokenizer = Tokenizer(models.WordPiece(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def space_tokenizer() -> Tokenizer:
    """Not separable: what stands between spaces is one token."""
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "def": 1, "self._items[key]": 2, "the": 3}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


def byte_tokenizer() -> Tokenizer:
    """Not separable: every byte is a token, those of spaces and punctuation too; there is no unknown token."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer
