"""What every page of a power design shows below its form: number, charts, table, exports, reasons."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.parts import answer, downloads, figure, frame, link
from pages.parts.question import Question
from topicset_core.charts.power_by_topics import power_by_topics
from topicset_core.charts.topics_by_min_d import topics_by_min_d
from topicset_core.designs.curves import PowerCurve, TopicsCurve
from topicset_core.designs.results import PowerResult
from topicset_core.errors import InputError, NoSolution


def solve(required_topics: Callable[[], PowerResult]) -> PowerResult:
    """Return the answer, or say why there is none and end the page."""
    try:
        return required_topics()
    except NoSolution as error:
        st.error(f"No answer: {error}. Allow a larger minD, or a larger α or β.")
        st.stop()


def solve_as_published(required_topics: Callable[[], PowerResult]) -> PowerResult | str:
    """Return the answer of Sakai's Excel tool, or why it has none."""
    try:
        return required_topics()
    except InputError as error:
        return error.rule
    except NoSolution as error:
        return str(error)


def show_answer(
    asked: Question, exact: PowerResult, published: PowerResult | str, *, sentence: str, why: str
) -> None:
    """Write the number in its sentence, the evidence, the published number, the link."""
    answer.number(exact.required_topics, sentence)
    answer.evidence(exact)
    answer.beside_published(exact, published, why)
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(link.write(asked.values, asked.measure, asked.variance_source))
        figure.print_style_switch()


def show_charts(
    asked: Question, exact: PowerResult, curves: Sequence[TopicsCurve], power: PowerCurve
) -> None:
    """Draw topics against minD, and power against topics, each with the user's point ringed."""
    wanted = exact.requirements
    mode = frame.chart_mode()
    figure.show(
        topics_by_min_d(
            curves,
            min_d=wanted.min_d,
            required_topics=exact.required_topics,
            measure=asked.measure,
            mode=mode,
        ),
        key="topics",
        name="topics-by-minD",
        alt=f"Required topics fall with the square of minD; at minD {wanted.min_d:g} they are "
        f"{exact.required_topics:,}.",
    )
    figure.show(
        power_by_topics(
            power,
            required_topics=exact.required_topics,
            attained_power=exact.attained_power,
            target=1 - wanted.beta,
            mode=mode,
        ),
        key="power",
        name="power-by-topics",
        alt=f"Power rises with the number of topics and passes {100 * (1 - wanted.beta):g} % at "
        f"{exact.required_topics:,} topics.",
    )


def show_table(
    asked: Question, table: Sequence[TopicsCurve], curves: Sequence[TopicsCurve], power: PowerCurve
) -> None:
    """Show a table of required topics, and offer the numbers behind both charts."""
    st.subheader("Required topics", anchor=False)
    st.dataframe(
        {f"minD ({asked.measure})": table[0].min_d} | {curve.label: curve.topics for curve in table},
        hide_index=True,
        width="content",
        alt="Required topics for several minD",
    )
    with st.container(horizontal=True):
        downloads.csv(
            "Topics by minD, CSV",
            lambda: (
                {"min_d": curves[0].min_d.tolist()}
                | {f"topics, {curve.label}": curve.topics.tolist() for curve in curves}
            ),
            name="topics-by-minD",
            key="csv-topics",
        )
        downloads.csv(
            "Power by topics, CSV",
            lambda: {
                "n_topics": power.n_topics.tolist(),
                "power_exact": power.exact.tolist(),
                "power_excel_tool": power.published.tolist(),
            },
            name="power-by-topics",
            key="csv-power",
        )
