"""Language record and grammar shape of Bash."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, Wrapping
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor

SHAPE = Shape(
    wrappers=frozenset({"declaration_command"}),
    bodies={"variable_assignment": "value"},
    roots=frozenset({"word"}),
    calls={"command": "name"},
    through={"command_name": ""},
)  # fmt: skip


def _extractor() -> Extractor:
    from codeexplore.languages.bash.extractor import BashExtractor

    return BashExtractor(SHAPE, BUILTINS)


BUILTINS = frozenset({
    "[", ":", "alias", "bg", "bind", "break", "builtin", "cat", "cd", "chmod", "command", "continue", "cp", "cut",
    "declare", "dirname", "echo", "enable", "env", "eval", "exec", "exit", "export", "false", "fc", "fg", "find",
    "getopts", "grep", "hash", "head", "help", "jobs", "kill", "let", "ln", "local", "logout", "ls", "mkdir",
    "mktemp", "mv", "popd", "printf", "pushd", "pwd", "read", "readonly", "return", "rm", "sed", "set", "shift",
    "shopt", "sleep", "sort", "source", "tail", "tee", "test", "time", "touch", "tr", "trap", "true", "type",
    "typeset", "ulimit", "umask", "unalias", "uniq", "unset", "wait", "wc", "xargs",
})  # fmt: skip

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


BASH = Language(
    name="bash",
    title="Bash",
    level="symbols",
    extensions=(".sh", ".bash", ".bats", ".zsh", ".ksh"),
    filenames=(".bashrc", ".bash_profile", ".zshrc", ".profile"),
    interpreters=("sh", "bash", "zsh", "dash", "ksh", "bats", "ash"),
    grammar="bash",
    pygments="bash",
    wrappings=_wrappings,
    folder=Path(__file__).parent,
    extractor=_extractor,
)
