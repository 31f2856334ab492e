"""Errors of size and sign, and coming again: against published formulas, simulation and held-out topics."""

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import scipy

from tests.reference_data import reference_matrix
from topicset_core.analyses.sizing import ReportedResult, from_one_way_f, from_paired_t, from_two_sample_t
from topicset_core.analyses.sizing.replication import (
    SEPARATE,
    SHARED,
    comes_again,
    errors_of,
    topics_again,
)
from topicset_core.errors import InputError
from topicset_core.variance.components import Components
from topicset_core.variance.sums_of_squares import mean_squares


@pytest.mark.parametrize(
    ("length", "power", "sign", "magnitude"),
    [  # z test, closed form of Lu, Qiu and Deng (2019)
        (0.5, 0.07910, 0.087835, 4.78859),
        (2.0, 0.51601, 0.000073, 1.38627),
        (2.8016, 0.80001, 0.000001, 1.12491),
    ],
)
def test_many_topics_are_the_z_test(length: float, power: float, sign: float, magnitude: float) -> None:
    result = errors_of(length, 10**7, 0.05)
    assert result.power == pytest.approx(power, abs=1e-5)
    assert result.sign == pytest.approx(sign, abs=1e-6)
    assert result.magnitude == pytest.approx(magnitude, abs=2e-5)


@pytest.mark.parametrize(
    ("delta", "n", "power", "sign", "magnitude"),
    [  # quadrature and a million simulations of another program agree to .002
        (0.1, 50, 0.10663, 0.03736, 3.4048),
        (0.3, 50, 0.54766, 0.00005, 1.3342),
        (0.5, 34, 0.80778, 0.0, 1.1125),
    ],
)
def test_errors_of_paired_t_tests(delta: float, n: int, power: float, sign: float, magnitude: float) -> None:
    result = errors_of(delta * math.sqrt(n), n - 1, 0.05)
    assert result.power == pytest.approx(power, abs=6e-6)
    assert result.sign == pytest.approx(sign, abs=6e-6)
    assert result.magnitude == pytest.approx(magnitude, abs=6e-5)


def test_errors_with_one_degree_of_freedom_against_simulation() -> None:
    rng = np.random.default_rng(0)
    mean, sd = rng.normal(0.5, 1, 400_000), np.abs(rng.normal(0, 1, 400_000))
    significant = np.abs(mean) > 12.706204736 * sd
    result = errors_of(0.5, 1, 0.05)
    # Three standard errors of 22,000 significant results.
    assert result.power == pytest.approx(significant.mean(), abs=0.0011)
    assert result.sign == pytest.approx((mean[significant] < 0).mean(), abs=0.009)
    assert result.magnitude == pytest.approx(np.abs(mean[significant]).mean() / 0.5, abs=0.04)


def test_a_just_significant_result_replicates_with_one_half() -> None:
    # Goodman (1992): p = .05 gives .5 with a flat prior and as many topics, of a z test.
    assert comes_again(1.959964, 10**7, 10**7) == pytest.approx(0.5, abs=1e-6)
    # Of 50 topics, integrated: see `by_definition`. With the uncertain variance of the first study, too, .6317 and
    # .9954; that variance is taken as known.
    assert comes_again(2.5, 50, 50) == pytest.approx(0.6317, abs=0.008)
    assert comes_again(4, 50, 200) == pytest.approx(0.9942, abs=0.003)
    assert comes_again(-2.5, 50, 50) == comes_again(2.5, 50, 50)


def over_chi(function: Callable[[float], float], df: float, near: float) -> float:
    """The mean of a function of C = sqrt(chi^2 / df), by adaptive quadrature; it bends near a value."""
    ends = [0.0, *(near * factor for factor in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)), 0.5, 1.0, 2.0, 12.0]
    ends = sorted({min(end, 12.0) for end in ends})
    density = scipy.stats.chi(df, scale=1 / math.sqrt(df)).pdf
    return float(
        sum(
            scipy.integrate.quad(lambda c: function(c) * density(c), low, high, epsabs=1e-13)[0]
            for low, high in pairwise(ends)
        )
    )


@pytest.mark.parametrize("n_again", [2, 3, 4, 5, 10, 50])
@pytest.mark.parametrize(
    ("t", "n", "k", "alpha"), [(2.5, 2, 0.3, 0.05), (12.7, 3, 1.0, 0.01), (0.1, 50, 0.9, 0.05)]
)
def test_a_replication_of_few_topics_by_definition(
    t: float, n: int, k: float, alpha: float, n_again: int
) -> None:
    """Significant where the new mean exceeds tc times the new standard error, (C / sqrt(n2)); k t0 on average."""
    r, df = n_again / n, n_again - 1
    bound, spread = scipy.stats.t.isf(alpha / 2, df), math.sqrt(1 + k * r)

    def given(c: float) -> float:
        return float(scipy.stats.norm.cdf((k * t * math.sqrt(r) - bound * c) / spread))

    found = comes_again(t, n, n_again, k, alpha=alpha)
    near = max(k * t * math.sqrt(r), spread) / bound
    assert found == pytest.approx(over_chi(given, df, near), rel=1e-6)
    # A true difference in this direction is significant in it at least as often as none.
    assert found >= alpha / 2
    if n == 50:
        paired = from_paired_t(t, n_topics=50, alpha=alpha, beta=0.2)
        assert float(paired.significant_again(n_again)) >= alpha / 2


@pytest.mark.parametrize("alpha", [0.05, 0.001, 1e-6])
@pytest.mark.parametrize("df", [1, 2, 4, 49])
@pytest.mark.parametrize("length", [0.01, 1.0, 10.0])
def test_errors_of_few_topics_by_definition(length: float, df: int, alpha: float) -> None:
    bound, phi = scipy.stats.t.isf(alpha / 2, df), scipy.stats.norm

    def power(c: float) -> float:
        return float(phi.cdf(length - bound * c) + phi.cdf(-length - bound * c))

    def size(c: float) -> float:
        right, wrong = phi.cdf(length - bound * c), phi.cdf(-length - bound * c)
        return float(length * (right - wrong) + phi.pdf(bound * c - length) + phi.pdf(bound * c + length))

    found, near = errors_of(length, df, alpha), max(length, 1.0) / bound
    expected = over_chi(power, df, near)
    assert found.power == pytest.approx(expected, rel=1e-6)
    assert found.magnitude == pytest.approx(over_chi(size, df, near) / (length * expected), rel=1e-6)
    # The two-sided power, from R's definition of the noncentral t: both tails.
    assert found.power == pytest.approx(scipy.stats.ncf.sf(bound**2, 1, df, length**2), rel=1e-6)


def test_the_same_order_is_more_likely_than_significance() -> None:
    for k in (0.3, 0.9):
        order, significant = (comes_again(2.2, 50, 50, k, alpha=level) for level in (None, 0.05))
        assert order > 0.5
        assert significant < order


def test_topics_of_a_replication_are_the_fewest() -> None:
    for t, k in ((2.5, 0.9), (3.0, 0.5), (2.0, 1.0)):
        n = topics_again(t, 50, k)
        assert n is not None
        assert comes_again(t, 50, n, k) >= 0.8 > comes_again(t, 50, n - 1, k)
    # No number of topics gets above Phi(sqrt(k) t0).
    assert topics_again(1.0, 50, 0.5) is None


MATRICES = (
    *("trec3_adhoc_ap", "trec8_adhoc_ap", "trec8_adhoc_p10", "trec8_adhoc_rr", "robust2003_ap"),
    *("robust2004_ap", "robust2004_p10", "mq2007_top26_statap"),
    *(f"web{year}_{measure}" for year in (2011, 2012) for measure in ("ap", "p10", "ndcg20", "err20")),
    *(f"dl2019_passage_{measure}" for measure in ("ap", "p10", "ndcg10")),
)
"""Of 8 collections; neither subsets of another matrix nor made-up scores."""


@pytest.mark.reference_data
def test_noise_is_that_of_the_published_matrices() -> None:
    shared, separate = [], []
    for name in MATRICES:
        parts = Components.from_mean_squares(mean_squares(reference_matrix(name)))
        shared.append(parts.residual / parts.system)
        separate.append((parts.topic + parts.residual) / parts.system)
    # Stated with three digits.
    assert pytest.approx([min(shared), np.median(shared), max(shared)], rel=0.005) == SHARED
    assert pytest.approx([min(separate), np.median(separate), max(separate)], rel=0.005) == SEPARATE


@cache
def reported(t: float) -> ReportedResult:
    return from_paired_t(t, n_topics=50, alpha=0.05, beta=0.2)


@pytest.mark.reference_data
@pytest.mark.parametrize("name", ["trec8_adhoc_ap", "robust2004_ap", "web2012_err20", "mq2007_top26_statap"])
def test_the_shrunk_size_replicates_and_the_published_one_does_not(name: str) -> None:
    """Any two runs with 2.01 < |t| < 2.8 on 50 topics, then as many redrawn topics as a replication needs."""
    scores, rng = reference_matrix(name).scores, np.random.default_rng(4)
    again: dict[str, list[bool]] = {"shrunk": [], "exact": []}
    while len(again["exact"]) < 500:
        systems = rng.permutation(scores.shape[1])[:26]
        i, j = np.triu_indices(26, 1)
        drawn = scores[np.ix_(rng.integers(0, len(scores), 50), systems)]
        gaps = drawn[:, i] - drawn[:, j]
        t = gaps.mean(axis=0) / (gaps.std(axis=0, ddof=1) + 1e-12) * math.sqrt(50)
        for pair in rng.permutation(np.flatnonzero((np.abs(t) > 2.01) & (np.abs(t) < 2.8)))[:10]:
            audit = reported(round(float(abs(t[pair])), 1))
            assert audit.topics is not None
            for kind, n in (("shrunk", audit.topics), ("exact", audit.if_exact.required_topics)):
                new = rng.integers(0, len(scores), n)
                one, other = (scores[new, systems[of[pair]]] for of in (i, j))
                gap = (one - other) * np.sign(t[pair])
                # 1.98 is the critical t of 85 to 170 topics to .01.
                again[kind].append(bool(gap.mean() > 1.98 * gap.std(ddof=1) / math.sqrt(n)))
    # 50 first samples, 10 pairs each: standard error .02 to .025. Stated for these four: .76 to .83, .60 to .72.
    assert np.mean(again["shrunk"]) == pytest.approx(0.80, abs=0.09)
    assert np.mean(again["exact"]) < 0.77


def test_an_f_comes_again_as_in_simulation() -> None:
    """Means of 4 systems vary with variance .1 (noise 10 per topic); studies with F0 near 4 on 30 topics."""
    rng, m, n, new = np.random.default_rng(6), 4, 30, 45
    means = rng.normal(0, math.sqrt(0.1), (400_000, m))

    def f(topics: int) -> np.ndarray:
        observed = means + rng.normal(0, 1 / math.sqrt(topics), means.shape)
        df = m * (topics - 1)
        return np.asarray(topics * observed.var(axis=1, ddof=1) / (rng.chisquare(df, len(means)) / df))

    first, second = f(n), f(new)
    chosen = np.abs(first - 4) < 0.1
    audit = from_one_way_f(4.0, n_systems=m, n_topics=n, alpha=0.05, beta=0.2)
    share = (second[chosen] > scipy.stats.f.isf(0.05, m - 1, m * (new - 1))).mean()
    # Some 8,000 chosen: standard error .005. The formula takes the variance of the first study as known: .01.
    assert float(audit.significant_again(new, 10.0)) == pytest.approx(share, abs=0.025)


def test_a_two_sample_t_comes_again_as_in_simulation() -> None:
    rng, sizes, new = np.random.default_rng(7), (20, 40), 60
    gap = rng.normal(0, math.sqrt(2 * 0.1), 400_000)
    scale = math.sqrt(1 / 20 + 1 / 40)

    def t(error: float, df: int) -> np.ndarray:
        noise = rng.normal(0, error, gap.size)
        return np.asarray((gap + noise) / error / np.sqrt(rng.chisquare(df, gap.size) / df))

    first, second = t(scale, 58), t(math.sqrt(2 / new), 2 * new - 2)
    chosen = np.abs(first - 2.5) < 0.05
    audit = from_two_sample_t(2.5, n_topics=sizes, alpha=0.05, beta=0.2)
    # As above; chosen are some 8,000.
    share = (second[chosen] > scipy.stats.t.isf(0.025, 2 * new - 2)).mean()
    assert float(audit.significant_again(new, 10.0)) == pytest.approx(share, abs=0.025)
    assert audit.same_order is not None
    assert audit.same_order > float(audit.significant_again(50))


def test_a_reported_result_is_shrunk() -> None:
    audit = from_paired_t(-2.4, n_topics=50, alpha=0.05, beta=0.2, n_again=100, true_effect=0.1)
    k = 1 / (1 + 4.25 / 50)
    assert audit.shrinkage() == pytest.approx(k, rel=1e-12)
    assert float(audit.significant_again(100)) == pytest.approx(comes_again(2.4, 50, 100, k), rel=1e-12)
    needed = topics_again(2.4, 50, k)
    assert needed is not None
    assert audit.topics == math.ceil(needed / 10) * 10  # two digits, rounded up
    low, high = audit.topics_range
    assert low is not None
    assert high is not None
    assert audit.if_exact.required_topics < low < audit.topics < high
    assert audit.if_exact.required_topics == 71  # pwr.t.test(d = 2.4 / sqrt(50), power = .8, type = "paired")
    assert audit.errors == errors_of(0.1 * math.sqrt(50), 49, 0.05)


def test_no_topics_are_promised_for_an_effect_that_may_be_zero() -> None:
    weak = from_paired_t(0.953, n_topics=28, alpha=0.05, beta=0.2)
    assert (weak.topics, weak.topics_range) == (None, (None, None))
    assert comes_again(0.953, 28, 2800, weak.shrinkage()) < 0.8  # 100 times the topics


@pytest.mark.parametrize(
    "call",
    [
        lambda: errors_of(0.0, 49, 0.05),
        lambda: from_paired_t(2.0, n_topics=50, alpha=0.05, beta=0.2, true_effect=0.0),
        lambda: comes_again(2.0, 50, 1),
        lambda: comes_again(2.0, 50, 50, 0.0),
        lambda: comes_again(2.0, 50, 50, 1.1),
        lambda: topics_again(2.0, 50, beta=0.0),
    ],
)
def test_refused(call) -> None:
    with pytest.raises(InputError):
        call()
