"""Compare the breaking changes between releases that `ws.review.changes` and griffe find.

``download`` gets two wheels of each package with pip, so it needs a package index; nothing of them is installed or run.
``score`` loads both releases with griffe, in an environment that has it, and with codeexplore, and compares.

::

    python benchmarks/breaking_changes.py download /tmp/releases
    python benchmarks/breaking_changes.py score /tmp/releases --griffe /tmp/griffe-venv/bin/python

A finding of griffe counts as found if codeexplore gives a reason of the same category for the same symbol, or for a
symbol around it; an inherited member that is lost, if codeexplore reports the lost supertype; a parameter that moved,
if it reports the parameter that was added or removed before it; a new parameter, if it reports that one was renamed to
it, and ``self``, if it reports that the method was static. A changed value of a public constant or attribute
counts as found if codeexplore lists the symbol as changed: it is no reason to call the change breaking.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

RELEASES = {
    "cachetools": ("4.2.4", "5.0.0"), "h11": ("0.12.0", "0.14.0"), "httpx": ("0.23.3", "0.24.0"),
    "itsdangerous": ("1.1.0", "2.0.0"), "marshmallow": ("3.13.0", "3.14.0"), "mistune": ("2.0.5", "3.0.0"),
    "packaging": ("21.3", "22.0"), "rich": ("12.6.0", "13.0.0"), "tomlkit": ("0.10.0", "0.11.0"),
    "WTForms": ("2.3.3", "3.0.0"),
}  # fmt: skip
"""Package → two releases. They were chosen before any of them was compared."""

_GRIFFE = """
import json, sys
import griffe
found = []
for name, old, new in json.loads(sys.argv[1]):
    load = lambda folder: griffe.load(name, search_paths=[folder], allow_inspection=False, resolve_aliases=True,
                                      resolve_external=False)
    before, after = load(old), load(new)
    for each in griffe.find_breaking_changes(before, after):
        try:
            path = each.obj.canonical_path
        except (griffe.AliasResolutionError, griffe.CyclicAliasError):  # a name of a package that is not installed
            path = each.obj.path
        parameter = getattr(each.old_value, "name", None) or getattr(each.new_value, "name", "") or ""
        public = f"{each.obj.parent.canonical_path}.{each.obj.name}"
        found.append({"package": name, "kind": each.kind.name, "path": path, "public": public,
                      "parameter": str(parameter) if each.kind.name.startswith("PARAMETER") else "",
                      "said": str(each.as_dict().get("new_value", ""))[:80]})
print(json.dumps(found))
"""

_WORDS = {
    "OBJECT_REMOVED": ("removed", "renamed", "moved", "kind changed"),
    "OBJECT_CHANGED_KIND": ("kind changed", "removed"),
    "CLASS_REMOVED_BASE": ("supertype",),
    "RETURN_CHANGED_TYPE": ("result type",),
}
"""Kind of griffe's finding → first words of the reasons that count as the same. Parameters are compared by name."""


class Finding(NamedTuple):
    """A finding of griffe, and if codeexplore has it too."""

    package: str
    kind: str
    path: str
    parameter: str
    found: bool
    ours: tuple[str, ...]  # the reasons that codeexplore gives for the symbol


def download(options: argparse.Namespace) -> None:
    """Download and unpack the wheels of both releases."""
    for name, versions in RELEASES.items():
        for version in versions:
            folder = options.folder / f"{name.lower()}-{version}"
            if folder.exists():
                continue
            with tempfile.TemporaryDirectory() as into:
                command = ["pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", into]
                subprocess.run([sys.executable, "-m", *command, f"{name}=={version}"], check=True)
                with zipfile.ZipFile(next(Path(into).glob("*.whl"))) as wheel:
                    wheel.extractall(folder)


def score(options: argparse.Namespace) -> None:
    """Print the share of griffe's findings that codeexplore has, by package and by kind, and the rest in full."""
    pairs = [
        (name.lower(), *(str(options.folder / f"{name.lower()}-{version}") for version in versions))
        for name, versions in RELEASES.items()
    ]
    told = subprocess.run([options.griffe, "-c", _GRIFFE, json.dumps(pairs)], check=True, capture_output=True)
    theirs = json.loads(told.stdout)
    found: list[Finding] = []
    more: Counter[str] = Counter()
    for name, old, new in pairs:
        mine = [each for each in theirs if each["package"] == name]
        findings, extra = compared(mine, Path(old) / name, Path(new) / name)
        found += findings
        more[name] = extra
    print(table(found, more))


def compared(theirs: Sequence[dict[str, str]], old: Path, new: Path) -> tuple[list[Finding], int]:
    """Return griffe's findings about one package, and the number of our breaking symbols that griffe does not name."""
    from codeexplore import Workspace
    from codeexplore.features.review.public_interface import Members

    changes = Workspace(new, cache=False, progress=lambda *_: None).review.changes(old)
    reasons: dict[str, list[str]] = {}
    inherited: dict[str, list[str]] = {}  # class that defines a member → reasons of the classes that inherit from it
    sides = Members(changes.comparison.old), Members(changes.comparison.new)
    for change in changes.comparison.symbols:
        if any(reason.startswith("inherited ") for reason in change.breaking):
            for side, symbol in zip(sides, (change.old, change.new), strict=True):
                for above in side.supertypes(symbol) if symbol is not None else ():
                    inherited.setdefault(above.fqn, []).extend(change.breaking)
        if change.kind == "added":
            continue
        for symbol in {each.fqn for each in (change.old, change.new) if each is not None}:
            reasons.setdefault(symbol, []).extend(change.breaking or ("listed as changed",))
    found = []
    named: set[str] = set()
    for each in theirs:
        paths = {each["path"], each["public"]}
        around = [path for whole in paths for path in _around(whole)]
        own = [reason for path in paths for reason in reasons.get(path, ())]
        outer = [r for path in around for r in reasons.get(path, ())
                 if r.startswith(("removed", "renamed", "moved", "supertype"))]  # fmt: skip
        made = [r for path in paths if path.endswith(".__init__") for r in reasons.get(path.rpartition(".")[0], ())]
        own += made  # parameters of a constructor that is made of the fields of the class
        own += [reason for whole in paths for reason in _inherited(whole, inherited)]
        name = each["path"].rpartition(".")[2]
        outer += [r for path in around for r in reasons.get(path, ()) if r == f"attribute {name} removed"]
        named |= {*paths, *around}
        same = bool(outer) or any(_is_same(each["kind"], each["parameter"], reason) for reason in own)
        found.append(
            Finding(each["package"], each["kind"], each["path"], each["parameter"], same, tuple(own))
        )  # fmt: skip
    breaking = {change.old.fqn for change in changes.comparison.symbols if change.breaking and change.old is not None}
    return found, len(breaking - named)


def _inherited(path: str, reasons: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the reasons for a member of a class that other classes inherit."""
    owner, _, name = path.rpartition(".")
    found = []
    for reason in reasons.get(owner, ()):
        start, _, said = reason.partition(": ")
        if start == f"inherited {name}":
            found.append(said)
        elif start == "inherited members removed" and name in said.split(", "):
            found.append("removed")
    return found


def _around(path: str) -> list[str]:
    """Return the names of the objects around an object."""
    parts = path.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _is_same(kind: str, parameter: str, reason: str) -> bool:
    """Return True if a reason of codeexplore is of the same category as a finding of griffe."""
    if kind.startswith("ATTRIBUTE"):
        return True
    if kind.startswith("PARAMETER"):
        return reason.startswith("removed") or _same_parameter(kind, parameter.lstrip("*"), reason)
    return reason.startswith(_WORDS.get(kind, ()))


def _same_parameter(kind: str, name: str, reason: str) -> bool:
    static = reason.startswith("no longer static")  # ``self`` is new, and the others moved
    if kind == "PARAMETER_MOVED" and ("parameter" in reason or static):  # another one came or went before it
        return True
    if kind == "PARAMETER_ADDED_REQUIRED" and (reason.endswith(f" renamed to {name}") or (static and name == "self")):
        return True
    return f"parameter {name} " in f"{reason} "


def table(found: Sequence[Finding], more: Counter[str]) -> str:
    """Return the shares as Markdown, and a line for each finding that codeexplore does not have."""
    lines = ["| package | findings of griffe | found | ours that griffe does not name |", "|---|---|---|---|"]
    for name in more:
        own = [each for each in found if each.package == name]
        lines.append(f"| {name} | {len(own)} | {sum(each.found for each in own)} | {more[name]} |")
    share = sum(each.found for each in found) / len(found) if found else 0.0
    lines += [
        f"| all | {len(found)} | {share:.1%} | {sum(more.values())} |",
        "",
        "| kind | findings | found |",
        "|---|---|---|",
    ]
    for kind in sorted({each.kind for each in found}):
        own = [each for each in found if each.kind == kind]
        lines.append(f"| {kind} | {len(own)} | {sum(each.found for each in own)} |")
    lines.append("")
    for each in found:
        if not each.found:
            lines.append(f"- {each.kind} {each.path} {each.parameter}: ours {'; '.join(each.ours) or 'nothing'}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    downloading = commands.add_parser("download", help="needs a package index")
    downloading.add_argument("folder", type=Path)
    downloading.set_defaults(run=download)
    scoring = commands.add_parser("score")
    scoring.add_argument("folder", type=Path)
    scoring.add_argument("--griffe", default=sys.executable, help="a Python that has griffe (default: this one)")
    scoring.set_defaults(run=score)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
