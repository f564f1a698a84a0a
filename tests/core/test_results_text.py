"""Views as text: aligned, coloured only where asked, and nothing hidden in it."""

import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.answers.score_terms import sum_line, sum_parts, terms
from codeexplore.answers.show import blocks_of, shown_text
from codeexplore.answers.terminal import Paint, terminal_has_colour, written
from codeexplore.answers.wording import cell_width, cut, one_line, places, shorten
from codeexplore.index.qualified_names import name_parts, shown_name
from codeexplore.text.enumeration import shortened
from codeexplore.types import Adjustment, Contribution, FusedHit, Site
from codeexplore.types.displayed import explain
from codeexplore.types.visible import visible
from tests.answers import HOSTILE, graph_answer, paths_answer, search_answer, workspace_summary
from tests.doubles import make_catalog, make_symbol

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def text_of(result, **options):
    return written(blocks_of(result), **options)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@given(st.text())
def test_visible_leaves_no_control_or_direction_mark(text):
    shown = visible(text)
    assert not [char for char in shown if unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in "\n\t"]


@given(st.text(alphabet=st.characters(categories=("L", "N", "P", "S", "Zs"))))
def test_visible_changes_nothing_that_can_be_seen(text):
    letters_that_show_as_nothing = "\u115f\u1160\u2800\u3164\uffa0"
    text = text.translate(dict.fromkeys(map(ord, letters_that_show_as_nothing)))
    assert visible(text) == text


@pytest.mark.parametrize(
    ("most", "said"), [(1, "a and 2 more"), (2, "a, b and 1 more"), (3, "a, b, c"), (4, "a, b, c")]
)
def test_a_list_of_names_says_how_many_more_there_are(most, said):
    assert shortened(["a", "b", "c"], most) == said


def test_visible_spells_out():
    assert visible("a\u202eb\r\nc\x1b[0m") == "a⟨U+202E⟩b\nc⟨U+001B⟩[0m"
    assert one_line(" a\n\tb ") == "a b"


@given(st.text(), st.integers(min_value=3, max_value=50))
def test_shortening_keeps_to_its_limit(text, limit):
    assert len(shorten(text, limit)) <= limit
    assert len(cut(text, limit)) <= limit
    if len(text) <= limit:
        assert shorten(text, limit) == cut(text, limit) == text


def test_cell_width_counts_columns():
    assert [cell_width(text) for text in ("abc", "日本", "e\u0301", "")] == [3, 4, 1, 0]


@pytest.mark.parametrize("make", [search_answer, graph_answer, paths_answer])
def test_no_escape_sequence_comes_from_a_repository(make):
    plain = text_of(make((HOSTILE[7], *HOSTILE[:3])))
    assert "\x1b" not in plain
    assert "⟨U+202E⟩" in plain
    coloured = text_of(make((HOSTILE[7], *HOSTILE[:3])), colour=True)
    assert "\x1b" not in ESCAPE.sub("", coloured)


def test_colour_is_all_that_colour_adds():
    answer = search_answer()
    assert ESCAPE.sub("", text_of(answer, colour=True)) == text_of(answer)
    assert ESCAPE.sub("", text_of(workspace_summary(), colour=True)) == text_of(workspace_summary())


def test_hits_stand_in_columns():
    lines = text_of(search_answer(("app.a", "app.much_longer_name", "app.b"))).splitlines()
    rows = [line for line in lines if "app/" in line and ".py:" in line and "function" in line]
    assert len({line.index("app/") for line in rows}) == 1
    assert len(rows) == 3


@pytest.mark.usefixtures("explaining")
def test_the_sum_is_written_out():
    answer = search_answer()
    line = sum_line(answer.hits[0].fused, answer.result)
    assert line == "1/(60+2) bm25 + 2/(60+1) embedding + 0.0010 definition − 0.0020 tests = 0.0479"
    assert line in text_of(answer)
    explain(False)
    assert line not in text_of(answer)
    assert "1st by meaning, 2nd by words" in text_of(answer)


def test_the_terms_are_the_score():
    answer = search_answer()
    for hit in answer:
        assert sum(term.value for term in terms(hit.fused, answer.result)) == pytest.approx(hit.score, rel=1e-12)


def test_a_first_term_below_zero_has_its_sign():
    hit = FusedHit("c", 1, -0.5, (), (Adjustment("tests", -0.5, "a test"),))
    assert sum_line(hit, search_answer().result) == "−0.5000 tests = −0.5000"


def test_other_fusions_show_their_own_numbers():
    answer = search_answer()
    hit = FusedHit("c", 1, 0.25, (Contribution("bm25", 3, 9.0, 1.0, 0.25),))
    result = type(answer.result)(answer.plan, "zscore", 60, (), (hit,))
    assert sum_line(hit, result) == "0.2500 bm25 = 0.2500"


def test_a_lane_that_failed_is_named_once():
    assert text_of(search_answer()).count("timed out") == 1


def test_what_is_only_possible_stands_apart():
    text = text_of(graph_answer())
    assert text.index("possible, by name only: 1 edge") > text.index("app.far")
    assert "1 more call of `seed` may mean it too" in text
    assert "3 more symbols not listed" in text


def test_places_name_each_file_and_line_once_in_order():
    sites = [Site("a.py", 3), Site("a.py", 1), Site("b.py", 2), Site("a.py", 1)]
    assert places(sites) == "a.py:1, 3; b.py:2"
    assert places(sites, near="a.py") == "line 1, 3; b.py:2"
    assert places([Site("a.py", line) for line in range(1, 9)]) == "a.py:1, 2, 3, 4 and 4 more"


def test_summary_counts_and_warns():
    text = text_of(workspace_summary())
    assert "4 files · 1,204 symbols · 1,210 chunks · 2 edges" in text
    assert "enum" not in text
    assert "7 more possible" in text
    assert "! grammar missing: shop" in text


def test_colour_follows_the_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert terminal_has_colour(Terminal())
    assert not terminal_has_colour(io.StringIO())
    assert "\x1b[" in shown_text(search_answer(), Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal_has_colour(Terminal())
    assert "\x1b[" not in shown_text(search_answer(), Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal_has_colour(Terminal())


def test_paint_without_colour_changes_nothing():
    assert Paint()("text", "bold") == "text"


def test_many_signals_are_added_up_in_one_line():
    signals = tuple(Adjustment(f"signal {n}", 0.001 * n, "") for n in range(1, 6))
    share = Contribution("bm25", 1, 9.0, 1.0, 1 / 61)
    hit = FusedHit("c", 1, share.value + sum(signal.value for signal in signals), (share,), signals)
    few = sum_parts(hit, search_answer().result, most=3)
    assert "".join(text for text, _ in few) == "1/(60+1) bm25 + 0.0150 from 5 signals = 0.0314"


def test_a_symbol_shows_its_documentation():
    symbol = graph_answer().seeds[0]
    assert shown_text(symbol, io.StringIO()) == "app.seed  function  app/0.py:1\n  def app.seed()\n  app.seed"


def test_functions_without_a_name_show_the_function_around_and_the_line() -> None:
    fqns = [f"t.spec.{'.'.join(f'<lambda:{line}:2>' for line in range(1, depth + 1))}" for depth in (1, 2, 3)]
    assert [shown_name(fqn) for fqn in fqns] == [f"a lambda in t.spec, line {line}" for line in (1, 2, 3)]
    assert [name_parts(fqn)[-1] for fqn in fqns] == ["<lambda:1:2>", "<lambda:2:2>", "<lambda:3:2>"]
    symbols = [make_symbol(fqn, kind="lambda") for fqn in fqns]
    catalog = make_catalog([make_symbol("t.spec"), *symbols], [])
    assert [catalog.find(shown_name(fqn)) for fqn in fqns] == [(symbol,) for symbol in symbols]
    assert catalog.find("t.spec.<lambda:2:2>") == (symbols[1],)
    assert shown_name("a.<lambda:1:2>.inner") == "a.<lambda:1:2>.inner"
    assert name_parts("app.py:3") == ("app", "py", "3")
