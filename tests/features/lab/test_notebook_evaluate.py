"""%evaluate in a real shell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from codeexplore import Workspace
from codeexplore.features.lab.evaluation import Comparison, Evaluation, SettingsTable


@pytest.fixture
def shell(webshop: Workspace) -> Iterator[InteractiveShell]:
    made: Any = InteractiveShell()
    made.run_line_magic("load_ext", "codeexplore")
    made.user_ns["ws"] = webshop
    yield made
    made.run_line_magic("unload_ext", "codeexplore")


def html_of(shell: Any, value: object) -> str:
    data, _ = shell.display_formatter.format(value)
    return str(data["text/html"])


def test_the_questions_beside_the_repository_are_asked(shell: Any) -> None:
    found = shell.run_line_magic("evaluate", "--to report")
    assert isinstance(found, Evaluation)
    assert len(found.results) > 30
    assert shell.user_ns["report"] is found
    assert "recall@10" in html_of(shell, found)


def test_settings_are_compared_and_tabulated(shell: Any, tmp_path: Path) -> None:
    questions = tmp_path / "my questions.json"
    row = {"id": "a", "type": "needle", "query": "Cart.add", "expected": ["Cart.add"]}
    questions.write_text(json.dumps({"schema": 1, "questions": [row]}))
    compared = shell.run_line_magic("evaluate", f"{questions} --against bm25;signals=off -k 5")
    assert isinstance(compared, Comparison)
    assert compared.before_name == "bm25 signals=off"
    assert compared.after.cutoff == 5
    assert "B wins" in html_of(shell, compared)
    table = shell.run_line_magic("evaluate", f"{questions} --subsets")
    assert isinstance(table, SettingsTable)
    assert "bm25+graph" in html_of(shell, table)
    assert len(shell.run_line_magic("evaluate", f"{questions} --ablate").evaluations) > 2


def test_mistakes_are_told_in_a_line(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"schema": 1, "questions": [\n{}]}')
    with pytest.raises(UsageError, match=r"bad\.json: question 1"):
        shell.run_line_magic("evaluate", str(tmp_path / "bad.json"))
    with pytest.raises(UsageError, match="choose one"):
        shell.run_line_magic("evaluate", "--subsets --ablate")
    with pytest.raises(UsageError, match="not part of a setting"):
        shell.run_line_magic("evaluate", "--setting everything")
