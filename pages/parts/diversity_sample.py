"""Variances of the simulated diversity task, for pages that compare measures."""

import streamlit as st

from pages.parts.data import MeasureVariance
from pages.parts.offered_measures import BY_INTENT
from pages.parts.sample_tracks import SEEDS, sample_track
from topicset_core.analyses.run_evaluation import Request, evaluate
from topicset_core.variance import one_way


@st.cache_resource(show_spinner=False)
def diversity_variances() -> tuple[MeasureVariance, ...]:
    """Return the variance of each measure that a diversity task starts from."""
    (judged,) = sample_track("diversity").judged
    source = f"simulated diversity task of seed {SEEDS['diversity']}"
    return tuple(
        MeasureVariance(matrix.measure, one_way(matrix), f"{source}, {matrix.measure}")
        for matrix in evaluate(judged, Request(measures=BY_INTENT)).matrices
    )
