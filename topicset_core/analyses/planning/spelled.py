"""The command and the call in Python that give a number of topics: request and source as numbers."""

import shlex
from typing import Any

from topicset_core.analyses.planning.plan import Planned, further_values, source_of
from topicset_core.analyses.planning.request import GIVEN_TOPICS, PlanRequest
from topicset_core.analyses.planning.source import Shares, Similar
from topicset_core.parameters import CERTAINTY, EFFECTIVE_DF, MIN_DELTA, SHARES
from topicset_core.variance.atlas import SIMILAR_RUNS, SIMILAR_TO


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
    stated = source_of(planned)
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
