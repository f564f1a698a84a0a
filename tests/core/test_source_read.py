"""Reading: bytes on disk → text, with the encoding it was in, or the reason why not."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tokenize
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.source import skip_reasons
from codeexplore.source.discovery import Candidate
from codeexplore.source.filters import generated, minified
from codeexplore.source.read import decode, read
from codeexplore.types import Skipped, SourceFile
from tests.git_repos import write
from tests.privileges import public_folder, without_privileges

TEXT = "# Straße, naïve\r\nx = 'Ω — 漢字'\n\ty = 1"


def candidate(path: str, size: int = 1_000_000, language: str = "python", wanted: bool = False) -> Candidate:
    return Candidate(path, size, 0, language, wanted)


def read_bytes(folder: Path, data: bytes, path: str = "a.py", **options: bool) -> SourceFile | Skipped:
    write(folder, {path: data})
    return read(folder, candidate(path, **options))


def text_of(result: SourceFile | Skipped) -> str:
    assert isinstance(result, SourceFile), result
    return result.text


def reason_of(result: SourceFile | Skipped) -> str:
    assert isinstance(result, Skipped), result
    return result.reason


# --------------------------------------------------------------------------- encodings


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (b"\xef\xbb\xbf" + TEXT.encode(), "utf-8-sig"),
        (b"\xff\xfe" + TEXT.encode("utf-16-le"), "utf-16"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16"),
        (b"\xff\xfe\0\0" + TEXT.encode("utf-32-le"), "utf-32"),
        (b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"), "utf-32"),
    ],
)
def test_unicode_with_and_without_a_mark(tmp_path: Path, data: bytes, encoding: str) -> None:
    file = read_bytes(tmp_path, data)
    assert isinstance(file, SourceFile)
    assert (file.text, file.encoding) == (TEXT, encoding)
    assert file.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_when_plainly_so(encoding: str) -> None:
    text = "class Größe:\n    pass\n" * 3
    decoded = decode(text.encode(encoding))
    assert decoded == (text, encoding)


@pytest.mark.parametrize(
    ("declaration", "encoding", "line"),
    [
        ("# -*- coding: latin-1 -*-", "iso8859-1", "x = 'é'"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :", "cp1252", "x = '“'"),
        ("\n# coding=koi8-r", "koi8-r", "x = 'Привет'"),
        ("# coding: euc-jp", "euc_jp", "x = '漢字'"),
        ("# coding: iso-2022-jp", "iso2022_jp", "x = '漢字'"),
        ("# coding: utf8", "utf-8", "x = 'Ω'"),
    ],
)
def test_python_files_are_in_the_encoding_they_declare(declaration: str, encoding: str, line: str) -> None:
    text = f"{declaration}\n{line}\n"
    data = text.encode(encoding)
    assert decode(data, python=True) == (text, encoding)
    told, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    assert data.decode(told) == text


@pytest.mark.parametrize(
    "declaration",
    [
        "punycode",
        "unicode_escape",
        "hex",
        "rot13",
        "idna",
        "utf-7",
        "no-such-thing",
        "x" * 300,
        "..",
        "ascii",
        "undefined",
    ],
)
def test_a_declaration_that_does_not_fit_is_passed_over(declaration: str) -> None:
    text = f"# coding: {declaration}\nx = '\\u00e9 é'\n"
    assert decode(text.encode(), python=True) == (text, "utf-8")


@pytest.mark.parametrize(
    "text", ["x = 1\ny = 2\n# coding: latin-1\n", "x = 1  # coding: latin-1\n", "x = 1\n# coding: latin-1\n"]
)
def test_a_declaration_counts_in_the_first_two_comment_lines_only(text: str) -> None:
    assert decode(text.encode() + "é".encode(), python=True) == (text + "é", "utf-8")


def test_other_languages_are_utf8_first_then_as_declared() -> None:
    text = "# encoding: euc-jp\nputs '漢字'\n"
    assert decode(text.encode()) == (text, "utf-8")
    assert decode(text.encode("euc-jp")) == (text, "euc_jp")


def test_the_last_resort_is_latin1_and_can_be_counted() -> None:
    assert decode(b"// caf\xe9\n") == ("// café\n", "latin-1")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
def test_utf8_and_marked_utf16_are_read_exactly(text: str) -> None:
    if not text.startswith("\ufeff"):
        assert decode(text.encode()) == (text, "utf-8")
    assert decode(text.encode("utf-8-sig")) == (text, "utf-8-sig")
    assert decode(b"\xff\xfe" + text.encode("utf-16-le")) == (text, "utf-16")


@given(
    st.sampled_from(
        [b"", b"# coding: utf-16\n", b"# coding: utf-7\n", b"# coding: shift-jis\n", b"\xff\xfe", b"\xef\xbb\xbf"]
    ),
    st.one_of(
        st.binary(max_size=200), st.binary(max_size=60).map(lambda data: b"\0".join(data[i : i + 1] for i in range(60)))
    ),
    st.booleans(),
)
def test_any_bytes_give_text_that_is_utf8_or_nothing(head: bytes, data: bytes, python: bool) -> None:
    decoded = decode(head + data, python=python)
    if decoded is not None:
        decoded.text.encode()
        assert "\0" not in decoded.text


# --------------------------------------------------------------------------- no text


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.py", "x = 1\n" * 500)
    return stream.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\0\n",
        _zip(),
        b"\x7fELF" + bytes(range(256)),
        b"\x01\x02\x03\x04\x90\xff" * 50,
        b"\xff\xfea\0\0\0",
        b"ab\0\0" * 9,
    ],
)
def test_binary_files_with_a_source_suffix_are_skipped(tmp_path: Path, data: bytes) -> None:
    assert reason_of(read_bytes(tmp_path, data)) == skip_reasons.BINARY


def test_an_empty_file_is_text(tmp_path: Path) -> None:
    assert text_of(read_bytes(tmp_path, b"")) == ""


def test_form_feeds_and_escapes_are_text(tmp_path: Path) -> None:
    text = "\x0c\n# \x1b[0m\n"
    assert text_of(read_bytes(tmp_path, text.encode())) == text


# --------------------------------------------------------------------------- minified, generated

_PROGRAM = "".join(f"def function_{n}(argument):\n    return argument + {n}\n" for n in range(60))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.js", "var a=1;" * 1_000, True),
        ("a.js", "/* licence */\n" * 20 + "var a=1;" * 5_000, True),
        ("a.css", "a{b:c}" * 1_000, True),
        ("a.py", "x=1;" * 1_000, True),
        ("a.js", _PROGRAM, False),
        ("a.js", _PROGRAM + "x = '" + "A" * 3_000 + "'\n", False),  # a picture in a program
        ("a.py", _PROGRAM + "x = '" + "A" * 30_000 + "'\n", False),
        ("a.md", "word " * 10_000, False),  # a paragraph
        ("a.js", "x" * 1_000, False),
        ("a.js", "x" * 1_001, True),
        ("a.js", ("x" * 1_000 + "\n") * 50, False),
        ("a.js", "", False),
    ],
)
def test_minified_files_are_told_from_programs(path: str, text: str, expected: bool) -> None:
    assert bool(minified(path, text.encode())) is expected


@pytest.mark.parametrize(
    "line",
    [
        "// Code generated by protoc-gen-go. DO NOT EDIT.",
        "# Generated by the protocol buffer compiler.  DO NOT EDIT!",
        "/* @generated by relay-compiler */",
        " * @generated SignedSource<<abc>>",
        "// <auto-generated>",
        "# Autogenerated by Thrift Compiler (0.9.3)",
        "# This file is automatically generated by a script. Do not edit.",
        "-- auto-generated, do not modify",
    ],
)
def test_marks_of_generated_files_are_found_in_comments_near_the_top(tmp_path: Path, line: str) -> None:
    licence = "# Copyright 2024\n" * 30
    for text in (f"{line}\n{_PROGRAM}", f"{licence}\n{line}\n{_PROGRAM}"):
        skipped = read_bytes(tmp_path, text.encode())
        assert reason_of(skipped) == skip_reasons.GENERATED
        assert isinstance(skipped, Skipped)
        assert skipped.detail in line


@pytest.mark.parametrize(
    "text",
    [
        '"""Looks for @generated and Code generated … DO NOT EDIT."""\n',
        'MARK = "// Code generated by x. DO NOT EDIT."\n',
        "# Reports are generated every night\n",
        "# automatically generated names are kept\n",
        "# @generated_by is a decorator\n",
        "x = 1\n" * 1_000 + "# Code generated by x. DO NOT EDIT.\n",
    ],
)
def test_talk_about_generated_files_is_no_mark(tmp_path: Path, text: str) -> None:
    assert text_of(read_bytes(tmp_path, text.encode())) == text


def test_lock_files_count_as_generated() -> None:
    assert generated("web/package-lock.json", b"{}") == "lock file"
    assert generated("web/package.json", b"{}") == ""


def test_a_wanted_file_may_be_generated_or_minified(tmp_path: Path) -> None:
    text = "# Code generated by x. DO NOT EDIT.\n" + "x=1;" * 2_000
    assert reason_of(read_bytes(tmp_path, text.encode())) == skip_reasons.GENERATED
    assert text_of(read_bytes(tmp_path, text.encode(), wanted=True)) == text


def test_translations_for_qt_are_no_typescript(tmp_path: Path) -> None:
    for head in ("", "\ufeff", '<?xml version="1.0"?>\n'):
        text = f"{head}<!DOCTYPE TS>\n<TS version='2.1'></TS>\n"
        assert reason_of(read_bytes(tmp_path, text.encode(), "i18n/app_de.ts")) == skip_reasons.DATA
    assert text_of(read_bytes(tmp_path, b"<T,>(x: T) => x\n", "a.ts")) == "<T,>(x: T) => x\n"


# --------------------------------------------------------------------------- what may happen to a file meanwhile


def test_a_file_that_vanished_is_skipped(tmp_path: Path) -> None:
    assert reason_of(read(tmp_path, candidate("gone.py"))) == skip_reasons.VANISHED
    write(tmp_path, {"folder": ""})
    assert reason_of(read(tmp_path, candidate("folder/gone.py"))) == skip_reasons.VANISHED


def test_a_file_that_changed_is_read_as_it_is_now(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n" * 100})
    assert text_of(read(tmp_path, candidate("a.py", size=6))) == "x = 1\n" * 100


def test_a_file_that_grew_beyond_the_limit_is_skipped(tmp_path: Path) -> None:
    text = "x\n" * 501
    write(tmp_path, {"a.py": text})
    assert reason_of(read(tmp_path, candidate("a.py", size=10), max_bytes=1_000)) == skip_reasons.TOO_LARGE
    assert text_of(read(tmp_path, candidate("a.py", size=1_002), max_bytes=1_000)) == text


def test_a_file_that_became_a_link_or_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"secret.py": "x = 1\n", "folder.py/x": ""})
    (tmp_path / "link.py").symlink_to("secret.py")
    assert reason_of(read(tmp_path, candidate("link.py"))) == skip_reasons.SPECIAL
    assert reason_of(read(tmp_path, candidate("folder.py"))) == skip_reasons.SPECIAL


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX's")
def test_a_file_that_became_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    assert reason_of(read(tmp_path, candidate("a.py"))) == skip_reasons.SPECIAL


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX's")
def test_a_file_without_permission_is_skipped() -> None:
    with public_folder() as folder:
        write(folder, {"a.py": "x = 1\n"})
        (folder / "a.py").chmod(0o000)
        with without_privileges():
            assert reason_of(read(folder, candidate("a.py"))) == skip_reasons.NO_PERMISSION


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has such files")
def test_an_error_of_the_system_is_a_skip_with_its_words() -> None:
    skipped = read(Path("/proc/self"), candidate("mem"))
    assert (reason_of(skipped), skipped) == (
        skip_reasons.UNREADABLE,
        Skipped("mem", skip_reasons.UNREADABLE, "Input/output error"),
    )
