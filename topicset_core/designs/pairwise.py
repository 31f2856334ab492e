"""Common parts of the designs for every pair and against a baseline: model, powers, and the questions.

m systems are compared in K pairs, and the familywise error, the probability of one or more false differences,
is controlled at alpha. With n topics the pair (i, j) has t_ij = (mean_i - mean_j) / (S sqrt(2 / n)):

============ ============================ ================= =========================================
topics       S^2 estimates                degrees of freedom valid where
============ ============================ ================= =========================================
separate     sigma^2, one-way residual    m (n - 1)         each system has topics of its own
shared       sigma_e^2, two-way residual  (m - 1) (n - 1)   all differences have one variance, 2 sigma_e^2
============ ============================ ================= =========================================

Where a pair differs by minD its statistic is noncentral with delta = sqrt(n / 2) minD / sigma. Its power
depends on no other mean where there is one critical value, as of Tukey, Dunnett and Bonferroni. The power to
find some pair, or every pair that differs, depends on all means; `MEANS` of `all_pairs` and `against_baseline`
names the configurations. Of all means with a range of minD, any-pair power is least where all but two are in
the middle (log-concavity; Hayter and Liu 1990).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from topicset_core.designs import holm
from topicset_core.designs.distributions import critical_t, upper_normal
from topicset_core.designs.f_test import FTest
from topicset_core.designs.power_search import FDesign, PowerSearch
from topicset_core.designs.real_error_rates import ONE_VARIANCE, own_variances_in_words
from topicset_core.designs.requirements import PowerRequirements
from topicset_core.designs.results import Method, PowerResult
from topicset_core.designs.search import SMALLEST_EFFECT, Floats, Integers, equal_groups, smallest_integers
from topicset_core.designs.studentised import (
    Family,
    averaged,
    beyond,
    critical_value,
    every_pair_of_halves,
    every_step_of_ladder,
    n_comparisons,
    no_pair,
    of_baseline,
    within,
)
from topicset_core.errors import InputError
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DETECT,
    LARGEST_EFFECT,
    MIN_D,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    ChoiceParameter,
    Parameter,
)

ONE_PAIR = ("two-extremes", "equally-spaced", "one-differs")
"""Configurations of means in which one pair only differs by minD."""

MOST_DRAWN = 9
"""Comparisons up to which curves are drawn by Holm's own power; above it, by Bonferroni's."""

_AT_MOST_BONFERRONI = (
    "The number of topics is that of Bonferroni's procedure; Holm's needs at most as many, and hardly fewer."
)

_SECANTS, _CLOSE = 12, 1e-9  # steps at most, and the relative step after which the error is below 1e-13
_SMALL_ALPHA = 1e-10
_MANY = 1e9  # degrees of freedom as good as infinite, for a first guess


@dataclass(frozen=True)
class PairwiseTest(FTest):
    """The comparisons of one procedure, with one kind of power; effects are minDelta^2 / 2."""

    family: Family  # which pairs are compared
    n_systems: int
    procedure: str  # the procedure that controls the familywise error rate
    detect: str  # the required detection
    means: str  # configuration of true means

    knots_to: ClassVar[int] = (
        24  # each takes some milliseconds where the power is integrated over s and the means
    )
    doubt_within: ClassVar[float] = 1e-7

    @property
    def comparisons(self) -> int:
        """K."""
        return n_comparisons(self.family, self.n_systems)

    @property
    def asks_for_one_pair(self) -> bool:
        """Whether only one pair must be detected: by choice, or because no other differs by minD."""
        return self.detect == "pair" or (self.detect == "all" and self.means in ONE_PAIR)

    @property
    def is_stepwise(self) -> bool:
        """Whether the power is Holm's own; for one pair or some pair Bonferroni's is the same, or nearly so."""
        is_holm = self.procedure == "holm" and self.comparisons > 1
        return is_holm and self.detect == "all" and not self.asks_for_one_pair

    @property
    def is_simulated(self) -> bool:
        """Whether the power rests on simulated trials."""
        return self.is_stepwise and (self.family == "pairs" or self.comparisons > holm.MOST_EXACT)

    @property
    def is_slow(self) -> bool:
        """Whether curves of its power would take minutes."""
        return self.is_simulated or (self.is_stepwise and self.comparisons > MOST_DRAWN)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the familywise error rate is on real scores, and where a number is Bonferroni's."""
        if self.comparisons == 1:
            return ()
        bound = self.procedure == "holm" and not self.is_stepwise
        topics = "shared" if self.groups < self.n_systems else "separate"
        one_step, by_number = ONE_VARIANCE[self.family, topics]
        rate = one_step if self.procedure in ("tukey", "dunnett") else by_number
        paired = own_variances_in_words(self.family)
        other = f"; that of paired t tests with Holm's correction was {paired}" if topics == "shared" else ""
        return (
            f"On real scores of 5 to 20 equal systems the familywise error rate was {rate.in_words} % at a nominal "
            f"5 %, as pairs differ in variance{other}.",
            *([_AT_MOST_BONFERRONI] if bound else []),
        )

    def critical_value(self, n_topics: ArrayLike, alpha: float) -> Floats:
        """Return the square of c; that of Bonferroni for Holm's procedure, which begins with it."""
        df = self._denominator_df(n_topics)
        if self.procedure in ("tukey", "dunnett"):
            return np.square(critical_value(self.family, self.n_systems, df, alpha))
        return np.square(critical_t(df, alpha / self.comparisons))

    def required_topics(self, effect: ArrayLike, alpha: float, beta: float) -> Integers:
        """Return the smallest n for each of many effects; see `FTest`."""
        # A simulated power is searched effect by effect, a tenth of a second each; so are alphas too small for a
        # polynomial, and a single effect.
        effects = np.asarray(effect, dtype=np.float64)
        if effects.size > 1 and not self.is_simulated and alpha >= _SMALL_ALPHA:
            return super().required_topics(effects, alpha, beta)
        distinct, places = np.unique(effects.ravel(), return_inverse=True)
        # Of one pair with infinite degrees of freedom.
        critical = math.sqrt(float(self.critical_value(_MANY / self.groups, alpha)))
        start = np.asarray((critical + upper_normal(beta)) ** 2 / distinct)
        result = smallest_integers(lambda n, cells: self.power(n, distinct[cells], alpha) >= 1 - beta, start)
        return result[places].reshape(effects.shape)

    def required_noncentrality(self, n_topics: Floats, alpha: float, beta: float) -> Floats:
        """Return lambda with power 1 - beta; see `FTest`."""
        # A power that takes milliseconds is computed as rarely as possible: its normal deviate is almost a line in
        # the root of lambda, so that secants need four or five steps. Bisection solves the remaining cases.
        if self.asks_for_one_pair or self.is_simulated:
            return super().required_noncentrality(n_topics, alpha, beta)
        from scipy import special

        n = np.atleast_1d(np.asarray(n_topics, dtype=np.float64)).ravel()
        critical = self.critical_value(n, alpha)
        target = special.ndtri(1 - beta)
        cells = np.arange(n.size)
        before = np.maximum(np.sqrt(critical) + upper_normal(beta), 0.5)
        root = 1.05 * before

        def excess(roots: Floats) -> Floats:
            return np.asarray(
                special.ndtri(self._power_at(critical[cells], n[cells], roots**2, alpha)) - target
            )

        at_before, result = excess(before), np.full(n.size, np.nan)
        for _ in range(_SECANTS):
            at_root = excess(root)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = at_root * (root - before) / (at_root - at_before)
                is_close = (np.abs(step) <= _CLOSE * root) | (at_root == 0)
            result[cells[is_close]] = np.where(at_root == 0, root, root - step)[is_close]
            left = ~is_close & np.isfinite(step)
            cells, step, at_before, before = cells[left], step[left], at_root[left], root[left]
            if not cells.size:
                break
            root = np.clip(before - step, before / 2, 2 * before)
        missed = ~(result <= LARGEST_EFFECT * np.sqrt(n))
        if missed.any():
            result[missed] = np.sqrt(super().required_noncentrality(n[missed], alpha, beta))
        return np.asarray(np.square(result)).reshape(np.shape(n_topics))

    def gain(self, n_topics: float, effect: float, alpha: float) -> tuple[float, float]:
        """Return what Holm's procedure gains over Bonferroni's in simulated trials, and its standard error."""
        df, distance = float(self._denominator_df(n_topics)), math.sqrt(2 * n_topics * effect)
        return holm.gain_over_bonferroni(self.family, df, alpha, self.n_systems, self.means, distance)

    def _power_at(self, critical: Floats, n_topics: Floats, noncentrality: Floats, alpha: float) -> Floats:
        if self.asks_for_one_pair:
            return super()._power_at(critical, n_topics, noncentrality, alpha)
        result = self._power_of_several(critical, n_topics, noncentrality)
        if not self.is_stepwise:
            return result
        powers = np.empty(result.size)
        shaped = (np.broadcast_to(array, result.shape).ravel() for array in (n_topics, noncentrality))
        for place, (n, lam) in enumerate(zip(*shaped, strict=True)):
            if self.is_simulated:
                powers[place] = np.ravel(result)[place] + self.gain(n, lam / n, alpha)[0]
            else:
                df, distance = float(self._denominator_df(n)), math.sqrt(2 * lam)
                powers[place] = holm.every_system(df, alpha, self.comparisons, distance)
        return powers.reshape(result.shape)

    def _power_of_several(self, critical: Floats, n_topics: Floats, noncentrality: Floats) -> Floats:
        """Return the power to find any or all, by quadrature."""
        shape = np.broadcast_shapes(np.shape(critical), np.shape(n_topics), np.shape(noncentrality))
        c, n, lam = (np.broadcast_to(array, shape).ravel() for array in (critical, n_topics, noncentrality))
        result = averaged(self._given_spread, np.sqrt(c), self._denominator_df(n), np.sqrt(2 * lam))
        return (1 - result if self.detect == "any" else result).reshape(shape)

    def _given_spread(self, reach: Floats, distance: Floats) -> Floats:
        """Return the probability, given s, that nothing is found (any) or everything is (all)."""
        m, others = self.n_systems, self.n_systems - 1
        if self.family == "baseline" and self.detect == "any":
            if self.means == "all-differ":
                return of_baseline(lambda x: within(x, reach, distance) ** others, m)
            return of_baseline(lambda x: within(x, reach) ** (others - 1) * within(x, reach, distance), m)
        if self.detect == "any":
            offsets, counts = np.unique(holm.offsets_of(self.means, m), return_counts=True)
            return no_pair(reach, [distance * offset for offset in offsets], counts.tolist())
        if self.means == "halves":
            return every_pair_of_halves(reach, distance, m)
        if self.means == "ladder":
            return every_step_of_ladder(reach, distance, m)
        return of_baseline(lambda x: beyond(x, reach, distance) ** others, m)  # one better, or all differ


@dataclass(frozen=True, kw_only=True)
class PairwiseResult(PowerResult):
    """The smallest topic set size that reaches a power in multiple comparisons."""

    comparisons: int  # K, pairs that are tested
    critical_value: float | None  # c, which |t| must reach
    standard_error: float | None = None  # of `attained_power`, where it is simulated
    n_trials: int | None = None
    seed: int | None = None

    @property
    def in_words(self) -> str:
        """The comparisons, and what they must reach."""
        reached = "" if self.critical_value is None else f", critical value of |t| {self.critical_value:.6f}"
        return f"{self.comparisons:,} comparisons{reached}"

    @property
    def about_test(self) -> str:
        """The comparisons, in a sentence."""
        return f"{self.in_words}."


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseDesign(FDesign):
    """One family of comparisons; `all_pairs` and `against_baseline` are it."""

    family: Family  # which pairs are compared
    # The procedures that control the familywise error rate, and the configurations of true means
    procedure: ChoiceParameter
    means: ChoiceParameter
    usual_means: dict[str, str]  # by the required detection
    label: str = "m = {n_systems}"
    parameters: tuple[Parameter, ...] = field(default=(ALPHA, BETA, MIN_D, N_SYSTEMS))
    variance: Parameter = RESIDUAL_VARIANCE
    is_published: bool = False
    choices: tuple[ChoiceParameter, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", (self.procedure, TOPICS, DETECT, self.means))
        super().__post_init__()

    def test(
        self,
        *,
        n_systems: int,
        procedure: str,
        topics: str = "shared",
        detect: str = "pair",
        means: str | None = None,
    ) -> PairwiseTest:
        """Return the test of these choices."""
        m = int(N_SYSTEMS.check(n_systems))
        self.procedure.check(procedure)
        TOPICS.check(topics)
        DETECT.check(detect)
        if detect == "pair" and means is not None:
            rule = "must be left out where detect is pair: it decides the power of any and of all"
            raise InputError(self.means.name, means, rule)
        chosen = self.usual_means.get(detect) if means is None else self.means.check(means)
        if chosen is None:
            raise InputError(self.means.name, None, f"{self.means.rule} where detect is {detect}")
        groups = m - 1 if topics == "shared" else m
        return PairwiseTest(1, groups, self.family, m, procedure, detect, chosen)

    def required_topics(
        self, requirements: "PairwiseRequirements", *, method: Method = "exact", size_cv: float = 0.0
    ) -> PairwiseResult:
        """Return the smallest number of topics that meets the requirements.

        Parameters
        ----------
        requirements : Requirements
            Requirements of the comparisons.
        method : {"exact"}
            The Excel tools do not cover this design.
        size_cv : float
            Coefficient of variation of the sizes of groups, where topics are groups of unequal size.

        Raises
        ------
        NoSolution
            If more than ten million topics would be needed.
        """
        test, alpha = requirements.test, requirements.alpha
        fields = self.answered(requirements, method, size_cv)
        n = float(equal_groups(fields["required_topics"], size_cv))
        simulated: dict[str, Any] = {}
        notes = test.notes
        if test.is_simulated:
            _, error = test.gain(n, max(requirements.effect_size**2 / 2, SMALLEST_EFFECT), alpha)
            trials = holm.n_trials(test.n_systems)
            simulated = {"standard_error": error, "n_trials": trials, "seed": holm.SEED}
            notes += (
                f"The power of Holm's procedure is that of Bonferroni's, computed, plus a simulated gain: "
                f"{trials:,} trials, seed {holm.SEED}, standard error {error:.2g}.",
            )
        if test.is_slow:
            notes += ("Curves and intervals of n use Bonferroni's procedure, which needs more topics.",)
        critical = None if test.procedure == "holm" else math.sqrt(float(test.critical_value(n, alpha)))
        return PairwiseResult(
            **fields | {"notes": notes}, comparisons=test.comparisons, critical_value=critical, **simulated
        )

    def search(self, **choices: Any) -> PowerSearch:
        """Return the test; choices are those of `test`, the procedure by default the usual one."""
        return PowerSearch(self.test(**{self.procedure.name: self.procedure.default, **choices}))

    def effect_of(self, min_delta: Floats) -> Floats:
        """Return minDelta^2 / 2."""
        return np.asarray(np.square(min_delta) / 2)

    def delta_of(self, effect: Floats) -> Floats:
        """Return minDelta of a noncentrality per topic."""
        return np.sqrt(2 * effect)

    def offered(self, choice: ChoiceParameter, chosen: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the options; true means count where more than one pair may be found."""
        if choice is not self.means:
            return choice.options
        detect = chosen.get(DETECT.name, DETECT.default)
        left_out = {"pair": tuple(self.means.options), "all": ONE_PAIR}.get(str(detect), ())
        return {word: text for word, text in choice.options.items() if word not in left_out}

    def quickly(self, fixed: dict[str, Any]) -> dict[str, Any]:
        """Return values whose curves do not take minutes: Bonferroni's, a safe bound, for most of Holm's."""
        given = {choice.name: fixed.get(choice.name) or choice.default for choice in self.choices}
        test = self.test(n_systems=fixed[N_SYSTEMS.name], **given)  # type: ignore[arg-type]
        return fixed | {self.procedure.name: "bonferroni"} if test.is_slow else fixed

    def is_slow(self, fixed: Mapping[str, Any]) -> bool:
        """Return whether each power takes milliseconds: where more than one pair may or must be found."""
        return fixed.get(DETECT.name) in ("any", "all")


@dataclass(frozen=True, kw_only=True)
class PairwiseRequirements(PowerRequirements):
    """Requirements of the comparisons of all pairs, or with a baseline.

    Parameters
    ----------
    alpha, beta : float
        Familywise error rate, and 1 minus the power; 0 < alpha < 1 and 0 < beta < 1 - alpha.
    n_systems : int
        m, 2 to 1000; a baseline counts.
    procedure : {"tukey", "dunnett", "bonferroni", "holm"}
        The procedure that controls the familywise error rate: Tukey's of all pairs, Dunnett's with a baseline.
    topics : {"shared", "separate"}
        Whether all systems have the same topics; decides which variance is taken.
    detect : {"pair", "any", "all"}
        The required detection: the pair that differs by minD, some pair, or every pair that differs by minD.
    means : str, optional
        True means, one of `MEANS` of the module: for any, by default the least favourable; for all pairs it must
        be given.
    """

    n_systems: int
    procedure: str
    topics: str = "shared"
    detect: str = "pair"
    means: str | None = None
    within_system_variance: float | None = None
    residual_variance: float | None = None

    design: ClassVar[PairwiseDesign]

    def __post_init__(self) -> None:
        N_SYSTEMS.check(self.n_systems)
        _ = self.test  # refuses choices that do not go together
        other = WITHIN_SYSTEM_VARIANCE if self.topics == "shared" else RESIDUAL_VARIANCE
        value = getattr(self, other.name)
        if value is not None:
            rule = f"must be left out where topics are {self.topics}: give {self.variance_parameter.name}"
            raise InputError(other.name, value, rule)
        super().__post_init__()

    @property
    def test(self) -> PairwiseTest:
        """The test that these choices make."""
        return self.design.test(**self.design.choices_of(self))
