"""Whether an answer says that the repository does not hold what was asked for."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.graph.build.rules import basis_of
from codeexplore.search.confidence import absent_words, evidence
from codeexplore.text.tokens import analyze

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import answerability


@pytest.mark.parametrize(
    ("question", "level"),
    [
        ("asdkjh qwelkj zxcmn", "none"),
        ("where is the kubernetes ingress configured?", "none"),
        ("how is an order paid with a credit card?", "answered"),
        ("how is the total computed?", "answered"),  # everyday words, near the code that computes totals
        ("how do I rent a bicycle for the weekend?", "weak"),
        ("checkout", "answered"),
        ("who calls luhn_valid?", "answered"),
    ],
)
def test_a_question_says_whether_it_is_answered(webshop: Workspace, question: str, level: str) -> None:
    answer = webshop.search(question, timeout=60)
    assert answer.confidence == level
    assert json.loads(json.dumps(answer.to_dict()))["confidence"]["level"] == level


def test_words_that_occur_nowhere_are_named(webshop: Workspace) -> None:
    answer = webshop.search("where is the kubernetes ingress configured?", timeout=60)
    assert answer.result.confidence.absent == ("kubernetes", "ingress")
    for text in (repr(answer), answer.to_markdown(), answer._repr_html_() if hasattr(answer, "_repr_html_") else ""):
        assert not text or "Nothing here mentions kubernetes, ingress. Probably not in this code." in text


def test_a_word_with_a_typing_error_is_answered_with_the_word_that_is_meant(webshop: Workspace) -> None:
    answer = webshop.search("chekout of paymments and orderings", timeout=60)
    assert answer.result.confidence.absent == ()
    assert answer.result.confidence.misspelt == (("chekout", "checkout"), ("paymments", "payments"))
    assert "Nothing here mentions chekout. Searched for checkout instead." in repr(answer)
    right = webshop.search("checkout of payments and orderings", timeout=60)
    assert [hit.name for hit in answer] == [hit.name for hit in right]
    as_typed = webshop.search("chekout of paymments and orderings", timeout=60, other_words=False)
    assert "Did you mean checkout?" in repr(as_typed)
    told = webshop.search("what bores tigers", timeout=60).result.confidence  # a form of a word is spelt right
    assert told.misspelt == ()


def test_only_an_absent_word_makes_an_answer_none(webshop: Workspace) -> None:
    """Low evidence alone is chance, and the verbs of a question say nothing about the code."""
    answer = webshop.search("how does it recognise and survive wonders?", timeout=60)
    assert "recognise" not in answer.result.confidence.absent
    everyday = webshop.search("how do I get rid of what I bought?", timeout=60)
    assert everyday.confidence != "none"
    assert "Probably not" not in repr(everyday)


def test_the_answer_to_a_plain_question_names_words_that_may_be_meant(webshop: Workspace) -> None:
    found = webshop.search("how does somebody give their things back and see the money again?", timeout=60)
    meant = found.result.confidence.meant
    assert found.confidence == "answered"
    assert meant
    assert f"Also searched for words of this code: {', '.join(meant)}." in found.to_markdown()
    once = webshop.search(found.question, timeout=60, other_words=False)
    assert f"Words of this code that may be meant: {', '.join(meant)}." in once.to_markdown()
    assert set(once.plan.tokens) < set(found.plan.tokens)
    for hit in found[:5]:
        for lane in found.explain(hit.rank).lanes:  # explained in the other words, too
            assert sum(lane.parts) + lane.rounding == pytest.approx(lane.score, abs=1e-9)


def test_a_question_in_plain_words_trusts_words_less(webshop: Workspace) -> None:
    """Words in names count half, and the strength of the lanes is that of words that are not everyday English."""
    question = "how does somebody give their things back and see the money again?"
    doubtful, sure = (webshop.search(question, top_k=400, timeout=60, other_words=on) for on in (True, False))
    assert doubtful.plan.lanes == sure.plan.lanes
    given = [{part.signal: part for part in hit.adjustments} for hit in doubtful]
    told = [parts["telling words"] for parts in given if "telling words" in parts]
    assert told
    assert not any("strength" in parts for parts in given)
    assert max(part.value for part in told) == pytest.approx(
        0.5 * max(sum(c.value for c in hit.contributions) for hit in doubtful)
    )
    assert "“money" in told[0].reason
    assert "things" not in told[0].reason  # everyday
    for part in told:  # the reason has every number of the value
        numbers = re.search(r"0\.5 · ([\d.]+) \(the best fused score\) · ([\d.]+)/([\d.]+), BM25 of", part.reason)
        assert numbers is not None
        best, own, highest = map(float, numbers.groups())
        assert part.value == pytest.approx(0.5 * best * own / highest, rel=2e-3)
    for hit in doubtful:
        assert sum(c.value for c in hit.contributions) + sum(a.value for a in hit.adjustments) == hit.score
    asked = webshop.search(question, weights={"graph": 0.1}, timeout=60)  # weights of the user's stay
    assert asked.plan.lanes["graph"] == 0.1


def test_a_technical_question_keeps_its_weights(webshop: Workspace) -> None:
    answer = webshop.search("how is an order paid with a credit card?", timeout=60)
    signals = {part.signal for hit in answer for part in hit.adjustments}
    assert "strength" in signals
    assert "telling words" not in signals


def test_evidence_is_the_similarity_of_the_nearest_code_and_of_its_words(webshop: Workspace) -> None:
    """Only a word that occurs nowhere makes it "none". Everyday words are not looked for."""
    near = webshop.search("how is an order placed with a credit card?", timeout=60).result.confidence
    far = webshop.search("how is an order placed with a zeppelin?", timeout=60).result.confidence
    assert near.nearness is not None
    assert far.nearness is not None
    assert far.nearness < near.nearness <= 1.0
    assert evidence(far) < evidence(near)  # type: ignore[operator]
    assert evidence(near) == pytest.approx((2 * near.mean_similarity + near.nearness) / 3)
    everyday = webshop.search("how do I make it do that again?", timeout=60).result.confidence
    assert everyday.nearness == 1.0


@given(
    st.lists(st.sampled_from(["session", "sessions", "sesion", "kubernetes", "load_session", "ingress", "get", "a"]))
)
def test_absent_words_have_no_form_that_occurs(words: list[str]) -> None:
    there = {token for word in ("session", "load_session") for token in analyze(word)}
    absent, misspelt = absent_words(" ".join(words), there.__contains__, {"ingress"}.__contains__, {"session": 1.0}.get)
    assert set(absent) <= {"kubernetes", "ingress", "a"}
    assert {"kubernetes", "ingress"} & set(words) <= set(absent)
    assert set(misspelt) == {("sesion", "session")} & {(word, "session") for word in words}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("pagger", "pager"), ("sesions", "sessions"), ("frubs", "frobs"), ("tpken", "token"), ("kache", "cache")],
)
def test_the_word_meant_is_a_frequent_word_that_is_known(tmp_path: Path, typed: str, meant: str) -> None:
    words = {"pager": 4, "session": 4, "sense": 9, "frobs": 2, "token": 4, "taken": 1, "cache": 3, "kpagger": 9}
    chunks = [f"def {word}_{number}(): pass\n" for word, times in words.items() for number in range(times)]
    (tmp_path / "m.py").write_text("\n\n".join(chunks))
    found = Workspace(tmp_path, workers=0, cache=False).search(f"what is the {typed}").result.confidence
    assert dict(found.misspelt).get(typed) == meant


def test_an_empty_relation_says_how_certain_it_is(tmp_path: Path) -> None:
    source = "def lonely(): pass\n\nclass A:\n    def shown(self): pass\n\ndef f(x): x.shown().shown()\n"
    (tmp_path / "m.py").write_text(source)
    workspace = Workspace(tmp_path, workers=0, cache=False)
    lonely, shown = workspace.search("who calls lonely?"), workspace.search("who calls A.shown?")
    assert lonely.absence is not None
    assert shown.absence is not None
    assert (lonely.confidence, lonely.absence.kind) == ("none", "none")
    assert (shown.confidence, shown.absence.kind) == ("weak", "possible")
    assert "on receivers of unknown type may mean it" in repr(shown)
    unasked = workspace.search("who calls lonely?", lanes=["bm25"])
    assert any(said.startswith("The graph lane is off, so callers were not looked up.") for said in unasked.notices)
    assert {hit.role for hit in unasked} <= {"", "asked about"}


def test_a_path_question_shows_the_path_with_its_edges(webshop: Workspace) -> None:
    answer = webshop.search("how does Storefront.checkout reach luhn_valid?")
    assert answer.paths is not None
    assert not any("share words" in said for said in answer.notices)  # every hit is on the path
    assert answer.paths[0].symbol_ids == webshop.path("Storefront.checkout", "luhn_valid")[0].symbol_ids
    for text in (repr(answer), answer.to_markdown()):
        for edge in answer.paths[0].edges:
            assert f"{edge.verb}{basis_of(edge.rule)} at {edge.sites[0].path}:{edge.sites[0].line}" in text
    assert json.loads(json.dumps(answer.to_dict()))["paths"]["paths"][0]["edges"]
    back = webshop.search("how does luhn_valid reach Storefront.checkout?")
    assert back.absence is not None
    assert back.confidence in ("none", "weak")


def test_an_impact_says_one_number_and_keeps_to_its_depth(webshop: Workspace) -> None:
    for depth in (1, 2, 3):
        answer = webshop.search("what breaks if luhn_valid changes?", depth=depth, top_k=200)
        walked = webshop.impact("luhn_valid", depth=depth)
        number = len(walked)
        assert answer.result.extent is not None
        assert answer.result.extent.certain == number
        assert answer.notices[0] == walked.verdict.text
        assert walked.headline.startswith(f"{number} symbol")
        paths = [hit.call_path for hit in answer if hit.role.endswith("affected")]
        assert all(path is not None and 0 < len(path.edges) <= depth for path in paths)


def test_a_plain_word_is_no_misspelt_name(webshop: Workspace) -> None:
    for word in ("errors", "customer", "paying"):
        plan = webshop.search(word).plan
        assert "embedding" in plan.lanes
        assert plan.identifiers in ((), (word,))
    assert webshop.search("luhn_vlaid").plan.identifiers == ("luhn_valid",)


def test_questions_about_other_code_are_told_apart(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setattr(sys, "argv", ["answerability.py", "--short", "--wrong", "10"])
    answerability.main()
    own, _wrong, crossed = capsys.readouterr().out.splitlines()
    assert own.startswith("own")
    assert crossed.startswith("threshold set by the other repositories")
    found = [answerability.Measured("a", True, "answered", 0.5), answerability.Measured("b", True, "weak", 0.3),
             answerability.Measured("a", False, "none", 0.1)]  # fmt: skip
    assert answerability.shares(found) == {"own": (2, 0.5, 0.0), "wrong": (1, 1.0, 1.0)}
    assert answerability.crossed(found) == (0.5, 1.0)


def test_a_name_of_code_from_outside_is_not_corrected(tmp_path: Path) -> None:
    """`setHeader` of Node is used, and another symbol is called `setHeaders`."""
    (tmp_path / "reply.js").write_text(
        "exports.setHeaders = function (reply) { reply.setHeader('a', 'b') }\n"
        "exports.send = function (reply) { reply.setHeader('c', 'd') }\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    (notice,) = [each for each in workspace.search("what calls setHeader?").result.notices if "setHeader" in each]
    assert "it is used at reply.js:1, reply.js:2, but no symbol has this name" in notice
    assert "`setHeaders` was taken instead" in " ".join(workspace.search("what calls setHeadrs?").result.notices)


def test_a_trait_from_outside_is_not_read_as_the_method_of_its_letters(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(
        "use std::str::FromStr;\npub struct Theme;\npub struct Other;\n"
        "impl FromStr for Theme {\n    type Err = ();\n"
        "    fn from_str(s: &str) -> Result<Self, ()> { Ok(Theme) }\n}\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    answer = workspace.search("what implements FromStr?")
    assert [hit.symbol.name for hit in answer] == ["Theme"]
    assert answer.result.notices == (
        "1 implementor of std.str.FromStr.",
        "`FromStr` is outside this repository: `std.str.FromStr`.",
    )
    (tmp_path / "src/kinds.rs").write_text(
        "pub enum Kind { Default, Other }\npub struct Size;\n"
        "impl Default for Size {\n    fn default() -> Self { Size }\n}\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    assert [hit.symbol.name for hit in workspace.search("what implements Default?")] == ["Size"]
    assert [symbol.name for symbol in workspace.implementors("Default")] == ["Size"]
    assert workspace.uses("Kind.Default").headline.endswith("Kind::Default")
    assert "`from_str` was taken instead" in " ".join(workspace.search("what calls fromStr?").result.notices)


@pytest.mark.parametrize(
    ("question", "survey"),
    [
        ("which functions are never used?", "dead_code"),
        ("is there dead code?", "dead_code"),
        ("what is never used?", "dead_code"),
        ("which functions are dead?", "dead_code"),
        ("what does nothing call?", "dead_code"),
        ("which methods have no callers?", "dead_code"),
        ("which methods have callers?", None),
        ("what happens to an order that is never paid?", None),
        ("are there circular imports?", "cycles"),
        ("what are the entry points?", "entry_points"),
        ("what are the most important classes?", "hubs"),
        ("how is a cart checked out?", None),
        ("where are entries of the ledger used?", None),
    ],
)
def test_a_question_about_the_whole_repository_is_led_to_its_survey(
    webshop: Workspace, question: str, survey: str | None
) -> None:
    answer = webshop.search(question)
    assert [step.call for step in answer.next_steps] == ([survey] if survey else [])
    assert (f"ws.{survey}(" in str(answer)) == bool(survey)
    assert not survey or "not in this code" not in str(answer)
    for step in answer.next_steps:
        getattr(webshop, step.call)(**dict(step.options))


def test_a_function_comes_before_the_package_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.com/tool\n")
    (tmp_path / "cli").mkdir()
    (tmp_path / "main.go").write_text('package main\n\nimport "example.com/tool/cli"\n\nfunc main() { cli.Parse() }\n')
    (tmp_path / "cli" / "cli.go").write_text("package cli\n\nfunc Parse() { work() }\n\nfunc work() {}\n")
    workspace = Workspace(tmp_path, cache=False, workers=0)
    assert [symbol.fqn for symbol in workspace.catalog.meant("main")] == ["main.main"]
    assert workspace.paths("main", "work").paths
    assert "1 path" in str(workspace.search("how does main reach work?"))


def test_a_module_is_no_correction_where_nothing_calls_modules(tmp_path: Path) -> None:
    (tmp_path / "sanitizer.py").write_text("def clean(text):\n    return text\n")
    (tmp_path / "page.py").write_text("import sanitizer\n\nprint(sanitizer.clean(''))\n")
    workspace = Workspace(tmp_path, cache=False, workers=0)
    assert workspace.search("who calls Sanitizr?").plan.identifiers == ("Sanitizr",)
    assert workspace.search("what imports Sanitizr?").plan.identifiers == ("sanitizer",)


def test_a_local_is_no_other_symbol_and_a_member_of_another_receiver_is_none(tmp_path: Path) -> None:
    (tmp_path / "m.go").write_text(
        "package m\n\nvar header = style()\n\nfunc draw() {\n\treset := func() { tree.Render(1) }\n\treset()\n}\n"
    )
    (tmp_path / "m.c").write_text("void clear(void) {\n    flag_of_system = 0;\n}\n")
    (tmp_path / "p.py").write_text("def clear():\n    flag_of_p = 0\n    return flag_of_p\n")
    (tmp_path / "lib.rs").write_text("pub struct Options;\nfn main() { let found = cli::Options::parse(); }\n")
    workspace = Workspace(tmp_path, cache=False, workers=0)
    said = {
        each: " ".join(workspace.search(f"who calls {each}?").result.notices)
        for each in (
            "flag_of_system",
            "flag_of_p",
            "reset",
            "the local variable reset",
            "header.Render",
            "tree.Render",
            "Options::parse",
        )
    }
    assert said["reset"] == "No symbol is called `reset`: it is local to `m.draw` (m.go:6, m.go:7)."
    assert "it is local to `p.clear` (p.py:2, p.py:3)" in said["flag_of_p"]
    assert "local to" not in said["flag_of_system"]
    assert said["the local variable reset"] == said["reset"]
    assert "m.go:6" not in said["header.Render"]
    assert "it is used at m.go:6" in said["tree.Render"]
    assert "it is used at lib.rs:2" in said["Options::parse"]


def test_a_type_of_the_language_is_no_symbol_of_a_similar_name(tmp_path: Path) -> None:
    (tmp_path / "m.go").write_text("package m\n\nfunc printError(err error) {}\n")
    (notice,) = Workspace(tmp_path, cache=False, workers=0).search("what implements error?").result.notices[-1:]
    assert notice == "No symbol is called `error`: it is a name of Go itself, whose uses are not followed."
