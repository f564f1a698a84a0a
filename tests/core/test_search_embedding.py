from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.search.lanes import embedding as embedding_module
from codeexplore.search.lanes.embedding import EmbeddingLane, embed_chunks, embedded_text
from codeexplore.search.lanes.encoder import Encoder
from codeexplore.text.word_counts import count_words
from codeexplore.types import Chunk, Hit
from tests.doubles import make_catalog
from tests.lane_chunks import make_chunk, make_plan, stdlib_chunks
from tests.lane_models import ODD_TEXTS, bundled, punctuation_tokenizer, tiny_model

QUESTIONS = (
    "how is a header parsed?",
    "copyFileTree",
    "remove a directory and everything in it",
    "the the THE the header",
)


def lane_over(chunks: tuple[Chunk, ...] | list[Chunk], encoder: Encoder | None = None) -> EmbeddingLane:
    encoder, catalog = encoder or bundled(), make_catalog([], chunks)
    vectors = embed_chunks(chunks, [chunk.context for chunk in chunks], count_words(chunks), encoder)
    return EmbeddingLane(catalog, vectors, lambda: encoder)


def texts_lane(*texts: str) -> EmbeddingLane:
    return lane_over([make_chunk(str(row), text) for row, text in enumerate(texts)])


@pytest.fixture(scope="module")
def lane() -> EmbeddingLane:
    return lane_over(stdlib_chunks())


def ask(lane: EmbeddingLane, question: str, pool: int = 200, allowed: np.ndarray | None = None) -> list[Hit]:
    return list(lane.retrieve(make_plan(question), pool, allowed))


def test_counts_times_vectors_equal_model2vecs_own_encode(lane: EmbeddingLane) -> None:
    texts = [embedded_text(chunk) for chunk in stdlib_chunks()]
    assert any(len(text) > 20_000 for text in texts)  # far beyond the 512 tokens where model2vec cuts by default
    np.testing.assert_allclose(lane.embeddings, bundled()._model.encode(texts, max_length=None), atol=1e-5)


def test_odd_texts_equal_model2vecs_own_encode() -> None:
    expected = bundled()._model.encode(list(ODD_TEXTS), max_length=None)
    np.testing.assert_allclose(texts_lane(*ODD_TEXTS).embeddings, expected, atol=1e-5)


def test_a_model_that_is_not_separable_encodes_each_text(tmp_path: Path) -> None:
    encoder = Encoder.load(tiny_model(tmp_path, punctuation_tokenizer()))
    assert not encoder.separable
    chunks = [make_chunk(str(row), text) for row, text in enumerate(["get(key)", "get key", "self.items", "unknown"])]
    lane = lane_over(chunks, encoder)
    expected = encoder._model.encode([chunk.text for chunk in chunks], max_length=None, normalize=True)
    np.testing.assert_allclose(lane.embeddings, expected, atol=1e-6)
    assert not np.allclose(lane.embeddings[0], lane.embeddings[1])
    plan = make_plan("get(the) key")
    hits = lane.retrieve(plan, 10)
    assert hits
    for hit in hits:
        pairs = lane.explain(plan, hit.chunk_id)
        assert sum(pair.value for pair in pairs) == pytest.approx(hit.score, abs=1e-6)
        assert {pair.query_word for pair in pairs} <= {"get", "(", "the", ")", "key"}


def test_embeddings_are_unit_rows(lane: EmbeddingLane) -> None:
    assert lane.embeddings.shape == (len(stdlib_chunks()), 256)
    assert lane.embeddings.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(lane.embeddings, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("question", QUESTIONS)
def test_scores_are_cosines(lane: EmbeddingLane, question: str) -> None:
    chunks = stdlib_chunks()
    hits = ask(lane, question, pool=len(chunks))
    cosines = bundled().encode_texts([embedded_text(chunk) for chunk in chunks]) @ bundled().encode_text(question)
    expected = {chunk.id: cosine for chunk, cosine in zip(chunks, cosines.tolist(), strict=True)}
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.chunk_id], abs=1e-5)
    assert len(hits) == pytest.approx(np.count_nonzero(cosines > 0), abs=2)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


@pytest.mark.parametrize("question", QUESTIONS)
def test_explanations_add_up(lane: EmbeddingLane, question: str) -> None:
    plan = make_plan(question)
    for hit in lane.retrieve(plan, 30):
        pairs = lane.explain(plan, hit.chunk_id)
        assert sum(pair.value for pair in pairs) == pytest.approx(hit.score, abs=1e-6)
        strengths = [abs(pair.value) for pair in pairs if pair.query_word != "…"]
        assert strengths == sorted(strengths, reverse=True)
        assert (
            len({(pair.query_word, pair.chunk_word) for pair in pairs}) == len(pairs) <= embedding_module.MAX_PAIRS + 1
        )


def test_the_strongest_pair_says_why() -> None:
    lane = texts_lane("def remove(path): os.unlink(path)", "def parse(text): return json.loads(text)")
    plan = make_plan("delete files")
    assert ask(lane, "delete files")[0].chunk_id == "0"
    assert lane.explain(plan, "0")[0][:2] in {("delete", "remove"), ("files", "path"), ("delete", "unlink")}
    with pytest.raises(KeyError):
        lane.explain(plan, "unknown")
    assert lane.explain(make_plan("…"), "0") == ()


def test_pairs_beyond_the_limit_become_one(lane: EmbeddingLane, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan("how is the header of a response parsed")
    hit = ask(lane, plan.text)[0]
    everything = lane.explain(plan, hit.chunk_id)
    monkeypatch.setattr(embedding_module, "MAX_PAIRS", 10)
    some = lane.explain(plan, hit.chunk_id)
    assert some[:10] == everything[:10]
    assert some[10][:2] == ("…", "…")
    assert len(some) == 11
    assert sum(pair.value for pair in some) == pytest.approx(hit.score, abs=1e-6)


def test_chunks_without_a_known_word_are_never_returned() -> None:
    lane = texts_lane("日本語", "file", "…", "")
    assert [hit.chunk_id for hit in ask(lane, "open the file")] == ["1"]
    assert not lane.embeddings[[0, 2, 3]].any()


@pytest.mark.parametrize("question", ["", "…", "日本語", "_"])
def test_a_question_without_a_known_word_has_no_hits(lane: EmbeddingLane, question: str) -> None:
    assert ask(lane, question) == []


@pytest.mark.parametrize("texts", [(), ("",)])
def test_nothing_to_find_anything_in(texts: tuple[str, ...]) -> None:
    lane = texts_lane(*texts)
    assert lane.embeddings.shape == (len(texts), 256)
    assert ask(lane, "anything") == []


def test_ties_come_in_index_order_for_every_pool() -> None:
    lane = texts_lane("order", *["parse the header of a response"] * 300, "parse header")
    everything = ask(lane, "how is a header parsed", pool=1000)
    twins = [int(hit.chunk_id) for hit in everything if 1 <= int(hit.chunk_id) <= 300]
    assert twins == list(range(1, 301))
    for pool in (0, 1, 2, 5, 100, 301):
        assert ask(lane, "how is a header parsed", pool=pool) == everything[:pool]


def test_the_mask_is_honoured_before_the_pool_is_cut(lane: EmbeddingLane) -> None:
    chunks = stdlib_chunks()
    allowed = np.array([chunk.path == "textwrap" for chunk in chunks])
    hits = ask(lane, "parse the http header", pool=5, allowed=allowed)
    assert len(hits) == 5
    assert {lane._catalog.chunk(hit.chunk_id).path for hit in hits} == {"textwrap"}
    everything = [hit for hit in ask(lane, "parse the http header", pool=10_000) if hit.chunk_id.startswith("textwrap")]
    assert [(hit.chunk_id, hit.score) for hit in hits] == [(hit.chunk_id, hit.score) for hit in everything[:5]]
    assert ask(lane, "parse", allowed=np.zeros(len(chunks), bool)) == []


def test_stored_embeddings_are_taken_as_they_are(lane: EmbeddingLane) -> None:
    chunks = stdlib_chunks()
    catalog = make_catalog([], chunks)
    again = EmbeddingLane(catalog, np.ascontiguousarray(lane.embeddings), bundled)
    assert ask(again, "parse a header") == ask(lane, "parse a header")
    with pytest.raises(ValueError, match="embeddings of shape"):
        EmbeddingLane(catalog, lane.embeddings[:5], bundled)
    with pytest.raises(ValueError, match="rows of word counts"):
        embed_chunks(chunks, (), count_words(chunks[:5]), bundled())


def test_a_question_of_100_kilobytes(lane: EmbeddingLane) -> None:
    question = "parse the header of an http response " * 3000
    expected = [hit.chunk_id for hit in ask(lane, "parse the header of an http response", pool=10)]
    assert [hit.chunk_id for hit in ask(lane, question, pool=10)] == expected


WORDS = st.lists(st.sampled_from(["open", "file", "parse", "Header", "getItem", "日本", "delete"]), max_size=5).map(
    " ".join
)


@given(st.lists(WORDS, max_size=10), WORDS, st.integers(0, 12))
@settings(max_examples=50)
def test_rankings_keep_their_order_whatever_the_pool(texts: list[str], question: str, pool: int) -> None:
    lane = texts_lane(*texts)
    hits = ask(lane, question, pool=100)
    assert ask(lane, question, pool=pool) == hits[:pool]
    assert [(-hit.score, int(hit.chunk_id)) for hit in hits] == sorted((-hit.score, int(hit.chunk_id)) for hit in hits)
    for hit in hits:
        pairs = lane.explain(make_plan(question), hit.chunk_id)
        assert sum(pair.value for pair in pairs) == pytest.approx(hit.score, abs=1e-6)
