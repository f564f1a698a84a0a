"""A hit's derivation: every level adds up to the one above, for every fusion and every kind of question."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import QuestionError, Workspace
from codeexplore.answers import Explanation
from codeexplore.answers.score_terms import SIGNAL_WORDS
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.search.reports import WEIGHTS

REPORT = """\
Cart total is wrong

`CartLine.total` ignores the discount of a session, and `checkout` fails:

```
cart = Cart()
cart.total()
```

Traceback (most recent call last):
  File "/home/ann/webshop/storefront.py", line 55, in checkout
  File "/home/ann/cart.py", line 3, in total
ValueError: no lines in the cart
"""

QUESTIONS = (
    "how is the total of a cart computed",
    "Cart",
    "who calls checkout",
    "what calls the code that applies a discount?",
    "how does Storefront validate a session",
    "path from Storefront.checkout to CartLine.total",
    "what breaks if I change Money?",
    "who calls total",
    REPORT,
)


def computed(explanation: Explanation) -> list[float]:
    """What each lane's formula gives when its numbers are put in."""
    found = []
    for lane in explanation.lanes:
        text = lane.working.formula.replace("·", "*").replace("−", "-")
        found.append(eval(text, {"__builtins__": {}}, dict(lane.working.inputs)))
    return found


@given(st.sampled_from(QUESTIONS), st.sampled_from(sorted(FUSIONS)), st.sampled_from([1, 30, 60]))
def test_every_level_adds_up(webshop: Workspace, question: str, fusion: str, rrf_k: int) -> None:
    answer = webshop.search(question, fusion=fusion, rrf_k=rrf_k, top_k=40, timeout=60)
    assert len(answer) > 0
    for hit in answer:
        why = answer.explain(hit.rank)
        assert (why.rank, why.score) == (hit.rank, hit.score)
        assert why.score == sum(lane.value for lane in why.lanes) + sum(a.value for a in why.adjustments)
        assert [(lane.lane, lane.value) for lane in why.lanes] == [(c.lane, c.value) for c in hit.contributions]
        assert computed(why) == [lane.value for lane in why.lanes]
        for lane in why.lanes:
            assert lane.parts, lane
            assert abs(lane.rounding) <= 1e-6
            assert lane.score == pytest.approx(sum(lane.parts) + lane.rounding, abs=1e-15)
            assert lane.lane != "graph" or lane.rounding == 0.0
        assert {lane.lane for lane in why.lanes} | {m.choice for m in why.missing} == {
            ranking.lane for ranking in answer.rankings
        }  # fmt: skip


def test_a_seeds_share_is_its_formula(webshop: Workspace) -> None:
    answer = webshop.search("what calls the code that applies a discount?", timeout=60)
    shares = [share for hit in answer for lane in answer.explain(hit.rank).lanes for share in lane.seeds]
    assert any(share.weight < 1 for share in shares)
    for share in shares:
        numbers = share._asdict() | {"__builtins__": {}}
        assert share.value == pytest.approx(eval(share.formula.replace("·", "*").replace("−", "-"), numbers))


def test_a_graph_hit_has_its_path(webshop: Workspace) -> None:
    answer = webshop.search("who calls checkout", timeout=60)
    graph = next(lane for lane in answer.explain(1).lanes if lane.lane == "graph")
    assert graph.path is not None
    assert graph.path.symbol_ids[0] == answer.plan.seeds[0].symbol_id
    assert "way: webshop.storefront.Storefront.checkout " in " ".join(repr(answer.explain(1)).split())


def test_text_and_json_hold_the_whole(webshop: Workspace) -> None:
    answer = webshop.search("how is the total of a cart computed", timeout=60)
    why = answer.explain(1)
    text = " ".join(repr(why).split())  # long lines wrap
    for lane in why.lanes:
        assert lane.lane in text
    for adjustment in why.adjustments:
        words = SIGNAL_WORDS.get(adjustment.signal)
        assert f"{adjustment.signal}{f' ({words})' if words else ''}: {adjustment.reason}" in text
    plain = json.loads(json.dumps(why.to_dict()))
    assert plain["score"] == why.score
    assert sum(lane["value"] for lane in plain["lanes"]) + sum(a["value"] for a in plain["adjustments"]) == why.score


@pytest.mark.parametrize("rank", [0, 11, -1, True, "1", 1.0])
def test_a_rank_that_is_not_there_is_named(webshop: Workspace, rank: object) -> None:
    answer = webshop.search("cart", timeout=60)
    with pytest.raises(QuestionError, match="the ranks here are 1 to"):
        answer.explain(rank)  # type: ignore[arg-type]


def test_parts_of_a_split_function_are_explained_by_the_part_each_lane_found(tmp_path) -> None:  # type: ignore[no-untyped-def]
    words = ["alpha", "beta", "gamma"]
    body = "\n".join(f"    {words[n // 100]}_{n} = 'reads the {words[n // 100]} register'" for n in range(300))
    (tmp_path / "long.py").write_text(f"def configure():\n{body}\n\ndef other():\n    return 'alpha'\n")
    ws = Workspace(tmp_path, progress=lambda *_: None)
    answer = ws.search("read the gamma and the alpha register")
    why = answer.explain(1)
    assert why.hit.chunk.part > 0
    assert all(abs(lane.rounding) <= 1e-6 for lane in why.lanes)


def test_the_report_of_the_property_has_all_parts(webshop: Workspace) -> None:
    answer = webshop.search(REPORT, top_k=40, timeout=60)
    assert {share.lane for hit in answer for share in hit.contributions} == set(WEIGHTS)
    assert {each.signal for hit in answer for each in hit.adjustments} >= {"whole file", "whole class", "strength"}
