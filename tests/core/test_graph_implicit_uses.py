"""Uses that the language itself makes, or that directives, reflection and names built at run time make."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.graph.usage.dead_code import DeadCode
from tests.graph_sources import standings_of

GO = 'package main\nimport "C"\nfunc main() {}\n'
RUST = "pub struct P;\n"


def kinds(sources: Mapping[str, str]) -> dict[str, str]:
    """The kind of every candidate, by its name."""
    usage_evidence = standings_of(sources)
    found = DeadCode(usage_evidence.graph, usage_evidence).found()
    return {usage_evidence.graph.catalog.symbol(each.symbol_id).name: each.kind for each in found}


@pytest.mark.parametrize(
    ("path", "text", "name", "kind"),
    [
        ("main.go", GO + "//export tick\nfunc tick() {}\n", "tick", "registered"),
        ("main.go", GO + "// tick is called by C.\n//\n//export tick\nfunc tick() {}\n", "tick", "registered"),
        ("main.go", "package main\nfunc main() {}\n//export tick\nfunc tick() {}\n", "tick", "unused"),
        ("main.go", GO + "func tick() {}\n", "tick", "unused"),
        ("main.go", GO + "//go:linkname tick runtime.tick\n\nfunc tick() {}\n", "tick", "registered"),
        ("main.go", GO + "//go:wasmexport add\nfunc plus() {}\n", "plus", "registered"),
        ("lib.rs", RUST + "#[derive(Debug)]\nstruct D;\nimpl D { fn own(&self) {} }\n", "own", "unused"),
        ("lib.rs", RUST + "impl std::ops::Drop for P { fn drop(&mut self) {} }\n", "drop", "dynamic"),
        ("lib.rs", RUST + "#[no_mangle]\nextern fn entry() {}\n", "entry", "registered"),
        ("lib.rs", RUST + "fn lonely() {}\n", "lonely", "unused"),
        ("a.php", "<?php class A implements \\Countable { private function help() {} }\n", "help", "unused"),
        ("a.php", "<?php class A { private function on_save() {} }\n$call = 'on_' . $event;\n$o->$call();\n", "on_save",
         "dynamic"),
        ("a.php", "<?php class A { private function step() {} function go($f) { $this->$f(); } }\n", "step", "dynamic"),
        ("a.php", "<?php class A { private function step() {} function go() { $this->other(); } }\n", "step", "unused"),
        ("a.php", "<?php namespace N; class A { private static function m() {} }\nf('N\\A::m');\n", "m", "mentioned"),
        ("a.php", "<?php class A { private function __get($n) {} }\n", "__get", "dynamic"),
        ("a.rb", "class A\n  def go(f) = send(\"_on_#{f}\")\n  def _on_save; end\nend\n", "_on_save", "dynamic"),
        ("a.rb", "class A\n  def go(f) = send(:other)\n  def _on_save; end\nend\n", "_on_save", "unused"),
        ("a.kt", "private class B { private operator fun plus(o: B) = o }\n", "plus", "dynamic"),
        ("a.kt", "class B { private fun lonely() = 1 }\n", "lonely", "unused"),
        ("a.kt", "private actual fun now() = 1\n", "now", "dynamic"),
        ("a.swift", "struct B { private static func + (l: B, r: B) -> B { l } }\n", "+", "dynamic"),
        ("a.swift", "@resultBuilder struct R { static func buildArray(_ p: [Int]) -> Int { 1 } }\n", "buildArray",
         "dynamic"),
        ("a.swift", "public struct B { private func lonely() {} }\n", "lonely", "unused"),
        ("a.scala", "class B { private def unapply(o: B) = o }\n", "unapply", "dynamic"),
        ("a.scala", "class B { private implicit def toText(n: Int): String = \"\" }\n", "toText", "dynamic"),
        ("a.scala", "class B { private def lonely = 1 }\n", "lonely", "unused"),
    ],
)  # fmt: skip
def test_an_implicit_use_forbids_the_verdict(path: str, text: str, name: str, kind: str) -> None:
    assert kinds({path: text}).get(name, "mentioned") == kind  # "mentioned" is not listed


def test_assembly_calls_functions_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module a.org/m\n")
    (tmp_path / "main.go").write_text(
        "package main\nfunc add(a int) int\nfunc called() {}\nfunc named() {}\nfunc main() { add(1) }\n"
    )
    (tmp_path / "add_amd64.s").write_text("// named is not called\nTEXT ·add(SB), NOSPLIT, $0\n\tCALL ·called(SB)\n")
    ws = Workspace(tmp_path, cache=False, workers=0)
    assert [each.symbol_id for each in ws.dead_code()] == ["main.go:main.named"]
    absence = ws.callers("main.called").absence
    assert absence is not None
    assert absence.kind == "possible"
