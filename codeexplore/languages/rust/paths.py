"""Access paths of Rust's expressions, types and patterns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tree_sitter import Node

from codeexplore.languages.base import table, words
from codeexplore.languages.extraction.expressions import (
    Expressions,
    PathReader,
    children_of,
    is_traceable,
    line_col,
    walk,
)

WRAPPERS = words(
    """
    Some Ok Box.new Box.pin Rc.new Rc.clone Arc.new Arc.clone Pin.new Cell.new RefCell.new Mutex.new RwLock.new
    Cow.Borrowed Cow.Owned Pin.new_unchecked Pin.get_mut Pin.into_inner Arc.from Rc.from Box.from Arc.downgrade
    Rc.downgrade Arc.make_mut Arc.get_mut Rc.get_mut Box.leak ManuallyDrop.new MaybeUninit.new UnsafeCell.new
    NonNull.from AssertUnwindSafe mem.take mem.replace std.mem.take std.mem.replace OnceCell.from
    """
)
"""Calls that return their argument in a wrapper. ``Ok(x)`` and ``Arc::new(x)`` have the access path of ``x``."""

_NESTED = 12  # most nested wrappers that are removed
_MANY = 8  # most items that are examined to decide if a literal contains more than plain data
_TYPE_CHARS = 300  # most characters of a type
_NAMED_VALUES = words(
    """
    identifier scoped_identifier field_expression closure_expression call_expression struct_expression
    reference_expression self generic_function
    """
)
_NO_VALUE = words("let_declaration empty_statement use_declaration attribute_item inner_attribute_item")

_INSIDE = words("match_pattern mut_pattern ref_pattern reference_pattern parenthesized_pattern box_pattern or_pattern")
_SAME = frozenset({"Some", "Ok"})


class RustPaths(PathReader):
    """Reader of access paths, texts and patterns from the nodes of a Rust syntax tree."""

    type_parameters: Collection[str] = ()  # those of the file
    expressions = Expressions(
        attributes={
            "field_expression": ("value", "field"),
            "scoped_identifier": ("path", "name"),
            "scoped_type_identifier": ("path", "name"),
        },
        calls={"call_expression": "function"},
        subscripts={"index_expression": ""},
        roots=frozenset({"identifier", "type_identifier", "self", "super", "crate", "shorthand_field_identifier"}),
        transparent=frozenset({"parenthesized_expression", "await_expression", "try_expression", "bracketed_type"}),
        through=table(
            {
                "value": "reference_expression",
                "function": "generic_function",
                "type": "generic_type generic_type_with_turbofish qualified_type reference_type pointer_type",
                "trait": "dynamic_type abstract_type",
                "": "bounded_type",
            }
        ),
        prefixes={"unary_expression": {"*": ""}},
        literals=table(
            {
                "%str": "string_literal raw_string_literal char_literal",
                "%num": "integer_literal float_literal",
                "%bool": "boolean_literal",
            }
        ),
        words={"true": "%bool", "false": "%bool", "None": ""},
        functions=frozenset({"closure_expression"}),
        branches={
            **dict.fromkeys(words("block else_clause match_expression unsafe_block async_block try_block"), ()),
            **dict.fromkeys(("expression_statement", "const_block"), ()),
            "if_expression": ("consequence", "alternative"),
        },
    )

    def branches_of(self, node: Node, fields: Sequence[str]) -> list[Node]:
        """Return the last expression of a block, or the values of the arms of a ``match``."""
        kind = node.type
        if fields:
            return super().branches_of(node, fields)
        if kind == "match_expression":
            values = [arm.child_by_field_name("value") for arm in children_of(node, "body") if arm.type == "match_arm"]
            return [value for value in values if value is not None]
        last = next((child for child in reversed(node.named_children) if not child.is_extra), None)
        if last is None or last.type in _NO_VALUE or (kind == "expression_statement" and node.children[-1].type == ";"):
            return []
        return [last]

    # ----------------------------------------------------------------- paths

    def _path(self, node: Node) -> str:
        path, rest = self._through_trait(node) or super()._path(node), ""
        for _ in range(_NESTED):
            root, called, steps = path.partition("()")
            if root == "Err" and called:
                return ""  # no use of the result
            if not called or root not in WRAPPERS:
                break
            argument = _first_argument(node)
            if argument is None:
                return ""
            node, rest = argument, steps + rest
            path = super()._path(node)
        path = path + rest if path else ""
        return path.replace("r#", "") if "r#" in path else path

    def _through_trait(self, node: Node) -> str:
        """Return ``Trait.f`` for ``<T as Trait>::f`` if T is a type parameter or ``Self``, else ``T.f@Trait``."""
        inner = node.child_by_field_name("path") if node.type == "scoped_identifier" else None
        named = inner.named_children[0] if inner is not None and inner.type == "bracketed_type" else None
        if named is None or named.type != "qualified_type":
            return ""
        kind, trait, name = (
            part.child_by_field_name(field) for part, field in ((named, "type"), (named, "alias"), (node, "name"))
        )
        if kind is None or trait is None or name is None:
            return ""
        root, through = self.text(kind).partition("::")[0], self.path_of(trait)
        if root in self.type_parameters or root == "Self":
            return f"{through}.{self.text(name)}"
        path = self.path_of(kind)
        return f"{path}.{self.text(name)}@{through.rpartition('.')[2]}" if path and through else ""

    def root_of(self, node: Node) -> str:
        """Return the root for a struct literal, a macro with a known result, a tuple or an array."""
        kind = node.type
        if kind == "struct_expression":
            path = self.path_of(node.child_by_field_name("name"))
            return f"{path}()" if path else ""
        if kind == "macro_invocation":
            return {"vec": "%list", "format": "%str"}.get(self.text(node.child_by_field_name("macro")), "")
        if kind in ("tuple_expression", "array_expression"):
            root = "%tuple" if kind == "tuple_expression" else "%list"
            return f"{root}:{line_col(node)}" if contains_names(node) else root
        return super().root_of(node)

    def type_text(self, node: Node | None) -> str:
        """Return a type as written; "" for a pointer to a type of the language, which has not the methods of that."""
        inner = node.child_by_field_name("type") if node is not None and node.type == "pointer_type" else None
        if inner is not None and inner.type == "primitive_type":
            return ""
        return " ".join(self.text(node).split())[:_TYPE_CHARS]

    def initializers(self, fields: Sequence[Node]) -> Iterator[str]:
        """Yield ``field=path`` for the fields of a struct literal without plain data, ``*path`` for ``..base``."""
        for child in fields:
            if child.type == "shorthand_field_initializer":
                name = self.text(child.named_children[-1])
                yield f"{name}={name}"
            elif child.type == "field_initializer":
                field, path = child.child_by_field_name("field"), self.path_of(child.child_by_field_name("value"))
                if field is not None and is_traceable(path):
                    yield f"{self.text(field)}={path}"
            elif child.type == "base_field_initializer" and child.named_child_count:
                path = self.path_of(child.named_children[0])
                if path:
                    yield "*" + path

    # ----------------------------------------------------------------- patterns of let, match, for and parameters

    def bound(self, pattern: Node, value: str, *, refutable: bool) -> Iterator[tuple[Node, str]]:
        """Yield (name, access path) of each name that `pattern` defines, given the path of the matched value or "".

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
                    yield node, path
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
        """Return the items of a tuple pattern with their paths. Items after ``..`` have no known position."""
        found: list[tuple[Node, str]] = []
        counted = True
        for number, child in enumerate(_items(node)):
            counted = counted and child.type != "remaining_field_pattern"
            found.append((child, f"{path}[{number}]" if path and counted else ""))
        return found

    def _inside_type(self, node: Node, path: str) -> list[tuple[Node, str]]:
        made = self.path_of(node.child_by_field_name("type"))
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


def contains_names(node: Node) -> bool:
    """Return True if one of the first items of a tuple or array literal is not plain data."""
    return any(child.type in _NAMED_VALUES for child in node.named_children[:_MANY])


def _first_argument(node: Node) -> Node | None:
    """Return the first argument of the call with which the expression `node` begins."""
    current: Node | None = node
    while current is not None:
        if current.type == "call_expression":
            callee = current.child_by_field_name("function")
            if callee is not None and callee.type in ("identifier", "scoped_identifier"):
                return walk(current, "arguments", "")
            current = callee
        elif current.type == "generic_function":  # Box::<T>::new
            return None
        else:
            current = current.child_by_field_name("value") or next(iter(current.named_children), None)
    return None
