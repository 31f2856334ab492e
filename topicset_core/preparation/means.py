"""Which mean of a system is compared where topics come in groups: over topics, or of group means.

With g groups of n_i topics, N in all, the **mean over topics** weights a group by n_i / N, the **mean of group
means** by 1 / g, as benchmarks weight their datasets. The two may order systems differently. Without groups they
are the same. Of the mean of group means d with the group means d_i there are two standard errors:

- of other groups like these, sqrt(sum (d_i - d)^2 / (g (g - 1))), with g - 1 degrees of freedom: the t test on
  group means. Means of groups of unequal sizes do not vary equally; up to alpha = .08 the test then rejects equal
  systems no more often, for normal means [1].
- of other topics of the same groups, sqrt(sum s_i^2 / n_i) / g, with Satterthwaite's degrees of freedom [2],
  (sum v_i)^2 / sum (v_i^2 / (n_i - 1)), v_i = s_i^2 / n_i; a group of 1 topic has none.

Their intervals in simulation are in docs/evidence/group-means.md.

References
----------
.. [1] R. Ibragimov, U. K. Müller. t-statistic based correlation and heterogeneity robust inference. Journal of
   Business and Economic Statistics 28, 453-468 (2010). https://doi.org/10.1198/jbes.2009.08046
.. [2] F. E. Satterthwaite. An approximate distribution of estimates of variance components. Biometrics Bulletin 2,
   110-114 (1946). https://doi.org/10.2307/3002019
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import ChoiceParameter
from topicset_core.wording import counted

Floats = NDArray[np.float64]
Mean = Literal["topics", "groups"]

MEAN = ChoiceParameter(
    name="mean",
    label="Mean of a system",
    help="Where topics have groups: of all scores, each counting the same, or of group means, each group counting "
    "the same, as benchmarks average datasets.",
    # No option has the word that exports replace where they count groups.
    options={
        "topics": "mean of all scores",
        "groups": "mean of group means",
    },
)

USUAL_MEAN = "topics, or groups where files were joined"
"""What the mean is where it stays open."""

ESTIMANDS: dict[str, str] = {"topics": "mean over topics", "groups": "mean of group means"}
"""How records name what is estimated."""


OTHER: dict[str, str] = {"topics": "groups", "groups": "topics"}


def mean_of(matrix: ScoreMatrix, asked: str | None) -> Mean:
    """Return the mean that systems are compared by; the usual one where it stays open."""
    if asked == "groups" and matrix.groups is None:
        raise InputError(MEAN.name, asked, f"needs topics in groups, and those of {matrix.name} have none")
    usual = "groups" if matrix.is_joined else "topics"
    return "groups" if (asked or usual) == "groups" else "topics"


def rows_of(matrix: ScoreMatrix, mean: str | None) -> ScoreMatrix:
    """Return the rows over which systems have this mean: topics, or where these have groups a row per group."""
    return matrix.group_means() if mean == "groups" else matrix.by_group()


def system_means(matrix: ScoreMatrix, mean: str | None) -> Floats:
    """Return the mean of each system, (n_systems,)."""
    rows = matrix.group_means() if mean == "groups" else matrix
    return np.asarray(rows.scores.mean(axis=0))


def topic_weights(matrix: ScoreMatrix, mean: str | None) -> Floats:
    """Return the weight of each topic in this mean, relative to the mean over topics, (n_topics,)."""
    if mean != "groups":
        return np.ones(matrix.n_topics)
    sizes = matrix.group_sizes
    return np.array([matrix.n_topics / (len(sizes) * sizes[group]) for group in matrix.groups or ()])


def estimand(matrix: ScoreMatrix, mean: str | None) -> str:
    """Return what is estimated, in words: which mean over how many topics, and groups if there are."""
    topics = counted(matrix.n_topics, "topic")
    if matrix.groups is None:
        return f"mean over {topics}"
    n_groups = len(matrix.group_sizes)
    if mean == "groups":
        return f"mean of {n_groups:,} group means over {topics}, each group counting the same"
    return f"mean over {topics} in {n_groups:,} groups"


class ErrorsOfMeans(NamedTuple):
    """Standard errors of the mean of each system, (n_systems,), with degrees of freedom."""

    errors: Floats
    df: Floats


def for_other_groups(matrix: ScoreMatrix) -> ErrorsOfMeans:
    """Return the standard errors of means of group means for other groups like these."""
    rows = matrix.group_means()
    errors = rows.scores.std(axis=0, ddof=1) / math.sqrt(rows.n_topics)
    return ErrorsOfMeans(errors, np.full(rows.n_systems, rows.n_topics - 1.0))


def for_same_groups(matrix: ScoreMatrix) -> ErrorsOfMeans | None:
    """Return them for other topics of the same groups; None where a group has 1 topic, thus no variance."""
    rows, sizes = matrix.group_means(), np.array([*matrix.group_sizes.values()], dtype=np.float64)
    if sizes.min() < 2:
        return None
    places = {name: place for place, name in enumerate(rows.topics)}
    of = np.array([places[group] for group in matrix.groups or ()])
    squares = np.zeros(rows.scores.shape)
    np.add.at(squares, of, np.square(matrix.scores - rows.scores[of]))
    parts = squares / (sizes * (sizes - 1))[:, np.newaxis]  # v_i
    total = parts.sum(axis=0)
    shares = parts / np.where(total > 0, total, 1.0)  # squares of small variances would underflow
    spread = (np.square(shares) / (sizes - 1)[:, np.newaxis]).sum(axis=0)
    df = np.where(total > 0, 1 / np.where(total > 0, spread, 1.0), matrix.n_topics - float(sizes.size))
    return ErrorsOfMeans(np.sqrt(total) / sizes.size, df)
