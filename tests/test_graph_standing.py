"""What speaks for symbols that no edge leads to: lists made at run time, subclasses, compiled code, ambient blocks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from codeexplore.graph.ambient import blocks
from codeexplore.graph.dead import DeadCode
from tests.graph_sources import standings_of


def kinds(sources: Mapping[str, str]) -> dict[str, str]:
    """The kind of every candidate, by its name after its file's."""
    standings = standings_of(sources)
    found = DeadCode(standings.graph, standings).found()
    return {standings.graph.catalog.symbol(each.symbol_id).fqn.partition(".")[2]: each.kind for each in found}


@pytest.mark.parametrize(
    ("listing", "kind"),
    [
        ("__all__ = ['other']", "unused"),
        ("__all__ = [  # the face\n    'other',\n    'more']", "unused"),
        ("__all__ = ['open']", "exported"),
        ("__all__ = [name for name in dir() if name[:1] != '_']", "exported"),
        ("__all__ = ['other'] + more.__all__", "exported"),
        ("__all__ = ['other']\n__all__ += more.__all__", "exported"),
    ],
)
def test_a_list_of_public_names_counts_when_it_is_all_there_is(listing: str, kind: str) -> None:
    assert kinds({"m.py": f"{listing}\ndef open(): pass\n"}) == {"open": kind}


def test_a_private_name_may_be_listed() -> None:
    assert kinds({"m.py": "__all__ = ['_open']\ndef _open(): pass\ndef _shut(): pass\n"}) == {
        "_open": "exported",
        "_shut": "unused",
    }


def test_members_are_public_where_a_public_class_inherits_them() -> None:
    source = """
        class _View:
            def scroll(self): pass
            def _own(self): pass
        class _Alone:
            def lonely(self): pass
        class Text(_View): pass
        """
    assert kinds({"m.py": source}) == {
        "_View.scroll": "exported", "_View._own": "unused", "_Alone": "unused", "Text": "exported",
    }  # fmt: skip


def test_compiled_code_may_call_its_packages_functions() -> None:
    found = kinds({
        "pack/__init__.py": "from _speed import match\ndef _expand(): pass\nclass A:\n    def _inner(self): pass\n",
        "pack/more.py": "def _late(): pass\n",
        "alone.py": "try:\n    import _alone\nexcept ImportError: pass\ndef _hidden(): pass\n",
        "thread.py": "import _shared\ndef _first(): pass\n",
        "queue.py": "from _shared import lock\ndef _second(): pass\n",
        "own.py": "from _pure import x\ndef _third(): pass\n",
        "_pure.py": "x = 1\n",
        "tests/test_pack.py": "import _speed\n",
    })  # fmt: skip
    assert found["_expand"] == found["more._late"] == found["_hidden"] == "dynamic"
    assert found["_first"] == found["_second"] == found["_third"] == "unused"
    assert found["A"] == "exported"


def test_what_a_block_declares_for_everyone_is_public() -> None:
    source = """
        declare global {
          interface SymbolConstructor { readonly observable: symbol }
        }
        declare module 'vue' {
          interface Props { own: string }  // }
        }
        interface Mine { a: string }
        export const x = 1
        """
    assert kinds({"a.ts": source}) == {"SymbolConstructor": "exported", "vue.Props": "exported", "Mine": "unused"}


def test_blocks_end_at_their_own_brace() -> None:
    text = 'declare global {\n  const a: "}" // }\n  interface B { c: `}` }\n}\ndeclare module "m" {\n  /* } */ }\nx\n'
    assert [tuple(each) for each in blocks(text)] == [(1, 4, "the global scope"), (5, 6, 'module "m"')]
    assert [each.last for each in blocks("declare global {\n a\n")] == [3]
