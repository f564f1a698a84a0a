"""Type texts of every language, read by one reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.resolution.type_syntax import TypeExpr, read_type


def shown(expr: TypeExpr) -> str:
    return expr.name + (f"({', '.join(shown(part) for part in expr.args)})" if expr.args else "")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Optional['Foo[int]']", "Optional(Foo(int))"),
        ("Foo | None", "|(Foo, None)"),
        ("t.Dict[str, a.B]", "t.Dict(str, a.B)"),
        ("Callable[[A, B], C]", "Callable(()(A, B), C)"),
        ("Tuple[Foo, ...]", "Tuple(Foo)"),
        ("'Foo'", "Foo"),
        ("Foo[]", "[](Foo)"),
        ("Map<string, Foo[]>", "Map(string, [](Foo))"),
        ("Promise<Foo | undefined>", "Promise(|(Foo, undefined))"),
        ("(a: A, b?: B) => R", "->(A, B, R)"),
        ("readonly Foo[]", "[](Foo)"),
        ("typeof foo", "typeof(foo)"),
        ("*pkg.Foo", "pkg.Foo"),
        ("[]*Foo", "[](Foo)"),
        ("map[string]*Foo", "{}(string, Foo)"),
        ("<-chan Foo", "[](Foo)"),
        ("(*Foo, error)", "()(Foo, error)"),
        ("&'a mut Foo<'b, T>", "Foo(T)"),
        ("Box<dyn Trait + Send>", "Box(|(Trait, Send))"),
        ("Option<crate::a::Foo>", "Option(crate::a::Foo)"),
        ("impl Fn(A) -> B", "->(A, B)"),
        ("[Foo; 3]", "[](Foo)"),
        ("[size + 1]*Foo", "[](Foo)"),
        ("[a.Size][]Foo", "[]([](Foo))"),
        ("[Foo][number]", "[](Foo)"),
        ("[Foo] extends [Bar] ? A : B", "|(A, B)"),
        ("T extends string ? Foo<T> : T extends {a?: Bar} ? Foo | Bar : T", "|(Foo(T), Foo, Bar, T)"),
        ("(T extends true ? Foo | undefined : Foo)[]", "[](|(Foo, undefined, Foo))"),
        ("Map<K extends Foo, ? extends Bar>", "Map(K, Foo, Bar)"),
        ("List<? extends Foo>", "List(Foo)"),
        ("Foo...", "[](Foo)"),
        ("@NonNull List<Foo>", "List(Foo)"),
        ("", ""),
        ("{ a: B }", "{:}(a(B))"),
    ],
)
def test_types_are_read_into_names_and_arguments(text: str, read: str) -> None:
    assert shown(read_type(text)) == read


@given(st.text(alphabet="FooBar<>[](){}|&*'\",.:;=->? \nmut dyn", max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert isinstance(read_type(text), TypeExpr)


def test_deep_and_long_texts_end() -> None:
    read_type("(" * 900)
    assert read_type("List[" * 150 + "A" + "]" * 150).name == "List"
    assert read_type("A" * 2000) == TypeExpr("")
