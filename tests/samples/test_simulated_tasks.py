"""The simulated tasks and the sweep against their documentation; their numbers are in the golden record."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refused
from tests.variance.matrices import of
from tests.words import numbers_in
from topicset_core.collection import Qrels, Run, ScoreMatrix
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.samples import simulated_diversity_track, simulated_task, simulated_track
from topicset_core.samples.simulated import DEFAULT_SEED
from topicset_core.samples.simulated_runs import POOL_DEPTH
from topicset_core.samples.simulated_sweep import OPTIMUM, VALUES, simulated_sweep
from topicset_core.variance import one_way, two_way


@pytest.fixture(scope="module")
def task() -> tuple[ScoreMatrix, ...]:
    return simulated_task()


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.corrcoef(first.ravel(), second.ravel())[0, 1])


def test_names_and_shapes(task: tuple[ScoreMatrix, ...], golden: SnapshotAssertion) -> None:
    measures = ["AP", "nDCG@10", "RR"]
    assert [(*numbers_in(matrix.name), matrix.measure) for matrix in task] == [
        (number, measure) for number in (1, 2) for measure in measures
    ]
    assert "\n".join(matrix.name for matrix in task) == golden
    for index, matrix in enumerate(task):
        assert matrix.scores.shape == (50, 20)
        assert matrix.systems == tuple(f"sim{number:02d}" for number in range(1, 21))
        assert matrix.topics == tuple(f"{1 + index // 3}-{number:02d}" for number in range(1, 51))
        assert matrix.scores.min() >= 0
        assert matrix.scores.max() <= 1
        assert np.array_equal(matrix.scores, np.round(matrix.scores, 4))


def test_measures_correlate_as_documented(task: tuple[ScoreMatrix, ...]) -> None:
    """About .87 between AP and nDCG@10, .6 with RR; run means .86 to .99. As in the module's docstring."""
    for average_precision, gain, reciprocal_rank in (task[:3], task[3:]):
        assert correlation(average_precision.scores, gain.scores) == pytest.approx(0.87, abs=0.03)
        for other in (average_precision, gain):
            assert correlation(other.scores, reciprocal_rank.scores) == pytest.approx(0.6, abs=0.05)
            means = correlation(other.scores.mean(axis=0), reciprocal_rank.scores.mean(axis=0))
            assert 0.855 <= means <= 0.99


def test_more_than_half_of_the_reciprocal_ranks_are_one(task: tuple[ScoreMatrix, ...]) -> None:
    for matrix in (task[2], task[5]):
        assert 0.5 < np.mean(matrix.scores == 1) < 0.6
        # All of them 1 / k, to the 4 decimals kept.
        ranks = np.round(1 / matrix.scores[matrix.scores > 0.02])
        assert np.abs(1 / ranks - matrix.scores[matrix.scores > 0.02]).max() < 5.001e-5


Sample = tuple[list[Run], Qrels]
Track = Callable[..., Sample]


@pytest.fixture(scope="module")
def sample() -> Sample:
    return simulated_track()


@pytest.mark.parametrize(
    ("simulated", "name", "grades"),
    [
        (simulated_track, "Simulated judgments", {0, 1, 2}),
        (simulated_diversity_track, "Simulated diversity", {0, 1, 2, 3}),
    ],
)
def test_both_tasks_are_as_documented(simulated: Track, name: str, grades: set[int]) -> None:
    """20 runs of 8 teams, 50 topics, scores that fall within a topic; judged is the pool of depth 50."""
    runs, qrels = simulated()
    assert [run.tag for run in runs][:5] == ["simA-1", "simA-2", "simA-3", "simA-4", "simB-1"]
    assert (len(runs), len({run.tag.split("-")[0] for run in runs})) == (20, 8)
    assert qrels.name == name
    assert qrels.topics == tuple(f"{number:02d}" for number in range(1, 51))
    assert set(np.unique(qrels.grades).tolist()) == grades
    pools: list[set[bytes]] = [set() for _ in range(50)]
    for run in runs:
        assert run.topics == qrels.topics
        assert run.depths.tolist() == [100] * 50
        assert run.n_tied == 0
        assert run.scores is not None
        assert (np.diff(run.scores.reshape(50, 100), axis=1) < 0).all()
        for index, documents in enumerate(run.documents.reshape(50, 100)):
            assert np.unique(documents).size == 100
            assert all(document.startswith(qrels.topics[index].encode()) for document in documents.tolist())
            pools[index] |= set(documents[:50].tolist())
    for index, pool in enumerate(pools):
        judged = qrels.documents[qrels.starts[index] : qrels.starts[index + 1]].tolist()
        assert len(judged) == len(pool)
        assert set(judged) == pool


def test_runs_of_a_team_share_more_documents(sample: Sample) -> None:
    runs, _ = sample
    results = [set(run.documents.tolist()) for run in runs]
    team = [run.tag.split("-")[0] for run in runs]
    same: list[float] = []
    other: list[float] = []
    for first in range(20):
        for second in range(first):
            shared = len(results[first] & results[second]) / 5000
            (same if team[first] == team[second] else other).append(shared)
    assert np.mean(same) > np.mean(other) + 0.05


def digests(sample: tuple[Any, ...]) -> list[str]:
    """One of each matrix, or of the judged runs."""
    return [one.digest for one in (sample if isinstance(sample[0], ScoreMatrix) else [join(*sample[:2])])]


@pytest.mark.parametrize(
    "simulated", [simulated_task, simulated_track, simulated_diversity_track, simulated_sweep]
)
def test_the_seed_determines_the_sample(simulated: Track) -> None:
    assert digests(simulated(7)) == digests(simulated(np.int64(7)))
    assert not set(digests(simulated(7))) & set(digests(simulated(8)))


def test_the_default_seed_is_that_of_the_documentation(task: tuple[ScoreMatrix, ...]) -> None:
    assert simulated_task(DEFAULT_SEED) == task


@pytest.mark.parametrize(
    "simulated", [simulated_task, simulated_track, simulated_diversity_track, simulated_sweep]
)
@pytest.mark.parametrize("seed", [-1, 1.5, True, None, "16"])
def test_refuses_invalid_seeds(simulated: Track, seed: object, golden: SnapshotAssertion) -> None:
    error = refused(simulated, seed)
    assert (error.parameter, error.value) == ("seed", seed)
    assert str(error) == golden


@pytest.fixture(scope="module")
def diverse() -> Sample:
    return simulated_diversity_track()


def test_variances_resemble_those_of_real_tasks(sample: Sample, diverse: Sample) -> None:
    """AP of TREC-8 has .0401 and .0136 (129 runs), of Robust 2003's new topics .0480 and .0132 (78)."""
    scores = of(measure_named("AP").scores(join(*sample)))
    assert 0.038 < one_way(scores) < 0.050
    assert 0.012 < two_way(scores) < 0.016
    # From the generators themselves.
    assert (sample[1].documents.size, diverse[1].documents.size) == (10_255, 7_885)
    # As Sakai 2016, section 6.2, on table 6 (c): D-nDCG fewest, alpha-nDCG and nERR-IA more than twice as many.
    graded = GradedRuns(join(*diverse))
    names = ("D-nDCG@10", "D#-nDCG@10", "I-rec@10", "alpha-nDCG@10", "nERR-IA@10")
    fewest, *others = [one_way(of(measure_named(name).scores_of(graded))) for name in names]
    assert fewest < min(others)
    assert 2 * fewest < min(others[2:])


def test_intents_are_as_documented(diverse: Sample) -> None:
    _, qrels = diverse
    intents = qrels.intents
    assert intents is not None
    assert intents.probabilities is not None
    counts = np.diff(intents.starts)
    assert counts.min() >= 1  # an intent of which nothing was pooled is not known
    assert counts.max() == 6
    of_topic = np.bincount(intents.topic_of, intents.probabilities)
    # All intents of a topic together are 1, in thousandths; those not known are missing from it.
    assert of_topic.max() == pytest.approx(1, abs=1e-12)
    assert (of_topic > 0.6).all()
    assert np.allclose(
        intents.probabilities * 1000, np.round(intents.probabilities * 1000), rtol=0, atol=1e-9
    )
    # Grades 1, 2, 3 with probabilities .8, .15, .05 in about 2,000 pairs: four standard deviations.
    shares = np.bincount(intents.grades, minlength=4)[1:] / intents.grades.size
    assert shares == pytest.approx([0.8, 0.15, 0.05], abs=4 * np.sqrt(0.16 / 2000))
    several = np.bincount(intents.judgments)
    assert 0.05 < (several > 1).sum() / (several > 0).sum() < 0.35


def test_sizes_and_the_pool() -> None:
    runs, qrels, settings = simulated_sweep()
    assert (len(runs), qrels.n_topics) == (21, 60)
    assert settings.systems == tuple(run.tag for run in runs)
    assert settings.values.ravel().tolist() == list(VALUES)
    assert all((run.depths == 100).all() for run in runs)
    for run in runs:
        for topic in range(60):
            judged = set(qrels.documents[qrels.starts[topic] : qrels.starts[topic + 1]].tolist())
            first = run.documents[run.starts[topic] : run.starts[topic] + POOL_DEPTH]
            assert judged.issuperset(first.tolist())
    best = join(runs, qrels).best_ranks
    assert best.min() >= 1
    assert best.max() <= POOL_DEPTH  # nothing else was judged
    assert refused(simulated_sweep, 0, 1).parameter == "n_topics"


@pytest.fixture(scope="module")
def thousand_topics() -> JudgedRuns:
    runs, qrels, _ = simulated_sweep(5, n_topics=1000)
    return join(runs, qrels)


@pytest.mark.parametrize("name", ["AP", "bpref", "infAP", "nDCG", "P@10"])
def test_the_optimum_is_in_the_middle_by_every_measure(name: str, thousand_topics: JudgedRuns) -> None:
    scores = measure_named(name).scores(thousand_topics)
    means = scores.mean(axis=0)
    middle = VALUES.index(OPTIMUM)
    # Of two settings so far from it as this, the nearer is better: falls of several standard errors.
    for nearer, farther in ((0, 3), (3, 6), (6, 10)):
        for side in (-1, 1):
            assert means[middle + side * nearer] > means[middle + side * farther]
    # Equal on both sides: the difference of mirrored settings within four of its standard errors.
    for step in range(1, 11):
        mirrored = scores[:, middle + step] - scores[:, middle - step]
        assert abs(mirrored.mean()) < 4 * mirrored.std(ddof=1) / np.sqrt(mirrored.size)
