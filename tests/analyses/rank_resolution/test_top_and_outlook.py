"""Verification of the top k, chances of being the best, groups, and what more topics would resolve."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats

from tests.analyses.rank_resolution.test_resolution import drawn
from tests.reference_data import reference_matrix
from tests.variance.matrices import of as new
from topicset_core.analyses.rank_resolution import Request, Resolution, resolve
from topicset_core.analyses.rank_resolution.chosen_systems import chance_of_best, verify_top
from topicset_core.analyses.rank_resolution.outlook import TARGET_SHARE, Expectation, mixture, outlook
from topicset_core.analyses.rank_resolution.pairs import pairs_of
from topicset_core.analyses.rank_resolution.report import QUESTION
from topicset_core.analyses.rank_resolution.resolution import letters_of, lines_of
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

FEW = Request(n_trials=100)


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "k", "statistic", "p", "topics"),
    [  # computed for this analysis from paired t tests; printed to four decimals
        ("dl2019_passage_ndcg10", 1, 0.5210, 0.6051, 1246),
        ("dl2019_passage_ndcg10", 3, 1.3459, 0.1856, 189),
        ("dl2019_passage_ndcg10", 10, None, None, 241),
        ("trec8_adhoc_top96_ap", 1, 1.8349, 0.0726, 119),
        ("trec8_adhoc_top96_ap", 2, 0.1122, 0.9111, None),
        ("robust2004_ap", 2, 2.0893, 0.0377, 450),
        ("robust2004_ap", 108, None, None, None),  # all except the worst two
        ("sakai_20x3", 2, 0.6527, 0.5218, None),
    ],
)
def test_verification(
    name: str, k: int, statistic: float | None, p: float | None, topics: int | None
) -> None:
    result = verify_top(resolve(reference_matrix(name), FEW), k)
    if statistic is not None:
        assert result.statistic == pytest.approx(statistic, abs=5e-5)
        assert result.p_value == pytest.approx(p, abs=5e-5)
    if topics is not None:
        assert result.topics == topics
    assert result.is_verified == (name == "robust2004_ap")


def test_ties_and_shifts_at_the_top() -> None:
    scores = drawn(12, 3, 0).scores.copy()
    scores[:, 1] = scores[:, 2]
    tied = verify_top(resolve(new(scores), FEW), 1)
    assert (tied.statistic, tied.p_value, tied.topics) == (None, 1.0, None)
    scores[:, 2] = scores[:, 1] + 0.25
    scores[:, 0] = scores[:, 1] - 0.25
    shifted = verify_top(resolve(new(scores), FEW), 1)
    assert shifted.is_verified
    with pytest.raises(InputError):
        verify_top(resolve(new(scores), FEW), 3)


@pytest.mark.reference_data
def test_chance_of_being_the_best() -> None:
    # Bayesian bootstrap computed for this analysis: .607, .272 and .076; 20,000 resamples have a standard error of
    # .0035, the 4,000 here one of .008.
    result = resolve(reference_matrix("dl2019_passage_ndcg10"), FEW)
    chances = chance_of_best(result.matrix, seed=0)
    assert chances[:3] == pytest.approx([0.607, 0.272, 0.076], abs=0.025)
    assert chances.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_tied_systems_share_the_chance_of_being_the_best(score: float) -> None:
    assert chance_of_best(new(np.full((5, 4), score)), seed=0) == pytest.approx([0.25] * 4)


@pytest.mark.reference_data
def test_share_of_pairs_of_more_topics_held_out() -> None:
    # Twelve cuts of Robust 2004: 30 runs, a pilot of 50 topics, and 100 or 199 others. Mean shares in 40 cuts were
    # predicted .474 and .614, and found .470 and .610; one prediction is off by .04 to .08.
    matrix = reference_matrix("robust2004_ap")
    predicted, actual = [], []
    for cut in range(6):
        rng = np.random.default_rng(cut)
        runs, topics = rng.permutation(110)[:30].tolist(), rng.permutation(249).tolist()
        ahead = outlook(resolve(matrix.taken(topics[:50], runs), Request(n_trials=500)))
        held_out = resolve(matrix.taken(topics[50:150], runs), Request(n_trials=1000, floor=0.0))
        predicted.append(ahead.share(100))
        actual.append(held_out.n_resolved_in_one_step / held_out.n_pairs)
    assert np.mean(predicted) == pytest.approx(np.mean(actual), abs=2 * 0.08 / 6**0.5)


def test_topics_for_a_share_are_the_fewest() -> None:
    ahead = outlook(resolve(drawn(30, 6, 2, spread=0.05), Request(n_trials=500)))
    n = ahead.topics_for(0.5)
    assert n is not None
    assert ahead.share(n) >= 0.5 > ahead.share(n - 1)
    assert np.all(np.diff([ahead.share(n) for n in (5, 20, 100, 1000, 10_000)]) > 0)
    assert ahead.share(ahead.n_topics) == ahead.resolved
    with pytest.raises(InputError):
        ahead.topics_for(1.0)


def expected_of(matrix: ScoreMatrix, critical: float, floor: float = 0.5) -> Expectation:
    """What a matrix lets expect, with a floor as in the statistic of its pairs."""
    pairs = pairs_of(matrix)
    return Expectation(
        difference=pairs.difference,
        variance=pairs.variance,
        n_topics=pairs.n_topics,
        floor=floor * float(pairs.mean_square.mean()),
        critical=critical,
        enough_for_shifts=9,
    )


def test_the_expected_share_is_an_average_over_true_differences() -> None:
    matrix, n_topics, critical = drawn(12, 3, 4, spread=0.05), 40, 2.5
    d = matrix.scores[:, [0, 0, 1]] - matrix.scores[:, [1, 2, 2]]
    mean, v = d.mean(axis=0), d.var(axis=0, ddof=1)
    signal = float(np.mean(mean**2) - np.mean(v) / 12)  # 2s
    k = signal / (signal + v / 12)
    # u > b is dbar > b sqrt((v + F) / n'): a critical value of b sqrt((v + F) / v) of the mean over its own error.
    widened, z = critical * np.sqrt((v + 0.5 * np.mean(d**2)) / v), np.linspace(-8, 8, 4001)
    true = k * mean + np.sqrt(k * v / 12) * z[:, None]
    found = stats.norm.cdf(np.sqrt(n_topics / v) * true - widened) + stats.norm.cdf(
        -np.sqrt(n_topics / v) * true - widened
    )
    average = np.trapezoid(found * stats.norm.pdf(z)[:, None], z, axis=0).mean()
    # A sum over 4,001 points of a smooth function within 8 standard deviations: errors far below 1e-9.
    assert expected_of(matrix, critical).share(n_topics) == pytest.approx(average, abs=1e-9)


def test_a_mixture_is_an_average_over_true_differences_of_each_scale() -> None:
    matrix, n_topics, critical = drawn(12, 4, 4, spread=0.05), 40, 2.0
    plain = expected_of(matrix, critical)
    mixed, scales = mixture(plain), np.concatenate([[0.0], 2.0 ** np.arange(-1.5, 6.0, 0.5)])
    z, error = np.linspace(-8, 8, 4001), np.sqrt(plain.variance / 12)
    total = 0.0
    for pair, (d, v) in enumerate(zip(plain.difference, plain.variance, strict=True)):
        widened = critical * np.sqrt((v + plain.floor) / v)
        for place, scale in enumerate(scales):
            k = scale**2 / (1 + scale**2)
            true = k * d + np.sqrt(k) * error[pair] * z
            size = np.sqrt(n_topics / v) * true
            found = stats.norm.cdf(size - widened) + stats.norm.cdf(-size - widened)
            total += mixed.weights[pair, place] * np.trapezoid(found * stats.norm.pdf(z), z)
    # As above: a sum over 4,001 points of a smooth function.
    assert mixed.share(n_topics) == pytest.approx(total / 6, abs=1e-9)
    assert mixed.weights.sum(axis=1) == pytest.approx(np.ones(6))


def test_few_systems_far_below_many_close_ones_do_not_bound_the_topics() -> None:
    """Ten systems within .02 need more than 10,000 topics, although two others are resolved by 25."""
    rng = np.random.default_rng(5)
    effects = np.append(np.linspace(-0.01, 0.01, 10), [-0.2, -0.3])
    scores = rng.beta(2, 4, (25, 1)) + rng.normal(0, 0.12, (25, 12)) + effects
    low, high = outlook(resolve(new(scores), Request(n_trials=500))).interval
    assert high is None or high > 10_000
    assert low > 25


def test_the_forecast_goes_through_what_was_found() -> None:
    for seed, spread in ((2, 0.1), (3, 0.2), (4, 0.1)):
        result = resolve(drawn(30, 6, seed, spread=spread), Request(n_trials=500))
        ahead = outlook(result)
        assert 0 < ahead.resolved < 1
        # b is solved to 1e-6, and no share of 15 pairs changes faster than by 1 per unit of it.
        assert ahead.expected.share(30) == pytest.approx(ahead.resolved, abs=1e-6)
        assert ahead.share(31) - ahead.resolved < 0.05


def test_a_forecast_from_no_resolved_pair_starts_within_half_a_pair() -> None:
    result = resolve(drawn(30, 4, 1, spread=0.0), Request(n_trials=500))
    ahead = outlook(result)
    assert ahead.resolved == 0
    assert ahead.expected.share(30) <= 0.5 / 7 + 1e-6
    low, high = ahead.share_interval(60)
    assert low == 0
    assert high <= 1


def part(result: Resolution, matrix: ScoreMatrix, critical: float) -> tuple[Expectation, float]:
    """Some topics of a matrix, by the plain way: the statistics of its pairs, and the root by SciPy."""
    own = expected_of(matrix, critical)
    resolved = float(np.mean(np.abs(pairs_of(matrix).statistic(result.request.floor)) > critical))
    least = 0.5 / (own.difference.size + 1)
    target = np.clip(resolved, least, 1 - least)
    at_end = own.share(matrix.n_topics) <= target if resolved == 0 else own.share(matrix.n_topics) >= target
    if resolved in (0, 1) and at_end:
        return own, resolved
    root = optimize.brentq(
        lambda b: replace(own, critical=b).share(matrix.n_topics) - target, 0, 50, xtol=1e-10
    )
    return replace(own, critical=root), resolved


@pytest.mark.parametrize(("n_topics", "n_groups"), [(12, 12), (120, 50)])
def test_intervals_are_of_parts_of_the_topics(n_topics: int, n_groups: int) -> None:
    """Topics by a jackknife and the error of the model; the share by halves that forecast the whole."""
    result = resolve(drawn(n_topics, 5, 6, spread=0.05), FEW)
    ahead, matrix = outlook(result), result.matrix
    size = np.sort(np.abs(result.statistic))
    resolved = size[size.size - result.n_resolved :]
    critical = min(resolved.min(initial=math.inf), result.critical)
    open_ = size[: size.size - result.n_resolved]
    critical = (critical + min(open_.max(), critical)) / 2
    answers = []
    for group in range(n_groups):
        kept = [topic for topic in range(n_topics) if topic % n_groups != group]
        answers.append(part(result, matrix.taken(kept, range(5)), critical)[0].log_topics(TARGET_SHARE))
    error = np.sqrt((n_groups - 1) * np.var(answers))
    reach = np.hypot(stats.t.ppf(0.95, n_groups - 1) * error, stats.norm.ppf(0.95) * 0.35)
    # Each log n' is solved to 1e-4, in an error that adds n_groups of them: 7 times as much for 50 groups.
    assert ahead.reach == pytest.approx(reach, abs=5e-3)
    centres = [one.log_topics(TARGET_SHARE) for one in (ahead.expected, ahead.mixed)]
    low, high = ahead.interval
    assert low == pytest.approx(np.exp(min(centres) - reach), rel=0.06)  # two digits
    assert high is None or high == pytest.approx(np.exp(max(centres) + reach), rel=0.06)
    assert low <= (ahead.topics_for(TARGET_SHARE) or 0) <= (high or math.inf)
    rng, missed = np.random.default_rng(0), []
    found = ahead.expected.scaled(ahead.resolved)
    for _ in range(10):
        cut = rng.permutation(n_topics)
        for half in (cut[: n_topics // 2], cut[n_topics // 2 :]):
            one, _ = part(result, matrix.taken(half.tolist(), range(5)), critical)
            missed.append(one.scaled(one.share(n_topics)) - found)
    # Critical values are solved to 1e-6.
    error = np.hypot(np.sqrt(np.mean(np.square(missed))), 0.25)
    assert ahead.miss == pytest.approx(stats.norm.ppf(0.95) * error, abs=1e-4)
    ends = stats.norm.cdf(stats.norm.ppf(ahead.share(2 * n_topics)) + np.array([-1, 1]) * (ahead.miss or 0))
    assert ahead.share_interval(2 * n_topics) == pytest.approx(tuple(ends))


def test_lines_are_the_longest_runs_without_a_resolved_pair() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        m = int(rng.integers(2, 9))
        resolved = np.triu(rng.random((m, m)) < 0.3, 1)
        free = {
            (first, last)
            for first, last in itertools.combinations_with_replacement(range(m), 2)
            if not resolved[first : last + 1, first : last + 1].any()
        }
        longest = {
            (first + 1, last + 1)
            for first, last in free
            if not any(a <= first and last <= b and (a, b) != (first, last) for a, b in free)
        }
        assert set(lines_of(resolved)) == longest


def test_systems_share_a_letter_if_they_are_not_resolved() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        m = int(rng.integers(2, 9))
        resolved = np.triu(rng.random((m, m)) < 0.4, 1)
        letters = letters_of(resolved)
        assert letters is not None
        for i, k in itertools.combinations(range(m), 2):
            assert bool(set(letters[i]) & set(letters[k])) == (not resolved[i, k])
    assert letters_of(np.zeros((27, 27), dtype=bool)) is None
    many = np.triu(np.ones((26, 26), dtype=bool), 1)
    for i in range(0, 26, 2):  # 13 disjoint unresolved pairs are left out of a complete graph: 2^13 cliques
        many[i, i + 1] = False
    assert letters_of(~many & np.triu(np.ones((26, 26), dtype=bool), 1)) is None


def test_a_leaderboard_refuses_k_beyond_its_systems() -> None:
    with pytest.raises(InputError, match="k = 3"):
        QUESTION.answer(drawn(6, 3, 5), FEW).read_off(Request(top_k=3))
    result = QUESTION.answer(drawn(6, 2, 5), Request(n_trials=100))
    assert result.chances.sum() == pytest.approx(1.0)


def test_a_forecast_does_not_depend_on_the_unit() -> None:
    """Scores times 2^-30, which changes no digit: also differences of 1e-9 vary."""
    matrix = drawn(24, 6, 5)
    one, tiny = (
        outlook(resolve(replace(matrix, scores=unit * matrix.scores), Request(n_trials=1000)))
        for unit in (1.0, 2.0**-30)
    )
    assert one.reach is not None
    assert (tiny.reach, tiny.miss) == pytest.approx((one.reach, one.miss), rel=1e-9)
