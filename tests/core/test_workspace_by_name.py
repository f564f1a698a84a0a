"""Answers by name, which are given while the graph is being built."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.answers.html.show import shown_html

FILES = {
    "a.py": "class Box:\n    def open(self):\n        return seal(self)\n\n\ndef seal(box):\n    print(box)\n",
    "b.py": "from a import Box\n\n\nclass Crate(Box):\n    pass\n\n\n"
    "def go():\n    Box().open()  # opens it\n    # Box\n",
}


def later(root: str | Path) -> Workspace:
    return Workspace(root, graph="background", workers=0, cache=False)


def written(root: Path) -> Workspace:
    for path, text in FILES.items():
        (root / path).write_text(text)
    return later(root)


def places(answer: Any) -> list[str]:
    return [f"{use.site.path}:{use.site.line}" for use in answer.absence.mentions]


@pytest.mark.parametrize(
    ("relation", "name", "expected"),
    [
        ("callers", "a.Box", ["b.py:1", "b.py:4", "b.py:9"]),
        ("uses", "a.Box", ["b.py:1", "b.py:4", "b.py:9"]),
        ("subclasses", "a.Box", ["b.py:1", "b.py:4", "b.py:9"]),
        ("callers", "a.Box.open", ["b.py:9"]),
        ("callees", "a.Box.open", ["a.py:3"]),
        ("callees", "b.go", ["b.py:9", "b.py:9"]),
        ("callees", "a.seal", []),  # no definition is called print
    ],
)
def test_places_with_the_name_are_listed(
    relation: str, name: str, expected: list[str], going: threading.Event, tmp_path: Path
) -> None:
    ws = written(tmp_path)
    answer = getattr(ws, relation)(name)
    assert ws.graph_state == "building"
    assert places(answer) == expected
    assert not answer.symbols
    assert answer.absence.kind == "unknown"
    going.set()
    assert ws.wait_for_graph(60)
    assert not getattr(ws, relation)(name).estimate


def test_callees_name_the_symbols_that_may_be_meant(going: threading.Event, tmp_path: Path) -> None:
    opened, made = written(tmp_path).callees("b.go").absence.mentions
    assert (made.targets, opened.targets) == (("a.Box",), ("a.Box.open",))
    assert opened.text == "Box().open()  # opens it"
    both = written(tmp_path).callers("a.Box.open", direction="both")
    assert places(both) == ["b.py:9", "a.py:3"]


def test_an_answer_by_name_says_so_once_in_every_display(going: threading.Event) -> None:
    ws = later(sample_repo("webshop"))
    answer = ws.callers("webshop.cart.Cart")
    assert answer.headline == "Callers of webshop.cart.Cart: by name, the graph is being built"
    for shown in (str(answer), answer.to_markdown(), shown_html(answer)):
        said = " ".join(shown.split())
        assert said.count("by name, the graph is being built") == 1
        assert "wait_for_graph" in said
    assert answer.to_dict()["estimate"] == answer.estimate == "by name, the graph is being built"
    assert ws.graph_state == "building"


def test_no_place_found_is_no_claim(going: threading.Event, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def lonely():\n    pass\n")
    ws = later(tmp_path)
    answer = ws.callers("lonely")
    assert answer.absence is not None
    assert answer.absence.kind == "unknown"
    assert "so far" in str(answer.absence)
    going.set()
    assert ws.wait_for_graph(60)
    assert ws.callers("lonely").absence is not None
    assert "so far" not in str(ws.callers("lonely"))


@pytest.mark.parametrize(
    ("options", "answered"),
    [({}, True), ({"depth": 2}, False), ({"direction": "out"}, False), ({"direction": "both"}, True),
     ({"kinds": ("USES",)}, False), ({"include_externals": True}, False), ({"min_confidence": 0.3}, True)],
)  # fmt: skip
def test_what_a_name_cannot_tell_waits(options: dict[str, Any], answered: bool, going: threading.Event) -> None:
    ws = later(sample_repo("webshop"))
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(ws.callers("webshop.cart.Cart", **options)))
    thread.start()
    if answered:
        thread.join(60)
    assert bool(found) is answered
    going.set()
    thread.join(60)
    assert bool(found[0].estimate) is answered


def test_an_edit_while_the_graph_is_built_is_in_the_answer(going: threading.Event, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def run():\n    pass\n")
    ws = later(tmp_path)
    assert not places(ws.callers("a.run"))
    (tmp_path / "b.py").write_text("from a import run\n\n\ndef go():\n    run()\n")
    ws.refresh(graph="background")
    assert ws.graph_state == "building"
    assert places(ws.callers("a.run")) == ["b.py:1", "b.py:5"]
