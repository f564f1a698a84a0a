"""Command lines that run some tests: pytest, go test, jest or vitest, cargo, Maven or Gradle."""

from __future__ import annotations

import posixpath
import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from codeexplore.features.review.records import SelectedTest

_SCRIPTS = ("javascript", "typescript", "tsx")
_JVM = ("java", "kotlin", "scala")


class Command(NamedTuple):
    """A command line for one runner, to be run in the root of the repository."""

    runner: str
    line: str


BUILD_FILES = ("package.json", "pom.xml", "build.gradle", "build.gradle.kts")
"""Files whose presence or text chooses between the runners of a language."""


def commands(tests: Iterable[tuple[SelectedTest, str]], manifests: Mapping[str, str]) -> tuple[Command, ...]:
    """Return the command lines that run the given tests. Each test is given with its language.

    `manifests` is name → text of the build files (`BUILD_FILES`). They decide between several runners of one language.
    """
    by_language: dict[str, list[SelectedTest]] = defaultdict(list)
    for test, language in tests:
        by_language["javascript" if language in _SCRIPTS else "java" if language in _JVM else language].append(test)
    found: list[Command] = []
    for language, chosen in by_language.items():
        if language == "python":
            found.append(Command("pytest", f"pytest {_joined(_without_covered(chosen))}"))
        elif language == "go":
            found += _go(chosen)
        elif language == "javascript":
            found.append(_script(chosen, manifests))
        elif language == "rust":
            names = dict.fromkeys(test.id for test in chosen)
            found.append(Command("cargo", f"cargo test -- {_joined(names)}"))
        elif language == "java":
            found.append(_jvm(chosen, manifests))
    return tuple(found)


def _joined(words: Iterable[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


def _without_covered(tests: Sequence[SelectedTest]) -> list[str]:
    """Return the ids of the tests. If a file is selected as a whole, the ids of single tests in it are left out."""
    whole = {test.path for test in tests if test.symbol is None}
    return list(dict.fromkeys(test.id for test in tests if test.symbol is None or test.path not in whole))


def _go(tests: Sequence[SelectedTest]) -> list[Command]:
    """Return one command for each Go package, because ``-run`` applies to all packages of a command."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        by_folder[posixpath.dirname(test.path)].append("" if test.symbol is None else test.symbol.name)
    found = []
    for folder, names in by_folder.items():
        pattern = "" if "" in names else f" -run {shlex.quote('^(' + '|'.join(dict.fromkeys(names)) + ')$')}"
        found.append(Command("go test", f"go test {shlex.quote('./' + folder)}{pattern}"))
    return found


def _script(tests: Sequence[SelectedTest], manifests: Mapping[str, str]) -> Command:
    paths = list(dict.fromkeys(test.path for test in tests))
    if '"vitest"' in manifests.get("package.json", ""):
        return Command("vitest", f"npx vitest run {_joined(paths)}")
    return Command("jest", f"npx jest {_joined(paths)}")


def _jvm(tests: Sequence[SelectedTest], manifests: Mapping[str, str]) -> Command:
    by_class: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        owner, _, method = test.id.partition("#")
        by_class[owner].append(method)
    if "pom.xml" not in manifests and {"build.gradle", "build.gradle.kts"} & manifests.keys():
        wanted = [
            f"{owner}.{each}" if each else owner for owner, methods in by_class.items() for each in _methods(methods)
        ]
        return Command("Gradle", "./gradlew test " + " ".join(f"--tests {shlex.quote(each)}" for each in wanted))
    parts = [
        owner if "" in methods else f"{owner}#{'+'.join(dict.fromkeys(methods))}" for owner, methods in by_class.items()
    ]
    return Command("Maven", f"mvn test -Dtest={shlex.quote(','.join(parts))}")


def _methods(methods: Sequence[str]) -> list[str]:
    return [""] if "" in methods else list(dict.fromkeys(methods))
