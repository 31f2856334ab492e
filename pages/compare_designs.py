"""Which design and which measure ask for how many topics?"""

from itertools import chain

import streamlit as st

from pages.parts import comparison, data, export_drawer, figure, frame, link
from topicset_core.analyses.sizing import effect_table, method_lines
from topicset_core.analyses.sizing.comparison_report import (
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

_PRECISE = st.column_config.NumberColumn(format="%.4g")
_SHARE = st.column_config.NumberColumn(format="percent")

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
    figure.show(*designs_figures(tables, by_symbol, of, frame.chart_mode()))
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
        st.dataframe(
            planned_table(tables),
            hide_index=True,
            alt="Topics that each design requires with each measure, as on the pages of the designs",
        )
    *by_measure, by_topics = comparison_figures(tables, lines, variances, frame.chart_mode(), of)
    if len(variances) > 1 or separated is not None:
        with st.expander(
            frame.plain(finding) if len(variances) > 1 else "Which differences this measure detects"
        ):
            st.markdown(frame.plain(shares))
            st.dataframe(
                measures_table(variances, separated),
                hide_index=True,
                column_config={"σ²": _PRECISE, "median difference": _PRECISE}
                | {
                    "told apart": st.column_config.NumberColumn("distinguished", format="percent"),
                    "from (90 %)": _SHARE,
                    "to (90 %)": _SHARE,
                },
                alt="Variance of each measure, and the share of run pairs that it distinguishes",
            )
            figure.show(*by_measure)
    with st.expander("Required topics for other differences and numbers of systems"):
        comparison.show_tables(tables, marks_smallest=separated is not None and separated.same_data)
    with st.expander("What each number of topics detects", on_change="rerun", key="detects") as more:
        if more.open:
            figure.show(by_topics)
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
All designs stand on one assumption: the topics are shared by all systems, or separate. On separate topics they take
the pooled within-system variance $\sigma^2$. On shared topics, tests of $m$ systems take the two-way residual
$\sigma_e^2$, half the mean variance of a pair; tests of one pair take $\sigma_t^2$, the 95th percentile of pairs
unless another estimate is chosen in the form, which all design pages share. *Mean pair* is the paired t test at
$2\sigma_e^2$, to compare it with them at one variance.
Each measure has its own $\mathit{minD}$ and $\delta$, and the pages of the designs show the same numbers.
Multiple comparisons are sized for the power to detect the pair that differs by $\mathit{minD}$; *Every pair*
has the other kinds of power. In the tables by difference, rows are $\mathit{minD}$, or the width $\delta$ of
the interval (Sakai 2016, tables 6 and 7). Holm's procedure needs at most as many topics as Bonferroni's.

If computed exactly, the two-sample t test and the ANOVA of two systems agree. The paired t test needs the
same number of topics or one more (two more for effects above one standard deviation), as it has fewer
degrees of freedom at the same variance. In the paper the ANOVA tool requires fewer topics than the t test
tool; the reason is the tool's approximation of the F distribution. The interval and the ANOVA of ten systems
almost agree by a coincidence of α = .05 and β = .20: their sizes are 15.4 and 15.6 times
$2\sigma^2/\delta^2$. Where the interval sheet of 2016 stopped, at n = 343, the paper printed the ANOVA value
with m = 10; the published tables here do the same, and mark it bold.

**Distinguished** is the share of run pairs with p < α in a two-sided paired t test over all topics of the
scores, without correction for multiple comparisons; its interval is a delete-group jackknife over topics, the
same groups for all measures. A measure is named only if it exceeds every other measure by more than the
interval of the difference (90 % for all together), on the same runs and topics.

**What this does not tell you.** Designs answer different questions: ANOVA detects that some systems differ,
tests of all pairs detect which, and a baseline design compares m − 1 systems with one. minD = 0.1 is a
different difference in every measure, so a measure that needs few topics for it is not necessarily better.
At the same effect size minΔ all measures need the same number of topics. The numbers do not show whether a
measure agrees with what users want.
"""
        )
        st.markdown(frame.SAKAI_2016)
