"""A number that is asked for, with its one line of help under it: every form draws it so."""

from typing import Any

import streamlit as st

from topicset_core.parameter import Parameter


def number_field(parameter: Parameter, key: str, **options: Any) -> float | None:
    """Draw the field and return what is in it; what it may be is for the core to say.

    Parameters
    ----------
    parameter : Parameter
        Gives label, step and help.
    key : str
        Of the widget; a value already kept under it is shown.
    **options
        Of `st.number_input`, as `value`, `on_change` or `format`.
    """
    place = st.container(gap="xxsmall")
    kind = kind_of(parameter)
    typed = place.number_input(
        parameter.label,
        key=key,
        step=kind(parameter.step),
        **({"format": None if parameter.integer else "%.6g"} | options),
    )
    place.markdown(f":small[:gray[{parameter.help}]]")
    return typed


def kind_of(parameter: Parameter) -> type[int] | type[float]:
    """Return the type a number field wants of this parameter: value and step must agree."""
    return int if parameter.integer else float
