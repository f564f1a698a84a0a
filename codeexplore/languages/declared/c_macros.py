"""Macros of C and C++: what the body of ``#define`` calls, and the names that it builds.

The preprocessor inserts the body of a macro where the macro is used. A call in a body is therefore a fact of the macro,
and `resolution.program.Macros` adds it to the functions that use the macro.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from codeexplore.languages.base import words

MAX_BODY: Final = 4_000
"""Characters of the body of a macro that are read."""
MAX_CALLS: Final = 100
"""Calls of a macro whose arguments are read as parts of names."""
PLAIN: Final = re.compile(r"[^\W\d]\w*(?:(?:::|\.|->)[^\W\d]\w*)*")
_CALL: Final = re.compile(r"(?<![\w.>#])([^\W\d]\w*(?:\s*(?:::|##)\s*\w+)*)\s*(?=\()")
_ARGUMENTS: Final = re.compile(r"\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)")
_BLOCK: Final = re.compile(r"\s*\{")
_WORD_BEFORE: Final = re.compile(r"([^\W\d]\w*)([\s*&]+)\Z")
_OF_TYPE: Final = re.compile(r"\s+|[*&]+\s+|\s+[*&]+")  # ``int *f(x)``, ``int* f(x)``, unlike ``a * f(x)``
MAX_WORD: Final = 60
"""Characters before a call in which the type of a function's result is looked for."""
_ATTRIBUTE: Final = re.compile(r"__(?:attribute__|declspec)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_DEFINE: Final = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^()\n]*)\)((?:[^\n\\]|\\[^\n]|\\\r?\n)*)", re.MULTILINE
)
_PASTED: Final = re.compile(r"\w+(?:\s*##\s*\w+)+")
_NO_CALLS: Final = words(
    "if while for switch return sizeof do else defined alignof typeof decltype catch case __attribute__"
)
_BEFORE_CALLS: Final = _NO_CALLS | words("throw new delete goto and or not typename co_await co_return co_yield")


def arguments(text: str) -> tuple[str, ...]:
    """Return the access paths of the arguments in `text`, a list separated by commas; "" for one without a path."""
    from codeexplore.resolution.access_paths import split_top

    found = []
    for part in split_top(text):
        plain = part.lstrip("&*( ").rstrip(") ")
        path = plain.replace("->", ".").replace("::", ".") if PLAIN.fullmatch(plain) else ""
        found.append("%str" if part[:1] == '"' else "%num" if part[:1].isdigit() else path)
    return tuple(found)


def calls(body: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield (position, access path, arguments) of each call in the body of a macro.

    A path may have parts that are pasted together: ``cmd_##name``. Calls of members are left out, and so is what the
    macro defines or declares: ``static void name(void) {``, ``Value* name(State)``.
    """
    body = _ATTRIBUTE.sub(lambda found: " " * len(found.group()), body[:MAX_BODY])
    for call in _CALL.finditer(body):
        path = "".join(call.group(1).split()).replace("::", ".")
        given = _ARGUMENTS.match(body, call.end())
        word = _WORD_BEFORE.search(body, max(0, call.start() - MAX_WORD), call.start()) if given is not None else None
        if path not in _NO_CALLS and not (word is not None and given is not None and _is_head(body, word, given.end())):
            yield call.start(), path, arguments(given.group(1)) if given is not None else ()


def _is_head(body: str, word: re.Match[str], end: int) -> bool:
    """Return True if a name with the word before it, and parameters up to `end`, is the head of a function."""
    if word.group(1) in _BEFORE_CALLS:
        return False
    macro = word.group(1).isupper() or body[word.end() : end].partition("(")[0].strip().isupper()
    typed = not macro and _OF_TYPE.fullmatch(word.group(2)) is not None
    return typed or _BLOCK.match(body, end) is not None


_CALL_ABOVE = re.compile(r"^(?:static[ \t]+)?([A-Z][A-Z0-9_]*)[ \t]*\(([^()]*)", re.MULTILINE)
"""Call of a macro at the beginning of a line."""
_PASTING = (
    (re.compile(r"DEFINE\w*_(?:TYPE|INTERFACE)"), ("init", "finalize")),  # of GLib and QEMU
    (re.compile("_ATTR"), ("show", "store")),  # of Linux
)
"""What the name of a macro of a library has, and the ends of the names that it pastes behind its arguments."""
_PREFIX = re.compile(r"[a-z]\w{2,}")


def built_names(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (position, beginning, end) of the names that macros in `text` paste together from their parameters.

    If a macro pastes parameters only, the arguments of its calls in `text` are the parts. Macros of libraries that
    define something paste names, too; see `_PASTING`: ``G_DEFINE_TYPE(Button, button, PARENT)`` uses
    ``button_class_init``.
    """
    for call in islice(_CALL_ABOVE.finditer(text), MAX_CALLS) if "DEFINE" in text or "_ATTR" in text else ():
        ends = next((ends for form, ends in _PASTING if form.search(call[1])), ())
        if ends and f"define {call[1]}" not in text:
            for name in filter(_PREFIX.fullmatch, (part.strip() for part in call[2].split(","))):
                yield from ((call.start(), name, end) for end in ends)
    for macro in _DEFINE.finditer(text) if "##" in text else ():
        parameters = [part.strip() for part in macro.group(2).split(",")]
        for pasted in _PASTED.finditer(macro.group(3)):
            names = [part.strip() for part in pasted.group().split("##")]
            parts = ["" if name in parameters else name for name in names]
            if "" in parts and len(parts[0] + parts[-1]) > 2:
                yield macro.start(), parts[0], parts[-1]
            elif not any(parts):
                calls_of = re.compile(rf"\b{macro.group(1)}[ \t]*\(([^()\n]*)\)")
                for call in islice(calls_of.finditer(text, macro.end()), MAX_CALLS):
                    given = [part.strip() for part in call.group(1).split(",")]
                    first = given[parameters.index(names[0])] if len(given) == len(parameters) else ""
                    if len(first) > 2 and first.isidentifier():
                        yield call.start(), first, ""
