"""Facts in the definitions of Rust's types and functions, and in impl blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from codeexplore.languages.base import words
from codeexplore.languages.extraction.expressions import children_of
from codeexplore.languages.extraction.extractor import Part
from codeexplore.languages.rust.paths import RustPaths
from codeexplore.languages.rust.values import RustValues
from codeexplore.types import Base, Return

_STANDARD_DERIVES = words("Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd")


_PARAMETERS = frozenset({"type_parameter", "const_parameter"})
_INDIRECT = frozenset({"reference_type", "pointer_type"})
_MARKERS = frozenset({"Sized", "Send", "Sync", "Unpin", "Copy", "Clone", "Debug"})


def _bounded(name: str, bounds: tuple[tuple[str, str], ...]) -> list[str]:
    """Return the traits that bound the type parameter `name`, without those that nearly every type has."""
    texts = [part.strip() for parameter, bound in bounds if parameter == name for part in bound.split("+")]
    paths = [text.partition("<")[0].replace("::", ".").strip() for text in texts if text[:1] not in ("?", "'", "")]
    return [path for path in paths if path.rpartition(".")[2] not in _MARKERS and path.replace(".", "").isidentifier()]


class Impl(NamedTuple):
    """An impl block: its type, its trait ("" for none), and the bounds of its type parameters."""

    type: str
    trait: str
    bounds: tuple[tuple[str, str], ...]


class Parameter(NamedTuple):
    """A parameter: its pattern, and its type as written."""

    pattern: Node
    type: str


class RustTypes(Part):
    """Reader of the facts in the definitions of types and functions."""

    paths: RustPaths

    def __init__(self, extractor: RustValues) -> None:
        super().__init__(extractor)
        self._values = extractor
        self._generic: dict[str, tuple[int, list[str]]] = {}  # generic type of the file → scope, names of parameters

    def begin(self) -> None:
        """Start with the next file."""
        self._generic.clear()

    def impl_of(self, node: Node) -> Impl:
        """Return a record of the head of the impl block `node`."""
        kind, bounds = node.child_by_field_name("type"), tuple(self._bounds(node))
        path = self.path_of(kind) or self.paths.type_text(kind)
        every = _bounded(path, bounds) if kind is not None and kind.type not in _INDIRECT else ()
        return Impl(next(iter(every), path), self.path_of(node.child_by_field_name("trait")), bounds)

    def _bounds(self, node: Node) -> Iterator[tuple[str, str]]:
        """Yield (type parameter, bound) for each bound in `node`, including the bounds after ``where``."""
        for parameter in children_of(node, "type_parameters"):
            if parameter.type == "type_parameter":
                name, bound = parameter.child_by_field_name("name"), parameter.child_by_field_name("bounds")
                if name is not None:
                    yield self.text(name), self._bound_text(bound)
        for child in node.named_children:
            if child.type == "where_clause":
                for predicate in child.named_children:
                    name, bound = predicate.child_by_field_name("left"), predicate.child_by_field_name("bounds")
                    if name is not None and name.type == "type_identifier" and self.text(name) != "Self":
                        yield self.text(name), self._bound_text(bound)

    def _bound_text(self, bound: Node | None) -> str:
        return self.paths.type_text(bound).lstrip(": ")

    def _bind_bounds(self, scope: int, bounds: Iterable[tuple[str, str]], line: int) -> None:
        for name, bound in bounds:
            self._values.type_parameters.add(name)
            self.bind(scope, name, "type", bound, (), line)

    def on_base(self, scope: int, node: Node) -> None:
        """Add the supertype that ``impl Trait for Type`` declares, and the associated types in the block."""
        kind, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
        path = self.path_of(kind) or self.paths.type_text(kind)
        for named in (kind, trait):
            if named is not None:
                self._values.consume_type(named)
        if not path:
            return
        if kind is not None and (arguments := kind.child_by_field_name("type_arguments")) is not None:
            self._bind_arguments(path, arguments, tuple(self._bounds(node)))
        if supertype := self.path_of(trait):
            impl = self.impl_of(node)  # impl<T: Read> ReadExt for T: all that can be read, but &T is no T
            apart = kind is not None and kind.type in _INDIRECT and path in dict(impl.bounds)
            subtype = self.text(kind) if apart else impl.type
            self.bases.append(Base(scope, supertype, "implements", node.start_point[0] + 1, subtype))
        for item in children_of(node, "body") if trait is not None else ():
            if item.type == "type_item":
                name, target = item.child_by_field_name("name"), item.child_by_field_name("type")
                if name is not None and target is not None:
                    self._values.consumed.add(name.start_byte)
                    value, declared = self.path_of(target), self.paths.type_text(target)
                    self.bind(scope, f"{path}.{self.text(name)}", "type", declared, (value,), item.start_point[0] + 1)

    def _bind_arguments(self, path: str, arguments: Node, bounds: tuple[tuple[str, str], ...]) -> None:
        """Give the parameters of a type the bounds that an impl block gives its arguments: fields may have them."""
        scope, names = self._generic.get(path, (-1, []))
        given = [self.text(child) for child in arguments.named_children if child.type != "lifetime"]
        for name, argument in zip(names, given, strict=False):
            for bounded, bound in bounds:
                if bounded == argument:
                    self.bind(scope, name, "type", bound, (), arguments.start_point[0] + 1)

    # ----------------------------------------------------------------- functions

    def function_facts(self, scope: int, node: Node, owner: Impl | None) -> None:
        """Add the facts of a function: receiver, parameters, bounds, declared result and last expression."""
        line = node.start_point[0] + 1
        parameters = node.child_by_field_name("parameters")
        listed = list(self._parameters(parameters)) if parameters is not None else []
        receiver = next((p for p in listed if p.pattern.type in ("self", "self_parameter")), None)
        if owner is not None:
            self.bind(scope, "self" if receiver else "", "receiver", owner.type, (owner.trait,), line)
            self._bind_bounds(scope, owner.bounds, line)
            if receiver and owner.type in dict(owner.bounds):  # impl<T: Read> Read for &T
                self.bind(scope, "self", "variable", owner.type, (), line)
        self._bind_bounds(scope, self._bounds(node), line)
        self._bind_parameters(scope, [p for p in listed if p is not receiver])
        returned, body = node.child_by_field_name("return_type"), node.child_by_field_name("body")
        if returned is not None:
            self.returns.append(Return(scope, self.paths.type_text(returned), "type"))
        if body is not None and (returned is not None or node.type == "closure_expression"):
            self._values.tails.append((scope, body))

    def _parameters(self, node: Node) -> Iterator[Parameter]:
        for child in node.children:
            if child.type == "parameter":
                pattern, kind = child.child_by_field_name("pattern"), child.child_by_field_name("type")
                if pattern is not None:
                    yield Parameter(pattern, self.paths.type_text(kind))
            elif (child.is_named or child.type == "_") and not child.is_extra and child.type != "attribute_item":
                yield Parameter(child, "")

    def _bind_parameters(self, scope: int, parameters: list[Parameter]) -> None:
        """Add the parameters by position. One with a pattern is ``_POSITION``, and binds the names in it."""
        for position, (pattern, type_text) in enumerate(parameters):
            line = pattern.start_point[0] + 1
            while pattern.type in ("reference_pattern", "mut_pattern") and pattern.named_child_count:
                pattern = pattern.named_children[-1]  # noqa: PLW2901 - &x and mut x are x
            if pattern.type == "identifier":
                self.bind(scope, self.text(pattern), "parameter", type_text, (), line)
            elif pattern.type != "variadic_parameter":
                name = f"_{position}"
                self.bind(scope, name, "parameter", type_text, (), line)
                if pattern.type != "_":
                    self._values.patterns.append((scope, pattern, name))

    # ----------------------------------------------------------------- types

    def type_facts(self, scope: int, node: Node, name: str) -> None:
        """Add the facts of a type: fields, variants, supertraits and bounds."""
        kind, body, line = node.type, node.child_by_field_name("body"), node.start_point[0] + 1
        self._bind_bounds(scope, self._bounds(node), line)
        if (parameters := node.child_by_field_name("type_parameters")) is not None and kind != "trait_item":
            listed = [child for child in parameters.named_children if child.type in _PARAMETERS]
            names = [child.child_by_field_name("name") for child in listed]
            self._generic[name] = scope, [self.text(child) for child in names if child is not None]
        if kind == "trait_item":
            for bound in children_of(node, "bounds"):
                if path := self.path_of(bound):
                    self.bases.append(Base(scope, path, "extends", line))
            for item in children_of(body):
                if item.type == "associated_type":
                    self._associated(scope, item)
        elif kind == "enum_item":
            for variant in children_of(body):
                named = variant.child_by_field_name("name") if variant.type == "enum_variant" else None
                if named is not None:
                    variant_name = self.text(named)
                    self.bind(scope, variant_name, "field", name, (), variant.start_point[0] + 1)
                    self._fields(scope, variant.child_by_field_name("body"), variant_name + ".")
        else:
            self._fields(scope, body, "")

    def _associated(self, scope: int, item: Node) -> None:
        named, bound = item.child_by_field_name("name"), item.child_by_field_name("bounds")
        if named is not None:
            self._values.consumed.add(named.start_byte)
            self.bind(scope, self.text(named), "type", self._bound_text(bound), (), item.start_point[0] + 1)

    def _fields(self, scope: int, body: Node | None, prefix: str) -> None:
        if body is None:
            return
        if body.type == "ordered_field_declaration_list":
            for number, kind in enumerate(body.children_by_field_name("type")):
                self.bind(scope, f"{prefix}{number}", "field", self.paths.type_text(kind), (), kind.start_point[0] + 1)
            return
        for field in body.named_children:
            name, declared = field.child_by_field_name("name"), field.child_by_field_name("type")
            if name is not None and declared is not None:
                shown = prefix + self.text(name).removeprefix("r#")
                self.bind(scope, shown, "field", self.paths.type_text(declared), (), field.start_point[0] + 1)

    def derives(self, scope: int, names: tuple[str, ...], line: int) -> None:
        """Add derived traits as supertypes. Traits of the standard library are left out."""
        for name in names:
            if name.rpartition(".")[2] not in _STANDARD_DERIVES:
                self.bases.append(Base(scope, name, "implements", line))
