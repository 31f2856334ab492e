"""How grades become scores: one set of fields for every page that scores runs, with presets for all at once."""

import streamlit as st

from pages.parts import runs_data
from pages.parts.form import Choice, Form, Number
from topicset_core.measures.conventions import NAMED_CONVENTIONS, Conventions
from topicset_core.parameters import LARGEST_GRADE

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

FIELDS = (_GAINS, _DENOMINATOR, _LARGEST)


def draw(form: Form) -> None:
    """Draw the fields; `of` makes conventions from their values."""
    for one in FIELDS:
        form.draw(one)


def of(form: Form) -> Conventions:
    """Return the conventions of a form, once its values are known, with the relevance level of all pages."""
    state = st.session_state
    return Conventions(
        relevance_level=runs_data.relevance_level(),
        gains=state[f"{form.page}/{_GAINS.name}"],
        denominator=state[f"{form.page}/{_DENOMINATOR.name}"],
        largest_grade=form.kept(_LARGEST.name),
    )


def presets(form: Form) -> bool:
    """Draw a button for each set of conventions that has a name; return whether one is pressed.

    The relevance level stays.
    """

    def fill(named: Conventions) -> None:
        form.keep({_LARGEST.name: named.largest_grade}, shown=True)
        words = {one.name: getattr(named, one.name) for one in (_GAINS, _DENOMINATOR)}
        st.session_state.update({f"{form.page}/{name}": word for name, word in words.items()})

    with st.container(horizontal=True, gap="xsmall"):
        pressed = [
            st.button(
                f"as {name}",
                key=f"{form.page}/preset-{name}",
                on_click=fill,
                args=(named,),
                help=f"Gains {named.gains}; AP and Q with a cutoff divided by {named.denominator}; xmax of ERR and "
                "nERR the largest grade in the qrels.",
            )
            for name, named in NAMED_CONVENTIONS.items()
        ]
    return any(pressed)
