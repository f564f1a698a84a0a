"""Where answers start: the entry point of a program, whose calls are told in order, and names of no symbol."""

from pathlib import Path

import pytest

from codeexplore import Workspace
from codeexplore.types.errors import SymbolNotFound

FILES = {
    "app/main.go": "package main\n\nfunc main() {\n\tload()\n\tserve()\n}\n\nfunc serve() { accept() }\n\n"
    "func load() {}\n\nfunc accept() {}\n",
    "app/main_test.go": "package main\n\nfunc shop() { accept() }\n",
    "examples/hello/main.go": "package main\n\nfunc main() {\n\ta()\n\tb()\n\tc()\n\td()\n\te()\n}\n\n"
    + "".join(f"func {name}() {{}}\n\n" for name in "abcde"),
    "install.sh": "main() {\n  fetch\n}\n\nfetch() {\n  echo\n}\n\nmain\n",
    "go.mod": "module shop\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("started")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Workspace(root, name="Shop", cache=False, workers=0)


@pytest.mark.parametrize(
    "question",
    [
        "what happens when the program starts?",
        "What happens when the app is launched",
        "what happens at startup?",
        "where does the program start?",
        "what happens when the shop command is run?",
        "what happens when Shop starts?",
        "what happens when I run shop?",
        "what happens if a user launches the program",
    ],
)
def test_the_story_of_a_start(shop: Workspace, question: str) -> None:
    answer = shop.search(question)
    story = [(step.level, shop.symbol(step.symbol_id).name) for step in answer.result.story]
    assert story == [(1, "load"), (1, "serve"), (2, "accept")]
    assert answer.plan.identifiers == ("app.main",)
    assert "callees of app.main" in repr(answer)


def test_a_function_that_starts_is_no_program(shop: Workspace, tmp_path: Path) -> None:
    (tmp_path / "main.go").write_text(
        "package main\n\nfunc main() { load() }\n\nfunc load() {}\n\nfunc brew() { save() }\n\nfunc save() {}\n"
    )
    tool = Workspace(tmp_path, name="brew", cache=False, workers=0)
    for workspace, name, called in ((shop, "serve", "accept"), (tool, "brew", "save")):
        story = workspace.search(f"what happens when {name} starts?").result.story
        assert [workspace.symbol(step.symbol_id).name for step in story] == [called]


@pytest.mark.parametrize(
    "question", ["what happens when the user starts?", "what happens when the save command is run?"]
)
def test_other_happenings_are_descriptions(shop: Workspace, question: str) -> None:
    assert shop.search(question).plan.relation is None


def test_a_story_keeps_what_runs_and_leaves_out_doubles_of_tests(tmp_path: Path) -> None:
    (tmp_path / "task.py").write_text(
        "class Task:\n    def delay(self):\n        return self.send()\n\n"
        "    def send(self):\n        return post()\n\n\n"
        "def post():\n    pass\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_task.py").write_text(
        "from task import Task\n\n\nclass Fake(Task):\n    def send(self):\n        return None\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    story = workspace.search("what happens when Task.delay is called?").result.story
    assert [workspace.symbol(step.symbol_id).fqn for step in story] == ["task.Task.send", "task.post"]


def test_each_of_many_meanings_is_tried_before_no_path_is_said(tmp_path: Path) -> None:
    types = [f"class T{n}:\n    def go(self):\n        {'sink()' if n == 38 else 'pass'}\n" for n in range(40)]
    (tmp_path / "many.py").write_text("\n".join(types) + "\n\ndef sink():\n    pass\n")
    answer = Workspace(tmp_path, cache=False, workers=0).search("how does go reach sink?")
    assert answer.verdict is not None
    assert answer.verdict.headline == "1 path from many.T38.go to many.sink"
    assert "40 symbols" in str(answer)


def test_the_script_with_the_name_of_the_repository_starts_it(tmp_path: Path) -> None:
    tool = "def main():\n    one()\n    two()\n\n\ndef one(): pass\n\n\ndef two(): pass\n"
    files = {
        "pyproject.toml": '[project.scripts]\nshop = "shop.__main__:main"\nshop-tool = "shop.tool:main"\n',
        "shop/__init__.py": "def main():\n    serve()\n\n\ndef serve(): pass\n",
        "shop/__main__.py": "from . import main\n\nmain()\n",
        "shop/tool.py": tool,
    }
    (tmp_path / "shop").mkdir()
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    workspace = Workspace(tmp_path, name="shop", cache=False, workers=0)
    for asked, calls in (
        ("the program starts", ["shop.serve"]),
        ("I run shop-tool", ["shop.tool.one", "shop.tool.two"]),
    ):
        answer = workspace.search(f"what happens when {asked}?")
        assert [step.symbol_id.rpartition(":")[2] for step in answer.result.story] == calls


def test_the_word_program_is_no_misspelt_name(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("PROGRAM = 'shop'\n\ndef main():\n    serve()\n\ndef serve(): pass\n")
    (tmp_path / "pyproject.toml").write_text('[project.scripts]\nshop = "shop:main"\n')
    answer = Workspace(tmp_path, cache=False, workers=0).search("what happens when the program starts?")
    assert [step.symbol_id.rpartition(":")[2] for step in answer.result.story] == ["shop.serve"]
    assert not [notice for notice in answer.notices if "taken instead" in notice]


def test_the_file_with_the_name_of_the_repository_starts_it(tmp_path: Path) -> None:
    head = "#!/usr/bin/env ruby\nrequire_relative '../lib/shop'\n"
    files = {
        "exe/shop": f"{head}Shop.serve\n",
        "script/profile": f"{head}Shop.serve\nShop.measure\nShop.report\n",
        "lib/shop.rb": "module Shop\n  def self.serve; end\n  def self.measure; end\n  def self.report; end\nend\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    answer = Workspace(tmp_path, name="shop", cache=False, workers=0).search("what happens when the program starts?")
    assert [step.symbol_id.rpartition(":")[2] for step in answer.result.story] == ["Shop.serve"]


@pytest.mark.parametrize("question", ["what calls frobnicateXyz?", "path from frobnicate_xyz to serve"])
def test_a_name_of_no_symbol_is_taken_for_no_other(shop: Workspace, question: str) -> None:
    answer = shop.search(question)
    assert answer.verdict is None
    assert not answer.plan.seeds
    assert "No symbol is called `frobnicate" in " ".join(answer.notices)


def test_a_global_name_hides_no_member_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "api.h").write_text("#define expect(x) record(x)\n")
    (tmp_path / "Api.swift").write_text(
        "public func check(_ x: Int) { }\npublic struct Api { public func expect(_ x: Int) { check(x) } }\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    answer = workspace.search("how does expect reach check?")
    assert answer.verdict is not None
    assert "Api.expect to" in answer.verdict.headline
    assert answer.verdict.kind == "found"


def test_a_heading_hides_no_declaration(tmp_path: Path) -> None:
    (tmp_path / "api.md").write_text("# Api\n\n## routing\n\nHow requests find their way.\n")
    (tmp_path / "api.d.ts").write_text("export interface Server { routing(path: string): void }\n")
    answer = Workspace(tmp_path, cache=False, workers=0).search("who calls routing?")
    assert not any("No symbol is called" in notice for notice in answer.notices)


def test_the_program_is_the_first_script_that_the_manifest_names(tmp_path: Path) -> None:
    main = "def main(program=1):\n    {0}()\n\n\ndef {0}(): pass\n"
    files = {
        "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    get = web.cli:main\n    gets = web.cli:main\n"
        "    web = web.manager:main\n",
        "web/cli.py": main.format("fetch"),
        "web/manager.py": main.format("manage") + "\n\ndef more():\n    main()\n",
        "web/__init__.py": "",
        "docs/build.py": "def program(): pass\n\n\nif __name__ == '__main__':\n    program()\n",
        "docs/other.py": "def program(): pass\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    workspace = Workspace(tmp_path, name="web", cache=False, workers=0)
    for asked, called in (("the program", "web.cli.fetch"), ("gets", "web.cli.fetch"), ("web", "web.manager.manage")):
        answer = workspace.search(f"what happens when {asked} starts?")
        assert [step.symbol_id.rpartition(":")[2] for step in answer.result.story] == [called]
    said = "\n".join(workspace.search("what happens when the program starts?").notices)
    assert "The program starts at web.cli.main: setup.cfg starts it as get and gets." in said
    assert "Other entry points: web.manager.main (setup.cfg starts it as web)." in said
    assert "may mean" not in said


def test_a_start_says_what_its_story_leaves_out(tmp_path: Path) -> None:
    files = {
        "go/go.mod": "module shop\n",
        "go/main.go": 'package main\n\nimport (\n\t"shop/store"\n\t"other.org/cli"\n)\n\n'
        "var app = cli.App{Run: handle}\n\nfunc main() {\n\tstore.Open()\n\tapp.Start()\n}\n\nfunc handle() {}\n",
        "go/store/store.go": "package store\n\nvar table = fill()\n\nfunc fill() int { return 1 }\n\n"
        "func init() { fill() }\n\nfunc Open() {}\n",
        "go/spare/spare.go": "package spare\n\nfunc init() {}\n",
        "py/run.py": "import base\n\ndef main():\n    base.work()\n\nif __name__ == '__main__':\n    main()\n",
        "py/base.py": "def work(): pass\n\ndef early(): pass\n\nearly()\n",
        "rs/main.rs": "mod base;\nfn main() { base::work(); }\n",
        "rs/base.rs": "pub fn work() {}\nconst fn made() -> u8 { 1 }\nstatic ONE: u8 = made();\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    def said(folder: str) -> str:
        answer = Workspace(tmp_path / folder, cache=False, workers=0).search("what happens when the program starts?")
        return next(each for each in answer.notices if each.startswith("The program starts"))

    go = said("go")
    assert go.endswith(
        " While files are loaded, more runs, which is not listed: main, store, store.init."
        " A library may call functions that are passed on as values: main.handle."
    )
    assert "more runs, which is not listed: base." in said("py")
    assert said("rs") == "The program starts at crate::main: the language or a launcher calls it by its name."


OVERLOADS = """
class Over {
    int conv(int x) { return low(); }
    int conv(String s, List<String> all) { return conv(high(all)); }
    int conv(String s) { return 2; }
    int low() { return 0; }
    int one() { return conv(1); }
    int two() { return conv("a", all()); }
}
"""


def test_types_choose_an_overload(tmp_path: Path) -> None:
    (tmp_path / "Over.java").write_text(OVERLOADS)
    ws = Workspace(tmp_path, cache=False, workers=0)
    chosen = {"conv(int)": {"one"}, "Over.conv(String,List<String>)": {"two"}}
    for name, callers in chosen.items():
        assert {each.name for each in ws.callers(name)} == callers
        answer = ws.search(f"who calls {name}?")
        assert {hit.symbol.name for hit in answer if hit.symbol and hit.symbol.name != "conv"} == callers
    assert {each.name for each in ws.callers("conv")} >= {"one", "two"}
    with pytest.raises(SymbolNotFound, match=r"Nearest names: Over\.conv"):
        ws.callers("conv(float)")


def test_each_overload_has_a_story_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "Over.java").write_text(OVERLOADS.replace("conv(high(all))", "conv(1) + low()"))
    answer = Workspace(tmp_path, cache=False, workers=0).search("what happens when Over.conv is called?")
    story = answer.result.story
    assert [(step.start[-2:], step.level, step.symbol_id.rpartition(".")[2]) for step in story] == [
        ("nv", 1, "low"), ("#2", 1, "conv"), ("#2", 1, "low"),
    ]  # fmt: skip
    assert "What runs, in the order of the lines: int conv(String s, List<String> all)" in str(answer)


def test_a_question_about_cycles_is_answered_by_their_survey(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import b\n\n\ndef one(): b.two()\n")
    (tmp_path / "b.py").write_text("import a\n\n\ndef two(): a.one()\n")
    workspace = Workspace(tmp_path, cache=False, workers=0)
    imports, calls = workspace.search("are there circular imports?"), workspace.search("are there cycles of calls?")
    assert imports.notices[0] == "1 cycle of imports among 2 files: `a.py`, `b.py`."
    assert imports.next_steps[0].options == (("of", "imports"),)
    assert calls.next_steps[0].options == ()
    assert {hit.symbol.kind for hit in imports} == {"module"}
    assert {hit.symbol.fqn for hit in calls} == {"a.one", "b.two"}
