"""How many topics: one answer from a request and the source of its variance, which all pages and commands read.

`planned` decides all that a number of topics rests on: the estimate of the variance, whether topics come in groups,
the interval, and the design for scores of 0 and 1. `Planned` computes the rest when it is asked for.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from topicset_core.analyses.planning.assurance import Assurance, AssuranceRequest, assurance
from topicset_core.analyses.planning.curves import Curves, curves_around
from topicset_core.analyses.planning.request import PlanRequest, Unknown
from topicset_core.analyses.planning.sides import other_side, separate_word
from topicset_core.analyses.planning.source import (
    Check,
    Shares,
    Similar,
    Source,
    Stated,
    Variance,
)
from topicset_core.analyses.score_variance.uncertainty import (
    Ranking,
    VarianceUncertainty,
    rankings,
    uncertainty_at,
    uncertainty_in_groups,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import IN_GROUPS, OF_SHARES, Design, Plan, error_rate, paired_t
from topicset_core.designs.grouped import (
    GROUP_SIZE,
    INTRACLASS_CORRELATION,
    GroupedPlan,
    average_size,
    if_in_groups,
    in_groups,
    in_groups_of_scores,
    variation_of_sizes,
)
from topicset_core.designs.results import Method, Result
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    CERTAINTY,
    DIFFERENCE_VARIANCE,
    MIN_DELTA,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    SHARES,
    WITHIN_SYSTEM_VARIANCE,
)
from topicset_core.variance import CONSERVATIVE_DIFFERENCE, MEAN_PAIR_DIFFERENCE, OFFERED, PAIR_PERCENTILE
from topicset_core.variance.atlas import FEWEST_PILOT_TOPICS
from topicset_core.variance.intervals import coverage_of
from topicset_core.wording import counted

if TYPE_CHECKING:
    from topicset_core.analyses.error_rate.prediction import Prediction
    from topicset_core.analyses.planning.validity import Validity

_LEAST_BETA = 1e-9
_LEAST_DIFFERENCE = 1.0  # of a plan whose difference is unknown, in standard deviations


@dataclass(frozen=True, kw_only=True)
class Beside:
    """Another number of topics for the same request, next to the headline."""

    name: str  # a key for records
    label: str
    topics: int
    plan: Plan
    text: str = ""  # what to know of it
    power: float | None = None  # of the headline's topics by this design


@dataclass(frozen=True, eq=False)
class Planned:
    """The answer to a request.

    Parameters
    ----------
    request : PlanRequest
        What was asked.
    source : Source or None
        Where the variance is from; None where the difference is in standard deviations.
    variance : Variance or None
        The variance of one topic, as the source gives it.
    of_topics : Plan
        The design with all its values, of independent topics.
    grouped : GroupedPlan or None
        The plan in groups, where topics come in groups.
    uncertain : VarianceUncertainty or None
        The interval of the variance and of the topics; None where it is not known.
    """

    request: PlanRequest
    source: Source | None
    variance: Variance | None
    of_topics: Plan
    grouped: GroupedPlan | None
    uncertain: VarianceUncertainty | None

    @property
    def plan(self) -> Plan:
        """The plan that counts what comes: topics, or groups of them."""
        return self.of_topics if self.grouped is None else self.grouped.plan

    @property
    def unknown(self) -> Unknown:
        """What was asked for."""
        return self.request.unknown

    @property
    def design(self) -> Design:
        """The design."""
        return self.request.design

    @property
    def measure(self) -> str:
        """Unit of the difference; "" where it is not known."""
        return self.variance.measure if self.variance is not None else ""

    @property
    def matrices(self) -> tuple[ScoreMatrix, ...]:
        """The scores that the variance is from."""
        return self.variance.matrices if self.variance is not None else ()

    @property
    def words(self) -> str:
        """Where the variance is from."""
        return self.variance.words if self.variance is not None else ""

    @cached_property
    def result(self) -> Result:
        """The topics with their evidence, by the requested method; of a given number, what it attains."""
        result: Result = self.plan.required_topics()
        n = self.request.n_topics
        if n is None or n == result.required_topics:
            return result
        fewest = self.plan.fewest_topics
        attained, fewer = (float(self.plan.attained(max(topics, fewest))) for topics in (n, n - 1))
        values: dict[str, Any] = {
            "required_topics": n,
            f"attained_{result.attains}": attained,
            f"{result.attains}_one_topic_fewer": fewer if n > fewest else None,
        }
        return replace(result, **values)

    @property
    def topics(self) -> int:
        """Topics, or groups: the answer, or as many as were given."""
        return self.result.required_topics

    @cached_property
    def _published(self) -> tuple[Result | None, str]:
        if self.design.is_published and self.request.method == "exact" and self.unknown == "topics":
            try:
                return replace(self.plan, method="published").required_topics(), ""
            except InputError as error:
                return None, error.rule
            except NoSolution as error:
                return None, str(error)
        return None, ""

    @property
    def published(self) -> Result | None:
        """The number by the approximation of Sakai's Excel tools; None where they have none."""
        return self._published[0]

    @property
    def why_not_published(self) -> str:
        """Why they have none; "" where they do not cover the design."""
        return self._published[1]

    @cached_property
    def curves(self) -> Curves:
        """The curves around the answer, with the band of the interval."""
        curves = curves_around(self.plan, self.topics)
        if self.uncertain is None or self.plan.difference <= 0:
            return curves
        interval = self.uncertain.interval
        return replace(curves, ends=(interval.low, interval.high))

    @property
    def is_guess(self) -> bool:
        """Whether the source is worth too few pilot topics for a single number."""
        found = self.uncertain
        return found is not None and found.interval.effective_df + 1 < FEWEST_PILOT_TOPICS

    @property
    def ends(self) -> tuple[str, str] | None:
        """The ends of the interval of what was asked for, in words; None where it is not known."""
        found = self.uncertain
        if found is None:
            return None
        if self.unknown == "topics":
            return found.ends
        values = self.at_ends
        if values is None:
            return None
        if self.unknown == "power":
            return f"{100 * values[0]:.3g}", f"{100 * values[1]:.3g} %"
        return f"{values[0]:.3g}", f"{values[1]:.3g}"

    @cached_property
    def at_ends(self) -> tuple[float, float] | None:
        """The power or the difference of the given topics at the ends of the variance, rising."""
        n, found = self.request.n_topics, self.uncertain
        if n is None or found is None:
            return None
        of = self.plan.power if self.unknown == "power" else self.plan.detected
        with suppress(InputError, NoSolution):
            low, high = sorted(
                float(of(n, variance=end)) for end in (found.interval.low, found.interval.high)
            )
            return low, high
        return None

    @property
    def counted(self) -> str:
        """The number with its noun and its interval, as "44 topics (22 to 147)"."""
        units, number = self.result.units, f"{self.topics:,}"
        if self.unknown != "topics" or self.ends is None:
            return f"{number} {units}"
        low, high = self.ends
        span = f"{low} to {high}"
        if low == high:
            return f"{number} {units}"
        return f"{span} {units}" if self.is_guess else f"{number} {units} ({span})"

    @property
    def in_short(self) -> str:
        """The number with its interval, without a noun."""
        return self.counted.replace(f" {self.result.units}", "", 1)

    @cached_property
    def assured(self) -> Assurance | None:
        """What topics do if the variance is an estimate; None where its uncertainty is not known."""
        found = self.uncertain
        if found is None or self.design.has_uncertain_variance or self.unknown != "topics":
            return None
        return assurance(
            AssuranceRequest(
                plan=self.plan,
                variance=found.variance,
                effective_df=found.interval.effective_df,
                certainty=CERTAINTY.default if self.request.certainty is None else self.request.certainty,
                holds=found.interval.holds,
            )
        )

    @property
    def counts_correlation(self) -> bool:
        """Whether the interval counts the uncertainty of the correlation within groups, too."""
        if self.grouped is None or self.variance is None or self.variance.similar is not None:
            return False
        stated = self.source if isinstance(self.source, Stated) else None
        of_link = stated is not None and stated.estimate is not None and not stated.similar
        return bool(self.grouped.found) or of_link

    @cached_property
    def alone(self) -> VarianceUncertainty | None:
        """The same by one's own scores alone, where a similar task is used together with them."""
        if self.variance is None or self.variance.alone is None:
            return None
        value, interval = self.variance.alone
        plan = self.of_topics.without_variance
        return uncertainty_at(plan, self.variance.estimate, self.measure, value, interval)

    @cached_property
    def validity(self) -> "Validity | None":
        """What the planned test does on the scores; None without scores, or without a test."""
        if not self.matrices:
            return None
        # Simulations load more than a plan takes.
        from topicset_core.analyses.planning.validity import validity

        return validity(self.plan, self.topics, self.matrices)

    @property
    def check(self) -> Check | None:
        """The same in numbers, by the scores or by the link; None where it is not known for this plan."""
        found, slug, n = self.validity, self.design.slug, self.topics
        alpha: float = self.plan.values.get(ALPHA.name, 0.0)
        if found is not None:
            keeper = 0 if found.keeper is None else found.keeper.n_topics
            return Check(slug, alpha, n, found.real_alpha, keeper)
        known = self.source.check if isinstance(self.source, Stated) else None
        return known if known is not None and known[:3] == (slug, alpha, n) else None

    @property
    def check_tiles(self) -> tuple[tuple[str, str, str], ...]:
        """Label, value and help of what the planned test does on the scores."""
        if self.validity is not None:
            return self.validity.tiles
        check = self.check
        if check is None:
            return ()
        from topicset_core.analyses.planning.validity import KEEPS_LABEL, TYPE_ONE_LABEL

        level = f"{100 * self.plan.values.get(ALPHA.name, 0.0):.3g} %"
        error = f"{100 * float(f'{check.type_one:.3f}'):.3g} %"
        first = TYPE_ONE_LABEL, error, f"Nominal {level}. By the scores of this link."
        if not check.keeping_topics:
            return (first,)
        return first, (KEEPS_LABEL.format(level), counted(check.keeping_topics, self.plan.unit), first[2])

    @cached_property
    def rankings(self) -> list[Ranking]:
        """The topics for a ranking of the systems, and how their scores differ from public ones."""
        return rankings(self.matrices)

    @cached_property
    def pairs(self) -> tuple[Beside, ...]:
        """The topics by the other estimates of a pair's variance from the same scores."""
        variance = self.variance
        if variance is None or self.plan.takes != "difference" or variance.estimate is None:
            return ()
        if self.unknown != "topics" or self.design.shares:
            return ()
        found = []
        for estimate, label in _PAIRED.items():
            value = variance.others.get(estimate.name)
            is_same = value is None or value == variance.value
            if value and not is_same and estimate.name != variance.estimate.name:
                factor = value / variance.value  # of groups, too: the correlation is one for all pairs
                n = self.plan.topics_of(self.plan.variance * factor)
                if n is not None:
                    plan = self.plan.with_(**{DIFFERENCE_VARIANCE.name: self.plan.variance * factor})
                    text = f"σₜ² = {value:.4g}, {estimate.label}."
                    found.append(Beside(name=estimate.name, label=label, topics=n, plan=plan, text=text))
        return tuple(found)

    @cached_property
    def separate(self) -> Beside | None:
        """The topics where systems do not share them, or where they do; None where there is no such design."""
        variance, values = self.variance, self.of_topics.values
        if variance is None or self.grouped is not None or self.unknown != "topics":
            return None
        found = other_side(self.of_topics)
        if found is None:
            return None
        design, words, named = found
        parameter = design.variance_of(words)
        known = (variance.others.get(estimate.name) for estimate in OFFERED[parameter])
        value = next(filter(None, known), None)
        if value is None:
            return None
        names = [one.name for one in (*design.parameters, *design.choices)]
        taken: dict[str, Any] = {name: values.get(name) for name in names}
        with suppress(InputError, NoSolution):
            plan = design.plan(**taken | words | {parameter.name: value})
            return Beside(
                name="other topics",
                label=f"if topics are {separate_word(self.of_topics)}",
                topics=int(plan.required_topics().required_topics),
                plan=plan,
                text=f"By {named}, from the same source of variance.",
            )
        return None

    @cached_property
    def by_shares(self) -> Beside | None:
        """The topics by the design for scores of 0 and 1 in place of this one; None where scores are others."""
        # These designs take no groups.
        plan, design = self.plan, OF_SHARES.get(self.design)
        is_binary = self.source is not None and self.source.is_binary
        if design is None or not is_binary or self.grouped is not None:
            return None
        if plan.variance_parameter is not DIFFERENCE_VARIANCE or self.unknown != "topics":
            return None
        # An interval has no true difference: it is planned for none.
        values: dict[str, Any] = {
            one.name: plan.values.get(one.name, one.default) for one in design.parameters
        }
        with suppress(InputError, NoSolution):
            other = design.plan(**values | {design.variance.name: plan.variance})
            power = float(other.power(self.topics)) if design.has_power else None
            return Beside(
                name=design.slug,
                label=design.name,
                topics=int(other.topics()),
                plan=other,
                text="The exact design for scores of 0 and 1.",
                power=power,
            )
        return None

    @cached_property
    def if_observed(self) -> "Prediction | None":
        """The error rate if minD is the difference that topics show, by the scores; None of other designs."""
        if self.design is not error_rate.DESIGN or self.unknown != "topics" or self.grouped is not None:
            return None
        if len(self.matrices) != 1 or self.matrices[0].n_systems < N_SYSTEMS.lower:
            return None
        if if_in_groups(self.matrices):
            return None
        from topicset_core.analyses.error_rate.prediction import predict  # loads more than a plan takes

        max_error, min_d = (self.plan.values[one.name] for one in self.design.parameters)
        with suppress(InputError):  # runs that are all identical
            return predict(self.matrices[0], n_topics=self.topics, difference=min_d, max_error=max_error)
        return None

    @cached_property
    def by_t(self) -> Beside | None:
        """What a t test would plan for scores of 0 and 1, with its real power; None of other designs."""
        plan = self.plan
        if self.design.slug != "mcnemar" or self.unknown != "topics":
            return None
        values: dict[str, Any] = {one.name: plan.values[one.name] for one in paired_t.DESIGN.parameters}
        with suppress(InputError, NoSolution):
            other = paired_t.DESIGN.plan(**values, difference_variance=plan.variance)
            n = int(other.topics())
            power = float(plan.power(n))
            text = f"A paired t test asks for {n:,} topics; they give {self.design.name} {100 * power:.3g} % power."
            return Beside(
                name="paired-t", label="by the paired t test", topics=n, plan=other, text=text, power=power
            )
        return None


_PAIRED = {
    PAIR_PERCENTILE: "for 95 % of pairs",
    MEAN_PAIR_DIFFERENCE: "for the average pair",
    CONSERVATIVE_DIFFERENCE: "by Sakai's 2σ²",
}
"""Estimates of the variance of a difference, as labels."""


def planned(request: PlanRequest, source: Source | None = None) -> Planned:
    """Answer a request.

    Parameters
    ----------
    request : PlanRequest
        The design with its values, and what is unknown.
    source : Source, optional
        Where the variance is from; it must be left out where the difference is in standard deviations.

    Raises
    ------
    InputError
        If a value breaks its rule, the source does not give the variance, or topics come in fewer than five groups
        and nobody states their correlation.
    NoSolution
        If no number of topics up to ten million meets the requirements.
    """
    design, values = request.design, request.with_defaults
    variance = None
    if source is not None:
        words = {choice.name: values.get(choice.name) or choice.default for choice in design.choices}
        if isinstance(source, Similar):
            # The variance is a mean over the systems; for a pair over the usual number, as by scores.
            m = int(values.get(N_SYSTEMS.name) or 0)
            source = replace(source, n_systems=m if m > N_SYSTEMS.lower else int(N_SYSTEMS.default))
        variance = source.variance(design.variance_of(words))
        for parameter in design.parameters:
            if parameter.of_measure and values.get(parameter.name) is not None:
                variance.check_range(parameter, parameter.check(values[parameter.name]))
        if isinstance(source, Shares):
            if request.unknown == "difference" and design.has_power:
                rule = "must be left out where the difference is unknown, which they give"
                raise InputError(SHARES.name, source.shares, rule)
            of_shares = design.of_shares(source.shares)
            values = values | of_shares
            variance = replace(variance, value=of_shares[variance.parameter.name])
        else:
            values = values | {variance.parameter.name: variance.value}
        if RESIDUAL_VARIANCE in design.optional and variance.residual:
            values = values | {RESIDUAL_VARIANCE.name: variance.residual}
        if values.get(MIN_DELTA.name) is not None:
            effect = MIN_DELTA.check(values[MIN_DELTA.name])
            values = values | {
                MIN_DELTA.name: None,
                design.difference_parameter.name: float(design.min_d_of(effect, variance.value)),
            }
    elif values.get(MIN_DELTA.name) is None:
        parameter = design.variance_of(values)
        raise InputError(parameter.name, None, f"must be given for {design.slug}")
    elif request.certainty is not None:
        raise InputError(CERTAINTY.name, request.certainty, f"has no meaning next to {MIN_DELTA.option}")
    grouped: GroupedPlan | None = None
    if request.unknown == "power":
        values = {BETA.name: (1 - ALPHA.check(values[ALPHA.name])) / 2} | values  # until the power is known
    if request.unknown == "difference":
        plan, grouped = _for_difference(request, values, variance)
    else:
        plan = design.plan(method=_method(request), **values)
        grouped = _in_groups(request, plan, variance)
        if request.unknown == "power":
            plan, grouped = _for_power(request, plan, grouped, variance)
    plan = plan if grouped is None else grouped.of_topics
    return Planned(
        request=request,
        source=source,
        variance=variance,
        of_topics=plan,
        grouped=grouped,
        uncertain=_uncertainty(plan, grouped, variance, source),
    )


def _method(request: PlanRequest) -> Method:
    return "published" if request.method == "published" else "exact"


def _for_difference(
    request: PlanRequest, values: Mapping[str, Any], variance: Variance | None
) -> tuple[Plan, GroupedPlan | None]:
    """Return the plan for the smallest difference that the given topics detect, or their expected width."""
    design, n = request.design, int(request.n_topics or 0)
    name = design.difference_parameter.name
    if variance is None:
        raise InputError(name, None, f"must be given for {design.slug}")
    plan = design.plan(method=_method(request), **values)
    trial = plan.with_(**{name: _LEAST_DIFFERENCE * max(variance.value, 1e-12) ** 0.5})
    if not design.shares:
        grouped = _in_groups(request, trial, variance)
        if grouped is not None:
            plan = plan.with_(**{name: float(grouped.plan.detected(n))})
            return plan, _in_groups(request, plan, variance)
    return plan.with_(**{name: float(plan.detected(n, variance.value))}), None


def _for_power(
    request: PlanRequest, plan: Plan, grouped: GroupedPlan | None, variance: Variance | None
) -> tuple[Plan, GroupedPlan | None]:
    """Return the plan whose power is that of the given topics."""
    counting, n = plan if grouped is None else grouped.plan, int(request.n_topics or 0)
    power = float(counting.power(n))
    # No power below alpha, and none so near 1, can be required; what the topics attain is in the result.
    most = (1 - plan.values[ALPHA.name]) * (1 - _LEAST_BETA)
    plan = plan.with_(**{BETA.name: min(max(1 - power, _LEAST_BETA), most)})
    return plan, None if grouped is None else _in_groups(request, plan, variance)


def _in_groups(request: PlanRequest, plan: Plan, variance: Variance | None) -> GroupedPlan | None:
    """Return the plan in groups, where the request states them or the scores have them."""
    matrices = () if variance is None else if_in_groups(variance.matrices)
    stated = request.in_groups
    if plan.design not in IN_GROUPS or not (stated or matrices):
        return None
    size, rho, costs = request.group_size, request.intraclass_correlation, request.costs
    if size is None and costs is None and matrices:
        size = average_size(matrices)
    cv = request.group_size_cv
    if rho is not None:
        of_scores = variation_of_sizes(matrices) if size != 1 else 0.0
        return in_groups(plan, rho, group_size=size, size_cv=of_scores if cv is None else cv, costs=costs)
    if variance is None or variance.estimate is None or not matrices:
        if set(stated) == {INTRACLASS_CORRELATION.name}:
            raise InputError(GROUP_SIZE.name, None, "must be given")
        raise InputError(
            INTRACLASS_CORRELATION.name, None, "must be given, or scores whose topics have groups"
        )
    return in_groups_of_scores(
        plan,
        matrices,
        variance.estimate,
        weights=variance.weights,
        group_size=size,
        size_cv=cv,
        costs=costs,
    )


def _uncertainty(
    plan: Plan, grouped: GroupedPlan | None, variance: Variance | None, source: Source | None
) -> VarianceUncertainty | None:
    """Return the interval of the variance and of the topics."""
    if variance is None or variance.interval is None or MIN_DELTA.name in plan.values:
        return None
    interval = variance.interval
    found = uncertainty_at(
        plan.without_variance, variance.estimate, variance.measure, variance.value, interval
    )
    if grouped is None:
        return found
    is_of_scores = variance.similar is None and not (isinstance(source, Stated) and source.similar)
    is_known = interval.covers is not None and variance.estimate is not None
    if not variance.matrices and is_known and is_of_scores:
        counted = coverage_of(interval, variance.estimate, in_groups=True, of_one=interval.is_of_one)
        found = replace(found, interval=counted)
    # The correlation is an estimate, too, where the scores alone give it.
    of_groups = variance.matrices if grouped.found and variance.similar is None else ()
    return uncertainty_in_groups(found, grouped, of_groups, variance.weights)


def variances_of_designs(planned: Planned) -> dict[str, float]:
    """Return the variances that the same source gives for designs of several systems, by parameter."""
    known = planned.variance.others if planned.variance is not None else {}
    names = {WITHIN_SYSTEM_VARIANCE.name: "one-way", RESIDUAL_VARIANCE.name: "two-way"}
    return {name: value for name, estimate in names.items() if (value := known.get(estimate))}
