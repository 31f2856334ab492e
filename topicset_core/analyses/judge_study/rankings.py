"""Does a judge rank systems as people do, do people confirm its conclusions, and does it prefer its family?

**Agreement.** Kendall's tau-b and the AP correlation of the two rankings by mean scores on the n topics that both
scored. Few topics lower both correlations, and resamples lower them again. So percentile, basic and nested
bootstrap intervals do not contain the correlation of all topics as often as they say: a judge that ranks as people
do has 1 there and less on any sample. None is given. The prediction interval
``t -+ t_{n-1, 1 - alpha/2} sqrt(2) s*``, s* the standard deviation over resamples of topics, is for the correlation
on n other topics. This has the same mean and variance as t, so that the bias cancels (`TAU_NOTE`).

**Tau over all topics.** Of M pairs, let C be those whose order both rankings resolve equally, and D those that they
resolve in opposite orders. If all these orders are right, tau of the two rankings by true means is between
2 C / M - 1 and 1 - 2 D / M. Each ranking is resolved at alpha / 2, so that this fails with probability alpha.

**All pairs at once.** With one slope b of human on judge scores for all systems (topic effects removed from both),
topic j has for system i the score ``b (J_ij - mean_j J_ij)``, and where it is labelled ``N_t / n (H_ij - b (J_ij -
mean_j J_ij))`` in addition. The mean over topics is the two-phase regression estimate. So `rank_resolution`
resolves pairs of these scores with one familywise error probability, by flipping the signs of topics. Intervals of
t(n - 2) with Bonferroni's level do not hold all at once: on TREC DL 2019 differences of all pairs are far from
normal, and with 5 % intended some pair was missed in 11 to 25 % of samples.

**Preference for a family.** Of runs that share the model's family, the mean of model minus people, less that of
other runs. Where scores are near their ceiling a model lifts good runs less. So the difference is also given at
equal human scores: per topic the contrast of model minus people with weights that are the residuals of the mark
from a regression on 1, mean and squared mean human score of the runs.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.judge_study.study import Estimate, Floats, adjusted, mean_estimate, sample_p
from topicset_core.analyses.pool_depth.study import kendall_tau, tau_ap
from topicset_core.analyses.rank_resolution.resolution import Request as Resolving
from topicset_core.analyses.rank_resolution.resolution import Resolution, resolve
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.designs.distributions import critical_t
from topicset_core.designs.judge_budget import FEWEST_LABELS, required_labels
from topicset_core.errors import InputError
from topicset_core.exports.records import attributes
from topicset_core.wording import ranging

FEWEST_SYSTEMS = 3
"""Of which rankings are compared."""

N_RESAMPLES, _BLOCK = 1000, 100
"""Resamples of topics, so that a standard deviation is within 2 %, and those computed at once."""

TAU_COVERS = (0.9, 1.0)
"""Least and most coverage of 95 % prediction intervals of tau and tau AP."""

TAU_NOTE = (
    "Prediction intervals are for tau on as many other topics, not on all topics: in simulation with 4 to 119 "
    f"topics and 3 to 83 systems, 95 % intervals contained it in {ranging(TAU_COVERS)} of cases."
)

_LEAST_RUNS = 3
"""Runs beyond those that a regression on three terms takes, at least."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How two sets of scores rank the same systems on the same topics."""

    # That both scored
    n_topics: int
    n_systems: int
    # Tau-b, and the AP correlation of the second ranking with the first; None if all are tied
    kendall_tau_of_means: float | None
    tau_ap_of_means: float | None
    on_other_topics: dict[
        str, tuple[float, float]
    ]  # both on as many others: prediction intervals, level 1 - alpha
    # Pairs of systems, and those whose means are in opposite order
    n_pairs: int
    n_reversed: int
    # Median over pairs of the correlation of per-topic differences; pairs without variance are left out
    median_correlation_of_differences: float | None


def agreement(human: ScoreMatrix, other: ScoreMatrix, *, alpha: float = 0.05, seed: int = 0) -> Agreement:
    """Compare the rankings of two matrices on the topics and systems of both.

    Parameters
    ----------
    human, other : ScoreMatrix
        Scores by people, and by a model or by other people.
    alpha : float
        Prediction intervals are at level 1 - alpha.
    seed : int
        Of the resamples.

    Raises
    ------
    InputError
        If fewer than 4 topics or 3 systems are in both.

    Examples
    --------
    >>> from topicset_core.samples import simulated_task
    >>> matrix = simulated_task()[0]
    >>> agreement(matrix, matrix).kendall_tau_of_means
    1.0
    """
    labels = PairedLabels.of(human, other)
    return agreement_of(labels, alpha=alpha, seed=seed)


def agreement_of(labels: PairedLabels, *, alpha: float = 0.05, seed: int = 0) -> Agreement:
    """Compare the rankings by people and by the judge on labelled topics."""
    common = labels.is_labelled
    h, j = labels.human[common], labels.judge.mean(axis=2)[common]
    if len(h) < FEWEST_LABELS:
        raise InputError("human", len(h), f"must have at least {FEWEST_LABELS} topics that the judge has")
    if h.shape[1] < FEWEST_SYSTEMS:
        raise InputError("human", h.shape[1], f"must have at least {FEWEST_SYSTEMS} systems of both")
    first, second = np.triu_indices(h.shape[1], 1)
    signs = [np.sign(means[first] - means[second]) for means in (h.mean(axis=0), j.mean(axis=0))]
    taus = {
        "kendall_tau_of_means": kendall_tau(h.mean(axis=0), j.mean(axis=0)),
        "tau_ap_of_means": tau_ap(j.mean(axis=0), h.mean(axis=0)),
    }
    errors = np.std(_resampled(h, j, seed), axis=0, ddof=1)
    half_widths = critical_t(len(h) - 1, alpha) * math.sqrt(2) * errors
    predicted = {
        name: (max(value - half, -1.0), min(value + half, 1.0))
        for (name, value), half in zip(taus.items(), half_widths.tolist(), strict=True)
        if value is not None
    }
    return Agreement(
        n_topics=len(h),
        n_systems=h.shape[1],
        **taus,
        on_other_topics=predicted,
        n_pairs=first.size,
        n_reversed=int((signs[0] * signs[1] < 0).sum()),
        median_correlation_of_differences=_median_correlation(h, j),
    )


def _median_correlation(h: Floats, j: Floats) -> float | None:
    """Return the median over pairs of the correlation of per-topic differences, from covariances of systems."""
    n_systems = h.shape[1]
    covariance = np.cov(np.hstack([h, j]).T)
    blocks = covariance[:n_systems, :n_systems], covariance[n_systems:, n_systems:]
    cross = covariance[:n_systems, n_systems:]
    first, second = np.triu_indices(n_systems, 1)

    def of_differences(block: Floats) -> Floats:
        own = block.diagonal()
        return np.asarray(own[first] + own[second] - block[first, second] - block[second, first])

    v, w = map(of_differences, blocks)
    rounding = [1e-12 * (own[first] + own[second]) for own in map(np.diagonal, blocks)]
    vary = (v > rounding[0]) & (w > rounding[1])
    if not vary.any():
        return None
    return float(np.median(of_differences(cross)[vary] / np.sqrt(v[vary] * w[vary])))


def _resampled(h: Floats, j: Floats, seed: int) -> list[tuple[float, float]]:
    """Return tau-b and the AP correlation on topics drawn with replacement; 0 where all systems tie."""
    n = len(h)
    stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
    results: list[tuple[float, float]] = []
    for _ in range(N_RESAMPLES // _BLOCK):
        weights = stream.multinomial(n, np.full(n, 1 / n), _BLOCK) / n
        of_people, of_judge = (_signs(weights @ scores) for scores in (h, j))
        both = (of_people * of_judge).sum(axis=(1, 2))
        untied = np.abs(of_people).sum(axis=(1, 2)) * np.abs(of_judge).sum(axis=(1, 2))
        taus = both / np.sqrt(np.maximum(untied, 1))
        results += zip(taus.tolist(), _tau_ap(of_judge, of_people).tolist(), strict=True)
    return results


def _signs(means: Floats) -> Floats:
    """Return for each resample which of two systems is better, (n_resamples, n_systems, n_systems)."""
    return np.sign(means[:, :, None] - means[:, None, :])


def _tau_ap(estimated: Floats, true: Floats) -> Floats:
    """Return `tau_ap` of each resample, from the signs of pairs."""
    # A system with a others above it that is tied with t - 1 is at each rank a + 1 to a + t with probability
    # 1 / t.
    m = estimated.shape[1]
    above = (estimated < 0).sum(axis=2)
    tied = (estimated == 0).sum(axis=2)
    agreed = np.where(estimated < 0, -true, 0).sum(axis=2)
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, m + 1))])
    share = (harmonic[above + tied - 1] - harmonic[np.maximum(above - 1, 0)]) / tied
    return np.asarray(np.where(above > 0, agreed * share, 0).sum(axis=1) / (m - 1))


TAU_LIMITS_COVER = (0.98, 1.0)
"""Least and most share of samples in which `Conclusions.tau_limits` at 5 % contain tau over all topics."""

EQUAL_SYSTEMS_ORDERED = (0.03, 0.10)
"""Least and most share of samples in which, at 5 %, some pair of exactly equal systems is resolved by either."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Conclusions:
    """Pairs of systems that the judge resolves, and what people's labels make of them."""

    # All pairs by the judge's scores of all topics, and by two-phase regression; each at alpha / 2
    judge: Resolution = field(repr=False)
    both: Resolution = field(repr=False)
    slope: float  # human score per judge score, of all systems
    # Pairs that the judge resolves and both resolve in the same, and in the opposite order
    n_confirmed: int
    n_contradicted: int
    # Pairs that the judge resolves and both leave open, in the same order and in the opposite one, or equal
    n_same: int
    n_opposite: int
    # That the judge's mean scores of labelled topics are those of a random sample: their mean and variance
    p_mean: float | None
    p_variance: float | None

    @property
    def n_by_judge(self) -> int:
        """Pairs that the judge resolves."""
        return self.judge.n_resolved

    @property
    def n_by_both(self) -> int:
        """Pairs that both resolve."""
        return self.both.n_resolved

    @property
    def tau_limits(self) -> tuple[float, float]:
        """Limits of Kendall's tau of the judge's and people's rankings by true means, if all orders are right."""
        n_pairs = self.judge.n_pairs
        return 2 * self.n_confirmed / n_pairs - 1, 1 - 2 * self.n_contradicted / n_pairs

    def record(self) -> dict[str, Any]:
        """Return the numbers of pairs, limits of tau, and the tests of a random sample."""
        names = "n_by_judge n_by_both n_confirmed n_contradicted n_same n_opposite"
        return attributes(self, f"{names} tau_limits slope p_mean p_variance")


def conclusions(labels: PairedLabels, *, alpha: float = 0.05, seed: int = 0) -> Conclusions:
    """Resolve all pairs by the judge alone and by two-phase regression, and compare them."""
    request = Resolving(alpha=alpha / 2, seed=seed)  # so that the orders of both rankings hold together
    alone = resolve(_matrix(labels, labels.judge.mean(axis=2)), request)
    scores, slope = two_phase_scores(labels)
    both = resolve(_matrix(labels, scores), request)
    order = [both.systems.index(system) for system in alone.systems]
    better = both.resolved[np.ix_(order, order)]
    gaps = both.means[order][:, None] - both.means[order][None, :]
    by_judge = alone.resolved
    p_mean, p_variance = sample_p(
        labels.judge.mean(axis=(1, 2))[labels.is_labelled], labels.judge.mean(axis=(1, 2))
    )
    is_open = by_judge & ~better & ~better.T
    return Conclusions(
        judge=alone,
        both=both,
        slope=slope,
        n_confirmed=int((by_judge & better).sum()),
        n_contradicted=int((by_judge & better.T).sum()),
        n_same=int((is_open & (gaps > 0)).sum()),
        n_opposite=int((is_open & (gaps <= 0)).sum()),
        p_mean=p_mean,
        p_variance=p_variance,
    )


def two_phase_scores(labels: PairedLabels) -> tuple[Floats, float]:
    """Return scores of all topics with the two-phase regression estimates as means, and their slope."""
    common = labels.is_labelled
    n_topics, n = common.size, int(common.sum())
    judge = labels.judge.mean(axis=2)
    of_people, of_judge = (
        scores - scores.mean(axis=1, keepdims=True) for scores in (labels.human[common], judge[common])
    )
    centred = of_judge - of_judge.mean(axis=0)
    squares = float(np.square(centred).sum())
    slope = float((centred * of_people).sum()) / squares if squares else 0.0
    scores = slope * (judge - judge.mean(axis=0))
    scores[common] = scores[common] * (1 - n_topics / n) + n_topics / n * labels.human[common]
    return scores, slope


def _matrix(labels: PairedLabels, scores: Floats) -> ScoreMatrix:
    return ScoreMatrix(
        scores=scores, topics=labels.topics, systems=labels.systems, measure="score", name=labels.name
    )


@dataclass(frozen=True, kw_only=True)
class Preference:
    """Bias of a judge for marked systems and for the others."""

    marked: tuple[str, ...]  # systems of the model's family
    # Mean of judge minus human scores, with t intervals over labelled topics
    of_marked: Estimate
    of_others: Estimate
    difference: Estimate  # the first minus the second
    at_equal_scores: Estimate | None  # the same at equal human scores; None with too few systems


def preference(labels: PairedLabels, marked: tuple[str, ...], *, alpha: float = 0.05) -> Preference:
    """Estimate how much a judge prefers marked systems."""
    for name in marked:
        if name not in labels.systems:
            raise InputError("marked", name, f"must be one of {', '.join(labels.systems)}")
    is_marked = np.isin(labels.systems, marked)
    if is_marked.all():
        raise InputError("marked", ", ".join(marked), "must leave some system that is not marked")
    common = labels.is_labelled
    people = labels.human[common]
    gap = labels.judge.mean(axis=2)[common] - people

    def of(values: Floats) -> Estimate:
        return mean_estimate(values, alpha)

    own, others = gap[:, is_marked].mean(axis=1), gap[:, ~is_marked].mean(axis=1)
    weights = _weights_at_equal_scores(people.mean(axis=0), is_marked)
    return Preference(
        marked=tuple(system for system in labels.systems if system in marked),
        of_marked=of(own),
        of_others=of(others),
        difference=of(own - others),
        at_equal_scores=None if weights is None else of(gap @ weights),
    )


def _weights_at_equal_scores(means: Floats, is_marked: NDArray[np.bool_]) -> Floats | None:
    """Return the contrast of marked and other systems that mean and squared mean human scores do not change."""
    if means.size < 3 + 1 + _LEAST_RUNS or np.ptp(means) == 0:
        return None
    scaled = (means - means.mean()) / means.std()
    terms = np.column_stack([np.ones_like(scaled), scaled, scaled**2])
    mark = is_marked.astype(np.float64)
    rest = mark - terms @ np.linalg.lstsq(terms, mark, rcond=None)[0]
    left = float(rest @ rest)
    return rest / left if left > 0.1 else None  # else the mark follows from the scores


@dataclass(frozen=True, kw_only=True)
class LabelsForTop:
    """How many labels compare each of the k best systems with each other one."""

    k: int
    n_comparisons: int
    required: int  # labelled topics
    more: int


def labels_for_top(
    labels: PairedLabels, resolution: Resolution, k: int, *, alpha: float, beta: float, min_d: float
) -> LabelsForTop:
    """Return how many labels detect min_d between the k best and the others, at alpha over these comparisons."""
    if not 1 <= k < len(labels.systems):
        raise InputError("top_k", k, f"must be from 1 to {len(labels.systems) - 1}")
    common = labels.is_labelled
    n = int(common.sum())
    rho, variances = [], []
    for best in resolution.systems[:k]:
        for other in resolution.systems[k:]:
            calls, human = labels.differences(best, other)
            h, j = human[common], calls.mean(axis=1)[common]
            if np.ptp(h) == 0:
                continue  # no variance: any number of labels does
            rho.append(adjusted(float(np.corrcoef(h, j)[0, 1]) if np.ptp(j) else 0.0, n))
            variances.append(float(h.var(ddof=1)))
    n_comparisons = k * (len(labels.systems) - k)
    needed = (
        required_labels(
            len(labels.topics),
            alpha=alpha / n_comparisons,
            beta=beta,
            min_d=min_d,
            rho=rho,
            human_variance=variances,
        )
        if rho
        else FEWEST_LABELS
    )
    return LabelsForTop(k=k, n_comparisons=n_comparisons, required=needed, more=max(needed - n, 0))
