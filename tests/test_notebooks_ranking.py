"""notebooks/how-ranking-works.ipynb: it runs, its own assertions hold, and its outputs are there to be read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "how-ranking-works.ipynb"


def cells(kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == kind]


def test_it_runs_from_top_to_bottom(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "html",
        "--execute",
        "--output-dir",
        str(tmp_path),
        str(NOTEBOOK),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "the score" in (tmp_path / "how-ranking-works.html").read_text("utf-8")


def test_it_is_read_without_running() -> None:
    for cell in cells("code"):
        source = "".join(cell["source"])
        outputs = json.dumps(cell["outputs"])
        assert cell["outputs"] or source.startswith(("guess", "def ")), source
        assert '"output_type": "error"' not in outputs
        assert "<script" not in outputs


def test_every_prediction_is_asked_before_it_is_revealed() -> None:
    sources = ["".join(cell["source"]) for cell in cells("code")]
    guesses = [number for number, source in enumerate(sources) if source.startswith("guess = None")]
    assert len(guesses) >= 6
    for number in guesses:
        assert "reveal(guess" in sources[number + 1]
