"""Are some topics reliably good: two halves of the runs compared with exchangeable topics."""

import streamlit as st

from pages.parts import figure, frame
from pages.parts.computation import Computation, expected_time
from pages.parts.topic_subsets.form import PAGE, Settings
from topicset_core.analyses.topic_subsets.held_out.null import (
    NullComparison,
    NullRequest,
    compare_with_null,
    seconds_of,
)
from topicset_core.analyses.topic_subsets.held_out.splits import FEWEST_UNITS
from topicset_core.analyses.topic_subsets.report import (
    null_figure,
    null_headline,
    null_method,
    null_sentence,
    null_table,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.parameters import SEED

NULL: Computation[NullComparison] = Computation(f"{PAGE}-null")


def known(settings: Settings, cardinality: int) -> NullComparison | None:
    """Return the comparison if it was made; None before."""
    return NULL.result(_key(settings, cardinality))


def _key(settings: Settings, cardinality: int) -> tuple[str, NullRequest]:
    """Return the question whether topics are reliably good."""
    request = NullRequest(
        goodness=settings.measure.key,
        cardinality=cardinality,
        seed=int(settings.values[SEED.name]),
    )
    return settings.matrix.digest, request


def compare(settings: Settings, cardinality: int, n_units: int) -> NullComparison | None:
    """Offer the comparison with exchangeable topics, and show its result."""
    NULL.follow()
    key = _key(settings, cardinality)
    request = key[1]
    result = NULL.result(key)
    if result is None:
        if n_units < FEWEST_UNITS or cardinality >= settings.matrix.n_topics:
            st.markdown("There are too few different runs or topics to compare two halves of the runs.")
            return None
        st.markdown(
            "Selection alone puts some topics into most of the good subsets. Do two halves of the runs agree on "
            "these topics more often than on exchangeable topics?"
        )
        if not NULL.is_about(key):
            st.button(
                f"Compare with exchangeable topics{expected_time(seconds_of(settings.matrix, request))}",
                key=f"{NULL.name}/run",
                on_click=_start_null,
                args=(settings.matrix, request),
                icon=":material/play_arrow:",
            )
        return None
    with st.container(key="null", gap="xxsmall"):
        st.markdown(f"**{frame.plain(null_headline(result))}**")
        st.markdown(frame.plain(null_sentence(result).removeprefix(f"{null_headline(result)}. ")))
    figure.show(null_figure(result, frame.chart_mode()), of="topic-subsets")
    st.dataframe(null_table(result), hide_index=True, alt="Lists of topics, and lists of exchangeable topics")
    st.markdown(f":small[{frame.plain(null_method(result))}]")
    return result


def _start_null(matrix: ScoreMatrix, request: NullRequest) -> None:
    NULL.start(
        (matrix.digest, request),
        f"{request.n_replicates:,} matrices of exchangeable topics",
        lambda run: compare_with_null(
            matrix, request, report_progress=run.report_progress, executor=run.executor
        ),
    )
