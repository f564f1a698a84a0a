"""Small inputs whose right answers follow from the rules of the languages, in four areas: uses, names, calls and tests.

The files in `tests/fixtures/kinds` hold the inputs. ``### name`` begins one, ``--- path`` a file of it, and
``=== expression => value`` is a check with the names of `_Answers`. A value is a Python literal.
"""

from __future__ import annotations

import ast
import difflib
from pathlib import Path
from typing import Any

import pytest

from codeexplore import Workspace

FOLDER = Path(__file__).parent.parent / "fixtures" / "kinds"


def inputs(area: str) -> dict[str, tuple[dict[str, str], list[tuple[str, str]]]]:
    """Return name → files and checks of the inputs of an area."""
    found: dict[str, tuple[dict[str, str], list[tuple[str, str]]]] = {}
    for block in (FOLDER / f"{area}.txt").read_text(encoding="utf-8").split("### ")[1:]:
        name, _, rest = block.partition("\n")
        files, path = dict[str, str](), ""
        checks = list[tuple[str, str]]()
        for line in rest.splitlines(keepends=True):
            if line.startswith("--- "):
                path = line[4:].strip()
                files[path] = ""
            elif line.startswith("=== "):
                expression, _, value = line[4:].strip().rpartition(" => ")
                checks.append((expression, value))
            else:
                files[path] += line
        found[name] = files, checks
    return found


class _Answers:
    """What the checks may ask of a repository."""

    def __init__(self, root: Path) -> None:
        self.root, self.ws = root, Workspace(root, workers=0, cache=False, progress=lambda *step: None)

    def names(self, answer: Any) -> list[str]:
        return sorted({symbol.fqn for symbol in answer})

    def absence(self, answer: Any) -> str | None:
        return answer.absence and answer.absence.kind

    def lines(self, answer: Any) -> list[int]:
        return sorted({site.line for edge in answer.edges for site in edge.sites})

    def unused(self) -> list[str]:
        return sorted(each.symbol_id.split(":", 1)[1] for each in self.ws.dead_code() if each.kind == "unused")

    def conf(self, caller: str, callee: str) -> float:
        """Return the highest confidence of a call; 0 without one."""
        ids = {symbol.fqn: symbol.id for symbol in self.ws.symbols}
        pair = ids[caller], ids[callee]
        return max(
            (e.confidence for e in self.ws.graph.edges if e.kind == "CALLS" and (e.source, e.target) == pair),
            default=0.0,
        )

    def impact_tests(self, target: str) -> list[str]:
        return sorted(test.path if test.kind == "module" else test.name for test in self.ws.impact(target).tests)

    def test_ids(self, path: str, before: str, after: str, safe: bool = False) -> list[str]:
        old = (self.root / path).read_text(encoding="utf-8")
        assert before in old
        new = old.replace(before, after, 1)
        patch = "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "a/" + path, "b/" + path))
        return sorted(test.id for test in self.ws.review.changes(patch).tests(safe=safe))

    def selects(self, test: str, path: str, before: str, after: str, safe: bool = False) -> bool:
        ids = self.test_ids(path, before, after, safe)
        return test in ids or test.split("::", 1)[0] in ids


INPUTS = {(area, name): held for area in ("uses", "names", "calls", "tests") for name, held in inputs(area).items()}


@pytest.mark.parametrize("key", INPUTS, ids=[f"{area}: {name}" for area, name in INPUTS])
def test_what_the_rules_of_the_languages_say(key: tuple[str, str], tmp_path: Path) -> None:
    files, checks = INPUTS[key]
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    answers = _Answers(tmp_path)
    given = {name: getattr(answers, name) for name in dir(answers) if name[0] != "_"}
    wrong = [
        (expression, value, got)
        for expression, value in checks
        if (got := eval(expression, dict(given))) != ast.literal_eval(value)
    ]
    assert checks
    assert not wrong
