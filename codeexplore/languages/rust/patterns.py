"""Names that Rust's patterns define, and the access paths of their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from codeexplore.languages.rust.paths import RustPaths

if TYPE_CHECKING:
    from tree_sitter import Node

_INSIDE = frozenset({
    "match_pattern", "mut_pattern", "ref_pattern", "reference_pattern", "parenthesized_pattern", "box_pattern",
    "or_pattern",
})  # fmt: skip
_SAME = frozenset({"Some", "Ok"})


class Bound(NamedTuple):
    """A name in a pattern, with the access path of its value; "" if the value is unknown."""

    name: Node
    value: str


class RustPatterns(RustPaths):
    """Reader of the patterns of ``let``, ``match``, ``for`` and parameters."""

    def bound(self, pattern: Node, value: str, *, refutable: bool) -> Iterator[Bound]:
        """Yield the names that `pattern` defines, left to right. `value` is the access path of the matched value.

        An element of a tuple has the path ``value[0]``, an element of a slice ``value[]``. The content of ``Some`` and
        ``Ok`` has the path of the value itself. A field of a struct has the path ``Type.field``, a field of a variant
        ``Enum.Variant.0``. If the pattern may fail (`refutable`), a capitalised name is a constant and defines nothing.
        """
        pending = [(pattern, value)]
        while pending:
            node, path = pending.pop()
            kind = node.type
            if kind in ("identifier", "shorthand_field_identifier", "self"):
                if not (refutable and self.data[node.start_byte : node.start_byte + 1].isupper()):
                    yield Bound(node, path)
            elif kind in _INSIDE:
                inner = [c for c in node.named_children if c.type != "mutable_specifier"]
                inner = inner[:1] if kind == "match_pattern" else inner  # the other children are its condition
                pending.extend((child, path) for child in reversed(inner))
            elif kind == "captured_pattern":
                pending.extend((child, path) for child in reversed(node.named_children))
            elif kind == "tuple_pattern":
                pending.extend(reversed(self._inside_tuple(node, path)))
            elif kind == "slice_pattern":
                inner_path = path + "[]" if path else ""
                pending.extend((child, inner_path) for child in reversed(node.named_children))
            elif kind in ("tuple_struct_pattern", "struct_pattern"):
                pending.extend(reversed(self._inside_type(node, path)))

    def _inside_tuple(self, node: Node, path: str) -> list[tuple[Node, str]]:
        """Return the items of a tuple pattern, each with its access path.

        Items after ``..`` have no known position, so their path is "".
        """
        found: list[tuple[Node, str]] = []
        counted = True
        for number, child in enumerate(_items(node)):
            counted = counted and child.type != "remaining_field_pattern"
            found.append((child, f"{path}[{number}]" if path and counted else ""))
        return found

    def _inside_type(self, node: Node, path: str) -> list[tuple[Node, str]]:
        kind = node.child_by_field_name("type")
        made = self.path_of(kind) if kind is not None else ""
        if node.type == "tuple_struct_pattern":
            items = _items(node)[1:]
            if made in _SAME:
                return [(item, path) for item in items[:1]]
            return [(item, f"{made}.{number}" if made and made != "Err" else "") for number, item in enumerate(items)]
        found: list[tuple[Node, str]] = []
        for child in node.named_children:
            name = child.child_by_field_name("name") if child.type == "field_pattern" else None
            if name is not None:
                inner = child.child_by_field_name("pattern") or name
                found.append((inner, f"{made}.{self.text(name)}" if made else ""))
        return found


def _items(node: Node) -> list[Node]:
    """Return the parts of the pattern `node`. A plain ``_`` is included, so that positions are correct."""
    return [child for child in node.children if (child.is_named or child.type == "_") and not child.is_extra]
