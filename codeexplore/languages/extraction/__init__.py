"""Captured syntax-tree nodes of one file → its symbols and facts.

`tags.scm` of a language says *which* nodes matter, an `Extractor` what they mean. A capture's name selects its handler:

=====================  ====================================================================================
``@definition.KIND``   a symbol; its name, parameters and body are fields of the node
``@reference.KIND``    a use of a name
``@binding.MANNER``    a name given a value
``@import`` ``@export`` ``@return`` ``@yield`` ``@base``  as the language's handlers say
``@comment``           leading comments, which belong to the symbol below them
``@decorator``         attributes that stand above a definition as its siblings and belong to it
=====================  ====================================================================================

One node a pattern keeps the query at less than twice a bare walk over the tree; matches that hold a node's fields, too,
would cost more than asking the node for those that are needed. Definitions are placed first, as a tree of scopes; every
other node then goes to its handler in source order, outermost first, together with the innermost scope around it.
"""

from codeexplore.languages.extraction.expressions import (
    MAX_PATH_STEPS,
    SHORT_BYTES,
    PathReader,
    anonymous_name,
    child_of,
)
from codeexplore.languages.extraction.extractor import DOC_CHARS, SIGNATURE_CHARS, Extractor
from codeexplore.languages.extraction.leading_comments import clean_comment
from codeexplore.languages.extraction.records import (
    Captures,
    Definition,
    Expressions,
    Extraction,
    Handler,
    Layout,
    record,
)

__all__ = [
    "DOC_CHARS",
    "MAX_PATH_STEPS",
    "SHORT_BYTES",
    "SIGNATURE_CHARS",
    "Captures",
    "Definition",
    "Expressions",
    "Extraction",
    "Extractor",
    "Handler",
    "Layout",
    "PathReader",
    "anonymous_name",
    "child_of",
    "clean_comment",
    "record",
]
