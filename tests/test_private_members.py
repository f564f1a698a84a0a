"""No object reaches the private members of another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import codeexplore

NAMED_TUPLE = frozenset({"_asdict", "_fields", "_make", "_replace"})  # public: named so that they are no field's name
EXCEPTIONS = {
    "graph/model.py: graph._layout_sugiyama": "the public function of the same layout imports matplotlib",
    "notebook/magics/base.py: magic.parser._option_string_actions": "argparse has no public list of a parser's options",
    "notebook/completion.py: self._parsers[line.magic]._option_string_actions": "the same",
    "features/runs/hooks.py: sys._getframe": "documented function of the standard library",
    "features/runs/recorder.py: sys._getframe": "documented function of the standard library",
    "types/displayed.py: Displayed._repr_pretty_": "IPython's own name of a display",
    "types/displayed.py: type(self)._repr_html_": "the same",
    "trusted_imports.py: sys._getframe": "documented function of the standard library",
    "workspace/workers/child_process.py: os._exit": "documented function of the standard library",
    "workspace/workers/resolver_process.py: os._exit": "documented function of the standard library",
}


def reached(text: str) -> Iterator[str]:
    """Yield the private members that code reaches on objects other than its own.

    Its own are `self`, `cls`, `super()`, and an object that a function makes with its class, as a second constructor
    does: ``table = cls(…)``, ``lane = cls.__new__(cls)``.
    """
    tree = ast.parse(text)
    made: dict[ast.AST, set[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            own = {each.targets[0].id for each in ast.walk(function) if isinstance(each, ast.Assign)
                   and isinstance(each.targets[0], ast.Name) and _makes_own(each.value)}  # fmt: skip
            for node in ast.walk(function):
                made.setdefault(node, set()).update(own)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr.startswith("__"):
            continue
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        is_super = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "super"
        if not is_super and node.attr not in NAMED_TUPLE and name not in {"self", "cls"} | made.get(node, set()):
            yield ast.unparse(node)


def _makes_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("cls", "cls.__new__", "type(self).__new__")


def test_private_members_are_reached_by_their_own_object_only() -> None:
    root = Path(codeexplore.__file__).parent
    found = {
        f"{path.relative_to(root).as_posix()}: {member}"
        for path in root.rglob("*.py")
        for member in reached(path.read_text(encoding="utf-8"))
    }
    assert found == set(EXCEPTIONS)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(other):\n    return other._value", ["other._value"]),
        ("class A:\n    def f(self):\n        return self._part._value", ["self._part._value"]),
        ("class A:\n    def f(self):\n        return self._value + super()._value", []),
        ("class A:\n    @classmethod\n    def f(cls):\n        a = cls.__new__(cls)\n        a._x = 1", []),
        ("def f(row):\n    return row._replace(x=1), row.__class__", []),
    ],
)
def test_the_check_sees_what_it_should(code: str, expected: list[str]) -> None:
    assert list(reached(code)) == expected
