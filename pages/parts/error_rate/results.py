"""The results of the error rate page: answer, experiment, theory, map, design, check."""

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
from topicset_core.designs.error_rate import factor_curves
from topicset_core.errors import NoSolution
from topicset_core.exports.figures import Figure

_FACTORS = {"topics": 0, "difference": 1, "variance": 2}
_COUNTED_BINS = 10


def show(prediction: Prediction) -> None:
    """Write the rate with its interval, and the way to the tolerated one."""
    with st.container(key="answer", gap="xxsmall"):
        difference = frame.plain(f"{prediction.difference:g} {prediction.measure}")
        rate, interval = prediction.rate
        text = f"A difference of {difference} is reversed on :primary[{rate}] of other topic sets{interval}"
        frame.headline(text.replace(" %", "\N{NO-BREAK SPACE}%"))
        mark = f" :orange-badge[{prediction.limits}]" if prediction.limits else ""
        st.markdown(frame.plain(prediction.requirements) + mark)


def way_in_words(prediction: Prediction) -> str:
    """Return the topics and the difference that attain the tolerated error rate."""
    return frame.plain(f"{100 * prediction.max_error:g} % needs {prediction.way}")


def formula_in_words(answer: Answer) -> str:
    """Return how many topics Eq. 8 requires with the variance of these runs."""
    paired = pairs_of(answer.matrix).mean_paired_variance
    return f"{_topics(answer.prediction, paired)} by Eq. 8" if paired > 0 else "one topic is enough"


def show_two_runs(result: TwoRuns | None) -> None:
    """Write the comparison of two named runs."""
    if result is not None:
        with st.container(key="two-runs"):
            st.markdown(frame.plain(result.sentence))


def show_published(answer: Answer) -> None:
    """Show table 1 of Lin and Hauptmann next to the same numbers of these scores."""
    st.markdown(
        "Table 1 of Lin and Hauptmann lists the variance of a difference of two means (50 topics) by the size of "
        "the difference. They publish no fitted coefficients. In their Eq. 13 the error rate is $b_1 e^{-b_2 n}$ "
        "with $b_1 = 1/2$ and $b_2 = 2 d^2 / (\\pi \\sigma^2)$, where $\\sigma^2$ is the variance of a per-topic "
        "difference and $d$ is the middle of the level. The fits to the experiment use **observed** differences, "
        "so their $b_1$ can differ from 1/2."
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
    """Return the number of trials and the standard errors of the rates, in a sentence."""
    error = counted.largest_standard_error(_COUNTED_BINS)
    errors = "" if error is None else f", standard errors up to {percent(error)}"
    sizes = len(counted.cardinalities)
    text = f"{counted.n_trials:,} trials for each of {sizes} sizes, seed {counted.seed}{errors}."
    return " ".join(filter(None, (text, counted.sizes_in_words)))


def table(counted: ErrorRates) -> None:
    """Show error rates in per cent, one row per size."""
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
    """Show how many topics Eq. 8 requires, and its three factors."""
    prediction, pairs = answer.prediction, pairs_of(answer.matrix)
    paired, independent = pairs.mean_paired_variance, pairs.mean_independent_variance
    if paired <= 0:
        st.markdown("The differences between these runs are the same on every topic, so one topic is enough.")
        return
    measure = frame.plain(prediction.measure)
    st.markdown(
        f"If two systems **truly** differ by {prediction.difference:g} {measure}, an error rate of "
        f"{100 * prediction.max_error:g} % by Eq. 8 of Lin and Hauptmann requires {_topics(prediction, paired)} "
        f"with the variance of these runs' paired differences (σₜ² = {paired:.4g}), and "
        f"{_topics(prediction, independent)} with the sum of two systems' variances, as in the paper "
        f"({independent:.4g}). The headline is about an **observed** difference, so it needs other numbers."
    )
    point = {
        "difference": prediction.difference,
        "difference_variance": paired,
        "n_topics": prediction.n_topics,
    }
    chosen = st.segmented_control(
        "Vary", list(_FACTORS), default="topics", required=True, key="error-rate/factor"
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
            f"{TITLES[curve.factor][0]}, Eq. 8; {percent(error)} at your values.",
        )
    )


def show_check(result: ExtrapolationCheck) -> None:
    """Show rates predicted from a part of the topics, and those observed on the rest."""
    st.markdown(
        f"Error rates of sets of {result.cardinality:,} topics: predicted from {result.n_topics_used:,} topics, "
        f"observed on the other {result.n_topics_left:,} (random split with seed {result.seed}). Observed rates "
        "have an error, too, so the last column is the difference in standard errors of both, on a log scale. "
        "Bins share topics, so their differences are correlated."
    )
    columns = check_table(result)
    rounded = st.column_config.NumberColumn(format="%.3g")
    st.dataframe(
        columns,
        hide_index=True,
        width="content",
        column_config={name: rounded for name in columns if name != "difference"},
        alt="Predicted and observed error rates",
    )


def _topics(prediction: Prediction, variance: float) -> str:
    requirements = error_rate.Requirements(
        max_error=prediction.max_error, min_d=prediction.difference, difference_variance=variance
    )
    try:
        return f"**{error_rate.required_topics(requirements).required_topics:,}** topics"
    except NoSolution:
        return "more than ten million topics"
