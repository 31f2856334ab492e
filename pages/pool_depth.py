"""Pool depth: what a budget buys at each depth."""

from collections.abc import Sequence

import streamlit as st

from pages.parts import export_drawer, figure, frame, link, needed, runs_data
from pages.parts import pool_depth as parts
from pages.parts.data import MeasureVariance
from topicset_core.analyses.pool_depth import DepthStudy, report, study_before_judging
from topicset_core.analyses.pool_depth.pools import usual_depths
from topicset_core.analyses.pool_depth.request import Asked
from topicset_core.analyses.pool_depth.study import pool_of
from topicset_core.collection.run import Run
from topicset_core.errors import TopicsetError

frame.begin("pool_depth")
left, right = frame.form_and_answer()

with left:
    unjudged = parts.waits_for_judgments()
    variance = parts.choose_variance() if unjudged else None
    question, place = parts.ask()
    variance = variance or parts.typed_variance() if unjudged else None


def show(study: DepthStudy, asked: Asked, source: str, studied: parts.Studied | None = None) -> None:
    """Show what the budget buys, and below it the evidence and the cost of what is asked for."""
    with place:
        asked = parts.choose_depth(study, asked)
    answer = report.Answer.of(study, asked, source)
    study, choice, rule = answer.study, answer.choice, asked.rule
    exported, url = report.report(answer), parts.url(asked, variance)
    drawn = {one.name: one for one in report.figures(answer)}
    for name in ("bought-by-depth", "cost-by-depth"):
        if name in drawn:
            figure.show(drawn[name], on_click=parts.set_depth)
    frame.show_answer(exported)
    what = (
        "the runs; upload the same runs"
        if studied is None
        else "the data; upload the same runs and judgments"
    )
    link.offer(url, f"the settings in full precision, but not {what} to see the same answer")
    export_drawer.draw(exported, link=url)
    more = [] if studied is None else ["Leave a team out"]
    budget, cost, hours, *teams, numbers = frame.tabs(
        "Budget", f"Cost of {rule.symbol}", "Hours and money", *more, "Numbers"
    )
    with budget:
        frame.show_findings(exported)
        if choice is not None:
            costs = report.cost_columns(study, choice).screen(choice.designs)
            frame.table(*costs, alt="What each depth costs and reaches")
        if answer.purchases:
            bought = report.purchase_columns(rule.symbol).screen(answer.purchases)
            frame.table(*bought, alt="What the budget buys at each depth by each measure")
    with cost:
        if cost.open and choice is not None:
            figure.show(drawn["topics-by-judgments"])
    if frame.is_drawn(hours):
        with hours:
            parts.show_hours(answer)
    for tab in teams:
        with tab:
            if tab.open and studied is not None and choice is not None:
                parts.leave_out(studied, study.of(choice.designs[-1].measure))
    if frame.is_drawn(numbers):
        with numbers:
            every = report.design_columns(study.designs).screen(study.designs)
            frame.table(*every, alt="Topics and judgments at every depth")
            frame.show_findings(exported, "Numbers", key="numbers")
    frame.explain("pool_depth")


def show_unjudged(runs: list[Run], planned: MeasureVariance | None) -> None:
    """Show pool sizes, and designs once the user has chosen a variance."""
    with frame.head("data"):
        st.markdown(
            "Your runs have no judgments yet. Pool sizes are counted from the runs; choose the variance of scores."
        )
    if planned is None:
        pool = pool_of(runs, question.depths)
        with st.container(key="answer", gap="xxsmall"):
            frame.headline("Choose a variance of scores on the left")
            st.markdown("Without judgments these runs have no scores, so their variance is unknown.")
        depths = question.depths or usual_depths(pool.deepest)
        documents = [pool.documents_per_topic(depth) for depth in depths]
        sizes: dict[str, Sequence[object]] = {"pool depth": depths, "documents per topic": documents}
        frame.table(sizes, ".4g", alt="Documents in the pool of your runs at every depth")
        return
    with frame.refusing("No answer: {}.".format, TopicsetError):
        study = study_before_judging(
            runs,
            question.depths,
            question.rule,
            within_system_variance=planned.value,
            measure=planned.measure,
        )
    show(study, question, planned.source)


with right:
    if unjudged:
        show_unjudged(unjudged, variance)
        st.stop()
    runs_data.show_data_in_use()
    needed.check("runs")
    result = parts.studied(question)
    if result is None:
        if not parts.STUDY.is_running():
            with st.container(key="refusal"):
                st.info("No answer yet. Change the settings on the left, or compute again.")
            parts.offer_again()
        st.stop()
    show(result.study, result.question, report.studied_in_words(result.collections), result)
