"""How grades become scores: one set of fields for every page that scores runs, with presets for all at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts import frame
from pages.parts.form import Choice, Form, Number
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.measures.conventions import NAMED_CONVENTIONS, Conventions, level_in_words
from topicset_core.parameters import LARGEST_GRADE, RELEVANCE_LEVEL

_LEVEL = Number(RELEVANCE_LEVEL)
_GAINS = Choice(
    "gains",
    "Gain of grade x in nDCG and Q",
    {"linear": "x, as trec_eval", "exponential": "2^x - 1, as Sakai 2016"},
    help="D-nDCG and D#-nDCG take 2^x - 1 always.",
)
_DENOMINATOR = Choice(
    "denominator",
    "AP and Q with a cutoff are divided by",
    {"R": "R, as trec_eval", "min(md, R)": "min(md, R), as Sakai 2016"},
    help="R: relevant documents; md: the cutoff.",
)
_LARGEST = Number(LARGEST_GRADE, empty="the largest grade in the qrels")

FIELDS = (_LEVEL, _GAINS, _DENOMINATOR, _LARGEST)
KEYS = tuple(one.name for one in FIELDS)
_MOST_BUTTONS = 5  # grades that are offered as buttons


def draw(form: Form) -> None:
    """Draw the fields; `of` makes conventions from their values."""
    for one in FIELDS:
        form.draw(one)


def of(values: Mapping[str, Any]) -> Conventions:
    """Return the conventions that these values are, by name.

    Raises
    ------
    InputError
        If one of them is out of range.
    """
    largest = values[_LARGEST.name]
    return Conventions(
        relevance_level=int(RELEVANCE_LEVEL.check(values[_LEVEL.name])),
        gains=values[_GAINS.name],
        denominator=values[_DENOMINATOR.name],
        largest_grade=None if largest is None else int(LARGEST_GRADE.check(largest)),
    )


def presets(form: Form, then: Callable[[], None]) -> None:
    """Draw a button for each set of conventions that has a name; the relevance level stays.

    Parameters
    ----------
    form : Form
        With `FIELDS`; it answers when a button is pressed.
    then : callable
        Called after the fields were filled.
    """

    def fill(named: Conventions) -> None:
        form.keep({name: value for name, value in vars(named).items() if name != _LEVEL.name}, shown=True)
        then()

    with st.container(horizontal=True, gap="xsmall"):
        for name, named in NAMED_CONVENTIONS.items():
            st.button(
                f"as {name}",
                key=f"{form.page}/preset-{name}",
                on_click=fill,
                args=(named,),
                help=f"Gains {named.gains}; AP and Q with a cutoff divided by {named.denominator}; xmax of ERR and "
                "nERR the largest grade in the qrels.",
            )


def level_line(form: Form, level: int, collections: Sequence[JudgedRuns], then: Callable[[], None]) -> None:
    """Show next to the headline from which grade documents are relevant, with the control that changes it.

    Parameters
    ----------
    form : Form
        With `FIELDS`.
    level : int
        Conventions with which the answer was computed.
    collections : sequence of JudgedRuns
        Nothing is drawn where no judgment has a grade above 1.
    then : callable
        Called after another level was chosen.
    """
    largest = max(int(one.qrels.grades.max()) for one in collections)
    text = level_in_words(level, largest)
    if not text:
        return
    key = f"{form.page}/level-now"

    def change() -> None:
        form.keep({_LEVEL.name: st.session_state[key]}, shown=True)
        then()

    st.session_state[key] = level
    with st.container(key="relevance-level", horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[{frame.plain(text)}]", width="content")
        options = range(1, largest + 1)
        label = "Relevant from grade"
        more: dict[str, Any] = {"key": key, "on_change": change, "label_visibility": "collapsed"}
        if largest <= _MOST_BUTTONS:
            st.segmented_control(label, options, required=True, **more)
        else:
            st.selectbox(label, options, width=90, **more)
