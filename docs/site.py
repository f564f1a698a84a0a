"""Hooks of mkdocs.yml: pages of the documentation that are made when it is built.

CONTRIBUTING, SECURITY, CHANGELOG and the measurements are where readers of the repository look for them; the site shows
them too. The options of the command line and of the magics come from their parsers, so they cannot differ from the
program.
"""

from __future__ import annotations

import argparse
import html
import posixpath
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
COPIES = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/RESULTS.md": "measurements.md",
    "benchmarks/LABBOOK.md": "laboratory-book.md",
}
"""Path in the repository → page of the site."""

_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")


def site_links(text: str, source: str) -> str:
    """Return a page with its links rewritten for the site.

    Links to pages of the site lead there. A file that the site does not contain (source, a notebook) is named by its
    path instead.

    Parameters
    ----------
    text
        Markdown.
    source
        Path of the page in the repository, such as ``docs/index.md``.
    """

    def rewritten(link: re.Match[str]) -> str:
        words, target, anchor = link[1], link[2], link[3] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if path in COPIES:
            return f"[{words}]({COPIES[path]}{anchor})"
        if path.startswith("docs/"):
            return f"[{words}]({path.removeprefix('docs/')}{anchor})"
        return words if f"`{path}`" in words or words.strip("`") == path else f"{words} (`{path}`)"

    return _LINK.sub(rewritten, text)


def command_line_page() -> str:
    """Return the reference of the command line, in Markdown."""
    from codeexplore.cli import groups, parser_of

    parts = ["# Command-line options\n", "[The guide](cli.md) shows the use of each command.\n"]
    for title, commands in groups():
        parts.append(f"## {title[0].upper()}{title[1:]}\n")
        for command in commands:
            parts += [f"### codeexplore {command.name}\n", *_described(parser_of(command), command.help)]
    return "\n".join(parts)


def magics_page() -> str:
    """Return the reference of the magics' options, in Markdown."""
    parts = [
        "# Options of the magics\n",
        "`%load_ext codeexplore` makes them available. [The guide](magics.md) shows their use.\n",
    ]
    for name, command in sorted(_magic_parsers().items()):
        parts += [f"## %{name}\n", *_described(command, "")]
    return "\n".join(parts)


def _magic_parsers() -> dict[str, argparse.ArgumentParser]:
    import codeexplore.notebook.magics as package
    from codeexplore.types import features

    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    kinds = [kind for module in modules for kind in vars(module).values() if isinstance(kind, type)]
    own = (features.load(f"{name}:FEATURE") for name in features.BUILT_IN)  # not those of installed distributions
    kinds += [features.load(each.target) for feature in own for each in feature.magics]
    magics = [value for kind in kinds for value in vars(kind).values()]
    return {
        value.__name__: value.parser
        for value in magics
        if isinstance(getattr(value, "parser", None), argparse.ArgumentParser)
    }


def _described(command: argparse.ArgumentParser, summary: str) -> Iterator[str]:
    yield (command.description or summary or "").strip() + "\n"
    rows = [row for action in command._actions if (row := _option(command, action))]
    if rows:
        yield from ("| option | meaning |", "|---|---|", *rows, "")
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield f"### {command.prog} {name}\n"
                yield from _described(inner, "")


def _option(command: argparse.ArgumentParser, action: argparse.Action) -> str:
    if action.help == argparse.SUPPRESS or isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
        return ""
    value = (
        ""
        if action.nargs == 0
        else str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper())
    )
    names = ", ".join(action.option_strings)
    meaning = (action.help or "") % {**vars(action), "prog": command.prog}
    return f"| <code>{_cell(f'{names} {value}'.strip())}</code> | {_cell(meaning)} |"


def _cell(text: str) -> str:
    """Return text as HTML for a cell of a Markdown table: `*`, `_` and `|` are not markup."""
    return re.sub(r"[|*_`\\]", lambda mark: f"&#{ord(mark[0])};", html.escape(text))


# --------------------------------------------------------------------------- called by MkDocs


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    made = {page: (ROOT / source).read_text("utf-8") for source, page in COPIES.items() if (ROOT / source).exists()}
    made |= {"cli-options.md": command_line_page(), "magic-options.md": magics_page()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite links for the site."""
    del config, files
    copied = {page: source for source, page in COPIES.items()}
    path = page.file.src_uri
    return site_links(markdown, copied.get(path, f"docs/{path}"))
