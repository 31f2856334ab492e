"""The only place where results are cached.

Keys are scalars and digests only. Streamlit's own hashing of large arrays samples them and returns
stale numbers, and a cached function that read the session could show one user another's data;
so nothing here takes an array or reads `st.session_state`.
"""

import streamlit as st

from topicset_core.collection import ScoreMatrix
from topicset_core.designs import one_way_anova, paired_t
from topicset_core.designs.curves import (
    PowerCurve,
    TopicsCurve,
    anova_power_curve,
    anova_topics_curves,
    paired_power_curve,
    paired_topics_curve,
)
from topicset_core.samples.simulated import simulated_task

_ENTRIES = 200  # of some ten kilobytes each


@st.cache_resource
def sample_matrices() -> tuple[ScoreMatrix, ...]:
    """Return the built-in simulated sample, made once a server."""
    return simulated_task()


@st.cache_data(max_entries=_ENTRIES)
def anova_curves(
    alpha: float, beta: float, min_d: float, within_system_variance: float, n_systems: int, topics: int
) -> tuple[tuple[TopicsCurve, ...], PowerCurve]:
    """Return the curves of the one-way ANOVA page."""
    wanted = one_way_anova.Requirements(
        alpha=alpha,
        beta=beta,
        min_d=min_d,
        within_system_variance=within_system_variance,
        n_systems=n_systems,
    )
    return anova_topics_curves(wanted), anova_power_curve(wanted, topics)


@st.cache_data(max_entries=_ENTRIES)
def paired_t_curves(
    alpha: float, beta: float, min_d: float, difference_variance: float, topics: int
) -> tuple[TopicsCurve, PowerCurve]:
    """Return the curves of the paired t test page."""
    wanted = paired_t.Requirements(
        alpha=alpha, beta=beta, min_d=min_d, difference_variance=difference_variance
    )
    return paired_topics_curve(wanted), paired_power_curve(wanted, topics)
