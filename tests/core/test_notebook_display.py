"""What a cell shows: every public result as HTML and as text, safe, small, and whole on a narrow terminal."""

import io
import os
import re

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from codeexplore import sample_repo
from codeexplore.answers import GrepAnswer
from codeexplore.answers.html import components
from codeexplore.answers.html.writer import shown_html
from codeexplore.answers.show import shown_text
from codeexplore.answers.source import SourceView
from codeexplore.answers.terminal import fit, fit_end, flow, widths
from codeexplore.answers.wording import cell_width
from codeexplore.notebook.magics.workspace import listed
from codeexplore.types import Filters
from tests.answers import HOSTILE, graph_answer, paths_answer, search_answer, shown_width, symbols_of, workspace_summary
from tests.core.test_html_pages import OUR_LINK, Page, only_ours
from tests.shells import run

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
RESULTS = (
    "ws", "ws.summary", "ws.search('money')", "ws.search('money')[0]", "ws.search('money').explain(1)",
    "ws.grep('session')", "ws.grep('session')[0]", "ws.related('Money')", "ws.symbol('Money')",
    "ws.callers('Money', depth=2)", "ws.callees('Money')", "ws.impact('Money')", "ws.uses('IDLE_LIMIT')",
    "ws.implementors('PaymentGateway')", "ws.subclasses('PaymentGateway')", "ws.overrides('PaymentGateway.validate')",
    "ws.imports('webshop.sessions')", "ws.paths('Storefront.checkout', 'luhn_valid')",
    "ws.why('Storefront.add_to_cart', 'Cart.add')", "ws.cycles()", "ws.entry_points()", "ws.dead_code()", "ws.hubs()",
    "ws.modules()", "ws.communities()", "get_ipython().run_line_magic('source', 'Money')",
    "get_ipython().run_line_magic('workspace', 'list')",
)  # fmt: skip


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def narrow(monkeypatch):
    def make(columns):
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setattr("shutil.get_terminal_size", lambda fallback=(80, 24): os.terminal_size((columns, 24)))
        return Terminal()

    return make


@pytest.mark.parametrize("cell", RESULTS)
def test_every_result_displays_itself(loaded, shell, cell):
    """IPython shows the object's own displays, with or without the extension, and a plain script has them too."""
    result = run(loaded, cell)
    data, _ = loaded.display_formatter.format(result)
    assert data == result._repr_mimebundle_()
    assert data["text/html"] == result._repr_html_()
    assert data["text/markdown"].endswith("\n")
    assert "onclick" not in data["text/markdown"]
    assert list(result._repr_mimebundle_(include=["text/html", "image/png"])) == ["text/html"]
    assert list(result._repr_mimebundle_(exclude=["text/html", "text/markdown"])) == ["text/plain"]
    assert data["text/html"].startswith("<div")
    assert not re.search(r"<script|javascript:|https?://(?!www\.w3\.org)", data["text/html"].partition("<iframe")[0])
    assert not data["text/plain"].startswith("<codeexplore")
    assert " object at 0x" not in data["text/plain"]
    assert data["text/plain"] == shown_text(result)


@pytest.mark.parametrize("cell", [cell for cell in RESULTS if "summary" not in cell])
@pytest.mark.parametrize("columns", [78, 100, 140])
def test_every_result_fits_the_terminal(loaded, narrow, cell, columns):
    text = shown_text(run(loaded, cell), narrow(columns))
    long = [line for line in text.split("\n") if shown_width(line) > columns]
    unbreakable = [line for line in long if max(map(shown_width, line.split())) > columns - 30]
    assert [line for line in long if line not in unbreakable] == []
    assert "\x1b[" in text or "No " in text


def test_colour_changes_nothing_but_colour(loaded, narrow):
    for cell in RESULTS:
        result = run(loaded, cell)
        coloured = shown_text(result, narrow(110))
        assert ESCAPE.sub("", coloured) == shown_text(result, io.StringIO())


def test_results_in_a_list_take_a_line_each(loaded):
    data, _ = loaded.display_formatter.format(run(loaded, "ws.search('money')[:3]"))
    assert len(data["text/plain"].splitlines()) == 3
    data, _ = loaded.display_formatter.format(run(loaded, "[ws.symbol('Money'), ws.callers('Money')]"))
    assert "<Symbol webshop.money.Money (class, webshop/money.py:" in data["text/plain"]
    assert "callers of webshop.money.Money>" in data["text/plain"]


def test_an_explorer_in_a_terminal_says_what_to_do(loaded, capsys):
    run(loaded, "ws.explore('what calls validate_session?')")
    said = capsys.readouterr().out
    assert said.count("The explorer is a widget: it needs JupyterLab") == 1
    assert "ws.search(" in said
    assert "hits for “what calls validate_session?”" in said
    assert "IPython.core.display" not in said
    run(loaded, "ws.explore()")
    assert "%ask" in capsys.readouterr().out


# --------------------------------------------------------------------------- sizes


def cell_bytes(shell, result):
    """What a result adds to a notebook's file, as JSON."""
    import json

    data, _ = shell.display_formatter.format(result)
    return len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


def test_a_search_adds_at_most_120_kilobytes_and_a_graph_700(loaded):
    for question in ("money", "how are expired sessions handled?", "what calls validate_session?"):
        assert cell_bytes(loaded, run(loaded, f"ws.search({question!r})")) <= 120_000
    for cell in ("ws.impact('Money')", "ws.callers('Money', depth=3)", "ws.callees('webshop.cli.main', depth=6)"):
        assert cell_bytes(loaded, run(loaded, cell)) <= 700_000


def test_a_graph_of_the_largest_size_stays_below_its_limit(loaded, tmp_path):
    from codeexplore import Workspace

    body = "    return target(argument) + 1\n" * 14
    calls = "\n".join(f"def caller_with_a_name_{n}(argument):\n{body}" for n in range(250))
    (tmp_path / "many.py").write_text("def target(argument):\n    return argument\n\n" + calls)
    many = Workspace(tmp_path, workers=0, progress=lambda *_: None)
    answer = many.callers("target", depth=2)
    assert len(answer) >= 199
    assert cell_bytes(loaded, answer) <= 700_000
    assert cell_bytes(loaded, many.search("caller with a name", top_k=10)) <= 120_000
    assert cell_bytes(loaded, many.grep("target")) <= 120_000


# --------------------------------------------------------------------------- hostile names


def hostile_grep(name):
    from codeexplore.search.grep import GrepGroup, GrepLine, GrepResult
    from tests.doubles import make_catalog

    (symbol,) = symbols_of((name,), name + "{}")
    lines = tuple(GrepLine(n, f"{name} = {name}", ((0, len(name)),)) for n in range(1, 9))
    group = GrepGroup(symbol.path, symbol.id, 8, lines, True)
    return GrepAnswer.of(GrepResult((group,), 8, 1, 1, True), make_catalog((symbol,), ()), name, Filters())


def hostile_results(name):
    (symbol,) = symbols_of((name,), name + "{}")
    grep = hostile_grep(name)
    view = SourceView(symbol.path, 1, f"def {name}():\n    {name!r}", "python", symbol)
    return [grep, grep[0], view, listed({name: workspace_summary(name)}, [name])]


MARKS = {"mark"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_make_no_markup_of_their_own(name, monkeypatch):
    import tests.core.test_html_pages as page

    monkeypatch.setattr(page, "TAGS", page.TAGS | MARKS)
    for result in hostile_results(name):
        only_ours(shown_html(result))


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_of_a_repository_commands_a_terminal(name, narrow):
    names = (name, *HOSTILE[:3])
    results = [*hostile_results(name), search_answer(names), graph_answer(names), paths_answer(names[:2])]
    results += [search_answer(names)[0], graph_answer(names).seeds[0], workspace_summary(name)]
    for result in results:
        plain = shown_text(result, io.StringIO())
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", plain)
        painted = ESCAPE.sub("", shown_text(result, narrow(80)))
        assert "\x1b" not in painted
        assert max(map(len, painted.split("\n"))) < 6_000


def test_a_hostile_repository_is_explored_from_end_to_end(shell, tmp_path, narrow):
    from codeexplore import Workspace

    long, padding = "x" * 5000, "# a line\n" * 2000  # a file of one long line would count as minified
    (tmp_path / "<img src=x onerror=alert(1)>.py").write_text(
        f"{padding}def {long}():\n    return '\x1b[31m</script>'\n"
    )
    body = f"    '''\u202e <script>alert(1)</script>'''\n    return {long}()\n"
    (tmp_path / "javascript:alert(1).py").write_text(f"{padding}def caller():\n{body}")
    ws = Workspace(tmp_path, workers=0, progress=lambda *_: None)
    shell.run_line_magic("load_ext", "codeexplore")
    shell.push({"ws": ws})
    for cell in (
        "ws", "ws.search('alert script')", "ws.grep('alert')", "ws.symbols", "ws.callers('caller')", "ws.dead_code()",
        "ws.search('caller').explain(1)", "ws.hubs()", "get_ipython().run_line_magic('source', 'caller')",
    ):  # fmt: skip
        result = run(shell, cell)
        data, _ = shell.display_formatter.format(result)
        assert "\x1b" not in data["text/plain"].replace("\\x1b", "")
        for name, attributes in Page(data.get("text/html", "").replace("<img ", "<wbr ")).elements:
            assert name not in ("script", "object", "form")
            assert OUR_LINK.fullmatch(attributes.get("href", "/lab/tree/"))
            assert attributes.get("onclick", components.COPY_SCRIPT) == components.COPY_SCRIPT
            assert not any(key.startswith("on") and key != "onclick" for key in attributes)
            assert attributes.get("src", "data:").startswith("data:")
        assert "\u202e" not in data.get("text/html", "")


# --------------------------------------------------------------------------- columns


@given(st.text(alphabet="ab 日本e\u0301…", max_size=60), st.integers(min_value=4, max_value=40))
def test_fitting_keeps_to_the_columns(text, width):
    for fitted in (fit(text, width), fit_end(text, width)):
        assert cell_width(fitted) <= width
        assert cell_width(text) > width or fitted == text
    assert text.endswith(fit_end(text, width).removeprefix("…"))


@hypothesis_settings(max_examples=60)
@given(st.lists(st.text(alphabet="ab日本", min_size=1, max_size=12), min_size=1, max_size=20), st.integers(30, 80))
def test_wrapping_loses_no_word_and_keeps_to_the_width(words, width):
    text = " ".join(words)
    lines = flow([(text, "")], width, "  ")
    assert " ".join(" ".join(lines).split()) == text
    assert max(map(cell_width, lines)) <= max(width, 30)


@hypothesis_settings(max_examples=60)
@given(st.text(alphabet="ab./日 ", max_size=200), st.integers(30, 60))
def test_wrapping_breaks_words_that_are_too_long(text, width):
    lines = flow([(text, "")], width, "    ")
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_width(line) <= width for line in lines if not line.startswith(" " * 15))
    (first, *_) = flow([("x " + "package.module." * 6, "")], 60, "    ")[1:]
    assert first.endswith(".")


@given(st.integers(30, 60), st.integers(20, 60))
def test_columns_of_one_width_share_what_is_missing(size, total):
    found = widths([["x" * size, "y" * size]], total, {0: 8, 1: 8})
    assert abs(found[0] - found[1]) <= 1
    assert sum(found) + 2 == min(total, 2 * size + 2)


@given(st.lists(st.integers(min_value=1, max_value=60), min_size=4, max_size=4), st.integers(50, 120))
def test_only_columns_that_may_give_way_do(sizes, total):
    found = widths([["x" * size for size in sizes]], total, {1: 10, 2: 12})
    assert found[0] == sizes[0]
    assert found[3] == sizes[3]
    assert found[1] >= min(10, sizes[1])
    assert found[2] >= min(12, sizes[2])
    if sum(found) + 6 > total:
        assert (found[1], found[2]) == (min(10, sizes[1]), min(12, sizes[2]))


def test_a_sample_repository_is_there():
    assert sample_repo("webshop").is_dir()
