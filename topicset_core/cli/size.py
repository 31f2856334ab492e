"""``size``: the required number of topics for one design.

Nothing has a default but the method: a design with a forgotten option must not look like an answer.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import topicset_core.parameters
from topicset_core.analyses.assurance import AssuranceRequest, assurance
from topicset_core.analyses.score_variance.uncertainty import (
    VarianceUncertainty,
    combination,
    disagreement_with,
    rankings,
    rankings_in_words,
    similar_uncertainty,
    uncertainty_in_groups,
    variance_uncertainty,
)
from topicset_core.analyses.sizing.grouped_report import grouped_lines
from topicset_core.analyses.sizing.report import bare_report, in_groups_instead, in_place_of
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import ALL_DESIGNS, IN_GROUPS, Design, Plan, design_named
from topicset_core.designs.grouped import (
    COST_GROUP,
    GROUP_SIZE,
    INTRACLASS_CORRELATION,
    GroupedPlan,
    in_groups,
    in_groups_of_scores,
)
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.designs.results import Method
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.exports.records import attributes
from topicset_core.parameters import (
    BETA,
    CERTAINTY,
    DIFFERENCE_VARIANCE,
    EFFECTIVE_DF,
    MIN_D,
    MIN_DELTA,
    N_TOPICS,
    RESIDUAL_VARIANCE,
    SHARES,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance import (
    ESTIMATES,
    ONE_WAY,
    TWO_WAY,
    Estimate,
    pooled,
    scale_question,
    usual_estimate,
)
from topicset_core.variance.atlas import SIMILAR_TO, SimilarTask, similar_task
from topicset_core.variance.choices import TOTAL
from topicset_core.variance.estimates import conservative_difference_variance

_TAKEN = dict.fromkeys(
    p for design in ALL_DESIGNS for p in (*design.parameters, *design.variances, *design.optional, MIN_DELTA)
)
_SHARED = [one for one in vars(topicset_core.parameters).values() if isinstance(one, Parameter)]
_PARAMETERS = tuple(one for one in dict.fromkeys((*_SHARED, *_TAKEN)) if one in _TAKEN)
"""What some design takes, in the order in which parameters are defined; then those of single designs."""

_COSTS = (COST_GROUP, COST_TOPIC)
_OF_GROUPS = (GROUP_SIZE, INTRACLASS_CORRELATION, *_COSTS)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``size``."""
    parser.description = (
        "The smallest number of topics that meets the requirements. All values must be given."
    )
    parser.add_argument(
        "design",
        choices=[design.slug for design in ALL_DESIGNS],
        help="test or interval that the topics are for",
    )
    common.add(parser, _PARAMETERS)
    common.add_choices(parser, ALL_DESIGNS)
    parser.add_argument(
        N_TOPICS.option.replace("n-", ""),
        dest=N_TOPICS.name,
        type=int,
        metavar="N",
        help="answer for this number of topics instead: the power, without --min-d the smallest difference, or the "
        "expected width",
    )
    parser.add_argument(
        SHARES.option,
        nargs="+",
        type=float,
        metavar="P",
        help=f"{SHARES.help} They replace the difference and the variance",
    )
    group: Any = parser.add_argument_group(
        "variance from scores", "in place of a variance; the interval of n is added"
    )
    files.add_options(group, option="--scores")
    common.add_selection(group)
    group.add_argument(
        "--estimate",
        choices=[estimate.name for estimate in ESTIMATES if estimate is not TOTAL],
        help="estimate of the variance; default: one-way, for shared topics two-way, for paired designs "
        "percentile-95-of-pairs",
    )
    files.add_pool(group)
    group = parser.add_argument_group(
        "variance of a similar task", "in place of a variance, or next to --scores"
    )
    common.add_parameter(group, SIMILAR_TO, None, unless="none; next to --scores both are combined")
    group = parser.add_argument_group("assurance", "topics where the variance is an estimate")
    common.add(group, (CERTAINTY, EFFECTIVE_DF))
    group = parser.add_argument_group(
        "topics in groups", "how many groups, by the variance of one topic and the correlation within groups"
    )
    common.add(group, _OF_GROUPS)
    files.add_groups(group, "with --scores, whose groups give the correlation; ")
    parser.add_argument("--method", choices=("exact", "published"), default="exact", help="default: exact")
    common.add_output(parser)


def run(options: argparse.Namespace) -> Answer[Any]:
    """Return the answer as text and as a record; what shares give is refused under their name."""
    try:
        return _answer(options)
    except InputError as error:
        if options.shares is None or error.parameter not in design_named(options.design).of_shares(
            options.shares
        ):
            raise
        rule = f"give a {error.parameter.replace('_', ' ')} of {error.value:g}, which {error.rule}"
        raise InputError(SHARES.option, options.shares, rule) from None


def _answer(options: argparse.Namespace) -> Answer[Any]:
    design = design_named(options.design)
    values = common.given(options, _PARAMETERS)
    if options.shares is not None:
        _check_no_variance(values, SHARES.option)
        values = _with_shares(values, design.of_shares(options.shares))
    choices = _choices(options, design, values)
    similar = _similar(options, design, values, choices)
    scores = _scores(options, design, values, choices, similar) if options.files else None
    if similar is not None:
        values |= {design.variance_of(choices).name: similar.median}
    if scores is not None:
        values |= scores.values
    else:
        preparing.chosen(options, ())
    _check_assurance(options, design, values)
    of_groups = {one.option: getattr(options, one.name) for one in _OF_GROUPS} | {
        "--groups": options.groups,
        "--join": options.join or None,
    }
    of_groups = {option: value for option, value in of_groups.items() if value is not None}
    for option, value in of_groups.items():
        if design not in IN_GROUPS:
            raise InputError(option, value, f"has no meaning for {design.slug}")
        if options.n_topics is not None:
            raise InputError("--topics", options.n_topics, "has no meaning for topics in groups")
    if options.n_topics is not None:
        answer = _at(options.n_topics, design, values, choices, options.method)
        return replace(answer, record={**answer.record, **(scores.chosen if scores else {})})
    values = design.with_defaults(values)
    is_estimated = scores is not None or similar is not None
    required = (*_required(design), *((MIN_D,) if is_estimated and design.takes_effects else ()))
    if is_estimated:
        required = tuple(one for one in required if one is not WITHIN_SYSTEM_VARIANCE)
    common.check_given(values, _PARAMETERS, required, _allowed(design, choices), needed_for=options.design)
    if design.variance_of(choices) is DIFFERENCE_VARIANCE:
        values = _with_difference_variance(values, is_needed=not design.takes_effects)
    plan = design.plan(method=options.method, **values, **choices)
    uncertain, notes = _uncertainty(scores, similar, plan)
    if similar is not None and uncertain is not None:
        taken = {design.variance_of(choices).name: uncertain.variance}
        plan = design.plan(method=options.method, **values | taken, **choices)
    grouped, more = _in_groups(options, plan, scores) if of_groups else None, dict[str, Any]()
    if grouped is not None:
        plan = grouped.plan
        if uncertain is not None:
            matrices = scores.matrices if scores is not None and grouped.found and similar is None else ()
            uncertain = uncertainty_in_groups(uncertain, grouped, matrices)
    result = plan.required_topics()
    measures = [
        one.measure for one in (*(scores.matrices if scores else ()), *((similar,) if similar else ()))
    ]
    lines, report = [*result.lines], bare_report(result, next(iter(measures), ""), grouped)
    lines += grouped_lines(grouped, result) if grouped is not None else []
    variance, effective_df, holds = plan.variance, options.effective_df, None
    if uncertain is not None:
        interval, variance, estimate = uncertain.interval, uncertain.variance, uncertain.estimate
        effective_df, holds = interval.effective_df, interval.holds
        whose = "variance" if grouped is None else "variance of group means"
        estimated = f"{whose} {variance:.8f}, {estimate.label}"
        lines += [f"{estimated}. {estimate.advice}" if estimate.advice else estimated]
        lines += [uncertain.sentence, *notes]
        more["variance"] = {"estimate": estimate.name, "value": variance, "interval": interval}
        if grouped is not None:
            more["variance_of_group_means"] = more["variance"]
            more["variance"] = {"estimate": estimate.name, "value": grouped.of_topics.variance}
        more[f"{plan.unit}s_interval"] = list(uncertain.topics_interval)
    if similar is not None:
        known = "family measure collections median low high factor worth_in_topics"
        more["similar_to"] = attributes(similar, known)
        report = replace(report, measure=similar.measure, variance_source=similar.source)
    if scores is not None:
        lines += filter(None, [scale_question(scores.matrices, plan.symbol, plan.difference)])
        lines += filter(None, [in_place_of(plan, scores.matrices), in_groups_instead(plan, scores.matrices)])
        ranked = rankings(scores.matrices)
        if grouped is None:
            lines += filter(None, [rankings_in_words(ranked)])
            more["rankings"] = ranked
        warning = " ".join(filter(None, (report.warning, *(one.caution for one in ranked))))
        report = replace(report, matrices=scores.matrices, warning=warning)
    if options.certainty is not None:
        certain = {"certainty": options.certainty, "effective_df": effective_df, "holds": holds}
        assured = assurance(AssuranceRequest(plan=plan, variance=variance, **certain))
        lines.append(assured.sentence)
        more["assurance"] = assured
    return common.printed("\n".join(lines), report, result, **more, **(scores.chosen if scores else {}))


def _uncertainty(
    scores: "_Scores | None", similar: SimilarTask | None, plan: Plan
) -> tuple[VarianceUncertainty | None, list[str]]:
    """Return the variance by scores, by a similar task or by both, and notes on where it is from."""
    pilot = None
    if scores is not None:
        pilot = variance_uncertainty(scores.matrices, plan, estimate=scores.estimate)
    if similar is None:
        return pilot, []
    result, notes = similar_uncertainty(similar, plan, pilot), [similar.sentence]
    if pilot is not None:
        notes += filter(None, (combination(similar, pilot), disagreement_with(similar, pilot)))
    return result, notes


def _in_groups(options: argparse.Namespace, plan: Plan, scores: "_Scores | None") -> GroupedPlan:
    """Return the plan of groups of topics."""
    rho = options.intraclass_correlation
    option, named = ("--join", True) if options.join else ("--groups", options.groups)
    if named is not None:
        if rho is not None:
            raise InputError(INTRACLASS_CORRELATION.option, rho, f"must be left out next to {option}")
        if scores is None:
            raise InputError(option, named, "needs --scores")
    costs = options.cost_group, options.cost_topic
    for one, other, cost in zip(_COSTS, reversed(_COSTS), costs, strict=True):
        if cost is None and any(given is not None for given in costs):
            raise InputError(one.option, None, f"must be given next to {other.option}")
    sizes: dict[str, Any] = {
        "group_size": options.group_size,
        "costs": None if costs[0] is None else costs,
    }
    if rho is not None:
        return in_groups(plan, rho, **sizes)
    if scores is None or any(one.groups is None for one in scores.matrices):
        raise InputError(INTRACLASS_CORRELATION.option, None, "must be given, or --scores with --groups")
    return in_groups_of_scores(plan, scores.matrices, scores.estimate, **sizes)


def _similar(
    options: argparse.Namespace, design: Design, values: Mapping[str, Any], choices: Mapping[str, str]
) -> SimilarTask | None:
    """Return the similar task that is named."""
    if options.similar_to is None:
        return None
    _check_no_variance(values, SIMILAR_TO.option)
    return similar_task(options.similar_to, design.variance_of(choices))


def _check_assurance(options: argparse.Namespace, design: Design, values: Mapping[str, Any]) -> None:
    """Refuse options that an assurance does not take, and a typed variance without its degrees of freedom."""
    df = options.effective_df
    if options.certainty is None:
        if df is not None:
            raise InputError(EFFECTIVE_DF.option, df, f"has no meaning without {CERTAINTY.option}")
        return
    CERTAINTY.check(options.certainty)
    if design.has_uncertain_variance:
        rule = f"has no meaning for {design.slug}, which is sized by the variance of its pilot"
        raise InputError(CERTAINTY.option, options.certainty, rule)
    if options.n_topics is not None or MIN_DELTA.name in values:
        other = "--topics" if options.n_topics is not None else MIN_DELTA.option
        raise InputError(CERTAINTY.option, options.certainty, f"has no meaning next to {other}")
    if options.method != "exact":
        raise InputError("--method", options.method, f"must be exact next to {CERTAINTY.option}")
    other = "--scores" if options.files else SIMILAR_TO.option if options.similar_to else ""
    if other and df is not None:
        raise InputError(EFFECTIVE_DF.option, df, f"must be left out next to {other}")
    if not other and df is None:
        rule = "must be given for a variance without scores: the topics that it was estimated from, less 1"
        raise InputError(EFFECTIVE_DF.option, None, rule)


@dataclass(frozen=True)
class _Scores:
    """Scores of one measure, the estimate, the variances that it gives, and the record of the choices."""

    matrices: Sequence[ScoreMatrix]
    estimate: Estimate
    values: dict[str, float]
    chosen: dict[str, Any]


def _choices(options: argparse.Namespace, design: Design, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the choices; whether topics are shared follows from the given variance."""
    chosen = common.given_choices(options, design, ALL_DESIGNS)
    if TOPICS in design.choices and TOPICS.name not in chosen:
        of_one_system = WITHIN_SYSTEM_VARIANCE.name in values or options.estimate == ONE_WAY.name
        from_data = options.files or options.similar_to
        if not (of_one_system or design.variance.name in values or from_data):
            raise InputError(
                TOPICS.option, None, f"must be given for {design.slug}, or a variance that decides it"
            )
        chosen[TOPICS.name] = "separate" if of_one_system else "shared"
    return chosen


def _check_no_variance(values: Mapping[str, Any], option: str) -> None:
    """Refuse a variance next to an option that gives it."""
    for one in (WITHIN_SYSTEM_VARIANCE, DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE, MIN_DELTA):
        if one.name in values:
            raise InputError(one.option, values[one.name], f"must be left out next to {option}")


def _with_shares(values: dict[str, Any], of_shares: dict[str, float]) -> dict[str, Any]:
    """Return the values with those of shares, which must not be given, too."""
    for one in _PARAMETERS:
        if one.name in of_shares and one.name in values:
            raise InputError(one.option, values[one.name], f"must be left out next to {SHARES.option}")
    return values | of_shares


def _scores(
    options: argparse.Namespace,
    design: Design,
    values: Mapping[str, Any],
    choices: Mapping[str, str],
    similar: SimilarTask | None,
) -> _Scores:
    """Read the scores and take the variance that the design needs."""
    _check_no_variance(values, "--scores")
    matrices, chosen = preparing.chosen(options, files.read_files(options).matrices)
    measures = sorted({matrix.measure for matrix in matrices})
    if len(measures) != 1:
        raise InputError("--scores", ", ".join(measures), "must be of one measure; --measure chooses one")
    files.check_pool(options, matrices, named="--scores")
    variance = design.variance_of(choices)
    usual = usual_estimate(variance, matrices)
    usual = usual if similar is None else similar.estimate
    estimate = {one.name: one for one in ESTIMATES}[options.estimate or usual.name]
    if estimate.kind != usual.kind:
        raise InputError("--estimate", estimate.name, f"has no meaning for {design.slug}")
    if similar is not None and estimate is not similar.estimate:
        rule = f"must be {similar.estimate.name} next to {SIMILAR_TO.option}"
        raise InputError("--estimate", estimate.name, rule)
    variances = {variance.name: pooled(matrices, estimate)}
    if RESIDUAL_VARIANCE in design.optional and all(matrix.n_systems > 1 for matrix in matrices):
        variances[RESIDUAL_VARIANCE.name] = pooled(matrices, TWO_WAY)
    return _Scores(matrices, estimate, variances, chosen)


def _at(
    n_topics: int, design: Design, values: dict[str, Any], choices: dict[str, str], method: Method
) -> Answer[float]:
    """Return what this many topics give: power, the smallest difference, or the expected width."""
    values, of = design.with_defaults(values), design.difference_parameter
    asks_power = design.has_power and of.name in values
    needed = [one for one in design.fixed if not (asks_power and one is BETA)]
    taken = design.variance_of(choices)
    if taken is DIFFERENCE_VARIANCE:
        values = _with_difference_variance(values, is_needed=True)
    allowed = (*design.parameters, *design.optional)
    common.check_given(values, _PARAMETERS, (*needed, taken), allowed, needed_for="--topics")
    n, variance = int(N_TOPICS.check(n_topics)), taken.check(values[taken.name])
    choices = {one.name: one.default for one in design.choices if one.default} | choices
    fixed: dict[str, Any] = {one.name: values[one.name] for one in needed} | choices
    if asks_power:
        name = noun = "power"
        value = float(design.power(n, values[of.name], variance, method=method, **fixed))
    else:
        name, noun = design.detected_name, design.detected_words
        value = float(design.difference(n, variance, method=method, **fixed))
    given = {one: value for one, value in values.items() if value is not None} | choices
    record = {"design": design.name, "method": method, "n_topics": n, "asked": given, name: value}
    text = f"{n} topics  ({design.described(choices, method)})\n{noun} {value:.6f}"
    return Answer(text=text, record=record, answer=value)


def _required(design: Design) -> tuple[Parameter, ...]:
    """Return what must be given: minD not, if minDelta may replace it and the variance."""
    if design.takes_effects:
        return design.fixed
    is_from_other = design.is_paired  # its own variance, or twice that of one system
    return design.parameters if is_from_other else (*design.parameters, WITHIN_SYSTEM_VARIANCE)


def _allowed(design: Design, choices: Mapping[str, str]) -> tuple[Parameter, ...]:
    instead = (MIN_DELTA, MIN_D) if design.takes_effects else ()
    doubled = (WITHIN_SYSTEM_VARIANCE,) if design.variance_of(choices) is DIFFERENCE_VARIANCE else ()
    return (*instead, *doubled, design.variance_of(choices), *design.optional)


def _with_difference_variance(values: dict[str, Any], *, is_needed: bool) -> dict[str, Any]:
    """Double sigma^2 for the paired designs, as Sakai 2016, section 3.4 does."""
    variance, of_difference = (values.get(p.name) for p in (WITHIN_SYSTEM_VARIANCE, DIFFERENCE_VARIANCE))
    if variance is None and of_difference is None and is_needed:
        raise InputError(
            WITHIN_SYSTEM_VARIANCE.option, None, f"must be given, or {DIFFERENCE_VARIANCE.option} instead"
        )
    if variance is None:
        return values
    if of_difference is not None:
        raise InputError(
            DIFFERENCE_VARIANCE.option,
            of_difference,
            f"contradicts {WITHIN_SYSTEM_VARIANCE.option}; give one",
        )
    WITHIN_SYSTEM_VARIANCE.check(variance)
    others = {name: value for name, value in values.items() if name != WITHIN_SYSTEM_VARIANCE.name}
    return others | {DIFFERENCE_VARIANCE.name: conservative_difference_variance(variance)}
