"""Run the notebooks and keep their outputs: `make refresh`.

What is committed must read well where nothing runs: outputs that only a kernel can show, and the paths of the machine
that made them, are taken out. A notebook that raises is left as it was.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import tempfile
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


def main(names: list[str]) -> None:
    for path in sorted(HERE.glob("*.ipynb")):
        if not names or path.stem in names:
            refresh(path)


def refresh(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["CODEEXPLORE_CACHE"] = cache  # as on a machine that has never seen these repositories
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)
            cell.outputs = [_still(output) for output in cell.outputs if _is_still(output)]
    notebook.metadata.pop("widgets", None)
    nbformat.write(notebook, path)
    size = path.stat().st_size / 1e6
    print(f"{path.name}: {len(notebook.cells)} cells, {size:.1f} MB")


def _is_still(output: Any) -> bool:
    """Whether an output shows without a kernel. Progress bars and bare widgets do not."""
    if output.output_type == "stream":
        return output.name != "stderr"
    data = output.get("data", {})
    return WIDGETS not in data or "text/html" in data


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
    main(sys.argv[1:])
