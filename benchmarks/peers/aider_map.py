"""aider's repository maps for a report, in an environment that has aider-chat and nothing of ours.

usage: PYTHON aider_map.py FOLDER TOKENS… < REPORT

Prints, as one line of JSON, the maps that aider makes of FOLDER for each number of tokens when the message is the
report and no file is in the chat: names and files that the report mentions have more weight. The files are those below
FOLDER that are not hidden.
"""

import json
import os
import sys
from pathlib import Path

os.environ["AIDER_ANALYTICS"] = "false"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import tiktoken
from aider.coders.base_coder import Coder
from aider.io import InputOutput
from aider.repomap import RepoMap


class Counting:
    """The part of a model that the map asks: its token counter."""

    def __init__(self) -> None:
        self._encoding = tiktoken.get_encoding("cl100k_base")

    def token_count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return len(self._encoding.encode(text, disallowed_special=()))


class Mapping(RepoMap):
    """A map whose cache is not written into the explored folder."""

    def load_tags_cache(self) -> None:
        """Keep the tags in memory."""
        self.TAGS_CACHE = {}


class Asked(Coder):
    """The part of a chat that finds the names and files of a message."""

    def __init__(self, paths: list[str]) -> None:
        self._paths = paths

    def get_all_relative_files(self) -> list[str]:
        """Return the paths of the repository."""
        return self._paths

    def get_addable_relative_files(self) -> set[str]:
        """Return the same: none is in the chat."""
        return set(self._paths)

    def get_inchat_relative_files(self) -> list[str]:
        """Return nothing: the chat has no file."""
        return []


def main() -> None:
    root, budgets, report = Path(sys.argv[1]), [int(each) for each in sys.argv[2:]], sys.stdin.read()
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    paths = [p.relative_to(root) for p in found]
    paths = [p.as_posix() for p in paths if not any(part.startswith(".") for part in p.parts)]
    chat = Asked(paths)
    chat.abs_fnames, chat.abs_read_only_fnames = set(), set()
    names = chat.get_ident_mentions(report)
    files = set(chat.get_file_mentions(report)) | set(chat.get_ident_filename_matches(names))
    every = [str(root / path) for path in paths]
    made, maps = Mapping(0, str(root), Counting(), InputOutput(yes=True, pretty=False), map_mul_no_files=1), []
    for tokens in budgets:
        made.max_map_tokens = tokens
        maps.append(made.get_repo_map([], every, mentioned_fnames=files, mentioned_idents=names) or "")
    print("\n" + json.dumps(maps))


if __name__ == "__main__":
    main()
