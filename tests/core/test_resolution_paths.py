"""Access paths taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.resolution.access_paths import last_name, parse, split_arguments, split_top


@pytest.mark.parametrize(
    ("path", "root", "steps"),
    [
        ("a", "a", ()),
        ("self.pool.get()[].run", "self", (".pool", ".get", "()", "[]", ".run")),
        ("d[key][0]()", "d", ("[key]", "[0]", "()")),
        ("enumerate(xs)[*][1].run", "enumerate", ("(xs)", "[*]", "[1]", ".run")),
        ("getattr(x, 'run')()", "getattr", ("(x, 'run')", "()")),
        ("f(g(x)[0], k=h())()", "f", ("(g(x)[0], k=h())", "()")),
        ("%fn:3:9()", "%fn:3:9", ("()",)),
        ("%dict:3:9[k]", "%dict:3:9", ("[k]",)),
        ("%type(Map<K, Foo>).get()", "%type(Map<K, Foo>)", (".get", "()")),
        ("", "", ()),
    ],
)
def test_a_path_is_a_root_and_steps(path: str, root: str, steps: tuple[str, ...]) -> None:
    assert parse(path) == (root, steps)


@pytest.mark.parametrize("path", ["a..b", "a.b(", "a[", "f(x", "f(')"])
def test_a_malformed_path_is_no_path(path: str) -> None:
    assert parse(path) == ("", ())


NAMES = st.from_regex(r"[a-z_]\w{0,8}", fullmatch=True)
STEPS = st.one_of(
    NAMES.map(lambda name: "." + name),
    st.sampled_from(["()", "[]", "[*]", "[0]", "[:]", "(x)", "(a.b(), 'c')", "(f(x)[0])"]),
    NAMES.map(lambda name: f"[{name}]"),
)


@given(NAMES, st.lists(STEPS, max_size=8))
def test_parsing_undoes_joining(root: str, steps: list[str]) -> None:
    assert parse(root + "".join(steps)) == (root, tuple(steps))


@given(st.text(max_size=60))
def test_any_text_can_be_parsed(text: str) -> None:
    root, steps = parse(text)
    assert (root, steps) == ("", ()) or root + "".join(steps) == text


def test_arguments_are_split_at_the_outermost_commas() -> None:
    assert split_arguments("(a, f(b, c)[d], k=[1, 2], 'x, y')") == ("a", "f(b, c)[d]", "k=[1, 2]", "'x, y'")
    assert split_arguments("()") == ()
    assert split_top("(A) => B, C<D, E>") == ("(A) => B", "C<D, E>")


@pytest.mark.parametrize(
    ("path", "name", "receiver"),
    [("a.b().run", "run", "a.b()"), ("f", "f", ""), ("x[0]()", "x", ""), ("%fn:1:2", "", "%fn:1:2")],
)
def test_the_name_a_path_ends_in(path: str, name: str, receiver: str) -> None:
    assert last_name(path) == (name, receiver)
