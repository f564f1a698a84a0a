"""TypeScript and TSX: types, and what they add to JavaScript."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.languages.javascript.spec import TYPESCRIPT
from codeexplore.languages.javascript.typescript import wrappings
from codeexplore.languages.registry import by_path
from codeexplore.syntax.parse import grammar, parse
from tests.language_facts import Said


def said(text: str, path: str = "src/app.ts") -> Said:
    return Said("tsx" if path.endswith("x") else "typescript", text, path)


SERVICE = """\
import type { Clock } from "./clock";
import { Injectable, type Store } from "@core";
import fs = require("fs");

/** Who is allowed in. */
@Injectable({ scope: "app" })
export abstract class SessionService<T extends Session = Session> extends Base<T> implements Closeable, ns.Open<T> {
  private readonly cache = new Map<string, Session>();
  @Input() label?: string;
  static instance: SessionService;

  constructor(
    private readonly store: Store,
    @Inject(CLOCK) public clock: Clock = systemClock,
    limit: number,
  ) {
    super();
  }

  @traced
  // counted, too
  @counted("x")
  async validate(token: string, ...rest: Option[]): Promise<Session | undefined> {
    const found = this.cache.get(token)!;
    return (found as Session).refresh() ?? this.store.find(token);
  }

  abstract revoke(id: string): void;
  protected expired = (session: T): boolean => session.expires < this.clock.now();
  get size(): number { return this.cache.size; }
}
"""


@pytest.fixture(scope="module")
def service() -> Said:
    return said(SERVICE)


def test_a_services_members(service: Said) -> None:
    assert service.facts.errors == 0
    assert service.symbols() == {
        "SessionService": "class", "SessionService.cache": "field", "SessionService.label": "field",
        "SessionService.instance": "field", "SessionService.constructor": "method",
        "SessionService.validate": "method", "SessionService.revoke": "method", "SessionService.expired": "method",
        "SessionService.size": "method",
    }  # fmt: skip
    assert service.symbol("SessionService").doc == "Who is allowed in."
    assert service.symbol("SessionService").fqn == "src/app.SessionService"


def test_decorators_belong_to_what_they_stand_before(service: Said) -> None:
    validate = service.symbol("SessionService.validate")
    assert validate.decorators == ("traced", "counted()")
    assert (validate.span.start_line, validate.line) == (20, 23)
    assert validate.signature == ("async validate(token: string, ...rest: Option[]): Promise<Session | undefined>")
    assert service.symbol("SessionService").decorators == ("Injectable()",)
    assert service.symbol("SessionService").span.start_line == 6
    assert service.symbol("SessionService.label").decorators == ("Input()",)
    assert service.symbol("SessionService.revoke").decorators == ()
    rows = [(service.scope(r.scope), r.path, r.args) for r in service.facts.references if r.kind == "decorator"]
    assert rows == [
        ("", "Injectable()", ("SessionService",)), ("SessionService", "Input()", ("label",)),
        ("SessionService", "traced", ("validate",)), ("SessionService", "counted()", ("validate",)),
        ("SessionService.constructor", "Inject()", ()),
    ]  # fmt: skip


def test_a_decorator_on_a_line_of_its_own_method_stays_there() -> None:
    file = said("class A {\n  @one @two() a() {}\n  b() {}\n  @three\n  set c(v) {}\n}\n")
    assert [file.symbol(f"A.{name}").decorators for name in "abc"] == [("one", "two()"), (), ("three",)]


def test_parameters_properties_and_fields_have_their_types(service: Said) -> None:
    assert service.bindings("SessionService", "field") == [
        ("store", "Store", ""), ("clock", "Clock", ""), ("cache", "Map<string, Session>", "Map()"),
        ("label", "string", ""), ("instance", "SessionService", ""),
    ]  # fmt: skip
    assert service.bindings("SessionService.constructor") == [
        ("store", "Store", ""), ("this.store", "Store", "store"), ("clock", "Clock", "systemClock"),
        ("this.clock", "Clock", "clock"), ("limit", "number", ""),
    ]  # fmt: skip
    assert service.bindings("SessionService.validate") == [
        ("token", "string", ""), ("rest", "Option[]", ""), ("found", "", "this.cache.get()"),
    ]  # fmt: skip
    assert ("session", "T", "") in service.bindings("SessionService.expired")


def test_casts_are_seen_in_the_middle_of_a_path_only(service: Said) -> None:
    assert service.returns("SessionService.validate") == [
        ("type", "Promise<Session | undefined>"), ("return", "%type(Session).refresh()"),
        ("return", "this.store.find()"),
    ]  # fmt: skip
    file = said("const a = b as Foo<Bar>, c = <Baz>d, e = f as any, g = h! satisfies J;\nrun(k as L, (m as any).n);")
    assert file.bindings("") == [("a", "Foo<Bar>", "b"), ("c", "Baz", "d"), ("e", "", "f"), ("g", "J", "h")]
    assert file.args("run") == ("k", "m.n")


def test_bases_and_type_parameters(service: Said) -> None:
    assert service.bases() == [
        ("SessionService", "extends", "Base"), ("SessionService", "implements", "Closeable"),
        ("SessionService", "implements", "ns.Open"),
    ]  # fmt: skip
    assert service.bindings("SessionService", "type") == [("T", "Session", "")]


def test_types_are_charged_to_what_names_them(service: Said) -> None:
    assert service.references("type", "SessionService.constructor") == ["Store", "Clock"]
    assert service.references("type", "SessionService.validate") == ["Option", "Session", "Session"]
    assert "Closeable" not in service.references("type")  # it is a base
    assert service.references("type", "") == []


def test_imports_of_types_and_of_older_kinds(service: Said) -> None:
    assert service.imports() == [
        ("Clock", "./clock", "Clock"), ("Injectable", "@core", "Injectable"), ("Store", "@core", "Store"),
        ("fs", "fs", ""),
    ]  # fmt: skip


def test_declarations_of_types_and_namespaces() -> None:
    file = said("""
        export interface Store<K> extends Reader<K>, ns.Writer { get(key: K): Item; readonly size: number; on?(): void }
        type Handler = (event: Event) => void;
        type Shape = Base & { area(): number; name: string };
        export const enum Color { Red, Green = "g", "dark-blue" = 3 }
        namespace Geo.Flat { export const origin = 0; const hidden = 1; export function distance(a: Point) {} }
        declare module "plugin" { export function load(): Plugin; }
        declare global { interface Window { app: App } }
        declare const VERSION: string;
        declare function boot(): void;
        abstract class Animal { abstract name: string; protected abstract speak(): void; }
        function over(a: string): void;
        function over(a: number): void;
        function over(a: unknown) {}
        """)
    assert file.symbols() == {
        "Store": "interface", "Store.get": "method", "Store.size": "field", "Store.on": "method", "Handler": "type",
        "Shape": "type", "Shape.area": "method", "Shape.name": "field", "Color": "enum", "Color.Red": "constant",
        "Color.Green": "constant", "Color.dark-blue": "constant", "Geo.Flat": "module",
        "Geo.Flat.origin": "constant", "Geo.Flat.hidden": "constant", "Geo.Flat.distance": "function",
        "plugin": "module", "plugin.load": "function", "Window": "interface", "Window.app": "field",
        "VERSION": "constant", "boot": "function", "Animal": "class", "Animal.name": "field",
        "Animal.speak": "method", "over": "function",
    }  # fmt: skip
    assert [s.id.rpartition(".")[2] for s in file.facts.symbols if s.name == "over"] == ["over", "over#2", "over#3"]
    assert file.bases() == [("Store", "extends", "Reader"), ("Store", "extends", "ns.Writer")]
    assert file.bindings("", "type") == [
        ("Handler", "(event: Event) => void", ""), ("Shape", "Base & { area(): number; name: string }", ""),
    ]  # fmt: skip
    assert file.bindings("Store", "field") == [("size", "number", "")]
    assert file.returns("Store.get") == [("type", "Item")]
    assert [e.name for e in file.facts.exports] == ["Store", "Color"]


def test_exports_of_older_kinds() -> None:
    assert [(e.name, e.target) for e in said("class A {}\nexport = A;").facts.exports] == [("=", "A")]
    aliased = said("import Short = Very.Long.Name;\nexport import Other = Very.Short;")
    assert aliased.bindings("") == [("Short", "", "Very.Long.Name"), ("Other", "", "Very.Short")]
    assert [(e.name, e.target) for e in aliased.facts.exports] == [("Other", "Other")]


def test_receivers_predicates_and_optional_parameters() -> None:
    file = said("function f(this: Window, a?: A, { b }: Props = {}): a is B { return !!a; }")
    assert [(b.name, b.manner, b.type) for b in file.facts.bindings] == [
        ("this", "receiver", "Window"), ("a", "parameter", "A"), ("{2}", "parameter", "Props"), ("b", "variable", ""),
    ]  # fmt: skip
    assert file.returns("f") == [("type", "boolean is B")]


def test_generics_arrows_and_assertions_in_paths() -> None:
    file = said("const f = async <T,>(x: T): Promise<T> => x!.y?.z;\nload<Item>(a!.b as C);")
    assert file.returns("f") == [("type", "Promise<T>"), ("return", "x.y.z")]
    assert file.args("load") == ("a.b",)


def test_markup_in_tsx() -> None:
    file = said(
        "export const Row: React.FC<Props> = ({ item }: Props) => <Cell<Item> value={item.name} on={act as Act} />;",
        "src/views/Row.tsx",
    )
    assert file.symbol("Row").fqn == "src/views/Row.Row"
    assert file.args("Cell") == ("value=item.name", "on=act")
    assert file.references("type", "") == ["React.FC", "Props"]
    assert file.bindings("Row", "parameter") == [("{0}", "Props", "")]


@pytest.mark.parametrize(
    ("path", "language", "module"),
    [
        ("src/a.ts", "typescript", "src/a"),
        ("src/a/index.mts", "typescript", "src/a"),
        ("types/a.d.ts", "typescript", "types/a"),
        ("types/index.d.cts", "typescript", "types"),
        ("a.test.tsx", "tsx", "a.test"),
    ],
)
def test_files_are_known_by_their_extension(path: str, language: str, module: str) -> None:
    found = by_path(path)
    assert found is not None
    assert found.name == language
    assert said("", path).facts.module == module


@pytest.mark.parametrize(
    "opening", ["A<", "(a as ", "namespace A {", "type X = {a: ", "let x: (", "class A { m(a: {", "<A>"]
)
def test_deep_nesting_ends(opening: str) -> None:
    assert said("type T = " * ("<" in opening) + opening * 3000).facts.symbols[0].kind == "module"


NO_SEMICOLONS = """\
interface Parse {
  <A extends string>(text: A): Promise<A>
  <B>(
    text: B
  ): Promise<B>
}

export const parse: Parse = (text) => read(text)

export const make: {
  // The first line
  (text: string): Foo[] // and its end
  /** The second one. */
  <A>(text: A): (next: A) => void
  [Symbol.iterator](): Iterator<string>
} = create()

type Box<
  /** Variance */
  out T,
  in out U = never,
> = { value: T }
interface Sink<in T> extends Box<T> { in?: string }
class Cell<in out T> {}

export type * from "./types"
export type * as names from "./names"

const chosen = ready
  ? (first)
  : (second)
load
  (chosen)
"""


def test_what_the_grammar_does_not_know() -> None:
    file = said(NO_SEMICOLONS)
    assert file.facts.errors == 0
    assert {name: kind for name, kind in file.symbols().items() if "." not in name} == {
        "Parse": "interface", "parse": "function", "make": "constant", "Box": "type", "Sink": "interface",
        "Cell": "class", "chosen": "constant",
    }  # fmt: skip
    assert file.symbol("Parse").span.end_line == 6
    assert file.references("call") == ["read", "create", "load"]
    assert [(export.name, export.module) for export in file.facts.exports if export.module] == [
        ("*", "./types"), ("names", "./names"),
    ]  # fmt: skip


def test_a_generic_call_that_is_awaited_among_arguments_is_a_call() -> None:
    file = said("async function f(r) { out(await g<Map<string, number>>(r), await x.h<A<B>>(r)); }")
    assert file.facts.errors == 0
    assert file.references("call") == ["out", "g", "x.h"]


def test_comments_among_type_parameters_end() -> None:
    file = said("interface A<\n" + "/* a */ // b\n" * 200 + "  out T> {}\ninterface B<" + "/* a */" * 200 + "T> { x: }")
    assert file.symbols()["A"] == "interface"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", [b"/* a */", b"/* * ", b"// a\n", b"<,/*", b", in ", b"interface A<in ", b"<in A>"])
def test_the_search_for_variance_takes_linear_time(text: bytes) -> None:
    many = text * (100_000 // len(text))
    data = b"interface A<" + many + b"\n in out T> {}\nclass B</* , in A */ out /* c */ T> {}\n+"
    found = wrappings(parse(grammar(TYPESCRIPT), b"type A<").root_node, data)
    assert len(found) < 50_000


def test_words_in_comments_are_no_variance() -> None:
    data = b"class /* a */ A</* , in B */ out /* c */ T, /* d */ // , out e\n in /**/ out U> {}\nx +"
    found = wrappings(parse(grammar(TYPESCRIPT), b"type A<").root_node, data)
    assert [data[each.start : each.end] for each in found] == [b"out", b"in /**/ out"]


def test_long_casts_end() -> None:
    file = said("x = " + "(" * 2000 + "a" + " as any).b" * 2000 + ";\ny = a" + " as A" * 3000)
    assert file.bindings("") == [("x", "", ""), ("y", "", "a")]


SNIPPETS = st.sampled_from([
    "(", ")", "{", "}", "<", ">", ": ", "=", "a", "A.B", " as ", "class A ", "interface I ", "type T ", "enum E ",
    "namespace N ", "declare ", "abstract ", "private ", "@d ", "function f", "=> ", "extends ", "implements ", ";",
    "?", "|", "export ", "import ", "[", "]", "\n", "constructor",
])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(SNIPPETS, max_size=30).map("".join), st.sampled_from(["a.ts", "a.tsx"]))
def test_any_text_gives_facts_that_hold_together(text: str, path: str) -> None:
    facts = said(text, path).facts
    ids = {symbol.id for symbol in facts.symbols}
    assert len(ids) == len(facts.symbols)
    assert all(symbol.parent in ids for symbol in facts.symbols[1:])
    rows = (*facts.bindings, *facts.references, *facts.returns, *facts.imports, *facts.bases)
    assert all(0 <= row.scope < len(facts.symbols) for row in rows)


LINES = st.sampled_from([
    "interface A<", "  out T", ", in", "> {", "  <T>(x", "  (y: Z): W", "  [k](", "): T", "}", "export type *",
    "  // a", "  /* b", "*/", "'", "`", "=>", "é",
])  # fmt: skip


@given(st.lists(LINES, max_size=30).map("\n".join))
def test_what_the_grammar_does_not_know_is_replaced_in_place(text: str) -> None:
    data = text.encode()
    found = wrappings(parse(grammar(TYPESCRIPT), data + b"\n}}").root_node, data)
    for each, following in pairwise(found):
        assert each.end <= following.start
    for each in found:
        assert each.inner_start == each.inner_end == each.end <= len(data)
        replaced = data[each.start : each.end]
        assert replaced == b" " if each.opening else set(replaced.split()) <= {b"in", b"out", b"type"}
