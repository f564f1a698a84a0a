"""Where a program is entered: each way in with its reason, and what is no way in."""

from __future__ import annotations

from pathlib import Path

from codeexplore import Workspace
from codeexplore.graph.records import ENTRY_KINDS
from codeexplore.graph.usage.entry_points import entry_points
from tests.git_repos import write
from tests.graph_sources import standings_of

SOURCES = {
    "z.py": """
        import click
        def main(): pass
        def __getattr__(name): pass
        @click.command
        def shown(): pass
        @click.command
        def driven(): pass
        def public(): used(lambda: driven())
        def used(function): pass
        def _hidden(): pass
        class Shop:
            def open(self): pass
            def __enter__(self): pass
        def outer():
            def inner(): pass
            used(inner)
        """,
    "a/__main__.py": "import z\n",
    "a/__main__x.py": "import z\n",
    "run.py": "def go(): pass\nif __name__ == '__main__':\n    go()\n",
    "talk.py": 'text = """\n  if __name__ == \'__main__\': pass\n"""\n',
    "z.go": "package z\nfunc main() {}\n",
    "lib.rs": "#![deny(missing_docs)]\nfn used() {}\n",
    "tool.rb": "#!/usr/bin/env ruby\n# if __name__ == '__main__':\nputs 1\n",
    "long.sh": "#!/bin/sh " + "x" * 100 + "\n",
    "like.js": "// x\nif (__name__ == '__main__') {}\n",
    "tests/test_z.py": "import click\ndef test_it(): pass\ndef helper(): pass\n@click.fixture\ndef given(): pass\n",
    "tests/drive.py": "if __name__ == '__main__':\n    1\n",
    "tests/__main__.py": "x = 1\n",
}


def told(*kinds: str, root: Path | None = None, minimum: float = 0.5) -> list[tuple[str, str, str]]:
    """Path and name, kind, and reason of every entry, in the order given."""
    usage_evidence = standings_of(SOURCES, root)
    found = entry_points(usage_evidence.graph, usage_evidence, kinds or ENTRY_KINDS, minimum)
    names = (usage_evidence.graph.catalog.symbol(item.symbol_id) for item in found)
    return [(f"{s.path} {s.name}", item.kind, item.reason) for s, item in zip(names, found, strict=True)]


def test_files_that_run_say_why() -> None:
    assert told("module") == [
        ("a/__main__.py __main__", "module", "python -m starts it"),
        ("run.py run", "module", "it runs when it is started as a script (__main__)"),
        ("tool.rb tool", "module", "its first line names the program that runs it: #!/usr/bin/env ruby"),
        ("long.sh long", "module", "its first line names the program that runs it: #!/bin/sh " + "x" * 50),
    ]


def test_a_function_that_the_language_starts_in_a_test_file_is_a_test() -> None:
    sources = {"doc/cmd_test.go": "package doc\nfunc init() { register() }\nfunc register() {}\n"}
    usage_evidence = standings_of(sources)
    (entry,) = entry_points(usage_evidence.graph, usage_evidence, ENTRY_KINDS)
    assert (usage_evidence.graph.catalog.symbol(entry.symbol_id).name, entry.kind) == ("init", "test")


def test_what_runs_among_tests_is_a_test() -> None:
    reason = "it runs when it is started as a script (__main__)"
    assert told("test") == [
        ("tests/test_z.py test_it", "test", "a test runner finds it by its name or decorator"),
        ("tests/test_z.py given", "test", "its decorator (click.fixture) may register or call it"),
        ("tests/drive.py drive", "test", reason),
        ("tests/__main__.py __main__", "test", "python -m starts it"),
    ]


def test_what_is_started_or_registered_and_nobody_calls() -> None:
    assert told("main", "registered") == [
        ("z.go main", "main", "the language or a launcher calls it by its name"),
        ("z.py shown", "registered", "its decorator (click.command) may register or call it"),
    ]


def test_what_others_may_call_and_nothing_here_does() -> None:
    begins = "nothing in this repository calls it by its name, and code outside may: "
    assert told("exported") == [
        ("z.py main", "exported", f"{begins}its name is public"),
        ("z.py public", "exported", f"{begins}its name is public"),
        ("z.py open", "exported", f"{begins}a public member of Shop (its name is public)"),
        ("z.py outer", "exported", f"{begins}its name is public"),
    ]


def test_calls_below_the_minimum_call_nobody() -> None:
    names = {name for name, *_ in told("registered", minimum=1.01)}
    assert names == {"z.py shown", "z.py driven"}


def test_a_script_of_a_manifest_is_one_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project.scripts]\nshop = "z:used"\nsale = "z:used"\nopen = "z:Shop.open"\n'
    )
    assert told("script", root=tmp_path) == [
        ("z.py used", "script", "pyproject.toml starts it as shop and sale"),
        ("z.py open", "script", "pyproject.toml starts it as open"),
    ]


def test_manifests_below_the_root_start_and_register_too(tmp_path: Path) -> None:
    sources = {
        "fuzz/targets/parse.rs": "fuzz_target!(|data: &[u8]| { parse(data) });\n",
        "crate/src/main.rs": "fn main() {}\n",
        "web/server.js": "serve()\n",
        "web/tool.js": "check()\n",
        "plug/__init__.py": "from plug.store import Store\n",
        "plug/store.py": "class Store: pass\n\nKEYS = {}\n",
    }
    manifests = {
        "fuzz/Cargo.toml": '[package]\nname = "fuzz"\n[[bin]]\nname = "parse"\npath = "targets/parse.rs"\n',
        "crate/Cargo.toml": '[package]\nname = "crate"\n[[bin]]\nname = "shop"\npath = "src/main.rs"\n',
        "web/package.json": '{"scripts": {"start": "A=x node --inspect ./server.js", "lint": "eslint tool.js"}}',
        "pyproject.toml": '[project.entry-points."shop.store"]\nfile = "plug:Store"\n'
        '[project.entry-points.keys]\nplain = "plug.store:KEYS"\n',
    }
    write(tmp_path, sources | manifests)
    found = Workspace(tmp_path, cache=False, workers=0).entry_points()
    assert {(each.symbol_id.replace(":", " ", 1), each.kind, each.reason) for each in found} == {
        ("crate/src/main.rs crate::main", "main", "the language or a launcher calls it by its name"),
        ("fuzz/targets/parse.rs fuzz::targets::parse", "script", "fuzz/Cargo.toml names its file as parse"),
        ("web/server.js web/server", "script", "web/package.json names its file as npm run start"),
        ("plug/store.py plug.store.Store", "registered", "pyproject.toml registers it as file (shop.store)"),
        ("plug/store.py plug.store.KEYS", "registered", "pyproject.toml registers it as plain (keys)"),
    }


def test_kinds_come_in_their_order_and_only_those_asked_for() -> None:
    kinds = [kind for _, kind, _ in told()]
    assert kinds == sorted(kinds, key=ENTRY_KINDS.index)
    assert set(kinds) == {"main", "module", "registered", "test", "exported"}
