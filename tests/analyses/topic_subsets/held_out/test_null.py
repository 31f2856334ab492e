"""Lists of topics against exchangeable topics: calibrated, powerful, the same wherever it runs.

Random matrices are drawn with numpy alone, from models that share no code with the analysis.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from topicset_core.analyses.topic_subsets.by_measure import criterion_of
from topicset_core.analyses.topic_subsets.held_out import null
from topicset_core.analyses.topic_subsets.held_out.null import (
    ALPHA,
    NullComparison,
    compare_with_null,
    effects_of,
    exchangeable,
    lists_of,
    seconds_of,
)
from topicset_core.analyses.topic_subsets.held_out.splits import split_of
from topicset_core.analyses.topic_subsets.request import NullRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

FEW = NullRequest(goodness="pearson", cardinality=5, n_replicates=19, n_splits=6, n_starts=2)


def matrix_of(scores: np.ndarray, runs: tuple[str, ...] | None = None) -> ScoreMatrix:
    n, m = scores.shape
    return ScoreMatrix(
        scores=scores,
        topics=tuple(f"t{place:02d}" for place in range(n)),
        systems=runs or tuple(f"r{place:02d}" for place in range(m)),
        measure="AP",
        name="made",
    )


def exchangeable_matrix(seed: int, n_topics: int = 20, n_runs: int = 16, share: float = 0.0) -> ScoreMatrix:
    """Run effects, topic effects and noise; the first and the last correlate by the share in teams of three."""
    rng = np.random.default_rng(seed)
    teams = np.arange(n_runs) // 3

    def drawn(*shape: int) -> np.ndarray:
        shared, own = rng.normal(size=(*shape, n_runs))[..., teams], rng.normal(size=(*shape, n_runs))
        return np.asarray(np.sqrt(share) * shared + np.sqrt(1 - share) * own)

    return matrix_of(0.05 * drawn() + 0.2 * rng.normal(size=(n_topics, 1)) + 0.1 * drawn(n_topics))


def with_planted_topics(seed: int) -> ScoreMatrix:
    """Two topics on which differences between runs are five times as large, and 28 others, all as noisy."""
    rng = np.random.default_rng(seed)
    effects = 0.05 * rng.normal(size=40)
    slopes = np.where(np.arange(30) < 2, 5, 1)[:, None]
    return matrix_of(slopes * effects + 0.1 * rng.normal(size=(30, 40)))


def test_shuffling_keeps_means_and_the_residual_sum_of_squares() -> None:
    scores = exchangeable_matrix(1).scores
    units = np.repeat(np.arange(4), 4).tolist()
    new = exchangeable(scores, units, np.random.default_rng(2))
    np.testing.assert_allclose(new.mean(axis=0), scores.mean(axis=0), atol=1e-12)  # rounding of sums
    np.testing.assert_allclose(new.mean(axis=1), scores.mean(axis=1), atol=1e-12)

    def residual_square(x: np.ndarray) -> float:
        return float(((x - x.mean(0) - x.mean(1, keepdims=True) + x.mean()) ** 2).sum())

    assert residual_square(new) == pytest.approx(residual_square(scores), rel=1e-12)
    assert not np.allclose(new, scores)


def test_the_runs_of_a_unit_are_shuffled_together() -> None:
    scores = exchangeable_matrix(3).scores
    new = exchangeable(scores, [0] * 16, np.random.default_rng(4))  # one unit: topics change places, no more
    rows = {tuple(row) for row in np.round(scores - scores.mean(axis=1, keepdims=True), 9)}
    assert {tuple(row) for row in np.round(new - new.mean(axis=1, keepdims=True), 9)} == rows


@pytest.mark.slow
def test_numbers_of_the_data_are_those_of_its_halves() -> None:
    matrix = exchangeable_matrix(5)
    result = compare_with_null(matrix, replace(FEW, units=tuple(range(16))))
    kept = np.zeros(20, dtype=int)
    drawn = []
    for number in range(FEW.n_splits):
        split = split_of(range(16), "runs", FEW.seed, number)
        first, second = (
            lists_of(criterion_of(matrix.scores[:, half], "pearson"), FEW)[0]
            for half in (split.chosen_on, split.evaluated_on)
        )
        kept += first & second
        drawn.append(first.sum() * second.sum() / 20)
    assert [row["kept"] for row in result.topics] == kept.tolist()
    both = result.by("keep_of_both_halves")
    assert both["observed"] == pytest.approx(kept.sum() / FEW.n_splits)
    assert both["random_lists"] == pytest.approx(np.mean(drawn))
    assert result.by("keep")["observed"] == sum(row["keep"] for row in result.topics)
    for row in result.topics:
        assert (row["p_gain"] <= ALPHA) == (row["gain"] > result.gain_limit)
        assert (row["p_harm"] <= ALPHA) == (row["harm"] > result.harm_limit)
        assert 1 / 20 <= row["p_gain"] <= 1
        assert row["gain"] + row["harm"] <= 0  # the smaller of two less the larger


def same(first: NullComparison, second: NullComparison) -> bool:
    return first.record() == second.record()


@pytest.mark.slow
def test_neither_workers_nor_batches_change_a_number_and_seeds_do() -> None:
    matrix, few = exchangeable_matrix(7), replace(FEW, n_splits=2)
    here = compare_with_null(matrix, few)
    with ThreadPoolExecutor(3) as executor:
        assert same(compare_with_null(matrix, few, executor=executor), here)
    other = compare_with_null(matrix, replace(few, seed=1))
    assert other.numbers != here.numbers
    more = compare_with_null(matrix, replace(few, n_replicates=21))
    assert [row["kept"] for row in more.topics] == [row["kept"] for row in here.topics]
    assert more.by("keep")["observed"] == here.by("keep")["observed"]


@pytest.fixture
def only_effects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the lists of best sets and the sizes: no verdict depends on them, they take most of the time."""
    monkeypatch.setattr(null, "lists_of", lambda criterion, _: np.zeros((2, criterion.n_topics), dtype=bool))
    monkeypatch.setattr(null, "default_sizes", lambda *_: (2,))


@pytest.mark.slow
@pytest.mark.usefixtures("only_effects")
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_exchangeable_topics_are_seldom_called_reliable(share: float) -> None:
    """Lists of 4 data sets with anonymous runs; at a rate of .05 two or more good ones happen once in 71 times.

    Of 60 others with 10 teams of three runs and a share of .8, a good topic was called in .07 and a bad one in .07
    (standard error .03), in .57 and .55 where each run was a unit.
    """
    called = np.zeros((2, 2), dtype=int)
    for seed in range(4):
        matrix = exchangeable_matrix(100 + seed, n_topics=30, n_runs=30, share=share)
        for place, units in enumerate((None, tuple(range(30)))[: 2 if share else 1]):
            result = compare_with_null(matrix, replace(FEW, units=units, seed=seed))
            called[place] += bool(result.reliably_good), bool(result.reliably_bad)
            assert units or share == 0 or result.n_units == 10
    assert called[0].max() < 2
    if share:
        assert called[1].sum() >= 4  # of 8: near-duplicates in both halves make topics look reliable


@pytest.mark.usefixtures("only_effects")
def test_planted_topics_are_found() -> None:
    results = [compare_with_null(with_planted_topics(seed), replace(FEW, cardinality=8)) for seed in range(3)]
    assert all(set(one.reliably_good) <= {"t00", "t01"} for one in results)
    assert sum(len(one.reliably_good) for one in results) >= 5  # of 6


def test_effects_are_differences_of_means_over_random_sets() -> None:
    criterion = criterion_of(exchangeable_matrix(11).scores, "pearson")
    effects = effects_of(criterion, FEW, 0)
    rng = np.random.default_rng(12)
    sets = [tuple(sorted(rng.choice(20, 5, replace=False).tolist())) for _ in range(4000)]
    values = np.array([criterion.value(one) for one in sets])
    has = np.array([[topic in one for topic in range(20)] for one in sets])
    expected = [values[column].mean() - values[~column].mean() for column in has.T]
    # 400 sets, a quarter of which have a topic: standard errors of about values.std() / sqrt(75); five of them.
    assert np.abs(effects - expected).max() < 5 * values.std() / 75**0.5


def test_incomparable_scores_are_refused() -> None:
    matrix = exchangeable_matrix(9)
    with pytest.raises(InputError, match="cardinalities"):
        compare_with_null(matrix, replace(FEW, cardinality=20))
    with pytest.raises(InputError, match="systems"):
        compare_with_null(matrix_of(matrix.scores[:, :5]), FEW)
    with pytest.raises(InputError, match="n_replicates"):
        replace(FEW, n_replicates=18)
    with pytest.raises(InputError, match="systems"):
        compare_with_null(matrix, replace(FEW, units=(0, 1) * 8))


def test_seconds_grow_with_the_work() -> None:
    matrix = exchangeable_matrix(1)
    assert seconds_of(matrix, replace(FEW, n_replicates=39)) == pytest.approx(2 * seconds_of(matrix, FEW))


@pytest.mark.slow
@pytest.mark.reference_data
def test_lists_of_trec_8_are_not_longer_than_by_chance() -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    request = NullRequest(goodness="pearson", n_replicates=19, n_splits=10, n_starts=4)
    result = compare_with_null(matrix, request)
    assert result.n_units == 23  # 27 teams, some of which are linked
    assert not result.reliably_good  # 426, the best topic alone, is where each team is a unit
    assert result.by("keep")["p_value"] > ALPHA
