"""Which module a Python import means: roots that nobody states, and names that must not be captured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeexplore.languages.extraction.expressions import Layout
from codeexplore.languages.javascript.spec import ScriptLocator
from codeexplore.languages.python.locate import PythonLocator, declared_roots, parse_toml
from codeexplore.languages.python.spec import PYTHON
from codeexplore.syntax.analyse import analyse
from codeexplore.types import FileFacts, SourceFile
from tests.graph_sources import edges, graph_of


def meant(files: Mapping[str, str], user: str, module: str, manifests: Mapping[str, str] = MappingProxyType({})) -> str:
    """The path (without ``.py``) that an import of a module in a file means: "" for outside, ``?`` for nobody knows."""
    paths = frozenset(files)
    facts = [analyse(SourceFile(p, "python", t, ""), Layout(paths)).facts for p, t in files.items()]
    locator = PythonLocator(facts, manifests)
    found = locator.locate(list(files).index(user), module)
    parts, unit = list[str](), found.unit
    while unit > 0:
        parts.append(locator.units.name[unit])
        unit = locator.units.parent[unit]
    return "/".join(reversed(parts)) or ("" if found.external else "?")


APP = dict.fromkeys(("backend/app/main.py", "backend/app/models.py", "backend/app/core/logging.py"), "")


@pytest.mark.parametrize(
    ("user", "module", "where"),
    [
        ("backend/app/main.py", "app.models", "backend/app/models"),
        ("backend/app/core/config.py", "app.models", "backend/app/models"),
        ("backend/tests/test_models.py", "app.models", "backend/app/models"),
        ("scripts/seed.py", "app.models", "backend/app/models"),  # no other is there, and files below name it so
        ("scripts/seed.py", "models", ""),
        ("backend/app/core/config.py", "logging", ""),  # the standard library's: core is a package to those who name it
        ("backend/app/core/config.py", "models", ""),  # nor do names start from app
    ],
)
def test_folders_without_init_are_packages_from_where_they_are_named(user: str, module: str, where: str) -> None:
    naming = "from app.core import logging\nimport app.models\n"
    assert meant(APP | {"backend/app/api.py": naming, user: ""}, user, module) == where


def test_of_several_services_the_nearest_is_meant_and_none_where_two_are_as_near() -> None:
    files = {
        f"services/{each}/{path}": "import app.models\n"
        for each in "ab"
        for path in ("app/models.py", "app/main.py", "tests/test_app.py")
    } | {"tests/test_both.py": ""}
    assert meant(files, "services/b/app/main.py", "app.models") == "services/b/app/models"
    assert meant(files, "services/b/tests/test_app.py", "app.models") == "services/b/app/models"
    assert meant(files, "tests/test_both.py", "app.models") == "?"


def test_portions_of_a_namespace_package_lie_in_several_projects() -> None:
    files = dict.fromkeys(("packages/one/src/ns/one/a.py", "packages/two/src/ns/two/b.py"), "")
    assert meant(files, "packages/one/src/ns/one/a.py", "ns.two.b") == "packages/two/src/ns/two/b"
    graph = graph_of(
        {
            "packages/one/src/ns/a.py": "from ns import b\nimport ns.b\ndef f():\n    b.g()\n    ns.b.h()\n",
            "packages/two/src/ns/b.py": "def g(): pass\ndef h(): pass\n",
        }
    )
    assert {target.rpartition(".")[2] for _, target in edges(graph)} == {"g", "h"}


def test_a_folder_lends_its_name_to_nothing_that_does_not_lie_in_it() -> None:
    graph = graph_of(
        {
            "docker/build.py": "def run(): pass\n",
            "tool.py": "from docker import Client, build\nimport docker\nClient()\ndocker.connect()\nbuild.run()\n",
        }
    )
    assert {row.name for row in graph.externals} == {"docker.Client", "docker.connect", "docker"}
    assert [target for _, target in edges(graph)] == ["docker.build.run"]


@pytest.mark.parametrize(
    ("files", "user", "module", "where"),
    [
        ({"pkg/__init__.py": "", "pkg/typing.py": "", "pkg/a.py": ""}, "pkg/a.py", "typing", ""),
        ({"email/send.py": "", "run.py": ""}, "run.py", "email", ""),  # no module: Python goes on looking for one
        ({"tests/fakes/json/__init__.py": "", "src/a.py": ""}, "src/a.py", "json", ""),
        ({"json/__init__.py": "", "pdb.py": ""}, "pdb.py", "json", "json"),  # the standard library itself
        ({"json/__init__.py": "", "pdb.py": ""}, "pdb.py", "pdb", "pdb"),
        ({"scripts/random.py": "", "scripts/a.py": ""}, "scripts/a.py", "random", "scripts/random"),  # it hides it
        ({"tests/proj/requests/__init__.py": "", "src/a.py": ""}, "src/a.py", "requests", ""),
        ({"tests/proj/requests/__init__.py": "", "tests/a.py": ""}, "tests/a.py", "requests", "tests/proj/requests"),
        ({"evals/__init__.py": "", "tests/unit/evals/a.py": ""}, "tests/unit/evals/a.py", "evals", "evals"),
        ({"celery.py": "", "a.py": ""}, "celery.py", "celery", ""),  # a file does not import itself
    ],
)
def test_stray_folders_hide_neither_the_standard_library_nor_packages(
    files: dict[str, str], user: str, module: str, where: str
) -> None:
    assert meant(files, user, module) == where


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["source"]\n'),
        ("pyproject.toml", '[tool.setuptools.package-dir]\n"" = "source"\n'),
        ("pyproject.toml", '[tool.setuptools.package-dir]\nshop = "source/shop"\n'),
        ("pyproject.toml", '[tool.poetry]\npackages = [{include = "shop", from = "source"}]\n'),
        ("pyproject.toml", '[tool.hatch.build.targets.wheel]\npackages = ["source/shop"]\n'),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "source other"\n'),
        ("setup.cfg", "[options]\npackage_dir =\n    = source\n"),
        ("setup.cfg", "[mypy]\nmypy_path = source:other\n"),
        ("setup.py", "setup(package_dir={'': 'source'})\n"),
        ("setup.py", "setup(packages=find_packages('source'))\n"),
        ("pytest.ini", "[pytest]\npythonpath = source\n"),
    ],
)
def test_manifests_say_where_modules_lie(name: str, text: str) -> None:
    files = dict.fromkeys(("project/source/shop/cart.py", "project/tests/test_cart.py"), "")
    assert meant(files, "project/tests/test_cart.py", "shop.cart") == ""
    found = meant(files, "project/tests/test_cart.py", "shop.cart", {f"project/{name}": text})
    assert found == "project/source/shop/cart"


@given(st.text(max_size=60), st.sampled_from(PYTHON.manifests))
def test_a_manifest_that_cannot_be_read_says_no_more_than_where_it_lies(text: str, name: str) -> None:
    noise = "[tool.poetry]\npackages = 3\n[tool.mypy]\nmypy_path = ['../..', '/', 7]\n" + text
    assert {home for home, _ in declared_roots({f"a/{name}": noise})} <= {"a"}
    assert not any(folder.startswith(("..", "/")) for _, folder in declared_roots({f"a/{name}": noise}))


def test_a_file_that_changes_its_path_may_import_from_anywhere() -> None:
    files = dict.fromkeys(("tools/common/shared.py", "jobs/run.py"), "")
    assert meant(files, "jobs/run.py", "shared") == ""
    changed = files | {"jobs/run.py": "import sys\nsys.path.insert(0, '../tools/common')\nimport shared\n"}
    assert meant(changed, "jobs/run.py", "shared") == "tools/common/shared"


@pytest.mark.parametrize(
    "text", ["a." * 400_000 + "a = 1", "[" + "a . " * 200_000 + "a]", "x = {" + "'a'.\"b\"." * 90_000]
)
def test_a_toml_key_of_very_many_parts_is_not_read(text: str) -> None:
    """Tomllib would take an hour for it."""
    assert parse_toml(text) == {}
    assert set(declared_roots({"app/pyproject.toml": text})) == {("app", "app")}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["a", "a-", '"', "'\"", "'a' ", " ", ".", " .", f"{'a.' * 63}=\n", "a" * 900 + "."])
def test_long_keys_of_toml_are_found_in_linear_time(text: str) -> None:
    many = text * (100_000 // len(text))
    assert parse_toml(many + "]") == parse_toml(f"x = [{many}") == {}


def test_long_texts_and_ordinary_keys_of_toml_are_read() -> None:
    text = 'a.b."c.d".e = "' + "..." * 5_000 + "Two words. " * 5_000 + '"\n[x.y.z]\n'
    assert parse_toml(text).keys() == {"a", "x"}


def script_target(module: str, paths: Mapping[str, str], **manifests: object) -> str:
    """The path that an import in ``app/main.ts`` means, "" for one outside."""
    names = list(paths)
    facts = [FileFacts(path, "typescript", path, ()) for path in names]
    texts = {name.replace("_", "."): json.dumps(content) for name, content in manifests.items()}
    unit = ScriptLocator(facts, texts).locate(names.index("app/main.ts"), module).unit
    return names[unit] if unit >= 0 else ""


SCRIPTS = dict.fromkeys(("app/main.ts", "one/x.ts", "two/x.ts", "two/deep/x.ts", "src/index.ts"), "")


@pytest.mark.parametrize(
    ("module", "patterns", "where"),
    [
        ("lib/x", {"lib/*": ["one/*"], "lib/x": ["two/x"]}, "two/x.ts"),  # the longest text before a star wins
        ("lib/x", {"*": ["one/x"], "lib/*": ["none/*", "two/*"]}, "two/x.ts"),
        ("lib/x", {"lib/*": ["none/*"], "*": ["one/x"]}, "one/x.ts"),
        ("lib.x.js", {"lib.*.js": ["one/*"]}, "one/x.ts"),
        ("lib/deep/x", {"lib/*": ["two/*"]}, "two/deep/x.ts"),
        ("aba", {"ab*ba": ["one/x"]}, ""),  # the ends of a pattern do not overlap
        ("lib/x", {"lib/*": [*(f"none{n}/*" for n in range(60)), "two/*"]}, ""),  # beyond the places that are tried
    ],
)
def test_patterns_of_a_tsconfig(module: str, patterns: Mapping[str, list[str]], where: str) -> None:
    assert script_target(module, SCRIPTS, tsconfig_json={"compilerOptions": {"paths": patterns}}) == where


def test_entries_of_a_package_nested_as_deep_as_json_is_read() -> None:
    nested: object = "./two/x.ts"
    for _ in range(900):
        nested = [{"default": nested}] if isinstance(nested, str) else [nested]
    package = {"name": "own", "exports": {"./y": nested, "./z/*": "./one/*.ts"}, "imports": {"#i/*": "./two/*.ts"}}
    assert script_target("own/y", SCRIPTS, package_json=package) == "two/x.ts"
    assert script_target("own/z/x", SCRIPTS, package_json=package) == "one/x.ts"
    assert script_target("#i/x", SCRIPTS, package_json=package) == "two/x.ts"
    assert script_target("own", SCRIPTS, package_json={"name": "own", "exports": "./src/index.ts"}) == "src/index.ts"
    assert script_target("own", SCRIPTS, package_json={"name": "own"}) == "src/index.ts"


def test_imports_in_a_folder_deeper_than_pythons_stack() -> None:
    paths = {"app/main.ts": "", "a/" * 1_500 + "x.ts": ""}
    facts = [FileFacts(path, "typescript", path, ()) for path in paths]
    tsconfig = json.dumps({"compilerOptions": {"paths": {"lib": ["app/main"]}}})
    assert ScriptLocator(facts, {"tsconfig.json": tsconfig}).locate(1, "lib").unit == 0


def test_a_file_imports_what_it_only_exports_from_another() -> None:
    graph = graph_of({
        "shared.ts": 'export { fee } from "./fees";\nexport * from "./rates";\nexport * as all from "./fees";\n',
        "fees.ts": "export const fee = () => 1;\nexport const other = () => 2;\n",
        "rates.ts": "export const rate = () => 2;\n",
        "old.js": 'module.exports = { ...require("./made") };\nexports.apart = require("outside");\n',
        "made.js": "exports.made = () => 1;\n",
    })  # fmt: skip
    sites = {ends: [site.line for site in edge.sites] for ends, edge in edges(graph, "IMPORTS").items()}
    wanted = {("shared", "fees"): [1, 3], ("shared", "fees.fee"): [1], ("shared", "rates"): [2], ("old", "made"): [1]}
    assert sites == wanted


def test_each_file_that_a_package_names_under_a_condition_may_be_meant(tmp_path: Path) -> None:
    conditions = {".": {"node": "./dist/index.mjs", "types": "./dist/index.d.ts", "default": "./dist/browser.mjs"}}
    (tmp_path / "package.json").write_text(json.dumps({"name": "lg", "exports": conditions}), encoding="utf-8")
    sources = {
        "ex/use.ts": 'import { create, LIMIT, Log } from "lg";\ncreate();\nconsole.log(LIMIT);\nnew Log().write();\n',
        "src/index.ts": "export function create() {}\nexport const LIMIT = 1;\nexport class Log { write() {} }\n",
        "src/browser.ts": "export function create() {}\nexport const LIMIT = 2;\nexport class Log { write() {} }\n",
    }
    graph = graph_of(sources, tmp_path)
    for kind, names in (("CALLS", ("create", "Log.write")), ("USES", ("LIMIT",)), ("IMPORTS", ("", "create", "LIMIT"))):
        found = {target: edge.certainty for (user, target), edge in edges(graph, kind).items() if user == "ex/use"}
        for name in names:
            both = [found.get(f"{module}.{name}".strip(".")) for module in ("src", "src/browser")]
            assert both == (["likely"] * 2 if (kind, name) != ("IMPORTS", "LIMIT") else [None] * 2), (kind, name)


def test_the_default_of_a_file_of_common_js_is_all_that_it_exports() -> None:
    graph = graph_of({
        "old.cjs": "exports.clamp = function clamp() {};\nexports.twice = () => 2;\n",
        "all.mjs": 'export { default as old } from "./old.cjs";\nexport default function go() {}\n',
        "use.mjs": 'import old from "./old.cjs";\nimport go, { old as same } from "./all.mjs";\n'
        "export function one() { old.clamp(); old.twice(); go(); }\nexport function two() { same.clamp(); }\n",
    })  # fmt: skip
    called = {ends for ends, edge in edges(graph, "CALLS").items() if edge.certainty == "certain"}
    assert called == {
        *(("use.one", f"old.{name}") for name in ("clamp", "twice")),
        ("use.one", "all.go"),
        ("use.two", "old.clamp"),
    }
