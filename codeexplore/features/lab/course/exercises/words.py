"""Exercises of notebooks 1 and 2: the inverted index, BM25 by hand, and tokens of identifiers."""

from __future__ import annotations

import math
import re

from codeexplore.features.lab.course.exercises.exercise import OTHER, Count, Exercise, Mistakes, Names, NameSet, Number
from codeexplore.features.lab.course.material import IDENTIFIER, Material
from codeexplore.text.tokens import fold, parts, tokenize, tokenize_question, words
from codeexplore.types.settings import BM25_B, BM25_K1


def _holding(m: Material) -> list[str]:
    return [name for name, tokens in m.shelf.items() if m.term in tokens]


def _idf(m: Material) -> float:
    n, df = len(m.documents), m.term_score.df
    return math.log(1 + (n - df + 0.5) / (df + 0.5))


def _idf_mistakes(m: Material) -> Mistakes:
    n, df, tf = len(m.documents), m.term_score.df, m.term_score.tf
    odds, on_shelf = (n - df + 0.5) / (df + 0.5), len(_holding(m))
    yield math.log10(1 + odds), "That is a logarithm to base 10. The formula has the natural one, math.log(x)."
    yield math.log2(1 + odds), "That is a logarithm to base 2. The formula has the natural one, math.log(x)."
    yield math.log(odds), "The 1 + inside the logarithm is missing: without it a frequent one counts negative."
    yield math.log(n / df), "That is the idf of tf-idf, ln(N/df). BM25's form has 0.5 above and below, and 1 +."
    yield 1 + odds, "The fraction is right; now take the logarithm of it."
    yield math.log(1 + n / df), "Above the line stands the number of documents without the token, plus 0.5."
    hint = "df counts documents. You used tf, which counts occurrences in one document."
    yield math.log(1 + (n - tf + 0.5) / (tf + 0.5)), hint
    hint = "You counted the six small documents. N and df are over all, lab.documents."
    yield math.log(1 + (len(m.shelf) - on_shelf + 0.5) / (on_shelf + 0.5)), hint
    yield OTHER, "Compute the fraction first, then 1 + it, then math.log."


def _lengths(m: Material) -> tuple[float, float]:
    """Return the length of the document and the average length, in tokens."""
    totals = [tokens.total() for tokens in m.documents.values()]
    return m.documents[m.document].total(), sum(totals) / len(totals)


def _k(m: Material, b: float = BM25_B, k1: float = BM25_K1) -> float:
    length, average = _lengths(m)
    return k1 * (1 - b + b * length / average)


def _k_mistakes(m: Material) -> Mistakes:
    length, average = _lengths(m)
    distinct = len(m.documents[m.document])
    characters = [len(text) for text in m.texts.values()]
    by_characters = len(m.texts[m.document]) / (sum(characters) / len(characters))
    yield _k(m, 1 - BM25_B), "b and 1 − b are swapped: b belongs to the part with the length."
    yield BM25_K1, "That is k1 alone: the length of the document is not used yet."
    yield _k(m, 1.0), "That is K for b = 1: the part 1 − b is missing."
    yield BM25_K1 * (1 - BM25_B + BM25_B * average / length), "The lengths are swapped: a long document has a large K."
    yield _k(m) / BM25_K1, "The bracket is right; it is multiplied by k1."
    hint = "Length counts every occurrence of a token, not each distinct token once."
    yield BM25_K1 * (1 - BM25_B + BM25_B * distinct / average), hint
    yield BM25_K1 * (1 - BM25_B + BM25_B * by_characters), "Length is counted in tokens, not in characters."
    yield _k(m, k1=1.2), "You used k1 = 1.2, which is usual elsewhere. Here k1 is 2.5."
    hint = "Length is the total of one Counter; average length is the mean of the totals of all. Print both first."
    yield OTHER, hint


def _share(m: Material) -> float:
    return m.term_score.times * _idf(m) * m.term_score.tf / (m.term_score.tf + _k(m))


def _share_mistakes(m: Material) -> Mistakes:
    tf, k, idf = m.term_score.tf, _k(m), _idf(m)
    yield tf / (tf + k), "That is the part with tf alone: it is multiplied by the idf."
    hint = "That is the form with k1 + 1 above the line. It ranks the same; here the factor is left out."
    yield idf * tf * (BM25_K1 + 1) / (tf + k), hint
    yield idf * tf / (tf + BM25_K1), "Below the line stands K with the length in it, not k1."
    yield idf * tf, "That is tf-idf: nothing limits how much the tenth occurrence adds."
    yield idf / (1 + k), "The token occurs more than once in this document: use its tf above and below."
    yield sum(term.score for term in m.terms), "That is the sum over all tokens. Here only one is asked."
    yield OTHER, "It needs three numbers: idf from 1.3, tf from the table, K from 1.4."


def _sum_mistakes(m: Material) -> Mistakes:
    scores = [term.score for term in m.terms]
    held = [score for score in scores if score]
    yield _share(m), "That is the share of one token: add those of the others."
    yield sum(scores) / len(scores), "That is the mean. BM25 adds the shares."
    yield sum(held) / len(held), "That is the mean. BM25 adds the shares."
    yield math.prod(held), "That is the product. BM25 adds the shares."
    yield sum(term.idf for term in m.terms), "Those are the idfs: each is multiplied by its part with tf."
    hint = "Those are the idfs of the tokens it contains: each is multiplied by its part with tf."
    yield sum(term.idf for term in m.terms if term.tf), hint
    yield max(scores), "That is the largest share alone: add those of the others."
    yield OTHER, "Repeat 1.5 for every token of the table with its own tf and idf. K stays the same."


def _df_mistakes(m: Material) -> Mistakes:
    held = [tokens[m.term] for tokens in m.documents.values() if m.term in tokens]
    raw = sum(1 for text in m.texts.values() if m.word.casefold() in text.casefold())
    yield sum(held), "That counts occurrences (the sum of tf). df counts each document once."
    yield len(m.documents), "Those are all documents. How many of them contain the token?"
    yield len(m.documents) - len(held), "Those are the documents without the token."
    yield raw, "That searches the text for the word as it is written. Count the token."
    yield len(_holding(m)), "Those are the documents on the shelf. Count over lab.documents."
    yield m.term_score.tf, "That is tf, the occurrences in one document. df counts documents."
    yield OTHER, "df is the number of documents in lab.documents that contain the token."


def _index_mistakes(m: Material) -> Mistakes:
    inside = [name for name, tokens in m.shelf.items() if any(m.term in token for token in tokens)]
    yield list(m.shelf), "Those are all documents on the shelf. Which of them contain the token?"
    yield [name for name in m.shelf if name not in _holding(m)], "Those are the documents without the token."
    hint = "You looked at the names. The postings come from the tokens in the documents."
    yield [name for name in m.shelf if m.term in name.casefold()], hint
    yield inside, "You counted tokens that only contain its letters: compare whole tokens."
    hint = "Those are tokens of one document. A posting list is the other way round: documents of one token."
    yield sorted(set(m.shelf[_holding(m)[0]])), hint
    yield OTHER, "Go through lab.shelf and keep the names of documents whose list of tokens contains lab.term."


WORDS = (
    Exercise("1.1", "posting list of a token", NameSet(), _holding, _index_mistakes),
    Exercise("1.2", "document frequency", Count(), lambda m: m.term_score.df, _df_mistakes),
    Exercise("1.3", "idf", Number(), _idf, _idf_mistakes),
    Exercise("1.4", "K with the length of the document", Number(), _k, _k_mistakes),
    Exercise("1.5", "share of one token", Number(), _share, _share_mistakes),
    Exercise("1.6", "score of the document", Number(), lambda m: sum(t.score for t in m.terms), _sum_mistakes),
)


# --------------------------------------------------------------------------- notebook 2


def _parts(_: Material) -> list[str]:
    return [part.casefold() for part in parts(IDENTIFIER)]


def _part_mistakes(m: Material) -> Mistakes:
    found = _parts(m)
    at_capitals = [part.casefold() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]|\d+", IDENTIFIER)]
    yield IDENTIFIER.casefold().split("_"), "You split at the underscore alone: capitals begin a part too."
    yield at_capitals, "An acronym is one part: split before its last capital only, where a new word begins."
    yield list(parts(IDENTIFIER)), "The parts are right. Write them in small letters."
    yield [part for part in found if not part.isdigit()], "A run of digits is a part too."
    yield [IDENTIFIER.casefold().replace("_", ""), *found], "That includes the whole name. List its parts."
    hint = "Letters and digits are different parts."
    yield [part.casefold() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+[a-z]*", IDENTIFIER)], hint
    hint = (
        "A part ends at an underscore, before a capital after a small letter, before the last capital of an acronym, "
        "and between letters and digits."
    )
    yield OTHER, hint


def _sharing(m: Material) -> list[str]:
    asked = set(tokenize_question(m.question))
    return [name for name in m.names if asked & set(tokenize(name))]


def _sharing_mistakes(m: Material) -> Mistakes:
    asked = {fold(word) for word in words(m.question)}
    plain_asked = {fold(token) for token in tokenize_question(m.question)}
    hint = "You searched for letters inside of names. Tokens are compared whole."
    yield [n for n in m.names if any(token in n.casefold() for token in plain_asked)], hint
    hint = "You compared words as they are written. Stemming makes forms of a word one token."
    yield [n for n in m.names if asked & {part.casefold() for part in parts(n)}], hint
    yield [n for n in m.names if n.casefold() in asked], "You compared whole names: names are split first."
    yield list(m.names), "Those are all names."
    yield [n for n in m.names if n not in _sharing(m)], "Those are the names that share nothing."
    yield OTHER, "Compare set(tokenize(name)) with the tokens of the question, and keep names with a common one."


def _question_mistakes(m: Material) -> Mistakes:
    kept = [fold(word) for word in words(m.question)]
    asked = tokenize_question(m.question)
    unstemmed = [word for word in kept if set(tokenize(word)) & set(asked)]
    hint = "The joined token of notebook 1 does not belong here: each word is cut alone."
    yield [term.term for term in m.terms], hint
    yield tokenize(m.question), "The little words are still in it: of a question, they are left out."
    yield kept, "Those are the words as written, with the little words."
    yield unstemmed, "The little words are out. Now cut the endings: use tokenize on each word."
    yield [token for token in tokenize(m.question) if token not in asked], "Those are the words left out."
    yield list(dict.fromkeys(token[:4] for token in asked)), "A stem is not the first letters: a rule cuts endings."
    yield sorted(asked, reverse=True), "Keep the order of the question."
    yield OTHER, "Leave out the words in STOP_WORDS, then tokenize the others, in order."


def _only_split(m: Material) -> int:
    return len(_by_token(m) - _by_word(m))


def _by_token(m: Material) -> set[str]:
    return {name for name, tokens in m.documents.items() if m.term in tokens}


def _by_word(m: Material) -> set[str]:
    return {name for name, text in m.texts.items() if fold(m.word) in {fold(word) for word in words(text)}}


def _only_split_mistakes(m: Material) -> Mistakes:
    tokens, plainly = _by_token(m), _by_word(m)
    letters = {name for name, text in m.texts.items() if m.word.casefold() in text.casefold()}
    yield len(tokens), "Those are all documents with the token. How many of them does the plain word miss?"
    yield len(plainly), "Those are the documents that the plain word finds too."
    yield len(tokens - letters), "You searched for letters in the text, which also finds parts of words. Compare words."
    yield len(plainly - tokens), "That is the other difference: found by the word, not by the token."
    yield len(tokens | plainly) + len(plainly), "That counts documents twice: take the difference of two sets."
    hint = "Those are all documents that the word does not find. Only those with the token count."
    yield len(m.documents) - len(plainly), hint
    yield OTHER, "Make two sets of names, one by the token and one by the plain word, and subtract."


IDENTIFIERS = (
    Exercise("2.1", "parts of an identifier", Names("a list of parts"), _parts, _part_mistakes),
    Exercise("2.2", "names that share a token with the question", NameSet(), _sharing, _sharing_mistakes),
    Exercise(
        "2.3",
        "tokens of a question",
        Names("a list of tokens"),
        lambda m: tokenize_question(m.question),
        _question_mistakes,
    ),
    Exercise("2.4", "documents that only splitting and stemming find", Count(), _only_split, _only_split_mistakes),
)
