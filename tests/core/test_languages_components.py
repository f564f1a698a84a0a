"""Vue and Svelte components: their scripts are code with the lines of the component, their other blocks are text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.languages.embedded import script_view
from codeexplore.syntax.analyse import analyse
from codeexplore.types import SourceFile

FORM = """<template>
  <form @submit="save">
    <Card :total="total" />
  </form>
</template>

<script setup lang="ts">
import { total } from './cart'

/** Save the form. */
function save(event: Event): void {
  send(total(event))
}

function send(x: number): number { return x }
</script>

<style scoped>
.a { color: red }
</style>
"""
LIST = """<script context="module">
  export const limit = 3
</script>
<script>
  import Form from './Form.vue'
  import { total } from './cart'
  function show() { return total(limit) }
</script>

<h1>{show()}</h1>
"""


def test_scripts_are_code_with_the_lines_of_the_component() -> None:
    found = analyse(SourceFile("src/Form.vue", "vue", FORM, ""))
    assert [(s.kind, s.fqn, s.line, s.language) for s in found.facts.symbols] == [
        ("module", "src/Form.vue", 1, "vue"), ("function", "src/Form.vue.save", 11, "vue"),
        ("function", "src/Form.vue.send", 15, "vue"), ("block", "src/Form.vue#template", 1, "vue"),
        ("block", "src/Form.vue#style", 18, "vue"),
    ]  # fmt: skip
    assert found.facts.symbols[1].doc == "Save the form."
    assert [(r.path, r.line) for r in found.facts.references if r.kind == "call"] == [("send", 12), ("total", 12)]
    texts = {chunk.symbol: chunk.text for chunk in found.chunks}
    assert texts["src/Form.vue:src/Form.vue#template"].startswith("<template>\n  <form")
    assert texts["src/Form.vue:src/Form.vue.save"].startswith("/** Save the form. */")


def test_several_scripts_are_one_module_and_the_rest_is_markup() -> None:
    found = analyse(SourceFile("src/List.svelte", "svelte", LIST, ""))
    assert [(s.kind, s.fqn, s.line) for s in found.facts.symbols[1:]] == [
        ("constant", "src/List.svelte.limit", 2), ("function", "src/List.svelte.show", 7),
        ("block", "src/List.svelte#markup", 10),
    ]  # fmt: skip


def test_calls_lead_from_components_to_modules(tmp_path: Path) -> None:
    for path, text in {
        "src/Form.vue": FORM,
        "src/List.svelte": LIST,
        "src/cart.ts": "export function total(x: any): number {\n  return 1\n}\n",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    shop = Workspace(tmp_path, cache=False)
    assert {symbol.fqn for symbol in shop.callers("src/cart.total")} == {
        "src/Form.vue.save",
        "src/List.svelte.show",
    }
    assert {symbol.fqn for symbol in shop.imports("src/cart", direction="in")} == {
        "src/Form.vue",
        "src/List.svelte",
    }
    assert "save" not in {each.symbol_id.rpartition(".")[2] for each in shop.dead_code() if each.kind == "unused"}


PIECES = st.sampled_from(
    ["<script>", "<script lang=ts>", "</script>", "<template>", "<style>", "\n", "f()\n", "é", " ", "<", "\r\n"]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES | st.text(max_size=2), max_size=30).map("".join))
def test_every_line_is_in_a_chunk(text: str) -> None:
    data = text.encode("utf-8", "replace")
    view = script_view(data)
    assert len(view.data) == len(data)
    assert [i for i, byte in enumerate(view.data) if byte == 10] == [i for i, byte in enumerate(data) if byte == 10]
    found = analyse(SourceFile("a.vue", "vue", text, ""))
    owned = {n for c in found.chunks for span in c.spans for n in range(span.start_line, span.end_line + 1)}
    marks = {n for n, row in enumerate(data.split(b"\n"), 1) if row.strip()}
    assert marks <= owned
    assert len({s.id for s in found.facts.symbols}) == len(found.facts.symbols)


@pytest.mark.parametrize("mark", ["<script>", "<script ", "</script>", "<template>", "<div>\n"])
def test_a_hundred_thousand_tags_end(mark: str) -> None:
    assert analyse(SourceFile("a.vue", "vue", mark * 100_000, "")).facts.symbols
