"""What all design pages plan with: one form, changed on any page and carried to the others.

Measure, estimate, variance, error probabilities, m and the difference are asked once. A difference is in units of a
measure, so each measure has its own. A page answers the last valid question: a wrong value is named with its rule,
stays in its field, and the last answer stays on screen.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import data, frame, link
from pages.parts.computation import once
from pages.parts.form import Choice, Form, Number, Together
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import DESIGNS, SEQUENTIAL, Design, Plan
from topicset_core.designs.power_search import in_units
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    CERTAINTY,
    DIFFERENCE_VARIANCE,
    EFFECTIVE_DF,
    MIN_D,
    MIN_DELTA,
    TOPICS,
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
)
from topicset_core.variance.choices import chosen_pair
from topicset_core.variance.estimates import conservative_difference_variance
from topicset_core.variance.pooling import LargestVariance, largest_by_measure
from topicset_core.wording import in_full

PAGE = data.PLANNING

SCENARIO = "scenario"
"""Name in links of a pinned scenario: a query of its own, with design, measure and values."""

LARGEST = "the largest of these measures"
TYPED = "no scores: a number typed below"
LITERATURE = "no scores: a paper"

Words = Mapping[str, Sequence[str]]
_UNNAMED, _TYPED_IN, _FROM_LINK, _NOT_GIVEN = "the measure", "typed in", "from a link", "a start value"
_PAIR, _PAIR_LABEL = "chosen-pair", "two runs to be named"
_UNITS, _DEVIATIONS = "units of the measure", "standard deviations"
_WEIGHTS: dict[Weights, str] = {"topics": "topics (the paper's)", "degrees-of-freedom": "degrees of freedom"}
_STATED = {f"σ² = {one.variance:g}: {one.measure}, {one.task}": one for one in STATED_VARIANCES}
_SCORES, _SOURCES, _LAST = f"{PAGE}/scores", f"{PAGE}/sources", f"{PAGE}/last"
_SHOWN_ON = "frame/planned-on"
_CERTAINTY = Number(CERTAINTY, is_short=True)
_EFFECTIVE_DF = Number(EFFECTIVE_DF, empty="not known", is_short=True)
_PARAMETERS = {
    one.name: Number(one)
    for design in (*DESIGNS, *SEQUENTIAL)
    for one in (*design.parameters, *design.variances, MIN_DELTA)
} | {one.name: Number(one, empty="not known") for design in DESIGNS for one in design.optional}
_PARAMETERS |= {one.name: one for one in (_CERTAINTY, _EFFECTIVE_DF)}
"""The fields of all designs by their names."""
SHARED = Choice(
    TOPICS.name, TOPICS.label, {word: word for word in TOPICS.options}, look="segments", help=TOPICS.help
)
"""The choice whether all systems share the topics."""
_WORDS = {one.name for design in (*DESIGNS, *SEQUENTIAL) for one in design.choices}


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


@dataclass(frozen=True)
class Question:
    """A complete, valid question."""

    plan: Plan
    variance: Chosen
    further: Mapping[str, str] = field(default_factory=dict)
    # With which the power is to be reached if the variance is an estimate
    certainty: float = CERTAINTY.default
    effective_df: float | None = None  # degrees of freedom of a variance that is not from scores

    @property
    def measure(self) -> str:
        """Unit of the difference."""
        return self.variance.measure

    def url(self, **more: str) -> str:
        """Return the full link, with what else it carries."""
        source = {link.MEASURE: self.measure, link.SOURCE: self.variance.source}
        return link.write(self.plan.values | dict(self.further) | source | more)


def begin(*designs: Design, words: Words | None = None) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Read the link, and write the source of the variance; return places for form and answer."""
    start(designs, words=words)
    show_data_in_use(designs)
    return frame.form_and_answer()


def show_data_in_use(designs: Sequence[Design], *, invites: bool = True) -> None:
    """Write the source of the variance: scores, a paper, a link or the user."""
    choice = _scores()
    if choice not in (TYPED, LITERATURE):
        data.show_data_in_use(linked=invites)
        return
    text = "The variance is from a paper: no scores are used."
    if choice == TYPED:
        for design in designs:
            for variance in design.variances:
                _note_typed(variance)
        text = "The variance is typed in: no scores are used."
        linked = {source for source in sources().values() if source != _TYPED_IN}
        for source in linked:
            origin = "" if source == _FROM_LINK else f", {frame.plain(source)}"
            text = f"The variance is from a link: {frame.plain(measure_typed())}{origin}."
    with frame.head("data").container(key="data-in-use"):
        st.markdown(text)


def start(designs: Sequence[Design], texts: Sequence[str] = (), words: Words | None = None) -> None:
    """Take the values in the link; where the work of this browser was restored, only a link to something else."""
    state, query, more = st.session_state, st.query_params, words or {}
    known = query.keys() & {*_PARAMETERS, *_WORDS, *more, link.MEASURE}
    if _SHOWN_ON not in state and any(state.get(_LAST, {}).get(name) != query[name] for name in known):
        for name in [str(one) for one in state if _is_field(str(one))]:
            del state[name]
    if state.get(_SHOWN_ON) != state[frame.PAGE]:
        # Streamlit takes the same fields on another page for new ones: let them show the present values.
        for name in [str(one) for one in state if _is_field(str(one))]:
            state[name] = state[name]
    state[_SHOWN_ON] = state[frame.PAGE]
    variances = list(dict.fromkeys(one for design in designs for one in design.variances))
    settings = list(
        dict.fromkeys(one for design in designs for one in (*design.parameters, *design.variances))
    )
    offered: dict[str, list[str]] = {name: list(options) for name, options in more.items()}
    for one in [one for design in designs for one in design.choices]:
        offered[one.name] = list(dict.fromkeys((*offered.get(one.name, ()), *one.options)))
    optional = [one for design in designs for one in design.optional]
    effects = [_effect_of(one) for one in designs if one.takes_effects][:1]
    form = Form(
        PAGE,
        [
            *(*map(Number, settings), *effects, _CERTAINTY, _EFFECTIVE_DF),
            *(Number(one, empty="not known") for one in optional),
            *(Choice(name, name, options) for name, options in offered.items()),
        ],
        together=Together(
            [one.name for one in settings], partial(_check_link, _linked_designs(designs, more))
        ),
        texts=(link.MEASURE, link.SOURCE, SCENARIO, *texts),
    )
    linked = form.start()
    if linked is None:
        return
    given = [one.name for one in variances if one.name in linked.values]
    if given:
        state[_SCORES] = TYPED
        state[_SOURCES] = dict.fromkeys(given, linked.source or _FROM_LINK)
        state[f"{_SOURCES}/measure"] = linked.measure or _UNNAMED
    elif linked.measure in data.by_measure():
        state[_SCORES] = linked.measure
    unit = measure_typed() if given else _scores()
    form.keep(
        {
            f"{unit}/{one.name}": form.kept(one.name)
            for one in settings
            if one.of_measure and one.name in linked.values
        }
    )
    if effects and MIN_DELTA.name in linked.values and MIN_D.name not in linked.values:
        effect = next(one for one in designs if one.takes_effects)
        state[f"{PAGE}/{_difference_in(effect).key}"] = _DEVIATIONS


def _is_field(name: str) -> bool:
    """Return whether this is the name of a field in the session, and not of a button."""
    return name.startswith(f"{PAGE}/") and not name.startswith((f"{PAGE}/preset-", f"{PAGE}/reset"))


def _prefix(design: Design) -> str:
    """Return the prefix of what is asked about minDelta: designs share it where minDelta is the same quantity."""
    return "" if design.is_paired else f"{design.variance.name}/{design.effect_unit}/"


def _effect_of(design: Design) -> Number:
    """Return the field of minDelta."""
    return Number(MIN_DELTA, within=_prefix(design), is_short=True)


def _difference_in(design: Design) -> Choice[str]:
    """Return the choice between the units of the measure and minDelta."""
    options, name = {_UNITS: "the measure", _DEVIATIONS: design.effect_unit}, "difference-in"
    key = f"{_prefix(design)}{name}"
    return Choice(name, "State the difference in", options, key=key, look="segments")


def _check_link(designs: Sequence[Design], values: Mapping[str, Any]) -> None:
    for design in designs:
        design.check(values)
        words = design.allowed(st.query_params)
        numbers = {one.name: values[one.name] for one in (*design.parameters, design.variance_of(words))}
        try:
            design.plan(**numbers, **words)
        except InputError as error:  # what is not in the link is not its fault
            if MIN_DELTA.name not in st.query_params and error.parameter in st.query_params:
                raise


def _linked_designs(designs: Sequence[Design], words: Words) -> Sequence[Design]:
    """Return the design that the link names by a choice of the page, which has a word for each; all without one."""
    linked = [(options, st.query_params.get(name, options[0])) for name, options in words.items()]
    return [designs[options.index(word)] for options, word in linked if word in options] or designs


def _chosen(form: Form, design: Design, first: DeltaGenerator | None) -> dict[str, Any]:
    """Draw the choices of a design; a choice that does not apply is not drawn."""
    result: dict[str, str] = {}
    if TOPICS in design.choices:
        with first or nullcontext():
            result[TOPICS.name] = form.draw(SHARED)
    for one in design.choices:
        if one is not TOPICS and (options := design.offered(one, result)):
            result[one.name] = form.draw(Choice(one.name, one.label, options, help=one.help))
    return design.allowed(result)


def _options() -> list[str]:
    groups = data.by_measure()
    return [*groups, *([LARGEST] if len(groups) > 1 else []), LITERATURE, TYPED]


def _scores() -> str:
    """Return the source of the variance."""
    chosen, options = st.session_state.get(_SCORES), _options()
    return chosen if chosen in options else options[0]


def _weights() -> Weights:
    """Return how matrices are pooled."""
    chosen = st.session_state.get(f"{PAGE}/weights")
    return next((one for one in _WEIGHTS if one == chosen), "topics")


def is_typed() -> bool:
    """Return whether the variance is typed, now or in a link, and not from scores or a paper."""
    return _scores() == TYPED


def sources() -> dict[str, str]:
    """Return where each variance is from that was linked or typed, by its name."""
    result: dict[str, str] = st.session_state.get(_SOURCES, {})
    return result


def measure_typed() -> str:
    """Return the measure of a variance that was linked or typed."""
    result: str = st.session_state.get(f"{_SOURCES}/measure", _UNNAMED)
    return result or _UNNAMED


def _note_typed(variance: Parameter) -> None:
    """Take note of a variance that the user typed, in place of a linked one or a start value."""
    typed, form = st.session_state.get(f"{PAGE}/{variance.name}"), Form(PAGE, ())
    with suppress(InputError):
        if typed is not None and variance.check(typed) != form.last(Number(variance)):
            st.session_state[_SOURCES] = sources() | {variance.name: _TYPED_IN}


def ask(
    design: Design,
    *only: Parameter,
    further: Mapping[str, str] | None = None,
    first: DeltaGenerator | None = None,
) -> Question:
    """Draw the form, the choice of shared topics at the place of what comes `first`; return the question."""
    form = Form(PAGE, ())
    words = _chosen(form, design, first)
    variance = design.variance_of(words)
    (chosen,) = choose(form, variance)
    everything = {one.name: number(one, chosen.measure) for one in design.parameters}
    drawn = [everything[one.name] for one in only or design.parameters]
    typed = [Number(variance, is_short=True)] if chosen.value is None else []
    typed += [Number(one, empty="not known", is_short=True) for one in design.optional] if typed else []
    taken = (
        {}
        if typed
        else {variance.name: chosen.value} | {one.name: chosen.residual for one in design.optional}
    )
    for one in typed:
        form.draw(one)
    assured = [_CERTAINTY, *([_EFFECTIVE_DF] if chosen.estimate is None else [])] if not only else []
    effect = _effect_of(design)
    if design.takes_effects and not only and form.draw(_difference_in(design)) == _DEVIATIONS:
        drawn = [effect if one.parameter.name == MIN_D.name else one for one in drawn]

    def all_of(values: Mapping[str, Any]) -> dict[str, Any]:
        """Return all values, with the difference in units of the measure."""
        result: dict[str, Any] = (
            {name: form.last(one) for name, one in everything.items()} | taken | dict(values)
        )
        for one in assured:
            result.pop(one.name, None)
        if MIN_DELTA.name in result:
            effect_size = MIN_DELTA.check(result.pop(MIN_DELTA.name))
            result[MIN_D.name] = float(design.min_d_of(effect_size, result[variance.name]))
        return result

    def plan_of(values: Mapping[str, Any]) -> Plan:
        return design.plan(**all_of(values), **words)

    form = replace(form, fields=[*drawn, *typed, *assured], together=Together((), plan_of, end=""))
    draw(form, drawn)
    given = form.values()
    if not only:
        fields = everything | {effect.name: effect}
        _draw_tools(form, design, fields, all_of(given)[variance.name], assured)
    try:
        plan = plan_of(given)
    except InputError as error:  # the scores themselves: a variance of 0, or one far too small for minD
        flat = error.parameter == variance.name and error.value == 0
        of_one = variance is WITHIN_SYSTEM_VARIANCE
        what = "every run has the same score" if of_one else "all runs differ by the same"
        why = f"{what} on all topics, so the variance is 0" if flat else ""
        is_variance = error.parameter == variance.name
        begins = "These scores cannot be planned with" if is_variance else "These values do not go together"
        frame.refuse(frame.plain(f"{begins}: {why or _named(error, design)}."))
        st.stop()
    if effect in drawn:  # other pages ask for it in units of the measure
        form.keep({everything[MIN_D.name].key: plan.difference}, shown=True)
    more = {one.name: given[one.name] for one in assured if given[one.name] != one.start({})}
    remember(plan.values | dict(further or {}) | more | {link.MEASURE: chosen.measure})
    carried = dict(further or {}) | {name: str(value) for name, value in more.items()}
    certainty, df = given.get(CERTAINTY.name, CERTAINTY.default), given.get(EFFECTIVE_DF.name)
    return Question(plan, chosen, carried, certainty, df)


def topics_now(design: Design) -> int | None:
    """Return the topics of a design by the scores and the values that its form has now; None without scores."""
    measure, kept = _scores(), st.session_state.get(f"{PAGE}/valid", {})
    fields = {one.name: number(one, measure) for one in design.parameters}
    values = {name: kept.get(one.key, one.start({})) for name, one in fields.items()}
    with suppress(KeyError, InputError, NoSolution):
        variance = pooled(data.by_measure()[measure], OFFERED[design.variance][0], _weights())
        plan = design.plan(**values | {design.variance.name: variance})
        return int(plan.required_topics().required_topics)
    return None


def remember(values: Mapping[str, Any]) -> None:
    """Keep the values of the answer as in links: a link to the same values does not begin a new plan."""
    settings = {name: link.written(value) for name, value in values.items() if value is not None}
    st.session_state[_LAST] = st.session_state.get(_LAST, {}) | settings


def set_difference(settings: Question, value: float) -> None:
    """Ask for another difference, in units of the measure."""
    design = settings.plan.design
    field = number(design.difference_parameter, settings.measure)
    digits = 2 - math.floor(math.log10(value))
    Form(PAGE, ()).keep({field.key: round(value, digits)}, shown=True)
    if design.takes_effects:
        st.session_state[f"{PAGE}/{_difference_in(design).key}"] = _UNITS


def number(parameter: Parameter, measure: str = "", *, is_one_of_several: bool = False) -> Number:
    """Return the field of a number; where it is in units of a measure, each measure has its own."""
    if not parameter.of_measure:
        return Number(parameter, is_short=True)
    unit = "" if measure == _UNNAMED else measure
    if is_one_of_several:
        parameter = replace(parameter, label=parameter.symbol)
    return Number(parameter, within=f"{measure}/", unit=unit, is_short=True)


def draw(form: Form, numbers: Sequence[Number]) -> None:
    """Draw numbers below each other; side by side the error probabilities, and those with a short label."""
    waiting = list(numbers)
    while waiting:
        pair = [
            one
            for one in waiting[:2]
            if one.parameter in (ALPHA, BETA) or one.parameter.label == one.parameter.symbol
        ]
        places: Sequence[AbstractContextManager[object]] = (
            st.columns(2, gap="small") if len(pair) == 2 else [nullcontext()]
        )
        for place, one in zip(places, waiting, strict=False):
            with place:
                form.draw(one)
        waiting = waiting[2 if len(pair) == 2 else 1 :]


def choose(form: Form, *variances: Parameter) -> list[Chosen]:
    """Draw what variances are taken from, and return them."""
    choice = form.draw(
        Choice(
            "scores",
            "Plan with the scores of",
            _options,
            help="The variance of scores decides most. For a new task without scores, Sakai (2016, 6.1) "
            "advises the largest variance among the measures of a similar task.",
        )
    )
    if choice == TYPED:
        return [Chosen(None, measure_typed(), _start_typed(form, one)) for one in variances]
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
        value = link.number(variance, st.session_state.get(_LAST, {}).get(variance.name, ""))
    if variance is DIFFERENCE_VARIANCE and WITHIN_SYSTEM_VARIANCE.name in given:
        value = conservative_difference_variance(float(form.last(Number(WITHIN_SYSTEM_VARIANCE)) or 0))
        source = f"{given[WITHIN_SYSTEM_VARIANCE.name]}; {CONSERVATIVE_DIFFERENCE.label}"
    if st.session_state.get(f"{PAGE}/{variance.name}") in (None, form.last(Number(variance))):
        form.keep({variance.name: value}, shown=True)
    return source


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
    weights = _weights()
    matrices = [matrix for group in groups.values() for matrix in group]
    digests = tuple((matrix.digest, matrix.measure) for matrix in matrices)
    result: dict[str, tuple[Estimate, LargestVariance]] = {}
    for one in OFFERED[variance]:
        with suppress(InputError):  # a single run has no pairs
            key = "largest", one.name, weights, digests
            found = once(key, partial(largest_by_measure, matrices, one, weights))
            result[one.name] = one, found
    runs = _common_runs(matrices) if variance is DIFFERENCE_VARIANCE and len(groups) == 1 else []
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
    return Chosen(
        largest.variance,
        largest.measure,
        source,
        estimate,
        weights,
        residual if estimate is ONE_WAY else None,
        own,
    )


def _source(measure: str, group: list[ScoreMatrix], estimate: Estimate, weights: Weights) -> str:
    """Return the source of a variance, and its estimate where there are several."""
    source = data.source_of(measure, group)
    if estimate.kind == "difference":
        source = f"{source}; {estimate.label}"
    return source if weights == "topics" else f"{source}; pooled by degrees of freedom"


def _common_runs(matrices: Sequence[ScoreMatrix]) -> list[str]:
    """Return the runs that every one of these matrices holds."""
    return [run for run in matrices[0].systems if all(run in matrix.systems for matrix in matrices)]


@dataclass(frozen=True)
class _Preset:
    """A convention that fills some fields at the press of a button."""

    # Label of the button, and source of the convention
    label: str
    help: str
    values: Callable[[float], dict[str, float]]  # from the variance in use to the values of fields


def _presets_of(design: Design) -> list[_Preset]:
    """Return α and β by convention, and Cohen's small, medium and large effect as minD for the variance in use."""
    if not design.has_power:
        return []
    of_what = "the difference" if design.is_paired else "one system"
    results = [
        _Preset(
            "α .05, power 80 %",
            "Cohen's convention: α = .05 and β = .20. A convention, not a law.",
            lambda _: {ALPHA.name: 0.05, BETA.name: 0.20},
        )
    ]
    if not design.takes_effects:
        return results
    for size, effect in (("small", 0.2), ("medium", 0.5), ("large", 0.8)):

        def values(variance: float, effect: float = effect) -> dict[str, float]:
            min_delta = float(design.effect_of_deviations(effect))
            return {MIN_D.name: float(in_units(effect, variance)), MIN_DELTA.name: min_delta}

        text = f"minD = {effect} standard deviations of {of_what}, which Cohen (1988) calls {size}."
        results.append(_Preset(f"{effect} SD, {size}", text, values))
    return results


def _draw_tools(
    form: Form, design: Design, numbers: Mapping[str, Number], variance: float, assured: Sequence[Number]
) -> None:
    """Draw presets, which fill fields, assurance, how matrices are pooled if they can be, and the way back."""

    def apply(preset: _Preset) -> None:
        values = preset.values(variance).items()
        form.keep(
            {numbers[name].key if name in numbers else name: value for name, value in values}, shown=True
        )
        form.clear_complaints()

    with st.container(horizontal=True, gap="xsmall"):
        if presets := _presets_of(design):
            with st.popover("Presets", on_change="rerun", key="presets") as place:
                for at, preset in enumerate(presets if frame.is_drawn(place) else ()):
                    key = f"{PAGE}/preset-{at}"
                    st.button(preset.label, help=preset.help, key=key, on_click=apply, args=(preset,))
        with st.popover("Assurance", on_change="rerun", key="assurance-fields") as place:
            for one in assured if frame.is_drawn(place) else ():
                form.draw(one)
        if _scores() not in (TYPED, LITERATURE) and any(
            len(group) > 1 for group in data.by_measure().values()
        ):
            with st.popover("Pooling"):
                form.draw(Choice("weights", "Pool matrices by", _WEIGHTS))
        st.button(
            "Reset", key=f"{PAGE}/reset", help="Back to the start values of all fields.", on_click=_reset
        )


def _reset() -> None:
    """Start again, on all pages; the values kept for a reload are overwritten, not left behind."""
    state = st.session_state
    for name in [str(one) for one in state if _is_field(str(one))]:
        number = _PARAMETERS.get(name.rpartition("/")[2])
        if number is not None:
            state[name] = number.start({})
        elif isinstance(state[name], dict | tuple | str):
            state[name] = type(state[name])()


def _named(error: InputError, design: Design) -> str:
    """Return the error with the symbol that is next to the field."""
    known = {one.name: one.symbol for one in (*design.parameters, *design.variances)}
    return f"{known.get(error.parameter, error.parameter)} = {in_full(error.value)} {error.rule}"
