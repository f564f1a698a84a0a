"""Command ``codeexplore completion``: a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse

from codeexplore.cli.options import FOUND

_SHELLS = ("bash", "zsh", "tcsh")


def add_completion(command: argparse.ArgumentParser) -> None:
    """Add the arguments of ``completion``."""
    command.add_argument("shell", choices=_SHELLS, help='the shell: eval "$(codeexplore completion bash)"')
    command.set_defaults(run=_completion)


def _completion(options: argparse.Namespace) -> int:
    import shtab

    from codeexplore import cli

    whole = argparse.ArgumentParser(prog="codeexplore", description="Explore an unfamiliar codebase.")
    commands = whole.add_subparsers()
    for _, group in cli.groups():
        for command in group:
            parser = cli.parser_of(command)
            parser.usage = None
            if (words := parser.get_default("positional")) is not None:  # checked when the command line is read
                words.choices = parser.get_default("choices")
            commands.add_parser(command.name, help=command.help, parents=[parser], add_help=False)
    print(shtab.complete(whole, options.shell))
    return FOUND
