"""The façade: load anything, ask it, walk it; bad input is told, nothing that was loaded is lost."""

from __future__ import annotations

import functools
import os
import threading
from pathlib import Path

import pytest

from codeexplore import (
    AmbiguousSymbol,
    Filters,
    LoadCancelled,
    NothingToIndex,
    PackageNotFound,
    QuestionError,
    RootNotAFolder,
    RootNotFound,
    SymbolNotFound,
    Workspace,
)

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "from shop.money import price\n\n"
        "class Cart:\n"
        '    """What a person is about to buy."""\n\n'
        "    def total(self):\n        return sum(price(item) for item in self.items)\n\n"
        "    def add(self, item):\n        self.items.append(item)\n        return self.total()\n"
    ),
    "shop/money.py": (
        "def price(item):\n    '''Price of one item, taxes included.'''\n    return _taxed(item.net)\n\n"
        "def _taxed(net):\n    return net * 1.2\n\n"
        "def nobody_calls_this():\n    return 0\n"
    ),
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def ws(repo: Path) -> Workspace:
    return Workspace(repo)


# --------------------------------------------------------------------------- loading


def test_a_summary_counts_everything(ws: Workspace, repo: Path) -> None:
    summary = ws.summary
    assert summary.files == {"Python": 3}
    assert summary.symbols["function"] == 3
    assert summary.symbols["method"] == 2
    assert summary.chunks == len(ws.catalog.chunks)
    assert summary.edges["CALLS"] >= 3
    assert summary.bytes == sum(len(ws.file(path).text.encode()) for path in ws.files)
    stages = {"discover", "parse", "catalog", "words", "bm25", "embeddings", "graph"}
    assert {stage.stage for stage in summary.stages} == stages
    assert repo.name in repr(ws)
    assert summary.to_dict()["schema"] == 1


def test_missing_file_empty_and_unusable_folders(tmp_path: Path) -> None:
    with pytest.raises(RootNotFound, match="nowhere"):
        Workspace(tmp_path / "nowhere")
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    with pytest.raises(RootNotAFolder, match=r"a\.py"):
        Workspace(file)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NothingToIndex, match="empty"):
        Workspace(empty)
    (empty / "picture.png").write_bytes(b"\x89PNG\x00")
    with pytest.raises(NothingToIndex, match="unknown language"):
        Workspace(empty)


def test_a_load_may_be_limited_to_one_folder_named_as_it_is(repo: Path) -> None:
    assert Workspace(repo, only="shop/money.py").files == ("shop/money.py",)
    with pytest.raises(RootNotFound, match=r"there is no 'nowhere' in .*[^']'$"):
        Workspace(repo, only=["nowhere"])


def test_what_is_skipped_is_counted_and_listed(repo: Path) -> None:
    (repo / "big.py").write_text("x = 1\n" * 1000)
    (repo / "binary.py").write_bytes(b"a\x00\x01b" * 100)
    (repo / "node_modules").mkdir()
    (repo / "node_modules" / "m.js").write_text("x()")
    summary = Workspace(repo, max_file_bytes=2000).summary
    skipped = {item.path: item.reason for item in summary.skipped_files}
    assert {"big.py", "binary.py", "node_modules/"} <= set(skipped)
    assert sum(summary.skipped.values()) == len(summary.skipped_files)


def test_odd_bytes_are_decoded_and_counted(repo: Path) -> None:
    (repo / "latin.py").write_bytes("# -*- coding: latin-1 -*-\ndef größe(): pass\n".encode("latin-1"))
    (repo / "broken.py").write_bytes(b"def fine(): pass\n# \xff\xfe\xfa\n")
    (repo / "wide.py").write_bytes("def weit(): pass\n".encode("utf-16"))
    loaded = Workspace(repo)
    assert {"größe", "fine", "weit"} <= {symbol.name for symbol in loaded.symbols}
    assert sum(loaded.summary.encodings.values()) == 3


def test_a_missing_grammar_loses_its_language_only(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tree_sitter_language_pack

    from codeexplore.syntax import parse

    real = tree_sitter_language_pack.get_language

    def without_go(name: str) -> object:
        if name == "go":
            raise LookupError("no such grammar")
        return real(name)  # type: ignore[arg-type]

    (repo / "main.go").write_text("package main\n\nfunc Lost() {}\n")
    parse.grammar.cache_clear()
    monkeypatch.setattr(tree_sitter_language_pack, "get_language", without_go)
    try:
        loaded = Workspace(repo)
    finally:
        parse.grammar.cache_clear()
    assert "Cart" in {symbol.name for symbol in loaded.symbols}
    assert any("Go" in warning and "no such grammar" in warning for warning in loaded.summary.warnings)
    assert loaded.search("Lost").hits  # its text can still be found


def test_a_load_can_be_cancelled_and_the_old_workspace_stays(ws: Workspace, repo: Path) -> None:
    cancel = threading.Event()

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "parse":
            cancel.set()

    with pytest.raises(LoadCancelled):
        Workspace(repo, progress=stop, cancel=cancel, cache=False)
    assert ws.search("price").hits


def test_an_interrupt_during_a_load_leaves_no_worker_behind(repo: Path) -> None:
    import psutil

    for number in range(40):
        (repo / f"m{number}.py").write_text("".join(f"def f{n}(): return {n}\n" for n in range(3000)))

    def interrupt(stage: str, done: int, total: int) -> None:
        if stage == "parse" and done:
            raise KeyboardInterrupt

    before = psutil.Process().children()
    with pytest.raises(KeyboardInterrupt):
        Workspace(repo, workers=2, progress=interrupt)
    assert not [child for child in psutil.Process().children() if child not in before]


def test_from_package_takes_a_name_a_module_and_a_single_file() -> None:
    import email.mime

    by_name = Workspace.from_package("json")
    assert by_name.symbol("dumps").path.endswith("__init__.py")
    assert by_name.callers("JSONEncoder").symbols
    assert "mime" in " ".join(Workspace.from_package(email.mime).files)
    single = Workspace.from_package("textwrap")
    assert [Path(path).name for path in single.files] == ["textwrap.py"]
    with pytest.raises(PackageNotFound, match="networkxx"):
        Workspace.from_package("networkxx")


def test_packages_have_their_own_names() -> None:
    fqns = {symbol.fqn for symbol in Workspace.from_package("json").symbols}
    assert "json.decoder.JSONDecoder.decode" in fqns
    assert "json.dumps" in fqns


def test_a_package_opened_by_its_own_folder_has_the_edges_of_its_repository(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from pkg.inner import Thing\n",
        "pkg/inner/__init__.py": "from pkg.inner.things import Thing\n",
        "pkg/inner/things.py": "class Thing: pass\n",
        "pkg/use.py": "import pkg.inner.things as t\nfrom pkg import Thing\ndef use(): return Thing(), t.Thing()\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def edges(root: Path) -> set[tuple[str, str, str]]:
        ws = Workspace(root)
        fqn = {symbol.id: symbol.fqn for symbol in ws.symbols}
        rows = map(ws.graph.edge, range(len(ws.graph.edges)))
        return {(fqn[edge.source], edge.kind, fqn[edge.target]) for edge in rows}

    whole = edges(tmp_path)
    assert ("pkg.use.use", "CALLS", "pkg.inner.things.Thing") in whole
    assert edges(tmp_path / "pkg") == whole
    assert edges(tmp_path / "pkg" / "inner") == {edge for edge in whole if all("inner" in end for end in edge[::2])}


# --------------------------------------------------------------------------- asking


def test_a_score_is_the_sum_of_its_parts(ws: Workspace) -> None:
    for question in ("Cart", "what calls price?", "taxes included in the price", "how does `add` work"):
        for hit in ws.search(question).hits:
            assert hit.score == sum(c.value for c in hit.contributions) + sum(a.value for a in hit.adjustments)


def test_the_first_hits_do_not_depend_on_how_many_are_asked_for(webshop: Workspace) -> None:
    for question in ("validate_session", "what calls process_order_refund?", "how are expired sessions handled?"):
        five = [hit.chunk.id for hit in webshop.search(question, top_k=5).hits]
        ten = [hit.chunk.id for hit in webshop.search(question, top_k=10).hits]
        assert five == ten[:5]


def test_an_identifier_finds_its_definition_first(ws: Workspace) -> None:
    hit = ws.search("nobody_calls_this").hits[0]
    assert hit.symbol is not None
    assert hit.symbol.fqn == "shop.money.nobody_calls_this"
    assert (hit.chunk.path, hit.chunk.start_line, hit.chunk.end_line) == ("shop/money.py", 8, 9)


def test_a_structural_question_puts_the_callers_first(ws: Workspace) -> None:
    answer = ws.search("what calls _taxed?")
    assert answer.plan.relation == "callers"
    assert answer.hits[0].symbol is not None
    assert answer.hits[0].symbol.fqn == "shop.money.price"


def test_lanes_weights_and_filters(ws: Workspace) -> None:
    answer = ws.search("price", lanes=("bm25", "graph"), rrf_k=30, weights={"bm25": 2.0}, depth=2, per_file=1)
    assert {ranking.lane for ranking in answer.rankings} == {"bm25", "graph"}
    paths = [hit.path for hit in answer.hits]
    assert len(paths) == len(set(paths))
    only_cart = ws.search("price", filters=Filters(paths=("shop/cart.py",)))
    assert {hit.path for hit in only_cart.hits} == {"shop/cart.py"}


@pytest.mark.parametrize(
    "options",
    [
        {"question": ""}, {"question": "  \n"}, {"top_k": 0}, {"rrf_k": 0}, {"rrf_k": -1}, {"lanes": ("bm52",)},
        {"per_file": 0}, {"weights": {"bm25": -1.0}}, {"weights": {"bm25": float("nan")}}, {"fusion": "magic"},
        {"relation": "likes"}, {"filters": Filters(languages=("klingon",))}, {"filters": Filters(kinds=("blob",))},
    ],
)  # fmt: skip
def test_unusable_options_name_their_value(ws: Workspace, options: dict[str, object]) -> None:
    question = options.pop("question", "price")
    with pytest.raises(QuestionError):
        ws.search(question, **options)  # type: ignore[arg-type]
    assert ws.search("price").hits


def test_a_question_of_a_hundred_kilobytes_is_cut_and_says_so(ws: Workspace) -> None:
    answer = ws.search("price " * 17_000)
    assert answer.hits
    assert answer.notices


def test_results_convert(ws: Workspace) -> None:
    answer = ws.search("price")
    assert answer.to_dict()["schema"] == 1
    assert len(answer.to_frame()) == len(answer.hits)
    assert "shop.money.price" in answer.to_markdown()
    callers = ws.callers("price")
    assert callers.to_dict()["schema"] == 1
    assert len(callers.to_frame()) >= 1


# --------------------------------------------------------------------------- targets


def test_every_kind_of_target_means_the_same_symbol(ws: Workspace) -> None:
    symbol = ws.symbol("price")
    hit = next(hit for hit in ws.search("price").hits if hit.symbol == symbol)
    for target in (
        "shop.money.price",
        "money.price",
        symbol.id,
        "shop/money.py:3",
        "money.py:1",
        symbol,
        hit,
        hit.chunk,
    ):
        assert ws.symbol(target) == symbol
    assert ws["price"] == symbol
    assert ws.symbol_at("shop/money.py", 3) == symbol


def test_live_objects(tmp_path: Path) -> None:
    import json
    import json.decoder

    loaded = Workspace.from_package("json")
    assert loaded.symbol(json.dumps).fqn == "json.dumps"
    assert loaded.symbol(json.JSONDecoder).fqn == "json.decoder.JSONDecoder"
    assert loaded.symbol(json.JSONDecoder().decode).fqn == "json.decoder.JSONDecoder.decode"
    assert loaded.symbol(functools.partial(json.loads, strict=True)).fqn == "json.loads"
    assert loaded.symbol(json.decoder).fqn == "json.decoder"

    @functools.wraps(json.dumps)
    def wrapped() -> None: ...

    assert loaded.symbol(wrapped).fqn == "json.dumps"
    with pytest.raises(SymbolNotFound, match="os"):
        loaded.symbol(os.path.join)
    with pytest.raises(SymbolNotFound, match="int"):
        loaded.symbol(3)


def test_unknown_and_ambiguous_targets(ws: Workspace, repo: Path) -> None:
    with pytest.raises(SymbolNotFound, match="price"):
        ws.symbol("prise")
    with pytest.raises(SymbolNotFound, match="line 999"):
        ws.symbol("shop/money.py:999")
    (repo / "shop" / "twin.py").write_text("def price(): pass\n")
    with pytest.raises(AmbiguousSymbol, match=r"(?s)shop\.money\.price.*shop\.twin\.price"):
        Workspace(repo).symbol("price")


# --------------------------------------------------------------------------- walks and places


def test_callers_callees_impact_and_paths(ws: Workspace) -> None:
    assert [s.fqn for s in ws.callers("_taxed")] == ["shop.money.price"]
    assert "shop.money._taxed" in {s.fqn for s in ws.callees("price")}
    assert {"shop.money.price", "shop.cart.Cart.total", "shop.cart.Cart.add"} <= {s.fqn for s in ws.impact("_taxed")}
    (path, *_) = ws.paths("Cart.add", "_taxed")
    assert [ws.catalog.symbol(i).name for i in path.symbol_ids] == ["add", "total", "price", "_taxed"]


def test_an_absence_says_what_it_means(ws: Workspace, repo: Path) -> None:
    nobody = ws.callers("nobody_calls_this")
    assert len(nobody) == 0
    assert nobody.absence.kind == "none"
    assert str(nobody.absence).startswith("No callers in this repository")
    (repo / "shop" / "dynamic.py").write_text("def run(thing):\n    thing.nobody_calls_this()\n")
    maybe = Workspace(repo).callers("nobody_calls_this")
    assert len(maybe) == 0
    assert maybe.absence.kind == "possible"
    assert [str(use.site.path) for use in maybe.absence.mentions] == ["shop/dynamic.py"]
    assert len(maybe.possible) + len(maybe.unresolved) == 1


def test_outline_source_and_files(ws: Workspace) -> None:
    assert ws.files == ("shop/__init__.py", "shop/cart.py", "shop/money.py")
    assert [s.name for s in ws.outline("cart.py")] == ["cart", "Cart", "total", "add"]
    assert ws.source("_taxed") == "def _taxed(net):\n    return net * 1.2"
    assert ws.source("shop/money.py") == FILES["shop/money.py"]
    with pytest.raises(SymbolNotFound, match=r"no indexed file has the path 'nowhere\.py'"):
        ws.outline("nowhere.py")
    with pytest.raises(SymbolNotFound, match=r"no indexed file has the path 'nowhere\.py'"):
        ws.source("nowhere.py")


def test_paths_say_which_way_the_calls_lead(ws: Workspace) -> None:
    assert ws.paths("Cart.total", "_taxed").headline == "1 path from shop.cart.Cart.total to shop.money._taxed"
    back = ws.paths("_taxed", "Cart.total")
    assert back.headline == "No calls lead from shop.money._taxed to shop.cart.Cart.total"
    assert str(back.absence).endswith("no unresolved call connects them. 1 path leads in the opposite direction.")
    other = ws.paths("nobody_calls_this", "price")
    assert str(other.absence).endswith("no unresolved call connects them. 1 path leads over other relations.")
    same = ws.paths("price", "price")
    assert len(same) == 0
    assert "one symbol" in str(same.absence)
    assert str(same.absence) in repr(same)


def test_targets_that_mean_nothing_are_named(ws: Workspace) -> None:
    with pytest.raises(SymbolNotFound, match=r"no indexed file has the path 'shop/none\.py'"):
        ws.symbol("shop/none.py:3")
    with pytest.raises(SymbolNotFound, match="an object of type int is not a function"):
        ws.callers(3)
    with pytest.raises(QuestionError, match="depth must be a whole number of at least 1, not 'deep'"):
        ws.callers("price", depth="deep")  # type: ignore[arg-type]


def test_callers_of_a_class_are_calls_of_its_constructor(tmp_path: Path) -> None:
    source = "class Cart:\n    def __init__(self):\n        pass\n\ndef make():\n    return Cart()\n"
    (tmp_path / "cart.py").write_text(source, "utf-8")
    answer = Workspace(tmp_path, workers=0).callers("Cart")
    assert "calls directly by name at line 6" in repr(answer)
    assert "USES" not in repr(answer)


def test_a_question_of_a_hundred_kilobytes_is_shown_cut(ws: Workspace) -> None:
    answer = ws.search("taxes " * 20_000)
    assert len(repr(answer).splitlines()[0]) < 400
    assert len(answer.to_markdown().splitlines()[0]) < 400


def test_recursion_and_a_cut_list_are_told(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def fact(n):\n    return n * fact(n - 1) if n else 1\n")
    (tmp_path / "n.py").write_text("class A:\n    def rare_name(self): pass\n" + "def f(x):\n    x.rare_name()\n" * 300)
    loaded = Workspace(tmp_path)
    assert "recursive" in str(loaded.callers("fact").absence)
    assert "300 calls of `.rare_name`" in str(loaded.callers("A.rare_name").absence)


def test_the_line_of_a_declaration_means_what_it_declares(tmp_path: Path) -> None:
    files = {
        "box.h": "int cut(int);\nclass Box {\n  public:\n    Box();\n    ~Box();\n    int add(int a, int b = 2);\n"
        "    int add(const char* a);\n    [[nodiscard]] int size() const;\n    int gone() = delete;\n};\n",
        "box.cpp": '#include "box.h"\nBox::Box() {}\nBox::~Box() {}\nint Box::add(int a, int b) { return a; }\n'
        "int Box::add(const char* a) { return 1; }\nint Box::size() const { return 1; }\n"
        "int cut(int a) { return a; }\n",
        "one.go": "package one\n\ntype Node interface{ sealed() }\n\ntype Leaf struct{ Left, Right int }\n",
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text, "utf-8")
    ws = Workspace(tmp_path, workers=0, cache=False)
    found = {place: (symbol.name, symbol.line) for place in range(1, 10) for symbol in [ws.symbol(f"box.h:{place}")]}
    assert found == {
        1: ("cut", 7), 2: ("Box", 2), 3: ("Box", 2), 4: ("Box", 2), 5: ("~Box", 3), 6: ("add", 4), 7: ("add", 5),
        8: ("size", 6), 9: ("Box", 2),
    }  # fmt: skip
    assert [ws.symbol(f"one.go:{line}").name for line in (3, 5)] == ["Node", "Leaf"]
