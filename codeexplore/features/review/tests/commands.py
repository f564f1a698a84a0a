"""Command lines that run the selected tests with the runners of their languages."""

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


BUILD_FILES = ("package.json", "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt")
PYTEST_FILES = ("pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini")
"""Files whose presence or text chooses between the runners of a language."""


def commands(tests: Iterable[tuple[SelectedTest, str]], manifests: Mapping[str, str]) -> tuple[Command, ...]:
    """Return the command lines that run the tests, each given with its language.

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
            found.append(_go(chosen))
        elif language == "javascript":
            found.append(_script(chosen, manifests))
        elif language == "rust":
            found += _cargo(chosen)
        elif language == "java":
            found.append(_jvm(chosen, manifests))
        elif language == "ruby":
            found += _ruby(chosen)
        elif language == "elixir":
            found.append(Command("mix", f"mix test {_joined(dict.fromkeys(test.path for test in chosen))}"))
        elif language in _FILTERED:
            runner, line = _FILTERED[language]
            names = dict.fromkeys(test.symbol.name if test.symbol else _stem(test) for test in chosen)
            found.append(Command(runner, f"{line} {shlex.quote('|'.join(names))}"))
    return tuple(found)


_FILTERED = {  # language → runner, and its command for a pattern of names
    "php": ("PHPUnit", "vendor/bin/phpunit --filter"),
    "swift": ("swift test", "swift test --filter"),
    "csharp": ("dotnet test", "dotnet test --filter"),
}


def _stem(test: SelectedTest) -> str:
    return posixpath.basename(test.path).partition(".")[0]


def _cargo(tests: Sequence[SelectedTest]) -> list[Command]:
    """Return one command for the tests in the sources, and one for each other target."""
    by_target: dict[str, dict[str, None]] = defaultdict(dict)
    for test in tests:
        target, _, name = test.id.rpartition(" ")  # "--test api inner::name"
        by_target[target][name] = None
    parts = (("cargo test", target, "--", _joined(names)) for target, names in by_target.items())
    return [Command("cargo", " ".join(filter(None, each))) for each in parts]


def _ruby(tests: Sequence[SelectedTest]) -> list[Command]:
    paths = list(dict.fromkeys(test.path for test in tests))
    specs = [path for path in paths if path.endswith("_spec.rb")]
    others = [path for path in paths if not path.endswith("_spec.rb")]
    each = "ARGV.each { |file| require File.expand_path(file) }"
    found = [Command("rspec", f"bundle exec rspec {_joined(specs)}")] if specs else []
    return [*found, Command("minitest", f"ruby -Itest -e {shlex.quote(each)} {_joined(others)}")] if others else found


def _joined(words: Iterable[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


def _without_covered(tests: Sequence[SelectedTest]) -> list[str]:
    """Return the ids of the tests. If a file is selected as a whole, the ids of single tests in it are left out."""
    whole = {test.path for test in tests if test.symbol is None}
    return list(dict.fromkeys(test.id for test in tests if test.symbol is None or test.path not in whole))


def _go(tests: Sequence[SelectedTest]) -> Command:
    """Return one command: ``-run`` applies to all packages of it, which may run a test of the same name too."""
    folders = _joined(dict.fromkeys(f"./{posixpath.dirname(test.path)}" for test in tests))
    names = dict.fromkeys("" if test.symbol is None else test.symbol.name for test in tests)
    pattern = "" if "" in names else f" -run {shlex.quote('^(' + '|'.join(names) + ')$')}"
    return Command("go test", f"go test {folders}{pattern}")


def _script(tests: Sequence[SelectedTest], manifests: Mapping[str, str]) -> Command:
    paths = list(dict.fromkeys(test.path for test in tests))
    if '"vitest"' in manifests.get("package.json", ""):
        return Command("vitest", f"npx vitest run {_joined(paths)}")
    return Command("jest", f"npx jest {_joined(paths)}")


def _jvm(tests: Sequence[SelectedTest], manifests: Mapping[str, str]) -> Command:
    by_class: dict[str, dict[str, None]] = defaultdict(dict)  # methods; "" for the whole class
    for test in tests:
        owner, _, method = test.id.partition("#") if test.symbol is not None else (_stem(test), "", "")
        by_class[owner][method] = None
    whole = {owner: "" in methods for owner, methods in by_class.items()}
    if "pom.xml" not in manifests and "build.sbt" in manifests:
        return Command("sbt", f"sbt {shlex.quote('testOnly ' + ' '.join(f'*{owner}' for owner in by_class))}")
    if "pom.xml" not in manifests and {"build.gradle", "build.gradle.kts"} & manifests.keys():
        wanted = []
        for owner, methods in by_class.items():
            every = owner if "." in owner else f"*{owner}"
            wanted += [every] if whole[owner] else [f"{owner}.{method}" for method in methods]
        return Command("Gradle", "./gradlew test " + " ".join(f"--tests {shlex.quote(each)}" for each in wanted))
    parts = [owner if whole[owner] else f"{owner}#{'+'.join(methods)}" for owner, methods in by_class.items()]
    return Command("Maven", f"mvn test -Dtest={shlex.quote(','.join(parts))}")
