"""Topics and repeats: stated values of the reference notes, closed forms, and simulated evaluations."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from tests.designs.asking import stated
from tests.variance.matrices import replicated
from topicset_core.designs.replicated import Requirements, least_seeds, optimum, power, required_topics
from topicset_core.errors import InputError, NoSolution
from topicset_core.variance.replicates import compare, naive_error

SEEDS = Requirements(
    alpha=0.05,
    beta=0.2,
    min_d=0.05,
    interaction=0.011,
    within=0.004,
    seed=0.0004,
    kind="seeds",
    cost_topic=20,
    cost_seed=100,
    cost_cell=0.1,
)

# shared reference notes, 3.3: power by formula; Type I error of a paired t test on seed means, simulated.
STATED = {
    (50, 5): (0.4941, 0.090),
    (50, 3): (0.4059, 0.114),
    (100, 3): (0.5270, 0.172),
    (30, 10): (0.3887, 0.056),
}


@pytest.mark.parametrize(("n", "r"), STATED)
def test_power_and_the_error_of_a_paired_t_against_stated(n: int, r: int) -> None:
    names, naive = STATED[n, r]
    assert float(power(n, r, SEEDS)) == stated(names, 4)
    # The stated error is from about 20,000 simulated evaluations: three standard errors are .006.
    result = naive_error(n, r, interaction=0.011, within=0.004, seed=0.0004, alpha=0.05)
    assert result == pytest.approx(naive, abs=0.0065)


def _simulated(n: int, r: int, d: float, trials: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.normal(0, math.sqrt(0.011), (trials, n, 2, 1)) + rng.normal(0, 0.02, (trials, 1, 2, r))
    x = x + rng.normal(0, math.sqrt(0.004), (trials, n, 2, r))
    x[:, :, 0] += d
    return np.asarray(x)


def test_the_right_test_keeps_its_error_and_power_against_simulation() -> None:
    """Scores drawn from the model; mean squares by NumPy, next to the formula and the naive test."""
    n, r, trials = 30, 4, 4000
    for d, names in ((0.0, 0.05), (0.07, float(power(n, r, dataclasses.replace(SEEDS, min_d=0.07))))):
        x = _simulated(n, r, d, trials, 11)
        cells, seeds = x.mean(3), x.mean(1)
        difference = cells[:, :, 0].mean(1) - cells[:, :, 1].mean(1)
        of_topics = (cells[:, :, 0] - cells[:, :, 1]).var(axis=1, ddof=1) * r / 2
        of_seeds = seeds.var(axis=2, ddof=1).mean(axis=1) * n
        residual = x - cells[..., None] - seeds[:, None] + x.mean((1, 3))[:, None, :, None]
        rest = np.square(residual).sum((1, 2, 3)) / (2 * (n - 1) * (r - 1))
        h = of_topics + of_seeds - rest
        df = h**2 / (of_topics**2 / (n - 1) + of_seeds**2 / (2 * (r - 1)) + rest**2 / (2 * (n - 1) * (r - 1)))
        t = difference / np.sqrt(2 * h / (n * r))
        share = np.mean(2 * stats.t.sf(np.abs(t), df) <= 0.05)
        # Four standard errors, and .006 for Satterthwaite's approximation (stated errors .046 to .056).
        assert share == pytest.approx(names, abs=4 * math.sqrt(names * (1 - names) / trials) + 0.006)
        if d == 0:
            naive = stats.ttest_rel(cells[:, :, 0], cells[:, :, 1], axis=1).pvalue <= 0.05
            expected = naive_error(n, r, interaction=0.011, within=0.004, seed=0.0004, alpha=0.05)
            assert naive.mean() == pytest.approx(expected, abs=4 * math.sqrt(expected / trials))
        test = compare(replicated(x[0]), "seeds")
        # Sums in another order: some units in the last place.
        assert (test.t, test.df) == (pytest.approx(t[0], rel=1e-9), pytest.approx(df[0], rel=1e-9))


def test_topics_and_costs_against_stated() -> None:
    assert (least_seeds(SEEDS), least_seeds(dataclasses.replace(SEEDS, min_d=0.03))) == (3, 7)
    topics = {3: None, 4: 449, 5: 179, 8: 110, 12: 93, 20: 83}
    assert {r: required_topics(SEEDS, r).n_topics for r in topics} == topics
    best = optimum(SEEDS).best
    assert (best.n_repeats, best.n_topics, best.cost) == (7, 120, pytest.approx(3968))


def test_query_variations_against_stated() -> None:
    requirements = Requirements(
        alpha=0.05, beta=0.2, min_d=0.02, interaction=0.0030463602, within=0.0021293769, cost_cell=0.1
    )
    topics = {1: 206, 2: 164, 3: 150, 5: 139, 10: 130}
    assert {r: required_topics(requirements, r).n_topics for r in topics} == topics
    # sqrt((s_av / s_ab) c_t / (m c_x)) = 1.87, so 1 or 2.
    assert optimum(requirements).best.n_repeats == 2
    assert (
        optimum(dataclasses.replace(requirements, cost_topic=0.0)).best.n_repeats == 1
    )  # topics are free: take topics


def test_impossible_requirements_get_a_message() -> None:
    with pytest.raises(NoSolution):
        optimum(dataclasses.replace(SEEDS, min_d=0.0005))
    no_seeds = dataclasses.replace(SEEDS, seed=0.0)
    assert optimum(no_seeds).best.n_repeats >= 2
    with pytest.raises(InputError, match="one seed"):
        required_topics(SEEDS, 1)
    with pytest.raises(InputError, match="unless seeds"):
        dataclasses.replace(SEEDS, kind="repeats")
    with pytest.raises(InputError, match="cost_seed"):
        dataclasses.replace(SEEDS, cost_seed=-1.0)
    with pytest.raises(InputError, match="interaction"):
        dataclasses.replace(SEEDS, interaction=0.0, within=0.0)
