"""What the page that compares designs asks: error probabilities, method, and whose variances."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import data, frame, link
from pages.parts.data import MeasureVariance
from pages.parts.diversity_sample import diversity_variances
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Number
from topicset_core.designs.results import Method
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, WITHIN_SYSTEM_VARIANCE

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
        taken: dict[str, MeasureVariance] = {}
        complaints = []
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
                said = f"{VARIANCE}={link.shown(text)} in this link was not used: it {error.rule}."
                complaints.append(link.Complaint(said, VARIANCE))
            else:
                taken[measure] = MeasureVariance(measure, number, link.shown(source))
        return tuple(taken.values()), complaints

    def draw(self, key: str, **_: Any) -> tuple[MeasureVariance, ...]:
        """Return those that are in use; none where the scores are."""
        found: tuple[MeasureVariance, ...] = st.session_state[key]
        return found


_METHOD = Choice(
    "method", "Computed", METHODS, look="segments", help="Exactly, or as Sakai's Excel tools do."
)
_VARIANCES = _Variances()
_FORM = Form(
    PAGE,
    (Number(ALPHA), Number(BETA), _METHOD, _VARIANCES),
    "as typed",
    ERROR_PROBABILITIES,
    texts=(link.SOURCE,),
)


@dataclass(frozen=True)
class Asked:
    """A comparison to make.

    Parameters
    ----------
    alpha, beta : float
        Error probabilities, as typed.
    method : {"exact", "published"}
        How to compute.
    measured : tuple of MeasureVariance
        The variances, from the scores in use or from the link.
    is_linked : bool
        Whether they are from the link.
    """

    alpha: float
    beta: float
    method: Method
    measured: tuple[MeasureVariance, ...]
    is_linked: bool

    @property
    def variances(self) -> dict[str, float]:
        """Within-system variance by measure."""
        return {found.measure: found.value for found in self.measured}

    def url(self) -> str:
        """Return the full link: ``variance=AP:0.0471`` once a measure, and where each comes from."""
        return link.write(
            {
                ALPHA.name: self.alpha,
                BETA.name: self.beta,
                _METHOD.name: self.method,
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
    """Draw the form; everything is cheap, so it answers as one types."""
    _FORM.number(ALPHA, BETA)
    method = _FORM.draw(_METHOD)
    values, linked = _FORM.values(), _FORM.draw(_VARIANCES)
    measured = linked or tuple(data.variances())
    return Asked(values[ALPHA.name], values[BETA.name], method, measured, bool(linked))


def _take(variances: tuple[MeasureVariance, ...]) -> None:
    """Compare these variances, or without any those of the scores in use."""
    st.session_state[f"{PAGE}/{VARIANCE}"] = variances
    _FORM.settle()
