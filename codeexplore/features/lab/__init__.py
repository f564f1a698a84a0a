"""Lab: how good the answers are, measured with questions; judging; and a course on retrieval.

Change it to add a measure, an exercise, or a format of questions.

- `accessor` is ``ws.lab``; `commands` are ``codeexplore eval``, ``agreement`` and ``lab``; `notebook` has
  the magic ``%evaluate`` and the widgets for judging and for fusion.
- `evaluation` reads questions, asks them, measures and compares the rankings; it also pools hits, keeps the grades of
  judges and says how far they agree. `charts` draws its pictures. A measure is a function in `evaluation.metrics` and
  a row of `MEASURES` in `evaluation.results`; formats are read by `evaluation.fixtures`.
- `course` is the course: `material` chooses numbers and names from a repository, `exercises` are computed from it,
  `session` is what a notebook uses, `folder` keeps the answers, `report` grades them. An exercise is a row of a table
  in `course.exercises` with its typical mistakes, and a cell in notebooks/lab.

>>> from codeexplore import Workspace, sample_repo
>>> ws = Workspace(sample_repo("webshop"))
>>> round(ws.lab.evaluate(setting="bm25 signals=off").mean("hit_at_1"), 3)
0.333
"""

from codeexplore.types.features import Command, Feature, Magics

_EVAL = "how good the answers are: questions with known answers, measured"
_AGREEMENT = "how far two or more judges agree (kappa)"
_LAB = "a course on retrieval: notebooks with exercises that check themselves"

FEATURE = Feature(
    name="lab",
    title="how good the answers are: measuring, judging, and a course",
    extra="jupyter-codeexplore[lab]",
    accessor="codeexplore.features.lab.accessor:Lab",
    commands=(
        Command("eval", _EVAL, "codeexplore.features.lab.commands:add"),
        Command("agreement", _AGREEMENT, "codeexplore.features.lab.commands:add_agreement"),
        Command("lab", _LAB, "codeexplore.features.lab.commands:add_lab"),
    ),
    magics=(Magics(("evaluate",), "codeexplore.features.lab.notebook.magics:EvaluateMagics"),),
    views={
        "judge": "codeexplore.features.lab.notebook.widgets:JudgeView",
        "fusion_lab": "codeexplore.features.lab.notebook.widgets:FusionLab",
    },
)
