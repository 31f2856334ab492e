"""How far the number of topics depends on the topics that the variance was measured on."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts import data
from pages.parts.variance_choice import Chosen
from topicset_core.analyses.score_variance.uncertainty import VarianceUncertainty, variance_uncertainty
from topicset_core.analyses.sizing import topics_rule
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.results import PowerResult, WidthResult
from topicset_core.designs.search import Floats
from topicset_core.parameters import DIFFERENCE_VARIANCE, WITHIN_SYSTEM_VARIANCE
from topicset_core.variance import Estimate, Weights, resampled_variances
from topicset_core.variance.resampling import DEFAULT_SEED, DEFAULT_TRIALS


def matrices_of(chosen: Chosen) -> Sequence[ScoreMatrix]:
    """Return the matrices that a variance was measured on, none where it was not."""
    return data.by_measure().get(chosen.measure, []) if chosen.estimate is not None else []


def of_answer(
    exact: PowerResult | WidthResult,
    values: dict[str, float],
    chosen: Chosen,
    matrices: Sequence[ScoreMatrix],
) -> VarianceUncertainty | None:
    """Resample the topics of the matrices; None where the variance is not from scores."""
    if chosen.estimate is None or not matrices:
        return None
    variances = (WITHIN_SYSTEM_VARIANCE.name, DIFFERENCE_VARIANCE.name)
    settled = tuple((name, value) for name, value in values.items() if name not in variances)
    return _resampled(
        exact.design,
        settled,
        chosen.estimate.label,
        chosen.weights,
        tuple(matrix.digest for matrix in matrices),
        _estimate=chosen.estimate,
        _matrices=tuple(matrices),
    )


def say(uncertain: VarianceUncertainty) -> None:
    """Write the interval of n in a sentence, with what to think of it."""
    with st.container(key="uncertainty", horizontal=True, vertical_alignment="center"):
        st.markdown(f"The variance is an estimate: {uncertain.sentence}.", width="content")
        with st.popover("How so?"):
            st.markdown(
                "Topics were drawn again within each collection, runs kept, "
                f"{uncertain.n_trials:,} times with seed {uncertain.seed}; each time the variance and the topics "
                f"it asks for were computed anew. The middle {100 * uncertain.interval.level:g} % of the "
                f"variances lie from {uncertain.interval.low:.4g} to {uncertain.interval.high:.4g}. By "
                "simulation such an interval covers the truth a little less often than it says (86 % at 50 "
                "topics), and misses on the side of too few topics: plan above the middle."
            )


@st.cache_resource(scope="session", max_entries=50)
def _resampled(
    design: str,
    settled: tuple[tuple[str, float], ...],
    label: str,
    weights: Weights,
    digests: tuple[str, ...],
    *,
    _estimate: Estimate,
    _matrices: tuple[ScoreMatrix, ...],
) -> VarianceUncertainty:
    values: dict[str, Any] = dict(settled)
    rule = topics_rule(design, **values)
    drawn = _drawn(label, digests, _estimate=_estimate, _matrices=_matrices)
    return variance_uncertainty(_matrices, rule, estimate=_estimate, weights=weights, drawn=drawn)


@st.cache_resource(scope="session", max_entries=20)
def _drawn(
    label: str,  # noqa: ARG001 - tells estimates apart in the key
    digests: tuple[str, ...],  # noqa: ARG001 - tells scores apart in the key
    *,
    _estimate: Estimate,
    _matrices: tuple[ScoreMatrix, ...],
) -> Floats:
    """Return the variances of the resamples: the same whatever a design then asks of them."""
    return resampled_variances(_matrices, _estimate, n_trials=DEFAULT_TRIALS, seed=DEFAULT_SEED)
