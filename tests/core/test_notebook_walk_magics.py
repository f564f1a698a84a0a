"""Every magic beside %ask and %explore: what it calls, what it gives, what it says when it can't."""

import json

import pytest
from IPython.core.error import UsageError

from codeexplore import Workspace
from codeexplore.answers import Explanation, GraphAnswer, GrepAnswer, PathsAnswer, SearchAnswer
from codeexplore.answers.source import SourceView
from codeexplore.cli import CORE
from codeexplore.notebook.state import live_object
from tests.git_repos import write
from tests.shells import refused, run


@pytest.mark.parametrize(
    ("cell", "call"),
    [
        ("%callers validate_session", "ws.callers('validate_session')"),
        ("%callers validate_session -d 3", "ws.callers('validate_session', depth=3)"),
        ("%callers 'validate_session'", "ws.callers('validate_session')"),
        ("%callees Storefront.checkout --depth 2", "ws.callees('Storefront.checkout', depth=2)"),
        ("%implementors PaymentGateway", "ws.implementors('PaymentGateway')"),
        ("%subclasses ShopError", "ws.subclasses('ShopError')"),
        ("%overrides PaymentGateway", "ws.overrides('PaymentGateway')"),
        ("%imports money", "ws.imports('money')"),
        ("%impact Money", "ws.impact('Money')"),
        ("%impact Money --depth 1", "ws.impact('Money', depth=1)"),
        ("%uses IDLE_LIMIT", "ws.uses('IDLE_LIMIT')"),
        ("%callers validate_session --no-tests", "ws.callers('validate_session', tests=False)"),
        ("%callers validate_session --min-confidence 0.95", "ws.callers('validate_session', min_confidence=0.95)"),
        ("%paths Storefront.checkout luhn_valid", "ws.paths('Storefront.checkout', 'luhn_valid')"),
        (
            "%paths main luhn_valid --min-confidence 0.2 --no-tests",
            "ws.paths('main', 'luhn_valid', min_confidence=0.2, tests=False)",
        ),
        ("%paths 'Storefront.checkout' \"luhn_valid\"", "ws.paths('Storefront.checkout', 'luhn_valid')"),
    ],
)
def test_a_walk_is_the_facades_walk(loaded, cell, call):
    answer = run(loaded, cell)
    assert isinstance(answer, GraphAnswer | PathsAnswer)
    assert answer == run(loaded, call)
    assert loaded.user_ns["_answer"] is answer


@pytest.mark.parametrize("name", ["hubs", "entry_points", "dead_code", "cycles", "modules", "communities"])
def test_a_survey_is_the_facades(loaded, name):
    answer = run(loaded, f"%survey {name}")
    assert answer == run(loaded, f"ws.{name}()")
    assert run(loaded, f"%survey {name.replace('_', '-')} --to mine") == answer
    assert loaded.user_ns["mine"] == answer


def test_each_command_of_a_terminal_has_a_magic(loaded, capsys):
    assert {command.name for command in CORE} <= loaded.magics_manager.magics["line"].keys()
    assert run(loaded, "%types overrides PaymentGateway.charge") == run(loaded, "%overrides PaymentGateway.charge")
    assert run(loaded, "%symbol Money").text == run(loaded, "%source Money").text
    assert type(run(loaded, "%status")) is type(run(loaded, "%workspace status"))
    assert "%types takes implementors, subclasses or overrides" in refused(loaded, capsys, "%types Money")


def test_a_survey_of_nothing_is_told(loaded, capsys):
    assert "one of hubs, entry_points" in refused(loaded, capsys, "%survey")
    assert "communities, not 'everything'" in refused(loaded, capsys, "%survey everything")


def test_why_tells_about_the_edge_between_two(loaded):
    answer = run(loaded, "%why Storefront.add_to_cart Cart.add")
    assert answer == run(loaded, "ws.why('Storefront.add_to_cart', 'Cart.add')")


def test_a_number_means_a_hit(loaded):
    answer = run(loaded, "%ask what calls validate_session? --top-k 4")
    assert run(loaded, "%callers 2").seeds == (answer[1].symbol,)
    assert isinstance(run(loaded, "%explain 3"), Explanation)
    assert run(loaded, "%explain 3").rank == 3
    assert run(loaded, "%explain").rank == 1  # walks in between don't count
    assert run(loaded, "%related 2").hits


def test_an_answer_that_a_cell_showed_counts_too(loaded):
    run(loaded, "%ask money --top-k 1")
    done = loaded.run_cell("ws.search('sessions', top_k=7)", store_history=True)
    assert done.success
    assert run(loaded, "%explain 7").question == "sessions"
    loaded.run_cell("%ask --top-k 2 carts", store_history=True)
    assert run(loaded, "%explain 2").question == "carts"


def test_an_answer_by_name_is_explained(loaded):
    run(loaded, "%ask money --to found")
    run(loaded, "%ask sessions")
    assert run(loaded, "%explain 2 --of found").question == "money"


def test_grep_and_its_question_mark(loaded):
    assert isinstance(run(loaded, "%grep raise"), GrepAnswer)
    answer = run(loaded, "%grep --regex sessions?")
    assert answer.pattern == "sessions?"
    assert answer == run(loaded, "ws.grep('sessions?', regex=True)")
    assert run(loaded, "%grep -i SESSION --top-k 2").hits


def test_related_ranks_what_is_like_a_symbol(loaded):
    answer = run(loaded, "%related validate_session --top-k 3")
    assert isinstance(answer, SearchAnswer)
    assert len(answer) == 3


def test_source_of_a_symbol_and_of_a_file(loaded):
    view = run(loaded, "%source validate_session")
    assert isinstance(view, SourceView)
    assert str(view).startswith("def validate_session(")
    assert str(view).split() == loaded.user_ns["ws"].source("validate_session").split()
    assert view.numbered_lines()[0] == (view.start_line, view.text.split("\n")[0])
    whole = run(loaded, "%source webshop/sessions.py")
    assert whole.symbol is None
    assert whole.start_line == 1
    assert run(loaded, "%source sessions.py:30").symbol is not None


def test_json_of_a_walk(loaded, capsys):
    assert run(loaded, "%callers validate_session --json") is None
    assert json.loads(capsys.readouterr().out)["relation"] == "callers"


def test_live_objects_in_the_users_namespace(loaded):
    run(loaded, "hit = ws.search('validate_session')[0]\nfound = ws.search('validate_session')")
    for text in ("hit", "found[0]", "hit.symbol", "hit.symbol.fqn"):
        assert run(loaded, f"%callers {text}").seeds == (loaded.user_ns["hit"].symbol,)


def test_live_objects_run_nothing():
    class Loud:
        calls = 0

        def __getattr__(self, name):
            Loud.calls += 1
            raise AttributeError(name)

        def __getitem__(self, index):
            Loud.calls += 1

        @property
        def value(self):
            Loud.calls += 1

    namespace = {"loud": Loud(), "rows": [1, 2]}
    assert isinstance(live_object(namespace, "loud.value"), property)
    assert live_object(namespace, "loud.nothing") is None
    assert live_object(namespace, "loud[0]") is None
    assert live_object(namespace, "rows[-1]") == 2
    assert live_object(namespace, "rows[7]") is None
    assert live_object(namespace, "rows.append(3)") is None
    assert Loud.calls == 0


def test_a_function_of_the_session_is_told(loaded, capsys):
    loaded.run_cell("def validate_nothing(): ...")
    assert "validate_nothing is defined in this session" in refused(loaded, capsys, "%callers validate_nothing")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("%callees", "callees of what?"),
        ("%paths", "%paths takes two symbols, not 0"),
        ("%paths Cart", "%paths takes two symbols, not 1"),
        ("%why Cart", "%why takes two symbols"),
        ("%source", "the source of what?"),
        ("%source nothing_like_it", "no symbol is called 'nothing_like_it'"),
        ("%grep", "find what?"),
        ("%related", "related to what?"),
        ("%explain", "there is no answer yet"),
        ("%explain two", "a whole number from 1, or on or off, not 'two'"),
        ("%explain --of ws", "'ws' contains no answer of a search"),
        ("%callers 3", "there is no answer yet; %ask a question first"),
        ("%workspace dance", "not 'dance'; %explore loads a folder, a package or a URL"),
        ("%workspace switch", "needs a name"),
        ("%workspace close other", "no workspace is bound to 'other'"),
        ("%callers Cart --min-confidence 7", "confidence"),
        ("%ask money --kind dragon", "dragon"),
        ("%ask money --lang klingon", "klingon"),
        ("%ask money --fusion cold", "cold"),
    ],
)
def test_mistakes_are_told_in_words(loaded, capsys, cell, said):
    assert said in refused(loaded, capsys, cell)


def test_a_rank_beyond_the_answer_is_told(loaded, capsys):
    run(loaded, "%ask money --top-k 2")
    assert "the ranks here are 1 to 2" in refused(loaded, capsys, "%explain 3")
    assert "the last answer has 2 hits" in refused(loaded, capsys, "%callers 3")


def test_filters_narrow_an_answer(loaded):
    for hit in run(loaded, "%ask money --kind method --no-tests --lang Python --path webshop/*"):
        assert hit.kind == "method"
        assert hit.path.startswith("webshop/")
    assert len(run(loaded, "%ask money --per-file 1")) > 1
    assert run(loaded, "%ask money --fusion z-score").result.fusion == "z-score"
    numbers = run(loaded, "%ask money --k1 1.2 --b 0.4 --damping 0.5").result.numbers
    assert (numbers.k1, numbers.b, numbers.damping) == (1.2, 0.4, 0.5)


# --------------------------------------------------------------------------- %config and %workspace


def test_config_holds_defaults(loaded):
    loaded.run_line_magic("config", "CodeExplore.top_k = 3")
    loaded.run_line_magic("config", "CodeExplore.lanes = ['bm25']")
    loaded.run_line_magic("config", "CodeExplore.depth = 2")
    answer = run(loaded, "%ask money")
    assert len(answer) == 3
    assert [ranking.lane for ranking in answer.rankings] == ["bm25"]
    assert len(run(loaded, "%ask money --top-k 5")) == 5
    assert run(loaded, "%callers validate_session") == run(loaded, "ws.callers('validate_session', depth=2)")


def test_config_lists_and_refuses(loaded, capsys):
    loaded.run_line_magic("config", "CodeExplore")
    said = capsys.readouterr().out
    assert "CodeExplore.top_k=<Int>" in said
    assert "Hits of an answer." in said
    loaded.run_cell("%config CodeExplore.top_k = 0")
    assert len(run(loaded, "%ask money")) == 10


def test_workspaces_are_listed_switched_and_closed(loaded, webshop):
    loaded.push({"shop": webshop, "_hidden": webshop})
    listed = repr(run(loaded, "%workspace list"))
    assert "ws" in listed.split()
    assert "shop" in listed.split()
    assert "▸  shop" in repr(run(loaded, "%workspace switch shop"))
    run(loaded, "%workspace close shop")
    assert "shop" not in loaded.user_ns
    assert loaded.user_ns["ws"] is webshop
    assert "webshop" in repr(run(loaded, "%workspace"))


def test_a_closed_workspace_is_let_go(loaded, tmp_path, capsys):
    import gc
    import weakref

    from codeexplore import Workspace

    (tmp_path / "a.py").write_text("def one(): ...\n")
    run(loaded, "del ws")
    loaded.run_line_magic("explore", f"{tmp_path} --as mine")
    held = weakref.ref(loaded.user_ns["mine"])
    run(loaded, "%workspace switch mine")
    with pytest.raises(UsageError, match="There is no workspace yet"):
        loaded.run_line_magic("workspace", "close mine")
    gc.collect()
    assert held() is None
    assert Workspace


def test_a_name_means_its_overloads_as_on_every_surface(loaded, tmp_path):
    write(tmp_path, {"Over.java": "class Over {\n  static void of(int a) {}\n  static void of(String a) {}\n"
                     "  void one() { of(1); }\n  void two() { of(\"\"); }\n}\n"})  # fmt: skip
    ws = Workspace(tmp_path, cache=False, workers=0)
    loaded.push({"over": ws})
    answer = run(loaded, "%callers Over.of --workspace over")
    assert answer.headline == ws.callers("Over.of").headline == "2 callers of Over.of"
