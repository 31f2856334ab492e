"""The form of a design page: what the user asks, kept apart from what they are still typing.

A page answers the last valid question. Typing changes nothing until the button is pressed; a wrong
value is named with its rule, stays in its field, and the last answer stays on screen.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.parts import data, frame, link
from pages.parts.form import Form, Number, Together
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, MIN_D, MIN_DELTA, Parameter
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    ESTIMATES,
    ONE_WAY,
    STATED_VARIANCES,
    TOTAL,
    TWO_WAY,
    Estimate,
    LargestVariance,
    Weights,
    chosen_pair,
    conservative_difference_variance,
    largest_by_measure,
    pooled,
)
from topicset_core.variance.choices import Kind

LARGEST = "the largest of these measures"
TYPED = "typed in below"
LITERATURE = "from the literature"
_PAIR = "σₜ² of two runs to be named"
_SHARED_SCORES = "last_scores"
_WEIGHTS: dict[str, Weights] = {"topics (the paper's)": "topics", "degrees of freedom": "degrees-of-freedom"}


@dataclass(frozen=True)
class Chosen:
    """A variance and what is known of it.

    Parameters
    ----------
    value : float or None
        The variance; None where the user types it.
    measure, source : str
        What it was measured on, in words.
    estimate : Estimate or None
        How it was taken from scores; None where it was not.
    weights : {"topics", "degrees-of-freedom"}
        How collections were pooled.
    residual : float or None
        The two-way variance of the same scores, where `value` is their one-way variance.
    by_estimate : mapping of str to float
        What each estimate that can be taken says of the same scores, by its name.
    """

    value: float | None
    measure: str
    source: str
    estimate: Estimate | None = None
    weights: Weights = "topics"
    residual: float | None = None
    by_estimate: Mapping[str, float] = field(default_factory=dict)


def choose(page: str, variance: Parameter, kind: Kind, current: str) -> tuple[str, Chosen]:
    """Draw the choice; it acts at once, as the rest of the form depends on it.

    Parameters
    ----------
    page : str
        Prefix of this page's keys.
    variance : Parameter
        The design's variance.
    kind : {"within-system", "difference"}
        What varies.
    current : str
        The choice so far.

    Returns
    -------
    choice, chosen
        The option, and the variance.
    """
    groups, state = data.by_measure(), st.session_state
    options = [*groups, *([LARGEST] if len(groups) > 1 else []), LITERATURE, TYPED]
    if current not in (LITERATURE, TYPED):  # the measure that another page planned with
        current = state.get(_SHARED_SCORES, current)
    choice: str = st.selectbox(
        "Plan with the scores of",
        options,
        index=options.index(current) if current in options else 0,
        format_func=lambda option: f"{variance.symbol} {option}" if option in (LITERATURE, TYPED) else option,
        key=f"{page}/scores",
        help="The variance of scores decides most. For a new task without scores of its own, Sakai (2016, 6.1) "
        "advises the largest variance among the measures of a similar task.",
    )
    if choice == TYPED:
        return choice, Chosen(None, "the measure", "typed in")
    if choice == LITERATURE:
        return choice, _from_literature(page, kind)
    state[_SHARED_SCORES] = choice
    asked = groups if choice == LARGEST else {choice: groups[choice]}
    return choice, _from_scores(page, variance, kind, asked)


def _from_scores(
    page: str, variance: Parameter, kind: Kind, groups: Mapping[str, list[ScoreMatrix]]
) -> Chosen:
    """Draw what can be estimated from these scores, with what each estimate says; return the chosen one."""
    weights: Weights = "topics"
    if any(len(group) > 1 for group in groups.values()):
        key = f"{page}/weights"
        said = st.selectbox("Pool matrices by", list(_WEIGHTS), key=key, persist_state="session")
        weights = _WEIGHTS[said]
    by_label: dict[str, tuple[Estimate, LargestVariance]] = {}
    matrices = [matrix for group in groups.values() for matrix in group]
    for one in ESTIMATES:
        if one.kind == kind and one is not TOTAL:  # which is for comparisons, not to plan with
            with suppress(InputError):  # a single run has no pairs
                by_label[one.label] = one, largest_by_measure(matrices, one, weights)
    runs = _common_runs(matrices) if kind == "difference" and len(groups) == 1 else []
    options = [*by_label, *([_PAIR] if len(runs) > 1 else [])]
    key, shared, state = f"{page}/estimate", f"last_estimate/{kind}", st.session_state
    if state.get(key) not in options:  # also where runs or pairs that were chosen have gone
        state[key] = state[shared] if state.get(shared) in options else options[0]
    label = st.radio(
        f"{variance.symbol} from these scores",
        options,
        captions=[
            f"{variance.symbol} = {by_label[one][1].variance:.4g}" if one in by_label else ""
            for one in options
        ],
        key=key,
        persist_state="session",
    )
    state[shared] = label
    if label == _PAIR:
        estimate = _pair(page, runs)
        found = largest_by_measure(matrices, estimate, weights)
    else:
        estimate, found = by_label[label]
    if estimate.advice:
        st.markdown(f":small[{frame.plain(estimate.advice)}]")
    source = data.source_of(found.measure, groups[found.measure])
    if estimate is not ONE_WAY:
        source = f"{source}; {estimate.label}"
    if weights != "topics":
        source = f"{source}; pooled by degrees of freedom"
    if len(groups) > 1:
        st.markdown(":small[Variances compare only between measures on one scale, as those from 0 to 1.]")
        source = f"{source}; the largest among {', '.join(groups)}"
    own = {one.name: pooled(groups[found.measure], one, weights) for one, _ in by_label.values()}
    return Chosen(
        found.variance,
        found.measure,
        source,
        estimate,
        weights,
        (own.get(TWO_WAY.name) or None) if estimate is ONE_WAY else None,
        own,
    )


def _common_runs(matrices: Sequence[ScoreMatrix]) -> list[str]:
    """Return the runs that every one of these matrices holds."""
    return [run for run in matrices[0].systems if all(run in matrix.systems for matrix in matrices)]


def _pair(page: str, runs: Sequence[str]) -> Estimate:
    """Let the user name two runs."""
    first = st.selectbox("First run", runs, key=f"{page}/first-run")
    second = st.selectbox("Second run", [run for run in runs if run != first], key=f"{page}/second-run")
    return chosen_pair(first, second)


def _from_literature(page: str, kind: Kind) -> Chosen:
    """Offer the variances that papers state."""
    stated = st.selectbox(
        "Stated variance",
        STATED_VARIANCES,
        format_func=lambda found: f"σ² = {found.variance:g}: {found.measure}, {found.task}",
        key=f"{page}/literature",
    )
    st.markdown(f":small[{frame.plain(stated.source)} {frame.plain(stated.place)}.]")
    value = conservative_difference_variance(stated.variance) if kind == "difference" else stated.variance
    source = f"stated in Sakai 2016, {stated.place}: {stated.task}"
    if kind == "difference":
        source = f"{source}; {CONSERVATIVE_DIFFERENCE.label}"
    return Chosen(value, stated.measure, source)


_SHARED = "last_values"
_UNITS, _DEVIATIONS = "units of the measure", "standard deviations"


@dataclass(frozen=True)
class Question:
    """A complete, valid question.

    Parameters
    ----------
    values : dict
        Value by parameter name, the variance among them.
    variance : Chosen
        Where the variance comes from.
    """

    values: dict[str, Any]
    variance: Chosen

    @property
    def measure(self) -> str:
        """Unit of the difference."""
        return self.variance.measure

    @property
    def variance_source(self) -> str:
        """Where the variance comes from, in words."""
        return self.variance.source


@dataclass(frozen=True)
class Preset:
    """A convention that fills some fields at the press of a button.

    Parameters
    ----------
    label, help : str
        What the button says, and where the convention comes from.
    values : callable
        From the variance in use to the values of fields.
    """

    label: str
    help: str
    values: Callable[[float], dict[str, float]]


def ask(
    page: str,
    parameters: Sequence[Parameter],
    variance: Parameter,
    kind: Kind,
    validate: Callable[[dict[str, float]], Any],
    presets: Sequence[Preset] = (),
    optional: Sequence[Parameter] = (),
    standardised: Callable[[float, float], np.ndarray] | None = None,
) -> Question:
    """Draw the form and return the question to answer.

    Parameters
    ----------
    page : str
        Prefix of this page's keys.
    parameters : sequence of Parameter
        Fields, in order.
    variance : Parameter
        The variance that the design takes.
    kind : {"within-system", "difference"}
        What that variance is of.
    validate : callable
        From values to what is asked; raises `InputError` for values that do not go together.
    presets : sequence of Preset
        Buttons above the form.
    optional : sequence of Parameter
        What may be typed beside the variance: its two-way part, which scores give of themselves.
    standardised : callable, optional
        From minDelta and the variance to minD, where the difference may also be asked for so.
    """
    everything = (*parameters, variance, *optional)

    def settled(values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values with the difference in units of the measure."""
        found = dict(values)
        effect = found.pop(MIN_DELTA.name, None)
        if standardised is not None and st.session_state.get(f"{page}/difference-in") == _DEVIATIONS:
            found[MIN_D.name] = float(standardised(MIN_DELTA.check(effect), found[variance.name]))
        return found

    def in_units(values: Mapping[str, Any]) -> Any:
        return validate(settled(values))

    form = Form(
        page,
        [
            *(Number(one, usual=partial(_last, one)) for one in (*parameters, variance)),
            *(Number(one, empty="not known") for one in optional),
            *([Number(MIN_DELTA)] if standardised is not None else []),
        ],
        "pressed",
        Together([one.name for one in everything], in_units, end=""),
        texts=(link.MEASURE, link.SOURCE),
    )
    key = f"{page}/variance-from"
    linked = form.start()
    if linked is not None:
        measure, source = linked.measure or _Typed.measure, linked.source or "from the link"
        is_linked = variance.name in linked.values
        st.session_state[key] = _Typed(TYPED, measure, source) if is_linked else _Typed()
        if standardised is not None and MIN_DELTA.name in linked.values and MIN_D.name not in linked.values:
            st.session_state[f"{page}/difference-in"] = _DEVIATIONS
    typed: _Typed = st.session_state[key]
    choice, chosen = choose(page, variance, kind, typed.choice)
    st.session_state[key] = typed = replace(typed, choice=choice)
    if chosen.value is not None:
        form.keep({variance.name: chosen.value} | {one.name: chosen.residual for one in optional})
    _offer_presets(form, presets, variance)
    fields = everything if choice == TYPED else tuple(parameters)
    if standardised is not None:
        unit = st.radio(
            "State the difference in",
            [_UNITS, _DEVIATIONS],
            key=f"{page}/difference-in",
            persist_state="session",
            horizontal=True,
        )
        if unit == _DEVIATIONS:
            fields = tuple(MIN_DELTA if one is MIN_D else one for one in fields)
    with st.form(f"{page}/form", border=False):
        numbers = {one.name: one for one in form.numbers}
        for parameter in fields:
            form.draw(numbers[parameter.name])
        if st.form_submit_button("Compute", key=f"{page}/compute", type="primary", width="stretch"):
            before = form.kept(variance.name)
            names = [one.name for one in fields]
            if form.take(names, in_units, lambda error: _named(error, everything)) is not None:
                _remember({one.name: form.kept(one.name) for one in fields if one not in optional})
                if form.kept(variance.name) != before:
                    st.session_state[key] = typed = replace(typed, source="typed in")
    values = settled(form.values())
    try:
        validate(values)
    except InputError as error:  # the scores themselves: a variance of 0, or one far too small for minD
        flat = error.parameter == variance.name and error.value == 0
        why = "every run has the same score on all topics, so there is no variance" if flat else ""
        frame.refuse(frame.plain(f"These scores cannot be planned with: {why or _named(error, everything)}."))
        st.stop()
    if choice == TYPED:
        chosen = replace(chosen, measure=typed.measure, source=typed.source)
    return Question(values, chosen)


@dataclass(frozen=True)
class _Typed:
    """Where the variance is from, and what is known of one that is typed in or linked."""

    choice: str = ""
    measure: str = "the measure"
    source: str = "typed in"


def _last(parameter: Parameter) -> float:
    """Return what was asked on another page, else the default."""
    value: float = st.session_state.get(_SHARED, {}).get(parameter.name, parameter.default)
    return value


def _remember(values: dict[str, float]) -> None:
    st.session_state[_SHARED] = st.session_state.get(_SHARED, {}) | values


def _offer_presets(form: Form, presets: Sequence[Preset], variance: Parameter) -> None:
    """Draw a button for each preset; it fills fields and answers at once."""
    if not presets:
        return

    def apply(preset: Preset) -> None:
        offered = {one.name for one in form.numbers}
        values = {k: v for k, v in preset.values(form.kept(variance.name)).items() if k in offered}
        form.keep(values, shown=True)
        form.clear_complaints()
        _remember(values)

    with st.container(horizontal=True, gap="xsmall"):
        for place, preset in enumerate(presets):
            st.button(
                preset.label,
                help=preset.help,
                key=f"{form.page}/preset-{place}",
                on_click=apply,
                args=(preset,),
            )


def _named(error: InputError, parameters: Sequence[Parameter]) -> str:
    """Return the error with the symbol that stands beside the field."""
    symbol = next((p.symbol for p in parameters if p.name == error.parameter), error.parameter)
    return f"{symbol} = {error.value:g} {error.rule}"


FIVE_EIGHTY = Preset(
    "α .05, power 80 %",
    "Cohen's convention: α = .05 and β = .20. A convention, not a law.",
    lambda _: {ALPHA.name: 0.05, BETA.name: 0.20},
)

_COHEN = (("0.2 SD, small", 0.2), ("0.5 SD, medium", 0.5), ("0.8 SD, large", 0.8))


def effects(min_d_of: Callable[[float, float], np.ndarray], of_what: str) -> tuple[Preset, ...]:
    """Return Cohen's small, medium and large effect as minD for the variance in use.

    Parameters
    ----------
    min_d_of : callable
        From effect size and variance to minD.
    of_what : str
        Whose standard deviation the effect is measured in.
    """

    def preset(label: str, effect: float) -> Preset:
        return Preset(
            label,
            f"minD = {effect} standard deviations of {of_what}, which Cohen (1988) calls {label.split()[-1]}.",
            lambda variance: {MIN_D.name: float(min_d_of(effect, variance)), MIN_DELTA.name: effect},
        )

    return tuple(preset(label, effect) for label, effect in _COHEN)
