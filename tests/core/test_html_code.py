"""Marked words: by the tokeniser's rules, and never a letter more or less than the text."""

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.answers.html.code import pieces, sought_tokens
from codeexplore.search.query.planner import plan
from codeexplore.text.tokens import tokenize


def marked(text, question):
    return [piece for piece, hit in pieces(text, sought_tokens(plan(question))) if hit]


def test_forms_of_a_word_and_parts_of_names_are_marked():
    text = "def purge_expired(self): # sessions expire, SessionManager ends them"
    assert marked(text, "how are expired sessions handled?") == ["expired", "sessions", "expire", "Session"]


def test_a_whole_name_is_marked_whole():
    assert marked("x = SessionManager()", "SessionManager") == ["SessionManager"]


def test_the_words_of_a_relation_are_not_what_is_sought():
    assert marked("calls = validate_session(call)", "what calls validate_session?") == ["validate_session"]


def test_nothing_sought_marks_nothing():
    assert list(pieces("some text", ())) == [("some text", False)]


@given(st.text(), st.text())
def test_pieces_are_the_text(text, question):
    assert "".join(piece for piece, _ in pieces(text, frozenset(tokenize(question)))) == text
