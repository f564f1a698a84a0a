"""``make same``: compare the answers of this checkout with those of a base commit.

Both versions run the same collector over the same files. The rows of the base are kept, so that a second run collects
one side only. Exit status: 0 the same, 1 something differs that is not in expected.txt.

- BASE: the base commit. ONLY: names of repositories, to leave the others out. FIRST: rows to show of each kind.
- SAME_REPOS: folders of more repositories (gin, gson). Without it: the folders in out/same/repos.
- SAME_OUT: where material and rows of the base are kept, out/same by default. Several checkouts can share it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from tests.same.compare import differences, expected_of, report  # noqa: E402

BASE = os.environ.get("BASE") or "d2557e30"
OUT = Path(os.environ.get("SAME_OUT") or ROOT / "out" / "same").resolve()
SAMPLES = ("webshop", "chatservice", "jobworker", "ledger")
PACKAGES = ("flask", "networkx")
OTHERS = ("gin", "gson")
_COMMITS = (  # file, text, what takes its place; a commit each, the last one stays an edit of the work tree
    (("webshop/cart.py", "MAX_QUANTITY = 99", "MAX_QUANTITY = 50"), ("webshop/money.py", "An amount", "A sum")),
    (
        ("webshop/cart.py", "def quantity_of(self, sku: str)", "def quantity_of(self, sku: str, least: int = 0)"),
        ("webshop/sessions.py", "def purge_expired(", "def remove_expired("),
    ),
    (("webshop/cart.py", "self.coupon = None\n", "self.coupon = None\n        self._lines = {}\n"),),
)


def git(*words: str, folder: Path = ROOT, **environment: str) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **environment}
    command = ["git", "-C", str(folder), *words]
    done = subprocess.run(command, check=True, text=True, capture_output=True, env=environment)
    return done.stdout.strip()


def edited_repository(sample: Path, folder: Path) -> None:
    """Make a git repository of a sample: three commits with fixed dates and authors, and an edit that is in none."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sample, folder)
    git("init", "-q", "-b", "main", "--template=", folder=folder)
    for number, edits in enumerate(((), *_COMMITS)):
        for path, old, new in edits:
            file = folder / path
            text = file.read_text("utf-8")
            assert old in text, f"{path} has no {old!r}"
            file.write_text(text.replace(old, new), "utf-8")
        if number < len(_COMMITS):
            told = {"NAME": f"Author {number % 2}", "EMAIL": f"a{number % 2}@example.org"}
            told["DATE"] = f"2024-0{number + 1}-01T00:00:00Z"
            who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in told.items()}
            git("add", "-A", "-f", folder=folder, **who)
            git("commit", "-q", "-m", f"Commit {number}", folder=folder, **who)


def repositories(base: Path) -> dict[str, str]:
    """Return name → folder or package, after making the material from the samples of the base."""
    material = OUT / "material"
    samples = base / "sample_repos"
    if not (material / "edited" / ".git").is_dir() or digest(samples) != digest(material / "samples"):
        shutil.rmtree(material, ignore_errors=True)
        shutil.copytree(samples, material / "samples")
        edited_repository(samples / "webshop", material / "edited")
    found = {name: str(material / "samples" / name) for name in SAMPLES} | {"edited": str(material / "edited")}
    found |= {name: name for name in PACKAGES}
    given = os.environ.get("SAME_REPOS", "").split() or [str(OUT / "repos" / name) for name in OTHERS]
    found |= {Path(folder).name: folder for folder in given if Path(folder).is_dir()}
    left_out = [name for name in OTHERS if name not in found]
    if left_out:
        print(f"left out: {', '.join(left_out)} (SAME_REPOS names no folder of them)")
    only = os.environ.get("ONLY", "").replace(",", " ").split()
    return {name: place for name, place in found.items() if not only or name in only}


def digest(place: Path) -> str:
    """Return a digest of a file, or of all files of a folder without git's own."""
    made = hashlib.sha256()
    files = [place] if place.is_file() else sorted(each for each in place.rglob("*") if each.is_file())
    for file in files:
        if not {".git", "__pycache__"} & set(file.relative_to(place).parts):
            made.update(str(file.relative_to(place)).encode() + b"\0" + file.read_bytes())
    return made.hexdigest()[:16]


def place_of(place: str) -> Path:
    spec = find_spec(place) if not Path(place).is_dir() else None
    return Path(place) if spec is None or spec.origin is None else Path(spec.origin).parent


def collect(side: Path, name: str, place: str, out: Path, seed: str) -> dict[str, dict[str, str]]:
    """Run the collector with the version of codeexplore in the folder `side`, and return its rows."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("CODEEXPLORE_")}
        environment |= {"PYTHONPATH": str(side), "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {"CODEEXPLORE_CACHE": f"{scratch}/cache", "IPYTHONDIR": f"{scratch}/ipython"}
        environment |= {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
        words = [sys.executable, str(HERE / "collect.py"), f"{out}.{os.getpid()}", name, place, str(side)]
        done = subprocess.run(words, cwd=scratch, env=environment, text=True, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name}: the collector failed with the version in {side}\n{done.stderr[-3000:]}")
    Path(f"{out}.{os.getpid()}").replace(out)
    return read(out)


def read(file: Path) -> dict[str, dict[str, str]]:
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        rows: dict[str, dict[str, str]] = json.load(opened)
    return rows


def main() -> int:
    """Compare every repository and print what differs."""
    commit = git("rev-parse", f"{BASE}^{{commit}}")
    collector = digest(HERE / "collect.py")
    unexpected = 0
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch) / "base"
        git("worktree", "add", "--detach", "--force", str(base), commit)
        try:
            found = repositories(base)

            def both(name: str) -> tuple[list[str], int]:
                key = hashlib.sha256(f"{collector}{digest(place_of(found[name]))}".encode()).hexdigest()[:12]
                kept = OUT / "base" / f"{name}-{commit[:8]}-{key}.json.gz"
                old = read(kept) if kept.is_file() else collect(base, name, found[name], kept, "1")
                new = collect(ROOT, name, found[name], ROOT / "out" / "same" / "present" / f"{name}.json.gz", "2")
                different = list(differences(name, old, new))
                lines, n = report(different, expected_of(HERE / "expected.txt"), int(os.environ.get("FIRST") or 3))
                n_rows = sum(map(len, old.values()))
                return [f"{name}: {n_rows:,} rows, {n:,} differ" + (", not as expected" if n else ""), *lines], n

            slow_first = sorted(found, key=lambda name: name not in ("networkx", "gson", "webshop"))
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                for done in as_completed([pool.submit(both, name) for name in slow_first]):
                    lines, n = done.result()
                    print("\n".join(lines), flush=True)
                    unexpected += n
        finally:
            git("worktree", "remove", "--force", str(base))
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
