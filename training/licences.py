"""Is a package, or a file of it, under a permissive licence? By declared field, licence text, file header and DEP-5."""

from __future__ import annotations

import fnmatch
import re
from typing import NamedTuple

from training.archives import Member

_COPYLEFT = re.compile(
    r"\b[AL]?GPL|GNU (?:Lesser |Affero |Library )?General Public|\bMPL|Mozilla Public"
    r"|\bEPL|Eclipse Public|\bCDDL|\bCPAL|\bEUPL|\bOSL"
    r"|CeCILL|CC-BY-(?:SA|NC|ND)|Creative Commons Attribution-(?:Share|Non|No)|\bSSPL|Server Side Public"
    r"|\bBUSL|Business Source|Commons Clause|Elastic License|Proprietary|UNLICENSED|non-?free|Sleepycat|\bQPL|\bAPSL"
    r"|\bMS-RL",
    re.IGNORECASE,
)
_PERMISSIVE = re.compile(
    r"\bMIT\b|Expat|\bBSD|\b0BSD|Apache|\bISC\b|\bPSF|Python|\bZlib|\bCC0|Unlicense|HPND|\bBSL|Boost|\bPHP|PostgreSQL"
    r"|\bRuby\b|public.domain|\bZPL|Zope|\bW3C|\bNCSA|\bX11|BlueOak|\bMS-PL|OpenSSL|\bFTL|libpng|libtiff|\bPIL|WTFPL"
    r"|Artistic|\bcurl|\bICU|\bUnicode|\bAFL|^Go\b|openexr|SQLite|blessing|\bTCL\b|\bNTP\b|\bVim"
    r"|Permission is hereby granted|Redistribution and use in source and binary|Permission to use, copy",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"GNU (?:Lesser |Affero |Library )?General Public|SPDX-License-Identifier:\s*\S*(?:GPL|MPL|EPL|CDDL)"
    r"|Mozilla Public License|Eclipse Public License",
    re.IGNORECASE,
)


class Stanza(NamedTuple):
    """A paragraph of debian/copyright: which files, under which licence."""

    patterns: tuple[str, ...]
    licence: str


def permissive(licence: str) -> bool:
    """Whether a declared licence lets anybody use the work: one of several to choose from is enough."""
    if not _COPYLEFT.search(licence):
        return _PERMISSIVE.search(licence) is not None
    choices = re.split(r"\bor\b|\|\|", licence, flags=re.IGNORECASE)
    return len(choices) > 1 and any(_PERMISSIVE.search(each) and not _COPYLEFT.search(each) for each in choices)


def verdict(registry: str, declared: str, licences: list[Member]) -> tuple[str, str, list[Stanza]]:
    """Why a package is left out ("" when it isn't), its licence in words, and which licence which files have."""
    if registry.startswith("debian"):
        texts = [text for path, text in _texts(licences) if path.endswith(("debian/copyright", "/copyright"))]
        stanzas = dep5(texts[0]) if texts else []
        if not stanzas:
            if any(_PERMISSIVE.search(text) and not _COPYLEFT.search(text) for text in texts):
                return "", "permissive, by debian/copyright", []
            return "no debian/copyright that says permissive", "", []
        default = next((each.licence for each in stanzas if "*" in each.patterns), stanzas[0].licence)
        return ("" if permissive(default) else f"licence {default[:60]!r}"), default[:80], stanzas
    if declared == "unknown" and any(
        _PERMISSIVE.search(text[:700]) for path, text in _texts(licences) if path.count("/") <= 2
    ):
        declared = "by its licence text: permissive"
    elif not permissive(declared):
        return f"licence {declared[:60]!r}", declared[:80], []
    for path, text in _texts(licences):
        head = text[:700]
        if (
            path.count("/") <= 1
            and _COPYLEFT.search(head)
            and not _PERMISSIVE.search(head)
            and " OR " not in declared.upper()
        ):
            return f"{path} is the text of another licence than {declared[:40]!r}", declared[:80], []
    return "", declared[:80], []


def _texts(licences: list[Member]) -> list[tuple[str, str]]:
    return [(member.path, member.data.decode("utf-8", "replace")) for member in licences]


def dep5(text: str) -> list[Stanza]:
    """The Files paragraphs of a machine-readable debian/copyright, in order."""
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^(Files|License):[ \t]*((?:.*)(?:\n[ \t]+.*)*)", paragraph, re.MULTILINE))
        if "Files" in fields and "License" in fields:
            found.append(Stanza(tuple(fields["Files"].split()), fields["License"].split("\n")[0].strip()))
    return found


def file_reason(member: Member, stanzas: list[Stanza]) -> str:
    """Why one file of a permissive package is left out, or "": its own stanza or its header says copyleft."""
    licence = ""
    for stanza in stanzas:  # the last one that matches counts
        if any(fnmatch.fnmatchcase(member.path, pattern) for pattern in stanza.patterns):
            licence = stanza.licence
    if licence and not permissive(licence):
        return "copyleft by debian/copyright"
    head = member.data[:2500].decode("utf-8", "replace")
    return "copyleft by its header" if _HEADER.search(head) and "Apache License" not in head else ""
