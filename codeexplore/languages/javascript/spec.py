"""Language records and resolution rules of JavaScript, TypeScript and TSX, whose files import each other."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeexplore.languages.base import SLASHES, Called, full, later, replacing, table, words
from codeexplore.languages.conventions import SCRIPT_TESTS, folders_above
from codeexplore.languages.javascript.paths import DEFAULT, EXPORTS
from codeexplore.resolution import language_rules
from codeexplore.resolution.language_rules import NOWHERE, Effect, Located, TypeRole, Units
from codeexplore.types import FileFacts
from codeexplore.types.kinds import CALLABLE_KINDS

if TYPE_CHECKING:
    from codeexplore.types import Symbol

_EXTENSIONS: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".es6", ".d.ts")
"""Extensions that an import may omit. A declaration file is used only if the implementation is missing."""
_WRITTEN: Final = {  # extension in an import → extensions of the source: imports name the compiler's output
    ".js": (".ts", ".tsx", ".jsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_BUILT: Final = re.compile(r"^(?:dist|lib|build|out|es|esm|cjs|umd)(?:/(?:esm|cjs|es|src))?/")
_CONDITIONS: Final = ("source", "import", "module", "default", "browser", "node", "require", "types")
# an unclosed string or comment extends to the end: a search from each quote would take quadratic time
_STRING: Final = r'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z))'
_COMMENT: Final = re.compile(_STRING + r"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL)
_CONVENTIONS: Final = {"@": ("src", ""), "~": ("src", "app", ""), "$lib": ("src/lib",)}
"""First part of a module name → folders that it means by the conventions of Vite, Nuxt, Remix and SvelteKit. They are
relative to a folder above the importing file."""
_ALIAS: Final = re.compile(r"[~#$]|@/")
"""Begin of a name that is no package, but an alias. Bundlers declare aliases in scripts, which are not read."""
_VIRTUAL: Final = re.compile(r"\$(?:app|env|service-worker)\b")  # modules of SvelteKit itself
_MAX_EXTENDS: Final = 8  # most tsconfig files that extend each other, which also ends circles
_MAX_TARGETS: Final = 50  # places of one pattern that are tried for each import


class _Patterns:
    """Patterns of module names with their targets. A pattern contains at most one ``*``.

    A module name is looked up by its beginning and its end. The time of a lookup therefore depends on how many
    different lengths the texts before and after ``*`` have, and not on the number of patterns. The first `_MAX_TARGETS`
    targets of a pattern are used.
    """

    def __init__(self, targets: Iterable[tuple[str, Iterable[str]]] = ()) -> None:
        self._plain: dict[str, tuple[int, list[str]]] = {}  # pattern → its number, its targets
        self._starred: dict[tuple[str, str], tuple[int, list[str]]] = {}  # by the texts before and after the star
        for number, (pattern, listed) in enumerate(targets):
            before, star, after = pattern.partition("*")
            row = number, list(islice(listed, _MAX_TARGETS))
            if star:
                self._starred[before, after] = row
            else:
                self._plain[pattern] = row
        self._lengths = {(len(before), len(after)) for before, after in self._starred}

    def __bool__(self) -> bool:
        return bool(self._plain or self._starred)

    def matches(self, name: str) -> list[str]:
        """Return the targets of all patterns that match `name`, in the order of the patterns."""
        found = [self._plain[name]] if name in self._plain else []
        for before, after in self._lengths:
            end = len(name) - after
            if before <= end and (row := self._starred.get((name[:before], name[end:]))) is not None:
                found.append((row[0], [target.replace("*", name[before:end]) for target in row[1]]))
        return [target for _, targets in sorted(found) for target in targets]


class _Aliases(NamedTuple):
    """Module aliases that a tsconfig declares. Their paths are relative to the root of the repository."""

    base: str | None
    paths: _Patterns


class ScriptLocator:
    """Module resolver of JavaScript, TypeScript and TSX. Each file is a module.

    A module name is searched in this order:

    1. relative to the importing file; 2. by ``paths`` and ``baseUrl`` of the nearest tsconfig; 3. as a package of the
    repository (``exports``, ``main``, ``imports``); 4. by the conventions for aliases (``@/``, ``~/``, ``$lib/``).

    A name that is an alias (``$components/x``) and is not found has no module. Other names are outside packages.

    If a package names built files (``dist/index.js``), the name resolves to the sources of these files. Each file
    that it names under a condition may be meant.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self.units = Units()
        self._paths = [facts.path for facts in files]
        self._file = {path: index for index, path in enumerate(self._paths)}
        for index, path in enumerate(self._paths):
            self.units.files[self.units.add(path)].append(index)
        self._manifests = {path: read_loose_json(text) for path, text in manifests.items()}
        self._packages: dict[str, str] = {}  # name → folder
        for path, content in self._manifests.items():
            name = content.get("name")
            if posixpath.basename(path) == "package.json" and isinstance(name, str) and name:
                self._packages.setdefault(name, posixpath.dirname(path))
        self._patterns = cache(self._find_patterns)
        self._aliases: dict[str, _Aliases] = {}  # by folder
        self._located = cache(self._locate)

    def unit_of(self, file: int) -> int:
        return file

    def locate(self, file: int, module: str) -> Located:
        return self._located(posixpath.dirname(self._paths[file]), module)

    def _locate(self, folder: str, module: str) -> Located:
        module = module.partition("?")[0].rpartition("!")[2]
        if module.startswith((".", "/")):
            place = posixpath.normpath(posixpath.join(folder, module) if module[0] == "." else module.lstrip("/"))
            home = "" if place == "." else place  # a folder may be that of a package
            main = (
                self._sources(home, self._entries(home))
                if posixpath.join(home, "package.json") in self._manifests
                else []
            )
            file = main[0] if main else self._at(place)
            return Located(file) if file >= 0 else NOWHERE
        for place in self._places(folder, module):
            file = self._at(place)
            if file >= 0:
                return Located(file)
        if files := self._in_package(folder, module):
            return Located(files[0], beside=tuple(files[1:]))
        file = self._by_convention(folder, module)
        if file >= 0:
            return Located(file)
        if _ALIAS.match(module) and not _VIRTUAL.match(module):
            return NOWHERE
        return Located(-1, module.removeprefix("node:"))

    def _by_convention(self, folder: str, module: str) -> int:
        """Return the number of the file that an alias means by convention, below the nearest folder; -1 for none."""
        first, _, rest = module.partition("/")
        bases = _CONVENTIONS.get(first, ())
        places = (posixpath.join(above, base, rest) for above in folders_above(folder) for base in bases)
        return next((file for place in places if (file := self._at(place)) >= 0), -1)

    # ----------------------------------------------------------------- files

    def _at(self, place: str) -> int:
        """Return the file for a path without extension or the path of a folder; -1 if there is none."""
        return self._file.get(_path_at(place, self._file), -1)

    # ----------------------------------------------------------------- tsconfig

    def _places(self, folder: str, module: str) -> Iterator[str]:
        """Yield the paths that the nearest tsconfig above `folder` allows for the name `module`."""
        aliases = self._aliases_of(folder)
        yield from aliases.paths.matches(module)
        if aliases.base is not None:
            yield posixpath.join(aliases.base, module)

    def _aliases_of(self, folder: str) -> _Aliases:
        below: list[str] = []
        while (known := self._aliases.get(folder)) is None:
            below.append(folder)
            known = self._read_aliases(folder)
            if known.paths or known.base is not None or not folder:
                break
            folder = posixpath.dirname(folder)
        self._aliases.update(dict.fromkeys(below, known))
        return known

    def _read_aliases(self, folder: str) -> _Aliases:
        for name in JAVASCRIPT.manifests[1:]:
            path = posixpath.join(folder, name)
            for _ in range(_MAX_EXTENDS):
                content = self._manifests.get(path)
                if content is None:
                    break
                found = _aliases_in(content, posixpath.dirname(path))
                if found.paths or found.base is not None:
                    return found
                above = content.get("extends")
                if not isinstance(above, str) or not above.startswith("."):
                    break
                path = posixpath.normpath(posixpath.join(posixpath.dirname(path), above))
                path += "" if path.endswith(".json") else ".json"
        return _Aliases(None, _Patterns())

    # ----------------------------------------------------------------- packages

    def _in_package(self, folder: str, module: str) -> list[int]:
        """Return the files that a name means under any condition of the manifest, the likeliest first."""
        if module.startswith("#"):
            return self._imported_privately(folder, module)
        parts = module.split("/")
        size = 2 if module.startswith("@") else 1
        name, rest = "/".join(parts[:size]), "/".join(parts[size:])
        home = self._packages.get(name)
        if home is None:
            return []
        if files := self._sources(home, self._patterns(home, "exports").matches(f"./{rest}" if rest else ".")):
            return files
        if not rest and (files := self._sources(home, self._entries(home))):
            return files
        tries = (rest, posixpath.join("src", rest)) if rest else ("index", "src/index", "src/main", "lib/index")
        return [file for place in tries if (file := self._at(posixpath.join(home, place))) >= 0][:1]

    def _sources(self, home: str, targets: Iterable[str]) -> list[int]:
        """Return the files of targets of the package in `home`; declarations only if there is no other."""
        found = dict.fromkeys(file for each in targets if (file := self._source_of(home, each)) >= 0)
        return [file for file in found if ".d." not in self._paths[file]] or list(found)

    def _imported_privately(self, folder: str, module: str) -> list[int]:
        for home in folders_above(folder):
            if posixpath.join(home, "package.json") in self._manifests:
                return self._sources(home, self._patterns(home, "imports").matches(module))
        return []

    def _entries(self, home: str) -> list[str]:
        """Return the files that the package in the folder `home` declares outside of ``exports`` for its own name."""
        manifest = self._manifests[posixpath.join(home, "package.json")]
        entries = (manifest.get(key) for key in ("source", "module", "main", "browser", "types", "typings"))
        return [entry for entry in entries if isinstance(entry, str)]

    def _find_patterns(self, home: str, key: str) -> _Patterns:
        """Return the patterns that ``package.json`` in the folder `home` has under `key`, "exports" or "imports"."""
        listed = self._manifests[posixpath.join(home, "package.json")].get(key)
        if key == "exports" and not (isinstance(listed, dict) and any(each[:1] == "." for each in listed)):
            listed = {".": listed}
        each = listed.items() if isinstance(listed, dict) else ()
        return _Patterns((pattern, _conditional(target)) for pattern, target in each)

    def _source_of(self, home: str, target: str) -> int:
        """Return the file that a manifest in `home` names by `target`, or the source of a built one; -1 for none."""
        target = posixpath.normpath(target)
        file = self._at(posixpath.join(home, target))
        if file >= 0:
            return file
        stem = _BUILT.sub("", target)
        if stem == target:
            return -1
        for extension in (".d.ts", ".d.mts", ".d.cts"):
            stem = stem.removesuffix(extension)
        stem = posixpath.splitext(stem)[0] if posixpath.splitext(stem)[1] in _EXTENSIONS else stem
        return max(self._at(posixpath.join(home, "src", stem)), self._at(posixpath.join(home, stem)))


def beside(path: str, module: str, paths: Container[str]) -> str:
    """Return the existing path that the relative name `module` means in the file `path`; "" if there is none."""
    return _path_at(posixpath.join(posixpath.dirname(path), module), paths) if module.startswith(".") else ""


def _path_at(place: str, paths: Container[str]) -> str:
    """Return the existing path for `place`, a path without extension or the path of a folder; "" if there is none."""
    place = posixpath.normpath(place)
    if place.startswith(".."):
        return ""
    place = "" if place == "." else place
    if place in paths:
        return place
    stem, extension = posixpath.splitext(place)
    index = posixpath.join(place, "index")
    candidates = [stem + other for other in _WRITTEN.get(extension, ())]
    candidates += [place + other for other in _EXTENSIONS] + [index + other for other in _EXTENSIONS]
    return next((path for path in candidates if path in paths), "")


def read_loose_json(text: str) -> dict[str, Any]:
    """Return the object in JSON with comments and trailing commas, as in tsconfig files; {} for other text."""
    plain = _COMMENT.sub(lambda found: found.group(1) or "", text.removeprefix("\ufeff"))
    plain = _TRAILING_COMMA.sub(lambda found: found.group(1) or "", plain)
    try:
        content = json.loads(plain)
    except (ValueError, RecursionError):  # the manifest can't be read: imports by its names count as external
        return {}
    return content if isinstance(content, dict) else {}


def _aliases_in(content: Mapping[str, Any], folder: str) -> _Aliases:
    options = content.get("compilerOptions")
    if not isinstance(options, dict):
        return _Aliases(None, _Patterns())
    base, paths = options.get("baseUrl"), options.get("paths")
    home = posixpath.normpath(posixpath.join(folder, base)) if isinstance(base, str) else folder
    found = []
    if isinstance(paths, dict):
        for pattern, targets in paths.items():
            listed = [target for target in targets if isinstance(target, str)] if isinstance(targets, list) else []
            found.append((pattern, [posixpath.join(home, target) for target in listed[:_MAX_TARGETS]]))
    found.sort(key=lambda entry: -len(entry[0].partition("*")[0]))  # the longest prefix wins
    return _Aliases(home if isinstance(base, str) else None, _Patterns(found))


def _conditional(target: object) -> Iterator[str]:
    """Yield all strings in `target`, an entry of ``exports`` or ``imports``, under any of its conditions."""
    left = [target]
    while left:  # no recursion: a manifest may be nested as deep as Python's stack
        each = left.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            left += reversed(each)
        elif isinstance(each, dict):
            known = [key for key in _CONDITIONS if key in each]
            left += [each[key] for key in reversed([*known, *(key for key in each if key not in _CONDITIONS)])]


TYPES: dict[str, TypeRole] = table(
    {
        "same": """
        Promise Partial Required Readonly NonNullable Awaited PromiseLike Pick Omit WeakRef Ref ComputedRef
        DeepPartial Mutable Maybe Nullable
        """,
        "sequence": """
        Array ReadonlyArray Set ReadonlySet Iterable Iterator IterableIterator Generator AsyncIterable
        AsyncIterator AsyncGenerator AsyncIterableIterator WeakSet ArrayLike
        """,
        "map": "Map ReadonlyMap WeakMap Record",
        "nothing": """
        string number boolean any unknown void null undefined never object bigint symbol Object Function
        ReturnType Parameters InstanceType keyof
        """,
        "class": "typeof",
        "self": "this",
    }
)
METHODS: dict[str, Effect] = table(
    {
        "store": "push unshift add splice fill",
        "store_last": "set",
        "element": "get pop shift at find findLast next",
        "fold": "reduce reduceRight",
        "compare": "sort toSorted",
        "same": "filter slice concat reverse toReversed flat toSpliced with copyWithin toArray",
        "values": "values",
        "each": "forEach some every findIndex findLastIndex",
        "map": "map flatMap",
        "items": "entries",
        "itself": "has delete clear join includes indexOf keys lastIndexOf size length hasOwnProperty bind",
        "call": "call apply",
        "then": "then",
        "settle": "catch finally",
    }
)
FUNCTIONS: dict[str, str] = table(
    {
        "sequence": "Array Set Object.values",
        "callitems": "Array.from",
        "map": "Map WeakMap",
        "pairs": "Object.entries",
        "assign": """
        Object.assign object-assign merge-descriptors utils-merge util._extend extend xtend/mutable lodash.assign
        lodash.extend lodash.merge lodash.defaults underscore.extend underscore.defaults jquery.extend
        """,
        "first": """
        Object.freeze Object.seal Promise.resolve Promise.all Promise.allSettled structuredClone
        Object.getPrototypeOf Object.create Reflect.construct
        """,
        "element": "Promise.race",
        "items": "Array.of",
        "module": "require",
    }
)
_CALLING = words(
    """
    filter find findLast then catch finally addEventListener addListener prependListener on once subscribe replaceAll
    """
).union(name for name, effect in METHODS.items() if effect in ("map", "each", "compare", "fold"))
"""Methods of arrays, promises and event emitters that call their arguments."""
_CALLBACKS = frozenset({"Array.from", "String.replace", "String.prototype.replace", "Array.prototype.forEach.call"})
_KEEPING = words(
    """
    Object.defineProperty Object.defineProperties Object.assign Object.freeze Object.seal Object.preventExtensions
    Object.keys Object.values Object.entries Object.getOwnPropertyNames Object.getOwnPropertyDescriptor
    Object.getOwnPropertyDescriptors Object.getPrototypeOf Object.setPrototypeOf Object.create Object.is
    Object.hasOwn Reflect.ownKeys Reflect.has Reflect.get Reflect.set Reflect.defineProperty Reflect.getPrototypeOf
    Array.isArray Promise.resolve Promise.reject console.log console.info console.warn console.error console.debug
    """
)
"""Functions of the language that call none of their arguments."""
_GLOBALS = words(
    """
    Array Object String Number Boolean Symbol Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect JSON Math Date
    RegExp Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError Function BigInt Intl
    console window document globalThis global process require module exports setTimeout setInterval setImmediate
    clearTimeout clearInterval clearImmediate queueMicrotask fetch URL URLSearchParams Buffer parseInt parseFloat isNaN
    isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone alert navigator location
    performance AbortController AbortSignal Event EventTarget TextEncoder TextDecoder Uint8Array Int32Array Float32Array
    Float64Array ArrayBuffer DataView Headers Request Response FormData Blob crypto localStorage sessionStorage
    requestAnimationFrame describe it test expect beforeEach afterEach beforeAll afterAll jest vi before after __dirname
    __filename undefined NaN Infinity arguments eval escape unescape Iterator
    """
)
_COMMON = frozenset(METHODS) | words(
    """
    then catch finally toString valueOf replace split trim toLowerCase toUpperCase startsWith endsWith match test exec
    charAt charCodeAt substring substr padStart padEnd repeat toFixed toISOString getTime stringify apply
    addEventListener removeEventListener querySelector appendChild setAttribute getAttribute name constructor
    """
)


@cache
def rules() -> language_rules.Rules:
    return language_rules.Rules(
        family="javascript",
        modules=language_rules.ModuleRules(
            locator=ScriptLocator, manifests=JAVASCRIPT.manifests, beside=beside, default=DEFAULT, itself=EXPORTS
        ),
        scopes=language_rules.ScopeRules(members_apart=True),
        classes=language_rules.ClassRules(
            instance_names=frozenset({"this"}), class_attribute="constructor", prototype="prototype"
        ),
        construction=language_rules.ConstructionRules(constructors=JAVASCRIPT.constructors),
        special_methods=language_rules.SpecialMethods(
            iterate=("[Symbol.iterator]", "[Symbol.asyncIterator]"), next=("next",)
        ),
        functions=language_rules.FunctionRules(
            signature_roles={"get": "property", "set": "setter", "static": "static"},
            heads_apart=True,
            own_methods=frozenset({"call", "apply", "bind"}),
        ),
        builtins=language_rules.BuiltinModels(
            open_objects=True,
            map_gives="pairs",
            types=TYPES,
            names=_GLOBALS,
            module="",
            literals={"%str": "String", "%num": "Number", "%bool": "Boolean"},
            common_methods=_COMMON,
            container_methods=METHODS,
            passing_methods=frozenset(name for name, effect in METHODS.items() if effect in ("then", "settle")),
            functions=FUNCTIONS,
            callbacks=_CALLBACKS,
            keeping=_KEEPING,
            gives_back=True,
            gives_callbacks=True,
            calling_names=_CALLING,
        ),
    )


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
    rules=rules,
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
