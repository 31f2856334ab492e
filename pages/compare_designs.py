"""Which method and which measure ask for how many topics?"""

import streamlit as st

from pages.parts import comparison, comparison_form, data, export_drawer, figure, frame, link
from topicset_core.analyses.sizing import SPOKEN_DIFFERENCE, compare_designs, method_lines, spoken_of
from topicset_core.analyses.sizing.report import comparison_figures, comparison_report
from topicset_core.errors import InputError, NoSolution

# Keys and file names of the figures; of a single measure there is only the last.
_FIGURES = ("measures", "topics-by-measure"), ("methods", "methods-by-topics")

frame.begin(
    "Compare designs",
    "Which of my measures needs the fewest topics, and how do the methods compare?",
)
comparison_form.say_what_is_in_use()
form, result = st.columns([1, 2.6], gap="large")

with form:
    asked = comparison_form.ask()

with result:
    largest = max(asked.measured, key=lambda found: found.value)
    smallest = min(asked.measured, key=lambda found: found.value)
    try:
        tables = compare_designs(asked.variances, alpha=asked.alpha, beta=asked.beta, method=asked.method)
        lines = method_lines(largest.value, alpha=asked.alpha, beta=asked.beta)
    except (InputError, NoSolution) as error:
        frame.refuse(frame.plain(str(error)))
        st.stop()

    topics = spoken_of(tables).topics_by_measure(SPOKEN_DIFFERENCE)
    said = comparison.sentence(topics, smallest.measure, largest.measure)
    comparison.answer(smallest.measure, said)
    url = asked.url()
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(url)
        figure.print_style_switch()
    variances = {found.measure: (found.value, found.source) for found in asked.measured}
    figures = comparison_figures(tables, lines, variances, frame.chart_mode())
    for (key, name), (drawn, alt) in zip(_FIGURES[-len(figures) :], figures, strict=True):
        figure.show(drawn, key=key, name=name, alt=alt)
    comparison.show_tables(tables)
    report = comparison_report(
        tables,
        lines,
        variances,
        alpha=asked.alpha,
        beta=asked.beta,
        method=asked.method,
        sentence=frame.unmarked(said),
        matrices=() if asked.is_linked else data.matrices(),
        link=url,
    )
    export_drawer.draw(report)
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
Each column is a measure with its pooled within-system variance $\sigma^2$; paired methods use
$\sigma_t^2 = 2\sigma^2$ as the paper does, so a real paired test on the same topics would need fewer. Rows are
$\mathit{minD}$, or the width $\delta$ of the interval (Sakai 2016, tables 6 and 7).

Exactly computed, the two-sample t test and the ANOVA of two systems agree, and the paired t test needs one topic
more or the same (two more for effects beyond a standard deviation), as it has fewer degrees of freedom at the same
variance. The paper found the ANOVA tool to ask for fewer topics than the t test tool; that came from the tool's
approximation of the F distribution.

That the interval and the ANOVA of ten systems almost agree is a coincidence of α = .05 and β = .20: their sizes
are 15.4 and 15.6 times $2\sigma^2/\delta^2$. Where the interval sheet of 2016 stopped, at n = 343, the paper put
the ANOVA value with m = 10; the published tables here do the same, and mark it bold.

**What this does not tell you.** A measure that needs few topics is not therefore a good measure: whether it
measures what matters is another question.
"""
        )
        st.markdown(frame.SAKAI_2016)
