"""The difference from judge scores and few labels: stated values of real scores, and simulated coverage."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.designs.asking import stated
from tests.reference_data import reference_matrix
from topicset_core.analyses.judge_study import Request
from topicset_core.analyses.judge_study import judge as answer
from topicset_core.analyses.judge_study.report import report
from topicset_core.analyses.judge_study.study import Study, combined_difference, judge_study, study
from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.errors import InputError
from topicset_core.exports.findings import found_on, texts
from topicset_core.exports.report import Report


def real() -> tuple[np.ndarray, np.ndarray]:
    """Differences of two runs: AP represents people, nDCG@10 a judge."""
    results = []
    for name in ("dl2019_passage_ap", "dl2019_passage_ndcg10"):
        matrix = reference_matrix(name)
        one, other = matrix.systems.index("idst_bert_p1"), matrix.systems.index("bm25base_p")
        results.append(matrix.scores[:, one] - matrix.scores[:, other])
    return results[0], results[1]


def plain_ppi(y: np.ndarray, f: np.ndarray, f_unlabelled: np.ndarray) -> tuple[float, float, float]:
    """PPI++ of a mean: estimate, standard error and lambda.

    Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453: lambda is cov(Y, f) / ((1 + n / N) var(f)) with the
    variance over both samples; as in their package ppi_py, the covariance is over n, lambda is cut to 0..1, and the
    variances of the standard error are over n and N.
    """
    n, rest = len(y), len(f_unlabelled)
    covariance = sum((y - y.mean()) * (f - f.mean())) / n
    both = np.array([*f, *f_unlabelled])
    tuning = covariance / (1 + n / rest) / (sum((both - both.mean()) ** 2) / (n + rest - 1))
    tuning = 0.0 if tuning < 0 else 1.0 if tuning > 1 else tuning
    rectified = y - tuning * f
    estimate = tuning * f_unlabelled.mean() + rectified.mean()
    variance = tuning**2 * np.var(f_unlabelled) / rest + np.var(rectified) / n
    return float(estimate), float(variance) ** 0.5, float(tuning)


@pytest.mark.parametrize("slope", [-1.0, 0.3, 5.0], ids=["cut at 0", "within", "cut at 1"])
def test_ppi_is_that_of_its_authors(slope: float) -> None:
    rng = np.random.default_rng(9)
    judge = rng.normal(0.1, 0.2, 60)
    human = slope * judge[:12] + rng.normal(0, 0.05, 12)
    result = combined_difference(human, judge[:12], judge)
    estimate, error, tuning = plain_ppi(human, judge[:12], judge[12:])
    assert result.ppi is not None
    # Sums in another order: some rounding errors.
    assert (result.tuning, result.ppi.difference) == (
        pytest.approx(tuning, 1e-12),
        pytest.approx(estimate, 1e-12),
    )
    assert result.ppi.standard_error == pytest.approx(error, rel=1e-12)
    assert (result.tuning == 0) == (slope < 0)
    assert (result.tuning == 1) == (slope == 5)


def labels_where(chosen: np.ndarray, human: np.ndarray, judge: np.ndarray) -> PairedLabels:
    """Scores of two systems, of which the second scores 0, with labels on chosen topics."""
    people = np.full((len(judge), 2), np.nan)
    people[chosen] = np.column_stack([human[chosen], np.zeros(len(chosen))])
    return PairedLabels(
        judge=np.column_stack([judge, np.zeros(len(judge))])[:, :, None],
        human=people,
        topics=tuple(map(str, range(len(judge)))),
        systems=("x", "y"),
        name="made",
    )


def labelled_where(chosen: np.ndarray, human: np.ndarray, judge: np.ndarray) -> Study:
    """Study these two systems."""
    return study(labels_where(chosen, human, judge), "x", "y")


def report_where(chosen: np.ndarray, human: np.ndarray, judge: np.ndarray) -> Report:
    """Report on these two systems."""
    return report(answer(labels_where(chosen, human, judge), Request()))


def headline_of(shown: Report) -> str:
    (text,) = texts(shown.findings, "headline")
    return text


# Statements.md, section 7: a quadratic judge, a judge blind to losses, and the worst topics labelled.
JUDGES: dict[str, Any] = {
    "linear": lambda z, noise: 0.7 * z + 0.1 * noise,
    "quadratic": lambda z, noise: z + 2 * z**2 + 0.05 * noise,
    "blind to losses": lambda z, noise: np.maximum(z, 0) + 0.05 * noise,
}


@pytest.mark.slow
@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
def test_random_labels_are_seldom_called_no_random_sample(judge: Any) -> None:
    rng, warned = np.random.default_rng(2), 0
    for _ in range(400):
        z = rng.normal(0.03, 0.16, 40)
        warned += not labelled_where(
            rng.choice(40, 15, replace=False), z, judge(z, rng.standard_normal(40))
        ).judge.is_random_sample
    assert warned / 400 <= 0.01 + 3 * 0.005  # two exact tests at .005, and three standard errors


@pytest.mark.parametrize(
    ("judge", "worst", "power"),
    # Of 150 simulations each, .85 of the worst topics with a linear judge, .87 with one that is blind to losses.
    [
        ("quadratic", False, 0.95),
        ("blind to losses", False, 0.95),
        ("linear", True, 0.7),
        ("blind to losses", True, 0.7),
    ],
)
def test_chosen_labels_are_called_no_random_sample(judge: str, worst: bool, power: float) -> None:
    rng, warned = np.random.default_rng(3), 0
    for _ in range(60):
        z = rng.normal(0.03, 0.16, 40)
        scores = JUDGES[judge](z, rng.standard_normal(40))
        chosen = np.argsort(z if worst else -scores)[:15]
        if not labelled_where(chosen, z, scores).judge.is_random_sample:
            warned += 1
            shown = report_where(chosen, z, scores)
            assert "±" not in headline_of(shown)  # an interval that does not hold is no headline
            assert "interval does not hold" in texts(shown.findings, "terminal")[0]
            assert "interval does not hold" in shown.text[0]
            assert "at random" not in shown.text[0]
    assert warned / 60 >= power


def test_p_values_of_a_sample_do_not_depend_on_the_order_of_topics() -> None:
    rng = np.random.default_rng(5)
    z, noise = rng.normal(0.03, 0.16, (2, 30))
    order = rng.permutation(30)
    first = labelled_where(np.arange(8), z, z + noise).judge
    second = labelled_where(np.flatnonzero(order < 8), z[order], (z + noise)[order]).judge
    other = labelled_where(np.arange(8), -z, -(z + noise)).judge
    assert (first.p_mean, first.p_variance) == (second.p_mean, second.p_variance)
    assert (first.p_mean, first.p_variance) == (other.p_mean, other.p_variance)


def test_p_values_against_all_samples() -> None:
    """Of 4 labels among 8 topics there are 70 samples."""
    judge = np.array([0.9, 0.7, 0.4, 0.35, 0.3, 0.2, 0.1, -0.2])
    result = labelled_where(np.arange(4), np.array([0.5, 0.4, 0.1, 0.2, 0, 0, 0, 0]), judge).judge
    samples = [judge[list(one)] for one in combinations(range(8), 4)]
    for p, moment in ((result.p_mean, np.mean), (result.p_variance, np.var)):
        values = np.array([moment(one) for one in samples])
        own = values[0]
        share = 2 * min((values >= own - 1e-12).mean(), (values <= own + 1e-12).mean())
        # Four standard errors of twice a share of 1,999 permutations.
        assert p == pytest.approx(min(share, 1), abs=4 * 2 * math.sqrt(share / 2 / 1999) + 0.001)


def test_labels_of_all_topics_have_no_test_and_their_mean_is_that_of_people() -> None:
    z = np.random.default_rng(1).normal(size=(2, 9))
    result = labelled_where(np.arange(9), z[0], z[1])
    assert (result.judge.p_mean, result.judge.p_variance, result.judge.is_random_sample) == (None, None, True)
    assert result.combined.difference == pytest.approx(z[0].mean())
    assert result.combined.n_effective == pytest.approx(9)
    assert result.combined.ppi is None


def test_the_headline_claims_a_difference_only_where_the_interval_excludes_zero() -> None:
    noise = np.random.default_rng(3).normal(scale=0.1, size=20)
    first = noise - noise.mean()  # 20 labels with a standard deviation of .1: no difference, and a clear one
    headlines = [
        finding
        for mean in (0.0, 1.0, -1.0)
        for finding in found_on(
            report_where(np.arange(20), first + mean, first / 2 + mean).findings, "headline"
        )
    ]
    assert [headline.text.removesuffix(headline.value) for headline in headlines] == [
        "No reliable difference between x and y: ",
        "x scores higher than y by ",
        "y scores higher than x by ",
    ]
    values = [float(headline.value.partition(" ")[0]) for headline in headlines]
    assert values == pytest.approx([0, 1, 1], abs=5e-5)  # 4 digits


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
    # The notes have .162839 with n - 1 for n.
    assert result.tuning == pytest.approx(0.162839 * 19 / 20, abs=1e-6)
    assert judge_study(np.concatenate([human[:20], np.full(23, np.nan)]), judge[:, None]).rho == stated(
        0.490, 3
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "low", "high"),
    # As printed with the answer: 93 to 98 % for symmetric differences, 85 to 94 % for skewed ones and zeros.
    [("normal", 0.93, 0.98), ("t3", 0.93, 0.98), ("lognormal", 0.85, 0.94), ("zeros", 0.85, 0.94)],
)
def test_the_printed_cover_against_simulation(kind: str, low: float, high: float) -> None:
    rng, trials, covered = np.random.default_rng(14), 1500, 0
    for _ in range(trials):
        z = rng.standard_normal(200)
        human, mean = z if kind == "normal" else rng.standard_t(3, 200), 0.0
        if kind == "lognormal":
            human, mean = np.exp(z), math.exp(0.5)
        elif kind == "zeros":
            human, mean = np.where(rng.random(200) < 0.8, 0, np.abs(z)), 0.2 * math.sqrt(2 / math.pi)
        judge = 0.6 * human + rng.standard_normal(200)
        if np.ptp(human[:30]):
            result = combined_difference(human[:30], judge[:30], judge)
            covered += abs(result.difference - mean) <= result.half_width
    # Three standard errors of a share near .9.
    assert low - 0.023 <= covered / trials <= high + 0.023


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


def test_invalid_studies_are_refused() -> None:
    j = np.arange(6.0)
    for human, judge, every in ((j[:3], j[:3], j), (j, j[:5], j), (j, j * 0, j * 0), (j, j, j[:4])):
        with pytest.raises(InputError):
            combined_difference(human, judge, every)
    with pytest.raises(InputError, match="at least 4"):
        judge_study(np.full(6, np.nan), j[:, None])
