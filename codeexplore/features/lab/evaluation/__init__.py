"""Evaluation of search: questions with known answers are asked, measured and compared; see docs/evaluation.md.

Change it to add a measure.

`load_fixtures` reads questions, `evaluate` returns an `Evaluation`, `compare` tests two of them for a significant
difference, `evaluate_settings` tabulates several settings, `write_trec` exports runs and qrels. `make_pool`,
`JudgingSession` and `agreement` are for new judgements; see docs/judging.md. `sweep` and the pictures show what a
number of the fusion does.

>>> from codeexplore import Workspace, sample_repo
>>> from codeexplore.features.lab.evaluation import compare, evaluate, find_fixtures, load_fixtures
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

from codeexplore.features.lab.evaluation.fixtures import (
    Fixtures,
    Question,
    find_fixtures,
    load_fixtures,
    parse_fixtures,
)
from codeexplore.features.lab.evaluation.judgements import (
    Judgement,
    Judgements,
    JudgingSession,
    Pool,
    PooledHit,
    consensus,
    make_pool,
    pooled_settings,
)
from codeexplore.features.lab.evaluation.kappa import Agreement, agreement, cohen_kappa, fleiss_kappa
from codeexplore.features.lab.evaluation.pictures import (
    Picture,
    Sweep,
    bootstrap_band,
    chunk_map,
    precision_recall,
    question_differences,
    rank_distributions,
    sweep,
    term_bars,
    word_pairs,
)
from codeexplore.features.lab.evaluation.results import (
    FURTHER_MEASURES,
    MEASURES,
    POOL_MEASURES,
    Evaluation,
    QuestionResult,
    Scores,
    SettingsTable,
    write_trec,
)
from codeexplore.features.lab.evaluation.run import Comparison, compare, evaluate, evaluate_settings
from codeexplore.features.lab.evaluation.setting import Setting, lane_subsets

__all__ = [
    "FURTHER_MEASURES",
    "MEASURES",
    "POOL_MEASURES",
    "Agreement",
    "Comparison",
    "Evaluation",
    "Fixtures",
    "Judgement",
    "Judgements",
    "JudgingSession",
    "Picture",
    "Pool",
    "PooledHit",
    "Question",
    "QuestionResult",
    "Scores",
    "Setting",
    "SettingsTable",
    "Sweep",
    "agreement",
    "bootstrap_band",
    "chunk_map",
    "cohen_kappa",
    "compare",
    "consensus",
    "evaluate",
    "evaluate_settings",
    "find_fixtures",
    "fleiss_kappa",
    "lane_subsets",
    "load_fixtures",
    "make_pool",
    "parse_fixtures",
    "pooled_settings",
    "precision_recall",
    "question_differences",
    "rank_distributions",
    "sweep",
    "term_bars",
    "word_pairs",
    "write_trec",
]
