"""What the topic subsets page shows: the answer, the curve, pixel maps, the table of topics."""

import plotly.graph_objects as go
import streamlit as st

from pages.parts import figure, frame, job
from pages.parts import subsets_work as work
from pages.parts.subsets_form import PAGE, Asked, ask_number
from topicset_core.analyses.topic_subsets.curve import Subset, SubsetCurve
from topicset_core.analyses.topic_subsets.request import CARDINALITY
from topicset_core.analyses.topic_subsets.sentences import (
    answer_sentence,
    certainty_sentence,
    shown,
    statuses_sentence,
)
from topicset_core.analyses.topic_subsets.topic_counts import OFTEN, SELDOM, TopicTable, stability
from topicset_core.charts.certainty_marks import known
from topicset_core.charts.goodness_by_cardinality import goodness_by_cardinality
from topicset_core.charts.style import Mode
from topicset_core.charts.topic_hardness import topic_hardness
from topicset_core.charts.topic_pixel_map import sets_by_cardinality, ten_sets

_LOOK_EVERY_SECONDS = 1.0
_MOST_NAMED = 30


def say(asked: Asked, curve: SubsetCurve) -> None:
    """Write the number, the sentence, the topics, and how sure it is."""
    crossings = curve.crossings(asked.target)
    number = "no number of topics" if crossings.best is None else _topics(crossings.best)
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# Enough, well chosen: :primary[{number}]")
        st.markdown(frame.plain(answer_sentence(curve, asked.target)))
    point = None if crossings.best is None else curve.at(crossings.best)
    if point is None or point.best is None:
        return
    with st.container(key="uncertainty"):
        st.markdown(
            f"{certainty_sentence(curve, point.cardinality, asked.target)} "
            f"{'It is' if point.cardinality == 1 else 'They are'} {_named(point.best)}."
        )


def curve_chart(asked: Asked, curve: SubsetCurve, mode: Mode) -> tuple[go.Figure, str]:
    """Return the goodness of best, average and worst against cardinality, and what it says."""
    chart = goodness_by_cardinality(curve, target=asked.target, of_what=_of_what(asked), mode=mode)
    said = answer_sentence(curve, asked.target) if curve.is_complete else statuses_sentence(curve)
    return chart, f"{curve.measure.label} against subset size. {said}"


def charts(asked: Asked, curve: SubsetCurve, table: TopicTable, mode: Mode) -> list[tuple[go.Figure, str]]:
    """Return the figures with what they say: curve, pixel maps of sizes and of ten sets, hardness."""
    size = table.cardinality
    excluded = [row.topic for row in table.rows if row.advice == "exclude"]
    ten = f"Topics of the ten best and ten worst sets of {size}"
    return [
        curve_chart(asked, curve, mode),
        (sets_by_cardinality(curve, table, mode=mode), "Topics of the best and the worst set of each size."),
        (
            ten_sets(curve, table, mode=mode),
            f"{ten}; {', '.join(excluded[:_MOST_NAMED])} in bad sets only." if excluded else f"{ten}.",
        ),
        (
            topic_hardness(table, measure=curve.measure, scores=asked.matrix.measure, mode=mode),
            "Goodness of each topic alone against its mean score.",
        ),
    ]


@st.fragment(run_every=_LOOK_EVERY_SECONDS)
def growing(asked: Asked, first_look: SubsetCurve | None) -> None:
    """Draw what the running analysis has so far, again and again; the first look until it has anything."""
    if not job.is_running(PAGE):
        st.rerun()
    curve = work.partial(asked)
    if curve is not None:
        curve_so_far(asked, curve, "So far")
    elif first_look is not None:
        show_curve(asked, first_look)


def curve_so_far(asked: Asked, curve: SubsetCurve, said: str) -> None:
    """Draw a curve that is not complete."""
    with st.container(key="so-far"):
        st.markdown(f"{said}: {statuses_sentence(curve)}")
    show_curve(asked, curve)


def show_curve(asked: Asked, curve: SubsetCurve) -> None:
    """Draw a curve."""
    chart, alt = curve_chart(asked, curve, frame.chart_mode())
    figure.show(chart, key="curve", name="topic-subsets-curve", alt=alt)


def topics(asked: Asked, curve: SubsetCurve, table: TopicTable, drawn: list[tuple[go.Figure, str]]) -> None:
    """Show which topics good and bad sets have, and what to keep and to exclude."""
    st.subheader("Which topics?", anchor=False)
    left, right = st.columns([3, 1])
    with right:
        ask_number(CARDINALITY)
    with left:
        st.markdown(_advice(table))
        st.markdown(_stable(curve))
    for (chart, alt), name in zip(drawn, ("sizes", "ten", "hardness"), strict=True):
        figure.show(chart, key=name, name=f"topic-subsets-{name}", alt=alt)
    asked.say_size(asked.cardinality)
    if asked.cardinality != table.cardinality:
        st.markdown(f"{asked.cardinality} topics were not looked at yet; {table.cardinality} are shown.")


def point_table(curve: SubsetCurve) -> None:
    """Show the numbers of the curve."""
    rows = [point for point in curve.points]
    st.dataframe(
        {
            "topics": [point.cardinality for point in rows],
            "best": [None if point.best is None else point.best.value for point in rows],
            "average": [point.mean for point in rows],
            "standard error": [point.mean_standard_error for point in rows],
            "worst": [None if point.worst is None else point.worst.value for point in rows],
            "best is": [known(point.best) for point in rows],
            "worst is": [known(point.worst) for point in rows],
            **_bounds(curve),
            "without correlation": [point.n_undefined for point in rows],
            "best topics": ["" if point.best is None else " ".join(point.best.topics) for point in rows],
            "worst topics": ["" if point.worst is None else " ".join(point.worst.topics) for point in rows],
        },
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format="%.5f")
            for name in (
                "best",
                "average",
                "standard error",
                "worst",
                "no subset exceeds",
                "none falls below",
            )
        },
        alt="Goodness by subset size",
    )


def _bounds(curve: SubsetCurve) -> dict[str, list[float | None]]:
    """Return the columns of what no subset exceeds or falls below, where there are any."""
    sides = {
        "no subset exceeds": [point.best.bound if point.best else None for point in curve.points],
        "none falls below": [point.worst.bound if point.worst else None for point in curve.points],
    }
    return sides if any(bound is not None for bounds in sides.values() for bound in bounds) else {}


def topic_rows(table: TopicTable) -> None:
    """Show a row a topic."""
    ten = f"of {table.n_best} best sets of {table.cardinality}"
    st.dataframe(
        {
            "topic": [row.topic for row in table.rows],
            f"in how many {ten}": [row.in_ten_best for row in table.rows],
            f"and of {table.n_worst} worst": [row.in_ten_worst for row in table.rows],
            "sizes whose best has it": [row.in_best for row in table.rows],
            "sizes whose worst has it": [row.in_worst for row in table.rows],
            "goodness alone": [row.alone for row in table.rows],
            "mean score": [row.mean_score for row in table.rows],
            "advice": [row.advice for row in table.rows],
        },
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format="%.4f") for name in ("goodness alone", "mean score")
        },
        alt="Topics in good and bad subsets",
    )


def _of_what(asked: Asked) -> str:
    return f"{asked.matrix.measure}, {asked.matrix.name}"


def _topics(n: int) -> str:
    return "1 topic" if n == 1 else f"{n:,} topics"


def _named(subset: Subset) -> str:
    names = ", ".join(subset.topics[:_MOST_NAMED])
    more = len(subset.topics) - _MOST_NAMED
    return frame.plain(names) + (f" and {more:,} more" if more > 0 else "")


def _advice(table: TopicTable) -> str:
    keep = [row.topic for row in table.rows if row.advice == "keep"]
    exclude = [row.topic for row in table.rows if row.advice == "exclude"]
    said = (
        f"**Keep** (in at least {100 * OFTEN:g} % of the {table.n_best} best sets of {table.cardinality}, in at "
        f"most {100 * SELDOM:g} % of the {table.n_worst} worst): {_listed(keep) or 'none'}. **Exclude** (the other "
        f"way round): {_listed(exclude) or 'none'}."
    )
    if table.hardness_correlation is not None:
        said += (
            " Goodness of a topic alone and its mean score correlate by "
            f"{shown(round(table.hardness_correlation, 2))}."
        )
    return said


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return frame.plain(", ".join(names[:_MOST_NAMED])) + more


def _stable(curve: SubsetCurve) -> str:
    best, worst = stability(curve, "best"), stability(curve, "worst")
    if best is None or worst is None:
        return ""
    return (
        f"From one size to the next, {100 * best:.0f} % of what can stay stays in the best sets and "
        f"{100 * worst:.0f} % in the worst: bad topics are bad in any company, good sets are made of topics "
        "that complement each other."
        if worst > best
        else f"From one size to the next, {100 * best:.0f} % of what can stay stays in the best sets and "
        f"{100 * worst:.0f} % in the worst."
    )
