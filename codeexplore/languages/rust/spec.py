"""Language record of Rust."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, later, words

if TYPE_CHECKING:
    pass


_PLAIN_DECORATORS = words(
    "inline allow warn deny expect must_use doc cfg cfg_attr derive deprecated cold track_caller non_exhaustive"
)

RUST = Language(
    name="rust",
    title="Rust",
    level="full",
    extensions=(".rs",),
    grammar="rust",
    queries=(Path(__file__).with_name("tags.scm"),),
    separator="::",
    pygments="rust",
    wrappings=later("codeexplore.languages.rust.modules:wrappings"),
    named_by=(".rs",),
    manifests=("Cargo.toml",),
    extractor=later("codeexplore.languages.rust.extractor:RustExtractor"),
    rules=later("codeexplore.languages.rust.resolve:rules"),
    visibility="words",
    public_words=("pub",),
    constructors=("new",),
    plain_decorators=_PLAIN_DECORATORS,
    impl_blocks=True,
    conditional=True,
    test_files=re.compile(r"(?:tests?|.+_tests?)\.rs"),
    test_modules=re.compile(r"(?:^|::)tests?::"),
    test_names=(),
    test_decorators=frozenset({"test", "rstest", "test_case", "wasm_bindgen_test", "quickcheck", "bench"}),
    parameter_names="last",
)
