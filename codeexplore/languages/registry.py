"""The languages that come with codeexplore, those of other packages, and recognition of a file's language.

Other packages register a language by an entry point of the group `GROUP` with the value ``module:LANGUAGE``. Entry
points are read once in a process, when a name or an extension is unknown or an index is loaded or stored. Built-in
languages come first.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import sys
import warnings
from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from codeexplore.languages.base import Language, words
from codeexplore.languages.declared.bash import BASH
from codeexplore.languages.declared.c import C
from codeexplore.languages.declared.cpp import CPP
from codeexplore.languages.declared.csharp import CSHARP
from codeexplore.languages.declared.elixir import ELIXIR
from codeexplore.languages.declared.haskell import HASKELL
from codeexplore.languages.declared.kotlin import KOTLIN
from codeexplore.languages.declared.lua import LUA
from codeexplore.languages.declared.php import PHP
from codeexplore.languages.declared.ruby import RUBY
from codeexplore.languages.declared.scala import SCALA
from codeexplore.languages.declared.solidity import SOLIDITY
from codeexplore.languages.declared.swift import SWIFT
from codeexplore.languages.declared.zig import ZIG
from codeexplore.languages.embedded import BLADE, CODE_OF, ERB, MAKING, NOTEBOOK, SVELTE, VUE
from codeexplore.languages.go.spec import GO
from codeexplore.languages.java.spec import JAVA
from codeexplore.languages.javascript.spec import JAVASCRIPT, TSX, TYPESCRIPT
from codeexplore.languages.python.spec import PYTHON
from codeexplore.languages.resources import HTML, MARKDOWN, OTHER, RESOURCES, RST, TEXT
from codeexplore.languages.rust.spec import RUST
from codeexplore.types.entry_points import entry_points_of
from codeexplore.types.errors import QuestionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from codeexplore.resolution.language_rules import Rules
    from codeexplore.types import Symbol

GROUP: Final = "codeexplore.languages"
"""The group of the entry points by which other packages register their languages."""

LANGUAGES: tuple[Language, ...] = (
    PYTHON,
    JAVASCRIPT,
    TYPESCRIPT,
    TSX,
    GO,
    RUST,
    JAVA,
    C,
    CPP,
    CSHARP,
    RUBY,
    PHP,
    KOTLIN,
    SCALA,
    SWIFT,
    LUA,
    BASH,
    ELIXIR,
    HASKELL,
    ZIG,
    SOLIDITY,
    VUE,
    SVELTE,
    ERB,
    BLADE,
    NOTEBOOK,
    MARKDOWN,
    RST,
    TEXT,
    *RESOURCES,
    OTHER,
)


_BINARY = words(
    """
png jpg jpeg jpe gif ico icns bmp webp avif tif tiff psd ai eps pdf heic mp3 mp4 m4a m4v avi mov mkv wav ogg oga ogv
webm flac aac woff woff2 ttf ttc otf eot zip gz tgz bz2 xz lzma zst lz4 tar 7z rar whl egg jar war ear aar apk ipa deb
rpm dmg iso cab msi class so dylib dll exe o a lib obj pyc pyd pyo mo gmo bin dat db sqlite sqlite3 mdb npy npz pkl
pickle parquet feather orc avro h5 hdf5 mat onnx pt pth ckpt safetensors tflite wasm swf fla doc docx xls xlsx ppt
pptx odt ods odp shp shx dbf sbn sbx mrc nc grib blend fbx glb keystore jks p12 pfx der gpg sig tfstate nib
xcuserstate
"""
)
"""Extensions of formats that are not text. Files with other unknown extensions are read, and left out if binary."""


# --------------------------------------------------------------------------- languages of other packages


class Installed(NamedTuple):
    """The languages that other packages register, and the reasons why some of them cannot be used."""

    languages: tuple[Language, ...]
    problems: tuple[str, ...]
    versions: tuple[str, ...]  # of each language: its package with the version, and a digest of its code and queries


@cache
def installed() -> Installed:
    """Return the languages of other packages. One that fails to load, or whose name is taken, is a problem.

    A warning tells each problem once in a process.
    """
    found: list[Language] = []
    problems, versions = [], []
    for package, point in entry_points_of(GROUP):
        try:
            language = _loaded(point, {each.name for each in (*LANGUAGES, *found)})
            versions.append(f"{package} {_digest(point.module, language)}")
            found.append(language)
        except Exception as error:  # noqa: BLE001 - a package may raise anything, and other languages must still be there
            versions.append(package)
            problems.append(f"language {point.name} of {package} can't be used: {type(error).__name__}: {error}")
    for problem in problems:
        warnings.warn(problem, RuntimeWarning, stacklevel=2)
    return Installed(tuple(found), tuple(problems), tuple(versions))


def _loaded(point: EntryPoint, taken: Collection[str]) -> Language:
    language = point.load()
    if not isinstance(language, Language):
        raise TypeError(f"{point.value} is not a codeexplore.languages.base.Language")
    if language.name in taken:
        raise ValueError(f"there is another language with the name {language.name!r}")
    captures = dict.fromkeys(re.findall(r"@([\w.]+)", re.sub(r";[^\n]*", "", language.tags())))
    extractor = language.extractor() if language.extractor is not None else None
    unknown = [f"@{each}" for each in captures if extractor is not None and not extractor.handles(each)]
    if unknown:
        raise ValueError(f"its query captures {', '.join(unknown)}, which nothing handles")
    return language


def _digest(module: str, language: Language) -> str:
    """Return a hash over the queries of a language and the module, or the whole package, of its record."""
    folders = getattr(sys.modules[module.partition(".")[0]], "__path__", ())
    code = [file for folder in folders for file in sorted(Path(folder).rglob("*.py"))]
    if not folders and (written := sys.modules[module].__file__) is not None:
        code = [Path(written)]
    digest = hashlib.blake2b(digest_size=8)
    for file in (*code, *language.queries):
        digest.update(hashlib.blake2b(file.read_bytes()).digest())
    return digest.hexdigest()


def installed_versions() -> str:
    """Return the versions of the languages of other packages, which an index depends on."""
    return ", ".join(sorted(installed().versions))


def languages() -> tuple[Language, ...]:
    """Return all languages: the built-in ones, then those of other packages."""
    return (*LANGUAGES, *installed().languages)


# --------------------------------------------------------------------------- recognition of a language


@cache
def _by(field: str) -> dict[str, Language]:
    """Return name → language for a field of the record: ``extensions``, ``filenames`` or ``interpreters``."""
    return {
        form: language for language in LANGUAGES for name in getattr(language, field) for form in (name, name.lower())
    }


@cache
def by_name(name: str) -> Language:
    """Return the language record with the given name; raise a QuestionError that lists the names if there is none."""
    found = next((each for each in LANGUAGES if each.name == name), None)
    if found := found or next((each for each in installed().languages if each.name == name), None):
        return found
    known = ", ".join(language.name for language in languages())
    raise QuestionError(f"unknown language {name!r}; known languages: {known}")


@cache
def record_of(name: str) -> Language:
    """Return the language record with the given name. External symbols, whose language is "", are like other text."""
    return by_name(name) if name else OTHER


@cache
def follows_names(language: str) -> bool:
    """Return True if bare names that read a constant have edges in a language."""
    record = record_of(language)
    return bool(record.queries) and "@reference.bare" in record.tags()


def is_of_file(symbol: Symbol, owner: Symbol | None) -> bool:
    """Return True if the language allows the use of `symbol`, a member of `owner`, in its own file only.

    Parts of one type may be in other files, and members of traits become members of other types.
    """
    language = record_of(symbol.language)
    private = not language.file_words.isdisjoint(symbol.signature.partition("(")[0].split())
    if not private and not (symbol.name.startswith("#") and language.visibility == "exports"):
        return False
    parts = language.parts
    return owner is None or not (owner.kind == "trait" or (parts is not None and parts.search(owner.signature)))


def by_path(path: str) -> Language | None:
    """Return the language for a file's name or extension, the longest known (``.d.ts``); None if they are unknown.

    A template is of the language that it makes, if its name says so: ``app.js.erb`` is JavaScript. If the template has
    code, a page, text or data that it makes is not.
    """
    return _by_filename(path[path.rfind("/") + 1 :])


def made_in(path: str) -> Language | None:
    """Return the language that a template makes by its name: JavaScript for ``app.js.erb``; None for another file."""
    suffix = path[path.rfind(".") :].lower()
    made = by_path(path[: -len(suffix)]) if suffix in MAKING else None
    return None if made in (HTML, NOTEBOOK) else made


def is_made(path: str) -> bool:
    """Return True if the language of a file is the one that a template makes."""
    return (made := made_in(path)) is not None and made is by_path(path)


@lru_cache(maxsize=10_000)
def _by_filename(name: str) -> Language | None:
    if (found := _by("filenames").get(name)) is not None:
        return found
    start = name.find(".", 1)
    while start != -1:
        if (found := _by("extensions").get(name[start:].lower())) is not None:
            made = made_in(name) if name[start:].lower() in MAKING else None
            return found if made is None or (made.level == "text" and found.name in CODE_OF) else made
        start = name.find(".", start + 1)
    found = _by("filenames").get(name.partition(".")[0])  # Dockerfile.dev
    if found is not None and found.structure is not None:
        return found
    ending = name[name.rfind(".") :].lower() if "." in name[1:] else ""
    if not ending or ending[1:] in _BINARY:
        return None
    return next((each for each in installed().languages if ending in each.extensions), None)


@cache
def is_text(name: str) -> bool:
    """Return True for a language whose files contain no code: text, and files that are not code."""
    language = by_name(name)
    return language.level == "text" and language is not NOTEBOOK


def is_part(symbol: Symbol) -> bool:
    """Return True if a definition is one symbol with the other definitions of its qualified name: partial types."""
    parts = record_of(symbol.language).parts
    return parts is not None and parts.search(symbol.signature) is not None


def by_default(path: str) -> Language | None:
    """Return the language of a file that no other language claims: other text; None for a binary format."""
    return None if path[path.rfind(".") + 1 :].lower() in _BINARY else OTHER


def by_content(name: str, path: str, text: str) -> str:
    """Return the language in which `text` is written: `name`, or a dialect of it, such as C++ in a ``.h`` file."""
    for dialect in record_of(name).dialects:
        if path.lower().endswith(dialect.extensions) and dialect.pattern.search(text):
            return dialect.language
    return name


def by_shebang(first_line: bytes) -> Language | None:
    """Return the language for the first line of a script, such as ``#!/usr/bin/env python3``; None if it is unknown."""
    if not first_line.startswith(b"#!"):
        return None
    parts = first_line[2:200].decode("ascii", "replace").split()
    names = [posixpath.basename(word) for word in parts if not word.startswith("-") and "=" not in word]
    if names and names[0] == "env":
        names = names[1:]
    if not names:
        return None
    interpreters = _by("interpreters")
    return interpreters.get(names[0]) or interpreters.get(names[0].rstrip("0123456789."))


# --------------------------------------------------------------------------- families


@cache
def rules_of(name: str) -> Rules | None:
    """Return the resolution rules of a language; None for text files, which contain no references."""
    from codeexplore.resolution.default_rules import plain

    language = by_name(name)
    if is_text(name):
        return None
    return language.rules() if language.rules is not None else plain(name)


def family_of(name: str) -> str:
    """Return the family of a language, "" for text: its files are resolved together; values flow to no other family."""
    rules = rules_of(name)
    return "" if rules is None else rules.family


def can_use(name: str, symbol: Symbol) -> bool:
    """Return True if code in the language `name` can use `symbol` by its name: a language of the family or platform.

    Templates, notebooks and assembly, which have no family, can use the symbols of any language.
    """
    return _can_use(name, symbol.language) or "extern" in symbol.signature.split()


@cache
def _can_use(name: str, defined: str) -> bool:
    family, platform = family_of(name), record_of(defined).platform
    if not family or not defined or family == family_of(defined) or platform == "native":
        return True
    return bool(platform) and platform == record_of(name).platform
