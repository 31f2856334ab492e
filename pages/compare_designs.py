"""Which method and which measure ask for how many topics?"""

import streamlit as st

from pages.parts import comparison, data, export_drawer, figure, frame, link
from topicset_core.analyses.sizing import compare_designs, effect_table, method_lines
from topicset_core.analyses.sizing.comparison_report import (
    comparison_figures,
    comparison_report,
    comparison_sentence,
    measures_table,
    planned_table,
)
from topicset_core.errors import InputError, NoSolution

_PRECISE = st.column_config.NumberColumn(format="%.4g")
_SHARE = st.column_config.NumberColumn(format="percent")

frame.begin("compare_designs")
comparison.say_what_is_in_use()
form, result = frame.form_and_answer()

with form:
    try:
        asked = comparison.ask()
    except InputError as error:
        frame.refuse(frame.plain(str(error)))
        st.stop()

with result:
    largest = max(asked.measured, key=lambda found: found.value)
    planned_with = next((found for found in asked.measured if found.measure == asked.of), largest)
    try:
        tables = [
            table
            for alpha, beta in asked.levels
            for table in compare_designs(
                asked.variances,
                alpha=alpha,
                beta=beta,
                differences=asked.differences,
                systems=asked.systems,
                method=asked.method,
                difference_variances=asked.paired,
                planned=asked.planned,
            )
        ]
        (alpha, beta), *_ = asked.levels
        lines = method_lines(
            planned_with.value,
            alpha=alpha,
            beta=beta,
            systems=(*asked.systems, asked.planned.n_systems),
            difference_variance=(asked.paired or {}).get(planned_with.measure),
        )
        effects = effect_table(asked.levels, effects=asked.effects, method=asked.method)
    except (InputError, NoSolution) as error:
        frame.refuse(frame.plain(str(error)))
        st.stop()

    matrices = () if asked.is_linked else data.matrices()
    separated = comparison.separated(matrices, alpha)
    heading, text = comparison_sentence(tables, separated)
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f":primary[{frame.plain(heading)}]")
        st.markdown(frame.plain(text))
    if not asked.is_linked:
        data.warn([found.measure for found in asked.measured])
    url = asked.url()
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(url)
    st.dataframe(
        planned_table(tables),
        hide_index=True,
        alt="Topics that each method asks for with each measure, as on the pages of the methods",
    )
    variances = {found.measure: (found.value, found.source) for found in asked.measured}
    table = measures_table(variances, separated)
    st.dataframe(
        table,
        hide_index=True,
        column_config={"σ²": _PRECISE, "median difference": _PRECISE}
        | {name: _SHARE for name in ("told apart", "from (90 %)", "to (90 %)")},
        alt="Variance of each measure, and the share of run pairs that it tells apart",
    )
    figure.show(*comparison_figures(tables, lines, variances, frame.chart_mode(), planned_with.measure))
    comparison.show_tables(tables, marks_smallest=separated is not None and separated.same_data)
    report = comparison_report(
        tables,
        lines,
        variances,
        effects=effects,
        method=asked.method,
        sentence=f"{heading}. {text}",
        separated=separated,
        matrices=matrices,
        link=url,
        of=planned_with.measure,
        difference_variances=asked.paired,
    )
    export_drawer.draw(report)
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
Each column is a measure with its pooled within-system variance $\sigma^2$; paired methods use
$\sigma_t^2 = 2\sigma^2$ as the paper does, so that a real paired test on the same topics would need fewer, unless
another estimate is chosen in the form, which all design pages share. The first table has each measure's own
$\mathit{minD}$ and $\delta$: its numbers are those of the pages of the methods. Rows below are
$\mathit{minD}$, or the width $\delta$ of the interval (Sakai 2016, tables 6 and 7).

Exactly computed, the two-sample t test and the ANOVA of two systems agree, and the paired t test needs one topic
more or the same (two more for effects beyond a standard deviation), as it has fewer degrees of freedom at the same
variance. The paper found the ANOVA tool to ask for fewer topics than the t test tool; that came from the tool's
approximation of the F distribution.

That the interval and the ANOVA of ten systems almost agree is a coincidence of α = .05 and β = .20: their sizes
are 15.4 and 15.6 times $2\sigma^2/\delta^2$. Where the interval sheet of 2016 stopped, at n = 343, the paper put
the ANOVA value with m = 10; the published tables here do the same, and mark it bold.

**Told apart** is the share of run pairs with p < α in a two-sided paired t test over all topics of the scores,
not corrected for their number; its interval is a delete-group jackknife over topics, the same groups for all
measures. A measure is named only where it exceeds each other one by more than the interval of the difference
(90 % for all together), on the same runs and topics.

**What this does not tell you.** minD = 0.1 is another difference in every measure, so that a measure which needs
few topics for it is not therefore the better one; at one effect size minΔ all measures need the same topics.
Whether a measure measures what matters is another question.
"""
        )
        st.markdown(frame.SAKAI_2016)
