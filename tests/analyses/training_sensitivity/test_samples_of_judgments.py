"""Samples of judgments: as many percent of both kinds, topics left without a relevant document, pools assumed."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import simulated
from tests.measures.plain_reader import qrels_of, run_of
from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity import (
    Request,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.request import PAPER_LEVELS
from topicset_core.analyses.training_sensitivity.sampling import Sampler, stream
from topicset_core.collection import Run
from topicset_core.collection.run import without_parameters
from topicset_core.measures import measure_named
from topicset_core.parsing.trec.qrels import read_qrels


def _sampler(keep_one: bool = False, level: int = 1) -> Sampler:
    runs = simulated().runs
    return Sampler(runs.qrels, np.arange(runs.n_topics), level, 1, keep_one)


@pytest.mark.parametrize("percent", PAPER_LEVELS)
@pytest.mark.parametrize("level", [1, 2])
def test_equal_percentages_of_relevant_and_other_documents(percent: float, level: int) -> None:
    own = simulated().runs.qrels.grades
    grades = _sampler(level=level).sample(percent, 3)
    assert set(np.unique(grades[grades != own])) <= {-1}
    relevant = own >= level
    for kind in (relevant, ~relevant):
        assert (grades[kind] >= 0).sum() == int(kind.sum() * percent / 100 + 0.5)


def test_kept_documents_are_drawn_evenly() -> None:
    sampler = _sampler()
    drawn = np.zeros(sampler.qrels.grades.size)
    for number in range(400):
        drawn += sampler.sample(20.0, number) >= 0
    # Each document stays in a fifth: standard error .02, over five of them for the extremes of 6,000.
    assert np.abs(drawn / 400 - 0.2).max() < 0.11
    assert np.std(drawn / 400) == pytest.approx(0.02, rel=0.1)


def test_levels_less_than_a_percent_apart_have_other_samples() -> None:
    assert stream(1, 1.2, 0).random() == stream(1, 1.2, 0).random() != stream(1, 1.200001, 0).random()


def test_topics_lost_are_counted_and_one_relevant_can_be_kept(golden: SnapshotAssertion) -> None:
    sweep = simulated()
    tasks = split(usable_topics(sweep.runs), 0)
    lost = training_sensitivity(sweep, tasks, Request(levels=(1.0, 10.0), n_samples=4, seed=1))
    kept = training_sensitivity(sweep, tasks, Request(levels=(1.0, 10.0), n_samples=4, seed=1, keep_one=True))
    sampler = _sampler()
    for number in range(4):
        relevant = sampler.qrels.topic_of[sampler.sample(1.0, number) >= 1]
        assert lost.trained.n_lost[0, number] == 60 - np.unique(relevant).size
    assert (kept.trained.n_lost == 0).all()
    gained = kept.trained.n_relevant - lost.trained.n_relevant
    np.testing.assert_array_equal(gained, lost.trained.n_lost)
    assert len(set(kept.notes) - set(lost.notes)) == 1
    assert kept.notes == golden


def test_the_kept_one_is_any_of_the_relevant() -> None:
    sampler = _sampler(keep_one=True)
    seen = {
        document
        for number in range(200)
        for document in np.flatnonzero(sampler.sample(0.001, number) >= 1).tolist()
        if sampler.qrels.topic_of[document] == 0
    }
    relevant, _ = sampler.documents
    assert seen == set(relevant[sampler.qrels.topic_of[relevant] == 0].tolist())


def _runs(n_documents: int) -> list[Run]:
    documents = [f"d{number:03}" for number in range(n_documents)]
    return [run_of({"t": documents}, "up"), run_of({"t": documents[::-1]}, "down")]


def test_a_pool_is_assumed_where_hardly_any_document_is_judged_not_relevant(
    golden: SnapshotAssertion,
) -> None:
    qrels = qrels_of({"t": {"d005": 1, "a-document-with-a-longer-name": 2, "d007": 0}}, "made")
    sweep = sweep_of(_runs(250), qrels, without_parameters(["up", "down"]))
    own = sweep.runs.qrels
    assert sweep.assumed_depth == 100
    # First 100 of one run and of the other, 200 in all, two of them listed; and documents of no run.
    assert own.grades.size == 201
    assert dict(zip(own.documents.tolist(), own.grades.tolist(), strict=True))[b"d005"] == 1
    assert (own.grades == 0).sum() == 199
    assert b"d100" not in own.documents.tolist()
    (remark,) = sweep.notes
    assert numbers_in(remark) == [1, 1, 100, 2, 198]  # documents, topics; depth, runs, documents of the pool
    assert remark == golden


@pytest.mark.parametrize(
    ("n_zero", "n_negative", "n_documents", "depth"),
    [
        (10, 0, 20, None),
        (9, 0, 20, 100),
        # Grades below 0 are pooled and not judged.
        (9, 11, 30, 100),
        (10, 10, 30, None),
        (4, 0, 4, None),  # few, but nothing that runs found is unlisted
    ],
)
def test_ten_documents_judged_not_relevant_per_topic_are_enough(
    n_zero: int, n_negative: int, n_documents: int, depth: int | None
) -> None:
    grades = {f"d{number:03}": 0 if number < n_zero else -1 for number in range(n_zero + n_negative)}
    qrels, settings = qrels_of({"t": {"x": 1} | grades}), without_parameters(["up", "down"])
    sweep = sweep_of(_runs(n_documents), qrels, settings)
    assert (sweep.assumed_depth, len(sweep.notes)) == (depth, int(depth is not None))
    always = sweep_of(_runs(n_documents), qrels, settings, assumed_pool="always")
    assert always.runs.qrels.grades.size == n_documents + 1  # x is in no run


def test_an_assumed_pool_keeps_grades_by_intent() -> None:
    lines = "a 1 d003 1\na 2 d003 0\na 2 d150 2\na 1 d150 0\nb 1 d002 1\nb 3 d002 1\nb 3 d001 2\n"
    qrels = read_qrels("q", lines.encode()).qrels
    documents = [f"d{number:03}" for number in range(160)]
    runs = [
        run_of(dict.fromkeys("ab", ranked), tag)
        for tag, ranked in (("up", documents), ("down", documents[::-1]))
    ]
    settings = without_parameters(["up", "down"])
    listed = sweep_of(runs, qrels, settings, assumed_pool="never").runs
    pooled = sweep_of(runs, qrels, settings).runs
    assert pooled.qrels.grades.size == 2 * 160 > listed.qrels.grades.size
    # Documents that are not relevant to any intent make no difference to these measures.
    for name in ("alpha-nDCG@20", "nERR-IA@20", "D#-nDCG@20"):
        expected = measure_named(name).scores(listed)
        assert expected.max() > 0
        np.testing.assert_array_equal(measure_named(name).scores(pooled), expected)
