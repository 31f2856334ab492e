"""How many topics for a narrow confidence interval of the difference of two systems?"""

from dataclasses import replace

import streamlit as st

from pages.parts import design_page, frame, question
from pages.parts.form import Form
from topicset_core.designs import confidence_interval, two_sample_confidence_interval
from topicset_core.designs.interval_width import PUBLISHED_NOTE
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE

frame.begin("confidence_interval")
form, result = question.begin(confidence_interval.DESIGN, two_sample_confidence_interval.DESIGN)
with form:
    linked = "separate" if WITHIN_SYSTEM_VARIANCE.name in st.query_params else ""
    paired = Form(question.PAGE, ()).draw(replace(question.SHARED, usual=linked)) == "shared"
    design = confidence_interval if paired else two_sample_confidence_interval
    settings = question.ask(design.DESIGN)
requirements = design.Requirements(**settings.values)

with result:
    answer = design_page.solve(settings, lambda method: design.required_topics(requirements, method=method))
    what = "variance of the per-topic difference is" if paired else "within-system variance is"
    design_page.show(
        answer,
        sentence=f"so that the {100 * (1 - requirements.alpha):g} % confidence interval of a difference of "
        f"two systems is expected to be at most **{requirements.max_width:g}** {frame.plain(settings.measure)} "
        f"wide, when the {what} {design.DESIGN.variance.symbol} = **{requirements.variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        why=PUBLISHED_NOTE,
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
The interval is $\bar d \pm \mathit{MOE}$ with $\mathit{MOE} = t_{inv}(\phi;\alpha)\sqrt{V/n}$. $V$ is random, so
the requirement is on the expected width: $E(2\,\mathit{MOE}) \le \delta$, with
$E(\sqrt V) = \sigma_t\sqrt{2/\phi}\;\Gamma\!\left(\tfrac{\phi+1}{2}\right)/\,\Gamma\!\left(\tfrac{\phi}{2}\right)$
and $\phi = n-1$ (Sakai 2016, Eqs. 30 to 33); for two samples $\phi = 2n-2$ and the variance is $2\sigma^2$. The
smallest sufficient $n$ is found by bisection; $n-1$ is checked to be too wide.

**What this does not tell you.** About half of all realised intervals are wider than δ: the requirement is on
the mean width. This $n$ is almost equal to that of the ANOVA with m = 10 and minD = δ, by a coincidence of α
= .05 and β = .20.
"""
        )
        st.markdown(frame.SAKAI_2016)
