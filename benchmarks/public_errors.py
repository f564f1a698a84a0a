"""Which errors leave the public interface: every public method, command, magic and tool with arguments at random.

usage: python benchmarks/public_errors.py [--examples N] [--only WORD] [--seed N]

Values of the annotated type may raise what `codeexplore.types.errors` defines, and nothing else. Values of another
type may raise TypeError or AttributeError, too. A command ends with a status, and a tool always answers. What would
run code of the repository, reach the network or wait for the user is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import os
import re
import shlex
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import codeexplore
from codeexplore import CodeExploreError, Workspace
from codeexplore.cli import groups
from codeexplore.cli import main as command_line
from codeexplore.features.context.assistants.tools import Toolbox

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.git_repos import repository

FILES = {
    "shop/cart.py": "class Cart:\n    limit = 3\n\n    def total(self):\n        return add_up(self.goods)\n\n\n"
    "def add_up(goods):\n    return sum(goods)\n",
    "shop/order.go": "package shop\n\nfunc Save(n int) int { return Save(n - 1) }\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total\n",
    "README.md": "# Shop\n\nUse `Cart`.\n",
}
PACKAGE = Path(codeexplore.__file__).parent
LEFT_OUT = frozenset({"from_git", "trace_tests", "explore", "judge", "fusion_lab", "mark", "watch"})
"""They open connections, run the tests of a repository, show widgets, or keep what they are given."""
COMMANDS_LEFT_OUT = frozenset({"mcp", "demo", "trace"})
PATHS = frozenset({"path", "folder", "file", "root"})  # parameters whose files are written or read
TIMES = frozenset({"timeout", "interval", "debounce"})

NAMES = st.sampled_from(
    ("Cart", "Cart.total", "add_up", "shop/cart.py", "shop/cart.py:4", "shop.cart", "Save", "HEAD", "HEAD~1", "bm25",
     "graph", "rrf", "tests", "what calls add_up?", "markdown", "file", "lines", "AssertionError: total")
)  # fmt: skip
ODD = st.sampled_from(
    ("", " ", "\0", "\ud800", "-x", "--", "..", "*", "(", "a" * 5_000, "m.py:" + "9" * 5_000, "\n", "[",
     "~no-such-user/x", "--- a/m\n+++ b/m\n@@ -9 +9 @@\n-x\n+y\n", "HEAD:", "HEAD^{tree}", "@{-1}", ":/x")
)  # fmt: skip
TEXTS = NAMES | ODD | st.text(st.characters(exclude_categories=()), max_size=20)
NUMBERS = st.integers(-3, 30) | st.sampled_from((10**9, 2**63, -(2**63), 10**30))
OTHERS: st.SearchStrategy[Any] = st.sampled_from(
    (3.5, b"x", (), {}, {"a": 1}, object(), [None], [[]], 1j, True, None, 7)
)
SIMPLE = {
    "bool": st.booleans(), "int": NUMBERS, "float": st.floats(), "str": TEXTS, "Literal": TEXTS, "None": st.none(),
    "Target": TEXTS | st.lists(NAMES, max_size=2),
}  # fmt: skip


class Argument(NamedTuple):
    """A value, and whether it has the annotated type."""

    value: Any
    fits: bool


def values(name: str, annotation: str, folder: Path) -> st.SearchStrategy[Any] | None:
    """Return values of the type of a parameter; None if there are none to draw."""
    if name in PATHS:
        return (TEXTS.map(lambda text: folder / text.replace("/", "_"))) if "Path" in annotation else TEXTS
    if name in TIMES:
        return st.floats(0, 0.05) | st.sampled_from((float("nan"), -1.0, 0.0))
    found: list[st.SearchStrategy[Any]] = []
    simple = re.sub(r"(Collection|Sequence|Mapping|Callable|dict|list|tuple)\[[^]]*\]+", "", annotation)
    found += [drawn for word, drawn in SIMPLE.items() if re.search(rf"\b{word}\b", simple)]
    if re.search(r"(Collection|Sequence)\[(str|'?EdgeKind|Target)", annotation):
        found.append(st.lists(TEXTS, max_size=3))
    if "Mapping[str, float]" in annotation:
        found.append(st.dictionaries(TEXTS, st.floats(), max_size=3))
    return st.one_of(found) if found else None


def arguments(function: Callable[..., Any], folder: Path) -> st.SearchStrategy[dict[str, Argument]]:
    """Return arguments of a function by name, now and then of a wrong type."""
    needed: dict[str, Any] = {}
    optional: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        drawn = values(name, str(parameter.annotation), folder)
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        required = parameter.default is parameter.empty
        if drawn is None and not required:
            continue
        right = (OTHERS if drawn is None else drawn).map(lambda value, fits=drawn is not None: Argument(value, fits))
        either = (
            right
            if name in PATHS | TIMES
            else st.one_of(right, right, right, OTHERS.map(lambda value: Argument(value, False)))
        )
        (needed if required else optional)[name] = either
    return st.fixed_dictionaries(needed, optional=optional)


def methods(ws: Workspace) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public methods of a workspace and of its features, by name."""
    for prefix, owner in (
        ("", ws),
        *((f"{each}.", getattr(ws, each)) for each in ("review", "runs", "context", "lab")),
    ):
        for name in sorted(dir(type(owner))):
            if not name.startswith("_") and name not in LEFT_OUT and callable(found := getattr(owner, name)):
                yield prefix + name, found


def unexpected(call: Callable[[], Any], *allowed: type[BaseException]) -> str:
    """Return the error that left a call and must not, with its place; "" for none."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            str(call())
    except (CodeExploreError, *allowed):
        return ""
    except Exception as error:  # noqa: BLE001 - told
        files = [(Path(each.filename), each.lineno) for each in traceback.extract_tb(error.__traceback__)]
        places = [f"{path.relative_to(PACKAGE).as_posix()}:{n}" for path, n in files if path.is_relative_to(PACKAGE)]
        place = places[-1] if places else "?"
        return f"{type(error).__name__}: {str(error)[:100]!a} at {place}"
    return ""


def drawn(examples: int, strategy: st.SearchStrategy[Any], check: Callable[[Any], str], start: int) -> Counter[str]:
    """Return the unexpected errors of so many examples, with their numbers."""
    wrong: Counter[str] = Counter()

    @seed(start)
    @settings(max_examples=examples, deadline=None, database=None, phases=(Phase.generate,),
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(strategy)
    def run(each: Any) -> None:
        if said := check(each):
            wrong[said] += 1

    run()
    return wrong


def checks(ws: Workspace, folder: Path) -> Iterator[tuple[str, st.SearchStrategy[Any], Callable[[Any], str]]]:
    """Yield all surfaces: a name, what is drawn for it, and the check of one example."""
    for name, method in methods(ws):

        def called(given_: dict[str, Argument], method: Callable[..., Any] = method) -> str:
            wrong_type = () if all(each.fits for each in given_.values()) else (TypeError, AttributeError)
            said = unexpected(lambda: method(**{key: each.value for key, each in given_.items()}), *wrong_type)
            return f"{said} {given_!a:.200}" if said and os.environ.get("VERBOSE") else said

        yield name, arguments(method, folder), called
    for tool in Toolbox({ws.name: ws}).tools():
        fields = dict.fromkeys(tool.parameters["properties"], TEXTS | NUMBERS | OTHERS)
        likely = {
            key: st.sampled_from(field["enum"]) if "enum" in field else TEXTS if field["type"] == "string" else NUMBERS
            for key, field in tool.parameters["properties"].items()
        }
        drawn_ = st.fixed_dictionaries({}, optional=likely) | st.fixed_dictionaries({}, optional=fields)
        yield f"tool {tool.name}", drawn_, lambda each, tool=tool: unexpected(lambda: tool.answer(**each).text)
    words = st.lists(
        TEXTS.filter(lambda text: text != "/")
        | st.sampled_from(("--json", "--top", "--depth", "--format", "-n", "1", "json")),
        max_size=4,
    )
    for name in (command.name for _, commands in groups() for command in commands):
        if name not in COMMANDS_LEFT_OUT:
            yield (
                f"command {name}",
                words,
                lambda each, name=name: unexpected(lambda: command_line([name, *each]), SystemExit),
            )
    yield from _magics(ws, words)


def _magics(ws: Workspace, words: st.SearchStrategy[list[str]]) -> Iterator[Any]:
    from IPython.core.error import UsageError
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    before = set(shell.magics_manager.magics["line"])
    shell.run_line_magic("load_ext", "codeexplore")
    shell.user_ns["ws"] = ws
    for name in sorted(set(shell.magics_manager.magics["line"]) - before):

        def run(each: list[str], name: str = name) -> str:
            return unexpected(lambda: shell.run_line_magic(name, shlex.join(each)), UsageError)

        yield f"magic {name}", words, run


@contextlib.contextmanager
def shop() -> Iterator[tuple[Workspace, Path]]:
    """A small repository with two commits, and a folder for what is written."""
    with tempfile.TemporaryDirectory() as place:
        root, folder = Path(place).resolve() / "shop", Path(place).resolve() / "written"
        folder.mkdir()
        repository(root, FILES)
        before, os.environ["CODEEXPLORE_CACHE"] = os.environ.get("CODEEXPLORE_CACHE"), f"{place}/cache"
        try:
            with contextlib.chdir(root):
                yield Workspace(root, cache=False, workers=0, progress=lambda *_: None), folder
        finally:
            os.environ.pop("CODEEXPLORE_CACHE")
            if before is not None:
                os.environ["CODEEXPLORE_CACHE"] = before


def main(given_: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(given_)
    total = 0
    with shop() as (ws, folder):
        for name, strategy, check in checks(ws, folder):
            if options.only in name:
                wrong = drawn(options.examples, strategy, check, options.seed)
                total += sum(wrong.values())
                print(f"{name}: {sum(wrong.values())} of {options.examples}", flush=True)
                for said, count in wrong.most_common(5):
                    print(f"    {count} × {said}", flush=True)
    print(f"{total} unexpected errors")
    return bool(total)


if __name__ == "__main__":
    raise SystemExit(main())
