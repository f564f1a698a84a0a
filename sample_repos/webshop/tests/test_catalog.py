import pytest

from webshop.catalog import Catalog, read_products
from webshop.cli import main
from webshop.demo_data import PRODUCTS, demo_shop
from webshop.orders.models import OrderLine
from webshop.reports import best_sellers, revenue_by_month, table
from webshop.storage import MemoryRepository


@pytest.fixture
def catalog():
    products = Catalog(MemoryRepository("product"))
    assert products.add_all(read_products(PRODUCTS.splitlines())) == 5
    return products


def test_titles_count_more_than_tags(catalog):
    assert [product.id for product in catalog.search("japan tea")] == ["BOOK-01", "TEA-01", "POT-01"]
    assert catalog.search("coffee") == []


def test_a_category_holds_what_is_below_it(catalog):
    assert [product.id for product in catalog.in_category("tea")] == ["TEA-01", "TEA-02"]


def test_category_tree(catalog):
    outline = [(depth, category.name) for depth, category in catalog.root.walk()]
    assert outline[:3] == [(0, "all"), (1, "tea"), (2, "green")]


def test_reports():
    shop = demo_shop()
    assert revenue_by_month(shop.order_store) == {}
    assert best_sellers(shop.order_store) == []
    assert table([("tea", 3), ("cups", 12)]) == "tea   3\ncups  12"
    assert OrderLine("TEA-01", "Green tea", shop.catalog.product("TEA-01").price, 2).total.cents == 1780


def test_command_line(tmp_path, capsys):
    (tmp_path / "products.csv").write_text(PRODUCTS, encoding="utf-8")
    assert main(["search", "teapot", "--data", str(tmp_path)]) == 0
    assert "Cast iron teapot" in capsys.readouterr().out
    assert main(["products", "--data", str(tmp_path)]) == 0
    assert "    green" in capsys.readouterr().out.splitlines()
    assert main(["demo"]) == 0
    assert "the session has expired" in capsys.readouterr().out
