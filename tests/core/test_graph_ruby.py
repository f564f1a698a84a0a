"""What questions say about Ruby: blocks, reopened modules, mixins into a receiver, templates and operators."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codeexplore import Workspace


def _loaded(folder: Path, files: Mapping[str, str]) -> Workspace:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Workspace(folder, workers=0, cache=False)


def _said(answer: object) -> str:
    return " ".join(str(answer).split())


HANDED = "class Store\n  def flush; 1; end\n  def keep(h)\n    {}\n  end\nend\n"
"""A class with a block, or with none, that calls the target."""


@pytest.mark.parametrize("block", ["h << -> { flush }", "on(:x) { flush }", "on(:x) do |e|\n      flush\n    end"])
@pytest.mark.parametrize(
    "call",
    ["block.call", "yield", "[1].each(&block)", "@h[n].call", "eval(s)", "ERB.new(t).result(binding)"],
)
def test_the_call_of_a_block_may_run_any_block_that_is_handed_on(tmp_path: Path, block: str, call: str) -> None:
    run = f"class Run\n  def go(n, s, t, &block)\n    {call}\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": run, "b.rb": HANDED.format(block)})
    assert "1 unresolved call may connect them (a.rb:3)" in _said(ws.paths("Run#go", "Store#flush"))


@pytest.mark.parametrize(
    ("call", "block"),
    [
        ("1", "on(:x) { flush }"),
        ("yield", "flush"),
        ("yield", "on(:x) { 1 }\n    flush"),
        ("yield", "on { |x|\n    }\n    flush"),
    ],
)
def test_without_a_block_or_its_call_nothing_connects(tmp_path: Path, call: str, block: str) -> None:
    run = f"class Run\n  def go\n    {call}\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": run, "b.rb": HANDED.format(block)})
    assert "no unresolved call connects them" in _said(ws.paths("Run#go", "Store#flush"))


def test_a_block_of_another_caller_is_not_run(tmp_path: Path) -> None:
    run = "class Run\n  def go\n    each { 1 }\n  end\n  def each\n    yield\n  end\nend\n"
    ws = _loaded(tmp_path, {"a.rb": run, "b.rb": HANDED.format("on(:x) { flush }")})
    assert "no unresolved call connects them" in _said(ws.paths("Run#go", "Store#flush"))
    assert "1 unresolved call may connect them (a.rb:6)" in _said(ws.paths("Run#each", "Store#flush"))
