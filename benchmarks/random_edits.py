"""Random edits of a copied repository, as a day's work would bring them: the tree neither grows nor dies out."""

from __future__ import annotations

import importlib.util
import random
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SKIPPED = ("__pycache__", ".git", "node_modules")
_SUFFIXES = (".py", ".go", ".js", ".ts", ".tsx", ".rs", ".java", ".rb", ".c", ".h", ".md")
_MANIFESTS = ("go.mod", "package.json", "tsconfig.json", "Cargo.toml", "pyproject.toml")
"""Files that name modules: copied beside the sources, and never edited."""

_CALL = re.compile(rb"(?<![\w.])([A-Za-z_]\w{3,})(?=\()")
_BASE = re.compile(rb"(?<=\bclass )(\w+)(\(| extends )(\w+)")

_ADDED = {
    ".py": "\n\ndef added_{0}(value):\n    # remark {0}\n    return added_{1}(value) + {0}\n",
    ".go": "\n// Added{0} is new.\nfunc Added{0}(value int) int {{ return Added{1}(value) + {0} }}\n",
    ".ts": "\nexport function added{0}(value: number) {{ return added{1}(value) + {0} }}\n",
    ".js": "\nexport function added{0}(value) {{ return added{1}(value) + {0} }}\n",
    ".java": "\nclass Added{0} {{ int value() {{ return new Added{1}().value() + {0}; }} }}\n",
    ".rs": "\npub fn added_{0}(value: i64) -> i64 {{ added_{1}(value) + {0} }}\n",
}


def copied(source: Path, target: Path, files: int) -> int:
    """Copy the first `files` source files of a tree, by path; returns how many there were."""
    found = [path for path in sorted(source.rglob("*")) if path.suffix in _SUFFIXES and path.is_file()]
    found = [path for path in found if not set(path.relative_to(source).parts) & set(_SKIPPED)][:files]
    folders = {folder for path in found for folder in path.parents if folder.is_relative_to(source)}
    named = [folder / name for folder in sorted(folders) for name in _MANIFESTS if (folder / name).is_file()]
    for path in (*found, *named):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    return len(found)


@contextmanager
def copied_for_edits(source: Path | None, files: int) -> Iterator[Path]:
    """A folder with the first `files` source files of a tree, by default the installed networkx, until it is left."""
    if source is None:
        found = importlib.util.find_spec("networkx")
        if found is None or found.origin is None:
            raise SystemExit("networkx is not installed, and no other PATH was given")
        source = Path(found.origin).parent
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "copy"
        print(f"{copied(source, root, files)} files")
        yield root


def silent(stage: str, done: int, total: int) -> None:
    """A load's hook that shows no bar."""


class Editor:
    """Edits one tree. Files that were renamed or deleted come back after a while, edited ones become as they were.

    Parameters
    ----------
    root
        The tree; its state now is the one that is come back to.
    seed
        Of the random choices.
    """

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance, self.number = root, random.Random(seed), 0
        found = (path for path in sorted(root.rglob("*")) if path.suffix in _SUFFIXES and path.is_file())
        self._pristine = {path: path.read_bytes() for path in found}
        self._made: list[Path] = []  # files that were not there at first
        self._touched: list[Path] = []

    def edit(self) -> str:
        """Make one edit and say what it was."""
        self.number += 1
        kinds = (self._line, self._line, self._function, self._word, self._call, self._call, self._base, self._new,
                 self._rename, self._delete, self._break)  # fmt: skip
        if len(self._touched) + len(self._made) > len(self._pristine) // 10:
            return self._restore()
        kind = self.chance.choice(kinds)
        kind()
        return kind.__name__.strip("_")

    def _pick(self) -> Path:
        path = self.chance.choice([path for path in self._pristine if path.exists()])
        self._touched.append(path)
        return path

    def _line(self) -> None:
        path = self._pick()
        rows = path.read_bytes().split(b"\n")
        rows.insert(self.chance.randrange(len(rows) + 1), self.chance.choice([b"", b"# remark", b"// remark"]))
        path.write_bytes(b"\n".join(rows))

    def _function(self) -> None:
        path = self._pick()
        text = _ADDED.get(path.suffix, "\nwords {0}, and {1}\n").format(self.number, self.number - 1)
        with path.open("ab") as stream:
            stream.write(text.encode())

    def _word(self) -> None:
        """One word of a file gets another name wherever it stands in it."""
        path = self._pick()
        data = path.read_bytes()
        words = sorted({word for word in data.replace(b"(", b" ").split() if word.isalpha() and len(word) > 4})
        if words:
            path.write_bytes(data.replace(self.chance.choice(words), b"renamed_%d" % self.number))

    def _call(self) -> None:
        """One call of a function calls another one that the file calls somewhere."""
        path = self._pick()
        data = path.read_bytes()
        calls = list(_CALL.finditer(data))
        if calls:
            one, other = self.chance.choice(calls), self.chance.choice(calls)
            path.write_bytes(data[: one.start()] + other[1] + data[one.end() :])

    def _base(self) -> None:
        """A class of a file that has one gets another class's base."""
        held = [path for path, data in self._pristine.items() if path.exists() and _BASE.search(data)]
        path = self.chance.choice(held) if held else self._pick()
        self._touched.append(path)
        data = path.read_bytes()
        classes = list(_BASE.finditer(data))
        if classes:
            one, other = self.chance.choice(classes), self.chance.choice(classes)
            path.write_bytes(data[: one.start(3)] + other[self.chance.choice([1, 3])] + data[one.end(3) :])

    def _new(self) -> None:
        beside = self.chance.choice(list(self._pristine))
        path = beside.with_name(f"made_{self.number}{beside.suffix}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.chance.choice(list(self._pristine.values())))
        self._made.append(path)

    def _rename(self) -> None:
        path = self._pick()
        other = path.with_name(f"moved_{self.number}_{path.name}")
        path.rename(other)
        self._made.append(other)

    def _delete(self) -> None:
        self._pick().unlink()

    def _break(self) -> None:
        """What an editor may leave behind for a moment: half a file, or no text at all."""
        path = self._pick()
        data = path.read_bytes()
        path.write_bytes(self.chance.choice([data[: len(data) // 2], b"\0" * 50, b"", data + b"\n(((("]))

    def _restore(self) -> str:
        for path in self._made:
            path.unlink(missing_ok=True)
        for path in self._touched:
            path.write_bytes(self._pristine[path])
        self._made, self._touched = [], []
        return "restore"
