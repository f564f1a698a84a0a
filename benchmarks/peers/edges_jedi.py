"""Calls that jedi follows in the Python files of FOLDER.

usage: PYTHON edges_jedi.py FOLDER

PYTHON has jedi and nothing of ours. Each called name is looked up by `goto`. Prints what `peer_graphs` reads.
"""

import ast
import json
import os
import sys
from pathlib import Path

import jedi


def called(tree: ast.AST):
    """Yield the line of each call or decorator and the place of the name that it calls."""
    for node in ast.walk(tree):
        decorators = getattr(node, "decorator_list", ())
        for function in (*((node.func,) if isinstance(node, ast.Call) else ()), *decorators):
            if isinstance(function, ast.Attribute):
                yield function.lineno, function.end_lineno, function.end_col_offset - len(function.attr.encode())
            elif isinstance(function, ast.Name):
                yield function.lineno, function.lineno, function.col_offset


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    jedi.settings.cache_directory = Path.home() / "jedi"
    project = jedi.Project(root, sys_path=None, smart_sys_path=False, added_sys_path=[str(root)])
    edges, failed = [], 0
    for path in sorted(root.rglob("*.py")):
        text = path.read_text("utf-8", "replace")
        lines = text.split("\n")
        script = jedi.Script(text, path=path, project=project)
        for site, line, column in called(ast.parse(text)):
            characters = len(lines[line - 1].encode()[:column].decode())
            try:
                names = script.goto(line, characters, follow_imports=True)
            except Exception:  # noqa: BLE001 - jedi fails in many ways on code that it does not know; counted
                failed += 1
                continue
            for name in names:
                if name.module_path and name.line and root in name.module_path.parents:
                    target = name.module_path.relative_to(root).as_posix()
                    row = [path.relative_to(root).as_posix(), -1, target, name.line, name.name, site, 1.0]
                    edges.append(row)
    print(json.dumps({"version": jedi.__version__, "edges": edges, "failed": failed}))


if __name__ == "__main__":
    os.chdir(Path.home())
    main()
