"""The bundled model's tokenizer: camelCase and snake_case apart, lower case, no punctuation, WordPiece.

A word's tokens never depend on its neighbours, so that a text's embedding is a sum over its words: that is what lets
the package embed each distinct word once, and explain a cosine word by word.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

PAD, UNKNOWN = "[PAD]", "[UNK]"
CONTINUING = "##"
CAMEL_CASE = r"(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})"  # order|Refund, HTTP|Response
WORD = r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*"


def make_tokenizer(tokens: Sequence[str]) -> Tokenizer:
    """A tokenizer whose token ids are positions in `tokens`, which start with PAD and UNKNOWN."""
    tokenizer = Tokenizer(
        models.WordPiece(
            {token: number for number, token in enumerate(tokens)},
            unk_token=UNKNOWN,
            max_input_chars_per_word=60,
            continuing_subword_prefix=CONTINUING,
        )
    )
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFD(),
            normalizers.StripAccents(),
            normalizers.Replace(Regex(CAMEL_CASE), " "),  # before Lowercase, which erases what it looks for
            normalizers.Lowercase(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), "removed", invert=True)
    return tokenizer


def split(tokenizer: Tokenizer, text: str) -> list[str]:
    """The lower-case words that the tokenizer looks up, before WordPiece."""
    return [word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text))]
