"""What the page that compares designs asks: error probabilities, method, and whose variances."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import data, frame, link
from pages.parts.data import MeasureVariance
from pages.parts.diversity_sample import diversity_variances
from pages.parts.fields import number_field
from topicset_core.designs.results import Method
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, WITHIN_SYSTEM_VARIANCE, check_error_probabilities

VARIANCE, METHOD = "variance", "method"
METHODS: tuple[Method, ...] = ("exact", "published")
MOST_MEASURES = 50

_LINKED, _COMPLAINTS = "compare/linked", "compare/complaints"


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
                METHOD: self.method,
                VARIANCE: [f"{found.measure}:{float(found.value)!r}" for found in self.measured],
                link.SOURCE: [found.source for found in self.measured],
            }
        )


def say_what_is_in_use() -> None:
    """Write whose variances are compared; those of a link give way at the press of a button."""
    if _LINKED not in st.session_state:
        _start()
    linked = st.session_state[_LINKED]
    if not linked:
        data.say_what_is_in_use()
        if data.is_sample():
            st.button(
                "Compare the measures of a simulated diversity task",
                key="compare/diversity",
                on_click=_take_diversity,
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
        st.button(f"Compare {mine} instead", key="compare/instead", on_click=_forget_link, type="tertiary")


def ask() -> Asked:
    """Draw the form; everything is cheap, so it answers as one types."""
    for parameter in (ALPHA, BETA):
        number_field(parameter, f"compare/{parameter.name}", on_change=_settle, persist_state="session")
    st.segmented_control(
        "Computed",
        METHODS,
        required=True,
        key=f"compare/{METHOD}",
        help="Exactly, or as Sakai's Excel tools do.",
        on_change=_settle,
        persist_state="session",
    )
    link.complain(st.session_state[_COMPLAINTS])
    linked: tuple[MeasureVariance, ...] = st.session_state[_LINKED]
    return Asked(
        st.session_state[f"compare/{ALPHA.name}"],
        st.session_state[f"compare/{BETA.name}"],
        st.session_state[f"compare/{METHOD}"],
        linked or tuple(data.variances()),
        bool(linked),
    )


def _start() -> None:
    """Take what the link asks for, and the defaults for the rest."""
    found = link.read((ALPHA, BETA), texts=(METHOD, VARIANCE, link.SOURCE))
    method, complaint = link.one_of(METHOD, METHODS)
    variances, more = _variances()
    complaints = [*found.complaints, *([complaint] if complaint else []), *more]
    values = {ALPHA.name: ALPHA.default, BETA.name: BETA.default} | found.values
    try:
        check_error_probabilities(values[ALPHA.name], values[BETA.name])
    except InputError as error:
        said = f"The values in this link were not used: {error}."
        complaints.append(link.Complaint(said, error.parameter))
        values = {ALPHA.name: ALPHA.default, BETA.name: BETA.default}
    for name, value in (values | {METHOD: method}).items():
        st.session_state[f"compare/{name}"] = value
    st.session_state[_LINKED] = variances
    st.session_state[_COMPLAINTS] = tuple(complaints)


def _variances() -> tuple[tuple[MeasureVariance, ...], list[link.Complaint]]:
    """Read ``variance=measure:number`` and, in the same order, where each comes from."""
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


def _settle() -> None:
    """Forget what was wrong with the link once the user has moved on."""
    st.session_state[_COMPLAINTS] = ()


def _take_diversity() -> None:
    st.session_state[_LINKED] = diversity_variances()
    _settle()


def _forget_link() -> None:
    st.session_state[_LINKED] = ()
    _settle()
