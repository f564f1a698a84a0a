"""Review: what differs between two states of a repository, what a change affects, and what the commits tell.

`accessor.Review` is ``ws.review``. A comparison takes these steps, a module each:

- `states.compared` takes a reference, range, patch, folder, archive or workspace and makes both states overlays on the
  loaded index. `git_objects`, `patch` and `archive` read them in memory.
- `match` pairs the symbols of both states, by name and then by `code_tokens`. `signatures` and `public_interface` say
  what may break code outside. `records.Comparison` has the result.
- `impact` walks the call graphs from what changed, and `tests.selection` chooses the tests to run. `versions` compares
  the structure of two versions.
- `answers` has the answers, with the block `difference` and the comment for a pull request.

`history` reads the commits: `log` lists them and keeps them as columns, and `view` answers.
`commands` and `notebook` offer all of it on the command line and in notebooks.

`FEATURE` below registers the commands, magics and the panel of the explorer.

Change it to add a rule for breaking changes. Those about a signature are in `signatures.breaking`, those about a
removed, renamed or moved symbol in `public_interface.PublicInterface.clauses`. A test runner is added in
`tests.selection.commands`, another source of a state in `states`.

>>> from codeexplore.features.review.signatures import breaking
>>> from codeexplore.types import Span, Symbol
>>> old, new = (
...     Symbol("m.py:m.f", "m.f", "f", "function", "m.py", Span(1, 2, 0, 9), 1, "python", None, signature)
...     for signature in ("def f(a, b=1)", "def f(a, *, b=1, c)")
... )
>>> breaking(old, new)
('parameter b is keyword-only now', 'parameter c added without a default')
"""

from codeexplore.types.features import Command, Feature, Magics, Panel

_CHANGES = "the symbols that differ since a commit, and what they affect"
_TESTS = "the tests to run for a change, one test per line (for xargs)"
_COMPARE = "two versions: public interface, edges, cycles, dead code"
_HISTORY = "how often and when something changed, and who knows it"
_PANEL = "Compare the files with a commit: what differs, what code this affects, and which tests to run"

_MAGICS = ("changes", "compare", "commits", "together")

FEATURE = Feature(
    name="review",
    title="what changed, and what it affects",
    accessor="codeexplore.features.review.accessor:Review",
    replaced="codeexplore.features.review.history.replacement:asked",
    names=(
        "codeexplore.features.review.answers:ChangedSymbol",
        "codeexplore.features.review.answers:ChangeImpactAnswer",
        "codeexplore.features.review.answers:ChangesAnswer",
        "codeexplore.features.review.answers:TestsAnswer",
    ),
    commands=(
        Command("changes", _CHANGES, "codeexplore.features.review.commands:add_changes"),
        Command("tests", _TESTS, "codeexplore.features.review.commands:add_tests"),
        Command("compare", _COMPARE, "codeexplore.features.review.commands:add_compare"),
        Command("history", _HISTORY, "codeexplore.features.review.commands:add_history"),
    ),
    magics=(Magics(_MAGICS, "codeexplore.features.review.notebook.magics:ReviewMagics"),),
    panels=(Panel("changes", "Changes", "codeexplore.features.review.notebook.panel:ChangesPanel", _PANEL),),
)
