"""The identifier tokeniser. Its steps: text → words → parts → folded → stemmed tokens; `explain` shows each step.

A *word* is a run of letters, digits, underscores and combining marks. Its *parts* are the shorter words of which an
identifier consists, such as process, order and refund. An identifier becomes one token for the whole name and one token
for each part. Therefore ``processOrderRefund`` is found by its name, by ``process_order_refund`` and by "refund".

Repeated tokens are kept, because their number in a chunk is evidence.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from codeexplore.types import TokenStep

MAX_WORD = 200
"""Characters of a word that are analysed. Longer words are hashes and encoded data, not names."""

_WORDS = """
a an and are as be been being but by can could did do does for from had has have how i if in into is it its may me
might must my of on onto or our shall should so than that the their them then there these they this those to us was we
were what when where whether which while who whom whose why will with would you your
"""
STOP_WORDS = frozenset(_WORDS.split())
"""Words of a question that carry little meaning. They are removed only from questions; in code, ``for`` matters."""


def joined(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return runs of numbers, pairs of the first and the last one, in ascending order. Adjacent ones are joined."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(runs):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


# --------------------------------------------------------------------------- words

WORD_BYTES = bytes(int(code < 128 and (chr(code).isalnum() or code == 95)) for code in range(256))
"""Table for `bytes.translate`: 1 for the ASCII bytes that can be in a word, else 0."""

_TO_SPACES = bytes(code if WORD_BYTES[code] else 32 for code in range(256))


def words(text: str) -> list[str]:
    """Return the words of `text` in order, with repeats, in Unicode form NFC. Their case is not changed."""
    if text.isascii():
        return text.encode().translate(_TO_SPACES).decode().split()
    return _unicode_word().findall(unicodedata.normalize("NFC", text))


@cache
def _unicode_word() -> re.Pattern[str]:
    """Return a pattern for words of any script, compiled at the first non-ASCII text: it takes milliseconds."""
    return re.compile(rf"\w[\w{_marks()}]*")


@cache
def _unicode_letter() -> re.Pattern[str]:
    """Return a pattern for a character with its combining marks."""
    return re.compile(rf".[{_marks()}]*", re.DOTALL)


@cache
def _marks() -> str:
    r"""Return the combining marks, as ranges for the character class of a regular expression.

    Python's ``\w`` does not include them, but Hindi words contain them.
    """
    marks = (code for code in range(0x300, 0x1F000) if unicodedata.category(chr(code))[0] == "M")
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in joined((code, code) for code in marks))


# --------------------------------------------------------------------------- parts

# first the plural of an acronym (URLs), then capitals up to the one that starts a capitalised word
_ASCII_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# the same pattern over a string of the letters' classes, see `_character_class`
_CLASS_PART = re.compile(r"U+(?!l)|U?l+|d+|C+")


def parts(word: str) -> tuple[str, ...]:
    """Return the parts of the identifier `word` as written, in order.

    A part ends at an underscore, between a small letter and a capital (``orderRefund``), between a run of capitals and
    a capitalised word (``HTTPResponse``), and between letters and digits. Chinese, Japanese and Korean have no spaces
    between words, so a run of their characters is divided into its overlapping pairs.
    """
    word = word[:MAX_WORD]
    if word.isascii():
        return (word,) if word.isalpha() and word.islower() else tuple(_ASCII_PART.findall(word))
    # a letter keeps its combining marks; its class is that of the letter
    letters = _unicode_letter().findall(unicodedata.normalize("NFC", word))
    found: list[str] = []
    for match in _CLASS_PART.finditer("".join(_character_class(letter[0]) for letter in letters)):
        run = letters[match.start() : match.end()]
        if match[0][0] == "C" and len(run) > 2:
            found.extend("".join(pair) for pair in itertools.pairwise(run))
        else:
            found.append("".join(run))
    return tuple(found)


def _character_class(character: str) -> str:
    """Return the class of `character`: U capital, l other letter, d digit, C Chinese, Japanese or Korean, "_" other."""
    if character.isdigit() or (character.isnumeric() and not character.isalpha()):
        return "d"
    if not character.isalpha():
        return "_"
    if character.isupper() or character.istitle():
        return "U"
    code = ord(character)
    if 0x2E80 <= code <= 0x9FFF or 0xAC00 <= code <= 0xD7FF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF:
        return "C"
    return "l"


def _with_whole(word: str) -> tuple[str, ...]:
    """Return the identifier `word` without underscores, followed by its parts if it has several.

    Without underscores, all spellings of an identifier give the same first token.
    """
    found = parts(word)
    if len(found) < 2:
        return found
    return (word[:MAX_WORD].replace("_", ""), *found)


# --------------------------------------------------------------------------- fold and stem


def fold(token: str) -> str:
    """Return `token` in Unicode form NFC without case, by Unicode's full case folding: ``ß`` becomes ``ss``."""
    return token.lower() if token.isascii() else unicodedata.normalize("NFC", token.casefold())


_BRITISH = re.compile(
    r"our(?<=..[bdilmnpv]our)"  # colour, behaviour
    r"|is(?<=...[^cv]is)(?=(?:e[drs]?|ers?|ing|able|ations?)$)"  # initialise, but revise, revision
    r"|ys(?<=..alys)(?=(?:e[drs]?|ers?|ing|able)$)"  # analyse
    r"|gue(?<=..ogue)(?=s?$)"  # catalogue
    r"|re(?<=.tre)(?=s?$)"  # centre
)
_AMERICAN = {"our": "or", "is": "iz", "ys": "yz", "gue": "g", "re": "er"}

_IRREGULAR = {
    **{word: word for word in ("alias", "bias", "canvas", "during")},
    "analysis": "analyz",
    "artefact": "artifact",
    "children": "child",
    "defence": "defens",
    "does": "do",
    "grey": "gray",
    "ids": "id",
    "indices": "index",
    "licence": "licens",
    "matrices": "matrix",
    "processor": "process",
    "used": "use",
    "using": "use",
    "vertices": "vertex",
}

_VOWEL = re.compile("[aeiouy]").search

_ENDINGS: dict[str, tuple[tuple[str, str, int], ...]] = {
    # by last letter: ending, its replacement, letters required before it
    "d": (("ated", "", 4),),
    "e": (("ate", "", 4), ("able", "", 4), ("ible", "", 4)),
    "g": (("ating", "", 4),),
    "n": (("ation", "", 4), ("tion", "t", 3), ("sion", "s", 3)),
    "r": (("ator", "", 4), ("tor", "t", 3), ("ier", "y", 3), ("er", "", 4)),
}


def stem(token: str) -> str:
    """Return a folded token without its English endings, so that the forms of a word have the same stem.

    This is a light stemmer of our own, similar to Porter's (1980), for the words in names and their descriptions. It
    removes plurals, -ed and -ing, and the endings of common nouns in programs (parser, validator, validation). British
    spellings have the stem of the American ones (colour, color). The result need not be a word. Tokens with fewer than
    four letters, and tokens with characters other than ASCII letters, are not changed.
    """
    if token in _IRREGULAR:
        return _IRREGULAR[token]
    if len(token) < 4 or not token.isascii() or not token.isalpha():
        return token
    token = _BRITISH.sub(lambda found: _AMERICAN[found[0]], token)
    base = token
    if token[-1] == "s":
        base = _without_plural(token)
        if base in _IRREGULAR:
            return _IRREGULAR[base]
    cut = _without_ending(base)
    if cut == base and base[-1] in "dg":
        inflected = _without_inflection(base)
        cut = inflected if inflected == base else _without_ending(inflected)
    return _tidy(cut)


def _without_plural(token: str) -> str:
    if token.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return token[:-2]
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    return token if token[-2] in "sui" else token[:-1]


def _without_inflection(token: str) -> str:
    """Return `token` without -ed or -ing: mapped → map, typing → type, copied → copy, seeing → see."""
    length = 2 if token.endswith("ed") else 3 if token.endswith("ing") else 0
    if not length:
        return token
    base = token[:-length]
    if token.endswith("ied") and len(token) > 4:
        return token[:-3] + "y"
    if len(base) < 3 or not _VOWEL(base) or (base[-1] == "e" and length == 2):  # speed is no form of a word
        return token
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    if len(base) == 3 and base[-1] not in "aeiouwxy" and base[-2] in "aeiouy" and base[0] not in "aeiou":
        return base + "e"  # in a short word without a doubled consonant, the ending replaced an e: coding, named
    return base


def _without_ending(token: str) -> str:
    for ending, instead, before in _ENDINGS.get(token[-1], ()):
        if token.endswith(ending):
            base = token[: -len(ending)]
            if len(base) >= before and not (ending.startswith("at") and base[-1] in "aeiou"):
                return base + instead
    return token


def _tidy(token: str) -> str:
    """Return `token` without the last letters that differ between the stems of one word.

    After an ending is removed, forms of one word may differ: handle and handl, install and instal, get and gett.
    """
    last = token[-1]
    if last == "e" and len(token) > 4 and token[-2] != "e":
        token = token[:-1]
        last = token[-1]
    if last == token[-2] and len(token) > 3 and (last not in "aeioulsz" or (last == "l" and len(token) > 5)):
        return token[:-1]
    return token


# --------------------------------------------------------------------------- all steps


def analyze(word: str) -> tuple[str, ...]:
    """Return the tokens of a word, folded and stemmed: the whole and its parts; none for underscores."""
    found = _with_whole(word)
    if len(found) < 2:
        return tuple([token_of(part) for part in found])
    # a whole word hardly occurs again, so it would only take the place of a part in the cache
    return (stem(fold(found[0])), *[token_of(part) for part in found[1:]])


@lru_cache(maxsize=1 << 17)  # the 120,000 distinct words of the standard library have 48,000 distinct parts
def token_of(part: str) -> str:
    """Return the token of `part`, one of the parts of a word: folded and stemmed."""
    return stem(fold(part))


def tokenize(text: str) -> list[str]:
    """Return the tokens of `text` in order, with repeats."""
    return [token for word in words(text) for token in analyze(word)]


def question_words(text: str) -> list[str]:
    """Return the words of a question without stop words. If all words are stop words, return all."""
    found = words(text)
    telling = [word for word in found if word.lower() not in STOP_WORDS or (word.isupper() and len(word) > 1)]
    return telling or found


def tokenize_question(text: str) -> list[str]:
    """Return the tokens of a question without stop words."""
    return [token for word in question_words(text) for token in analyze(word)]


def explain(text: str, *, question: bool = False) -> tuple[TokenStep, ...]:
    """Return the steps by which a text becomes tokens. The tokens of the last step equal the result of `tokenize`.

    With `question`, stop words are removed after the first step, and the tokens of the last step equal the result of
    `tokenize_question`.
    """
    found = words(text)
    steps = [TokenStep("words", tuple(found))]
    if question:
        found = question_words(text)
        steps.append(TokenStep("stop words left out", tuple(found)))
    split = [part for word in found for part in _with_whole(word)]
    folded = [fold(part) for part in split]
    return (
        *steps,
        TokenStep("whole and parts", tuple(split)),
        TokenStep("case folded", tuple(folded)),
        TokenStep("stemmed", tuple(stem(token) for token in folded)),
    )
