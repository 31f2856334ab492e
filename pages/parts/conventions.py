"""How grades become scores: one set of fields for every page that scores runs, with presets for all at once."""

import streamlit as st

from pages.parts import runs_data
from pages.parts.form import Form, fields_of
from topicset_core.measures.conventions import NAMED_CONVENTIONS, Conventions
from topicset_core.parameters import LARGEST_GRADE

FIELDS = tuple(one for one in fields_of(Conventions) if one.name != runs_data.LEVEL.name)


def draw(form: Form) -> None:
    """Draw the fields; `of` makes conventions from their values."""
    for one in FIELDS:
        form.draw(one)


def of(form: Form) -> Conventions:
    """Return the conventions of a form, once its values are known, with the relevance level of all pages."""
    largest = {LARGEST_GRADE.name: form.kept(LARGEST_GRADE.name)}
    return form.request(Conventions, largest, relevance_level=runs_data.relevance_level())


def presets(form: Form) -> bool:
    """Draw a button for each set of conventions that has a name; return whether one is pressed."""
    # The relevance level stays.

    def fill(named: Conventions) -> None:
        form.keep({LARGEST_GRADE.name: named.largest_grade})
        st.session_state.update({f"{form.page}/{one.name}": getattr(named, one.name) for one in FIELDS})

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
