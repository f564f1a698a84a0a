"""Features: what hangs on the core. Each registers as a record of plain data and is imported when it is first used.

A feature is a package with a constant `FEATURE`. The built-in ones are listed in `BUILT_IN`; other distributions name
theirs in the entry-point group `codeexplore.features`, as ``name = "module:FEATURE"``; see docs/extending.md. Every
target in a record is a text ``"module:name"``, which `load` imports. Entry points are read only if no built-in feature
has what is looked for, and where all features are listed: in the help of the command line, at ``%load_ext``, and when
the explorer opens.

>>> found = find(lambda feature: feature if feature.name == "review" else None)
>>> found.title
'what changed, and what it affects'
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeVar

from codeexplore.types.entry_points import entry_points_of

GROUP: Final = "codeexplore.features"
"""The entry-point group of features of other distributions."""

BUILT_IN: Final = (
    "codeexplore.notebook",
    "codeexplore.features.review",
    "codeexplore.features.context",
    "codeexplore.features.runs",
    "codeexplore.features.lab",
)
"""The packages of the built-in features, in the order in which displays list them."""

T = TypeVar("T")


class Command(NamedTuple):
    """A command of the command line. `add` is called with the command's own parser and sets its arguments and `run`."""

    name: str
    help: str
    add: str


class Magics(NamedTuple):
    """IPython magics. `target` is a subclass of `WorkspaceMagics`, or a function that returns one."""

    names: tuple[str, ...]
    target: str


class Panel(NamedTuple):
    """A button of the explorer with a panel below it, which is made when the button is first pressed.

    ``make(host)`` returns a widget with `start()`, `clear()`, `wait(timeout)` and `code(workspace)`. The host is the
    explorer: `workspace`, `answer`, `asked`, `update_code` and `guard`. A panel `of_answer` is closed when another
    answer is shown.
    """

    key: str
    title: str
    make: str
    tooltip: str = ""
    of_answer: bool = False


class Action(NamedTuple):
    """A button of the explorer that shows something in its page. ``make(explorer)`` returns HTML."""

    title: str
    make: str
    tooltip: str = ""


class Tool(NamedTuple):
    """A tool for assistants.

    `parameters` are JSON schemas of the arguments by name; those without a default are required. The function `answer`
    is called with the arguments and with `tokens`, the budget of its text.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    answer: Callable[..., str]


@dataclass(frozen=True, slots=True)
class Feature:
    """The record that a feature registers. `name` is also that of its accessor, ``ws.name``.

    Attributes
    ----------
    title
        One line for lists of features.
    extra
        Optional requirements, such as ``jupyter-codeexplore[lab]``; the message of a failed import names them.
    accessor
        A class that is made with the workspace when ``ws.name`` is first used.
    names
        Targets that the package `codeexplore` offers by their names: ``codeexplore.TraceRun``.
    views
        Name → function that opens a widget.
    tools
        A function of the workspace that returns records `Tool`.
    settings
        A class for ``%config``.
    replaced
        A function of the workspace and the name of a deleted definition, for questions such as "what replaced fetch?".
        It returns the ids of the symbols that replaced it, and sentences.
    """

    name: str
    title: str
    extra: str = ""
    accessor: str = ""
    names: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    magics: tuple[Magics, ...] = ()
    panels: tuple[Panel, ...] = ()
    actions: tuple[Action, ...] = ()
    views: Mapping[str, str] = field(default_factory=dict)
    tools: str = ""
    settings: str = ""
    replaced: str = ""

    def load(self, target: str) -> Any:
        """Return what a target of this feature names. Raises FeatureUnavailable with the next step."""
        try:
            return load(target)
        except (ImportError, AttributeError) as error:
            step = f"pip install '{self.extra}'" if self.extra else "reinstall the distribution that has it"
            raise FeatureUnavailable(f"the feature {self.name!r} can't be used: {error}; {step}") from error


class FeatureUnavailable(ImportError):
    """A feature is registered and can't be imported. The message has the next step."""


def load(target: str) -> Any:
    """Return the object of a target, ``"module:name"``. Raises ImportError or AttributeError."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def registered() -> Iterator[Feature]:
    """Iterate over all features, the built-in ones first. Entry points are read after these, once in a process."""
    yield from _built_in()
    yield from _others()[0]


def find(pick: Callable[[Feature], T | None]) -> T | None:
    """Return the first result of `pick` that is not None. Entry points are read only if no built-in feature has one."""
    return next((found for feature in registered() if (found := pick(feature)) is not None), None)


def open_view(name: str, *arguments: Any, **options: Any) -> Any:
    """Return the widget that the view `name` opens. Raises FeatureUnavailable."""
    opened = find(lambda feature: feature.load(feature.views[name]) if name in feature.views else None)
    if opened is None:
        raise FeatureUnavailable(f"no feature has the view {name!r}")
    return opened(*arguments, **options)


def unavailable() -> Mapping[str, str]:
    """Return name → reason of each feature of another distribution that can't be used."""
    return _others()[1]


@cache
def _built_in() -> tuple[Feature, ...]:
    return tuple(import_module(package).FEATURE for package in BUILT_IN)


@cache
def _others() -> tuple[tuple[Feature, ...], Mapping[str, str]]:
    """Return the features of other distributions, and name → reason of those that can't be used, after a warning."""
    names = {feature.name for feature in _built_in()}
    found: list[Feature] = []
    failed: dict[str, str] = {}
    for _, entry in entry_points_of(GROUP):
        try:
            feature = entry.load()
        except Exception as error:  # noqa: BLE001 - code of another distribution; it is reported
            failed[entry.name] = f"{type(error).__name__}: {error}"
        else:
            if not isinstance(feature, Feature):
                failed[entry.name] = f"{entry.value} is no record Feature"
            elif feature.name in names:
                failed[entry.name] = f"another feature has the name {feature.name!r}, which stays"
            else:
                names.add(feature.name)
                found.append(feature)
    for name, reason in failed.items():
        warnings.warn(f"the feature {name!r} is not used: {reason}", RuntimeWarning, stacklevel=2)
    return tuple(found), failed
