import assert from "node:assert/strict";
import { test } from "node:test";
import { chosen, curve, grepOf, inSight, lastPart, moves, Places, zoomed } from "./state.js";
import { lastWord, match, parse } from "./typeahead.js";

const names = parse(
  "shop.orders.refund\tfunction\ta\nshop.refunds.Desk\tclass\tb\nshop.cart.re_fun_d\tfunction\tc\nshop::Refund\tstruct\td",
);
const ids = (text) => match(names, text).map((n) => n.id);

test("the last name beats the path, the path beats letters in order; the more used is first", () =>
  assert.deepEqual(ids("refund"), ["a", "d", "b", "c"]));
test("spaces and case do not matter, and no letters give no rows", () => {
  assert.deepEqual(ids("RE fund").slice(0, 1), ["a"]);
  assert.deepEqual(ids("  "), []);
  assert.deepEqual(ids("zzz"), []);
});
test("60,000 names are matched within a tenth of a second", () => {
  const many = parse(Array.from({ length: 60000 }, (_, i) => `pkg.mod${i % 300}.name_${i}\tfunction\t${i}`).join("\n"));
  const start = process.cpuUsage().user;
  for (const text of ["n", "name_59999", "pmn"]) match(many, text);
  assert.ok((process.cpuUsage().user - start) / 3000 < 150);
});
test("the name at the end of a question is completed", () => {
  assert.deepEqual(lastWord("what calls shop.ref"), ["what calls ", "shop.ref"]);
  assert.deepEqual(lastWord("what calls "), ["what calls ", ""]);
});
test("places go back and forth, and a new place drops those ahead", () => {
  const places = new Places();
  for (const each of ["a", "b", "b", "c"]) places.go(each);
  assert.deepEqual(places.all, ["a", "b", "c"]);
  assert.equal(places.step(-1), "b");
  places.go("d");
  assert.deepEqual(places.all, ["a", "b", "d"]);
  assert.equal(places.step(1), "");
  assert.equal(places.now, "d");
});
test("a slash asks for text, two slashes for a regular expression", () => {
  assert.deepEqual(grepOf("/a b"), { pattern: "a b", regex: false, ignore_case: false });
  assert.deepEqual(grepOf("/a.*b/i"), { pattern: "a.*b", regex: true, ignore_case: true });
  assert.equal(grepOf("a/b"), null);
  assert.equal(grepOf("/"), null);
});
test("options that are left to Python are not stored", () =>
  assert.deepEqual(chosen({ top_k: 5, relation: "", lanes: null, tests: false }), { top_k: 5, tests: false }));
test("a zoom keeps what is under the pointer", () => {
  const view = zoomed({ x: 10, y: 20, k: 1 }, 2, 50, 60);
  assert.equal((50 - view.x) / view.k, 40);
  assert.equal(zoomed(view, 100, 0, 0).k, 4);
});
test("a link starts and ends at the sides that face each other", () => {
  const a = { x: 0, y: 0, width: 20 },
    b = { x: 100, y: 10, width: 40 };
  assert.match(curve(a, b), /^M10 0C.* 75 10$/);
  assert.match(curve(b, a), /^M80 10C.* 15 0$/);
  assert.doesNotMatch(curve(a, a) + curve(a, { ...a, y: 50 }), /NaN/);
});
test("rows know their rank before, and those that are gone are told", () => {
  const row = (target, rank) => ({ target, rank });
  const now = [row("b", 1), row("a", 2), row("d", 3)];
  assert.deepEqual(moves([row("a", 1), row("b", 2), row("c", 3)], now), [row("c", 3)]);
  assert.deepEqual(
    now.map((each) => each.was),
    [2, 1, 0],
  );
});
test("boxes come into sight with the least move", () => {
  const boxes = [
      { x: -300, y: 0, width: 40 },
      { x: -100, y: 50, width: 40 },
    ],
    size = { width: 400, height: 200 };
  assert.deepEqual(inSight({ x: 350, y: 100, k: 1 }, boxes, size), { x: 350, y: 100, k: 1 });
  assert.deepEqual(inSight({ x: 0, y: 500, k: 1 }, boxes, size), { x: 328, y: 130, k: 1 });
  assert.equal(inSight({ x: 0, y: 0, k: 1 }, [...boxes, { x: 900, y: 0, width: 40 }], size).x, -100);
});
test("the last part of a file is its name, that of a symbol what follows the last dot", () => {
  for (const [name, place, last] of [
    ["pyproject.toml", "pyproject.toml:1", "pyproject.toml"],
    ["docs/topics/stats.rst#Input/Output", "docs/topics/stats.rst:9", "stats.rst#Input/Output"],
    ["README.md#shop", "README.md:3", "README.md#shop"],
    ["shop.orders.Order.pay", "shop/orders.py:12", "pay"],
    ["crate::page::Page", "src/page.rs:4", "Page"],
  ])
    assert.equal(name.slice(lastPart({ name, place })), last);
});
