"""Constructs that hold each other, of every language: what comes before, what opens, what is inside, what closes, what
comes after."""

from __future__ import annotations

from typing import NamedTuple


class Nesting(NamedTuple):
    """One construct."""

    before: str
    opening: str
    inside: str
    closing: str
    after: str

    def text(self, levels: int) -> str:
        """The construct in itself, so many times."""
        return self.before + self.opening * levels + self.inside + self.closing * levels + self.after


NESTINGS: dict[str, dict[str, Nesting]] = {
    "python": {
        "paren": Nesting("x = ", "(", "1", ")", "\n"),
        "list": Nesting("x = ", "[", "1", "]", "\n"),
        "call": Nesting("", "f(", "1", ")", "\n"),
        "lambda": Nesting("x = ", "lambda: ", "1", "", "\n"),
    },
    "javascript": {
        "paren": Nesting("x = ", "(", "1", ")", ";"),
        "arrow": Nesting("x = ", "() => ", "1", "", ";"),
        "block": Nesting("", "{", "1;", "}", ""),
        "if": Nesting("", "if (a) {", "b;", "}", ""),
        "tern": Nesting("x = ", "a ? ", "1", " : 2", ";"),
        "tmpl": Nesting("x=", "`${", "1", "}`", ";"),
        "object": Nesting("x = ", "{a: ", "1", "}", ";"),
        "fn": Nesting("", "function f() {", "1;", "}", ""),
        "class": Nesting("x = ", "class { m() { return ", "1", "}}", ";"),
        "unary": Nesting("x = ", "!", "1", "", ";"),
    },
    "typescript": {
        "type": Nesting("type T = ", "Array<", "number", ">", ";"),
        "union": Nesting("type T = ", "(", "number", ")[]", ";"),
        "cond": Nesting("type T = ", "A extends B ? ", "C", " : D", ";"),
        "obj": Nesting("type T = ", "{a: ", "number", "}", ";"),
    },
    "tsx": {
        "jsx": Nesting("x = ", "<a>", "b", "</a>", ";"),
    },
    "go": {
        "paren": Nesting("package p\nvar x = ", "(", "1", ")", "\n"),
        "block": Nesting("package p\nfunc f() {", "{\n", "", "}\n", "}\n"),
        "if": Nesting("package p\nfunc f() {", "if a {\n", "b()\n", "}\n", "}\n"),
        "type": Nesting("package p\ntype T ", "[]", "int", "", "\n"),
        "map": Nesting("package p\nvar x ", "map[string]", "int", "", "\n"),
        "func": Nesting("package p\nvar f = ", "func() { g(", "1", ") }", "\n"),
        "struct": Nesting("package p\ntype T ", "struct { a ", "int", " }", "\n"),
    },
    "rust": {
        "paren": Nesting("fn f() { let x = ", "(", "1", ")", "; }"),
        "block": Nesting("fn f() ", "{", "1", "}", ""),
        "if": Nesting("fn f() {", "if a {", "b();", "}", "}"),
        "type": Nesting("type T = ", "Vec<", "u8", ">", ";"),
        "ref": Nesting("type T = ", "&", "u8", "", ";"),
        "macro": Nesting("fn f() { ", "m!(", "1", ")", "; }"),
        "mod": Nesting("", "mod a {", "", "}", ""),
        "match": Nesting("fn f() {", "match a { _ => ", "1", "}", "}"),
        "closure": Nesting("fn f() { let x = ", "|| ", "1", "", "; }"),
    },
    "java": {
        "paren": Nesting("class A { int x = ", "(", "1", ")", "; }"),
        "block": Nesting("class A { void f() ", "{", "g();", "}", "}"),
        "if": Nesting("class A { void f() {", "if (a) {", "b();", "}", "} }"),
        "type": Nesting("class A { ", "List<", "B", "> ", " x; }"),
        "class": Nesting("", "class A {", "", "}", ""),
        "lambda": Nesting("class A { X x = ", "() -> ", "1", "", "; }"),
        "array": Nesting("class A { int x = ", "new int[]{", "1", "}", "; }"),
        "call": Nesting("class A { int x = ", "f(", "1", ")", "; }"),
        "anon": Nesting("class A { X x = ", "new X() { Y y = ", "null", "; }", "; }"),
    },
    "c": {
        "paren": Nesting("int x = ", "(", "1", ")", ";"),
        "block": Nesting("void f() ", "{", "g();", "}", ""),
        "if": Nesting("void f() {", "if (a) {", "b();", "}", "}"),
        "ptr": Nesting("int ", "*", "x", "", ";"),
        "declp": Nesting("int ", "(*", "x", ")()", ";"),
        "arr": Nesting("int x = ", "{", "1", "}", ";"),
        "struct": Nesting("", "struct {", "int a;", "} x;", ""),
        "call": Nesting("int x = ", "f(", "1", ")", ";"),
        "ifdef": Nesting("", "#if A\n", "int x;\n", "#endif\n", ""),
        "cast": Nesting("int x = ", "(int)", "1", "", ";"),
        "else": Nesting("void f() {", "if (a) b(); else ", "c();", "", "}"),
    },
    "cpp": {
        "tmpl": Nesting("", "A<", "B", ">", " x;"),
        "ns": Nesting("", "namespace a {", "int x;", "}", ""),
        "class": Nesting("", "class A {", "int x;", "};", ""),
        "lambda": Nesting("auto x = ", "[] { return ", "1", "; }", ";"),
        "init": Nesting("A x", "{", "1", "}", ";"),
        "tdecl": Nesting("", "template <class T> ", "int x", "", ";"),
        "scopes": Nesting("void f() { ", "A<", "B", ">::B", "::g(); }"),
    },
    "csharp": {
        "paren": Nesting("class A { int x = ", "(", "1", ")", "; }"),
        "block": Nesting("class A { void F() ", "{", "G();", "}", "}"),
        "if": Nesting("class A { void F() {", "if (a) {", "b();", "}", "} }"),
        "type": Nesting("class A { ", "List<", "B", "> ", " x; }"),
        "ns": Nesting("", "namespace A {", "", "}", ""),
        "class": Nesting("", "class A {", "", "}", ""),
        "lambda": Nesting("class A { X x = ", "() => ", "1", "", "; }"),
        "interp": Nesting("class A { string x = ", '$"{', "1", '}"', "; }"),
        "region": Nesting("", "#if A\n", "\n", "#endif\n", ""),
    },
    "ruby": {
        "paren": Nesting("x = ", "(", "1", ")", "\n"),
        "list": Nesting("x = ", "[", "1", "]", "\n"),
        "block": Nesting("", "f {", "g", "}", "\n"),
        "do": Nesting("", "f do\n", "g\n", "end\n", ""),
        "if": Nesting("", "if a\n", "b\n", "end\n", ""),
        "class": Nesting("", "class A\n", "", "end\n", ""),
        "def": Nesting("", "def f\n", "", "end\n", ""),
        "interp": Nesting("x = ", '"#{', "1", '}"', "\n"),
        "hash": Nesting("x = ", "{a: ", "1", "}", "\n"),
        "lambda": Nesting("x = ", "->{", "1", "}", "\n"),
    },
    "php": {
        "paren": Nesting("<?php $x = ", "(", "1", ")", ";"),
        "list": Nesting("<?php $x = ", "[", "1", "]", ";"),
        "block": Nesting("<?php ", "{", "f();", "}", ""),
        "if": Nesting("<?php ", "if ($a) {", "f();", "}", ""),
        "fn": Nesting("<?php $x = ", "fn() => ", "1", "", ";"),
        "call": Nesting("<?php $x = ", "f(", "1", ")", ";"),
        "class": Nesting("<?php $x = ", "new class { public $y = ", "1", "; }", ";"),
    },
    "kotlin": {
        "paren": Nesting("val x = ", "(", "1", ")", "\n"),
        "lambda": Nesting("val x = ", "{ ", "1", " }", "\n"),
        "if": Nesting("fun f() {", "if (a) {\n", "b()\n", "}\n", "}\n"),
        "type": Nesting("val x: ", "List<", "B", ">", " = y\n"),
        "class": Nesting("", "class A {\n", "", "}\n", ""),
        "call": Nesting("val x = ", "f(", "1", ")", "\n"),
        "when": Nesting("fun f() {", "when (a) { else -> ", "1", " }", "}\n"),
        "str": Nesting("val x = ", '"${', "1", '}"', "\n"),
        "fun": Nesting("", "fun f() {\n", "", "}\n", ""),
    },
    "scala": {
        "paren": Nesting("object A { val x = ", "(", "1", ")", " }"),
        "block": Nesting("object A { val x = ", "{", "1", "}", " }"),
        "if": Nesting("object A { def f = ", "if (a) {", "b", "}", " }"),
        "type": Nesting("object A { type T = ", "List[", "B", "]", " }"),
        "obj": Nesting("", "object A {", "", "}", ""),
        "call": Nesting("object A { val x = ", "f(", "1", ")", " }"),
        "match": Nesting("object A { val x = ", "a match { case _ => ", "1", " }", " }"),
        "new": Nesting("object A { val x = ", "new B { val y = ", "1", " }", " }"),
    },
    "swift": {
        "paren": Nesting("let x = ", "(", "1", ")", "\n"),
        "list": Nesting("let x = ", "[", "1", "]", "\n"),
        "closure": Nesting("let x = ", "{ ", "1", " }", "\n"),
        "if": Nesting("func f() {", "if a {\n", "b()\n", "}\n", "}\n"),
        "type": Nesting("let x: ", "Array<", "B", ">", " = y\n"),
        "opt": Nesting("let x: ", "(", "B", ")?", " = y\n"),
        "class": Nesting("", "class A {\n", "", "}\n", ""),
        "call": Nesting("let x = ", "f(", "1", ")", "\n"),
        "ext": Nesting("", "extension A {\n", "", "}\n", ""),
        "interp": Nesting("let x = ", '"\\(', "1", ')"', "\n"),
    },
    "lua": {
        "paren": Nesting("x = ", "(", "1", ")", "\n"),
        "table": Nesting("x = ", "{", "1", "}", "\n"),
        "do": Nesting("", "do\n", "", "end\n", ""),
        "if": Nesting("", "if a then\n", "", "end\n", ""),
        "fn": Nesting("x = ", "function() return ", "1", " end", "\n"),
        "call": Nesting("", "f(", "1", ")", "\n"),
    },
    "bash": {
        "sub": Nesting("", "(", "a", ")", "\n"),
        "brace": Nesting("", "{ ", "a;", " }", "\n"),
        "cmdsub": Nesting("x=", "$(", "a", ")", "\n"),
        "if": Nesting("", "if a; then\n", "b\n", "fi\n", ""),
        "param": Nesting("x=", "${a:-", "1", "}", "\n"),
        "arith": Nesting("x=$((", "(", "1", ")", "))\n"),
        "fn": Nesting("", "f() {\n", "a\n", "}\n", ""),
        "case": Nesting("", "case a in b)\n", "c\n", ";; esac\n", ""),
    },
    "elixir": {
        "paren": Nesting("x = ", "(", "1", ")", "\n"),
        "list": Nesting("x = ", "[", "1", "]", "\n"),
        "do": Nesting("", "if a do\n", "b\n", "end\n", ""),
        "mod": Nesting("", "defmodule A do\n", "", "end\n", ""),
        "fn": Nesting("x = ", "fn -> ", "1", " end", "\n"),
        "map": Nesting("x = ", "%{a: ", "1", "}", "\n"),
        "tuple": Nesting("x = ", "{", "1", "}", "\n"),
    },
    "haskell": {
        "paren": Nesting("x = ", "(", "1", ")", "\n"),
        "list": Nesting("x = ", "[", "1", "]", "\n"),
        "lam": Nesting("x = ", "\\a -> ", "1", "", "\n"),
        "let": Nesting("x = ", "let a = ", "1", " in a", "\n"),
        "if": Nesting("x = ", "if a then ", "1", " else 2", "\n"),
        "type": Nesting("x :: ", "Maybe (", "Int", ")", "\n"),
        "case": Nesting("x = ", "case a of { _ -> ", "1", " }", "\n"),
        "do": Nesting("x = ", "do { ", "a", " }", "\n"),
    },
    "zig": {
        "paren": Nesting("const x = ", "(", "1", ")", ";"),
        "block": Nesting("fn f() void ", "{", "", "}", ""),
        "if": Nesting("fn f() void {", "if (a) {", "b();", "}", "}"),
        "type": Nesting("const x: ", "?", "u8", " = 1", ";"),
        "ptr": Nesting("const x: ", "*", "u8", " = 1", ";"),
        "struct": Nesting("const x = ", "struct { const y = ", "1", "; }", ";"),
        "call": Nesting("const x = ", "f(", "1", ")", ";"),
    },
    "solidity": {
        "paren": Nesting("contract A { uint x = ", "(", "1", ")", "; }"),
        "block": Nesting("function f() ", "{", "", "}", ""),
        "if": Nesting("function f() {", "if (a) {", "b();", "}", "}"),
        "map": Nesting("contract A { ", "mapping(uint => ", "uint", ")", " x; }"),
        "call": Nesting("contract A { uint x = ", "f(", "1", ")", "; }"),
        "options": Nesting("function f() { ", "a{gas: ", "1", "}()", "; }"),
    },
}
