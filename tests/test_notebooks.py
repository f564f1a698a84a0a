"""The notebooks as they are committed: run, still, small, and without a trace of the machine that ran them.

`make notebooks`, a part of `make check`, runs them anew.
"""

import json
import re
from copy import deepcopy
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
MACHINE = re.compile(r"/(?:work|root|home|Users|tmp|private|var/folders)/|[A-Z]:\\\\|ip-\d+-\d+|localhost:\d+")
SHOWS_NOTHING = re.compile(r"\s*(?:import|from|def|class|%load_ext|%config|assert|#|$)")


def cells_of(path):
    return [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]


def test_there_are_nine_notebooks():
    assert [path.stem for path in NOTEBOOKS] == [
        "context-for-a-model", "explore-an-unfamiliar-library", "from-a-bug-report-to-its-place", "how-ranking-works",
        "in-other-words", "quickstart", "reviewing-a-change", "the-call-graph", "what-really-ran",
    ]  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_was_run_in_order_and_none_failed(path):
    cells = cells_of(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert [out for cell in cells for out in cell["outputs"] if out["output_type"] == "error"] == []


def test_formulas_need_no_typesetting():
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            assert "$$" not in "".join(cell["source"])  # an exported page loads MathJax from the network


@pytest.mark.parametrize(("stem", "least"), [("how-ranking-works", 6), ("in-other-words", 3)])
def test_every_prediction_is_asked_before_it_is_revealed(stem, least):
    (path,) = (path for path in NOTEBOOKS if path.stem == stem)
    sources = ["".join(cell["source"]) for cell in cells_of(path)]
    guesses = [number for number, source in enumerate(sources) if source.startswith("guess = None")]
    assert len(guesses) >= least
    for number in guesses:
        assert "reveal(guess" in sources[number + 1]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_show_without_a_kernel(path):
    text = path.read_text("utf-8")
    assert "application/vnd.jupyter.widget" not in text
    shown = [cell for cell in cells_of(path) if not SHOWS_NOTHING.match("".join(cell["source"]).split("\n")[-1])]
    for cell in shown:
        last = "".join(cell["source"]).split("\n")[-1]
        if "reveal(guess" in "".join(cell["source"]):
            continue  # the answer of a prediction, which is left out
        assert cell["outputs"] or "=" in last or last.startswith(" "), last


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_tells_about_the_machine(path):
    for cell in cells_of(path):
        for output in cell["outputs"]:
            told = json.dumps(output.get("data") or output.get("text", ""))
            assert not MACHINE.search(re.sub(r"srcdoc=.*?></iframe>|base64,[\w+/=]*", "", told))
            assert "the cached index" not in told


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_stays_a_file_to_share(path):
    assert path.stat().st_size < 2_500_000
    for cell in cells_of(path):
        for output in cell["outputs"]:
            size = len(json.dumps(output.get("data", {}), ensure_ascii=False))
            assert size < (700_000 if "<iframe" in json.dumps(output) else 120_000)


@pytest.mark.parametrize(("stem", "least"), [("how-ranking-works", 6), ("in-other-words", 3)])
def test_answers_of_predictions_are_left_out(stem, least):
    (path,) = (path for path in NOTEBOOKS if path.stem == stem)
    reveals = [cell for cell in cells_of(path) if "reveal(guess" in "".join(cell["source"])]
    assert len(reveals) >= least
    assert not any(cell["outputs"] for cell in reveals)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_rule_that_the_text_names_is_in_the_outputs_beside_it(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "markdown":
            continue
        beside = json.dumps([each.get("outputs", []) for each in cells[max(0, number - 3) : number + 3]])
        for rule in re.findall(r"\bby the rule \*([\w-]+)\*", "".join(cell["source"])):
            assert f"(rule {rule}, " in beside, rule


def test_a_check_finds_outputs_that_say_something_else():
    import nbformat  # takes seconds, for a grammar of addresses: only where it is used

    from notebooks.refresh import differences

    (path,) = (path for path in NOTEBOOKS if path.stem == "quickstart")
    notebook = nbformat.read(path, as_version=4)
    assert differences(notebook, notebook) == []
    changed = deepcopy(notebook)
    output = next(
        out for cell in changed.cells for out in cell.get("outputs", ()) if "text/plain" in out.get("data", {})
    )
    output.data["text/plain"] = "4.25 s, " + output.data["text/plain"]
    slower = deepcopy(changed)
    assert len(differences(notebook, changed)) == 1
    output.data["text/plain"] = output.data["text/plain"].replace("4.25 s", "17 ms")
    assert differences(slower, changed) == []
    slower.cells.pop()
    assert differences(slower, changed) == ["the cells are not those that were run"]


def test_a_check_leaves_out_columns_of_milliseconds():
    import nbformat

    from notebooks.refresh import differences

    (path,) = (path for path in NOTEBOOKS if path.stem == "how-ranking-works")
    notebook = nbformat.read(path, as_version=4)
    slower, worse = deepcopy(notebook), deepcopy(notebook)
    timed = re.compile(r"(?m)^(  default .*?)( +[\d.]+ +[\d.]+)$")
    (place,) = (
        (number, index)
        for number, cell in enumerate(notebook.cells)
        for index, output in enumerate(cell.get("outputs", ()))
        if timed.search(output.get("text") or output.get("data", {}).get("text/plain", ""))
    )
    for changed, form in ((slower, r"\1       99.9   100.1"), (worse, r"\1x\2")):
        output = changed.cells[place[0]].outputs[place[1]]
        output.data["text/plain"] = timed.sub(form, output.data["text/plain"])
    assert differences(notebook, slower) == []
    assert len(differences(notebook, worse)) == 1
    beside = deepcopy(notebook.cells[place[0]].outputs[place[1]])  # a line that ends in a time is no heading
    beside.data["text/plain"] = "  3 ms · 116 hits 2 ms\n   a line with more words than that"
    worse.cells[place[0]].outputs = [beside]
    slower = deepcopy(worse)
    slower.cells[place[0]].outputs[0].data["text/plain"] = beside.data["text/plain"].replace("that", "this")
    assert len(differences(worse, slower)) == 1


def test_the_notebooks_lead_to_each_other():
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for target in re.findall(r"\]\((?!https?:)([^)#]+)", "".join(cell["source"])):
                assert (path.parent / target).exists(), target
