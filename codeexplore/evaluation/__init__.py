"""Evaluation of search: questions with known answers are asked, measured and compared; see docs/evaluation.md.

`load_fixtures` reads questions, `evaluate` returns an `Evaluation`, `compare` tests two of them for a significant
difference, `evaluate_settings` tabulates several settings, `write_trec` exports runs and qrels.

>>> from codeexplore import Workspace, sample_repo
>>> from codeexplore.evaluation import compare, evaluate, find_fixtures, load_fixtures
>>> ws = Workspace(sample_repo("webshop"))
>>> questions = load_fixtures(find_fixtures(ws.root))
>>> bm25, default = evaluate(ws, questions, "bm25 signals=off"), evaluate(ws, questions)
>>> print(compare(bm25, default))  # doctest: +ELLIPSIS
33 questions asked twice
  A  bm25 signals=off
  B  default
<BLANKLINE>
                 A      B   B − A  B wins  loses  ties       p
  hit@1      0.333  0.697  +0.364      12      0    21  <0.001
...
"""

from __future__ import annotations

from codeexplore.evaluation.comparison import Comparison, compare
from codeexplore.evaluation.fixtures import Fixtures, Question, find_fixtures, load_fixtures, parse_fixtures
from codeexplore.evaluation.git_history import commit_folder, evaluate_commit
from codeexplore.evaluation.question_result import MEASURES, QuestionResult, Scores
from codeexplore.evaluation.results import Evaluation
from codeexplore.evaluation.run import evaluate, evaluate_settings
from codeexplore.evaluation.setting import Setting, lane_subsets
from codeexplore.evaluation.settings_table import SettingsTable
from codeexplore.evaluation.trec import write_trec

__all__ = [
    "MEASURES",
    "Comparison",
    "Evaluation",
    "Fixtures",
    "Question",
    "QuestionResult",
    "Scores",
    "Setting",
    "SettingsTable",
    "commit_folder",
    "compare",
    "evaluate",
    "evaluate_commit",
    "evaluate_settings",
    "find_fixtures",
    "lane_subsets",
    "load_fixtures",
    "parse_fixtures",
    "write_trec",
]
