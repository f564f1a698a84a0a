"""Templates of ERB and Blade: their code is that of Ruby and PHP, with the lines of the template."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.languages.embedded import MAKING, made_view, template_view
from codeexplore.languages.registry import by_path, is_made
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


@pytest.mark.parametrize(
    ("path", "language", "made"),
    [
        ("app.js.erb", "javascript", True), ("config.yml.j2", "yaml", True), ("Dockerfile.j2", "dockerfile", True),
        ("Gemfile.erb", "ruby", True), ("view.html.erb", "erb", False), ("mail.text.erb", "erb", False),
        ("database.yml.erb", "erb", False), ("page.html.j2", "html", False), ("page.j2", "html", False),
        ("view.blade.php", "blade", False), ("notes.ipynb.j2", "html", False),
    ],
)  # fmt: skip
def test_the_name_of_a_template_says_what_it_makes(path: str, language: str, made: bool) -> None:
    found = by_path(path)
    assert found is not None
    assert (found.name, is_made(path)) == (language, made)


SCRIPT = """<% icons.each do |icon| %>
function <%= icon %>Shown(a) { return hide(a, "<%= icon %>"); }
<% end %>
function hide(a, b) { return '<%= label(:hidden) %>'; }
"""


def test_a_template_is_of_the_language_that_it_makes(tmp_path: Path) -> None:
    (tmp_path / "help.rb").write_text("module Help\n  def label(name); end\nend\n")
    (tmp_path / "app.js.erb").write_text(SCRIPT)
    (tmp_path / "styles.css.erb").write_text(".top { color: <%= label(:top) %>; }\n")
    ws = Workspace(tmp_path, workers=0, cache=False)
    calls = {
        (edge.source.rpartition(".")[2], edge.target.rpartition(".")[2]) for edge in ws.callees("app.js.erb:2").edges
    }
    assert calls == {("____icon___Shown", "hide")}
    assert [(s.name, s.kind, s.language) for s in ws.outline("app.js.erb")][1:] == [
        ("____icon___Shown", "function", "javascript"), ("hide", "function", "javascript"),
    ]  # fmt: skip
    chunks = analyse(SourceFile("app.js.erb", "javascript", SCRIPT, "")).chunks
    assert [chunk.text for chunk in chunks if "hidden" in chunk.text] == [SCRIPT.split("\n")[3]]
    used = {(edge.sites[0].path, edge.kind, edge.rule) for edge in ws.graph.edges if edge.target[-6:] == "#label"}
    assert used == {
        ("app.js.erb", "USES", "tag"), ("styles.css.erb", "CALLS", "name"), ("help.rb", "CONTAINS", "definition"),
    }  # fmt: skip
    assert [(s.name, s.kind) for s in ws.outline("styles.css.erb")][1:] == [(".top", "selector")]


def test_a_value_in_a_line_is_a_name_and_other_tags_are_blanks() -> None:
    view = made_view(
        ".tmpl", b"{{range .X}}\nfunc {{.Name}}() {{if .A}}int{{end}}\n  {{ .Body }}\n{{end}}\n{# no #}{{ open\n"
    )
    assert (
        view
        == b"            \nfunc ___Name__() "
        + b" " * 9
        + b"int"
        + b" " * 7
        + b"\n             \n       \n        {{ open\n"
    )


@given(st.text(alphabet="<%=-#>{}!if\n'\" a", max_size=60), st.sampled_from(sorted(MAKING)))
def test_what_a_template_makes_keeps_lines_and_places(text: str, suffix: str) -> None:
    view = made_view(suffix, text.encode())
    assert len(view) == len(text.encode())
    assert view.count(b"\n") == text.count("\n")


@pytest.mark.parametrize("mark", ["<%", "{{", "{%", "{#", "{{ a }} "])
def test_many_tags_in_one_line_are_read(mark: str) -> None:
    for suffix in (".erb", ".j2"):
        assert len(made_view(suffix, mark.encode() * 20_000)) == len(mark) * 20_000
