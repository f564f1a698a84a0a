"""Which method called which while the tests of a Java repository ran.

usage: python benchmarks/tracers/java_calls.py TRACE FOLDER

1. Build the agent: ``javac -cp asm.jar -d A benchmarks/tracers/Calls.java`` and
   ``jar cfm agent.jar M -C A .``, where the manifest M says ``Premain-Class: Calls`` and ``Class-Path: /…/asm.jar``.
2. Compile the repository and its tests with ``-g`` into CLASSES, and run the tests with
   ``-javaagent:agent.jar=TRACE:CLASSES`` (more folders after further colons).
3. This script maps methods to definitions and writes FOLDER/run.json (see benchmarks/run_verdicts.py). FOLDER/src is
   the repository as it is explored. It is parsed with tree-sitter.

A method is the innermost declaration of its name around the first line of its code; a lambda is one that begins its
code at this line, if there is only one. Initialisers of fields and classes are the top-level code of their file. Bridge
methods, implicit constructors and accessors of records do not count: who calls them is an external caller of what they
call.

Limits: lambdas that share a line are left out; of a method that is entered very often, some entries are looked at.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tree_sitter import Node
from tree_sitter_language_pack import get_parser

NAMED = {"method_declaration", "constructor_declaration", "compact_constructor_declaration"}
TYPES = {"class_declaration", "enum_declaration", "record_declaration", "interface_declaration", "class_body"}

Function = tuple[str, int, str]


class Method(NamedTuple):
    """A method of a class file, with the first line of its code."""

    file: str
    type: str
    name: str
    line: int


class Declaration(NamedTuple):
    """A method, a constructor or a lambda (without a name); `code` is the line of its first statement."""

    kind: str
    name: str
    line: int
    first: int
    last: int
    code: int


def declarations(node: Node) -> Iterator[Declaration]:
    """The functions of a file, from the outermost to the innermost."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.children)
        first, last = node.start_point[0] + 1, node.end_point[0] + 1
        if node.type in NAMED:
            name = node.child_by_field_name("name")
            assert name is not None
            text = (name.text or b"").decode("utf-8", "replace")
            yield Declaration(node.type, text, name.start_point[0] + 1, first, last, 0)
        elif node.type == "lambda_expression":
            body = node.child_by_field_name("body")
            code = body if body is None or body.type != "block" else next(iter(body.named_children), body)
            yield Declaration("lambda", "", first, first, last, code.start_point[0] + 1 if code else first)


class Sources:
    """The declarations of the source files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in folder.rglob("*.java"):
            self.by_name[path.name].append(path.relative_to(folder).as_posix())
        self.parsed: dict[str, list[Declaration]] = {}

    def path(self, file: str) -> str | None:
        """The file of a class: that of its package and name, if there is one."""
        fits = [path for path in self.by_name[file.rpartition("/")[2]] if f"/{path}".endswith(f"/{file}")]
        return fits[0] if len(fits) == 1 else None

    def around(self, path: str, line: int) -> list[Declaration]:
        """The declarations around a line, innermost last."""
        if path not in self.parsed:
            tree = get_parser("java").parse((self.folder / path).read_bytes())
            self.parsed[path] = list(declarations(tree.root_node))
        return [one for one in self.parsed[path] if one.first <= line <= one.last]

    def function(self, method: Method, line: int = 0) -> Function | None:
        """The declaration that a method was made of; `line` is the place in an initialiser or a constructor."""
        path = self.path(method.file)
        if path is None or not method.line:
            return None
        around = self.around(path, line or method.line)
        if method.name.startswith("lambda$"):
            lambdas = [one for one in around if not one.name]
            begin = [one for one in lambdas if one.code == method.line]
            if len(begin) != 1 and (begin or len(lambdas) != 1):
                return None
            return path, (begin or lambdas)[0].line, ""
        if method.name == "<clinit>":
            return path, 0, ""
        name = method.type.rpartition("/")[2].rpartition("$")[2] if method.name == "<init>" else method.name
        found = next((one for one in reversed(around) if one.name == name.lstrip("0123456789")), None)
        return (path, found.line, found.name) if found else None

    def caller(self, method: Method, line: int) -> tuple[Function, bool] | None:
        """The function that holds a call, and whether it is the one whose frame was seen."""
        found = self.function(method, line)
        if found is not None or method.name != "<init>":
            return (found, True) if found else None
        path = self.path(method.file)
        if path is None or line <= 0 or (line == method.line and not self.initialises(path, line)):
            return None
        around = self.around(path, line)
        return ((path, around[-1].line, around[-1].name), False) if around else ((path, 0, ""), True)

    def initialises(self, path: str, line: int) -> bool:
        """Tell whether a line holds code of a field, and is not the head of a class."""
        text = (self.folder / path).read_text("utf-8", "replace").splitlines()[line - 1]
        return not {"class", "enum", "record"} & set(text.split())


def main() -> None:
    """Write run.json."""
    trace, folder = Path(sys.argv[1]), Path(sys.argv[2])
    sources, methods = Sources(folder / "src"), dict[str, Method]()
    numbers: dict[Function, int] = {}
    calls: dict[tuple[int, int], str] = {}
    left_out = set[Method]()
    for row in trace.read_text("utf-8").splitlines():
        if row.startswith("method"):
            _, number, *rest, line = row.split("\t")
            methods[number] = Method(*rest, int(line))
            continue
        _, callee, caller, line, kind = row.split("\t")
        target = sources.function(methods[callee])
        if target is None:
            left_out.add(methods[callee])
            continue
        numbers.setdefault(target, len(numbers))
        found = sources.caller(methods[caller], int(line)) if caller in methods else None
        if found is not None and target[1]:
            source, same = found
            pair = numbers.setdefault(source, len(numbers)), numbers[target]
            calls[pair] = "direct" if kind == "direct" and same else calls.get(pair, "external")
    record = {"language": "java", "functions": list(numbers), "calls": [[*pair, kind] for pair, kind in calls.items()]}
    (folder / "run.json").write_text(json.dumps(record))
    print(folder.name, len(numbers), "functions", len(calls), "calls", len(left_out), "methods without a declaration")
    for method in sorted(left_out)[:: max(1, len(left_out) // 12)]:
        print("   ", *method)


if __name__ == "__main__":
    main()
