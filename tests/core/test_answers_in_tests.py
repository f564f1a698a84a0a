"""Callers in tests: every display lists those of the program and folds the others; data has all."""

import html
import re
from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.answers.drawing.vis_network import drawing_html
from codeexplore.answers.html.writer import shown_html
from codeexplore.answers.show import shown_text
from codeexplore.answers.wording import first_sentence
from codeexplore.cli import main

FOLDED = "5 of these 6 are in tests"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tested")
    program = 'def price(item):\n    """Return the price. Taxes come later."""\n    return item\n\n\n'
    (root / "shop.py").write_text(f"{program}def total(items):\n    return sum(price(each) for each in items)\n")
    (root / "tests").mkdir()
    tests = "".join(f"def test_price_{n}():\n    assert helped({n}) == price({n})\n\n\n" for n in range(5))
    helper = "def helped(number):\n    return number\n\n\n"
    (root / "tests" / "test_shop.py").write_text(f"from shop import price\n\n\n{helper}{tests}")
    return root


@pytest.fixture(scope="module")
def shop(repository: Path) -> Workspace:
    return Workspace(repository, cache=False, workers=0)


@pytest.mark.parametrize("walk", ["callers", "impact"])
def test_callers_in_tests_are_folded(shop: Workspace, walk: str) -> None:
    answer = getattr(shop, walk)("price")
    assert len(answer) == len(answer.to_dict()["symbols"]) - 1 == 6
    assert [each.name for each in answer.in_tests] == [f"test_price_{n}" for n in range(5)]
    table = repr(answer).partition(" reach it")[0]  # an impact also lists the tests to run
    assert f"{FOLDED}; .in_tests lists them" in table
    assert ("shop.total" in table, "test_price_3  function" in table) == (True, False)
    assert all(f"test_price_{n}" in answer.to_markdown() for n in range(5))
    assert FOLDED in shown_html(answer)
    assert "  tests.test_shop.test_price_3  tests/test_shop.py:20  calls directly by name at line 21" in shown_text(
        answer, more="all"
    )


def test_a_question_for_callers_folds_them(shop: Workspace) -> None:
    answer = shop.search("who calls price?")
    assert {"shop.total", "tests.test_shop.test_price_4"} <= {hit.name for hit in answer}
    shown = shown_text(answer, more="option")
    assert "5 more hits are in tests; --all lists them" in shown
    assert "caller; calls directly by name at line 7" in shown
    assert "test_price_4" not in shown
    assert "test_price_4" in shown_text(answer, more="all")


def test_callers_of_a_test_helper_are_not_folded(shop: Workspace) -> None:
    for answer in (shop.callers("helped"), shop.search("who calls helped?")):
        assert "in tests" not in repr(answer)
        assert "test_price_4" in repr(answer)


def test_a_row_has_the_signature_and_the_first_sentence(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", str(repository), "price of an item"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    row = next(number for number, line in enumerate(lines) if "shop.price" in line)
    assert lines[row + 1 : row + 3] == ["def price(item)", "Return the price"]
    assert lines[row + 3].startswith("1st by")


@pytest.mark.parametrize(
    ("documentation", "said"),
    [
        ("//////\nReads a file. Then", "Reads a file"),
        ("////////////", ""),
        ("=====\n\n*****\n", ""),
        ("Title\n=====\nText.", "Title"),
        ("* a list. b", "* a list"),
        ("Like :py:meth:`~a.run`. More", "Like a.run"),
        ("In this order:\n  1. by name\n  2. by size", "In this order"),
        ("Copyright (C) 2003 A. B.\nAll rights reserved.\n\nReads files. Then", "Reads files"),
        ("This file is part of X.\n\nSPDX-License-Identifier: MIT", ""),
        ("_ _ ____\n| |__ |\n\nReads files.", "Reads files"),
        ("noinspection PyShadowingNames\nReads files.", "Reads files"),
        ("@inheritDoc", ""),
        ("@param x the file\n@return the text", ""),
        ("@Route('/basket')\n@ORM\\Entity\n@see Basket", ""),
        ("@SUM(1) adds the prices. Then", "@SUM(1) adds the prices"),
        ("@app.route adds a path", "@app.route adds a path"),
        ("@property-like values", "@property-like values"),
        ("=1+2 | prices", "=1+2 | prices"),
        ("@var string The name of the file", "The name of the file"),
        (": The class to make.", "The class to make"),
    ],
)
def test_a_sentence_has_no_markup(documentation: str, said: str) -> None:
    assert first_sentence(documentation) == said


def test_a_drawing_has_one_box_for_the_tests(shop: Workspace) -> None:
    picture = drawing_html(shop.callers("price"))
    assert picture is not None
    labels = re.findall(r'"label":"(\w[^"]*)"', html.unescape(picture))
    assert sorted(labels) == ["price", "tests \\u00b7 5", "total"]


def test_callers_that_are_all_in_tests_are_listed_and_named(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def price(): ...\n")
    (tmp_path / "test_shop.py").write_text("from shop import price\n\ndef test_price():\n    price()\n")
    answer = Workspace(tmp_path, cache=False, workers=0).callers("price")
    assert [each.name for each in answer.in_tests] == ["test_price"]
    assert "in tests" not in shown_text(answer)


def test_the_headline_says_which_callers_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(
        "class A {\n  void go() { go(1); }\n  void go(int n) { }\n  void run() { go(); }\n}\n"
    )
    answer = Workspace(tmp_path, cache=False, workers=0).callers("A.go")
    assert answer.headline.startswith("2 callers of A.go; 1 of them is itself asked about, and not listed")
    assert [each.name for each in answer] == ["run"]
    asked = Workspace(tmp_path, cache=False, workers=0).search("who calls A.go?")
    assert "not listed" not in asked.notices[0]
    assert "2 callers of A.go; 1 of them is itself asked about" in asked.notices[0]


def test_a_constant_is_reached_by_its_declaration(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module shop\n")
    (tmp_path / "a.go").write_text(
        'package shop\n\nvar Binders = map[string]func(){\n\t"one": bind,\n}\n\nfunc bind() { work() }\n\n'
        'func work() {}\n\nfunc use() { Binders["one"]() }\n'
    )
    answer = Workspace(tmp_path, cache=False, workers=0).impact("work")
    lines = [line.strip() for line in str(answer).splitlines()]
    row = next(place for place, line in enumerate(lines) if line.startswith("shop.Binders"))
    assert "uses directly by name at line 4 via bind" in " ".join(lines[row : row + 2])


def test_a_caller_of_several_meanings_is_as_sure_as_its_surest_call(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import Base\n\nclass Sub(Base):\n    def drop(self, x): return 2 * x\n")
    (tmp_path / "b.py").write_text(
        "class Base:\n    def drop(self, x): return x\n\ndef use(base: Base):\n    base.drop(1)\n"
    )
    answer = Workspace(tmp_path, cache=False, workers=0).search("who calls drop?")
    assert answer.notices[0].endswith(", likely.")
    assert answer.role_of(answer[0]) == "likely caller of Base.drop"
