"""What the error rate page shows below its answer: the experiment, theory, the map, design, the check."""

import streamlit as st

from pages.parts import figure, frame
from topicset_core.analyses.error_rate import Answer
from topicset_core.analyses.error_rate.charts.by_factor import TITLES, error_by_factor
from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.extrapolation import ExtrapolationCheck
from topicset_core.analyses.error_rate.prediction import LEVEL, Prediction, percent
from topicset_core.analyses.error_rate.report import check_table, wide_table
from topicset_core.analyses.error_rate.theory import pairs_of
from topicset_core.designs import error_rate
from topicset_core.designs.error_rate_curves import factor_curves
from topicset_core.errors import NoSolution

_FACTORS = {"topics": 0, "difference": 1, "variance": 2}
_COUNTED_BINS = 10


def say(prediction: Prediction) -> None:
    """Write the number, the sentence, and how sure it is."""
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# Reversed by other topics: :primary[{percent(prediction.error)}]")
        st.markdown(frame.plain(prediction.sentence))
    if prediction.interval is not None:
        with st.container(key="uncertainty"):
            st.markdown(
                f"That hangs on the topics the scores have: a {100 * LEVEL:g} % interval from leaving some out is "
                f"{percent(prediction.interval.low)} to {percent(prediction.interval.high)}."
            )


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


def design_by_formula(answer: Answer) -> None:
    """Say how many topics Eq. 8 asks for, and show its three factors."""
    prediction, pairs = answer.prediction, pairs_of(answer.matrix)
    paired, independent = pairs.mean_paired_variance, pairs.mean_independent_variance
    if paired <= 0:
        st.markdown(
            "The differences between these runs do not vary from topic to topic: one topic is enough."
        )
        return
    measure = frame.plain(prediction.measure)
    st.markdown(
        f"If two systems **truly** differ by {prediction.difference:g} {measure}, Lin and Hauptmann's Eq. 8 keeps "
        f"contradictions at {100 * prediction.max_error:g} % with {_topics(prediction, paired)} at the variance of "
        f"these runs' paired differences (σₜ² = {paired:.4g}), and with {_topics(prediction, independent)} at the "
        f"sum of two systems' variances as the paper has it ({independent:.4g})."
    )
    point = {
        "difference": prediction.difference,
        "difference_variance": paired,
        "n_topics": prediction.n_topics,
    }
    chosen = st.segmented_control(
        "Over", list(_FACTORS), default="topics", required=True, key="error-rate/factor"
    )
    curve = factor_curves(**point)[_FACTORS[chosen]]  # type: ignore[arg-type]
    error = float(error_rate.reer(**point))
    figure.show(
        error_by_factor(
            curve, value=point[curve.factor], error=error, measure=prediction.measure, mode=frame.chart_mode()
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


def _topics(prediction: Prediction, variance: float) -> str:
    wanted = error_rate.Requirements(
        max_error=prediction.max_error, min_d=prediction.difference, difference_variance=variance
    )
    try:
        return f"**{error_rate.required_topics(wanted).required_topics:,}** topics"
    except NoSolution:
        return "more than ten million topics"
