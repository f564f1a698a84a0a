"""Java: what its declarations, values and imports become."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.language_facts import Said


def said(text: str, path: str = "src/main/java/org/shop/Cart.java", package: str = "org.shop") -> Said:
    return Said("java", (f"package {package};\n" if package else "") + text, path)


def in_method(body: str) -> Said:
    return said("class A { void f() {\n" + body + "\n} }")


CART = """\
import java.util.*;
import java.util.function.Function;
import static org.shop.Prices.round;
import static org.shop.Prices.*;

/**
 * A {@link Customer}'s <b>cart</b>.
 *
 * @param <T> what is sold
 */
@Entity(table = Tables.CART)
public abstract class Cart<T extends Item> extends org.base.Aggregate<T> implements Iterable<T>, Priced {
    /** How many fit. */
    public static final int LIMIT = 10;
    private final Map<String, List<T>> lines = new HashMap<>();
    @Inject Clock clock;
    int first, second[] = {1};

    static { Registry.add(Cart.class); }
    { lines.clear(); }

    protected Cart(Clock clock, T... items) throws Full {
        super(items);
        this.clock = clock;
        first = 1;
        clock = null;
    }

    Cart() { this(Clock.system()); }

    // What it costs.
    @Override
    @Deprecated
    public <R extends Money> R total(final Function<T, R>[] prices, @Nullable Coupon coupon) {
        var sum = (Money) round(coupon);
        return sum.isZero() ? Money.none() : ((R) sum).scaled(lines.size());
    }

    abstract void pay(
        Card card,
        int times);

    enum State implements Coded {
        OPEN, @Deprecated SENT("s") { @Override String code() { return "x"; } };
        State(String... codes) {}
        String code() { return name(); }
    }

    record Line<T>(T item, @Positive int amount, String... notes) implements Priced {
        Line { Checks.positive(amount); }
        static Line<?> none() { return null; }
    }

    @interface Positive { int value() default 1; }
    interface Priced extends Comparable<Priced>, Named { int SCALE = 2; default Money price() { return null; } }
}
"""


@pytest.fixture(scope="module")
def cart() -> Said:
    return said(CART)


def test_every_kind_of_definition_is_a_symbol(cart: Said) -> None:
    assert cart.facts.errors == 0
    members = {
        "LIMIT": "constant", "lines": "field", "clock": "field", "first": "field", "second": "field",
        "<clinit>": "method", "<init>": "method", "Cart": "method", "total": "method", "pay": "method",
        "State": "enum", "State.OPEN": "constant", "State.SENT": "class", "State.SENT.code": "method",
        "State.State": "method", "State.code": "method", "Line": "class", "Line.item": "field",
        "Line.amount": "field", "Line.notes": "field", "Line.Line": "method", "Line.none": "method",
        "Positive": "interface", "Positive.value": "method", "Priced": "interface", "Priced.SCALE": "constant",
        "Priced.price": "method",
    }  # fmt: skip
    assert cart.symbols() == {"Cart": "class", **{f"Cart.{name}": kind for name, kind in members.items()}}
    assert cart.symbol("Cart.Line.item").fqn == "org.shop.Cart.Line.item"
    assert [s.id.rpartition(".")[2] for s in cart.facts.symbols if s.name == "Cart"] == ["Cart", "Cart", "Cart#2"]


def test_the_module_is_the_package() -> None:
    assert (said("").facts.module, said("").facts.symbols[0].name) == ("org.shop", "shop")
    bare = said("class Main { void run() {} }", "demo/Main.java", "")
    assert bare.facts.module == "Main.java"
    assert [s.fqn for s in bare.facts.symbols] == ["Main.java", "Main", "Main.run"]
    documented = Said("java", "/** Sells things. */\n@NonNull\npackage org.shop;\n", "org/shop/package-info.java")
    assert documented.facts.symbols[0].doc == "Sells things."


def test_docs_signatures_and_lines(cart: Said) -> None:
    assert cart.symbol("Cart").doc == "A Customer's cart.\n\n@param <T> what is sold"
    assert cart.symbol("Cart").signature == (
        "public abstract class Cart<T extends Item> extends org.base.Aggregate<T> implements Iterable<T>, Priced"
    )
    total = cart.symbol("Cart.total")
    assert (total.doc, total.decorators) == ("What it costs.", ("Override", "Deprecated"))
    assert total.signature == "public <R extends Money> R total(final Function<T, R>[] prices, @Nullable Coupon coupon)"
    assert total.line - total.span.start_line == 2
    assert cart.symbol("Cart.LIMIT").doc == "How many fit."
    assert cart.symbol("Cart.LIMIT").signature == "public static final int LIMIT = 10"
    assert cart.symbol("Cart.second").signature == "int second[] = {1}"
    assert cart.symbol("Cart.pay").signature == "abstract void pay( Card card, int times)"
    assert (
        cart.symbol("Cart.Line").signature
        == "record Line<T>(T item, @Positive int amount, String... notes) implements Priced"
    )


def test_anonymous_classes_and_lambdas_go_by_their_place() -> None:
    file = said(
        "class A { Comparator<B> order = new Comparator<>() { int compare(B a, B b) { return run(() -> a); } }; }"
    )
    assert file.symbols(lambdas=True) == {
        "A": "class", "A.order": "field", "A.order.<class:2:32>": "class", "A.order.<class:2:32>.compare": "method",
        "A.order.<class:2:32>.compare.<lambda:2:88>": "lambda",
    }  # fmt: skip
    assert file.bases() == [("A.order.<class:2:32>", "extends", "Comparator")]
    assert ("order", "Comparator<B>", "%class:2:32()") in file.bindings("A")
    assert file.bindings("A.order.<class:2:32>") == [("%class:2:32", "", "")]
    assert file.references("new", "A") == ["Comparator"]


def test_imports(cart: Said) -> None:
    assert cart.imports() == [
        ("*", "java.util", "*"), ("Function", "java.util.function", "Function"),
        ("round", "org.shop.Prices", "round"), ("*", "org.shop.Prices", "*"),
    ]  # fmt: skip


def test_bases_and_type_parameters(cart: Said) -> None:
    assert cart.bases() == [
        ("Cart", "extends", "org.base.Aggregate"), ("Cart", "implements", "Iterable"), ("Cart", "implements", "Priced"),
        ("Cart.State", "implements", "Coded"), ("Cart.State.SENT", "extends", "State"),
        ("Cart.Line", "implements", "Priced"), ("Cart.Priced", "extends", "Comparable"),
        ("Cart.Priced", "extends", "Named"),
    ]  # fmt: skip
    assert cart.bindings("Cart", "type") == [("T", "Item", "")]
    assert cart.bindings("Cart.total", "type") == [("R", "Money", "")]


def test_fields_and_parameters_have_their_types(cart: Said) -> None:
    assert cart.bindings("Cart", "field") == [
        ("LIMIT", "int", "%num"), ("lines", "Map<String, List<T>>", "HashMap()"), ("clock", "Clock", ""),
        ("first", "int", ""), ("second", "int[]", "%list:18:26"),
    ]  # fmt: skip
    assert cart.bindings("Cart.total", "parameter") == [("prices", "Function<T, R>[]", ""), ("coupon", "Coupon", "")]
    assert cart.bindings("Cart.Line", "field") == [("item", "T", ""), ("amount", "int", ""), ("notes", "String[]", "")]
    assert cart.bindings("Cart.State", "field") == [("OPEN", "State", "")]
    assert cart.bindings("Cart.State.State") == [("codes", "String", "")]
    assert [b.manner for b in cart.facts.bindings if b.name == "codes"] == ["rest"]


def test_assignments_go_to_locals_parameters_or_fields(cart: Said) -> None:
    assert cart.bindings("Cart.Cart") == [
        ("clock", "Clock", ""), ("items", "T", ""), ("this.clock", "", "clock"), ("this.first", "", "%num"),
        ("clock", "", ""),
    ]  # fmt: skip
    assert [b.sure for b in cart.facts.bindings if b.name.startswith("this.")] == [25, 26]
    inside = in_method("int a = 1; run(() -> { a = 2; b = 3; }); if (c) { a = 4; } x.y.z = d = e;")
    assert inside.bindings("A.f") == [
        ("a", "int", "%num"), ("a", "", "%num"), ("a", "", "%num"), ("x.y.z", "", "e"), ("this.d", "", "e"),
    ]  # fmt: skip
    assert inside.bindings("A.f.<lambda:3:15>") == [("this.b", "", "%num")]


def test_returns(cart: Said) -> None:
    assert cart.returns("Cart.total") == [
        ("type", "R"), ("return", "Money.none()"), ("return", "%type(R).scaled()"),
    ]  # fmt: skip
    assert cart.returns("Cart.pay") == []
    switch = in_method(
        "F g = x -> x.y(); return switch (k) { case 1 -> new B(); case 2 -> { yield c; } default -> d.e; };"
    )
    assert switch.returns("A.f") == [("return", "B()"), ("return", "c"), ("return", "d.e")]
    assert switch.returns("A.f.<lambda:3:6>") == [("return", "x.y()")]


def test_annotations_are_decorators_of_what_they_stand_before(cart: Said) -> None:
    rows = [(cart.scope(r.scope), r.path, r.args) for r in cart.facts.references if r.kind == "decorator"]
    assert rows == [
        ("", "Entity", ("Cart",)), ("Cart", "Inject", ("clock",)), ("Cart", "Override", ("total",)),
        ("Cart", "Deprecated", ("total",)), ("Cart.State", "Deprecated", ("SENT",)),
        ("Cart.State.SENT", "Override", ("code",)), ("Cart.Line", "Positive", ("amount",)),
        ("Cart.total", "Nullable", ()),
    ]  # fmt: skip
    assert "Tables.CART" in cart.references("read", "Cart")


def test_enum_constants_are_made_by_their_enum(cart: Said) -> None:
    made = [(cart.scope(r.scope), r.path, r.args) for r in cart.facts.references if r.kind == "new"]
    assert ("Cart.State", "State", ("%str",)) in made
    assert made.count(("Cart.State", "State", ())) == 1


def test_calls_with_and_without_receivers() -> None:
    file = in_method("""
        go(a, "s", 1, b.c());
        this.<R>typed().next();
        Outer.this.stop(); Named.super.greet(); super.f(); org.shop.Cart.of();
        new Inner(a).run(); new Task() { void run() { inside(); } }.start(); outer.new Part(1);
        ((Money) x).add(y); (p ? q : r.s).close(); list[0].get();
        """)
    assert sorted(file.references("call", "A.f")) == sorted([
        "go", "b.c", "this.typed().next", "this.typed", "Outer.this.stop", "Named.super.greet", "super.f",
        "org.shop.Cart.of", "Inner().run", "%class:7:28().start", "%type(Money).add", "q.close", "r.s.close",
        "list[].get",
    ])  # fmt: skip
    assert file.references("new", "A.f") == ["Inner", "Task", "outer.Part"]
    assert file.args("go") == ("a", "%str", "%num", "b.c()")
    assert file.references("call", "A.f.<class:7:28>.run") == ["inside"]


def test_constructors_call_others(cart: Said) -> None:
    calls = [(r.path, r.args) for r in cart.facts.references if cart.scope(r.scope) == "Cart.Cart" and r.kind == "call"]
    assert calls == [("super", ("items",)), ("this", ("Clock.system()",)), ("Clock.system", ())]


def test_method_references() -> None:
    file = in_method("run(Foo::bar, Foo::new, this::own, a.b()::c, List<String>::size, int[]::new);")
    assert file.args("run")[:5] == ("Foo.bar", "Foo.new", "this.own", "a.b().c", "List.size")
    assert file.references("read") == ["Foo.bar", "Foo.new", "this.own", "a.b().c", "List.size"]
    assert file.references("new") == []


def test_locals_loops_resources_catches_and_patterns() -> None:
    file = in_method("""
        List<Item> items = find(), rest;
        var made = new Box<Item>(), cast = (Foo) o;
        for (Map.Entry<K, V> e : map.entrySet()) {}
        try (Reader r = open(); shared) {} catch (IOException | Full ex) {}
        if (o instanceof Foo foo && p.q instanceof Bar) {}
        switch (o) { case Circle c -> {} case Line(Point from, var to) -> {} default -> {} }
        Handler[] all = { new H(), own, this::z, 1 };
        """)
    assert file.bindings("A.f") == [
        ("items", "List<Item>", "find()"), ("rest", "List<Item>", ""), ("made", "Box<Item>", "Box()"),
        ("cast", "Foo", "o"), ("e", "Map.Entry<K, V>", "map.entrySet()"), ("r", "Reader", "open()"),
        ("ex", "IOException | Full", ""), ("foo", "Foo", "o"), ("p.q", "Bar", ""), ("c", "Circle", ""),
        ("from", "Point", ""), ("to", "", ""), ("all", "Handler[]", "%list:10:24"), ("%list:10:24[0]", "", "H()"),
        ("%list:10:24[1]", "", "own"), ("%list:10:24[2]", "", "this.z"),
    ]  # fmt: skip
    assert [b.manner for b in file.facts.bindings if b.name in ("e", "ex", "p.q")] == [
        "element",
        "exception",
        "pattern",
    ]
    assert file.references("implicit") == ["r.close", "shared.close"]


def test_types_are_charged_to_what_names_them(cart: Said) -> None:
    assert cart.references("type", "Cart.total") == ["Money", "R", "Function", "T", "R", "Coupon", "Money", "R"]
    assert cart.references("type", "Cart.pay") == ["Card"]
    assert cart.references("type", "") == []
    scoped = in_method("org.shop.Line<Item> x = new Map.Entry<Key>();")
    assert scoped.references("type", "A.f") == ["org.shop.Line", "Item", "Key"]
    assert scoped.references("new", "A.f") == ["Map.Entry"]


def test_calls_that_hand_their_arguments_on_keep_them() -> None:
    file = in_method("var a = List.of(b, c()).stream().map(D::e).toList(); var g = Optional.ofNullable(h).orElse(i);")
    assert file.bindings("A.f") == [
        ("a", "", "List.of(b, c()).stream().map(D.e).toList()"), ("g", "", "Optional.ofNullable(h).orElse(i)"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "opening", ["class A { ", "A<", "(", "f(", "of(", "x -> ", "a ? b : ", "(A) ", "new F() { F f = ", "{", "[", "a."]
)
def test_deep_nesting_ends(opening: str) -> None:
    prefix = "" if opening.startswith("class") else "class A { Object o = "
    assert said(prefix + opening * 2000).facts.symbols[0].kind == "module"


def test_syntax_errors_leave_the_symbols_around_them() -> None:
    file = said("class A { void before() {} void broken( { } void after() {} }\nclass B {}\n")
    assert file.facts.errors > 0
    assert {"A", "A.before", "B"} <= set(file.symbols())


@pytest.mark.parametrize("text", ["", "\ufeffclass A {}", "class A {\r\n}\r\n", "class Größe { 名前 x; }"])
def test_odd_files_are_read(text: str) -> None:
    file = said(text, "A.java", "")
    assert len(file.symbols()) == text.count("class") + text.count("x")


SNIPPETS = st.sampled_from([
    "(", ")", "{", "}", "<", ">", "[", "]", "=", "a", "A.B", " a ", "class A ", "interface I ", "enum E ", "record R",
    "new ", "@A ", "static ", "final ", "-> ", "::", ";", ",", "?", ":", "switch ", "case ", "import ", "package p;",
    "extends ", "throws ", "instanceof ", "return ", "\n", "super", "this", ".",
])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(SNIPPETS, max_size=30).map("".join))
def test_any_text_gives_facts_that_hold_together(text: str) -> None:
    facts = said(text, "A.java", "").facts
    ids = {symbol.id for symbol in facts.symbols}
    assert len(ids) == len(facts.symbols)
    assert all(symbol.parent in ids for symbol in facts.symbols[1:])
    rows = (*facts.bindings, *facts.references, *facts.returns, *facts.imports, *facts.bases)
    assert all(0 <= row.scope < len(facts.symbols) for row in rows)
