"""Functions that read nodes of Go's syntax tree, without any state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import children_of
from codeexplore.languages.extraction.extractor import SIGNATURE_CHARS
from codeexplore.languages.extraction.leading_trivia import clean_comment

BUILTIN_TYPES = words(
    """
    any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint
    uint8 uint16 uint32 uint64 uintptr nil
    """
)
DECLARATIONS = frozenset({"type_declaration", "const_declaration", "var_declaration"})

_DIRECTIVE = re.compile(r"^//(?:go:|nolint|lint:|line |export |[ \t]*\+build ).*$\n?", re.MULTILINE)
_VERSION = re.compile(r"v\d+")
_HEAD_NODES = 200  # the package clause is searched among the first nodes of a file
_NESTED = 40


def doc_text(comments: Iterable[str]) -> str:
    """Return the text of `comments`, without comment markers and compiler directives."""
    return clean_comment(_DIRECTIVE.sub("", "\n".join(comments)))


def head(text: str, *, whole: bool = False) -> str:
    """Return `text`, a declaration, on one line: its first line only, or all of it if `whole` is True."""
    line = text if whole else text.partition("\n")[0]
    return " ".join(line[: 4 * SIGNATURE_CHARS].split()).rstrip("{").rstrip()[:SIGNATURE_CHARS]


def package(root: Node) -> tuple[Node | None, list[Node]]:
    """Return the node of the name in the package clause, None without one, and the comments directly above it."""
    above: list[Node] = []
    for index in range(min(root.named_child_count, _HEAD_NODES)):
        child = root.named_child(index)
        if above and above[-1].end_point[0] + 1 < child.start_point[0]:
            above = []
        if child.type == "package_clause":
            return (child.named_children[0] if child.named_child_count else None), above
        above.append(child)
    return None, []


def package_name(module: str) -> str:
    """Return the most likely package name of an import path: ``toml`` for ``x/go-toml/v2``, ``yaml`` for ``x/yaml.v3``.

    It is the last part that is no version, from behind ``go-`` to the first character that a name can't have. The
    exact name is in the package clause, which is known only if the package is in the repository.
    """
    parts = module.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    return re.split(r"\W", parts[-1].removeprefix("go-"))[0]


def bare_type(node: Node) -> Node:
    """Return the type `node` without pointers and parentheses."""
    while node.type in ("pointer_type", "parenthesized_type") and node.named_child_count:
        node = node.named_children[0]
    return node


def type_arguments(node: Node) -> list[Node]:
    """Return the nodes of the type arguments in the type `node`: ``T`` and ``U`` in ``*Queue[T, U]``."""
    elements = children_of(bare_type(node), "type_arguments")
    return [e.named_children[0] for e in elements if e.type == "type_elem" and e.named_child_count]


def specs(declaration: Node) -> Iterator[Node]:
    """Yield the single declarations in a ``const`` or ``var`` declaration, which may group them in parentheses."""
    for child in declaration.named_children:
        if child.type in ("const_spec", "var_spec"):
            yield child
        elif child.type == "var_spec_list":
            yield from (spec for spec in child.named_children if spec.type == "var_spec")


def elements(body: Node) -> Iterator[tuple[Node | None, Node]]:
    """Yield (key or None, value) of the items in the braces of a composite literal."""
    for child in body.named_children:
        if child.type == "keyed_element":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if value is not None and value.named_child_count:
                yield key, value.named_children[0]
        elif child.type == "literal_element" and child.named_child_count:
            yield None, child.named_children[0]


def first_argument(node: Node, name: str, data: bytes) -> tuple[Node | None, str]:
    """Return the first argument of a call of the function `name`, and `name`; (None, "") if `node` has no such call.

    In nested calls such as ``append(append(xs, a), b)``, the innermost call is used.
    """
    current: Node | None = node
    for _ in range(_NESTED):
        if current is None:
            break
        callee = current.child_by_field_name("function") if current.type == "call_expression" else None
        if callee is not None and callee.type == "identifier":
            arguments = current.child_by_field_name("arguments")
            written = data[callee.start_byte : callee.end_byte].decode("utf-8", "replace")
            if arguments is None or not arguments.named_child_count:
                break
            argument = arguments.named_children[0]
            inner = argument.child_by_field_name("function") if argument.type == "call_expression" else None
            if written != "append" or inner is None or inner.type != "identifier":
                return argument, written
            if data[inner.start_byte : inner.end_byte] not in (b"append", b"new", b"make"):
                return argument, written
            current = argument
            continue
        current = current.named_children[0] if current.named_child_count else None
    return None, name
