"""Language record of Rust."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language, Wrapping, words

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules


def _extractor() -> Extractor:
    from codeexplore.languages.rust.extractor import RustExtractor

    return RustExtractor()


def _wrappings(root: Node, data: bytes) -> list[Wrapping]:
    from codeexplore.languages.rust.modules import wrappings

    return wrappings(root, data)


def _rules() -> Rules:
    from codeexplore.languages.rust.resolve import rules

    return rules()


_PLAIN_DECORATORS = words(
    """
    inline allow warn deny expect must_use doc cfg cfg_attr derive deprecated cold track_caller non_exhaustive
    """
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
    wrappings=_wrappings,
    named_by=(".rs",),
    manifests=("Cargo.toml",),
    extractor=_extractor,
    rules=_rules,
    visibility="words",
    public_words=("pub",),
    constructors=("new",),
    plain_decorators=_PLAIN_DECORATORS,
    conditional=True,
    test_files=re.compile(r"(?:tests?|.+_tests?)\.rs"),
    test_modules=re.compile(r"(?:^|::)tests?::"),
    test_decorators=frozenset({"test", "rstest", "bench"}),
    parameter_names="last",
)
