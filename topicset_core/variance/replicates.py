"""Variance components where every system ran, or answered, several times per topic.

Three kinds of repeats, with system a_i, topic b_j, repeat k:

================= ====================== ============================================
kind              model beyond a_i, b_j  variance of the difference of two means
================= ====================== ============================================
repeats           ab_ij + e_ijk          (2 / n) (s_ab + s_e / r)
query-variations  ab_ij + v_jk + av_ijk  (2 / n) (s_ab + s_av / r)
seeds             ab_ij + c_ik + bc_ijk  2 (s_ab / n + s_c / r + s_bc / (n r))
================= ====================== ============================================

"repeats" are sampled answers or judge calls within a cell; "query-variations" are formulations of a topic,
each run by all systems; "seeds" are trained or configured instances of a system, each run on all topics. Only
seeds leave a part that more topics do not reduce. Components are differences of mean squares (Searle,
Casella, McCulloch 1992; Brennan 2001) and may be negative; they are then reported unchanged and counted as 0
by `planned`.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.errors import InputError

Kind = Literal["repeats", "query-variations", "seeds"]
"""The kind of repeat."""

_ROUNDING = 1e-24
"""Share of a squared mean below which a variance of differences is rounding: means of scores have 15 digits."""


@dataclass(frozen=True, kw_only=True)
class ReplicateComponents:
    """Variance components of replicated scores."""

    kind: Kind
    # Sizes of the data
    n_topics: int
    n_systems: int
    n_repeats: int
    # By effect: "a" systems, "b" topics, "ab", and "e"; or "v" and "av"; or "c" and "bc"
    mean_squares: dict[str, float]
    degrees: dict[str, int]  # degrees of freedom of the mean squares
    estimates: dict[str, float]  # components by the same names, as estimated, also below 0

    @property
    def negative(self) -> tuple[str, ...]:
        """Effects whose component is estimated below 0."""
        return tuple(name for name, value in self.estimates.items() if value < 0)

    @property
    def interaction(self) -> float:
        """s_ab, of systems and topics; at least 0."""
        return max(self.estimates["ab"], 0.0)

    @property
    def within(self) -> float:
        """The part that repeats reduce together with topics: s_e, s_av or s_bc; at least 0."""
        return max(self.estimates[_LAST[self.kind]], 0.0)

    @property
    def seed(self) -> float:
        """s_c, the part of seeds that topics do not reduce; 0 for other kinds; at least 0."""
        return max(self.estimates.get("c", 0.0), 0.0)

    def difference_variance(self, n_topics: float, n_repeats: float) -> float:
        """Return the variance of the difference of two system means with these topics and repeats."""
        return difference_variance(
            n_topics, n_repeats, interaction=self.interaction, within=self.within, seed=self.seed
        )


def difference_variance(
    n_topics: float, n_repeats: float, *, interaction: float, within: float, seed: float = 0.0
) -> float:
    """Return the variance of the difference of two system means, ``2 (s_ab / n + s_c / r + s_w / (n r))``."""
    return 2 * (interaction / n_topics + seed / n_repeats + within / (n_topics * n_repeats))


_LAST: dict[Kind, str] = {"repeats": "e", "query-variations": "av", "seeds": "bc"}


def components(scores: ReplicatedScores, kind: Kind) -> ReplicateComponents:
    """Estimate the variance components of replicated scores from their mean squares."""
    if kind not in get_args(Kind):
        raise InputError("kind", kind, f"must be one of {', '.join(get_args(Kind))}")
    x = scores.scores
    n, m, r = x.shape
    if m < 2:
        raise InputError("systems", m, "must be at least 2")
    if r < 2:
        rule = (
            "must be at least 2: with one repeat the variances of repeats and of topics cannot be separated"
        )
        raise InputError("repeats", r, rule)
    centred = x - x.mean()
    topics, systems, cells = centred.mean(axis=(1, 2)), centred.mean(axis=(0, 2)), centred.mean(axis=2)
    squares = {
        "a": n * r * float(np.square(systems).sum()),
        "b": m * r * float(np.square(topics).sum()),
        "ab": r * float(np.square(cells - topics[:, None] - systems[None, :]).sum()),
    }
    degrees = {"a": m - 1, "b": n - 1, "ab": (m - 1) * (n - 1)}
    inside = centred - cells[:, :, None]
    last = _LAST[kind]
    if kind == "query-variations":
        own = inside.mean(axis=1)  # (n, r), of a formulation over systems
        squares["v"], degrees["v"] = m * float(np.square(own).sum()), n * (r - 1)
        inside = inside - own[:, None, :]
        degrees[last] = (m - 1) * n * (r - 1)
    elif kind == "seeds":
        own = inside.mean(axis=0)  # (m, r), of a seed over topics
        squares["c"], degrees["c"] = n * float(np.square(own).sum()), m * (r - 1)
        inside = inside - own[None, :, :]
        degrees[last] = m * (n - 1) * (r - 1)
    else:
        degrees[last] = n * m * (r - 1)
    squares[last] = float(np.square(inside).sum())
    ms = {name: squares[name] / degrees[name] for name in squares}
    result = {last: ms[last], "ab": (ms["ab"] - ms[last]) / r}
    if kind == "query-variations":
        result |= {"v": (ms["v"] - ms["av"]) / m, "a": (ms["a"] - ms["ab"]) / (n * r)}
        result["b"] = (ms["b"] - ms["v"] - ms["ab"] + ms["av"]) / (m * r)
    elif kind == "seeds":
        result |= {"c": (ms["c"] - ms["bc"]) / n, "b": (ms["b"] - ms["ab"]) / (m * r)}
        result["a"] = (ms["a"] - ms["c"] - ms["ab"] + ms["bc"]) / (n * r)
    else:
        result |= {"a": (ms["a"] - ms["ab"]) / (n * r), "b": (ms["b"] - ms["ab"]) / (m * r)}
    return ReplicateComponents(
        kind=kind,
        n_topics=n,
        n_systems=m,
        n_repeats=r,
        mean_squares=ms,
        degrees=degrees,
        estimates={name: result[name] for name in degrees},
    )


@dataclass(frozen=True, kw_only=True)
class ReplicatedTest:
    """A test of the difference of two systems that ran several times."""

    difference: float  # first minus second mean, over all topics and repeats
    # Statistic, degrees of freedom (Satterthwaite's for seeds) and two-sided p
    t: float
    df: float
    p_value: float
    half_width: float  # of the confidence interval at level 1 - alpha
    # Of a paired t test on the means over repeats
    naive_t: float
    naive_p: float
    naive_alpha: float  # type I error probability of that paired t test at alpha, by the components


def compare(scores: ReplicatedScores, kind: Kind, alpha: float = 0.05) -> ReplicatedTest:
    """Test the difference of two systems; the components are those of the two alone.

    For repeats and query variations a paired t test on the means per topic is right. For seeds
    ``T = difference / sqrt(2 H / (n r))`` with ``H = MS_ab + max(MS_c - MS_bc, 0)``. The degrees of freedom are
    Satterthwaite's, and at least the fewest of MS_ab and MS_c, which bound those of a sum from below (Welch 1947).
    Where the seeds of both systems differ no more than MS_bc explains, they are n - 1: the paired t test.

    The textbook's ``H = MS_ab + MS_c - MS_bc`` may be near 0 or below: degrees of freedom of .01, intervals of any
    width, no test of some pairs, and in simulation a Type I error probability down to .0001 at alpha = .05. Here
    it was .03 to .08 with 2 seeds, and .03 to .06 with 3 to 10.
    """
    from scipy import special

    if scores.n_systems != 2:
        raise InputError("systems", scores.n_systems, "must be 2")
    result = components(scores, kind)
    n, r = scores.n_topics, scores.n_repeats
    means = scores.scores.mean(axis=2)
    d = means[:, 0] - means[:, 1]
    difference, spread = float(d.mean()), float(d.var(ddof=1))
    h, df = spread * r / 2, float(n - 1)
    if kind == "seeds":
        ms, degrees = result.mean_squares, result.degrees
        of_seeds = ms["c"] - ms["bc"]
        if of_seeds > 0:
            h = ms["ab"] + of_seeds
            df = h**2 / sum(ms[name] ** 2 / degrees[name] for name in ("ab", "c", "bc"))
            df = max(df, min(degrees["ab"], degrees["c"]))
    if spread <= _ROUNDING * float(np.max(np.abs(means))) ** 2:
        raise InputError(
            "scores", spread, "must differ by more on some topics; otherwise no test is possible"
        )
    error = math.sqrt(2 * h / (n * r))
    t, naive = difference / error, difference / math.sqrt(spread / n)
    return ReplicatedTest(
        difference=difference,
        t=t,
        df=df,
        p_value=2 * float(special.stdtr(df, -abs(t))),
        half_width=-float(special.stdtrit(df, alpha / 2)) * error,
        naive_t=naive,
        naive_p=2 * float(special.stdtr(n - 1, -abs(naive))),
        naive_alpha=naive_error(
            n, r, interaction=result.interaction, within=result.within, seed=result.seed, alpha=alpha
        ),
    )


def naive_error(
    n_topics: int, n_repeats: int, *, interaction: float, within: float, seed: float, alpha: float
) -> float:
    """Return the Type I error probability of a paired t test on means of seeds."""
    # The effect of seeds is the same on all topics: it moves the mean difference and is not in its standard error,
    # so that the statistic is t times sqrt(1 + n s_c / (r s_ab + s_bc)), exactly.
    from scipy import special

    on_topics = n_repeats * interaction + within
    if on_topics <= 0:
        return 1.0 if seed > 0 else alpha
    factor = math.sqrt(1 + n_topics * seed / on_topics)
    critical = -float(special.stdtrit(n_topics - 1, alpha / 2))
    return 2 * float(special.stdtr(n_topics - 1, -critical / factor))
