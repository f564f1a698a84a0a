"""Language record of Java."""

from __future__ import annotations

import re
from pathlib import Path

from codeexplore.languages.base import SLASHES, Language, later
from codeexplore.languages.conventions import JVM

JAVA = Language(
    name="java",
    title="Java",
    level="full",
    extensions=(".java",),
    grammar="java",
    queries=(Path(__file__).with_name("tags.scm"),),
    pygments="java",
    extractor=later("codeexplore.languages.java.extractor:JavaExtractor"),
    rules=later("codeexplore.languages.java.resolve:rules"),
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
