"""What the test of a plan does on given scores: its Type I error, its power, and a test that keeps alpha.

Topics are drawn with replacement from the scores of systems with equal means; the share of trials in which the
test is significant is its Type I error on such scores. As scores are not normal with one variance, it may exceed
alpha. Then another test is simulated at the topics that it needs for the same difference, alpha and power.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from topicset_core.analyses.achieved_power.directions import Directions, directions
from topicset_core.analyses.achieved_power.over_pairs import CLOSED_FORMS, PowerOverPairs, power_over_pairs
from topicset_core.analyses.achieved_power.resampling import choose_sets
from topicset_core.analyses.achieved_power.significance_tests import NULLS, test_of
from topicset_core.analyses.planning.validity_trials import PlannedTest, Rates, rates
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import (
    Plan,
    blocked_anova,
    mcnemar,
    one_way_anova,
    paired_t,
    two_sample_t,
)
from topicset_core.designs.distributions import critical_t, upper_normal
from topicset_core.designs.pairwise import PairwiseDesign
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import ALPHA, BETA, DETECT, N_SYSTEMS, SEED, TOPICS
from topicset_core.wording import counted, joined, percent

TOLERANCE = 0.2
"""A test keeps alpha if its Type I error is at most this share of alpha above it, beyond simulation error."""

SECONDS = 0.25
"""CPU time of a check by default, about; more time has more sets and trials."""


TYPE_ONE_LABEL, KEEPS_LABEL = "real Type I error", "a test that keeps {} needs"
"""Labels of tiles."""


class Share(NamedTuple):
    """A share of trials, and its standard error by simulation."""

    value: float
    standard_error: float


@dataclass(frozen=True, kw_only=True)
class CheckedTest:
    """A test with its number of topics, and what it does on the scores.

    Parameters
    ----------
    in_words : str
        The test as the subject of a sentence.
    n_topics : int
        Topics, or groups of topics where the plan counts groups.
    type_one : Share
        Type I error, familywise of several comparisons: the mean over sets of systems with equal means.
    power : Share or None
        Power to detect the difference of the plan, mean over sets or pairs: of one pair, or of the F test where all
        other systems are in the middle; of two systems the mean over which is better. None if any or all
        differences are to be found.
    n_sets, n_trials : int
        Sets or pairs of systems in all, and trials of each.
    directions : Directions or None
        Power of one pair by which system is better; None for several pairs or sets.
    """

    in_words: str
    n_topics: int
    type_one: Share
    power: Share | None
    n_sets: int
    n_trials: int
    directions: Directions | None = None


@dataclass(frozen=True, kw_only=True)
class Validity:
    """What the test of a plan does on scores.

    Parameters
    ----------
    alpha, target_power : float
        As planned.
    unit : str
        What n counts: "topic" or "group".
    n_systems : int
        m; 2 for tests of pairs.
    difference : float
        minD in units of the measure; 0 where the plan has an effect only.
    planned : CheckedTest
        The test of the plan.
    other : CheckedTest or None
        The test that was tried because the planned one does not keep alpha; it may not keep alpha either.
    epsilon : float or None
        Median of epsilon over sets of m systems, of several matrices the least; None for tests other than two-way
        F tests.
    share_with_power : float or None
        Share of the pairs that have the target power, computed from the variance of each pair: simulated shares
        are biased. None for tests of more than two systems.
    computed_power : float or None
        Mean power over pairs by the same formula.
    matrices : tuple of str
        Names of the matrices that topics were drawn from; each has the same weight.
    seed : int
        Of the random numbers.
    null : str
        What equal systems have in common: equal means, or exchangeable scores.
    """

    alpha: float
    target_power: float
    unit: str
    n_systems: int
    difference: float
    planned: CheckedTest
    other: CheckedTest | None
    epsilon: float | None
    share_with_power: float | None
    computed_power: float | None
    matrices: tuple[str, ...]
    seed: int
    null: str = NULLS["centred"]

    @property
    def test(self) -> str:
        """The planned test in words."""
        return self.planned.in_words

    @property
    def real_alpha(self) -> float:
        """Type I error of the planned test on these scores."""
        return self.planned.type_one.value

    @property
    def standard_error(self) -> float:
        """Standard error of the real alpha."""
        return self.planned.type_one.standard_error

    @property
    def keeps_alpha(self) -> bool:
        """Whether the planned test keeps alpha on these scores, within `TOLERANCE` and two standard errors."""
        return _keeps(self.planned, self.alpha)

    @property
    def keeper(self) -> CheckedTest | None:
        """The test that keeps alpha where the planned one does not; None if there is no need, or none was found."""
        return self.other if self.other is not None and _keeps(self.other, self.alpha) else None

    @property
    def sentences(self) -> tuple[str, ...]:
        """What to know of the planned test, in a few sentences."""
        unit, planned, alpha = self.unit, self.planned, _per_cent(self.alpha)
        of_what = "pairs of systems" if self.n_systems == 2 else f"sets of {self.n_systems} systems"
        mean = f"the mean over {of_what}" if planned.n_sets > 1 else "for two systems"
        text = [
            f"On these scores the Type I error of {planned.in_words} with {counted(planned.n_topics, unit)} is "
            f"{_stated(planned.type_one)}; nominal {alpha}. This is {mean} with {self.null}."
        ]
        other = self.other
        if other is None and not self.keeps_alpha:
            text.append(f"No test is known here that keeps {alpha} on these scores.")
        elif other is not None:
            error = f"its Type I error on these scores is {_stated(other.type_one)}"
            if other.power is not None:
                error += f", its mean power {_stated(other.power)}"
            needed = counted(other.n_topics, unit)
            if self.keeper is None:
                text.append(
                    f"No test was found that keeps {alpha} on these scores. Tried: {other.in_words}, with "
                    f"{needed}; {error}."
                )
            else:
                text.append(
                    f"This test keeps {alpha} on these scores: {other.in_words}. For the same difference and power "
                    f"it needs {needed}; {error}."
                )
        if self.epsilon is not None:
            text.append(
                f"Pairs of systems differ in variance: the median ε is {self.epsilon:.2f} (1 if all are equal)."
            )
        return (*text, *self._of_power())

    def _of_power(self) -> list[str]:
        planned, computed = self.planned, self.computed_power
        power = planned.power or (None if computed is None else Share(computed, 0.0))
        if power is None:
            return []
        n, target = counted(planned.n_topics, self.unit), _per_cent(self.target_power)
        over = ["over pairs" if self.n_systems == 2 else "over these sets"] * (planned.n_sets > 1)
        if self.n_systems == 2 and planned.power is not None:
            over.append("over which system is better")
        text = f"With {n} the power to detect a difference of {self.difference:g} is {_stated(power)}"
        if over:
            text += f" on average {joined(over)}"
        by_direction = planned.directions
        more = [by_direction.sentence] if by_direction is not None and by_direction.matters else []
        if self.share_with_power is None or planned.n_sets == 1:  # a share of one pair says nothing
            return [f"{text}.", *more]
        share = f"{100 * self.share_with_power:.0f} % of pairs have {target} power or more"
        return [f"{text}; {share}, each computed with its own variance."]

    @property
    def basis(self) -> str:
        """How the numbers were simulated, in a sentence."""
        sets = counted(self.planned.n_sets, "pair" if self.n_systems == 2 else "set")
        return (
            f"Simulated on {self.unit}s drawn with replacement from {joined(self.matrices)}: "
            f"{sets}, {counted(self.planned.n_trials, 'trial')} each, seed {self.seed}."
        )

    @property
    def tiles(self) -> tuple[tuple[str, str, str], ...]:
        """Label, value and help of tiles: the Type I error, and where it is above alpha the test that keeps it."""
        alpha, n = _per_cent(self.alpha), counted(self.planned.n_topics, self.unit)
        after = " No test was found that keeps it." * (not self.keeps_alpha and self.keeper is None)
        text = f"Nominal {alpha}. Of {self.test} with {n}: {_stated(self.planned.type_one)}.{after}"
        first = TYPE_ONE_LABEL, _per_cent(float(f"{self.real_alpha:.3f}")), text
        if self.keeper is None:
            return (first,)
        needed, name = counted(self.keeper.n_topics, self.unit), self.keeper.in_words
        return first, (KEEPS_LABEL.format(alpha), needed, f"{name[0].upper()}{name[1:]}.")

    def record(self) -> dict[str, Any]:
        """Return the check as plain values."""
        return {
            "alpha": self.alpha,
            "target_power": self.target_power,
            "unit": self.unit,
            "n_systems": self.n_systems,
            "min_d": self.difference or None,
            **_record(self.planned),
            "keeps_alpha": self.keeps_alpha,
            "share_with_power": self.share_with_power,
            "computed_power": self.computed_power,
            "epsilon": self.epsilon,
            "test_that_keeps_alpha": self.keeper and _record(self.keeper),
            "test_tried": None if self.other is None or self.keeper is not None else _record(self.other),
            "tolerance": TOLERANCE,
            "matrices": list(self.matrices),
            "seed": self.seed,
        }


def _keeps(checked: CheckedTest, alpha: float) -> bool:
    error = checked.type_one
    return error.value - 2 * error.standard_error <= (1 + TOLERANCE) * alpha


def _record(checked: CheckedTest) -> dict[str, Any]:
    power = checked.power
    return {
        "test": checked.in_words,
        "n_topics": checked.n_topics,
        "real_alpha": checked.type_one.value,
        "real_alpha_standard_error": checked.type_one.standard_error,
        "power": power and power.value,
        "power_standard_error": power and power.standard_error,
        "n_sets": checked.n_sets,
        "n_trials": checked.n_trials,
    }


def _per_cent(share: float) -> str:
    return percent(share, ".3g")


def _stated(share: Share) -> str:
    if not share.standard_error:
        return _per_cent(share.value)
    return f"{100 * share.value:.1f} % (standard error {100 * share.standard_error:.1g} points)"


def validity(
    plan: Plan,
    n_topics: int,
    matrices: Sequence[ScoreMatrix],
    *,
    seed: int = int(SEED.default),
    seconds: float = SECONDS,
) -> Validity | None:
    """Return what the test of a plan does on scores.

    Parameters
    ----------
    plan : Plan
        With all values; where it counts groups, groups of the scores are drawn whole.
    n_topics : int
        n, the topics (groups) that the plan requires.
    matrices : sequence of ScoreMatrix
        Scores of one measure. Rates are means over the matrices, each with the same number of sets.
    seed : int
        Of the random numbers.
    seconds : float
        CPU time, about; it decides the numbers of sets and trials, so the same value gives the same result.

    Returns
    -------
    Validity or None
        None where the plan has no test to check (intervals, margins, error rates, several rounds), no matrix has as
        many systems as the plan compares, with differences that vary, or topics have groups that the plan does not
        count.
    """
    test = _test_of(plan)
    if test is None:
        return None
    rows = [one.by_group(centred=True) if plan.group_size else one for one in matrices]
    usable = [one for one in rows if one.groups is None and _can_be_drawn(one, test, seed)]
    if not usable:
        return None
    epsilon = None
    if test.statistic == "F" and not test.is_separate and test.n_systems > 2:
        epsilon = min(blocked_anova.typical_epsilon(one.scores, test.n_systems) for one in usable)
    budget = seconds / (2 * len(usable))
    check = partial(_checked, plan, pools=usable, seed=seed, seconds=budget)
    planned = check(test, n_topics, 0)
    other = None
    if not _keeps(planned, test.alpha) and (candidate := _candidate(plan, test, epsilon)) is not None:
        other = check(*candidate, 1)
    over = [one for one in (_over_pairs(plan, test, n_topics, pool) for pool in usable) if one is not None]
    return Validity(
        alpha=test.alpha,
        target_power=1 - plan.values[BETA.name],
        unit=plan.unit,
        n_systems=test.n_systems,
        difference=plan.difference,
        planned=planned,
        other=other,
        epsilon=epsilon,
        share_with_power=float(np.mean([one.share for one in over])) if over else None,
        computed_power=float(np.mean([one.powers.mean() for one in over])) if over else None,
        matrices=tuple(one.name for one in usable),
        seed=seed,
        null=NULLS["swapped" if test.statistic == "McNemar" else "centred"],
    )


def _can_be_drawn(matrix: ScoreMatrix, test: PlannedTest, seed: int) -> bool:
    if test.statistic == "McNemar" and not matrix.is_binary:
        return False
    try:
        choose_sets(matrix, test.n_systems, 1, seed)
    except InputError:  # too few systems whose differences vary
        return False
    return True


def _test_of(plan: Plan) -> PlannedTest | None:
    """Return the test that a plan sizes, None where it sizes no test."""
    design, values = plan.design, plan.values
    known = test_of(design, values)
    in_words = known.in_words if known is not None else ""
    m, alpha = int(values.get(N_SYSTEMS.name, 2)), float(values.get(ALPHA.name, 0.0))
    common: dict[str, Any] = {"n_systems": m, "alpha": alpha, "in_words": in_words}
    if design is mcnemar.DESIGN:
        kind = str(values.get(mcnemar.MCNEMAR.name, mcnemar.MCNEMAR.default))
        common["in_words"] = in_words or "McNemar's unconditional test"
        return PlannedTest(**common, statistic="McNemar", mcnemar=kind, has_power=False)
    if design in (paired_t.DESIGN, two_sample_t.DESIGN):
        return PlannedTest(**common, statistic="own t", is_separate=design is two_sample_t.DESIGN)
    if design in (one_way_anova.DESIGN, blocked_anova.DESIGN):
        return PlannedTest(**common, statistic="F", is_separate=design is one_way_anova.DESIGN)
    if isinstance(design, PairwiseDesign):
        choices = plan.fixed
        procedure, detect = choices[design.procedure.name], choices[DETECT.name]
        names = {"tukey": "Tukey's HSD", "dunnett": "Dunnett's test"}
        by_number = f"t tests with one variance and {procedure.capitalize()}'s correction"
        common["in_words"] = names.get(procedure, by_number)
        test = design.test(n_systems=m, procedure=procedure, topics=choices[TOPICS.name])
        return PlannedTest(
            **common,
            statistic="common t",
            family=design.family,
            is_separate=choices[TOPICS.name] == "separate",
            critical=lambda n: float(test.critical_value(n, alpha)),
            has_power=detect == "pair",
        )
    return None


def _candidate(plan: Plan, test: PlannedTest, epsilon: float | None) -> tuple[PlannedTest, int] | None:
    """Return a test that may keep alpha where the planned one does not, and its topics; None if none is known."""
    if test.is_separate or test.n_systems == 2:
        return None
    m, alpha, beta = test.n_systems, test.alpha, plan.values[BETA.name]
    effect = plan.requirements.effect_size
    try:
        if epsilon is not None:
            words = "two-way ANOVA with the Greenhouse-Geisser correction"
            needed = blocked_anova.box_topics(effect, epsilon, alpha=alpha, beta=beta, n_systems=m)
            return PlannedTest(in_words=words, n_systems=m, alpha=alpha, statistic="corrected F"), needed
        own = PlannedTest(
            in_words="paired t tests with Holm's correction, each pair with its own variance",
            n_systems=m,
            alpha=alpha,
            statistic="own t",
            family=test.family,
            has_power=test.has_power,
        )
        if test.has_power:  # one pair, whose variance is on average twice the residual variance
            each, delta = alpha / own.comparisons, effect / math.sqrt(2)
            return own, int(paired_t.required_topics_grid(delta, alpha=each, beta=beta))
        return own, _with_own_variances(plan, own.comparisons)
    except NoSolution:
        return None


def _with_own_variances(plan: Plan, comparisons: int) -> int:
    """Return topics where any or all pairs are to be found by their own variances.

    Those of Bonferroni's procedure with a common variance, increased until (c + z_beta)^2 / n is as small as there
    with the critical value c of n - 1 degrees of freedom.
    """
    procedure = plan.design.choices[0].name
    n = int(plan.with_(**{procedure: "bonferroni"}).required_topics().required_topics)
    each, z = plan.values[ALPHA.name] / comparisons, upper_normal(plan.values[BETA.name])
    df = (plan.values[N_SYSTEMS.name] - 1) * (n - 1)
    least = (float(critical_t(df, each)) + z) ** 2 / n
    while (float(critical_t(n - 1, each)) + z) ** 2 / n > least:
        n += 1
    return n


def _over_pairs(plan: Plan, test: PlannedTest, n: int, pool: ScoreMatrix) -> PowerOverPairs | None:
    known = test_of(plan.design, plan.values)
    if known is None or known.name not in CLOSED_FORMS or not plan.difference:
        return None
    beta = plan.values[BETA.name]
    return power_over_pairs(
        pool, min_d=plan.difference, n_topics=n, alpha=test.alpha, beta=beta, test=known.name
    )


def _checked(
    plan: Plan,
    test: PlannedTest,
    n: int,
    stage: int,
    *,
    pools: Sequence[ScoreMatrix],
    seed: int,
    seconds: float,
) -> CheckedTest:
    """Return what a test of n topics does on the scores of some matrices."""
    found = [
        rates(test, n, plan.difference, pool, (place, stage), seed, seconds)
        for place, pool in enumerate(pools)
    ]
    powers = [
        _power(plan, test, n, pool, one, one.power)
        for pool, one in zip(pools, found, strict=True)
        if one.power is not None
    ]
    by_direction = None
    if powers and test.n_systems == 2 and len(pools) == len(found[0].sets.members) == 1:
        one, (pair,), (shares,) = found[0], found[0].sets.members, found[0].by_direction
        names = pools[0].systems[pair[0]], pools[0].systems[pair[1]]
        by_direction = directions(names, (float(shares[0]), float(shares[1])), float(shares[2]), one.n_trials)
    return CheckedTest(
        in_words=test.in_words,
        n_topics=n,
        type_one=_mean([_share(one.type_one, one) for one in found]),
        power=_mean(powers) if powers else None,
        n_sets=sum(one.type_one.size for one in found),
        n_trials=min(one.n_trials for one in found),
        directions=by_direction,
    )


def _mean(shares: Sequence[Share]) -> Share:
    values, errors = np.array(shares).T
    return Share(float(values.mean()), float(np.sqrt(np.square(errors).sum()) / len(shares)))


def _share(by_set: Floats, of: Rates, only_one: Floats | float = 0.0) -> Share:
    """Return the mean over sets; its standard error counts sets, or trials where these are all pairs there are.

    A trial that is significant in only one of two directions counts half.
    """
    if of.sets.is_all:
        variances = by_set * (1 - by_set) - only_one / 4
        error = math.sqrt(max(float(np.sum(variances)), 0.0) / of.n_trials) / by_set.size
    else:
        error = float(np.std(by_set, ddof=1)) / math.sqrt(by_set.size)
    return Share(float(by_set.mean()), error or 1 / (by_set.size * of.n_trials))


def _power(plan: Plan, test: PlannedTest, n: int, pool: ScoreMatrix, of: Rates, by_set: Floats) -> Share:
    """Return the power: of pairs that are a sample, the computed mean over all plus what simulation adds to it."""
    over = _over_pairs(plan, test, n, pool)
    if over is None or of.sets.is_all:
        return _share(by_set, of, of.by_direction[:, 2])
    first, second = pool.scores.T[of.sets.members.T]
    variances = (
        (first.var(axis=1, ddof=1) + second.var(axis=1, ddof=1)) / 2
        if test.is_separate
        else (first - second).var(axis=1, ddof=1)
    )
    mean, error = _share(by_set - plan.power(n, plan.difference, variances), of)
    return Share(float(np.clip(over.powers.mean() + mean, 0.0, 1.0)), error)
