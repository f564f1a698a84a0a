"""Text of C and C++ that the grammar cannot read, and what it is replaced with before a file is parsed again.

Most are macros at places where the grammar allows no name: ``class API Name {`` and ``LIB_BEGIN_NAMESPACE``. Others are
code that it takes for something else: ``const Item& last(items.back());``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from tree_sitter import Node

from codeexplore.languages.base import Wrapping
from codeexplore.languages.conventions import dividing_conditions

_MACRO = rb"[A-Z][A-Z0-9_]{3,}"
_CALLED = _MACRO + rb"(?:\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\))?"
_RUN = _CALLED + rb"(?:[ \t\r\n]+%b){0,6}" % _CALLED
_KEYWORD = re.compile(  # LIB_TRY { } LIB_CATCH (...) { }, LIB_PRIVATE_UNLESS_TESTED:
    rb"\b[A-Z][A-Z0-9_]*_(?:(TRY)(?=\s*\{)|(CATCH)\w*(?=\s*\([^(){}]*\)\s*\{)|(CATCH_A)(?:LL|NY)(?=\s*\{)"
    rb"|(PUBLIC|PROTECTED|PRIVATE)\w*(?=[ \t]*:[ \t]*\r?$))",
    re.MULTILINE,
)
_WORDS_OF = {b"CATCH_A": b"catch(...)"}
_AROUND = re.compile(  # LIB_START { … } LIB_END;
    rb"^[ \t]*(?:(%b)[ \t\r\n]*\{|\}[ \t]*(?:\r?\n[ \t]*)?(%b)[ \t]*;?[ \t]*\r?$)" % (_MACRO, _MACRO), re.MULTILINE
)
_SIDE = re.compile(rb"_?(?:BEGIN|START|OPEN|END|CLOSE)")
_OBJECT_MACRO = re.compile(  # define NAME …
    rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(?![\w(])[ \t]*([^\r\n]*)", re.MULTILINE
)
_SPECIFIERS = re.compile(  # the body of a macro that stands where the grammar knows no name
    rb"(?:(?:inline|static|extern|noexcept|constexpr|_Noreturn|__(?:forceinline|inline|cdecl|stdcall|extension|restrict)_*\b"
    rb"|__(?:attribute|declspec)_*[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[\[[^\]]*\]\]|=[ \t]*delete"
    rb"|/\*[^*\n]*\*/|//[^\n]*)[ \t]*)*"
)
_WORDS = re.compile(rb"^[ \t]*#[^\n]*|\b([A-Za-z_]\w*)", re.MULTILINE)  # outside of directives
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_COMMENT_IN_MACRO = re.compile(rb"(/\*[^\n*]{0,200}\*/)(?=[ \t]*\\\r?\n)")  # before the next line of a macro
_LINE_PATTERNS = (
    re.compile(  # LIB_BEGIN_NAMESPACE
        rb"(?m)^[ \t]*([A-Z][A-Z0-9_]*(?:BEGIN|END|NAMESPACE|DECLS|EXTERN_C|PUSH|POP|DISABLE|ENABLE|RESTORE|OBJECT)"
        rb"[A-Z0-9_]*)[ \t]*\r?$"
    ),
    re.compile(  # LIB_NS above an empty line, or in the last line, which opens or closes a namespace
        rb"(?m)^(%b)[ \t]*(?=\r?\n[ \t]*\r?\n\s*[^\s{}]|\s*\Z)" % _MACRO
    ),
    re.compile(  # API OTHER int name(
        rb"(?m)^[ \t]*(?:(?:static|inline|extern|constexpr|virtual|friend|explicit)[ \t]+)*(%b)[ \t\r\n]+"
        rb"(?=(?!(?:return|else|throw|goto|case|delete|new)\b)(?:[A-Za-z_][\w:<>,]*[ \t*&]+)+"
        rb"(?:~?[A-Za-z_][\w:]*|operator[^\w\s(]{1,3})[ \t]*\()" % _RUN
    ),
    re.compile(  # API Name(int a) : a_(a) {
        rb"(?m)^[ \t]*(?:(?:inline|constexpr|explicit)[ \t]+)*(%b)[ \t\r\n]+"
        rb"(?=(?:[A-Za-z_]\w*::)*~?[A-Za-z_]\w*[ \t]*\([^;{}]{0,400}\)(?:\s|noexcept\b|//[^\n]*\n){0,40}:[^:])" % _RUN
    ),
    re.compile(  # API Name<T>::Name(int a)
        rb"(?m)^[ \t]*(?:(?:inline|constexpr)[ \t]+)*(%b)[ \t]+"
        rb"(?=(?:[A-Za-z_]\w*::){0,4}([A-Za-z_]\w*)(?:<[^<>;{}()\n]{0,80}>)?::~?\2[ \t]*\()" % _CALLED
    ),
    re.compile(  # API_TEMPLATE above class Name {
        rb"(?m)^[ \t]*(%b)[ \t]*\r?\n(?=[ \t]*(?:class|struct|union|enum|template|namespace|using|typedef|"
        rb"static|inline|constexpr|extern|virtual|friend|explicit)\b)" % _RUN
    ),
    re.compile(  # API above Name(int a);
        rb"(?m)^[ \t]+(%b(?:\s+%b){0,6})[ \t]*\r?\n(?=[ \t]*(?:/\*[^*\n]*\*/[ \t]*)?"
        rb"(?:~?[A-Za-z_]\w*|operator\b[^;{}()\n]{1,80})\([^;{}]{0,400}\)[^;{}()]{0,40}[;{])" % (_MACRO, _MACRO)
    ),
    re.compile(  # UNINITIALIZED lib::Item item;
        rb"(?m)^[ \t]+(%b)[ \t]+(?=(?!const\b|volatile\b)(?:[A-Za-z_]\w*::){0,4}[A-Za-z_]\w*(?:<[^;{}()\n]{0,80}>)?"
        rb"[ \t]+[*&]*[A-Za-z_]\w*[ \t]*(?:;|\{|=[^=]))" % _MACRO
    ),
    re.compile(  # LIB_REGISTER(name, char*);
        rb"(?m)^(%b\((?=[^;{}]{0,200}[(,<][ \t]*(?:void|bool|char|short|int|long|unsigned|float|double)[ \t*&]*[,)>])"
        rb"(?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\));[ \t]*\r?$" % _MACRO
    ),
)
"""Those of `_PATTERNS` that begin with a line, and a macro behind specifiers only. Most lines begin otherwise."""
_OPENING_MACRO = re.compile(
    rb"^[ \t]*(?:(?:static|inline|extern|const|constexpr|virtual|friend|explicit)[ \t]+)*%b" % _MACRO, re.MULTILINE
)
_PATTERNS = (
    re.compile(  # class API OTHER Name {
        rb"(?m)\b(?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+(%b)[ \t]+"
        rb"(?=[A-Za-z_]\w*[ \t]*(?:final[ \t]*)?(?:[:{<]|\r?$))" % _RUN
    ),
    re.compile(  # int API name(int a) {
        rb"(?m)^[ \t]*(?:(?:static|inline|extern|const)[ \t]+)*(?!static|inline|extern|const|return|else|case|typedef)"
        rb"[A-Za-z_]\w*[ \t*]+\r?\n?[ \t]*(%b)[ \t\r\n]+"
        rb"(?=[A-Za-z_]\w*[ \t]*\([^;{}()]{0,400}\)(?:\s|(?:const|noexcept)\b){0,40}[{;])" % _MACRO
    ),
    re.compile(  # void name() API_NOEXCEPT {, ~Name() _NOEXCEPT(false) {
        rb"\)[ \t]*(?:const[ \t]*)?(?:\r?\n[ \t]*)?(_*%b)[ \t\r\n]*(?=\{|:[^:])" % _CALLED
    ),
    re.compile(  # API_WARNING above std::unique_ptr<Private> d;
        rb"[;{}:/#][ \t]*\r?\n\s*(%b)[ \t]*\r?\n"
        rb"(?=[ \t]*(?!return\b|else\b|throw\b|goto\b)(?:[A-Za-z_][\w:]*(?:<[^;{}()]{0,200}>)?[ \t*&]+){1,6}"
        rb"[A-Za-z_]\w*(?:\[[^\]\n]*\])?[ \t]*[;={])" % _CALLED
    ),
    re.compile(  # template <typename T, API_ENABLE_IF(condition)>
        rb"\btemplate[ \t\n]*<[^;{}()]{0,300}"
        rb"((?:,[ \t\n]*[A-Z][A-Z0-9_]{3,}\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+)(?=[ \t\n]*[,>])"
    ),
    re.compile(  # for (; const char* next = find(p); ++p)
        rb"\bfor[ \t]*\([^;{}]{0,200};[ \t]*((?:const[ \t]+)?[A-Za-z_][\w:]*(?:<[^;{}()]{0,80}>)?"
        rb"(?:[ \t]*[*&]+(?:[ \t]*const\b)?[ \t]*|[ \t]+))(?=[A-Za-z_]\w*[ \t]*=[^=;])"
    ),
    re.compile(  # if LIKELY(a) {
        rb"\b(?:if(?:[ \t]+constexpr)?|while|switch)[ \t]+(%b)[ \t]*(?=\()" % _MACRO
    ),
)
"""Macros at places where the grammar allows no name, and types in conditions of loops, each in the first group."""
_LABEL = re.compile(  # CASE_CODE(ADD):
    rb"^[ \t]*%b\([ \t]*(?:[\w.]|'[^'\n]{1,4}')+[ \t]*\)[ \t]*(:)(?!:)" % _MACRO, re.MULTILINE
)
_REFERENCE = re.compile(  # const Item& last(items.back());
    rb"^[ \t]+(?:(?:const|static)[ \t]+)*(?!return\b|throw\b|const\b|static\b)[A-Za-z_][\w:]*(?:<[^;{}()]{0,120}>)?"
    rb"[ \t]*&[ \t]*[A-Za-z_]\w*(\()\*?(?!(?:void|bool|char|int|long|double|float)\b)[A-Za-z_][\w:]*"
    rb"(?:\.\w|->|\[|\()[^;{}]{0,300}(\));",
    re.MULTILINE,
)
_BUILT_FROM = re.compile(  # Name::Name(std::vector<Box<T>> held), which the grammar reads as a shift
    rb"\b([A-Za-z_]\w*)::~?\1\([ \t\r\n]*((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*<[^;{}()]{0,200}>>)"
)

_DEFAULT = re.compile(rb"=[ \t]*default[ \t]*;")
_MEMBER_HEAD = re.compile(  # Name::Name() before ``= default;``, which the grammar takes for an assignment to a call
    rb"\b([A-Za-z_]\w*)(?:<[^<>;{}]*>)?::~?\1[ \t]*\([ \t]*\)\s*(?:noexcept\s*)?\Z"
)
_HEAD_BYTES = 200


def _defaulted(data: bytes) -> Iterator[Wrapping]:
    """Yield an empty body for each ``= default;`` of a constructor without parameters outside of its class."""
    for found in _DEFAULT.finditer(data):
        start, end = found.span()
        if _MEMBER_HEAD.search(data, max(0, start - _HEAD_BYTES), start) is not None:
            yield Wrapping(start, end, end, end, b"{}".ljust(end - start))


def wrappings(root: Node, data: bytes) -> list[Wrapping]:
    """Return the text to replace: in a file with syntax errors, macros by the keyword in their name, or by blanks.

    The macros are names in capitals at places where the grammar allows no name, macros that the file defines as nothing
    or as specifiers, and conditions that divide a definition. Beside them are the marks behind namespaces in the type
    of a constructor's first parameter, which becomes one name, and the colon of a macro that is a label, which becomes
    a semicolon: the macro is called.

    In every file, a reference with its initial value in parentheses, which the grammar takes for a function or a
    product, gets an equals sign, and a constructor that is ``= default;`` outside of its class a body.
    """
    references = [Wrapping(*found.span(1), *found.span(2), b"=") for found in _REFERENCE.finditer(data)]
    references += _defaulted(data)
    if not root.has_error:
        return sorted(references)
    spans = {found.span(1) for found in _COMMENT_IN_MACRO.finditer(data)}
    code = _DIRECTIVE.sub(lambda found: b"#" * len(found.group()), data)  # ``#if defined(A)`` is no head of a function
    spans.update(found.span(1) for pattern in _PATTERNS for found in pattern.finditer(code))
    spans.update(_opening_lines(code))
    spans.update(_without_meaning(data))
    opened: defaultdict[bytes, list[tuple[int, int]]] = defaultdict(list)
    for found in _AROUND.finditer(data):
        pair = opened[_SIDE.sub(b"", found[found.lastindex or 0])]
        if found[1]:
            pair.append(found.span())
        elif pair:
            spans.update((pair.pop(), found.span()))
    blanks = [Wrapping(start, end, end, end) for start, end in spans]
    words = [
        Wrapping(
            found.start(),
            found.end(),
            found.end(),
            found.end(),
            _WORDS_OF.get(word, word.lower()).ljust(len(found.group())),
        )
        for found in _KEYWORD.finditer(data)
        if (word := found.group(found.lastindex or 0))
    ]
    if not any(each.opening.startswith(b"catch") for each in words):  # the macro for catch has the block in it
        words = [each for each in words if not each.opening.startswith(b"try")]
    words += [Wrapping(*found.span(1), *found.span(1)[1:] * 2, b";") for found in _LABEL.finditer(code)]
    for found in _BUILT_FROM.finditer(code):
        for mark in re.finditer(b"::", found[2]):
            end = found.start(2) + mark.end()
            words.append(Wrapping(end - 2, end, end, end, b"__"))
    return sorted(references + blanks + words + dividing_conditions(data))


def _opening_lines(code: bytes) -> Iterator[tuple[int, int]]:
    """Yield where lines begin with macros at places where the grammar allows no name."""
    starts = [found.start() for found in _OPENING_MACRO.finditer(code)]
    for pattern in _LINE_PATTERNS:
        end = 0
        for start in starts:
            if start >= end and (found := pattern.match(code, start)) is not None:
                end = found.end()
                yield found.span(1)


def _without_meaning(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where `data` uses macros that it defines as nothing or as specifiers, unless another body calls."""
    bodies: defaultdict[bytes, list[bytes]] = defaultdict(list)
    for name, body in _OBJECT_MACRO.findall(data):
        bodies[name].append(body)
    names = {
        name
        for name, found in bodies.items()
        if any(map(_SPECIFIERS.fullmatch, found))
        and all(_SPECIFIERS.fullmatch(body) or b"(" not in body for body in found)
    }
    return (found.span(1) for found in _WORDS.finditer(data) if found.group(1) in names) if names else iter(())
