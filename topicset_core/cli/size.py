"""``size``: the required number of topics for one design, or what a number of topics gives.

Nothing has a default but the method: a design with a forgotten option must not look like an answer. The command
reads a request and a source; `topicset_core.analyses.planning` decides all else.
"""

import argparse
from collections.abc import Mapping
from typing import Any

import topicset_core.parameters
from topicset_core.analyses.planning import (
    Planned,
    PlanRequest,
    Scores,
    Shares,
    Similar,
    Source,
    Stated,
    planned,
)
from topicset_core.analyses.planning.report import numbers, record, report
from topicset_core.analyses.planning.request import GIVEN_TOPICS
from topicset_core.analyses.planning.source import VARIANCES
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.designs import ALL_DESIGNS, Design, design_named, slug_of
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.exports.findings import texts
from topicset_core.parameters import BETA, EFFECTIVE_DF, MIN_DELTA, SHARES, TOPICS, Parameter
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE as WITHIN
from topicset_core.variance import ESTIMATES, ONE_WAY
from topicset_core.variance.atlas import SIMILAR_RUNS, SIMILAR_TO
from topicset_core.variance.choices import TOTAL
from topicset_core.variance.estimates import why_no_variance
from topicset_core.wording import first_few, names_of

_TAKEN = dict.fromkeys(
    p for design in ALL_DESIGNS for p in (*design.parameters, *design.variances, *design.optional, MIN_DELTA)
)
_SHARED = [one for one in vars(topicset_core.parameters).values() if isinstance(one, Parameter)]
_PARAMETERS = tuple(one for one in dict.fromkeys((*_SHARED, *_TAKEN)) if one in _TAKEN)
"""What some design takes, in the order in which parameters are defined; then those of single designs."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``size``."""
    parser.description = (
        "The smallest number of topics that meets the requirements; with a number of topics, the power or the "
        "difference that it gives. All other values must be given."
    )
    parser.add_argument(
        "design",
        type=slug_of,
        choices=[design.slug for design in ALL_DESIGNS],
        help="test or interval that the topics are for",
    )
    common.add(parser, _PARAMETERS)
    common.add_choices(parser, ALL_DESIGNS)
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
        "mean-of-pairs, twice the two-way variance",
    )
    files.add_pool(group)
    group = parser.add_argument_group(
        "variance of a similar task", "in place of a variance, or next to --scores"
    )
    common.add_parameter(group, SIMILAR_TO, None, unless="none; next to --scores both are combined")
    common.add_parameter(group, SIMILAR_RUNS, None, unless="all")
    group = parser.add_argument_group(
        "request", "what is unknown, topics in groups, and topics where the variance is an estimate"
    )
    for field in PlanRequest.declared():
        common.add_parameter(group, field.parameter, field.default, field.unless)
    common.add(group, (EFFECTIVE_DF,))
    files.add_groups(group, "with --scores, whose groups give the correlation; ")
    common.add_output(parser)


def run(options: argparse.Namespace) -> Answer[Any]:
    """Return the answer as text and as a record; what shares give is refused under their name."""
    design = design_named(options.design)
    try:
        return _answer(options, design)
    except InputError as error:
        if options.shares is None or error.parameter not in design.of_shares(options.shares):
            raise
        rule = f"give a {error.parameter.replace('_', ' ')} of {error.value:g}, which {error.rule}"
        raise InputError(SHARES.option, options.shares, rule) from None


def _answer(options: argparse.Namespace, design: Design) -> Answer[Any]:
    values = common.given(options, _PARAMETERS)
    variances = {one.name: values.pop(one.name) for one in VARIANCES if one.name in values}
    choices = common.given_choices(options, design, ALL_DESIGNS)
    if TOPICS in design.choices and TOPICS.name not in choices:
        choices[TOPICS.name] = _topics_are(options, design, variances)
    _check_source(options, design, values, variances, choices)
    if options.shares is not None:
        of_shares = design.of_shares(options.shares)
        values |= {name: of_shares[name] for name in of_shares if name not in {one.name for one in VARIANCES}}
    request = PlanRequest.of(vars(options), design=design, values=values | choices)
    if request.unknown == "power" and BETA.name in values:
        rule = f"must be left out next to {GIVEN_TOPICS.option} and a difference, which give the power"
        raise InputError(BETA.option, values[BETA.name], rule)
    source, chosen = _source(options, design, variances, choices)
    try:
        answer = planned(request, source)
    except InputError as error:
        raise _of_scores(error, options, source) from None
    exported = report(answer, assured=request.certainty is not None)
    said = [*texts(exported.findings, "terminal"), *files.notes_on_groups(options, answer.matrices)]
    text = "\n".join([*numbers(answer), *said])
    return common.printed(text, exported, _result(answer), **record(answer), **chosen)


def _of_scores(error: InputError, options: argparse.Namespace, source: Source | None) -> InputError:
    """Return a refusal under the name of the scores where they, and not an option, break the rule."""
    if isinstance(source, Scores):
        scores = names_of(options.files)
        if error.parameter == "systems":  # that of the number of systems is n_systems
            return InputError("--scores", scores, f"must have at least 2 runs for {options.design}; found 1")
        if error.value == 0 and error.parameter in {one.name for one in VARIANCES}:
            rule = f"must have a variance above 0, but {why_no_variance(source.matrices)}"
            return InputError("--scores", scores, rule)
    return error


def _result(answer: Planned) -> Any:
    """Return what Python gets: the result of the design, or the number that was asked for."""
    if answer.unknown == "topics":
        return answer.result
    return answer.result.attained if answer.unknown == "power" else answer.plan.difference


def _topics_are(options: argparse.Namespace, design: Design, variances: Mapping[str, float]) -> str:
    """Return whether systems share the topics, where that follows from the variance."""
    of_one_system = WITHIN.name in variances or options.estimate == ONE_WAY.name
    if not (of_one_system or design.variance.name in variances or options.files or options.similar_to):
        rule = f"must be given for {design.slug}, or a variance that decides it"
        raise InputError(TOPICS.option, None, rule)
    return "separate" if of_one_system else "shared"


def _check_source(
    options: argparse.Namespace,
    design: Design,
    values: Mapping[str, Any],
    variances: Mapping[str, float],
    choices: Mapping[str, str],
) -> None:
    """Refuse two sources of the variance, and a variance that the design does not take."""
    named = {
        SHARES.option: options.shares,
        "--scores": options.files or None,
        SIMILAR_TO.option: options.similar_to,
    }
    sources = [option for option, value in named.items() if value is not None]
    effect = values.get(MIN_DELTA.name)
    for option in sources:
        for parameter in (*VARIANCES, MIN_DELTA):
            given = variances.get(parameter.name, effect if parameter is MIN_DELTA else None)
            if given is not None:
                raise InputError(parameter.option, given, f"must be left out next to {option}")
    if options.shares is not None:
        for parameter in _PARAMETERS:
            if parameter.name in design.of_shares(options.shares) and parameter.name in values:
                rule = f"must be left out next to {SHARES.option}"
                raise InputError(parameter.option, values[parameter.name], rule)
    taken = design.variance_of(choices)
    allowed = {taken, *design.optional} | ({WITHIN} if design.is_paired and taken is not WITHIN else set())
    for parameter in VARIANCES:
        if parameter.name in variances and (parameter not in allowed or effect is not None):
            rule = f"has no meaning for {design.slug}" + f" next to {MIN_DELTA.option}" * (effect is not None)
            raise InputError(parameter.option, variances[parameter.name], rule)
    if options.effective_df is not None and sources:
        raise InputError(EFFECTIVE_DF.option, options.effective_df, f"must be left out next to {sources[0]}")
    if options.estimate is not None and not options.files:
        raise InputError("--estimate", options.estimate, "needs --scores")
    if options.similar_runs is not None and options.similar_to is None:
        raise InputError(SIMILAR_RUNS.option, options.similar_runs, f"needs {SIMILAR_TO.option}")
    if options.certainty is not None and not sources and options.effective_df is None:
        rule = "must be given for a variance without scores: the topics that it was estimated from, less 1"
        raise InputError(EFFECTIVE_DF.option, None, rule)
    for option, value in (("--groups", options.groups), ("--join", options.join or None)):
        if value is not None and not options.files:
            raise InputError(option, value, "needs --scores")
    if not options.files:
        preparing.chosen(options, ())


def _source(
    options: argparse.Namespace, design: Design, variances: Mapping[str, float], choices: Mapping[str, str]
) -> tuple[Source | None, dict[str, Any]]:
    """Return the source of the variance, and the record of how scores were prepared."""
    if options.shares is not None:
        return Shares(shares=tuple(options.shares)), {}
    if options.files:
        return _scores(options, design, choices)
    if options.similar_to is not None:
        return Similar(name=options.similar_to, runs=options.similar_runs or "all"), {}
    if not variances:
        return None, {}
    return Stated(values=variances, words="given", effective_df=options.effective_df), {}


def _scores(
    options: argparse.Namespace, design: Design, choices: Mapping[str, str]
) -> tuple[Scores, dict[str, Any]]:
    """Read the scores."""
    matrices, chosen = preparing.chosen(options, files.read_files(options).matrices)
    measures = sorted({matrix.measure for matrix in matrices})
    if len(measures) != 1:
        raise InputError("--scores", first_few(measures, 3), "must be of one measure; --measure chooses one")
    files.check_pool(options, matrices, named="--scores")
    variance, estimates = design.variance_of(choices), {}
    if options.estimate is not None:
        estimate = next(one for one in ESTIMATES if one.name == options.estimate)
        kind = "difference" if variance.name.startswith("difference") else "within-system"
        if estimate.kind != kind:
            raise InputError("--estimate", estimate.name, f"has no meaning for {design.slug}")
        estimates = {variance.name: estimate}
    source = Scores(
        matrices=matrices,
        estimates=estimates,
        similar=options.similar_to or "",
        similar_runs=options.similar_runs or "all",
    )
    return source, chosen
