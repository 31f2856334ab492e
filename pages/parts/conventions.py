"""How grades become scores: one set of fields for every page that scores runs, with presets for all at once."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.parts import runs_data
from pages.parts.form import Form, fields_of
from topicset_core.measures.conventions import NAMED_CONVENTIONS, Conventions

FIELDS = tuple(one for one in fields_of(Conventions) if one.name != runs_data.LEVEL.name)
KEYS = tuple(one.name for one in FIELDS)


def draw(form: Form) -> None:
    """Draw the fields; `of` makes conventions from their values."""
    for one in FIELDS:
        form.draw(one)


def of(values: Mapping[str, Any]) -> Conventions:
    """Return the conventions that these values are, by name, with the relevance level of all pages."""
    return Conventions(relevance_level=runs_data.relevance_level(), **{name: values[name] for name in KEYS})


def presets(form: Form, then: Callable[[], None]) -> None:
    """Draw a button for each set of conventions that has a name; the relevance level stays."""

    def fill(named: Conventions) -> None:
        form.keep({name: getattr(named, name) for name in KEYS}, shown=True)
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
