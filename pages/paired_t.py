"""How many topics for a paired t test between two systems?"""

import streamlit as st

from pages.parts import design_page, frame, question, topics
from topicset_core.designs import paired_t

frame.begin("paired_t")
form, result = question.begin(paired_t.DESIGN)
with form:
    topics.go_to(paired_t.DESIGN)
    settings = question.ask(paired_t.DESIGN)
requirements = paired_t.Requirements(**settings.values)

with result:
    answer = design_page.solve(
        settings,
        lambda method: paired_t.required_topics(requirements, method=method),
    )
    design_page.show(
        answer,
        sentence=f"to detect with {100 * (1 - requirements.beta):g} % power at the "
        f"{100 * requirements.alpha:g} % level a "
        f"difference of **{requirements.min_d:.6g}** or more in {frame.plain(settings.measure)} "
        f"(minΔ = {requirements.effect_size:.3g} standard deviations) between two systems, when "
        f"the variance of their per-topic difference is σₜ² = **{requirements.difference_variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        why="The Excel tool uses a normal approximation of the noncentral t distribution (Sakai 2016, Eq. 5). "
        "It is accurate: in fewer than 2 % of settings it differs from the exact answer, by one topic.",
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
The per-topic differences are taken as independent and normal with variance $\sigma_t^2$. If the systems differ
by $\mathit{minD}$, the statistic $t_0$ follows a noncentral $t$ distribution with $n-1$ degrees of freedom and
noncentrality $\sqrt{n}\,\mathit{minD}/\sigma_t$; the power is the probability that $|t_0|$ exceeds the
two-sided critical value, counting both tails (Sakai 2016, section 3.1, Eqs. 1 to 10). The smallest $n$ with
power $1-\beta$ or more is found by bisection; $n-1$ is checked to fall short.

From loaded scores, $\sigma_t^2$ is the 95th percentile over pairs of runs (Webber et al., CIKM 2008): on resampled
topics of real scores 95 % of pairs then had the required power. With few topics it is too large, as it is a
percentile of estimates. With the mean over pairs about half of all pairs have less power. Sakai's $2\sigma^2$
(section 3.4) treats topics as unpaired: on TREC data it is 1.5 to 4 times the mean over pairs, but 3 % of the pairs
vary more with RR and ERR@20.

**Other tests of the same pairs.** A sign-flip (randomisation) or bootstrap test has the power of the t test: in
resampled TREC scores .79 to .81 where the t test has .80. Wilcoxon's signed-rank test needs fewer topics if the
systems differ by a pure shift: as real differences have heavy tails, 31 to 48 where the t test needs 50 (a relative
efficiency of 1.04 to 1.6; the sign test 20 to 40). But both test another hypothesis. If the mean difference
is zero and the differences are skewed, Wilcoxon's test at α = .05 reports a difference in 6 to 10 % of cases
for AP and in 18 to 43 % for ERR@20, and in more cases with more topics; the sign test does so even more
often. Therefore plan with the t test. *Check on my scores* computes these figures for your scores.

**What this does not tell you.** If every pair of many systems is tested this way, some equal systems seem to
differ: with m systems and independent tests the probability of at least one error is
$1-(1-\alpha)^{m(m-1)/2}$. Its $\mathit{min}\Delta$ is in standard deviations of the difference and not
comparable with the $\mathit{min}\Delta$ of an unpaired test. β = .20 is a convention.
"""
        )
        st.markdown(frame.SAKAI_2016)
