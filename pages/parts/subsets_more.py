"""What the topic subsets page can do on request: the paper's heuristic judged, measures compared."""

import streamlit as st

from pages.parts import frame, job
from pages.parts import subsets_work as work
from pages.parts.subsets_form import Asked
from topicset_core.analyses.topic_subsets.comparisons import AcrossMeasures, HeuristicJudged, judge_heuristic
from topicset_core.analyses.topic_subsets.curve import Side, SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, measure_of
from topicset_core.errors import InputError

_SIDES: tuple[Side, ...] = ("best", "worst")


def compare_measures(asked: Asked) -> None:
    """Offer to judge the sets that one measure chooses by all three."""
    found = work.comparison(job.follow(work.COMPARED), asked)
    if found is None:
        if not job.is_running(work.COMPARED):
            st.button(
                f"Choose {asked.cardinality} topics by each measure, judge by all",
                key=f"{work.COMPARED}/run",
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


def judge_the_heuristic(asked: Asked, curve: SubsetCurve) -> None:
    """Offer to run the paper's heuristic and set it beside what enumeration found or was proved."""
    if not any(
        one is not None and one.status in ("exhaustive", "proved")
        for point in curve.points
        for one in (point.best, point.worst)
    ):
        st.markdown("No size was looked at in full, and none proved, so there is nothing to judge it by.")
        return
    found = work.heuristic(job.follow(work.GUIVER), asked)
    if found is None:
        if not job.is_running(work.GUIVER):
            st.button(
                "Run the paper's heuristic",
                key=f"{work.GUIVER}/run",
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
