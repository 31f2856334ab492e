"""Run pairs that measures distinguish, against SciPy's paired t test, published counts and simulation."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from tests.reference_data import reference_matrix
from tests.variance.matrices import of
from topicset_core.analyses.sizing import separations
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError


def drawn(seed: int, n: int = 30, m: int = 8) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.normal(size=(n, m)) + np.linspace(0, 1, m) + generator.normal(size=(n, 1))


def significant(scores: np.ndarray, alpha: float = 0.05) -> int:
    return sum(
        bool(stats.ttest_rel(scores[:, one], scores[:, two]).pvalue < alpha)
        for one, two in combinations(range(scores.shape[1]), 2)
    )


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_pairs_against_scipy_also_where_topics_are_left_out(alpha: float) -> None:
    scores = drawn(1)
    (result,) = separations([of(scores)], alpha=alpha).measures
    assert (result.n_pairs, result.n_significant) == (28, significant(scores, alpha))
    shares = [significant(np.delete(scores, place, axis=0), alpha) / 28 for place in range(30)]
    error = np.sqrt(29 / 30 * np.square(np.array(shares) - np.mean(shares)).sum())
    half = stats.t.ppf(0.95, 29) * error
    assert result.share.low == pytest.approx(max(result.share.value - half, 0.0), abs=1e-12)
    assert result.share.high == pytest.approx(min(result.share.value + half, 1.0), abs=1e-12)


# formulas-and-expected-values: 4885 of 5995 is the .8148 that Yang et al. print; 5981 of 8256.
@pytest.mark.parametrize(
    ("name", "counts"), [("robust2004_ap", (4885, 5995)), ("trec8_adhoc_ap", (5981, 8256))]
)
def test_published_shares(name: str, counts: tuple[int, int]) -> None:
    (result,) = separations([reference_matrix(name)]).measures
    assert (result.n_significant, result.n_pairs) == counts


def test_equal_runs_are_not_separated() -> None:
    scores = drawn(2)
    scores[:, 1] = scores[:, 0]
    result = separations([of(scores * 1e6)]).measures[0]
    assert result.n_significant == significant(scores[:, 1:]) + sum(
        bool(stats.ttest_rel(scores[:, 0], scores[:, run]).pvalue < 0.05) for run in range(2, 8)
    )


def test_measures_of_the_same_data_are_compared_in_any_order_of_rows_and_columns() -> None:
    ap, rr = of(drawn(3)), of(drawn(4) * 0.2, measure="RR")
    is_reversed = replace(rr, scores=rr.scores[::-1, ::-1], topics=rr.topics[::-1], systems=rr.systems[::-1])
    assert separations([ap, rr]) == separations([ap, is_reversed])
    other = replace(rr, topics=tuple(f"other {topic}" for topic in rr.topics))
    result = separations([ap, other])
    assert (result.same_data, result.leads, result.best) == (False, (), None)
    assert separations([ap]).best is None  # nothing is the best of one


def test_a_measure_is_named_only_where_it_leads_clearly() -> None:
    """Signal under noise of its own: much more of it in the second measure, as much in the third."""
    generator = np.random.default_rng(5)
    signal = np.linspace(0, 1, 20)

    def measured(noise: float, name: str) -> ScoreMatrix:
        return of(signal + noise * generator.normal(size=(50, 20)), measure=name)

    clear, noisy, like = measured(0.5, "clear"), measured(3.0, "noisy"), measured(0.5, "like")
    assert separations([noisy, clear]).best == "clear"
    result = separations([clear, like])
    assert result.best is None
    assert result.leads[0].low <= 0


@pytest.mark.slow
def test_two_equal_measures_are_seldom_ranked() -> None:
    """The 90 % interval leaves 10 % on both sides; up to four standard errors of 300 trials more."""
    named = 0
    for trial in range(300):
        generator = np.random.default_rng(np.random.SeedSequence(6, spawn_key=(trial,)))
        shared = np.linspace(0, 1, 12) + generator.normal(size=(40, 12))
        one, two = (of(shared + generator.normal(size=(40, 12)), measure=name) for name in ("a", "b"))
        named += separations([one, two]).best is not None
    assert named / 300 <= 0.10 + 4 * np.sqrt(0.1 * 0.9 / 300)


@pytest.mark.slow
def test_interval_contains_the_expected_share_of_robust_2004() -> None:
    """Samples of 50 of its topics: 93 % of 200 intervals did; 90 % is nominal."""
    matrix = reference_matrix("robust2004_ap")
    generator = np.random.default_rng(7)
    results = [
        separations([of(matrix.scores[generator.integers(249, size=50)])]).measures[0].share
        for _ in range(100)
    ]
    expected = np.mean([share.value for share in results])
    assert np.mean([share.low <= expected <= share.high for share in results]) >= 0.90 - 4 * 0.03


def test_bad_input_is_refused() -> None:
    for given in ([], [of(drawn(1, m=1))]):
        with pytest.raises(InputError):
            separations(given)
    with pytest.raises(InputError):
        separations([of(drawn(1))], alpha=0.0)
