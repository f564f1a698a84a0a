"""Facts of one file: its symbols, bindings, references, imports, exports, return values and supertypes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from codeexplore.types.brief import brief_repr
from codeexplore.types.files import Span
from codeexplore.types.kinds import SymbolKind


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named definition.

    `span` reaches from its first decorator or modifier to its last line; leading comments belong to its chunk
    only. `line` is the line of its name.
    """

    __repr__ = brief_repr

    id: str  # "path:fqn", with "#2", "#3" … for a redefinition or overload in the same file
    fqn: str  # dotted or ::-separated, by the language's own rule; the module's name comes first
    name: str
    kind: SymbolKind
    path: str
    span: Span
    line: int
    language: str
    parent: str | None = None  # id of the enclosing symbol; None for a module
    signature: str = ""  # one line, whitespace collapsed, without the body
    doc: str = ""  # docstring or doc comment, markers removed
    decorators: tuple[str, ...] = ()  # access paths, outermost first


class Import(NamedTuple):
    """A name bound by an import. See `FileFacts` for access paths and scopes.

    ``import a.b as c`` → name c, module a.b, member "". ``import a.b`` → name a.b, module a.b (the dotted name is
    usable as written). ``from .x import y as z`` → name z, module .x, member y. Star imports: name and
    member ``*``. JavaScript: default → member ``default``, namespace and ``require`` → member ""; a module loaded in
    passing is called ``%import:LINE:COL``. Java static imports name the class as module. `module` is as written in the
    source, quotes removed.
    """

    scope: int
    name: str
    module: str
    member: str
    line: int


class Export(NamedTuple):
    """A name this module offers under another name, or from another module (JavaScript, Rust ``pub use``).

    In Python, a name that ``__all__`` lists, as name and target. A part of the list that is not a literal is called
    ``__all__``, without a target.

    `target` is a local access path, or a member of `module` if that is not "". ``export * from "m"`` has
    name and target ``*``; the module as a whole is called ``=`` (``module.exports = x``, ``export = x``).
    """

    name: str
    target: str
    module: str
    line: int


LEFT_OUT = "%left-out"
"""Bound in the module scope of a file that only some builds include, by its build constraint.

A definition of such a file counts if no other file of its module defines it.
"""


STUB = "%stub"
"""Bound in the scope of a function that only declares: its body is ``...``. Calls go to its implementation.

Its type is ``TYPE_CHECKING`` if the function is for type checkers only and does not exist at run time.
"""


UNKNOWN = "%unknown"
"""The path of an unknown value, where a row without a path would have another meaning."""


METACLASS = "%metaclass"
"""Bound in a class to the class of which it is itself an instance, where its head names one."""


class Binding(NamedTuple):
    """A name given a value or a type in a scope: parameter, variable, field, loop, with, except, for.

    `name` is plain (``x``) or the path that is assigned to (``self.x``, ``this.x``, ``app.run``, ``table[key]``: as
    written). A name bound twice has two rows; ``a or b`` and conditional expressions make one row for each branch.
    Unpacking makes one row for each name (``a, b = f()``: values ``f()[0]`` and ``f()[1]``), also in loops (``for
    k, v in d.items()``: variables with values ``d.items()[*][0]`` and ``…[*][1]``). Fields declared in the body of
    a type are in that type's scope under their plain name. Under ``global`` and ``nonlocal`` the scope is the one
    that the statement refers to.

    Manners: parameters are in their order, `parameter` by position or name, `keyword` by name only, `rest` and
    `keywords` for ``*args`` (``...args``) and ``**kwargs``, all with plain names, `value` being the default's path.
    `receiver` is the instance of a method outside its type's body (Go, Rust's impl): `type` names
    the type, `value` the trait an impl block is for, `name` is "" for an associated function. `type` makes the name
    denote a type: an alias or a type parameter with its bound. `pattern` narrows (``isinstance``, match arms).
    The items of a literal container are fields of it: name ``%dict:3:8[key]``, manner `field`. A function or class
    that its place names (``const f = () => {}``) is bound once in its own scope under the path it has as a value:
    name ``%fn:LINE:COL`` or ``%class:LINE:COL``.
    """

    scope: int
    name: str
    manner: Literal[
        "parameter", "keyword", "rest", "keywords", "receiver", "variable", "field",
        "element", "context", "exception", "pattern", "type",
    ]  # fmt: skip
    type: str  # the annotation as written, "" when there is none
    value: str  # access path of the value, "" when unknown; for `element` that of the iterated container
    line: int
    sure: int = 0
    """Last line of an assignment that runs unconditionally in its scope; 0 under a condition.

    For `pattern` the last line, from `line` on, on which the test is known to be true; 0 if that is not known. With a
    value instead of a type, the name has only this value on these lines.
    """


class Return(NamedTuple):
    """A value that a function returns.

    `value` is an access path, or the declared type as written (manner `type`).
    """

    scope: int
    value: str
    manner: Literal["return", "yield", "type"]


class Reference(NamedTuple):
    """An unresolved use of a name.

    `path` is the access path that is used: for a call ``a.b(x)`` it is ``a.b``. `args` are the access paths of a
    call's arguments by position, ``name=path`` for keywords, ``*path`` and ``**path`` for spread ones, "" where an
    argument has no path. `implicit` is a call the syntax makes without naming it, with the path of the method it would
    reach: ``x.__enter__``, ``x.__len__``, ``x.__add__``, ``x.__setitem__``; it resolves on known types only.
    """

    scope: int
    kind: Literal["call", "new", "read", "type", "decorator", "import", "string", "implicit"]
    path: str
    line: int
    args: tuple[str, ...] = ()


class Base(NamedTuple):
    """A supertype named by a type's definition: ``class A(B)``, ``implements B``, ``impl B for A``, embedding."""

    scope: int  # the type's symbol; for `impl` blocks and extensions see `type`
    path: str  # access path of the supertype
    manner: Literal["extends", "implements", "embeds"]
    line: int
    type: str = ""  # access path of the subtype if it is not defined in this scope
    arguments: tuple[str, ...] = ()  # the supertype's type arguments as written


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All facts of one file, independent of every other file.

    A *scope* is an index into `symbols`; 0 is the module itself. An **access path** is a compact string for an
    expression that leads from a name to a value: a root followed by steps ``.name`` (attribute, field, ``::`` and
    ``->`` too), ``()`` (the result of calling; ``(a, b)`` where it depends on the arguments) and ``[]`` (an
    element; ``[0]``, ``[key]`` by a constant key, ``[*]`` in turn). ``self.pool.get(x)[0].run`` becomes
    ``self.pool.get()[0].run``. Roots other than names: ``%str %num %bool %list %dict %set %tuple`` for literals,
    with their position if they are not empty (``%list:LINE:COL``), ``%fn:LINE:COL`` for an anonymous function,
    ``%class:LINE:COL`` for such a class, ``%type(T)`` for a value of a named type. ``await x`` and parentheses
    leave no trace; anything else has no path ("").
    """

    __repr__ = brief_repr

    path: str
    language: str
    module: str  # the file's module name by the language's rule ("flask.app", "src/store/index", "net/http")
    symbols: tuple[Symbol, ...]
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    bindings: Sequence[Binding] = ()
    returns: tuple[Return, ...] = ()
    references: Sequence[Reference] = ()
    bases: tuple[Base, ...] = ()
    errors: int = 0  # syntax errors (ERROR or MISSING nodes); the symbols around them are kept
