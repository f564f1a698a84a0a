"""Loading and unloading: what is put into a shell is taken out again."""

import subprocess
import sys

from IPython.core.displayhook import DisplayHook

import codeexplore
from codeexplore.notebook import formatters
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
    formatters.unregister(shell)
    shell.run_cell("1 + 1\n%load_ext storemagic\n%unload_ext storemagic")  # IPython makes these magics when first used
    before = state(shell)
    shell.run_line_magic("load_ext", "codeexplore")
    assert {name for name, value in state(shell).items() if value != before[name]} >= {
        "line", "cell", "registry", "cleanup", "configurables", "matchers", "printers",
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


def test_under_ipython_an_import_makes_results_show_and_loads_no_engine():
    code = (
        "import sys; from IPython.core.interactiveshell import InteractiveShell as S\n"
        "s = S.instance(); import codeexplore\n"
        "print([m for m in ('numpy', 'igraph', 'ipywidgets', 'pyvis', 'tree_sitter', 'bm25s') if m in sys.modules],"
        "      len(s.Completer.custom_matchers))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 1"
