"""Variances of known tasks, and how well they predict that of a similar new one.

`atlas.csv` has one row per collection and measure: conventions of the measure, judge, topics, runs, mean score,
one-way and two-way variance of all runs and of the runs from the median mean upwards, components of systems and
topics, and the repository of the scores. Rows whose conventions are not known are not in it, as the largest
grade of ERR. Topic sets do not overlap within a family: of Robust 2003 and 2004 only the new topics count.

**A similar task** gives the median variance over the collections of one family and measure, of all runs or of the
stronger half of them: those from the median mean upwards. How far the variance v of the m systems of a new
collection may lie from the median has two parts,

    2 / nu = 2 / nu_B + S_m,    the relative variance of chi^2_nu / nu (Satterthwaite).

nu_B is of *collections* (`BETWEEN`): each collection's variance over the median of the others in its family, for
families of three or more, in two classes of measures: those of the first 20 ranks and RR, and deeper ones. nu_B is
such that the 80th percentile of |log chi^2_nu / nu| is that of these ratios, and .6 of it is taken: collections
share runs, years and measures, so that cases are fewer than they look. With .6, and nu_B from all other
collections, 81 to 92 % of the collections left out are within their 80 % interval; from other families alone, 59
to 97 %.

S_m is of the *choice of m systems* (`CHOICE`). The one-way variance is a mean over systems, the two-way variance a
mean over pairs of half the variance of their difference, so that [2]

    S_m = z / m  (one-way),    S_m = 2 (2 (m - 2) z_1 + z_2) / (m (m - 1))  (two-way),

with z and z_2 the relative variances over systems and over pairs, and z_1 the relative covariance of two pairs with
a system in common. They are the largest of 24 matrices (TREC-3, TREC-8, Robust 2003 and 2004, Web 2011 and 2012,
DL 2019), as it is not known which of them a new collection is like. A test computes all of them again.

**With a pilot** whose estimate v has nu degrees of freedom, a scaled inverse chi^2 prior (v0, nu0) has the
posterior (nu0 v0 + nu v) / (nu0 + nu) with nu0 + nu degrees of freedom [1]. For close values that is the mean
on the logarithmic scale, weighted by precision.

Pilots of 10 and 25 topics of Robust 2004 (AP) and DL 2019 (nDCG@10), 400 each, with all of their runs and the
median of all other collections: the 90 % interval of both together covered 89 to 99 %, that of the pilot alone 83
to 96 %; the mean ratio of its ends was 1.6 to 4.2 in place of 2.0 to 22. A median that is wrong is believed: the
one-way nDCG@20 of Web 2012, 1.4 times too high, was covered in 38 to 48 %, and the disagreement was told in 17 to
20 % of these pilots.

References
----------
.. [1] A. Gelman et al. Bayesian Data Analysis, 3rd edition, section 2.6. Chapman and Hall (2013).
.. [2] W. Hoeffding. A class of statistics with asymptotically normal distribution. Annals of Mathematical
   Statistics 19, 293-325 (1948), Eq. 5.13. https://doi.org/10.1214/aoms/1177730196
"""

import csv
import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args, get_type_hints

from topicset_core.errors import InputError
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    ChoiceParameter,
    NameParameter,
    Parameter,
)
from topicset_core.variance.choices import MEAN_PAIR_DIFFERENCE, ONE_WAY, TWO_WAY, Estimate
from topicset_core.variance.intervals import VarianceInterval
from topicset_core.wording import counted

SIMILAR_TO = NameParameter(
    name="similar_to",
    label="A similar task",
    help='Family and measure of public collections, as "dl-passage:nDCG@10": their median variance is used.',
    default="",
)

Runs = Literal["all", "stronger-half"]
"""Which runs of a collection its variance is of."""

SIMILAR_RUNS = ChoiceParameter(
    name="similar_runs",
    label="Runs of the similar task",
    help="Runs whose variance is used: all, or the stronger half, with a mean score from the median upwards.",
    options={"all": "all runs", "stronger-half": "stronger half of the runs"},
    default="all",
)

FAMILIES = {
    "dl-passage": "TREC Deep Learning, passages",
    "dl-passage-grade2": "TREC Deep Learning, passages, relevant from grade 2",
    "dl-passage-gpt4": "TREC Deep Learning, passages, other topics judged by GPT-4 (SynDL)",
    "web": "TREC Web",
    "news": "TREC ad hoc and Robust, newswire",
    "terabyte": "TREC Terabyte",
    "million-query": "TREC Million Query",
}
"""Tasks with like documents and topics, by their names in links and on the command line."""

SOURCES = {
    "julian-urbano/sigir2018-simulation": "7515622336f0c1f0bf0718fc3e3e228c24e6152b",
    "julian-urbano/sigir2019-statistical": "dc9f891cfed783daf0d655316a7d69906010bfed",
    "julian-urbano/sigir2019-standardization": "ece6223f679c7cb1e06e2c928e6b118ba85853fc",
    "julian-urbano/irj2015-reliability": "abccb32a56e221b595aeee8bed09ba4410fe84bc",
    "julian-urbano/gt4ireval": "8ec8ebbb4276d2a41e25ad08cf66979da6e4f401",
    "Miccighel/NewBestSub": "a47989063bc64210e5bffc932e1e0fd1ddcb552b",
    "Parry-Parry/sigir25-annotation": "935c789fd39a6aa450ce1911188e76a0b26a407a",
    "rahmanidashti/SynDL": "78a3ffe3cb33bd80b99014ae13ba9d854ec6e055",
}
"""Repositories of the scores, or of the runs and judgments that they were computed from, and their commits."""

BETWEEN = {
    ("one_way", "shallow"): 64.56,
    ("one_way", "deep"): 4.006,
    ("two_way", "shallow"): 85.11,
    ("two_way", "deep"): 6.532,
    ("one_way_top_half", "shallow"): 35.04,
    ("one_way_top_half", "deep"): 5.113,
    ("two_way_top_half", "shallow"): 8.605,
    ("two_way_top_half", "deep"): 7.384,
}
"""nu_B, by column of the atlas and class of measures."""

CHOICE: dict[tuple[str, str], tuple[float, ...]] = {
    ("one_way", "shallow"): (0.427,),
    ("one_way", "deep"): (0.542,),
    ("two_way", "shallow"): (0.0846, 0.329),
    ("two_way", "deep"): (0.182, 0.505),
    ("one_way_top_half", "shallow"): (0.0794,),
    ("one_way_top_half", "deep"): (0.141,),
    ("two_way_top_half", "shallow"): (0.0434, 0.282),
    ("two_way_top_half", "deep"): (0.149, 0.502),
}
"""z of the one-way variance, z_1 and z_2 of the two-way variance."""

WITHIN = 0.80
"""Share of variances of new collections within the factor that is stated."""

WITHIN_HOLDS = (80, 100)
"""Per cent of variances within that factor in simulation: the least and the most of any setting."""

FEWEST_PILOT_TOPICS = 10
"""A source that is worth fewer pilot topics gives an interval of topics, and no single number."""

_TAKEN = {
    WITHIN_SYSTEM_VARIANCE: ("one_way", 1, ONE_WAY),
    RESIDUAL_VARIANCE: ("two_way", 1, TWO_WAY),
    DIFFERENCE_VARIANCE: ("two_way", 2, MEAN_PAIR_DIFFERENCE),
}
"""Column of the atlas, factor and estimate, by the variance that a design takes."""
_DEEPEST_SHALLOW = 20  # ranks
_SAME = 0.9  # from this ratio of the variances of stronger and all runs upwards they count as equal


@dataclass(frozen=True, kw_only=True)
class TaskVariance:
    """A row of the atlas."""

    family: str  # a name in `FAMILIES`
    task: str  # the collection
    measure: str
    conventions: str  # relevance level or gains
    judge: str  # "people" or "GPT-4"
    topics: int
    runs: int
    mean: float  # of all scores, 0 to 1
    # In squared units of the measure: variances of all runs and of those from the median mean upwards, and
    # components of two-way ANOVA
    one_way: float
    two_way: float
    one_way_top_half: float
    two_way_top_half: float
    system_variance: float
    topic_variance: float
    source: str  # a repository in `SOURCES`


@dataclass(frozen=True, kw_only=True)
class SimilarTask:
    """What collections of a similar task tell about the variance of some systems of a new one.

    Parameters
    ----------
    family, measure : str
        As in the atlas.
    runs : {"all", "stronger-half"}
        Runs of each collection that its variance is of.
    n_systems : int or None
        Systems of the new collection; None for as many as a track has.
    collections : tuple of str
        The tasks, by rising variance.
    median, low, high : float
        Of their variances, in squared units of the measure: the median, the least and the most.
    other_median : float
        The median with the other choice of runs.
    effective_df : float
        Degrees of freedom of a chi-square distribution that varies as much as the systems of a new collection about
        the median.
    factor : float
        Within this factor of the median are 80 % of such variances.
    estimate : Estimate
        How the variance of each collection was taken.
    """

    family: str
    measure: str
    runs: Runs
    n_systems: int | None
    collections: tuple[str, ...]
    median: float
    low: float
    high: float
    other_median: float
    effective_df: float
    factor: float
    estimate: Estimate

    @property
    def worth_in_topics(self) -> int:
        """Topics of a pilot of normal scores that would tell as much: degrees of freedom and one, rounded down."""
        return int(self.effective_df) + 1

    @property
    def source(self) -> str:
        """Where the variance is from, in words."""
        of = f"median of {len(self.collections)} collections of {FAMILIES[self.family]}"
        return f"{of}, {SIMILAR_RUNS.options[self.runs]}"

    @property
    def ratio(self) -> float:
        """The median of the stronger half of the runs over that of all runs."""
        ratio = self.other_median / self.median
        return ratio if self.runs == "all" else 1 / ratio

    @property
    def ratio_in_words(self) -> str:
        """How stronger runs differ from all runs; "" where they do not."""
        if _SAME <= self.ratio <= 1 / _SAME:
            return ""
        other = next(words for runs, words in SIMILAR_RUNS.options.items() if runs != self.runs)
        ratio = self.other_median / self.median
        return f"{other}: {self.other_median:.3g}, {ratio:.2g} times as much"

    @property
    def worth(self) -> str:
        """What the median tells, in words."""
        text = f"tells as much as a pilot of {self.worth_in_topics} topics for {self._systems}"
        return f"{text}: too few to plan with" if self.is_too_little else text

    @property
    def is_too_little(self) -> bool:
        """Whether a pilot that tells as much would be too small to plan with."""
        return self.worth_in_topics < FEWEST_PILOT_TOPICS

    @property
    def sentence(self) -> str:
        """Range and worth in words."""
        spread = f"{self.low:.3g} to {self.high:.3g}" if len(self.collections) > 1 else "one collection"
        found = f"{self.source}: {self.median:.3g} ({spread})"
        return "; ".join(filter(None, (found, self.ratio_in_words, self.within, self.worth)))

    @property
    def within(self) -> str:
        """How far the variance of a new collection may be from the median, in words."""
        least, most = WITHIN_HOLDS
        return (
            f"at least {100 * WITHIN:g} % of sets of {self._systems} of new collections lie within a factor of "
            f"{self.factor:.2f} ({least} to {most} % in simulation)"
        )

    @property
    def _systems(self) -> str:
        return "all systems of a track" if self.n_systems is None else counted(self.n_systems, "system")


@cache
def atlas() -> tuple[TaskVariance, ...]:
    """Return the rows of the atlas."""
    text = files("topicset_core.variance").joinpath("atlas.csv").read_text(encoding="utf-8")
    kinds: dict[str, Any] = get_type_hints(TaskVariance)
    rows = csv.DictReader(text.splitlines())
    return tuple(TaskVariance(**{name: kinds[name](cell) for name, cell in row.items()}) for row in rows)


def names() -> tuple[str, ...]:
    """Return all names of similar tasks, as "dl-passage:nDCG@10"."""
    return tuple(dict.fromkeys(f"{row.family}:{row.measure}" for row in atlas()))


def similar_task(
    name: str, variance: Parameter, *, n_systems: int | None = None, runs: Runs = "all"
) -> SimilarTask:
    """Return what the atlas knows about a variance.

    Parameters
    ----------
    name : str
        Family and measure, as "dl-passage:nDCG@10"; upper and lower case are the same.
    variance : Parameter
        The one that a design takes. That of a difference is twice the two-way variance, its mean over pairs.
    n_systems : int, optional
        Systems whose variance is asked for; as many as a track has, if it is left out.
    runs : {"all", "stronger-half"}
        Runs of each collection that its variance is of.

    Raises
    ------
    InputError
        If the atlas has no such family or measure.
    """
    family, _, measure = name.partition(":")
    rows = [row for row in atlas() if (row.family, row.measure.lower()) == (family.lower(), measure.lower())]
    if not rows:
        offered = [known for known in names() if known.startswith(f"{family.lower()}:")] or list(FAMILIES)
        raise InputError("similar_to", name, f"must be a family and a measure, one of {', '.join(offered)}")
    kind, times, estimate = _TAKEN[variance]
    columns = {which: kind if which == "all" else f"{kind}_top_half" for which in get_args(Runs)}
    column = columns.pop(SIMILAR_RUNS.check(runs))
    (other,) = columns.values()
    rows.sort(key=lambda row: getattr(row, column))
    values = [times * getattr(row, column) for row in rows]
    df = effective_df(column, rows[0].measure, n_systems)
    return SimilarTask(
        family=rows[0].family,
        measure=rows[0].measure,
        runs=runs,
        n_systems=n_systems,
        collections=tuple(row.task for row in rows),
        median=statistics.median(values),
        low=values[0],
        high=values[-1],
        other_median=statistics.median(times * getattr(row, other) for row in rows),
        effective_df=df,
        factor=factor_of(df),
        estimate=estimate,
    )


def effective_df(column: str, measure: str, n_systems: int | None = None) -> float:
    """Return nu of a column of the atlas, for m systems of a new collection, or all of a track."""
    key = column, "shallow" if is_shallow(measure) else "deep"
    if n_systems is None:
        return BETWEEN[key]
    return 1 / (1 / BETWEEN[key] + relative_variance(CHOICE[key], n_systems) / 2)


def relative_variance(z: Sequence[float], n_systems: int) -> float:
    """Return S_m of a mean over systems, of z, or over their pairs, of z_1 and z_2."""
    m = n_systems
    if len(z) == 1:
        return z[0] / m
    return 2 * (2 * (m - 2) * z[0] + z[1]) / (m * (m - 1))


@cache
def factor_of(df: float) -> float:
    """Return the factor of its median within which 80 % of chi^2_nu / nu are."""
    low, high = 0.0, 20.0  # of its logarithm: nu is 1 at least
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if share_within(df, middle) >= WITHIN else (middle, high)
    return math.exp(high)


def share_within(df: float, log_factor: float) -> float:
    """Return Pr{ |log chi^2_nu / nu| <= log_factor }."""
    from scipy import special

    half = df / 2
    with_ends = (special.gammainc(half, half * math.exp(sign * abs(log_factor))) for sign in (1, -1))
    high, low = map(float, with_ends)
    return high - low


def combined(v0: float, df0: float, v: float, df: float) -> tuple[float, float]:
    """Return the variance by prior and pilot together, and its degrees of freedom [1]."""
    return (df0 * v0 + df * v) / (df0 + df), df0 + df


def disagree(v0: float, df0: float, v: float, df: float) -> bool:
    """Return whether the ratio of two variances lies outside the middle 95 % of its F distribution."""
    from scipy import special

    below = float(special.fdtr(df0, df, v0 / v)) if v > 0 else 1.0
    return not 0.025 <= below <= 0.975


def is_shallow(measure: str) -> bool:
    """Return whether a measure is of the first 20 ranks, or RR."""
    depth = re.search(r"@(\d+)$", measure)
    return measure == "RR" or (depth is not None and int(depth[1]) <= _DEEPEST_SHALLOW)


CAUTION_SHARES = (0, 6)
"""Per cent of pilots of ordinary scores that get the caution, the least and the most of any setting."""

CAUTION_NOTE = (
    f"In simulation, {CAUTION_SHARES[0]} to {CAUTION_SHARES[1]} % of pilots with 10 runs of public collections had "
    "this caution."
)

_FEWEST_SYSTEMS = 5  # whose variance is compared
_CEILING = 0.9  # of 1; the stronger half of DL 2019 has .82 in P@10 and .71 in nDCG@10
_COMPARED = ("two_way", "two_way_top_half")  # columns: all runs, and strong ones


def public_range(measure: str) -> tuple[float, float] | None:
    """Return the least and the most two-way variance, of all and of strong runs; None where there are none."""
    values = [getattr(row, column) for row in _by_people(measure) for column in _COMPARED]
    return (min(values), max(values)) if values else None


def _by_people(measure: str) -> list[TaskVariance]:
    return [row for row in atlas() if row.measure == measure and row.judge == "people"]


def caution(measure: str, mean: float, variance: float, interval: VarianceInterval, n_systems: int) -> str:
    """Return how a two-way variance of scores differs from those of public collections; "" if it does not.

    It differs where all of its own interval is outside, and by more than the variance of m systems varies: by the
    factor of `factor_of`. Strong systems vary less, so that the range is of all runs and of the stronger half
    together. Where the mean of the scores is higher than that of any of the collections, and above .9, they are
    near their ceiling: there the range of all runs counts as it is, as the spread of the systems falls, too.
    """
    rows = _by_people(measure)
    if not rows or n_systems < _FEWEST_SYSTEMS:
        return ""
    is_near = mean > max(_CEILING, *(row.mean for row in rows))
    least, most, lower_ends, upper_ends = [], [], [], []
    for column in _COMPARED:
        values = [getattr(row, column) for row in rows]
        factor = factor_of(effective_df(column, measure, n_systems))
        least.append(min(values))
        most.append(max(values))
        lower_ends.append(min(values) / factor)
        upper_ends.append(max(values) * factor)
    low = least[0] if is_near else min(least)
    is_low = interval.high < (low if is_near else min(lower_ends))
    if not is_low and interval.low <= max(upper_ends):
        return ""
    whose = f"{len(rows)} public collections" if len(rows) > 1 else rows[0].task
    why = f", as the mean of {mean:.2f} is near the ceiling" if is_near and is_low else ""
    return (
        f"Compared with {measure} of {whose}, σₑ² = {variance:.2g} ({interval.low:.2g} to {interval.high:.2g}) is "
        f"{'low' if is_low else 'high'} ({low:.2g} to {max(most):.2g}){why}. {CAUTION_NOTE}"
    )
