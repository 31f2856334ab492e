"""What the training sensitivity page shows: what to train by, effectiveness, surfaces, topics."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from pages.parts import figure, frame
from pages.parts.training_answer import Answered
from pages.parts.training_form import choose
from topicset_core.analyses.training_sensitivity import CurvePoint, Surface, surface
from topicset_core.charts.agreement_by_completeness import agreement_by_completeness
from topicset_core.charts.effectiveness_by_completeness import effectiveness_by_completeness
from topicset_core.charts.judgments_by_completeness import judgments_by_completeness
from topicset_core.charts.measures_in_training import measures_in_training
from topicset_core.charts.style import Mode
from topicset_core.charts.training_surface import training_surface
from topicset_core.wording import counted

Chart = tuple[go.Figure, str]
EVALUATED_BY, TASK, SURFACE_OF, SURFACE_LEVEL = "evaluated_by", "task", "surface_of", "surface_level"


def say(answer: Answered) -> None:
    """Write what to train by and why."""
    found = answer.found
    with st.container(key="answer", gap="xxsmall"):
        when = "On few judgments, train by" if answer.recommendation.low else "Train by"
        st.markdown(f"# {when} :primary[{frame.plain(answer.recommendation.measure)}]")
        st.markdown(frame.plain(answer.recommendation.sentence))
    swept = ", ".join(found.settings.parameters)
    of_what = f" of {swept}" if swept else " (runs without parameter values)"
    sizes = " and ".join(f"{len(task.training)}" for task in found.tasks[:2])
    with st.container(key="sweep"):
        st.markdown(
            frame.plain(
                f"{counted(len(found.settings.systems), 'setting')}{of_what}; trained on {sizes} topics in "
                f"{counted(len(found.tasks), 'task')}, tested on the others; {found.request.n_samples} samples at "
                f"each of {counted(len(found.levels), 'level')}, seed {found.request.seed}."
            )
        )
    assumed = found.said[:1] if answer.asked.sweep.assumed_depth else ()
    for sentence in assumed:
        st.info(frame.plain(sentence))


def show_effectiveness(answer: Answered) -> dict[str, str]:
    """Draw figure 2 for the measure on the test topics that the user chooses; return the choice."""
    measures = answer.found.measures
    evaluated_by = choose(EVALUATED_BY, measures, "Measured on the test topics by")
    chart, alt = effectiveness_chart(answer, evaluated_by, frame.chart_mode())
    figure.show(chart, key="effectiveness", name="training-sensitivity-effectiveness", alt=alt)
    return {EVALUATED_BY: evaluated_by}


def effectiveness_chart(answer: Answered, evaluated_by: str, mode: Mode) -> Chart:
    """Return figure 2 with what it says: by the reference all measures, by another one it and the reference."""
    found = answer.found
    points: Sequence[CurvePoint] = [
        one for one in answer.curves if not one.task and one.evaluated_by == evaluated_by
    ]
    trained = {one.trained_by for one in points}
    chart = effectiveness_by_completeness(
        points,
        complete={
            name: score for name, score in found.complete_means(evaluated_by).items() if name in trained
        },
        yours=answer.recommendation.measure,
        mode=mode,
    )
    return (
        chart,
        f"Mean {evaluated_by} on the test topics against completeness. {answer.recommendation.sentence}",
    )


def show_surfaces(answer: Answered) -> dict[str, str]:
    """Draw what training sees, for the task, measure and level that the user chooses; return the choice."""
    found = answer.found
    levels = {f"{level:g}": level for level in found.levels}
    st.subheader("What training sees", anchor=False)
    columns = st.columns(3)
    with columns[0]:
        task = choose(TASK, [one.name for one in found.tasks], "Tested on")
    with columns[1]:
        measure = choose(SURFACE_OF, found.alternatives, f"Beside {found.reference}", answer.yours)
    with columns[2]:
        level = choose(SURFACE_LEVEL, list(levels), "Level, % of the judgments")
    looked = {TASK: task, SURFACE_OF: measure, SURFACE_LEVEL: level}
    charts = surface_charts(answer, looked, frame.chart_mode())
    for (chart, alt), name in zip(charts, ("surface", "scatter", "agreement"), strict=False):
        figure.show(chart, key=name, name=f"training-sensitivity-{name}", alt=alt)
    return looked


def surface_charts(answer: Answered, looked: dict[str, str], mode: Mode) -> list[Chart]:
    """Return figures 1 and 3 with what they say."""
    found = answer.found
    pair: list[Surface] = [
        surface(found, looked[TASK], name, float(looked[SURFACE_LEVEL]))
        for name in (found.reference, looked[SURFACE_OF])
    ]
    charts = [
        (
            training_surface(pair, mode=mode),
            f"Training scores of each setting by {pair[0].measure} and {pair[1].measure}, and what is chosen.",
        ),
        (
            measures_in_training(*pair, mode=mode),
            f"Each setting's {pair[1].measure} against its {pair[0].measure} in training.",
        ),
    ]
    if any(one.rho is not None for one in answer.agreements):
        charts.append(
            (
                agreement_by_completeness(
                    answer.agreements,
                    reference=found.reference,
                    yours=answer.recommendation.measure,
                    mode=mode,
                ),
                f"Rank correlation with {found.reference} over settings, against completeness.",
            )
        )
    return charts


def show_designs(answer: Answered) -> None:
    """Say and draw whether to judge fewer documents or fewer topics."""
    st.subheader("Fewer judgments a topic, or fewer topics?", anchor=False)
    st.markdown(frame.plain(answer.cheapest))
    if answer.has_designs:
        chart, alt = designs_chart(answer, frame.chart_mode())
        figure.show(chart, key="judgments", name="training-sensitivity-judgments", alt=alt)
        st.markdown(
            f"Each line asks for a difference of {answer.asked.min_d:g} of its own measure, so compare levels "
            "along a line, not one line with another."
        )


def designs_chart(answer: Answered, mode: Mode) -> Chart:
    """Return judgments in all against completeness."""
    chart = judgments_by_completeness(
        answer.designs, difference=answer.asked.min_d, yours=answer.found.reference, mode=mode
    )
    return chart, answer.cheapest


def charts(answer: Answered, looked: dict[str, str], mode: Mode) -> list[Chart]:
    """Return all figures of the page with what they say."""
    designs = [designs_chart(answer, mode)] if answer.has_designs else []
    return [
        effectiveness_chart(answer, looked[EVALUATED_BY], mode),
        *surface_charts(answer, looked, mode),
        *designs,
    ]
