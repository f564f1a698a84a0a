"""Installed packages: found without an import, and honest about what has no sources."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from codeexplore.source.package import PackageSource, find_package
from codeexplore.types.errors import PackageNotFound
from tests.git_repos import write
from tests.source_languages import FewLanguages, discover, paths

EXPLODES = "raise AssertionError('imported')\n"
COMPILED = importlib.machinery.EXTENSION_SUFFIXES[0]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on sys.path, with packages that must not be imported."""
    folder = write(
        tmp_path / "site-packages",
        {
            "ce_pack/__init__.py": EXPLODES,
            "ce_pack/sub/__init__.py": EXPLODES,
            "ce_pack/sub/leaf.py": EXPLODES,
            "ce_pack/native" + COMPILED: b"\x7fELF",
            "ce_pack/space/inner.py": EXPLODES,
            "ce_single.py": EXPLODES,
            "ce_space/one/__init__.py": EXPLODES,
            "ce_native" + COMPILED: b"\x7fELF",
            "ce_stubbed" + COMPILED: b"\x7fELF",
            "ce_stubbed.pyi": "x: int\n",
            "ce_binary/__init__.pyc": b"",
        },
    )
    monkeypatch.syspath_prepend(str(folder))
    return folder.resolve()


def test_a_package_is_its_folder_below_the_folder_that_holds_it(site: Path) -> None:
    source = find_package("ce_pack")
    assert source == PackageSource("ce_pack", site, ("ce_pack",))
    assert paths(discover(source.root, only=source.only, languages=FewLanguages())) == [
        "ce_pack/__init__.py", "ce_pack/space/inner.py", "ce_pack/sub/__init__.py", "ce_pack/sub/leaf.py",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "only"),
    [
        ("ce_single", "ce_single.py"),
        ("ce_pack.sub", "ce_pack/sub"),
        ("ce_pack.sub.leaf", "ce_pack/sub/leaf.py"),
        ("ce_pack.space", "ce_pack/space"),
        ("ce_pack.space.inner", "ce_pack/space/inner.py"),
        ("ce_space", "ce_space"),
        ("ce_space.one", "ce_space/one"),
        ("ce_stubbed", "ce_stubbed.pyi"),
    ],
)
def test_modules_and_subpackages_are_found_without_an_import(site: Path, name: str, only: str) -> None:
    assert find_package(name) == PackageSource(name, site, (only,))
    assert not {module for module in sys.modules if module.startswith("ce_")}


def test_a_single_module_is_that_file_alone(site: Path) -> None:
    source = find_package("ce_single")
    assert paths(discover(source.root, only=source.only, languages=FewLanguages())) == ["ce_single.py"]


@pytest.mark.parametrize(
    ("name", "only"),
    [
        ("json", "json"),
        ("http.client", "http/client.py"),
        ("xml.etree", "xml/etree"),
        ("os", "os.py"),  # frozen: the interpreter carries it, its source lies in the library
        ("os.path", f"{__import__('os').path.__name__}.py"),
        ("collections", "collections"),
        ("__future__", "__future__.py"),
    ],
)
def test_the_standard_library_is_found(name: str, only: str) -> None:
    assert find_package(name) == PackageSource(name, Path(sysconfig.get_path("stdlib")).resolve(), (only,))


def test_module_objects_are_taken() -> None:
    assert find_package(json) == find_package("json")
    assert find_package(json.decoder).only == ("json/decoder.py",)


def test_nothing_is_imported_on_the_way_to_a_submodule() -> None:
    program = (
        "import sys; from codeexplore.source.package import find_package; before = set(sys.modules);"
        "assert find_package('wsgiref.handlers').only == ('wsgiref/handlers.py',);"
        "print([name for name in set(sys.modules) - before if name.startswith('wsgiref')])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_of_a_namespace_package_the_first_portion_is_explored(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write(tmp_path / "other", {"ce_space/two.py": EXPLODES})
    monkeypatch.syspath_prepend(str(other))
    source = find_package("ce_space")
    assert source == PackageSource("ce_space", other.resolve(), ("ce_space",))
    assert find_package("ce_space.one").root == site


def test_an_editable_install_leads_to_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "checkout/src/ce_edit", {"__init__.py": EXPLODES, "x.py": EXPLODES})

    class Finder(importlib.abc.MetaPathFinder):
        """What setuptools installs for an editable package."""

        def find_spec(
            self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
        ) -> importlib.machinery.ModuleSpec | None:
            if name != "ce_edit":
                return None
            return importlib.util.spec_from_file_location(
                name, source / "__init__.py", submodule_search_locations=[str(source)]
            )

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert find_package("ce_edit.x") == PackageSource("ce_edit.x", source.parent.resolve(), ("ce_edit/x.py",))


def test_a_loaded_package_is_found_where_it_was_loaded_from(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("ce_made_by_hand")
    module.__file__ = str(site / "ce_single.py")
    monkeypatch.setitem(sys.modules, "ce_made_by_hand", module)
    assert find_package(module).only == ("ce_single.py",)
    assert find_package("ce_made_by_hand").only == ("ce_single.py",)


# --------------------------------------------------------------------------- what can't be explored


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sys", "built into the interpreter"),
        ("ce_native", "is compiled"),
        ("ce_pack.native", "is compiled: there is no Python source to explore; 'ce_pack' may have some"),
        ("ce_binary", "contains no Python source"),
        ("ce_pakc", "no package or module 'ce_pakc' is installed here. Similar names: ce_pack"),
        ("jsn", "Similar names: json"),
        ("http.clint", "'http' has no module 'clint'. It has: client"),
        ("ce_single.x", "'ce_single' has no module 'x'. It is not a package"),
        ("nothing_alike_anywhere_zzz", r"Is it installed in this environment"),
        ("google-re2", "The distribution 'google-re2' is imported as re2; give that name"),
        ("a b", "not an import name"),
        ("", "not an import name"),
        (".json", "not an import name"),
        ("json.", "not an import name"),
        ("../json", "not an import name"),
        ("__main__", "load the folder that contains it"),
    ],
)
def test_what_has_no_sources_says_why_and_what_next(site: Path, name: str, words: str) -> None:
    with pytest.raises(PackageNotFound) as caught:
        find_package(name)
    assert words in str(caught.value)


def test_a_package_in_an_archive_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "bundle.egg", "w") as archive:
        archive.writestr("ce_zipped/__init__.py", "")
    monkeypatch.syspath_prepend(str(tmp_path / "bundle.egg"))
    with pytest.raises(PackageNotFound, match=r"inside the archive .*bundle\.egg, which must be unpacked"):
        find_package("ce_zipped")


def test_a_module_without_a_file_says_so() -> None:
    with pytest.raises(PackageNotFound, match="no package or module 'ce_nowhere'"):
        find_package(ModuleType("ce_nowhere"))
