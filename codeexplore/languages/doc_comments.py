"""Conversion of documentation comments of the form ``/** … */`` (JSDoc, Javadoc) to plain text."""

from __future__ import annotations

import re

from codeexplore.languages.extraction import clean_comment

_DIRECTIVE = re.compile(
    r"^\W*(?:eslint|tslint|jshint|jslint|@ts-|prettier-ignore|istanbul|c8 |v8 ignore|biome-ignore|noinspection|"
    r"#?(?:end)?region\b|webpack\w+:|@__PURE__|-{5,}|={5,})",
    re.IGNORECASE,
)
_INLINE_TAG = re.compile(r"\{@(\w+)\s*([^{}]*)\}")
_MARKUP = re.compile(
    r"</?(?:p|pre|code|b|i|em|strong|ul|ol|li|a|br|tt|h[1-6]|table|thead|tbody|tr|td|th|blockquote|dl|dt|dd|span|div|"
    r"sub|sup|img|var|kbd|cite|small|center|font)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_KEPT_WHOLE = ("@example", "@snippet", "@remarks")  # tags whose text may contain blank lines


def clean_doc(leading: str) -> str:
    """Return `leading`, the comments above a definition, as plain text without markup.

    If there are comments of the form ``/** … */``, the last of them is used. Otherwise line comments are used, except
    those that only address tools. Prose comes first, then block tags such as ``@param``. ``{@link Target label}``
    becomes its label, or its target if it has no label.
    """
    if not leading:
        return ""
    start = leading.rfind("/**")
    if start != -1 and not leading.startswith("/**/", start):
        leading = leading[start : end + 2] if (end := leading.find("*/", start)) != -1 else leading[start:]
    else:
        leading = "\n".join(line for line in leading.split("\n") if not _DIRECTIVE.match(line))
    text = clean_comment(leading)
    if "{@" in text:
        text = _INLINE_TAG.sub(_inline, text)
    if "<" in text:
        text = _MARKUP.sub("", text)
    if "&" in text:
        from html import unescape

        text = unescape(text)
    return _prose_first(text) if "@" in text else text


def _inline(match: re.Match[str]) -> str:
    tag, inside = match.group(1), " ".join(match.group(2).split())
    if tag in ("link", "linkplain", "linkcode"):
        target, _, label = inside.partition("|") if "|" in inside else inside.partition(" ")
        return label.strip() or target.strip().lstrip("#")
    return "" if tag == "inheritDoc" else inside


def _prose_first(text: str) -> str:
    """Return the text with its block tags, up to a blank line (an example up to the next tag), at the end."""
    prose: list[str] = []
    tags: list[str] = []
    current, whole = prose, False
    for line in text.split("\n"):
        if line.startswith("@"):
            current, whole = tags, line.startswith(_KEPT_WHOLE)
        elif not line.strip() and not whole:
            current = prose
        current.append(line)
    return "\n\n".join(part for part in ("\n".join(prose).strip(), "\n".join(tags).strip()) if part)
