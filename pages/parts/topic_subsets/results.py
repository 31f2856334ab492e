"""The first view of the topic subsets page: best, average and worst, and which topics these are."""

from collections.abc import Sequence

import streamlit as st

from pages.parts import export_drawer, figure, frame
from pages.parts.form import offer_link, say_preparation
from pages.parts.topic_subsets import explained, work
from pages.parts.topic_subsets.form import FORM, PAGE, Asked, no_answer
from topicset_core.analyses.topic_subsets.charts.goodness_by_cardinality import known
from topicset_core.analyses.topic_subsets.comparisons import AcrossMeasures, HeuristicJudged, judge_heuristic
from topicset_core.analyses.topic_subsets.curve import Side, Subset, SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, measure_of
from topicset_core.analyses.topic_subsets.report import MOST_NAMED, curve_figure, figures, report
from topicset_core.analyses.topic_subsets.request import CARDINALITY
from topicset_core.analyses.topic_subsets.sentences import (
    answer_sentence,
    certainty_sentence,
    shown,
    statuses_sentence,
)
from topicset_core.analyses.topic_subsets.topic_counts import OFTEN, SELDOM, TopicTable, stability
from topicset_core.errors import InputError
from topicset_core.exports.report import Figure
from topicset_core.wording import counted

_LOOK_EVERY_SECONDS = 1.0
_SIDES: tuple[Side, ...] = ("best", "worst")


def show(asked: Asked) -> None:
    """Show the answer, the curve, the topics, the numbers."""
    work.SEARCH.follow()
    try:
        whole = work.SEARCH.result(work.key_of(asked))
        quick = None if whole else work.quick(asked)
    except InputError as error:
        frame.refuse(frame.plain(no_answer(error)))
        return
    whole = whole or work.settled(asked, quick)
    curve = whole or quick
    if curve is None:
        with st.container(key="waiting"):
            st.markdown(
                f"{asked.matrix.n_topics:,} topics and {asked.matrix.n_systems:,} runs take a minute or so by this "
                "measure."
            )
    else:
        _say(asked, curve)
    say_preparation(asked.said)
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_link(asked.url("topics"))
        figure.print_style_switch()
    _show_curve(asked, curve, whole)
    if curve is not None:
        _show_topics(asked, curve)


def _show_curve(asked: Asked, curve: SubsetCurve | None, whole: SubsetCurve | None) -> None:
    st.subheader("Best, average and worst", anchor=False)
    running = work.SEARCH.is_about(work.key_of(asked))
    with st.container(horizontal=True, vertical_alignment="center"):
        if curve is not None:
            first_look = "" if whole is not None else "A first look, by swaps: "
            frame.say_what_it_rests_on(first_look + statuses_sentence(curve), is_preview=whole is None)
        if whole is None and not running:
            st.button(
                "Look thoroughly",
                key=f"{PAGE}/run",
                on_click=work.start,
                args=(asked,),
                icon=":material/play_arrow:",
            )
    partial = None if whole is not None else work.SEARCH.partial(work.key_of(asked))
    if running:
        _growing(asked, curve)
    elif partial is not None:
        _show_curve_so_far(asked, partial, "What was done before it was stopped")
    elif curve is not None:
        _draw_curve(asked, curve)


def _show_topics(asked: Asked, curve: SubsetCurve) -> None:
    table = work.table(asked, curve)
    drawn = figures(asked.matrix, curve, table, asked.target, frame.chart_mode())
    _say_topics(asked, curve, table, drawn[1:])
    with st.expander("Other measures of goodness", on_change="rerun", key=f"{PAGE}/other") as more:
        if more.open:
            _compare_measures(asked)
    with st.expander(
        "How good is the paper's heuristic here?", on_change="rerun", key=f"{PAGE}/heuristic"
    ) as more:
        if more.open:
            _judge_the_heuristic(asked, curve)
    st.subheader("Numbers", anchor=False)
    sizes, topics = st.tabs(["By size", "By topic"])
    with sizes:
        _point_table(curve)
    with topics:
        _topic_rows(table)
    export_drawer.draw(
        report(
            asked.matrix,
            curve,
            table,
            target=asked.target,
            method=asked.method,
            preparation=asked.said,
            link=asked.url("topics"),
        )
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(explained.CHOSEN)


def _say(asked: Asked, curve: SubsetCurve) -> None:
    """Write the number, the sentence, the topics, and how sure it is."""
    crossings = curve.crossings(asked.target)
    number = "no number of topics" if crossings.best is None else counted(crossings.best, "topic")
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


@st.fragment(run_every=_LOOK_EVERY_SECONDS)
def _growing(asked: Asked, first_look: SubsetCurve | None) -> None:
    """Draw what the running analysis has so far, again and again; the first look until it has anything."""
    if not work.SEARCH.is_running():
        st.rerun()
    curve = work.SEARCH.partial(work.key_of(asked))
    if curve is not None:
        _show_curve_so_far(asked, curve, "So far")
    elif first_look is not None:
        _draw_curve(asked, first_look)


def _show_curve_so_far(asked: Asked, curve: SubsetCurve, said: str) -> None:
    """Draw a curve that is not complete."""
    with st.container(key="so-far"):
        st.markdown(f"{said}: {statuses_sentence(curve)}")
    _draw_curve(asked, curve)


def _draw_curve(asked: Asked, curve: SubsetCurve) -> None:
    """Draw a curve."""
    chart, alt = curve_figure(asked.matrix, curve, asked.target, frame.chart_mode())
    figure.show(chart, key="curve", name="topic-subsets-curve", alt=alt)


def _say_topics(asked: Asked, curve: SubsetCurve, table: TopicTable, drawn: Sequence[Figure]) -> None:
    """Show which topics good and bad sets have, and what to keep and to exclude."""
    st.subheader("Which topics?", anchor=False)
    left, right = st.columns([3, 1])
    with right:
        FORM.number(CARDINALITY)
    with left:
        st.markdown(_advice(table))
        st.markdown(_stable(curve))
    for (chart, alt), name in zip(drawn, ("sizes", "ten", "hardness"), strict=True):
        figure.show(chart, key=name, name=f"topic-subsets-{name}", alt=alt)
    asked.say_size(asked.cardinality)
    if asked.cardinality != table.cardinality:
        st.markdown(f"{asked.cardinality} topics were not looked at yet; {table.cardinality} are shown.")


def _point_table(curve: SubsetCurve) -> None:
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


def _topic_rows(table: TopicTable) -> None:
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


def _named(subset: Subset) -> str:
    names = ", ".join(subset.topics[:MOST_NAMED])
    more = len(subset.topics) - MOST_NAMED
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
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return frame.plain(", ".join(names[:MOST_NAMED])) + more


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


def _compare_measures(asked: Asked) -> None:
    """Offer to judge the sets that one measure chooses by all three."""
    work.COMPARED.follow()
    found = work.COMPARED.result(work.comparison_key(asked))
    if found is None:
        if not work.COMPARED.is_running():
            st.button(
                f"Choose {asked.cardinality} topics by each measure, judge by all",
                key=f"{work.COMPARED.name}/run",
                on_click=work.start_comparison,
                args=(asked,),
            )
        return
    st.markdown(_agreement(found))
    st.dataframe(
        {
            "chosen as": [f"{one.side} by {measure_of(one.chosen_by).label}" for one in found.chosen]
            + ["average"],
        }
        | {
            measure.short: [*(one.judged[measure.key] for one in found.chosen), found.averages[measure.key]]
            for measure in MEASURES
        }
        | {"topics": [" ".join(one.subset.topics) for one in found.chosen] + [""]},
        hide_index=True,
        column_config={measure.short: st.column_config.NumberColumn(format="%.4f") for measure in MEASURES},
        alt="Subsets chosen by one measure of goodness, judged by all",
    )


def _judge_the_heuristic(asked: Asked, curve: SubsetCurve) -> None:
    """Offer to run the paper's heuristic and set it beside what enumeration found or was proved."""
    if not any(
        one is not None and one.status in ("exhaustive", "proved")
        for point in curve.points
        for one in (point.best, point.worst)
    ):
        st.markdown("No size was looked at in full, and none proved, so there is nothing to judge it by.")
        return
    work.GUIVER.follow()
    found = work.GUIVER.result(work.key_of(asked, "guiver"))
    if found is None:
        if not work.GUIVER.is_running():
            st.button(
                "Run the paper's heuristic",
                key=f"{work.GUIVER.name}/run",
                on_click=work.start_heuristic,
                args=(asked,),
            )
        return
    for side in _SIDES:
        try:
            st.markdown(_judged(judge_heuristic(curve, found, side)))
        except InputError as error:
            st.markdown(frame.plain(str(error)))


def _judged(found: HeuristicJudged) -> str:
    sizes, proved = len(found.gaps), found.n_proved
    how = "looked at in full or proved" if proved else "looked at in full"
    # Of a proved size only the best set is known, so there is no tenth.
    among = "" if proved else f" and among the ten {found.side} at {found.n_within_ten}"
    return (
        f"**{found.side.capitalize()} sets**, {sizes} sizes that were {how}: the heuristic falls short "
        f"by {found.mean_percent:.3f} % of the range of goodness on average and {found.max_percent:.2f} % at most; "
        f"its set is the {found.side} at {sum(gap.rank == 1 for gap in found.gaps)} sizes{among}."
    )


def _agreement(found: AcrossMeasures) -> str:
    best = {one.chosen_by: set(one.subset.topics) for one in found.chosen if one.side == "best"}
    if len(best) < len(MEASURES):
        return f"Sets of {found.cardinality} topics, each judged by all measures:"
    common = set.intersection(*best.values())
    return (
        f"Sets of {found.cardinality} topics, chosen by one measure and judged by all. The three best sets have "
        f"{len(common)} topics in common."
    )
