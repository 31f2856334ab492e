"""How many topics to show that a system is at least as good as another, or that two are equally good?"""

import streamlit as st

from pages.parts import design_page, frame, question
from pages.parts.form import Choice, Form
from topicset_core.designs import equivalence, non_inferiority
from topicset_core.designs.margins import MarginRequirements

_DESIGNS = {"as-good": non_inferiority.DESIGN, "equal": equivalence.DESIGN}
_CLAIM = Choice(
    "claim",
    "Show that",
    {
        "as-good": "it is at least as good, within the margin",
        "equal": "the two differ by less than the margin",
    },
    look="radio",
)

frame.begin("at_least_as_good")
form, result = question.begin(*_DESIGNS.values(), words={_CLAIM.name: list(_DESIGNS)})
with form:
    claim = Form(question.PAGE, ()).draw(_CLAIM)
    design = _DESIGNS[claim]
    settings = question.ask(design, further={_CLAIM.name: claim})
requirements: MarginRequirements = design.requirements(**settings.values)

with result:
    answer = design_page.solve(
        settings, lambda method: requirements.test.required_topics(requirements, method)
    )
    shown = {
        "as-good": f"that a system is not worse than another by **{requirements.margin:g}** or more",
        "equal": f"that two systems differ by less than **{requirements.margin:g}**",
    }[claim]
    if requirements.true_difference == 0:
        condition = "if they are truly equal"
    elif claim == "as-good":
        better = "better" if requirements.true_difference > 0 else "worse"
        condition = f"if it is truly {better} by {abs(requirements.true_difference):g}"
    else:
        condition = f"if they truly differ by {abs(requirements.true_difference):g}"
    design_page.show(
        answer,
        sentence=f"{'' if requirements.topics == 'shared' else 'for each of the two systems, '}to show with "
        f"{100 * (1 - requirements.beta):g} % power at the {100 * requirements.alpha:g} % level, one-sided, "
        f"{shown} in {frame.plain(settings.measure)}, {condition}, when {requirements.variance_parameter.symbol} = "
        f"**{requirements.variance:.4g}** ({frame.plain(settings.variance_source)}).",
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
**Why not a t test of a difference.** A result that is not significant does not show that two systems are
equal: with few topics no difference is significant. To show that a cheaper system or an automatic judge is
good enough, name the margin first: the largest difference that does not matter to your users.

**At least as good (non-inferiority).** The hypothesis that the system is worse by the margin or more is rejected
where $(\bar d + \textit{margin})/\mathrm{se}$ reaches the upper $\alpha$ quantile $c$ of the $t$ distribution. The
power is a tail of the noncentral $t$ distribution with $\lambda = (\theta + \textit{margin})/\mathrm{se}$.

**Equally good (equivalence).** Two one-sided tests are made, one on each side (TOST, Schuirmann 1987). Both
reject exactly where the confidence interval at $1 - 2\alpha$ lies within the margin. The power is

$$\int_0^{\textit{margin}/(c\,\mathrm{se})} f_\nu(s)\,
\bigl[\Phi\bigl((\textit{margin}-\theta)/\mathrm{se} - c s\bigr) -
\Phi\bigl((-\textit{margin}-\theta)/\mathrm{se} + c s\bigr)\bigr]\,ds,$$

a difference of two of Owen's (1965) Q functions; $s$ is the estimated over the true standard deviation.
Shared topics make the test a paired one: $\mathrm{se}^2 = \sigma_t^2/n$ and $\nu = n-1$. Separate topics make it a
two-sample test: $\mathrm{se}^2 = 2\sigma^2/n$ and $\nu = 2n-2$. Sizes and powers agree with the R package
PowerTOST to ten digits.

**What this does not tell you.** Each one-sided test has the probability α: .05 corresponds to a 90 %
interval, .025 to a 95 % interval. A system that is truly a little worse needs many more topics: enter that as
θ < 0. Two systems that are equally good on average may still differ on every topic.
"""
        )
