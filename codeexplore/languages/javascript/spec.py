"""Language records of JavaScript, TypeScript and TSX: one family, with the same rules, and with queries in common."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import SLASHES, Called, full, later, replacing, table, words
from codeexplore.languages.conventions import SCRIPT_TESTS
from codeexplore.types.kinds import CALLABLE_KINDS

if TYPE_CHECKING:
    from codeexplore.types import Symbol


def _queries(*names: str) -> tuple[Path, ...]:
    return tuple(Path(__file__).with_name(f"{name}.scm") for name in names)


_EMITTER = words(
    "on once off emit addListener removeListener prependListener listeners listenerCount eventNames removeAllListeners "
    "setMaxListeners getMaxListeners rawListeners prependOnceListener"
)
_BASES = {
    "EventEmitter": _EMITTER,
    "EventTarget": words("addEventListener removeEventListener dispatchEvent handleEvent"),
    "AsyncResource": frozenset[str](),
    **dict.fromkeys(("Error", "TypeError", "RangeError", "SyntaxError"), words("toString")),
    **dict.fromkeys(
        ("Map", "Set", "WeakMap", "WeakSet"), words("get set add has delete clear forEach keys values entries")
    ),
    "Promise": words("then catch finally"),
}
"""Class of the platform → names of the methods of its objects that it, or the platform, calls."""


def _base_calls(base: str, name: str) -> bool:
    called = _BASES.get(base.rpartition(".")[2])
    return called is None or name in called


_NAMED_WORD = re.compile(
    rb"(?:(?<![\w$.#])|(?<=\.\.\.))"
    rb"(?:(?:using|abstract|interface)(?![ \t]+(?!(?:of|in|instanceof|as|satisfies)\b)[\w$])(?!\w)"
    rb"|accessor(?=\s*[=(;:!?])|(?:keyof|infer|unknown|never|unique)(?=\s*\.\s*\w)"
    rb"|(?:await|yield)(?=\s*(?:[.,;)\]}=&|?:]|\+\+|--)))"
)
"""Words that are keywords in some places only, at places where they are names: the grammar takes ``using.x`` for a
declaration."""
words_as_names = replacing({_NAMED_WORD: b"_"})
JAVASCRIPT = replace(
    full("javascript", "JavaScript"),
    extensions=(".js", ".mjs", ".cjs", ".jsx", ".es6"),
    interpreters=("node", "nodejs", "bun"),
    queries=_queries("ecmascript", "jsx", "tags"),
    wrappings=words_as_names,
    manifests=("package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json"),
    visibility="exports",
    file_words=frozenset({"private"}),
    constructors=("constructor",),
    comment_start=SLASHES,
    shorthand_fields=True,
    tool_files=re.compile(r"\.config\.[cm]?[jt]s$"),
    implicit_members=re.compile(r"\[Symbol\..+"),
    called_methods=table({Called(): "toString valueOf toJSON toLocaleString then next return throw handleEvent"}),
    keeping=words(
        """
        all any Array assert assign assertEquals Boolean concat debug entries equal error expect fill filter find
        flatMap forEach freeze from includes indexOf info isArray keys log map Number Object of ok push race raw reduce
        ref resolve set some splice String stringify structuredClone then trace unshift useCallback useMemo useRef
        useState values warn
        """
    ),
    hooks=re.compile(
        "ng(?:DoBootstrap|DoCheck|On(?:Init|Changes|Destroy)|After(?:Content|View)(?:Init|Checked))"  # Angular
        "|on(?:Module|Application)(?:Init|Destroy|Bootstrap|Shutdown)|beforeApplicationShutdown|canActivate"  # Nest
        "|component(?:Will|Did|Should)[A-Z][a-z]+|(?:connected|disconnected|adopted|attributeChanged)Callback"  # pages
        "|before(?:Create|Mount|Update|Destroy|Unmount)"  # Vue, in classes; those of objects are values
    ),
    plain_decorators=frozenset({"override", "deprecated"}),
    plain_bases=words("Object Partial Required Readonly Pick Omit Record"),
    reflection=re.compile(r"getOwnPropertyNames\s*\(|ownKeys\s*\("),
    type_values=re.compile(r"\b[A-Z]\w*"),
    base_calls=_base_calls,
    object_literals=True,
    test_files=SCRIPT_TESTS,
    test_decorators=frozenset({"test", "Test"}),
)


def _is_overload_head(symbol: Symbol, text: str) -> bool:
    """Return True if `symbol` is a function or method without a body, such as the head of an overload."""
    return symbol.kind in CALLABLE_KINDS and not text.rstrip().endswith("}")


TYPESCRIPT = replace(
    JAVASCRIPT,
    name="typescript",
    title="TypeScript",
    extensions=(".ts", ".mts", ".cts"),
    interpreters=("deno", "ts-node", "tsx"),
    grammar="typescript",
    queries=_queries("ecmascript", "typescript"),
    pygments="typescript",
    wrappings=later("codeexplore.languages.javascript.typescript:wrappings"),
    extractor=later("codeexplore.languages.javascript.typescript:TypeScriptExtractor"),
    is_overload_head=_is_overload_head,
    shapes=re.compile(r"\b(?:interface|type)\b"),
    parameter_names="last",
    checked_types=True,
    array_types={"Array": "", "ReadonlyArray": "readonly "},
    any_types=frozenset({"any", "unknown", "void"}),
    no_value="undefined",
    type_nodes=words(
        "type_annotation type_parameters type_arguments interface_declaration type_alias_declaration "
        "property_signature method_signature function_signature"
    ),
)

TSX = replace(  # TypeScript with markup: another grammar, and the same facts
    TYPESCRIPT,
    name="tsx",
    title="TSX",
    extensions=(".tsx",),
    interpreters=(),
    grammar="tsx",
    queries=_queries("ecmascript", "jsx", "typescript"),
    pygments="tsx",
)
