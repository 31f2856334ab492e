"""Which design and which measure ask for how many topics?"""

from itertools import chain

import streamlit as st

from pages.parts import comparison, data, export_drawer, figure, frame, link
from topicset_core.analyses.sizing import effect_table, method_lines
from topicset_core.analyses.sizing.comparison_report import (
    SHOWN_AS,
    comparison_figures,
    comparison_report,
    comparison_sentence,
    designs_figures,
    designs_sentence,
    measures_table,
    planned_table,
    variances_of,
)
from topicset_core.errors import InputError, NoSolution

frame.begin("compare_designs")
comparison.show_data_in_use()
form, result = frame.form_and_answer()

with form:
    try:
        requested = comparison.ask()
    except InputError as error:
        frame.refuse(frame.plain(str(error)))
        st.stop()

with result:
    of = requested.of
    try:
        tables = comparison.compared(requested)
        (alpha, beta), *_ = requested.levels
        lines = method_lines(
            requested.variances[of],
            alpha=alpha,
            beta=beta,
            systems=(*requested.systems, requested.planned.n_systems),
            difference_variance=(requested.paired or {}).get(of),
        )
        effects = effect_table(requested.levels, effects=requested.effects, method=requested.method)
    except (InputError, NoSolution) as error:
        frame.refuse(frame.plain(str(error)))
        st.stop()

    matrices = () if requested.is_linked else tuple(chain(*data.by_measure().values()))
    separated = comparison.separated(matrices, alpha)
    heading, text = designs_sentence(tables, of)
    finding, shares = comparison_sentence(tables, separated)
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f":primary[{frame.plain(heading)}]")
        st.markdown(frame.plain(text))
    if not requested.is_linked:
        data.warn([variance.measure for variance in requested.measured])
    if not requested.residual and requested.topics == "shared":
        st.markdown(":small[Tests of several systems on shared topics are left out: σₑ² is not known.]")
    url = requested.url()
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(url)
    variances = {one.measure: (one.value, one.source) for one in requested.measured}
    by_symbol = variances_of(variances, requested.paired, requested.residual, of)
    figure.show(*designs_figures(tables, by_symbol, of))
    report = comparison_report(
        tables,
        lines,
        variances,
        effects=effects,
        method=requested.method,
        sentence=f"{heading}. {text}" + (f" {finding}. {shares}" if len(variances) > 1 or separated else ""),
        separated=separated,
        matrices=matrices,
        link=url,
        of=of,
        difference_variances=requested.paired,
        residual_variances=requested.residual,
    )
    export_drawer.draw(report)
    with frame.folded("Required topics by design and measure", "the table"):
        frame.table(
            planned_table(tables),
            alt="Topics that each design requires with each measure, as on the pages of the designs",
        )
    *by_measure, by_topics = comparison_figures(tables, lines, variances, of)
    if len(variances) > 1 or separated is not None:
        with st.expander(
            frame.plain(finding) if len(variances) > 1 else "Which differences this measure detects"
        ):
            st.markdown(frame.plain(shares))
            frame.table(
                measures_table(variances, separated),
                SHOWN_AS if separated else {"σ²": ".4g"},
                alt="Variance of each measure, and the share of run pairs that it distinguishes",
            )
            figure.show(*by_measure)
    with st.expander("Required topics for other differences and numbers of systems"):
        comparison.show_tables(tables, marks_smallest=separated is not None and separated.same_data)
    with st.expander("What each number of topics detects", on_change="rerun", key="detects") as more:
        if more.open:
            figure.show(by_topics)
    frame.explain("compare_designs")
