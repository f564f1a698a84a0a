"""Bash: language record and extractor.

Example: ``deploy() { build; }`` in ``deploy.sh`` becomes the function ``deploy.deploy``, with a call of ``build``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from codeexplore.languages.base import Wrapping, words
from codeexplore.languages.declared.extractor import SymbolsExtractor, declared
from codeexplore.languages.declared.grammar_shape import Shape, ShapedPaths
from codeexplore.languages.extraction.expressions import Definition
from codeexplore.types import Import, SymbolKind

SHAPE = Shape(
    wrappers=frozenset({"declaration_command"}),
    bodies={"variable_assignment": "value"},
    roots=frozenset({"word"}),
    calls={"command": "name"},
    through={"command_name": ""},
)
_BUILTINS = words(
    """
    [ : alias bg bind break builtin cat cd chmod command continue cp cut declare dirname echo enable env eval exec exit
    export false fc fg find getopts grep hash head help jobs kill let ln local logout ls mkdir mktemp mv popd printf
    pushd pwd read readonly return rm sed set shift shopt sleep sort source tail tee test time touch tr trap true type
    typeset ulimit umask unalias uniq unset wait wc xargs
    """
)
_TEST = re.compile(rb"^[ \t]*(@test[ \t]+)(\"[^\"\n]*\"|'[^'\n]*')(?=[ \t]*\{[ \t]*\r?$)", re.MULTILINE)


def _wrappings(_root: Node, data: bytes) -> list[Wrapping]:
    """Return replacements for ``@test "name" {`` of the test tool bats, which the grammar cannot parse.

    The parser gets a function instead. Its name has the same length as the quoted text.
    """
    found = []
    for test in _TEST.finditer(data):
        end = test.end()
        opening = b" " * (test.end(1) - test.start(1)) + b"t" * (end - test.start(2) - 2) + b"()"
        found.append(Wrapping(test.start(1), end, end, end, opening))
    return found


_SOURCES = frozenset({"source", ".", "load", "bats_load_library"})
_RUNNERS = frozenset({"run", "command", "exec", "sudo", "time", "nohup", "trap", "builtin"})
_NAME = re.compile(r"[^\W\d][\w:.-]*")


class BashPaths(ShapedPaths):
    def dotted(self, text: str) -> str:
        """Return the text unchanged, because ``a::b`` is one name in Bash."""
        return text


class BashExtractor(SymbolsExtractor):
    reader = BashPaths

    def definition_name(self, kind: SymbolKind, node: Node) -> str:
        name = self.name_node(kind, node)
        if name is None:
            return ""
        text = self.text(name)
        if text[:1] in ("'", '"'):
            end = self.data.find(b"\n", name.start_byte)
            line = self.data[name.start_byte : end if end >= 0 else None].decode("utf-8", "replace")
            closing = line.find(text[0], 1)
            return line[1:closing] if closing > 0 else text.strip("\"'")
        return text

    def signature(self, definition: Definition) -> str:
        node = definition.node
        if self.data[node.start_byte : node.start_byte + 1] not in (b'"', b"'"):
            return super().signature(definition)
        start = self.data.rfind(b"\n", 0, node.start_byte) + 1
        return self.data[start : node.start_byte].decode("utf-8", "replace").strip() + f' "{definition.name}"'

    def call(self, scope: int, path: str, node: Node, line: int = 0) -> None:
        """Add a command as a call; for ``source file`` the import of the file, for ``run name`` a call of ``name``."""
        if path not in _SOURCES and path not in _RUNNERS:
            if path not in _BUILTINS and _NAME.fullmatch(path):
                super().call(scope, path, node, line)
            return
        argument = node.child_by_field_name("argument")
        if argument is None:
            return
        text = self.text(argument).strip("\"'")
        if path in _SOURCES:
            self.imports.append(Import(scope, "*", text, "*", node.start_point[0] + 1))
        elif _NAME.fullmatch(text):
            super().call(scope, text, node)


_FIRST = (
    r"(?:^(?<!\\\n)|(?<![^\s$])\(|&(?=[ \t])|[;|{!]"
    r"|(?<![\w.-])(?:then|do|else|elif|if|while|until|eval|exec|command|type)\b)[ \t]*"
)
"""Place before the first word of a command, but before no item of a list, continued line or redirection."""
_EXPANSION = r"\$(?:\d|[A-Za-z_]\w*(?!\w)|\{[^{}\n]*\}|\([^()\n]{0,200}\))"
_BUILT = re.compile(
    rf"{_FIRST}((?:[\w:.\"-]|{_EXPANSION})*{_EXPANSION}[\w:.\"-]*)(?=[\s;&|)]|\Z)"
    r"|(?<![\w${-])([A-Za-z_]\w*_)\$(?:\{[^{}\n]*\}|\w+)(\w*)|\$(?:\{[^{}\n]*\}|\([^\n]{0,200}\))(_\w{2,})",
    re.MULTILINE,
)
_MOST_EXPANSIONS = 4
_ARGUMENT = r"[ \t]+(?:[\"'$\w/.]|-(?!(?:eq|ne|gt|ge|lt|le)\b))"
_COMPUTED = re.compile(
    rf"{_FIRST}(?:(?:\"\$(?:[1-9]|\{{[1-9@](?::\d+)?\}})\"|\"?\$[@*]\"?)(?=[ \t]*(?:[;&|)\n]|\Z)|{_ARGUMENT})"
    rf"|\"\$(?:[a-z]\w*|\{{[a-z]\w*\}})\"{_ARGUMENT})",
    re.MULTILINE,
)
"""Parameter or variable that is a command: ``"$@"``, ``"$action" "$1"``. Capitals are left out, which mean programs."""


def _built_names(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (position, beginning, end) of the names that are made: ``"cmd_$1:run"``, ``f=do_${1}_now``."""
    for found in _BUILT.finditer(text):
        word = re.sub(r"\*+", "*", re.sub(_EXPANSION, "*", (found[1] or "").replace('"', "")))
        start, _, end = word.partition("*")
        if found[1] is None:
            yield found.start(), found[2] or "", found[3] or found[4] or ""
        elif word != "*" and word.count("*") <= _MOST_EXPANSIONS:
            yield found.start(), start, end


BASH = replace(
    declared("bash", "Bash", lambda: BashExtractor(SHAPE)),
    extensions=(".sh", ".bash", ".bats", ".zsh", ".ksh"),
    filenames=(".bashrc", ".bash_profile", ".zshrc", ".profile"),
    interpreters=("sh", "bash", "zsh", "dash", "ksh", "bats", "ash"),
    wrappings=_wrappings,
    test_files=re.compile(r".+_test\.(?:sh|bash)|.+\.bats"),
    implicit_members=re.compile(
        r"PATH|CDPATH|IFS|PS[0-4]|PROMPT_COMMAND|HIST\w+|COMP_?\w+|OPT(?:IND|ERR)|REPLY|TIMEFORMAT|LANG|LC_\w+|LD_\w+"
    ),
    called_signatures=re.compile(r"^(?:export|(?:declare|typeset|local)\s+-\w*x)\b"),
    called_because="{} is exported, and programs that the script starts may read it",
    built_names=_built_names,
    computed_names=_COMPUTED,
)
