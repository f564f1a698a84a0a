"""What code in one language of a platform may do to symbols of another, where no edges lead from one to the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace

CART = "package shop;\npublic class Cart {\n  public int getTotal() { return 1; }\n  public void setURL(int u) { }\n}\n"
BASE = "package shop;\npublic abstract class Base {\n  public abstract void hook();\n}\n"
BELOW = "package app\nimport shop.Base\nclass Kept : Base() {\n  override fun hook() { }\n}\n"
TOOLS = "package tools\nfun help(): Int = 1\nobject Rules { fun add(s: String) { } }\nclass Pot { val size = 3 }\n"
USER = (
    "package app;\nimport tools.*;\npublic class User {\n"
    '  public int go() { tools.Rules.INSTANCE.add("x"); return tools.ToolsKt.help(); }\n'
    "  int size(tools.Pot pot) { return pot.getSize(); }\n}\n"
)


def loaded(root: Path, **files: str) -> Workspace:
    for name, text in files.items():
        (root / name.replace("_", ".")).write_text(text)
    return Workspace(root, workers=0, cache=False)


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("Main_kt", "package app\nimport shop.Cart\nfun main() {\n  println(Cart().total)\n}\n", "Cart.getTotal"),
        ("Main_kt", "package app\nimport shop.Cart\nfun main() {\n  Cart().url = 3\n}\n", "Cart.setURL"),
        ("Main_groovy", "import shop.Cart\n\n\nprintln new Cart().total\n", "Cart.getTotal"),
    ],
)
def test_an_accessor_is_called_as_a_property(tmp_path: Path, file: str, text: str, name: str) -> None:
    ws = loaded(tmp_path, Cart_java=CART, **{file: text})
    place = file.replace("_", ".") + ":4"
    assert f"code may call it as a property at {place}" in str(ws.callers(name))
    assert ws.impact(name).verdict.kind == "possible"
    if file.endswith("_kt"):
        assert place in str(ws.paths("main", name))


def test_other_languages_have_no_properties_of_accessors(tmp_path: Path) -> None:
    ws = loaded(tmp_path, Cart_java=CART, main_py="def main(cart):\n    return cart.total\n")
    assert ws.callers("Cart.getTotal").verdict.kind == "none"


def test_what_kotlin_defines_has_other_names_in_java(tmp_path: Path) -> None:
    ws = loaded(tmp_path, Tools_kt=TOOLS, User_java=USER)
    for name in ("help", "Rules.add"):
        assert "User.java:4" in str(ws.callers(name))
        assert "User.java:4" in str(ws.paths("User.go", name))
    assert "code may use it by an accessor at User.java:5" in str(ws.uses("Pot.size"))


def test_a_name_of_a_library_is_no_use_in_another_language(tmp_path: Path) -> None:
    user = 'package app;\nimport java.util.List;\npublic class User {\n  void go(List<String> a) { a.add("x"); }\n}\n'
    ws = loaded(tmp_path, Tools_kt=TOOLS, User_java=user)
    assert ws.callers("Rules.add").verdict.kind == "none"


def test_a_path_may_cross_languages_twice(tmp_path: Path) -> None:
    outer = "package app\nimport shop.Middle\nfun start() { Middle.pass() }\nfun leaf() { }\n"
    middle = "package shop;\npublic class Middle {\n  public static void pass() { app.OuterKt.leaf(); }\n}\n"
    ws = loaded(tmp_path, Outer_kt=outer, Middle_java=middle)
    assert "1 unresolved call may connect them (Outer.kt:3)" in str(ws.paths("start", "leaf"))


def test_a_type_may_have_subtypes_in_another_language(tmp_path: Path) -> None:
    ws = loaded(tmp_path, Base_java=BASE, Kept_kt=BELOW)
    assert "1 place perhaps declares a subtype of `Base` (Kept.kt:3)" in str(ws.overrides("Base.hook"))
    assert ws.implementors("Base").verdict.kind == "possible"
    assert "Kept extends Base (shop.Base), which may call it" in str(ws.callers("Kept.hook"))


@pytest.mark.parametrize("head", ["class Kept(x: Int) : Base(x) {", "class Kept : Base(), Other {"])
def test_subtypes_in_another_language_are_told_beside_those_that_are_found(tmp_path: Path, head: str) -> None:
    own = "package shop;\nclass Own extends Base {\n  public void hook() { }\n}\n"
    below = BELOW.replace("class Kept : Base() {", head)
    ws = loaded(tmp_path, Base_java=BASE, Own_java=own, Kept_kt=below)
    for answer in (ws.implementors("Base"), ws.overrides("Base.hook")):
        assert "1 place perhaps declares a subtype of `Base` (Kept.kt:3)" in str(answer)
    alone = loaded(tmp_path, Kept_kt="package app\nclass Kept\nval made = Kept()\n")
    assert "perhaps" not in str(alone.implementors("Base"))


def test_a_subtype_in_another_language_is_told_beside_the_uses_that_are_found(tmp_path: Path) -> None:
    below = "package app;\nimport shop.Base;\nclass Kept extends Base { }\n"
    ws = loaded(tmp_path, Base_kt="package shop\nopen class Base\nfun own() = Base()\n", Kept_java=below)
    assert "1 use of shop.Base; 1 more place mentions `Base` (Kept.java:3)" in str(ws.uses("Base"))


def test_an_infix_function_is_called_on_a_receiver_of_unknown_type(tmp_path: Path) -> None:
    text = (
        "package o\ninfix fun Int.opt(f: () -> Unit) = this\nfun a() { made { 1 } opt { } }\nfun b() { a() opt { } }\n"
    )
    ws = loaded(tmp_path, O_kt=text)
    assert "without a call" not in str(ws.callers("opt"))
    assert "O.kt:3" in str(ws.callers("opt"))


APART = (
    "package a;\nimport org.lib.OnOs;\ninterface Task {\n  void done();\n}\n"
    "class Start {\n  void go(Task t) { new Work(); OnOs.check(); }\n}\n"
    "class Work implements Task {\n  public void done() { far(); }\n  static void far() { }\n}\n"
)
CHECK = "package a;\nimport org.lib.OnOs;\nclass WorkTest {\n  @Test\n  @OnOs\n  void checks() { Work.far(); }\n}\n"


def test_neither_a_test_nor_a_required_method_connects_what_does_not_call_it(tmp_path: Path) -> None:
    ws = loaded(tmp_path, Work_java=APART, WorkTest_java=CHECK)
    assert ws.paths("Start.go", "Work.far").verdict.kind == "none"
    by_name = APART.replace("new Work();", "t.done();")
    (tmp_path / "Work.java").write_text(by_name)
    assert Workspace(tmp_path, workers=0, cache=False).paths("Start.go", "Work.far").verdict.kind != "none"


def test_a_marker_interface_without_members_calls_nothing(tmp_path: Path) -> None:
    said = "which may call it"
    for base, told in (("java.util.EventListener", False), ("org.lib.Listener", True)):
        name = base.rpartition(".")[2]
        text = f"package a;\nimport {base};\nclass Log implements {name} {{\n  public void heard() {{ }}\n}}\n"
        assert (said in str(loaded(tmp_path, Log_java=text).callers("Log.heard"))) == told


def test_a_call_in_the_own_language_declares_no_subtype(tmp_path: Path) -> None:
    user = "package app;\nclass User {\n  void go() { lib.object(1, Base(3)); }\n}\n"
    ws = loaded(tmp_path, Base_java=BASE, User_java=user)
    assert ws.overrides("Base.hook").verdict.kind == "none"


def test_java_that_implements_a_kotlin_interface_does_not_hide_its_calls(tmp_path: Path) -> None:
    (tmp_path / "Crud.kt").write_text(
        "package p\ninterface Crud { fun getOne(n: Int) }\ninterface Other { fun two() }\n"
    )
    (tmp_path / "Impl.java").write_text(
        "package p;\nclass Impl implements Crud {\n public void getOne(int n) {}\n public void two() {}\n}\n"
    )
    (tmp_path / "Api.java").write_text(
        "package p;\nclass Api {\n static void crud(Crud c) {\n  c.getOne(1);\n }\n"
        " static void t() {\n  Impl i = new Impl();\n  crud(i);\n  i.two();\n }\n}\n"
    )
    ws = Workspace(tmp_path, workers=0, cache=False)
    required, other = ws.callers("Crud.getOne"), ws.callers("Other.two")
    assert required.verdict.kind == "possible"
    assert [use.site for use in required.verdict.mentions] == [("Api.java", 4)]
    assert other.verdict.kind == "none"
