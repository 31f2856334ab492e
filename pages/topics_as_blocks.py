"""How many topics for a two-way ANOVA over m systems, with topics as blocks?"""

from functools import partial

import streamlit as st

from pages.parts import design_page, frame, topics
from pages.parts.computation import once
from pages.parts.planned import Settings
from topicset_core.designs import blocked_anova
from topicset_core.designs.results import PowerResult
from topicset_core.errors import NoSolution


def _warn(settings: Settings, exact: PowerResult) -> None:
    """Write where the test does not hold alpha, with the epsilon of the scores and the topics that it requires."""
    topics.show_other(settings)
    n_systems = exact.requirements.n_systems
    if n_systems > 2:
        st.markdown(f":material/warning: {frame.plain(blocked_anova.SPHERICITY_NOTE)}")
        matrices = settings.planned.matrices
        typical = blocked_anova.typical_epsilon
        results = [
            (once(("epsilon", one.digest, n_systems), partial(typical, one.scores, n_systems)), one.name)
            for one in matrices
            if one.n_systems >= n_systems
        ]
        if results:
            _show_box(exact, *min(results))
    frame.link_to("pages/every_pair.py", "Find which systems differ, with these values: Every pair")


def _show_box(exact: PowerResult, epsilon: float, name: str) -> None:
    requirements = exact.requirements
    try:
        needed = blocked_anova.box_topics(
            exact.effect_size,
            epsilon,
            alpha=requirements.alpha,
            beta=requirements.beta,
            n_systems=requirements.n_systems,
        )
    except NoSolution:
        return
    st.markdown(
        f"In sets of {requirements.n_systems} runs of {frame.plain(name)} the median of ε is **{epsilon:.2f}** (1 "
        f"if all differences have the same variance). With Box's correction by this ε the test needs about "
        f"**{needed:,} {exact.unit}s**."
    )


design_page.draw(
    "topics_as_blocks",
    blocked_anova.DESIGN,
    sentence="that all systems share, to detect with {power:g} % power at the {level:g} % level a difference of "
    "**{min_d:g}** or more in {measure} between the best and the worst of **{n_systems} systems** by two-way "
    "ANOVA, when the residual variance is σₑ² = **{variance:.4g}** ({source}).",
    warn=_warn,
)
