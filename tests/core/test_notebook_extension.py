"""Loading and unloading: what is put into a shell is taken out again."""

import subprocess
import sys

from IPython.core.displayhook import DisplayHook

import codeexplore
from codeexplore.notebook import extension
from tests.shells import run


def state(shell):
    """All of a shell that an extension might touch, in a form that compares."""
    magics, display = shell.magics_manager, shell.display_formatter
    return {
        "line": dict(magics.magics["line"]),
        "cell": dict(magics.magics["cell"]),
        "registry": dict(magics.registry),
        "cleanup": list(shell.input_transformers_cleanup),
        "post": list(shell.input_transformers_post),
        "ast": list(shell.ast_transformers),
        "configurables": list(shell.configurables),
        "matchers": list(shell.Completer.custom_matchers),
        "commands": repr(shell.strdispatchers["complete_command"]),
        "events": {name: list(calls) for name, calls in shell.events.callbacks.items()},
        "printers": {
            mime: (set(each.type_printers), set(each.deferred_printers)) for mime, each in display.formatters.items()
        },
        "names": {name for name in shell.user_ns if name not in ("_", "__", "___", "In", "Out", "_i", "_ii", "_iii")},
        "hooks": (shell.displayhook.__class__ is DisplayHook, shell.showtraceback, shell.custom_exceptions),
    }


def test_unloading_leaves_no_trace(shell):
    shell.register_magic_function(lambda line: "mine", magic_name="callers")
    shell.run_cell("1 + 1\n%load_ext storemagic\n%unload_ext storemagic")  # IPython makes these magics when first used
    before = state(shell)
    shell.run_line_magic("load_ext", "codeexplore")
    assert {name for name, value in state(shell).items() if value != before[name]} >= {
        "line", "cell", "registry", "cleanup", "configurables", "matchers",
    }  # fmt: skip
    shell.run_line_magic("explore", f"{codeexplore.sample_repo('ledger')} --as mine")
    shell.run_line_magic("ask", "money --to found")
    shell.run_line_magic("callers", "1")
    assert "_answer" in shell.user_ns
    for name in ("mine", "found"):
        shell.del_var(name)
    shell.run_line_magic("unload_ext", "codeexplore")
    after = state(shell)
    assert [name for name in before if before[name] != after[name]] == []
    assert shell.run_line_magic("callers", "") == "mine"


def test_what_the_user_holds_goes_on_showing(loaded):
    answer = run(loaded, "%ask money")
    loaded.push({"kept": answer})
    loaded.run_line_magic("unload_ext", "codeexplore")
    assert "_answer" not in loaded.user_ns
    data, _ = loaded.display_formatter.format(answer)
    assert "<table" in data["text/html"]


def test_a_name_that_the_user_took_stays(loaded):
    run(loaded, "%ask money")
    loaded.push({"_answer": 42})
    loaded.run_line_magic("unload_ext", "codeexplore")
    assert loaded.user_ns["_answer"] == 42


def test_loading_again_works(loaded):
    loaded.run_line_magic("reload_ext", "codeexplore")
    loaded.run_line_magic("unload_ext", "codeexplore")
    loaded.run_line_magic("load_ext", "codeexplore")
    assert run(loaded, "%ask money?").hits


def test_defaults_can_stand_in_ipythons_configuration(shell, webshop):
    shell.config.CodeExplore.top_k = 2
    shell.run_line_magic("load_ext", "codeexplore")
    shell.push({"ws": webshop})
    assert len(run(shell, "%ask money")) == 2


def test_every_magic_has_help(loaded, capsys):
    for name in (
        "explore", "ask", "callers", "callees", "implementors", "impact", "uses", "paths", "explain", "why", "source",
        "grep", "related", "workspace", "subclasses", "overrides", "imports", "survey",
    ):  # fmt: skip
        loaded.run_cell(f"%{name}?")
        said = capsys.readouterr().out
        assert f"%{name}" in said
        assert "positional" not in said or "::" in said


def test_a_plain_import_loads_no_face():
    code = "import sys, codeexplore; print([m for m in sys.modules if 'IPython' in m or 'notebook' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert codeexplore.load_ipython_extension.__doc__


def test_under_ipython_an_import_completes_names_and_loads_no_engine():
    code = (
        "import sys; from IPython.core.interactiveshell import InteractiveShell as S\n"
        "s = S.instance(); import codeexplore\n"
        "print([m for m in ('numpy', 'igraph', 'ipywidgets', 'pyvis', 'tree_sitter', 'bm25s') if m in sys.modules],"
        "      len(s.Completer.custom_matchers))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 1"


def test_a_question_in_the_cell_that_loads_the_extension_is_asked(shell, capsys):
    """IPython has rewritten that cell before the extension is there; help that is asked for stays help."""
    load = "ws = codeexplore.Workspace(codeexplore.sample_repo('ledger'), workers=0)"
    for question in ("where is money added?", "%ask where is money added?", "found = %ask where is money added?"):
        shell.reset()
        cell = f"import codeexplore\n%load_ext codeexplore\n{load}\nlen?\n{question}"
        assert shell.run_cell(cell, store_history=True).success
        assert shell.user_ns["_answer"].question == "where is money added?"
        said = capsys.readouterr().out
        assert "Return the number of items in a container" in said
        assert "not found" not in said
        assert "_ask_in_this_cell" not in repr(shell.magics_manager.magics["line"]["pinfo"])
        assert shell.run_cell("len?").success
        shell.run_line_magic("unload_ext", "codeexplore")


def test_progress_leaves_nothing_in_a_notebook(monkeypatch):
    """The bar is an output that is updated; when a stage ends, it is emptied."""
    from codeexplore.workspace import progress

    outputs = {}

    class Handle:
        def __init__(self, data):
            outputs[self] = [data]

        def update(self, data, *, raw):
            assert raw
            outputs[self].append(data)

    monkeypatch.setattr(extension, "display", lambda data, **_: Handle(data))
    monkeypatch.setattr(extension, "_PAUSE", 0.0)
    monkeypatch.setattr(progress, "notebook_bar", extension.NotebookBar)
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.setattr(progress, "BAR_DELAY", 0.0)
    with progress.Bar("<shop>") as bar:
        for done in range(4):
            bar("parse", done, 3)
        bar("resolve", 0, 1)
    assert len(outputs) == 2
    for shown in outputs.values():
        assert shown[-1] == {"text/html": "", "text/plain": ""}
        assert all("<shop>" not in data["text/html"] for data in shown)
    assert any("reading files 2 of 3" in data["text/plain"] for shown in outputs.values() for data in shown)
    monkeypatch.setattr(progress, "BAR_DELAY", 3600.0)
    with progress.Bar("shop") as bar:
        bar("parse", 0, 3)
    assert len(outputs) == 2  # a short load shows nothing
