"""Language record of Rust."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from codeexplore.languages.base import SLASHES, full, later, words

if TYPE_CHECKING:
    from collections.abc import Iterator


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
