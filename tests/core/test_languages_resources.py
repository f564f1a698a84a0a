"""Files that are not code: their symbols and chunks, the files that are left out, and their place in answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name

from codeexplore import Workspace
from codeexplore.languages.base import Language
from codeexplore.languages.file_roles import path_role
from codeexplore.languages.registry import LANGUAGES, by_default, by_path
from codeexplore.languages.resources import OTHER, RESOURCES, yaml_keys
from codeexplore.source.discovery import discover
from codeexplore.source.read import read
from codeexplore.syntax import structure
from codeexplore.syntax.analyse import analyse
from codeexplore.types import TEXT_KINDS, FileIndex, Filters, Skipped, SourceFile
from codeexplore.types.settings import MAX_DATA_BYTES, MAX_PARTS, MAX_RESOURCE_BYTES, MAX_SECTION_LINES

SAMPLES: dict[str, tuple[str, list[str]]] = {
    "compose.yaml": (
        "# c\nname: x\nservices:\n  web:\n    run: |\n      no: key\n    ports: [80]\n"
        "  'db q':\n    image: b\n- a: 1\n",
        ["key name 2-2", "key services 3-10", "key services#web 4-7", "key services#db q 8-10"],
    ),
    "pyproject.toml": (
        "title = 1\n[tool.ruff]\nx = 1\n[[a.b]]\ny = 2\n",
        ["key title 1-1", "section tool.ruff 2-3", "section a.b 4-5"],
    ),
    "package.json": (
        '{\n"a": {"b": 1},\n"c": [{"d": 1}, {"d": {"e": 2}}]\n}',
        ["key a 2-2", "key a#b 2-2", "key c 3-3", "key c#d 3-3"],
    ),
    "setup.cfg": ("[a b]\nx = [1]\n[c]\n", ["section a b 1-2", "section c 3-3"]),
    "schema.sql": (
        "CREATE TABLE IF NOT EXISTS shop.users (\n id int);\ncreate or replace view v as select 1;\n"
        "-- create table no\nCREATE PROCEDURE [dbo].[p] AS SELECT 1\ncreate materialized view `m` as select 1;\n",
        ["table shop.users 1-2", "view v 3-4", "routine dbo.p 5-5", "view m 6-6"],
    ),
    "shop.proto": (
        "message M {\n  message N { int32 y = 1; }\n  enum E { A = 0; }\n}\n"
        "service S {\n  rpc Get(M) returns (M) {}\n}\n/* message no {} */\n",
        ["message M 1-4", "message M#N 2-2", "schema M#E 3-3", "service S 5-7", "rpc S#Get 6-6"],
    ),
    "shop.graphql": (
        "type Query {\n  user: User\n}\ninput A { b: Int }\nquery Q { user }\nfragment F on User { name }\n",
        ["schema Query 1-3", "schema A 4-4", "operation Q 5-5", "operation F 6-6"],
    ),
    "login.html": (
        '{% extends "base.html" %}\n{% block title %}x{% endblock %}\n<form class="a" id="login-form">\n</form>\n'
        '{{ define "row" }}\n',
        ["block title 2-2", "element login-form 3-4", "block row 5-5"],
    ),
    "site.css": (
        ".a,\n.b > c { color: red }\n@media print { .d { x: y } }\n@keyframes spin { from { a: b } }\n/* .no { } */\n",
        ["selector .a, .b > c 1-2", "selector .d 3-3", "selector @keyframes spin 4-4"],
    ),
    "site.scss": (
        "@mixin m($a) { b: c }\n.a {\n  .n { f: g }\n}\n",
        ["mixin m 1-1", "selector .a 2-4", "selector .a#.n 3-3"],
    ),
    "Dockerfile.dev": (
        "FROM python:3.11 AS build\nRUN x\nFROM --platform=linux build\n",
        ["stage build 1-2", "stage build 3-3"],
    ),
    "Makefile": (
        "CC := gcc\n.PHONY: all\nall: a b\n\tx\na.o: a.c\n\t$(CC)\nX = a:b\n",
        ["target all 3-4", "target a.o 5-7"],
    ),
    "CMakeLists.txt": ("add_executable(foo a.c)\nfunction(bar x)\n", ["target foo 1-1", "target bar 2-2"]),
    "main.tf": (
        'resource "aws_instance" "web" {\n  ebs { a = 1 }\n}\nvariable "port" { default = 80 }\n',
        ["block resource.aws_instance.web 1-3", "block variable.port 4-4"],
    ),
    "Jenkinsfile": ("pipeline {\n  stage('Build') {\n", ["stage Build 2-2"]),
    "shop.thrift": ("struct A {\n}\nservice S {\n}\n", ["message A 1-2", "service S 3-4"]),
    "schema.prisma": ("model User {\n}\nenum Role { A }\n", ["table User 1-2", "schema Role 3-3"]),
    "setup.ps1": ("function Get-X {\n}\n", ["routine Get-X 1-2"]),
    "pom.xml": ("<a>\n</a>\n", []),
    "weird.xyz": ("hello\n", []),
}
DEEP = {
    "json": ['{"a":', "[", '{"a":1,'],
    "yaml": ["- ", "? ", "{a: ", "[", "a: "],
    "toml": ["a=[", "a={b=", "[[a]]\n"],
    "proto": ["message a {", "oneof a {"],
    "graphql": ["{a", "type A { a(b:", "type a @b(c:["],
    "css": ["a{", ":not(", "a{b:c(", "@media a{"],
    "scss": ["a{", ":not(", "#{", "@if a{"],
    "hcl": ["a {", "a = [", 'a = "${', "<<A\n", "%{if a}"],
    "html": ["<div id='", "{% block a", "<a "],
    "sql": ["create ", "create table ("],
    "make": ["$(", "a ", "a:"],
}


def language_of(path: str) -> Language:
    found = by_path(path) or by_default(path)
    assert found is not None
    return found


def indexed(path: str, text: str, language: str = "") -> FileIndex:
    return analyse(SourceFile(path, language or language_of(path).name, text, ""))


def write(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


# --------------------------------------------------------------------------- formats


@pytest.mark.parametrize("path", SAMPLES)
def test_the_parts_of_a_format_are_its_symbols(path: str) -> None:
    text, expected = SAMPLES[path]
    found = indexed(path, text)
    symbols = [
        f"{s.kind} {s.fqn.removeprefix(path + '#')} {s.span.start_line}-{s.span.end_line}"
        for s in found.facts.symbols[1:]
    ]
    assert symbols == expected
    assert not found.warnings
    assert {s.kind for s in found.facts.symbols[1:]} <= TEXT_KINDS


def test_every_format_has_a_sample_and_a_role() -> None:
    assert {language_of(path).name for path in SAMPLES} >= {each.name for each in (*RESOURCES, OTHER)} - {"text"}
    for language in RESOURCES:
        for name in (*(f"a/b{each}" for each in language.extensions), *language.filenames):
            assert path_role(name) == "resource", name
            assert by_path(name) is language
    for language in LANGUAGES:
        if language.structure is None and language.name != "text":
            assert {path_role(f"a/b{each}") for each in language.extensions} <= {"source", "docs", "test"}


def test_every_format_can_be_highlighted() -> None:
    for language in LANGUAGES:
        if language.pygments:
            assert get_lexer_by_name(language.pygments)


def test_a_small_file_is_one_chunk_and_a_large_one_a_chunk_for_each_part() -> None:
    small = "".join(f"key{n}:\n  a: 1\n" for n in range(5))
    large = "# about key0\n" + "".join(f"key{n}:\n" + "  a: 1\n" * 20 for n in range(5))
    assert [chunk.symbol for chunk in indexed("a.yml", small).chunks] == ["a.yml:a.yml"]
    chunks = indexed("a.yml", large).chunks
    assert [chunk.symbol for chunk in chunks] == [f"a.yml:a.yml#key{n}" for n in range(5)]
    assert chunks[0].text.startswith("# about key0\nkey0:")
    long = indexed("a.yml", "top:\n" + "".join(f"  k{n}:\n" + "    a: 1\n" * 30 for n in range(5))).chunks
    assert all(chunk.spans[0].end_line - chunk.spans[0].start_line < MAX_SECTION_LINES for chunk in long)
    assert all(chunk.text.lstrip().startswith(("top:", "k")) for chunk in long)  # cut between keys


def test_keys_without_end_are_counted() -> None:
    found = indexed("a.json", "{" + ",".join(f'"k{n}": 1' for n in range(MAX_PARTS + 5)) + "}")
    assert len(found.facts.symbols) == MAX_PARTS + 1
    assert found.warnings == (f"more than {MAX_PARTS:,} parts; the others are text only",)
    assert "k2004" in found.chunks[-1].text


@pytest.mark.parametrize(("language", "opening"), [(name, each) for name, rows in DEEP.items() for each in rows])
def test_a_hundred_thousand_levels_end(language: str, opening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "_SECONDS", 0.1)  # some grammars need their square: they are cut off, and say so
    found = indexed("a." + language, opening * (100_000 // len(opening)), language)
    assert found.chunks
    assert all("took longer" in warning or "nested" in warning or "parts" in warning for warning in found.warnings)


def test_levels_of_yaml_end() -> None:
    assert len(indexed("a.yaml", "".join(" " * n + "a:\n" for n in range(1_500))).facts.symbols) == 3


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["- ", "-", " ", " -", "a ", '"', "'a", "a:", "&a ", "| "])
def test_a_long_row_of_yaml_is_read_in_linear_time(text: str) -> None:
    many = text * (100_000 // len(text))
    assert len(list(yaml_keys(f"{many}\n{many}:\na:\n  b: {many}\n"))) >= 1


def test_items_of_lists_are_no_keys_of_yaml() -> None:
    text = "a:\n  - b: 1\n  - - c: 2\n  - : 3\n  -d: 4\n- e: |\n    f: 5\n"
    assert [place.name for place in yaml_keys(text)] == ["a", "-d"]


MARKS = st.sampled_from(
    [
        *"{}[]()<>:;=\"'#%$|&*-\n\r\t \0\\",
        "\n  ",
        "a: ",
        "{% block ",
        "FROM a",
        "message A {",
        "CREATE TABLE ",
        "é",
        "￿",
    ]
)


@pytest.mark.parametrize("language", [*RESOURCES, OTHER], ids=lambda each: each.name)
@settings(max_examples=25, deadline=None)
@given(st.lists(MARKS | st.text(max_size=3), max_size=60).map("".join))
def test_any_text_is_divided_without_loss(language: Language, text: str) -> None:
    found = indexed("a/b", text, language.name)
    data, rows = text.encode("utf-8", "replace"), text.split("\n")
    owned = {n for c in found.chunks for span in c.spans for n in range(span.start_line, span.end_line + 1)}
    assert {n for n, row in enumerate(rows, 1) if row.encode("utf-8", "replace").strip()} <= owned
    ids = [symbol.id for symbol in found.facts.symbols]
    assert len(set(ids)) == len(ids)
    for symbol in found.facts.symbols:
        assert 0 <= symbol.span.start_byte <= symbol.span.end_byte <= len(data)
        assert symbol.parent in (None, *ids)


# --------------------------------------------------------------------------- files that are left out


def test_data_and_large_files_are_left_out_and_counted(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.py": "x = 1\n", "locale/de.po": "msgid", "big.json": "[" + " " * MAX_DATA_BYTES + "]",
            "big.css": "a{}\n" * (MAX_RESOURCE_BYTES // 4 + 1), "tests/data.json": "{}", "tests/conf.yaml": "a: 1",
            "tests/out.expected": "x", "notes.unheard-of": "x\n", "yarn.lock": "x", "kept.po": "msgid",
            ".codeexploreignore": "!kept.po\n", "logo.png": "x",
        },
    )  # fmt: skip
    found = discover(tmp_path)
    why = {entry.path: (entry.reason, entry.detail) for entry in found.skipped}
    assert [each.path for each in found.candidates] == [
        ".codeexploreignore", "a.py", "kept.po", "notes.unheard-of", "tests/conf.yaml",
    ]  # fmt: skip
    assert why["locale/de.po"] == ("data", ".po")
    assert why["tests/data.json"] == why["tests/out.expected"] == ("data", "in a path of the kind 'test'")
    assert why["big.json"] == ("too large", f"{MAX_DATA_BYTES + 2:,} bytes, the limit is {MAX_DATA_BYTES:,}")
    assert why["big.css"][0] == "too large"
    assert why["logo.png"] == ("unknown language", ".png")


def test_other_text_must_be_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.xyz").write_bytes("süß".encode("latin-1"))
    (tmp_path / "b.xyz").write_bytes(b"\0\1")
    (tmp_path / "c.xyz").write_bytes("süß".encode())
    (tmp_path / "py.typed").write_bytes(b"\n")
    found = [read(tmp_path, each) for each in discover(tmp_path).candidates]
    assert [each.reason if isinstance(each, Skipped) else each.text for each in found] == [
        "binary", "binary", "süß", "data",
    ]  # fmt: skip


# --------------------------------------------------------------------------- in a workspace

SHOP = {
    "shop/views.py": (
        "def login_page(request):\n    '''Show the page where a customer logs in.'''\n"
        "    return render(request, 'shop/login.html')\n\n\ndef port_of(config):\n"
        "    '''Return the port of the server.'''\n    return config['port']\n"
    ),
    "shop/templates/shop/login.html": '<form id="login">\n<h1>Log in</h1>\n</form>\n',
    "deploy/server.yaml": "server:\n  port: 8080\n  host: example.org\n",
    "Makefile": "login_page:\n\techo\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(write(tmp_path_factory.mktemp("shop"), SHOP), cache=False)


def test_code_ranks_first_unless_the_question_speaks_of_such_files(shop: Workspace) -> None:
    paths = [hit.path for hit in shop.search("port of the server")]
    assert paths.index("shop/views.py") < paths.index("deploy/server.yaml")
    answer = shop.search("where is the port of the server configured")
    assert answer[0].path == "deploy/server.yaml"
    first = shop.search("port of the server")
    rank = [hit.path for hit in first].index("deploy/server.yaml") + 1
    assert "the file is not code, and the question does not mention such files" in str(first.explain(rank))


def test_a_page_or_what_is_rendered_is_what_a_user_sees_and_no_kind_of_file(shop: Workspace) -> None:
    for question in ("where does it show the page to log in?", "how is the form to log in rendered?"):
        assert shop.search(question)[0].path == "shop/views.py", question
    assert shop.search("which template shows the form to log in?")[0].path == "shop/templates/shop/login.html"


def test_filters_take_formats_and_kinds(shop: Workspace) -> None:
    assert {hit.path for hit in shop.search("port", filters=Filters(languages=("yaml",)))} == {"deploy/server.yaml"}
    assert {hit.path for hit in shop.search("login", filters=Filters(languages=("Makefile",)))} == {"Makefile"}
    assert shop.summary.files["YAML"] == 1


def test_a_name_means_the_code_before_parts_of_other_files(shop: Workspace) -> None:
    assert shop.symbol("login_page").path == "shop/views.py"
    assert shop.symbol("Makefile#login_page").kind == "target"
    assert not [each for each in shop.dead_code() if ".py" not in each.symbol_id]


def test_the_switch_leaves_them_out(shop: Workspace) -> None:
    code = Workspace(shop.root, resources=False, cache=False)
    assert list(code.files) == ["shop/views.py"]
    assert code.summary.skipped == {"not code": 3}
    assert code.to_code().endswith("resources=False)")
