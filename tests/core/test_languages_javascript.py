"""JavaScript: what its declarations, values, modules and markup become."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.language_facts import Said


def said(text: str, path: str = "src/app.js") -> Said:
    return Said("javascript", text, path)


# --------------------------------------------------------------------------- symbols


def test_declarations_and_what_variables_hold_are_symbols() -> None:
    file = said("""
        #!/usr/bin/env node
        const LIMIT = 10, label = "x";
        let state;
        function plain(a) { const inner = () => a; function nested() {} return inner; }
        async function* stream() {}
        const arrow = async (a) => a;
        var old = function () {}, Klass = class extends Base {};
        export const { first, second: renamed } = load(), [third] = list;
        class Queue {
            static #size = 0;
            items = [];
            onDrain = () => this.drain();
            constructor(limit) { super(); }
            get size() { return 1; }
            set size(value) {}
            static of() {}
            #grow() {}
            async *[Symbol.iterator]() {}
            "quoted name"() {}
            static { boot(); }
        }
        """)
    assert file.symbols() == {
        "LIMIT": "constant", "label": "constant", "state": "constant", "plain": "function",
        "plain.inner": "function", "plain.nested": "function", "stream": "function", "arrow": "function",
        "old": "function", "Klass": "class", "first": "constant", "renamed": "constant", "third": "constant",
        "Queue": "class", "Queue.#size": "field", "Queue.items": "field", "Queue.onDrain": "method",
        "Queue.constructor": "method", "Queue.size": "method", "Queue.of": "method", "Queue.#grow": "method",
        "Queue.[Symbol.iterator]": "method", "Queue.quoted name": "method", "Queue.<static>": "method",
    }  # fmt: skip
    sizes = [s.id.partition(":")[2] for s in file.facts.symbols if s.name == "size"]
    assert sizes == ["src/app.Queue.size", "src/app.Queue.size#2"]


def test_object_literals_name_their_functions() -> None:
    file = said("""
        const api = {
            list() {},
            find: function () {},
            "by-id": (id) => id,
            users: { create: async () => {}, [computed]: () => {} },
            limit: 3,
        };
        function make() {
            const local = { run() {} };
            return { stop: () => {}, nested: { deep() {} } };
        }
        define({ setup() {} });
        """)
    assert file.symbols() == {
        "api": "constant", "api.list": "method", "api.find": "method", "api.by-id": "method",
        "api.users.create": "method", "api.users.[computed]": "method", "make": "function",
        "make.local.run": "method", "make.stop": "method", "make.nested.deep": "method", "setup": "method",
    }  # fmt: skip
    assert file.parent("api.users.create") == "api"
    assert file.parent("make.nested.deep") == "make"


def test_assignments_name_functions_and_prototypes_their_class() -> None:
    file = said("""
        function Timer() { this.tick = function () {}; }
        Timer.prototype.start = function () { this.tick(); };
        Timer.prototype = { stop() {}, reset: function () {} };
        Timer.create = () => new Timer();
        later = function () {};
        window.Widget = class {};
        lookup().handler = () => {};
        table["key"] = () => {};
        table[key] = () => {};
        """)
    assert file.symbols() == {
        "Timer": "function", "Timer.tick": "method", "Timer.start": "method", "Timer.stop": "method",
        "Timer.reset": "method", "Timer.create": "method", "later": "function", "Widget": "class",
        "handler": "method", "table.key": "method",
    }  # fmt: skip
    receivers = [(file.scope(b.scope), b.name, b.type) for b in file.facts.bindings if b.manner == "receiver"]
    assert receivers == [(f"Timer.{name}", "this", "Timer") for name in ("start", "stop", "reset")]


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("exports.helper = function inner() {};", {"helper": "function"}),
        ("exports.VERSION = '1.0';", {"VERSION": "constant"}),
        ("module.exports.load = () => {};", {"load": "function"}),
        ("module.exports = { run() {}, stop: () => {}, sub: { go() {} } };",
         {"run": "function", "stop": "function", "sub.go": "method"}),
        ("module.exports = function () {};", {"default": "function"}),
        ("export default () => {};", {"default": "function"}),
        ("export default function () {}", {"default": "function"}),
        ("export default function named() {}", {"named": "function"}),
        ("export default class {}", {"default": "class"}),
        ("export default { data() {} };", {"default": "constant", "default.data": "method"}),
        ("export default connect(map)(View);", {"default": "constant"}),
        ("export default view;", {}),
        ("const x = require('./x'), { y } = require('y');", {}),
    ],
)  # fmt: skip
def test_what_a_module_gives_away_is_named_by_it(text: str, symbols: dict[str, str]) -> None:
    assert said(text).symbols() == symbols


def test_functions_without_a_place_go_by_it() -> None:
    file = said("(function () { list.map((x) => x); })();\nconst view = memo(() => null);\nrun(function named() {});")
    assert file.symbols(lambdas=True) == {
        "<lambda:1:1>": "lambda", "<lambda:1:1>.<lambda:1:24>": "lambda", "view": "constant",
        "view.<lambda:2:18>": "lambda", "named": "function",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "module", "name"),
    [
        ("src/services/session.js", "src/services/session", "session"),
        ("src/core/index.mjs", "src/core", "core"),
        ("index.cjs", "index", "index"),
        ("test/app.test.js", "test/app.test", "app.test"),
    ],
)
def test_the_module_is_the_path(path: str, module: str, name: str) -> None:
    file = said("function f() {}", path)
    assert (file.facts.module, file.facts.symbols[0].name) == (module, name)
    assert file.facts.symbols[1].fqn == f"{module}.f"


def test_docs_are_prose_first_and_tools_are_not_spoken_to() -> None:
    file = said("""\
        /**
         * Reads the configuration.
         * @module config
         */

        /* Copyright */
        /**
         * @deprecated use {@link load}
         *
         * Loads <b>everything</b> at once.
         * @param {string} path  where
         */
        // eslint-disable-next-line no-console
        export function loadAll(path) {}

        // Counts.
        // eslint-disable-next-line prefer-const
        let count = 0, other = 1;

        // not for it

        const alone = 1; // nor this
        const after = 2;
        """)
    assert file.facts.symbols[0].doc == "Reads the configuration.\n\n@module config"
    assert file.symbol("loadAll").doc == (
        "Loads everything at once.\n\n@deprecated use load\n@param {string} path  where"
    )
    assert file.symbol("count").doc == "Counts."
    assert [file.symbol(name).doc for name in ("other", "alone", "after")] == ["", "", ""]


def test_spans_reach_from_export_to_the_end_and_lines_carry_the_name() -> None:
    file = said("// doc\nexport const run = (\n  a,\n) => {\n};\n")
    run = file.symbol("run")
    assert (run.span.start_line, run.span.end_line, run.line) == (2, 5, 2)
    assert run.signature == "const run = ( a, )"


@pytest.mark.parametrize(
    ("text", "name", "signature"),
    [
        ("export async function f(a, b = 1) { }", "f", "async function f(a, b = 1)"),
        ("class A extends B { static get x() {} }", "A", "class A extends B"),
        ("class A extends B { static get x() {} }", "A.x", "static get x()"),
        ("A.prototype.m = function (x) {};", "A.m", "A.prototype.m = function (x)"),
        ("const o = { m: async (x) => x };", "o.m", "m: async (x)"),
        ("export const LIMIT = {\n a: 1 };", "LIMIT", "const LIMIT"),
    ],
)
def test_signatures_are_the_head_on_one_line(text: str, name: str, signature: str) -> None:
    assert said(text).symbol(name).signature == signature


# --------------------------------------------------------------------------- modules


def test_imports_of_both_module_systems() -> None:
    file = said("""
        import d, { a as b, default as c } from "./x";
        import * as ns from "ns";
        import "./side";
        const fs = require("fs"), { join, sep: slash } = require('path');
        const one = require("./one").member;
        async function later() { const { page } = await import("./page"); }
        """)
    assert file.imports() == [
        ("d", "./x", "default"), ("b", "./x", "a"), ("c", "./x", "default"), ("ns", "ns", ""), ("", "./side", ""),
        ("fs", "fs", ""), ("join", "path", "join"), ("slash", "path", "sep"), ("one", "./one", "member"),
        ("page", "./page", "page"),
    ]  # fmt: skip


def test_a_module_loaded_in_passing_has_a_root_of_its_own() -> None:
    file = said("require('./setup')(app);\nlazy(() => import('./page'));\nconst { a: { b } } = require('c');")
    assert file.imports() == [
        ("%import:1:0", "./setup", ""), ("%import:2:11", "./page", ""), ("%import:3:21", "c", ""),
    ]  # fmt: skip
    assert file.references("call") == ["%import:1:0", "lazy"]
    assert file.bindings("") == [("b", "", "%import:3:21.a.b")]


def test_exports_of_both_module_systems() -> None:
    file = said("""
        export function f() {}
        export const g = 1, { h, i: [j] } = x;
        export { f as k, l as default };
        export { m, n as o } from "./mn";
        export * from "./all";
        export * as all from "./all";
        export default class {}
        exports.p = () => {};
        exports.q = 1;
        """)
    rows = [(e.name, e.target, e.module) for e in file.facts.exports]
    assert rows == [
        ("f", "f", ""), ("g", "g", ""), ("h", "h", ""), ("j", "j", ""), ("k", "f", ""), ("default", "l", ""),
        ("m", "m", "./mn"), ("o", "n", "./mn"), ("*", "*", "./all"), ("all", "", "./all"), ("default", "default", ""),
        ("p", "%fn:9:12", ""), ("q", "q", ""),
    ]  # fmt: skip


def test_a_module_as_a_whole_is_called_by_a_sign() -> None:
    whole = said("module.exports = { a, b: c.d, e() {}, ...require('./more') };")
    assert [(e.name, e.target, e.module) for e in whole.facts.exports] == [
        ("=", "%dict:1:17", ""), ("a", "a", ""), ("b", "c.d", ""), ("e", "%fn:1:30", ""), ("*", "*", "./more"),
    ]  # fmt: skip
    passed_on = said("module.exports = require('./lib');")
    assert [(e.name, e.target, e.module) for e in passed_on.facts.exports] == [
        ("=", "=", "./lib"), ("*", "*", "./lib"),
    ]  # fmt: skip


# --------------------------------------------------------------------------- uses


def test_calls_and_constructions_with_their_arguments() -> None:
    file = said("""
        function f() {
            a.b?.c(x, "s", 1, { k: v }, (y) => y, ...rest);
            new ns.Client(handler).open(await go());
            super.close(), this.#hidden(), obj["key"](), list[0](), map[name]();
            tag`text ${x}`;
            (first || second.third)(x);
            fn.call(this, a ?? b);
        }
        """)
    assert set(file.references("call", "f")) == {
        "a.b.c", "ns.Client().open", "go", "super.close", "this.#hidden", "obj.key", "list[0]", "map[?{name}]", "tag",
        "first", "second.third", "fn.call",
    }  # fmt: skip
    assert file.references("new", "f") == ["ns.Client"]
    assert file.args("a.b.c") == ("x", "%str", "%num", "%dict:3:22", "%fn:3:32", "*rest")
    assert file.args("ns.Client().open") == ("go()",)
    assert file.args("fn.call") == ("this", "a")


def test_an_expression_that_is_missing_leaves_long_ones_their_paths() -> None:
    file = said("for (const a of ) {}\nrun(async () => {\n" + "    await somethingRatherLong();\n" * 5 + "});\n")
    assert file.args("run") == ("%fn:2:4",)


def test_reads_of_properties_and_of_names_passed_on() -> None:
    file = said("""
        const handlers = { open, close: onClose, size: this.size };
        const steps = [first, second.run, ...others];
        emitter.limits.max;
        call(passed);
        x.y = state.value;
        table[entry];
        """)
    assert set(file.references("read")) == {
        "open", "onClose", "this.size", "first", "second.run", "others", "emitter.limits.max", "state.value",
    }  # fmt: skip
    assert file.args("call") == ("passed",)


def test_elements_call_their_component() -> None:
    file = said("""
        const Page = ({ title }) => (
            <Layout header={<Header />} onClose={close} {...rest}>
                <ui.Button label="go" onClick={() => go()}>{title}</ui.Button>
                <p className={style.wide}>text</p>
            </Layout>
        );
        """)
    assert file.references("call", "Page") == ["Layout", "Header", "ui.Button"]
    assert file.args("Layout") == ("header=%jsx", "onClose=close", "**rest")
    assert file.args("ui.Button") == ("label=%str", "onClick=%fn:4:39")
    assert file.references("read", "Page") == ["{0}.title", "close", "title", "style.wide"]


# --------------------------------------------------------------------------- names and values


def test_parameters_in_their_order() -> None:
    file = said("function f(a, b = make(), { c, d: e = 2, ...f }, [g, , h], ...rest) {}")
    assert [(b.name, b.manner, b.value) for b in file.facts.bindings if b.manner in ("parameter", "rest")] == [
        ("a", "parameter", ""), ("b", "parameter", "make()"), ("{2}", "parameter", ""), ("{3}", "parameter", ""),
        ("rest", "rest", ""),
    ]  # fmt: skip
    assert set(file.bindings("f", "variable")) == {
        ("c", "", "{2}.c"), ("e", "", "{2}.d"), ("e", "", "%num"), ("f", "", "{2}"), ("g", "", "{3}[0]"),
        ("h", "", "{3}[2]"),
    }  # fmt: skip


def test_variables_take_every_value_they_may_have() -> None:
    file = said("""
        function f() {
            let a = b || c.d, e;
            const { x, y: { z } } = await load(), [p, ...q] = pair;
            e = test ? one : (two, three);
            a ??= fallback;
        }
        """)
    assert file.bindings("f") == [
        ("a", "", "b"), ("a", "", "c.d"), ("e", "", ""), ("x", "", "load().x"), ("z", "", "load().y.z"),
        ("p", "", "pair[0]"), ("q", "", "pair"), ("e", "", "one"), ("e", "", "three"), ("a", "", "fallback"),
    ]  # fmt: skip


def test_assignments_belong_to_the_scope_that_declares_the_name() -> None:
    file = said("""
        let outer;
        function f(given) {
            let local;
            run(() => { local = 1; outer = given; given = 2; made = 3; });
            if (given) { local = 4; }
            local = 5;
        }
        """)
    assert file.bindings("", "variable") == [("outer", "", ""), ("outer", "", "given"), ("made", "", "%num")]
    assert file.bindings("f", "variable") == [
        ("local", "", ""), ("local", "", "%num"), ("given", "", "%num"), ("local", "", "%num"), ("local", "", "%num"),
    ]  # fmt: skip
    assert [b.sure for b in file.facts.bindings if b.name == "local"] == [0, 5, 0, 7]


def test_loops_catches_and_narrowing() -> None:
    file = said("""
        for (const x of xs.list) {}
        for (const [k, { v }] of Object.entries(map)) {}
        for (const key in map) {}
        try {} catch (error) {}
        if (value instanceof errors.NotFound) {}
        """)
    assert [(name.partition("ʹ")[0], *row) for name, *row in file.bindings("")] == [
        ("x", "", "xs.list"), ("k", "", "Object.entries(map)[*][0]"), ("v", "", "Object.entries(map)[*][1].v"),
        ("key", "", "%str"), ("error", "", ""), ("value", "errors.NotFound", ""),
    ]  # fmt: skip
    assert [b.manner for b in file.facts.bindings if b.name.partition("ʹ")[0] in ("x", "error", "value")] == [
        "element", "exception", "pattern",
    ]  # fmt: skip
    assert file.references("type") == ["errors.NotFound"]


def test_items_of_literals_are_fields_of_it() -> None:
    file = said("const o = { a, 'b-c': d.e, [f]: g, h() {}, ...i, j: 1 };\nconst l = [k, 2, m(), ...n];")
    assert file.bindings("", "field") == [
        ("%dict:1:10.a", "", "a"), ("%dict:1:10[b-c]", "", "d.e"), ("%dict:1:10[]", "", "g"),
        ("%dict:1:10.h", "", "%fn:1:35"), ("%dict:1:10", "", "i"), ("%list:2:10[0]", "", "k"),
        ("%list:2:10[2]", "", "m()"), ("%list:2:10[]", "", "n[*]"),
    ]  # fmt: skip
    assert file.bindings("", "variable") == [("o", "", "%dict:1:10"), ("l", "", "%list:2:10")]
    assert file.bindings("o.h") == [("%fn:1:35", "", "")]


def test_fields_are_bound_in_their_class_and_on_the_instance() -> None:
    file = said("class A { pool = new Pool(); run = () => {}; constructor(x) { this.x = x; this.log.level = 1; } }")
    assert file.bindings("A", "field") == [("pool", "", "Pool()")]
    assert file.bindings("A.constructor", "field") == [("this.x", "", "x"), ("this.log.level", "", "%num")]


def test_returns_yields_and_arrows() -> None:
    file = said("""
        const short = (a) => a.b || c;
        function* gen() { yield one; yield* many(); return done ? x : y; }
        async function f() { return await load(); }
        function make() { return class {}; }
        """)
    assert file.returns("short") == [("return", "a.b"), ("return", "c")]
    assert sorted(file.returns("gen")) == [
        ("return", "x"), ("return", "y"), ("yield", "many()[*]"), ("yield", "one"),
    ]  # fmt: skip
    assert file.returns("f") == [("return", "load()")]
    assert file.returns("make") == [("return", "%class:5:25")]
    assert file.bindings("make.<class:5:25>") == [("%class:5:25", "", "")]


def test_comments_give_the_types_that_the_syntax_does_not() -> None:
    file = said(
        "/**\n * @param {Store} store\n * @param {number} [n=1]\n * @returns {Item[]}\n */\nfunction f(store, n) {}"
    )
    assert file.bindings("f") == [("store", "Store", ""), ("n", "number", "")]
    assert file.returns("f") == [("type", "Item[]")]


def test_bases_of_classes_old_and_new() -> None:
    file = said("""
        class A extends ns.B {}
        class C extends mixin(D) {}
        function E() {}
        util.inherits(E, F);
        G.prototype = Object.create(H.prototype);
        I.prototype = new J();
        Object.setPrototypeOf(K.prototype, L.prototype);
        """)
    assert sorted(file.bases()) == [
        ("A", "extends", "ns.B"), ("C", "extends", "mixin(D)"), ("E", "extends", "F"), ("G", "extends", "H"),
        ("I", "extends", "J"), ("K", "extends", "L"),
    ]  # fmt: skip


def test_calls_that_hand_their_arguments_on_keep_them() -> None:
    file = said("const bound = handler.bind(this);\nconst all = xs.map(toItem).filter(keep)[0].run;")
    assert file.bindings("") == [
        ("bound", "", "handler.bind(this)"), ("all", "", "xs.map(toItem).filter()[0].run"),
    ]  # fmt: skip


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "opening", ["(", "[", "{", "f(", "x => ", "a ? b : ", "x = ", "!", "of(", "function f() {", "class A { m() {"]
)
def test_deep_nesting_ends(opening: str) -> None:
    file = said(opening * 3000)
    assert file.facts.symbols[0].kind == "module"


def test_syntax_errors_leave_the_symbols_around_them() -> None:
    file = said("function before() {}\nconst = ;\nclass After { m() {} }\n")
    assert file.facts.errors > 0
    assert {"before", "After", "After.m"} <= set(file.symbols())


@pytest.mark.parametrize(
    "text", ["", "\ufefffunction f() {}", "function f() {\r\n}\r\n", "const größe = () => 日本.語();"]
)
def test_odd_files_are_read(text: str) -> None:
    file = said(text)
    assert len(file.symbols()) == (1 if text else 0)


def test_a_bundle_on_one_line_keeps_its_functions() -> None:
    file = said("!function(e){" + "".join(f"function f{n}(a){{return a.b(c{n})}}" for n in range(500)) + "}(this)")
    assert sum(s.kind == "function" for s in file.facts.symbols) == 500
    assert len(file.references("call")) == 501


SNIPPETS = st.sampled_from([
    "(", ")", "{", "}", "[", "]", "=>", "=", ".", "a", "b.c", "function ", "class A ", "export ", "import ",
    "from 'x'", "...", "`", "'", ",", ";", "new ", "await ", "return ", "default ", "static ", "@d ", "<A>", "</A>",
    "?.", "\n", "#p",
])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(SNIPPETS, max_size=30).map("".join))
def test_any_text_gives_facts_that_hold_together(text: str) -> None:
    facts = said(text).facts
    ids = {symbol.id for symbol in facts.symbols}
    assert len(ids) == len(facts.symbols)
    assert all(symbol.parent in ids for symbol in facts.symbols[1:])
    rows = (*facts.bindings, *facts.references, *facts.returns, *facts.imports, *facts.bases)
    assert all(0 <= row.scope < len(facts.symbols) for row in rows)
