"""The page that compares designs: what it asks, whose variances it compares, and one table per method."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts import data, frame, link
from pages.parts.data import MeasureVariance
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Number, Text
from pages.parts.runs_data import BY_INTENT, SEEDS, sample_track
from topicset_core.analyses.run_evaluation import Request, evaluate
from topicset_core.analyses.sizing import (
    DIFFERENCES,
    EFFECTS,
    STAND_IN_SYSTEMS,
    SYSTEMS,
    ComparisonTable,
    Separations,
    separations,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.results import Method
from topicset_core.errors import InputError
from topicset_core.parameters import (
    ALPHA,
    BETA,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance import one_way


@st.cache_resource(show_spinner=False)
def diversity_variances() -> tuple[MeasureVariance, ...]:
    """Return the variance of each measure that a diversity task starts from."""
    (judged,) = sample_track("diversity").judged
    source = f"simulated diversity task of seed {SEEDS['diversity']}"
    return tuple(
        MeasureVariance(matrix.measure, one_way(matrix), f"{source}, {matrix.measure}")
        for matrix in evaluate(judged, Request(measures=BY_INTENT)).matrices
    )


PAGE, VARIANCE = "compare", "variance"
METHODS: tuple[Method, ...] = ("exact", "published")
MOST_MEASURES = 50


@dataclass(frozen=True)
class _Variances:
    """Variances that a link brings, ``variance=measure:number`` once a measure; they are not drawn."""

    name: str = VARIANCE

    def read(self) -> tuple[tuple[MeasureVariance, ...], Sequence[link.Complaint]]:
        """Return the variances of the link and, in the same order, where each comes from."""
        texts, sources = st.query_params.get_all(VARIANCE), st.query_params.get_all(link.SOURCE)
        if len(sources) != len(texts):
            sources = ["from the link"] * len(texts)
        found, wrong = _parsed(texts, sources)
        complaints = [
            link.Complaint(f"{VARIANCE}={link.shown(text)} in this link was not used: it {rule}.", VARIANCE)
            for text, rule in wrong
        ]
        return found, complaints

    def draw(self, key: str, **_: Any) -> tuple[MeasureVariance, ...]:
        """Return those that are in use; none where the scores are."""
        found: tuple[MeasureVariance, ...] = st.session_state[key]
        return found


def _parsed(
    texts: Sequence[str], sources: Sequence[str]
) -> tuple[tuple[MeasureVariance, ...], list[tuple[str, str]]]:
    """Return the variances written ``measure:number``, and the texts that are none with the rule they break."""
    taken: dict[str, MeasureVariance] = {}
    wrong = []
    for text, source in zip(texts, sources, strict=True):
        measure, _, value = text.rpartition(":")  # a measure may hold colons, a number does not
        measure = link.shown(measure).strip()
        try:
            if not measure:
                raise InputError(VARIANCE, text, 'must be written "measure:number"')
            if measure in taken:
                raise InputError(VARIANCE, text, "names a measure for the second time")
            if len(taken) == MOST_MEASURES:
                raise InputError(VARIANCE, text, f"is one measure more than {MOST_MEASURES}")
            number = link.number(WITHIN_SYSTEM_VARIANCE, value)
        except InputError as error:
            wrong.append((text, error.rule))
        else:
            taken[measure] = MeasureVariance(measure, number, link.shown(source))
    return tuple(taken.values()), wrong


def _listed(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


_SYSTEMS = Text("systems", "m of the ANOVAs", _listed(SYSTEMS))
_DIFFERENCES = Text("differences", "minD, or width δ", _listed(DIFFERENCES))
_EFFECTS = Text("effects", "minΔ of the paired t test, in standard deviations", _listed(EFFECTS))
_LEVELS = Text("more_levels", "More α and β, as .01 .10, .01 .20", "")
_LISTS = _SYSTEMS, _DIFFERENCES, _EFFECTS, _LEVELS
_MOST_VALUES = 30

_METHOD = Choice(
    "method", "Computed", METHODS, look="segments", help="Exactly, or as Sakai's Excel tools do."
)
_VARIANCES = _Variances()
_FORM = Form(
    PAGE,
    (Number(ALPHA), Number(BETA), _METHOD, *_LISTS, _VARIANCES),
    together=ERROR_PROBABILITIES,
    texts=(link.SOURCE,),
)


@dataclass(frozen=True)
class Asked:
    """A comparison to make.

    Parameters
    ----------
    levels : tuple of (float, float)
        alpha and beta, as typed; the first ones are those of the fields.
    systems, differences, effects : tuple
        m of the ANOVAs, minD, and minDelta.
    method : {"exact", "published"}
        How to compute.
    measured : tuple of MeasureVariance
        The variances, from the scores in use, typed, or from the link.
    is_linked : bool
        Whether they are not from the scores.
    """

    levels: tuple[tuple[float, float], ...]
    systems: tuple[int, ...]
    differences: tuple[float, ...]
    effects: tuple[float, ...]
    method: Method
    measured: tuple[MeasureVariance, ...]
    is_linked: bool

    @property
    def variances(self) -> dict[str, float]:
        """Within-system variance by measure."""
        return {found.measure: found.value for found in self.measured}

    def url(self) -> str:
        """Return the full link: ``variance=AP:0.0471`` once a measure, and where each comes from."""
        (alpha, beta), state = self.levels[0], st.session_state
        lists = {one.name: str(state[f"{PAGE}/{one.name}"]) for one in _LISTS}
        return link.write(
            {
                ALPHA.name: alpha,
                BETA.name: beta,
                _METHOD.name: self.method,
                **{one.name: lists[one.name] for one in _LISTS if lists[one.name] != one.usual},
                VARIANCE: [f"{found.measure}:{float(found.value)!r}" for found in self.measured],
                link.SOURCE: [found.source for found in self.measured],
            }
        )


def say_what_is_in_use() -> None:
    """Write whose variances are compared; those of a link give way at the press of a button."""
    _FORM.start()
    linked = _FORM.draw(_VARIANCES)
    if not linked:
        data.say_what_is_in_use()
        if data.is_sample():
            st.button(
                "Compare the measures of a simulated diversity task",
                key="compare/diversity",
                on_click=lambda: _take(diversity_variances()),
                type="tertiary",
            )
        return
    with st.container(key="data-in-use", horizontal=True, vertical_alignment="center"):
        if linked == diversity_variances():
            said = "These are **simulated** scores of a diversity task, where topics have several intents."
        else:
            values = ", ".join(f"{found.measure} σ² = {found.value:.4g}" for found in linked)
            said = f"Comparing the variances of a link: {frame.plain(values)}."
        st.markdown(said, width="content")
        mine = "the simulated scores" if data.is_sample() else "my own scores"
        st.button(
            f"Compare {mine} instead", key="compare/instead", on_click=_take, args=((),), type="tertiary"
        )


def ask() -> Asked:
    """Draw the form; everything is cheap, so it answers as one types.

    Raises
    ------
    InputError
        If a list of numbers is none, or a number breaks its rule.
    """
    _FORM.number(ALPHA, BETA)
    method = _FORM.draw(_METHOD)
    texts = {one.name: _FORM.draw(one) for one in _LISTS}
    _draw_own_variances()
    values, linked = _FORM.values(), _FORM.draw(_VARIANCES)
    levels = [(values[ALPHA.name], values[BETA.name])]
    for pair in filter(str.strip, texts[_LEVELS.name].split(",")):
        numbers = pair.split()
        if len(numbers) != 2:
            raise InputError("α and β", pair.strip(), "must be two numbers, pairs separated by commas")
        levels.append((link.number(ALPHA, numbers[0]), link.number(BETA, numbers[1])))
    return Asked(
        tuple(dict.fromkeys(levels)),
        tuple(int(m) for m in _numbers(N_SYSTEMS, texts[_SYSTEMS.name])),
        _numbers(MIN_D, texts[_DIFFERENCES.name]),
        _numbers(MIN_DELTA, texts[_EFFECTS.name]),
        method,
        linked or tuple(data.variances()),
        bool(linked),
    )


def _numbers(parameter: Parameter, text: str) -> tuple[float, ...]:
    """Return the numbers of a list, ascending."""
    found = {link.number(parameter, one) for one in text.replace(",", " ").split()}
    if not 1 <= len(found) <= _MOST_VALUES:
        raise InputError(parameter.symbol, text, f"must be 1 to {_MOST_VALUES} numbers, separated by spaces")
    return tuple(sorted(found))


def _draw_own_variances() -> None:
    """Let the user type variances, one per line."""
    with st.expander("Compare variances of your own"):
        text = st.text_area(
            "One per line: measure: σ²",
            key=f"{PAGE}/typed-variances",
            placeholder="AP: 0.0471\nnERR: 0.0798",
            persist_state="session",
        )
        lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
        found, wrong = _parsed(lines, ["typed in"] * len(lines))
        for line, rule in wrong:
            st.error(frame.plain(f"{link.shown(line)}: it {rule}."))
        st.button(
            "Compare these variances",
            key=f"{PAGE}/take-typed",
            on_click=_take,
            args=(found,),
            disabled=not found or bool(wrong),
        )


def separated(matrices: Sequence[ScoreMatrix], alpha: float) -> Separations | None:
    """Return what the measures of these scores tell apart; None where there are no pairs of runs."""
    if not matrices or any(matrix.n_systems < 2 for matrix in matrices):
        return None
    return _separations(tuple((one.digest, one.name) for one in matrices), alpha, _matrices=tuple(matrices))


@st.cache_resource(scope="session", max_entries=20)
def _separations(
    digests: tuple[tuple[str, str], ...],  # noqa: ARG001 - tells scores apart in the key
    alpha: float,
    *,
    _matrices: tuple[ScoreMatrix, ...],
) -> Separations:
    return separations(_matrices, alpha=alpha)


def _take(variances: tuple[MeasureVariance, ...]) -> None:
    """Compare these variances, or without any those of the scores in use."""
    st.session_state[f"{PAGE}/{VARIANCE}"] = variances
    _FORM.clear_complaints()


# A tint that leaves text readable on both themes' backgrounds.
_SHADED, _BOLD = "background-color: rgba(232, 114, 55, 0.22)", "font-weight: bold"


def show_tables(tables: Sequence[ComparisonTable], *, marks_smallest: bool) -> None:
    """Show the table of a method to be chosen; stand-ins bold, what has no answer as a dash.

    Parameters
    ----------
    tables : sequence of ComparisonTable
        Of one or more levels.
    marks_smallest : bool
        Whether the smallest of each row is shaded: of measures on the same runs and topics.
    """
    st.header("Required topics by method", anchor=False)
    labels = list(dict.fromkeys(table.method_label for table in tables))
    first, second = st.columns(2)
    chosen = first.selectbox("Method", labels, key="compare/table", persist_state="session")
    of_levels = {f"α {t.levels[0]:g}, β {t.levels[1]:g}": t for t in tables if t.method_label == chosen}
    level = next(iter(of_levels))
    if len(of_levels) > 1:
        level = second.selectbox("α and β", list(of_levels), key="compare/level", persist_state="session")
    table = of_levels[level]
    marks_smallest = marks_smallest and len(table.measures) > 1
    topics = pd.DataFrame(
        table.topics,
        index=[f"{value:g}" for value in table.differences],
        columns=[frame.plain(measure) for measure in table.measures],  # the table reads Markdown
    )
    topics.index.name = "δ" if "interval" in table.method_label else "minD"
    marks = topics.astype(str)
    for row, column in np.ndindex(table.topics.shape):
        shaded = [_SHADED] if marks_smallest and table.smallest[row, column] else []
        marks.iloc[row, column] = "; ".join([*shaded, *([_BOLD] if table.stands_in[row, column] else [])])
    shown = topics.style.format(lambda n: f"{n:,}" if n else "–").apply(lambda _: marks, axis=None)
    st.table(shown, alt=f"Required topics, {chosen}")
    if marks_smallest:
        st.markdown(
            ":small[The smallest of each row is shaded. Each minD is another difference for each measure, so this "
            "does not make a measure better.]"
        )
    if table.stands_in.any():
        st.markdown(
            ":small[**Bold**: the interval sheet of 2016 stopped at n = 343; the ANOVA with "
            f"m = {STAND_IN_SYSTEMS} stands in, as in the paper.]"
        )
    if not table.topics.all():
        st.markdown(
            ":small[–: no answer. The published ANOVA knows α .01 and .05 with β .10 to .50 only, and nothing is "
            "searched beyond ten million topics.]"
        )
