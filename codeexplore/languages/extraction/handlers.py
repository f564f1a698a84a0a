"""Handlers that most languages share: for calls, reads of names, return values and bindings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeexplore.languages.extraction.expressions import SHORT_BYTES, PathReader
from codeexplore.languages.extraction.records import record
from codeexplore.types import Base, Binding, Export, Import, Reference, Return

if TYPE_CHECKING:
    from tree_sitter import Node


class CommonHandlers(PathReader):
    """Handlers that add the facts of a node to the lists of the current file."""

    imports: list[Import]
    exports: list[Export]
    bindings: list[Binding]
    returns: list[Return]
    references: list[Reference]
    bases: list[Base]
    consumed: set[int]  # first bytes of expressions that were recorded as part of an outer node

    def on_reference_call(self, scope: int, node: Node) -> None:
        """Add a call: the access path of its callee, and the access paths of its arguments."""
        callee = node.child_by_field_name(self.expressions.calls[node.type])
        if callee is not None:
            self.consumed.add(callee.start_byte)
            path = self.path_of(callee)
            if path:
                arguments = node.child_by_field_name("arguments")
                args = self.cached_arguments(arguments) if arguments is not None else ()
                self.references.append(record(Reference, (scope, "call", path, self.line_called(callee), args)))

    def line_called(self, callee: Node) -> int:
        """Return the line of the called name. In a chain over several lines, each call has its own line."""
        row = callee.start_point[0]
        if callee.end_point[0] != row:
            fields = self.expressions.attributes.get(callee.type)
            named = callee.child_by_field_name(fields[1]) if fields is not None else None
            row = named.start_point[0] if named is not None else row
        return row + 1

    def on_reference_read(self, scope: int, node: Node) -> None:
        """Add a name or attribute that is read as a value.

        Of a chain ``a.b.c`` only the whole chain is added, not its prefixes.
        """
        start = node.start_byte
        if start not in self.consumed:
            self.consumed.add(start)
            path = self.path_of(node)
            if path and path[0] != "%":
                self.references.append(record(Reference, (scope, "read", path, node.start_point[0] + 1, ())))

    def on_return(self, scope: int, node: Node) -> None:
        """Add a returned value. For a conditional expression, add the value of each branch."""
        for value in self.values_of(node):
            self.returns.append(Return(scope, value, "return"))

    def cached_arguments(self, node: Node) -> tuple[str, ...]:
        """Return the result of `arguments`. It is cached unless the text is long or the result contains a position."""
        start, end = node.byte_range
        written = self.data[start:end]
        args = self._arguments.get(written)
        if args is None:
            args = self.arguments(node)
            if end - start <= SHORT_BYTES and ":" not in "".join(args):
                self._arguments[written] = args
        return args

    def arguments(self, node: Node) -> tuple[str, ...]:
        """Return the access paths of a call's arguments, "" for an argument without one.

        Such arguments at the end are left out.
        """
        paths = [self.path_of(child) for child in node.named_children if child.type != "comment"]
        while paths and not paths[-1]:
            paths.pop()
        return tuple(paths)

    def bind(self, scope: int, name: str, manner: str, type_text: str, values: Sequence[str], line: int) -> None:
        """Add one binding for each value. Without values, add one binding that records only the name and its type."""
        for value in values or ("",):
            self.bindings.append(record(Binding, (scope, name, manner, type_text, value, line, 0)))
