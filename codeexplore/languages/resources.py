"""Formats of files that are not code, and texts that people read.

Each format has the names of its files, and the parts of a file that are symbols. If it has a grammar, its node types
decide which parts are symbols. For other formats, patterns over lines decide. Patterns also fit dialects that no
grammar can parse, such as templates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from codeexplore.languages.base import SLASHES, Language, Part, Place, Structure, table
from codeexplore.types import SymbolKind

_KEY = re.compile(
    r" *(?P<items>(?:- +)*)(?!- )(?P<name>[\w./@$*+-][^:#\n]{0,200}?|\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')"
    r"[ \t]{0,20}:(?:[ \t]+(?P<value>.*))?\r?$"
)
_BLOCK = re.compile(r"(?:[&!]\S+[ \t]+)*[|>][-+\d]*[ \t]*(?:#.*)?\r?$")


def yaml_keys(text: str) -> Iterator[Place]:
    """Yield the keys on the first two levels of each document. The texts of block scalars and lists are left out."""
    inner = 0  # indentation of the keys of the second level; 0 before the first of them
    scalar = -1  # indentation of the key whose block scalar is being passed over
    for number, row in enumerate(text.split("\n"), 1):
        indent = len(row) - len(row.lstrip(" "))
        if not row.strip() or (indent > scalar >= 0):
            continue
        scalar = -1
        found = _KEY.match(row)
        if found is None:
            continue
        if _BLOCK.match(found["value"] or ""):
            scalar = indent
        if found["items"]:
            continue
        if indent == 0:
            inner = 0
        elif not inner:
            inner = indent
        if indent in (0, inner):
            yield Place(number, 2 if indent else 1, "key", found["name"].strip("\"'"))


_DECLARED: Final = (
    r"(?i)^[ \t]*create\s+(?:or\s+(?:replace|alter)\s+)?"
    r"(?:(?:global|local|temp|temporary|unlogged|materialized)\s+){0,3}"
    r"(?P<word>table|view|function|procedure|trigger)\s+(?:if\s+not\s+exists\s+)?(?P<name>[\w.$\"`\[\]]+)"
)
_WORDS: Final[dict[str, SymbolKind]] = table(
    {
        "table": "table model",
        "view": "view",
        "routine": "function procedure",
        "trigger": "trigger",
        "schema": "enum type",
        "message": "struct union exception",
        "service": "service",
    }
)


_CSS: Final = {"rule_set": Part("selector", ("<selectors",)), "keyframes_statement": Part("selector")}
_SCSS: Final = _CSS | {"mixin_statement": Part("mixin", ("name",)), "function_statement": Part("mixin", ("name",))}
_GRAPHQL: Final = {
    f"{each}_type_{suffix}": Part("schema", ("<name",))
    for each in ("object", "input_object", "interface", "enum", "union", "scalar")
    for suffix in ("definition", "extension")
}


_Kinds: TypeAlias = SymbolKind | Mapping[str, SymbolKind]


def _format(
    name: str,
    title: str,
    extensions: str,
    *lines: tuple[_Kinds, str],  # kind, and pattern of a line with the group `name`
    filenames: str = "",
    grammar: str = "",
    pygments: str = "",
    **structure: Any,  # fields of `Structure`
) -> Language:
    patterns = tuple((kind, re.compile(pattern, re.MULTILINE)) for kind, pattern in lines)
    return Language(
        name=name,
        title=title,
        level="text",
        extensions=tuple(f".{each}" for each in extensions.split()),
        filenames=tuple(filenames.split()),
        grammar=grammar,
        pygments=pygments or name,
        structure=Structure(patterns=patterns, **structure),
    )


_HTML: Final = _format(
    "html",
    "HTML and templates",
    "html htm xhtml jinja jinja2 j2 tmpl gohtml twig hbs handlebars mustache ejs njk liquid jsp ftl "
    "cshtml razor djhtml heex eex",
    ("block", r"\{%-?\s*(?:block|macro|define)\s+[\"']?(?P<name>[\w.-]{1,200})"),
    ("block", r"\{\{-?\s*(?:block|define)\s+[\"'](?P<name>[\w./-]{1,200})[\"']"),
    ("element", r"<[a-zA-Z][^<>]{0,500}?\sid\s*=\s*[\"'](?P<name>[\w:.-]{1,200})[\"']"),
)
HTML: Final = replace(_HTML, comment_start=SLASHES)  # ``{{#items}}`` is code

RESOURCES: Final[tuple[Language, ...]] = (
    _format(
        "yaml",
        "YAML",
        "yaml yml",
        scan=yaml_keys,
        levels=2,
        data=True,
        filenames=".clang-format .clang-tidy CITATION.cff",
    ),
    _format(
        "toml",
        "TOML",
        "toml",
        parts={
            "table": Part("section", ("",)),
            "table_array_element": Part("section", ("",)),
            "pair": Part("key", ("",)),
        },
        filenames="Pipfile",
        grammar="toml",
    ),
    _format(
        "json",
        "JSON",
        "json json5 jsonc webmanifest",
        parts={"pair": Part("key", ("key",))},
        levels=2,
        data=True,
        filenames=".babelrc .eslintrc .prettierrc .swcrc",
        grammar="json",
    ),
    _format(
        "ini",
        "INI",
        "ini cfg conf cnf properties env editorconfig desktop service",
        ("section", r"^[ \t]*\[(?P<name>[^\]\n]+)\]"),
        filenames=".env .editorconfig .gitconfig .gitmodules .npmrc .flake8 .coveragerc .pylintrc",
    ),
    _format("sql", "SQL", "sql ddl", (_WORDS, _DECLARED), apart=True),
    _format(
        "proto",
        "Protocol Buffers",
        "proto",
        parts={
            "message": Part("message", ("",)),
            "service": Part("service", ("",)),
            "rpc": Part("rpc", ("",)),
            "enum": Part("schema", ("",)),
        },
        levels=3,
        apart=True,
        grammar="proto",
        pygments="protobuf",
    ),
    _format(
        "graphql",
        "GraphQL",
        "graphql graphqls gql",
        parts=_GRAPHQL
        | {
            "directive_definition": Part("schema", ("<name",)),
            "operation_definition": Part("operation", ("<name",)),
            "fragment_definition": Part("operation", ("<fragment_name",)),
        },
        apart=True,
        grammar="graphql",
    ),
    _format(
        "thrift",
        "Thrift",
        "thrift",
        (_WORDS, r"^[ \t]*(?P<word>struct|union|exception|service|enum)[ \t]+(?P<name>\w+)"),
        apart=True,
    ),
    _format(
        "prisma",
        "Prisma",
        "prisma",
        (_WORDS, r"^(?P<word>model|view|enum|type)[ \t]+(?P<name>\w+)"),
        apart=True,
        pygments="text",
    ),
    HTML,
    _format("css", "CSS", "css", parts=_CSS, grammar="css"),
    _format("scss", "SCSS", "scss less", parts=_SCSS, levels=2, grammar="scss"),
    _format(
        "dockerfile",
        "Dockerfile",
        "dockerfile containerfile",
        ("stage", r"^FROM[ \t]+(?:--\S+[ \t]+)*\S+[ \t]+[aA][sS][ \t]+(?P<name>\S+)"),
        ("stage", r"^FROM[ \t]+(?:--\S+[ \t]+)*(?P<name>\S+)[ \t]*(?:#.*)?\r?$"),
        filenames="Dockerfile Containerfile",
        pygments="docker",
    ),
    _format(
        "make",
        "Makefile",
        "mk mak",
        (
            "target",
            r"^(?P<name>(?!\.[A-Z])[\w./%$(){}-][^\s:=#]{0,200}(?:[ \t]+[^\s:=#]{1,200}){0,20})"
            r"[ \t]*::?(?![:=])",
        ),
        filenames="Makefile makefile GNUmakefile Makefile.am Makefile.in justfile Justfile",
    ),
    _format(
        "cmake",
        "CMake",
        "cmake",
        (
            "target",
            r"^[ \t]*(?i:add_executable|add_library|add_custom_target|function|macro)\s*\(\s*"
            r"(?P<name>[^\s()]{1,200})",
        ),
        filenames="CMakeLists.txt",
    ),
    _format(
        "hcl",
        "Terraform and HCL",
        "tf tfvars hcl nomad",
        parts={"block": Part("block", joint=".")},
        apart=True,
        grammar="hcl",
        pygments="terraform",
    ),
    _format(
        "groovy",
        "Groovy",
        "gradle groovy jenkinsfile",
        ("stage", r"^[ \t]*stage[ \t]*\([ \t]*[\"'](?P<name>[^\"'\n]{1,200})"),
        ("target", r"^[ \t]*(?:tasks?\.register|task)\b[ \t]*\(?[ \t]*[\"']?(?P<name>\w{1,200})"),
        filenames="Jenkinsfile",
    ),
    _format(
        "script",
        "other shell scripts",
        "fish ps1 psm1 bat cmd awk nu",
        ("routine", r"^[ \t]*function[ \t]+(?P<name>[\w:-]{1,200})"),
        ("routine", r"^:(?P<name>\w{1,200})[ \t]*\r?$"),
        pygments="text",
    ),
    _format("xml", "XML", "xml xsd wsdl csproj fsproj vbproj props targets xaml", data=True),
)
"""Formats with a name, in the order of the documentation."""
OTHER: Final = _format("other", "other text", "", data=True, pygments="text")
"""Text in UTF-8 whose format is not listed: it is divided into sections of lines."""
MARKDOWN = Language(
    name="markdown",
    title="Markdown",
    level="text",
    extensions=(".md", ".markdown", ".mdown", ".mdx"),
    pygments="markdown",
)
RST = Language(name="rst", title="reStructuredText", level="text", extensions=(".rst", ".rest"), pygments="rst")
TEXT = Language(
    name="text",
    title="plain text",
    level="text",
    extensions=(".txt", ".adoc", ".asciidoc", ".org"),
    filenames=("README", "CHANGELOG", "CHANGES", "NEWS", "HISTORY", "CONTRIBUTING", "AUTHORS", "TODO"),
)
DOCUMENTS = frozenset({MARKDOWN.name, RST.name, TEXT.name})
"""Names of the languages of texts that people read."""
