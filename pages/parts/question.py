"""What all design pages plan with: one form, changed on any page and carried to the others.

Measure, estimate, variance, error probabilities, m and the difference are asked once. A difference is in units of a
measure, so each measure has its own. A page answers the last valid question: a wrong value is named with its rule,
stays in its field, and the last answer stays on screen.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import data, frame, kept_work, link
from pages.parts.form import Choice, Form, Number, Together
from pages.parts.planned import CARRIED, Opened, Settings, answered, linked_source, repeated
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
    choose,
    chosen_scores,
    matrices_now,
    measure_typed,
    pooling,
    show_similar,
    source_key,
    sources,
    unit_now,
)
from topicset_core.analyses.planning import PlanRequest, Scores, Shares, Source
from topicset_core.analyses.planning.request import FIND, OF_GROUPS
from topicset_core.analyses.planning.source import usual_systems
from topicset_core.analyses.planning.spelled import further_values
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import IN_GROUPS, PLANNED, Design
from topicset_core.designs.grouped import (
    COST_GROUP,
    GROUP_SIZE,
    GROUP_SIZE_CV,
    INTRACLASS_CORRELATION,
    average_size,
    have_few_groups,
    if_in_groups,
    variation_of_sizes,
)
from topicset_core.designs.power_search import in_units
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.designs.shares import RIGHT
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    CERTAINTY,
    DIFFERENCE_VARIANCE,
    EFFECTIVE_DF,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
    N_TOPICS,
    TOPICS,
    Parameter,
)
from topicset_core.variance.estimates import why_no_variance
from topicset_core.wording import in_full

PAGE = data.PLANNING

SCENARIO = "scenario"
"""Name in links of a pinned scenario: a query of its own, with design, measure and values."""

Words = Mapping[str, Sequence[str]]
_COST_TOPIC = 1.0
_UNITS, _DEVIATIONS = "units of the measure", "standard deviations"
_SHOWN_ON = "frame/planned-on"
_LONGEST_SOURCE = 60
"""Characters of the source of a variance that the head line has room for."""
_CERTAINTY = Number(CERTAINTY, is_short=True)
_FIND: Choice[str] = Choice(FIND.name, FIND.label, FIND.options, look="segments", help=FIND.help)
_N_TOPICS = Number(N_TOPICS, is_short=True)
_EFFECTIVE_DF = Number(EFFECTIVE_DF, empty="not known", is_short=True)
_PARAMETERS = {
    one.name: Number(one) for design in PLANNED for one in (*design.parameters, *design.variances, MIN_DELTA)
} | {
    parameter.name: Number(parameter, empty="not known")
    for design in PLANNED
    for parameter in design.optional
}
_WITHOUT_SCORES = {
    GROUP_SIZE: "topics are independent",
    INTRACLASS_CORRELATION: f"{INTRACLASS_CORRELATION.default:g}",
    GROUP_SIZE_CV: "equal sizes",
    COST_TOPIC: f"{_COST_TOPIC:g}",
}
"""What fields of a request are where they stay open and nothing follows from scores."""
_FURTHER = tuple(
    Number(field.parameter, empty=_WITHOUT_SCORES.get(field.parameter, field.unless), is_short=True)
    for field in PlanRequest.further()
)
_PARAMETERS |= {one.name: one for one in (_CERTAINTY, _EFFECTIVE_DF, _N_TOPICS, *_FURTHER)}
_SHARES = {
    design: [Number(share, within=f"{design.slug}/", is_short=True) for share in design.shares]
    for design in PLANNED
}
_PARAMETERS |= {key: share for own in _SHARES.values() for share in own for key in (share.name, share.key)}
"""The fields of all designs by their names."""
SHARED = Choice(
    TOPICS.name, TOPICS.label, {word: word for word in TOPICS.options}, look="segments", help=TOPICS.help
)
"""The choice whether all systems share the topics."""
_WORDS = {choice.name for design in PLANNED for choice in design.choices}


def begin(*designs: Design, words: Words | None = None) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Read the link, and write the source of the variance; return places for form and answer."""
    start(designs, words=words, finds_topics_only=False)
    show_data_in_use(designs)
    return frame.form_and_answer()


def show_data_in_use(designs: Sequence[Design], *, invites: bool = True) -> None:
    """Write the source of the variance: scores, a paper, a link or the user."""
    choice = chosen_scores()
    if choice not in WITHOUT_SCORES:
        data.show_data_in_use(linked=invites, pooled=True)
        return
    text, whole = f"Variance of {choice.partition(': ')[2]}.", ""
    if choice == SHARES:
        text = "Shares of topics as in the form, without scores."
    if choice == TYPED:
        for design in designs:
            for variance in design.variances:
                _note_typed(variance)
        text = "Variance typed in, without scores."
        linked = {source for source in sources().values() if source != TYPED_IN}
        for source in linked:  # this plan itself, after a reload without the work of this browser
            words = f"Variance of {measure_typed()}: {source}"
            whole = frame.plain(words) if len(words) > _LONGEST_SOURCE else ""
            text = f"{frame.plain(words[:_LONGEST_SOURCE])}{'…' if whole else '.'}"
            if st.session_state.get(f"{SOURCES}/more", {}).get("similar") == "alone":
                text, whole = "Variance of a similar task.", frame.plain(source)
    with frame.head("data"):
        st.markdown(text, help=whole or None)


def start(
    designs: Sequence[Design],
    texts: Sequence[str] = (),
    words: Words | None = None,
    *,
    finds_topics_only: bool = True,
) -> None:
    """Take the values in the link; where the work of this browser was restored, only a link to something else."""
    state, query, choices = st.session_state, st.query_params, words or {}
    known = query.keys() & {*_PARAMETERS, *_WORDS, *choices, link.MEASURE}
    differs = any(state.get(LAST, {}).get(name) != query[name] for name in known)
    if _SHOWN_ON not in state and differs and not kept_work.is_own(frame.current()):
        for name in [str(one) for one in state if _is_field(str(one))]:
            del state[name]
    if state.get(_SHOWN_ON) != state[frame.PAGE]:
        # Streamlit takes the same fields on another page for new ones: let them show the present values.
        for name in [str(one) for one in state if _is_field(str(one))]:
            state[name] = state[name]
    state[_SHOWN_ON] = state[frame.PAGE]
    state[OF_SHARES] = all(one.shares for one in designs)
    variances = list(dict.fromkeys(variance for design in designs for variance in design.variances))
    settings = [*dict.fromkeys(one for design in designs for one in (*design.parameters, *design.variances))]
    offered: dict[str, list[str]] = {name: list(options) for name, options in choices.items()}
    for one in [choice for design in designs for choice in design.choices]:
        offered[one.name] = list(dict.fromkeys((*offered.get(one.name, ()), *one.options)))
    optional = [parameter for design in designs for parameter in design.optional]
    shares = [field for design in designs for field in _SHARES[design]] if state[OF_SHARES] else []
    effects = [_effect_of(one) for one in designs if one.takes_effects][:1]
    # A choice of the page has a word for each design: a link names one by it, or means all.
    words_in_link = [(options, query.get(name, options[0])) for name, options in choices.items()]
    in_link = [designs[options.index(word)] for options, word in words_in_link if word in options] or designs
    form = Form(
        PAGE,
        [
            *(*map(Number, settings), *effects, _CERTAINTY, _EFFECTIVE_DF, *_FURTHER, _N_TOPICS),
            *(Number(parameter, empty="not known") for parameter in optional),
            *shares,
            *(Choice(name, name, options) for name, options in offered.items()),
            _FIND,
        ],
        together=Together(
            [*(setting.name for setting in settings), *(field.name for field in shares)],
            partial(_check_link, in_link),
        ),
        texts=(*CARRIED, SCENARIO, *texts),
    )
    linked = form.start()
    if linked is None:
        return
    given = [variance.name for variance in variances if variance.name in linked.values]
    # A comparison has these values once per measure.
    of_link = [] if texts else [variance for variance in variances if variance.name in given]
    more, complaints = ({}, []) if texts else linked_source(of_link)
    names = [*(one.name for one in form.fields), *(() if texts else (*CARRIED, SCENARIO))]
    complaints += repeated([name for name in names if name not in texts])
    if given:
        state[SCORES] = state[source_key()] = TYPED
        state[SOURCES] = dict.fromkeys(given, linked.source or FROM_LINK)
        state[f"{SOURCES}/measure"] = linked.measure or UNNAMED
        state[f"{SOURCES}/more"] = more
    elif any(field.name in linked.values for field in shares):
        state[source_key()] = SHARES
    elif linked.measure in data.by_measure():
        state[source_key()] = linked.measure
    for name, why in Opened.now(in_link, form, finds_topics_only=finds_topics_only).unused(linked.values):
        complaints.append(link.not_used(name, query[name], why))
        field = next(one for one in form.fields if one.name == name)
        if isinstance(field, Number):
            form.keep({field.key: field.start({})})
        else:
            state[f"{PAGE}/{name}"] = FIND.default
    form.complain(*complaints)
    unit = measure_typed() if given else unit_now()
    of_unit = [setting for setting in settings if setting.of_measure and setting.name in linked.values]
    form.keep({f"{unit}/{setting.name}": form.kept(setting.name) for setting in of_unit})
    if N_SYSTEMS in settings and N_SYSTEMS.name in linked.values:
        form.keep({number(N_SYSTEMS).key: form.kept(N_SYSTEMS.name)})
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
    text = f"In units of the measure, or as an effect size, {MIN_DELTA.symbol}. {MIN_DELTA.help}"
    return Choice(name, "State the difference in", options, key=key, look="segments", help=text)


def _check_link(designs: Sequence[Design], values: Mapping[str, Any]) -> None:
    for design in designs:
        design.check(values)
        words = design.allowed(st.query_params)
        numbers = {one.name: values[one.name] for one in (*design.parameters, design.variance_of(words))}
        if any(share.name in st.query_params for share in design.shares):
            numbers |= design.of_shares([values[share.name] for share in design.shares])
        try:
            design.plan(**numbers, **words)
        except InputError as error:  # what is not in the link is not its fault
            if MIN_DELTA.name not in st.query_params and error.parameter in st.query_params:
                raise


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
            if sources().get(variance.name, TYPED_IN) != TYPED_IN:  # whose degrees of freedom the link has
                form.keep({EFFECTIVE_DF.name: None}, shown=True)
            st.session_state[SOURCES] = sources() | {variance.name: TYPED_IN}


def ask(
    design: Design,
    *only: Parameter,
    further: Mapping[str, str] | None = None,
    first: DeltaGenerator | None = None,
) -> Settings:
    """Draw the form, the choice of shared topics at the place of what comes `first`; return the answer."""
    form = Form(PAGE, ())
    words = _chosen(form, design, first)
    variance = design.variance_of(words)
    chosen = choose(form, variance, is_short=bool(only))
    unknown = "topics" if only else form.draw(_find_of(design, is_shares=chosen.is_shares))
    shares = _SHARES[design] if chosen.is_shares else []
    by_shares = design.of_shares([share.parameter.default for share in shares]) if shares else {}
    asked_for = [parameter for parameter in design.parameters if parameter.name not in by_shares]
    numbers = {parameter.name: number(parameter, chosen.measure) for parameter in asked_for}
    solved = {"power": BETA, "difference": design.difference_parameter}.get(unknown)
    drawn = [
        numbers[one.name] for one in only or design.parameters if one.name in numbers and one is not solved
    ]
    drawn += [*shares, *([_N_TOPICS] if unknown != "topics" else [])]
    drawn += [number(one) for one in only if one.name not in numbers]
    typed = [Number(variance, is_short=True)] if chosen.source is None and not shares else []
    typed += [Number(one, empty="not known", is_short=True) for one in design.optional] if typed else []
    for one in typed:
        form.draw(one)
    assured = [_CERTAINTY, *([_EFFECTIVE_DF] if typed else [])] if not only else []
    matrices = () if chosen.source is None else if_in_groups(chosen.source.variance(variance).matrices)
    of_groups = _fields_of_groups(matrices) if design in IN_GROUPS and not only else []
    effect = _effect_of(design)
    has_effects = design.takes_effects and not only and unknown != "difference"
    if has_effects and form.draw(_difference_in(design)) == _DEVIATIONS:
        drawn = [effect if one.parameter.name == MIN_D.name else one for one in drawn]
    to_state: list[Number] = []
    if design in IN_GROUPS and have_few_groups(matrices):  # too few to estimate the correlation from
        to_state = [one for one in _FURTHER if one.parameter is INTRACLASS_CORRELATION]
        of_groups = [one for one in of_groups if one.parameter is not INTRACLASS_CORRELATION]
    for one in to_state:
        form.draw(replace(one, empty="to be stated"))

    def asked(values: Mapping[str, Any]) -> tuple[PlanRequest, Source | None]:
        """Return request and source of the values of the form."""
        known: dict[str, Any] = {
            name: form.last(one) for name, one in numbers.items() if solved is None or name != solved.name
        }
        known |= dict(values)
        if MIN_DELTA.name in known:
            known.pop(MIN_D.name, None)
        taken = {name: known.get(name) for name in (*numbers, MIN_DELTA.name)} | words
        stated: dict[str, Any] = {one.name: known.get(one.name, form.last(one)) for one in _FURTHER}
        if stated[COST_GROUP.name] is None:
            stated[COST_TOPIC.name] = None
        elif stated[COST_TOPIC.name] is None:
            stated[COST_TOPIC.name] = _COST_TOPIC
        if stated[GROUP_SIZE.name] is None and stated[COST_GROUP.name] is None and not matrices:
            stated |= {parameter.name: None for parameter in OF_GROUPS}  # topics are independent
        elif stated[INTRACLASS_CORRELATION.name] is None and not matrices:
            stated[INTRACLASS_CORRELATION.name] = INTRACLASS_CORRELATION.default
        source = chosen.source
        if shares:
            source = Shares(shares=tuple(float(known[share.name] or 0.0) for share in shares))
            of_shares = design.of_shares(source.shares)
            taken |= {name: value for name, value in of_shares.items() if name != variance.name}
        elif typed:
            numbers_typed = {one.name: known.get(one.name, form.last(one)) for one in typed}
            stated_numbers = {
                name: float(value) for name, value in numbers_typed.items() if value is not None
            }
            df = known.get(EFFECTIVE_DF.name, form.last(_EFFECTIVE_DF))
            source = chosen.stated(stated_numbers, df)
        is_assured = bool(assured) and unknown == "topics" and not design.has_uncertain_variance
        more = stated if design in IN_GROUPS else {}
        if unknown != "topics":
            more |= {N_TOPICS.name: known.get(N_TOPICS.name)}
        if is_assured:
            more |= {CERTAINTY.name: known.get(CERTAINTY.name)}
        return PlanRequest.of(more, design=design, values=taken), source

    fields = [*drawn, *typed, *assured, *of_groups, *to_state]
    form = replace(
        form, fields=fields, together=Together((), lambda values: answered(*asked(values)), end="")
    )
    draw(form, drawn)
    given = form.values()
    try:
        planned = answered(*asked(given))
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference, or a larger α or β.", at_top=True)
        st.stop()
    except InputError as error:  # the scores themselves: a variance of 0, or one far too small for minD
        _refuse(error, design, variance, () if chosen.source is None else chosen.source.matrices)
    similar = None if planned.variance is None else planned.variance.similar
    if chosen.place is not None and similar is not None:
        notes = [similar.ratio_in_words, similar.worth if similar.is_too_little else ""]
        show_similar(chosen.place, variance, similar, notes, f"{similar.sentence}.")
    if not only:
        _draw_tools(form, design, numbers | {effect.name: effect}, planned.plan.variance, assured, of_groups)
    if effect in drawn:  # other pages ask for it in units of the measure
        form.keep({numbers[MIN_D.name].key: planned.of_topics.difference}, shown=True)
    more: dict[str, Any] = {}
    certainty = planned.request.certainty
    if certainty not in (None, _CERTAINTY.start({})) and planned.uncertain is not None:
        more[CERTAINTY.name] = certainty
    more |= {share.name: given[share.name] for share in shares}
    more |= further_values(planned)
    remember(planned.of_topics.values | dict(further or {}) | more | {link.MEASURE: chosen.measure})
    carried = dict(further or {}) | {name: str(value) for name, value in more.items()}
    return Settings(planned, carried, tuple(by_shares))


def _find_of(design: Design, *, is_shares: bool) -> Choice[str]:
    """Return the choice of what is unknown: an interval has no power, and shares give the difference."""
    options = {
        "topics": "topics",
        **({} if is_shares else {"difference": design.difference_parameter.symbol}),
        **({"power": "power"} if design.has_power else {}),
    }
    return replace(_FIND, options=options)


def _refuse(
    error: InputError, design: Design, variance: Parameter, matrices: Sequence[ScoreMatrix]
) -> NoReturn:
    """Write why scores or values have no answer, and end the page."""
    is_flat = error.parameter == variance.name and error.value == 0 and bool(matrices)
    why = f"{why_no_variance(matrices)}, so the variance is 0" if is_flat else ""
    begins = "These values do not go together"
    if error.parameter == variance.name:
        begins = "These scores cannot be planned with"
    if error.parameter == INTRACLASS_CORRELATION.name and error.value is None:
        begins, why = "State the intraclass correlation ρ in the form", f"it {error.rule}"
    symbols = {one.name: one.symbol for one in (*design.parameters, *design.variances)}
    why = why or f"{symbols.get(error.parameter, error.parameter)} = {in_full(error.value)} {error.rule}"
    frame.refuse(frame.plain(f"{begins}: {why}."), at_top=True)
    st.stop()


def _fields_of_groups(matrices: Sequence[ScoreMatrix]) -> list[Number]:
    """Return the fields of topics in groups; topics per group and correlation may follow from the scores."""
    if not matrices:
        return [*_FURTHER]
    by_scores = {
        GROUP_SIZE: f"{average_size(matrices)}, as in the scores",
        INTRACLASS_CORRELATION: "by the groups of the scores",
        GROUP_SIZE_CV: f"{variation_of_sizes(matrices):.3g}, as in the scores",
    }
    return [replace(one, empty=by_scores.get(one.parameter, one.empty)) for one in _FURTHER]


def topics_now(design: Design, measure: str) -> str:
    """Return the topics of a design by the scores of a measure and the values of its form; "" without scores."""
    kept = st.session_state.get(f"{PAGE}/valid", {})
    fields = {parameter.name: number(parameter, measure) for parameter in design.parameters}
    values = {name: kept.get(one.key, one.start({})) for name, one in fields.items()}
    with suppress(KeyError, InputError, NoSolution):
        matrices = tuple(data.by_measure()[measure])
        source = Scores(matrices=matrices, weights=pooling(), described=data.source_of)
        planned = answered(PlanRequest(design=design, values=values), source)
        return planned.in_short if planned.grouped is None else planned.counted
    return ""


def are_two_right_or_wrong() -> bool:
    """Return whether two systems are planned for by scores of 0 and 1 on independent topics."""
    matrices, field = matrices_now(), number(N_SYSTEMS)
    if st.session_state.get(f"{PAGE}/{field.key}", Form(PAGE, ()).last(field)) != 2:
        return False
    if chosen_scores() == TYPED:
        linked = st.session_state.get(f"{SOURCES}/more", {})
        return "binary" in linked and sources().get(DIFFERENCE_VARIANCE.name, TYPED_IN) != TYPED_IN
    return bool(matrices) and all(matrix.is_binary and matrix.groups is None for matrix in matrices)


def remember(values: Mapping[str, Any]) -> None:
    """Keep the values of the answer as in links: a link to the same values does not begin a new plan."""
    settings = {name: link.written(value) for name, value in values.items() if value is not None}
    st.session_state[LAST] = st.session_state.get(LAST, {}) | settings


def set_difference(settings: Settings, value: float) -> None:
    """Ask for another difference, in units of the measure, which is then not the unknown."""
    design = settings.plan.design
    if settings.planned.unknown == "difference":
        st.session_state[f"{PAGE}/{FIND.name}"] = FIND.default
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
    # Scores of fewer systems than are planned for by default have a number of systems of their own.
    if parameter is N_SYSTEMS and (m := usual_systems(matrices_now())) != N_SYSTEMS.default:
        return Number(parameter, usual=lambda: float(m), within=f"{m}/", is_short=True)
    if not parameter.of_measure:
        return Number(parameter, is_short=True)
    unit = "" if measure in (UNNAMED, RIGHT) else measure
    if is_one_of_several:
        parameter = replace(parameter, label=parameter.symbol)
    return Number(parameter, within=f"{measure}/", unit=unit, is_short=True)


def draw(form: Form, numbers: Sequence[Number]) -> None:
    """Draw numbers below each other, conventions last; side by side these, and those with a short label."""
    waiting = sorted(numbers, key=lambda one: one.parameter in (ALPHA, BETA))
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
        own = name.removeprefix(f"{PAGE}/").partition("/")[0]
        if number is not None:
            state[name] = int(own) if number.parameter is N_SYSTEMS and own.isdigit() else number.start({})
        elif isinstance(state[name], dict | tuple | str):
            state[name] = type(state[name])()
