"""How many topics for a two-way ANOVA over m systems, with topics as blocks?"""

import streamlit as st

from pages.parts import data, design_page, frame, question, topics
from topicset_core.designs import blocked_anova
from topicset_core.designs.results import PowerResult
from topicset_core.errors import NoSolution


def _warn(exact: PowerResult) -> None:
    """Write where the test does not hold alpha, with the epsilon of the scores and the topics that it requires."""
    topics.show_other(blocked_anova.DESIGN, settings)
    if requirements.n_systems > 2:
        st.warning(frame.plain(blocked_anova.SPHERICITY_NOTE))
        matrices = (
            data.by_measure().get(settings.measure, []) if settings.variance.estimate is not None else []
        )
        results = [
            (blocked_anova.typical_epsilon(matrix.scores, requirements.n_systems), matrix.name)
            for matrix in matrices
            if matrix.n_systems >= requirements.n_systems
        ]
        if results:
            _show_box(exact, *min(results))
    frame.link_to("pages/every_pair.py", "Find which systems differ, with these values: Every pair")


def _show_box(exact: PowerResult, epsilon: float, name: str) -> None:
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
        f"**{needed:,} topics**."
    )


frame.begin("topics_as_blocks")
form, result = question.begin(blocked_anova.DESIGN)
with form:
    topics.go_to(blocked_anova.DESIGN)
    settings = question.ask(blocked_anova.DESIGN)
requirements = blocked_anova.Requirements(**settings.values)

with result:
    answer = design_page.solve(
        settings, lambda method: blocked_anova.required_topics(requirements, method=method)
    )
    design_page.show(
        answer,
        sentence=f"that all systems share, to detect with {100 * (1 - requirements.beta):g} % power at the "
        f"{100 * requirements.alpha:g} % level a difference of **{requirements.min_d:g}** or more in "
        f"{frame.plain(settings.measure)} between the best and the worst of **{requirements.n_systems} "
        f"systems** by two-way ANOVA, when the residual variance is σₑ² = **{requirements.residual_variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        warn=_warn,
    )
    frame.explain("topics_as_blocks")
