"""Default values, each with its unit and its reason. No value changes at run time."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

MAX_FILE_BYTES: Final = 1_000_000
"""Bytes. Larger files are usually data or bundles, and rarely written by a person."""

MAX_RESOURCE_BYTES: Final = 200_000
"""Bytes of a file that is not code. Larger ones are mostly dumps, bundles and tables of data."""

MAX_DATA_BYTES: Final = 50_000
"""Bytes of a file in a format that mostly contains data if it is large: JSON, YAML, XML, text of unknown format."""

MAX_PARTS: Final = 2_000
"""Symbols of one file that is not code. More keys or selectors are a table of data; their text is still searched."""

MAX_NOTEBOOK_BYTES: Final = 50_000_000
"""Bytes of an .ipynb file. Its outputs (pictures) are not indexed; its cells must fit in MAX_FILE_BYTES."""

MAX_FUNCTION_LINES: Final = 120
"""Lines. A longer function is split between statements, because one vector can't represent more text well."""

MAX_SECTION_LINES: Final = 60
"""Lines. A longer section of a text file is split at paragraphs."""

MIN_SECTION_LINES: Final = 5
"""Lines. A shorter section of a text file is merged with the next one, because a heading alone answers no question."""

RRF_K: Final = 60
"""Ranks. Cormack, Clarke and Büttcher 2009; 30 and 60 tie on our development data, 10 is worse."""

POOL: Final = 200
"""Hits that each lane passes to fusion. The number does not depend on top_k, so that the first hits do not either."""

CONTEXT_TIMES: Final = 2
"""Repetitions of a chunk's context in BM25, because names and paths are better evidence than bodies. On our development
data, 2 finds symbols best (both lanes fused, MRR .382; .367 with 1, .375 with 3). 3 finds files a little better."""

EMBEDDED_CONTEXT_TIMES: Final = 4
"""Repetitions of a chunk's context for the embedding lane; at least CONTEXT_TIMES. The vector of a chunk is a mean over
its words. A mean has no saturation, so the words of a long body would outweigh the name. The bundled model is trained
with 4. On packages that are not in the training data, 4 and 6 are equal (mean of three measures .444) and 2 is worse
(.438)."""

BM25_K1: Final = 2.5
"""No unit. Saturation of repeated terms. Engines for prose take 1.2 to 1.5. In code, a repeated name is the subject
of a chunk, and 2.5 is better on our development data (symbols MRR .370 against .349)."""

BM25_B: Final = 0.75
"""0 to 1. Strength of the penalty for long chunks; the value of Robertson and of every common engine."""

TOP_K: Final = 10
"""Hits in an answer."""

GREP_TOP_K: Final = 20
"""Symbols in the answer of a grep. It is more than TOP_K, because a symbol takes fewer lines than a hit."""

LANE_TIMEOUT: Final = 3.0
"""Seconds. A lane that takes longer is displayed as timed out, and the answer is made by the other lanes."""

MAX_QUESTION_CHARS: Final = 20_000
"""Characters. A longer question is cut, and the result reports this. More text would only take time."""

RESOLVED_CONFIDENCE: Final = 0.6
"""0 to 1. Edges with a lower confidence are "possible by name": displayed separately and never counted as resolved."""

DAMPING: Final = 0.85
"""PageRank's damping factor, Brin and Page 1998."""

NUMBERS: Final = MappingProxyType(
    {
        "k1": f"saturation of repeated words in BM25 (default {BM25_K1})",
        "b": f"penalty of BM25 for long chunks, 0 to 1 (default {BM25_B})",
        "damping": f"PageRank's damping, for the fusions lexical-ppr and rrf-pagerank (default {DAMPING})",
    }
)
"""Numbers that a search may replace, each with its meaning."""

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
"""Weight of each kind of edge in a PageRank walk, multiplied by the edge's confidence. A call is a closer relation than
being in the same module. MODULE is a CONTAINS edge from a module; USES_TYPE is a USES edge with manner "type"."""

MAX_GRAPH_VERTICES: Final = 200
"""Symbols in a drawn or traversed neighbourhood. A person can't read more; the number left out is reported."""
