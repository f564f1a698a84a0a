"""Names for functions, classes and literals that get their name from the place where they are written.

In ``const f = () => {}``, ``{ key: function () {} }``, ``Foo.prototype.bar = …``, ``exports.x = …`` and ``field = () =>
{}`` the value gets the name of its target. The value of ``export default …`` is called ``default``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from codeexplore.languages.extraction import outside

FUNCTION_VALUES: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
NAMED_VALUES: Final = FUNCTION_VALUES | {"class"}
CASTS: Final = frozenset({"as_expression", "satisfies_expression", "non_null_expression", "type_assertion"})
SEE_THROUGH: Final = CASTS | {"parenthesized_expression"}
DEFAULT: Final = "default"

_GLOBALS = frozenset({"window", "globalThis", "global"})
_MAX_LITERALS = 8  # most nested object literals whose keys become part of a name
_PATH = re.compile(rb"[\w$#\x80-\xff]+(?:\.[\w$#\x80-\xff]+)*")
_MARKED = frozenset("\"'`[")
_QUOTED = re.compile(r"\"[^\"\\]+\"|'[^'\\]+'|`[^`\\$]+`")


@dataclass(frozen=True, slots=True)
class Place:
    """The target from which a value gets its name, such as a variable, a property or an export."""

    name: str
    named: Node | None  # the node that contains the name
    node: Node  # declarator, pair, assignment, field or export statement
    qualifier: str = ""  # names between the enclosing symbol's name and this name
    owner: str = ""  # the class to whose prototype the value is assigned
    is_method: bool = False


def unwrapped(node: Node) -> Node:
    """Return the expression `node` without the parentheses and casts around it."""
    while node.type in SEE_THROUGH and node.named_child_count:
        node = node.named_children[-1 if node.type == "type_assertion" else 0]
    return node


def wrapped_by(node: Node) -> Node | None:
    """Return the node around an expression and the parentheses and casts around it."""
    return outside(node.parent, SEE_THROUGH)


def key_text(node: Node, data: bytes) -> str:
    """Return the text of the property key `node`, without quotes. A computed key is in brackets."""
    text = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if text[:1] not in _MARKED:
        return text
    if text[0] == "[":
        inner = text[1:-1].strip()
        return inner[1:-1] if _QUOTED.fullmatch(inner) else " ".join(text.split())
    return text[1:-1]


def place_of(node: Node, data: bytes) -> Place | None:
    """Return the target that names a value; None if the value is passed to a call, called at once, or returned."""
    parent = wrapped_by(node)
    if parent is None:
        return None
    kind = parent.type
    if kind == "variable_declarator":
        name = parent.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            return Place(key_text(name, data), name, parent)
    elif kind == "pair":
        return literal_place(parent, data)
    elif kind == "assignment_expression":
        left = parent.child_by_field_name("left")
        return assigned_place(left, parent, data) if left is not None and left.end_byte <= node.start_byte else None
    elif kind in ("field_definition", "public_field_definition"):
        name = parent.child_by_field_name("property") or parent.child_by_field_name("name")
        if name is not None and name.end_byte <= node.start_byte:
            return Place(key_text(name, data), name, parent, is_method=True)
    elif kind == "export_statement":
        return Place(DEFAULT, None, parent)
    return None


def literal_place(node: Node, data: bytes) -> Place | None:
    """Return the target of a method or pair of an object literal: its key, qualified by the keys around the literal."""
    key = node.child_by_field_name("key" if node.type == "pair" else "name")
    if key is None:
        return None
    names: list[str] = []
    literal = node.parent
    for _ in range(_MAX_LITERALS):
        holder = wrapped_by(literal) if literal is not None else None
        if holder is None or holder.type != "pair":
            break
        outer = holder.child_by_field_name("key")
        names.append(key_text(outer, data) if outer is not None else "")
        literal = holder.parent
    else:
        holder = None
    around, owner, is_method = "", "", True
    if holder is not None and holder.type == "variable_declarator":
        name = holder.child_by_field_name("name")
        around = key_text(name, data) if name is not None and name.type == "identifier" else ""
    elif holder is not None and holder.type == "assignment_expression":
        left = holder.child_by_field_name("left")
        target = assigned_place(left, holder, data) if left is not None else None
        if target is not None:
            owner = target.qualifier if target.name == "prototype" else ""
            is_module = target.name == DEFAULT
            around = owner or ("" if is_module else ".".join(filter(None, (target.qualifier, target.name))))
            is_method = not is_module or bool(names)
    qualifier = ".".join(filter(None, (around, *reversed(names))))
    return Place(key_text(key, data), key, node, qualifier, owner if not names else "", is_method)


def assigned_place(left: Node, node: Node, data: bytes) -> Place | None:
    """Return the target that the left side of an assignment names; None if it has no constant name."""
    named = left.child_by_field_name("property") or left
    parts = target_parts(left, data)
    if not parts:
        return None
    exported = parts[0] == "exports" or parts[:2] == ["module", "exports"]
    if exported:
        parts = parts[1:] if parts[0] == "exports" else parts[2:]
        if not parts:
            return Place(DEFAULT, None, node)
    elif parts[0] in _GLOBALS and len(parts) > 1:
        parts, exported = parts[1:], True
    if len(parts) == 1:
        return Place(parts[0], named, node)
    if "prototype" in parts[1:-1]:
        owner = ".".join(parts[: parts.index("prototype")])
        return Place(parts[-1], named, node, owner, owner, is_method=True)
    qualifier = ".".join(parts[1:-1] if parts[0] == "this" else parts[:-1])
    return Place(parts[-1], named, node, qualifier, is_method=True)


def target_parts(left: Node, data: bytes) -> list[str]:
    """Return the names in the target of an assignment: a, b, c for ``a.b["c"]``; [] if a name is computed."""
    end = left.end_byte
    key = None
    if left.type == "subscript_expression":
        index, target = left.child_by_field_name("index"), left.child_by_field_name("object")
        if index is None or target is None or index.type != "string":
            return []
        key, end = key_text(index, data), target.end_byte
    found = _PATH.fullmatch(data, left.start_byte, end)
    if found is None:
        if key is not None or left.type != "member_expression":
            return []
        name = left.child_by_field_name("property")  # for f().x = … and a[i].x = …, use the last name
        return ["this", key_text(name, data)] if name is not None else []
    parts = found.group().decode("utf-8", "replace").split(".")
    return [*parts, key] if key is not None else parts
