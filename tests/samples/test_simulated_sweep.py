"""The simulated sweep has the properties of its description."""

import numpy as np
import pytest

from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.errors import InputError
from topicset_core.measures import measure_named
from topicset_core.samples.simulated_sweep import OPTIMUM, POOL_DEPTH, VALUES, simulated_sweep


def test_the_same_seed_gives_the_same_sweep_and_another_another() -> None:
    (first, qrels, settings), (again, same, _), (other, _, _) = (simulated_sweep(seed) for seed in (3, 3, 4))
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.documents, two.documents)
    np.testing.assert_array_equal(qrels.grades, same.grades)
    assert (first[0].documents != other[0].documents).any()
    assert settings.systems == tuple(run.tag for run in first)
    assert settings.values.ravel().tolist() == list(VALUES)


def test_sizes_and_the_pool() -> None:
    runs, qrels, _ = simulated_sweep()
    assert (len(runs), qrels.n_topics) == (21, 60)
    assert all((run.depths == 100).all() for run in runs)
    for run in runs:
        for topic in range(60):
            judged = set(qrels.documents[qrels.starts[topic] : qrels.starts[topic + 1]].tolist())
            first = run.documents[run.starts[topic] : run.starts[topic] + POOL_DEPTH]
            assert judged.issuperset(first.tolist())
    best = join(runs, qrels).best_ranks
    assert best.min() >= 1
    assert best.max() <= POOL_DEPTH  # nothing else was judged


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


@pytest.mark.parametrize(
    ("seed", "n_topics", "parameter"), [(-1, 60, "seed"), (True, 60, "seed"), (0, 1, "n_topics")]
)
def test_bad_sizes_are_refused(seed: int, n_topics: int, parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        simulated_sweep(seed, n_topics)
    assert caught.value.parameter == parameter
