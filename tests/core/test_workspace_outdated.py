"""What the graph shows after an edit, before everything is resolved anew: its edges of before, at their new lines."""

from __future__ import annotations

import threading
from pathlib import Path

from codeexplore import Workspace

FILES = {
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
}


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


def test_edges_of_lines_that_stayed_are_at_their_new_lines(tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, FILES)
    edit(ws, "shop/cart.py", "class Cart:\n", "def more():\n    return Cart()\n\n\nclass Cart:\n")
    (called,) = (e for e in edges(ws) if e[1].endswith("Price.of") and e[2] == "CALLS")
    assert called == ("shop/cart.py:shop.cart.Cart.total", "shop/price.py:shop.price.Price.of", "CALLS", (13,))
    assert not ws.callers("shop.cart.Cart")  # the new call is known when the graph is
    assert any("the call graph is older than shop/cart.py" in note for note in ws.callers("shop.cart.Cart").notes)
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert [symbol.name for symbol in ws.callers("shop.cart.Cart")] == ["more"]


def test_an_edge_of_a_line_that_is_gone_is_gone(tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, FILES)
    edit(ws, "shop/cart.py", "of(1)", "rounded(1)")
    assert not {target for _, target, kind, _ in edges(ws) if kind == "CALLS" and "Price." in target}
    unsettled.set()
    assert ws.wait_for_graph(60)
    assert [symbol.name for symbol in ws.callers("shop.price.Price.rounded")] == ["total"]


def test_a_renamed_method_has_no_caller(tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, FILES)
    edit(ws, "shop/price.py", "of(", "of2(")
    assert not any("Price.of" in target for _, target, kind, _ in edges(ws) if kind == "CALLS")


def test_a_lambda_that_moves_keeps_its_callers(tmp_path: Path, unsettled: threading.Event) -> None:
    ws = written(tmp_path, {"a.py": "def run(f):\n    return f()\n", "b.py": "import a\n\na.run(lambda: 1)\n"})
    edit(ws, "b.py", "\na.run", "\n\n\nx = a.run(len)\na.run")
    assert any("lambda" in callee.name for callee in ws.callees("a.run"))


def test_every_symbol_keeps_its_rank(tmp_path: Path, unsettled: threading.Event) -> None:

    ws = written(tmp_path, FILES)
    before = dict(zip(ws.catalog.symbols.ids, ws.graph.ranks, strict=True))
    edit(ws, "shop/cart.py", "of(1)\n", "of(1)\n\n    def other(self):\n        return self.total()\n")
    after = dict(zip(ws.catalog.symbols.ids, ws.graph.ranks, strict=True))
    assert after == before | {"shop/cart.py:shop.cart.Cart.other": 0.0}
