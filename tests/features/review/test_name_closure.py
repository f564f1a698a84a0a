"""Files that a change can affect, by imports and names: what `tests(safe=True)` leaves out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore import Workspace
from codeexplore.features.review.impact import ImportedFiles
from codeexplore.features.review.tests.name_closure import NameClosure
from codeexplore.features.review.tests.name_units import NameUnits, units_of, words_in
from tests.git_repos import repository, write

INIT = (
    "from shop.coins import Coin\nfrom shop.notes import Note, count\nfrom shop.plugins import known\n"
    "assert Coin and Note\ncount\n"
)
COINS = """class Money:
    def show(self):
        return self.text()

    def text(self):
        return ""


class Coin(Money):
    def text(self):
        return "coin"

    def flip(self):
        return 1

    def __eq__(self, other):
        return True


STANDARD = Coin()
"""
NOTES = "class Note:\n    pass\n\n\ndef count(notes):\n    '''Count, unlike Coin.'''\n    return len(notes)  # Coin\n"
PLUGINS = (
    "registry = {}\n\n\ndef register(f):\n    registry[f.__name__] = f\n\n\n@register\ndef mint():\n    return 2\n"
)
FILES = {
    "shop/__init__.py": INIT, "shop/coins.py": COINS, "shop/notes.py": NOTES, "shop/plugins.py": PLUGINS,
    "tests/test_coin.py": "from shop import Coin\n\n\ndef test_coin():\n    assert Coin().text()\n",
    "tests/test_flip.py": "from shop import Coin as C\n\n\ndef test_flip():\n    assert C().flip()\n",
    "tests/test_note.py": "import shop\n\n\ndef test_note():\n    assert shop.count([]) == 0\n",
    "tests/test_standard.py": "from shop.coins import STANDARD\n\n\ndef test_it():\n    assert STANDARD.text()\n",
    "tests/test_named.py": "import importlib\n\n\ndef test_it():\n    assert importlib.import_module('shop.coins')\n",
    "tests/test_alone.py": "def test_alone():\n    assert True\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("names") / "repo", FILES)


def files_after(root: Path, path: str, old: str, new: str) -> set[str]:
    """The test files that `safe` selects after an edit, which is undone."""
    text = FILES[path]
    assert old in text
    write(root, {path: text.replace(old, new)})
    try:
        changes = Workspace(root, cache=False, workers=0, progress=lambda *step: None).review.changes()
        safe = {each.path.removeprefix("tests/test_").removesuffix(".py") for each in changes.tests(safe=True)}
        closure = NameClosure(changes.comparison, ImportedFiles(changes.comparison.new.graph))
        tests = {f"tests/test_{each}.py" for each in safe}
        assert tests <= closure.affected(FILES)
        assert all(closure.affected([each]) == {each} for each in tests)  # each file by itself
        return safe
    finally:
        write(root, {path: text})


@pytest.mark.parametrize(
    ("path", "old", "new", "affected"),
    [
        # every test file but one imports all modules, by __init__.py
        ("shop/notes.py", "len(notes)", "len(notes) + 0", {"note"}),
        ("shop/coins.py", "return 1", "return 3", {"flip"}),  # through an alias
        ("shop/coins.py", '"coin"', '"coins"', {"coin", "flip", "standard"}),  # a constant; a base calls it
        ("shop/coins.py", "return True", "return other", {"coin", "flip", "standard"}),  # Python calls it
        # nothing in the repository calls the method: a library may
        ("shop/coins.py", "return self.text()", "return self.text() + ''", {"coin", "flip", "standard"}),
        ("shop/plugins.py", "return 2", "return 4", {"coin", "flip", "note", "standard"}),  # its decorator keeps it
        ("shop/coins.py", "STANDARD = ", "print()\nSTANDARD = ", {"coin", "flip", "note", "standard"}),
        ("shop/notes.py", "class Note", "import coin\n\n\nclass Note", set()),  # nothing mentions the import
    ],
)  # fmt: skip
def test_files_are_affected_by_imports_and_names(shop: Path, path: str, old: str, new: str, affected: set[str]) -> None:
    assert files_after(shop, path, old, new) == affected


def test_a_file_that_lets_another_program_load_the_package_is_affected(tmp_path: Path) -> None:
    tests = "def test_it(host):\n    host.load({!r})\n"
    repository(tmp_path, {
        "shop/__init__.py": "def load_into(host):\n    from shop.coins import flip\n    host.flip = flip\n",
        "shop/coins.py": "def flip():\n    return 1\n", "tests/test_host.py": tests.format("shop"),
        "tests/test_other.py": tests.format("workshop"), "tests/conftest.py": "import shop.coins\n",
    })  # fmt: skip
    write(tmp_path, {"shop/coins.py": "def flip():\n    return 2\n"})
    found = Workspace(tmp_path, cache=False, workers=0, progress=lambda *step: None).review.changes().tests(safe=True)
    assert [(test.id, test.certainty) for test in found] == [("tests/test_host.py", "by import")]
    assert found[0].reason == "names shop in a string, and another program may load it"


@pytest.mark.parametrize(
    ("text", "names", "words", "runs"),
    [
        ("def f(a=1):\n    '''Doc g.'''\n    return h(b=2)  # c\n", "f", {"return", "h"}, False),
        ("@fixture(name='other')\ndef f(x): ...\n", "f other", {"fixture", "x"}, False),
        ("@fixture(autouse=True)\ndef f(): ...\n", "f", {"fixture", "True"}, True),
        ("@app.route('/')\nasync def f(): ...\n", "f", {"app", "route", "async"}, True),
        ("A, B = 1, 'x.y'\n", "A B", {"A", "x", "y"}, False),
        ("A = 'plain words'\n", "A", {"A"}, False),
        ("A = globals()['f']\n", "A", {"A", "globals", "f"}, False),
        ("from a import (\n  b,\n  c as d,\n)\n", "d", {"c"}, False),
        ("call(x)\n", "", {"call", "x"}, True),
        ("try:\n    import a\nexcept E:\n    a = None\n", "a", {"try", "except", "E", "a", "None"}, True),
        ("'''Documentation.'''\n", "", set(), False),
        ("r'''Documentation.'''\n", "", set(), False),
        ('def f():\n    r"""Doc g."""\n    return h(rb"x", f"{y}")\n', "f", {"return", "h"}, False),
        ('A = b"a.b"\n', "A", {"A", "a", "b"}, False),
        ("@wrap(\n  1\n)\n@other\nclass A(B): x = 1\n", "A", {"wrap", "other", "B", "x"}, True),
        ("if __name__ == '__main__':\n    main()\n", "", set(), False),
    ],
)
def test_statements_are_read_without_a_parser(text: str, names: str, words: set[str], runs: bool) -> None:
    (unit,) = units_of("m.py", text)
    assert (" ".join(unit.names), set(unit.words), unit.runs) == (names, words, runs)


PIECES = ["def f():\n", "  x = 'a'\n", '"""', "'''", "#", "(", ")", "\n", "@", "\\", "é", "from a import b\n"]


@given(st.lists(st.sampled_from(PIECES)))
def test_any_text_is_read(pieces: list[str]) -> None:
    units_of("m.py", "".join(pieces))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["a", "a1", "1a", "a'", "a1'", "f(a ", "f(a = ", "b'", '"""', "def a", " ", "( "])
def test_any_text_is_read_in_linear_time(text: str) -> None:
    units_of("m.py", text * (100_000 // len(text)) + "'")


def test_units_are_found_by_the_words_that_they_mention(shop: Path) -> None:
    sources = (
        Workspace(shop, cache=False, workers=0, progress=lambda *step: None).review.changes().comparison.new.sources
    )
    units, every = NameUnits(sources), list(NameUnits(sources).every())
    words = {word for text in FILES.values() for word in words_in(text)}
    assert {word for unit in every for word in unit.words} <= words
    for word in words | {"absent"}:
        assert list(units.mentioning(word)) == [unit for unit in every if word in unit.words]
