"""A form that answers as one types, about one matrix of the scores in use: the analyses of matrices share it.

A number that breaks its rule is named beside the form, and the last one that did not is answered for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.parts import frame, link
from pages.parts.fields import kind_of, number_field
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameter import Parameter
from topicset_core.preparation import Steps, prepare

YES, NO = "yes", "no"
"""How links write a switch."""

WORST = "without_worst_quarter"
"""Name of the switch that drops poor runs."""

WORST_QUARTER = 0.25


@dataclass(frozen=True)
class LiveForm:
    """The form of one page.

    Parameters
    ----------
    page : str
        Prefix of the page's keys.
    fields : tuple of Parameter
        Its numbers.
    """

    page: str
    fields: tuple[Parameter, ...]

    @property
    def is_new(self) -> bool:
        """Whether this session has not seen the page yet."""
        return f"{self.page}/valid" not in st.session_state

    def start(
        self,
        matrices: Sequence[ScoreMatrix],
        choices: Mapping[str, Sequence[str]],
        switches: Sequence[str],
        defaults: Callable[[], Mapping[str, float]],
        texts: Sequence[str] = (),
    ) -> None:
        """Take what the link asks for, and the defaults for the rest.

        Parameters
        ----------
        matrices : sequence of ScoreMatrix
            Scores in use; a link names one by its measure. None where `choices` have the measure.
        choices : mapping of str to sequence of str
            What can be chosen, by name; the first where the link does not say.
        switches : sequence of str
            Names of what is on or off.
        defaults : callable
            Numbers that start otherwise than usual; called once the choices stand.
        texts : sequence of str
            Names of what else a link may carry; the page reads it itself.
        """
        found = link.read(self.fields, texts=(*choices, *switches, *texts, link.MEASURE))
        complaints = list(found.complaints)
        for name, options in (choices | dict.fromkeys(switches, (NO, YES))).items():  # type: ignore[operator]
            choice, complaint = link.one_of(name, options)
            st.session_state[f"{self.page}/{name}"] = choice == YES if name in switches else choice
            complaints += [complaint] if complaint else []
        usual = {field.name: field.default for field in self.fields} | dict(defaults())
        values = {field.name: kind_of(field)((usual | found.values)[field.name]) for field in self.fields}
        for name, value in values.items():
            st.session_state[f"{self.page}/{name}"] = value
        measures = [matrix.measure for matrix in matrices]
        if found.measure and found.measure in measures:
            st.session_state[f"{self.page}/matrix"] = measures.index(found.measure)
        elif found.measure and link.MEASURE not in choices:
            said = f"{link.MEASURE}={found.measure} in this link: no such scores are in use."
            complaints.append(link.Complaint(said, link.MEASURE))
        st.session_state[f"{self.page}/valid"] = values
        st.session_state[f"{self.page}/complaints"] = tuple(complaints)

    def matrix(self, matrices: Sequence[ScoreMatrix]) -> ScoreMatrix:
        """Let the user choose among the matrices in use."""
        key = f"{self.page}/matrix"
        if st.session_state.get(key, 0) >= len(matrices):  # it was removed since
            st.session_state[key] = 0
        place = st.selectbox(
            "Scores",
            range(len(matrices)),
            format_func=lambda at: f"{matrices[at].measure}, {matrices[at].name}",
            key=key,
            persist_state="session",
        )
        return matrices[place]

    def switch(self, name: str, label: str, help_text: str) -> bool:
        """Draw a switch."""
        return st.toggle(label, key=f"{self.page}/{name}", persist_state="session", help=help_text)

    def number(self, field: Parameter) -> None:
        """Draw one number; what it may be is for the core to say."""
        key = f"{self.page}/{field.name}"
        if key not in st.session_state:
            st.session_state[key] = st.session_state[f"{self.page}/valid"][field.name]
        number_field(field, key, persist_state="session", on_change=self.settle)

    def values(self) -> dict[str, float]:
        """Return the numbers typed; for one that breaks its rule the last that did not, which is said."""
        values: dict[str, float] = dict(st.session_state[f"{self.page}/valid"])
        complaints = list(st.session_state[f"{self.page}/complaints"])
        for field in self.fields:
            typed = st.session_state.get(f"{self.page}/{field.name}", values[field.name])
            try:
                values[field.name] = kind_of(field)(field.check(typed))
            except InputError as error:
                kept = f"The answer shown is for {values[field.name]:g}."
                said = f"{field.label}: {typed:g} {error.rule}. {kept}"
                complaints.append(link.Complaint(said, field.name))
        st.session_state[f"{self.page}/valid"] = values
        link.complain(complaints)
        return values

    def settle(self) -> None:
        """Forget what was wrong with the link once the user has moved on."""
        st.session_state[f"{self.page}/complaints"] = ()


def prepared(matrix: ScoreMatrix, steps: Steps) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return the scores prepared and what was done; as they are, with a complaint, where that cannot be."""
    if steps.does_nothing:
        return matrix, ()
    try:
        done = prepare(matrix, steps)
    except InputError as error:
        said = f"The scores are as loaded: {error.parameter} {error.rule}."
        link.complain([link.Complaint(said, error.parameter)], key=None)
        return matrix, ()
    return done.matrix, tuple(done.said)


def say_preparation(said: Sequence[str]) -> None:
    """Write what was done to the scores."""
    if said:
        with st.container(key="preparation"):
            st.markdown(f":small[{frame.plain(' '.join(said))}]")


def offer_link(url: str) -> None:
    """Show a button that opens the link; unlike those of the designs it needs the scores beside it."""
    link.offer(
        url, "every value in full precision, but not the scores; on the same scores it shows the same answer"
    )


def written(switches: Mapping[str, bool]) -> dict[str, str]:
    """Return switches as links write them."""
    return {name: YES if on else NO for name, on in switches.items()}
