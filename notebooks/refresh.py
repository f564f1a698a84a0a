"""Run the notebooks and keep their outputs (`make refresh`), or compare them with those that are committed (`--check`).

What is committed must read well where nothing runs: outputs that only a kernel can show, and the paths of the machine
that made them, are taken out. A notebook that raises is left as it was. `--check` writes nothing; it fails when a cell
says something else than before, times and sizes in bytes aside.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import sysconfig
import tempfile
from itertools import zip_longest
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
WIDGETS = "application/vnd.jupyter.widget-view+json"
PLACES = (
    (str(HERE.parent), ".."),
    (sysconfig.get_path("purelib"), "site-packages"),
    (sysconfig.get_path("stdlib"), "lib/python"),
    (str(Path.home()), "~"),
)


def main(arguments: list[str]) -> int:
    """Refresh or check the notebooks that are named, all by default; the exit status is 1 when a check fails."""
    names = [each for each in arguments if each != "--check"]
    paths = [path for path in sorted(HERE.glob("*.ipynb")) if not names or path.stem in names]
    failed = False
    for path, notebook in zip(paths, asyncio.run(executed(paths)), strict=True):
        if "--check" in arguments:
            changed = differences(nbformat.read(path, as_version=4), notebook)
            print(*(f"{path.name}: {each}" for each in changed or ["as committed"]), sep="\n")
            failed = failed or bool(changed)
            continue
        nbformat.write(notebook, path)
        print(f"{path.name}: {len(notebook.cells)} cells, {path.stat().st_size / 1e6:.1f} MB")
    if failed:
        print("Outputs changed: read the text around them, correct it where it no longer fits, then `make refresh`.")
    return int(failed)


async def executed(paths: list[Path]) -> list[Any]:
    """Return the notebooks at some paths, run anew, as many at once as there are processors."""
    free = asyncio.Semaphore(os.cpu_count() or 1)

    async def run(path: Path) -> Any:
        async with free:
            return await _executed(path)

    async with asyncio.TaskGroup() as group:  # one that fails ends the others
        tasks = [group.create_task(run(path)) for path in paths]
    return [task.result() for task in tasks]


async def _executed(path: Path) -> Any:
    """Return a notebook, run anew, with outputs that show without a kernel."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as cache:
        environment = {
            **os.environ,
            "CODEEXPLORE_CACHE": cache,  # as on a machine that has never seen these repositories
            "CODEEXPLORE_LINKS": "none",  # a link would name a folder of this machine
        }
        client = NotebookClient(
            notebook, timeout=300, coalesce_streams=True, resources={"metadata": {"path": str(HERE)}}
        )
        await client.async_execute(env=environment)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)
            cell.outputs = [_still(output) for output in cell.outputs if _is_still(output)]
            if "reveal(guess" in cell.source:  # the answer is left out, so that it can be guessed first
                cell.outputs = []
    notebook.metadata.pop("widgets", None)
    return notebook


def differences(committed: Any, now: Any) -> list[str]:
    """Return a line for each cell of two runs of a notebook whose outputs say something else."""
    if [cell.source for cell in committed.cells] != [cell.source for cell in now.cells]:
        return ["the cells are not those that were run"]
    changed = []
    for number, (before, after) in enumerate(zip(committed.cells, now.cells, strict=True)):
        said, says = _said(before), _said(after)
        if said != says:
            at = next(at for at, pair in enumerate(zip_longest(said, says)) if pair[0] != pair[1])
            now_there, was_there = (" ".join(words[max(0, at - 3) : at + 9]) or "nothing" for words in (says, said))
            changed.append(f"cell {number} says {now_there!r:.160}, committed is {was_there!r:.160}")
    return changed


def _said(cell: Any) -> list[str]:
    """The words of a cell's outputs as text, without times and sizes; lines are wrapped by their lengths."""
    outputs = cell.get("outputs", ()) if cell.cell_type == "code" else ()
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)
    lines = (line for text in texts for line in _without_times(_TIMES.sub("", text).split("\n")))
    return _VARYING.sub("…", " ".join(" ".join(lines).split())).split()


def _without_times(lines: list[str]) -> list[str]:
    """Return the lines of a text; a table ends before its last columns where these are headed as milliseconds."""
    kept, width = [], None
    for line in lines:
        if heading := _TIMED.match(line):
            width = len(heading[1])
        kept.append(line[:width] if line.startswith("  ") else line)
    return kept


_TIMED = re.compile(r"(  .*?\S)(?:\s+[^\W\d]\w* ms)+$")
_VARYING = re.compile(r"\d[\d.,]*\s*(?:ms|s|seconds?|MB|kB)\b|0x[0-9a-f]+|“Traceback.*?”")
"""Times, sizes, addresses, and the beginning of a stack trace: where it is cut depends on the length of its paths."""
_TIMES = re.compile(r"(?m)^( *)(?:seconds|discover|parse)\b.*(?:\n\1 {4,}.*)*")
"""Rows of times, each with the lines that continue it."""


def _is_still(output: Any) -> bool:
    """Return whether an output shows something without a kernel. Progress that is over and bare widgets do not."""
    if output.output_type == "stream":
        return output.name != "stderr"
    data = output.get("data", {})
    return any(data.values()) and (WIDGETS not in data or "text/html" in data)


def _still(output: Any) -> Any:
    if output.output_type == "stream":
        output.text = _anonymous(output.text)
        return output
    data = output.get("data", {})
    data.pop(WIDGETS, None)
    for mime, content in data.items():
        if isinstance(content, str):
            data[mime] = _anonymous(content)
    return output


def _anonymous(text: str) -> str:
    for place, name in PLACES:
        text = text.replace(place, name)
    return re.sub(rf"{re.escape(tempfile.gettempdir())}[\\/][\w.\\/-]+", "…", text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
