"""Language record and resolution rules of Rust."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from codeexplore.languages.base import SLASHES, full, later, table, words
from codeexplore.languages.conventions import folders_above
from codeexplore.languages.rust.paths import WRAPPERS
from codeexplore.resolution import language_rules
from codeexplore.resolution.language_rules import NOWHERE, Effect, Located, TypeRole, Units
from codeexplore.types import FileFacts

if TYPE_CHECKING:
    from collections.abc import Iterator

# [ \t] and not \s, which would take time proportional to the square of the number of blank lines
_NAMED = r"^[ \t]*\[%s\][^\n]*\n(?:(?![ \t]*\[[\w\[])[^\n]*\n)*?[ \t]*name[ \t]*=[ \t]*[\"']([^\"'\n]+)[\"']"
_PACKAGE, _LIBRARY = (re.compile(_NAMED % table, re.MULTILINE) for table in ("package", "lib"))
_DEPENDENCIES = re.compile(
    r"^[ \t]*\[(?:[^\]\n]*\.)?(?:dev-|build-)?dependencies\]([^\[]*(?:\[(?!\w)[^\[]*)*)", re.MULTILINE
)
_DEPENDENCY = re.compile(r"^[ \t]*\[(?:[^\]\n]*\.)?(?:dev-|build-)?dependencies\.([\w-]+)\]", re.MULTILINE)
_NAME = re.compile(r"^[ \t]*([\w-]+)[ \t]*=", re.MULTILINE)
_PUBLISHED = re.compile(r"^[ \t]*([\w-]+)[ \t]*=[ \t]*(?:[\"']|\{(?![^}]*\b(?:path|workspace|git)\b))", re.MULTILINE)
_RENAMED = re.compile(r"^[ \t]*([\w-]+)[ \t]*=[ \t]*\{[^}\n]*\bpackage[ \t]*=[ \t]*[\"']([^\"'\n]+)[\"']", re.MULTILINE)
_ROOT = re.compile(r"^\[\[\w+\]\][^\[]*?^[ \t]*path[ \t]*=[ \t]*[\"']([^\"'\n]+/[^\"'\n]+)[\"']", re.MULTILINE)
_PLAIN = re.compile(
    r"(?:&\s*(?:'\w+\s*)?(?:mut\s+)?)*(?:str|String|bool|char|[iu](?:\d+|size)|f32|f64|\[[^\]]*\]|Vec<.*>)", re.DOTALL
)
_OUTSIDE_CRATES = frozenset({"std", "core", "alloc", "proc_macro", "test"})


_TARGETS = {"bin": "/src/bin/", "tests": "/tests/", "examples": "/examples/", "benches": "/benches/"}


def _is_target(facts: FileFacts) -> bool:
    """Return True for a file of a binary, test, example or benchmark, which has its own root: ``crate`` means that."""
    _, *inner = facts.module.split("::")
    path = f"/{facts.path}"
    folder = _TARGETS.get(inner[0], "") if len(inner) > 1 else ""
    return bool(folder) and folder in path and (inner[0] == "bin" or "/src/" not in path)


class RustLocator:
    """Module resolver of Rust. A module is found by its path from its crate. A crate has the name of its package."""

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        self.units = Units()
        self._top = self.units.add("")
        self._unit: list[int] = []
        self._crate: list[int] = []
        for index, facts in enumerate(files):
            parts = facts.module.split("::")
            unit = self.units.make(self._top, parts)
            self.units.files[unit].append(index)
            self._unit.append(unit)
            self._crate.append(self.units.walk(self._top, parts[: 3 if _is_target(facts) else 1]))
        self._add_roots(files, manifests)
        self._named: dict[str, int] = {}  # name of a package or library → its crate
        self._outside = set(_OUTSIDE_CRATES)
        published: dict[str, set[str]] = {}  # name of a crate → the dependencies that are not in the repository
        patched = any("[patch" in text for text in manifests.values())
        for path, text in manifests.items():
            for listed in _DEPENDENCIES.findall(text):
                self._outside.update(name.replace("-", "_") for name in _NAME.findall(listed))
            self._outside.update(name.replace("-", "_") for name in _DEPENDENCY.findall(text))
            folder = posixpath.basename(posixpath.dirname(path)).replace("-", "_") or "crate"
            crate = self.units.child(self._top, folder)
            if not patched:
                listed = "\n".join(_DEPENDENCIES.findall(text))
                published.setdefault(folder, set()).update(n.replace("-", "_") for n in _PUBLISHED.findall(listed))
            if crate >= 0:
                for pattern in (_PACKAGE, _LIBRARY):
                    if (found := pattern.search(text)) is not None:
                        self._named[found.group(1).replace("-", "_")] = crate
        self._published = [published.get(facts.module.partition("::")[0], set()) for facts in files]
        for text in manifests.values():
            for name, package in _RENAMED.findall(text):
                if package.replace("-", "_") in self._named:
                    self._named.setdefault(name.replace("-", "_"), self._named[package.replace("-", "_")])

    def _add_roots(self, files: Sequence[FileFacts], manifests: Mapping[str, str]) -> None:
        """Let ``crate`` in the folder of a program mean its root: ``path = "src/cli/main.rs"`` of a ``[[bin]]``."""
        homes = ((posixpath.dirname(path), text) for path, text in manifests.items())
        roots = {posixpath.join(home, found) for home, text in homes for found in _ROOT.findall(text)}
        number = Counter(map(posixpath.dirname, roots))  # several roots share their modules
        units = {posixpath.dirname(f.path): unit for f, unit in zip(files, self._unit, strict=True) if f.path in roots}
        units = {at: unit for at, unit in units.items() if number[at] == 1 and posixpath.basename(at) != "src"}
        for index, facts in enumerate(files if units else ()):
            above = folders_above(posixpath.dirname(facts.path))
            self._crate[index] = next((units[folder] for folder in above if folder in units), self._crate[index])

    def unit_of(self, file: int) -> int:
        return self._unit[file]

    def _own(self, file: int, name: str) -> int:
        return -1 if name in self._published[file] else self._named.get(name, -1)

    def locate(self, file: int, module: str) -> Located:
        """Return the module at the path `module`.

        The path begins with ``crate``, ``self``, ``super`` or the name of a crate. A path of the form
        ``/folder::module`` is the full name of a file's module. It begins with the folder of its crate.
        """
        if module.startswith("::"):
            name = module[2:]  # of a crate
            outside = Located(-1, name) if name in self._outside else NOWHERE
            return Located(own) if (own := self._own(file, name)) >= 0 else outside
        if module[0] == "/":
            unit = self.units.walk(self._top, module[1:].split("::"))
            return Located(unit) if unit >= 0 else NOWHERE
        first, *rest = module.split("::")
        unit = self._unit[file]
        if first == "crate":
            unit = self._crate[file]
            beside = self.units.parent[unit]  # src/bin/a.rs declares the module that is in src/bin/b.rs
            if rest and self.units.child(unit, rest[0]) < 0 <= self.units.child(beside, rest[0]) and beside > self._top:
                unit = beside
        elif first == "super":
            unit = self.units.parent[unit]
        elif first != "self":
            unit = self._own(file, first)
            if unit < 0 and first not in _OUTSIDE_CRATES | self._published[file]:
                unit = self.units.child(self._top, first)
            if unit < 0 and first not in self._outside:  # paths of the edition of 2015 begin at the crate
                unit = self.units.child(self._crate[file], first)
            if unit < 0:
                return Located(-1, module.replace("::", "."))
        for place, part in enumerate(rest):
            child = self.units.parent[unit] if part == "super" else self.units.child(unit, part)
            if child < 0:
                return Located(unit, "", tuple(rest[place:]))
            unit = child
        return Located(unit) if unit > self._top else NOWHERE


TYPES: dict[str, TypeRole] = table(
    {
        "same": """
        Option Result Box Rc Arc Pin Cow Cell RefCell Mutex RwLock Weak OnceCell OnceLock LazyLock Lazy UnsafeCell
        NonNull ManuallyDrop MaybeUninit MutexGuard Ref RefMut RwLockReadGuard RwLockWriteGuard Future
        AssertUnwindSafe CachePadded AtomicPtr Wrapping Reverse Poll IntoFuture Deref AsRef Borrow Into
        """,
        "sequence": """
        Vec VecDeque LinkedList HashSet BTreeSet BinaryHeap Iterator IntoIterator Stream DoubleEndedIterator
        ExactSizeIterator Iter IterMut IntoIter SmallVec IndexSet Peekable Slab Sender Receiver UnboundedSender
        UnboundedReceiver SyncSender
        """,
        "map": "HashMap BTreeMap IndexMap FxHashMap DashMap",
        "nothing": """
        str String usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 bool char PhantomData Infallible
        """,
        "callable": "Fn FnMut FnOnce",
    }
)

PASSING = words(
    """
    unwrap expect unwrap_or unwrap_or_default unwrap_unchecked clone cloned copied borrow borrow_mut lock read write
    try_lock as_ref as_mut as_deref as_deref_mut deref deref_mut get_mut into_inner get_ref to_owned into take replace
    ok err ok_or ok_or_else or or_else unwrap_or_else upgrade downgrade iter iter_mut into_iter and_then map map_err
    map_or map_or_else filter inspect then get get_or_init get_or_insert_with set as_pin_mut get_unchecked_mut by_ref
    insert or_insert or_insert_with or_insert_with_key or_default and_modify is_some_and is_ok_and await_
    boxed leak into_boxed as_mut_ptr as_ptr assume_init with with_mut
    """
)

METHODS: dict[str, Effect] = table(
    {
        "same": """
        chain rev skip take_while skip_while step_by
        collect cloned copied peekable fuse by_ref cycle as_slice as_mut_slice to_vec split_off clone unwrap
        expect as_ref as_mut lock borrow borrow_mut read write into_inner unwrap_or_default into_boxed_slice
        retain_mut union difference intersection as_deref to_owned ok windows chunks split_at
        """,
        "values": "values values_mut into_values",
        "iterated": "iter iter_mut into_iter drain par_iter par_iter_mut into_par_iter",
        "element": """
        next next_back first last get get_mut pop pop_front pop_back front back front_mut back_mut remove
        swap_remove nth peek peek_mut first_mut last_mut max min find recv try_recv get_unchecked
        get_unchecked_mut or_insert or_default or_insert_with blocking_recv max_by_key min_by_key entry take
        replace
        """,
        "store": "push push_back push_front send try_send blocking_send",
        "store_last": "insert",
        "extend": "extend append",
        "pairs": "enumerate",
        "map": "map filter_map map_while",
        "call": "flat_map find_map then and_then map_or with map_or_else",
        "each": """
        for_each filter any all position retain inspect sort_by_key partition map_err or_else ok_or_else
        unwrap_or_else get_or_insert_with is_some_and is_ok_and get_or_init
        """,
    }
)

_BUILTINS = words(
    """
    Some None Ok Err drop Vec String Box Option Result Default Clone Iterator From Into Drop Fn FnMut FnOnce Send Sync
    Sized Unpin Copy PartialEq Eq PartialOrd Ord AsRef AsMut ToOwned ToString IntoIterator Extend TryFrom TryInto
    FromIterator DoubleEndedIterator ExactSizeIterator str usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64
    bool char
    """
)
_MACROS = words(
    """
    assert! assert_eq! assert_ne! debug_assert! debug_assert_eq! debug_assert_ne! panic! println! print! eprintln!
    eprint! format! format_args! write! writeln! vec! matches! todo! unimplemented! unreachable! cfg! concat! env!
    option_env! include! include_str! include_bytes! stringify! line! column! file! module_path! thread_local! dbg!
    compile_error!
    """
)
_MORE = words(
    """
    new default from try_from fmt eq cmp partial_cmp hash drop index len is_empty contains poll into_future to_string
    as_str as_bytes parse trim split join push_str finish flush close next_back size_hint fold sum count zip is_some
    is_none is_ok is_err load store swap fetch_add fetch_sub compare_exchange wait notify spawn min max abs pow
    contains_key keys clear truncate reserve capacity with_capacity wake wake_by_ref add sub mul offset start end source
    description build run stop send recv now elapsed as_nanos as_millis as_secs display path exists kind
    """
)
_COMMON = PASSING | frozenset(METHODS) | _MORE


@cache
def rules() -> language_rules.Rules:
    return language_rules.Rules(
        family="rust",
        modules=language_rules.ModuleRules(
            locator=RustLocator,
            manifests=("Cargo.toml",),
            keywords=frozenset({"crate", "self", "super"}),
            absolute_mark="::",
        ),
        scopes=language_rules.ScopeRules(types_apart=True, bound_after=True, lambdas_apart=False),
        classes=language_rules.ClassRules(
            instance_names=frozenset(),
            super_names=frozenset(),
            own_type_names=frozenset({"Self"}),
            sealed_kinds=frozenset({"struct", "enum", "type"}),
            variants=True,
            methods_apart=True,
        ),
        construction=language_rules.ConstructionRules(making_calls=False, record_kinds=frozenset({"struct"})),
        special_methods=language_rules.SpecialMethods(deref=("deref",), iterate=("into_iter",), next=("next",)),
        functions=language_rules.FunctionRules(
            extensions="crate",
            results_exact=True,
            results_in_tuples=True,
            macro_signature="macro_rules!",
            plain_types=_PLAIN,
        ),
        decorators=language_rules.DecoratorRules(called=False),
        overloading=language_rules.Overloading(several=True, build_marks=frozenset({"cfg"})),
        builtins=language_rules.BuiltinModels(
            passing_methods=PASSING,
            gives_callbacks=True,
            keeping=WRAPPERS,
            map_gives="pairs",
            types=TYPES,
            names=_BUILTINS | _MACROS,
            module="std",
            literals={"%str": "std.str", "%num": "std.i32", "%bool": "std.bool"},
            common_methods=_COMMON,
            container_methods=METHODS,
        ),
    )


_PLAIN_DECORATORS = words(
    "inline allow warn deny expect must_use doc cfg cfg_attr derive deprecated cold track_caller non_exhaustive"
    " Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd"  # derived traits of the standard library
)

_PASTED = re.compile(r"\[<\s*([\w$: \t]{1,200})>\]")


def _built_names(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (position, beginning, end) of the names that macros paste together: ``[<cmd_ $name>]``."""
    for found in _PASTED.finditer(text):
        parts = ["" if "$" in part else part for part in found[1].split()]
        if "" in parts and len(parts[0] + parts[-1]) > 2:
            yield found.start(), parts[0], parts[-1]


RUST = replace(
    full("rust", "Rust"),
    rules=rules,
    extensions=(".rs",),
    separator="::",
    wrappings=later("codeexplore.languages.rust.modules:wrappings"),
    named_by=(".rs",),
    manifests=("Cargo.toml",),
    start_names=("main",),
    loaders=None,
    visibility="words",
    public_words=("pub",),
    program="main",
    called_signatures=re.compile(r"\bfn (?:de)?serialize\s*<[^()]*\(.*\b\w*serializer:"),
    called_because="code that serde derives calls {} of a module that an attribute names",
    offering=re.compile(r"(?<![\w(])pub\s+(?:mod|use|extern\s+crate)\b"),
    constructors=("new",),
    mark_noun="attribute",
    plain_decorators=_PLAIN_DECORATORS,
    impl_blocks=True,
    overridden_fields=False,
    shorthand_fields=True,
    conditional=True,
    test_files=re.compile(r"(?:tests?|.+_tests?)\.rs"),
    test_modules=re.compile(r"(?:^|::)tests?::"),
    test_names=(),
    test_decorators=frozenset({"test", "rstest", "test_case", "wasm_bindgen_test", "quickcheck", "bench"}),
    parameter_names="last",
    checked_types=True,
    comment_start=SLASHES,
    no_type=re.compile(r"'(?!static\b)\w+\s*,?\s*"),
    examples=re.compile("```"),
    by_position="",  # fields with names are never set so
    built_names=_built_names,
    conversions={"from": "into", "try_from": "try_into", "from_str": "parse"},
    macro_blocks=re.compile(r"\s*([\w:]+!)\s*\{\s*$"),
    generating=re.compile(r"\binclude!\s*\(\s*concat!\s*\(\s*env!\s*\(\s*\"OUT_DIR"),
    generator=re.compile(r"\bvar(?:_os)?\(\s*\"OUT_DIR\""),
)
