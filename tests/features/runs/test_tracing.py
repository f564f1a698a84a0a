"""Traces: observed calls, their symbols, and their place beside the static graph."""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import json
import multiprocessing
import operator
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codeexplore import QuestionError, TraceError, Workspace
from codeexplore.answers.drawing.layout import draw
from codeexplore.answers.drawing.svg import svg
from codeexplore.answers.html.writer import shown_html
from codeexplore.features.runs.answers import TraceRun
from codeexplore.features.runs.call_tree import MOST_NODES
from codeexplore.features.runs.collector import Options, c_name
from codeexplore.features.runs.recorder import ChildProcesses, Recorder, running
from codeexplore.features.runs.records import Trace, read_trace, write_trace

PROGRAM = """
import functools

def deco(f):
    @functools.wraps(f)
    def wrapper(*a):
        return f(*a)
    return wrapper

class Base:
    x = max([1, 2], key=lambda v: -v)
    def __init__(self):
        self.made = [helper(i) for i in range(3)]
    def __eq__(self, other):
        return helper(0) == 0
    def __hash__(self):
        return 1
    @property
    def p(self):
        return helper(1)
    @deco
    def m(self):
        return list(helper(i) for i in (1,))

def helper(i):
    def inner():
        return i
    return inner()

TABLE = {"h": helper}

class Sub(Base):
    y = helper(3)

def never():
    return helper(9)

def branch(flag):
    return never() if flag else helper(8)

def run():
    one = Sub()
    one.m()
    one.p
    TABLE["h"](1)
    sorted([1, 2], key=helper)
    getattr(one, "m")()
    name = helper
    name(2)
    (lambda: helper(1))()
    functools.reduce(lambda a, b: a + b, [1, 2, 3])
    one == Sub()
    branch(False)

def items(n):
    for i in range(n):
        yield helper(i)

def use_items():
    return [each for each in items(3)]

async def step(i):
    return helper(i)

async def waiting():
    import asyncio
    found = []
    for i in range(3):
        await asyncio.sleep(0)
        found.append(await step(i))
    return found

def boom():
    raise KeyError("boom")

def catches():
    try:
        boom()
    except KeyError:
        return helper(1)

def down(n):
    return down(n + 1)

def calls(f):
    return f()

def loop(f):
    while True:
        helper(1)
        f()

def in_thread():
    return helper(5)

def doubled(n):
    return helper(n) * 2

def runs_text():
    space = {}
    exec("def made(f):\\n    return f(1)", space)
    return space["made"](helper)
"""


def imported(folder: Path, name: str = "program", text: str = PROGRAM) -> ModuleType:
    """Write a module and import it. It stays importable for child processes."""
    (folder / f"{name}.py").write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traced")


@pytest.fixture(scope="module")
def program(folder: Path) -> Any:
    yield imported(folder)
    sys.modules.pop("program", None)


@pytest.fixture(scope="module")
def ws(folder: Path, program: ModuleType) -> Workspace:
    return Workspace(folder, cache=False, workers=0)


@pytest.fixture(autouse=True)
def hooks_are_left_alone() -> Any:
    before = (sys.gettrace(), sys.getprofile(), threading.getprofile())
    yield
    assert (sys.gettrace(), sys.getprofile(), threading.getprofile()) == before
    assert not running()


def names(run: TraceRun) -> dict[tuple[str, str], int]:
    """Return the observed calls by names without the module."""
    return {
        (call.source.partition(":program.")[2], call.target.partition(":program.")[2]): call.calls for call in run.calls
    }


def traced(ws: Workspace, call: Any, *arguments: Any, **options: Any) -> TraceRun:
    with ws.runs.trace(**options) as run:
        call(*arguments)
    return run


# --------------------------------------------------------------------------- what is recorded


def test_calls_have_their_callers_places_and_numbers(ws: Workspace, program: Any) -> None:
    run = traced(ws, program.run)
    found = names(run)
    assert found["run", "Base.__init__"] == 2
    assert found["Base.__init__", "helper"] == 6, "a comprehension belongs to the function around it"
    assert found["run", "deco.wrapper"] == 2
    assert found["deco.wrapper", "Base.m"] == 2
    assert found["Base.m", "helper"] == 2, "and so does a generator expression"
    assert found["run", "Base.p"] == 1
    assert found["run", "Base.__eq__"] == 1
    assert found["helper", "helper.inner"] == sum(n for (_, callee), n in found.items() if callee == "helper")
    assert [entry.symbol.name for entry in run.entries] == ["run"]
    assert not run.unmatched
    assert not run.notes
    call = next(each for each in run.calls if each.target.endswith("Base.p"))
    assert [(site.line, place.form) for site, place, _, _ in call.sites] == [
        (PROGRAM.splitlines().index("    one.p") + 1, "access")
    ]


def test_calls_through_c_and_through_outside_code_name_the_code_between(ws: Workspace, program: Any) -> None:
    run = traced(ws, program.run)
    through = {
        str(bridge)
        for call in run.calls
        if call.source.endswith(".run") and call.target.endswith("helper")
        for _, _, bridge, _ in call.sites
    }
    assert {"sorted", ""} <= through
    wrapper = traced(ws, outside_call, program.helper)
    assert wrapper.entries[0].caller.endswith("test_tracing.outside_call")
    generated = traced(ws, program.runs_text)
    (call,) = [each for each in generated.calls if each.target.endswith(".helper")]
    assert [(str(bridge), n) for _, _, bridge, n in call.sites] == [("made in <string>", 1)]
    assert generated.graph.only("observed only").reasons["generated code"] == 1


REASONS = """
class Meta(type):
    def __new__(cls, name, bases, names):
        return super().__new__(cls, name, bases, names)


class Field:
    def __init__(self, check):
        self.check = check

    def __del__(self):
        pass


ANY = lambda value: True


def maker():
    def made():
        return 1

    return made


def run():
    class Made(metaclass=Meta):
        LONG

    fields = {"any": Field(ANY), "made": Field(maker())}
    for name in list(fields):
        use(eval("fields[name]"))
    del fields["any"]
    use_all({"known": eval("known")})


def use(field):
    try:
        field.check(1)
    except TypeError:
        check = field.check
        check()


def known(value):
    return value


def use_all(table):
    table.get("known")(1)
    later = eval("Later")()
    eval("later").set(3)
    eval("later").again()
    eval("Ready.__new__(Ready)").__init__()
    eval("chosen")()()
    eval("passed")(lambda: 3)
    hidden = eval("Later")()

    @hidden.marked("x")
    def selector():
        return hasattr(hidden, "other")

    eval("passed")(selector)
    with hidden.set(1):
        "".__class__(hidden)


def passed(selector):
    return selector()


def chosen():
    def local():
        return 2

    return local


def repeat(function):
    def wrapper(*given):
        return function(*given)

    return wrapper


class Later:
    def __init__(self):
        self.value = 1

    def set(self, value):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __str__(self):
        return ""

    def __getattr__(self, name):
        raise AttributeError(name)

    def marked(self, word):
        def mark(function):
            return function

        return mark

    @repeat
    def again(self):
        return 4


class Ready:
    def __init__(self):
        self.value = 2
"""


def test_the_form_of_a_call_decides_its_reason_and_then_the_kind_of_the_callee(tmp_path: Path) -> None:
    module = imported(tmp_path, "reasons", REASONS.replace("LONG", "n = 1\n        " * 70))
    run = traced(Workspace(tmp_path, cache=False, workers=0), module.run)
    reasons = {edge.target.rpartition(":reasons.")[2]: edge.reason for edge in run.graph.only("observed only")}
    reasons = {re.sub(r".*<lambda.*", "<lambda>", name): reason for name, reason in reasons.items()}
    assert reasons == {
        "Meta.__new__": "class statement",
        "Field.__del__": "finalizer",
        "maker.made": "function in a variable",
        "<lambda>": "function in a variable",
        "known": "registry",
        "chosen": "returned",
        "chosen.local": "returned",
        "passed": "returned",
        "repeat.wrapper": "decorated",
        "Later.__init__": "constructor",
        "Later.__enter__": "protocol",
        "Later.__exit__": "protocol",
        "Later.__str__": "protocol",
        "Later.__getattr__": "attribute access",
        "Later.marked": "decorator",
        "Later.marked.mark": "decorator",
        "use_all.selector": "function in a variable",
        "Later.set": "unknown receiver",
        "Ready.__init__": "unknown receiver",
    }


def test_a_trace_whose_start_is_interrupted_leaves_the_next_one_free(
    ws: Workspace, program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ChildProcesses, "start", interrupt)
        with pytest.raises(KeyboardInterrupt):
            traced(ws, program.run)
    assert traced(ws, program.run).calls


def outside_call(function: Any) -> Any:
    return function(1)


def test_every_call_of_the_graph_and_of_the_run_has_one_status(ws: Workspace, program: Any) -> None:
    run = traced(ws, program.run)
    graph = run.graph
    status = {(edge.source.partition(":program.")[2], edge.target.partition(":program.")[2]): edge for edge in graph}
    assert status["run", "Base.__init__"].status == "observed"
    assert status["run", "Base.m"].status == "observed"
    assert status["run", "Base.m"].wrapper.endswith("deco.wrapper")
    assert status["branch", "never"].status == "caller ran"
    assert status["never", "helper"].status == "caller did not run"
    assert len(graph) == len(set(status)) == sum(graph.statuses.values())
    assert not graph.only("observed only").only("observed")
    with pytest.raises(TraceError, match="unknown status 'seen': give some of 'observed'"):
        graph.only("seen")  # type: ignore[arg-type]  # as a user may
    covered = {item.source.partition(":program.")[2]: item for item in run.coverage()}
    assert covered["branch"].share == 0.5
    assert covered["branch"].missed[0].endswith("never")


def test_a_run_of_other_input_shows_the_calls_that_appear_and_vanish(ws: Workspace, program: Any) -> None:
    one, two = traced(ws, program.branch, False), traced(ws, program.branch, True)
    found = one.diff(two)
    assert {(item.source, item.target) for item in found.appeared} == {
        ("program.branch", "program.never"), ("program.never", "program.helper"),
    }  # fmt: skip
    assert {(item.source, item.target) for item in found.vanished} == {("program.branch", "program.helper")}
    assert found.same == 1
    assert "2 appear, 1 vanish" in repr(found)


def test_a_generator_or_coroutine_that_goes_on_is_no_new_call(ws: Workspace, program: Any) -> None:
    found = names(traced(ws, program.use_items))
    assert found["use_items", "items"] == 1
    assert found["items", "helper"] == 3
    found = names(traced(ws, lambda: asyncio.run(program.waiting())))
    assert found["waiting", "step"] == 3
    assert found["step", "helper"] == 3
    assert sum(n for (_, callee), n in found.items() if callee == "waiting") == 0, "the loop starts it"


def test_threads_are_traced(ws: Workspace, program: Any) -> None:
    def in_threads() -> None:
        threads = [threading.Thread(target=program.in_thread) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    run = traced(ws, in_threads)
    assert names(run)["in_thread", "helper"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork")
def test_forked_and_spawned_children_write_their_own_calls(
    ws: Workspace, program: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)

    def in_children(method: str) -> None:
        context = multiprocessing.get_context(method)
        child = context.Process(target=program.doubled, args=(4,))
        child.start()
        child.join()
        assert child.exitcode == 0

    for method in ("fork", "spawn"):
        run = traced(ws, in_children, method)
        assert names(run)["doubled", "helper"] == 1, method
        assert not run.notes


# --------------------------------------------------------------------------- the user's program stays as it is


def test_exceptions_and_results_are_the_users_own(ws: Workspace, program: Any) -> None:
    with pytest.raises(KeyError, match="boom"), ws.runs.trace() as run:
        program.boom()
    assert run.trace.ended_by == "KeyError"
    assert "The run ended with KeyError." in repr(run)
    run = traced(ws, program.catches, times=True)
    assert names(run) == {("catches", "boom"): 1, ("catches", "helper"): 1, ("helper", "helper.inner"): 1}
    tree = run.trace.tree
    assert [node.parent for node in tree] == [-1, 0, 0, 2], "the stack is right after an exception"


def test_recursion_to_the_limit_and_an_interrupt_end_as_without_a_trace(ws: Workspace, program: Any) -> None:
    with pytest.raises(RecursionError), ws.runs.trace() as run:
        program.down(0)
    assert run.trace.ended_by == "RecursionError"
    assert names(run)["down", "down"] > 100
    with pytest.raises(KeyboardInterrupt), ws.runs.trace() as run:
        program.calls(interrupt)
    assert run.trace.ended_by == "KeyboardInterrupt"


def test_an_endless_loop_can_be_interrupted(ws: Workspace, program: Any) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job of a shell may ignore this signal
    rounds = iter(range(100))

    def interrupts() -> None:
        if next(rounds) == 50:
            signal.raise_signal(signal.SIGINT)

    try:
        with pytest.raises(KeyboardInterrupt), ws.runs.trace() as run:
            program.loop(interrupts)
    finally:
        signal.signal(signal.SIGINT, before)
    assert names(run)["loop", "helper"] >= 50


def test_a_second_trace_and_the_hook_of_another_tool_are_refused(ws: Workspace, program: Any) -> None:
    with ws.runs.trace() as run:
        with pytest.raises(TraceError, match="a trace runs in this process already"), ws.runs.trace():
            raise AssertionError
        with pytest.raises(TraceError, match="the run has not ended yet"):
            _ = run.graph
        assert "has not ended yet" in repr(run)
        program.helper(1)
    assert names(run) == {("helper", "helper.inner"): 1}
    if sys.version_info < (3, 12):
        sys.setprofile(print_nothing)
        try:
            with pytest.raises(TraceError, match=r"test_tracing.print_nothing uses sys.setprofile"), ws.runs.trace():
                raise AssertionError
        finally:
            sys.setprofile(None)
    with pytest.raises(TraceError, match="counts=False records no times"):
        ws.runs.trace(counts=False, times=True)


def interrupt() -> None:
    raise KeyboardInterrupt


def print_nothing(*_: Any) -> None:
    pass


def test_a_trace_ends_in_the_middle_of_anothers_tracing(ws: Workspace, program: Any) -> None:
    seen: list[str] = []

    def tracer(frame: Any, event: str, _: Any) -> Any:
        seen.append(event)
        return tracer

    sys.settrace(tracer)
    try:
        run = traced(ws, program.helper, 1)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(None)
    assert names(run) == {("helper", "helper.inner"): 1}
    assert "return" in seen


# --------------------------------------------------------------------------- symbols


def test_an_edited_file_is_mapped_by_its_text_and_told_as_stale(tmp_path: Path) -> None:
    text = (
        "x = 1\ndef first():\n    return second()\ndef second():\n    return [f() for f in (lambda: +x, lambda: -x)]\n"
    )
    imported(tmp_path, "edited", text)
    workspace = Workspace(tmp_path, cache=False, workers=0)
    try:
        module: Any = imported(tmp_path, "edited", "import os\n\ndef new():\n    return first()\n\n" + text)
        run = traced(workspace, module.new)
    finally:
        sys.modules.pop("edited", None)
    assert run.stale == ("edited.py",)
    assert "differs from the loaded one: edited.py" in repr(run)
    found = {(call.source.rpartition(".")[2], call.target.rpartition(".")[2]) for call in run.calls}
    assert ("first", "second") in found
    assert len([target for _, target in found if target.startswith("<lambda")]) == 2
    assert [code.qualname for code in run.unmatched] == ["new"]
    assert "1 function that ran and match no symbol" in repr(run)


def test_a_copy_of_the_code_outside_the_workspace_is_told(tmp_path: Path) -> None:
    (tmp_path / "repo/src/pkg").mkdir(parents=True)
    (tmp_path / "installed/pkg").mkdir(parents=True)
    (tmp_path / "repo/src/pkg/mod.py").write_text("def f():\n    pass\n")
    workspace = Workspace(tmp_path / "repo", cache=False, workers=0)
    module: Any = imported(tmp_path / "installed/pkg", "mod", "def f():\n    pass\n")
    try:
        run = traced(workspace, module.f)
    finally:
        sys.modules.pop("mod", None)
    assert run.trace.n_calls == 0
    assert "no file of the workspace ran" in repr(run)


def test_names_of_functions_written_in_c() -> None:
    class Callable:
        def __call__(self) -> None:
            pass

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

    assert c_name(sorted) == "sorted"
    assert c_name(str.join) == "str.join"
    assert c_name(functools.partial(print)) == "functools.partial"
    assert c_name(operator.itemgetter(1)) == "operator.itemgetter"
    assert c_name(map) == "map"
    assert c_name(step for step in ()).endswith("<genexpr>"), "Cython's functions have names in this way"
    assert [c_name(each) for each in (imported, Callable, Callable())] == ["", "", ""]


# --------------------------------------------------------------------------- bounds


def test_the_call_tree_has_a_limit(ws: Workspace, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeexplore.features.runs.call_tree.MOST_NODES", 5)
    run = traced(ws, program.run)
    assert len(run.trace.tree) <= 5 < MOST_NODES
    assert "of the call tree are counted at a caller" in repr(run)
    assert sum(node.calls for node in run.trace.tree) == run.trace.n_calls


def test_places_of_calls_have_a_limit(ws: Workspace, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeexplore.features.runs.collector.MOST_PLACES", 3)
    run = traced(ws, program.run)
    assert "calls are not counted" in repr(run)


def test_the_times_of_a_run(ws: Workspace, program: Any) -> None:
    run = traced(ws, program.run, times=True)
    for node in run.trace.tree:
        assert 0 <= node.own <= node.total
    assert "own" in repr(run)


def test_a_recorder_without_a_workspace_traces_a_folder(folder: Path, program: Any) -> None:
    recorder = Recorder(folder, Options(tree=False))
    program.helper(1)
    trace = recorder.stop()
    assert [code.qualname for code in trace.codes] == ["helper", "helper.inner"]
    assert trace.tree == ()


# --------------------------------------------------------------------------- an attached run


def test_answers_show_what_an_attached_run_observed(ws: Workspace, program: Any) -> None:
    run = traced(ws, program.branch, False, title="one branch")
    ws.runs.attach(run)
    try:
        assert "1 call in run 'one branch'" in repr(ws.callers("helper"))
        assert "no call in run 'one branch'" in repr(ws.callers("never"))
        absence = ws.callers("runs_text").absence
        assert absence is not None
        assert "Nobody called it in this run either." in absence.text
        ran = ws.search("helper function", observed=True)
        assert {hit.symbol.name for hit in ran} <= {symbol.name for symbol in run.symbols}
        assert {"branch", "helper"} <= {hit.symbol.name for hit in ran}
        assert ws.search("helper function", observed=run).hits == ran.hits
        assert f"Only what ran in run 'one branch' was searched: {len(run.symbols)} symbols." in repr(ran)
    finally:
        ws.runs.detach()
    assert "in run" not in repr(ws.callers("helper"))
    with pytest.raises(QuestionError, match=r"no run is attached; ws.runs.attach\(run\)"):
        ws.search("helper", observed=True)
    with pytest.raises(QuestionError, match="'cell' is no run"):
        ws.search("helper", observed="cell")  # type: ignore[arg-type]  # as a user may


def test_callers_that_the_graph_lacks_are_named(ws: Workspace, program: Any) -> None:
    run = traced(ws, program.runs_text, title="exec")
    ws.runs.attach(run)
    try:
        assert "Run 'exec' has 1 caller that the graph lacks: program.runs_text." in repr(ws.callers("helper"))
        assert "But it was called 1 time there." in str(
            ws.callers("helper", min_confidence=1.0, kinds=["IMPORTS"]).absence
        )
    finally:
        ws.runs.detach()


def test_the_drawing_of_a_run_has_a_style_for_each_status(ws: Workspace, program: Any) -> None:
    run = traced(ws, program.branch, False)
    graph = run.graph
    drawing = draw(graph.drawn([entry.symbol.id for entry in run.entries]))
    assert {(link.mark, link.calls > 0) for link in drawing.links} == {("observed", True), ("static", False)}
    page = shown_html(run)
    assert "in the graph, not observed" in page
    assert "ce-flame" in page
    exec_run = traced(ws, program.runs_text)
    drawing = draw(exec_run.graph.drawn([]))
    assert "new" in {link.mark for link in drawing.links}
    assert 'stroke="#d6338f"' in svg(drawing)


# --------------------------------------------------------------------------- saved runs


def test_a_saved_run_opens_beside_an_index_without_sources(ws: Workspace, program: Any, tmp_path: Path) -> None:
    run = traced(ws, program.run, times=True)
    file = run.save(tmp_path / "run.cetrace")
    text = file.read_text("utf-8")
    assert str(ws.root) not in text
    assert "def " not in text
    index = ws.save(tmp_path / "index.codeexplore", sources=False)
    again = Workspace.open(index).runs.open(file)
    assert again.trace.calls == run.trace.calls
    assert again.trace.tree == run.trace.tree
    assert again.graph.statuses == run.graph.statuses
    assert not again.unmatched
    assert again.diff(run).same == len(run.calls)
    assert json.loads(again.to_json())["kind"] == "run"


def test_a_run_of_code_with_endless_names_can_be_read_again(ws: Workspace, program: Any, tmp_path: Path) -> None:
    made: dict[str, Any] = {}
    exec(compile("def made(f):\n    return f(1)", f"<{'text ' * 50_000}>", "exec"), made)
    run = traced(ws, lambda: program.calls(lambda: made["made"](program.helper)))
    assert ws.runs.open(run.save(tmp_path / "run.cetrace")).trace.calls == run.trace.calls
    assert "made in <text text" in str(run.calls)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{}", "was not written by codeexplore"),
        ('{"format":"codeexplore trace","version":99}', "reads version 1"),
        ("[1", "is no part of a trace"),
        ('["code","/etc/passwd","f",1,"function",0,0]', "is no relative path"),
        ('["code","../a.py","f",1,"function",0,0]', "is no relative path"),
        ('["code","a.py","f",1,"class body",0,0]', "unknown kind"),
        ('["call",0,7,1,"name","","","",1]', "7 is out of range"),
        ('["call",0,0,1,"name","","","",true]', "True is out of range"),
        ('["node",0,0,1,0,0]', "0 is out of range"),
        ('["call",0]', "wrong fields"),
        ('["evil",0]', "no known record"),
        ('["note",' + "[" * 5000 + "]" * 5000 + "]", "is no part of a trace"),
        ('["note","' + "x" * 200_000 + '"]', "the line is too long"),
    ],
)
def test_a_forged_trace_is_refused(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "bad.cetrace"
    header = '{"format":"codeexplore trace","version":1}'
    first = [line] if line.startswith("{") else [header, '["code","a.py","f",1,"function",0,0]', line]
    file.write_text("\n".join(first), "utf-8")
    with pytest.raises(TraceError, match=said):
        read_trace(file)


def test_a_missing_or_empty_trace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="can't be read: No such file"):
        read_trace(tmp_path / "none.cetrace")
    (tmp_path / "empty.cetrace").touch()
    with pytest.raises(TraceError, match="is empty"):
        read_trace(tmp_path / "empty.cetrace")
    with pytest.raises(TraceError, match="can't be written"):
        write_trace(Trace((), ()), tmp_path / "no/folder.cetrace", "x")


# --------------------------------------------------------------------------- pytest


def test_pytest_imports_nothing_of_the_package_without_the_option(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n\ndef test_it():\n    assert 'codeexplore_pytest' in sys.modules\n"
        "    assert not [name for name in sys.modules if name.partition('.')[0] == 'codeexplore']\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "codeexplore_pytest", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout


def test_the_calls_of_xdist_workers_are_merged(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def price(n):\n    return n + 1\n")
    (tmp_path / "test_shop.py").write_text(
        "import pytest, shop\n\n@pytest.mark.parametrize('n', range(4))\ndef test_price(n):\n    shop.price(n)\n"
    )
    (tmp_path / "test_crash.py").write_text("import os\n\ndef test_crash():\n    os._exit(1)\n")
    run = Workspace(tmp_path, cache=False, workers=0).runs.trace_tests("-q", "-n", "2", "-p", "no:cacheprovider")
    assert "1 failed, 4 passed" in run.output
    assert {(call.source, call.target): call.calls for call in run.calls} == {
        ("test_shop.py:test_shop.test_price", "shop.py:shop.price"): 4
    }
    (note,) = run.notes
    assert re.fullmatch("these workers of pytest-xdist left no calls, because they crashed: gw[01]", note)


def test_the_tests_of_a_repository_are_traced(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def price(n):\n    return tax(n) + n\n\ndef tax(n):\n    return n // 5\n")
    (tmp_path / "test_shop.py").write_text(
        "import sys\nimport shop\n\ndef test_price():\n    assert shop.price(5) == 6\n"
        "\ndef test_profile():\n    sys.setprofile(None)\n\ndef test_tax():\n    assert shop.tax(10) == 3\n"
    )
    workspace = Workspace(tmp_path, cache=False, workers=0)
    run = workspace.runs.trace_tests("-q", "-p", "no:cacheprovider", tree=True)
    assert "1 failed, 2 passed" in run.output
    assert "calls recorded in" in run.output
    found = {(call.source, call.target): call.calls for call in run.calls}
    assert found["shop.py:shop.price", "shop.py:shop.tax"] == 1
    assert found["test_shop.py:test_shop.test_tax", "shop.py:shop.tax"] == 1
    assert run.trace.tree
    with pytest.raises(TraceError, match="without a trace"):
        workspace.runs.trace_tests("--no-such-option")
    with pytest.raises(TraceError, match="can't be run"):
        workspace.runs.trace_tests(python=tmp_path / "none/python")


def test_a_bridge_belongs_to_a_call_and_lambdas_of_decorators_to_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shared_places.py").write_text(
        "from typing import overload\n"
        "def callit(f, *args):\n    return f(*args[:2])\n"
        "def target(a, b=0):\n    return a\n"
        "KEPT = []\n"
        "def keep(f):\n    KEPT.append(f)\n    return f\n"
        "def mark(*a):\n    return lambda f: f\n"
        "@mark(keep(lambda v: v + 1))\ndef test(): pass\n"
        "@overload\ndef typed(a: int) -> int: ...\n"
        "def typed(a):\n    return a\n"
        "def go():\n    callit(len, [1]), callit(target, 1), sorted([2, 1], key=target)\n"
        "    return typed(1), [f(1) for f in KEPT]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import importlib

    made = importlib.import_module("shared_places")
    ws = Workspace(tmp_path, cache=False)
    with ws.runs.trace() as run:
        made.go()
    rows = {(edge.source.rpartition(".")[2], edge.target.partition(":")[2]): edge for edge in run.graph}
    assert not rows["callit", "shared_places.target"].bridges
    assert [bridge.entered for bridge in rows["go", "shared_places.target"].bridges] == ["sorted"]
    assert not any("overload" in ws.symbol(edge.target).decorators for edge in run.graph)
    observed = {edge.target for edge in run.graph if edge.calls and edge.source.endswith(".go")}
    assert any("test.<lambda" in target for target in observed)
