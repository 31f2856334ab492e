"""Components of replicated scores against stated values, expected mean squares, and direct variances."""

from dataclasses import replace

import numpy as np
import pytest

from tests.designs.asking import stated
from tests.reference_data import reference_matrix
from tests.variance.matrices import replicated
from topicset_core.errors import InputError
from topicset_core.variance.replicates import Kind, compare, components


def test_query_variations_of_robust_2004_against_stated() -> None:
    """Three formulations by three systems of fub04; mean squares and components of the reference notes, 3.3."""
    matrix = reference_matrix("robust2004_ap")
    scores = np.stack(
        [
            np.stack(
                [matrix.scores[:, matrix.systems.index(f"fub04{field}{end}")] for field in ("T", "D", "TDN")],
                1,
            )
            for end in ("e", "g", "ge")
        ],
        axis=1,
    )
    result = components(replicated(scores), "query-variations")
    ms = {"a": 0.0358097, "b": 0.4047148, "ab": 0.0112685, "v": 0.0172918, "av": 0.0021294}
    assert result.mean_squares == {name: stated(value, 7) for name, value in ms.items()}
    assert result.estimates["ab"] == stated(0.0030463602, 10)
    assert result.estimates["av"] == stated(0.0021293769, 10)
    assert (result.estimates["v"], result.estimates["a"]) == (stated(0.0050541, 7), stated(0.0000329, 7))
    assert result.estimates["b"] == stated(0.0420316, 7)
    per_topic = {1: 0.0103515, 2: 0.0082221, 3: 0.0075123, 5: 0.0069445, 10: 0.0065186}
    assert {r: result.difference_variance(1, r) for r in per_topic} == {
        r: stated(v, 7) for r, v in per_topic.items()
    }


@pytest.mark.parametrize("kind", ["seeds", "repeats", "query-variations"])
def test_components_are_unbiased_against_simulation(kind: Kind) -> None:
    rng, trials, (n, m, r) = np.random.default_rng(6), 400, (12, 4, 3)
    true = {"a": 0.003, "b": 0.03, "ab": 0.011}
    own = {
        "seeds": ("c", "bc", (1, m, r)),
        "query-variations": ("v", "av", (n, 1, r)),
        "repeats": ("", "e", ()),
    }
    extra, last, shape = own[kind]
    true |= {last: 0.004} | ({extra: 0.002} if extra else {})
    total, between = dict.fromkeys(true, 0.0), 0.0
    for _ in range(trials):
        x = rng.normal(0, true["a"] ** 0.5, (1, m, 1)) + rng.normal(0, true["b"] ** 0.5, (n, 1, 1))
        x = x + rng.normal(0, true["ab"] ** 0.5, (n, m, 1)) + rng.normal(0, true[last] ** 0.5, (n, m, r))
        if extra:
            x = x + rng.normal(0, true[extra] ** 0.5, shape)
        estimated = components(replicated(x), kind)
        for name, value in estimated.estimates.items():
            total[name] += value / trials
        between += 2 * float(x.mean(axis=(0, 2)).var(ddof=1)) / trials
    for name, value in true.items():
        # Each estimate varies by at most its largest mean square; four standard errors of the mean of 400.
        assert total[name] == pytest.approx(value, rel=0.35 if name == "a" else 0.15), name
    # Means of systems also differ by s_a; four standard errors of a variance with 1,200 degrees of freedom.
    known = replace(estimated, estimates=true)
    target = 2 * true["a"] + known.difference_variance(n, r)
    assert between == pytest.approx(target, rel=4 * (2 / 1200) ** 0.5)


def test_averages_are_right_where_repeats_are_within_topics() -> None:
    x = np.random.default_rng(1).normal(size=(20, 2, 3))
    test = compare(replicated(x), "repeats")
    assert (test.t, test.df, test.p_value) == (test.naive_t, 19, test.naive_p)
    assert test.naive_alpha == pytest.approx(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "r", "variances", "error"),
    [  # interaction, within, seed; Type I error of 40,000 draws of the three mean squares
        (12, 3, (0.011, 0.004, 0.004), 0.048),
        (50, 2, (5.0, 1.0, 3.0), 0.078),
    ],
)
def test_type_i_error_of_the_test_that_allows_for_seeds(
    n: int, r: int, variances: tuple[float, float, float], error: float
) -> None:
    rng, trials = np.random.default_rng(n), 1500
    of_cells, of_rest, of_seeds = np.sqrt(variances)
    n_rejected = 0
    for _ in range(trials):
        x = rng.normal(0, of_cells, (n, 2, 1)) + rng.normal(0, of_seeds, (1, 2, r))
        test = compare(replicated(x + rng.normal(0, of_rest, (n, 2, r))), "seeds")
        assert min(n - 1, 2 * (r - 1)) <= test.df <= 2 * (n - 1) * r
        assert (abs(test.difference) > test.half_width) == (test.p_value < 0.05)
        n_rejected += test.p_value < 0.05
    # Four standard errors.
    assert n_rejected / trials == pytest.approx(error, abs=4 * (error * (1 - error) / trials) ** 0.5)


def test_seeds_that_do_not_differ_leave_the_paired_t_test() -> None:
    """Every seed has the same mean over topics."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(20, 2, 3))
    x -= x.mean(axis=0) - x.mean(axis=(0, 2))[:, None]
    test = compare(replicated(x), "seeds")
    assert components(replicated(x), "seeds").estimates["c"] < 0
    assert (test.t, test.df, test.p_value) == (
        pytest.approx(test.naive_t, rel=1e-12),
        19,
        pytest.approx(test.naive_p, rel=1e-12),
    )
    # Seeds that differ by 10 decide: 2 (r - 1) degrees of freedom.
    moved = x + 10 * np.arange(3)
    test = compare(replicated(moved), "seeds")
    assert test.df == pytest.approx(4, abs=0.1)
    assert abs(test.t) < 0.1 * abs(test.naive_t)


def test_inestimable_variances_are_refused() -> None:
    x = np.random.default_rng(1).normal(size=(5, 2, 1))
    with pytest.raises(InputError, match="at least 2: with one"):
        components(replicated(x), "seeds")
    with pytest.raises(InputError, match="systems"):
        components(replicated(x[:, :1]), "seeds")
    with pytest.raises(InputError, match="no test is possible"):
        compare(replicated(np.zeros((5, 2, 3))), "seeds")
    # The difference is .3 on every topic, but for rounding: this once gave t = -1e16.
    first = np.array([0.1, 0.7])[:, np.newaxis] + np.array([0.0, 0.1])
    with pytest.raises(InputError, match="no test is possible"):
        compare(replicated(np.stack([first, first + 0.3], axis=1)), "repeats")
    with pytest.raises(InputError, match="kind"):
        components(replicated(np.zeros((5, 2, 3))), "folds")  # type: ignore[arg-type]
