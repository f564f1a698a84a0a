"""The `Shape` of a grammar: the node types and fields in which it stores names, bodies, receivers and callees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from codeexplore.languages.extraction.expressions import Expressions, PathReader, step_to

Steps = tuple[str, ...]
MARKS = ".?!:&$\\ \t\r\n"
"""Characters that may surround a name without being part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(Expressions):
    """Node types and fields of a grammar that contain names, beside those of expressions.

    A *step* is a text that selects a node, given another node; see `extraction.step_to`. Several steps are followed one
    after the other: each starts at the node that the previous step selected.
    """

    separator: str = "."
    member_separator: str = ""  # between a type and its members, if that differs
    global_names: bool = False  # True if qualified names do not contain the file
    packages: frozenset[str] = frozenset()  # node types that name the package of a file
    names: Mapping[str, Steps] = field(default_factory=dict)  # node type → steps to the name; else the field "name"
    bodies: Mapping[str, str] = field(default_factory=dict)  # node type → step to the body; else the field "body"
    wrappers: frozenset[str] = frozenset()  # node types around a definition that belong to it
    anonymous: frozenset[str] = frozenset()  # node types of types without a name
    computed: Mapping[str, Steps] = field(default_factory=dict)
    """Node type of a field → steps; if one finds a node, the field is a method."""
    annotations: frozenset[str] = frozenset()  # node types of annotations in a definition, and of their containers
    extended: Mapping[str, Steps] = field(default_factory=dict)  # @_extension's node type → steps to the type's name
    receivers: Mapping[str, str] = field(default_factory=dict)  # function's node type → step to the type it extends
    methods_in_modules: bool = False  # True if functions inside a module that a file declares are methods
    endings: str = ""  # marks that are part of a name at its end
    clauses: bool = False  # True if consecutive definitions of one name are one symbol
    news: Mapping[str, str] = field(default_factory=dict)  # new T(): node type → step to T
    unevaluated: str = ""  # function that names its arguments and does not run them: ``nameof``
    operators: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    """Node type → step to the operand whose methods are called, and operator → these methods; "" for any operator."""
    casts: Mapping[str, str] = field(default_factory=dict)  # node type → step to the type that its value has
    literal_receivers: bool = False  # True if functions of the repository may be called as methods of literals
    parameters: Mapping[str, Steps] = field(default_factory=dict)  # definition's node type → steps to its parameters
    parameter: Mapping[str, tuple[Steps, Steps]] = field(default_factory=dict)
    """A parameter's node type → steps to its name and to its type."""
    variadic: frozenset[str] = frozenset()  # node types of parameters that take the remaining arguments
    declared: Mapping[str, tuple[Steps, Steps, Steps]] = field(default_factory=dict)
    """Node type of a variable's or field's declaration → steps to its name, to its type and to its value."""
    elements: Mapping[str, tuple[Steps, Steps, Steps]] = field(default_factory=dict)
    """A loop's node type → steps to the variable, to its type and to the iterated value."""
    closures: Mapping[str, str] = field(default_factory=dict)  # closure's node type → type of its list of parameters
    tuples: frozenset[str] = frozenset()  # node types of patterns that bind the parts of a value by their places
    implicit: tuple[str, ...] = ()  # parameters of a closure without a list of them
    blocks: Mapping[str, str] = field(default_factory=dict)
    """Node type that contains all uses of names declared in it → type of the child at which they end; "" for none."""
    results: Mapping[str, Steps] = field(default_factory=dict)  # definition's node type → steps to its result's type
    arguments: Mapping[str, Steps] = field(default_factory=dict)  # call's node type → steps to its arguments
    argument: frozenset[str] = frozenset()  # node types around an argument's value; a name may precede it
    type_words: frozenset[str] = frozenset()  # words before a type that are not part of it
    untyped: frozenset[str] = frozenset({"var", "auto", "let", "mixed"})  # placeholders without a type
    read_signature: re.Pattern[str] | None = None  # matches signatures of methods that are called by reading them
    imports: re.Pattern[str] | None = None
    """Matches the text of an import. Groups: `module`, and optionally `alias`, `names` (in braces) and `star`."""
    import_members: bool = False  # True if the last part of an imported name is a member, not a module


def clean_name(text: str) -> str:
    """Return `text`, a name as written, without marks before the name and type arguments or parentheses after it.

    A name in backticks is all of the text between them: ``fun `adds two`()``.
    """
    text = text.strip(MARKS)
    if text.isidentifier():
        return text
    if text.startswith("`") and (quoted := text[1:].partition("`")[0]):
        return quoted
    for mark in "<([ \n\t{":
        position = text.find(mark, 1)
        if position > 0 and (text[0].isalpha() or text[0] in "_@$"):
            text = text[:position]
    return text.strip("`")


_HOLDING = frozenset({"parenthesized_expression", "await_expression"})
QUALIFIED = re.compile(r"[^\W\d][\w$]*(?:(?:::|\.|\\)[^\W\d][\w$]*)*")


class ShapedPaths(PathReader):
    """Reader of access paths and plain names that uses the `Shape` of a grammar."""

    def __init__(self, shape: Shape) -> None:
        self.expressions = self.shape = shape
        super().__init__()
        self.holding = _HOLDING | shape.branches.keys()

    def root_of(self, node: Node) -> str:
        kind, shape = node.type, self.shape
        if kind in shape.news:
            made = step_to(node, shape.news[kind])
            return f"{self.dotted(self.text(made))}()" if made is not None else ""
        if kind in shape.casts:
            name = self.dotted(self.text(step_to(node, shape.casts[kind])))
            return f"%type({name})" if name.replace(".", "").isidentifier() else ""
        return super().root_of(node)

    def root_name(self, node: Node | None) -> str:
        return self.dotted(self.text(node))

    member_name = root_name

    def top_name(self, node: Node, name: str) -> str:
        """Return `name`, after the mark of a name that is searched from the top if `node` begins with it."""
        marked = self.shape.separator == "::" and self.data.startswith(b"::", node.start_byte)
        return f"::{name}" if marked and name[:2] != "::" else name

    def plain_name(self, text: str) -> str:
        """Return `text`, a name as written, without marks that are not part of the name."""
        mark = text[-1:] if text[-1:] in self.shape.endings else ""
        return clean_name(text) + mark

    def dotted(self, text: str) -> str:
        """Return `text`, a qualified name as written, with dots between its parts and without type arguments.

        A name that is searched from the top keeps its mark: ``::a::b``.
        """
        if len(text) > 200:
            text = text[:200]
        name = self.plain_name(text)
        if "::" in text or "\\" in text:
            found = QUALIFIED.search(text.lstrip(MARKS))
            if found is not None:
                return "::" * (text[:2] == "::") + found.group().replace("::", ".").replace("\\", ".")
        return name
