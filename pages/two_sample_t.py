"""How many topics for a two-sample t test between two systems?"""

import streamlit as st

from pages.parts import design_page, frame, question, topics
from topicset_core.designs import two_sample_t

frame.begin("two_sample_t")
form, result = question.begin(two_sample_t.DESIGN)
with form:
    topics.go_to(two_sample_t.DESIGN)
    settings = question.ask(two_sample_t.DESIGN)
requirements = two_sample_t.Requirements(**settings.values)

with result:
    answer = design_page.solve(
        settings,
        lambda method: two_sample_t.required_topics(requirements, method=method),
    )
    design_page.show(
        answer,
        sentence=f"for each of the two systems, to detect with {100 * (1 - requirements.beta):g} % power at the "
        f"{100 * requirements.alpha:g} % level a difference of **{requirements.min_d:g}** or more in "
        f"{frame.plain(settings.measure)}, when the within-system variance is σ² = "
        f"**{requirements.within_system_variance:.4g}** ({frame.plain(settings.variance_source)}).",
        why="The 2018 Excel tool uses a normal approximation of the noncentral t distribution, which is "
        "accurate. The ANOVA tool with m = 2 requires fewer topics although the two tests are equivalent: its "
        "approximation of noncentral F is too low there. If computed exactly, the two agree.",
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
Scores are taken as independent and normal with a common variance $\sigma^2$. If the systems differ by
$\mathit{minD}$, $t_0$ follows a noncentral $t$ distribution with $2n-2$ degrees of freedom and noncentrality
$\sqrt{n/2}\,\mathit{minD}/\sigma$; both tails are counted. The smallest $n$ with power $1-\beta$ or more is
found by bisection; $n-1$ is checked to fall short. $n$ is per system. The test is the one-way ANOVA for two
systems, and gives the same number.

**What this does not tell you.** Two systems run on the same topics are better compared by a paired test, which
needs fewer topics when the paired variance is known. $\mathit{min}\Delta = \mathit{minD}/\sigma$ here is in
standard deviations of one system, and not comparable with the $\mathit{min}\Delta$ of the paired test.

T. Sakai. Topic set size design for paired and unpaired data. *ICTIR 2018*, 199–202.
[doi:10.1145/3234944.3234971](https://doi.org/10.1145/3234944.3234971)
"""
        )
