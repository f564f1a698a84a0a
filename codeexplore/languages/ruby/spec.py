"""Language record and grammar shape of Ruby."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codeexplore.languages.base import Language
from codeexplore.languages.declarative.grammar_shape import Shape

if TYPE_CHECKING:
    from codeexplore.languages.extraction import Extractor
    from codeexplore.resolution.language_rules import Rules

SHAPE = Shape(
    separator="::",
    member_separator="#",
    global_names=True,
    methods_in_modules=True,
    names={"assignment": ("left",), "simple_symbol": ()},
    bodies={"assignment": "right", "call": "block"},
    roots=frozenset({
        "identifier", "constant", "self", "super", "instance_variable", "class_variable", "global_variable",
    }),
    attributes={"scope_resolution": ("scope", "name")},
    methods={"call": ("receiver", "method")},
    subscripts={"element_reference": "object"},
    through={"parenthesized_statements": ""},
    parameters={"method": ("parameters",), "singleton_method": ("parameters",)},
    parameter={
        "identifier": ((), ()), "optional_parameter": (("name",), ()), "splat_parameter": (("name",), ()),
        "keyword_parameter": (("name",), ()), "hash_splat_parameter": (("name",), ()),
        "block_parameter": (("name",), ()),
    },
    variadic=frozenset({"splat_parameter", "hash_splat_parameter"}),
    declared={"assignment": (("left",), (), ("right",)), "operator_assignment": (("left",), (), ("right",))},
    arguments={"call": ("arguments",)},
    literals={"string": "%str", "integer": "%num", "array": "%list", "hash": "%dict", "simple_symbol": "%str"},
)  # fmt: skip


def _rules() -> Rules:
    from codeexplore.languages.ruby.resolve import rules

    return rules()


def _extractor() -> Extractor:
    from codeexplore.languages.ruby.extractor import RubyExtractor

    return RubyExtractor(SHAPE)


RUBY = Language(
    name="ruby",
    title="Ruby",
    level="symbols",
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    filenames=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile"),
    interpreters=("ruby", "jruby", "rake"),
    grammar="ruby",
    separator="::",
    pygments="ruby",
    folder=Path(__file__).parent,
    extractor=_extractor,
    rules=_rules,
)
