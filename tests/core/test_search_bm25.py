import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.search.lanes.bm25 import Bm25Lane, NumberedTokens, postings_of, token_counts
from codeexplore.search.lanes.rows import best_rows, least_of_best
from codeexplore.text.tokens import tokenize, tokenize_question
from codeexplore.text.word_counts import count_words, indexed_text
from codeexplore.types import Chunk, Hit
from codeexplore.types.settings import BM25_B, BM25_K1
from tests.doubles import make_catalog
from tests.lane_chunks import make_chunk, make_plan, postings, stdlib_chunks

QUESTIONS = (
    "HTTPConnection",
    "how is a header parsed?",
    "copy a tree of files and keep their metadata",
    "self return def import the",
    "json json JSON string string",
    "what zqxj_unknown does with a response",
)


def lane_over(chunks: tuple[Chunk, ...] | list[Chunk], **parameters: float) -> Bm25Lane:
    return Bm25Lane(make_catalog([], chunks), postings(chunks), **parameters)


def texts_lane(*texts: str) -> Bm25Lane:
    return lane_over([make_chunk(str(row), text) for row, text in enumerate(texts)])


@pytest.fixture(scope="module")
def lane() -> Bm25Lane:
    return lane_over(stdlib_chunks())


def ask(lane: Bm25Lane, question: str, pool: int = 200, allowed: np.ndarray | None = None) -> list[Hit]:
    return list(lane.retrieve(make_plan(question, tuple(tokenize_question(question))), pool, allowed))


@pytest.mark.parametrize("parameters", [{}, {"k1": 0.9, "b": 0.4}, {"b": 0.0}, {"k1": 0.0}])
def test_scores_are_those_of_bm25s(parameters: dict[str, float]) -> None:
    chunks = stdlib_chunks()
    reference = bm25s.BM25(method="lucene", dtype="float64", **{"k1": BM25_K1, "b": BM25_B, **parameters})
    reference.index([tokenize(indexed_text(chunk)) for chunk in chunks], show_progress=False)
    lane = lane_over(chunks, **parameters)
    for question in QUESTIONS:
        tokens = lane.asked(make_plan(question, tuple(tokenize_question(question))))
        expected = reference.get_scores(tokens)
        hits = ask(lane, question, pool=len(chunks))
        assert {hit.chunk_id for hit in hits} == {
            chunk.id for chunk, score in zip(chunks, expected, strict=True) if score
        }
        found = {hit.chunk_id: hit.score for hit in hits}
        assert len(found) == np.count_nonzero(expected)
        for chunk, score in zip(chunks, expected.tolist(), strict=True):
            assert found.get(chunk.id, 0.0) == pytest.approx(score, rel=1e-6)


def test_it_finds_what_was_asked_for(lane: Bm25Lane) -> None:
    assert all(hit.chunk_id.startswith("http.client.") for hit in ask(lane, "HTTPConnection")[:5])
    assert "copytree:" in ask(lane, "copytree")[0].chunk_id
    assert ask(lane, "how is a whole directory tree removed")[0].chunk_id.startswith("shutil.")


@pytest.mark.parametrize("question", QUESTIONS)
def test_explanations_add_up(lane: Bm25Lane, question: str) -> None:
    plan = make_plan(question, tuple(tokenize_question(question)))
    for hit in lane.retrieve(plan, 50):
        terms = lane.explain(plan, hit.chunk_id)
        assert [term.term for term in terms] == list(dict.fromkeys(lane.asked(plan)))
        assert sum(term.score for term in terms) == pytest.approx(hit.score, rel=1e-6)
        for term in terms:
            assert (term.score > 0) == (term.tf > 0)
            assert (term.df > 0) == (term.idf > 0)


def test_whole_files_have_the_scores_of_bm25s_over_files() -> None:
    chunks = stdlib_chunks()
    paths = list(dict.fromkeys(chunk.path for chunk in chunks))
    texts = [[token for c in chunks if c.path == path for token in tokenize(indexed_text(c))] for path in paths]
    reference = bm25s.BM25(method="lucene", dtype="float64", k1=BM25_K1, b=BM25_B)
    reference.index(texts, show_progress=False)
    lane, files = lane_over(chunks), np.array([paths.index(chunk.path) for chunk in chunks])
    for question in QUESTIONS:
        tokens = tuple(tokenize_question(question))
        found = lane.file_scores(tokens, files, len(paths))
        contained = lane.files_containing(tokens, files, len(paths))
        there = [token for token in dict.fromkeys(tokens) if lane.holds(token)]
        repeated = [token for token in tokens if lane.holds(token)]
        expected = reference.get_scores(repeated) if repeated else np.zeros(len(paths))
        assert found == pytest.approx(expected, rel=1e-6)
        total = sum(lane.idf(token) for token in dict.fromkeys(tokens)) or 1.0
        for text, share in zip(texts, contained.tolist(), strict=True):
            assert share == pytest.approx(sum(lane.idf(token) for token in there if token in text) / total)


def test_neighbouring_words_are_looked_for_joined() -> None:
    lane = texts_lane("copytree(source)", "copy a tree", "tree copy")
    plan = make_plan("copy the tree", tuple(tokenize_question("copy the tree")))
    assert lane.asked(plan) == ["copy", "tree", "copytree"]
    assert "0" in [hit.chunk_id for hit in lane.retrieve(plan, 9)]
    assert [term.score > 0 for term in lane.explain(plan, "0")] == [False, False, True]


def test_explanation_counts_what_is_there() -> None:
    lane = texts_lane("retry the retries", "retry", "order")
    plan = make_plan("retry retry nowhere", ("retry", "retry", "nowher"))
    retry, nowhere = lane.explain(plan, "0")
    assert (retry.term, retry.tf, retry.df, retry.times) == ("retry", 2, 2, 2)
    assert retry.idf == pytest.approx(np.log(1 + 1.5 / 2.5))
    assert nowhere == ("nowher", 0, 0, 0.0, 0.0, 1)
    _, length, average, k1, b = lane.length_of("0")
    k = k1 * (1 - b + b * length / average)
    assert retry.score == pytest.approx(retry.times * retry.idf * retry.tf / (retry.tf + k))
    assert {term.score for term in lane.explain(plan, "2")} == {0.0}
    with pytest.raises(KeyError):
        lane.explain(plan, "unknown")


def test_chunks_without_a_term_are_never_returned() -> None:
    lane = texts_lane("alpha beta", "beta", "gamma")
    assert [hit.chunk_id for hit in ask(lane, "alpha", pool=3)] == ["0"]
    assert ask(lane, "delta") == []
    assert ask(lane, "") == []
    assert ask(lane, "—…") == []


def test_a_term_that_every_chunk_holds_still_scores() -> None:
    assert len(ask(texts_lane("self a", "self b"), "self")) == 2


def test_ties_come_in_index_order() -> None:
    lane = texts_lane(*["same text"] * 5, "same text but longer")
    assert [hit.chunk_id for hit in ask(lane, "text")] == ["0", "1", "2", "3", "4", "5"]
    assert [hit.chunk_id for hit in ask(lane, "text", pool=3)] == ["0", "1", "2"]


def test_the_mask_is_honoured_before_the_pool_is_cut() -> None:
    lane = texts_lane("order order", "order x", "order x y", "none")
    allowed = np.array([False, False, True, True])
    assert [hit.chunk_id for hit in ask(lane, "order", pool=1, allowed=allowed)] == ["2"]
    assert ask(lane, "order", allowed=np.zeros(4, bool)) == []


@pytest.mark.parametrize("texts", [(), ("",), ("", "…", "_")])
def test_nothing_to_find_anything_in(texts: tuple[str, ...]) -> None:
    assert ask(texts_lane(*texts), "anything") == []


def test_a_smaller_pool_is_the_beginning_of_a_larger_one(lane: Bm25Lane) -> None:
    everything = ask(lane, "read the file", pool=10_000)
    assert [hit.rank for hit in everything] == list(range(1, len(everything) + 1))
    assert len({hit.chunk_id for hit in everything}) == len(everything)
    for pool in (0, 1, 7, 50):
        assert ask(lane, "read the file", pool=pool) == everything[:pool]


def test_identifiers_match_in_any_spelling() -> None:
    lane = texts_lane("maxRetryCount = 3", "max_retry_count = 3", "MAX_RETRY_COUNT", "retry", "größeBerechnen()")
    assert {hit.chunk_id for hit in ask(lane, "MaxRetryCount")[:3]} == {"0", "1", "2"}
    assert ask(lane, "GrößeBerechnen")[0].chunk_id == "4"
    assert ask(lane, "wie wird die größe berechnet")[0].chunk_id == "4"


def test_a_question_of_100_kilobytes(lane: Bm25Lane) -> None:
    assert ask(lane, "parse the header of an http response " * 3000)


def test_counts_of_other_chunks_are_refused() -> None:
    chunks = [make_chunk("0", "a")]
    with pytest.raises(ValueError, match="word counts of 2 chunks for a catalog of 1"):
        Bm25Lane(make_catalog([], chunks), postings(chunks * 2))


def test_postings_do_not_depend_on_the_order_in_which_parts_come() -> None:
    chunks = stdlib_chunks()
    parts = [chunks[start : start + 300] for start in range(0, len(chunks), 300)]
    tokens = NumberedTokens()
    come = {number: token_counts(count_words(parts[number]), tokens) for number in reversed(range(len(parts)))}
    found, expected = postings_of([come[number] for number in sorted(come)], tokens), postings(chunks)
    assert list(found.tokens) == list(expected.tokens)
    assert found.tokens != list(tokens.number)  # these came in another order
    for name in ("indptr", "rows", "times", "lengths"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        assert getattr(found, name).dtype == getattr(expected, name).dtype


WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "Alpha", "alphaBeta"]), max_size=8).map(" ".join)


@given(st.lists(WORDS, max_size=12), WORDS, st.integers(1, 12))
@settings(max_examples=60)
def test_rankings_keep_their_order_whatever_the_pool(texts: list[str], question: str, pool: int) -> None:
    lane = texts_lane(*texts)
    hits = ask(lane, question, pool=100)
    assert ask(lane, question, pool=pool) == hits[:pool]
    assert [(-hit.score, int(hit.chunk_id)) for hit in hits] == sorted((-hit.score, int(hit.chunk_id)) for hit in hits)
    wanted = set(tokenize_question(question))
    assert {hit.chunk_id for hit in hits} == {str(i) for i, text in enumerate(texts) if wanted & set(tokenize(text))}


@given(st.data())
def test_best_rows_is_a_sort_cut_short(data: st.DataObject) -> None:
    scores = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 0.25, 1.0, -1.0]), max_size=30)))
    masks = st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)).map(lambda rows: np.array(rows, bool))
    candidates, allowed = data.draw(masks), data.draw(st.one_of(st.none(), masks))
    pool = data.draw(st.integers(0, 31))
    wanted = [row for row in range(len(scores)) if candidates[row] and (allowed is None or allowed[row])]
    wanted.sort(key=lambda row: (-scores[row], row))
    assert best_rows(scores, candidates, pool, allowed).tolist() == wanted[:pool]


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, -1.0]), max_size=120), st.integers(1, 60))
def test_the_least_of_the_best_is_told_by_a_sample(values: list[float], pool: int) -> None:
    found = least_of_best(np.array(values), pool)
    assert found == (sorted(values, reverse=True)[pool - 1] if pool < len(values) else -np.inf)
