"""What the language refuses to other files is no use: names of private members there, and files that were not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace

_HOOK = "class Base:\n    def __init_subclass__(cls):\n        {}\n\nclass P(Base):\n    def _go(self): pass\n"


@pytest.mark.parametrize(
    ("files", "target", "kind"),
    [
        (
            {
                "A.java": "class A { private int cut() { return 1; } }",
                "B.java": "class B { int f() { return other.cut(); } }",
            },
            "A.cut",
            "none",
        ),
        (
            {"A.java": "class A { int cut() { return 1; } }", "B.java": "class B { int f() { return other.cut(); } }"},
            "A.cut",
            "possible",
        ),
        ({"A.java": "class A { private int cut() { return 1; } int go(A a) { return a.cut(); } }"}, "A.cut", None),
        (
            {
                "A.cs": "class A { private int Cut() { return 1; } }",
                "B.cs": "class B { int F(dynamic d) { return d.Cut(); } }",
            },
            "A.Cut",
            "none",
        ),
        (
            {
                "A.cs": "partial class A { private int Cut() { return 1; } }",
                "B.cs": "partial class A { int F(dynamic d) { return d.Cut(); } }",
            },
            "A.Cut",
            "possible",
        ),
        ({"a.kt": "class A { private fun cut() = 1 }", "b.kt": "fun f() = other().cut()"}, "A.cut", "none"),
        (
            {"a.swift": "class A { fileprivate func cut() {} }", "b.swift": "func f(x: Any) { x.cut() }"},
            "A.cut",
            "none",
        ),
        (
            {"a.ts": "export class A { private cut() {} }", "b.ts": "export function f(x: any) { x.cut(); }"},
            "A.cut",
            "none",
        ),
        (
            {
                "a.php": "<?php trait T { private function cut() {} }",
                "b.php": "<?php class U { use T; function f($x) { $x->cut(); } }",
            },
            "T::cut",
            "possible",
        ),
        ({"a.py": _HOOK.format("all.append(cls)")}, "P._go", "none"),
        ({"a.py": _HOOK.format("for each in vars(cls).values(): register(each)")}, "P._go", "possible"),
    ],
)
def test_a_private_member_is_used_in_its_file_only(
    tmp_path: Path, files: dict[str, str], target: str, kind: str | None
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    answer = Workspace(tmp_path, workers=0, cache=False).callers(target)
    assert (answer.absence and answer.absence.kind) == kind, str(answer)


def test_a_file_that_was_not_read_cannot_use_a_private_member(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A { private int cut() { return 1; }\n  int paste() { return 2; } }\n")
    (tmp_path / "Big.java").write_text("class Big { int f(A a) { return a.paste(); } }\n" + "// filler\n" * 200)
    ws = Workspace(tmp_path, workers=0, cache=False, max_file_bytes=500)
    absences = [ws.callers(name).absence for name in ("A.cut", "A.paste")]
    assert [absence and absence.kind for absence in absences] == ["none", "unknown"]


def test_a_file_that_was_not_read_is_searched_for_the_name(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("package a\n\nfunc cut() int { return 1 }\n\nfunc paste() int { return 2 }\n")
    (tmp_path / "big.go").write_text("package a\n\nvar x = paste()\n" + "// filler\n" * 200)
    ws = Workspace(tmp_path, workers=0, cache=False, max_file_bytes=500)
    absences = [ws.callers(name).absence for name in ("cut", "paste")]
    assert [absence and absence.kind for absence in absences] == ["none", "unknown"]
    (tmp_path / "big.go").unlink()  # it may have had any name
    assert "1 file was not read, which may use it: big.go (too large)" in " ".join(str(ws.callers("cut")).split())


def test_a_file_that_was_not_read_may_add_to_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text(
        "package a\n\ntype shape interface{ area() int }\n\ntype box struct{}\n\nfunc (box) area() int { return 1 }\n\n"
        "func cut() int { return 1 }\n\nfunc paste() int { return cut() }\n\nfunc both() int { return paste() }\n"
    )
    (tmp_path / "big.go").write_text("package a\n\nfunc (disk) area() int { return cut() }\n" + "// filler\n" * 200)
    ws = Workspace(tmp_path, workers=0, cache=False, max_file_bytes=500)
    notice = "1 file was not read, which may use it: big.go (too large)"
    assert notice in ws.callers("cut").notes
    assert notice in ws.implementors("shape").notes  # which Go does not name
    assert notice not in ws.callers("paste").notes
    assert ws.callees("cut").verdict.kind == "none"


def test_a_word_that_only_an_unread_file_has_is_not_said_to_be_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def save(items):\n    return items\n")
    (tmp_path / "big.py").write_text("def Encrypt():\n    return 1\n" + "# filler\n" * 200)
    ws = Workspace(tmp_path, workers=0, cache=False, max_file_bytes=500)
    notice = "1 file was not read, which may mention them: big.py (too large)."
    assert notice in ws.search("how are passwords encrypted?").notices
    assert notice not in ws.search("how are invoices paid?").notices


@pytest.mark.parametrize(("name", "kind"), [("Pos", "possible"), ("pos", "none")])
def test_reflection_finds_exported_members_of_a_go_program(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "go.mod").write_text("module m\n")
    (tmp_path / "main.go").write_text(f"package main\ntype Node struct {{\n\t{name} int\n}}\nfunc main() {{}}\n")
    (tmp_path / "read").mkdir()
    found = f'package read\nimport "reflect"\nfunc At(t reflect.Type) {{ t.FieldByName("{name}") }}\n'
    (tmp_path / "read" / "at.go").write_text(found)
    assert Workspace(tmp_path, workers=0, cache=False).uses(f"Node.{name}").verdict.kind == kind


def test_a_page_that_was_not_read_may_use_a_private_member_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "Shop.xaml.cs").write_text(
        "partial class Shop { private void Open(object s, E e) { Show(); } private void Show() { }"
        " private void Pay() { } private void Sell() { } private void Ship() { } }\n"
    )
    page = '<Window x:Class="Shop"><Button Click="Open"/><Label>How to Pay and Sell it</Label><A>Ship\n</A></Window>\n'
    (tmp_path / "Shop.xaml").write_text(page + "a " * 35_000)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert ws.status().skipped == {"too large": 1}
    assert {symbol.name for symbol in ws.dead_code(["unused"]).symbols} == {"Pay", "Sell"}
    mentioned = {each.symbol_id.rpartition(":")[2]: each.reasons for each in ws.dead_code(["mentioned"])}
    assert mentioned["Shop"] == ("1 file was not read, which may use it: Shop.xaml (too large)",)
    absence = ws.callers("Open").absence
    assert absence is not None
    assert absence.kind == "unknown"


def test_code_that_was_not_read_keeps_what_it_names_from_being_unused(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("package a\n\nfunc cut() int { return 1 }\n\nfunc paste() int { return 2 }\n")
    made = "// Code generated by maker. DO NOT EDIT.\n\npackage a\n\nvar x = paste()\n"
    (tmp_path / "made.go").write_text(made)
    ws = Workspace(tmp_path, workers=0, cache=False)
    assert [symbol.name for symbol in ws.dead_code(["unused"]).symbols] == ["cut"]
