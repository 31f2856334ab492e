"""What all design pages plan with: one form, changed on any page and carried to the others.

Measure, estimate, variance, error probabilities, m and the difference are asked once. A difference is in units of a
measure, so each measure has its own. A page answers the last valid question: a wrong value is named with its rule,
stays in its field, and the last answer stays on screen.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import data, frame, link
from pages.parts.computation import shared
from pages.parts.form import Choice, Form, Number, Together
from pages.parts.variance_source import (
    FROM_LINK,
    LAST,
    OF_SHARES,
    SCORES,
    SHARES,
    SOURCES,
    TYPED,
    TYPED_IN,
    UNNAMED,
    WEIGHTS,
    WITHOUT_SCORES,
    Chosen,
    choose,
    chosen_scores,
    measure_typed,
    pooling,
    source_key,
    sources,
    unit_now,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import IN_GROUPS, PLANNED, Design, Plan
from topicset_core.designs.grouped import (
    COST_GROUP,
    GROUP_SIZE,
    INTRACLASS_CORRELATION,
    GroupedPlan,
    average_size,
    in_groups,
    in_groups_of_scores,
)
from topicset_core.designs.power_search import in_units
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.designs.shares import RIGHT
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    CERTAINTY,
    EFFECTIVE_DF,
    MIN_D,
    MIN_DELTA,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance import (
    OFFERED,
    pooled,
)
from topicset_core.wording import in_full

PAGE = data.PLANNING

SCENARIO = "scenario"
"""Name in links of a pinned scenario: a query of its own, with design, measure and values."""

Words = Mapping[str, Sequence[str]]
_COST_TOPIC = 1.0
_UNITS, _DEVIATIONS = "units of the measure", "standard deviations"
_SHOWN_ON = "frame/planned-on"
_CERTAINTY = Number(CERTAINTY, is_short=True)
_EFFECTIVE_DF = Number(EFFECTIVE_DF, empty="not known", is_short=True)
_PARAMETERS = {
    one.name: Number(one) for design in PLANNED for one in (*design.parameters, *design.variances, MIN_DELTA)
} | {one.name: Number(one, empty="not known") for design in PLANNED for one in design.optional}
_GROUPED = (
    Number(GROUP_SIZE, empty="topics are independent", is_short=True),
    Number(INTRACLASS_CORRELATION, empty=f"{INTRACLASS_CORRELATION.default:g}", is_short=True),
    Number(COST_GROUP, empty="not known", is_short=True),
    Number(COST_TOPIC, empty=f"{_COST_TOPIC:g}", is_short=True),
)
_PARAMETERS |= {one.name: one for one in (_CERTAINTY, _EFFECTIVE_DF, *_GROUPED)}
_SHARES = {
    design: [Number(one, within=f"{design.slug}/", is_short=True) for one in design.shares]
    for design in PLANNED
}
_PARAMETERS |= {key: one for own in _SHARES.values() for one in own for key in (one.name, one.key)}
"""The fields of all designs by their names."""
SHARED = Choice(
    TOPICS.name, TOPICS.label, {word: word for word in TOPICS.options}, look="segments", help=TOPICS.help
)
"""The choice whether all systems share the topics."""
_WORDS = {one.name for design in PLANNED for one in design.choices}


@dataclass(frozen=True)
class Question:
    """A complete, valid question."""

    plan: Plan
    variance: Chosen
    further: Mapping[str, str] = field(default_factory=dict)
    # With which the power is to be reached if the variance is an estimate
    certainty: float = CERTAINTY.default
    effective_df: float | None = None  # degrees of freedom of a variance that is not from scores
    by_shares: Collection[str] = ()  # names of values that follow from shares, which links carry instead
    grouped: GroupedPlan | None = None  # where topics come in groups

    @property
    def measure(self) -> str:
        """Unit of the difference."""
        return self.variance.measure

    @property
    def counting(self) -> Plan:
        """The plan that counts what comes: topics, or groups of them."""
        return self.plan if self.grouped is None else self.grouped.plan

    def url(self, **more: str) -> str:
        """Return the full link, with what else it carries."""
        source = {link.MEASURE: self.measure, link.SOURCE: self.variance.source}
        values = {name: one for name, one in self.plan.values.items() if name not in self.by_shares}
        return link.write(values | dict(self.further) | source | more)


def begin(*designs: Design, words: Words | None = None) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Read the link, and write the source of the variance; return places for form and answer."""
    start(designs, words=words)
    show_data_in_use(designs)
    return frame.form_and_answer()


def show_data_in_use(designs: Sequence[Design], *, invites: bool = True) -> None:
    """Write the source of the variance: scores, a paper, a link or the user."""
    choice = chosen_scores()
    if choice not in WITHOUT_SCORES:
        data.show_data_in_use(linked=invites)
        return
    text = f"Variance of {choice.partition(': ')[2]}."
    if choice == SHARES:
        text = "Shares of topics typed in, without scores."
    if choice == TYPED:
        for design in designs:
            for variance in design.variances:
                _note_typed(variance)
        text = "Variance typed in, without scores."
        linked = {source for source in sources().values() if source != TYPED_IN}
        for source in linked:
            origin = "" if source == FROM_LINK else f", {frame.plain(source)}"
            text = f"The variance is from a link: {frame.plain(measure_typed())}{origin}."
    with frame.head("data"):
        st.markdown(text)


def start(designs: Sequence[Design], texts: Sequence[str] = (), words: Words | None = None) -> None:
    """Take the values in the link; where the work of this browser was restored, only a link to something else."""
    state, query, more = st.session_state, st.query_params, words or {}
    known = query.keys() & {*_PARAMETERS, *_WORDS, *more, link.MEASURE}
    if _SHOWN_ON not in state and any(state.get(LAST, {}).get(name) != query[name] for name in known):
        for name in [str(one) for one in state if _is_field(str(one))]:
            del state[name]
    if state.get(_SHOWN_ON) != state[frame.PAGE]:
        # Streamlit takes the same fields on another page for new ones: let them show the present values.
        for name in [str(one) for one in state if _is_field(str(one))]:
            state[name] = state[name]
    state[_SHOWN_ON] = state[frame.PAGE]
    state[OF_SHARES] = all(one.shares for one in designs)
    variances = list(dict.fromkeys(one for design in designs for one in design.variances))
    settings = list(
        dict.fromkeys(one for design in designs for one in (*design.parameters, *design.variances))
    )
    offered: dict[str, list[str]] = {name: list(options) for name, options in more.items()}
    for one in [one for design in designs for one in design.choices]:
        offered[one.name] = list(dict.fromkeys((*offered.get(one.name, ()), *one.options)))
    optional = [one for design in designs for one in design.optional]
    shares = [field for design in designs for field in _SHARES[design]] if state[OF_SHARES] else []
    effects = [_effect_of(one) for one in designs if one.takes_effects][:1]
    form = Form(
        PAGE,
        [
            *(*map(Number, settings), *effects, _CERTAINTY, _EFFECTIVE_DF, *_GROUPED),
            *(Number(one, empty="not known") for one in optional),
            *shares,
            *(Choice(name, name, options) for name, options in offered.items()),
        ],
        together=Together(
            [*(one.name for one in settings), *(field.name for field in shares)],
            partial(_check_link, _linked_designs(designs, more)),
        ),
        texts=(link.MEASURE, link.SOURCE, SCENARIO, *texts),
    )
    linked = form.start()
    if linked is None:
        return
    given = [one.name for one in variances if one.name in linked.values]
    if given:
        state[SCORES] = state[source_key()] = TYPED
        state[SOURCES] = dict.fromkeys(given, linked.source or FROM_LINK)
        state[f"{SOURCES}/measure"] = linked.measure or UNNAMED
    elif any(field.name in linked.values for field in shares):
        state[source_key()] = SHARES
    elif linked.measure in data.by_measure():
        state[source_key()] = linked.measure
    unit = measure_typed() if given else unit_now()
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
        if any(one.name in st.query_params for one in design.shares):
            numbers |= design.of_shares([values[one.name] for one in design.shares])
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


def _note_typed(variance: Parameter) -> None:
    """Take note of a variance that the user typed, in place of a linked one or a start value."""
    typed, form = st.session_state.get(f"{PAGE}/{variance.name}"), Form(PAGE, ())
    with suppress(InputError):
        if typed is not None and variance.check(typed) != form.last(Number(variance)):
            st.session_state[SOURCES] = sources() | {variance.name: TYPED_IN}


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
    shares = _SHARES[design] if chosen.measure == RIGHT else []
    by_shares = design.of_shares([one.parameter.default for one in shares]) if shares else {}
    everything = {
        one.name: number(one, chosen.measure) for one in design.parameters if one.name not in by_shares
    }
    drawn = [everything[one.name] for one in only or design.parameters if one.name in everything] + shares
    typed = [Number(variance, is_short=True)] if chosen.value is None and not shares else []
    typed += [Number(one, empty="not known", is_short=True) for one in design.optional] if typed else []
    taken = (
        {}
        if typed or shares
        else {variance.name: chosen.value} | {one.name: chosen.residual for one in design.optional}
    )
    for one in typed:
        form.draw(one)
    is_certain = chosen.estimate is None and chosen.similar is None
    assured = [_CERTAINTY, *([_EFFECTIVE_DF] if is_certain else [])] if not only else []
    of_groups = _fields_of_groups(chosen) if design in IN_GROUPS and not only else []
    effect = _effect_of(design)
    if design.takes_effects and not only and form.draw(_difference_in(design)) == _DEVIATIONS:
        drawn = [effect if one.parameter.name == MIN_D.name else one for one in drawn]

    def all_of(values: Mapping[str, Any]) -> dict[str, Any]:
        """Return all values, with the difference in units of the measure."""
        result: dict[str, Any] = (
            {name: form.last(one) for name, one in everything.items()} | taken | dict(values)
        )
        for one in (*assured, *of_groups):
            result.pop(one.name, None)
        if shares:
            result |= design.of_shares([result.pop(one.name) for one in shares])
        if MIN_DELTA.name in result:
            effect_size = MIN_DELTA.check(result.pop(MIN_DELTA.name))
            result[MIN_D.name] = float(design.min_d_of(effect_size, result[variance.name]))
        return result

    def plan_of(values: Mapping[str, Any]) -> Plan:
        return design.plan(**all_of(values), **words)

    form = replace(
        form, fields=[*drawn, *typed, *assured, *of_groups], together=Together((), plan_of, end="")
    )
    draw(form, drawn)
    given = form.values()
    if not only:
        fields = everything | {effect.name: effect}
        _draw_tools(form, design, fields, all_of(given)[variance.name], assured, of_groups)
    try:
        plan = plan_of(given)
        stated = {one.name: given[one.name] if of_groups else form.last(one) for one in _GROUPED}
        grouped = _in_groups(plan, chosen, stated)
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference, or a larger α or β.")
        st.stop()
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
    more: dict[str, Any] = {
        one.name: given[one.name] for one in (*assured, *of_groups) if given[one.name] != one.start({})
    }
    more |= {one.name: given[one.name] for one in shares}
    if grouped is not None:
        plan = grouped.of_topics
        more[INTRACLASS_CORRELATION.name] = grouped.intraclass_correlation
        if stated[COST_GROUP.name] is None:
            more[GROUP_SIZE.name] = grouped.group_size
    remember(plan.values | dict(further or {}) | more | {link.MEASURE: chosen.measure})
    certainty, df = given.get(CERTAINTY.name, CERTAINTY.default), given.get(EFFECTIVE_DF.name)
    if chosen.similar is not None and not only:
        more[EFFECTIVE_DF.name] = chosen.effective_df
    carried = dict(further or {}) | {name: str(value) for name, value in more.items()}
    return Question(plan, chosen, carried, certainty, df, tuple(by_shares), grouped)


def _matrices_in_groups(estimate: object, measure: str) -> Sequence[ScoreMatrix]:
    """Return the scores that the variance is from, where each has groups; none where the variance is stated."""
    matrices = [] if estimate is None else data.by_measure().get(measure, [])
    return matrices if all(1 < len(one.group_sizes) < one.n_topics for one in matrices) else []


def _fields_of_groups(chosen: Chosen) -> list[Number]:
    """Return the fields of topics in groups; topics per group and correlation may follow from the scores."""
    matrices = _matrices_in_groups(chosen.estimate, chosen.measure)
    if not matrices:
        return [*_GROUPED]
    by_scores = {
        GROUP_SIZE: f"{average_size(matrices)}, as in the scores",
        INTRACLASS_CORRELATION: "by the groups of the scores",
    }
    return [replace(one, empty=by_scores.get(one.parameter, one.empty)) for one in _GROUPED]


def _in_groups(plan: Plan, chosen: Chosen, stated: Mapping[str, Any]) -> GroupedPlan | None:
    """Return the plan of groups, where the values of the form say so or the scores have them."""
    estimate, weights = chosen.estimate, chosen.weights
    matrices = _matrices_in_groups(estimate, chosen.measure)
    size, rho, cost, of_topic = (stated.get(one.name) for one in _GROUPED)
    is_stated = size is not None or cost is not None
    if plan.design not in IN_GROUPS or not (is_stated or matrices):
        return None
    costs = None if cost is None else (cost, of_topic or _COST_TOPIC)
    if not is_stated:
        size = average_size(matrices)

    def found() -> GroupedPlan:
        if matrices and estimate is not None and rho is None:
            return in_groups_of_scores(
                plan, matrices, estimate, weights=weights, group_size=size, costs=costs
            )
        known = INTRACLASS_CORRELATION.default if rho is None else rho
        return in_groups(plan, known, group_size=size, costs=costs)

    label, digests = estimate and estimate.label, tuple(one.digest for one in matrices)
    try:
        return shared(("groups", *plan.key, size, costs, rho, label, weights, *digests), found)
    except InputError as error:
        if is_stated:
            rule = f"{error.rule}: the scores give no intraclass correlation, state one"
            raise InputError(error.parameter, error.value, rule) from error
        return None  # nobody asked


def topics_now(design: Design) -> str:
    """Return the topics of a design by the scores and the values of its form; "" without scores."""
    measure, kept = chosen_scores(), st.session_state.get(f"{PAGE}/valid", {})
    fields = {one.name: number(one, measure) for one in design.parameters}
    values = {name: kept.get(one.key, one.start({})) for name, one in fields.items()}
    with suppress(KeyError, InputError, NoSolution):
        chosen = Chosen(None, measure, "", OFFERED[design.variance][0], pooling())
        variance = pooled(data.by_measure()[measure], OFFERED[design.variance][0], pooling())
        plan = design.plan(**values | {design.variance.name: variance})
        grouped = _in_groups(plan, chosen, kept)
        result = (plan if grouped is None else grouped.plan).required_topics()
        return f"{result.required_topics:,}" + f" {result.units}" * (grouped is not None)
    return ""


def remember(values: Mapping[str, Any]) -> None:
    """Keep the values of the answer as in links: a link to the same values does not begin a new plan."""
    settings = {name: link.written(value) for name, value in values.items() if value is not None}
    st.session_state[LAST] = st.session_state.get(LAST, {}) | settings


def set_difference(settings: Question, value: float) -> None:
    """Ask for another difference, in units of the measure."""
    design = settings.plan.design
    field = number(design.difference_parameter, settings.measure)
    digits, form = 2 - math.floor(math.log10(value)), Form(PAGE, ())
    value = round(value, digits)
    if design.difference_parameter.name in settings.by_shares:
        smaller, field = sorted(_SHARES[design], key=lambda one: form.last(one) or 0.0)
        value = round(value + (form.last(smaller) or 0.0), digits + 2)
    form.keep({field.key: value}, shown=True)
    if design.takes_effects:
        st.session_state[f"{PAGE}/{_difference_in(design).key}"] = _UNITS


def number(parameter: Parameter, measure: str = "", *, is_one_of_several: bool = False) -> Number:
    """Return the field of a number; where it is in units of a measure, each measure has its own."""
    if not parameter.of_measure:
        return Number(parameter, is_short=True)
    unit = "" if measure in (UNNAMED, RIGHT) else measure
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


_MENUS, _MENU_KEYS = ("Assurance", "Topics in groups"), ("assurance-fields", "group-fields")


def _draw_tools(
    form: Form, design: Design, numbers: Mapping[str, Number], variance: float, *menus: Sequence[Number]
) -> None:
    """Draw presets, the menus of assurance and groups, how matrices are pooled if they can be, and the way back."""

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
        for label, key, fields in zip(_MENUS, _MENU_KEYS, menus, strict=True):
            if fields:
                with st.popover(label, on_change="rerun", key=key) as place:
                    for one in fields if frame.is_drawn(place) else ():
                        form.draw(one)
        if chosen_scores() not in WITHOUT_SCORES and any(
            len(group) > 1 for group in data.by_measure().values()
        ):
            with st.popover("Pooling"):
                form.draw(Choice("weights", "Pool matrices by", WEIGHTS))
        st.button(
            "Reset", key=f"{PAGE}/reset", help="Back to the start values of all fields.", on_click=_reset
        )


def _reset() -> None:
    """Start again, on all pages; the values kept for a reload are overwritten, not left behind."""
    state = st.session_state
    for name in [str(one) for one in state if _is_field(str(one))]:
        number = _PARAMETERS.get(name.removeprefix(f"{PAGE}/")) or _PARAMETERS.get(name.rpartition("/")[2])
        if number is not None:
            state[name] = number.start({})
        elif isinstance(state[name], dict | tuple | str):
            state[name] = type(state[name])()


def _named(error: InputError, design: Design) -> str:
    """Return the error with the symbol that is next to the field."""
    known = {one.name: one.symbol for one in (*design.parameters, *design.variances)}
    return f"{known.get(error.parameter, error.parameter)} = {in_full(error.value)} {error.rule}"
