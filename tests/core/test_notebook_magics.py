"""The magics in a real IPython shell, without a kernel."""

import json
import re
import sys

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from codeexplore import Workspace, sample_repo
from codeexplore.answers import GraphAnswer, SearchAnswer
from codeexplore.notebook.extension import keep_questions
from tests.shells import refused, run


@pytest.mark.parametrize(
    ("cell", "question"),
    [
        ("%ask who calls validate_session?", "who calls validate_session?"),
        ("%ask who calls validate_session", "who calls validate_session"),
        ("%ask 'who calls validate_session?'", "who calls validate_session?"),
        ("%ask what's a session's lifetime?", "what's a session's lifetime?"),
        ("%%ask\nwho calls\nvalidate_session?", "who calls\nvalidate_session?"),
        ("%%ask --top-k 3\nexpired sessions", "expired sessions"),
        ("found = %ask who calls validate_session?\nfound", "who calls validate_session?"),
        ("if True:\n    found = %ask who calls validate_session?\nfound", "who calls validate_session?"),
        ("%ask {ws} costs $HOME?", "{ws} costs $HOME?"),
        ("who calls validate_session?", "who calls validate_session?"),
        ("x = 1\nHow are expired sessions handled?", "How are expired sessions handled?"),
        ("%%ask --top-k 3 how\nare sessions kept?", "how\nare sessions kept?"),
    ],
)
def test_a_question_is_asked_as_written(loaded, cell, question):
    answer = run(loaded, cell)
    assert isinstance(answer, SearchAnswer)
    assert answer.question.split() == question.split()
    assert loaded.user_ns["_answer"] is answer


def test_options_stand_anywhere(loaded):
    for cell in ("%ask --top-k 3 --lanes bm25 money", "%ask money -k 3 --lanes=bm25", "%ask -k=3 money --lanes 'bm25'"):
        answer = run(loaded, cell)
        assert len(answer) == 3
        assert [ranking.lane for ranking in answer.rankings if ranking.hits] == ["bm25"]
        assert answer.question == "money"


def test_paths_limit_an_answer(loaded):
    answer = run(loaded, "%ask money --path tests/*")
    assert answer.hits
    assert all(hit.path.startswith("tests/") for hit in answer)


def test_two_dashes_end_the_options(loaded):
    assert run(loaded, "%ask -- --top-k of what").question == "--top-k of what"


def test_an_answer_can_be_named(loaded):
    run(loaded, "%ask money --to found")
    assert loaded.user_ns["found"] is loaded.user_ns["_answer"]


def test_json_is_printed(loaded, capsys):
    assert run(loaded, "%ask money --top-k 2 --json") is None
    assert json.loads(capsys.readouterr().out)["question"] == "money"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("%ask", "ask what?"),
        ("%ask --no-such money", "unknown option --no-such"),
        ("%ask --top-k", "--top-k needs a value"),
        ("%callers validate_session --dept 2", "unknown option --dept; did you mean --depth?"),
        ("%ask --top-k many money", "invalid int value"),
        ("%ask --lanes magic money", "magic"),
        ("%ask --rrf-k 0 money", "rrf_k"),
        ("%ask money --to not-a-name", "--to needs a variable's name"),
        ("%ask -w other money", "no workspace is bound to 'other'. Choose a workspace with -w: ws"),
        ("%callers", "callers of what?"),
        ("%callers validate_sesion", "validate_session"),
        ("%callers validate_session --depth 0", "depth"),
        ("%explore /no/such/folder", "/no/such/folder"),
    ],
)
def test_mistakes_are_told_in_words(loaded, capsys, cell, said):
    assert said in refused(loaded, capsys, cell)


def test_a_report_is_pasted_below_locate(loaded):
    answer = run(
        loaded, '%%locate -k 3 --no-tests\nCheckout fails\n\n  File "/srv/storefront.py", line 1, in checkout\n'
    )
    assert (answer.plan.kind, len(answer)) == ("report", 3)
    assert answer[0].name.endswith("Storefront.checkout")


def test_the_exception_just_raised_is_located(loaded, capsys, monkeypatch, webshop):
    monkeypatch.delattr(sys, "last_exc", raising=False)
    monkeypatch.delattr(sys, "last_value", raising=False)
    assert "%locate after an error" in refused(loaded, capsys, "%locate")
    file = str(webshop.root / "webshop/storefront.py")
    source = compile("def checkout():\n    raise KeyError('sku')\ncheckout()\n", file, "exec")
    loaded.push({"source": source, "another": Workspace(sample_repo("ledger"))})
    loaded.run_cell("exec(source)")  # raises, and the shell shows the traceback
    capsys.readouterr()
    answer = run(loaded, "%locate")
    assert answer.catalog is webshop.catalog
    assert answer[0].name.endswith("Storefront.checkout")


@pytest.mark.parametrize("cell", ["%ask money?", "%callers money", "%explore"])
def test_without_a_workspace_they_say_how_to_make_one(shell, capsys, cell):
    shell.run_line_magic("load_ext", "codeexplore")
    said = refused(shell, capsys, cell)
    assert "ws = codeexplore.Workspace('path/to/repo')" in said


def test_callers_are_shown(loaded):
    answer = run(loaded, "%callers validate_session --depth 2")
    assert isinstance(answer, GraphAnswer)
    assert answer.subgraph.relation == "callers"
    assert len(answer) > 0
    assert answer == run(loaded, "ws.callers('validate_session', depth=2)")


def test_the_last_explored_workspace_breaks_ties(loaded, webshop):
    other = Workspace(sample_repo("webshop"), workers=0, progress=lambda *_: None)
    loaded.push({"other": other})
    assert run(loaded, "%explore -w other") is other
    magics = loaded.magics_manager.registry["ExploreMagics"]
    assert magics.state.workspace() is other
    assert magics.state.workspace("ws") is webshop


def test_explore_loads_what_it_is_given(shell):
    shell.run_line_magic("load_ext", "codeexplore")
    run(shell, f"%explore {sample_repo('webshop')} --as shop")
    assert isinstance(shell.user_ns["shop"], Workspace)
    assert run(shell, "%ask money?").hits


def test_results_show_as_html_and_as_text(loaded):
    answer = run(loaded, "%ask money")
    data, _ = loaded.display_formatter.format(answer)
    assert data["text/html"].startswith('<div class="codeexplore"') or "<div" in data["text/html"][:10]
    assert data["text/plain"].startswith("10 hits for “money”")
    for cell in (
        "ws",
        "ws.summary",
        "_answer[0]",
        "ws.callers('Money')",
        "ws.symbol('Money')",
        "ws.paths('Cart', 'Money')",
    ):
        data, _ = loaded.display_formatter.format(run(loaded, cell))
        assert "<div" in data["text/html"]


def test_help_is_still_help(loaded, capsys):
    loaded.run_cell("%ask?")
    assert "Rank the symbols that answer a question" in capsys.readouterr().out


@pytest.mark.parametrize(
    "cell",
    [
        "%ask?",
        "%ask ?",
        "x?",
        "is_open?",
        "do.it?",
        "which?",
        "how now",
        "# what is this?",
        "    what is this?",
        "%%markdown\nwhat is this?\n%ask who calls x?",
        "%callers money?",
        "print('%ask x?')",
        '"""\n%ask who calls x?\n"""',
        "# %ask who?",
        "%%ask\n%ask who?\n"[:5] + " a\nbody?",
    ],
)
def test_other_cells_stay_as_they_are(cell):
    lines = cell.splitlines(keepends=True)
    assert keep_questions(lines) == lines


def test_a_transformed_question_is_valid_python():
    manager = TransformerManager()
    manager.cleanup_transforms.append(keep_questions)
    code = manager.transform_cell('%ask what\'s "this" \\ thing?')
    assert re.fullmatch(r"get_ipython\(\)\.run_line_magic\('ask', .*\)\n", code)
    compile(code, "cell", "exec")
    assert manager.check_complete("%ask who calls x?")[0] == "complete"
