"""Tests inside source files, as Rust has them, are tests for search, folded answers and filters."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.usage.name_uses import NameUses
from tests.graph_sources import standings_of

SOURCE = """\
pub struct Basket { total: u32 }

impl Basket {
    pub fn new() -> Self { Basket { total: 0 } }

    /// Adds the price of an item to the basket.
    pub fn add_price(&mut self, price: u32) { self.total += price; }
}

pub fn checkout(basket: &mut Basket) { basket.add_price(1); }

#[test]
fn adds_one() { checkout(&mut Basket::new()); }

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds the price of an item to the basket.
    fn add_price_to_basket(basket: &mut Basket) { basket.add_price(7); }

    #[test]
    fn adds_a_price() { add_price_to_basket(&mut Basket::new()); }
}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder: Path = tmp_path_factory.mktemp("shop")
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text('[package]\nname = "shop"\n')
    (folder / "src" / "lib.rs").write_text(SOURCE)
    return Workspace(folder, cache=False, workers=0)


def test_they_come_after_the_code_that_they_exercise(shop: Workspace) -> None:
    answer = shop.search("add the price of an item to the basket")
    names = [hit.symbol.name for hit in answer.hits if hit.symbol is not None]
    assert names.index("add_price") < names.index("add_price_to_basket")
    asked = shop.search("tests that add the price of an item to the basket")
    assert "it is test code, not asked for" in " ".join(str(answer).split())
    assert "it is test code" not in " ".join(str(asked).split())


def test_they_are_folded_and_filtered(shop: Workspace) -> None:
    assert "1 of these 2 is in tests" in str(shop.callers("add_price"))
    assert shop.catalog.roles.is_test_symbol(shop.symbol("adds_one"))
    found = shop.search("add the price of an item to the basket", tests=False)
    assert not any("tests::" in hit.symbol.fqn for hit in found.hits if hit.symbol is not None)


def test_what_only_they_use_is_not_used_outside_of_tests(shop: Workspace) -> None:
    """A relation without tests leaves them out, as it leaves out files of tests."""
    called = {edge.source.rpartition("::")[2]: edge.in_test for edge in shop.callers("add_price").edges}
    assert called == {"checkout": False, "add_price_to_basket": True}
    assert [symbol.name for symbol in shop.callers("add_price", tests=False).symbols] == ["checkout"]
    assert not shop.callers("checkout", tests=False).symbols
    assert "in this repository outside its tests" in str(shop.callers("checkout", tests=False))
    assert shop.grep("add_price_to_basket").hits
    assert not shop.grep("add_price_to_basket", tests=False).hits


@pytest.mark.parametrize(("owner", "uses"), [("Basket", 0), ("Crate", 1)])
def test_a_call_through_another_type_is_no_use(owner: str, uses: int) -> None:
    """A definition for another platform has the same type; a certain edge to one says nothing about the other."""
    usage = standings_of(
        {
            "src/basket.rs": "pub struct Basket; impl Basket { pub fn new() -> Self { Basket } }\n",
            "src/unix.rs": "pub struct Crate; impl Crate { pub fn new() -> Self { Crate } }\n",
            "src/windows.rs": "pub struct Crate; impl Crate { pub fn new() -> Self { Crate } }\n",
            "src/lib.rs": "mod basket; mod unix; mod windows;\nuse unix::Crate;\nfn pack() { Crate::new(); }\n",
        }
    )
    new = next(
        each for each in usage.graph.catalog.symbols if each.fqn.endswith(f"{owner}::new") and "unix" not in each.path
    )
    assert len(NameUses(usage.graph, usage.mentions).of(new)) == uses
