"""What is read off the text of Python's expressions is what the tree says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import codeexplore
from codeexplore.languages import registry
from codeexplore.languages.extraction import Layout
from codeexplore.languages.python.facts import PythonExtractor
from codeexplore.languages.python.plain import is_data, plain_arguments, plain_path
from codeexplore.syntax.parse import captures, grammar, parse_unwrapped
from codeexplore.types import FileFacts

_PYTHON = registry.by_name("python")


def _facts(text: str, extractor: PythonExtractor, as_written: bool) -> FileFacts:
    data = text.encode()
    loaded = grammar(_PYTHON)
    tree, errors = parse_unwrapped(loaded, _PYTHON, data)
    extractor.as_written = as_written and not errors
    root = tree.root_node
    return extractor.extract("m.py", "python", data, root, captures(loaded, root), Layout()).facts


def _same_both_ways(text: str) -> None:
    remembering = PythonExtractor()
    expected = _facts(text, PythonExtractor(), False)
    assert _facts(text, remembering, True) == expected
    assert _facts(text, remembering, True) == expected  # now everything has been met before


_atoms = st.sampled_from([
    "a", "b.c", "self.x.y", "None", "True", "1", "2.5", "-3", "'s'", '"t, u"', "f'{a}'", "rb'x'", "r'\\'", "'\\''",
    "''",
    '"""q"""', "'a' 'b'", "[]", "[1, 'x']", "(1, a)", "{'k': v}", "{1, 2}", "x[0]", "x['k']", "x[1:]", "not a",
    "await a",
    "lambda: a", "a if b else c", "a or b", "a + b", "[i for i in a]", "super()", "list(a)", "a.copy(b)", "π", "a\n.b",
    "%s", "print", "type(a)", "not(a)", "1j", "0x1f", "...", "(a)", "(yield)", "a # b\n", "cast(T, a)", "'#(' ')'",
])  # fmt: skip


def _more(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    argument = st.builds("{}{}".format, st.sampled_from(["", "", "", "*", "**", "k=", "key = "]), inner)
    joined = st.lists(argument, max_size=4).map(", ".join)
    return st.one_of(
        st.builds("{}({})".format, inner, joined),
        st.builds("{}({},)".format, inner, argument),
        st.builds("{}.{}({})".format, inner, st.sampled_from(["m", "get", "sorted", "isinstance"]), joined),
        st.builds("{}.n".format, inner),
        st.builds("[{}]".format, joined),
    )


_expressions = st.recursive(_atoms, _more, max_leaves=8)
_statements = st.builds(
    str.format,
    st.sampled_from([
        "{0}\n", "v = {0}\n", "v: T = {0}\n", "v = w = {0}\n", "self.v = {0}\n", "v, w = {0}\n", "v[0] = {0}\n",
        "if c:\n    v = {0}\n", "def f(p={0}):\n    global v\n    v = {0}\n    return {0}\n", "for i in {0}: pass\n",
        "class C({0}):\n    v = {0}\n", "(v := {0})\n", "with {0} as v: pass\n", "__all__ = {0}\n", "U = Union[{0}]\n",
        "T = TypeVar('T', bound={0})\n", "raise {0}\n", "if isinstance(v, {0}):\n    v.m()\n",
    ]),
    _expressions,
)  # fmt: skip


@given(st.lists(_statements, min_size=1, max_size=6).map("".join))
def test_text_and_tree_agree(text: str) -> None:
    _same_both_ways(text)


@pytest.mark.parametrize("name", ["types.py", "catalog.py", "words.py", "languages/python/names.py", "syntax/parse.py"])
def test_text_and_tree_agree_on_real_files(name: str) -> None:
    _same_both_ways((Path(codeexplore.__file__).parent / name).read_text("utf-8"))


@pytest.mark.parametrize(
    ("written", "path"),
    [
        (b"a.b", "a.b"), (b"f(x)", "f()"), (b"a.f('(', \"#\").g", "a.f().g"), (b"f(g(x))", None), (b"a[0]", None),
        (b"f(x).g('a', [])", None), (b"not(x)", None), (b"await(x)", None),
    ],
)  # fmt: skip
def test_plain_paths(written: bytes, path: str | None) -> None:
    assert plain_path(written) == path


@pytest.mark.parametrize(
    ("written", "paths"),
    [
        (b"()", ()), (b"(a, 'x, y', 1)", ("a", "%str", "%num")), (b"(k=a, *b, **c,)", ("k=a", "*b", "**c")),
        (b"(f(x), k=g.h())", ("f()", "k=g.h()")), (b"(*f(x))", None), (b"(a)(b)", None), (b"(x for x in y)", None),
        (b"(a, # b\n c)", None), (b"(f'{a}')", None), (b"('\\'', a)", ("%str", "a")),
    ],
)  # fmt: skip
def test_plain_arguments(written: bytes, paths: tuple[str, ...] | None) -> None:
    assert plain_arguments(written, plain_path) == paths


@pytest.mark.parametrize(
    ("literal", "plain"),
    [
        (b"[]", True),
        (b"[1, -2.5]", True),
        (b"{'a': None}", True),
        (b"[a]", False),
        (b"[[1]]", False),
        (b"(1, (2))", False),
    ],
)  # fmt: skip
def test_data_holds_no_names(literal: bytes, plain: bool) -> None:
    assert is_data(b"x = " + literal + b" + y", 4, 4 + len(literal)) is plain
