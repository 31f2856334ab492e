"""How many topics for a one-way ANOVA over m systems?"""

import streamlit as st

from pages.parts import design_page, frame, question, topics
from topicset_core.designs import one_way_anova
from topicset_core.designs.one_way_anova import familywise_error_rate, n_pairs


def _show_shared_topics(exact: one_way_anova.AnovaResult) -> None:
    """Write the topics of a two-way ANOVA, and the power of this F test on shared topics."""
    if exact.shared_topics is None or settings.variance.estimate is None:
        st.markdown(frame.plain(one_way_anova.shared_topics_note(exact.shared_topics)))
        return
    power = one_way_anova.in_per_cent(exact.shared_topics.power_of_one_way_f)
    topics.show_other(
        one_way_anova.DESIGN,
        settings,
        f"; on {exact.required_topics:,} shared topics this F test has {power} power",
    )


frame.begin("one_way_anova")
form, result = question.begin(one_way_anova.DESIGN)
with form:
    topics.go_to(one_way_anova.DESIGN)
    settings = question.ask(one_way_anova.DESIGN)
requirements = one_way_anova.Requirements(**settings.values)

with result:
    solved = design_page.solve(
        settings,
        lambda method: one_way_anova.required_topics(requirements, method=method),
    )
    design_page.show(
        solved,
        sentence=f"for each system, to detect with {100 * (1 - requirements.beta):g} % power at the "
        f"{100 * requirements.alpha:g} % level a difference of **{requirements.min_d:g}** or more in "
        f"{frame.plain(settings.measure)} between the best and the worst of **{requirements.n_systems} "
        f"systems**, when the within-system variance is σ² = **{requirements.within_system_variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        why=one_way_anova.PUBLISHED_NOTE,
        warn=_show_shared_topics,
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
Scores are taken as independent and normal with the same variance $\sigma^2$ for every system, each system on
$n$ topics. If the best and the worst system differ by $\mathit{minD}$, the test statistic $F_0$ follows a
noncentral $F$ distribution with $m-1$ and $m(n-1)$ degrees of freedom and noncentrality of at least
$\lambda = n\,\mathit{minD}^2 / 2\sigma^2$; the least is reached when all other systems are in the middle.
The power shown is therefore for the **worst case** (Sakai 2016, section 3.2, Eqs. 15 to 23). The smallest
$n$ with power $1-\beta$ or more is found by bisection; $n-1$ is checked to fall short. $n$ is per system.

**Shared topics.** The model takes scores as independent. In a test collection all systems share the topics, and
topic difficulty, which the differences of systems do not have, stays in the residual of the one-way test:
$S_A \sim \sigma_e^2\,\chi'^2_{m-1}(\lambda)$ with $\lambda = n\,\mathit{minD}^2/2\sigma_e^2$, and
$S_E \sim (m\sigma^2-(m-1)\sigma_e^2)\,\chi^2_{n-1} + \sigma_e^2\,\chi^2_{(m-1)(n-1)}$, with the two-way
variance $\sigma_e^2$ (Eq. 37). The power of the one-way test on shared topics is computed from these by
quadrature. On real scores (AP of Robust 2004, random sets of runs, resampled topics) the observed power was
within two percentage points of this value.

**What this does not tell you.** ANOVA shows that some systems differ, not which ones. To detect which, plan
with *Every pair* from the start: from about 13 systems on it needs fewer topics. $\sigma^2$ is an estimate:
a larger value, from your least stable measure, is more careful. β = .20 is a convention.
"""
        )
        st.markdown(
            f"Testing all {n_pairs(requirements.n_systems):,} pairs of {requirements.n_systems} systems by "
            "separate tests at "
            f"α = {requirements.alpha:g} would report at least one difference between equal systems with "
            f"probability $1-(1-\\alpha)^{{m(m-1)/2}}$ = "
            f"{familywise_error_rate(requirements.alpha, requirements.n_systems):.3g}, if the tests were "
            "independent. Separate t tests are appropriate if each of a few named differences must be "
            "significant, for "
            "example a new system against each of two baselines (section 3.1)."
        )
        st.markdown(frame.SAKAI_2016)
