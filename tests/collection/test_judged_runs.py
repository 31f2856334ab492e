"""Runs joined with judgments, and their pools, against loops over dicts and sets."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.measures.plain_reader import joined, qrels_of, run_of
from tests.refusals import refused
from topicset_core.collection.judged_runs import REMOVED, JudgmentIndex, join
from topicset_core.collection.qrels import Qrels
from topicset_core.collection.run import pooled_documents
from topicset_core.errors import InputError

# Ids of one to three words of 8 bytes, many of them prefixes of others, and some beyond ASCII.
IDS = [f"{start}{'x' * length}" for start in ("a", "b", "é") for length in (0, 6, 7, 8, 15, 16)]
TOPICS = ["2", "10", "é3", "4"]
RUNS = st.lists(
    st.dictionaries(
        st.sampled_from(TOPICS), st.lists(st.sampled_from(IDS), unique=True, min_size=1), min_size=1
    ),
    min_size=1,
    max_size=4,
)
JUDGMENTS = st.dictionaries(
    st.sampled_from(TOPICS), st.dictionaries(st.sampled_from(IDS), st.integers(-1, 3), min_size=1), min_size=1
)


@settings(max_examples=60)
@given(RUNS, JUDGMENTS)
def test_every_entry_against_a_loop(
    runs: list[dict[str, list[str]]], judgments: dict[str, dict[str, int]]
) -> None:
    runs = [{**run, next(iter(judgments)): IDS[:3]} for run in runs]  # each shares a topic
    together = joined(runs, judgments)
    judged = [(topic, document) for topic in judgments for document in judgments[topic]]
    assert together.systems == tuple(f"run{number}" for number in range(len(runs)))
    assert together.starts.size == together.n_cells + 1
    best: dict[tuple[str, str], int] = {}
    for row, topic in enumerate(judgments):
        for column, run in enumerate(runs):
            cell = row * len(runs) + column
            entries = slice(int(together.starts[cell]), int(together.starts[cell + 1]))
            results = [judged[index] for index in together.judgments[entries].tolist()]
            expected = [
                (rank, (topic, document))
                for rank, document in enumerate(run.get(topic, ()), start=1)
                if document in judgments[topic]
            ]
            assert list(zip(together.ranks[entries].tolist(), results, strict=True)) == expected
            assert (together.cells[entries] == cell).all()
            assert together.n_retrieved[row, column] == len(run.get(topic, ()))
            for rank, pair in expected:
                best[pair] = min(rank, best.get(pair, rank))
    assert together.best_ranks.tolist() == [best.get(pair, 0) for pair in judged]
    for column, run in enumerate(runs):
        assert set(together.unused_topics[column]) == set(run) - set(judgments)
        assert together.missing_topics[column] == tuple(topic for topic in judgments if topic not in run)
        top = [(topic, document) for topic in judgments for document in run.get(topic, ())[:2]]
        unjudged = [judgments[topic].get(document, -1) < 0 for topic, document in top]
        assert together.unjudged_shares(2)[column] == pytest.approx(np.mean(unjudged), abs=1e-15)


def test_unjudged_shares_of_other_grades() -> None:
    together = joined([{"1": ["a", "b", "c"]}, {"1": ["a"]}], {"1": {"a": 1, "b": 0}, "2": {"a": 1}})
    assert together.unjudged_shares().tolist() == pytest.approx([1 / 3, 0])
    grades = np.array([REMOVED, -1, 1], dtype=np.int16)
    assert together.unjudged_shares(grades=grades).tolist() == [1, 1]


def test_different_keys_never_match_by_hash_multipliers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were all documents of a topic to share one key, none may be taken for another."""
    index = JudgmentIndex(qrels_of({"1": {"a": 1}, "2": {"a": 1}}))
    key = index._sorted[0]
    topic = int(index._topics[index._order[0]])

    def one_key(_: JudgmentIndex, topics: np.ndarray, __: np.ndarray) -> np.ndarray:
        return np.full(topics.size, key)

    monkeypatch.setattr(JudgmentIndex, "_keys", one_key)
    documents = np.array([b"a", b"b", b"a" * 9, b"a"])
    topics = np.array([topic, topic, topic, 1 - topic], dtype=np.int32)
    assert index.find(documents, topics).tolist() == [int(index._order[0]), -1, -1, -1]


QRELS = qrels_of({"1": {"a": 1}}, "q")
TWICE = Qrels(
    name="q",
    topics=("1",),
    starts=np.array([0, 3]),
    documents=np.array([b"a", b"b", b"a"]),
    grades=np.array([1, 0, 1], dtype=np.int16),
)


@pytest.mark.parametrize(
    ("runs", "qrels", "parameter", "value"),
    [
        pytest.param([], QRELS, "runs", 0, id="none"),
        pytest.param([{"1": ["a"]}, {"1": ["a"]}], QRELS, "runs", "x", id="one-tag"),
        pytest.param([{"9": ["a"], "8": ["a"]}], QRELS, "runs", "x", id="other-topics"),
        pytest.param([{"1": ["a"]}], TWICE, "qrels", "q", id="document-twice"),
        pytest.param(
            [{"1": ["a"]}],
            replace(QRELS, grades=np.array([REMOVED], dtype=np.int16)),
            "grades",
            int(REMOVED),
            id="lowest-grade",
        ),
    ],
)
def test_refused(
    runs: list[dict[str, list[str]]],
    qrels: Qrels,
    parameter: str,
    value: object,
    golden: SnapshotAssertion,
) -> None:
    error = refused(join, [run_of(run, "x") for run in runs], qrels)
    assert (error.parameter, error.value) == (parameter, value)
    assert str(error) == golden


def test_digest_depends_on_judgments_and_runs_not_on_the_file_name() -> None:
    runs = [{"2": ["a", "b"], "10": ["b"]}, {"2": ["b"]}]
    judgments = {"2": {"a": 1, "b": 0}, "10": {"b": 2}}
    known = joined(runs, judgments)
    assert len(known.digest) == 64
    assert joined(runs, judgments).digest == known.digest
    renamed = replace(known, qrels=replace(known.qrels, name="another file"))
    assert renamed.digest == known.digest
    others = [
        joined(runs, judgments | {"10": {"b": 1}}),
        joined(runs, {"2": {"a": 1, "c": 0}, "10": {"b": 2}}),
        joined([{"2": ["b", "a"], "10": ["b"]}, {"2": ["b"]}], judgments),
        joined(runs[:1], judgments),
    ]
    assert len({known.digest, *(other.digest for other in others)}) == 5


def test_a_document_counts_once_from_its_best_rank_on() -> None:
    runs = [run_of({"1": ["x", "y", "z"], "2": ["p"]}, "a"), run_of({"1": ["y", "w"]}, "b")]
    pool = pooled_documents(runs, 3)
    assert pool.topics == ("1", "2")
    assert pool.sizes.tolist() == [[2, 3, 4], [1, 1, 1]]  # x y, then w, then z
    assert pool.documents_per_topic(2) == 2.0


_LISTS = st.lists(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True), min_size=1, max_size=5
)


@given(lists=_LISTS, depth=st.integers(1, 10))
def test_sizes_equal_those_of_plain_sets(lists: list[list[str]], depth: int) -> None:
    runs = [run_of({"1": ranked}, f"run{place}") for place, ranked in enumerate(lists)]
    sizes = pooled_documents(runs, depth).sizes[0].tolist()
    assert sizes == [len({one for ranked in lists for one in ranked[:k]}) for k in range(1, depth + 1)]


def test_invalid_pools_are_refused() -> None:
    run = run_of({"1": ["x"]}, "a")
    with pytest.raises(InputError, match="runs = 0: must be at least 1 run"):
        pooled_documents([], 10)
    with pytest.raises(InputError, match="pool_depth = 0: must be at least 1"):
        pooled_documents([run], 0)
    with pytest.raises(InputError, match="pool_depth = 4: must be from 1 to 3"):
        pooled_documents([run], 3).documents_per_topic(4)
