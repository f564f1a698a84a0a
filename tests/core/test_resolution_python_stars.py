"""What Python's star imports bind: ``__all__`` in all its forms, and the order of bindings."""

from __future__ import annotations

import pytest

from tests.graph_sources import edges, graph_of


def target(files: dict[str, str], name: str = "find", use: str = "import pk") -> set[str]:
    """The functions to which a call ``pk.NAME()`` in another module leads."""
    graph = graph_of({**files, "use.py": f"{use}\ndef run(): pk.{name}()\n"})
    edges = [e for e in graph.edges if e.kind == "CALLS" and e.source == "use.py:use.run" and e.confidence >= 0.6]
    return {e.target.partition(":")[2] for e in edges}


BASE = {"pk/base.py": "def _basic(): pass\n", "pk/real.py": "def find(): pass\n"}


@pytest.mark.parametrize(
    "listed",
    [
        '__all__ = ["thing"]',
        "__all__ = ('thing',)",
        '__all__: list[str] = ["thing"]',
        '__all__ = ["thing"] + ["other"]',
        '__all__ = []\n__all__ += ["thing"]',
        '__all__ = []\n__all__.extend(("thing",))',
        '__all__ = []\n__all__.append("thing")',
    ],
)
def test_a_literal_list_keeps_imported_names_back(listed: str) -> None:
    files = {
        **BASE,
        "pk/__init__.py": "from pk.real import *\nfrom pk.lists import *\n",
        "pk/lists.py": f"from pk.base import _basic as find\n{listed}\ndef thing(): pass\ndef other(): pass\n",
    }
    assert target(files) == {"pk.real.find"}
    assert target(files, "thing") == {"pk.lists.thing"}


@pytest.mark.parametrize("listed", ["__all__ = names()", '__all__ = ["thing", *names()]', "__all__ += base.__all__"])
def test_a_computed_list_keeps_no_public_name_back(listed: str) -> None:
    files = {**BASE, "pk/__init__.py": "from pk.lists import *\n",
             "pk/lists.py": f"from pk.real import find\n{listed}\n"}  # fmt: skip
    assert target(files) == {"pk.real.find"}


def test_private_names_come_only_when_they_are_listed() -> None:
    module = "def _hidden(): pass\ndef _shown(): pass\n__all__ = ['_shown']\n"
    files = {"pk/__init__.py": "from pk.a import *\n", "pk/a.py": module}
    assert target(files, "_shown") == {"pk.a._shown"}
    assert target(files, "_hidden") == set()


def test_of_two_star_imports_the_later_holds() -> None:
    files = {"pk/a.py": "def find(): pass\n", "pk/b.py": "def find(): pass\n"}
    assert target({**files, "pk/__init__.py": "from pk.a import *\nfrom pk.b import *\n"}) == {"pk.b.find"}
    assert target({**files, "pk/__init__.py": "from pk.b import *\nfrom pk.a import *\n"}) == {"pk.a.find"}


def test_the_later_of_many_star_imports_holds() -> None:
    files = {f"pk/m{n}.py": f"def find(): pass\ndef own{n}(): pass\n" for n in range(12)}
    stars = "".join(f"from pk.m{n} import *\n" for n in range(12))
    assert target({**files, "pk/__init__.py": stars}) == {"pk.m11.find"}
    assert target({**files, "pk/__init__.py": stars}, "own3") == {"pk.m3.own3"}


def test_a_definition_and_a_star_import_hold_in_their_order() -> None:
    files = {"pk/a.py": "def find(): pass\n"}
    assert target({**files, "pk/__init__.py": "def find(): pass\nfrom pk.a import *\n"}) == {"pk.a.find"}
    assert target({**files, "pk/__init__.py": "from pk.a import *\ndef find(): pass\n"}) == {"pk.find"}


def test_a_name_of_the_module_itself_is_rebound_by_a_star_import_further_down() -> None:
    made = graph_of({"m.py": "def f(): pass\ndef run(): f()\nfrom fast import *\n", "fast.py": "def f(): pass\n"})
    assert {e.target for e in made.edges if e.kind == "CALLS"} == {"fast.py:fast.f"}


def test_modules_that_star_import_each_other_keep_their_own_names() -> None:
    files = {"pk/__init__.py": "from pk.a import *\n", "pk/a.py": "def find(): pass\nfrom pk.b import *\n",
             "pk/b.py": "from pk.a import *\ndef other(): pass\n"}  # fmt: skip
    assert target(files) == {"pk.a.find"}
    assert target(files, "other") == {"pk.b.other"}


def test_a_function_goes_before_a_submodule_of_its_name() -> None:
    """networkx has both: a package of algorithms, and a function in it, called alike."""
    files = {
        "pk/__init__.py": "from pk.paths import *\nfrom pk.more import *\n",
        "pk/paths/__init__.py": "from pk.paths.generic import *\n",
        "pk/paths/generic.py": "__all__ = ['find']\ndef find(): pass\n",
        "pk/more/__init__.py": "def further(): pass\n",
        "pk/more/find.py": "def inner(): pass\n",
    }
    assert target(files) == {"pk.paths.generic.find"}


def test_a_module_of_a_package_is_imported_beside_star_imports_of_what_imports_it() -> None:
    """`core` is imported before the package has the name `util`, which its star import gives the package later."""
    found = edges(graph_of({
        "pk/__init__.py": "from pk.core import *\nfrom pk.util import *\n",
        "pk/core.py": "from . import util\ndef go():\n    return util.find()\n",
        "pk/util.py": "def find(): pass\n",
    }))  # fmt: skip
    assert found["pk.core.go", "pk.util.find"].rule == "scope"


CHOICES = [
    "import os\nif os.name == 'nt':\n    from pk.a import *\nelse:\n    from pk.b import *\n",
    "try:\n    from pk.a import *\nexcept ImportError:\n    from pk.b import *\n",
    "from pk.b import *\nwith suppress(ImportError):\n    from pk.a import *\n",
]


@pytest.mark.parametrize("module", CHOICES)
def test_of_star_imports_under_a_condition_each_may_hold(module: str) -> None:
    files = {
        "pk/a.py": "def find(): pass\n",
        "pk/b.py": "def find(): pass\ndef only(): pass\n",
        "pk/__init__.py": module,
    }
    assert target(files) == {"pk.a.find", "pk.b.find"}
    assert target(files, "only") == {"pk.b.only"}


def test_a_star_import_under_a_condition_leaves_earlier_and_alternative_definitions() -> None:
    files = {"pk/a.py": "def find(): pass\n"}
    fallback = "try:\n    from pk.a import *\nexcept ImportError:\n    def find(): pass\n"
    assert target({**files, "pk/__init__.py": fallback}) == {"pk.a.find", "pk.find"}
    assert target({**files, "pk/__init__.py": "def find(): pass\nif x:\n    from pk.a import *\n"}) == {
        "pk.a.find",
        "pk.find",
    }


def test_rust_modules_of_some_builds_that_are_imported_by_star_may_each_hold() -> None:
    files = {"src/main.rs": "mod sys;\nfn main() { sys::find(); }\n", "src/sys/unix.rs": "pub fn find() {}\n",
             "src/sys/win.rs": "pub fn find() {}\n"}  # fmt: skip
    module = "mod unix;\nmod win;\n#[cfg(unix)]\npub use unix::*;\n#[cfg(windows)]\npub use win::*;\n"
    graph = graph_of({**files, "src/sys.rs": module})
    assert {name for _, name in edges(graph)} == {"crate::sys::unix::find", "crate::sys::win::find"}
