"""Resolution rules of JavaScript, TypeScript and TSX. They are one family, because their files import each other."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from codeexplore.languages.javascript.locate import MANIFESTS, ScriptLocator, beside
from codeexplore.resolution.language_rules import (
    BuiltinModels,
    ClassRules,
    ConstructionRules,
    Effect,
    FunctionRules,
    ModuleRules,
    Rules,
    ScopeRules,
    SpecialMethods,
    TypeRole,
)

TYPES: dict[str, TypeRole] = {
    **dict.fromkeys(
        ("Promise", "Partial", "Required", "Readonly", "NonNullable", "Awaited", "PromiseLike", "Pick",
         "Omit", "WeakRef"),
        "same",
    ),
    **dict.fromkeys(("Ref", "ComputedRef", "DeepPartial", "Mutable", "Maybe", "Nullable"), "same"),
    **dict.fromkeys(
        ("Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "Iterator", "IterableIterator", "Generator",
         "AsyncIterable", "AsyncIterator", "AsyncGenerator", "AsyncIterableIterator", "WeakSet", "ArrayLike"),
        "sequence",
    ),
    **dict.fromkeys(("Map", "ReadonlyMap", "WeakMap", "Record"), "map"),
    **dict.fromkeys(
        ("string", "number", "boolean", "any", "unknown", "void", "null", "undefined", "never", "object", "bigint",
         "symbol", "Object", "Function", "ReturnType", "Parameters", "InstanceType", "keyof"),
        "nothing",
    ),
    "typeof": "class", "this": "self",
}  # fmt: skip

METHODS: dict[str, Effect] = {
    **dict.fromkeys(("push", "unshift", "add", "splice", "fill"), "store"),
    "set": "store_last",
    **dict.fromkeys(("get", "pop", "shift", "at", "find", "findLast", "next"), "element"),
    **dict.fromkeys(("reduce", "reduceRight"), "fold"), **dict.fromkeys(("sort", "toSorted"), "compare"),
    **dict.fromkeys(
        ("filter", "slice", "concat", "reverse", "values", "toReversed", "flat", "toSpliced", "with",
         "copyWithin", "toArray"),
        "same",
    ),
    **dict.fromkeys(("forEach", "some", "every", "findIndex", "findLastIndex"), "each"),
    "map": "map", "flatMap": "map", "entries": "items",
    **dict.fromkeys(
        ("has", "delete", "clear", "join", "includes", "indexOf", "keys", "lastIndexOf", "size", "length",
         "hasOwnProperty"),
        "itself",
    ),
    "call": "call", "apply": "call", "bind": "itself",
}  # fmt: skip

FUNCTIONS: dict[str, str] = {
    "Array.from": "sequence", "Array": "sequence", "Set": "sequence", "Map": "map", "WeakMap": "map",
    "Object.values": "sequence", "Object.entries": "pairs", "Object.assign": "any", "Object.create": "instance_of",
    "Object.freeze": "first", "Object.seal": "first", "Promise.resolve": "first", "Promise.all": "first",
    "Promise.race": "element", "Promise.allSettled": "first", "structuredClone": "first",
    "Object.getPrototypeOf": "first",
    "Array.of": "items", "Reflect.construct": "instance_of", "require": "module",
}  # fmt: skip

_CALLING = frozenset({
    *(name for name, effect in METHODS.items() if effect in ("map", "each", "compare", "fold")), "filter", "find",
    "findLast", "then", "catch", "finally", "addEventListener", "addListener", "prependListener", "on", "once",
    "replaceAll",
})  # fmt: skip
"""Methods of arrays, promises and event emitters that call their arguments."""
_CALLBACKS = frozenset({"Array.from", "String.replace", "String.prototype.replace", "Array.prototype.forEach.call"})

_GLOBALS = frozenset({
    "Array", "Object", "String", "Number", "Boolean", "Symbol", "Map", "Set", "WeakMap", "WeakSet", "WeakRef",
    "Promise", "Proxy", "Reflect", "JSON", "Math", "Date", "RegExp", "Error", "TypeError", "RangeError",
    "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError", "Function", "BigInt", "Intl",
    "console", "window", "document", "globalThis", "global", "process", "require", "module", "exports", "setTimeout",
    "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate", "queueMicrotask", "fetch",
    "URL", "URLSearchParams", "Buffer", "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent",
    "decodeURIComponent", "encodeURI", "decodeURI", "structuredClone", "alert", "navigator", "location",
    "performance", "AbortController", "AbortSignal", "Event", "EventTarget", "TextEncoder", "TextDecoder",
    "Uint8Array", "Int32Array", "Float32Array", "Float64Array", "ArrayBuffer", "DataView", "Headers", "Request",
    "Response", "FormData", "Blob", "crypto", "localStorage", "sessionStorage", "requestAnimationFrame", "describe",
    "it", "test", "expect", "beforeEach", "afterEach", "beforeAll", "afterAll", "jest", "vi", "before", "after",
    "__dirname", "__filename", "undefined", "NaN", "Infinity", "arguments", "eval", "escape", "unescape", "Iterator",
})  # fmt: skip
_COMMON = frozenset(METHODS) | frozenset({
    "then", "catch", "finally", "toString", "valueOf", "replace", "split", "trim", "toLowerCase", "toUpperCase",
    "startsWith", "endsWith", "match", "test", "exec", "charAt", "charCodeAt", "substring", "substr", "padStart",
    "padEnd", "repeat", "toFixed", "toISOString", "getTime", "on", "off", "once", "emit", "log", "error", "warn",
    "info", "debug", "json", "text", "send", "status", "end", "write", "close", "open", "read", "parse", "stringify",
    "apply", "resolve", "reject", "addEventListener", "removeEventListener", "querySelector", "appendChild",
    "setAttribute", "getAttribute", "name", "constructor",
})  # fmt: skip


@cache
def rules() -> Rules:
    """Return the resolution rules of JavaScript, TypeScript and TSX."""
    return Rules(
        family="javascript",
        modules=ModuleRules(
            locator=ScriptLocator,
            manifests=MANIFESTS,
            beside=beside,
        ),
        scopes=ScopeRules(members_apart=True),
        classes=ClassRules(
            instance_names=frozenset({"this"}),
            class_attribute="constructor",
            prototype="prototype",
        ),
        construction=ConstructionRules(constructors=("constructor",)),
        special_methods=SpecialMethods(
            iterate=("[Symbol.iterator]", "[Symbol.asyncIterator]"),
            next=("next",),
        ),
        functions=FunctionRules(
            signature_roles=MappingProxyType({"get": "property", "set": "setter", "static": "static"}),
            heads_apart=True,
            own_methods=frozenset({"call", "apply", "bind"}),
        ),
        builtins=BuiltinModels(
            open_objects=True,
            map_gives="pairs",
            types=MappingProxyType(TYPES),
            names=_GLOBALS,
            module="",
            literals=MappingProxyType({"%str": "String", "%num": "Number", "%bool": "Boolean"}),
            common_methods=_COMMON,
            container_methods=MappingProxyType(METHODS),
            functions=MappingProxyType(FUNCTIONS),
            callbacks=_CALLBACKS,
            gives_callbacks=True,
            calling_names=_CALLING,
        ),
    )
