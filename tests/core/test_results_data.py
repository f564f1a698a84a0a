"""Views: their data, and that they survive JSON, pandas and Markdown."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from codeexplore import answers as results
from codeexplore.answers import SearchHit
from codeexplore.answers.graph import IncomingEdges
from codeexplore.types import SCHEMA_VERSION, Chunk, FusedHit, Span
from tests.answers import HOSTILE, empty_graph_answer, graph_answer, paths_answer, search_answer
from tests.doubles import make_chunk, make_symbol


def test_a_hit_reports_its_symbols_span_not_its_parts():
    symbol = make_symbol("app.long", start_line=10, end_line=400)
    part = Chunk("c", symbol.path, (Span(130, 250, 0, 9),), "x", "python", symbol.id, part=2)
    hit = SearchHit(FusedHit("c", 1, 0.5, ()), part, symbol)
    assert (hit.start_line, hit.end_line, hit.location) == (10, 400, "app/main.py:10")
    assert (hit.chunk.start_line, hit.chunk.end_line) == (130, 250)


def test_a_hit_without_symbol_reports_its_chunk():
    spans = (Span(3, 4, 20, 40), Span(9, 9, 80, 90))
    hit = SearchHit(FusedHit("c", 1, 0.5, ()), Chunk("c", "README.md", spans, "a\nb\nc", "markdown", None), None)
    assert (hit.start_line, hit.end_line, hit.kind, hit.name) == (3, 9, "text", "README.md:3")
    assert hit.numbered_lines() == ((3, "a"), (4, "b"), (9, "c"))


def test_scores_add_up_in_the_data_frame():
    answer = search_answer()
    frame = answer.to_frame()
    shares = [column for column in frame.columns if column.startswith(("lane_", "signal_"))]
    assert "lane_graph" in shares  # a lane that gave nothing is a column of zeros
    assert frame[shares].sum(axis=1).tolist() == pytest.approx(frame["score"].tolist(), rel=1e-12)
    assert frame["rank"].tolist() == [1, 2, 3]


def test_an_answer_is_a_sequence_of_hits():
    answer = search_answer()
    assert len(answer) == 3
    assert [hit.rank for hit in answer] == [1, 2, 3]
    assert answer[0] is answer.hits[0]
    assert answer[-2:] == answer.hits[1:]


@pytest.mark.parametrize("make", [search_answer, graph_answer, paths_answer])
def test_data_survives_json(make):
    data = make(HOSTILE[:4]).to_dict()
    assert data["schema"] == SCHEMA_VERSION
    assert json.loads(json.dumps(data)) == data


def test_an_empty_answer_has_its_columns():
    empty = replace(search_answer(), hits=())
    assert list(empty.to_frame().columns[:3]) == ["rank", "score", "symbol"]
    assert list(empty_graph_answer().to_frame().columns[:3]) == ["depth", "symbol", "kind"]


def test_graph_answers_list_symbols_without_seeds():
    answer = graph_answer()
    assert [symbol.fqn for symbol in answer] == ["app.near", "app.far"]
    assert answer.headline == "2 callers of app.seed: 1 certain, 1 likely"
    row = answer.to_frame().iloc[1]
    assert (row["depth"], row["via"], row["rule"], row["sites"]) == (2, "app.near", "import", ["app/2.py:9"])


def test_edges_are_looked_at_once_however_many_symbols_are_told(monkeypatch):
    made = []
    monkeypatch.setattr(results.graph, "IncomingEdges", lambda *given: made.append(given) or IncomingEdges(*given))
    answer = graph_answer()
    for tell in (answer.to_frame, answer.to_markdown, lambda: answer.path_to(answer[1])):
        tell()
    assert len(answer) == 2
    assert len(made) == 3
    told = answer.incoming()
    assert [told.of(reached)[0].source for reached in answer.reached] == [each.id for each in answer]


def test_absence_is_said():
    answer = empty_graph_answer()
    assert len(answer) == 0
    assert answer.headline == "No callers of app.seed"
    assert "No callers in this repository." in repr(answer)
    assert "No callers in this repository." in answer.to_markdown()


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_keeps_hostile_names_in_code_spans(text):
    markdown = search_answer((text, "app.two"), question=text).to_markdown(source=False)
    rows = [line for line in markdown.splitlines() if line.startswith("| 1 ")]
    assert len(rows) == 1
    cells = rows[0].replace("\\|", "").split("|")
    assert len(cells) == 6  # four cells between five bars
    assert cells[2].strip().startswith("`")
    assert cells[2].strip().endswith("`")


def test_a_fence_outlasts_the_source_within():
    markdown = search_answer(text="```\nbreak out\n````").to_markdown()
    assert "`````python" in markdown


def test_missing_pandas_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        search_answer().to_frame()


def test_views_load_no_heavy_package():
    code = (
        "import sys, codeexplore.answers, codeexplore.answers.wording, codeexplore.answers.markdown\n"
        "heavy = {'pandas', 'numpy', 'igraph', 'IPython', 'ipywidgets', 'pyvis', 'pygments', 'bm25s'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_make_chunk_and_views_agree():
    chunk = make_chunk(make_symbol("app.one"), text="a\nb\nc")
    hit = SearchHit(FusedHit(chunk.id, 1, 0.5, ()), chunk, None)
    assert hit.numbered_lines() == ((1, "a"), (2, "b"), (3, "c"))
