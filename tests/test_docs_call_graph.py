"""docs/call-graph.md: its examples hold, and its table of rules is that of the code.

``python -m tests.test_docs_call_graph`` writes the table anew.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from codeexplore.graph.build.rules import RULES
from codeexplore.graph.records import DEAD_KINDS
from codeexplore.types import EDGE_KINDS
from codeexplore.types.settings import RESOLVED_CONFIDENCE

PAGE = Path(__file__).parent.parent / "docs" / "call-graph.md"
TABLE = re.compile(r"(?s)(<!-- rules: [^\n]*-->\n).*?(<!-- /rules -->)")


def rules_table() -> str:
    """Every rule with its confidence and what was measured, surest first."""
    rows = []
    for rule in sorted(RULES.values(), key=lambda rule: -rule.confidence):
        seen = f"{rule.seen:,} of {rule.measured:,}" if rule.measured else ""
        rows.append(f"| `{rule.key}` | {rule.confidence:.2f} | {seen} | {rule.words} |")
    return "\n".join(["| rule | confidence | seen | because |", "|---|---|---|---|", *rows]) + "\n"


def test_the_table_of_rules_is_that_of_the_code() -> None:
    text = PAGE.read_text("utf-8")
    assert TABLE.sub(lambda match: match[1] + rules_table() + match[2], text) == text, (
        "python -m tests.test_docs_call_graph"
    )


def test_the_examples_hold() -> None:
    text = re.sub(r"(?m)^```(?:python)?$", "", PAGE.read_text("utf-8"))  # an expected output ends at a blank line
    example = doctest.DocTestParser().get_doctest(text, {}, "call-graph.md", str(PAGE), 0)
    failures: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(example, out=failures.append)
    assert result.attempted > 20
    assert result.failed == 0, "".join(failures)


def test_every_name_on_the_page_exists() -> None:
    text = PAGE.read_text("utf-8")
    assert all(kind in text for kind in EDGE_KINDS)
    assert all(f"| `{kind}` |" in text for kind in DEAD_KINDS)
    assert f"below {RESOLVED_CONFIDENCE}" in text
    for name in ("callees", "types overrides", "survey dead-code", "entry-points", "communities"):
        assert f"`{name}`" in text


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    PAGE.write_text(TABLE.sub(lambda match: match[1] + rules_table() + match[2], page), "utf-8", newline="\n")
