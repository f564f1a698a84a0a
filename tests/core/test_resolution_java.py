"""What names mean in Java."""

from __future__ import annotations

import pytest

from tests.resolved import Resolved


def java(*files: str) -> Resolved:
    """Files by what they declare first: ``package a.b; … class C`` is src/a/b/C.java."""
    named = {}
    for text in files:
        package = text.split("package ", 1)[1].split(";", 1)[0].replace(".", "/") + "/" if "package " in text else ""
        words = text.replace("{", " ").replace("<", " ").replace("(", " ").split()
        place = next(i for i, word in enumerate(words) if word in ("class", "interface", "enum", "record"))
        named[f"src/{package}{words[place + 1]}.java"] = text
    return Resolved(named)


# --------------------------------------------------------------------------- where names come from


def test_packages_imports_and_nested_types() -> None:
    made = java(
        """package org.shop; import org.shop.money.Price; import org.shop.money.Tax.Rate; import static
          org.shop.util.Text.trim;
        import static org.shop.util.Numbers.*; import org.shop.deep.*;
        class Cart { void run() { Price.of(); new Rate(); trim(); round(); Tool.use(); Line.make();
          Inner.go(); org.shop.util.Text.trim(); }
          static class Inner { static void go() {} } }""",
        "package org.shop; class Line { static void make() {} }",
        "package org.shop.money; public class Price { public static Price of() { return new Price(); } }",
        "package org.shop.money; public class Tax { public static class Rate { public Rate() {} } }",
        "package org.shop.util; public class Text { public static void trim() {} }",
        "package org.shop.util; public class Numbers { public static void round() {} }",
        "package org.shop.deep; public class Tool { public static void use() {} }",
        "package org.other; public class Line { public static void make() {} }",
    )
    assert made.callees("Cart.java:Cart.run", 0.9) == [
        "Cart.java:Cart.Inner.go", "Line.java:Line.make", "Numbers.java:Numbers.round", "Price.java:Price.of",
        "Tax.java:Tax.Rate.Rate", "Text.java:Text.trim", "Tool.java:Tool.use",
    ]  # fmt: skip
    reached = {made.symbols[edge.target].path for edge in made.edges() if "Line" in edge.target}
    assert reached == {"src/org/shop/Line.java"}


def test_outside_names_are_kept() -> None:
    made = java("package a; import java.util.List; class A { void f() { List.of(1); Math.abs(2); } }")
    assert {"java.util.List.of", "java.lang.Math.abs"} <= made.outside()


# --------------------------------------------------------------------------- methods and fields


def test_methods_and_fields_have_names_of_their_own() -> None:
    made = java("""package a; class A {
        private final Journal journal = new Journal();
        Journal journal() { return journal; }
        void keep(Journal add) { journal.add(); add.add(); add(); }
        void add() {}
        void both() { journal().add(); }
        static class Journal { void add() {} } }""")
    assert made.callees("A.java:A.keep") == ["A.java:A.Journal.add", "A.java:A.add"]
    assert made.callees("A.java:A.both") == ["A.java:A.Journal.add", "A.java:A.journal#2"]  # the second of its name


def test_inherited_members_super_and_outer_instances() -> None:
    made = java(
        """package a; abstract class Base { void open() { check(); } abstract void check(); void shut() {} }""",
        """package a; class Door extends Base {
          @Override void check() { super.shut(); }
          class Lock { void turn() { open(); Door.this.shut(); } } }""",
    )
    assert made.callees("Base.java:Base.open") == ["Base.java:Base.check", "Door.java:Door.check"]
    assert made.callees("Door.java:Door.check") == ["Base.java:Base.shut"]
    assert made.callees("Door.java:Door.Lock.turn") == ["Base.java:Base.open", "Base.java:Base.shut"]
    assert made.pairs("OVERRIDES") == {("Door.java:Door.check", "Base.java:Base.check")}
    assert made.pairs("EXTENDS") == {("Door.java:Door", "Base.java:Base")}


def test_interfaces_with_default_methods() -> None:
    made = java(
        "package a; interface Shape { double area(); default String tell() { return print(area()); } static"
        " String print(double x) { return null; } }",
        "package a; class Square implements Shape { public double area() { return 1; } }",
        "package a; class Use { void f(Shape shape) { shape.tell(); } void g() { new Square().tell(); } }",
    )
    assert made.callees("Shape.java:Shape.tell") == [
        "Shape.java:Shape.area",
        "Shape.java:Shape.print",
        "Square.java:Square.area",
    ]
    assert made.callees("Use.java:Use.f") == ["Shape.java:Shape.tell"]
    assert "Shape.java:Shape.tell" in made.callees("Use.java:Use.g")
    assert made.pairs("IMPLEMENTS") == {("Square.java:Square", "Shape.java:Shape")}


@pytest.mark.parametrize(
    ("call", "overload"),
    [
        ("of()", ""), ("of(1)", "#2"), ('of("x")', "#3"),
        ("of(new Money())", "#4"), ("of(1, 2)", "#5"), ("of(1, 2, 3, 4)", "#6"),
    ],
)  # fmt: skip
def test_arguments_choose_the_overload(call: str, overload: str) -> None:
    made = java(
        "package a; class Money { static void of() {} static void of(int a) {} static void of(String a) {}"
        " static void of(Money a) {} static void of(int a, int b) {} static void of(int a, int b, int... more) {} }",
        f"package a; class Use {{ void f() {{ Money.{call}; }} }}",
    )
    found = [callee for callee in made.callees("Use.java:Use.f") if ".of" in callee]
    assert found == [f"Money.java:Money.of{overload}"]


@pytest.mark.parametrize(
    ("argument", "parameter"),
    [
        ("text", "String"), ("text.length()", "long"), ("1", "long"), ("1.5", "double"), ("whole()", "long"),
        ("real", "double"), ("many[0]", "long"), ("flag", "boolean"), ("boxed", "Number"), ("big", "Number"),
        ("lazy", "Number"), ("this.real", "double"), ("thing", "Object"), ("names", "Object"), ("new Lazy()", "Number"),
    ],
)  # fmt: skip
def test_the_declared_type_of_an_argument_chooses_the_overload(argument: str, parameter: str) -> None:
    kinds = ("String", "boolean", "double", "long", "Number", "Object")
    made = java(
        f"package a; class Out {{ {' '.join(f'void put({kind} v) {{}}' for kind in kinds)} }}",
        "package a; class Lazy extends Number {}",
        "package a; import java.math.BigDecimal; import java.util.List; class Use { double real; int[] many;"
        " int whole() { return 1; }"
        " void f(Out out, String text, boolean flag, Integer boxed, BigDecimal big, Lazy lazy, Object thing,"
        f" List<String> names) {{ out.put({argument}); }} }}",
    )
    number = kinds.index(parameter) + 1
    found = [callee for callee in made.callees("Use.java:Use.f") if ".put" in callee]
    assert found == [f"Out.java:Out.put{f'#{number}' if number > 1 else ''}"]


@pytest.mark.parametrize(
    ("argument", "parameter"),
    [
        ('"n" + count + total', "String"),
        ("count > 1 && total != 2", "boolean"),
        ("done.get()", "boolean"),
        ("times.get()", "long"),
        ("flag ? null : label.trim()", "String"),
        ("(double) count", "double"),
        ("(Number) anything", "Number"),
        ("Kind.class", "Type"),
        ("label.getClass()", "Type"),
        ("new StringReader(label)", "Reader"),
        ("made", "Appendable"),
    ],
)
def test_what_an_expression_gives_chooses_the_overload(argument: str, parameter: str) -> None:
    types = ("String", "boolean", "long", "double", "Number", "Type", "Reader", "Appendable", "Own")
    overloads = "".join(f"void take({kind} value) {{}} " for kind in types)
    made = java(
        f"""package a; import java.util.concurrent.atomic.*; import java.io.StringReader; class Kind {{ {overloads}
        static class Own implements Appendable {{}}
        void f(int count, long total, AtomicBoolean done, AtomicLong times, boolean flag, String label,
               Object anything, StringBuilder made) {{ take({argument}); }} }}"""
    )
    signatures = {made.symbols[e.target].signature for e in made.edges() if e.source.endswith("Kind.f")}
    assert [text for text in signatures if "take" in text] == [f"void take({parameter} value)"]


def test_overloads_that_nothing_tells_apart_are_only_possible() -> None:
    made = java("""package a; import other.Thing; class A {
        void take(long value) {} void take(String value) {}
        void f(Thing thing) { take(thing.secret()); } }""")
    found = [edge for edge in made.edges("CALLS", 0.0) if "take" in edge.target]
    assert {(edge.rule, edge.confidence) for edge in found} == {("overload", 0.5)}
    assert len(found) == 2


def test_the_nearest_declaration_of_a_name_chooses_the_constructor() -> None:
    made = java("""package a; class Bad extends RuntimeException {
        Bad(String text) {} Bad(Throwable cause) {} Bad(int code) {}
        static void f() {
            try { } catch (IllegalStateException | NumberFormatException e) { throw new Bad(e); }
            for (String e : new String[0]) { throw new Bad(e); }
        }
        static void g() { int e = 1; throw new Bad(e); } }""")
    calls = {(made.short(e.source), made.short(e.target), tuple(s.line for s in e.sites)) for e in made.edges()}
    assert calls == {
        ("Bad.java:Bad.f", "Bad.java:Bad.Bad#2", (4,)), ("Bad.java:Bad.f", "Bad.java:Bad.Bad", (5,)),
        ("Bad.java:Bad.g", "Bad.java:Bad.Bad#3", (7,)),
    }  # fmt: skip


def test_a_method_named_through_its_type_is_no_field() -> None:
    made = java("""package a; import java.util.*; import java.util.stream.*; class Coin {
        private final String name; int worth; Coin(String name) { this.name = name; }
        String name() { return name; } Coin plus(Coin other) { return other.plus(this); }
        static Stream<String> names(List<Coin> coins) { return coins.stream().map(Coin::name); }
        static Coin sum(List<Coin> coins) { return coins.stream().reduce(new Coin(""), Coin::plus); }
        static void each(Map<String, Coin> held) { held.forEach((key, coin) -> coin.name()); } }""")
    assert made.callees("Coin.java:Coin.names") == ["Coin.java:Coin.name#2"]
    assert made.callees("Coin.java:Coin.sum") == ["Coin.java:Coin.Coin", "Coin.java:Coin.plus"]
    assert made.callees("Coin.java:Coin.each") == ["Coin.java:Coin.name#2"]


def test_functions_kept_in_a_field_are_called_by_its_bare_name() -> None:
    made = java(
        """package a; import java.util.function.Function; class Formula {
        private final Function<String, Integer> value;
        Formula(Function<String, Integer> value) { this.value = value; }
        int term() { return value.apply("a"); } }""",
        "package a; class Ledger { int balance(String s) { return 1; } void run() { new Formula(this::balance); } }",
    )
    assert made.callees("Formula.java:Formula.term") == ["Ledger.java:Ledger.balance"]


def test_a_records_accessor_named_through_its_type() -> None:
    made = java("""package a; import java.util.*; class Sum {
        static class Coin { Coin plus(Coin other) { return this; } } record Entry(Coin coin) {}
        Coin total(List<Entry> entries) {
            return entries.stream().map(Entry::coin).reduce(new Coin(), Coin::plus); } }""")
    assert made.callees("Sum.java:Sum.total") == ["Sum.java:Sum.Coin", "Sum.java:Sum.Coin.plus"]


def test_a_cast_of_the_receiver_itself_is_what_is_given_back() -> None:
    made = java("""package a; class Node {
        Leaf leaf() { return (Leaf) this; }
        static class Leaf extends Node { void use(int a) {} } static class Branch extends Node { void use(long a) {} }
        static void f(Node node) { node.leaf().use(1); } }""")
    assert made.callees("Node.java:Node.f", 0.5) == ["Node.java:Node.Leaf.use", "Node.java:Node.leaf"]


def test_constructors_are_called_and_call_each_other() -> None:
    made = java(
        "package a; class Base { Base(int x) {} }",
        "package a; class Mid extends Base { Mid() { this(1); } Mid(int x) { super(x); } }",
        "package a; class Bare {}",
        "package a; class Use { void f() { new Mid(); new Mid(2); new Bare(); } Runnable g() { return new"
        " Runnable() { public void run() { f(); } }; } }",
    )
    assert made.callees("Mid.java:Mid.Mid") == ["Mid.java:Mid.Mid#2"]
    assert made.callees("Mid.java:Mid.Mid#2") == ["Base.java:Base.Base"]
    assert made.callees("Use.java:Use.f") == ["Bare.java:Bare", "Mid.java:Mid.Mid", "Mid.java:Mid.Mid#2"]
    assert made.callees("Use.java:Use.g") == []


def test_a_constructor_calls_the_constructor_above_without_saying_so() -> None:
    made = java(
        "package a; abstract class Base { Base() {} Base(int x) {} }",
        "package a; class Mid extends Base { Mid(String s) { run(); } Mid() { this(null); } void run() {} }",
        "package a; class Alone { Alone() {} class Inner extends Exception { Inner() {} } }",
    )
    assert made.callees("Mid.java:Mid.Mid") == ["Base.java:Base.Base", "Mid.java:Mid.run"]
    assert made.callees("Mid.java:Mid.Mid#2") == ["Mid.java:Mid.Mid"]
    assert made.callees("Alone.java:Alone.Alone") == made.callees("Alone.java:Alone.Inner.Inner") == []


def test_a_supertype_may_be_inherited_by_the_class_around() -> None:
    made = java(
        "package a; abstract class Top { static class Nested { void go() {} } }",
        "package a; class Mid extends Top { static class Own extends Nested { void f() { go(); } } }",
        "package a; class Low extends Mid { static class Deep extends Own { void g() { go(); } } }",
    )
    assert made.callees("Mid.java:Mid.Own.f") == made.callees("Low.java:Low.Deep.g") == ["Top.java:Top.Nested.go"]


def test_records_and_enums() -> None:
    made = java(
        "package a; record Line(Item item, int count) { double total() { return item().price() + item.price(); } }",
        "package a; class Item { double price() { return 1; } }",
        """package a; enum Side { LEFT { Side turn() { return RIGHT; } }, RIGHT { Side turn() { return LEFT;
          } }; abstract Side turn();
          static void all() { for (Side side : values()) side.turn(); Side.LEFT.turn(); valueOf("LEFT").turn(); } }""",
        "package a; class Use { void f(Line line) { line.item().price(); } }",
    )
    assert made.callees("Line.java:Line.total") == ["Item.java:Item.price"]
    assert made.callees("Use.java:Use.f") == ["Item.java:Item.price"]
    assert "Side.java:Side.turn" in made.callees("Side.java:Side.all")


# --------------------------------------------------------------------------- functions as values

STREAMS = """package a; import java.util.*; import java.util.function.*; class Bank {
    private final Map<String, Account> accounts = new HashMap<>();
    private static final Map<String, Supplier<Account>> KINDS = Map.of("a", Account::new, "b", Bank::special);
    double total() { return accounts.values().stream().filter(a ->
          a.open()).map(Account::balance).reduce(0.0, Double::sum); }
    Optional<Account> find(String code) { return Optional.ofNullable(accounts.get(code)); }
    double ask(String code) { return find(code).orElseThrow().balance(); }
    void sort(List<Account> list) { list.sort(Comparator.comparing(Account::balance)); for (Account a : list)
          a.open(); }
    Predicate<Account> rich() { return a -> a.balance() > 1; }
    Account make(String kind) { return KINDS.get(kind).get(); }
    static Account special() { return new Account(); } }"""


def test_streams_lambdas_and_method_references() -> None:
    made = java(
        STREAMS,
        "package a; class Account { Account() {} boolean open() { return true; } double balance() { return 1; } }",
    )
    open_, balance = "Account.java:Account.open", "Account.java:Account.balance"
    assert made.callees("Bank.java:Bank.total") == [balance, open_]
    assert made.callees("Bank.java:Bank.ask") == [balance, "Bank.java:Bank.find"]
    assert made.callees("Bank.java:Bank.sort") == [balance, open_]
    assert made.callees("Bank.java:Bank.rich") == [balance]
    assert made.callees("Bank.java:Bank.make") == ["Account.java:Account.Account", "Bank.java:Bank.special"]


def test_lambdas_are_the_one_method_of_an_interface() -> None:
    made = java(
        "package a; interface Rule { void check(Order order); default Rule and(Rule other) { return o -> {"
        " check(o); other.check(o); }; } }",
        "package a; class Order { void verify() {} }",
        "package a; class Use { static void strict(Order o) {} void run(Rule rule) { rule.check(null); }"
        " void f() { run(order -> order.verify()); run(Use::strict); } }",
    )
    assert made.callees("Use.java:Use.f", 0.9) == ["Order.java:Order.verify", "Use.java:Use.run"]
    assert made.callees("Use.java:Use.run") == ["Rule.java:Rule.check", "Use.java:Use.strict"]
    assert made.callees("Rule.java:Rule.and") == ["Rule.java:Rule.check"]


def test_default_methods_of_lambdas() -> None:
    made = java(
        "package a; interface Rule { void check(int x); default Rule and(Rule other) { return x -> {"
        " check(x); other.check(x); }; } }",
        "package a; class Use { static void one(int x) {} static void two(int x) {}"
        " Rule both() { Rule first = Use::one; return first.and(Use::two); } }",
    )
    assert made.callees("Use.java:Use.both") == ["Rule.java:Rule.and"]
    assert made.callees("Rule.java:Rule.and") == ["Rule.java:Rule.check", "Use.java:Use.two"]


def test_annotations_only_mark() -> None:
    made = java("package a; @interface Check {} class A { @Check void f() {} }".replace("@interface Check {} ", ""))
    assert made.pairs() == set()


def test_unknown_receivers_are_only_possible_by_name() -> None:
    made = java("package a; class A { void persistAll() {} void f(Unknown x) { x.persistAll(); x.get(); } }")
    assert made.callees("A.java:A.f") == []
    assert made.callees("A.java:A.f", 0.3) in ([], ["A.java:A.persistAll"])


@pytest.mark.parametrize(
    "text", ["class A extends A { void f() { g(); } }", "class A extends B { void f() { g(); } class B extends A {} }"]
)
def test_circles_end(text: str) -> None:
    assert java("package a; " + text).pairs("CONTAINS")


def test_tests_of_types_narrow_and_casts_let_only_their_type_through() -> None:
    made = java(
        """package a; class A { void m() {} static void main() {
          B.both(new A()); B.both(new B()); B.same(new A()); } }""",
        """package a; class B { void m() {}
          static void both(Object o) { A cast = (A) o; cast.m(); }
          static void same(Object o) {
            if (o instanceof B) { o.toString(); }
            if (o.getClass() == B.class) o.toString();
          }
          public String toString() { return ""; } }""",
    )
    assert made.callees("B.java:B.both") == ["A.java:A.m"]
    assert made.callees("B.java:B.same") == ["B.java:B.toString"]


# --------------------------------------------------------------------------- overloads, in the language's own order

_OVERLOADS = """
    import java.util.*;
    class A {
      static void f(CharSequence a, String b) {}          // 1
      static void f(CharSequence a, char... b) {}         // 2
      static void f(CharSequence a, CharSequence... b) {} // 3
      static void g(int a) {}                             // 1
      static void g(Integer a) {}                         // 2
      static void g(long a) {}                            // 3
      static void g(Object a) {}                          // 4
      static void h(Object... a) {}                       // 1
      static void h(String a) {}                          // 2
      static void h(Object a) {}                          // 3
      static void l(long a) {}                            // 1
      static void l(double a) {}                          // 2
      static void l(Object a) {}                          // 3
      static void m(Object[] a) {}                        // 1
      static void m(int[] a) {}                           // 2
      static void m(Object a) {}                          // 3
      static void p(Base[] a) {}                          // 1
      static void p(Object a) {}                          // 2
      static void v(List<String> a) {}                    // 1
      static void v(Collection<String> a) {}              // 2
      static void v(Iterable<String> a) {}                // 3
      static void w(Runnable a) {}                        // 1
      static void w(Object a) {}                          // 2
      static class Base {}
      static class Sub extends Base {}
      void test(char[] chars, char c, Integer boxed, Character letter, String[] texts, StringBuilder text, Sub[] subs,
                ArrayList<String> list) {
        CALL;
      }
    }
    """


@pytest.mark.parametrize(
    ("call", "chosen"),
    [
        ('f("x", chars)', 2),
        ('f("x", "y")', 1),
        ('f("x", c)', 2),
        ("f(\"x\", 'a', 'b')", 2),
        ('f("x", text)', 3),
        ("g(1)", 1),
        ("g(boxed)", 2),
        ("g(1L)", 3),
        ("g(0xFFL)", 3),
        ('g("x")', 4),
        ("g(c)", 1),
        ("g(1.5)", 4),
        ("g(texts.length)", 1),
        ("g(Integer.MAX_VALUE)", 1),
        ("g(Long.MAX_VALUE)", 3),
        ('h("x")', 2),
        ("h(1)", 3),
        ("h(1, 2)", 1),
        ("h()", 1),
        ("h(texts)", 1),
        ("l(1)", 1),
        ("l(1f)", 2),
        ("l(boxed)", 3),
        ("l(letter)", 3),
        ("m(texts)", 1),
        ('m(new String[] {"a"})', 1),
        ("m(new int[3])", 2),
        ("m(1)", 3),
        ("p(subs)", 1),
        ('p("x")', 2),
        ("v(list)", 1),
        ("v(new HashSet<String>())", 2),
        ("w(() -> {})", 1),
        ('w("x")', 2),
        ("l(null)", 3),
    ],
)
def test_an_overload_is_chosen_as_the_language_does(call: str, chosen: int) -> None:
    """What javac chooses for each of these (JLS 15.12.2)."""
    graph = Resolved({"A.java": _OVERLOADS.replace("CALL", call)})
    number = f"#{chosen}" if chosen > 1 else ""
    assert [each for each in graph.callees("A.java:A.test") if ":A.Base" not in each] == [f"A.java:A.{call[0]}{number}"]


def test_an_overload_that_nothing_tells_is_only_possible() -> None:
    graph = Resolved({"A.java": _OVERLOADS.replace("CALL", "g(Unknown.thing())")})
    assert graph.callees("A.java:A.test") == []
    assert len(graph.callees("A.java:A.test", 0.5)) == 4


def test_a_method_overrides_the_overload_that_takes_what_it_takes() -> None:
    graph = Resolved({"A.java": """
        class Writer { void value(long a) {} void value(String a) {} void value(String a, int b) {} }
        class TreeWriter extends Writer { void value(String a) {} void value(long a) {}
          void value(Object a, long b, int c) {} }
        """})  # fmt: skip
    assert graph.pairs("OVERRIDES") == {
        ("A.java:TreeWriter.value", "A.java:Writer.value#2"),
        ("A.java:TreeWriter.value#2", "A.java:Writer.value"),
    }


def test_a_field_hides_no_type_of_its_name() -> None:
    made = java(
        "package a; class Code { static final Step NOP = new NOP(); Step make() { return new NOP(); }"
        " void run() { make().go(); NOP.go(); } }",
        "package a; class Step { void go() {} }",
        "package a; class NOP extends Step { NOP() {} void go() {} }",
    )
    assert made.callees("Code.java:Code.make") == ["NOP.java:NOP.NOP"]
    assert made.callees("Code.java:Code") == ["NOP.java:NOP.NOP"]
    assert "NOP.java:NOP.go" in made.callees("Code.java:Code.run")


def test_a_type_inside_of_a_supertype_needs_no_import() -> None:
    made = java(
        "package a; class Base { static class Part { Part() {} static class Piece { Piece() {} } } }",
        "package b; import a.Base; class Low extends Base { void one() { Part part = new Part(); }"
        " void two() { new Part.Piece(); } class In { void three() { new Part(); } } }",
    )
    part = "Base.java:Base.Part.Part"
    assert made.callees("Low.java:Low.one") == made.callees("Low.java:Low.In.three") == [part]
    assert made.callees("Low.java:Low.two") == ["Base.java:Base.Part.Piece.Piece"]


def test_an_inner_instance_is_made_through_an_outer_one() -> None:
    graph = Resolved(
        {
            "a/Outer.java": "package a; class Outer { class Inner { Inner(int a) {} void go() {} } }",
            "a/Test.java": "package a; class Test { void test(Outer outer) { outer.new Inner(1).go(); } }",
        }
    )
    assert graph.callees("Test.java:Test.test") == ["Outer.java:Outer.Inner.Inner", "Outer.java:Outer.Inner.go"]


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ('void m() { put("a", 1); }', "Base.put"),
        ("void m() { put(this); }", "Sub.put"),
        ('static void m(Sub s) { s.put("a", 1); }', "Base.put"),
        ("void m() { put(new Base.Part()); }", "Base.put#2"),
        ("void m(boolean b, Base.Part p) { put(b ? p : new Base.Part()); }", "Base.put#2"),
    ],
)
def test_overloads_of_a_supertype_are_candidates(body: str, callee: str) -> None:
    base = "class Base { static class Part {}\nvoid put(String s, int n) {}\nvoid put(Part p) {} }"
    found = Resolved({"a/Base.java": base, "a/Sub.java": f"class Sub extends Base {{ void put(Sub s) {{}}\n{body} }}"})
    assert [target for source, target in found.pairs() if source.endswith("Sub.m") and ".put" in target] == [
        f"{callee.partition('.')[0]}.java:{callee}"
    ]


def test_arguments_of_unknown_type_leave_overloads_open() -> None:
    text = "class A { void put(String s) {}\nvoid put(int n) {}\nvoid m(Outside o) { put(o.some()); } }"
    edges = [e for e in Resolved({"A.java": text}).graph.edges if e.kind == "CALLS"]
    assert [(e.rule, e.confidence < 0.6) for e in edges] == [("overload", True)] * 2


def test_an_import_binds_in_its_own_file_only() -> None:
    found = Resolved({
        "p/One.java": "package p;\nimport static out.Checks.*;\nclass One { }",
        "p/Two.java": "package p;\nclass Two { void m() { new Kit.Tool().use(); } }",
        "p/Kit.java": "package p;\nclass Kit { static class Tool { void use() {} } }",
    })  # fmt: skip
    edges = [e for e in found.graph.edges if e.kind == "CALLS" and e.target.endswith("use")]
    assert [(e.rule, round(e.confidence, 2)) for e in edges] == [("type", 0.9)]


@pytest.mark.parametrize(
    "chain",
    [
        "rows.values().stream().flatMap(List::stream).forEach(Node::visit);",
        "rows.values().stream().flatMap(Collection::stream).forEach(n -> n.visit());",
        "rows.entrySet().stream().map(Map.Entry::getValue).flatMap(List::stream).forEach(Node::visit);",
        "for (var e : rows.entrySet()) for (Node n : e.getValue()) n.visit();",
        "deep.stream().flatMap(List::stream).flatMap(l -> l.stream()).forEach(Node::visit);",
        "arrays.stream().flatMap(Arrays::stream).forEach(Node::visit);",
    ],
)
def test_elements_of_nested_containers_are_followed(chain: str) -> None:
    text = (
        "package z;\nimport java.util.*;\nclass Node { void visit() {} }\nclass T { Map<String, List<Node>> rows;\n"
        f"List<List<List<Node>>> deep; List<Node[]> arrays;\nvoid m() {{ {chain} }} }}"
    )
    assert ("T.java:T.m", "T.java:Node.visit") in {
        tuple(name.replace("z.", "") for name in pair) for pair in Resolved({"T.java": text}).pairs()
    }


@pytest.mark.parametrize(
    ("call", "certain", "possible"),
    [
        ("get(element.asType())", [], ["get", "get#2"]),  # the parameters have different imported types
        ("put(value)", ["put"], ["put"]),  # a type test doesn't change the declared type
        ("put(flag ? Boolean.TRUE : Boolean.FALSE)", ["put"], ["put"]),  # an object before a primitive type
    ],
)
def test_overloads_are_chosen_by_declared_types(call: str, certain: list[str], possible: list[str]) -> None:
    text = (
        "import java.lang.reflect.Type;\nimport javax.lang.model.element.VariableElement;\n"
        "import javax.lang.model.type.TypeMirror;\nclass A {\n  void get(TypeMirror a) {}\n  void get(Type a) {}\n"
        "  void put(Object a) {}\n  void put(boolean a) {}\n  void put(String a) {}\n"
        "  void run(VariableElement element, Object value, boolean flag) {\n    if (value instanceof String) {\n"
        f"      {call};\n    }}\n  }}\n}}\n"
    )
    found = Resolved({"A.java": text})
    assert found.callees("A.java:A.run", 0.6) == [f"A.java:A.{name}" for name in certain]
    assert found.callees("A.java:A.run", 0.5) == [f"A.java:A.{name}" for name in possible]


def test_peek_gives_an_element_of_a_stack_and_a_stream_of_the_same_elements() -> None:
    made = java("""package a; import java.util.*; class A {
        static class Token { int kind() { return 1; } void use() {} void end() {} }
        void first(Stack<Token> tokens) { if (tokens.peek().kind() == 1) {} }
        void next(Queue<Token> tokens) { var token = tokens.peek(); token.use(); }
        void all(List<Token> tokens) { tokens.stream().peek(t -> t.use()).forEach(t -> t.end()); } }""")
    assert made.callees("A.java:A.first") == ["A.java:A.Token.kind"]
    assert made.callees("A.java:A.next") == ["A.java:A.Token.use"]
    assert {target for _, target in made.pairs()} >= {"A.java:A.Token.use", "A.java:A.Token.end"}


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ("var sign = text.charAt(0); put(sign);", "char"), ("var cut = text.trim(); put(cut);", "String"),
        ('put(text.replaceAll("a", "b"));', "String"), ("var all = whole(); put(all);", "long"),
        ("var one = text.charAt(0); var other = one; put(other);", "char"),
    ],
)  # fmt: skip
def test_the_value_of_a_variable_without_a_type_chooses_the_overload(body: str, parameter: str) -> None:
    made = java(f"""package a; class A {{ void put(String v) {{}} void put(char v) {{}} void put(long v) {{}}
        long whole() {{ return 1; }}
        void run(String text) {{ {body} }} }}""")
    signatures = {made.symbols[edge.target].signature for edge in made.edges() if "put" in edge.target}
    assert signatures == {f"void put({parameter} v)"}


def test_a_variable_that_is_its_own_value_has_no_type() -> None:
    made = java("""package a; class A { void put(String v) {} void put(char v) {}
        void run() { var next = next; put(next); } }""")
    assert made.callees("A.java:A.run") == []


def test_an_overload_for_what_a_cast_object_returns_is_found() -> None:
    made = Resolved(
        {
            "R.java": "package z;\nclass B {}\ninterface I {}\ninterface R extends I { java.util.List<I> parts(); }",
            "U.java": "package z;\nclass U { static B of(I c) { return of(((R) c).parts()); }\n"
            "static B of(java.util.List<I> all) { return null; } }",
        }
    )
    assert "U.java:U.of#2" in made.callees("U.java:U.of")
    assert "U.java:U.of" not in made.callees("U.java:U.of")


def test_a_private_overload_is_called_in_the_outermost_type_around_it_only() -> None:
    text = "package z;\nclass A { static void go(Object o) {} private static void go(String s) {}\n"
    text += 'class In { void own() { go("x"); } } }\nclass C { void far() { A.go("x"); } }'
    made = Resolved({"A.java": text})
    assert made.callees("A.java:A.In.own") == ["A.java:A.go#2"]
    assert made.callees("A.java:C.far") == ["A.java:A.go"]


@pytest.mark.parametrize(
    ("above", "body"),
    [
        ("ArrayList<Line>", "all.get(1).put();"),
        ("ArrayList<Line>", "for (var each : all) each.put();"),
        ("HashMap<String, Line>", 'all.get("a").put();'),
        ("HashMap<String, Line>", "for (var each : all.values()) each.put();"),
    ],
)
def test_elements_of_a_class_that_extends_a_container(above: str, body: str) -> None:
    made = java(f"""package a; import java.util.*; class A {{
        static class Line {{ void put() {{}} }}
        static class Other {{ void put() {{}} }}
        static class All extends {above} {{}}
        static class More extends All {{}}
        void run(All all) {{ {body} }}
        void more(More all) {{ {body} }} }}""")
    assert made.callees("A.java:A.run") == made.callees("A.java:A.more") == ["A.java:A.Line.put"]


@pytest.mark.parametrize(
    ("imported", "parameter", "given", "number"),
    [
        ("import org.one.Kind;", "Kind kind", "kind", ""),
        ("import org.one.Kind;", "org.two.Kind kind", "kind", "#2"),
        ("", "org.two.Kind<?> kind", "kind", "#2"),
        ("import org.two.Kind;", "Object o", "(Kind) o", "#2"),
        ("import org.two.*;", "Kind kind", "kind", "both"),  # it may be a type of the package, too
    ],
)
def test_outside_types_of_one_simple_name_choose_overloads(
    imported: str, parameter: str, given: str, number: str
) -> None:
    made = java(
        """package a; import org.one.Kind; class A {
        static void put(Kind kind) {}
        static void put(org.two.Kind<?> kind) {} }""",
        f"package a; {imported} class B {{ void run({parameter}) {{ A.put({given}); }} }}",
    )
    wanted = ["A.java:A.put", "A.java:A.put#2"] if number == "both" else [f"A.java:A.put{number}"]
    assert made.callees("B.java:B.run") == wanted


def test_the_declared_type_of_a_field_of_another_object_chooses_an_overload() -> None:
    made = java("""package a; class A {
        static class Line { int[] parts; int size; }
        void put(int size) {}
        void put(int[] sizes) {}
        void all(Line line) { line.parts = new int[] {1}; put(line.parts); }
        void one(Line line) { put(line.size); } }""")
    assert made.callees("A.java:A.all") == ["A.java:A.put#2"]
    assert made.callees("A.java:A.one") == ["A.java:A.put"]


@pytest.mark.parametrize("declared", ["Class<?>", "Class", "final String", "java.lang.Class<?>"])
def test_a_parameter_of_a_type_of_the_language_is_no_instance_of_the_repository(declared: str) -> None:
    made = java(f"""package a; class A {{
        static class Item {{ boolean isPrimitive() {{ return true; }} }}
        static void put({declared} kind) {{ kind.isPrimitive(); }}
        static void put(Object any) {{}}
        void run() {{ Object item = new Item(); put(item); }} }}""")
    assert "A.java:A.Item.isPrimitive" not in made.callees("A.java:A.put")
