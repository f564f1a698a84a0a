"""The opened "why" of a hit: every number adds up to the one above it, as it is shown."""

import re

import pytest

from codeexplore.answers.chain import chain
from codeexplore.answers.html.writer import Writer
from codeexplore.types import Filters
from tests.core.test_html_pages import Page

QUESTIONS = ("how are expired sessions handled?", "what calls validate_session?", "SessionManager", "checkout money")


def lines_of(hit, answer):
    markup = "".join(Writer().html(answer.summands(hit)))
    for end in ("</summary>", "</div>", "</pre>"):
        markup = markup.replace(end, f"\n{end}")
    return Page(markup).text.replace("−", "-").split("\n")


def numbers_at_end(lines):
    return [float(found[1]) for line in lines if (found := re.search(r"([+-]?\d+\.\d{4})(?: \(.*\))?$", line.strip()))]


@pytest.mark.parametrize("question", QUESTIONS)
def test_summands_add_up_to_the_score(webshop, question):
    answer = webshop.search(question)
    for hit in answer:
        lines = lines_of(hit, answer)
        summands = [float(line.split()[0]) for line in lines if re.match(r"[+-]\d\.\d{4}  ", line)]
        (total,) = (float(line.split()[0][1:]) for line in lines if line.startswith("=") and "  score" in line)
        assert sum(summands) == pytest.approx(total, abs=6e-5 * len(summands))


@pytest.mark.parametrize("question", QUESTIONS)
def test_terms_and_pairs_add_up_to_the_lanes_score(webshop, question):
    answer = webshop.search(question)
    seen = set()
    for hit in answer:
        lines = lines_of(hit, answer)
        for end in ("BM25 score, their sum", "cosine, their sum"):
            last = next((i for i, line in enumerate(lines) if line.startswith(end)), None)
            if last is None:
                continue
            first = max(i for i, line in enumerate(lines[:last]) if ", score " in line)
            *parts, total = numbers_at_end(lines[first + 1 : last + 1])
            assert sum(parts) == pytest.approx(total, abs=6e-5 * (len(parts) + 1))
            seen.add(end)
    assert "BM25 score, their sum" in seen


def test_the_way_through_the_graph_is_told(webshop):
    answer = webshop.search("what calls validate_session?", depth=2)
    told = "\n".join(line for hit in answer for line in lines_of(hit, answer))
    assert re.search(r"way: webshop\.\S+validate_session ← calls ← \S+ ← calls ← \S+, 2 hops", told)


@pytest.mark.parametrize("fusion", ["weighted-sum", "min-max", "z-score", "lexical-ppr", "rrf-pagerank"])
def test_other_fusions_show_their_formula(webshop, fusion):
    answer = webshop.search("expired sessions", fusion=fusion, filters=Filters(tests=False))
    told = "\n".join(lines_of(answer[0], answer))
    assert "weight" in told
    assert re.search(r", with .*weight 1\b", told)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("sessions sessions sessions expired", {"lanes": ["bm25"]}),
        ("how does somebody give their things back and see the money again?", {}),
        ("how are expired sessions handled?", {}),
    ],
)
def test_a_terms_score_is_recomputed_from_what_is_shown(webshop, question, options):
    shown = str(webshop.search(question, **options).explain(1))
    *_, k = re.search(r"K = k1 .* = ([\d.]+) · \(1 .* = ([\d.]+)$", shown, re.MULTILINE).groups()
    rows = re.findall(r"^ +\S+ +(\d+) +(\d+) +(\d\.\d{4})(?: +× (\d+))? +(\d+\.\d{4})$", shown, re.MULTILINE)
    assert rows
    for tf, _, idf, times, score in rows:
        share = int(times or 1) * float(idf) * int(tf) / (int(tf) + float(k))
        assert share == pytest.approx(float(score), abs=5e-4)
    assert bool(re.search(r" × \d", shown)) == any(times and int(times) > 1 for *_, times, _ in rows)


def test_the_steps_show_the_factor(webshop):
    answer = webshop.search("sessions sessions sessions expired", lanes=["bm25"])
    assert "(3 × sess)" in "\n".join(chain(answer)["lanes"].formula)
