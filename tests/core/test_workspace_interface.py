"""The façade as people type it: one vocabulary of options, errors that name the method, values that display well."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from codeexplore import Filters, QuestionError, Workspace
from codeexplore.search.options import SearchOptions
from codeexplore.types import Ranking, settings
from codeexplore.workspace.graph_questions import DEFAULTS
from tests.git_repos import repository

WALKS = ("callers", "callees", "implementors", "subclasses", "overrides", "uses", "imports", "impact")


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_shows_its_options_in_signature_and_documentation(name: str) -> None:
    method = getattr(Workspace, name)
    assert list(inspect.signature(method).parameters) == ["self", "target", "depth", *DEFAULTS]
    for option in DEFAULTS:
        assert f"\n{option}\n" in method.__doc__
    assert f">>> ws.{name}(" in method.__doc__


@pytest.mark.parametrize("name", ["search", "localise", "related"])
def test_a_search_shows_its_options_in_signature_and_documentation(name: str) -> None:
    method = getattr(Workspace, name)
    shown = inspect.signature(method).parameters
    assert list(SearchOptions.__annotations__) == [each for each in shown if each in SearchOptions.__annotations__]
    assert shown["top_k"].default == settings.TOP_K
    for option in SearchOptions.__annotations__:
        assert f"\n{option}\n    " in method.__doc__


@pytest.mark.parametrize(
    ("name", "arguments", "options", "said"),
    [
        ("callers", ("checkout",), {"deep": 2}, r"Workspace\.callers\(\) got .* 'deep'; did you mean depth\?"),
        ("search", ("x",), {"test": False}, r"Workspace\.search\(\) got .* 'test'; did you mean tests\?"),
        (
            "related",
            ("x",),
            {"n": 3},
            r"Workspace\.related\(\) got .* 'n'; it takes .*explain, .*filters, .*top_k",
        ),
        ("paths", ("a", "b"), {"limit": 3}, r"\w+\.paths\(\) got .* 'limit'"),
        ("hubs", (), {"topk": 3}, r"\w+\.hubs\(\) got .* 'topk'"),
    ],
)
def test_a_mistyped_option_is_a_type_error_that_names_the_method(
    webshop: Workspace, name: str, arguments: tuple[str, ...], options: dict[str, object], said: str
) -> None:
    with pytest.raises(TypeError, match=said):
        getattr(webshop, name)(*arguments, **options)


def test_tests_and_top_k_mean_the_same_everywhere(webshop: Workspace) -> None:
    assert any("test" in hit.path for hit in webshop.search("cart total", top_k=500))
    for answer in (
        webshop.search("cart total", top_k=50, tests=False),
        webshop.grep("cart", top_k=50, tests=False),
        webshop.related("CartLine", top_k=50, tests=False),
        webshop.search("cart total", top_k=50, filters=Filters(paths=("**",)), tests=False),
    ):
        assert answer
        assert not any(hit.path.startswith("tests/") for hit in answer)
    assert len(webshop.callers("luhn_valid", top_k=1, depth=3).reached) <= 1
    assert len(webshop.externals(top_k=2)) == 2


def test_a_fusion_of_ones_own_gives_the_terms_of_a_score(webshop: Workspace) -> None:
    def halves(ranking: Ranking, weight: float) -> list[float]:
        return [weight * 0.5**hit.rank for hit in ranking.hits]

    answer = webshop.search("expired sessions", fusion=halves)
    assert answer.result.fusion == "halves"
    hit = answer[0]
    assert hit.score == sum(c.value for c in hit.contributions) + sum(a.value for a in hit.adjustments)
    assert all(c.value == c.weight * 0.5**c.rank for c in hit.contributions)
    assert "halves(ranking, weight)" in str(answer.explain(1))
    with pytest.raises(QuestionError, match="must give one finite number for each of the"):
        webshop.search("expired sessions", fusion=lambda ranking, weight: [weight])
    with pytest.raises(QuestionError, match="unknown fusion 'rff'; known: rrf"):
        webshop.search("expired sessions", fusion="rff")
    with pytest.raises(QuestionError, match="fusion must be a name or a function"):
        webshop.search("expired sessions", fusion=3)  # type: ignore[arg-type]


def test_a_workspace_holds_its_symbols(webshop: Workspace) -> None:
    assert "luhn_valid" in webshop
    assert "checkout" in webshop  # it may mean two
    assert "no_such_name" not in webshop
    assert 5 not in webshop
    assert list(webshop) == list(webshop.symbols)
    assert "\n" not in repr(webshop.callers)
    assert "webshop" in repr(webshop)


def test_an_explorer_is_opened_with_a_text(webshop: Workspace) -> None:
    with pytest.raises(QuestionError, match="the question must be a text, not 5"):
        webshop.explore(5)  # type: ignore[arg-type]


def test_an_index_beyond_an_answer_tells_how_many_there_are(webshop: Workspace) -> None:
    answer = webshop.search("flags", top_k=3)
    with pytest.raises(IndexError, match=r"there is no hit \[99\]: the answer has 3 hits; the last is \[2\]"):
        answer[99]
    assert answer[-1] == answer[2]
    assert answer[:2] == answer.hits[:2]
    with pytest.raises(IndexError, match=r"there is no symbol \[7\]: the answer has 0 symbols$"):
        webshop.subclasses("luhn_valid")[7]


def test_source_is_a_text_that_shows_as_code(webshop: Workspace) -> None:
    from codeexplore.answers.html.writer import shown_html
    from codeexplore.answers.show import shown_text

    text = webshop.source("luhn_valid")
    assert isinstance(text, str)
    assert "def luhn_valid" in text
    assert text.view.symbol == webshop["luhn_valid"]
    assert "luhn_valid" in shown_html(text)
    assert "\\n" not in shown_text(text)
    assert webshop.source(text.view.path).view.start_line == 1


def test_answers_of_searches_are_json(webshop: Workspace) -> None:
    for answer in (webshop.search("cart"), webshop.grep("cart")):
        assert json.loads(answer.to_json()) == json.loads(json.dumps(answer.to_dict()))


def test_columns_of_frames_are_names(webshop: Workspace) -> None:
    pytest.importorskip("pandas")
    frames = [webshop.search("luhn_valid").to_frame(), webshop.grep("cart").to_frame()]
    frames += [webshop.callers("luhn_valid").to_frame(), webshop.hubs().to_frame()]
    for frame in frames:
        assert all(str(column).isidentifier() for column in frame.columns), list(frame.columns)
    assert {"path", "start_line", "end_line"} <= set(frames[0].columns) & set(frames[2].columns)


def test_a_workspace_is_opened_by_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEEXPLORE_CACHE", str(tmp_path / "cache"))
    repository(tmp_path / "origin", {"app.py": "def run():\n    return 1\n"})
    workspace = Workspace((tmp_path / "origin").as_uri())
    assert workspace.name == "origin"
    assert workspace["run"].fqn == "app.run"
