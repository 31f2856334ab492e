"""What the topic subsets page asks: which scores, what goodness, how much of it, by which method."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from pages.parts import data, frame, link
from topicset_core.analyses.topic_subsets.goodness import MEASURES, GoodnessMeasure, measure_of
from topicset_core.analyses.topic_subsets.request import Method
from topicset_core.analyses.topic_subsets.settings import CARDINALITY, N_TRIALS, SEED, TARGET
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import Parameter
from topicset_core.preparation import GMAP_FLOOR, Steps, prepare

PAGE = "topic-subsets"
FIELDS = (TARGET, CARDINALITY, N_TRIALS, SEED)
GOODNESS, METHOD, WORST, LOG = "goodness", "method", "without_worst_quarter", "log"

_METHODS: dict[Method, str] = {
    "auto": "All subsets where quick, else swaps",
    "exhaustive": "All subsets",
    "local": "Swaps",
    "guiver": "The paper's heuristic",
}
_YES, _NO = "yes", "no"
_QUARTER = 0.25
_VALID, _COMPLAINTS = f"{PAGE}/valid", f"{PAGE}/complaints"


@dataclass(frozen=True)
class Asked:
    """A valid question.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores in question, prepared.
    said : tuple of str
        What was done to them.
    measure : GoodnessMeasure
        How subsets are judged.
    method : {"auto", "exhaustive", "local", "guiver"}
        How they are looked for.
    values : dict
        Number by parameter name, valid all.
    without_worst, log : bool
        The two switches.
    """

    matrix: ScoreMatrix
    said: tuple[str, ...]
    measure: GoodnessMeasure
    method: Method
    values: dict[str, float]
    without_worst: bool
    log: bool

    @property
    def target(self) -> float:
        """Goodness at which curves are read across."""
        return self.values[TARGET.name]

    @property
    def cardinality(self) -> int:
        """Size of the ten best and worst sets; no more than there are topics."""
        return min(int(self.values[CARDINALITY.name]), self.matrix.n_topics)

    @property
    def url(self) -> str:
        """The full link; it carries the question, not the scores."""
        switches = {WORST: self.without_worst, LOG: self.log}
        return link.write(
            {GOODNESS: self.measure.key, METHOD: self.method}
            | self.values
            | {name: _YES if on else _NO for name, on in switches.items()}
            | {link.MEASURE: self.matrix.measure.removeprefix("log ") if self.log else self.matrix.measure}
        )


def ask() -> Asked:
    """Draw the form; it answers as one types, and keeps the last valid values for what breaks a rule."""
    matrices = data.matrices()
    if _VALID not in st.session_state:
        _start(matrices)
    matrix = _chosen(matrices)
    goodness = st.radio(
        "Goodness",
        [measure.key for measure in MEASURES],
        format_func=lambda key: measure_of(key).label,
        key=f"{PAGE}/{GOODNESS}",
        persist_state="session",
        on_change=_take_its_target,
    )
    place = st.container(gap="xxsmall")
    place.markdown(":small[:gray[How the run means over a subset agree with those over all topics.]]")
    _number(TARGET)
    without_worst = st.toggle(
        "Drop the worst quarter",
        key=f"{PAGE}/{WORST}",
        persist_state="session",
        help="Of the runs, by mean score, as in the paper.",
    )
    log = st.toggle(
        "Logarithms",
        key=f"{PAGE}/{LOG}",
        persist_state="session",
        help=f"Geometric means, as GMAP: each score is replaced by its logarithm, from {GMAP_FLOOR:g} on.",
    )
    with st.expander("How subsets are looked for"):
        method = st.radio(
            "Method",
            list(get_args(Method)),
            format_func=lambda key: _METHODS[key],
            key=f"{PAGE}/{METHOD}",
            persist_state="session",
        )
        st.markdown(
            ":small[:gray[Where all subsets were looked at, nothing better exists. Swaps exchange one topic for "
            "another while that gains, from many starts. The paper's heuristic changes the best set of one size "
            "into that of the next.]]"
        )
        for field in FIELDS[2:]:
            _number(field)
    values = _valid_values()
    prepared, said = _prepared(matrix, without_worst=without_worst, log=log)
    return Asked(prepared, said, measure_of(goodness), method or "auto", values, without_worst, log)


def ask_cardinality() -> None:
    """Draw the field for the size of the ten best and worst sets, beside their picture."""
    _number(CARDINALITY)


def offer_link(asked: Asked) -> None:
    """Show a button that opens the link; it needs the scores beside it."""
    link.offer(
        asked.url,
        "every value in full precision, but not the scores; on the same scores it shows the same answer",
    )


def no_answer(error: InputError) -> str:
    """Return why these scores have no subsets to compare, in a sentence."""
    return f"These scores cannot be compared over subsets of topics: {error.parameter} {error.rule}."


def _start(matrices: Sequence[ScoreMatrix]) -> None:
    """Take what the link asks for, and the defaults for the rest."""
    found = link.read(FIELDS, texts=(GOODNESS, METHOD, WORST, LOG, link.MEASURE))
    complaints = list(found.complaints)
    for name, options in (
        (GOODNESS, [measure.key for measure in MEASURES]),
        (METHOD, list(get_args(Method))),
        (WORST, [_NO, _YES]),
        (LOG, [_NO, _YES]),
    ):
        choice, complaint = link.one_of(name, options)
        st.session_state[f"{PAGE}/{name}"] = choice == _YES if name in (WORST, LOG) else choice
        complaints += [complaint] if complaint else []
    defaults = {field.name: field.default for field in FIELDS}
    defaults[TARGET.name] = measure_of(st.session_state[f"{PAGE}/{GOODNESS}"]).target
    values = {field.name: _typed(field, (defaults | found.values)[field.name]) for field in FIELDS}
    for name, value in values.items():
        st.session_state[f"{PAGE}/{name}"] = value
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
        typed = st.session_state.get(f"{PAGE}/{field.name}", values[field.name])
        try:
            values[field.name] = _typed(field, field.check(typed))
        except InputError as error:
            kept = f"The answer shown is for {values[field.name]:g}."
            complaints.append(f"{field.label}: {typed:g} {error.rule}. {kept}")
    st.session_state[_VALID] = values
    link.complain(complaints)
    return values


def _prepared(matrix: ScoreMatrix, *, without_worst: bool, log: bool) -> tuple[ScoreMatrix, tuple[str, ...]]:
    steps = Steps(worst_fraction=_QUARTER if without_worst else None, log_floor=GMAP_FLOOR if log else None)
    if steps.does_nothing:
        return matrix, ()
    try:
        done = prepare(matrix, steps)
    except InputError as error:
        link.complain([f"The scores are as loaded: {error.parameter} {error.rule}."])
        return matrix, ()
    return done.matrix, tuple(done.said)


def _typed(field: Parameter, value: float) -> float:
    """Return the value as the number field wants it: whole numbers as int."""
    return int(value) if field.integer else float(value)


def _take_its_target() -> None:
    """Another measure has another scale: start from what is usual for it."""
    st.session_state[f"{PAGE}/{TARGET.name}"] = measure_of(st.session_state[f"{PAGE}/{GOODNESS}"]).target
    _settle()


def _settle() -> None:
    """Forget what was wrong with the link once the user has moved on."""
    st.session_state[_COMPLAINTS] = ()


def say_preparation(asked: Asked) -> None:
    """Write what was done to the scores."""
    if asked.said:
        st.markdown(f":small[{frame.plain(' '.join(asked.said))}]")
