"""Nodes that are left out before they are handled would have said nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Node

import codeexplore
from codeexplore.languages import registry
from codeexplore.languages.base import Wrapping
from codeexplore.languages.extraction.expressions import Captures, Layout
from codeexplore.languages.python import parts
from codeexplore.languages.python.extractor import PythonExtractor, literal_text
from codeexplore.syntax.parse import captures, grammar, parse_unwrapped, whole_query
from codeexplore.types import FileFacts

_PYTHON = registry.by_name("python")
_CHAINS = "a.b(x.y).c\nd.e.f\ng.h(i)(j).k\n(l.m)(n.o)\np.q[r.s].t(u.v(w))\nx.y = z.a.b\nraise e.f(g.h)\n"


class Unselected(PythonExtractor):
    """Handles every node that is captured."""

    def selected(self, captures: Captures) -> Captures:
        return captures


def _facts(text: str, extractor: PythonExtractor) -> FileFacts:
    data = text.encode()
    loaded = grammar(_PYTHON)
    root = parse_unwrapped(loaded, _PYTHON, data)[0].root_node
    return extractor.extract("m.py", "python", data, root, captures(loaded, root, whole_query(_PYTHON)), Layout()).facts


@pytest.mark.parametrize(
    "name",
    [
        "types/facts.py",
        "index/catalog.py",
        "text/word_counts.py",
        "languages/python/extractor.py",
        "syntax/parse.py",
    ],
)
def test_reads_left_out_say_nothing(name: str) -> None:
    text = (Path(codeexplore.__file__).parent / name).read_text("utf-8")
    assert _facts(text, PythonExtractor()) == _facts(text, Unselected())


@pytest.mark.parametrize("text", [_CHAINS, _CHAINS.replace("\n", "(\n"), _CHAINS.replace(".", " . \\\n")])
def test_reads_left_out_of_chains_say_nothing(text: str) -> None:
    facts = _facts(text, PythonExtractor())
    assert facts == _facts(text, Unselected())
    assert [row.path for row in facts.references if row.kind == "read"]


@pytest.mark.parametrize(
    "literal",
    ['"""a"""', '"""a\n    b\n  c"""', '"""a\\n"""', '"""a\r\nb"""', '""""a"""', '"""a\\""""', '"a"',
     '""""""', "'''a'''"],
)  # fmt: skip
def test_docstrings_read_as_they_evaluate(literal: str) -> None:
    assert literal_text(literal) == literal_text("(" + literal + ")")


_REAL = (Path(codeexplore.__file__).parent / "text" / "word_counts.py").read_text("utf-8")


@cache
def _real_facts() -> FileFacts:
    return _facts(_REAL, PythonExtractor())


@settings(max_examples=40)
@given(
    st.integers(0, len(_REAL) - 1), st.integers(0, 60), st.sampled_from(["", "(", "]", "'", ":", "=", ".", "lambda "])
)
def test_a_file_says_the_same_whatever_was_read_before(place: int, gap: int, put: str) -> None:
    shared = PythonExtractor()
    broken = _REAL[:place] + put + _REAL[place + gap :]
    alone = _facts(broken, PythonExtractor())
    _facts(_REAL, shared)
    assert _facts(broken, shared) == alone
    assert _facts(_REAL, shared) == _real_facts()


def test_a_module_is_searched_for_its_getter_of_names_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[bytes] = []

    class Getter:
        def search(self, data: bytes) -> re.Match[bytes] | None:
            texts.append(data)
            return form.search(data)

    form = parts._GETTER
    monkeypatch.setattr(parts, "_GETTER", Getter())
    source = "names = {'mend': '.repair'}\nx = 1\ny = 2\n\ndef __getattr__(name): return 1\n"
    facts = _facts(source, PythonExtractor())
    assert [row.name for row in facts.imports] == ["mend"]
    assert len(texts) == 1


def test_macros_are_searched_once_in_a_text_whose_other_errors_remain() -> None:
    language, searched = registry.by_name("c"), list[bytes]()

    def wrappings(root: Node, data: bytes) -> list[Wrapping]:
        searched.append(data)
        assert language.wrappings is not None
        return language.wrappings(root, data)

    data = b"LIB_BEGIN_DECLS\nint f(void) { return 1; }\nint g( { ; }\nLIB_END_DECLS\n"
    counting = replace(language, wrappings=wrappings)
    found, plain = (parse_unwrapped(grammar(language), each, data) for each in (counting, language))
    assert searched.count(data) == 1
    assert found[1] == plain[1] > 0
    assert str(found[0].root_node) == str(plain[0].root_node)
