"""The sample repositories' truth files are well-formed and speak of what is really in the files."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1] / "sample_repos"
NAMES = ["webshop", "chatservice", "jobworker", "ledger"]
EDGE_KINDS = {"CALLS", "EXTENDS", "IMPLEMENTS", "OVERRIDES"}
NAMED_MANNERS = {
    "call",
    "new",
    "dispatch",
    "property",
    "jsx",
}  # the callee's name stands on the line, or `why` says why not
EXPLAINED_MANNERS = {"protocol", "decorator", "wrapper", "callback", "reflection"}
TYPE_MANNERS = {
    "EXTENDS": {"extends", "embeds"},
    "IMPLEMENTS": {"implements", "structural"},
    "OVERRIDES": {"overrides", "structural"},
}
REASONS = {"dead", "api", "never", "test", "fixture", "entry point", "abstract"}
QUESTION_KINDS = {"identifier", "structural", "conceptual", "mixed"}
EDGE_KEYS = {"caller", "callee", "kind", "sites", "decidable", "manner"}
EDGE_EXTRAS = {"abstract", "constructs", "through", "why"}
QUESTION_KEYS = {"id", "kind", "query", "expected", "top_k"}
QUESTION_EXTRAS = {"accepted", "relation", "of", "described", "note"}


@cache
def truth(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / f"{name}.truth.json").read_text("utf-8"))
    return loaded


@cache
def lines(name: str, path: str) -> list[str]:
    return (ROOT / name / path).read_text("utf-8").split("\n")


def parts(symbol: str) -> list[str]:
    return [part for part in symbol.split("::")[1].split("#", 1)[0].split(".") if part]


def simple_name(symbol: str) -> str:
    """The name a line that uses the symbol shows: its last part, or the class of a constructor."""
    names = parts(symbol)
    if not names:
        return ""
    return names[-2] if names[-1] in ("__init__", "constructor") else names[-1]


def shows(text: str, word: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None


def problem_with(name: str, symbol: str) -> str:
    """Why a symbol can't be one of the repository's, or ""."""
    path, separator, _ = symbol.partition("::")
    if not separator:
        return f"{symbol}: no '::'"
    if not (ROOT / name / path).is_file():
        return f"{symbol}: no such file"
    text = "\n".join(lines(name, path))
    missing = [part for part in parts(symbol) if not shows(text, part)]
    return f"{symbol}: {missing} not in the file" if missing else ""


def problems_with(name: str, symbols: list[str]) -> list[str]:
    return [problem for symbol in sorted(set(symbols)) if (problem := problem_with(name, symbol))]


@pytest.mark.parametrize("name", NAMES)
def test_every_edge_has_the_keys_of_the_schema(name: str) -> None:
    document = truth(name)
    assert document["schema"] == 1
    assert document["repository"] == name
    for edge in document["edges"]:
        assert EDGE_KEYS <= edge.keys() <= EDGE_KEYS | EDGE_EXTRAS, edge
        manners = TYPE_MANNERS.get(edge["kind"], NAMED_MANNERS | EXPLAINED_MANNERS)
        assert edge["kind"] in EDGE_KINDS
        assert edge["manner"] in manners, edge
        assert edge["sites"] == sorted(set(edge["sites"])) != [], edge
        assert edge["decidable"] or edge["why"], edge
    pairs = Counter((edge["caller"], edge["callee"], edge["kind"]) for edge in document["edges"])
    assert [pair for pair, count in pairs.items() if count > 1] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_symbol_of_an_edge_is_in_its_file(name: str) -> None:
    edges = truth(name)["edges"]
    symbols = [edge[end] for edge in edges for end in ("caller", "callee")]
    symbols += [made for edge in edges for made in edge.get("constructs", ())]
    symbols += [edge["through"] for edge in edges if "::" in edge.get("through", "")]
    assert problems_with(name, symbols) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_site_shows_the_callee_or_is_explained(name: str) -> None:
    wrong = []
    for edge in truth(name)["edges"]:
        source = lines(name, edge["caller"].split("::")[0])
        shown = [simple_name(symbol) for symbol in (edge["callee"], *edge.get("constructs", ()))]
        if edge["kind"] == "OVERRIDES" or edge["manner"] == "structural":
            shown = [simple_name(edge["caller"])]
        for line in edge["sites"]:
            if not 1 <= line <= len(source):
                wrong.append(f"{edge}: line {line} is beyond the file")
            elif not edge.get("why") and not any(shows(source[line - 1], word) for word in shown):
                wrong.append(f"{edge}: line {line} is {source[line - 1].strip()!r}")
        if edge["manner"] in EXPLAINED_MANNERS and not edge.get("why"):
            wrong.append(f"{edge}: says nothing about why")
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_absent_symbols_have_no_callers(name: str) -> None:
    document = truth(name)
    called = {edge["callee"] for edge in document["edges"] if edge["kind"] == "CALLS"}
    symbols = [row["symbol"] for row in document["absent"] if "symbol" in row]
    assert problems_with(name, symbols) == []
    assert called & set(symbols) == set()
    assert {row["reason"] for row in document["absent"] if "symbol" in row} <= REASONS
    assert all(row["why"] for row in document["absent"])
    for row in document["absent"]:
        if "name" in row:
            assert row["reason"] == "text only"
            files = [path for path in (ROOT / name).rglob("*") if path.is_file()]
            assert any(row["name"] in path.read_text("utf-8") for path in files), row
            assert not any(parts(symbol)[-1:] == [row["name"]] for symbol in called), row


@pytest.mark.parametrize("name", NAMES)
def test_questions_can_be_answered_from_the_files(name: str) -> None:
    questions = truth(name)["questions"]
    assert len(questions) >= 25
    assert {question["kind"] for question in questions} == QUESTION_KINDS
    assert len({question["id"] for question in questions}) == len(questions)
    assert any(question.get("described") for question in questions)
    for question in questions:
        assert QUESTION_KEYS <= question.keys() <= QUESTION_KEYS | QUESTION_EXTRAS, question
        assert question["query"].strip()
        assert question["top_k"] >= max(1, len(question["expected"])), question
        assert question["expected"] or question["note"], question
        rest = question.get("accepted", []) + question.get("of", [])
        assert problems_with(name, question["expected"] + rest) == []
        assert not set(question["expected"]) & set(question.get("accepted", [])), question


@pytest.mark.parametrize("name", NAMES)
def test_structural_questions_agree_with_the_edges(name: str) -> None:
    document = truth(name)

    def related(kinds: set[str], near: str, far: str, symbols: list[str]) -> set[str]:
        return {edge[near] for edge in document["edges"] if edge["kind"] in kinds and edge[far] in symbols}

    for question in document["questions"]:
        relation, of = question.get("relation"), question.get("of", [])
        expected = set(question["expected"])
        right = expected | set(question.get("accepted", []))
        if relation == "callers":
            assert right == related({"CALLS"}, "caller", "callee", of), question
        elif relation == "callees":
            assert right == related({"CALLS"}, "callee", "caller", of), question
        elif relation == "subclasses":
            assert expected == related({"EXTENDS"}, "caller", "callee", of), question
        elif relation == "implementors":
            assert expected == related({"IMPLEMENTS"}, "caller", "callee", of), question
        elif relation == "path":
            pairs = {(edge["caller"], edge["callee"]) for edge in document["edges"] if edge["kind"] == "CALLS"}
            steps = list(zip(question["expected"], question["expected"][1:], strict=False))
            assert [question["expected"][0], question["expected"][-1]] == of
            assert set(steps) <= pairs, question


@pytest.mark.parametrize("name", NAMES)
def test_traps_are_where_they_are_said_to_be(name: str) -> None:
    traps = truth(name)["traps"]
    assert len({trap["kind"] for trap in traps}) >= 10
    for trap in traps:
        assert trap["note"]
        assert trap["where"], trap
        symbols = [where for where in trap["where"] if "::" in where]
        assert problems_with(name, symbols) == []
        for where in set(trap["where"]) - set(symbols):
            path, _, line = where.rpartition(":")
            assert lines(name, path)[int(line) - 1].strip(), trap


def python_functions(name: str) -> set[str]:
    found = set()

    def visit(node: ast.AST, path: str, names: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef):
                inner = (*names, child.name)
                if isinstance(child, ast.FunctionDef):
                    found.add(f"{path}::{'.'.join(inner)}")
                visit(child, path, inner)
            else:
                visit(child, path, names)

    for file in (ROOT / name).rglob("*.py"):
        path = file.relative_to(ROOT / name).as_posix()
        visit(ast.parse("\n".join(lines(name, path))), path, ())
    return found


def test_each_python_function_is_called_or_absent() -> None:
    document = truth("webshop")
    called = {edge["callee"] for edge in document["edges"] if edge["kind"] == "CALLS"}
    absent = {row["symbol"] for row in document["absent"] if "symbol" in row}
    functions = python_functions("webshop")
    assert functions == (called & functions) | absent
    assert {symbol for symbol in called - functions if parts(symbol)[-1][0].islower()} == set()


def test_the_web_shops_own_tests_pass(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'tmp'}"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=ROOT / "webshop", env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout
