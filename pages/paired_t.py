"""How many topics for a paired t test between two systems?"""

import streamlit as st

from pages.parts import data, design_page, downloads, frame, question
from pages.parts.caching import paired_t_curves
from topicset_core.designs import paired_t
from topicset_core.designs.curves import TABLE, paired_topics_curve
from topicset_core.exports.methods_text import paired_t_methods
from topicset_core.parameters import ALPHA, BETA, DIFFERENCE_VARIANCE, MIN_D
from topicset_core.variance import conservative_difference_variance

frame.begin(
    "Paired t test",
    "How many topics do I need, so that a comparison of two systems on the same topics does not miss a real "
    "difference?",
)
data.say_what_is_in_use()
form, result = st.columns([1, 2.6], gap="large")

with form:
    asked = question.ask(
        "paired-t",
        (ALPHA, BETA, MIN_D),
        DIFFERENCE_VARIANCE,
        of_within_system_variance=conservative_difference_variance,
        validate=lambda values: paired_t.Requirements(**values),
    )
wanted = paired_t.Requirements(**asked.values)

with result:
    exact = design_page.solve(lambda: paired_t.required_topics(wanted))
    published = design_page.solve_as_published(lambda: paired_t.required_topics(wanted, method="published"))
    design_page.show_answer(
        asked,
        exact,
        published,
        sentence=f"to detect with {100 * (1 - wanted.beta):g} % power at the {100 * wanted.alpha:g} % level a "
        f"difference of **{wanted.min_d:g}** or more in {frame.plain(asked.measure)} between two "
        f"systems, when the variance of their per-topic difference is σₜ² = **{wanted.difference_variance:.4g}** "
        f"({frame.plain(asked.variance_source)}).",
        why="The Excel tool uses a normal approximation of the noncentral t distribution (Sakai 2016, Eq. 5). "
        "It is good: it differs from the exact answer in fewer than 2 of 100 settings, and then by one topic.",
    )
    curve, power = paired_t_curves(**asked.values, topics=exact.required_topics)
    design_page.show_charts(asked, exact, [curve], power)
    design_page.show_table(asked, [paired_topics_curve(wanted, TABLE)], [curve], power)
    downloads.methods_text(
        paired_t_methods(exact, measure=asked.measure, variance_source=asked.variance_source)
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
The per-topic differences are taken as independent and normal with variance $\sigma_t^2$. If the systems differ
by $\mathit{minD}$, the statistic $t_0$ follows a noncentral $t$ distribution with $n-1$ degrees of freedom and
noncentrality $\sqrt{n}\,\mathit{minD}/\sigma_t$; the power is the chance that $|t_0|$ passes the two-sided
critical value, both tails counted (Sakai 2016, section 3.1, Eqs. 1 to 10). The smallest $n$ whose power reaches
$1-\beta$ is found by bisection; $n-1$ is checked to fall short.

From loaded scores, $\sigma_t^2 = 2\sigma^2$ is used, as in the paper (section 3.4). That errs on the safe side:
it treats topics as unpaired, and on TREC data it is three to four times the variance of real paired differences.

**What this does not tell you.** Testing every pair of many systems this way finds differences that are not
there: with m systems and independent tests the chance of at least one is $1-(1-\alpha)^{m(m-1)/2}$.

T. Sakai. Topic set size design. *Information Retrieval Journal* 19, 256–283 (2016).
[doi:10.1007/s10791-015-9273-z](https://doi.org/10.1007/s10791-015-9273-z)
"""
        )
