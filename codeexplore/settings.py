"""Default values, each with its unit and its reason. None changes at run time."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

MAX_FILE_BYTES: Final = 1_000_000
"""Bytes. Larger files are data or bundles far more often than something a person wrote."""

MAX_NOTEBOOK_BYTES: Final = 50_000_000
"""Bytes of an .ipynb file. Its outputs (pictures) are not indexed; its cells must fit in MAX_FILE_BYTES."""

MAX_FUNCTION_LINES: Final = 120
"""Lines. A longer function is split at statements: one vector or one BM25 length can't represent more."""

MAX_SECTION_LINES: Final = 60
"""Lines. Text sections shorter than MIN_SECTION_LINES merge with the next; longer ones are split at paragraphs."""

MIN_SECTION_LINES: Final = 5
"""Lines. A heading alone answers no question."""

RRF_K: Final = 60
"""Ranks. Cormack, Clarke and Büttcher 2009; 30 and 60 tie on our development data, 10 is worse."""

POOL: Final = 200
"""Hits a lane hands to fusion, whatever top_k: the first five must not depend on how many are asked for."""

CONTEXT_TIMES: Final = 2
"""Repetitions of a chunk's context in BM25: names and paths are better evidence than bodies. On our development
data 2 finds symbols best (MRR .382, .367 for 1, .375 for 3, both lanes fused); 3 finds files a little better."""

EMBEDDED_CONTEXT_TIMES: Final = 4
"""The same for the embedding lane, at least CONTEXT_TIMES: a mean over words has no saturation that would keep a long
body from outweighing a name. The bundled model is trained with 4; on packages kept out of training, 4 and 6 tie (mean
of three measures .444) and 2 is worse (.438)."""

BM25_K1: Final = 2.5
"""Dimensionless. Saturation of repeated terms. Prose engines take 1.2 to 1.5; in code a repeated name is the chunk's
subject, and 2.5 is better on our development data (symbols MRR .370 against .349)."""

BM25_B: Final = 0.75
"""0 to 1. How much a chunk's length counts against it; the value of Robertson and of every common engine."""

TOP_K: Final = 10
"""Hits in an answer."""

GREP_TOP_K: Final = 20
"""Symbols in a grep's answer: they take fewer lines than hits do, and are read through rather than compared."""

LANE_TIMEOUT: Final = 3.0
"""Seconds. A lane that takes longer is left behind and shown as timed out; the others still answer."""

MAX_QUESTION_CHARS: Final = 20_000
"""Characters. A longer question is cut, and the result reports it: its tail would only cost time."""

RESOLVED_CONFIDENCE: Final = 0.6
"""Edges below are "possible by name": shown apart and never counted as resolved."""

DAMPING: Final = 0.85
"""PageRank's damping factor, Brin and Page 1998."""

EDGE_WEIGHTS: Final = MappingProxyType(
    {
        "CALLS": 1.0,
        "CONTAINS": 0.9,
        "USES": 0.8,
        "IMPLEMENTS": 0.7,
        "EXTENDS": 0.7,
        "OVERRIDES": 0.7,
        "USES_TYPE": 0.6,
        "IMPORTS": 0.3,
        "MODULE": 0.3,
    }
)
"""How much of a walk an edge carries, before its confidence: a call binds closer than a shared module.
MODULE is CONTAINS from a module: being in the same file; USES_TYPE is USES with manner "type"."""

MAX_GRAPH_VERTICES: Final = 200
"""Symbols in a drawn or traversed neighbourhood; a person can't read more, and the number cut is reported."""
