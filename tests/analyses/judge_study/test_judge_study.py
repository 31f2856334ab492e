"""The difference from judge scores and few labels: stated values of real scores, and simulated coverage."""

import math

import numpy as np
import pytest

from tests.designs.asking import stated
from tests.reference_data import reference_matrix
from topicset_core.analyses.judge_study import combined_difference, judge_study, study
from topicset_core.analyses.judge_study.report import headline
from topicset_core.collection.paired_labels import PairedLabels
from topicset_core.errors import InputError


def real() -> tuple[np.ndarray, np.ndarray]:
    """Differences of two runs: AP represents people, nDCG@10 a judge."""
    results = []
    for name in ("dl2019_passage_ap", "dl2019_passage_ndcg10"):
        matrix = reference_matrix(name)
        one, other = matrix.systems.index("idst_bert_p1"), matrix.systems.index("bm25base_p")
        results.append(matrix.scores[:, one] - matrix.scores[:, other])
    return results[0], results[1]


def test_dl_2019_against_stated() -> None:
    """Shared reference notes, 4.3: the first 20 of 43 topics are labelled."""
    human, judge = real()
    whole = judge_study(human, judge[:, None])
    assert (whole.rho, whole.human_variance) == (stated(0.612602, 6), stated(0.04993880, 8))
    assert whole.judge_variance == stated(0.05662451, 8)
    result = combined_difference(human[:20], judge[:20], judge)
    assert (result.slope, result.difference) == (stated(0.547345, 6), stated(0.19584373, 8))
    assert result.standard_error == stated(0.04978396, 8)
    low, high = result.difference - result.half_width, result.difference + result.half_width
    assert (low, high) == (stated(0.091252, 6), stated(0.300436, 6))
    assert result.human_only.difference == stated(0.14219362, 8)
    assert result.human_only.standard_error == stated(0.04434147, 8)
    assert result.ppi is not None
    assert (result.tuning, result.ppi.difference) == (stated(0.162839, 6), stated(0.17203435, 8))
    assert result.ppi.standard_error == stated(0.04244590, 8)
    assert judge_study(np.concatenate([human[:20], np.full(23, np.nan)]), judge[:, None]).rho == stated(
        0.490, 3
    )


# rho, labels, others: variance with 1 / (n - 3) and regression's cover, PPI++'s variance and cover (4.3).
STATED = {
    (0.5, 20, 200): (1.073e-3, 0.949, 1.099e-3, 0.924),
    (0.7, 10, 200): (1.591e-3, 0.956, 1.795e-3, 0.902),
    (0.9, 10, 200): (6.717e-4, 0.961, 1.101e-3, 0.913),
}


@pytest.mark.slow
@pytest.mark.parametrize(("rho", "n", "others"), STATED)
def test_variance_and_cover_against_simulation(rho: float, n: int, others: int) -> None:
    variance, cover, ppi_variance, ppi_cover = STATED[rho, n, others]
    rng, trials = np.random.default_rng(12), 1500
    estimates, covered, rivals, rivals_covered = [], 0, [], 0
    for _ in range(trials):
        z = rng.standard_normal((2, n + others)) * math.sqrt(0.0264)
        human = z[0, :n]
        judge = math.sqrt(1.3) * (rho * z[0] + math.sqrt(1 - rho**2) * z[1]) + 0.07
        result = combined_difference(human, judge[:n], judge)
        estimates.append(result.difference)
        covered += abs(result.difference) <= result.half_width
        assert result.ppi is not None
        rivals.append(result.ppi.difference)
        rivals_covered += abs(result.ppi.difference) <= result.ppi.half_width
    # The variance of 1500 draws varies by 3.7 %, a cover of .95 by .0056: four standard errors, and theirs.
    assert np.var(estimates) == pytest.approx(variance, rel=0.15)
    assert covered / trials == pytest.approx(cover, abs=0.025)
    assert np.var(rivals) == pytest.approx(ppi_variance, rel=0.17)
    assert rivals_covered / trials == pytest.approx(ppi_cover, abs=0.032)


def test_noise_of_calls_is_separated_from_the_stable_part() -> None:
    rng = np.random.default_rng(3)
    total = np.zeros(2)
    for _ in range(200):
        calls = rng.normal(0, math.sqrt(0.03), (40, 1)) + rng.normal(0, math.sqrt(0.015), (40, 3))
        result = judge_study(rng.normal(size=40), calls)
        total += [result.call_variance or 0, result.stable_variance or 0]
    # Means over 200: standard errors .00012 and .0006.
    assert total / 200 == pytest.approx([0.015, 0.03], abs=0.0025)


def test_bias_and_agreement_by_hand() -> None:
    human = np.array([0.1, 0.2, 0.3, 0.4, np.nan])
    result = judge_study(human, (np.array([0.2, 0.3, 0.4, 0.5, 0.9]))[:, None])
    assert (result.bias, result.slope, result.n_labels) == (pytest.approx(0.1), pytest.approx(1), 4)
    assert result.rho == pytest.approx(1)
    assert result.call_variance is None


def test_all_labelled_is_the_mean_of_people() -> None:
    rng = np.random.default_rng(1)
    labels = PairedLabels(
        judge=rng.normal(size=(9, 2, 2)),
        human=rng.normal(size=(9, 2)),
        topics=tuple("abcdefghi"),
        systems=("x", "y"),
        name="made",
    )
    result = study(labels, "x", "y")
    assert result.combined.difference == pytest.approx(result.combined.human_only.difference)
    assert result.combined.n_effective == pytest.approx(9)
    assert result.combined.ppi is None


def test_the_headline_claims_a_difference_only_where_the_interval_excludes_zero() -> None:
    noise = np.random.default_rng(3).normal(scale=0.1, size=20)
    claims = []
    for mean in (0.0, 1.0):  # 20 labels with a standard deviation of .1: no difference, and a clear one
        first = noise - noise.mean() + mean
        scores = np.column_stack([first, np.zeros(20)])
        labels = PairedLabels(
            judge=scores[:, :, None],
            human=scores,
            topics=tuple(map(str, range(20))),
            systems=("x", "y"),
            name="n",
        )
        claims.append(headline(study(labels, "x", "y")))
    (no_claim, zero), (claim, one) = claims
    assert no_claim != claim
    assert [float(text.partition(" ")[0]) for text in (zero, one)] == pytest.approx(
        [0, 1], abs=5e-5
    )  # 4 digits


def test_invalid_studies_are_refused() -> None:
    j = np.arange(6.0)
    for human, judge, every in ((j[:3], j[:3], j), (j, j[:5], j), (j, j * 0, j * 0), (j, j, j[:4])):
        with pytest.raises(InputError):
            combined_difference(human, judge, every)
    with pytest.raises(InputError, match="at least 4"):
        judge_study(np.full(6, np.nan), j[:, None])
