"""Reader of access paths and plain names that uses the `Shape` of a grammar.

An *access path* is a short text for an expression, such as ``self.pool.get()[0]``; see `types.FileFacts`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeexplore.languages.declarative.grammar_shape import MARKS, Shape, clean_name, step_to
from codeexplore.languages.extraction import MAX_PATH_STEPS, Expressions, PathReader

if TYPE_CHECKING:
    from tree_sitter import Node

QUALIFIED = re.compile(r"[^\W\d][\w$]*(?:(?:::|\.|\\)[^\W\d][\w$]*)*")


class ShapedPaths(PathReader):
    """Reader of access paths and plain names that uses the `Shape` of a grammar."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.expressions = Expressions(attributes={}, calls={}, literals=shape.literals)

    def _path(self, node: Node) -> str:
        shape = self.shape
        steps: list[str] = []
        current: Node | None = node
        while current is not None and len(steps) <= MAX_PATH_STEPS:
            kind = current.type
            if kind in shape.roots:
                return self.dotted(self.text(current)) + "".join(reversed(steps))
            if kind in shape.attributes or kind in shape.methods:
                called = kind in shape.methods
                object_step, name_step = shape.methods[kind] if called else shape.attributes[kind]
                name, inner = step_to(current, name_step), step_to(current, object_step)
                if name is None:
                    return ""
                written = self.dotted(self.text(name)) + ("()" if called else "")
                if inner is None:
                    return written + "".join(reversed(steps))
                steps.append("." + written)
                current = inner
            elif kind in shape.calls:
                steps.append("()")
                current = step_to(current, shape.calls[kind])
            elif kind in shape.news:
                made = step_to(current, shape.news[kind])
                return f"{self.dotted(self.text(made))}()" + "".join(reversed(steps)) if made is not None else ""
            elif kind in shape.subscripts:
                steps.append("[]")
                current = step_to(current, shape.subscripts[kind])
            elif kind in shape.through:
                current = step_to(current, shape.through[kind])
            else:
                root = shape.literals.get(kind, "")
                return root + "".join(reversed(steps)) if root else ""
        return ""

    def plain_name(self, text: str) -> str:
        """Return `text`, a name as written, without marks that are not part of the name."""
        return clean_name(text)

    def dotted(self, text: str) -> str:
        """Return `text`, a qualified name as written, with dots between its parts and without type arguments."""
        if len(text) > 200:
            text = text[:200]
        name = self.plain_name(text)
        if "::" in text or "\\" in text:
            found = QUALIFIED.search(text.lstrip(MARKS))
            return found.group().replace("::", ".").replace("\\", ".") if found is not None else name
        return name
