"""Bias and noise of a judge on differences of two systems, and the difference from many judge and few human scores.

Per topic j, H_j is the difference by people and J_jk that by call k of the judge. What counts is how differences
agree: scores agree better, as both follow the difficulty of a topic.

The difference is estimated by two-phase regression (Cochran 1977, chapter 12), ``H_lab + b (J_all - J_lab)``
with the slope b on labelled topics, variance ``s^2 (1/n + (J_all - J_lab)^2 / S_xx) + b^2 s_J^2 / N_t`` and a t
interval with n - 2 degrees of freedom. Skewed differences are covered less often (`report.COVERAGE`): Hall's
transformation and a studentised bootstrap raised .86 to .93 there, but lowered .97 to .92 and .89 to .83
elsewhere, so neither is used. Power-tuned prediction-powered inference (PPI++, Angelopoulos and others 2023) is
given for comparison, as its authors' package ppi_py has it; its normal intervals cover less.

**Labels must be a random sample.** Then so are the judge's differences on labelled topics among those on all:
their mean and variance are each tested by random permutations.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.designs.judge_budget import FEWEST_LABELS, effective_labels
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA

Floats = NDArray[np.float64]

N_PERMUTATIONS = 1999
LEAST_P = 0.005
"""Of each test: below, labelled topics are called no random sample."""


@dataclass(frozen=True, kw_only=True)
class JudgeStudy:
    """Agreement of a judge on topics that people labelled, and from repeated calls."""

    n_labels: int  # labelled topics
    n_topics: int  # judged topics
    n_calls: int  # per topic
    rho: float  # correlation of human differences with the mean of the calls
    rho_stable: float  # the same without noise of calls; at most 1, `rho` where there is one call
    slope: float  # human difference per judge difference, by regression
    bias: float  # mean of judge minus human differences: it does not shrink with more judged topics
    # Of differences over topics: of people on labelled topics, of the mean of calls on all
    human_variance: float
    judge_variance: float
    # Between calls, and of the judge's stable part over topics, which may be below 0; None with one call
    call_variance: float | None
    stable_variance: float | None
    intervals: dict[str, tuple[float, float]]  # at level 1 - alpha, of "rho" (Fisher's z) and "bias" (t)
    # Two-sided, of the judge's mean and variance on labelled topics among all; None with fewer than two others
    p_mean: float | None
    p_variance: float | None
    were_chosen: bool = False  # whether the user states that labelled topics are no random sample

    @property
    def is_random_sample(self) -> bool:
        """Whether labels are of all topics, or are and look like a random sample: both p at least `LEAST_P`."""
        if self.n_labels == self.n_topics:
            return True
        return not self.were_chosen and min(self.p_mean or 1.0, self.p_variance or 1.0) >= LEAST_P

    @property
    def call_ratio(self) -> float:
        """Variance between calls over the stable one; 0 where it is not known."""
        if self.call_variance is None or self.stable_variance is None or self.stable_variance <= 0:
            return 0.0
        return self.call_variance / self.stable_variance


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """An estimate of a difference."""

    difference: float
    standard_error: float
    half_width: float

    @property
    def in_words(self) -> str:
        """The difference with its interval."""
        return f"{self.difference:+z.4f} ± {self.half_width:.4f}"


@dataclass(frozen=True, kw_only=True)
class Combined(Estimate):
    """The difference of two systems from many judge scores and few human labels, by regression with t(n - 2)."""

    slope: float
    n_effective: float  # human labels that alone would be as good
    human_only: Estimate  # mean of the human differences, with t(n - 1)
    judge_only: Estimate  # mean of the judge's differences, with t(N_t - 1)
    ppi: Estimate | None  # PPI++ with its normal interval, which covers too seldom
    tuning: float | None  # its lambda, 0 to 1


@dataclass(frozen=True, kw_only=True)
class Study:
    """Both, for one pair of systems."""

    first: str
    second: str
    alpha: float  # intervals are at level 1 - alpha
    judge: JudgeStudy
    combined: Combined


def adjusted(rho: float, n_labels: int) -> float:
    """Return rho whose residual variance ``v (1 - rho^2)`` has n - 2 degrees of freedom, as that of the study."""
    squared = 1 - (1 - min(rho**2, 0.999998)) * (n_labels - 1) / (n_labels - 2)
    return math.copysign(math.sqrt(max(squared, 0.0)), rho)


def study(
    labels: PairedLabels, first: str, second: str, *, alpha: float = 0.05, were_chosen: bool = False
) -> Study:
    """Study a judge on one pair of systems, and estimate their difference.

    Parameters
    ----------
    labels : PairedLabels
        Judge scores of all topics and human ones of at least four.
    first, second : str
        The systems.
    alpha : float
        Intervals are at level 1 - alpha.
    were_chosen : bool
        Whether labelled topics are no random sample of the judged ones.

    Raises
    ------
    InputError
        If a system is unknown, fewer than four topics are labelled, or differences do not vary.
    """
    calls, human = labels.differences(first, second)
    labelled = ~np.isnan(human)
    return Study(
        first=first,
        second=second,
        alpha=ALPHA.check(alpha),
        judge=replace(judge_study(human, calls, alpha=alpha), were_chosen=were_chosen),
        combined=combined_difference(
            human[labelled], calls.mean(axis=1)[labelled], calls.mean(axis=1), alpha=alpha
        ),
    )


def judge_study(human: Floats, calls: Floats, *, alpha: float = 0.05) -> JudgeStudy:
    """Return agreement, bias and noise of a judge on per-topic differences."""
    from scipy import special

    labelled = ~np.isnan(human)
    h, means = human[labelled], calls.mean(axis=1)
    j = means[labelled]
    _check(h, j)
    n, (n_topics, k) = h.size, calls.shape
    rho = float(np.corrcoef(h, j)[0, 1])
    gap = j - h
    half = -float(special.stdtrit(n - 1, alpha / 2)) * float(gap.std(ddof=1)) / math.sqrt(n)
    p_mean, p_variance = sample_p(j, means)
    z, step = (
        math.atanh(min(max(rho, -1 + 1e-15), 1 - 1e-15)),
        -float(special.ndtri(alpha / 2)) / math.sqrt(n - 3),
    )
    within = stable = None
    stable_rho = rho
    if k > 1:
        within = float(calls.var(axis=1, ddof=1).mean())
        stable = float(means.var(ddof=1)) - within / k
        if stable > 0:
            stable_rho = max(min(rho * math.sqrt(1 + within / stable / k), 1.0), -1.0)
    return JudgeStudy(
        n_labels=n,
        n_topics=n_topics,
        n_calls=k,
        rho=rho,
        rho_stable=stable_rho,
        slope=float(((j - j.mean()) @ h) / np.square(j - j.mean()).sum()),
        bias=float(gap.mean()),
        human_variance=float(h.var(ddof=1)),
        judge_variance=float(means.var(ddof=1)),
        call_variance=within,
        stable_variance=stable,
        intervals={
            "rho": (math.tanh(z - step), math.tanh(z + step)),
            "bias": (float(gap.mean()) - half, float(gap.mean()) + half),
        },
        p_mean=p_mean,
        p_variance=p_variance,
    )


def sample_p(labelled: Floats, every: Floats) -> tuple[float | None, float | None]:
    """Return p of the mean and of the variance of labelled values, if they are a random sample of all."""
    n, n_topics = labelled.size, every.size
    if n_topics < n + 2:
        return None, None
    sign = -1.0 if every.mean() < 0 else 1.0
    # Sorted and signed: p depends on neither the order of topics nor that of systems.
    centred = np.sort(sign * (every - every.mean()))

    def moments(values: Floats) -> Floats:
        mean = values.mean(axis=-1)
        return np.stack([mean, np.square(values).mean(axis=-1) - np.square(mean)])

    drawn, own = moments(centred[_random_samples(n, n_topics)]), moments(sign * (labelled - every.mean()))
    slack = 1e-9 * np.square(centred).mean() ** np.array([0.5, 1.0])  # rounding between equal samples
    below, above = ((side * (drawn - own[:, None]) >= -slack[:, None]).sum(axis=1) for side in (-1, 1))
    p_mean, p_variance = np.minimum(2 * (np.minimum(below, above) + 1) / (N_PERMUTATIONS + 1), 1.0).tolist()
    return p_mean, p_variance


@lru_cache(maxsize=1)
def _random_samples(n: int, n_topics: int) -> NDArray[np.int64]:
    """Return random samples of n topics, one per row; the same for all pairs."""
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(0)))
    return np.stack([rng.choice(n_topics, n, replace=False, shuffle=False) for _ in range(N_PERMUTATIONS)])


def combined_difference(
    human: Floats, judge_labelled: Floats, judge_all: Floats, *, alpha: float = 0.05
) -> Combined:
    """Estimate a difference from human differences on some topics and judge differences on all."""
    from scipy import special

    ALPHA.check(alpha)
    h, j, every = (np.asarray(values, dtype=np.float64) for values in (human, judge_labelled, judge_all))
    _check(h, j)
    n, n_topics = h.size, every.size
    if n_topics < n:
        raise InputError("judge_all", n_topics, f"must include the {n} labelled topics, too")
    centred = j - j.mean()
    sxx = float(centred @ centred)
    slope, shift = float(centred @ h) / sxx, float(every.mean() - j.mean())
    residual = float(np.square(h - h.mean() - slope * centred).sum()) / (n - 2)
    error = math.sqrt(residual * (1 / n + shift**2 / sxx) + slope**2 * float(every.var(ddof=1)) / n_topics)
    ppi, tuning = _ppi(h, j, every, alpha) if n_topics > n + 1 else (None, None)

    return Combined(
        difference=float(h.mean()) + slope * shift,
        standard_error=error,
        half_width=-float(special.stdtrit(n - 2, alpha / 2)) * error,
        slope=slope,
        n_effective=effective_labels(n, n_topics, float(np.corrcoef(h, j)[0, 1])),
        human_only=mean_estimate(h, alpha),
        judge_only=mean_estimate(every, alpha),
        ppi=ppi,
        tuning=tuning,
    )


def _ppi(h: Floats, j: Floats, every: Floats, alpha: float) -> tuple[Estimate, float]:
    """Return PPI++'s estimate with its normal interval, and lambda, as ppi_py does: variances over n."""
    from scipy import special

    n, rest = h.size, every.size - h.size
    unlabelled = (every.sum() - j.sum()) / rest
    tuning = float(np.cov(h, j, ddof=0)[0, 1]) / ((1 + n / rest) * float(every.var(ddof=1)))
    tuning = min(max(tuning, 0.0), 1.0)
    # Of the unlabelled ones alone, from the sums: the labelled topics are anywhere among all.
    centre = every.mean()
    squares = float(np.square(every - centre).sum() - np.square(j - centre).sum())
    spread = squares / rest - (unlabelled - centre) ** 2
    error = math.sqrt(tuning**2 * spread / rest + float((h - tuning * j).var()) / n)
    result = float(h.mean()) + tuning * float(unlabelled - j.mean())
    z = -float(special.ndtri(alpha / 2))
    return Estimate(difference=result, standard_error=error, half_width=z * error), tuning


def mean_estimate(values: Floats, alpha: float) -> Estimate:
    """Return the mean of values with its t interval."""
    from scipy import special

    error = float(values.std(ddof=1)) / math.sqrt(values.size)
    half = -float(special.stdtrit(values.size - 1, alpha / 2)) * error
    return Estimate(difference=float(values.mean()), standard_error=error, half_width=half)


def _check(human: Floats, judge: Any) -> None:
    if human.shape != judge.shape:
        raise InputError(
            "judge_labelled", judge.shape, f"must have the shape {human.shape}, as human differences"
        )
    if human.size < FEWEST_LABELS:
        raise InputError("human", human.size, "must be labels of at least 4 topics for both systems")
    if np.ptp(judge) == 0 or np.ptp(human) == 0:
        raise InputError("human", 0.0, "must vary over topics, and the judge's differences, too")
