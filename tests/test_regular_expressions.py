"""No regular expression has a possessive quantifier or an atomic group.

Before version 3.11.5, Python matches these wrongly if the repeated part can backtrack; Debian 12 has version 3.11.2.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FUNCTIONS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
# an escaped character or a set of characters is passed over
_LEXEME = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<refused>[*+?}]\+|\(\?>)", re.DOTALL)


def refused_in(module: ast.Module) -> Iterator[str]:
    """Yield the possessive quantifiers and atomic groups in what a module gives to the functions of `re`.

    The name of a variable stands for all that the module assigns to it.
    """
    assigned: dict[str, list[ast.expr]] = {}
    patterns: list[ast.expr] = []
    for node in ast.walk(module):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                assigned.setdefault(name, []).append(value)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=function), args=[first, *_]):
                if function in FUNCTIONS:
                    patterns.append(first)
    seen: set[str] = set()
    while patterns:
        for node in ast.walk(patterns.pop()):
            match node:
                case ast.Name(id=name) if name not in seen:
                    seen.add(name)
                    patterns.extend(assigned.get(name, ()))
                case ast.Constant(value=str() | bytes() as text):
                    text = text if isinstance(text, str) else text.decode("latin-1")
                    yield from (found["refused"] for found in _LEXEME.finditer(text) if found["refused"])


def files() -> list[Path]:
    folders = ("codeexplore", "benchmarks", "docs", "fuzz", "training", "notebooks", "tests")
    return [*ROOT.glob("*.py"), *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]


def test_python_before_3_11_5_reads_every_expression_right() -> None:
    assert len(files()) > 500
    texts = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in files()}
    suspects = {path: ast.parse(text) for path, text in texts.items() if re.search(rb"[*+?}]\+|\(\?>", text)}
    assert {path: found for path, module in suspects.items() if (found := list(refused_in(module)))} == {}


def test_modules_name_re_itself() -> None:
    """The search knows no other name of it."""
    other_name = re.compile(r"^[ \t]*(?:from re import|import re as)", re.MULTILINE)
    assert [path.name for path in files() if other_name.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("re.compile(r'a*+b?+')", ["*+", "?+"]),
        ("re.sub(rf'{x}(?>a)b{{2}}+', '', t)", ["(?>", "}+"]),
        ("P: Final = rb'a++'\nQ = P\nR = re.compile(b'(' + Q + b')', re.DOTALL)", ["++"]),
        (r"re.findall(r'\++\?+\*+[*+]+[]*+?]+[^]*++]\\*', '++')", []),
        (r"re.split('\\\\*+', t)", ["*+"]),
        ("'C++'\nother.compile('a++')\nre.escape('++')", []),
    ],
)
def test_quantifiers_are_found(code: str, found: list[str]) -> None:
    assert list(refused_in(ast.parse(code))) == found
