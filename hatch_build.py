"""Build hook: mypyc compiles the hot modules of a wheel to C, where there is a C compiler.

The environment variable ``CODEEXPLORE_COMPILED`` decides: ``1`` compiles, or fails; ``0`` makes a wheel of plain Python
for every machine; without it a wheel is compiled where there is a C compiler, and plain elsewhere. A checkout that is
installed in place is never compiled.

The compiled wheel contains the same sources and, beside those that `pyproject.toml` lists under ``modules``, the
libraries compiled from them: Python takes the library where it fits, and the source elsewhere. Building takes a minute
or two; running needs neither a compiler nor mypy.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_COMPILER = ["mypy[mypyc]>=2.4", "setuptools>=77"]
_OPTIONS = [  # our own settings are for checking; what other packages hold is all the same to the C that comes out
    "--config-file=", "--no-site-packages", "--ignore-missing-imports", "--no-incremental",
]  # fmt: skip
_LIBRARY = "codeexplore_compiled"


def required() -> bool:
    """Return True if the wheel must be compiled."""
    return os.environ.get("CODEEXPLORE_COMPILED", "") not in ("", "0")


def wanted() -> bool:
    """Return True if the wheel is compiled: it must be, or nothing is said and there is a C compiler."""
    return required() or (os.environ.get("CODEEXPLORE_COMPILED", "") == "" and has_compiler())


def has_compiler() -> bool:
    """Return True if this Python's C compiler and headers are installed."""
    compiler = "cl" if sys.platform == "win32" else os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return (
        shutil.which(shlex.split(compiler)[0]) is not None and Path(sysconfig.get_path("include"), "Python.h").is_file()
    )


def modules(root: Path, patterns: list[str]) -> list[str]:
    """The files that patterns name, relative to the project's root; a package's own file is never compiled.

    Raises FileNotFoundError for a pattern that names nothing.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        named = sorted(path.relative_to(root).as_posix() for path in root.glob(pattern) if path.name != "__init__.py")
        if not named:
            raise FileNotFoundError(f"pyproject.toml lists {pattern!r} to be compiled; there is no such file")
        found.update(dict.fromkeys(named))
    return list(found)


class CompileHook(BuildHookInterface):  # type: ignore[misc, type-arg, unused-ignore]
    """Build hook that compiles the listed modules into the wheel."""

    def dependencies(self) -> list[str]:
        """Return the packages that building needs beside hatchling."""
        return _COMPILER if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules to a wheel. A checkout that is installed in place stays as it is."""
        if not wanted() or version == "editable":
            return
        self._folder = tempfile.mkdtemp(prefix="codeexplore-build-")
        try:
            made = _compiled(Path(self.root), modules(Path(self.root), self.config["modules"]), Path(self._folder))
        except (Exception, SystemExit) as error:  # mypyc exits, setuptools raises errors of many kinds
            if required():
                raise
            self.app.display_warning(f"the wheel is plain Python, because compiling failed: {error}")
            return
        build_data["force_include"].update(made)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the compiler left."""
        del version, build_data, artifact_path
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder)


def translated(root: Path, files: list[str], folder: Path) -> list[Any]:
    """Translate files to C below a folder; the extensions to compile from it.

    mypyc prints what it cannot translate, and exits.
    """
    from mypyc.build import mypycify

    before = Path.cwd()
    os.chdir(root)  # names of modules are those of paths
    try:
        return mypycify(
            [*_OPTIONS, *files], opt_level="2", debug_level="0", multi_file=True, group_name=_LIBRARY,
            target_dir=str(folder),
        )  # fmt: skip
    finally:
        os.chdir(before)


def _compiled(root: Path, files: list[str], folder: Path) -> dict[str, str]:
    """Compile files; where each library lies → its place in the wheel."""
    from setuptools import Distribution

    extensions = translated(root, files, folder / "c")
    before = Path.cwd()
    os.chdir(root)
    try:
        distribution = Distribution({"name": "jupyter-codeexplore", "ext_modules": extensions})
        command = distribution.get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    made = (path for path in sorted((folder / "lib").rglob("*")) if path.is_file())
    return {str(path): path.relative_to(folder / "lib").as_posix() for path in made}
