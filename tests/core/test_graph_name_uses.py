"""Names put together at run time are found by looking where they must end, exactly as the expression finds them."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from codeexplore.names import mentions
from codeexplore.names.mentions import Mentions
from codeexplore.types import SourceFile

PIECES = [
    "getattr", "hasattr", "vars", "globals", "this[", "self[", "getMethods", "call_user_func", "(", ")", '"', "'", "_",
    "a", "bc", "f", "F", "{", "}", "%s", "`", "${", "+", " ", "\n", "é", "日", ".", "1",
]  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
LOOKS_UP = re.compile(
    r"\b(?:getattr|hasattr|globals|vars|methodcaller)\s*\(|\bthis\[|\bself\[|\bpublic_send\b|call_user_func"
    r"|\bgetMethods?\s*\(|\bgetDeclaredMethods?\s*\(|\bMethodByName\s*\("
)


@given(texts)
def test_prefixes_are_those_of_the_expression(text: str) -> None:
    assert [m.span() for m in mentions._prefixes(text)] == [m.span() for m in mentions._PREFIX.finditer(text)]


@given(texts)
def test_looking_up_is_told_as_one_expression_tells_it(text: str) -> None:
    assert mentions._looks_up_names(text) == bool(LOOKS_UP.search(text))


def test_prefixes_say_where_they_stand() -> None:
    lines = ["def go(self, kind):", '    return getattr(self, "visit_" + kind, getattr(self, kind))', 'x = f"on_{y}"']
    text = "\n".join(lines)
    found = Mentions({"a.py": SourceFile("a.py", "python", text, ""), "b.md": SourceFile("b.md", "markdown", text, "")})
    assert {(built.text, built.site) for built in found.built} == {("visit_*", ("a.py", 2)), ("on_*", ("a.py", 3))}
    assert found.computed("a.py") == ("a.py", 2)
    assert found.computed("missing.py") is None
