"""Pages of the documentation that are made when it is built. `make docs` builds the whole site, strictly."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site() -> ModuleType:
    pytest.importorskip("mkdocs", reason="the docs extra is not installed")
    spec = importlib.util.spec_from_file_location("docs_site", ROOT / "docs" / "site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_lead_to_pages_of_the_site(site: ModuleType) -> None:
    assert site.site_links("[a](../CHANGELOG.md#fixed) [b](languages.md)", "docs/index.md") == (
        "[a](changelog.md#fixed) [b](languages.md)"
    )
    assert site.site_links("[a](docs/testing.md#fuzzing)", "CONTRIBUTING.md") == "[a](testing.md#fuzzing)"
    assert site.site_links("[a](../docs/model.md)", "benchmarks/RESULTS.md") == "[a](model.md)"


def test_files_that_the_site_lacks_are_named(site: ModuleType) -> None:
    assert (
        site.site_links("[the recipe](../training/README.md)", "docs/model.md") == "the recipe (`training/README.md`)"
    )
    assert site.site_links("[`hatch_build.py`](../hatch_build.py)", "docs/x.md") == "`hatch_build.py`"
    unchanged = "[a](https://example.org) [b](#here) ![c](images/x.png)"
    assert site.site_links(unchanged, "docs/index.md") == unchanged


def test_every_command_and_magic_has_its_options(site: ModuleType) -> None:
    commands, magics = site.command_line_page(), site.magics_page()
    assert "### codeexplore callers" in commands
    assert "### codeexplore cache clear" in commands
    assert "<code>--format text&#124;json&#124;markdown&#124;dot&#124;mermaid&#124;graphml</code>" in commands
    assert all(f"## %{name}\n" in magics for name in ("ask", "explore", "callers", "why", "survey", "evaluate"))
    assert "%(default)" not in commands + magics
    rows = [line for line in (commands + magics).split("\n") if line.startswith("| ")]
    assert len(rows) > 200
    assert all(row.count("|") == 3 for row in rows)
