"""Records print on a screen, however much they hold."""

from dataclasses import replace

from codeexplore import Workspace, sample_repo
from codeexplore.types import Skipped
from tests.answers import workspace_summary


def test_a_summary_with_a_hundred_thousand_skipped_files_prints_on_a_screen():
    skipped = tuple(Skipped(f"vendor/{number}.js", "too large", "2 MB") for number in range(100_000))
    shown = repr(replace(workspace_summary(), skipped_files=skipped))
    assert len(shown) < 2_500
    assert "100,000 in all" in shown
    assert "vendor/0.js" in shown


def test_every_record_of_a_workspace_prints_on_a_screen():
    ws = Workspace(sample_repo("webshop"), workers=0, cache=False, progress=lambda *_: None)
    answer, walk = ws.search("what calls validate_session?", top_k=50), ws.impact("Money")
    largest = max(ws.catalog.chunks, key=lambda chunk: len(chunk.text))
    path = max(ws.files, key=lambda each: len(ws.file(each).text))
    records = [ws.summary, answer.result, answer.plan, *answer.rankings, walk.subgraph, largest, ws.file(path)]
    for record in (*records, ws.symbol("Money")):
        shown = repr(record)
        assert shown.startswith(f"{type(record).__name__}(")
        assert len(shown) < 2_500
    assert "text='what calls validate_session?'" in repr(answer.plan)
