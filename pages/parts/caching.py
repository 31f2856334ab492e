"""The only place where results are cached.

Keys are scalars and digests only. Streamlit's own hashing of large arrays samples them and returns
stale numbers, and a cached function that read the session could show one user another's data;
so nothing here hashes an array or reads `st.session_state`: scores come along unhashed, behind an
underscore, and their digests are the key.
"""

import streamlit as st

from topicset_core.analyses.score_variance.preparation_effect import standard_rule
from topicset_core.analyses.score_variance.uncertainty import Round, rounds
from topicset_core.analyses.sizing import Curves, curves_around
from topicset_core.collection import ScoreMatrix
from topicset_core.samples.simulated import simulated_task

_ENTRIES = 200  # of some ten kilobytes each


@st.cache_resource
def sample_matrices() -> tuple[ScoreMatrix, ...]:
    """Return the built-in simulated sample, made once a server."""
    return simulated_task()


@st.cache_data(max_entries=_ENTRIES)
def design_curves(design: str, values: tuple[tuple[str, float], ...], topics: int) -> Curves:
    """Return the curves around one answer.

    Parameters
    ----------
    design : str
        Name of the design.
    values : tuple of (name, value)
        Its requirements.
    topics : int
        The required topics.
    """
    return curves_around(design, dict(values), topics)


@st.cache_resource(scope="session", max_entries=20)
def task_rounds(
    names: tuple[str, ...],  # noqa: ARG001 - in the key, as digests leave names out
    digests: tuple[str, ...],  # noqa: ARG001 - tells scores apart in the key
    *,
    _matrices: tuple[ScoreMatrix, ...],
) -> tuple[Round, ...]:
    """Return the rounds of a task with what each asks for.

    Parameters
    ----------
    names, digests : tuple of str
        Of the matrices.
    _matrices : tuple of ScoreMatrix
        In the order of the rounds.
    """
    return rounds(_matrices, standard_rule())
