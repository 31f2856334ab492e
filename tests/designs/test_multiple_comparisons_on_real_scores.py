"""Familywise error and power of multiple comparisons on resampled topics of real runs, next to the stated values.

`POWER`: mean power of the pair sized for .80 by the set's residual variance, by another program (20 sets of 10
runs, 1000 trials each). The printed error rates (`MEASURED`) are those of a third program, of 40 sets without
near-duplicates, 1000 trials each.
"""

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from topicset_core.designs import all_pairs, blocked_anova, real_error_rates, studentised
from topicset_core.designs.distributions import critical_f, critical_t

M, N, SETS, TRIALS = 10, 50, 20, 200

POWER = {"robust2004_ap": 0.798, "trec8_adhoc_ap": 0.813, "web2012_err20": 0.808}
MEASURED = {  # 10 systems, 50 topics: Tukey, two-way F, paired t with Bonferroni; standard errors .001 to .003
    "robust2003_ap": (0.0805, 0.0855, 0.0434),
    "trec8_adhoc_rr": (0.0614, 0.0661, 0.0458),
    "dl2019_passage_ap": (0.1040, 0.1134, 0.0468),
}


def sets_of_runs(name: str) -> list[np.ndarray]:
    """Centred scores of each set of 10 from the upper three quarters."""
    matrix = reference_matrix(name)
    good = np.argsort(-matrix.scores.mean(axis=0))[: matrix.n_systems * 3 // 4]
    unique = np.unique(matrix.scores[:, good], axis=1)
    rng = np.random.default_rng(44)
    drawn = [unique[:, rng.choice(unique.shape[1], M, replace=False)] for _ in range(SETS)]
    return [x - x.mean(axis=0) for x in drawn]


def largest_t(scores: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Largest |t| over pairs per trial, with the two-way residual and of paired t tests; and the two-way F."""
    x = scores[drawn]  # (trials, n, m)
    n, means = x.shape[1], x.mean(axis=1)
    centred = x - means[:, None]
    cross = np.einsum("tni,tnj->tij", centred, centred) / (n - 1)
    spread = np.einsum("tii->ti", cross)
    of_difference = spread[:, :, None] + spread[:, None, :] - 2 * cross
    distance = np.abs(means[:, :, None] - means[:, None, :])
    pairs = np.triu_indices(M, 1)
    residual = of_difference[:, pairs[0], pairs[1]].mean(axis=1) / 2  # mean Var(d) is 2 sigma_e^2
    tukey = distance.max(axis=(1, 2)) / np.sqrt(2 * residual / n)
    variance = np.maximum(of_difference[:, pairs[0], pairs[1]], 1e-30)
    own = (distance[:, pairs[0], pairs[1]] / np.sqrt(variance / n)).max(axis=1)
    return tukey, own, n * means.var(axis=1, ddof=1) / residual


@pytest.mark.slow
@pytest.mark.parametrize("name", POWER)
def test_power_of_a_pair_is_as_stated(name: str) -> None:
    c = float(studentised.critical_value("pairs", M, (M - 1) * (N - 1), 0.05))
    powers = []
    for scores in sets_of_runs(name):
        # As if the scores were all topics there are: sized by their residual variance, minD for n = 50.
        variance = float(np.var(scores - scores.mean(axis=1, keepdims=True), axis=0).sum() / (M - 1))
        min_d = float(all_pairs.detectable_delta(N, alpha=0.05, beta=0.2, n_systems=M)) * variance**0.5
        rng = np.random.default_rng(45)
        x = scores[rng.integers(len(scores), size=(TRIALS, N))]
        means = x.mean(axis=1)
        residuals = x - means[:, None] - x.mean(axis=2, keepdims=True) + x.mean(axis=(1, 2))[:, None, None]
        residual = np.sum(residuals**2, axis=(1, 2)) / ((M - 1) * (N - 1))
        first, last = rng.choice(M, 2, replace=False)
        t = (means[:, first] - means[:, last] + min_d) / np.sqrt(2 * residual / N)
        powers.append(np.mean(np.abs(t) >= c))
    assert abs(np.mean(powers) - POWER[name]) <= 3 * np.std(powers, ddof=1) * (2 / SETS) ** 0.5 + 0.01


def without_near_duplicates(scores: np.ndarray, rng: np.random.Generator) -> list[int]:
    """Ten systems, each pair equal on fewer than half of the topics, and no few topics behind a difference."""
    chosen: list[int] = []
    for new in rng.permutation(scores.shape[1]).tolist():
        differs = scores[:, chosen] - scores[:, [new]]
        centred = differs - differs.mean(axis=0)
        squares, fourth = (np.sum(centred**power, axis=0) for power in (2, 4))
        if np.all(np.mean(differs == 0, axis=0) < 0.5) and np.all(squares**2 >= 0.16 * len(scores) * fourth):
            chosen.append(new)
        if len(chosen) == M:
            return chosen
    return without_near_duplicates(scores, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURED)
def test_the_printed_error_rates_hold(name: str) -> None:
    scores, rng = reference_matrix(name).scores, np.random.default_rng(46)
    df = (M - 1) * (N - 1)
    critical = (
        float(studentised.critical_value("pairs", M, df, 0.05)),
        float(critical_t(N - 1, 0.05 / 45)),
        float(critical_f(M - 1, df, 0.05)),
    )
    rates = []
    for _ in range(SETS):
        x = scores[:, without_near_duplicates(scores, rng)]
        found = largest_t(x - x.mean(axis=0), rng.integers(len(x), size=(TRIALS, N)))
        rates.append([np.mean(one >= limit) for one, limit in zip(found, critical, strict=True)])
    tukey, own, f = np.mean(rates, axis=0)
    # 20 sets here and 40 there, and three times the error between them.
    tolerance = 3 * np.std(rates, axis=0, ddof=1) * (1 / SETS + 1 / 40) ** 0.5
    assert np.all(np.abs([tukey, f, own] - np.array(MEASURED[name])) <= tolerance[[0, 2, 1]])
    one_step, _ = real_error_rates.ONE_VARIANCE["pairs", "shared"]
    printed = one_step, real_error_rates.OWN_VARIANCES["pairs"], real_error_rates.F_TEST[M]
    for rate, (low, high), error in zip((tukey, own, f), printed, tolerance, strict=True):
        assert low - 0.005 - error <= rate <= high + 0.005 + error  # printed in whole per cent
    text = f"{real_error_rates.F_TEST[M].in_words} % for 10"
    assert text in blocked_anova.SPHERICITY_NOTE


def test_notes_of_comparisons_name_the_error_rate() -> None:
    ten, two = (all_pairs.Requirements(n_systems=m, alpha=0.05, beta=0.2, min_delta=0.5) for m in (10, 2))
    note = "the familywise error rate was 4 to 14 % at a nominal 5 %"
    assert note in all_pairs.required_topics(ten).notes[0]
    assert not all_pairs.required_topics(two).notes  # one t test
