"""Language record of Java."""

from __future__ import annotations

import re
from dataclasses import replace

from codeexplore.languages.base import SLASHES, full
from codeexplore.languages.conventions import JVM

JAVA = replace(
    full("java", "Java"),
    extensions=(".java",),
    visibility="words",
    public_words=("public", "protected"),
    file_words=frozenset({"private"}),
    properties=re.compile(r"(?:get|set|is)([A-Z])(\w*)"),
    start_names=("main", "premain", "agentmain"),
    implicit_owners=re.compile(r"@interface\b"),
    parameter_names="behind type",
    overridden_fields=False,
    checked_types=True,
    comment_start=SLASHES,
    functional=re.compile(r"\binterface\b"),
    reexports=False,
    no_type=re.compile(r"\bfinal\s+|@(?!interface)\w+(?:\.\w+)*(?:\([^()]*\))?\s*"),
    result_first=True,
    **JVM,
)
