"""Folders that hold what tools made or fetched, which nobody explores by accident.

Three kinds of evidence, strongest first:

1. A name that means only one thing (``node_modules``, ``.tox``): left out wherever it stands, tracked by git or not.
2. A mark inside: ``pyvenv.cfg`` and ``conda-meta`` make a Python environment, ``CACHEDIR.TAG`` a cache, whatever
   the name; the list that a tool leaves in a ``vendor`` folder makes it foreign code, tracked or not.
3. A name that may also be a person's own source (``build``, ``dist``, ``target`` …): left out only beside the project
   file of a tool that fills a folder of that name, and only where nothing better tells: not when it is a Python
   package, git tracks something in it, or the project has ignore files, which name its build results themselves.

The root itself is never asked about: whoever names a folder wants it.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

_NAMES = """
.git .hg .svn .bzr .jj .sl CVS _darcs
__pycache__ site-packages dist-packages .venv .tox .nox .eggs __pypackages__ .ipynb_checkpoints
.mypy_cache .pytest_cache .ruff_cache .hypothesis .pytype .pyre .import_linter_cache
node_modules bower_components jspm_packages .npm .yarn .pnpm-store .next .nuxt .svelte-kit .angular .parcel-cache
.turbo .nyc_output .cache .gradle .mvn .bloop .metals .bsp .stack-work .cabal-sandbox dist-newstyle
.dart_tool .build .swiftpm DerivedData .zig-cache zig-cache .elixir_ls .terraform .bundle .direnv .pixi
"""
ALWAYS: frozenset[str] = frozenset(_NAMES.split())
"""Names that never hold a person's source."""

MARKS: frozenset[str] = frozenset({"pyvenv.cfg", "conda-meta", "CACHEDIR.TAG"})
"""Entries that make the folder they stand in an environment or a cache."""

_PYTHON = "setup.py pyproject.toml setup.cfg"
_SCRIPT = "package.json"
_JVM = "pom.xml build.gradle build.gradle.kts build.sbt"
_NATIVE = "CMakeLists.txt meson.build Makefile configure.ac"

BESIDE: dict[str, frozenset[str]] = {
    name: frozenset(files.split())
    for name, files in {
        "build": f"{_PYTHON} {_SCRIPT} {_JVM} {_NATIVE} mkdocs.yml",
        "_build": "mix.exs conf.py dune-project rebar.config",
        "dist": f"{_PYTHON} {_SCRIPT}",
        "out": f"{_SCRIPT} tsconfig.json build.gradle CMakeLists.txt",
        "target": f"{_JVM} Cargo.toml project.clj",
        "vendor": "go.mod composer.json Gemfile Cargo.toml",
        "deps": "mix.exs rebar.config",
        "Pods": "Podfile",
        "Carthage": "Cartfile",
        "elm-stuff": "elm.json",
        "zig-out": "build.zig",
    }.items()
}
"""Name → project files beside which a tool fills a folder of that name."""

VENDORED: dict[str, frozenset[str]] = {
    "vendor": frozenset({"modules.txt", "autoload.php", "bundle"}),
    "Pods": frozenset({"Manifest.lock"}),
}
"""Name → entries that a tool leaves in such a folder, which make it foreign code even where git tracks it."""


def by_name(name: str) -> str:
    """Why a folder of this name is left out unseen; "" when it is not."""
    return "a name that never holds own source" if name in ALWAYS else ""


def by_content(name: str, inside: AbstractSet[str], beside: AbstractSet[str], kept: bool) -> str:
    """Why a folder is left out after a look at it; "" when it is not.

    Parameters
    ----------
    name
        The folder's own name.
    inside, beside
        Names of the entries in it and next to it.
    kept
        Whether git tracks something in it, or ignore files that are in force let it pass.
    """
    if marks := MARKS & inside:
        return f"holds {min(marks)}"
    if marks := VENDORED.get(name, frozenset()) & inside:
        return f"libraries put there by a tool, which left {min(marks)}"
    if kept or "__init__.py" in inside:
        return ""
    projects = BESIDE.get(name, frozenset()) & beside
    return f"beside {min(projects)}, in a project without ignore files" if projects else ""
