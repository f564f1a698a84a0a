import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codeexplore.text.tokens import (
    MAX_WORD,
    analyze,
    explain,
    fold,
    parts,
    question_words,
    stem,
    tokenize,
    tokenize_question,
    words,
)

IDENTIFIERS = {
    "processOrderRefund": ("process", "Order", "Refund"),
    "ProcessOrderRefund": ("Process", "Order", "Refund"),
    "process_order_refund": ("process", "order", "refund"),
    "MAX_RETRY_COUNT": ("MAX", "RETRY", "COUNT"),
    "getHTTPResponse2": ("get", "HTTP", "Response", "2"),
    "XMLHttpRequest": ("XML", "Http", "Request"),
    "HTTPSConnection": ("HTTPS", "Connection"),
    "parseURL": ("parse", "URL"),
    "userIDs": ("user", "IDs"),
    "URLs": ("URLs",),
    "iOS": ("i", "OS"),
    "snake_case_HTTPError": ("snake", "case", "HTTP", "Error"),
    "__init__": ("init",),
    "_private": ("private",),
    "utf8": ("utf", "8"),
    "0x1F": ("0", "x", "1", "F"),
    "x": ("x",),
    "42": ("42",),
    "_": (),
    "___": (),
    "": (),
}


@pytest.mark.parametrize(("word", "expected"), IDENTIFIERS.items())
def test_identifier_parts(word: str, expected: tuple[str, ...]) -> None:
    assert parts(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("größeBerechnen", ("größe", "Berechnen")),
        ("GRÖSSE_MAX", ("GRÖSSE", "MAX")),
        ("naïveBayes", ("naïve", "Bayes")),
        ("ÉcoleÉlève", ("École", "Élève")),
        ("получитьHTTPОтвет", ("получить", "HTTP", "Ответ")),
        ("計算Result", ("計算", "Result")),
        ("日本語", ("日本", "本語")),
        ("한국어", ("한국", "국어")),
        ("हिन्दी", ("हिन्दी",)),  # vowel signs are combining marks
        ("x̂Value", ("x̂", "Value")),  # no composed form
        ("Ｆｕｌｌ幅", ("Ｆｕｌｌ", "幅")),
        ("²", ("²",)),
        ("aǅb", ("a", "ǅb")),  # titlecase begins a part
        ("ﬀﬀﬀ", ("ﬀﬀﬀ",)),  # behind the last block of ideographs
        ("ꀀꀀꀀ", ("ꀀꀀꀀ",)),  # Yi begins where they end
    ],
)
def test_parts_beyond_ascii(word: str, expected: tuple[str, ...]) -> None:
    assert parts(word) == expected


@pytest.mark.parametrize("letter", ["\u3042", "\u9fff", "\uac00", "\ufa0e", "\U00020000"])
def test_scripts_without_spaces_are_cut_into_pairs_to_the_ends_of_their_blocks(letter: str) -> None:
    assert parts(letter * 4) == (letter * 2,) * 3


def test_composed_and_decomposed_forms_are_one() -> None:
    for text in ("größeBerechnen", "École naïveté", "Ångström", "한국어"):
        decomposed = unicodedata.normalize("NFD", text)
        assert decomposed != text
        assert words(decomposed) == words(text)
        assert parts(decomposed) == parts(text)
        assert tokenize(decomposed) == tokenize(text)


def test_words_are_runs_of_word_characters() -> None:
    assert words("self.pool[x_1] += 'größe' # naïve—test\n\t") == ["self", "pool", "x_1", "größe", "naïve", "test"]
    assert words("a.b(c)") == ["a", "b", "c"]
    assert words(" \n…—“”") == []
    assert words("हिन्दी और 日本語") == ["हिन्दी", "और", "日本語"]
    assert words("\u0301 \ud800") == []  # a mark with nothing under it, half a surrogate pair


def test_a_word_gives_itself_whole_and_its_parts() -> None:
    assert analyze("processOrderRefund") == ("processorderrefund", "process", "order", "refund")
    assert analyze("getHTTPResponse2") == ("gethttpresponse2", "get", "http", "respons", "2")
    assert analyze("日本語") == ("日本語", "日本", "本語")
    assert analyze("größeBerechnen")[:2] == ("grösseberechnen", "grösse")


def test_one_part_gives_one_token() -> None:
    for word in ("refund", "Refund", "REFUND", "_refund", "__refund__", "refunds"):
        assert analyze(word) == ("refund",)
    assert analyze("__") == ()


def test_spellings_of_a_name_share_all_tokens() -> None:
    spellings = ["maxRetryCount", "MaxRetryCount", "max_retry_count", "MAX_RETRY_COUNT", "_max_retry_count"]
    assert {analyze(word) for word in spellings} == {("maxretrycount", "max", "retry", "count")}


def test_a_name_typed_in_lower_case_meets_the_identifier() -> None:
    assert analyze("httpconnections")[0] in analyze("HTTPConnection")
    assert analyze("filenames")[0] in analyze("fileName")


def test_repeats_are_kept() -> None:
    assert tokenize("retry the retry, retries") == ["retry", "the", "retry", "retry"]


def test_long_words_are_cut() -> None:
    blob = "aB3" * 100_000
    assert len(analyze(blob)) <= MAX_WORD + 1
    assert sum(map(len, analyze(blob))) <= 2 * MAX_WORD


FAMILIES = """
parse parser parsers parsing parsed parses
handle handler handlers handles handled handling
valid validate validates validated validating validation validator validators
expire expires expired expiring expiration
create creates created creating creation creator
iterate iterates iterated iterating iteration iterator iterators iterable
connect connects connected connecting connection connections connector
cache caches cached caching
size sizes sized sizing
type types typed typing
see sees seeing
map maps mapped mapping mapper
set sets setting setter
query queries queried querying
index indexes indices indexed indexing
process processes processed processing processor
class classes
status statuses
alias aliases
install installs installed installing installer
cancel cancels canceled cancelled cancelling
format formats formatted formatting formatter
repeat repeats repeated repeating
call calls called calling caller callable
write writes writing writer
configure configures configured configuration
register registers registered registering
log logs logged logging logger
add adds added adding
use uses used using
execute executes executed execution executor
identify identifies identified identifier
update updates updated updating updater
match matches matched matching matcher
name names named naming
delete deletes deleted deleting deletion
program programs programme programmes
enrol enroll enrolls
try tries tried trying
die dies
confer confers conferred conferring
say says saying
aim aims aimed aiming
record records recorded recording
box boxes boxed boxing
ash ashes
colour colours coloured color colored
behaviour behavior
initialise initialised initialiser initialisation initialize initializing initialization
analyse analysed analyser analysis analyze analyzer
revise revised revision
catalogue catalogs
centre centres center
licence licensed license
artefact artifacts
"""


@pytest.mark.parametrize("family", FAMILIES.strip().splitlines())
def test_forms_of_one_word_share_a_stem(family: str) -> None:
    assert len({stem(form) for form in family.split()}) == 1


@pytest.mark.parametrize(
    "apart", ["author auth authentic", "note not", "user use", "state status", "form format", "file fill", "string str",
              "order or", "base basis", "name num", "test text", "number num", "thing the",
              "hour hor", "rogue rog", "source sorce"],
)  # fmt: skip
def test_different_words_keep_different_stems(apart: str) -> None:
    forms = apart.split()
    assert len({stem(form) for form in forms}) == len(forms)


def test_short_and_foreign_tokens_are_not_stemmed() -> None:
    for token in ("is", "has", "bus", "größen", "http2s", "données"):
        assert stem(token) == token


@pytest.mark.parametrize("word", ["died", "speed", "exceed", "three", "employee", "shell", "thread"])
def test_what_only_looks_like_an_ending_stays(word: str) -> None:
    assert stem(word) == word


def test_explain_shows_every_step() -> None:
    steps = explain("Which getHTTPResponses?")
    assert [step.name for step in steps] == ["words", "whole and parts", "case folded", "stemmed"]
    assert steps[0].tokens == ("Which", "getHTTPResponses")
    assert steps[1].tokens == ("Which", "getHTTPResponses", "get", "HTTP", "Responses")
    assert steps[2].tokens == ("which", "gethttpresponses", "get", "http", "responses")
    assert steps[3].tokens == ("which", "gethttprespons", "get", "http", "respons")


def test_questions_lose_their_stop_words() -> None:
    question = "How are the expired sessions handled in IT?"
    assert question_words(question) == ["expired", "sessions", "handled", "IT"]
    assert tokenize_question(question) == ["expir", "sess", "handl", "it"]
    steps = explain(question, question=True)
    assert steps[1].name == "stop words left out"
    assert steps[1].tokens == ("expired", "sessions", "handled", "IT")
    assert question_words("plan A") == ["plan"]
    assert tokenize("for x in y")[0] == "for"


def test_a_question_of_stop_words_keeps_them() -> None:
    assert question_words("what is this?") == ["what", "is", "this"]
    assert question_words("?") == []


@given(st.text())
@example("ǅÜ_ŉ½①ﬁ")
@example("a\u0301B\u0302c")
def test_the_last_step_is_the_answer(text: str) -> None:
    assert list(explain(text)[-1].tokens) == tokenize(text)
    assert list(explain(text, question=True)[-1].tokens) == tokenize_question(text)


@given(st.text())
def test_words_hold_every_letter_and_nothing_between(text: str) -> None:
    found = words(text)
    composed = unicodedata.normalize("NFC", text)
    assert sum(character.isalnum() or character == "_" for word in found for character in word) == sum(
        character.isalnum() or character == "_" for character in composed
    )
    position = 0
    for word in found:  # each is there, in order, and maximal
        position = composed.index(word, position) + len(word)
    assert [again for word in found for again in words(word)] == found
    assert words(" ".join(found)) == found


@given(st.text(max_size=60).filter(lambda text: len(words(text)) == 1))
def test_parts_keep_the_words_letters(text: str) -> None:
    (word,) = words(text)
    found = parts(word)
    letters = {character for character in word if character.isalnum()}
    assert {character for part in found for character in part if character.isalnum()} == letters
    assert all(part in word for part in found)
    if len(found) > 1:
        assert analyze(word)[0] == stem(fold(word.replace("_", "")))
    assert len(analyze(word)) == len(found) + (len(found) > 1)


@given(st.lists(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2), min_size=2, max_size=5))
def test_any_spelling_of_the_same_parts_gives_the_same_tokens(names: list[str]) -> None:
    camel = names[0] + "".join(name.capitalize() for name in names[1:])
    assert analyze("_".join(names)) == analyze("_".join(names).upper()) == analyze(camel)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=20))
def test_a_stem_is_never_empty_nor_longer_than_its_word(token: str) -> None:
    assert bool(stem(token)) == bool(token)
    assert len(stem(token)) <= len(token)


@given(st.text())
def test_folding_forgets_case(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    if text.isascii():
        assert fold(text.upper()) == fold(text.lower()) == fold(text)
