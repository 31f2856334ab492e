"""What the error rate page shows below its answer: the experiment, theory, the map, design, the check."""

import plotly.graph_objects as go
import streamlit as st

from pages.parts import figure, frame
from pages.parts.error_rate_exports import Answered
from topicset_core.analyses.error_rate.counts import ErrorRates
from topicset_core.analyses.error_rate.extrapolation import ExtrapolationCheck
from topicset_core.analyses.error_rate.intervals import LEVEL
from topicset_core.analyses.error_rate.pairs import pairs_of
from topicset_core.analyses.error_rate.reading import Reading, percent
from topicset_core.analyses.error_rate.surface import Surface
from topicset_core.charts.error_by_factor import TITLES, error_by_factor
from topicset_core.charts.error_rate_curves import error_rate_curves
from topicset_core.charts.error_rate_map import error_rate_map
from topicset_core.charts.error_rate_theory import theory_against_experiment
from topicset_core.charts.style import Mode
from topicset_core.designs import error_rate
from topicset_core.designs.error_rate_curves import factor_curves
from topicset_core.errors import NoSolution
from topicset_core.exports.error_rate_tables import check_table, wide_table

_FACTORS = {"topics": 0, "difference": 1, "variance": 2}
_COUNTED_BINS = 10


def say(reading: Reading) -> None:
    """Write the number, the sentence, and how sure it is."""
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# Reversed by other topics: :primary[{percent(reading.error)}]")
        st.markdown(frame.plain(reading.sentence))
    if reading.interval is not None:
        with st.container(key="uncertainty"):
            st.markdown(
                f"That hangs on the topics the scores have: a {100 * LEVEL:g} % interval from leaving some out is "
                f"{percent(reading.interval.low)} to {percent(reading.interval.high)}."
            )


def charts(answered: Answered, surface: Surface, mode: Mode) -> list[tuple[go.Figure, str]]:
    """Return the figures with what they say: curves, theory, map."""
    asked, reading, counted = answered.asked, answered.reading, answered.counted
    curves = error_rate_curves(counted, expected=answered.expected, tolerated=reading.max_error, mode=mode)
    compared = theory_against_experiment(counted, answered.expected, mode=mode)
    mapped = error_rate_map(
        surface.sizes,
        surface.differences,
        surface.rates,
        n_topics=reading.n_topics,
        difference=reading.difference,
        error=reading.error,
        tolerated=reading.max_error,
        n_topics_of_matrix=asked.matrix.n_topics,
        measure=reading.measure,
        mode=mode,
    )
    return [
        (curves, "Error rates fall with the number of topics, the faster the larger the difference."),
        (compared, "Points of the experiment lie on the theory given the observed difference, not on Eq. 8."),
        (mapped, f"Error rate over difference and topics, with the line of {100 * reading.max_error:g} %."),
    ]


def how_counted(counted: ErrorRates) -> str:
    """Return how many trials there were and how far they settle the rates, in a sentence."""
    error = counted.largest_standard_error(_COUNTED_BINS)
    settled = "" if error is None else f", standard errors up to {percent(error)}"
    sizes = len(counted.cardinalities)
    return f"{counted.n_trials:,} trials for each of {sizes} sizes, seed {counted.seed}{settled}."


def table(counted: ErrorRates) -> None:
    """Show error rates in per cent, a row a size."""
    columns = wide_table(counted)
    two_digits = st.column_config.NumberColumn(format="%.2f")
    st.dataframe(
        columns,
        hide_index=True,
        width="content",
        column_config={name: two_digits for name in columns if name != "topics"},
        alt="Error rates by topics and difference",
    )


def design_by_formula(reading: Reading, answered: Answered) -> None:
    """Say how many topics Eq. 8 asks for, and show its three factors."""
    pairs = pairs_of(answered.asked.matrix)
    paired, independent = pairs.mean_paired_variance, pairs.mean_independent_variance
    if paired <= 0:
        st.markdown(
            "The differences between these runs do not vary from topic to topic: one topic is enough."
        )
        return
    measure = frame.plain(reading.measure)
    st.markdown(
        f"If two systems **truly** differ by {reading.difference:g} {measure}, Lin and Hauptmann's Eq. 8 keeps "
        f"contradictions at {100 * reading.max_error:g} % with {_topics(reading, paired)} at the variance of "
        f"these runs' paired differences (σₜ² = {paired:.4g}), and with {_topics(reading, independent)} at the "
        f"sum of two systems' variances as the paper has it ({independent:.4g})."
    )
    point = {
        "difference": reading.difference,
        "difference_variance": paired,
        "n_topics": reading.n_topics,
    }
    chosen = st.segmented_control(
        "Over", list(_FACTORS), default="topics", required=True, key="error-rate/factor"
    )
    curve = factor_curves(**point)[_FACTORS[chosen]]  # type: ignore[arg-type]
    error = float(error_rate.reer(**point))
    figure.show(
        error_by_factor(
            curve, value=point[curve.factor], error=error, measure=reading.measure, mode=frame.chart_mode()
        ),
        key="factor",
        name="error-by-factor",
        alt=f"{TITLES[curve.factor][0]}, Eq. 8; {percent(error)} at the present values.",
    )


def show_check(found: ExtrapolationCheck) -> None:
    """Show what was predicted from a part of the topics beside what the rest showed."""
    st.markdown(
        f"Predicted from {found.n_topics_used:,} topics what sets of {found.cardinality:,} do; observed among the "
        f"other {found.n_topics_left:,}. The cut has seed {found.seed}. Observed rates have an error of their own, "
        "so the last column is how far apart the two are in standard errors of both, on a log scale. Bins share "
        "topics and miss together."
    )
    columns = check_table(found)
    rounded = st.column_config.NumberColumn(format="%.3g")
    st.dataframe(
        columns,
        hide_index=True,
        width="content",
        column_config={name: rounded for name in columns if name != "difference"},
        alt="Predicted and observed error rates",
    )


def _topics(reading: Reading, variance: float) -> str:
    wanted = error_rate.Requirements(
        max_error=reading.max_error, min_d=reading.difference, difference_variance=variance
    )
    try:
        return f"**{error_rate.required_topics(wanted).required_topics:,}** topics"
    except NoSolution:
        return "more than ten million topics"
