"""What the error rate page shows below its answer: the experiment, theory, the map, design, the check."""

import streamlit as st

from pages.parts import figure, frame
from topicset_core.analyses.error_rate import Answer
from topicset_core.analyses.error_rate.charts import TITLES, error_by_factor
from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.extrapolation import ExtrapolationCheck
from topicset_core.analyses.error_rate.prediction import Prediction, percent
from topicset_core.analyses.error_rate.report import check_table, published_table, wide_table
from topicset_core.analyses.error_rate.theory import pairs_of
from topicset_core.analyses.error_rate.two_runs import TwoRuns
from topicset_core.designs import error_rate
from topicset_core.designs.error_rate_curves import factor_curves
from topicset_core.errors import NoSolution
from topicset_core.exports.figures import Figure

_FACTORS = {"topics": 0, "difference": 1, "variance": 2}
_COUNTED_BINS = 10


def say(prediction: Prediction) -> None:
    """Write the number, the sentence, and how sure it is."""
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"Chance that other topics reverse this: :primary[{percent(prediction.error)}]")
        st.markdown(frame.plain(prediction.sentence))
    if prediction.certainty:
        with st.container(key="uncertainty"):
            st.markdown(prediction.certainty)


def say_two_runs(found: TwoRuns | None) -> None:
    """Write what is known about the two runs that were named."""
    if found is not None:
        with st.container(key="two-runs"):
            st.markdown(frame.plain(found.sentence))


def show_published(answer: Answer) -> None:
    """Show table 1 of Lin and Hauptmann beside the same of these scores."""
    st.markdown(
        "Lin and Hauptmann's table 1 has the variance of a difference of two means (50 topics) by the size of "
        "the difference. They publish no fitted coefficients: by their Eq. 13 the error rate is $b_1 e^{-b_2 n}$ "
        "with $b_1 = 1/2$ and $b_2 = 2 d^2 / (\\pi \\sigma^2)$, where $\\sigma^2$ is the variance of a per-topic "
        "difference; $d$ is the middle of the level here. Fits to the experiment are of pairs **observed** that "
        "far apart, so their $b_1$ need not be 1/2."
    )
    labels = {
        "difference_from": "difference from",
        "difference_below": "below",
        "variance_trec_3": "variance, TREC-3",
        "variance_trec_6": "variance, TREC-6",
        "variance_here": "variance, these scores",
        "pairs_here": "pairs",
        "b1_eq_13": "b₁, Eq. 13",
        "b1_fitted": "b₁, fitted",
        "b2_trec_3": "b₂, TREC-3",
        "b2_trec_6": "b₂, TREC-6",
        "b2_eq_13_here": "b₂, Eq. 13, these scores",
        "b2_fitted": "b₂, fitted",
    }
    rounded = {name: st.column_config.NumberColumn(label, format="%.3g") for name, label in labels.items()}
    st.dataframe(
        published_table(answer),
        hide_index=True,
        column_config=rounded,
        alt="Table 1 of Lin and Hauptmann, and fits",
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
        Figure(
            "factor",
            error_by_factor(
                curve,
                value=point[curve.factor],
                error=error,
                measure=prediction.measure,
                mode=frame.chart_mode(),
            ),
            f"{TITLES[curve.factor][0]}, Eq. 8; {percent(error)} at the present values.",
        )
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
