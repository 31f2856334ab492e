"""What groups of topics do to the variance of scores and to standard errors, in words and for records."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.exports.records import attributes
from topicset_core.preparation.means import ESTIMANDS, Floats, Mean
from topicset_core.variance import TWO_WAY
from topicset_core.variance.clustered_differences import clustered_differences
from topicset_core.variance.estimates import membership
from topicset_core.variance.group_components import COVERS, GroupComponents, group_components
from topicset_core.variance.intervals import FEWEST_GROUPS_TESTED
from topicset_core.wording import counted, few_groups


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """The groups of a matrix and what they do."""

    sizes: tuple[int, int]  # of the smallest and of the largest group
    one_way: GroupComponents  # of scores of a system
    two_way: GroupComponents | None  # of differences of two systems; None of one system
    mean: Mean  # of a system: over topics, or of group means
    # Standard error of a difference of these means over that of independent topics: for other groups like these,
    # median over pairs, with its degrees of freedom; and for other topics of these groups. None of one system, the
    # last also where a group of 1 topic has no variance
    error_ratio: float | None
    df: float | None
    error_ratio_of_same_groups: float | None

    @property
    def usual(self) -> GroupComponents:
        """The components that a comparison of systems meets: of differences, where there are two systems."""
        return self.two_way or self.one_way

    @property
    def answers(self) -> dict[str, Any]:
        """Intraclass correlation and design effect of the usual components, with their intervals, by name."""
        return attributes(self.usual, _ANSWERS)

    def record(self) -> dict[str, Any]:
        """Return sizes, all components, the effect on standard errors, and the sentences."""
        parts = {"one_way": self.one_way, "two_way": self.two_way}
        return {
            **attributes(self.usual, "n_groups group_size"),
            "sizes": self.sizes,
            "mean": self.mean,
            "estimand": ESTIMANDS[self.mean],
            **{name: one and attributes(one, f"between within {_ANSWERS}") for name, one in parts.items()},
            **attributes(self, "error_ratio df error_ratio_of_same_groups"),
            "notes": self.sentences,
        }

    @property
    def sentences(self) -> tuple[str, ...]:
        """The groups and what they do, in words."""
        one, (low, high) = self.usual, self.sizes
        span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        result = [f"{counted(one.n_topics, 'topic')} in {one.n_groups:,} groups of {span}."]
        for name, of in (("differences of two runs", self.two_way), ("scores of a run", self.one_way)):
            if of is not None:
                rho, effect = of.intraclass_correlation_interval, of.design_effect_interval
                result.append(
                    f"Of {name}: intraclass correlation {of.intraclass_correlation:.3g} ({rho.low:.3g} to "
                    f"{rho.high:.3g}), design effect {of.design_effect:.3g} "
                    f"({effect.low:.3g} to {effect.high:.3g})."
                )
        if one.n_groups >= FEWEST_GROUPS_TESTED:
            result.append(
                f"{100 * rho.level:g} % confidence intervals cover {COVERS[0]} to {COVERS[1]} % in simulation."
            )
        if self.error_ratio is not None:
            df = f"{self.df:.3g} degree{'s' * (f'{self.df:.3g}' != '1')} of freedom"
            whose, how = "means over topics", "CR2"
            if self.mean == "groups":
                whose, how = (
                    "means of group means, each group counting the same",
                    "variance between group means",
                )
            same = "none, as a group of 1 topic has no variance"
            if self.error_ratio_of_same_groups is not None:
                same = f"{self.error_ratio_of_same_groups:.3g} times"
            result.append(
                f"Systems are compared by {whose}. For other groups like these, standard errors of differences "
                f"({how}) are {self.error_ratio:.3g} times those of independent topics (median over pairs of "
                f"runs), with {df}; for other topics of the same groups {same}."
            )
            if self.mean == "groups":
                result.append("Design effects are those of the mean over topics.")
        return (*result, *filter(None, [few_groups(one.n_groups)]))


_ANSWERS = "intraclass_correlation intraclass_correlation_interval design_effect design_effect_interval"


def grouping(matrix: ScoreMatrix, mean: Mean = "topics") -> Grouping | None:
    """Return what the groups of a matrix do where systems are compared by this mean; None without groups."""
    if matrix.groups is None:
        return None
    two_way = group_components(matrix) if matrix.n_systems > 1 else None
    ratio = df = same = None
    if two_way is not None:
        pairs = clustered_differences(matrix)
        varying = pairs.independent_errors > 0
        ratios = pairs.standard_errors[varying] / pairs.independent_errors[varying]
        ratio, df = float(np.median(ratios)) if ratios.size else None, pairs.df
        same = math.sqrt(two_way.within / TWO_WAY(matrix))
        if mean == "groups":
            others, within = _errors_of_group_means(matrix)
            ratio = (
                float(np.median(others[varying] / pairs.independent_errors[varying])) if ratios.size else None
            )
            df, same = pairs.n_groups - 1, None
            if within is not None and ratios.size:
                same = float(np.median(within[varying] / pairs.independent_errors[varying]))
    sizes = matrix.group_sizes.values()
    return Grouping(
        sizes=(min(sizes), max(sizes)),
        one_way=group_components(matrix, "one-way"),
        two_way=two_way,
        mean=mean,
        error_ratio=ratio,
        df=df,
        error_ratio_of_same_groups=same,
    )


def _errors_of_group_means(matrix: ScoreMatrix) -> tuple[Floats, Floats | None]:
    """Return both standard errors of `preparation.means` for each pair: for other groups, and for the same."""
    rows, sizes = matrix.group_means(), np.array([*matrix.group_sizes.values()], dtype=np.float64)
    n = rows.n_topics
    others = _of_pairs((rows.scores - rows.scores.mean(axis=0)) / math.sqrt(n * (n - 1)))
    if sizes.min() < 2:
        return others, None
    members = membership(matrix)
    inside = matrix.scores - members @ rows.scores
    return others, _of_pairs(inside / (n * np.sqrt(members @ (sizes * (sizes - 1))))[:, np.newaxis])


def _of_pairs(parts: Floats) -> Floats:
    """Return the root of the sum of squares of the difference of each pair of columns."""
    gram = parts.T @ parts
    own = np.diagonal(gram)
    first, second = np.triu_indices(len(gram), 1)
    return np.asarray(np.sqrt(np.maximum(own[first] + own[second] - 2 * gram[first, second], 0.0)))
