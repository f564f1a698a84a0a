"""Every language: its grammar loads, its query has handlers, its sample says what is written beside it, and no text
makes it fail."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codeexplore.languages.base import Language
from codeexplore.languages.registry import LANGUAGES, by_content, by_name, by_path, by_shebang
from codeexplore.syntax.analyse import analyse
from codeexplore.syntax.parse import grammar, whole_query
from codeexplore.types import FileIndex, SourceFile

FIXTURES = Path(__file__).parents[1] / "fixtures" / "languages"
SAMPLES = sorted(path for path in FIXTURES.iterdir() if path.suffix != ".json")
WITH_GRAMMAR = [language for language in LANGUAGES if language.queries]
SYMBOLS_LEVEL = [language for language in WITH_GRAMMAR if language.level == "symbols"]
SPECIAL_CAPTURES = {"comment", "decorator", "sure"}


def named(item: object) -> str:
    return item.name if isinstance(item, Language | Path) else str(item)


def indexed(path: str, text: str, language: str = "") -> FileIndex:
    if not language:
        found = by_path(path)
        assert found is not None
        language = by_content(found.name, path, text)
    return analyse(SourceFile(path, language, text, ""))


@cache
def sample_of(language: str) -> Path:
    return next(path for path in SAMPLES if (found := by_path(path.name)) is not None and found.name == language)


def told(found: FileIndex) -> dict[str, Any]:
    """What a file says, in the form of the expectations."""
    facts = found.facts
    module, *symbols = facts.symbols
    fqns = {symbol.id: symbol.fqn for symbol in facts.symbols} | {module.id: ""}
    return {
        "language": found.file.language,
        "module": facts.module,
        "errors": facts.errors,
        "symbols": [[s.fqn, s.kind, s.line, fqns[s.parent or ""]] for s in symbols],
        "signatures": {s.fqn: s.signature for s in symbols},
        "docs": {s.fqn: s.doc for s in facts.symbols if s.doc},
        "decorators": {s.fqn: list(s.decorators) for s in facts.symbols if s.decorators},
        "calls": [[facts.symbols[r.scope].fqn, r.kind, r.path] for r in facts.references if r.kind in ("call", "new")],
        "imports": [[i.name, i.module, i.member] for i in facts.imports],
        "bases": [[b.type or facts.symbols[b.scope].fqn, b.manner, b.path] for b in facts.bases],
    }


# --------------------------------------------------------------------------- samples


@pytest.mark.parametrize("language", WITH_GRAMMAR, ids=named)
def test_every_language_has_a_sample(language: Language) -> None:
    assert sample_of(language.name).with_suffix(sample_of(language.name).suffix + ".json").exists()


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_a_sample_says_what_is_written_beside_it(sample: Path) -> None:
    expected = json.loads((FIXTURES / f"{sample.name}.json").read_text("utf-8"))
    found = told(indexed(f"work/{sample.name}", sample.read_text("utf-8")))
    found["signatures"] = {
        fqn: text for fqn, text in found["signatures"].items() if fqn in expected.get("signatures", {})
    }
    for part, value in expected.items():
        assert found[part] == value, part


@pytest.mark.parametrize(
    ("path", "text", "signature"),
    [
        ("a.py", "def f(\n    one,  # noqa: N805\n    two=2,\n):  # type: ignore\n    pass\n", "def f( one, two=2, )"),
        ("a.ts", "interface F {\n  f(one: A, // the first\n    two: B): void;\n}", "f(one: A, two: B): void;"),
        ("a.js", "function f(one, /* two */ three) {}", "function f(one, three)"),
        ("a.java", "class A { @B // private\n  public void f(int one /* in m */) {} }", "public void f(int one )"),
        ("a.go", "package a\nfunc f(one int, // 1 to n\n\ttwo int) {}\n", "func f(one int, two int)"),
        ("a.rs", "fn f(\n    /// The first.\n    one: u8, // in m\n    two: u8,\n);\n", "fn f( one: u8, two: u8, )"),
        ("a.c", "int f(int one, /* in m */ int two) { return 1; }", "int f(int one, int two)"),
        ("a.rb", "def f(one, # the first\n  two)\nend\n", "def f(one, two)"),
        ("a.kt", "fun f(one: Int, // in m\n  two: Int) {}", "fun f(one: Int, two: Int)"),
        ("a.kt", 'class A {\n  @B("x", C("y"))\n  fun f(): Int = 1\n}', "fun f(): Int"),
        ("a.hs", "f :: Int -- ^ in m\n  -> Int\nf x = x\n", "f :: Int -> Int"),
    ],
)  # fmt: skip
def test_comments_and_annotations_are_no_part_of_a_signature(path: str, text: str, signature: str) -> None:
    found = [symbol.signature for symbol in indexed(path, text).facts.symbols if symbol.name == "f"]
    assert signature in found


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_spans_hold_their_names(sample: Path) -> None:
    text = sample.read_text("utf-8")
    data, rows = text.encode(), text.split("\n")
    for symbol in indexed(f"work/{sample.name}", text).facts.symbols[1:]:
        if symbol.kind == "lambda":
            continue
        inside = data[symbol.span.start_byte : symbol.span.end_byte].decode()
        assert inside.rstrip("\n").count("\n") == symbol.span.end_line - symbol.span.start_line, symbol.id
        keyword = {"this[]": "this", "operator +": "operator +"}.get(symbol.name, symbol.name.split(".")[-1])
        assert keyword in inside, symbol.id
        assert keyword in rows[symbol.line - 1], symbol.id


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_windows_line_ends_change_nothing(sample: Path) -> None:
    text = sample.read_text("utf-8")
    unix, windows = (told(indexed(f"work/{sample.name}", each)) for each in (text, text.replace("\n", "\r\n")))
    assert windows["symbols"] == unix["symbols"]
    assert windows["calls"] == unix["calls"]
    assert windows["docs"] == unix["docs"]


# --------------------------------------------------------------------------- grammars and registry


@pytest.mark.parametrize("language", WITH_GRAMMAR, ids=named)
def test_the_query_compiles_and_every_capture_has_a_handler(language: Language) -> None:
    query = whole_query(language)
    assert language.extractor is not None
    extractor = language.extractor()
    captures = {query.capture_name(index) for index in range(query.capture_count)}
    handled = {c for c in captures if c.startswith(("definition.", "_")) or c in SPECIAL_CAPTURES}
    missing = {c for c in captures - handled if extractor.handler(c) is None}
    assert not missing


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.extractor], ids=lambda each: each.name)
def test_extractors_are_composed(language: Language) -> None:
    assert language.extractor is not None
    own = [cls.__name__ for cls in type(language.extractor()).__mro__ if cls.__module__.startswith("codeexplore.")]
    builds_on_another = language.name in ("cpp", "typescript", "tsx")  # on C and JavaScript
    assert len(own) <= (4 if builds_on_another else 3), own


def test_a_missing_query_file_is_an_error(tmp_path: Path) -> None:
    broken = replace(by_name("bash"), queries=(tmp_path / "missing.scm",))
    with pytest.raises(FileNotFoundError):
        grammar(broken)


def test_no_two_languages_claim_one_file() -> None:
    for part in ("extensions", "filenames", "interpreters"):
        claimed = [name for language in LANGUAGES for name in getattr(language, part)]
        assert len(claimed) == len(set(claimed)), part


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.c", "c"), ("a/b.H", "c"), ("b.hpp", "cpp"), ("X.cs", "csharp"), ("Rakefile", "ruby"),
        ("a.gemspec", "ruby"), ("i.php", "php"), ("b.gradle.kts", "kotlin"), ("build.sbt", "scala"),
        ("A.swift", "swift"), ("init.lua", "lua"), ("t.bats", "bash"), ("mix.exs", "elixir"), ("Lib.hs", "haskell"),
        ("m.zig", "zig"), ("Vault.sol", "solidity"), ("main.go", "go"), ("lib.rs", "rust"),
    ],
)  # fmt: skip
def test_files_are_recognised(path: str, language: str) -> None:
    found = by_path(path)
    assert found is not None
    assert found.name == language


@pytest.mark.parametrize(
    ("line", "language"),
    [(b"#!/bin/sh", "bash"), (b"#!/usr/bin/env ruby", "ruby"), (b"#!/usr/bin/env -S lua5.4", "lua")],
)
def test_scripts_are_recognised(line: bytes, language: str) -> None:
    found = by_shebang(line)
    assert found is not None
    assert found.name == language


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a.h", "#include <stdio.h>\nint f(void);\nstruct class_info { int x; };\n", "c"),
        ("a.h", "#pragma once\nnamespace a {\n}\n", "cpp"),
        ("a.h", "class A {\n public:\n  int x;\n};\n", "cpp"),
        ("a.h", "template <typename T> T id(T x);\n", "cpp"),
        ("a.h", "#include <string_view>\n", "cpp"),
        ("a.c", "// template <typename T> is no C\n  template <x\n", "c"),
        ("a.go", "package a\n", "go"),
    ],
)
def test_a_header_in_cpp_is_cpp(path: str, text: str, language: str) -> None:
    known = by_path(path)
    assert known is not None
    assert by_content(known.name, path, text) == language


# --------------------------------------------------------------------------- texts nobody should write


@pytest.mark.parametrize("language", WITH_GRAMMAR, ids=named)
@pytest.mark.parametrize("text", ["", "\n", "   \r\n\t", "\f", "é", "\x00", "}", ")))", '"', "/*", "#", "\\"])
def test_almost_nothing_is_a_module(language: Language, text: str) -> None:
    found = indexed("a/b" + language.extensions[0], text, language.name)
    assert found.facts.symbols[0].kind == "module"


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_any_beginning_and_any_shuffle_of_a_sample_is_survived(sample: Path) -> None:
    text = sample.read_text("utf-8")
    shuffle = random.Random(sample.name)
    lines = text.split("\n")
    texts = [text[: len(text) * part // 7] for part in range(1, 7)]
    texts += ["\n".join(shuffle.sample(lines, len(lines))) for _ in range(3)]
    texts += ["".join(shuffle.choice(text) for _ in range(600)) for _ in range(3)]
    for each in texts:
        found = indexed(f"work/{sample.name}", each)
        assert found.facts.symbols[0].span.end_line == max(each.count("\n") + (not each.endswith("\n")), 1)
        ids = [symbol.id for symbol in found.facts.symbols]
        assert len(ids) == len(set(ids))


NESTED = [
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("f(", ")"),
    ("a.", ""),
    ("!", ""),
    ("-", ""),
    ("x = ", ""),
    ("a ? b : ", ""),
]
DEEP = {"go": 5000, "rust": 5000}  # the others' grammars take seconds for some of these; Python's own limit is 1,000


@pytest.mark.parametrize("language", WITH_GRAMMAR, ids=named)
def test_deep_nesting_is_no_recursion(language: Language) -> None:
    sample = sample_of(language.name)
    text = sample.read_text("utf-8")
    depth = DEEP.get(language.name, 1100)
    for opening, closing in NESTED:
        nested = f"{text}\n{opening * depth}x{closing * depth}\n"
        assert indexed(f"work/{sample.name}", nested, language.name).facts.symbols[0].kind == "module"


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_many_copies_of_a_sample_have_as_many_symbols(sample: Path) -> None:
    text = sample.read_text("utf-8")
    once = indexed(f"work/{sample.name}", text).facts.symbols
    many = indexed(f"work/{sample.name}", text * 30).facts.symbols
    functions = [sum(s.kind in ("function", "method") for s in symbols) for symbols in (once, many)]
    assert functions[1] >= (10 if sample.suffix != ".hs" else 1) * functions[0]  # a second header ends a Haskell module
    assert len({symbol.id for symbol in many}) == len(many)


@pytest.mark.parametrize("name", ["größe", "π", "naïve_count", "推送"])
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("go", "package a\nfunc {0}() {{ {0}() }}\n"), ("rust", "fn {0}() {{ {0}() }}\n"),
        ("csharp", "class A {{ void {0}() {{ {0}(); }} }}\n"), ("ruby", "def {0}\n  self.{0}\nend\n"),
        ("php", "<?php\nfunction {0}() {{ {0}(); }}\n"), ("kotlin", "fun {0}() {{ {0}() }}\n"),
        ("scala", "def {0}() = {0}()\n"), ("swift", "func {0}() {{ {0}() }}\n"),
        ("cpp", "void {0}() {{ {0}(); }}\n"), ("c", "void {0}() {{ {0}(); }}\n"),
        ("elixir", "defmodule A do\n  def {0}(x), do: {0}(x)\nend\n"),
    ],
)  # fmt: skip
def test_names_of_any_alphabet(language: str, text: str, name: str) -> None:
    if name == "推送" and language in ("kotlin", "scala", "elixir"):
        pytest.skip("letters without case are no names to this grammar")
    found = indexed("a" + by_name(language).extensions[0], text.format(name), language)
    assert found.facts.symbols[-1].name == name
    assert [r.path.removeprefix("self.") for r in found.facts.references if r.kind == "call"] == [name]


def test_definitions_that_seem_to_stand_in_each_other_end() -> None:
    text = "void B::m() {\n  class B { int x; void n() {} };\n}\n"
    facts = analyse(SourceFile("a.cpp", "cpp", text, "")).facts
    assert {"m", "B", "n"} <= {symbol.name for symbol in facts.symbols}


MACROS = """\
LIB_NAMESPACE_BEGIN
/// A value.
LIB_TEMPLATE_DECLARATION
class value // a comment
    : public base<T>
{
  LIB_PRIVATE_UNLESS_TESTED:
    void check() const noexcept
    {
        LIB_TRY
        {
            run();
        }
        LIB_CATCH (...) {}
    }
  public:
    int at(int index) { LIB_TRY { return get(index); } LIB_INTERNAL_CATCH (error& e) { fail(e); } return LAST; }
};
LIB_NAMESPACE_END
"""


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_statement_cut_off_by_a_condition_of_the_preprocessor_is_no_function(language: str) -> None:
    text = (
        "int f(int *a, int b) {\n    return *a + b;\n}\n#endif\n"
        "    else if (*a && *a && b > 1) {\n        b = 2;\n    }\n"
    )
    facts = analyse(SourceFile(f"a.{language}", language, text, "")).facts
    assert {symbol.name for symbol in facts.symbols if symbol.kind == "function"} == {"f"}


def test_macros_that_stand_for_keywords() -> None:
    facts = indexed("value.hpp", MACROS).facts
    assert facts.errors == 0
    found = {symbol.fqn: (symbol.line, symbol.span.end_line) for symbol in facts.symbols[1:]}
    assert found == {"value": (4, 18), "value::check": (8, 15), "value::at": (17, 17)}
    assert {row.path for row in facts.references if row.kind == "call"} >= {"run", "get", "fail"}


RUNS_OF_MACROS = """\
LIB_START
{
    class LIB_ABSTRACT LIB_EXPORTED node
    {
      public:
        LIB_NODISCARD
        LIB_ATTR(pure(1), cold)
        virtual bool same(int kind) const = 0;

        LIB_NODISCARD_CTOR
        LIB_EXPORTED_MEMBER
        node(int kind) noexcept;

        LIB_NODISCARD
        bool next(int n)
        {
            if constexpr (noexcept(n) || !LIB_THROWS)
            {
                n = 1;
            }
#if LIB_THROWS
            else
            {
                try { n = load(); }
                catch (const int& error) { throw 3; }
                catch (...) { throw 4; }
            }
#endif
            if LIB_UNLIKELY(!n)
            {
                return false;
            }
            return more();
        }
        bool more() { return true; }
    };
    LIB_NODISCARD
    LIB_ATTR(const)
    inline int kinds(int n) { return n; }
}
LIB_END;
"""


def test_runs_of_macros_before_names_and_braces_hide_no_symbol() -> None:
    facts = indexed("node.hpp", RUNS_OF_MACROS).facts
    names = [f"{symbol.kind} {symbol.fqn}" for symbol in facts.symbols[1:]]
    assert names == ["class node", "method node::same", "method node::next", "method node::more", "function kinds"]
    calls = {(facts.symbols[row.scope].fqn, row.path) for row in facts.references if row.kind == "call"}
    assert ("node::next", "more") in calls
    assert facts.errors == 0


def test_a_macro_behind_a_function_does_not_end_the_block_of_another_macro() -> None:
    text = "LIB_START\n{\nint a()\n{\n  return 1;\n}\nLIB_NODISCARD\nint b() { return 2; }\n}\nLIB_END;\n"
    facts = indexed("a.cpp", text).facts
    assert [(symbol.name, symbol.span.end_line) for symbol in facts.symbols[1:]] == [("a", 6), ("b", 8)]


CONSTANTS = """\
namespace lib {
template <typename T> inline constexpr bool plain = some<T>::value;
#if LIB_NAMES
inline constexpr int names[] = { 1, 2 };
#endif
template <typename T> bool call() { const bool own = plain<T>; return own; }
struct Box { template <typename T> static constexpr bool inner = true; };
}
"""


def test_templates_of_variables_and_constants_under_conditions_are_symbols() -> None:
    facts = indexed("a.hpp", CONSTANTS).facts
    constants = [symbol.fqn for symbol in facts.symbols if symbol.kind == "constant"]
    assert constants == ["lib::plain", "lib::names", "lib::Box::inner"]


LABELS = """\
class parser {
    int one = 1;
    template <class T> int two(T t) { return t; }
  public:
    int three() { return one; }
#if LIB_DEBUG
  private:
#endif
    int four() { return 4; }
    struct inner { int five; };
    friend bool six(parser p) { return true; }
  protected:
    int seven() { return 7; }
};
struct open { int eight; };
"""


def test_members_below_private_or_above_every_label_of_a_class_are_private() -> None:
    symbols = indexed("a.hpp", LABELS).facts.symbols
    assert [s.name for s in symbols if s.signature.startswith("private ")] == ["one", "two", "four", "inner"]


SPREAD_MACROS = """\
#define IF_FIRST(cond)             \\
  if (!first) check(!(cond)); /* NOLINT */ \\
  if (first) if (cond)        /* NOLINT */

template <bool First>
bool
Cache::dirty(const Node* output) {
  IF_FIRST (!output->exists()) {
    record(output);
  }
  return false;
}
LIB_INLINE sink<Mutex>::sink(FILE* file)
    : file_(file) { open(); }
void logger::flush() LIB_NOEXCEPT { write(); }
struct held { ~held() _NOEXCEPT_OP(false) { close(); } };
"""


def test_macros_in_several_lines_before_constructors_and_after_parameters() -> None:
    facts = indexed("sink.cpp", SPREAD_MACROS).facts
    callers = {facts.symbols[row.scope].fqn: row.path for row in facts.references if row.kind == "call"}
    expected = {"Cache::dirty": "record", "sink::sink": "open", "logger::flush": "write", "held::~held": "close"}
    assert expected.items() <= callers.items()


KOTLIN = """\
package okio

open class Bytes
// Trusted.
internal actual constructor(
  @JvmField actual val data: ByteArray,
) : Comparable<Bytes> {
  constructor(text: String) : this(text.bytes())
  fun hex(): String = encode(data)
}

class Named
@Inject constructor(val name: String)

abstract class Many<C : MutableCollection<T?>, T>
private constructor(private val one: One<T?>) : One<C?>() {
    fun all(): C = make()
}
"""


def test_constructors_of_kotlin_on_a_line_of_their_own() -> None:
    facts = indexed("Bytes.kt", KOTLIN).facts
    assert facts.errors == 0
    found = {
        symbol.fqn: symbol.span.end_line
        for symbol in facts.symbols[1:]
        if symbol.kind in ("class", "function", "method")
    }
    assert found["okio.Bytes"] == 10
    assert found["okio.Named"] == 13
    assert found["okio.Bytes.hex"] == 9
    assert found["okio.Many.all"] == 17


DIVIDED = {
    "a.c": ("int grow(%s a)", "{ return a; }\nint after(void) { return 1; }", ["grow", "after"]),
    "b.c": ("  if (%s) {", "  }\n  return 1;\n}\nint after(void) { return 1; }", ["grow", "after"]),
    "a.cs": ("  public int Grow(%s a)", "  { return 1; }\n  int After() => 1;\n}", ["K", "Grow", "After"]),
    "b.cs": ("  if (%s) {", "  }\n }\n  int After() => 1;\n}", ["K", "Grow", "After"]),
}
HEADS = {"a.c": "", "b.c": "int grow(int a)\n{\n", "a.cs": "class K {\n", "b.cs": "class K {\n int Grow(int a) {\n"}


@pytest.mark.parametrize("path", DIVIDED)
def test_a_condition_that_divides_a_definition_hides_none(path: str) -> None:
    line, rest, names = DIVIDED[path]
    condition = f"#if defined(X) // one {{\n{line % 'int'}\n#elif Y\n{line % 'short'}\n#else\n{line % 'long'}\n#endif\n"
    facts = indexed(path, f"{HEADS[path]}{condition}{rest}\n").facts
    assert [symbol.name for symbol in facts.symbols[1:]] == names


def test_conditions_around_whole_definitions_keep_all_branches() -> None:
    text = (
        "#ifdef X\n#define BIG(a) (a)\nint f(void) { return 1; }\n#else\nint g(void) { return 2; }\n#endif\nint h( {\n"
    )
    assert {"f", "g"} <= {symbol.name for symbol in indexed("a.c", text).facts.symbols}


def test_macros_before_definitions_outside_of_their_class_are_blanked() -> None:
    text = (
        "MY_API a::b::b(std::string n, int k)\n    : b(k) {}\n"
        "MY_API std::shared_ptr<a::c> a::b::clone(std::string n) { return 1; }\n"
        "MY_API void a::b::go() {\n  LIB_TRY { run(); }\n  LIB_LOGGER_CATCH(msg)\n}\n"
    )
    found = indexed("a.cpp", text).facts.symbols
    assert [symbol.fqn for symbol in found[1:]] == ["a::b::b", "a::b::clone", "a::b::go"]


def test_macros_that_the_file_defines_as_nothing_or_as_specifiers_are_blanked() -> None:
    text = (
        "#ifdef THREADS\n#define MTb , &TI\n#else\n#define MTb /*nothing*/\n#endif\n"
        '#define LIB_FN __attribute__((no_sanitize("x")))\n#define LIB_GONE = delete\n#define NOW clock()\n'
        "class Box {\n  template <typename T> T as() const LIB_GONE;\n"
        '  LIB_DEPRECATED("use size()")\n  int count(int a) { return a; }\n'
        '#if BUSY\nLIB_IGNORE("-Wnull")\n#endif\n  int size() { return 1; }\n};\n'
        "template <typename T> LIB_FN T first(T a) { drop(a MTb); return a; }\n"
        "LIB_FN LIB_FN Box::operator bool() const { return NOW; }\n"
    )
    facts = indexed("a.cpp", text).facts
    assert {"Box", "Box::count", "Box::size", "first", "Box::operator bool"} <= {symbol.fqn for symbol in facts.symbols}
    assert {"drop", "clock"} <= {row.path for row in facts.references}
