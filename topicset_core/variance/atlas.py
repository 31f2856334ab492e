"""Variances of known tasks, and how well they predict that of a similar new one.

`atlas.csv` has one row per collection and measure: conventions of the measure, judge, topics, runs, mean score,
one-way and two-way variance of all runs and of the runs from the median mean upwards, components of systems and
topics, and the repository of the scores. Rows whose conventions are not known are not in it, as the largest
grade of ERR. Topic sets do not overlap within a family: of Robust 2003 and 2004 only the new topics count.

**A similar task** gives the median variance over the collections of one family and measure. Its uncertainty is
measured: each collection's variance over the median of the others in its family, for families of three or more,
in two classes of measures: those of the first 20 ranks and RR, and deeper ones. nu is such that the 80th
percentile of |log chi^2_nu / nu| is that of these ratios, and .6 of it is taken: collections share runs, years
and measures, so that cases are fewer than they look. With .6, and nu from all other collections, at least 80 %
of the collections left out are within their 80 % interval: of shallow measures 87 % (one-way) and 91 % (two-way),
of deep ones 81 and 86 %. With nu from other families alone it is 85 and 91 %, 59 and 84 %.

**With a pilot** whose estimate v has nu degrees of freedom, a scaled inverse chi^2 prior (v0, nu0) has the
posterior (nu0 v0 + nu v) / (nu0 + nu) with nu0 + nu degrees of freedom [1]. For close values that is the mean
on the logarithmic scale, weighted by precision.

Pilots of 10 and 25 topics of Robust 2004 (AP) and DL 2019 (nDCG@10), 400 each, with the median of all other
collections: the 90 % interval of both together covered 89 to 98 %, that of the pilot alone 81 to 96 %; the
ratio of its ends was 1.5 to 3.8 in place of 2.0 to 6.2. A median that is wrong is believed: the one-way nDCG@20
of Web 2012, 1.4 times too high, was covered in 25 to 36 %, and the disagreement was told in 20 to 25 % of these
pilots.

References
----------
.. [1] A. Gelman et al. Bayesian Data Analysis, 3rd edition, section 2.6. Chapman and Hall (2013).
"""

import csv
import re
import statistics
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, get_type_hints

from topicset_core.errors import InputError
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    NameParameter,
    Parameter,
)
from topicset_core.variance.choices import MEAN_PAIR_DIFFERENCE, ONE_WAY, TWO_WAY, Estimate
from topicset_core.variance.components import Components

SIMILAR_TO = NameParameter(
    name="similar_to",
    label="A similar task",
    help='Family and measure of public collections, as "dl-passage:nDCG@10": their median variance is used.',
    default="",
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

PRIORS = {
    ("one_way", "shallow"): (64.56, 1.25),
    ("one_way", "deep"): (4.006, 2.69),
    ("two_way", "shallow"): (85.11, 1.22),
    ("two_way", "deep"): (6.532, 2.11),
}
"""Degrees of freedom of a similar task's median, and the factor within which 80 % of such variances lie.

A test computes them again from the atlas.
"""

_TAKEN = {
    WITHIN_SYSTEM_VARIANCE: ("one_way", 1, ONE_WAY),
    RESIDUAL_VARIANCE: ("two_way", 1, TWO_WAY),
    DIFFERENCE_VARIANCE: ("two_way", 2, MEAN_PAIR_DIFFERENCE),
}
"""Column of the atlas, factor and estimate, by the variance that a design takes."""
_DEEPEST_SHALLOW, _USEFUL = 20, 12  # ranks; topics of a pilot


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
    """What collections of a similar task tell about the variance of a new one.

    Parameters
    ----------
    family, measure : str
        As in the atlas.
    collections : tuple of str
        The tasks, by rising variance.
    median, low, high : float
        Of their variances, in squared units of the measure: the median, the least and the most.
    effective_df : float
        Degrees of freedom of a chi-square distribution that varies as much as a new collection about the median.
    factor : float
        Within this factor of the median are 80 % of such variances.
    estimate : Estimate
        How the variance of each collection was taken.
    """

    family: str
    measure: str
    collections: tuple[str, ...]
    median: float
    low: float
    high: float
    effective_df: float
    factor: float
    estimate: Estimate

    @property
    def worth_in_topics(self) -> int:
        """Topics of a pilot of normal scores that would tell as much: degrees of freedom and one."""
        return round(self.effective_df) + 1

    @property
    def source(self) -> str:
        """Where the variance is from, in words."""
        return f"median of {len(self.collections)} collections of {FAMILIES[self.family]}"

    @property
    def worth(self) -> str:
        """What the median tells, in words."""
        verdict = "" if self.worth_in_topics >= _USEFUL else ": too few to plan with"
        kind = "measures of the first 20 ranks" if is_shallow(self.measure) else "deeper measures"
        return f"worth {self.worth_in_topics} pilot topics, as {kind} are{verdict}"

    @property
    def sentence(self) -> str:
        """Range and worth in words."""
        spread = f"{self.low:.3g} to {self.high:.3g}" if len(self.collections) > 1 else "one collection"
        near = f"80 % of new collections within a factor of {self.factor:.2f}"
        return f"{self.source}: {self.median:.3g} ({spread}); {near}, {self.worth}"


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


def similar_task(name: str, variance: Parameter) -> SimilarTask:
    """Return what the atlas knows about a variance.

    Parameters
    ----------
    name : str
        Family and measure, as "dl-passage:nDCG@10"; upper and lower case are the same.
    variance : Parameter
        The one that a design takes. That of a difference is twice the two-way variance, its mean over pairs.

    Raises
    ------
    InputError
        If the atlas has no such family or measure.
    """
    family, _, measure = name.partition(":")
    rows = [row for row in atlas() if (row.family, row.measure.lower()) == (family.lower(), measure.lower())]
    if not rows:
        offered = [one for one in names() if one.startswith(f"{family.lower()}:")] or list(FAMILIES)
        raise InputError("similar_to", name, f"must be a family and a measure, one of {', '.join(offered)}")
    kind, times, estimate = _TAKEN[variance]
    rows.sort(key=lambda row: getattr(row, kind))
    values = [times * getattr(row, kind) for row in rows]
    df, factor = PRIORS[kind, "shallow" if is_shallow(rows[0].measure) else "deep"]
    return SimilarTask(
        family=rows[0].family,
        measure=rows[0].measure,
        collections=tuple(row.task for row in rows),
        median=statistics.median(values),
        low=values[0],
        high=values[-1],
        effective_df=df,
        factor=factor,
        estimate=estimate,
    )


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


_FEWEST_SYSTEMS = 5  # whose spread is compared
_CEILING = 0.8


def caution(measure: str, mean: float, components: Components) -> str:
    """Return how scores differ from public collections with this measure judged by people; "" if they do not."""
    # sigma^2 alone misleads where scores are at their ceiling: it falls, and the spread of the systems with it.
    rows = [row for row in atlas() if row.measure == measure and row.judge == "people"]
    if not rows or components.n_systems < _FEWEST_SYSTEMS:
        return ""
    _, factor = PRIORS["two_way", "shallow" if is_shallow(measure) else "deep"]
    low, high = _range(rows, "two_way")
    parts, residual, system = [], components.residual, max(components.system, 0.0)
    if not low / factor <= residual <= high * factor:
        parts.append(
            f"σₑ² = {residual:.2g} is {'low' if residual < low else 'high'} ({low:.2g} to {high:.2g})"
        )
    low, high = _range(rows, "system_variance")
    if system < low:
        parts.append(f"the variance of systems, {system:.2g}, is low ({low:.2g} to {high:.2g})")
    if not parts:
        return ""
    is_near = mean > max(_CEILING, _range(rows, "mean")[1])
    why = f", as the mean of {mean:.2f} is near the ceiling" if is_near else ""
    whose = f"{len(rows)} public collections" if len(rows) > 1 else rows[0].task
    return f"Compared with {measure} of {whose}, {' and '.join(parts)}{why}."


def _range(rows: list[TaskVariance], name: str) -> tuple[float, float]:
    values = [getattr(row, name) for row in rows]
    return min(values), max(values)
