"""Macros that prevent the grammars of C and C++ from parsing a definition, such as ``API`` in ``class API Name {``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeexplore.languages.base import Wrapping

if TYPE_CHECKING:
    from tree_sitter import Node

_MACRO = rb"[A-Z][A-Z0-9_]{3,}"
_BEFORE_NAME = re.compile(  # class API Name {
    rb"\b(?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+(" + _MACRO + rb"(?:\([^()\n]*\))?)[ \t]+"
    rb"(?=[A-Za-z_]\w*[ \t]*(?:final[ \t]*)?(?:[:{<]|\r?$))",
    re.MULTILINE,
)
_ALONE = re.compile(  # LIB_BEGIN_NAMESPACE
    rb"^[ \t]*([A-Z][A-Z0-9_]*(?:BEGIN|END|NAMESPACE|DECLS|EXTERN_C|PUSH|POP|DISABLE|ENABLE|RESTORE|OBJECT)[A-Z0-9_]*)"
    rb"[ \t]*\r?$",
    re.MULTILINE,
)
_BEFORE_TYPE = re.compile(  # API int name(
    rb"^[ \t]*(?:(?:static|inline|extern|constexpr|virtual|friend|explicit)[ \t]+)*("
    + _MACRO
    + rb"(?:\([^()\n]*\))?)[ \t]+(?=(?:[A-Za-z_][\w:<>,]*[ \t*&]+)+~?[A-Za-z_][\w:]*[ \t]*\()",
    re.MULTILINE,
)
_BEFORE_CONSTRUCTOR = re.compile(  # API Name(int a) : a_(a) {
    rb"^[ \t]*(?:(?:inline|constexpr|explicit)[ \t]+)*("
    + _MACRO
    + rb"(?:\([^()\n]*\))?)[ \t]+(?=~?[A-Za-z_]\w*[ \t]*\([^;{}]{0,400}\)[ \t\n]*(?:noexcept[ \t\n]*)?:[^:])",
    re.MULTILINE,
)
_ABOVE_DEFINITION = re.compile(  # API_TEMPLATE above class Name {
    rb"^[ \t]*("
    + _MACRO
    + rb"(?:\([^()\n]*\))?)[ \t]*\r?\n(?=[ \t]*(?:class|struct|union|enum|template|namespace|using|typedef|"
    rb"static|inline|constexpr|extern|virtual|friend|explicit)\b)",
    re.MULTILINE,
)
_IN_TEMPLATE = re.compile(  # template <typename T, API_ENABLE_IF(condition)>
    rb"(,[ \t\n]*[A-Z][A-Z0-9_]{3,}\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))(?=[ \t\n]*[,>])"
)
_KEYWORD = re.compile(  # LIB_TRY { } LIB_CATCH (...) { }, LIB_PRIVATE_UNLESS_TESTED:
    rb"\b[A-Z][A-Z0-9_]*_(?:(TRY)(?=\s*\{)|(CATCH)(?=\s*\()|(PUBLIC|PROTECTED|PRIVATE)\w*(?=[ \t]*:[ \t]*\r?$))",
    re.MULTILINE,
)
_PATTERNS = (_BEFORE_NAME, _ALONE, _BEFORE_TYPE, _BEFORE_CONSTRUCTOR, _ABOVE_DEFINITION, _IN_TEMPLATE)


def wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the macros to replace in a file with syntax errors: by the keyword in their name, or by blanks.

    They are names in capitals at places where the grammar allows no name.
    """
    if not root.has_error:
        return []
    spans = {found.span(1) for pattern in _PATTERNS for found in pattern.finditer(data)}
    blanks = [Wrapping(start, end, end, end) for start, end in spans]
    words = [
        Wrapping(found.start(), found.end(), found.end(), found.end(), word.lower().ljust(len(found.group())))
        for found in _KEYWORD.finditer(data)
        if (word := found.group(found.lastindex or 0))
    ]
    return sorted(blanks + words)
