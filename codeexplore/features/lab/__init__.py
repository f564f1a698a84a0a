"""Lab: how good the answers are, measured with questions; judging; and a course on retrieval."""

from codeexplore.types.features import Command, Feature, Magics

FEATURE = Feature(
    name="lab",
    title="how good the answers are: measuring, judging, and a course",
    extra="jupyter-codeexplore[lab]",
    accessor="codeexplore.features.lab.accessor:Lab",
    commands=(
        Command(
            "eval",
            "how good the answers are: questions with known answers, measured",
            "codeexplore.features.lab.commands:add",
        ),
        Command(
            "judge",
            "grade hits from 0 to 3, without seeing which lane found them",
            "codeexplore.features.lab.commands:add_judge",
        ),
        Command(
            "agreement",
            "compare the grades of two or more judges by kappa",
            "codeexplore.features.lab.commands:add_agreement",
        ),
        Command(
            "lab",
            "a course on retrieval: notebooks with exercises that check themselves",
            "codeexplore.features.lab.commands:add_lab",
        ),
    ),
    magics=(Magics(("evaluate",), "codeexplore.features.lab.notebook.magics:EvaluateMagics"),),
    views={
        "judge": "codeexplore.features.lab.notebook.judge_view:judge_view",
        "fusion_lab": "codeexplore.features.lab.notebook.fusion_lab:fusion_lab",
    },
)
