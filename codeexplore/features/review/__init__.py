"""Review: what differs between two states of a repository, what a change affects, and what the commits tell."""

from codeexplore.types.features import Command, Feature, Magics, Panel

FEATURE = Feature(
    name="review",
    title="what changed, and what it affects",
    accessor="codeexplore.features.review.accessor:Review",
    names=(
        "codeexplore.features.review.answers:ChangedSymbol",
        "codeexplore.features.review.answers:ChangeImpactAnswer",
        "codeexplore.features.review.answers:ChangesAnswer",
        "codeexplore.features.review.answers:TestsAnswer",
    ),
    commands=(
        Command(
            "changes",
            "the symbols that differ since a commit, and what they affect",
            "codeexplore.features.review.commands:add_changes",
        ),
        Command(
            "tests",
            "the tests to run for a change, one test per line (for xargs)",
            "codeexplore.features.review.commands:add_tests",
        ),
        Command(
            "compare",
            "two versions: public interface, edges, cycles, dead code",
            "codeexplore.features.review.commands:add_compare",
        ),
        Command(
            "history",
            "how often and when something changed, and who knows it",
            "codeexplore.features.review.commands:add_history",
        ),
    ),
    magics=(
        Magics(("changes", "compare"), "codeexplore.features.review.notebook.magics:ChangeMagics"),
        Magics(("commits", "together"), "codeexplore.features.review.notebook.magics:HistoryMagics"),
    ),
    panels=(
        Panel(
            "changes",
            "Changes",
            "codeexplore.features.review.notebook.panel:ChangesPanel",
            "Compare the files with a commit: what differs, what code this affects, and which tests to run",
        ),
    ),
)
