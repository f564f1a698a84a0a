"""Lab: how good the answers are, measured with questions; judging; and a course on retrieval."""

from codeexplore.types.features import Command, Feature, Magics

FEATURE = Feature(
    name="lab",
    title="how good the answers are: measuring, judging, and a course",
    extra="jupyter-codeexplore[lab]",
    accessor="codeexplore.features.lab.accessor:Lab",
    commands=(
        Command(
            "eval", "how good the answers are: questions with known answers, measured", "codeexplore.cli.evaluate:add"
        ),
        Command(
            "judge", "grade hits from 0 to 3, without seeing which lane found them", "codeexplore.cli.judge:add_judge"
        ),
        Command(
            "agreement", "compare the grades of two or more judges by kappa", "codeexplore.cli.judge:add_agreement"
        ),
        Command(
            "lab", "a course on retrieval: notebooks with exercises that check themselves", "codeexplore.cli.lab:add"
        ),
    ),
    magics=(Magics(("evaluate",), "codeexplore.notebook.magics.evaluate:EvaluateMagics"),),
    views={
        "judge": "codeexplore.notebook.judge_view:judge_view",
        "fusion_lab": "codeexplore.notebook.fusion_lab:fusion_lab",
    },
)
