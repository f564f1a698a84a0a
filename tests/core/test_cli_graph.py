"""The graph's commands: what they print in each format, and that mistakes are told before anything is loaded."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import networkx as nx
import pytest

from codeexplore.cli import main
from codeexplore.workspace.workspace import Workspace


@pytest.fixture
def shop(webshop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that open anything open the webshop."""
    monkeypatch.setattr("codeexplore.workspace.open.open_workspace", lambda where, **_: webshop)


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening anything is an error."""

    def refuse(where: str, **_: object) -> Workspace:
        raise AssertionError(f"{where} was opened")

    monkeypatch.setattr("codeexplore.workspace.open.open_workspace", refuse)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("callers . luhn_valid", "1 caller of webshop.payments.card.luhn_valid"),
        ("callees . CardGateway.validate --externals", "symbols called by"),
        ("types implementors . PaymentGateway", "CardGateway"),
        ("types . implementors PaymentGateway", "CardGateway"),
        ("types -q PaymentGateway . implementors", "CardGateway"),
        ("types subclasses . CardGateway --direction out", "1 supertype of"),
        ("types overrides . PaymentGateway.validate", "CardGateway.validate"),
        ("uses . json.dumps --kinds calls", "JsonFileRepository._flush"),
        ("uses . webshop.sessions --kinds imports --no-tests", "webshop.sessions"),
        ("impact . luhn_valid --top-k 3", "reach it"),
        ("paths . Storefront.checkout luhn_valid --top-k 1", "1 possible path from"),
        ("why . CardGateway.validate luhn_valid", "confidence 1.00"),
        ("survey cycles . --of imports", "cycle of imports"),
        ("survey dead-code . --only exported", "suggest_spelling"),
        ("survey entry-points . --only script,module", "webshop.cli.main"),
        ("survey hubs . --top-k 2", "The 2 most central symbols"),
        ("survey modules . --level folder --kinds calls", "webshop/payments"),
        ("survey communities . --least 5", "communities of"),
    ],
)
def test_every_command_answers(line: str, said: str, shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 0
    assert said in capsys.readouterr().out


def test_formats_of_other_programs(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(name: str) -> str:
        assert main(["callers", ".", "luhn_valid", "--format", name]) == 0
        return capsys.readouterr().out

    assert json.loads(printed("json"))["kind"] == "subgraph"
    assert nx.read_graphml(io.BytesIO(printed("graphml").encode())).number_of_edges() == 1
    assert printed("dot").startswith("digraph ")
    assert printed("mermaid").startswith("flowchart LR\n")
    assert printed("markdown").startswith("## ")
    assert main(["survey", "hubs", ".", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "hubs"
    assert main(["survey", "cycles", ".", "--of", "imports", "--format", "dot"]) == 0
    assert "->" in capsys.readouterr().out
    assert main(["survey", "hubs", ".", "--format", "dot"]) == 2
    assert "this answer is no graph, so it has no format dot; give text, json, markdown" in capsys.readouterr().err


def test_nothing_found_has_its_own_status(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["callers", ".", "suggest_spelling"]) == 1
    assert main(["why", ".", "luhn_valid", "Money"]) == 1
    assert main(["survey", "dead-code", ".", "--only", "unused"]) == 1
    assert "No unused function or type was found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("callers . x --min-confidence 7", "'7' is not a number from 0 to 1"),
        ("callers . x --depth 0", "'0' is not a whole number of at least 1"),
        ("callers . x --kinds calls,shouts", "unknown kind of edge 'SHOUTS'"),
        ("callers . x --format pdf", "invalid choice"),
        ("paths . a b --top-k none", "'none' is not a whole number"),
        ("survey dead-code . --only old", "unknown 'old'; known: unused, dynamic"),
        ("survey entry-points . --only door", "unknown 'door'"),
        ("survey modules . --level planet", "neither file nor folder"),
        ("survey cycles . --of classes", "invalid choice"),
    ],
)
def test_mistakes_are_told_before_anything_is_loaded(
    line: str, said: str, closed: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_the_next_step_of_an_answer_is_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.py").write_text(
        "def start(x): x.only()\nclass One:\n    def only(self): finish()\ndef finish(): print()\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    monkeypatch.setattr("codeexplore.workspace.open.open_workspace", lambda where, **_: workspace)

    def printed(*line: str) -> str:
        main(line)
        return " ".join(capsys.readouterr().out.split())

    for shown in (printed("paths", ".", "start", "finish"), printed("ask", ".", "how does m.start reach m.finish?")):
        assert "1 possible path from m.start to m.finish: it has 2 calls, start → only → finish" in shown
        assert "→ m.One.only m.py:3 may call" in shown
        assert "other edges" not in shown
    assert "--externals shows them." in printed("callees", ".", "finish")
    known = json.loads(printed("paths", ".", "start", "finish", "--format", "json"))["absence"]
    assert (known["kind"], known["min_confidence"]) == ("possible", 0.5)
    assert "impact with min_confidence=0.5 (--min-confidence 0.5) includes it" in printed("impact", ".", "finish")


@pytest.mark.parametrize("survey", ["hubs", "entry-points", "dead-code", "cycles", "modules", "communities"])
def test_every_survey_fits_a_terminal(
    survey: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package = "_".join(["a_package_with_a_name"] * 4)
    method = "a_method_whose_name_is_longer_than_many"
    for number in range(3):
        source = f"class Klass{number}:\n    def {method}(self): other{number}()\n    def main(self): self.{method}()\n"
        source += (
            f"def other{number}(): Klass{number}().{method}()\nif __name__ == '__main__': Klass{number}().main()\n"
        )
        (tmp_path / package / f"part{number}").mkdir(parents=True)
        (tmp_path / package / f"part{number}" / "module.py").write_text(
            f"from {package}.part{(number + 1) % 3} import module\n{source}module.other{(number + 1) % 3}()\n"
        )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    monkeypatch.setattr("codeexplore.workspace.open.open_workspace", lambda where, **_: workspace)
    monkeypatch.setattr("codeexplore.answers.show.terminal_width", lambda stream: 80)
    main(["survey", survey, "."])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > (0 if survey == "dead-code" else 2)
    assert [line for line in lines if len(line) > 80] == []


def test_all_lists_what_the_text_shortens(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    main(["impact", ".", "Money"])
    brief = capsys.readouterr().out
    assert "more; --all lists them" in brief
    assert " in ." not in brief
    main(["impact", ".", "Money", "--all"])
    whole = capsys.readouterr().out
    assert "more; --all" not in whole
    assert len(whole) > len(brief)


def test_all_lists_every_line_of_an_edge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.py").write_text("def f(): ...\ndef g():\n" + "    f()\n" * 6)
    monkeypatch.chdir(tmp_path)
    main(["callers", ".", "f"])
    assert "at line 3, 4, 5, 6 and 2 more" in capsys.readouterr().out
    main(["callers", ".", "f", "--all"])
    assert "at line 3, 4, 5, 6, 7, 8" in capsys.readouterr().out


def test_explain_names_the_rule_of_each_edge(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    main(["callers", ".", "validate_session", "--explain"])
    assert re.search(r"CALLS by type \(0\.90\)", capsys.readouterr().out)
    main(["callers", ".", "validate_session"])
    shown = capsys.readouterr().out
    assert "likely calls by type" in shown
    assert "(0.90)" not in shown


def test_all_lists_every_place_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = "".join(f"    if {number}:\n        target()\n" for number in range(300))
    (tmp_path / "m.py").write_text(f"def target(): pass\ndef many():\n{calls}")
    monkeypatch.chdir(tmp_path)
    for command, last in ((["why", "many", "target"], "m.py:602"), (["symbol", "many"], "602")):
        main(command)
        brief = capsys.readouterr().out
        assert "; --all lists them" in brief
        assert last not in brief
        main([*command, "--all"])
        whole = capsys.readouterr().out
        assert last in whole
        assert "--all" not in whole
