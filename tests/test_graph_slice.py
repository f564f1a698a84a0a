"""The facts that a slice collects for a few references."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.demand import family, slice_state
from codeexplore.graph.demand.facts_index import FactsIndex, last_of, names_of
from codeexplore.graph.demand.family import Family
from codeexplore.graph.demand.program_slice import ProgramSlice
from codeexplore.languages.registry import rules_of
from tests.graph_sources import facts_of

SHOP = {
    "shop/cart.py": """from shop import Till
from shop.price import Price as Cost

class Cart:
    def __init__(self, till: Till):
        self.price = Cost()
        self.till = till
        self.log = Log()

    def total(self):
        return self.price.of(1)

class Log:
    def write(self): pass
""",
    "shop/__init__.py": "from shop.till import Till\nfrom shop.far import far\n",
    "shop/price.py": "class Price(Base):\n    def of(self, n): return n\n    def other(self): pass\nclass Base: pass\n",
    "shop/till.py": "class Till:\n    def close(self): pass\n",
    "shop/far.py": "def far(): pass\n",
}


@pytest.fixture
def python(tmp_path: Path) -> Family:
    for path, text in SHOP.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    index = Workspace(tmp_path, cache=False, workers=0)._holder.current
    rules = rules_of("python")
    assert rules is not None
    return Family(rules, index.sources, index.files.facts, index.catalog, {})


def sliced_names(sliced: ProgramSlice) -> dict[str, set[str]]:
    return {path: {symbol.name for symbol in part.facts.symbols[1:]} for path, part in sliced.files().items()}


def grown(python: Family, name: str) -> ProgramSlice:
    sliced = ProgramSlice(python)
    index = sliced.read("shop/cart.py")
    assert index is not None
    sliced.use("shop/cart.py", index.references[name])
    sliced.grow()
    return sliced


def test_a_call_depends_on_what_binds_its_receiver(python: Family) -> None:
    found = sliced_names(grown(python, "of"))
    assert found["shop/price.py"] == {"Price", "Base", "of"}
    assert found["shop/cart.py"] >= {"Cart", "__init__", "total"}
    assert not found["shop/cart.py"] & {"Log", "write"}
    assert "shop/till.py" not in found  # the type of another parameter


def test_names_that_a_package_passes_on_lead_to_their_definition(python: Family) -> None:
    found = sliced_names(grown(python, "Till"))
    assert found["shop/till.py"] == {"Till"}
    assert "shop/far.py" not in found


def test_an_import_of_a_module_in_a_package_binds_the_package(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/__init__.py").write_text("from pack.case import Case\n")
    (tmp_path / "pack/case.py").write_text("class Case: pass\n")
    (tmp_path / "pack/other.py").write_text("")
    (tmp_path / "use.py").write_text("import pack.other\nmade = pack.Case()\n")
    index = Workspace(tmp_path, cache=False, workers=0)._holder.current
    rules = rules_of("python")
    assert rules is not None
    sliced = ProgramSlice(Family(rules, index.sources, index.files.facts, index.catalog, {}))
    read = sliced.read("use.py")
    assert read is not None
    sliced.use("use.py", read.references["Case"])
    sliced.grow()
    assert sliced_names(sliced)["pack/case.py"] == {"Case"}


def test_names_exported_by_a_star_lead_to_the_modules_that_contain_them(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"m{number}.ts").write_text(f"export function made{number}() {{ return {number} }}\n")
    (tmp_path / "index.ts").write_text("".join(f'export * from "./m{number}"\n' for number in range(5)))
    (tmp_path / "use.ts").write_text('import { made3 } from "./index"\nexport const used = made3()\n')
    index = Workspace(tmp_path, cache=False, workers=0)._holder.current
    rules = rules_of("typescript")
    assert rules is not None
    sliced = ProgramSlice(Family(rules, index.sources, index.files.facts, index.catalog, {}))
    read = sliced.read("use.ts")
    assert read is not None
    sliced.use("use.ts", read.references["made3"])
    sliced.grow()
    assert set(sliced.files()) == {"use.ts", "index.ts", "m3.ts"}


def test_names_imported_by_a_star_lead_to_the_modules_that_contain_them(tmp_path: Path) -> None:
    """`pack` is used as a value, so each member that is asked for may be in it."""
    for number in range(5):
        (tmp_path / f"m{number}.py").write_text(f"def made{number}(): pass\n")
    (tmp_path / "pack.py").write_text("".join(f"from m{number} import *\n" for number in range(5)))
    (tmp_path / "use.py").write_text("import pack\npack.made3().other()\n")
    index = Workspace(tmp_path, cache=False, workers=0)._holder.current
    rules = rules_of("python")
    assert rules is not None
    sliced = ProgramSlice(Family(rules, index.sources, index.files.facts, index.catalog, {}))
    read = sliced.read("use.py")
    assert read is not None
    sliced.use("use.py", [*read.references["made3"], *read.references["other"]])
    sliced.grow()
    assert set(sliced.files()) == {"use.py", "pack.py", "m3.py"}


@pytest.mark.parametrize("budget", ["MOST_ROWS", "MOST_READ"])
def test_a_spent_budget_ends_the_slice_and_says_so(
    budget: str, python: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not grown(python, "of").cut
    monkeypatch.setattr(slice_state, budget, 3)
    sliced = grown(python, "of")
    assert sliced.cut
    assert sliced.read("shop/far.py") is None
    assert len(sliced_names(sliced)) < len(SHOP)


def test_kept_facts_are_bounded(python: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    first = python.index("shop/far.py")
    assert python.index("shop/far.py") is first
    monkeypatch.setattr(family, "MOST_KEPT", 1)
    python._left = 0
    python.index("shop/cart.py")
    assert python.index("shop/far.py") is not first


def test_files_that_contain_a_name(python: Family) -> None:
    assert python.mentioning(["Till"]) == ["shop/cart.py", "shop/__init__.py"]  # not the file that only defines it
    assert python.mentioning(["Till"], near=["far"])[0] == "shop/__init__.py"
    assert python.mentioning(["til", "pric"]) == []  # whole words only
    assert python.mentioning([""]) == []
    many = [f"no{number}" for number in range(family.MANY_NAMES)]
    assert python.mentioning(["Till", "til", *many]) == python.mentioning(["Till"])
    assert python.defining("of") == ["shop/price.py"]


@pytest.mark.parametrize(
    ("path", "last"),
    [("a", "a"), ("a.b", "b"), ("a.b()", "b"), ("a.b(c.d)[e].f", "f"), ("x[key]", "x"), ("%fn:1:2", "%fn:1:2"),
     ("%type(T)", "type"), ("", ""), ("a.b(]", "b"), ("))((", "")],
)  # fmt: skip
def test_the_last_name_of_a_path(path: str, last: str) -> None:
    assert last_of(path) == last


def test_names_of_paths_and_types() -> None:
    assert list(names_of("Optional[pkg.Row]")) == [(False, "Optional"), (False, "pkg"), (True, "Row")]
    assert list(names_of("%type(Row).load(%fn:3:4)")) == [(False, "type"), (False, "Row"), (True, "load"),
                                                         (False, "%fn:3:4")]  # fmt: skip


def test_facts_are_found_by_name_and_by_scope() -> None:
    (facts,) = facts_of({"a.py": "import os.path\nclass A:\n    def run(self):\n        self.x = os.path.join()\n"})
    index = FactsIndex(facts)
    (run,) = index.symbols["run"]
    assert [row.value for row in index.bindings["x"]] == ["os.path.join()"]
    assert [facts.references[row].path for row in index.by_scope[run] if facts.references[row].kind == "call"] == [
        "os.path.join"
    ]
    assert index.imports["os"][0].module == "os.path"
    assert list(index.chain(run)) == [run, index.parents[run], 0]
