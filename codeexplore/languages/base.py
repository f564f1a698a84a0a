"""The `Language` record: the properties of one language as data, with functions where data is not enough.

A language whose grammar is described by a `Shape` is one module and one query file in `declared`. A language of level
``full`` has a folder, with its record and rules in ``spec.py``. `registry.py` lists all languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from tree_sitter import Node

from codeexplore.types.kinds import SYMBOL_KINDS, SymbolKind

if TYPE_CHECKING:
    from codeexplore.languages.extraction.extractor import Extractor
    from codeexplore.resolution.language_rules import Rules
    from codeexplore.types import Symbol


T = TypeVar("T")


HASHES = re.compile(r"\s*#")
"""Beginning of a line of comment where lines may begin with operators such as ``%``."""
SLASHES = re.compile(r"\s*(?://|/\*|\*(?:[\s/]|$))")
"""Beginning of a line of comment where ``#`` has another meaning."""


def words(text: str) -> frozenset[str]:
    """Return the words of `text`: a table of names that is too long for a list of literals."""
    return frozenset(text.split())


def table(groups: Mapping[T, str]) -> dict[str, T]:
    """Return name → value. `groups` has the names of each value as one text."""
    return {name: value for value, names in groups.items() for name in names.split()}


def calling_only(interfaces: Mapping[str, str]) -> Callable[[str, str], bool]:
    """Return a `Language.base_calls`, given outside interfaces with all methods that code calls through them."""
    known = {name: words(methods) for name, methods in interfaces.items()}

    def base_calls(base: str, name: str) -> bool:
        last = re.findall(r"\w+", base.partition("<")[0].partition("[")[0])[-1:]
        return name in known.get("".join(last), {name})

    return base_calls


def later(target: str) -> Callable[..., Any]:
    """Return a function that calls `target`, ``"module:name"``, and imports its module only then."""

    def call(*given: object) -> Any:
        module, _, name = target.partition(":")
        return getattr(import_module(module), name)(*given)

    return call


def default_rules(family: str, **changes: Any) -> Callable[[], Rules]:
    """Return a function that makes the default rules with changes; see `resolution.default_rules.plain`."""

    @cache
    def rules() -> Rules:
        from codeexplore.resolution.default_rules import plain

        return plain(family, **changes)

    return rules


class Wrapping(NamedTuple):
    """A macro around definitions that the grammar cannot parse, given by byte ranges.

    The opening of the macro is ``start:inner_start``, the definitions are ``inner_start:inner_end``, and the closing is
    ``inner_end:end``. A word that the grammar does not know is an opening without definitions.
    """

    start: int
    inner_start: int
    inner_end: int
    end: int
    opening: bytes = b""  # text of the same length that the parser gets instead of the opening; b"": spaces


def replacing(marks: Mapping[re.Pattern[bytes], bytes]) -> Callable[[Node, bytes], list[Wrapping]]:
    """Return a `Language.wrappings` for texts with errors, given patterns of what the grammar does not know.

    What a pattern finds, or the group that it finds, is replaced by its mark for each byte; b"": by blanks.
    """

    def wrappings(root: Node, data: bytes) -> list[Wrapping]:
        found = []
        for pattern, mark in marks.items() if root.has_error else ():
            for start, end in (each.span(each.lastindex or 0) for each in pattern.finditer(data)):
                found.append(Wrapping(start, end, end, end, mark * (end - start)))
        return sorted(found)

    return wrappings


class Dialect(NamedTuple):
    """Another language that files of some extensions have, by their text, such as C++ in a ``.h`` file."""

    language: str
    extensions: tuple[str, ...]  # of the files that may have this language
    pattern: re.Pattern[str]


class Part(NamedTuple):
    """A part of a file that is not code, which is a symbol: its kind, and where its node contains the name.

    `steps` are steps as in `extraction.step_to`. Without steps the name is the text before the first
    brace; `joint` then separates its words.
    """

    kind: SymbolKind
    steps: tuple[str, ...] = ()
    joint: str = " "


class Place(NamedTuple):
    """A part of a text that was found without a grammar. It ends at the next part of the same or a higher level."""

    line: int  # 1-based
    level: int  # 1 for a part of the file, 2 for a part of such a part
    kind: SymbolKind
    name: str


@dataclass(frozen=True, slots=True)
class Structure:
    """Parts of a file that is not code.

    `patterns` are pairs of a kind and a regular expression with the group ``name``, for formats without a grammar. A
    pattern for several kinds has a mapping from its group ``word``, in lower case, to the kind.
    """

    parts: Mapping[str, Part] = field(default_factory=dict)  # node type → part
    patterns: tuple[tuple[SymbolKind | Mapping[str, SymbolKind], re.Pattern[str]], ...] = ()
    scan: Callable[[str], Iterator[Place]] | None = None  # finds the parts in place of patterns
    levels: int = 1  # levels of nested parts that are symbols
    apart: bool = False  # True if parts of a small file are chunks of their own: declarations
    data: bool = False  # True if large files of the format are data


class Called(NamedTuple):
    """A reason why a method, ``{}``, runs without its name, and a pattern for the head of its type; None for any."""

    because: str = "the standard library calls {} on objects that are passed to it"
    types: re.Pattern[str] | None = None  # found in a supertype or in the signature


LINKS: Final = "%links"
"""Name among the manifests of a language for the symbolic links in a folder: lines of a name, a tab and a path.

The paths are relative to the root of the repository, and inside of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """Properties of one language that other packages need. A property that most languages share is the default.

    `level` is the depth of support: ``full`` (symbols, facts and resolution), ``symbols`` (definitions, and calls by
    name) or ``text`` (sections). `extractor` and `rules` are functions that are called at the first use, so that
    importing the registry loads no grammar.
    """

    name: str
    title: str  # as people write it
    level: Literal["full", "symbols", "text"]
    extensions: tuple[str, ...]  # with the dot, lowercase
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()  # names in a shebang line
    grammar: str = ""  # name in tree-sitter-language-pack; "" for text
    queries: tuple[Path, ...] = ()  # files with the tree-sitter queries of the language, in order
    separator: str = "."  # between the parts of a qualified name
    pygments: str = ""  # lexer alias for display, "" for plain text
    dialects: tuple[Dialect, ...] = ()
    wrappings: Callable[[Node, bytes], list[Wrapping]] | None = None  # (root of the tree, text) → macros to remove
    bears: Callable[[bytes], bool] | None = None  # False for a text at which the grammar would end the process
    # endings of paths; adding or removing such a file may rename modules of this language
    named_by: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()  # names of files, other than source files, that its `rules` read
    extractor: Callable[[], Extractor] | None = None
    rules: Callable[[], Rules] | None = None
    structure: Structure | None = None  # of a file that is not code
    is_overload_head: Callable[[Symbol, str], bool] | None = None
    """Returns True for a definition, given its text, that declares a form of the function of its name further down."""

    parts: re.Pattern[str] | None = None
    """In the signature of a definition that is one symbol with all others of its qualified name, in any file."""

    # ----------------------------------------------------------------- visibility to code outside the repository

    visibility: Literal["underscore", "words", "capitals", "list", "exports"] = "underscore"
    """What makes a name public: no leading underscore, `public_words` or `private_words` in its signature, a capital
    letter, a list such as ``__all__``, export statements."""
    public_words: tuple[str, ...] = ()  # words of a signature without which the symbol is private
    private_words: tuple[str, ...] = ()  # words of a signature that make a symbol private
    program: str = ""  # name of a function: code outside uses nothing of a module that has it
    offering: re.Pattern[str] | None = None  # a declaration of a module, or an import, that code outside may use
    file_words: frozenset[str] = frozenset()  # words of a signature for which the language refuses uses in other files

    # ----------------------------------------------------------------- uses that no call in the source shows

    bases_construct: bool = False  # a constructor runs constructors of bases and fields that it does not name
    constructors: tuple[str, ...] = ()  # names of methods that construct, beside the name of their type
    start_names: tuple[str, ...] = ()  # names by which the language or a launcher starts code
    start_kinds: Container[SymbolKind] = SYMBOL_KINDS  # kinds of symbols that it starts
    loaders: frozenset[str] | None = frozenset()
    """Names of functions that run when their file is loaded, as code outside of functions does; None if none does."""
    late_calls: re.Pattern[str] | None = None  # begins a line with a call that runs when the function around it ends
    start_signature: re.Pattern[str] | None = None  # in the signature of a function of `start_names` that is started
    implicit_members: re.Pattern[str] | None = None  # names that the language or its tools use without naming them
    tool_files: re.Pattern[str] | None = None  # paths of files whose names a tool reads: its configuration
    implicit_owners: re.Pattern[str] | None = None  # signatures of types whose members are used by marks or the runtime
    called_methods: Mapping[str, Called] = field(default_factory=dict)  # name of a method → what calls it without it
    called_signatures: re.Pattern[str] | None = None  # found in marks and signatures of what syntax uses: operators
    by_position: str = r"\b{0}\((?!\s*(?:\)|\w+\s*[=:](?![=:])))"
    """Pattern of code that makes an object of the type ``{0}`` of values by position; "" if nothing does."""
    called_because: str = ""  # the clause on what has such a signature
    conversions: Mapping[str, str] = field(default_factory=dict)  # a method → what runs it: from, into
    built_names: Callable[[str], Iterator[tuple[int, str, str]]] | None = None
    """Function: text of a file → position, beginning and end of names that its code builds from parts."""
    closures: re.Pattern[str] | None = None
    """A line that opens a function without a name whose calls count for the code around it."""
    macro_blocks: re.Pattern[str] | None = None  # a line that opens a macro around definitions: its name
    mark_noun: str = "decorator"  # what people call a mark above a definition: annotation, attribute
    plain_decorators: frozenset[str] = frozenset()  # decorators that neither register a function nor cause calls of it
    plain_bases: frozenset[str] = frozenset()  # supertypes that call only special methods of their subtypes
    shorthand_fields: bool = False  # ``{low}`` reads or sets the field that has the name of a local
    overridden_fields: bool = True  # fields of subtypes stand for those of their supertypes
    overriding: re.Pattern[str] | None = None  # found in signatures of all members that supertypes elsewhere may call
    base_calls: Callable[[str, str], bool] | None = None
    """Function: supertype outside the repository, as written, and name of a member → False if it cannot call that."""
    keeping: frozenset[str] | None = None
    """Names of built-in functions and methods that call nothing of the objects that they get; None if code declares the
    type of an object whose members it calls, so that code outside knows none of the repository's."""
    hooks: re.Pattern[str] | None = None  # names of methods that have the form of a library's hook
    script_guard: re.Pattern[str] | None = None  # in the text of a file that runs when it is started as a script
    impl_blocks: bool = False  # a method belongs to the trait that its block names; without one, to its type only
    implicit_interfaces: bool = False  # a type implements an interface without naming it
    build_variants: bool = False  # two files of a package may define the same name, each for some builds
    object_methods: re.Pattern[str] | None = None  # in signatures of functions that are methods of one object
    functional: re.Pattern[str] | None = None  # in signatures of types of one method that functions implement
    shapes: re.Pattern[str] | None = None  # in signatures of types that an object has without naming them
    extending: re.Pattern[str] | None = None  # in a line of a type whose members are called on objects of other types
    computed_members: re.Pattern[str] | None = None  # code that calls members by names computed at run time
    evaluating: re.Pattern[str] | None = None  # code that runs a text that is no literal, which may call anything
    computed_names: re.Pattern[str] | None = None  # code that uses names of its own file that are computed at run time
    types_are_constants: bool = False  # code that finds types by computed names finds constants, too
    computed_types: re.Pattern[str] | None = None  # code that finds types by names computed at run time, or lists them
    scanning: re.Pattern[str] | None = None  # code that goes through all types of a program or package
    making: re.Pattern[str] | None = None  # code that makes an instance of a type that it is given, without arguments
    mixing: re.Pattern[str] | None = None  # code that adds the members of a module to objects of any type: its name
    generating: re.Pattern[str] | None = None  # code that writes code, or includes it, while the program is compiled
    reopened: re.Pattern[str] | None = None  # a line that names a library whose types other code may reopen: its name
    including: re.Pattern[str] | None = None  # a line that includes a file of the repository: its name
    generator: re.Pattern[str] | None = None  # in a file that writes included code: it has the names that this uses
    reflection: re.Pattern[str] | None = None  # code that lists the members of a type, or finds them by computed names
    reflected: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    """Group of `reflection` → signatures of the members that it finds."""
    module_loads: str = ""  # pattern of a line that loads a module into a variable, whose name replaces {}
    reflection_of_unknown: re.Pattern[str] | None = None  # a line with `reflection` on a type that it does not name
    reflection_of_public: re.Pattern[str] | None = None  # a line with `reflection` that finds public members only
    layout_decorators: frozenset[str] = frozenset()  # decorators of types that use members by their places
    handing: str = ""  # pattern of a line that gives the type ``{}`` to code outside, as marks do
    type_values: re.Pattern[str] | None = None  # a type handed to code as a value, or a new object of it: its name
    examples: re.Pattern[str] | None = None  # in documentation, the start of an example that tests run
    properties: re.Pattern[str] | None = None  # names of methods that templates call by the name of a property
    object_literals: bool = False  # object literals may define methods
    platform: str = ""  # languages of one platform use the definitions of each other; those of "native" all others use
    conditional: bool = False  # conditional compilation: one of several definitions of a name may be left out

    comment_start: re.Pattern[str] = re.compile(r"\s*(?:#(?![\[{])|//|/\*|\*(?!\w)|--\s|;;)")
    """Matches the beginning of a line that is a comment."""
    folds_case: bool = False  # code may write names of functions and types with other capitals
    declaring: re.Pattern[str] | None = None
    """Matches the text of a line before the name of a function that the line only declares: a prototype."""

    # ----------------------------------------------------------------- tests

    test_files: re.Pattern[str] | None = None  # matches the whole name of a file of tests
    test_modules: re.Pattern[str] | None = None  # found in qualified names of tests inside source files
    test_names: tuple[str, ...] = ("test", "Test")  # beginnings of the names by which a runner finds tests
    test_bases: re.Pattern[str] | None = None  # in the signature of a type whose methods such names make tests
    test_decorators: frozenset[str] = frozenset()  # decorators by which a runner finds tests
    setup_decorators: frozenset[str] = frozenset()  # decorators of functions that a runner runs around tests

    # ----------------------------------------------------------------- signatures

    parameter_names: Literal["first", "last", "behind type"] = "first"
    """Where a parameter has its name: the first word, the last word before a colon, or the last word of all."""
    result_first: bool = False  # the type of the result is written before the name
    named_arguments: bool = False  # callers may name arguments
    property_value: re.Pattern[str] | None = None  # in the signature of a field that is a property by its value
    checked_types: bool = False  # a compiler refuses arguments of another type
    same_types: Mapping[str, str] = field(default_factory=dict)  # name of a type → another name of the same type
    same_modules: frozenset[str] = frozenset()  # modules that offer the types of each other
    reexports: bool = True  # a type may be imported from several modules
    optional_types: frozenset[str] = frozenset()  # generic types that mean their argument or None; so does ``X?``
    union_types: frozenset[str] = frozenset()  # generic types that mean one of their arguments
    array_types: Mapping[str, str] = field(default_factory=dict)  # generic type → what ``X[]`` has in front for it
    type_variable: re.Pattern[str] | None = None  # in the signature of a constant that is a type parameter
    any_types: frozenset[str] = frozenset()  # types that promise nothing to callers
    no_value: str = ""  # type of an argument that is left out
    no_type: re.Pattern[str] | None = None  # in the text of a type, what does not belong to it
    quoted_types: bool = False  # a type may be written as a text
    type_nodes: frozenset[str] = frozenset()  # types of nodes that do nothing when the code runs
    typed_nodes: Mapping[str, str] = field(default_factory=dict)  # type of a node that contains such → without it

    def tags(self) -> str:
        """Return the tree-sitter query that finds definitions and references; "" for a file that is not code.

        Raises ValueError if the language has no query file, and OSError if one cannot be read.
        """
        if self.structure is not None:
            return ""
        if not self.queries:
            raise ValueError(f"language {self.name} has no query file")
        return "\n".join(path.read_text("utf-8") for path in self.queries)


def full(name: str, title: str) -> Language:
    """Return the record of a language of level ``full``. Its grammar, its lexer and its folder have its name."""
    return Language(
        name,
        title,
        "full",
        (),
        grammar=name,
        pygments=name,
        queries=(Path(__file__).with_name(name) / "tags.scm",),
        extractor=later(f"{__package__}.{name}.extractor:{title}Extractor"),
    )
