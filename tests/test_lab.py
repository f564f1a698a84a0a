"""The lab: its solutions pass, typical wrong answers get a helpful line, folders are copied and graded."""

import ast
import csv
import io
import json
import math
import re
import shutil
from pathlib import Path

import networkx as nx
import pytest

from codeexplore import Workspace, sample_repo
from codeexplore.cli import main
from codeexplore.errors import LabError
from codeexplore.evaluation import find_fixtures, load_fixtures
from codeexplore.lab import EXERCISES, Feedback, Material, copy_lab, grade, open_lab, pagerank
from codeexplore.lab.answer_kinds import plain
from codeexplore.lab.exercises import OWN
from codeexplore.lab.exercises.vectors_and_graph import both_ways
from codeexplore.lab.folder import notebooks_folder, read_answers, read_settings, save_answer

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(notebooks_folder().glob("*.ipynb"))
CHECK = re.compile(r'lab\.check\("([\d.]+)"')
GIVEN = [number for number in EXERCISES if number not in OWN]


def code_of(notebook):
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def solutions_of(notebook):
    """Return the parts of the solutions by the exercise that they check, or by the function that they complete."""
    text = (notebook.parent / "solutions" / f"{notebook.stem}.py").read_text("utf-8")
    _, *parts = re.split(r"(?m)^# %% (\S+)\n", text)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def solved(notebook):
    """Return the cells of a notebook with the solutions in place of the cells to complete."""
    left, cells = solutions_of(notebook), []
    for source in code_of(notebook):
        number = CHECK.search(source)
        key = number[1] if number else "step" if "def step" in source else ""
        cells.append(left.pop(key) if key else source)
    assert not left
    return cells


def run(cells, monkeypatch, folder):
    """Run cells in one namespace, each with its last expression as its result; return the results of checks."""
    monkeypatch.chdir(folder)
    names, results = {}, []
    for source in cells:
        tree = ast.parse(source)
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            results.append(eval(compile(last, "cell", "eval"), names))
    return [result for result in results if isinstance(result, Feedback)]


@pytest.fixture(scope="module")
def webshop():
    ws = Workspace(sample_repo("webshop"))
    return Material(ws, load_fixtures(find_fixtures(ws.root)))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder of a student who has solved everything."""
    folder = tmp_path_factory.mktemp("lab") / "ada"
    copy_lab(folder, student="Ada")
    with pytest.MonkeyPatch.context() as patch:
        for notebook in NOTEBOOKS:
            feedback = run(solved(notebook), patch, folder)
            assert [each.exercise for each in feedback if each.right] == CHECK.findall("".join(code_of(notebook)))
    return folder


def test_the_solutions_answer_every_exercise(done):
    assert set(read_answers(done)) == set(EXERCISES)


@pytest.mark.parametrize("notebook", [NOTEBOOKS[0], NOTEBOOKS[3], NOTEBOOKS[8]], ids=lambda path: path.stem)
def test_a_notebook_runs_before_anything_is_answered(notebook, tmp_path, monkeypatch):
    copy_lab(tmp_path / "lab")
    feedback = run(code_of(notebook), monkeypatch, tmp_path / "lab")
    assert feedback
    assert {each.right for each in feedback} == {None}
    assert not (tmp_path / "lab" / "answers").exists()


def test_every_exercise_is_in_a_notebook_once_and_nothing_is_given_away():
    numbers = [number for notebook in NOTEBOOKS for source in code_of(notebook) for number in CHECK.findall(source)]
    assert numbers == list(EXERCISES)
    for notebook in NOTEBOOKS:
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
        text = "".join("".join(cell["source"]) for cell in cells)
        assert "**Goal.**" in text
        assert "guess = ..." in text
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            assert (notebook.parent / target).exists(), target


def accepted(exercise, material):
    """Return a right answer; of those with many right answers, one."""
    right = plain(exercise.right(material))
    if exercise.id in ("6.2", "9.3"):
        return dict.fromkeys(right, 0)
    if exercise.id in ("8.5", "9.8"):
        return "On {n} questions the MRR changed by {difference:.3f} (p = {p:.3f}).".format(**right)
    return right


@pytest.mark.parametrize("number", GIVEN)
def test_five_typical_wrong_answers_fail_with_a_helpful_line(number, webshop):
    exercise = EXERCISES[number]
    right = plain(exercise.right(webshop))
    assert exercise.check(webshop, accepted(exercise, webshop)).right
    known = [mistake for mistake in exercise.mistakes(webshop) if not exercise.kind.misfit(plain(mistake.value))]
    wrong = {json.dumps(plain(mistake.value)): mistake.hint for mistake in reversed(known)}
    wrong |= {json.dumps(plain(value)): "" for value in exercise.kind.slips(right)}
    failed = 0
    for text, hint in wrong.items():
        result = exercise.check(webshop, json.loads(text))
        if result.right:
            assert hint, f"{text} is taken for right"  # a mistake that is not noticed with this corpus
            continue
        failed += 1
        assert len(result.message.split()) >= 4, (text, result)
        shown = f"{right:.4g}" if isinstance(right, float) else None
        assert shown is None or shown not in result.message.replace(str(json.loads(text)), "")  # but what was given
    assert failed >= 5


def test_a_mistake_is_recognised_by_computing_it(webshop):
    n, df = len(webshop.documents), webshop.term_score.df
    assert "base 10" in EXERCISES["1.3"].check(webshop, math.log10(1 + (n - df + 0.5) / (df + 0.5))).message
    ranks = [[name for name, _ in hits].index(webshop.hit) for hits in webshop.lanes.values()]
    assert "from 0" in EXERCISES["5.1"].check(webshop, sum(1 / (60 + rank) for rank in ranks)).message
    assert "percent" in EXERCISES["7.1"].check(webshop, 100 * EXERCISES["7.1"].right(webshop)).message
    assert "Near" in EXERCISES["1.4"].check(webshop, 1.01 * EXERCISES["1.4"].right(webshop)).message


def test_the_right_answers_are_those_of_the_library(webshop):
    assert EXERCISES["1.6"].right(webshop) == pytest.approx(dict(webshop.lanes["bm25"])[webshop.document], rel=1e-6)
    assert EXERCISES["1.3"].right(webshop) == pytest.approx(webshop.term_score.idf)
    assert EXERCISES["1.5"].right(webshop) == pytest.approx(webshop.term_score.score, rel=1e-6)


def test_pagerank_is_that_of_networkx(webshop):
    graph = nx.DiGraph(both_ways(webshop))
    found = nx.pagerank(graph, 0.85, personalization={webshop.start: 1.0}, tol=1e-12, max_iter=1000)
    assert pagerank(webshop.vertices, both_ways(webshop), {webshop.start: 1.0}, 0.85) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("name", ["chatservice", "jobworker"])
def test_another_corpus_has_material_for_every_exercise(name):
    ws = Workspace(sample_repo(name))
    material = Material(ws, load_fixtures(find_fixtures(ws.root)))
    for number in GIVEN:
        assert EXERCISES[number].check(material, plain(accepted(EXERCISES[number], material))).right


def test_values_of_notebooks_become_plain_data():
    import numpy as np

    assert plain({np.float32(0.5): (np.int64(1), {"b", "a"})}) == {"0.5": [1, ["a", "b"]]}
    assert plain({}.keys()) == []
    with pytest.raises(TypeError, match="function"):
        plain(plain)


# ----------------------------------------------------------------------------------------- folders and commands


def test_init_copies_once_and_overwrites_nothing(tmp_path, capsys):
    assert main(["lab", "init", str(tmp_path / "a"), "--solutions"]) == 0
    assert "9 notebooks" in capsys.readouterr().out
    assert (tmp_path / "a/corpus/webshop/webshop/sessions.py").is_file()
    assert (tmp_path / "a/solutions/1-bm25.py").is_file()
    assert main(["lab", "init", str(tmp_path / "a")]) == 2
    assert "nothing is overwritten" in capsys.readouterr().err
    with pytest.raises(LabError, match="both"):
        copy_lab(tmp_path / "b", corpus=tmp_path)


def test_the_lab_is_inside_an_installed_wheel(tmp_path, monkeypatch):
    import tomllib

    from codeexplore.lab import folder

    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "notebooks/lab" in wheel["only-include"]
    assert wheel["sources"]["notebooks/lab"] == "codeexplore/lab/notebooks"
    package = tmp_path / "site-packages/codeexplore/lab"
    shutil.copytree(ROOT / "notebooks/lab", package / "notebooks")
    monkeypatch.setattr(folder, "_PACKAGE", package)
    assert len(copy_lab(tmp_path / "lab")) == 9


def test_check_grades_saved_values_without_running_anything(done, tmp_path, capsys):
    student = tmp_path / "student"
    shutil.copytree(done, student)
    for notebook in student.glob("*.ipynb"):
        notebook.write_text("raise SystemExit")
    save_answer(student, "1.2", 1)
    assert main(["lab", "check", str(student)]) == 0
    text = capsys.readouterr().out
    assert f"Ada: {len(GIVEN) - 1} of {len(EXERCISES)} right" in text
    assert "too small" in text
    assert "not graded" in text  # the repository of the last notebook is not in the folder
    assert main(["lab", "check", str(done), str(student), str(tmp_path), "--form", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["1.2"] for row in rows] == ["1", "0", ""]
    assert "no answers" in rows[2]["problem"]


def test_one_corpus_decides_for_all(done, tmp_path):
    cheat, lab = tmp_path / "cheat", tmp_path / "lab"
    copy_lab(lab)
    shutil.copytree(done, cheat)
    settings = cheat / "lab.json"
    settings.write_text(settings.read_text().replace('"chosen": {}', '"chosen": {"measured": "webshop-22"}'))
    assert grade([cheat], lab).students[0].right == len(GIVEN)
    assert grade([cheat]).students[0].right < len(GIVEN)


def test_own_repositories_are_graded_inside_of_the_folder_only(done, tmp_path):
    student = tmp_path / "student"
    shutil.copytree(done, student)
    shutil.copytree(sample_repo("jobworker"), student / "mine")
    shutil.copyfile(find_fixtures(sample_repo("jobworker")), student / "mine.eval.json")
    settings = json.loads((student / "lab.json").read_text())
    settings |= {"own_repository": "mine", "own_questions": "mine.eval.json", "student": "=1+1"}
    (student / "lab.json").write_text(json.dumps(settings))
    report = grade([student])
    assert report.students[0].right == len(EXERCISES)
    assert report.to_csv().split("\n")[1].startswith("'=1+1,")  # no formula for a spreadsheet


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("lab.json", "[]", "schema"),
        ("lab.json", '{"schema": 1, "corpus": 3}', "texts"),
        ("lab.json", '{"schema": 1, "chosen": {"x": "y"}}', "chosen"),
        ("lab.json", '{"schema": 1, "corpus": "../..", "questions": "q.json"}', "not in the folder"),
        ("lab.json", "{", "can't read"),
        ("answers/1.1.json", '{"exercise": "1.2", "tries": 1}', "not an answer"),
        ("answers/1.1.json", "\x00", "can't read"),
    ],
)
def test_a_damaged_folder_is_reported_and_the_others_are_graded(name, content, message, tmp_path):
    copy_lab(tmp_path / "lab")
    save_answer(tmp_path / "lab", "1.2", 1)
    (tmp_path / "lab" / name).write_text(content)
    (report,) = grade([tmp_path / "lab"]).students
    assert message in report.problem


def test_the_key_lists_right_answers_and_mistakes_that_go_unnoticed(tmp_path, capsys):
    copy_lab(tmp_path / "lab")
    assert main(["lab", "key", str(tmp_path / "lab")]) == 0
    text = capsys.readouterr().out
    assert "1.2  document frequency: 50" in text
    assert "not noticed with this corpus" in text


def test_checks_say_what_an_answer_looks_like(tmp_path):
    copy_lab(tmp_path / "lab")
    lab = open_lab(tmp_path / "lab")
    assert "replace the three dots" in lab.check("1.2", ...).message
    assert "a whole number" in lab.check("1.2", lab.check).message
    assert "not nothing (None)" in lab.check("1.2", None).message
    assert not read_answers(tmp_path / "lab")  # a value of another form is not saved
    assert "lab.own" in lab.check("9.1", 1).message
    assert lab.check("1.2", 50).right
    assert lab.check("1.2", 51).right is False
    assert read_answers(tmp_path / "lab")["1.2"].tries == 2
    assert "Predict first" in repr(lab.reveal(..., "yes"))
    assert "as you predicted" in repr(lab.reveal("yes", "yes"))
    with pytest.raises(LabError, match=r"1\.2"):
        lab.check("1.22", 3)
    assert read_settings(tmp_path).corpus == ""
