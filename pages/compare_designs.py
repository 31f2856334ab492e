"""Which design and which measure ask for how many topics?"""

from itertools import chain

import streamlit as st

from pages.parts import comparison, data, export_drawer, figure, frame, link, topics
from topicset_core.analyses.sizing.comparison_charts import comparison_figures
from topicset_core.analyses.sizing.comparison_report import (
    MEASURES,
    SHOWN_AS,
    measures_table,
    planned_table,
)
from topicset_core.errors import InputError, NoSolution

frame.begin("compare_designs")
comparison.show_data_in_use()
form, result = frame.form_and_answer()

with form, frame.refusing(str):
    topics.ask_goal("compare_designs")
    requested = comparison.ask()

with result:
    of = requested.comparison.of
    with frame.refusing(comparison.why_refused, (InputError, NoSolution)):
        compared = comparison.compared(requested)

    tables, variances = compared.tables, compared.variances
    # Pairs that scores distinguish are shown beside plans with these scores only.
    with_scores = any(source.matrices for source in compared.sources.values())
    matrices = tuple(chain(*data.by_measure().values())) if with_scores else ()
    separated = comparison.separated(matrices, compared.levels[0][0])
    exported = compared.report(separated, matrices)
    figure.show(*compared.figures_of_designs())
    frame.show_answer(exported)
    url = requested.url()
    link.offer(url, saved=requested.saved())
    export_drawer.draw(exported, link=url)
    evidence, measures, others, detects = frame.tabs(
        "Designs and measures", MEASURES, "Other minD and m", "What n detects"
    )
    with evidence:
        frame.show_findings(exported)
        if not requested.is_linked:
            data.warn(list(variances))
        planned = planned_table(tables)
        frame.table(
            planned,
            alt="Topics that each design requires with each measure, as on the pages of the designs",
            placeholder="–",
        )
        cells = [cell for table in tables for cell in table.planned.values()]
        is_binary = any(source.is_binary for source in compared.sources.values())
        if is_binary and not all(cell.topics for cell in cells):
            st.markdown(f":small[–: {comparison.SHARES_ONLY}.]")
    *by_measure, by_topics = comparison_figures(tables, compared.lines, variances, of)
    if frame.is_drawn(measures):
        with measures:
            frame.show_findings(exported, MEASURES, key="measures")
            if len(variances) > 1 or separated is not None:
                frame.table(
                    measures_table(variances, separated),
                    SHOWN_AS if separated else {"σ²": ".4g"},
                    alt="Variance of each measure, and the share of run pairs that it distinguishes",
                )
                figure.show(*by_measure)
    if frame.is_drawn(others):
        with others:
            comparison.show_tables(tables, marks_smallest=separated is not None and separated.same_data)
    if detects.open:
        with detects:
            figure.show(by_topics)
    frame.explain("compare_designs")
