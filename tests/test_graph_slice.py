"""What the scopes of an edit name, use and hand on, by the facts of one file."""

from __future__ import annotations

from codeexplore.graph.incremental.slice import names_from_elsewhere, names_used, passing_on, scopes_using, uses_in
from codeexplore.types import FileFacts
from tests.graph_sources import facts_of

SOURCE = """
from shop.store import load as fetch, Row
import logging

class Cart(Base):
    def total(self, rate: Rate) -> Money:
        found = fetch(self.key)
        for item in found.items:
            logging.debug(item.label)
        return Bill(found, key=aside).sum

def untouched(value: Other):
    local = elsewhere(value)
    return beyond(local)
"""


def scope(facts: FileFacts, name: str) -> set[int]:
    return {row for row, symbol in enumerate(facts.symbols) if symbol.name == name}


def test_names_used_are_those_of_the_scopes_alone() -> None:
    (facts,) = facts_of({"shop/cart.py": SOURCE})
    found = names_used(facts, scope(facts, "total"))
    assert {"fetch", "key", "items", "debug", "label", "Rate", "Money", "Bill", "sum", "aside"} <= found
    assert not found & {"Other", "elsewhere", "beyond", "local", "value", "found", "item", "Base", "load"}
    assert names_used(facts, scope(facts, "untouched")) == {"Other", "elsewhere", "beyond"}
    assert names_used(facts, scope(facts, "Cart")) == {"Base"}
    assert {"load", "Row", "shop", "store"} <= names_used(facts, {0})
    assert names_used(facts, set()) == set()


def test_names_from_elsewhere_are_imported_or_used_and_not_defined_here() -> None:
    (facts,) = facts_of({"shop/cart.py": SOURCE})
    asked = {"load", "Row", "Bill", "total", "Cart", "untouched", "local", "nowhere", "label"}
    assert names_from_elsewhere(facts, asked) == {"load", "Row", "Bill"}


def test_uses_are_counted_and_found_by_scope() -> None:
    (facts,) = facts_of({"shop/cart.py": SOURCE})
    total, untouched = scope(facts, "total"), scope(facts, "untouched")
    assert uses_in(facts, total | untouched) == uses_in(facts, total) + uses_in(facts, untouched)
    assert uses_in(facts, untouched) > 1
    assert scopes_using(facts, {"fetch"}) == total
    assert scopes_using(facts, {"beyond", "debug"}) == total | untouched
    assert scopes_using(facts, set()) == scopes_using(facts, {"nowhere"}) == set()


def test_what_a_file_passes_on() -> None:
    (facts,) = facts_of(
        {"index.js": "export { load } from './store'\nexport * from './rest'\nexport { other } from './other'\n"}
    )
    assert passing_on(facts, {"load"}) == {"./store", "./rest"}
    assert passing_on(facts, {"nowhere"}) == {"./rest"}
