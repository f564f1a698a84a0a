# ruff: noqa: E501 - sources stand on one line each
"""Names as people write them: through re-exports, aliases, packages, lazy exports and inheritance, in each language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from codeexplore import AmbiguousSymbol, SymbolNotFound, Workspace
from codeexplore.workspace.view import complete
from tests.git_repos import write

FILES: Mapping[str, str] = {
    # Python
    "web/__init__.py": (
        "from .app import Web as Web\nfrom . import json as json\nfrom .json import jsonify\nfrom .stars import *\n"
        "from .app import make as create\nfrom .round import around\nmaker = create\n"
    ),
    "web/app.py": (
        "from .base import Base\n\nclass Web(Base):\n    def run(self):\n        return self\n\n"
        "def make():\n    return Web()\n\ndef _hidden():\n    return 1\n"
    ),
    "web/base.py": "class Base:\n    def serve(self):\n        return 1\n\n    handle = serve\n",
    "web/json/__init__.py": "from .provider import dumps as jsonify\n",
    "web/json/provider.py": "def dumps(value):\n    return str(value)\n",
    "web/stars.py": (
        "from .first import *\nfrom .second import *\n__all__ = ['pick', 'stars']\n\ndef stars():\n    return 1\n\n"
        "def unlisted():\n    return 2\n"
    ),
    "web/first.py": "def pick():\n    return 1\n",
    "web/second.py": "def pick():\n    return 2\n",
    "web/round.py": "from .circle import *\n\ndef around():\n    return nowhere()\n",
    "web/circle.py": "from .round import *\n",
    "web/stub.py": "def shown():\n    return 1\n",
    "web/stub.pyi": "def shown() -> int: ...\n",
    "lazy_dict/__init__.py": (
        "import importlib\n_EXPORTS = {'Engine': '.engine'}\n\ndef __getattr__(name):\n"
        "    return getattr(importlib.import_module(_EXPORTS[name], __name__), name)\n"
    ),
    "lazy_dict/engine.py": "class Engine:\n    def start(self):\n        return 1\n",
    "lazy_structure/__init__.py": (
        "from ._lazy import LazyModule\n_import_structure = {'models.bert': ['Bert']}\n__getattr__ = LazyModule(_import_structure)\n"
    ),
    "lazy_structure/_lazy.py": "class LazyModule:\n    pass\n",
    "lazy_structure/models/__init__.py": "",
    "lazy_structure/models/bert.py": "class Bert:\n    pass\n",
    "lazy_attach/__init__.py": (
        "import lazy_loader as lazy\n__getattr__, __dir__, __all__ = lazy.attach(__name__, submod_attrs={'core': ['solve']})\n"
    ),
    "lazy_attach/core.py": "def solve():\n    return 1\n",
    "examples/use.py": "import web as w\nimport web.json as wj\n\nw.jsonify(1)\n",
    "tests/test_web.py": "class TestWeb:\n    def webb(self):\n        return 1\n\n    def run(self):\n        return 2\n",
    # TypeScript
    "ts/package.json": '{"name": "@shop/cart", "exports": {".": "./dist/index.js", "./money": "./dist/money.js"}}',
    "ts/src/index.ts": "export { add as addItem } from './add'\nexport * from './shapes'\nexport { default as Cart } from './cart'\n"
    "export * as money from './money'\n",
    "ts/src/add.ts": "export function add(a: number) { return a }\n",
    "ts/src/shapes.ts": "export class Box { open() { return 1 } }\nexport class Crate extends Box {}\n",
    "ts/src/cart.ts": "export default class Cart { total() { return 1 } }\n",
    "ts/src/money.ts": "export const round = (x: number) => x\n",
    # Rust
    "rust/Cargo.toml": '[package]\nname = "fast-io"\n',
    "disk/Cargo.toml": '[package]\nname = "fast-disk"\n',
    "disk/src/lib.rs": "pub use disk::Block;\nmod disk;\n",  # a module called like the folder of its crate
    "disk/src/disk.rs": "pub struct Block;\n",
    "rust/src/lib.rs": "mod net;\npub mod sync;\npub use net::Stream;\npub use crate::net::connect as dial;\n",
    "rust/src/net.rs": "pub struct Stream;\nimpl Stream { pub fn close(&self) {} }\npub fn connect() -> Stream { Stream }\n",
    "rust/src/sync.rs": "pub use self::lock::Mutex;\nmod lock { pub struct Mutex; }\n",
    # Go
    "kit/go.mod": "module example.com/tools/kit\n",
    "kit/kit.go": "package kit\n\ntype Command struct{ Base }\n\nfunc New() *Command { return nil }\n",
    "kit/base.go": "package kit\n\ntype Base struct{}\n\nfunc (b *Base) Execute() {}\n",
    "kit/go-tin/tin.go": "package tin\n\ntype Lid struct{}\n\nfunc (l *Lid) Lift() {}\n",
    "kit/go-tin/open.go": "package tin\n\nfunc Open() *Lid { return nil }\n",
    # Java
    "java/org/shop/Money.java": "package org.shop;\npublic class Money { public static int round(int x) { return x; } "
    "public static int round(long x) { return 1; } }\n",
    "java/org/shop/Price.java": "package org.shop;\nimport static org.shop.Money.round;\n"
    "public class Price extends Money { int cut() { return round(1); } int cutLong() { return round(1L); } }\n",
}  # fmt: skip

MEANT = [
    ("web.Web", "web.app.Web"),
    ("web.Web.run", "web.app.Web.run"),
    ("web.Web.serve", "web.base.Base.serve"),  # inherited
    ("Web.serve", "web.base.Base.serve"),
    ("web.Web.handle", "web.base.Base.serve"),  # an alias in a class
    ("web.jsonify", "web.json.provider.dumps"),
    ("web.json.jsonify", "web.json.provider.dumps"),
    ("json.jsonify", "web.json.provider.dumps"),  # a module by the end of its name
    ("web.create", "web.app.make"),
    ("web.maker", "web.app.make"),
    ("web.pick", "web.second.pick"),  # of two star imports the later
    ("web.stars", "web.stars.stars"),  # before the module called the same
    ("web.around", "web.round.around"),  # star imports in a circle
    ("web.stub.shown", "web.stub.shown"),
    ("web.app._hidden", "web.app._hidden"),
    ("w.jsonify", "web.json.provider.dumps"),  # the alias that the repository's own imports use
    ("wj.jsonify", "web.json.provider.dumps"),
    ("lazy_dict.Engine", "lazy_dict.engine.Engine"),
    ("lazy_dict.Engine.start", "lazy_dict.engine.Engine.start"),
    ("lazy_structure.Bert", "lazy_structure.models.bert.Bert"),
    ("lazy_attach.solve", "lazy_attach.core.solve"),
    ("@shop/cart.addItem", "ts/src/add.add"),
    ("@shop/cart.Crate.open", "ts/src/shapes.Box.open"),
    ("@shop/cart.Cart", "ts/src/cart.Cart"),
    ("@shop/cart.Cart.total", "ts/src/cart.Cart.total"),
    ("@shop/cart.money.round", "ts/src/money.round"),
    ("@shop/cart/money.round", "ts/src/money.round"),
    ("ts/src/cart.default", "ts/src/cart.Cart"),
    ("fast_io::Stream", "rust::net::Stream"),
    ("fast_disk::Block", "disk::disk::Block"),
    ("fast_io::Stream::close", "rust::net::Stream::close"),
    ("fast_io::dial", "rust::net::connect"),
    ("fast_io::sync::Mutex", "rust::sync::lock::Mutex"),
    ("crate::sync::Mutex", "rust::sync::lock::Mutex"),
    ("kit.New", "kit.New"),
    ("tin.Open", "kit/go-tin.Open"),  # the name in the package clause, not that of the folder
    ("tin.Lid.Lift", "kit/go-tin.Lid.Lift"),
    ("example.com/tools/kit.Command", "kit.Command"),
    ("example.com/tools/kit.Command.Execute", "kit.Base.Execute"),  # embedded
    ("org.shop.Money", "org.shop.Money"),
    ("org.shop.Price.round", "org.shop.Money.round"),  # inherited static
]


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root: Path = tmp_path_factory.mktemp("public")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Workspace(root, cache=False)


@pytest.mark.parametrize(("name", "fqn"), MEANT)
def test_a_name_as_one_imports_it_means_its_definition(ws: Workspace, name: str, fqn: str) -> None:
    assert ws[name].fqn == fqn
    assert not ws[name].path.endswith(".pyi")


def test_names_that_a_module_does_not_give_away_are_not_found_in_who_imports_it(ws: Workspace) -> None:
    for name in ("web.unlisted", "web.nothing", "web.Web.nothing", "lazy_dict.nothing", "nobody.at_all"):
        with pytest.raises(SymbolNotFound):
            ws.symbol(name)


def test_an_answer_tells_what_a_public_name_stands_for(ws: Workspace) -> None:
    answer = ws.callers("w.jsonify")
    assert answer.notes[0] == "`w.jsonify` is `web.json.provider.dumps`"
    assert "`w.jsonify` is `web.json.provider.dumps`" in str(answer)
    assert ws.callers("web.json.provider.dumps").choice == ""


def test_a_question_in_words_takes_public_names(ws: Workspace) -> None:
    plan = ws.search("what calls web.jsonify?").plan
    assert [ws.catalog.symbol(seed.symbol_id).fqn for seed in plan.seeds] == ["web.json.provider.dumps"]


def test_a_name_without_an_answer_is_answered_with_public_definitions_first(ws: Workspace) -> None:
    with pytest.raises(SymbolNotFound) as caught:
        ws.symbol("web.Webb")
    assert caught.value.nearest[0] == "web.app.Web"
    assert caught.value.nearest[-1].startswith("tests.")


def test_an_ambiguous_name_gives_its_choices_as_symbols_that_can_be_walked_from(ws: Workspace) -> None:
    with pytest.raises(AmbiguousSymbol) as caught:
        ws.callers("run")
    error = caught.value
    assert error.name == "run"
    assert [choice.fqn for choice in error.choices] == ["web.app.Web.run", "tests.test_web.TestWeb.run"]
    assert error.candidates == tuple(choice.id for choice in error.choices)
    answer = ws.callers(error.choices)
    assert answer.seeds == error.choices
    with pytest.raises(SymbolNotFound, match="list of targets is empty"):
        ws.callers([])


def test_a_name_means_all_its_overloads(ws: Workspace) -> None:
    answer = ws.callers("org.shop.Money.round")
    assert [symbol.name for symbol in answer] == ["cut", "cutLong"]
    assert answer.headline == "2 callers of org.shop.Money.round"
    line = ws["java/org/shop/Money.java:2"]
    assert len(ws.callers(line).seeds) == 1


def test_a_path_means_the_module_of_its_file(ws: Workspace) -> None:
    assert ws.symbol("kit.go").kind == "module"
    assert ws.symbol("org/shop/Money.java") == ws.symbol("java/org/shop/Money.java")
    with pytest.raises(SymbolNotFound, match=r"no indexed file has the path 'missing.go'"):
        ws.callers("missing.go")


def test_callers_of_another_name_of_a_method_are_those_of_the_method(tmp_path: Path) -> None:
    source = "class Lock:\n    def clear(self): ...\n    release = clear\n    def end(self):\n        self.release()\n"
    answer = Workspace(write(tmp_path, {"a.py": source})).callers("Lock.release")
    assert [symbol.fqn for symbol in answer] == ["a.Lock.end"]
    assert "`Lock.release` is `a.Lock.clear`" in str(answer)


def test_modules_use_what_they_import(tmp_path: Path) -> None:
    write(tmp_path, {"a.ts": "export const x = 1;\n", "b.ts": 'import { x } from "./a";\nconsole.log(x);\n'})
    ws = Workspace(tmp_path)
    assert [symbol.path for symbol in ws.uses("a.ts")] == ["b.ts"]
    assert ws.search("who uses a.ts?")[0].chunk.path == "b.ts"
    assert ws.uses("b.ts").verdict.kind == "none"


def test_tab_offers_what_a_module_or_type_offers(ws: Workspace) -> None:
    assert {"web.Web", "web.create", "web.jsonify", "web.pick", "web.stars"} <= set(complete(ws.catalog, "web."))
    assert "Web.serve" in complete(ws.catalog, "Web.s")
    assert "web._hidden" not in complete(ws.catalog, "web.")


def test_a_bare_name_means_what_the_package_offers_first(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "from .cart import add\nfrom ._impl import total as total\n",
        "shop/cart.py": "def add(item):\n    return item\n\nclass Cart:\n    def add(self, item):\n        return add(item)\n",
        "shop/add.py": "class Adder:\n    def add(self, item):\n        return 'add add add'\n",
        "shop/_impl.py": "def total(cart):\n    return 0\n",
        "shop/sums.py": "def total(numbers):\n    return 'total total'\n",
        "benchmarks/shop.py": "def total(times):\n    return 'total'\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    ws = Workspace(tmp_path, cache=False, workers=0)
    adds, totals = ws.search("add"), ws.search("total")
    assert [hit.location for hit in (adds[0], *totals[:3])] == [
        "shop/cart.py:1", "shop/_impl.py:1", "shop/sums.py:1", "benchmarks/shop.py:1",
    ]  # fmt: skip
    assert "one of 3 definitions of this name" in str(adds.explain(1).to_dict())


def test_names_are_found_after_a_refresh_and_in_a_saved_index(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/__init__.py").write_text("from .inner import old as name\n")
    (tmp_path / "pack/inner.py").write_text("def old():\n    return 1\n\ndef new():\n    return 2\n")
    workspace = Workspace(tmp_path, cache=False)
    assert workspace["pack.name"].fqn == "pack.inner.old"
    (tmp_path / "pack/__init__.py").write_text("from .inner import new as name\n")
    workspace.refresh()
    assert workspace["pack.name"].fqn == "pack.inner.new"
    for sources in (True, False):
        saved = workspace.save(tmp_path / f"index-{sources}.zip", sources=sources)
        assert Workspace.open(saved)["pack.name"].fqn == "pack.inner.new"


def test_a_name_without_a_definition_says_where_it_is_used(tmp_path: Path) -> None:
    source = (
        "#[derive(Serialize)]\npub struct A;\nmacro_rules! make { ($n:ident) => { pub fn $n() {} } }\nmake!(built);\n"
    )
    (tmp_path / "lib.rs").write_text(source)
    ws = Workspace(tmp_path, cache=False, workers=0, progress=lambda *_: None)
    used = (
        "`built` is used at lib.rs:4, but no symbol has this name: it may be an attribute that only assignments make or a "
        "local variable, or come from a macro, generated code or another package."
    )
    for ask in (ws.symbol, ws.__getitem__, ws.callees):
        with pytest.raises(SymbolNotFound, match=re.escape(used)):
            ask("built")
        with pytest.raises(SymbolNotFound) as missing:
            ask("nowhere_at_all")
        assert "is used at" not in str(missing.value)
    assert "built" not in ws


RENAMED = {
    "py/store.py": "class Cart: pass\ndef total(cart): pass\n",
    "py/go.py": "from store import Cart as Basket, total as sum_up\n\nsum_up(Basket())\n",
    "js/store.js": "export default function (a) { return a }\nexport const real = () => 1\n",
    "js/go.js": "import adder, { real as fake } from './store.js'\nconst { real: third } = require('./store.js')\nadder(fake(third()))\n",
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": "mod kinds;\nuse kinds::{make as build, Kind as Sort, Kind::Red as R};\nfn go() -> Sort { build(); R }\n",
    "src/kinds.rs": "pub enum Kind { Red }\npub fn make() -> Kind { Kind::Red }\n",
    "php/store.php": "<?php\nnamespace Shop\\Store;\nclass Till {}\nfunction count_up($c) { return 1; }\n",
    "php/go.php": "<?php\nuse Shop\\Store\\Till as Box;\nuse function Shop\\Store\\count_up as raise;\nraise(new Box());\n",
}


@pytest.fixture(scope="module")
def renaming(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(write(tmp_path_factory.mktemp("renaming"), RENAMED), cache=False, workers=0)


@pytest.mark.parametrize(
    ("name", "path", "real"),
    [
        ("Basket", "py/store.py", "Cart"), ("sum_up", "py/store.py", "total"), ("adder", "js/store.js", "default"),
        ("fake", "js/store.js", "real"), ("third", "js/store.js", "real"), ("build", "src/kinds.rs", "make"),
        ("Sort", "src/kinds.rs", "Kind"), ("R", "src/kinds.rs", "Red"), ("Box", "php/store.php", "Till"),
        ("raise", "php/store.php", "count_up"),
    ],
)  # fmt: skip
def test_a_name_that_only_imports_give_means_what_they_import(
    renaming: Workspace, name: str, path: str, real: str
) -> None:
    symbol = renaming.symbol(name)
    assert (symbol.path, symbol.name) == (path, real)
    answer = renaming.search(f"who uses {name}?")
    assert [seed.symbol_id for seed in answer.plan.seeds] == [symbol.id]
    assert f"`{name}` is `{symbol.fqn}`." in answer.notices


def test_an_imported_name_of_another_package_means_no_symbol(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "from os import path as place\n\nplace.join()\n"})
    with pytest.raises(SymbolNotFound, match=r"place. is used at a.py:1"):
        Workspace(tmp_path, cache=False, workers=0).symbol("place")


def test_a_member_without_a_definition_is_used_where_its_receiver_is(tmp_path: Path) -> None:
    source = (
        "#[clap(parse(flag))]\npub struct Options;\npub fn go() { other.parse(); let o = cli::Options::parse(); }\n"
    )
    write(tmp_path, {"lib.rs": source, "other.rs": "fn a() { Beside::parse() }\n"})
    with pytest.raises(SymbolNotFound, match=r"`parse` is used at lib.rs:3, but"):
        Workspace(tmp_path, cache=False, workers=0).symbol("Options::parse")


@pytest.mark.parametrize(
    ("files", "name", "path"),
    [
        (
            {
                "Film.kt": "package a\nimport b.update\nclass Film { fun update(d: String) {} }\n",
                "Util.kt": "package b\nclass Ref\nfun Ref.update(f: () -> Int) {}\n",
            },
            "Film.update", "Film.kt",
        ),
        (
            {
                "Term.kt": "package a\nclass Term { val info: Int get() = 4 }\n",
                "Ext.kt": "package a\nfun Term.info(m: String) {}\n",
            },
            "Term.info", "Term.kt",
        ),
        (
            {
                "Term.cs": "namespace A;\npublic class Term { public int Info => 4; }\n",
                "Info.cs": "namespace A;\npublic class Info { }\n",
            },
            "Term.Info", "Term.cs",
        ),
    ],
)  # fmt: skip
def test_a_file_of_a_package_is_no_module(tmp_path: Path, files: Mapping[str, str], name: str, path: str) -> None:
    write(tmp_path, files)
    assert Workspace(tmp_path, cache=False, workers=0).symbol(name).path == path


def test_the_type_beside_a_function_of_its_name_has_the_subtypes(tmp_path: Path) -> None:
    source = "package a\ninterface Ref\nfun Ref(): Ref = Own()\nprivate class Own : Ref\n"
    write(tmp_path, {"a.kt": source})
    ws = Workspace(tmp_path, cache=False, workers=0)
    assert [symbol.name for symbol in ws.implementors("Ref")] == ["Own"]
    with pytest.raises(AmbiguousSymbol):
        ws.uses("Ref")
