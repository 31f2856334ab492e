"""What the error rate page asks: which scores, which difference, topics and tolerated rate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import data, frame, link
from topicset_core.analyses.error_rate.reading import Reading
from topicset_core.analyses.error_rate.settings import N_TRIALS, SEED
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.error_rate import SET_SIZE
from topicset_core.errors import InputError
from topicset_core.parameters import MAX_ERROR, MIN_D, Parameter
from topicset_core.preparation import Steps, prepare

PAGE = "error-rate"
DIFFERENCE = replace(
    MIN_D,
    label="Difference found between two runs",
    help="In units of the measure: what a comparison on these topics has shown.",
    default=0.05,
)
TOPICS = replace(
    SET_SIZE,
    label="n, topics on which it was found",
    help="As many other topics are the judges. More than the scores have may be asked.",
)
FIELDS = (DIFFERENCE, TOPICS, MAX_ERROR, N_TRIALS, SEED)

WORST, BOOTSTRAP = "without_worst_quarter", "bootstrap"
_YES, _NO = "yes", "no"
_QUARTER = 0.25
_VALID, _COMPLAINTS = f"{PAGE}/valid", f"{PAGE}/complaints"


@dataclass(frozen=True)
class Asked:
    """A valid question.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores in question, without the worst quarter of the runs where that was asked for.
    said : tuple of str
        What was done to them.
    values : dict
        Number by parameter name, valid all.
    without_worst, bootstrap : bool
        The two switches.
    """

    matrix: ScoreMatrix
    said: tuple[str, ...]
    values: dict[str, float]
    without_worst: bool
    bootstrap: bool

    @property
    def n_trials(self) -> int:
        """Trials of the whole experiment."""
        return int(self.values[N_TRIALS.name])

    @property
    def url(self) -> str:
        """The full link; it carries the question, not the scores."""
        switches = {WORST: self.without_worst, BOOTSTRAP: self.bootstrap}
        return link.write(
            self.values
            | {name: _YES if on else _NO for name, on in switches.items()}
            | {link.MEASURE: self.matrix.measure}
        )


def ask() -> Asked:
    """Draw the form; it answers as one types, and keeps the last valid values for what breaks a rule."""
    matrices = data.matrices()
    if _VALID not in st.session_state:
        _start(matrices)
    matrix = _chosen(matrices)
    without_worst = st.toggle(
        "Drop the worst quarter",
        key=f"{PAGE}/{WORST}",
        persist_state="session",
        help="Of the runs, by mean score, as in the literature: poor runs differ so much from others that nobody "
        "would confuse them.",
    )
    for field in FIELDS[:3]:
        _number(field)
    with st.expander("The experiment"):
        bootstrap = st.toggle(
            "Bootstrap",
            key=f"{PAGE}/{BOOTSTRAP}",
            persist_state="session",
            help="Goes beyond half of the topics: draws them with replacement, each set for itself, after Sakai "
            "(2006). The same topics come again and again, so what it shows is less than what new topics would.",
        )
        for field in FIELDS[3:]:
            _number(field)
    values = _valid_values()
    matrix, said = _prepared(matrix, without_worst=without_worst)
    return Asked(matrix, said, values, without_worst, bootstrap)


def offer_link(asked: Asked) -> None:
    """Show a button that opens the link; unlike those of the designs it needs the scores beside it."""
    with st.popover("Link to this question", icon=":material/link:"):
        st.markdown(
            "It carries every value in full precision. Scores do not travel in a link: on the same scores it "
            "shows the same answer."
        )
        st.code(asked.url, language=None, wrap_lines=True)


def no_answer(error: InputError) -> str:
    """Return why these scores have no error rates, in a sentence."""
    return f"These scores have no error rates: {error.parameter} {error.rule}."


def say_preparation(asked: Asked, reading: Reading) -> None:
    """Write what was done to the scores, and where the answer goes beyond what they can show."""
    if asked.said:
        st.markdown(f":small[{frame.plain(' '.join(asked.said))}]")
    if reading.is_beyond:
        half = reading.topics_of_matrix // 2
        st.markdown(
            f"Two sets of {reading.n_topics:,} topics without common ones cannot be drawn from "
            f"{reading.topics_of_matrix:,}, so this is carried beyond what the experiment below shows, which "
            f"ends at {half:,}."
        )


def _start(matrices: Sequence[ScoreMatrix]) -> None:
    """Take what the link asks for, and the defaults for the rest."""
    found = link.read(FIELDS, texts=(WORST, BOOTSTRAP, link.MEASURE))
    complaints = list(found.complaints)
    defaults = {field.name: field.default for field in FIELDS} | {TOPICS.name: matrices[0].n_topics}
    values = {field.name: _typed(field, (defaults | found.values)[field.name]) for field in FIELDS}
    for name, value in values.items():
        st.session_state[f"{PAGE}/{name}"] = value
    for switch in (WORST, BOOTSTRAP):
        choice, complaint = link.one_of(switch, [_NO, _YES])
        st.session_state[f"{PAGE}/{switch}"] = choice == _YES
        complaints += [complaint] if complaint else []
    measures = [matrix.measure for matrix in matrices]
    if found.measure and found.measure in measures:
        st.session_state[f"{PAGE}/matrix"] = measures.index(found.measure)
    elif found.measure:
        complaints.append(f"{link.MEASURE}={found.measure} in this link: no such scores are in use.")
    st.session_state[_VALID] = values
    st.session_state[_COMPLAINTS] = tuple(complaints)


def _chosen(matrices: Sequence[ScoreMatrix]) -> ScoreMatrix:
    """Let the user choose among the matrices in use."""
    if st.session_state.get(f"{PAGE}/matrix", 0) >= len(matrices):  # it was removed since
        st.session_state[f"{PAGE}/matrix"] = 0
    place = st.selectbox(
        "Scores",
        range(len(matrices)),
        format_func=lambda at: f"{matrices[at].measure}, {matrices[at].name}",
        key=f"{PAGE}/matrix",
        persist_state="session",
    )
    return matrices[place]


def _number(field: Parameter) -> None:
    """Draw one number; what it may be is for the core to say."""
    place = st.container(gap="xxsmall")
    key = f"{PAGE}/{field.name}"
    if key not in st.session_state:
        st.session_state[key] = st.session_state[_VALID][field.name]
    place.number_input(
        field.label,
        step=int(field.step) if field.integer else field.step,
        format=None if field.integer else "%.6g",
        key=key,
        persist_state="session",
        on_change=_settle,
    )
    place.markdown(f":small[:gray[{field.help}]]")


def _valid_values() -> dict[str, float]:
    """Return the numbers typed; for one that breaks its rule the last that did not, which is said."""
    values: dict[str, float] = dict(st.session_state[_VALID])
    complaints = list(st.session_state[_COMPLAINTS])
    for field in FIELDS:
        typed = st.session_state[f"{PAGE}/{field.name}"]
        try:
            values[field.name] = _typed(field, field.check(typed))
        except InputError as error:
            kept = f"The answer shown is for {values[field.name]:g}."
            complaints.append(f"{field.label}: {typed:g} {error.rule}. {kept}")
    st.session_state[_VALID] = values
    link.complain(complaints)
    return values


def _prepared(matrix: ScoreMatrix, *, without_worst: bool) -> tuple[ScoreMatrix, tuple[str, ...]]:
    if not without_worst:
        return matrix, ()
    try:
        done = prepare(matrix, Steps(worst_fraction=_QUARTER))
    except InputError as error:
        link.complain([f"No run was dropped: the share of the worst {error.rule}."])
        return matrix, ()
    return done.matrix, tuple(done.said)


def _typed(field: Parameter, value: float) -> float:
    """Return the value as the number field wants it: whole numbers as int."""
    return int(value) if field.integer else float(value)


def _settle() -> None:
    """Forget what was wrong with the link once the user has moved on."""
    st.session_state[_COMPLAINTS] = ()
