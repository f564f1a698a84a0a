"""Outgoing calls of each function of FOLDER's Python files, asked of a language server.

usage: PYTHON edges_language_server.py FOLDER COMMAND…   (pyright-langserver --stdio, or ty server)

Prints what `peer_graphs` reads. The server gets FOLDER alone: no packages that it imports.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path


class Server:
    """A language server on standard input and output."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, **message) -> None:
        """Write a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> dict:
        """Return the next message."""
        size = 0
        while (line := self.process.stdout.readline().strip()) or not size:
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(size))

    def ask(self, method: str, **params):
        """Return the result of a request; an empty list for none."""
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                return message.get("result") or []
            if "id" in message:  # a question of the server: no settings
                self.send(id=message["id"], result=[{}] if message["method"] == "workspace/configuration" else None)


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    server = Server(sys.argv[2:])
    folder = {"uri": root.as_uri(), "name": root.name}
    made = server.ask("initialize", processId=None, rootUri=folder["uri"], workspaceFolders=[folder], capabilities={})
    server.send(method="initialized", params={})
    edges = []
    for path in sorted(root.rglob("*.py")):
        text = path.read_text("utf-8", "replace")
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
        server.send(method="textDocument/didOpen", params={"textDocument": document})
        own = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            column = text.split("\n")[node.lineno - 1].find(node.name, node.col_offset)
            place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": node.lineno - 1, "character": column}}
            for item in server.ask("textDocument/prepareCallHierarchy", **place):
                for call in server.ask("callHierarchy/outgoingCalls", item=item):
                    callee = call["to"]
                    target = callee["uri"].removeprefix(root.as_uri() + "/")
                    if target != callee["uri"]:
                        start = callee["selectionRange"]["start"]["line"] + 1
                        edges.append([own, node.lineno, target, start, callee["name"], 0, 1.0])
    server.process.kill()
    print(json.dumps({"version": made.get("serverInfo", {}).get("version", ""), "edges": edges}))


if __name__ == "__main__":
    main()
