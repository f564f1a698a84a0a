"""Templates of ERB and Blade: their code is that of Ruby and PHP, with the lines of the template."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.languages.templates import template_view
from codeexplore.syntax.analyse import analyse
from codeexplore.types import SourceFile

ERB = """<%# a comment: hidden() %>
<h1 id="top"><%= title(@page) -%></h1>
<% Post.newest.each do |post| %>
  <%= row post, Site.name %>
<% else %><% end %>
<%% literal() %>
"""
BLADE = """{{-- hidden() --}}
@if(canEdit($page) && (one() || two()))
  {{ title($page) }} {!! raw() !!} me@example.com (no)
@endif
@forelse (items() as $item)
  @include('row', ['url' => $item->link(')'), 'kind' => \\App\\Kind::of($item)])
@empty
@endforelse
@php $made = make(); @endphp
<?php echo last() ?>
"""


def _calls(language: str, text: str) -> list[tuple[str, int]]:
    facts = analyse(SourceFile(f"v.{language}", language, text, "")).facts
    assert not facts.errors
    return [(row.path, row.line) for row in facts.references if row.kind == "call"]


def test_the_code_of_erb_is_ruby() -> None:
    calls = [("title", 2), ("Post.newest", 3), ("Post.newest().each", 3), ("row", 4), ("Site.name", 4)]
    assert sorted(_calls("erb", ERB), key=str) == sorted(calls, key=str)


def test_the_code_of_blade_is_php() -> None:
    calls = _calls("blade", BLADE)
    names = ["canEdit", "one", "two", "title", "raw", "items", "$item.link", "\\App.Kind.of", "make", "last"]
    assert sorted(calls, key=str) == sorted(zip(names, (2, 2, 2, 3, 3, 5, 6, 6, 9, 10), strict=True), key=str)


def test_a_template_calls_what_its_code_names_and_keeps_its_elements(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/site.rb").write_text(
        "class Site\n  def self.name; 1; end\nend\nmodule PageHelper\n  def row(a, b); end\nend\n"
    )
    (tmp_path / "app/v.html.erb").write_text(ERB)
    ws = Workspace(tmp_path, workers=0, cache=False)
    called = {edge.target.rpartition(":")[2]: edge for edge in ws.graph.edges if edge.kind == "CALLS"}
    assert {name: (edge.confidence, edge.sites[0].line) for name, edge in called.items()} == {
        "Site.name": (1.0, 4), "PageHelper#row": (0.5, 4),
    }  # fmt: skip
    assert [(s.name, s.kind) for s in ws.outline("app/v.html.erb")][1:] == [("top", "element")]
    assert ws.search("title of the page").hits


def test_a_directive_names_what_it_gets(tmp_path: Path) -> None:
    (tmp_path / "a.php").write_text(
        "<?php\nclass Form { private function other() {} function rows() {} }\nfunction f() {}\n"
    )
    (tmp_path / "b.php").write_text("<?php\nclass More { function rows() {} }\nclass Most { function rows() {} }\n")
    (tmp_path / "v.blade.php").write_text("@include('x', [\n  'rows' => $data->rows(),\n  'f' => f(),\n])\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert [edge.confidence for edge in ws.callers("f").edges] == [1.0]
    assert ws.callers("Form.rows").absence is None or ws.callers("Form.rows").absence.kind != "none"


@given(st.text(alphabet="<%=-#>{}!@()if\n'\" a", max_size=60), st.sampled_from(["erb", "blade"]))
def test_a_view_keeps_lines_and_places(text: str, language: str) -> None:
    data = text.encode()
    view = template_view(language, data)
    assert len(view) == len(data) + 1
    assert [place for place, byte in enumerate(view) if byte == 10] == [p for p, byte in enumerate(data) if byte == 10]


@pytest.mark.parametrize("mark", ["<%", "{{", "{!!", "{{--", "@php ", "<?=", "@if(", "@if('"])
def test_many_marks_without_an_end_are_read(mark: str) -> None:
    for language in ("erb", "blade"):
        view = template_view(language, mark.encode() * 20_000)  # took the square of it: minutes
        assert len(view) == len(mark) * 20_000 + 1
