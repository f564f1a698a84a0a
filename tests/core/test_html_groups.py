"""Groups of long graphs: what they hold, how they open, and how they are drawn and searched in the explorer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.answers.drawing.layout import DISTANCE, GROUPINGS, MODULE, MOST_DRAWN, draw, grouped, groups_of
from codeexplore.graph.model import layered_order
from codeexplore.notebook.explorer import Explorer
from tests.core.test_notebook_explorer import Page

PATHS = st.lists(st.sampled_from(("a", "b", "é", "<i>")), min_size=1, max_size=3).map("/".join)
SYMBOLS = st.lists(st.tuples(st.integers(-3, 3), PATHS, st.booleans()), max_size=60)


@given(SYMBOLS, st.sampled_from(GROUPINGS), st.integers(7, 40))
def test_each_symbol_is_in_at_most_one_group_and_opening_ends_with_symbols(symbols, by, limit):
    columns = {str(number): column for number, (column, _, _) in enumerate(symbols)}
    paths = {str(number): path for number, (_, path, _) in enumerate(symbols)}
    certain = {str(number) for number, (_, _, sure) in enumerate(symbols) if sure}
    opened = set()
    groups = groups_of(columns, paths, certain, by, opened, limit)
    while groups:
        members = [each for group in groups for each in group.symbols]
        assert len(members) == len(set(members))
        assert len({group.id for group in groups}) == len(groups)
        assert not any(columns[each] == 0 for each in members)
        for group in groups:
            assert len(group.symbols) > 1
            assert {columns[each] for each in group.symbols} == {group.column}
            assert len({each in certain for each in group.symbols}) == 1
            assert group.label.endswith(f" · {len(group.symbols)}")
        before = len(columns) - len(members) + len(groups)
        opened.add(groups[0].id)
        groups = groups_of(columns, paths, certain, by, opened, limit)
        after = len(columns) - sum(len(group.symbols) for group in groups) + len(groups)
        assert after > before


@given(st.lists(st.integers(0, 3), min_size=1, max_size=50), st.randoms(use_true_random=False))
def test_edges_that_skip_layers_crash_nothing(depths, random):
    layers = [sorted(set(depths)).index(depth) for depth in depths]
    pairs = {tuple(random.sample(range(len(layers)), 2)) for _ in layers[1:]}
    assert len(layered_order(layers, sorted(pairs))) == len(layers)


def test_the_first_view_has_the_finest_groups_that_fit():
    columns = {f"{folder}{file}{n}": 1 for folder in "xy" for file in "abc" for n in range(3)} | {"start": 0}
    paths = {each: f"{each[0]}/{each[1]}.py" for each in columns}
    fits = groups_of(columns, paths, set(columns), MODULE, (), 6)
    assert sorted(group.label for group in fits) == [f"{f}/{n}.py · 3" for f in "xy" for n in "abc"]
    coarse = groups_of(columns, paths, set(columns), MODULE, (), 5)
    assert [group.label for group in coarse] == ["x · 9", "y · 9"]
    (one,) = groups_of(columns, paths, set(columns), DISTANCE, (), 6)
    assert (one.label, one.title) == ("1 step · 18", "18 symbols, 1 step")
    inside = groups_of(columns, paths, set(columns), MODULE, {coarse[0].id}, 5)
    assert [group.label for group in inside] == ["a.py · 3", "b.py · 3", "c.py · 3", "y · 9"]


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A workspace in which 150 functions call one."""
    root = tmp_path_factory.mktemp("long")
    (root / "core.py").write_text("def seed():\n    return 1\n")
    for file in range(15):
        users = "\n\n".join(f"def user{file}_{n}():\n    return seed()" for n in range(10))
        (root / f"part{file}.py").write_text(f"from core import seed\n\n\n{users}\n")
    return Workspace(root, cache=False, workers=0, progress=lambda *_: None)


def test_a_long_graph_is_drawn_in_groups_with_all_its_symbols(long):
    answer = long.callers("seed")
    groups = grouped(answer, MODULE, ())
    drawing = draw(answer, groups=groups)
    assert len(drawing.boxes) == 16 <= MOST_DRAWN < 151
    assert sum(box.members for box in drawing.boxes) == 150
    assert drawing.cut == 0
    assert {(link.source, link.target) for link in drawing.links} == {
        (n, 0) for n, box in enumerate(drawing.boxes) if box.members
    }
    assert max(box.width for box in drawing.boxes) < 200
    assert grouped(long.callers("user1_1"), MODULE, ()) == ()


def test_groups_open_and_close_and_nothing_is_walked_again(long, monkeypatch):
    page = Page(Explorer(long))
    found = page.ask("search", question="what calls seed?")
    first = page.ask("graph", symbol=found["start"])
    assert len(first["list"]) == 1 + 150
    (group,) = (box for box in first["boxes"] if box["label"] == "part3.py · 10")
    monkeypatch.setattr(long, "callers", lambda *_, **__: 1 / 0, raising=False)  # groups need no other walk
    opened = page.ask("graph", symbol=found["start"], opened=[group["id"]])
    labels = [box["label"] for box in opened["boxes"]]
    assert "user3_7" in labels
    assert "part3.py · 10" not in labels
    assert page.ask("graph", symbol=found["start"])["boxes"] == first["boxes"]
