"""The answer of a design page where topics come in groups: how many groups, and how many topics in each."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import data, export_drawer, figure, frame, link
from pages.parts.computation import shared
from pages.parts.question import Groups, Question
from topicset_core.analyses.sizing.grouped_report import (
    correlation_lines,
    cost_by_size,
    grouped_headline,
    grouped_report,
    groups_by_size,
    groups_in_words,
    splits_table,
)
from topicset_core.designs.grouped import (
    INTRACLASS_CORRELATION,
    GroupedPlan,
    groups_by_scores,
    required_groups,
)
from topicset_core.errors import InputError, NoSolution


def show(settings: Question, groups: Groups) -> None:
    """Show the number of groups, its chart, its evidence and its exports."""
    st.session_state[frame.ON_SAMPLE] &= settings.variance.estimate is not None
    plan, url = _solve(settings, groups), settings.url()
    measure, source = frame.plain(settings.measure), settings.variance.source
    frame.headline(
        f":primary[{groups_in_words(plan)}] {grouped_headline(plan, measure)}",
        assumption="All groups have the same number of topics, and topics of one group correlate by ρ.",
    )
    frame.tiles(*_tiles(plan))
    link.offer(url, saved="")
    figure.show(groups_by_size(plan))
    if settings.variance.estimate is not None:
        data.warn([settings.measure], (plan.plan.symbol, plan.plan.difference))
    evidence, *costs, table = frame.tabs("Evidence", *(["Cost"] if plan.costs else []), "Table")
    with evidence, st.container(key="answer", gap="xsmall"):
        st.markdown("\n\n".join(frame.plain(one) for one in _told(plan, settings)))
    for tab in costs:
        if frame.is_drawn(tab):
            with tab:
                figure.show(cost_by_size(plan))
    if frame.is_drawn(table):
        table.dataframe(
            splits_table(plan), hide_index=True, width="content", alt="Groups by topics per group"
        )
    matrices = data.by_measure().get(settings.measure, []) if settings.variance.estimate is not None else []
    report = grouped_report(plan, settings.measure, source)
    export_drawer.draw(replace(report, matrices=matrices), link=url)


def _solve(settings: Question, groups: Groups) -> GroupedPlan:
    """Return the plan, or write why there is none and end the page."""
    sizes: dict[str, Any] = {"group_size": groups.size, "costs": groups.costs}
    rho, matrix = groups.intraclass_correlation, groups.matrix

    def planned() -> GroupedPlan:
        if matrix is not None:
            return groups_by_scores(settings.plan, matrix, **sizes)
        return required_groups(settings.plan, rho or 0.0, **sizes)

    key = "groups", *settings.plan.key, *sizes.values(), rho, matrix and matrix.digest
    try:
        return shared(key, planned)
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference, or a larger α or β.")
    except InputError as error:
        text = f"The scores give no intraclass correlation: {error.parameter} {error.rule}. State one."
        frame.refuse(frame.plain(text))
    st.stop()


def _tiles(plan: GroupedPlan) -> Iterator[frame.Tile]:
    """Yield the numbers next to the headline."""
    yield frame.Tile("topics in all", f"{plan.n_topics:,}")
    yield frame.Tile(
        "if topics were independent",
        f"{plan.independent_topics:,}",
        "Topics that the design takes without groups, with the same variance of one topic.",
    )
    if plan.groups_interval is not None:
        low, high = plan.groups_interval
        yield frame.Tile("if ρ is uncertain", f"{low:,} to {high:,}", f"{correlation_lines(plan)[0]}.")
    if plan.best is not None:
        text = f"Cost {plan.best.cost:,.6g}, the least of all numbers of topics per group."
        split = f"{plan.best.n_groups:,} of {plan.best.group_size:,}"
        yield frame.Tile("cheapest groups", split, text)
    yield frame.Tile(
        INTRACLASS_CORRELATION.symbol, f"{plan.intraclass_correlation:.3g}", INTRACLASS_CORRELATION.help
    )
    variance = plan.plan.variance_parameter
    yield frame.Tile(variance.symbol, f"{plan.plan.variance:.4g}", "Of one topic.")


def _told(plan: GroupedPlan, settings: Question) -> Iterator[str]:
    """Yield the answer in sentences."""
    variance = plan.plan.variance_parameter.symbol
    yield (
        f"{groups_in_words(plan)} {grouped_headline(plan, settings.measure)}, when {variance} of one topic is "
        f"{plan.plan.variance:.4g} ({settings.variance.source}) and topics of one group correlate by "
        f"ρ = {plan.intraclass_correlation:.3g}."
    )
    if plan.found is not None:
        yield (
            f"Over all topics of the scores the variance is {settings.plan.variance:.4g}; that lacks some of the "
            "variance between groups, which is added."
        )
    yield f"{plan.evidence}."
    yield (
        f"The design effect is {plan.design_effect:.3g}: the mean of these {plan.n_topics:,} topics varies "
        f"that many times as much as that of independent topics, of which {plan.independent_topics:,} are enough."
    )
    yield from filter(None, [plan.result.in_words and f"{plan.result.in_words}.", *plan.result.notes])
    yield "The variance is taken as known: Assurance does not apply to groups."
    yield from (f"{one[0].upper()}{one[1:]}." for one in correlation_lines(plan))
