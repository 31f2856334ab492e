"""Is a pool fair to new systems? Leave out one team at a time."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.parts import export_drawer, figure, frame
from pages.parts.computation import Computation
from pages.parts.pool_depth.work import Studied
from topicset_core.analyses.pool_depth import (
    DepthDesign,
    LeftOut,
    guessed_teams,
    hardest_hit,
    leave_teams_out,
)
from topicset_core.analyses.pool_depth.charts import change_of_left_out
from topicset_core.analyses.pool_depth.report import left_out_table
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.exports.figures import Figure

Studies = tuple[tuple[Studied, JudgedRuns, tuple[str, ...]], tuple[LeftOut, ...]]
"""The question, and the runs left out."""

LEAVING_OUT: Computation[Studies] = Computation("pool/new-systems")


def draw(studied: Studied, designs: tuple[DepthDesign, ...]) -> None:
    """Draw the table of teams, the button and the results, for one collection at a time."""
    with frame.folded(
        "Is the pool fair to new systems?",
        "leave out each team and compare ranks",
        key="pool/new-systems-open",
        lazy=True,
    ) as more:
        if not more.open:
            return
        runs = _collection(studied)
        if runs.n_systems < 2:
            st.markdown("At least 2 runs are needed to leave out a team.")
            return
        st.markdown(
            "The runs of each team are scored without the judgments of its uniquely contributed documents, as "
            "if the team had not been pooled (Zobel 1998). Teams are guessed from run names; correct them here. "
            "A run without a team counts as a team."
        )
        edited = st.data_editor(
            pd.DataFrame({"run": runs.systems, "team": guessed_teams(runs.systems)}),
            hide_index=True,
            disabled=["run"],
            height=240,
            key=f"pool/teams-{hash((runs.qrels.name, runs.systems))}",
        )
        teams = named(runs.systems, list(edited["team"]))
        depths = [design.pool_depth for design in designs]
        measure = studied.question.scored_by()[0]
        level = studied.question.conventions.relevance_level
        st.button(
            "Leave each team out",
            on_click=LEAVING_OUT.start,
            args=(
                "latest",
                "Scoring without each team",
                lambda run: (
                    (studied, runs, teams),
                    leave_teams_out(
                        runs,
                        teams,
                        depths,
                        measure,
                        relevance_level=level,
                        report_progress=run.report_progress,
                    ),
                ),
            ),
            key="pool/leave-out",
        )
        LEAVING_OUT.follow()
        result = LEAVING_OUT.latest()
        if result is None:
            return
        inputs, left_out = result
        if inputs[0] is studied and inputs[1] is runs:
            if inputs[2] != teams:
                st.warning("Teams have changed. Press “Leave each team out” to update the results.")
            _show(left_out, designs, measure.name)


def _collection(studied: Studied) -> JudgedRuns:
    """Return the collection whose teams are left out; the user's choice where there are several."""
    if len(studied.collections) == 1:
        return studied.collections[0]
    place: int = st.selectbox(
        "Judgments",
        range(len(studied.collections)),
        format_func=lambda at: studied.collections[at].qrels.name,
        help="Teams are left out of one collection at a time. The chart counts documents per topic "
        "over all collections.",
        key="pool/new-systems-collection",
    )
    return studied.collections[place]


def named(systems: Sequence[str], teams: Sequence[object]) -> tuple[str, ...]:
    """Return the team of each run; the run itself if no team is given."""
    given = [team.strip() if isinstance(team, str) else "" for team in teams]
    return tuple(team or system for team, system in zip(given, systems, strict=True))


def _show(result: tuple[LeftOut, ...], designs: tuple[DepthDesign, ...], measure: str) -> None:
    evaluated = dict.fromkeys((designs[0].pool_depth, designs[-1].pool_depth))
    text = " ".join(_worst(depth, hardest_hit(result, depth), measure) for depth in evaluated)
    st.markdown(frame.plain(text))
    figure.show(
        Figure(
            "left-out",
            change_of_left_out(result, designs, measure=measure, mode=frame.chart_mode()),
            text,
        )
    )
    columns = left_out_table(result)
    st.dataframe(columns, hide_index=True, height=280, alt="Each run with and without its team's judgments")
    export_drawer.csv("Teams left out, CSV", columns, name="teams-left-out", key="csv-left-out")


def _worst(depth: int, one: LeftOut, measure: str) -> str:
    if one.change >= 0:
        return f"At depth {depth}, no run loses."
    rank = (
        f"stays {one.rank}"
        if one.rank == one.rank_left_out
        else f"goes from {one.rank} to {one.rank_left_out}"
    )
    return f"At depth {depth}, {one.system} loses most: {-one.change:.4f} {measure}; its rank {rank}."
