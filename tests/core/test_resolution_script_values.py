"""Values of JavaScript and TypeScript: promises, wrappers, shapes, guards, constant keys; and identity everywhere."""

from __future__ import annotations

import pytest

from tests.graph_sources import edges, graph_of
from tests.resolved import Resolved

STOCK = {
    "stock.ts": """
        export class Stock { take(): void {} put(): void {} }
        export class Till { ring(): void {} }
        export function count() {}
        export default class Shelf { fill(): void {} }
        """
}


@pytest.mark.parametrize(
    "body",
    [
        "return import('./stock').then((s) => s.count())",
        "return import('./stock').then(({ count }) => count())",
        "return import('./stock').then(function (s) { s.count() })",
        "return import('./stock').then((s) => s).then((s) => { const { count: c } = s; c() })",
        "return Promise.all([import('./other'), import('./stock')]).then(([, s]) => s.count())",
        "const s = import(/* webpackChunkName: 's' */ './stock'); (await s).count()",
        "const { count } = await import('./stock'); count()",
    ],
)
def test_a_module_that_a_promise_gives_is_used_like_an_import(body: str) -> None:
    made = Resolved({**STOCK, "a.ts": f"export async function run() {{ {body} }}"})
    assert made.callees("a.ts:run") == ["stock.ts:count"]


def test_a_callback_of_a_promise_gets_its_value_and_goes_on_with_the_function_around() -> None:
    made = Resolved({
        **STOCK,
        "a.ts": """
            import { Stock } from './stock'
            class Api { load(): Promise<Stock> { return get() } }
            function run(api: Api) {
              return api.load().then((s) => { s.take(); return s }).finally(() => late()).then((s) => s.put())
            }
            function late() {}
            function other(xs: Stock[]) { xs.forEach((x) => x.take()) }
            """,
    })  # fmt: skip
    assert made.callees("a.ts:run") == ["a.ts:Api.load", "a.ts:late", "stock.ts:Stock.put", "stock.ts:Stock.take"]
    assert made.callees("a.ts:other") == []  # the callback of another method is a function of its own


@pytest.mark.parametrize(
    ("made", "used", "target"),
    [
        ("export const Made = memo(function inner() {})", "Made()", "Made.inner"),
        ("export const Made = lib.forwardRef(inner)\nfunction inner() {}", "Made()", "inner"),
        ("export const Made = connect(select)(inner)\nfunction inner() {}\nfunction select() {}", "Made()", "inner"),
        ("function inner() {}\nexport const Made = debounce(inner, 200)", "Made()", "inner"),
        ("export const Made = injector.get(Inner)\nclass Inner { go() {} }", "Made.go()", "Inner.go"),
    ],
)  # fmt: skip
def test_a_call_of_what_an_outside_function_made_may_call_what_it_was_given(made: str, used: str, target: str) -> None:
    head = "import { memo, connect, debounce, injector } from 'lib'\nimport * as lib from 'lib'\n"
    runs = f"function run() {{ {used} }}\nfunction again() {{ {used} }}"
    graph = Resolved({"m.js": head + made, "a.js": f"import {{ Made }} from './m'\n{runs}"})
    found = {(e.target.split(":")[1], e.confidence) for e in graph.edges() if graph.short(e.source) == "a.js:run"}
    assert ("m." + target, 0.65) in found  # possible, and no more
    assert not used.startswith("Made()") or ("m.Made", 1.0) in found  # the constant is called for certain


def test_a_function_that_a_registering_call_returns_is_not_the_registered_one() -> None:
    made = Resolved({"a.js": """
        import { emitter, store } from 'lib'
        function heard() {}
        const off = emitter.on('x', heard), stop = store.subscribe(heard)
        function end() { off(); stop() }
        """})  # fmt: skip
    assert made.callees("a.js:end") == ["a.js:off", "a.js:stop"]


def test_an_item_of_what_a_function_made_is_not_the_given_function() -> None:
    made = Resolved({"a.js": """
        import { useState } from 'lib'
        function first() {}
        function App() { const [value, setValue] = useState(first); setValue(1) }
        """})  # fmt: skip
    assert made.rule("a.js:App", "a.js:first") == "callback"  # it is called once, and setValue does not call it


def test_a_lazy_component_is_the_default_export_of_the_module_that_it_loads() -> None:
    made = Resolved({
        "page.jsx": "export default function Page() { return <p /> }\nexport function other() {}",
        "a.jsx": "import { lazy } from 'react'\nconst L = lazy(() => import('./page'))\nconst App = () => <L />",
    })  # fmt: skip
    assert made.callees("a.jsx:App") == ["a.jsx:L", "page.jsx:Page"]


@pytest.mark.parametrize(
    "using",
    ["import { go } from './m'; R go()", "import { go as g } from './all'; R g()",
     "import { again } from './all'; R again()",
     "import * as m from './m'; R m.go()",
     "import d from './m'; R d()"],
)  # fmt: skip
def test_a_call_of_an_imported_constant_calls_the_constant(using: str) -> None:
    head, _, call = using.partition("R ")
    made = Resolved({
        "m.ts": "import { create } from 'lib'\nexport const go = create(1)\nexport default create(2)",
        "all.ts": "export * from './m'\nexport { go as again } from './m'",
        "a.ts": f"{head}\nfunction run() {{ {call} }}",
    })  # fmt: skip
    calls = made.callees("a.ts:run") or sorted(t for s, t in made.pairs("USES") if s == "a.ts:run")
    assert calls == ["m.ts:default" if call == "d()" else "m.ts:go"]


@pytest.mark.parametrize(
    ("declared", "use"),
    [
        ("p: { stock: Stock; till?: Till }", "p.stock.take()"),
        ("{ stock }: { stock: Stock }", "stock.take()"),
        ("p: { kind: 'a'; x: Stock } | { kind: 'b'; x: Till }", "p.x.take()"),
        ("p: { of(n: number): Stock }", "p.of(1).take()"),
        ("p: { [name: string]: Stock }", "p.north.take()"),
        ("p: Named", "p.some.take(); p['other'].take()"),
        ("p: import('./stock').Stock", "p.take()"),
        ("p: Record<string, { s: Stock }>", "p.x.s.take()"),
    ],
)
def test_shapes_that_are_declared_in_place(declared: str, use: str) -> None:
    head = "import { Stock, Till } from './stock'\ninterface Named { [name: string]: Stock; known: Till }\n"
    made = Resolved({**STOCK, "a.ts": f"{head}function run({declared}) {{ {use} }}"})
    assert "stock.ts:Stock.take" in made.callees("a.ts:run", 0.9)


@pytest.mark.parametrize(
    "code",
    [
        "class C { /** @type {import('./stock').Stock} */ s; run() { this.s.take() } }",
        "class C { constructor(x) { /** @type {Stock} */ this.s = x } run() { this.s.take() } }",
        "/** @typedef {import('./stock').Stock} T */\nclass C {\n/** @param {T} t */\nrun(t) { t.take() } }",
        "/**\n * @typedef {Object} O\n * @property {Stock} s\n */"
        "\nclass C {\n/** @param {O} o */\nrun(o) { o.s.take() } }",
        "class C {\n/** @param {{s: Stock}} o */\nrun({ s }) { s.take() } }",
        "/** @returns {Stock} */\nfunction made() {}\nclass C { run() { made().take() } }",
        "/** @type {Map<string, Stock>} */\nconst m = new Map()\nclass C { run() { m.get('x').take() } }",
    ],
)
def test_comments_declare_types_in_javascript_only(code: str) -> None:
    files = {**STOCK, "a.js": "import { Stock } from './stock'\n" + code}
    assert "stock.ts:Stock.take" in Resolved(files).callees("a.js:C.run", 0.9)
    files["a.ts"] = files.pop("a.js")
    assert "stock.ts:Stock.take" not in Resolved(files).callees("a.ts:C.run", 0.9)


@pytest.mark.parametrize(
    "body",
    ["if (isTill(x)) {\n x.ring() }", "if (!isTill(x)) { return }\n x.ring()", "return isTill(x) && x.ring()",
     "assertTill(x)\n x.ring()", "return isTill(x) ? x.ring() : 1"],
)  # fmt: skip
def test_type_predicates_narrow(body: str) -> None:
    made = Resolved({**STOCK, "a.ts": f"""
        import {{ Till }} from './stock'
        function isTill(x: unknown): x is Till {{ return true }}
        function assertTill(x: unknown): asserts x is Till {{}}
        function isAny(x: unknown): boolean {{ return true }}
        function run(x: unknown) {{ {body} }}
        function not(x: unknown) {{ {body.replace("isTill", "isAny").replace("assertTill", "isAny")} }}
        """})  # fmt: skip
    assert "stock.ts:Till.ring" in made.callees("a.ts:run", 0.9)
    assert "stock.ts:Till.ring" not in made.callees("a.ts:not")


def test_a_name_that_a_block_declares_is_known_in_the_block_only() -> None:
    made = Resolved({"a.js": """
        function notify() {}
        function other() {}
        function one(x) { notify(); if (x) { const notify = other; notify() } }
        function two(x) { for (const notify of x) { notify.go() } notify() }
        function three() { try { notify() } catch (notify) { notify() } }
        function four(x) { if (x) { const { notify } = x; notify() } return () => notify() }
        function five(notify = other) { notify() }
        function six(x) { if (x) { var notify = other } notify() }
        """})  # fmt: skip
    expected = {"one": ["notify", "other"], "two": ["notify"], "three": ["notify"], "four": [], "five": ["other"],
                "six": ["other"]}  # fmt: skip
    assert {name: made.callees(f"a.js:{name}") for name in expected} == {
        name: [f"a.js:{each}" for each in found] for name, found in expected.items()
    }


def test_members_with_constant_keys() -> None:
    made = Resolved({
        "keys.ts": "export const K = Symbol()\nexport const S = 'go'\nexport enum E { Go, Stop }",
        "a.ts": """
            import { K, S, E } from './keys'
            const L = Symbol()
            class A { [K]() {} [S]() {} [E.Go]() {} [L]() {} }
            class B { constructor() { this[K] = function put() {} } }
            const table = { [K]() {}, [E.Stop]: function stop() {}, plain() {} }
            function one(a: A) { a[K](); a[S](); a[E.Go](); a[L]() }
            function two(b: B) { b[K]() }
            function three() { table[K](); table[E.Stop]() }
            function four(k: string) { table[k]() }
            """,
    })  # fmt: skip
    assert made.callees("a.ts:one", 0.9) == ["a.ts:A.[E.Go]", "a.ts:A.[K]", "a.ts:A.[L]", "a.ts:A.[S]"]
    assert made.callees("a.ts:two") == ["a.ts:B.constructor.put"]
    assert made.callees("a.ts:three") == ["a.ts:table.[E.Stop]", "a.ts:table.[K]"]
    assert made.callees("a.ts:four") == ["a.ts:table.[E.Stop]", "a.ts:table.[K]", "a.ts:table.plain"]


@pytest.mark.parametrize("word", ["using", "abstract", "accessor", "interface", "of", "type", "get", "static", "async"])
@pytest.mark.parametrize("path", ["a.ts", "a.tsx", "a.js"])
def test_words_that_are_keywords_in_places_are_names(word: str, path: str) -> None:
    text = f"""
        function keep(x) {{ return x }}
        function run({word}, more) {{
          return keep([...{word}.tables, keep({word}.x), keep({word})])
        }}
        function after() {{ keep(1) }}
        """
    made = Resolved({path: text})
    assert made.callees(f"{path}:run") == made.callees(f"{path}:after") == [f"{path}:keep"]


# --------------------------------------------------------------------------- in every language

_N = 30
_IDENTITY = {
    "a.py": (
        "def keep(x):\n    return x\ndef twice(x):\n    return keep(x)\n",
        "class N{n}:\n    def run(self): pass\ndef u{n}():\n    a = twice(N{n}())\n    a.run()\n",
    ),
    "a.js": (
        "function keep(x) { return Object.freeze(x) }\nconst twice = (x) => keep(x)\n",
        "class N{n} { run() {} }\nfunction u{n}() {\n const a = twice(new N{n}())\n a.run() }\n",
    ),
    "a.ts": (
        "function keep<T>(x: T): Readonly<T> { return Object.freeze(x) }\n",
        "class N{n} { run() {} }\nfunction u{n}() {\n const a = keep(new N{n}())\n a.run() }\n",
    ),
    "a.go": (
        "package a\nfunc keep[T any](x T) T { return x }\n",
        "type N{n} struct{{}}\nfunc (n *N{n}) run() {{}}\nfunc u{n}() {{\n a := keep(&N{n}{{}})\n a.run()\n}}\n",
    ),
    "lib.rs": (
        "fn keep<T>(x: T) -> T { x }\n",
        "struct N{n};\nimpl N{n} { fn run(&self) {} }\nfn u{n}() {\n let a = keep(N{n});\n a.run(); }\n",
    ),
    "A.java": (
        "package p; class Fr { static <T> T keep(T x) { return x; } }\n",
        "class U{n} { static class N { void run() {} }\n void u{n}() {\n var a = Fr.keep(new N());\n a.run(); } }\n",
    ),
}


@pytest.mark.parametrize("path", _IDENTITY)
def test_the_result_of_a_function_that_returns_its_argument_is_that_of_the_call(path: str) -> None:
    head, each = _IDENTITY[path]
    made = Resolved(
        {path: head + "".join(each.replace("{n}", str(n)).replace("{{", "{").replace("}}", "}") for n in range(_N))}
    )
    pairs = {(s, t) for s, t in made.pairs() if t.endswith("run")}
    assert len(pairs) == _N
    for source, target in pairs:
        assert source.rpartition("u")[2] in (
            target.split("N")[-1].split(".")[0].split(":")[0],
            target.split("U")[-1].split(".")[0],
        )


@pytest.mark.parametrize("count", [3, 40])
def test_a_set_that_left_values_out_gives_nothing_above_possible(count: int) -> None:
    files = {
        "m.js": "const pool = []\nexport function add(x) { pool.push(x) }\nexport function run() { pool[0].start() }\n"
    }
    for n in range(count):
        files[f"n{n}.js"] = f"import {{ add }} from './m'\nadd({{ start() {{}}, own{n}() {{}} }})\n"
    made = Resolved(files)
    assert bool(made.callees("m.js:run")) == (count == 3)
    assert made.callees("m.js:run", 0.4)


def test_a_destructured_getter_is_read() -> None:
    graph = Resolved({"a.ts": """
        export class Options { get size() { return 1 } }
        export function plain(options: Options) { const { size: wide, ...rest } = options; return wide }
        export function taken({ size }: Options) { return size }
        """})  # fmt: skip
    assert {source for source, target in graph.pairs() if target == "a.ts:Options.size"} == {"a.ts:plain", "a.ts:taken"}


def test_a_function_given_to_define_property_is_not_called() -> None:
    graph = Resolved(
        {"a.js": "function tool() {}\nfunction set() { Object.defineProperty(tool, 'a', { value: 1 }) }\n"}
    )
    assert not graph.pairs("CALLS", 0)
    assert graph.pairs("USES") == {("a.js:set", "a.js:tool")}


_RULER = """
    function Ruler() { this.rules = []; this.chains = null }
    Ruler.prototype.push = function (name, fn) { this.rules.push({ name: name, fn }) }
    Ruler.prototype.compile = function () {
        const self = this
        self.chains = {}
        self.rules.forEach(function (rule) { self.chains[rule.name] = []; self.chains[rule.name].push(rule.fn) })
    }
    Ruler.prototype.get = function (name) { return this.chains[name] || [] }
    export default Ruler
    """


def test_a_constructor_function_and_the_methods_of_its_prototype_share_members_and_arguments() -> None:
    made = Resolved({"ruler.mjs": _RULER, "core.mjs": """
        import Ruler from './ruler.mjs'
        function heading(state) { state.isEmpty() }
        const table = [['heading', heading]]
        function State() {}
        State.prototype.isEmpty = function () {}
        function Core() {
            this.ruler = new Ruler()
            for (let i = 0; i < table.length; i++) { this.ruler.push(table[i][0], table[i][1]) }
        }
        Core.prototype.State = State
        Core.prototype.parse = function () {
            const rules = this.ruler.get(''), state = new this.State()
            for (let i = 0; i < rules.length; i++) { rules[i](state) }
        }
        """})  # fmt: skip
    pairs = made.pairs("CALLS", 0.6)
    assert ("core.mjs:Core.parse", "ruler.mjs:Ruler.get") in pairs
    assert ("core.mjs:Core.parse", "core.mjs:heading") in pairs
    assert ("core.mjs:heading", "core.mjs:State.isEmpty") in pairs


@pytest.mark.parametrize(
    "defined",
    [
        "function State() {}\nState.prototype.lines = function () {}",
        "var State = module.exports = {}\nState.lines = function lines() {}",
        "const State = { lines() {} }",
    ],
)
def test_a_method_of_a_prototype_or_a_literal_is_possible_by_its_name(defined: str) -> None:
    made = Resolved({"state.js": defined, "a.js": "module.exports = function (state) { return state.lines() }\n"})
    assert made.callees("a.js:default", 0.4) == ["state.js:State.lines"]
    assert not made.callees("a.js:default")


def test_a_star_export_does_not_pass_on_what_its_module_imports() -> None:
    made = Resolved({
        "all.ts": "export * from './scope'\nexport * from './store'\n",
        "scope.ts": "import { Store } from './all'\nexport function enter(store: Store) {}\n",
        "store.ts": "import { enter } from './all'\nexport class Store { constructor() { enter(this) } }\n",
        "a.ts": "import { Store } from './all'\nexport function run() { new Store() }\n",
    })  # fmt: skip
    assert made.callees("a.ts:run") == ["store.ts:Store.constructor"]


_MIXED = {
    "app.js": """
        var app = exports = module.exports = {}
        app.init = function () { this.use() }
        app.use = function () {}
        """,
    "make.js": """
        var mixin = require('merge-descriptors')
        var proto = require('./app')
        module.exports = function make() {
            var app = function () { app.use() }
            mixin(app, proto, false)
            app.init()
            return app
        }
        """,
    "use.js": "var make = require('./make')\nfunction run() { var app = make(); app.use() }\n",
}


def test_a_function_has_the_members_that_it_is_given_from_an_object() -> None:
    made = Resolved(_MIXED)
    assert made.callees("use.js:run") == ["app.js:app.use", "make.js:make"]
    assert made.callees("make.js:make") == ["app.js:app.init"]
    assert "app.js:app.use" in made.callees("make.js:make.app")


@pytest.mark.parametrize("owner", ["class Pool {}", "function Pool() {}"])
@pytest.mark.parametrize("given", ["{ start() { this.stop() }, stop: function () {} }", "mixin"])
def test_instances_have_the_members_that_are_assigned_to_their_prototype(owner: str, given: str) -> None:
    made = Resolved({"a.js": f"""
        const mixin = {{ start() {{ this.stop() }}, stop() {{}} }}
        {owner}
        Object.assign(Pool.prototype, {given})
        function run() {{ new Pool().start() }}
        """})  # fmt: skip
    assert any(name.endswith("start") for name in made.callees("a.js:run"))


def test_a_member_is_stored_through_a_cast() -> None:
    made = Resolved({"a.ts": """
        function named(state: any) {}
        const api = {} as any
        ;(api.setState as any) = named
        export function run() { api.setState(1) }
        """})  # fmt: skip
    assert made.callees("a.ts:run") == ["a.ts:named"]


@pytest.mark.parametrize("key", ["$kind", "`on_${$kind}`", "'on_' + $kind"])
def test_a_variable_with_a_dollar_sign_names_a_member(key: str) -> None:
    made = Resolved({"a.ts": f"""
        import {{ other }} from 'other'
        const $kind = other()
        export class Stream {{ on_end() {{}} end() {{}} }}
        export function by(given: Stream, $kind: string) {{ given[{key}]() }}
        export function run(given: Stream) {{ by(given, "end"); given[{key}]() }}
        """})  # fmt: skip
    assert made.callees("a.ts:by", 0.5) == ["a.ts:Stream.end" if key == "$kind" else "a.ts:Stream.on_end"]


@pytest.mark.parametrize("value", ["s", "this.make(s)"])
def test_a_receiver_may_be_an_assignment(value: str) -> None:
    made = Resolved({"a.ts": f"""
        class Stream {{ add(): void {{}} }}
        class Flat {{
          inner: Stream
          make: (e: any) => Stream
          next(s: Stream) {{ (this.inner = {value}).add() }}
        }}
        """})  # fmt: skip
    assert made.callees("a.ts:Flat.next") == ["a.ts:Stream.add"]


@pytest.mark.parametrize(
    ("declared", "names"),
    [
        ("Of<T>", ["Stock.take", "Till.take"]),
        ("T extends true ? Till | undefined : never", ["Till.take"]),
    ],
)
def test_a_conditional_type_may_be_any_of_its_branches(declared: str, names: list[str]) -> None:
    source = f"""
        class Stock {{ take() {{}} }}
        class Till {{ take() {{}} }}
        class Bin {{ take() {{}} }}
        type Of<T> = T extends Bin ? Stock : T extends {{ size?: number }} ? Till : T
        export class Shop<T> {{
          given: {declared}
          run() {{ this.given.take() }}
        }}
        """
    found = edges(graph_of({"a.ts": source}))
    assert sorted(callee for caller, callee in found if caller.endswith("run")) == [f"a.{name}" for name in names]


@pytest.mark.parametrize(
    ("above", "body"),
    [
        ("Array<Of<T>>", "for (const each of this) each.take()"),
        ("Array<Stock>", "this.map(each => each.take())"),
        ("Array<Stock>", "Array.from(this, each => each.take())"),
        ("Array<Till>", "Array.from(this, each => new Stock())[0].take()"),
        ("Map<string, Stock>", "this.get('a')!.take()"),
        ("Map<string, Stock>", "for (const [name, each] of this) each.take()"),
        ("Map<string, Stock>", "this.forEach(each => each.take())"),
        ("Rack<Stock>", "this.first().take()"),
    ],
)
def test_the_type_arguments_of_a_supertype_are_read(above: str, body: str) -> None:
    source = f"""
        class Stock {{ take() {{}} }}
        class Till {{ take() {{}} }}
        class Rack<E> {{ item: E; first(): E {{ return this.item }} }}
        type Of<T> = T extends string ? Stock : T
        export class Shop<T> extends {above} {{ run() {{ {body} }} }}
        """
    assert "a.Stock.take" in [callee for caller, callee in edges(graph_of({"a.ts": source})) if "run" in caller]
    assert "a.Till.take" not in [callee for _, callee in edges(graph_of({"a.ts": source}))]


@pytest.mark.parametrize(
    "body",
    [
        "if (x instanceof Till) { x.ring(); }\nelse { x.take(); }",
        "if (x instanceof Till) return;\nx.take();",
        "if (!(x instanceof Till)) {\nx.take(); }",
    ],
)
def test_the_rest_of_a_union_is_left_where_a_test_fails(body: str) -> None:
    source = f"""
        class Stock {{ take() {{}} }}
        class Till {{ ring() {{}} take() {{}} }}
        export function use(x: Stock | Till) {{
        {body}
        }}
        """
    found = [callee for caller, callee in edges(graph_of({"a.ts": source}))]
    assert [callee for callee in found if callee.endswith("take")] == ["a.Stock.take"]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("return x instanceof Till\n? 0\n: x.take()", ["Bin", "Stock"]),
        ("if (x instanceof Till) { x.ring(); }\nelse { x.take(); }", ["Bin", "Stock"]),
        ("if (x instanceof Till) return;\nif (x instanceof Bin) return;\nx.take();", ["Stock"]),
        ("if (x instanceof Till) return;\nx = new Till();\nx.take();", ["Till"]),
    ],
)
def test_a_type_is_excluded_where_its_test_fails(body: str, names: list[str]) -> None:
    source = f"""
        class Stock {{ take() {{}} }}
        class Till {{ ring() {{}} take() {{}} }}
        class Bin {{ take() {{}} }}
        type Part = Stock | Till | Bin
        export function use(x: Part | null) {{
        {body}
        }}
        """
    found = {callee for caller, callee in edges(graph_of({"a.ts": source}))}
    assert {f"a.{name}.take" for name in names} <= found
    assert names == ["Till"] or "a.Till.take" not in found


@pytest.mark.parametrize("read", ["Stock.kind === given", "Shelf.kind", "(given && Stock.kind) || given"])
def test_a_static_getter_is_read_on_the_class(read: str) -> None:
    made = Resolved({"a.ts": f"""
        class Stock {{ static get kind(): string {{ return "stock" }} get size() {{ return 1 }} }}
        class Shelf extends Stock {{}}
        class Other {{ static get kind() {{ return "other" }} }}
        export function run(given: string) {{ Stock.size; return {read} }}
        """})  # fmt: skip
    assert made.callees("a.ts:run") == ["a.ts:Stock.kind"]
