"""What a job has so far, by the question that it is about: the job puts it here, the page looks.

It stays when the job is cancelled, until the next one begins.
"""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import job


@dataclass
class Partial:
    """A question and what is known of its answer; None before the first."""

    key: object
    found: Any = None

    def show(self, found: object) -> None:
        """Take what there is now, in place of what there was."""
        self.found = found


def begin(name: str, key: object) -> Partial:
    """Return the place where a job that begins puts what it has.

    Parameters
    ----------
    name : str
        Of the job.
    key : object
        The question.
    """
    partial = st.session_state[_place(name)] = Partial(key)
    return partial


def known(name: str, key: object) -> Any:
    """Return what a running or cancelled job has of the answer to a question, None where nothing."""
    kept: Partial | None = st.session_state.get(_place(name))
    return kept.found if kept is not None and kept.key == key else None


def is_about(name: str, key: object) -> bool:
    """Return whether the job under way answers a question, and not another one."""
    kept: Partial | None = st.session_state.get(_place(name))
    return kept is not None and kept.key == key and job.is_running(name)


def _place(name: str) -> str:
    return f"{name}/partial"
