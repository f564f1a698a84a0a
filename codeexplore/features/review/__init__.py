"""Review: what differs between two states of a repository, what a change affects, and what the commits tell."""

from codeexplore.types.features import Command, Feature, Magics, Panel

FEATURE = Feature(
    name="review",
    title="what changed, and what it affects",
    accessor="codeexplore.features.review.accessor:Review",
    names=(
        "codeexplore.results.changed_symbol:ChangedSymbol",
        "codeexplore.results.changes:ChangeImpactAnswer",
        "codeexplore.results.changes:ChangesAnswer",
        "codeexplore.results.changes:TestsAnswer",
    ),
    commands=(
        Command(
            "changes",
            "the symbols that differ since a commit, and what they affect",
            "codeexplore.cli.changes:add_changes",
        ),
        Command(
            "tests", "the tests to run for a change, one test per line (for xargs)", "codeexplore.cli.changes:add_tests"
        ),
        Command("compare", "two versions: public interface, edges, cycles, dead code", "codeexplore.cli.compare:add"),
        Command("history", "how often and when something changed, and who knows it", "codeexplore.cli.history:add"),
    ),
    magics=(
        Magics(("changes", "compare"), "codeexplore.notebook.magics.changes:ChangeMagics"),
        Magics(("commits", "together"), "codeexplore.notebook.magics.history:HistoryMagics"),
    ),
    panels=(
        Panel(
            "changes",
            "Changes",
            "codeexplore.notebook.panels.changes:ChangesPanel",
            "Compare the files with a commit: what differs, what code this affects, and which tests to run",
        ),
    ),
)
