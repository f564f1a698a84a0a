"""%callers, %callees, %implementors, %subclasses, %overrides, %impact, %uses, %imports, %paths, %why and %survey.

%survey answers questions about the whole graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import line_magic, magics_class
from IPython.core.magic_arguments import argument

from codeexplore.notebook.magics.base import (
    WorkspaceMagics,
    answer_options,
    as_usage_error,
    first,
    joined,
    option_magic,
    parse_line,
    tests_option,
    words,
)

SURVEYS = ("hubs", "entry_points", "dead_code", "cycles", "modules", "communities")
"""The methods of `Workspace` that look at all of the graph and need nothing to start from."""


@magics_class
class SurveyMagics(WorkspaceMagics):
    """Magics about the whole graph."""

    @option_magic(line_magic)
    @answer_options
    def survey(self, line: str) -> Any:
        """Look at the whole graph: ``%survey`` hubs, entry_points, dead_code, cycles, modules or communities.

        The methods of a workspace take options: ``ws.hubs(20)``.
        """
        options, text = parse_line(self.survey, line)
        name = text.strip().replace("-", "_")
        if name not in SURVEYS:
            wrong = f", not {text!r}" if text else ", for example %survey hubs"
            raise UsageError(f"%survey takes one of {', '.join(SURVEYS)}{wrong}")
        return self.answered(as_usage_error(getattr(self.workspace_of(options), name)), options)


depth_option = argument("-d", "--depth", type=int, metavar="N", help="steps away")
confidence_option = argument(
    "--min-confidence", type=float, metavar="X", help="follow edges of at least this confidence, 0 to 1"
)
walk_options = joined(confidence_option, tests_option, answer_options)


def _walk_magic(name: str, doc: str, *options: Callable[[Any], Any]) -> Any:
    """Return the magic that calls the method `name` of a workspace with the symbol that its line names."""

    def magic(self: WalkMagics, line: str) -> Any:
        return self.walk(magic, line)

    magic.__name__, magic.__doc__ = name, doc
    return option_magic(line_magic)(joined(*options, walk_options)(magic))


@magics_class
class WalkMagics(WorkspaceMagics):
    """Magics that follow edges of the graph."""

    callers = _walk_magic(
        "callers",
        """Show the callers of a symbol: ``%callers validate_session``, ``%callers path:line``, or a live object's name.

        ``%callers 2`` shows the callers of hit 2 of the last answer.
        """,
        depth_option,
    )
    callees = _walk_magic("callees", "Show the callees of a symbol: ``%callees checkout --depth 2``.", depth_option)
    implementors = _walk_magic(
        "implementors",
        "Show the types that implement an interface or trait, or extend a class: ``%implementors PaymentGateway``.",
    )
    subclasses = _walk_magic("subclasses", "Show the subtypes of a type, at any depth: ``%subclasses ShopError``.")
    overrides = _walk_magic(
        "overrides",
        "Show the methods that override a method, or the methods of a type: ``%overrides PaymentGateway.charge``.",
    )

    @option_magic(line_magic)
    @walk_options
    def types(self, line: str) -> Any:
        """Show ``implementors``, ``subclasses`` or ``overrides``, as in a terminal: ``%types subclasses ShopError``."""
        kind, _, rest = line.strip().partition(" ")
        if kind not in ("implementors", "subclasses", "overrides"):
            raise UsageError("%types takes implementors, subclasses or overrides: %types subclasses ShopError")
        return getattr(self, kind)(rest)

    impact = _walk_magic(
        "impact",
        "Show the symbols that may break if a symbol changes, and their callers in turn: ``%impact Money``.",
        depth_option,
    )
    uses = _walk_magic(
        "uses", "Show all uses of a symbol: calls, references, annotations, decorators: ``%uses SESSION_LIFETIME``."
    )
    imports = _walk_magic("imports", "Show the importers of a module or symbol: ``%imports webshop.money``.")

    @option_magic(line_magic)
    @walk_options
    def paths(self, line: str) -> Any:
        """Show how one symbol reaches another by calls: ``%paths Storefront.checkout luhn_valid``."""
        return self._between(self.paths, line, "%paths Storefront.checkout luhn_valid", self._edges)

    @option_magic(line_magic)
    @answer_options
    def why(self, line: str) -> Any:
        """Show the edges between two symbols: rule, places and source.

        For example ``%why CardGateway.validate luhn_valid``.
        """
        return self._between(self.why, line, "%why CardGateway.validate luhn_valid")

    def walk(self, magic: Any, line: str) -> Any:
        options, text = parse_line(magic, line)
        name = magic.__name__
        if not text:
            raise UsageError(f"{name} of what? For example: %{name} validate_session")
        workspace = self.workspace_of(options)
        depth = first(getattr(options, "depth", None), self.defaults.depth if name in ("callers", "callees") else None)
        chosen = self._edges(options) if depth is None else {"depth": depth, **self._edges(options)}
        return self.answered(as_usage_error(getattr(workspace, name), self.target(workspace, text), **chosen), options)

    def _edges(self, options: Any) -> dict[str, Any]:
        """Return the options that select edges: from the line, or else from the defaults."""
        return {
            "min_confidence": first(options.min_confidence, self.defaults.min_confidence),
            "tests": first(options.tests, self.defaults.tests),
        }

    def _between(
        self, magic: Any, line: str, example: str, options_of: Callable[[Any], dict[str, Any]] = lambda _: {}
    ) -> Any:
        options, text = parse_line(magic, line)
        ends = words(text)
        if len(ends) != 2:
            raise UsageError(f"%{magic.__name__} takes two symbols, not {len(ends)}. For example: {example}")
        workspace = self.workspace_of(options)
        source, target = (self.target(workspace, end) for end in ends)
        ask = getattr(workspace, magic.__name__)
        return self.answered(as_usage_error(ask, source, target, **options_of(options)), options)
