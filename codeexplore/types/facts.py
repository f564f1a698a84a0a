"""Records of files: sources and spans, the facts of one file (symbols, bindings, references …), and its chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from codeexplore.types.displayed import Displayed, brief_repr
from codeexplore.types.kinds import SymbolKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Skipped(NamedTuple):
    """A file or folder that was not indexed, with the reason. `path` is relative to the root, POSIX."""

    path: str
    reason: str  # one of source.skip_reasons: "ignored", "too large", "binary", …
    detail: str = ""


class Cell(NamedTuple):
    """Position of one notebook cell in the notebook's joined text."""

    number: int  # 1-based, counting every cell of the notebook
    kind: Literal["code", "markdown", "raw"]
    start_line: int
    end_line: int
    language: str = ""  # of a code cell: the language of its %%magic, else of the kernel; usually "python"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One decoded file. `text` contains the original line endings. The text of a notebook is its joined cells."""

    __repr__ = brief_repr

    path: str  # relative to the root, POSIX separators
    language: str  # a Language.name
    text: str
    sha256: str  # of the bytes on disk, hex
    encoding: str = "utf-8"
    cells: tuple[Cell, ...] = ()


class Span(NamedTuple):
    """A range in one file. Lines are 1-based and inclusive; bytes are 0-based and half-open, in the UTF-8 text."""

    start_line: int
    end_line: int
    start_byte: int
    end_byte: int

    @property
    def lines(self) -> range:
        """The numbers of its lines."""
        return range(self.start_line, self.end_line + 1)


@dataclass(frozen=True, slots=True)
class Symbol(Displayed):
    """A named definition.

    `span` begins at its first decorator or modifier and ends at its last line. Leading comments are not in the span,
    only in the symbol's chunk. `line` is the line of the name.
    """

    __repr__ = brief_repr

    id: str  # "path:fqn", followed by "#2", "#3" … for a redefinition or overload in the same file
    fqn: str  # qualified name, with the language's separator ("." or "::"); begins with the module's name
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
    """A name that is bound by an import. See `FileFacts` for access paths and scopes.

    - ``import a.b as c``: name c, module a.b, member "".
    - ``import a.b``: name a.b, module a.b (the dotted name is usable as written).
    - ``from .x import y as z``: name z, module .x, member y.
    - Star imports: name and member ``*``.
    - JavaScript: a default import has the member ``default``, a namespace import or ``require`` the member "". A
      module that is loaded inside an expression has the name ``%import:LINE:COL``.
    - Java: a static import has the class as its module.

    `module` is as written in the source, without quotes.
    """

    scope: int
    name: str
    module: str
    member: str
    line: int


class Export(NamedTuple):
    """A name that a module exports under another name or from another module (JavaScript, Rust's ``pub use``).

    In Python, each name that ``__all__`` lists is an export with this name and target. If a part of ``__all__`` is not
    a literal, there is an export with the name ``__all__`` and no target.

    `target` is a local access path if `module` is "", else a member of `module`. ``export * from "m"`` has name and
    target ``*``. The name of an export of the module as a whole (``module.exports = x``, ``export = x``) is ``=``.
    """

    name: str
    target: str
    module: str
    line: int


LEFT_OUT = "%left-out"
"""Name that is bound in the module scope of a file which only some builds include, because of its build constraint.

A definition in such a file is used only if no other file of the module defines the same name.
"""


STAR = "%star"
"""Name bound on the line of a star import under a condition; `sure` is the last line of the statement around it."""

STUB = "%stub"
"""Name that is bound in the scope of a function which is only a declaration: its body is ``...``.

Calls are resolved to the implementation. The type of the binding is ``TYPE_CHECKING`` if the function is only for type
checkers and does not exist at run time.
"""


UNKNOWN = "%unknown"
"""Access path of an unknown value, for rows in which "" has another meaning."""


COMPARED = ".=="
"""End of the path of a comparison that uses the fields of a value."""

LOCAL_MARK = "ʹ"
"""Mark between the name of a local and its number, if the function uses the name outside of the local's block too.

It is a letter, so that the name is still an identifier.
"""


TRAILING = "%fn"
"""Argument of a call for an anonymous function that is written behind the parentheses."""


DEFAULTS = "%defaults"
"""Name that is bound in a type or namespace for a prototype with default values: the definition has none.

The type of the binding is the name of the function and the types of its parameters, divided by semicolons; ``=`` is
behind the type of a parameter with a default value.
"""


OPENING = "%opening"
"""Name that is bound in a macro whose body leaves a brace open: what is behind the brace is in the definition below."""


METACLASS = "%metaclass"
"""Name that is bound, in a class with a metaclass, to the metaclass."""

INDEX_MEMBER = "<index>"
"""Name that is bound, in a type, to members whose names the type does not list: ``[key: string]: T``."""

GUARD = "%guard:"
"""Type of a name that a function tests, before the path of the function, whose result is ``boolean is T``."""
NOT = "%not:"
"""Type of a name that a test excludes, before the type."""


_Parameter: TypeAlias = Literal["parameter", "keyword", "rest", "keywords"]


class Binding(NamedTuple):
    """A value or a type that a name has in a scope, for example as a parameter, variable, field or loop variable.

    `name` is a plain name (``x``), or the path that is assigned to, as written (``self.x``, ``this.x``, ``app.run``,
    ``table[key]``). A name that gets two values has two bindings. The value of ``x = a or b``, or of a conditional
    expression, gives one binding for each branch.

    Unpacking gives one binding for each name: ``a, b = f()`` has the values ``f()[0]`` and ``f()[1]``. Loops do the
    same: ``for k, v in d.items()`` gives variables with the values ``d.items()[*][0]`` and ``d.items()[*][1]``. A field
    that is declared in the body of a type is in the type's scope under its plain name. Under ``global`` and
    ``nonlocal``, the scope is the one to which the statement refers.

    `manner` is the kind of binding:

    - Parameters are in their order: `parameter` by position or name, `keyword` by name only, `rest` for ``*args``
      (``...args``), `keywords` for ``**kwargs``. Their names are plain, and `value` is the path of the default.
    - `receiver` is the instance of a method outside the body of its type (Go, Rust's impl). `type` names the type,
      `value` the trait that an impl block implements. `name` is "" for an associated function.
    - `type`: the name denotes a type. It is an alias, or a type parameter with its bound.
    - `pattern`: a test narrows the type of the name (``isinstance``, match arms).
    - `element`: a loop variable, whose `value` is the path of the iterated container.

    The items of a literal container are bound as its fields: name ``%dict:3:8[key]``, manner `field`. A function or
    class that is named by the place of its definition (``const f = () => {}``) is bound once in its own scope. The name
    is the access path of its value: ``%fn:LINE:COL`` or ``%class:LINE:COL``.
    """

    scope: int
    name: str
    manner: Literal[
        _Parameter,
        "receiver",
        "variable",
        "field",
        "element",
        "async element",
        "context",
        "async context",
        "exception",
        "pattern",
        "type",
    ]
    type: str  # the annotation as written; "" if there is none
    value: str  # access path of the value; "" if it is unknown
    line: int
    sure: int = 0
    """Last line of an assignment that runs whenever its scope runs; 0 for an assignment under a condition.

    For `pattern`: the test is known to be true from `line` to this line; 0 if it is not known where. If the row has a
    value instead of a type, this is the only value of the name on these lines.
    """


def binds(row: Binding) -> bool:
    """Return True if a binding gives a name a value or a type, and is not only a test of its type."""
    return row.manner != "pattern" or not row.sure or bool(row.value)


class Return(NamedTuple):
    """A value that a function returns or yields, or its declared type.

    `value` is an access path. For manner `type` it is the declared type as written.
    """

    scope: int
    value: str
    manner: Literal["return", "yield", "type"]


class Reference(NamedTuple):
    """A use of a name in the source, not yet resolved.

    `path` is the access path of the used name: for a call ``a.b(x)`` it is ``a.b``. `args` are the arguments of a call:
    access paths by position, ``name=path`` for keywords, ``*path`` and ``**path`` for unpacked arguments, "" for an
    argument without a path.

    A reference of kind `implicit` is a call that the syntax makes without naming a method. Its path contains the
    method's name: ``x.__enter__``, ``x.__len__``, ``x.__add__``, ``x.__setitem__``. It is resolved only if the type of
    ``x`` is known.

    ``x.==`` is a comparison that calls no method. It uses the fields of ``x``; see `COMPARED`.

    A reference of kind `access` calls nothing: it may only be a use of a constant or field. Its path is a name alone,
    or a member to which a value is assigned.

    A reference of kind `receiver` is what a chain over several lines names above the line of its last name. The chain
    follows it: ``rows`` and ``rows.map``.

    A reference of kind `within` says what the bare name of the call that follows it means, if that is a function: in a
    block that runs on an object, ``cart.apply { add(1) }``, it is ``cart.add``. The last one that is a function counts.

    A reference of kind `operator` is a call that an operator or another syntax makes, where the language looks the
    method up as for a call: ``a + b`` is ``a.plus``. It has no target if the repository defines no such method.

    A reference of kind `name` runs nothing, although the name may be that of a function: ``nameof(Total)``.
    """

    scope: int
    kind: Literal[
        "call",
        "new",
        "read",
        "access",
        "receiver",
        "type",
        "decorator",
        "import",
        "string",
        "implicit",
        "operator",
        "within",
        "name",
    ]
    path: str
    line: int
    args: tuple[str, ...] = ()


class Base(NamedTuple):
    """A supertype that a type's definition names: ``class A(B)``, ``implements B``, ``impl B for A``, embedding."""

    scope: int  # the symbol of the subtype; for `impl` blocks and extensions see `type`
    path: str  # access path of the supertype
    manner: Literal["extends", "implements", "embeds", "embeds in type", "embeds before"]
    """The last ones give members to the type itself, and put them before its own: ``extend``, ``prepend`` in Ruby."""
    line: int
    type: str = ""  # access path of the subtype, if `scope` is not its definition
    arguments: tuple[str, ...] = ()  # the supertype's type arguments as written


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All facts of one file. They do not depend on other files.

    A *scope* is an index into `symbols`; 0 is the module itself.

    An **access path** is a short text for an expression that leads from a name to a value. It consists of a root and
    steps:

    - ``.name``: an attribute or field, also for ``::`` and ``->``; ``.name@Trait`` for the method of a trait of Rust,
      ``.name@*`` where C++ has a dot and a smart pointer may have the method;
    - ``()``: the result of a call; ``(a, b)`` if the result depends on the arguments;
    - ``[]``: an element; ``[0]`` or ``[key]`` for a constant key, ``[*]`` for each element in turn,
      ``[*async]`` for each that is awaited, ``[+]`` for a container that is an operand of a sum, ``[&]`` for the object
      on which a function runs the block that it gets, ``[.]`` for an element of what a pointer of C++ points to.

    ``self.pool.get(x)[0].run`` becomes ``self.pool.get()[0].run``.

    Roots other than names are ``%str %num %bool %list %dict %set %tuple`` for literals (``%list:LINE:COL`` with the
    position if the literal is not empty), ``%fn:LINE:COL`` for an anonymous function, ``%class:LINE:COL`` for an
    anonymous class, ``%type(T)`` for a value of a named type, and ``%any`` for a value of a declared field.
    ``await`` and parentheses are removed. Other expressions have no path ("").
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
    errors: int = 0  # syntax errors (ERROR or MISSING nodes) after mending; the symbols around them are kept


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of retrieval: the lines that one symbol owns, or a part of them.

    `text` is the source of `spans`, joined by newlines. There may be several spans, because the lines that a class owns
    are not contiguous. `context` (path, qualified name, signature) is indexed by both text lanes and is never displayed
    as source.
    """

    __repr__ = brief_repr

    id: str  # hash of path, symbol and text (and a number for equal chunks): edits of other code do not change it
    path: str
    spans: tuple[Span, ...]
    text: str
    language: str
    symbol: str | None  # Symbol.id
    context: str = ""
    part: int = 0  # 0 for a whole symbol; 1, 2 … for the parts of a split symbol

    @property
    def start_line(self) -> int:
        """First line of the chunk, 1-based."""
        return self.spans[0].start_line

    @property
    def end_line(self) -> int:
        """Last line of the chunk, 1-based and inclusive. The lines between its spans may belong to other chunks."""
        return self.spans[-1].end_line


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Word counts of chunks as a sparse matrix: one row for each chunk, one column for each word, in CSR form.

    Its shape is (n_chunks, n_words). The words of a chunk's text and context are counted together. They are split by
    `text.tokens.words`, and upper and lower case are distinguished. Both text lanes start from these counts, so that
    each distinct word is analysed only once and embedded only once.
    """

    __repr__ = brief_repr

    words: tuple[str, ...]
    indptr: NDArray[np.int64]  # (n_chunks + 1,)
    word_ids: NDArray[np.int32]  # (nnz,) indices into words, ascending within a row
    counts: NDArray[np.int32]  # (nnz,)


@dataclass(frozen=True, slots=True)
class FileIndex:
    """Facts and chunks of one file. `warnings` are displayed in the workspace's summary."""

    __repr__ = brief_repr

    file: SourceFile
    facts: FileFacts
    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...] = ()
