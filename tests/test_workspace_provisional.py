"""What the edges of an edit are before everything is resolved anew."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.demand import slice_state
from codeexplore.graph.demand.family import Family
from codeexplore.workspace.demand import edited_edges

PYTHON = {
    "shop/cart.py": """from shop.price import Price


class Cart:
    def __init__(self):
        self.price = Price()

    def total(self):
        return self.price.of(1)
""",
    "shop/price.py": """class Price:
    def of(self, n):
        return n

    def rounded(self, n):
        return n
""",
    "shop/far.py": "def unrelated():\n    return 1\n",
}
GO = {
    "go.mod": "module example.com/shop\n",
    "cart.go": """package shop

type Cart struct{ price *Price }

func (c *Cart) Total() int {
	return c.price.Of(1)
}
""",
    "price.go": """package shop

type Price struct{}

func (p *Price) Of(n int) int { return n }

func (p *Price) Rounded(n int) int { return n }
""",
}
TYPESCRIPT = {
    "src/cart.ts": """import { Price } from "./price";

export class Cart {
  price = new Price();
  total() {
    return this.price.of(1);
  }
}
""",
    "src/price.ts": """export class Price {
  of(n: number) { return n; }
  rounded(n: number) { return n; }
}
""",
}
JAVA = {
    "shop/Cart.java": """package shop;

class Cart {
  private Price price = new Price();

  int total() {
    return price.of(1);
  }
}
""",
    "shop/Price.java": """package shop;

class Price {
  int of(int n) { return n; }
  int rounded(int n) { return n; }
}
""",
}
FILES: dict[str, dict[str, str]] = {"python": PYTHON, "go": GO, "typescript": TYPESCRIPT, "java": JAVA}
CALLS = {"python": ("of(1)", "rounded(1)"), "go": ("Of(1)", "Rounded(1)"), "typescript": ("of(1)", "rounded(1)"),
         "java": ("of(1)", "rounded(1)")}  # fmt: skip


def written(root: Path, files: dict[str, str]) -> Workspace:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Workspace(root, cache=False, workers=0)


def edges(ws: Workspace) -> set[tuple[str, str, str, tuple[int, ...]]]:
    return {(e.source, e.target, e.kind, tuple(site.line for site in e.sites)) for e in ws.graph.edges}


def edit(ws: Workspace, path: str, old: str, new: str) -> None:
    file = Path(ws.root) / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    ws.refresh(graph="background")
    assert ws.graph_pending


@pytest.mark.parametrize("language", sorted(FILES))
def test_an_edited_call_leads_elsewhere_at_once(language: str, tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, FILES[language])
    cart = next(path for path in FILES[language] if "art" in path)
    edit(ws, cart, *CALLS[language])
    soon = edges(ws)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert soon == edges(ws)
    called = {ws.symbol(target).name for source, target, kind, _ in soon if kind == "CALLS" and "otal" in source}
    assert called == {CALLS[language][1].partition("(")[0]}


@pytest.mark.parametrize("language", sorted(FILES))
def test_a_renamed_method_has_its_own_edges_and_no_caller(
    language: str, tmp_path: Path, unsettled: threading.Event
) -> None:
    ws = written(tmp_path, FILES[language])
    price = next(path for path in FILES[language] if "rice" in path)
    name = CALLS[language][0].partition("(")[0]
    edit(ws, price, f"{name}(", f"{name}2(")
    soon = edges(ws)
    assert not any(target.endswith(f".{name}") for _, target, _, _ in soon)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert soon == edges(ws)


def test_a_use_whose_line_changed_stays_where_it_is_now(tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, FILES["python"])
    before = edges(ws)
    edit(ws, "shop/cart.py", "        return self.price.of(1)\n", "        n = 2\n        return (self.price.of(n))\n")
    (moved,) = edges(ws) - before - {each for each in edges(ws) if each[2] == "CONTAINS"}
    assert moved[:3] == ("shop/cart.py:shop.cart.Cart.total", "shop/price.py:shop.price.Price.of", "CALLS")
    assert moved[3] == (10,)


def test_a_new_file_calls_what_it_imports(tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, FILES["python"])
    (tmp_path / "shop/till.py").write_text("from shop.cart import Cart\n\n\ndef pay():\n    return Cart().total()\n")
    ws.refresh(graph="background")
    assert [symbol.fqn for symbol in ws.callers("shop.cart.Cart.total")] == ["shop.till.pay"]
    soon = edges(ws)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert soon == edges(ws)


def test_a_lambda_that_moves_keeps_its_callers(tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, {"a.py": "def run(f):\n    return f()\n", "b.py": "import a\n\na.run(lambda: 1)\n"})
    edit(ws, "b.py", "\na.run", "\n\n\nx = a.run(len)\na.run")
    assert any("lambda" in callee.name for callee in ws.callees("a.run"))


def test_an_edit_beyond_the_budget_keeps_what_was(
    tmp_path: Path, unsettled: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slice_state, "MOST_ROWS", 0)
    ws = written(tmp_path, FILES["python"])
    edit(ws, "shop/cart.py", *CALLS["python"])
    assert not {target for _, target, kind, _ in edges(ws) if kind == "CALLS" and target.endswith("rounded")}
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert {target for _, target, kind, _ in edges(ws) if kind == "CALLS" and target.endswith("rounded")}


def test_many_edited_files_have_a_budget_each(
    tmp_path: Path, unsettled: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slice_state, "MOST_ROWS", 30)  # enough for what four of the files depend on
    ws = written(tmp_path, {f"m{n}.py": f"def f{n}():\n    pass\n" for n in range(20)})
    for n in range(20):
        (tmp_path / f"m{n}.py").write_text(f"def g{n}(a):\n    h{n}()\n    return h{n}()\n\ndef h{n}():\n    pass\n")
    ws.refresh(graph="background")
    assert ws.graph_pending
    assert {source[-2:] for source, _, kind, _ in edges(ws) if kind == "CALLS"} >= {f"g{n}" for n in range(10)}
    monkeypatch.setattr(edited_edges, "MOST_EDITED", 0)
    for n in range(20):
        (tmp_path / f"m{n}.py").write_text(f"def g{n}(a):\n    k{n}()\n    return k{n}()\n\ndef k{n}():\n    pass\n")
    ws.refresh(graph="background")
    assert len({edge for edge in edges(ws) if edge[2] == "CALLS"}) < 10


@pytest.mark.parametrize("way", [0, 1])
def test_a_function_that_becomes_a_variable_is_another_symbol(
    way: int, tmp_path: Path, unsettled: threading.Event
) -> None:
    shapes = ("var engine = made\n", "func engine() int { return 1 }\n")
    main = "package shop\n\nfunc made() int { return 2 }\n\n"
    files = {"go.mod": "module example.com/shop\n", "use.go": "package shop\n\nfunc Use() int { return engine() }\n"}
    ws = written(tmp_path, {**files, "main.go": main + shapes[way]})
    edit(ws, "main.go", shapes[way], shapes[1 - way])
    names = {target.rpartition(".")[2] for _, target, kind, _ in edges(ws) if kind == "CALLS"}
    assert names >= {("engine", "made")[way]}
    assert way == 0 or "engine" not in names


def test_a_name_that_the_repository_defines_often_is_not_guessed(tmp_path: Path, unsettled: threading.Event) -> None:
    """The slice of the edit has one of these methods only, which alone would be a guess."""
    files = {f"m{n}.py": f"class C{n}:\n    def settle(self):\n        pass\n" for n in range(5)}
    ws = written(tmp_path, {**files, "use.py": "from m1 import C1\n\n\ndef use(x):\n    pass\n"})
    edit(ws, "use.py", "    pass", "    x.settle()\n\n\ndef one():\n    C1().settle()")
    soon = edges(ws)
    assert {source.rpartition(".")[2] for source, _, kind, _ in soon if kind == "CALLS"} == {"one"}
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert soon == edges(ws)


def test_members_with_computed_names_are_sliced(tmp_path: Path, unsettled: threading.Event) -> None:
    text = "const MARK = Symbol()\nclass Box {\n  [MARK] = 1\n  open() { return 1 }\n}\nfunction use() {}\n"
    ws = written(tmp_path, {"a.ts": text})
    edit(ws, "a.ts", "use() {}", "use() { new Box().open() }")
    assert [symbol.name for symbol in ws.callers("a.Box.open")] == ["use"]


def test_files_far_from_an_edit_are_not_read(
    tmp_path: Path, unsettled: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = Family.index
    monkeypatch.setattr(Family, "index", lambda family, path: read.append(path) or real(family, path))
    ws = written(tmp_path, FILES["python"])
    edit(ws, "shop/cart.py", *CALLS["python"])
    assert set(read) == {"shop/cart.py", "shop/price.py"}


BARRELS = {
    "src/money/package.json": '{"name": "@shop/money", "main": "dist/index.js"}',
    "src/cart.ts": """import { Price } from "./money";

export class Cart {
  price = new Price();
  total() {
    return this.price.of(1);
  }
}
""",
    "src/money/index.ts": 'export { Amount as Price } from "./kinds";\nexport * from "./tax";\n',
    "src/money/kinds/index.ts": 'export * from "./price.js";\n',
    "src/money/kinds/price.ts": """export class Amount {
  of(n: number) { return n; }
  rounded(n: number) { return n; }
}
""",
    "src/money/tax.ts": "export function tax(n: number) { return n; }\n",
    **{
        f"src/other{n}.ts": f"export function rounded{n}() {{}}\nexport class Other{n} {{ of() {{}} }}\n"
        for n in range(12)
    },
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("of(1)", "rounded(1)"),
        ('import { Price } from "./money";', 'import { Price, tax } from "./money";\ntax(1);'),
        ('import { Price } from "./money";', 'import { Amount as Price } from "./money/kinds";'),
        ('import { Price } from "./money";', 'import { Price } from "@shop/money";'),
    ],
)
def test_files_that_only_pass_names_on_are_followed(
    old: str, new: str, tmp_path: Path, unsettled: threading.Event
) -> None:
    ws = written(tmp_path, BARRELS)
    edit(ws, "src/cart.ts", old, new)
    soon = edges(ws)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert soon == edges(ws)


HEIRS = {
    "python": {
        "base.py": "class Plain:\n    def run(self): pass\nclass Quick:\n    def run(self): pass\n",
        "middle.py": "from base import Plain, Quick\nclass Middle(Plain):\n    def start(self):\n        self.run()\n"
        "    def kept(self):\n        Plain.run(self)\n",
        "heir.py": "from middle import Middle\nclass Heir(Middle):\n    def go(self):\n        self.run()\n"
        "        self.start()\n",
    },
    "typescript": {
        "base.ts": "export class Plain { run() {} }\nexport class Quick { run() {} }\n",
        "middle.ts": 'import { Plain, Quick } from "./base";\nexport class Middle extends Plain {\n'
        "  start() {\n    this.run();\n  }\n}\n",
        "heir.ts": 'import { Middle } from "./middle";\nexport class Heir extends Middle {\n  go() {\n    this.run();\n'
        "    this.start();\n  }\n}\n",
    },
}


@pytest.mark.parametrize("language", sorted(HEIRS))
def test_what_a_class_inherits_from_another_base_is_called_at_once(
    language: str, tmp_path: Path, unsettled: threading.Event
) -> None:
    ws = written(tmp_path, HEIRS[language])
    middle = next(path for path in HEIRS[language] if "middle" in path)
    way = ("Middle(Plain)", "Middle(Quick)") if language == "python" else ("extends Plain", "extends Quick")
    edit(ws, middle, *way)
    soon = edges(ws)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert soon == edges(ws)
    called = {(ws.symbol(e[0]).name, ".".join(ws.symbol(e[1]).fqn.split(".")[-2:])) for e in soon if e[2] == "CALLS"}
    assert {("start", "Quick.run"), ("go", "Quick.run")} <= called
