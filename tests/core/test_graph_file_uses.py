"""Edges to templates, configuration keys and services, and from manifests to code: what makes them, and what keeps
them after an edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeexplore import Workspace
from tests.same_index import assert_same

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n\n[project.scripts]\nshop = "shop.cli:main"\n',
    "shop/__init__.py": "",
    "shop/cli.py": (
        "def main():\n    return read_port({})\n\n\ndef read_port(config):\n    return config['server_port']\n"
    ),
    "shop/views.py": (
        "def login(request):\n    return render(request, 'accounts/login.html')\n\n\n"
        "def row(request):\n    return render(request, 'row.html')\n\n\n"
        "def other(request):\n    return render(request, 'many.html')\n"
    ),
    "shop/templates/accounts/login.html": '{% extends "base.html" %}\n{% include "accounts/row.html" %}\n',
    "shop/templates/accounts/row.html": "<p>\n",
    "shop/templates/base.html": "<html>\n",
    "a/many.html": "x\n",
    "b/many.html": "x\n",
    "c/many.html": "x\n",
    "d/many.html": "x\n",
    "deploy/server.yaml": "server_port: 8080\nrun: scripts/start.sh\n",
    "deploy/scripts/start.sh": "start() { :; }\n",
    "api/shop.proto": "service Shop {\n  rpc Get(M) returns (M) {}\n}\n",
    "api/server.go": "package api\n\ntype server struct {\n\tUnimplementedShopServer\n}\n",
    "package.json": '{"name": "shop", "main": "./web/index.js"}\n',
    "web/index.js": "export function start() {}\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


@pytest.fixture
def shop(tmp_path: Path) -> Workspace:
    write(tmp_path, FILES)
    return Workspace(tmp_path, cache=False)


def edges(workspace: Workspace) -> set[tuple[str, str, str, int]]:
    graph = workspace.graph
    return {
        (graph.symbol(graph.vertex(edge.source)).fqn, graph.symbol(graph.vertex(edge.target)).fqn, edge.rule, site.line)
        for edge in graph.edges
        if edge.manner == "text"
        for site in edge.sites
    }


EXPECTED = {
    ("shop.views.login", "shop/templates/accounts/login.html", "file-path", 2),
    ("shop.views.row", "shop/templates/accounts/row.html", "file-name", 6),
    ("shop/templates/accounts/login.html", "shop/templates/base.html", "file-name", 1),
    ("shop/templates/accounts/login.html", "shop/templates/accounts/row.html", "file-path", 2),
    ("pyproject.toml#project.scripts", "shop.cli.main", "text", 5),
    ("shop.cli.read_port", "deploy/server.yaml#server_port", "key", 6),
    ("deploy/server.yaml#run", "deploy/scripts/start", "file-path", 2),
    ("api.server", "api/shop.proto#Shop", "service", 4),
    ("package.json#main", "web", "file-path", 1),
}


def test_texts_that_name_files_services_keys_and_functions_are_edges(shop: Workspace) -> None:
    assert edges(shop) == EXPECTED
    assert [symbol.fqn for symbol in shop.uses("shop/templates/accounts/login.html")] == ["shop.views.login"]
    assert "the file's path" in str(shop.why("shop.views.login", "shop/templates/accounts/login.html"))
    possible = shop.uses("shop/templates/accounts/row.html")
    assert [symbol.fqn for symbol in possible] == ["shop/templates/accounts/login.html"]
    assert [edge.rule for edge in possible.possible] == ["file-name"]
    assert "shop.cli.main" not in {each.symbol_id.partition(":")[2] for each in shop.dead_code()}


EDITS: dict[str, dict[str, str]] = {
    "a template": {"shop/templates/accounts/row.html": "{% extends 'base.html' %}\n"},
    "a string of code": {"shop/views.py": FILES["shop/views.py"].replace("accounts/login.html", "row.html")},
    "a line of code": {"shop/views.py": "# moved\n" + FILES["shop/views.py"]},
    "a new file": {"shop/templates/many.html": "x\n", "e/row.html": "x\n"},
    "a key": {"deploy/server.yaml": "port: 8080\n"},
    "other code": {"web/index.js": "export function begin() {}\n"},
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_refresh_keeps_the_edges_of_a_new_load(shop: Workspace, edit: str) -> None:
    write(shop.root, EDITS[edit])
    shop.refresh()
    assert_same(shop, Workspace(shop.root, cache=False))


def test_files_that_are_removed_take_their_edges_along(shop: Workspace) -> None:
    (shop.root / "shop/templates/accounts/login.html").unlink()
    (shop.root / "d/many.html").unlink()
    shop.refresh()
    assert_same(shop, Workspace(shop.root, cache=False))
    assert len([edge for edge in edges(shop) if edge[0] == "shop.views.other"]) == 3


def test_an_unchanged_graph_is_kept(shop: Workspace) -> None:
    before = shop.graph.edges.source
    write(shop.root, {"web/index.js": FILES["web/index.js"] + "\n\n// note\n"})
    shop.refresh()
    assert shop.graph.edges.source is before


def test_without_such_files_there_are_no_edges(shop: Workspace) -> None:
    assert edges(Workspace(shop.root, resources=False, cache=False)) == set()
