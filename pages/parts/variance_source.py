"""What the variance of a plan is taken from: scores, a similar task, a paper, a link or the user."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from pages.parts import data, frame, link
from pages.parts.computation import once
from pages.parts.form import Choice, Form, Number
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.shares import RIGHT
from topicset_core.errors import InputError
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    ESTIMATES,
    OFFERED,
    ONE_WAY,
    STATED_VARIANCES,
    TWO_WAY,
    Estimate,
    Weights,
    pooled,
    pooled_interval,
)
from topicset_core.variance.atlas import FAMILIES, SimilarTask, combined, names, similar_task
from topicset_core.variance.choices import chosen_pair
from topicset_core.variance.estimates import conservative_difference_variance
from topicset_core.variance.pooling import LargestVariance, largest_by_measure

PAGE = data.PLANNING

LARGEST = "the largest of these measures"
TYPED = "no scores: a number typed below"
SHARES = "no scores: shares of topics"
LITERATURE = "no scores: a paper"
_ELSEWHERE = (data.SIMILAR, LITERATURE, TYPED)
WITHOUT_SCORES = (*_ELSEWHERE, SHARES)

SCORES, SOURCES, LAST = f"{PAGE}/scores", f"{PAGE}/sources", f"{PAGE}/last"
"""Names in the session: what was chosen, sources of linked or typed variances, values of the last answer."""
OF_SHARES = "frame/of-shares"
"""Name in the session: whether the page is for scores of 0 and 1, which has a choice of its own."""
UNNAMED, TYPED_IN, FROM_LINK = "the measure", "typed in", "from a link"

WEIGHTS: dict[Weights, str] = {"topics": "topics (the paper's)", "degrees-of-freedom": "degrees of freedom"}

_NOT_GIVEN = "a start value"
_HELP = (
    "The variance of scores decides most. For a new task without scores, Sakai (2016, 6.1) "
    "advises the largest variance among the measures of a similar task."
)
_OF_SHARES_HELP = (
    "Uploaded scores are offered where all of them are 0 or 1. The shares of topics on which only one "
    "system is right decide most."
)
_PAIR, _PAIR_LABEL = "chosen-pair", "two runs to be named"
_STATED = {f"σ² = {one.variance:g}: {one.measure}, {one.task}": one for one in STATED_VARIANCES}
_ALONE = "my scores alone"
_FAMILY = Choice(
    "similar-task",
    "Similar task",
    FAMILIES,
    help="The median variance of public collections. How far a new one may differ was measured on collections that "
    "were left out in turn; it enters the interval of n and the assurance.",
)


@dataclass(frozen=True)
class Chosen:
    """A variance and its source."""

    value: float | None
    measure: str
    source: str
    estimate: Estimate | None = None  # how it was taken from scores
    weights: Weights = "topics"  # how collections were pooled
    # The two-way variance of the same scores, where `value` is their one-way variance
    residual: float | None = None
    # Each available estimate from the same scores, by its name
    by_estimate: Mapping[str, float] = field(default_factory=dict)
    similar: SimilarTask | None = None  # whose variance is used, alone or together with that of scores
    effective_df: float | None = None  # then: degrees of freedom of the variance


def source_key() -> str:
    """Return the name in the session of what was chosen on pages like this one."""
    return f"{SCORES}-of-0-and-1" if st.session_state.get(OF_SHARES) else SCORES


def _options() -> list[str]:
    groups = data.by_measure()
    if st.session_state.get(OF_SHARES):
        binary = [name for name, group in groups.items() if all(one.is_binary for one in group)]
        return [*binary, SHARES, TYPED]
    return [*groups, *([LARGEST] if len(groups) > 1 else []), *_ELSEWHERE]


def chosen_scores() -> str:
    """Return the source of the variance."""
    chosen, options = st.session_state.get(source_key()), _options()
    if chosen in options:
        return str(chosen)
    return data.SIMILAR if data.is_sample() and data.SIMILAR in options else options[0]


def pooling() -> Weights:
    """Return how matrices are pooled."""
    chosen = st.session_state.get(f"{PAGE}/weights")
    return next((one for one in WEIGHTS if one == chosen), "topics")


def sources() -> dict[str, str]:
    """Return where each variance is from that was linked or typed, by its name."""
    result: dict[str, str] = st.session_state.get(SOURCES, {})
    return result


def measure_typed() -> str:
    """Return the measure of a variance that was linked or typed."""
    result: str = st.session_state.get(f"{SOURCES}/measure", UNNAMED)
    return result or UNNAMED


def choose(form: Form, *variances: Parameter) -> list[Chosen]:
    """Draw what variances are taken from, and return them."""
    choice = form.draw(
        Choice(
            "scores",
            "Plan with the scores of",
            _options,
            usual=chosen_scores(),
            help=_OF_SHARES_HELP if st.session_state.get(OF_SHARES) else _HELP,
            key=source_key().rpartition("/")[2],
        )
    )
    if choice == SHARES:
        return [Chosen(None, RIGHT, "from shares of topics, typed in") for _ in variances]
    if choice == TYPED:
        return [Chosen(None, measure_typed(), _start_typed(form, one)) for one in variances]
    if choice == data.SIMILAR:
        return _from_similar(form, variances)
    if choice == LITERATURE:
        return _from_literature(form, variances)
    groups = data.by_measure()
    groups = groups if choice == LARGEST else {choice: groups[choice]}
    return [_from_scores(form, one, groups, is_short=len(variances) > 1) for one in variances]


def by_measure(chosen: Chosen) -> dict[str, tuple[float, str]]:
    """Return the variance of each measure in use by the same estimate, where it can be taken, and its source."""
    if chosen.estimate is None:
        return {} if chosen.value is None else {chosen.measure: (chosen.value, chosen.source)}
    result = {}
    for measure, group in data.by_measure().items():
        with suppress(InputError):  # a single run has no pairs
            value = pooled(group, chosen.estimate, chosen.weights)
            result[measure] = value, _source(measure, group, chosen.estimate, chosen.weights)
    return result


def _start_typed(form: Form, variance: Parameter) -> str:
    """Derive a variance that is not given from the other one; return its source, in words."""
    given = sources()
    if variance.name in given:
        return given[variance.name]
    value, source = variance.default, _NOT_GIVEN
    with suppress(InputError):  # it may be from saved work
        value = link.number(variance, st.session_state.get(LAST, {}).get(variance.name, ""))
    if variance is DIFFERENCE_VARIANCE and WITHIN_SYSTEM_VARIANCE.name in given:
        value = conservative_difference_variance(float(form.last(Number(WITHIN_SYSTEM_VARIANCE)) or 0))
        source = f"{given[WITHIN_SYSTEM_VARIANCE.name]}; {CONSERVATIVE_DIFFERENCE.label}"
    if st.session_state.get(f"{PAGE}/{variance.name}") in (None, form.last(Number(variance))):
        form.keep({variance.name: value}, shown=True)
    return source


def _similar_measure(family: str) -> Choice[str]:
    """Return the choice of a measure that the atlas has for a family."""
    measures = [name.partition(":")[2] for name in names() if name.startswith(f"{family}:")]
    return Choice(f"measure-of-{family}", "Measure", measures, usual="nDCG@10")


def unit_now() -> str:
    """Return the measure that the form's numbers are in: of the scores, of a similar task, or as typed."""
    scores, state = chosen_scores(), st.session_state
    if scores != data.SIMILAR:
        return {TYPED: measure_typed(), SHARES: RIGHT}.get(scores, scores)
    family = state.get(f"{PAGE}/{_FAMILY.name}")
    choice = _similar_measure(family if family in FAMILIES else next(iter(FAMILIES)))
    measure, offered = state.get(f"{PAGE}/{choice.name}", choice.usual), choice.offered()
    return measure if measure in offered else offered[0]


def _from_similar(form: Form, variances: Sequence[Parameter]) -> list[Chosen]:
    """Offer the tasks of the atlas, and their measures."""
    family = form.draw(_FAMILY)
    measure = form.draw(_similar_measure(family))
    similar = {one: similar_task(f"{family}:{measure}", one) for one in OFFERED}
    own = {one.estimate.name: one.median for one in similar.values()}
    first = similar[variances[0]]
    st.markdown(
        f":small[{variances[0].symbol} = {first.median:.4g}, {first.worth}.]",
        help=f"{frame.plain(first.sentence)}.",
    )
    residual = similar[RESIDUAL_VARIANCE].median
    return [
        Chosen(
            similar[one].median,
            measure,
            similar[one].source,
            residual=residual if one is WITHIN_SYSTEM_VARIANCE else None,
            by_estimate=own,
            similar=similar[one],
            effective_df=similar[one].effective_df,
        )
        for one in variances
    ]


def _with_similar(form: Form, variance: Parameter, chosen: Chosen, matrices: Sequence[ScoreMatrix]) -> Chosen:
    """Offer to use similar tasks next to one's scores; return what is to be planned with."""
    offered = [name for name in names() if name.partition(":")[2] == chosen.measure]
    labels = {name: FAMILIES[name.partition(":")[0]] for name in offered}
    tasks = [similar_task(name, variance) for name in offered]
    if chosen.value is None or not tasks or tasks[0].estimate is not chosen.estimate:
        return chosen
    name = form.draw(Choice("combined-with", "Combined with", {_ALONE: _ALONE} | labels))
    if name == _ALONE:
        return chosen
    similar = tasks[offered.index(name)]
    key = "interval", chosen.estimate.label, chosen.weights, tuple(one.digest for one in matrices)
    interval = once(key, partial(pooled_interval, matrices, chosen.estimate, chosen.weights))
    value, df = combined(similar.median, similar.effective_df, chosen.value, interval.effective_df)
    st.markdown(f":small[{variance.symbol} = {value:.4g} together.]")
    source = f"{chosen.source}, together with the {similar.source}"
    return replace(chosen, value=value, source=source, similar=similar, effective_df=df)


def _from_literature(form: Form, variances: Sequence[Parameter]) -> list[Chosen]:
    """Offer the variances that papers state."""
    stated = _STATED[form.draw(Choice("literature", "Stated variance", list(_STATED)))]
    st.markdown(f":small[{frame.plain(stated.source)} {frame.plain(stated.place)}.]")
    value, source = stated.variance, f"stated in Sakai 2016, {stated.place}: {stated.task}"
    twice = conservative_difference_variance(value), f"{source}; {CONSERVATIVE_DIFFERENCE.label}"
    results = [twice if one is DIFFERENCE_VARIANCE else (value, source) for one in variances]
    return [Chosen(value, stated.measure, source) for value, source in results]


def _from_scores(
    form: Form, variance: Parameter, groups: Mapping[str, list[ScoreMatrix]], *, is_short: bool
) -> Chosen:
    """Draw the estimates from these scores; return the chosen one, and the values of the others."""
    weights = pooling()
    matrices = [matrix for group in groups.values() for matrix in group]
    digests = tuple((matrix.digest, matrix.measure) for matrix in matrices)
    result: dict[str, tuple[Estimate, LargestVariance]] = {}
    for one in OFFERED[variance]:
        with suppress(InputError):  # a single run has no pairs
            key = "largest", one.name, weights, digests
            found = once(key, partial(largest_by_measure, matrices, one, weights))
            result[one.name] = one, found
    runs: list[str] = []
    if variance is DIFFERENCE_VARIANCE and len(groups) == 1:
        runs = [run for run in matrices[0].systems if all(run in matrix.systems for matrix in matrices)]
    labels = {name: one.label for name, (one, _) in result.items()} | (
        {_PAIR: _PAIR_LABEL} if len(runs) > 1 else {}
    )
    if not labels:
        frame.refuse(
            "These scores are of one run; this variance needs at least two runs. Type a variance instead."
        )
        st.stop()
    name = next(iter(labels))
    if len(labels) > 1:
        says = Choice(
            f"estimate-{variance.name}", f"{variance.symbol} from these scores", labels, look="radio"
        )
        name = form.draw(says)
    if name == _PAIR:
        first = form.draw(Choice("first-run", "First run", runs))
        second = form.draw(Choice("second-run", "Second run", [run for run in runs if run != first]))
        estimate = chosen_pair(first, second)
        largest = largest_by_measure(matrices, estimate, weights)
    else:
        estimate, largest = result[name]
    source = _source(largest.measure, groups[largest.measure], estimate, weights)
    if len(groups) > 1:
        source = f"{source}; the largest among {', '.join(groups)}"
    notes = [estimate.advice] if estimate.advice else []
    if len(groups) > 1:
        notes.append("Compare variances only between measures on one scale, for example from 0 to 1.")
    value, advice = f"{variance.symbol} = {largest.variance:.4g}.", frame.plain(" ".join(notes))
    if is_short:
        st.markdown(f":small[{value}]", help=advice or None)
    else:
        st.markdown(f":small[{value} {advice}]")
    own = {}  # for the other designs, too
    for one in ESTIMATES:
        with suppress(InputError):
            of_one = "pooled", one.name, weights, largest.measure, digests
            own[one.name] = once(of_one, partial(pooled, groups[largest.measure], one, weights))
    residual = own.get(TWO_WAY.name) or None
    chosen = Chosen(
        largest.variance,
        largest.measure,
        source,
        estimate,
        weights,
        residual if estimate is ONE_WAY else None,
        own,
    )
    return chosen if is_short or len(groups) > 1 else _with_similar(form, variance, chosen, matrices)


def _source(measure: str, group: list[ScoreMatrix], estimate: Estimate, weights: Weights) -> str:
    """Return the source of a variance, and its estimate where there are several."""
    source = data.source_of(measure, group)
    if estimate.kind == "difference":
        source = f"{source}; {estimate.label}"
    return source if weights == "topics" else f"{source}; pooled by degrees of freedom"
