"""What names mean in JavaScript, TypeScript and TSX."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore.languages.javascript.spec import ScriptLocator, read_loose_json
from codeexplore.types import FileFacts
from tests.resolved import Resolved

# --------------------------------------------------------------------------- where modules lie


def located(module: str, files: list[str], manifests: dict[str, str] | None = None, source: str = "src/a.ts") -> str:
    """The path of the file that a module string means in `source`; "-" for nowhere, "outside:…" for a package."""
    paths = [source, *files]
    facts = [FileFacts(path, "typescript", path, ()) for path in paths]
    found = ScriptLocator(facts, manifests or {}).locate(0, module)
    return paths[found.unit] if found.unit >= 0 else f"outside:{found.external}" if found.external else "-"


@pytest.mark.parametrize(
    ("module", "file"),
    [
        ("./b", "src/b.ts"),
        ("./b", "src/b/index.tsx"),
        ("./b.js", "src/b.ts"),
        ("./b.jsx", "src/b.tsx"),
        ("./b.mjs", "src/b.mts"),
        ("./b.service", "src/b.service.ts"),
        ("../lib/b", "lib/b.js"),
        ("..", "index.js"),
        (".", "src/index.ts"),
        ("./b?raw", "src/b.js"),
        ("src/b", "src/b.ts"),
    ],
)
def test_relative_names_lead_to_files(module: str, file: str) -> None:
    wanted = file if module != "src/b" else "outside:src/b"
    assert located(module, [file]) == wanted


def test_relative_names_that_lead_nowhere_are_no_packages() -> None:
    assert located("./gone", ["src/b.ts"]) == "-"
    assert located("../../../up", ["src/b.ts"]) == "-"
    assert located("node:path", []) == "outside:path"
    assert located("@scope/pkg/sub", []) == "outside:@scope/pkg/sub"


def test_a_folder_with_a_manifest_means_the_main_file_of_its_package() -> None:
    files = ["lib/index.js", "lib/other.js", "index.js", "parts/a/main.js"]
    manifests = {"package.json": '{"main": "lib"}', "parts/a/package.json": '{"main": "./main"}'}
    assert located("../", files, manifests) == "lib/index.js"
    assert located("../parts/a", files, manifests) == "parts/a/main.js"
    assert located("../lib/other", files, manifests) == "lib/other.js"


def test_tsconfig_paths() -> None:
    config = """{
      // comments and trailing commas are allowed here
      "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["*"], "@core": ["core/index.ts"], "@x/*":
          ["x/*", "y/*"], }, },
    }"""
    files = ["src/core/index.ts", "src/y/deep.ts", "src/util.ts"]
    manifests = {"tsconfig.json": config}
    assert located("@core", files, manifests) == "src/core/index.ts"
    assert located("@x/deep", files, manifests) == "src/y/deep.ts"
    assert located("@/util", files, manifests) == "src/util.ts"
    assert located("util", files, manifests) == "src/util.ts"  # by baseUrl
    assert located("react", files, manifests) == "outside:react"


def test_aliases_without_a_declaration_follow_conventions() -> None:
    files = [
        "site/src/lib/api.ts", "site/src/routes/films/page.svelte", "src/util.ts", "app/models/user.ts", "src/main.ts",
    ]  # fmt: skip
    assert located("$lib/api", files, {}, "site/src/routes/films/page.svelte") == "site/src/lib/api.ts"
    assert located("@/util", files, {}) == "src/util.ts"
    assert located("~/models/user", files, {}) == "app/models/user.ts"
    assert located("$components/x", files, {}) == located("@/other", files, {}) == "-"
    assert located("$app/navigation", files, {}) == "outside:$app/navigation"
    assert located("@core/x", files, {}) == "outside:@core/x"


def test_tsconfig_extends_another() -> None:
    manifests = {
        "tsconfig.base.json": '{"compilerOptions": {"paths": {"~/*": ["./packages/app/*"]}}}',
        "packages/app/tsconfig.json": '{"extends": "../../tsconfig.base.json"}',
    }
    assert located("~/b", ["packages/app/b.ts"], manifests, "packages/app/a.ts") == "packages/app/b.ts"


def test_packages_of_the_same_repository() -> None:
    manifests = {
        "packages/core/package.json": '{"name": "@acme/core", "main": "dist/index.js",'
        ' "exports": {".": {"import": "./dist/index.js"}, "./util/*": "./dist/util/*.js"}}',
        "packages/plain/package.json": '{"name": "plain"}',
        "package.json": '{"name": "root", "imports": {"#db": "./src/db.ts"}}',
    }
    files = ["packages/core/src/index.ts", "packages/core/src/util/text.ts", "packages/plain/index.js", "src/db.ts"]
    assert located("@acme/core", files, manifests) == files[0]
    assert located("@acme/core/util/text", files, manifests) == files[1]
    assert located("plain", files, manifests) == files[2]
    assert located("#db", files, manifests) == files[3]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": }', "null", '"x"'])
def test_manifests_that_say_nothing(text: str) -> None:
    assert read_loose_json(text) == {}


def test_loose_json_keeps_what_strings_hold() -> None:
    assert read_loose_json('{"a": "x // y", /* z */ "b": ["/*", ], }') == {"a": "x // y", "b": ["/*"]}
    assert read_loose_json(r'{"a\\": "\", // c",}') == {"a\\": '", // c'}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ['"', "\\", '\\"', '",', "/*", '"//', ', "'])
def test_loose_json_is_read_in_linear_time(text: str) -> None:
    many = text * (100_000 // len(text))
    assert read_loose_json(many) == read_loose_json(f'{{"{many}') == {}


# --------------------------------------------------------------------------- between modules


def test_barrels_and_chains_of_exports() -> None:
    shop = Resolved({
        "main.ts": """
            import make, { price as cost, Cart, all } from "./shop";
            import * as shop from "./shop";
            export function run() { make(); cost(); new Cart(); all.price(); shop.price(); }
        """,
        "shop/index.ts": """
            export * from "./prices";
            export * as all from "./prices";
            export { default } from "./make";
            export { Basket as Cart } from "./basket";
        """,
        "shop/prices.ts": "export const price = () => 1;",
        "shop/make.ts": "export default function make() {}",
        "shop/basket.ts": "export class Basket { constructor() {} }",
    })  # fmt: skip
    wanted = ["basket.ts:Basket.constructor", "make.ts:make", "prices.ts:price"]
    assert shop.callees("main.ts:run", 1.0) == wanted


def test_star_exports_in_a_circle_end() -> None:
    made = Resolved({
        "a.ts": 'export * from "./b"; export function here() {}',
        "b.ts": 'export * from "./a"; export function there() {}',
        "c.ts": 'import { here, there, nowhere } from "./b"; export function run() { here(); there(); nowhere(); }',
    })  # fmt: skip
    assert made.callees("c.ts:run") == ["a.ts:here", "b.ts:there"]


@pytest.mark.parametrize(
    ("exporting", "importing"),
    [
        ("module.exports = { load, save: keep };", "const { load, save } = require('./store'); load(); save();"),
        ("exports.load = load; exports.save = keep;", "const s = require('./store'); s.load(); s.save();"),
        (
            "module.exports.load = load; module.exports.save = keep;",
            "require('./store').load(); require('./store').save();",
        ),
        ("module.exports = { load, save: keep };", "import s from './store'; s.load(); s.save();"),
        ("module.exports = { load, save: keep };", "import { load, save as k } from './store'; load(); k();"),
    ],
)
def test_every_form_of_commonjs_exports_and_imports(exporting: str, importing: str) -> None:
    made = Resolved({"store.js": f"function load() {{}}\nfunction keep() {{}}\n{exporting}", "main.js": importing})
    assert made.callees("main.js:") == ["store.js:keep", "store.js:load"]


def test_a_module_that_is_a_function() -> None:
    made = Resolved({
        "make.js": "function make() {}\nmake.twice = function () {};\nmodule.exports = make;",
        "main.js": "const make = require('./make');\nfunction run() { make(); }",
    })  # fmt: skip
    assert made.callees("main.js:run") == ["make.js:make"]


def test_tsconfig_is_read_from_the_repository(tmp_path: Path) -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"paths": {"@lib/*": ["./lib/*"]}}}',
        "lib/text.ts": "export function trim() {}",
        "app/main.ts": 'import { trim } from "@lib/text";\nexport function run() { trim(); }',
    }
    assert Resolved(files, tmp_path).callees("main.ts:run") == ["text.ts:trim"]


def test_outside_names_are_kept() -> None:
    made = Resolved({"a.tsx": 'import { useState } from "react";\nfunction f() { useState(1); JSON.parse("1"); }'})
    assert {"react.useState", "JSON.parse"} <= made.outside()


# --------------------------------------------------------------------------- classes and receivers

SHAPES = """
    interface Shape { area(): number; }
    abstract class Base implements Shape {
        abstract area(): number;
        describe() { return this.area(); }
        get size() { return this.area(); }
    }
    class Square extends Base {
        constructor(private side: Side) { super(); }
        area() { return this.side.length(); }
        describe() { return super.describe(); }
    }
    class Side { length() { return 1; } static unit() { return new Side(); } }
    function total(shapes: Shape[]) { return shapes.map((shape) => shape.area()); }
    function one() { return new Square(Side.unit()).describe(); }
    function two(base: Base | null) { return base?.size; }
"""


def test_methods_on_this_super_and_typed_receivers() -> None:
    made = Resolved({"a.ts": SHAPES})
    assert made.callees("a.ts:Square.area") == ["a.ts:Side.length"]
    assert made.callees("a.ts:Square.describe") == ["a.ts:Base.describe"]
    assert made.callees("a.ts:Base.describe") == ["a.ts:Base.area", "a.ts:Square.area"]
    assert made.callees("a.ts:one") == ["a.ts:Side.unit", "a.ts:Square.constructor", "a.ts:Square.describe"]
    assert made.callees("a.ts:two") == ["a.ts:Base.size"]
    assert "a.ts:Square.area" in {callee for caller, callee in made.pairs() if caller.startswith("a.ts:total")}


def test_a_method_that_returns_this_gives_the_class_of_each_call() -> None:
    made = Resolved({
        "a.ts": """
            class Base {
              static make() { return new this() }
              self() { return this }
              go() {}
            }
            class Head extends Base { go() {} }
            function one() { Head.make().go() }
            function two() { new Head().self().go() }
        """
    })  # fmt: skip
    assert made.callees("a.ts:one", 0.5) == ["a.ts:Base.make", "a.ts:Head.go"]
    assert made.callees("a.ts:two", 0.5) == ["a.ts:Base.self", "a.ts:Head", "a.ts:Head.go"]


def test_relations_between_types() -> None:
    made = Resolved({"a.ts": SHAPES})
    assert made.pairs("EXTENDS") == {("a.ts:Square", "a.ts:Base")}
    assert made.pairs("IMPLEMENTS") == {("a.ts:Base", "a.ts:Shape")}
    assert made.pairs("OVERRIDES") == {
        ("a.ts:Base.area", "a.ts:Shape.area"), ("a.ts:Square.area", "a.ts:Base.area"),
        ("a.ts:Square.describe", "a.ts:Base.describe"),
    }  # fmt: skip


def test_a_literal_that_is_the_prototype_has_the_methods_of_the_instances() -> None:
    made = Resolved(
        {
            "a.js": """
        module.exports = lex;
        function lex(text) { return new Lexer(text).tokens(); }
        function Lexer(text) { this.text = text; }
        Lexer.prototype = {
          constructor: Lexer,
          error: function (code) { throw code; },
          tokens: function () { return this.error('late'); },
        };
        """
        }
    )
    assert made.callees("a.js:lex") == ["a.js:Lexer", "a.js:Lexer.tokens"]
    assert made.callees("a.js:Lexer.tokens") == ["a.js:Lexer.error"]
    assert made.rule("a.js:Lexer.tokens", "a.js:Lexer.error") == "type"


def test_members_whose_names_are_built_or_passed() -> None:
    made = Resolved(
        {
            "a.js": """
        class Writer {
          write(node) { const visit = this['visit' + node.type]; visit.call(this, node); }
          both(node) { this[`visit${node.type}`](node); }
          visitText() {}
          visitRule() {}
          run() { this.step('first'); this.step("last"); }
          step(name) { return this[name](); }
          first() {}
          last() {}
        }
        function pick(list, at) { list[at](); list['a' + at] = pick; }
        pick([() => late()], 0);
        function late() {}
        """
        }
    )
    assert made.callees("a.js:Writer.write") == ["a.js:Writer.visitRule", "a.js:Writer.visitText"]
    assert made.callees("a.js:Writer.both") == ["a.js:Writer.visitRule", "a.js:Writer.visitText"]
    assert made.callees("a.js:Writer.step") == ["a.js:Writer.first", "a.js:Writer.last"]
    assert len(made.callees("a.js:pick")) == 1


def test_a_name_of_the_platform_may_be_a_method_of_the_repository() -> None:
    made = Resolved(
        {
            "a.js": """
        const res = module.exports = {};
        res.send = function () {};
        res.push = function () {};
        """,
            "t.js": "function handle(req, res) { res.send(1); res.push(2); }",
        }
    )
    assert made.callees("t.js:handle", 0.5) == ["a.js:res.send"]  # any list has a method push
    assert made.callees("t.js:handle") == []


def test_a_call_of_one_of_many_methods_through_call() -> None:
    methods = " ".join(f"visit{letter}() {{}}" for letter in "ABCDEFGHIJKL")
    made = Resolved({"a.js": f"class W {{ go(n) {{ const f = this['visit' + n.type]; f.call(this, n); }} {methods} }}"})
    assert len(made.callees("a.js:W.go", 0.5)) == 12


def test_exports_by_another_name_inside_a_function_and_by_a_getter() -> None:
    made = Resolved(
        {
            "util.js": """
        (function () {
          function render() {}
          if (typeof module !== 'undefined') { module.exports.render = render; }
        }());
        """,
            "main.js": """
        const main = exports;
        main.make = function () {};
        Object.defineProperty(exports, 'File', { enumerable: true, get() { return require('./file'); } });
        Object.defineProperty(exports, 'done', { value: done });
        function done() {}
        """,
            "file.js": "module.exports = class File { log() {} }",
            "t.js": """
        var util;
        if (typeof require !== 'undefined') { util = require('./util'); }
        const main = require('./main');
        function t() { util.render(); main.make(); new main.File().log(); main.done(); }
        """,
        }
    )
    found = made.callees("t.js:t")
    assert found == ["file.js:File", "file.js:File.log", "main.js:done", "main.js:main.make"]
    assert any(source == "t.js:t" and target.endswith(".render") for source, target in made.pairs())


def test_prototypes_and_constructor_functions() -> None:
    made = Resolved({"a.js": """
        function Animal(name) { this.name = name; }
        Animal.prototype.speak = function () { return this.breathe(); };
        Animal.prototype.breathe = function () {};
        function Dog() {}
        Dog.prototype = Object.create(Animal.prototype);
        Dog.prototype.bark = function () { this.speak(); };
        function run() { const dog = new Dog(); dog.bark(); dog.speak(); }
        """})  # fmt: skip
    assert made.callees("a.js:Animal.speak") == ["a.js:Animal.breathe"]
    assert made.callees("a.js:run") == ["a.js:Animal.speak", "a.js:Dog", "a.js:Dog.bark"]


def test_getters_setters_and_fields() -> None:
    made = Resolved({"a.ts": """
        class Box {
            #held = new Held();
            get value() { return this.#held; }
            set value(held: Held) { this.#held = held; }
            close = () => this.#held.shut();
        }
        class Held { shut() {} }
        function run(box: Box) { box.value = new Held(); box.value.shut(); box.close(); }
        """})  # fmt: skip
    assert made.callees("a.ts:Box.close") == ["a.ts:Held.shut"]
    assert {"a.ts:Held.shut", "a.ts:Box.close"} <= set(made.callees("a.ts:run"))


def test_bare_names_are_no_methods() -> None:
    made = Resolved({"a.js": "class A { go() { go(); } }\nfunction go() {}\nclass B { halt() { halt(); } }"})
    assert made.callees("a.js:A.go") == ["a.js:go"]
    assert made.callees("a.js:B.halt") == []
    assert "halt" in made.unresolved()


# --------------------------------------------------------------------------- functions as values


def test_lambdas_take_their_types_from_where_they_are_expected() -> None:
    made = Resolved({"a.ts": """
        interface Request { body(): string; }
        type Handler = (request: Request) => void;
        interface Plugin { name: string; start(request: Request): void; }
        const handle: Handler = (request) => { request.body(); };
        const plugin: Plugin = { name: "p", start(request) { request.body(); } };
        function on(handler: Handler) {}
        function run() { on((request) => request.body()); }
        """})  # fmt: skip
    callers = {caller for caller, callee in made.pairs(confidence=0.9) if callee == "a.ts:Request.body"}
    assert {"a.ts:handle", "a.ts:plugin.start"} <= callers
    assert any(caller.startswith("a.ts:run") for caller in callers)
    assert ("a.ts:plugin.start", "a.ts:Plugin.start") in made.pairs("OVERRIDES")


def test_functions_handed_over_are_called_where_they_arrive() -> None:
    made = Resolved({"a.js": """
        function each(items, visit) { for (const item of items) visit(item); }
        function show(item) {}
        function tick() {}
        function byName(a, b) {}
        function run(names) { each([1], show); setTimeout(tick, 10); [3, 1].sort(byName); show.call(null, 1); }
        """})  # fmt: skip
    assert made.callees("a.js:each") == ["a.js:show"]
    assert made.callees("a.js:run") == ["a.js:byName", "a.js:each", "a.js:show", "a.js:tick"]


def test_markup_calls_components_and_the_factory() -> None:
    made = Resolved({"a.tsx": """
        import { h } from "./h";
        function Row({ onPick }: { onPick: () => void }) { onPick(); return <li/>; }
        function pick() {}
        export function List() { return <ul><Row onPick={pick}/></ul>; }
        """, "h.ts": "export function h(type: unknown) {}"})  # fmt: skip
    assert made.callees("a.tsx:List") == ["a.tsx:Row", "h.ts:h"]
    assert "a.tsx:pick" in made.callees("a.tsx:Row")


def test_unknown_receivers_are_only_possible_by_name() -> None:
    made = Resolved({"a.js": "class Store { persistAll() {} }\nfunction run(x) { x.persistAll(); x.get(); }"})
    assert made.callees("a.js:run") == []
    assert made.callees("a.js:run", 0.3) == ["a.js:Store.persistAll"]
    assert made.rule("a.js:run", "a.js:Store.persistAll") == "name"
    assert "get" in made.unresolved()


@pytest.mark.parametrize(
    "text", ["class A extends A {}", "class A extends B {}\nclass B extends A {}", "const x = x();"]
)
def test_circles_end(text: str) -> None:
    made = Resolved({"a.ts": text + "\nfunction f() { new A().go(); x.y.z(); }"})
    assert made.pairs("CONTAINS")


def test_members_whose_name_is_a_symbol_of_the_language() -> None:
    made = Resolved({"m.ts": """
        function go() {}
        const thing = { a() {}, get size() { return 1 }, [Symbol.asyncDispose]() { go() } }
        class Held { [Symbol.dispose]() { go() } }
        function one() { const existing = thing[Symbol.asyncDispose]; existing() }
        function other(held: Held) { held[Symbol.dispose]() }
        function any(key: string) { const member = thing[key]; member() }
        """})  # fmt: skip
    assert made.callees("m.ts:one") == ["m.ts:thing.[Symbol.asyncDispose]"]
    assert made.callees("m.ts:other") == ["m.ts:Held.[Symbol.dispose]"]
    assert made.callees("m.ts:any") == ["m.ts:thing.[Symbol.asyncDispose]", "m.ts:thing.a"]


def test_a_cast_gives_what_it_casts_each_time() -> None:
    made = Resolved({"m.ts": """
        type Listener<T> = (value: T) => void
        const held: Listener<number>[] = []
        function on(listener: Listener<number>) { held.push(listener) }
        function emit(payload: number) {
          for (const listener of held) { (listener as Listener<number>)(payload) }
          const again = (held[0] as Listener<number>)
          again(payload)
        }
        function heard(value: number) {}
        on(heard)
        """})  # fmt: skip
    assert made.callees("m.ts:emit") == ["m.ts:heard"]
    assert [site.line for e in made.edges() if e.target.endswith("heard") for site in e.sites] == [6, 8]


# --------------------------------------------------------------------------- functions called where they stand


@pytest.mark.parametrize(
    "called",
    [
        "(function () { helper(); }());",
        "(function () { helper(); })();",
        "!function () { helper(); }();",
        "void async function () { helper(); }();",
        "var made = function () { helper(); }();",
        "new function () { helper(); }();",
        "(() => { helper(); })();",
        "(async () => { await helper(); })();",
    ],
)
def test_a_function_called_where_it_stands_is_called_by_the_code_around(called: str) -> None:
    graph = Resolved({"a.js": f"function helper() {{}}\nfunction outer() {{ {called} }}\n{called}\n"})
    calls = graph.pairs()
    anonymous = {target for source, target in calls if source in ("a.js:outer", "a.js:")}
    assert len(anonymous) == 2
    assert {source for source, target in calls if target == "a.js:helper"} == anonymous
    assert not any(source == target for source, target in calls)


# --------------------------------------------------------------------------- this, and members of one name


def test_a_function_stored_as_a_member_runs_on_that_object() -> None:
    graph = Resolved(
        {
            "a.js": """
            var app = exports = module.exports = {};
            app.start = function start() { this.stop(); each(() => this.stop()); };
            app.stop = function () {};
            ['get', 'put'].forEach(method => { app[method] = function () { this.start(); } });
            function make() { return { first() { this.second(); }, second() {}, lone: () => this.second() }; }
            """
        }
    )
    assert graph.callees("a.js:app.start") == ["a.js:app.stop"]
    assert ("a.js:make.first", "a.js:make.second") in graph.pairs()
    assert "a.js:make.second" not in graph.callees("a.js:make.lone")  # an arrow function has the outer `this`
    assert any(source.startswith("a.js:<lambda") and target == "a.js:app.start" for source, target in graph.pairs())


def test_static_methods_and_methods_of_one_name_are_told_apart() -> None:
    graph = Resolved(
        {
            "a.js": """
            class Headers {
              concat() {}
              static concat() {}
              static of() { return this.concat(); }
              join() { this.concat(); this.constructor.concat(); }
            }
            function ofClass() { Headers.concat(); }
            function ofInstance() { new Headers().concat(); }
            """
        }
    )
    assert graph.callees("a.js:ofClass") == graph.callees("a.js:Headers.of") == ["a.js:Headers.concat#2"]
    assert graph.callees("a.js:ofInstance") == ["a.js:Headers", "a.js:Headers.concat"]
    assert graph.callees("a.js:Headers.join") == ["a.js:Headers.concat", "a.js:Headers.concat#2"]


def test_a_field_given_a_function_of_its_own_name() -> None:
    source = """
        function run() {}
        class Job { run = run; static run = run; go() { this.run(); } }
        function test(job) { new Job().run(); }
        function ofClass() { Job.run(); }
        """
    for name in ("a.js", "a.ts"):
        graph = Resolved({name: source})
        assert graph.callees(f"{name}:Job.go") == [f"{name}:run"]
        assert f"{name}:run" in graph.callees(f"{name}:test")
        assert graph.callees(f"{name}:ofClass") == [f"{name}:run"]


def test_a_function_may_be_called_get() -> None:
    graph = Resolved({"u.js": "const get = () => {};\nexport default { get };", "a.js": """
        import u from './u.js';
        function f() { u.get(1); }
        """})  # fmt: skip
    assert graph.callees("a.js:f") == ["u.js:get"]


def test_items_of_what_map_gives() -> None:
    graph = Resolved({"a.js": """
        function kind(name) { return thing => name; }
        const [isA, isB] = ['A', 'B'].map(kind);
        const kinds = ['C'].map(kind);
        function f() { isA(1); }
        function g() { kinds[0](1); }
        """})  # fmt: skip
    inner = {(source, target) for source, target in graph.pairs() if source in ("a.js:f", "a.js:g")}
    assert len(inner) == 2
    assert all("kind.<lambda" in target for _, target in inner)


def test_a_module_of_many_functions_in_one_object() -> None:
    names = [f"f{number}" for number in range(120)]
    utils = "".join(f"function {name}() {{}}\n" for name in names) + f"export default {{ {', '.join(names)} }};"
    graph = Resolved({"u.js": utils, "a.js": "import u from './u.js';\nfunction test() { u.f119(); }"})
    assert graph.callees("a.js:test") == ["u.js:f119"]


def test_a_function_with_a_body_stands_before_its_overloads() -> None:
    graph = Resolved(
        {
            "a.ts": """
            export function f(a: string): string;
            export function f(a: number): number
            export function f(a: any): any { return a; }
            export class C { m(a: string): void; m(a: number): void; m(a: any) {} }
            declare function outside(): void;
            export function test() { f("x"); new C().m(1); outside(); }
            """,
            "b.ts": "import { f } from './a';\nexport function other() { f(1); }",
        }
    )
    assert graph.callees("a.ts:test") == ["a.ts:C", "a.ts:C.m#3", "a.ts:f#3", "a.ts:outside"]
    assert graph.callees("b.ts:other") == ["a.ts:f#3"]
    assert ("a.ts:f#3", "a.ts:f") in graph.pairs("USES")  # what only describes it is no dead code


def test_declarations_lose_to_what_they_declare(tmp_path: Path) -> None:
    graph = Resolved({
        "package.json": '{"name": "top"}',
        "lib/package.json": '{"name": "lib", "exports": {".": {"types": "./index.d.ts", "import": "./index.js"}}}',
        "lib/index.js": "export function run() {}",
        "lib/index.d.ts": "export declare function run(): void;",
        "h.js": "export function h() {}",
        "h.d.ts": "export declare function h(): void;",
        "a.ts": "import { run } from 'lib';\nimport { h } from './h';\nfunction test() { run(); h(); }",
    }, tmp_path)  # fmt: skip
    assert graph.callees("a.ts:test") == ["h.js:h", "index.js:run"]


def test_a_namespace_beside_a_function_is_not_called() -> None:
    graph = Resolved(
        {
            "a.ts": """
            function tool() {}
            namespace tool { export function part() {} }
            export function test() { tool(); tool.part(); }
            """
        }
    )
    assert graph.callees("a.ts:test") == ["a.ts:tool", "a.ts:tool.part"]


def test_functions_given_to_methods_named_like_built_in_ones() -> None:
    graph = Resolved(
        {
            "a.js": """
            function each(x) {} function done(v) {} function click() {} function tick() {} function own() {}
            class Emitter { on(name, run) {} }
            function unknown(items, promise, button) {
              items.forEach(each); promise.then(done); button.addEventListener('click', click); items.unheard(own);
            }
            function known() { [1].forEach(each); setTimeout(tick, 5); new Emitter().on('x', own); }
            """
        }
    )
    for name in ("each", "done", "click"):
        assert graph.rule("a.js:unknown", f"a.js:{name}") == "callback-name"
    assert graph.rule("a.js:known", "a.js:each") == graph.rule("a.js:known", "a.js:tick") == "callback"
    assert "a.js:own" not in [target for _, target in graph.pairs()]  # given to what may do anything with it


def test_a_property_given_to_one_object_is_no_member_of_its_type() -> None:
    graph = Resolved(
        {
            "shape.js": """
            export class Shape {
              constructor() { this.onDraw = null }
              draw() { this.onDraw() }
              parse() {}
            }
            export function make() { const made = new Shape(); return made }
            """,
            "one.js": """
            import { make } from './shape'
            function fake() {}
            function heard() {}
            function extra() {}
            export function test() {
              const shape = make()
              shape.parse = fake
              shape.onDraw = heard
              shape.extra = extra
              shape.parse()
              shape.extra()
            }
            """,
            "two.js": "import { make } from './shape'\nexport function other() { make().parse(); make().extra() }\n",
        }
    )
    assert graph.callees("two.js:other") == ["shape.js:Shape.parse", "shape.js:make"]
    assert {"one.js:fake", "one.js:extra"} <= set(graph.callees("one.js:test"))  # the very object
    assert graph.callees("shape.js:Shape.draw") == ["one.js:heard"]  # the type calls what its instances are given


def test_a_property_given_to_a_parameter_may_be_any_instances() -> None:
    text = """
    class Shape {}
    function real() {}
    function initialise(made) { made.parse = real; return made }
    function use() { initialise(new Shape()); new Shape().parse() }
    """
    assert "m.js:real" in Resolved({"m.js": text}).callees("m.js:use")


@pytest.mark.parametrize("declared", ["any", "Object", "Function", "Array"])
def test_a_declared_type_of_any_object_does_not_say_whose_member_is_called(declared: str) -> None:
    called = "x[0].build()" if declared == "Array" else "x.build()"
    text = f"class Thing {{ build() {{}} }}\n/** @param {{{declared}}} x */\nfunction go(x) {{ return {called} }}\n"
    assert Resolved({"a.js": text}).callees("a.js:go", 0.5) == ["a.js:Thing.build"]
