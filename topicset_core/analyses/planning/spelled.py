"""What gives a number of topics again: request and source as numbers, the command, and the call in Python."""

import shlex
from dataclasses import replace
from typing import Any

from topicset_core.analyses.planning.plan import Planned
from topicset_core.analyses.planning.request import GIVEN_TOPICS, PlanRequest
from topicset_core.analyses.planning.source import OfSimilar, Shares, Similar, Stated
from topicset_core.designs.grouped import GROUP_SIZE, GROUP_SIZE_CV, INTRACLASS_CORRELATION
from topicset_core.parameters import CERTAINTY, EFFECTIVE_DF, MIN_DELTA, RESIDUAL_VARIANCE, SHARES
from topicset_core.variance.atlas import SIMILAR_RUNS, SIMILAR_TO


def further_values(planned: Planned) -> dict[str, Any]:
    """Return what the request has beyond its design, with what follows from scores, by the names of parameters."""
    request, grouped = planned.request, planned.grouped
    values = {field.parameter.name: getattr(request, field.name) for field in PlanRequest.further()}
    if grouped is not None:
        values[INTRACLASS_CORRELATION.name] = grouped.intraclass_correlation
        values[GROUP_SIZE_CV.name] = grouped.size_cv or None
        if request.costs is None:
            values[GROUP_SIZE.name] = grouped.group_size
    return {name: value for name, value in values.items() if value is not None}


def source_of(planned: Planned) -> Stated | None:
    """Return the source as numbers, as a link carries it; None without a variance."""
    source = unchecked_source_of(planned)
    return source and replace(source, check=planned.check)


def unchecked_source_of(planned: Planned) -> Stated | None:
    """Return the source as numbers but for the check on the scores, which takes simulations."""
    variance = planned.variance
    if variance is None:
        return None
    found = planned.uncertain
    values = {variance.parameter.name: planned.of_topics.variance}
    # Of topics in groups the variance of a topic has what that over all topics lacks.
    factor = planned.of_topics.variance / variance.value if variance.value else 1.0
    if variance.residual:
        values[RESIDUAL_VARIANCE.name] = variance.residual
    return Stated(
        values=values,
        measure=variance.measure,
        words=variance.words,
        effective_df=None if found is None else found.interval.effective_df,
        estimate=variance.estimate,
        others={name: factor * value for name, value in variance.others.items()},
        binary=planned.source is not None and planned.source.is_binary,
        similar=of_similar(planned),
        of_one=found is not None and found.interval.is_of_one,
    )


def of_similar(planned: Planned) -> OfSimilar:
    """Return whether the variance is that of a similar task, alone or together with scores."""
    if isinstance(planned.source, Stated):
        return planned.source.similar
    if planned.variance is None or planned.variance.similar is None:
        return ""
    return "with-scores" if planned.variance.matrices else "alone"


def options_of(planned: Planned) -> dict[str, Any]:
    """Return the options of ``topicset size`` that give a number, by their names with dashes."""
    request, design, source = planned.request, planned.design, planned.source
    declared = {parameter.name: parameter for parameter in design.declared}
    by_shares = design.of_shares(source.shares) if isinstance(source, Shares) else {}
    values = {name: value for name, value in request.with_defaults.items() if name not in by_shares}
    if MIN_DELTA.name in values and planned.variance is not None:  # the command takes it without a variance
        del values[MIN_DELTA.name]
        difference = design.difference_parameter.name
        values[difference] = planned.of_topics.values[difference]
    options: dict[str, Any] = {declared[name].option: value for name, value in values.items()}
    stated = unchecked_source_of(planned)
    if isinstance(source, Shares):
        options[SHARES.option] = source.shares
    elif isinstance(source, Similar):
        options[SIMILAR_TO.option] = source.name
        if source.runs != SIMILAR_RUNS.default:
            options[SIMILAR_RUNS.option] = source.runs
    elif stated is not None:
        options |= {declared[name].option: value for name, value in stated.values.items() if name in declared}
        if stated.effective_df is not None:
            options[EFFECTIVE_DF.option] = stated.effective_df
    if planned.unknown != "topics":
        options[GIVEN_TOPICS.option] = planned.topics
    if request.certainty is not None and planned.uncertain is not None:
        options[CERTAINTY.option] = request.certainty
    known = {field.parameter.name: field.parameter for field in PlanRequest.further()}
    options |= {known[name].option: value for name, value in further_values(planned).items()}
    if request.method != "exact":
        options["--method"] = request.method
    return options


def command_of(planned: Planned) -> str:
    """Return the line for a terminal."""
    words = ["topicset", "size", planned.design.slug]
    for option, value in options_of(planned).items():
        values = value if isinstance(value, tuple) else (value,)
        words += [option, *map(_number, values)]
    return shlex.join(words)


def call_of(planned: Planned) -> str:
    """Return the call in Python."""
    given = [repr(planned.design.slug)]
    for option, value in options_of(planned).items():
        name = option.removeprefix("--").replace("-", "_")
        values = [_literal(one) for one in (value if isinstance(value, tuple) else (value,))]
        given.append(f"{name}=[{', '.join(values)}]" if isinstance(value, tuple) else f"{name}={values[0]}")
    return f"import topicset_core as topicset\n\ntopicset.size({', '.join(given)})"


def _number(value: Any) -> str:
    """Return a number with all its digits."""
    return repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(value)


def _literal(value: Any) -> str:
    return repr(value) if isinstance(value, str) else _number(value)
