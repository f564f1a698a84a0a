"""First contact: whether public names resolve, and whether "no callers" is said of what the text calls.

usage: python benchmarks/first_contact.py [--packages NAME …] [--python PYTHON] [--repositories FOLDER …] [--seed N]

Packages are installed beside PYTHON, an interpreter of its own: it imports each of them, in a process apart, and tells
the classes and functions that the package offers and defines. The public names of repositories are read from their
text alone, by rules independent of the product's: what the entry file of a package.json exports, what lib.rs files
re-export, exported identifiers of Go packages, public classes of Java files.

Of each: (a) 20 public names are asked for as one imports them; (b) of 30 symbols drawn at random, for which a plain
text search finds ``name(`` outside of definitions and comments, the callers are asked for, and a flat "no callers"
(``answer.absence.kind == "none"``) is an error; (c) dead-code candidates without a sign of use are drawn, with what
the text search finds beside each, to be read. The same seed draws the same of the same sources.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codeexplore import TargetError, Workspace
from codeexplore.types import Symbol

NAMES, SYMBOLS, CANDIDATES = 20, 30, 5
_READ_PUBLIC = """
import importlib, inspect, json, sys
package = importlib.import_module(sys.argv[1])
names = {}
for name in sorted({*dir(package), *getattr(package, "__all__", ())}):
    thing = None if name.startswith("_") else getattr(package, name, None)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        if (thing.__module__ or "").split(".")[0] == sys.argv[1]:
            # some packages write their own name over the module's: then it is not known where the thing is defined
            names[name] = "" if thing.__module__ == sys.argv[1] else f"{thing.__module__}.{thing.__qualname__}"
print(json.dumps([package.__path__[0] if hasattr(package, "__path__") else package.__file__, names]))
"""
_COMMENT = re.compile(r"^\s*(?:#|//|/?\*|>>>|\.\.\.|--)|[`]")
_DEFINES = re.compile(r"\b(?:def|class|func|fn|function|struct|enum|trait|interface|macro_rules!)\b")


@dataclass
class Contact:
    """What one repository gave."""

    name: str
    asked: list[str]
    missing: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)  # resolved to another definition than the import gives
    drawn: int = 0
    flat: list[str] = field(default_factory=list)  # "no callers" of what the text search finds called
    kinds: dict[str, int] = field(default_factory=dict)
    dead: list[str] = field(default_factory=list)


def main() -> None:
    """Print the table, what failed, and the candidates to read."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--packages", nargs="*", default=[])
    parser.add_argument("--python", default="python", help="the interpreter beside which the packages are installed")
    parser.add_argument("--repositories", nargs="*", type=Path, default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--names", type=int, default=NAMES, help="public names of each; 0 asks for all")
    options = parser.parse_args()
    found = []
    for package in options.packages:
        folder, names = public_of_package(options.python, package)
        found.append(meet(package, folder, names, options.seed, options.names))
        print(details(found[-1]), flush=True)
    for folder in options.repositories:
        read = dict.fromkeys(public_of_repository(folder), "")
        found.append(meet(folder.name, folder, read, options.seed, options.names))
        print(details(found[-1]), flush=True)
    print(table(found))


def meet(name: str, folder: Path, public: Mapping[str, str], seed: int, n_names: int = NAMES) -> Contact:
    """Ask one repository.

    Parameters
    ----------
    public
        Public name → the qualified name of what it is, "" where only the name is known.
    n_names
        Names to draw; 0 for all.
    """
    workspace = Workspace(folder)
    draw = random.Random(seed)
    asked = sorted(draw.sample(sorted(public), min(n_names or len(public), len(public))))
    contact = Contact(name, asked)
    for each in asked:
        try:
            symbol = workspace[each]
        except TargetError as error:
            contact.missing.append(f"{each}: {str(error).splitlines()[0]}")
            continue
        if public[each] and symbol.fqn != public[each]:
            contact.other.append(f"{each}: {symbol.fqn}, imported {public[each]}")
    calls = called(workspace)
    draw_callers(workspace, calls, draw, contact)
    draw_dead(workspace, calls, draw, contact)
    return contact


def called(workspace: Workspace) -> dict[str, list[str]]:
    """For each name the lines, ``path:line text``, on which it stands before a parenthesis, outside of definitions."""
    found: dict[str, list[str]] = {}
    for path in workspace.files:
        for number, line in enumerate(workspace.file(path).text.split("\n"), 1):
            if (
                path.endswith((".md", ".rst", ".txt", ".json", ".toml"))
                or _COMMENT.search(line)
                or _DEFINES.search(line)
            ):
                continue
            for name in dict.fromkeys(re.findall(r"(\w+)\s*\(", line)):
                found.setdefault(name, []).append(f"{path}:{number} {line.strip()[:100]}")
    return found


def sites(symbol: Symbol, calls: Mapping[str, Sequence[str]]) -> list[str]:
    """The lines that may call a symbol by the text alone: not those of its own head."""
    head = {f"{symbol.path}:{line}" for line in range(symbol.span.start_line, symbol.line + 1)}
    return [site for site in calls.get(symbol.name, ()) if site.partition(" ")[0] not in head]


def draw_callers(workspace: Workspace, calls: Mapping[str, Sequence[str]], draw: random.Random, into: Contact) -> None:
    """Ask for the callers of symbols that the text search finds called."""
    kinds = ("function", "method", "class", "struct")
    able = [s for s in workspace.symbols if s.kind in kinds and not s.name.startswith("__") and sites(s, calls)]
    for symbol in draw.sample(able, min(SYMBOLS, len(able))):
        answer = workspace.callers(symbol)
        kind = "callers" if len(answer) else "possible" if answer.possible else getattr(answer.absence, "kind", "none")
        into.kinds[kind] = into.kinds.get(kind, 0) + 1
        into.drawn += 1
        if kind == "none":
            into.flat.append(f"{symbol.id}: {answer.absence}; text: {' | '.join(sites(symbol, calls)[:3])}")


def draw_dead(workspace: Workspace, calls: Mapping[str, Sequence[str]], draw: random.Random, into: Contact) -> None:
    """Draw dead-code candidates that have no sign of use, with the evidence of the text search."""
    found = list(workspace.dead_code().only("unused"))
    for each in draw.sample(found, min(CANDIDATES, len(found))):
        symbol = workspace.catalog.symbol(each.symbol_id)
        evidence = sites(symbol, calls)
        shown = " | ".join(evidence[:2]) if evidence else "no call in the text"
        into.dead.append(f"dead? {symbol.fqn} ({symbol.path}:{symbol.line}): {len(evidence)} by text: {shown}")


# ---------------------------------------------------------------------------------------------- public names


def public_of_package(python: str, package: str) -> tuple[Path, dict[str, str]]:
    """The folder of an installed package, and what importing it gives: public name → qualified name."""
    done = subprocess.run([python, "-c", _READ_PUBLIC, package], capture_output=True, text=True, check=True)
    folder, names = json.loads(done.stdout.splitlines()[-1])
    return Path(folder), {f"{package}.{name}": fqn for name, fqn in names.items()}


def public_of_repository(folder: Path) -> list[str]:
    """The public names that the text of a repository tells."""
    for mark, reader in (("package.json", _of_script), ("go.mod", _of_go), ("Cargo.toml", _of_rust)):
        if (folder / mark).is_file() and (names := sorted(set(reader(folder)))):
            return names
    return sorted(set(_of_java(folder)))


def _of_script(folder: Path) -> Iterator[str]:
    home = next((p for p in (folder / "packages" / folder.name, folder) if (p / "package.json").is_file()), folder)
    package = json.loads((home / "package.json").read_text())["name"]
    entries = [home / place for place in ("src/index.ts", "index.ts", "index.js", "src/index.js")]
    pending = [entry for entry in entries if entry.is_file()][:1]
    seen: set[Path] = set()
    while pending:
        file = pending.pop()
        if file in seen:
            continue
        seen.add(file)
        text = file.read_text()
        for module in re.findall(r"^export \* from ['\"](\.[^'\"]+)['\"]", text, re.MULTILINE):
            stem = (file.parent / module).with_suffix("") if module.endswith((".js", ".ts")) else file.parent / module
            tries = [stem.with_name(stem.name + end) for end in (".ts", ".js")] + [stem / "index.ts", stem / "index.js"]
            pending += [path for path in tries if path.is_file()][:1]
        for name in re.findall(
            r"^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const) (\w+)",
            text,
            re.MULTILINE,
        ):
            yield f"{package}.{name}"
        for listed in re.findall(r"^export \{([^}]*)\}", text, re.MULTILINE):
            for item in listed.split(","):
                name = item.split(" as ")[-1].split("//")[0].strip()
                if re.fullmatch(r"[A-Za-z_]\w*", name) and name != "default" and not item.strip().startswith("type "):
                    yield f"{package}.{name}"


def _of_go(folder: Path) -> Iterator[str]:
    found = re.search(r"^module\s+(\S+)", (folder / "go.mod").read_text(), re.MULTILINE)
    module = found[1] if found else folder.name
    for file in folder.glob("*.go"):
        if not file.name.endswith("_test.go"):
            text = file.read_text()
            package = re.search(r"^package (\w+)", text, re.MULTILINE)
            for name in re.findall(r"^(?:func|type) ([A-Z]\w*)", text, re.MULTILINE):
                yield f"{module}.{name}"
                if package:
                    yield f"{package[1]}.{name}"


def _of_rust(folder: Path) -> Iterator[str]:
    for root in [*folder.glob("src/lib.rs"), *folder.glob("*/src/lib.rs"), *folder.glob("crates/*/src/lib.rs")]:
        manifest = (root.parent.parent / "Cargo.toml").read_text()
        named = re.search(r"^name\s*=\s*\"([^\"]+)\"", manifest, re.MULTILINE)
        crate = named[1].replace("-", "_") if named else root.parent.parent.name
        sources = "\n".join(path.read_text() for path in root.parent.rglob("*.rs"))
        text = root.read_text()
        names = re.findall(r"^pub (?:async )?(?:fn|struct|enum|trait|type) (\w+)", text, re.MULTILINE)
        for path, listed in re.findall(r"pub use ((?:\w+::)*)(\{[^}]*\}|\w+(?: as \w+)?);", text):
            if path.startswith(("std::", "core::", "alloc::")):
                continue
            names += [item.split(" as ")[-1].strip() for item in listed.strip("{}").split(",") if "::" not in item]
        for name in names:
            if re.search(rf"^(?:pub |\s)*(?:fn|struct|enum|trait|type) {re.escape(name)}\b", sources, re.MULTILINE):
                yield f"{crate}::{name}"


def _of_java(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*.java"):
        text = file.read_text(errors="replace")
        package = re.search(r"^package ([\w.]+);", text, re.MULTILINE)
        kinds = r"^public (?:abstract |final |sealed )*(?:class|interface|enum|record|@interface) (\w+)"
        for name in re.findall(kinds, text, re.MULTILINE) if package and "/test/" not in file.as_posix() else ():
            yield f"{package[1]}.{name}"


# ---------------------------------------------------------------------------------------------- what is printed


def row(contact: Contact) -> str:
    """One line of the table."""
    resolved = len(contact.asked) - len(contact.missing)
    told = ", ".join(f"{kind} {number}" for kind, number in sorted(contact.kinds.items()))
    cells = (f"{resolved} / {len(contact.asked)}", len(contact.other), f"{len(contact.flat)} / {contact.drawn}", told)
    return f"| {contact.name} | " + " | ".join(map(str, cells)) + " |"


def details(contact: Contact) -> str:
    """What was asked of one repository, what failed, and the candidates to read."""
    lines = [f"## {contact.name}", f"asked: {', '.join(contact.asked)}"]
    for title, failed in (("missing", contact.missing), ("other", contact.other), ("flat", contact.flat)):
        lines += [f"{title}: {line}" for line in failed]
    return "\n".join([*lines, *contact.dead, row(contact), ""])


def table(found: Sequence[Contact]) -> str:
    """All repositories and their sum, as Markdown."""
    asked, missing = sum(len(c.asked) for c in found), sum(len(c.missing) for c in found)
    flat, drawn = sum(len(c.flat) for c in found), sum(c.drawn for c in found)
    head = [
        '| repository | names resolved | to another definition | flat "no callers" | answers |',
        "|---|---|---|---|---|",
    ]
    last = f"| all | {asked - missing} / {asked} | {sum(len(c.other) for c in found)} | {flat} / {drawn} | |"
    return "\n".join([*head, *map(row, found), last])


if __name__ == "__main__":
    main()
